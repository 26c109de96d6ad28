"""Numbers as people read them: rounded, with a unit, and `-` where there is none. For round steps see `physics`."""

import math

from ..physics.battery import JOULES_PER_WH

DECIMALS = 9    # Of a direction, deg: a hundred times what doubles round of it.


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
