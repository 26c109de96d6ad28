"""The same flow everywhere and always."""

import math
from typing import NamedTuple

import numpy as np


class UniformFlow(NamedTuple):
    """A constant velocity, earth frame (ENU): towards the east, towards the north, m/s."""

    x: float = 0.0
    y: float = 0.0

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the constant velocity at many points; see FlowField.velocity."""
        shape = np.shape(x)
        return np.full(shape, self.x), np.full(shape, self.y), np.full(shape, True)

    def later(self, seconds: float) -> 'UniformFlow':
        """Return the flow of a world whose clock begins so much later, s: the same."""
        return self

    @property
    def speed(self) -> float:
        """Speed of the flow, m/s."""
        return math.hypot(self.x, self.y)

    @property
    def direction_deg(self) -> float:
        """Where it flows to, degrees counter-clockwise from east."""
        return math.degrees(math.atan2(self.y, self.x))
