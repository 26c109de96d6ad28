"""What is in a flow, as text: the description that every reader gives, line by line."""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from usv_energy.flow.readers import READERS, reader
from usv_energy.show.text_table import WIDTH, text_table

# The longest first: a key ends in its unit.
UNITS = {'m_per_s': 'm/s', 'm2_s': 'm^2/s', 'm_s': 'm/s', 'deg': 'deg', 'mb': 'MB', 'm2': 'm^2', 'm': 'm', 's': 's'}
NOTES = 'notes'


def info_text(description: Mapping[str, Any]) -> str:
    """
    Return a description as lines: what there is, tables of what comes in rows, the notes, the reader's options.

    :param description: As `describe()` of a flow gives it.
    """
    rows = list(_rows(description))
    width = max((len(name) for name, _ in rows), default=0)
    lines = [line for name, value in rows
             for line in textwrap.wrap(value, WIDTH, initial_indent=f'{name.ljust(width)}  ',
                                       subsequent_indent=' ' * (width + 2), break_on_hyphens=False) or [name]]
    for key, value in description.items():
        if _is_table(value):
            lines += ['', key.replace('_', ' '), *(f'  {line}' for line in _table(value))]
    lines += _bullets('notes', description.get(NOTES) or [])
    if (name := description.get('reader')) in READERS:
        lines += _bullets('options of this reader', [f'{key}: {what}' for key, what in reader(name).options.items()])
    return '\n'.join(lines)


def _rows(description: Mapping[str, Any], above: str = '') -> Iterator[tuple[str, str]]:
    for key, value in description.items():
        if key == NOTES or _is_table(value) or value in (None, '', [], {}):
            continue
        if isinstance(value, Mapping):
            yield from _rows(value, f'{above}{key} ')
        else:
            name, unit = _split(str(key))
            yield f'{above}{name}', f'{_shown(value)} {unit}'.rstrip()


def _split(key: str) -> tuple[str, str]:
    """Return a key's name and unit."""
    for ending, unit in UNITS.items():
        if key.endswith(f'_{ending}'):
            return key[:-len(ending) - 1].replace('_', ' '), unit
    return key.replace('_', ' '), ''


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, float):
        return f'{value:.10g}' if math.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)):
        return ', '.join(map(_shown, value))
    return '-' if value is None else str(value)


def _is_table(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = [', '.join(part for part in _split(key) if part) for key in keys]
    return text_table([head, *([_cell(row.get(key)) for key in keys] for row in rows)])


def _cell(value: Any) -> str:
    return f'{value:.4g}' if isinstance(value, float) and abs(value) < 1000.0 else _shown(value)


def _bullets(title: str, texts: Sequence[str]) -> list[str]:
    lines = [line for text in texts for line in textwrap.wrap(
        text, WIDTH, initial_indent='  - ', subsequent_indent='    ', break_on_hyphens=False)]
    return ['', title, *lines] if lines else []
