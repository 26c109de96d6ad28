"""The wave motion at each column of a hull: a sum over all components of a sea, for arrays and compiled code."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.compiled_kernels import jit_options
from usv_energy.physics.elementwise import cos, each, kernel, sin
from usv_energy.physics.parted_hull import ColumnWave, PartedHull, no_wave

ROWS = 11           # Numbers per component in `FeltSea.waves`.
EAST, NORTH = 6, 7  # Index among these of the amplitudes of the water's velocity.
TOGETHER = 4        # Components that compiled code adds per pass of its loop; the size of a FeltSea is a multiple.


class FeltSea(NamedTuple):
    """
    The components of a sea that excite a hull of given draught; components too short to excite it are left out.

    `waves`: shape (size, ROWS), flat for compiled code. The columns are k_east, k_north, rad/m, omega, rad/s, phase,
    rad, then the amplitudes of the fields of ColumnWave: rise, lift, east and north, which vary with the cosine, and
    climb, east_rate and north_rate, which vary with the sine. `size`: number of components, a multiple of TOGETHER; the
    last ones may be zero. `cell_length`, `cell_width`: as in PartedHull.
    """

    waves: Any
    size: int
    cell_length: Any
    cell_width: Any


class PlaceInSea(NamedTuple):
    """Position of a boat, m (ENU), the cosine `c` and sine `s` of its yaw, and the time, s."""

    x: Any
    y: Any
    c: Any
    s: Any
    time: Any


def column_waves(felt: FeltSea, place: PlaceInSea, hull: PartedHull) -> tuple[ColumnWave, ...]:
    """
    Return the ColumnWave of each column of a hull.

    :param felt: The FeltSea.
    :param place: The PlaceInSea; floats or arrays.
    :param hull: The PartedHull, taken as level, because heel and trim move its columns by less than 1/100 wavelength.

    Each wave is averaged over the area of a column. The exact factor sin(k l / 2) / (k l / 2) in both directions is
    approximated to fourth order by 1 / (1 + s + 0.7 s^2), where s is the sum of (k l)^2 / 24.
    """
    columns, (x, y, c, s, time) = hull.columns, place
    ahead, aside = (np.array([getattr(column, axis) for column in columns]) for axis in 'xy')
    x, y, c, s = (np.asarray(part, dtype=float)[..., None] for part in (x, y, c, s))
    east, north = x + c * ahead - s * aside, y + s * ahead + c * aside
    k_east, k_north, frequency, phase = felt.waves[:, :4].T
    moment = np.asarray(time, dtype=float)[..., None, None]
    angle = east[..., None] * k_east + north[..., None] * k_north - frequency * moment + phase
    along, across = felt.cell_length * (c * k_east + s * k_north), felt.cell_width * (c * k_north - s * k_east)
    fading = (along * along + across * across) * (1.0 / 24.0)
    kept = (1.0 / (1.0 + fading * (1.0 + 0.7 * fading)))[..., None, :]
    parts = np.concatenate([(kept * np.cos(angle)) @ felt.waves[:, 4:8], (kept * np.sin(angle)) @ felt.waves[:, 8:]],
                           axis=-1)
    whole = float if parts.ndim == 2 else np.asarray  # Columns and parts: one boat
    return tuple(ColumnWave(*(whole(parts[..., n, place]) for place in (0, 4, 1, 2, 3, 5, 6)))
                 for n in range(len(columns)))


@kernel
def column_waves_in_turn(felt, place, hull):
    """Return `column_waves` by a loop over the components; compiled code uses this form."""
    waves = each(no_wave, (0.0,), hull.columns)
    for first in range(0, felt.size, TOGETHER):
        waves = with_waves(waves, first, felt, place, hull)
    return waves


@kernel
def with_waves(waves, first, felt, place, hull):
    """Return the ColumnWaves plus TOGETHER components of a FeltSea, from index `first` on."""
    at = first * ROWS
    waves = each(_with_wave, (felt, at, place), hull.columns, waves)
    waves = each(_with_wave, (felt, at + ROWS, place), hull.columns, waves)
    waves = each(_with_wave, (felt, at + 2 * ROWS, place), hull.columns, waves)
    return each(_with_wave, (felt, at + 3 * ROWS, place), hull.columns, waves)


@kernel
def _with_wave(column, wave, felt, at, place):
    k_east, k_north = felt.waves[at], felt.waves[at + 1]
    along, across = place.c * k_east + place.s * k_north, place.c * k_north - place.s * k_east
    length, width = felt.cell_length * along, felt.cell_width * across
    fading = (length * length + width * width) * (1.0 / 24.0)
    kept = 1.0 / (1.0 + fading * (1.0 + 0.7 * fading))
    angle = (place.x * k_east + place.y * k_north + column.x * along + column.y * across
             - felt.waves[at + 2] * place.time + felt.waves[at + 3])
    even, odd = kept * cos(angle), kept * sin(angle)
    return ColumnWave(
        wave.rise + felt.waves[at + 4] * even, wave.climb + felt.waves[at + 8] * odd,
        wave.lift + felt.waves[at + 5] * even, wave.east + felt.waves[at + 6] * even,
        wave.north + felt.waves[at + 7] * even, wave.east_rate + felt.waves[at + 9] * odd,
        wave.north_rate + felt.waves[at + 10] * odd)


@cache
def compile_waves() -> None:
    """Register `column_waves` with numba."""
    from numba.extending import overload
    overload(column_waves, jit_options=jit_options())(lambda felt, place, hull: column_waves_in_turn)
