"""What a benchmark gives: figures with their unit in the key, as a table for people and JSON for programs."""

import json
import math
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.show.text_table import text_table

UNITS = {'_s_per_s': 's/s', '_per_s': '1/s', '_ms': 'ms', '_us': 'us', '_percent': '%', '_ratio': '(-)', '_mb': 'MB',
         '_count': '(-)', '_j': 'J', '_h': 'h'}


class Figure(NamedTuple):
    """A figure: key (it ends in its unit); median, lowest and highest of its repeats; what is aimed at."""

    key: str
    value: float
    lowest: float
    highest: float
    repeats: int
    aim: float | None = None

    @property
    def unit(self) -> str:
        """Unit, as in a table."""
        return UNITS[next(suffix for suffix in UNITS if self.key.endswith(suffix))]

    @property
    def verdict(self) -> str:
        """What is aimed at, and whether it is reached; empty where nothing is."""
        if self.aim is None:
            return ''
        return f'{"MISSED" if self.missed else "reached"}: at most {self.aim:g}'

    @property
    def missed(self) -> bool:
        """Whether something is aimed at and not reached."""
        return self.aim is not None and not self.value <= self.aim


@dataclass
class Result:
    """The figures of one benchmark, what it left out and why, and what to know when reading them."""

    name: str
    figures: list[Figure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failed: str = ''

    def add(self, key: str, repeats: Sequence[float], aim: float | None = None) -> None:
        """Add the median of repeated measurements."""
        self.figures.append(Figure(key, statistics.median(repeats), min(repeats), max(repeats), len(repeats), aim))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that a share (0 to 1) of the values does not exceed; NaN of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def progress(text: str) -> None:
    """Say on stderr what is being done."""
    print(text, file=sys.stderr, flush=True)


def table(results: Sequence[Result]) -> str:
    """Return the figures as plain text."""
    head = ('benchmark', 'figure', 'median', 'unit', 'lowest .. highest', 'of', 'aim')
    rows = [head]
    for result in results:
        rows += [(result.name, figure.key, _short(figure.value), figure.unit,
                  f'{_short(figure.lowest)} .. {_short(figure.highest)}' if figure.repeats > 1 else '',
                  str(figure.repeats), figure.verdict) for figure in result.figures]
        rows += [(result.name, what, 'skipped', '', '', '', why) for what, why in result.skipped.items()]
        rows += [(result.name, '', 'FAILED', '', '', '', result.failed)] if result.failed else []
    notes = [f'{result.name}: {note}' for result in results for note in result.notes]
    return '\n'.join([*text_table(rows, 'llrl'), *(['', *notes] if notes else [])])


def document(results: Sequence[Result], quick: bool, seconds: float) -> dict[str, Any]:
    """Return the figures as JSON has them."""
    return {
        'machine': machine(), 'quick': quick, 'wall_s': round(seconds, 1),
        'benchmarks': {result.name: {
            'figures': {figure.key: _number(figure.value) for figure in result.figures},
            'spread': {figure.key: [_number(figure.lowest), _number(figure.highest)] for figure in result.figures
                       if figure.repeats > 1},
            'aims': {figure.key: {'at_most': figure.aim, 'reached': not figure.missed}
                     for figure in result.figures if figure.aim is not None},
            'skipped': result.skipped, 'notes': result.notes, 'failed': result.failed or None,
        } for result in results}}


def text_of(content: dict[str, Any]) -> str:
    """Return the JSON text of a document."""
    return json.dumps(content, indent=2, allow_nan=False) + '\n'


def give(results: Sequence[Result], quick: bool, seconds: float, target: str | None, prog: str) -> bool:
    """
    Print the table, and write the JSON; return whether that could be written.

    :param quick: Whether they were measured with few and short repeats.
    :param seconds: How long that took, s of wall time.
    :param target: Of the JSON: a file; -: stdout, and the table goes to stderr; None: nowhere.
    :param prog: Name of the program.
    """
    text = text_of(document(results, quick, seconds))
    print(table(results), file=sys.stderr if target == '-' else sys.stdout, flush=True)
    if target == '-':
        sys.stdout.write(text)
    if target in (None, '-'):
        return True
    try:
        Path(str(target)).write_text(text, encoding='utf-8')
    except OSError as error:
        print(f'{prog}: error: {target}: {error.strerror}', file=sys.stderr)
        return False
    return True


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    return {'processor': _processor(), 'cores': len(os.sched_getaffinity(0)), 'python': platform.python_version(),
            'system': platform.platform(), 'load_average_1_min': round(os.getloadavg()[0], 2)}


def _processor() -> str:
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            return next(line.split(':', 1)[1].strip() for line in file if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _short(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    if value == 0.0 or abs(value) >= 1000.0:
        return f'{value:,.0f}'.replace(',', ' ')
    return f'{value:.3g}'


def _number(value: float) -> float | None:
    """Return what JSON can hold: four significant digits, or nothing."""
    return float(f'{value:.4g}') if math.isfinite(value) else None
