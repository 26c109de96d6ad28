"""
Numbers with their units, and moments, as people write them: speeds, lengths, times, masses, powers; and back in words.

What has two readings (`3 miles`, `1,500`, a time without its zone) is refused, and the error gives both.
"""

import math
import re
from datetime import datetime, timedelta, timezone

from usv_energy.earth import FOOT, KILOMETRE_PER_HOUR, KNOT, MILE_PER_HOUR, NAUTICAL_MILE
from usv_energy.files.errors import InputError

SPEED_UNITS = {**dict.fromkeys(('knots', 'knot', 'kts', 'kt', 'kn', 'nmi/h', 'nm/h'), KNOT),
               **dict.fromkeys(('metres per second', 'meters per second', 'm/sec', 'm/s', 'm s-1', 'ms-1', 'mps'), 1.0),
               **dict.fromkeys(('km/h', 'kmh', 'kph'), KILOMETRE_PER_HOUR), 'mph': MILE_PER_HOUR, 'cm/s': 0.01}
LENGTH_UNITS = {**dict.fromkeys(('metres', 'metre', 'meters', 'meter', 'm'), 1.0), 'km': 1000.0,
                **dict.fromkeys(('nautical miles', 'nautical mile', 'nmi', 'nm'), NAUTICAL_MILE),
                **dict.fromkeys(('cables', 'cable'), 0.1 * NAUTICAL_MILE),
                **dict.fromkeys(('feet', 'foot', 'ft'), FOOT), **dict.fromkeys(('inches', 'inch', 'in'), FOOT / 12.0),
                'cm': 0.01, 'mm': 0.001}
POUND, KILOGRAM_FORCE = 0.45359237, 9.80665     # kg, N
OTHER_UNITS = {'kg': {'kg': 1.0, 'g': 0.001, 't': 1000.0,
                      **dict.fromkeys(('pounds', 'pound', 'lbs', 'lb'), POUND)},
               'W': {**dict.fromkeys(('watts', 'watt', 'w'), 1.0), 'kw': 1000.0},
               'V': {'v': 1.0}, 'N': {'n': 1.0, 'kgf': KILOGRAM_FORCE}}
ANOTHER = {'kg': '`143 lb`', 'W': '`0.065 kW`', 'V': '`65V`', 'N': '`6.6 kgf`'}
TIME_UNITS = {**dict.fromkeys(('seconds', 'second', 'secs', 'sec', 's'), 1.0), 'ms': 0.001,
              **dict.fromkeys(('minutes', 'minute', 'mins', 'min'), 60.0),
              **dict.fromkeys(('hours', 'hour', 'hrs', 'hr', 'h'), 3600.0),
              **dict.fromkeys(('days', 'day', 'd'), 86_400.0)}
NUMBER = r'[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)'


def speed_of(text: str, name: str) -> float:
    """
    Return a speed, m/s: a bare number, or one with its unit, as `1.2 kn`.

    :param name: Of the option, for errors.
    :raises InputError: If it is none.
    """
    return _quantity(text, name, SPEED_UNITS, '1.2 (m/s), `1.2 kn`, `4 km/h`')


def length_of(text: str, name: str) -> float:
    """
    Return a length, m: a bare number, or one with its unit, as `2 nmi`. `2 M` is refused: charts mean nautical miles.

    :param name: Of the option, for errors.
    :raises InputError: If it is none; `miles` can be nautical or statute ones.
    """
    if miles := re.fullmatch(rf'({NUMBER})\s*M', text.strip()):
        raise two_readings(text, name, f'{miles[1]} nmi', f'{miles[1]} m', 'M is the nautical mile of charts')
    if miles := re.fullmatch(rf'({NUMBER})\s*(?:mi|mile|miles)', text.strip().lower()):
        raise two_readings(text, name, f'{miles[1]} nmi', f'{float(miles[1].replace(",", ".")) * 1.609344:g} km',
                            'miles are nautical ones or those of the land')
    return _quantity(text, name, LENGTH_UNITS, '250 (m), `250 cm`, `2 nmi`')


