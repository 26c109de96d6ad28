"""
A sea whose state differs from place to place and changes with time: the same waves everywhere, higher or lower by both.

Each wave keeps its frequency, direction and phase, so that crests go on from place to place; its height is that of the
local spectrum in its bin of frequency and direction, and all of them together have the local Hs exactly.
"""

import math

import numpy as np

from ..physics.linear_wave import LinearWave
from ..physics.wave_dispersion import wave_number
from ..physics.wave_spectrum import jonswap
from .sea import FASTEST, SLOWEST, Sea, SeaState, irregular_sea
from .wave_field import WaveField

SHORTEST, LONGEST = 0.5, 25.0   # Peak periods, s, that are told apart; beyond them the nearest is taken.
DRIFT_PERIODS = np.geomspace(SHORTEST, LONGEST, 24)


class LocalSea:
    """The sea of a WaveField: waves drawn once, by a seed; safe to call from threads."""

    def __init__(self, field: WaveField, state: SeaState, seed: int, components: int, drift_depth: float) -> None:
        """
        Draw the waves.

        :param field: Of height, period and direction.
        :param state: For its gamma, spreading and depth; the rest is the field's.
        :param seed: The same seed gives the same waves.
        :param components: Waves; more than of a sea that is the same everywhere, for all directions must have theirs.
        :param drift_depth: Below the surface, at which the waves carry a boat along, m.
        """
        self.field, self._state = field, state
        rng = np.random.default_rng(seed)
        middle = np.array([0.5 * (field.extent[0] + field.extent[2])]), np.array(
            [0.5 * (field.extent[1] + field.extent[3])])
        periods = [float(field.at(float(time), *middle).period[0]) for time in (field.times[0], field.times[-1])]
        known = [period for period in periods if math.isfinite(period)] or [SHORTEST, 12.0]
        low, high = SLOWEST * math.tau / (1.5 * max(known)), FASTEST * math.tau / min(known) / 1.5
        bounds = np.geomspace(low, high, components + 1)
        frequency = bounds[:-1] + np.diff(bounds) * rng.uniform(size=components)
        self._width = np.diff(bounds)
        self._angle = rng.permutation((np.arange(components) + rng.uniform(size=components)) * math.tau / components)
        self._waves = LinearWave(np.zeros(components), frequency, wave_number(frequency, state.depth),
                                 np.cos(self._angle), np.sin(self._angle), rng.uniform(0.0, math.tau, components),
                                 state.depth)
        self._drifts = np.array([math.hypot(*irregular_sea(
            state._replace(height=1.0, period=period, direction=0.0), 0).stokes_drift(-drift_depth))
            for period in DRIFT_PERIODS])

    def sea_in_the_middle(self) -> Sea:
        """Return the waves in the middle of the field at its first time; none where it has no value there."""
        xmin, ymin, xmax, ymax = self.field.extent
        found = self.sea_at(float(self.field.times[0]), 0.5 * (xmin + xmax), 0.5 * (ymin + ymax))
        return Sea(self._waves) if found is None else found

    def state_at(self, time: float, x: float, y: float) -> SeaState | None:
        """Return the SeaState at a place of the map, m, and a time of the file, s; None where there is none."""
        found = self.field.at(time, np.array([x]), np.array([y]))
        height, period, direction = (float(part[0]) for part in found)
        if not (math.isfinite(height) and period > 0.0):
            return None
        return self._state._replace(height=height, period=min(max(period, SHORTEST), LONGEST), direction=direction)

    def sea_at(self, time: float, x: float, y: float) -> Sea | None:
        """Return the waves around a place of the map, m, and a time of the file, s; None where there are none."""
        state = self.state_at(time, x, y)
        if state is None or state.height <= 0.0:
            return None
        away = self._angle - state.direction
        shape = (np.cos(away) > 0.999999) if math.isinf(state.spreading) else np.cos(0.5 * away) ** (
            2.0 * state.spreading)
        held = jonswap(self._waves.frequency, state.height, state.period, state.gamma) * self._width * shape
        held = held * (state.height ** 2 / 16.0 / np.sum(held))
        return Sea(self._waves._replace(amplitude=np.sqrt(2.0 * held)))

    def drift(self, time: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the Stokes drift at points of the map, m/s east and north; 0 where the field has no waves."""
        states = self.field.at(time, x, y)
        unit = np.interp(np.nan_to_num(states.period, nan=SHORTEST), DRIFT_PERIODS, self._drifts)
        speed = np.nan_to_num(states.height) ** 2 * unit
        direction = np.nan_to_num(states.direction)
        return speed * np.cos(direction), speed * np.sin(direction)
