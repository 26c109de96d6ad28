"""
The surface of the sea: many linear waves added up, drawn from a spectrum or one regular wave.

A sea's frequencies are random within bins of its spectrum, so that it never repeats itself; the energy of each bin is
that of the spectrum, so that its significant height is exact. Each frequency has one direction: waves of one frequency
in several directions would stand still against each other (E.R. Jefferys (1987), Applied Ocean Research 9, 234).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..physics.linear_wave import (
    LinearWave,
    WaterMotion,
    elevation,
    orbital_acceleration,
    orbital_velocity,
    stokes_drift,
    surface_slope,
)
from ..physics.wave_dispersion import wave_number
from ..physics.wave_spectrum import JONSWAP_GAMMA, jonswap

COMPONENTS = 200            # Waves of an irregular sea, if not said otherwise.
SLOWEST, FASTEST = 0.4, 8.0     # Of the peak's frequency, between which they lie.
GRID = 20_000               # Frequencies at which the spectrum is added up into bins.
SPREADING = 10.0            # s of cos^2s(half the angle), wind sea: Mitsuyasu et al. (1975), J. Phys. Oceanogr. 5, 750.
TOGETHER = 1 << 18          # Pairs of a point and a wave that are held in memory at once.


class SeaState(NamedTuple):
    """
    What an irregular sea is drawn from.

    `height`: significant, Hs, m; `period`: of the peak, Tp, s; `gamma`: enhancement of the peak (-), 1 for
    Pierson-Moskowitz; `direction`: towards which it runs, rad (ENU); `spreading`: s of cos^2s(half the angle to it),
    inf for long crests; `depth` of the water, m, inf for deep.
    """

    height: float
    period: float
    gamma: float = JONSWAP_GAMMA
    direction: float = 0.0
    spreading: float = SPREADING
    depth: float = math.inf


class SurfacePoints(NamedTuple):
    """The sea at points: elevation, m; slope towards east and north, (-); velocity, m/s, and its rate, m/s^2."""

    elevation: np.ndarray
    slope: tuple[np.ndarray, np.ndarray]
    velocity: WaterMotion
    acceleration: WaterMotion


class Sea:
    """Waves of a sea, all of which run on for ever; safe to call from threads."""

    def __init__(self, waves: LinearWave) -> None:
        """Take the waves: a LinearWave of arrays of shape (M,), or of floats for one."""
        self.waves = LinearWave(*(np.atleast_1d(np.asarray(part, dtype=float)) for part in np.broadcast_arrays(*waves)))

    @property
    def significant_height(self) -> float:
        """Hs = 4 sqrt(m0), m; of one regular wave sqrt(2) times its height from trough to crest."""
        return 4.0 * math.sqrt(0.5 * float(np.sum(self.waves.amplitude ** 2)))

    def elevation(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the height of the surface above rest, m, at points, m, shape (N,), at a time, s, or one for each."""
        if np.ndim(t):
            return self._summed(lambda *given: (elevation(*given),), x, y, np.asarray(t))[0]
        return self._summed(lambda waves, *point: (elevation(waves, *point, t),), x, y)[0]

    def at(self, t: float, x: np.ndarray, y: np.ndarray, z: np.ndarray | float = 0.0) -> SurfacePoints:
        """
        Return the sea at points, at a time.

        :param t: s.
        :param x: East, m, shape (N,); `y`: north.
        :param z: Of the water whose velocity and acceleration are wanted, m, up from the surface at rest.
        """
        def parts(waves: LinearWave, east: np.ndarray, north: np.ndarray, up: np.ndarray) -> tuple[Any, ...]:
            return (elevation(waves, east, north, t), *surface_slope(waves, east, north, t),
                    *orbital_velocity(waves, east, north, up, t), *orbital_acceleration(waves, east, north, up, t))
        found = self._summed(parts, x, y, np.broadcast_to(np.asarray(z, dtype=float), np.shape(x)))
        return SurfacePoints(found[0], (found[1], found[2]), WaterMotion(*found[3:6]), WaterMotion(*found[6:9]))

    def stokes_drift(self, z: float = 0.0) -> tuple[float, float]:
        """Return the mean velocity at which the waves carry the water along at a height, m: east and north, m/s."""
        speed = stokes_drift(self.waves, np.full(self.waves.amplitude.shape, float(z)))
        return float(np.sum(speed * self.waves.east)), float(np.sum(speed * self.waves.north))

    def _summed(self, parts: Any, *points: np.ndarray) -> list[np.ndarray]:
        """Return sums over the waves of what `parts(waves, *points)` gives, each of the points' shape."""
        columns = [np.asarray(part, dtype=float).ravel() for part in points]
        shape, block = np.shape(points[0]), max(1, TOGETHER // self.waves.amplitude.size)
        sums = []
        for first in range(0, max(columns[0].size, 1), block):
            some = (column[first:first + block, None] for column in columns)
            sums.append([part.sum(axis=1) for part in parts(self.waves, *some)])
        return [np.concatenate(pieces).reshape(shape) for pieces in zip(*sums)]


def regular_sea(height: float, period: float, direction: float, depth: float = math.inf, phase: float = 0.0) -> Sea:
    """
    Return a sea of one wave.

    :param height: From trough to crest, m: twice the amplitude.
    :param period: s.
    :param direction: Towards which it runs, rad (ENU).
    :param depth: Of the water, m.
    :param phase: rad; at 0 a crest passes the origin at time 0.
    """
    frequency = 2.0 * math.pi / period
    return Sea(LinearWave(0.5 * height, frequency, wave_number(frequency, depth), math.cos(direction),
                          math.sin(direction), phase, depth))


def irregular_sea(state: SeaState, seed: int, components: int = COMPONENTS) -> Sea:
    """
    Return a sea drawn from a spectrum: the same for the same seed.

    :param components: Waves; more make it truer and slower.

    Half of the bins' bounds follow the energy over frequency, half of them the second moment: the short waves, which
    hold little energy but much of the water's acceleration, get waves of their own.
    """
    rng = np.random.default_rng(seed)
    peak = 2.0 * math.pi / state.period
    grid = np.geomspace(SLOWEST * peak, FASTEST * peak, GRID)
    density = jonswap(grid, state.height, state.period, state.gamma)
    energy, bent = (_added_up(grid, density * grid ** order) for order in (0, 2))
    share = 0.5 * (energy / energy[-1] + bent / bent[-1])
    bounds = np.interp(np.linspace(0.0, 1.0, components + 1), share, grid)
    held = np.diff(np.interp(bounds, grid, energy)) * (state.height ** 2 / 16.0 / energy[-1])
    frequency = bounds[:-1] + np.diff(bounds) * rng.uniform(size=components)
    towards = state.direction + _spread(state.spreading, components, rng)
    return Sea(LinearWave(np.sqrt(2.0 * held), frequency, wave_number(frequency, state.depth), np.cos(towards),
                          np.sin(towards), rng.uniform(0.0, 2.0 * math.pi, components), state.depth))


def _added_up(grid: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the integral from the first grid point to each, by the trapezoidal rule."""
    return np.concatenate(([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(grid))))


def _spread(exponent: float, number: int, rng: np.random.Generator) -> np.ndarray:
    """Return angles to the main direction, rad, distributed as cos^2s of their half: one from each slice, shuffled."""
    if math.isinf(exponent):
        return np.zeros(number)
    angle = np.linspace(-math.pi, math.pi, GRID)
    share = _added_up(angle, np.cos(0.5 * angle) ** (2.0 * exponent))
    drawn = (np.arange(number) + rng.uniform(size=number)) / number
    return rng.permutation(np.interp(drawn, share / share[-1], angle))
