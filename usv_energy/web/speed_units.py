"""Speeds in the unit that was chosen, knots or m/s: alone, and in sentences."""

import math
import re

from usv_energy.earth import KNOT
from usv_energy.web.browser_session import BrowserSession

KNOTS, METRES = 'kn', 'm/s'
# A speed in a sentence: alone, as the upper end of an interval, or with knots beside it.
SPEED = re.compile(r'(?<![\w.])(?:([\d.]+) to )?(\d+\.?\d*) m/s\b(?![\^²])(?: \(([\d.]+ kn)\))?')


def speed_words(speed: float, session: BrowserSession) -> str:
    """Return a speed, m/s, in the unit that was chosen."""
    return speed_in(speed, unit_of(session) == KNOTS)


def speed_in(speed: float, knots: bool) -> str:
    """Return a speed, m/s, in knots or in m/s; `-` for NaN."""
    if not math.isfinite(speed):
        return '-'
    return f'{speed / KNOT:.1f} kn' if knots else f'{speed:.2f} m/s'


def speeds_in(text: str, knots: bool) -> str:
    """Return a sentence whose speeds, in m/s or in both units, are in knots or in m/s only."""
    def said(found: re.Match[str]) -> str:
        low, high, beside = found.groups()
        span = [one for one in (low, high) if one]
        if not knots:
            return f'{" to ".join(span)} m/s'
        return beside or f'{" to ".join(_knots(float(one)) for one in span)} kn'

    return SPEED.sub(said, text)


def _knots(speed: float) -> str:
    value = speed / KNOT
    return f'{value:.1f}' if value >= 1.0 else f'{value:.2g}'


def unit_of(session: BrowserSession) -> str:
    """Return the unit of speeds that was chosen, KNOTS or METRES."""
    return METRES if session.values.get('units') == METRES else KNOTS
