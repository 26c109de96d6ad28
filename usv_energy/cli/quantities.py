"""Arguments that are numbers, alone or with a unit: their limits, lists of them, courses and shares."""

import argparse
import math
import re
from collections.abc import Callable
from importlib import import_module

from usv_energy.files.errors import InputError

LIST_HELP = 'numbers with commas, or FROM:TO:NUMBER'
BARE_NUMBER = r'[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*'


def quantity(read: Callable[[str, str], float], above: float | None = None, low: float = -math.inf,
             high: float = math.inf, unit: str = '') -> Callable[[str], float]:
    """
    Return a function that converts an argument to a number, and refuses it outside its limits.

    :param read: Of a text and of a name for errors, as `speed_of`; raises InputError.
    :param above: The number must be greater, None: it need not; and it must be from `low` to `high`.
    :param unit: Of the limits, for errors.
    """
    def converted(text: str) -> float:
        try:
            value = read(text, 'it')
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        if above is not None and not value > above:
            raise argparse.ArgumentTypeError(f'{text!r} is not above {above:g}')
        if not low <= value <= high:
            limits = f'at least {low:g}' if high == math.inf else f'from {low:g} to {high:g}'
            raise argparse.ArgumentTypeError(f'{text!r} is not {limits} {unit}'.rstrip())
        return value

    return converted


def plain_number(text: str, name: str) -> float:
    """Return a finite number without a unit; raises InputError if the text is none."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f'{text!r} is no finite number')
    return value


def within(low: float, high: float, unit: str = '') -> Callable[[str], float]:
    """Return a function that converts an argument to a number from `low` to `high`."""
    return quantity(plain_number, low=low, high=high, unit=unit)


def _reader(module: str, kind: str) -> Callable[[str, str], float]:
    """Return a function of `phrases` or `units`, by its name; the module is imported only when called."""
    def read(text: str, name: str) -> float:
        value: float = getattr(import_module(f'usv_energy.{module}'), kind)(text, name)
        return value

    return read


_SPEED, _LENGTH, _TIME = (_reader('units', kind) for kind in ('speed_of', 'length_of', 'duration_of'))  # m/s, m, s
number, positive = quantity(plain_number), quantity(plain_number, above=0.0)
not_negative = quantity(plain_number, low=0.0)
speed, speed_from_zero = quantity(_SPEED, above=0.0), quantity(_SPEED, low=0.0)
length, length_from_zero, any_length = quantity(_LENGTH, above=0.0), quantity(_LENGTH, low=0.0), quantity(_LENGTH)
duration, duration_from_zero, any_time = quantity(_TIME, above=0.0), quantity(_TIME, low=0.0), quantity(_TIME)
course = quantity(_reader('phrases', 'course_of'))     # rad (ENU)


def list_of(read: Callable[[str, str], float], count: int | None = None) -> Callable[[str], list[float]]:
    """
    Return a function that converts `1,2 kn`, `0.5:4:8 kn` or `0.5 to 4 kn` to a list of numbers.

    A number without a unit has that of the next one with a unit.

    :param read: As of `quantity`.
    :param count: How many numbers `0.5 to 4 kn` is; None: it is refused.
    """
    def converted(text: str) -> list[float]:
        parts, how_many = text.split(','), None
        if span := re.fullmatch(r'(.*):(.*):\s*(\d+)\s*([^\d:]*)', text):
            parts, how_many = [span[1], f'{span[2]} {span[4]}'], int(span[3])
        elif span := re.fullmatch(r'(.*\S)\s*(?:\bto\b|–|:)\s*(\S.*)', text):
            parts, how_many = [span[1], span[2]], count or 0
        unit, whole = '', []
        for part in reversed(parts):
            unit = re.sub(rf'^\s*{BARE_NUMBER}', '', part, flags=re.IGNORECASE) or unit
            bare = re.fullmatch(rf'\s*{BARE_NUMBER}', part, re.IGNORECASE)
            whole.append(f'{part.strip()} {unit}'.strip() if bare else part.strip())
        values = [quantity(read)(part) for part in reversed(whole)]
        if how_many is None:
            return values
        if how_many < 2:
            raise argparse.ArgumentTypeError(f'{text!r} must be {LIST_HELP}, at least 2 of them')
        first, last = values
        return [*(first + place * (last - first) / (how_many - 1) for place in range(how_many - 1)), last]

    return converted


def whole_number(least: int, most: float = math.inf) -> Callable[[str], int]:
    """Return a function that converts an argument to a whole number from `least` to `most`."""
    def limited(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            limits = f'of at least {least}' if most == math.inf else f'from {least} to {most}'
            raise argparse.ArgumentTypeError(f'{text!r} is no whole number {limits}')
        return int(text)

    return limited


def share(text: str) -> float:
    """Return an argument as a share, `80%` or 0.8, as 0.8."""
    plain = text.strip()
    if plain.endswith('%'):
        return within(0.0, 100.0, 'percent')(plain[:-1].strip()) / 100.0
    value = number(plain)
    if 1.0 < value <= 100.0:
        raise argparse.ArgumentTypeError(f'{text!r} is not from 0 to 1; say {value:g}% or {value / 100.0:g}')
    return within(0.0, 1.0)(plain)
