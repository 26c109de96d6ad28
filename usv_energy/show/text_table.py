"""Plain text for a terminal: rounded numbers with units, aligned tables, lists of notes."""

import math
import textwrap
from collections.abc import Iterable, Sequence

from usv_energy.physics.batteries.battery import JOULES_PER_WH

DECIMALS = 9    # Of a direction, deg: a hundred times what doubles round of it.

WIDTH = 120
BETWEEN = '  '


def fixed(value: float | None, digits: int = 2, unit: str = '') -> str:
    """Return a number with so many decimals and its unit; `-` for None, NaN and infinity."""
    if value is None or not math.isfinite(value):
        return '-'
    return f'{rounded(value, digits):.{digits}f} {unit}'.rstrip()


def percent(share: float | None, digits: int) -> str:
    """Return a share as signed per cent; `-` where there is none."""
    return '-' if share is None or math.isnan(share) else f'{rounded(100.0 * share, digits):+.{digits}f} %'


def degrees(angle: float) -> float:
    """Return a direction, rad, in degrees from 0 up to 360, without what radians add (29.999999999999996 for 30)."""
    return round(math.degrees(angle), DECIMALS) % 360.0


def rounded(value: float, digits: int) -> float:
    """Return a value rounded, never as -0.0."""
    return round(value, digits) + 0.0


def joules(value: float) -> str:
    """Return an energy, J, as a person reads it."""
    if abs(value) >= 3.6e6:
        return f'{value / 3.6e6:.2f} kWh'
    if abs(value) >= 1e5:
        return f'{value / 1e3:.0f} kJ ({value / JOULES_PER_WH:.1f} Wh)'
    return f'{value:.1f} J ({value / JOULES_PER_WH:.3g} Wh)'


def metres(value: float) -> str:
    """Return a distance, m, as a person reads it."""
    if not math.isfinite(value):
        return 'without end'
    return f'{value / 1e3:.2f} km' if abs(value) >= 1e3 else f'{value:.1f} m'


def seconds(value: float) -> str:
    """Return a time, s, as a person reads it."""
    if not math.isfinite(value):
        return 'without end'
    if value >= 3600.0:
        hours, minutes = divmod(round(value / 60.0), 60)
        return f'{hours} h {minutes:02d} min'
    if value >= 100.0:
        minutes, rest = divmod(round(value), 60)
        return f'{minutes} min {rest:02d} s'
    return f'{value:.1f} s'


def text_table(rows: Sequence[Sequence[str]], align: str = 'l', groups: Sequence[str] = (), rule: bool = False,
               indent: str = '') -> list[str]:
    """
    Return the lines of a table, each column as wide as its widest cell.

    :param rows: The cells, all rows of one length; the first row may be the head.
    :param align: `l` for left or `r` for right, a letter a column; the last one holds for all further columns.
    :param groups: Heads above the head, each over the first of its columns, the last column's at its right edge; a
        text a column, empty where a group goes on.
    :param rule: Whether a line is drawn under the first row.
    :param indent: What every line begins with.
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows)]
    sides = align + align[-1] * len(widths)
    lines = [BETWEEN.join(cell.ljust(width) if side == 'l' else cell.rjust(width)
                          for cell, width, side in zip(row, widths, sides)).rstrip() for row in rows]
    if rule:
        lines.insert(1, '-' * (sum(widths) + len(BETWEEN) * (len(widths) - 1)))
    if groups:
        lines.insert(0, _group_heads(groups, widths))
    return [f'{indent}{line}' for line in lines]


def _group_heads(groups: Sequence[str], widths: Sequence[int]) -> str:
    line, begin = '', 0
    for number, (text, width) in enumerate(zip(groups, widths), start=1):
        last = number == len(widths)
        line = line.ljust(begin + (max(0, width - len(text)) if last else 0)) + text if text else line
        begin += width + len(BETWEEN)
    return line


def text_list(title: str, texts: Iterable[str], bullet: str = '  - ', hang: str = '    ') -> list[str]:
    """Return an empty line, a title and texts, each wrapped after its bullet; nothing where there are no texts."""
    lines = [line for text in texts for line in wrapped_lines(text, bullet, hang)]
    return ['', title, *lines] if lines else []


def wrapped_lines(text: str, first: str, further: str) -> list[str]:
    """Return a text as lines of at most 120 columns; none of an empty text."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=further, break_on_hyphens=False)


def shortened(text: str, width: int) -> str:
    """Return a text of at most so many characters, with dots where something is cut off."""
    return text if len(text) <= width else f'{text[:width - 3]}...'
