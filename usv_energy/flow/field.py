"""The protocol of a flow field, water or air."""

from typing import Protocol

import numpy as np


class FlowField(Protocol):
    """Velocity of the water, or of the air, anywhere and at any time. Implementations are safe to call from threads."""

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return the velocity at many points, at one time.

        :param t: Time, s, in the field's own clock.
        :param x: East coordinates, m, shape (N,).
        :param y: North coordinates, m, shape (N,).
        :return: East velocity m/s, north velocity m/s, and whether the field has a value there; each shape (N,).
            Where it has none the velocities are NaN, never zero.
        """
        ...
