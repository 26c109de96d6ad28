"""What a boat's file says of its added resistance in waves: `waves`, coefficients by direction and period."""

import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from ..physics.added_resistance import WaveCoefficients

MOST_DIRECTION = 180.0


def wave_coefficients_from(given: Mapping[str, Any], path: Path) -> WaveCoefficients:
    """
    Return what stands under `waves` of a boat's file.

    :param given: Its content, checked against the schema: `directions_deg` that the waves come from off the bow, rising
        from 0 to 180; `periods`, s, of the peak, rising; `coefficients`, N/m^2, of each direction a row by period.
    :param path: Of the file.
    :raises InputError: Where they do not go together: file, key, value, what is allowed.
    """
    directions, periods = ([float(value) for value in given[key]] for key in ('directions_deg', 'periods'))
    for key, values, unit in (('directions_deg', directions, 'deg'), ('periods', periods, 's')):
        if not all(before < after for before, after in pairwise(values)):
            raise InputError(f'{path}: waves.{key} is {values} {unit}; must rise')
    if directions[0] < 0.0 or directions[-1] > MOST_DIRECTION:
        raise InputError(f'{path}: waves.directions_deg is {directions}; must be from 0 (waves from ahead) to 180')
    if periods[0] <= 0.0:
        raise InputError(f'{path}: waves.periods is {periods} s; must be greater than 0')
    rows = tuple(tuple(float(value) for value in row) for row in given['coefficients'])
    if len(rows) != len(directions) or any(len(row) != len(periods) for row in rows):
        raise InputError(f'{path}: waves.coefficients has rows of {", ".join(str(len(row)) for row in rows)} '
                         f'numbers; must be a row for each of {len(directions)} directions, with a number for each of '
                         f'{len(periods)} periods')
    if not all(math.isfinite(value) for row in rows for value in row):
        raise InputError(f'{path}: waves.coefficients has a value that is no number; must be finite, N/m^2')
    return WaveCoefficients(tuple(math.radians(value) for value in directions), tuple(periods), rows)
