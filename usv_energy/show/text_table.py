"""Text for a terminal: rounded numbers with units, aligned tables, lists of notes."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from decimal import Decimal

from usv_energy.earth import compass_degrees
from usv_energy.physics.batteries.cell import JOULES_PER_WH

DECIMALS = 9    # Of a direction, deg; a hundred times the rounding error of doubles.
WIDTH = 120
LONG = 360_000.0   # s, from which a time is days and hours
BETWEEN = '  '


def fixed(value: float | None, digits: int = 2, unit: str = '') -> str:
    """Return a number with `digits` decimals and its unit; `-` for None, NaN and infinity."""
    if value is None or not math.isfinite(value):
        return '-'
    return f'{rounded(value, digits):.{digits}f} {unit}'.rstrip()


def formatted(value: float | None, form: str = '.3g') -> str:
    """Return a number in a format of Python, without an exponent, never as -0; `-` for None, NaN and infinity."""
    if value is None or not math.isfinite(value):
        return '-'
    text = format(float(value), form)
    if 'e' in text:
        text = format(Decimal(text), '+f' if form.startswith('+') else 'f')
    return text if float(text) else text.replace('-', '+' if form.startswith('+') else '')


def interval(ends: Iterable[float], scale: float = 1.0, form: str = '.3g') -> str:
    """Return an interval, scaled, as `1.2 to 1.4`; an infinite end is `inf`."""
    return ' to '.join(formatted(scale * float(end), form) if math.isfinite(end) else f'{end}' for end in ends)


def charge_text(charge: float) -> str:
    """Return a charge, (-), in % with one decimal; 0 for none or less, which no battery has; `-` for NaN."""
    return '0' if charge < 0.0005 else formatted(100.0 * charge, '.1f')


def charge_ends(ends: Iterable[float]) -> str:
    """Return an interval of charges, (-), in %, as `12.0 to 14.0`."""
    return ' to '.join(charge_text(float(end)) for end in ends)


def metres_per_second(value: float) -> str:
    """Return a speed, m/s, with its unit; `-` for NaN and infinity."""
    return fixed(value, 2, 'm/s')


def percent(share: float | None, digits: int) -> str:
    """Return a share as signed per cent; `-` for None and NaN."""
    return '-' if share is None or math.isnan(share) else f'{rounded(100.0 * share, digits):+.{digits}f} %'


def degrees(angle: float) -> float:
    """Return a direction, rad, in degrees from 0 to 360, without rounding errors (30 instead of 29.999999999999996)."""
    return round(math.degrees(angle), DECIMALS) % 360.0


def compass(angle: float) -> float:
    """Return a direction, rad (ENU), in degrees of the compass, 0 to 360, without rounding errors."""
    return round(compass_degrees(angle), DECIMALS) % 360.0


def rounded(value: float, digits: int) -> float:
    """Return a value rounded, never as -0.0."""
    return round(value, digits) + 0.0


def joules(value: float) -> str:
    """Return an energy, J, as text with suitable units."""
    if abs(value) >= 3.6e6:
        return f'{value / 3.6e6:.2f} kWh'
    if abs(value) >= 1e5:
        return f'{value / 1e3:.0f} kJ ({value / JOULES_PER_WH:.1f} Wh)'
    if abs(value) < 0.05:
        return '0.0 J'
    return f'{value:.1f} J ({formatted(value / JOULES_PER_WH)} Wh)'


def joules_range(low: float, high: float) -> str:
    """Return a range of energies, J, in the unit that `joules` has for the larger one."""
    largest = max(abs(low), abs(high))
    unit, size, digits = ('kWh', 3.6e6, 2) if largest >= 3.6e6 else ('kJ', 1e3, 0) if largest >= 1e5 else ('J', 1.0, 1)
    return f'{low / size:.{digits}f} to {high / size:.{digits}f} {unit}'


def metres(value: float) -> str:
    """Return a distance, m, as text with a suitable unit."""
    if not math.isfinite(value):
        return 'without end'
    return f'{value / 1e3:.2f} km' if abs(value) >= 1e3 else fixed(value, 1, 'm')


def seconds(value: float) -> str:
    """Return a time, s, as text with suitable units."""
    if not math.isfinite(value):
        return 'without end'
    if value >= LONG:
        days, hours = divmod(round(value / 3600.0), 24)
        return f'{days} d {hours:02d} h'
    if value >= 3600.0:
        hours, minutes = divmod(round(value / 60.0), 60)
        return f'{hours} h {minutes:02d} min'
    if value >= 100.0:
        minutes, rest = divmod(round(value), 60)
        return f'{minutes} min {rest:02d} s'
    return fixed(value, 1, 's')


def exact_seconds(value: float) -> str:
    """Return a time of a flow, s, as one that can be typed, beside how long it is: `2635200 s (30 d 12 h)`."""
    return f'{value:.9g} s' + (f' ({seconds(value)})' if 3600.0 <= value < 1e9 else '')


def text_table(rows: Sequence[Sequence[str]], align: str = 'l', groups: Sequence[str] = (), rule: bool = False,
               indent: str = '') -> list[str]:
    """
    Return the lines of a table, each column as wide as its widest cell.

    :param rows: The cells; all rows have the same length, and the first row may be the head.
    :param align: `l` for left or `r` for right for each column; the last letter holds for all further columns.
    :param groups: Heads above the head, one text for each column, empty if a group continues; each begins at the first
        column of its group, that of the last column ends at its right edge.
    :param rule: Whether to draw a line under the first row.
    :param indent: Beginning of every line.
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
    """Return an empty line, a title and texts, each wrapped after its bullet; nothing without texts."""
    lines = [line for text in texts for line in wrapped_lines(text, bullet, hang)]
    return ['', title, *lines] if lines else []


def wrapped_table(rows: Sequence[Sequence[str]], indent: str = '') -> list[str]:
    """
    Return the lines of a table of left columns, at most 120 columns wide: what goes beyond is wrapped in its cell.

    :param rows: The cells; all rows have the same length. The last column gets at least two fifths of the width that
        the first leaves, and what the others need no more.
    :param indent: Beginning of every line.
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows)]
    room = WIDTH - len(indent) - len(BETWEEN) * (len(widths) - 1)
    for number in (*range(1, len(widths) - 1), len(widths) - 1, 0):
        over = sum(widths) - room
        if over > 0:
            widths[number] = max(widths[number] - over, min(widths[number], (room - widths[0]) * 2 // 5))
    lines = []
    for row in rows:
        cells = [textwrap.wrap(cell, max(width, 1), break_on_hyphens=False) or [''] for cell, width in zip(row, widths)]
        for number in range(max(map(len, cells))):
            parts = [cell[number] if number < len(cell) else '' for cell in cells]
            lines.append(indent + BETWEEN.join(part.ljust(width) for part, width in zip(parts, widths)).rstrip())
    return lines


def wrapped_lines(text: str, first: str, further: str) -> list[str]:
    """Return a text as lines of at most 120 columns; no lines for an empty text."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=further, break_on_hyphens=False)


def shortened(text: str, width: int) -> str:
    """Return a text of at most `width` characters, with dots at the end if it is cut off."""
    return text if len(text) <= width else f'{text[:width - 3]}...'
