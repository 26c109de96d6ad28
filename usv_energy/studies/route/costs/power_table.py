"""A motion's cost as a linear table for the search, and the least energy at a choice of speeds for the bounds."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.studies.route.route_problem import MotionCost, RouteProblem, sea_towards

SPEEDS, WINDS = 65, 13      # knots of the speed, and of the air along and across
TURNS = 24                  # knots of the bearing in a sea, with waves from ahead, abeam and astern among them
LAW_KNOTS = 1025            # of the speed, and of the slope, of an EnergyLaw


class PowerTable(NamedTuple):
    """
    Power, W, and top speed, m/s, at evenly spaced knots, linear between them and constant beyond those of the air.

    `power` has the shape (turns, speeds, along, across), `top` (turns, along, across). The speed begins at 0 and ends
    at the highest top speed; the air's components begin at `first` and have the spacing `step`, m/s. If the air does
    not matter it has one knot. Turns are bearings of the velocity through the water, from `towards`, rad (ENU),
    counter-clockwise over a full circle; in calm water there is one.
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
        """The further arguments of the cost's `power` at each turn: its bearing, rad (ENU); () in calm water."""
        turns = len(self.top)
        return [()] if turns == 1 else [(np.array(self.towards + 2.0 * np.pi * k / turns),) for k in range(turns)]

    @property
    def speeds(self) -> np.ndarray:
        """The knots of the speed, m/s."""
        return self.speed_step * np.arange(self.power.shape[1])

    @property
    def least_power(self) -> np.ndarray:
        """The least power at each knot of the speed, W, over all air velocities and bearings."""
        return np.asarray(self.power.min(axis=(0, 2, 3)))


def power_table(cost: MotionCost, air: float, limit: float) -> PowerTable:
    """
    Return a table of a motion's cost.

    :param cost: The MotionCost.
    :param air: Highest speed of the air through the water, m/s.
    :param limit: Upper bound on the speeds of the table, m/s.
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
    """Return the speed, m/s, of the least energy per metre in still water and air; at least `lowest`."""
    still = np.zeros(1)
    top = min(float(np.asarray(cost.top_speed(still, still))[0]), 100.0)
    speeds = np.geomspace(max(lowest, 1e-3 * top), max(top, lowest, 1e-9), 400)
    metre = np.asarray(cost.power(speeds, 0.0 * speeds, 0.0 * speeds)) / speeds
    return float(speeds[np.nanargmin(metre)]) if np.isfinite(metre).any() else float(speeds[-1])


def _filled(power: np.ndarray) -> np.ndarray:
    """Return powers with NaN above the highest speed replaced by the power there; the top speed sets the limit."""
    filled = power.copy()
    for k in range(1, len(filled)):
        lacking = np.isnan(filled[k])
        filled[k, lacking] = filled[k - 1, lacking]
    return np.where(np.isnan(filled), np.inf, filled)


class EnergyLaw(NamedTuple):
    """
    The least power by speed, P(v), and its convex conjugate K(s) = max over v of (s v - P(v)).

    `speed`: through the water, m/s; `power`: the least in any air, W. `slope`: s, J/m, from 0 on; `most`: K, W;
    `fastest`: the speed of that maximum, m/s; beyond the last slope it is the highest speed. `stand`: power at anchor,
    W, inf if that is not allowed.
    """

    speed: np.ndarray
    power: np.ndarray
    slope: np.ndarray
    most: np.ndarray
    fastest: np.ndarray
    stand: float

    def metre(self, current: float) -> float:
        """Return the least energy per metre, J/m, in a following current, m/s."""
        with np.errstate(divide='ignore', invalid='ignore'):
            over_ground = self.speed + current
            return float(np.nanmin(np.where(over_ground > 0.0, self.power / over_ground, np.inf)))

    def slope_at(self, speed: float) -> float:
        """Return the slope, J/m, at which a speed through the water, m/s, is that of the maximum K."""
        return float(np.interp(min(speed, self.speed[-1]), self.fastest, self.slope))


def energy_law(problem: RouteProblem, table: PowerTable) -> EnergyLaw:
    """Return the EnergyLaw of a boat, for the speeds that the problem allows."""
    knots = table.first + table.step * np.arange(table.top.shape[-1])
    still = np.zeros(1)
    stand = float(np.asarray(problem.cost.power(still, still, still))[0])
    if problem.speed is not None:
        speed = np.full(1, problem.speed)
    else:
        speed = np.linspace(min(problem.lowest_speed, table.highest), table.highest, LAW_KNOTS)
    least = []
    for turn in table.bearings:
        power = np.asarray(problem.cost.power(speed[:, None, None], knots[:, None], knots, *turn), dtype=float)
        power = np.broadcast_to(power, (speed.size, knots.size, knots.size)).reshape(speed.size, -1)
        least.append(np.where(np.isfinite(power), power, np.inf).min(axis=1))
    power = np.min(least, axis=0)
    if problem.may_drift:
        speed, power = np.append(0.0, speed), np.append(stand, power)
    speed, power = speed[np.isfinite(power)], power[np.isfinite(power)]
    steepest = float(np.max(np.diff(power) / np.diff(speed))) if speed.size > 1 else 10.0 * power[0] / speed[0]
    slope = np.linspace(0.0, max(steepest, 1e-12), LAW_KNOTS)
    gain = slope[:, None] * speed - power
    best = gain.argmax(axis=1)
    return EnergyLaw(speed, power, slope, gain[np.arange(LAW_KNOTS), best], speed[best],
                     stand if problem.may_wait else math.inf)


def most_gain(law: EnergyLaw, slope: Any) -> Any:
    """Return K of slopes, J/m: the maximum over all speeds of slope times speed minus power, W."""
    return np.interp(slope, law.slope, law.most) + law.fastest[-1] * np.maximum(slope - law.slope[-1], 0.0)
