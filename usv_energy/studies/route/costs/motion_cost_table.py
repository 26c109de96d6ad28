"""A motion's cost as a table that compiled code looks up: by speed, the air's velocity and, in a sea, the bearing."""

from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.route_problem import MotionCost, sea_towards

SPEEDS, WINDS = 65, 13      # Knots of the speed, and of the air along and across.
TURNS = 24                  # Of the bearing in a sea: waves from ahead, abeam and astern are at knots.


class PowerTable(NamedTuple):
    """
    Power, W, and top speed, m/s, at evenly spaced knots, linear between them; held constant beyond those of the air.

    `power` has the shape (turns, speeds, along, across), `top` (turns, along, across). The speed begins at 0 and ends
    at the highest top speed; the air's parts begin at `first` and go by `step`, m/s. Where the air does not matter
    there is one knot. Turns are bearings of the velocity through the water, from `towards`, rad (ENU),
    counter-clockwise once round; in calm water there is one.
    """

    speed_step: float
    first: float
    step: float
    power: np.ndarray
    top: np.ndarray
    towards: float = 0.0

    @property
    def highest(self) -> float:
        """Highest top speed, m/s."""
        return float(self.top.max())

    @property
    def with_air(self) -> bool:
        """Whether the air matters."""
        return bool(self.top.shape[-1] > 1)

    @property
    def bearings(self) -> list[tuple[np.ndarray, ...]]:
        """What `power` of the cost takes besides at each turn: its bearing, rad (ENU); () in calm water."""
        turns = len(self.top)
        return [()] if turns == 1 else [(np.array(self.towards + 2.0 * np.pi * k / turns),) for k in range(turns)]

    @property
    def speeds(self) -> np.ndarray:
        """The knots of the speed, m/s."""
        return self.speed_step * np.arange(self.power.shape[1])

    @property
    def least_power(self) -> np.ndarray:
        """The least power at each knot of the speed, W, in the best of all air and on the best of all bearings."""
        return np.asarray(self.power.min(axis=(0, 2, 3)))


def power_table(cost: MotionCost, air: float, limit: float) -> PowerTable:
    """
    Return a table of a motion's cost.

    :param cost: The MotionCost.
    :param air: Highest speed of the air through the water, m/s.
    :param limit: Speed through the water, m/s, above which nothing is asked for.
    """
    knots = np.linspace(-air, air, WINDS) if air > 0.0 else np.zeros(1)
    towards = sea_towards(cost)
    turns: list[tuple[np.ndarray, ...]] = [()]
    if towards is not None:
        turns = [(np.array(towards + 2.0 * np.pi * k / TURNS),) for k in range(TURNS)]
    tops = [np.nan_to_num(np.asarray(cost.top_speed(knots[:, None], knots[None, :], *turn), dtype=float))
            for turn in turns]
    top = np.array([np.broadcast_to(np.minimum(one, limit), (knots.size, knots.size)) for one in tops])
    speeds = np.linspace(0.0, max(float(top.max()), 1e-9), SPEEDS)
    powers = [np.asarray(cost.power(speeds[:, None, None], knots[None, :, None], knots[None, None, :], *turn),
                         dtype=float) for turn in turns]
    power = np.array([_filled(np.broadcast_to(one, (speeds.size, knots.size, knots.size))) for one in powers])
    if np.allclose(power, power[..., :1, :1], rtol=1e-12, atol=0.0) and np.allclose(top, top[:, :1, :1], rtol=1e-12):
        knots, power, top = np.zeros(1), power[..., :1, :1], top[:, :1, :1]
    step = float(knots[1] - knots[0]) if knots.size > 1 else 1.0
    return PowerTable(float(speeds[1]), float(knots[0]), step, np.ascontiguousarray(power), np.ascontiguousarray(top),
                      towards or 0.0)


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
