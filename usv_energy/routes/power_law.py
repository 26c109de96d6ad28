"""A boat in two numbers, for closed forms and quick studies: its power is a load and a power of its speed."""

import math
from dataclasses import dataclass

import numpy as np

from ..files.errors import InputError


@dataclass(frozen=True)
class PowerLaw:
    """
    A MotionCost that air does not change: P = hotel + factor * speed ** exponent.

    `hotel`: W, at any speed; `factor`: W / (m/s)^exponent, above 0; `exponent`: (-), at least 1, so that P is convex;
    `highest`: the highest speed through the water, m/s; infinite where nothing limits it.
    """

    factor: float
    exponent: float = 3.0
    hotel: float = 0.0
    highest: float = math.inf

    def __post_init__(self) -> None:
        """Refuse what is no boat: InputError."""
        for name, value, good, allowed in (
                ('factor', self.factor, 0.0 < self.factor < math.inf, 'above 0 W / (m/s)^exponent'),
                ('exponent', self.exponent, 1.0 <= self.exponent < math.inf, 'at least 1'),
                ('hotel', self.hotel, 0.0 <= self.hotel < math.inf, 'at least 0 W'),
                ('highest', self.highest, self.highest > 0.0, 'above 0 m/s')):
            if not good:
                raise InputError(f'power law: {name} is {value:g}; must be {allowed}')

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the power, W, NaN above the highest speed; see MotionCost.power."""
        speed, *_ = np.broadcast_arrays(np.asarray(speed, dtype=float), air_along, air_across)
        watts: np.ndarray = self.hotel + self.factor * speed ** self.exponent
        return np.where(speed <= self.highest, watts, np.nan)

    def top_speed(self, air_along: np.ndarray, air_across: np.ndarray,
                  bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the highest speed, m/s, whatever the air; see MotionCost.top_speed."""
        return np.full(np.broadcast_shapes(np.shape(air_along), np.shape(air_across)), self.highest)
