"""What changed between runs, by cause: their figures side by side, and the differences from the first."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from ..files.json_file import without_nan
from ..physics.energy import CAUSES
from ..show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from ..show.rounding import percent, rounded
from ..sim.run_summary import Summary, relative
from .log_summary import NAMES

COLOURS = {'damping': BLUE, 'inertia': VERMILION, 'wind': GREEN, 'losses': ORANGE, 'static_load': SKY,
           'unrecovered': PURPLE}
WHOLE = (('duration_s', 'time, s', 1), ('distance_over_ground_m', 'over ground, m', 1),
         ('distance_through_water_m', 'through the water, m', 1), ('mean_power_w', 'mean power, W', 2),
         ('energy_per_meter_j_m', 'J/m', 2), ('energy_j', 'energy, J', 1))
NEEDED = ('energy_j', 'duration_s', 'distance_over_ground_m', *(f'energy_{cause}_j' for cause in NAMES))
SEEN = 5e-4  # Share of the largest energy below which a cause is left out of table and picture.


def read_summary(path: Path) -> Summary:
    """
    Return the figures in a summary.json of `analyze` or of a run.

    :raises InputError: If it is none.
    """
    try:
        told = json.loads(path.read_text(encoding='utf-8'))
    except (OSError, ValueError) as error:
        raise InputError(f'{path}: cannot be read: {error}') from None
    if not isinstance(told, dict):
        raise InputError(f'{path}: holds no figures of one run')
    for key in NEEDED:
        if not isinstance(told.get(key), int | float):
            raise InputError(f'{path}: lacks {key}; must be the summary.json of a run, or of usv-energy analyze')
    return {**told, 'name': told.get('name') or told.get('scenario') or path.parent.name}


def comparison_of(runs: Sequence[Summary]) -> dict[str, Any]:
    """
    Return runs side by side and what changed, for JSON.

    :param runs: Summaries, the first being the one that the others are compared with.
    """
    first = runs[0]
    changes = []
    for run in runs[1:]:
        total = run['energy_j'] - first['energy_j']
        causes = {cause: run[f'energy_{cause}_j'] - first[f'energy_{cause}_j'] for cause in NAMES}
        changes.append(without_nan({
            'name': run['name'], 'against': first['name'], 'change_j': total,
            'change_relative': relative(run['energy_j'], first['energy_j']),
            'change_duration_s': run['duration_s'] - first['duration_s'],
            'change_energy_per_meter_j_m': _difference(run, first, 'energy_per_meter_j_m'),
            **{f'change_{cause}_j': value for cause, value in causes.items()}}))
    keys = ('name', 'source', 'boat', 'convention', *(key for key, _, _ in WHOLE),
            *(f'energy_{cause}_j' for cause in CAUSES if cause != 'total'))
    return {'runs': [{key: run.get(key) for key in keys} for run in runs], 'changes': changes}


def _difference(run: Summary, first: Summary, key: str) -> float:
    return run[key] - first[key] if run.get(key) is not None and first.get(key) is not None else math.nan


def causes_seen(runs: Sequence[Summary]) -> list[str]:
    """Return the causes that are not next to nothing in all runs."""
    largest = max(abs(run['energy_j']) for run in runs)
    return [cause for cause in COLOURS if any(abs(run[f'energy_{cause}_j']) > SEEN * largest for run in runs)]


def comparison_text(runs: Sequence[Summary]) -> str:
    """Return runs side by side as lines; each but the first with its change against the first."""
    head = ['', *(cell for number, run in enumerate(runs, start=1)
                  for cell in ([f'{number}: {_short(run["name"])}'] + ([''] if number > 1 else [])))]
    rows = [head, *(_row(label, [run.get(key) for run in runs], digits, share=True) for key, label, digits in WHOLE)]
    rows.append(['of it, J', *[''] * (len(head) - 1)])
    rows += [_row(f'  {NAMES[cause]}', [run[f'energy_{cause}_j'] for run in runs], 1, whole=runs[0]['energy_j'])
             for cause in causes_seen(runs)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ['  '.join(cell.ljust(width) if not number else cell.rjust(width)
                       for number, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    foot = ['', 'Changes are against run 1; of a cause: in J, and as a share of the energy of run 1.', *_remarks(runs)]
    return '\n'.join([lines[0], '-' * len(lines[0]), *lines[1:], *foot])


def _row(label: str, values: Sequence[float | None], digits: int, share: bool = False,
         whole: float = math.nan) -> list[str]:
    cells = [label]
    for number, value in enumerate(values):
        cells.append('-' if value is None else f'{value:.{digits}f}')
        if number == 0:
            continue
        if value is None or values[0] is None:
            cells.append('')
        elif share:
            cells.append(percent(relative(value, values[0]), 1) if values[0] else '')
        else:
            change = value - values[0]
            cells.append(f'{rounded(change, digits):+.{digits}f} ({percent(change / whole, 1) if whole else "-"})')
    return cells


def _remarks(runs: Sequence[Summary]) -> list[str]:
    """Say what makes runs hard to compare."""
    remarks = []
    for key, what in (('boat', 'boats'), ('convention', 'conventions')):
        values = list(dict.fromkeys(str(run.get(key)) for run in runs))
        if len(values) > 1:
            remarks.append(f'The runs have different {what}: {", ".join(values)}.')
    distances = [run['distance_over_ground_m'] for run in runs]
    if min(distances) > 0.0 and max(distances) > 1.02 * min(distances):
        remarks.append('The runs are of different length: compare J/m.')
    return remarks


def _short(name: str, width: int = 22) -> str:
    return name if len(name) <= width else f'{name[:width - 3]}...'


def plot_comparison(runs: Sequence[Summary], path: Path) -> None:
    """
    Draw runs into a PNG: energy by cause side by side, and the changes against the first.

    :param runs: Summaries.
    :param path: The PNG.
    :raises OSError: If it cannot be written.
    """
    causes, number = causes_seen(runs), len(runs)
    with picture(path, max(9.6, 5.0 + 1.3 * number), 4.9) as figure:
        energy, change = figure.subplots(1, 2, width_ratios=(1.0, 1.25))
        _draw_stacks(energy, runs, causes)
        _draw_changes(change, runs, causes)


def _draw_stacks(axes, runs: Sequence[Summary], causes: Sequence[str]) -> None:
    above, below = [0.0] * len(runs), [0.0] * len(runs)
    for cause in causes:
        heights = [run[f'energy_{cause}_j'] for run in runs]
        bases = [above[k] if height >= 0.0 else below[k] for k, height in enumerate(heights)]
        axes.bar(range(len(runs)), heights, bottom=bases, width=0.62, color=COLOURS[cause], label=NAMES[cause])
        for k, height in enumerate(heights):
            above[k], below[k] = above[k] + max(height, 0.0), below[k] + min(height, 0.0)
    for k, run in enumerate(runs):
        axes.annotate(f'{run["energy_j"]:.0f} J', (k, above[k]), xytext=(0, 3), textcoords='offset points', ha='center',
                      fontsize=9)
    axes.set_title('Energy by cause', pad=12)
    axes.set(ylabel='E, J', xticks=range(len(runs)))
    axes.set_xticklabels([_short(run['name'], 16) for run in runs], rotation=20 if len(runs) > 3 else 0)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.margins(y=0.1)
    axes.grid(visible=False, axis='x')
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.12 if len(runs) <= 3 else -0.24), ncol=3)


def _draw_changes(axes, runs: Sequence[Summary], causes: Sequence[str]) -> None:
    names = [*(NAMES[cause] for cause in causes), 'total']
    others = runs[1:]
    height = 0.8 / len(others)
    hatches = ('', '///', '...', 'xxx', '\\\\\\')
    for number, run in enumerate(others):
        values = [run[f'energy_{cause}_j'] - runs[0][f'energy_{cause}_j'] for cause in causes]
        values.append(run['energy_j'] - runs[0]['energy_j'])
        places = [index + (number - 0.5 * (len(others) - 1)) * height for index in range(len(names))]
        bars = axes.barh(places, values, height=0.9 * height, color=[*(COLOURS[cause] for cause in causes), GREY],
                         hatch=hatches[number % len(hatches)], edgecolor='white', label=_short(run['name']))
        axes.bar_label(bars, [f'{value:+.0f}' for value in values], padding=3, fontsize=8)
    axes.set_title(f'Change against {_short(runs[0]["name"])}', pad=12)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set_xlabel('Change of energy, J')
    axes.margins(x=0.16)
    axes.locator_params(axis='x', nbins=6)
    axes.grid(visible=False, axis='y')
    if len(others) > 1:
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.14), ncol=2)
