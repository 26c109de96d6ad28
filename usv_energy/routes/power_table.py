"""A motion's cost as a table that compiled code looks up: by speed through the water and the air's velocity."""

from typing import NamedTuple

import numpy as np

from .route_problem import MotionCost

SPEEDS, WINDS = 65, 13      # Knots of the speed, and of the air along and across.


class PowerTable(NamedTuple):
    """
    Power, W, and top speed, m/s, at evenly spaced knots, linear between them; held constant beyond those of the air.

    `power` has the shape (speeds, along, across), `top` (along, across). The speed begins at 0 and ends at the highest
    top speed; the air's parts begin at `first` and go by `step`, m/s. Where the air does not matter there is one knot.
    """

    speed_step: float
    first: float
    step: float
    power: np.ndarray
    top: np.ndarray

    @property
    def highest(self) -> float:
        """Highest top speed, m/s."""
        return float(self.top.max())

    @property
    def with_air(self) -> bool:
        """Whether the air matters."""
        return self.top.size > 1


def power_table(cost: MotionCost, air: float, limit: float) -> PowerTable:
    """
    Return a table of a motion's cost.

    :param cost: The MotionCost.
    :param air: Highest speed of the air through the water, m/s.
    :param limit: Speed through the water, m/s, above which nothing is asked for.
    """
    knots = np.linspace(-air, air, WINDS) if air > 0.0 else np.zeros(1)
    top = np.nan_to_num(np.asarray(cost.top_speed(knots[:, None], knots[None, :]), dtype=float))
    top = np.broadcast_to(np.minimum(top, limit), (knots.size, knots.size))
    speeds = np.linspace(0.0, max(float(top.max()), 1e-9), SPEEDS)
    power = np.asarray(cost.power(speeds[:, None, None], knots[None, :, None], knots[None, None, :]), dtype=float)
    power = _filled(np.broadcast_to(power, (speeds.size, knots.size, knots.size)))
    if np.allclose(power, power[:, :1, :1], rtol=1e-12, atol=0.0) and np.allclose(top, top[0, 0], rtol=1e-12):
        knots, power, top = np.zeros(1), power[:, :1, :1], top[:1, :1]
    step = float(knots[1] - knots[0]) if knots.size > 1 else 1.0
    return PowerTable(float(speeds[1]), float(knots[0]), step, np.ascontiguousarray(power), np.ascontiguousarray(top))


def air_matters(cost: MotionCost) -> bool:
    """Return whether a motion's cost depends on the air."""
    still, moving = np.zeros(4), np.array([2.0, -2.0, 0.0, 0.0])
    top = np.asarray(cost.top_speed(moving, moving[::-1]))
    if not np.array_equal(top, np.broadcast_to(cost.top_speed(still, still), top.shape)):
        return True
    for share in (0.0, 0.3, 0.9):
        speed = share * np.minimum(top, 10.0)
        if not np.array_equal(cost.power(speed, moving, moving[::-1]), cost.power(speed, still, still)):
            return True
    return False


def cheapest_speed(cost: MotionCost, lowest: float) -> float:
    """Return the speed, m/s, that takes the least energy a metre in still water and air, at least the lowest."""
    still = np.zeros(1)
    top = min(float(np.asarray(cost.top_speed(still, still))[0]), 100.0)
    speeds = np.geomspace(max(lowest, 1e-3 * top), max(top, lowest, 1e-9), 400)
    metre = np.asarray(cost.power(speeds, 0.0 * speeds, 0.0 * speeds)) / speeds
    return float(speeds[np.nanargmin(metre)]) if np.isfinite(metre).any() else float(speeds[-1])


def _filled(power: np.ndarray) -> np.ndarray:
    """Return powers with that of the highest speed held beyond it: the top speed alone says what cannot be gone."""
    filled = power.copy()
    for k in range(1, len(filled)):
        lacking = np.isnan(filled[k])
        filled[k, lacking] = filled[k - 1, lacking]
    return np.where(np.isnan(filled), np.inf, filled)