def duration_of(text: str, name: str) -> float:
    """
    Return a time, s: a bare number, or one with its unit, as `90 min`.

    :param name: Of the option, for errors.
    :raises InputError: If it is none.
    """
    return _quantity(text, name, TIME_UNITS, '90 (s), `90 min`, `1.5 h`')


def number_in(text: str, name: str, unit: str) -> float:
    """
    Return a number in m, m/s, kg, W, V or N: bare, or with a unit of its kind, as `4 kn`, `65 kg` and `1.2 kW`.

    :param name: Of the option, for errors.
    :raises InputError: If it is none.
    """
    if unit in OTHER_UNITS:
        return _quantity(text, name, OTHER_UNITS[unit], f'65 ({unit}), `65 {unit}`, {ANOTHER[unit]}')
    return length_of(text, name) if unit == 'm' else speed_of(text, name)


def _quantity(text: str, name: str, units: dict[str, float], examples: str) -> float:
    plain = ' '.join(text.strip().lower().split())
    unit = '|'.join(map(re.escape, sorted(units, key=len, reverse=True)))
    if found := re.fullmatch(rf'({NUMBER})\s*({unit})', plain):
        return decimal_of(found[1], text, name, found[2]) * units[found[2]]
    try:
        value = decimal_of(plain, text, name) if re.fullmatch(NUMBER, plain) else float(plain)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f'{name} is {text!r}; must be a number, alone or with its unit: {examples}')
    return value


def decimal_of(number: str, text: str, name: str, unit: str = '') -> float:
    """Return a number with a decimal point or comma; one with a comma before three digits has two readings."""
    if re.fullmatch(r'[+-]?[1-9]\d{0,2},\d{3}', number):
        raise two_readings(text, name, f'{number.replace(",", ".")} {unit}'.strip(),
                            f'{number.replace(",", "")} {unit}'.strip(), 'a comma before three digits')
    return float(number.replace(',', '.'))


def two_readings(text: str, name: str, first: str, second: str, why: str, more: str = '') -> InputError:
    """Return the error of a text that can be read in two ways: `why`, and what to say for either."""
    return InputError(f'{name} is {text!r}: {why}; say `{first}` or `{second}`{more}')


def moment_of(text: str, name: str) -> datetime:
    """
    Return a moment, as `2026-06-01T09:00+02:00` or `2026-06-01 07:00 UTC`.

    :param name: Of the option, for errors.
    :raises InputError: If it is none, or does not say its zone.
    """
    plain = re.sub(r'\s*(?:utc|gmt|z)$', '+00:00', text.strip(), flags=re.IGNORECASE)
    if re.fullmatch(r'\d{4}-\d\d-\d\d', plain):
        raise InputError(f'{name} is {text!r}: says no time of day; must be as {plain}T09:00+02:00, or in UTC '
                         f'{plain}T07:00Z')
    try:
        moment = datetime.fromisoformat(plain)
    except ValueError:
        raise InputError(f'{name} is {text!r}; must be a date and time with its zone, as '
                         '2026-06-01T09:00+02:00') from None
    if moment.tzinfo is None:
        raise two_readings(text, name, f'{plain}Z', f'{plain}+02:00', 'it says no zone, UTC or which local time')
    return moment


def moment_words(moment: datetime) -> str:
    """Return a moment in its own zone, to the minute: `2026-06-01 09:00 +02:00`; UTC is named."""
    near = moment + timedelta(seconds=30.0)
    zone = 'UTC' if moment.utcoffset() == timedelta(0) else f'{near:%z}'[:3] + ':' + f'{near:%z}'[3:5]
    return f'{near:%Y-%m-%d %H:%M} {zone}'


def utc(moment: datetime) -> datetime:
    """Return a moment with its zone; one without is taken for UTC."""
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment


def speed_with_knots(speed: float, digits: int = 2) -> str:
    """Return a speed, m/s, in both units: `1.03 m/s (2.0 kn)`; `digits`: behind the point of the first."""
    return f'{speed:.{digits}f} m/s ({speed / KNOT:.{digits - 1}f} kn)'
