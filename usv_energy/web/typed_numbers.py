"""Numbers that are typed into fields of the pages."""

import math

from usv_energy.files.errors import InputError

HIGHEST = 1e9   # Of any field: beyond it the physics overflow.


def number_of(text: str, name: str, unit: str, low: float = 0.0, high: float = HIGHEST) -> float | None:
    """
    Return the number of a field's text, None of an empty one.

    :param name: Of the field, for errors.
    :param unit: Of the number, for errors.
    :param low, high: Between which it must be.
    :raises InputError: If it is none, or beyond these.
    """
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        allowed = f'a number of {unit} from {low:g} on' if high == HIGHEST else f'from {low:g} to {high:.12g} {unit}'
        raise InputError(f'{name} is {text!r}; must be {allowed}')
    return value


def percent_of(text: str, name: str) -> float | None:
    """Return a share, (-), of a text in percent, None of an empty one; raises InputError as `number_of`."""
    value = number_of(text.strip().removesuffix('%'), name, '%', 0.0, 100.0)
    return None if value is None else value / 100.0
