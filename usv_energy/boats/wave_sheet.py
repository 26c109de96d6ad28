"""What a boat's file says of its added resistance in waves: `waves`, coefficients by direction and period."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.physics.waves.added_resistance import WaveCoefficients

MOST_DIRECTION = 180.0


def wave_coefficients_from(given: Mapping[str, Any], path: Path) -> WaveCoefficients:
    """
    Return what stands under `waves` of a boat's file.

    :param given: Its content, checked against the schema: `directions_deg` that the waves come from off the bow, rising
        from 0 to 180; `periods`, s, of the peak, rising; `coefficients`, N/m^2, of each direction a row by period, and
        `std`, their standard errors in the same way, or none.
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
    rows = _rows('coefficients', given['coefficients'], len(directions), len(periods), path)
    errors = _rows('std', given['std'], len(directions), len(periods), path) if 'std' in given else None
    return WaveCoefficients(tuple(math.radians(value) for value in directions), tuple(periods), rows, errors)


def _rows(key: str, given: Sequence[Sequence[float]], directions: int, periods: int, path: Path,
          ) -> tuple[tuple[float, ...], ...]:
    rows = tuple(tuple(float(value) for value in row) for row in given)
    if len(rows) != directions or any(len(row) != periods for row in rows):
        raise InputError(f'{path}: waves.{key} has rows of {", ".join(str(len(row)) for row in rows)} numbers; must be '
                         f'a row for each of {directions} directions, with a number for each of {periods} periods')
    if not all(math.isfinite(value) for row in rows for value in row):
        raise InputError(f'{path}: waves.{key} has a value that is no number; must be finite, N/m^2')
    return rows
