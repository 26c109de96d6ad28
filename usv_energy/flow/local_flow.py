"""The flow around a boat between two answers of a flow service: a value and its gradient."""

import math
from typing import NamedTuple


class LocalFlow(NamedTuple):
    """Velocity vx, vy m/s (ENU) at a time s and position x, y m, and gradient: d(vx, vy)/dx and d(vx, vy)/dy, 1/s."""

    time: float
    x: float
    y: float
    vx: float
    vy: float
    by_x: tuple[float, float]
    by_y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the velocity at a position nearby, m/s, by the gradient."""
        east, north = x - self.x, y - self.y
        return (self.vx + east * self.by_x[0] + north * self.by_y[0],
                self.vy + east * self.by_x[1] + north * self.by_y[1])


def stencil(x: float, y: float, spacing: float) -> tuple[list[float], list[float]]:
    """Return the five points to evaluate around a position: itself, east, west, north, south; m."""
    return [x, x + spacing, x - spacing, x, x], [y, y, y, y + spacing, y - spacing]


def local_flow(time: float, x: float, y: float, spacing: float,
               vx: list[float], vy: list[float], inside: list[bool]) -> LocalFlow | None:
    """
    Return the local flow from the answers at a stencil; None if the position itself has no value.

    A component of the gradient is the central difference if both neighbours are inside, else 0.

    :param time: Time of the answer, s.
    :param x: East, m.
    :param y: North, m.
    :param spacing: Of the stencil, m.
    :param vx: East velocities at the five points, m/s.
    :param vy: North velocities, m/s.
    :param inside: Whether the field has a value there.
    """
    known = [ok and math.isfinite(a) and math.isfinite(b) for ok, a, b in zip(inside, vx, vy)]
    if not known[0]:
        return None

    def slope(ahead: int, behind: int) -> tuple[float, float]:
        if not (known[ahead] and known[behind]):
            return 0.0, 0.0
        return ((vx[ahead] - vx[behind]) / (2.0 * spacing), (vy[ahead] - vy[behind]) / (2.0 * spacing))

    return LocalFlow(time, x, y, vx[0], vy[0], slope(1, 2), slope(3, 4))
