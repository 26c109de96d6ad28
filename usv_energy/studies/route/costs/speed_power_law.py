"""Power as a law of speed: a boat in two numbers, and energy at speeds of choice."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.studies.route.costs.motion_cost_table import PowerTable
from usv_energy.studies.route.route_problem import RouteProblem


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



KNOTS = 1025            # Of the speed, and of the slope.


class EnergyLaw(NamedTuple):
    """
    Speeds through the water, m/s, and the least power of each in any air, W; K of slopes, W, and the speed it is of.

    `slope`: J/m, from 0 on; beyond its end K goes on at the highest speed. `stand`: power of lying at anchor, W, inf
    where that is not allowed.
    """

    speed: np.ndarray
    power: np.ndarray
    slope: np.ndarray
    most: np.ndarray
    fastest: np.ndarray
    stand: float

    def metre(self, current: float) -> float:
        """Return the least energy of a metre, J, in a current that helps wholly, m/s."""
        with np.errstate(divide='ignore', invalid='ignore'):
            made = self.speed + current
            return float(np.nanmin(np.where(made > 0.0, self.power / made, np.inf)))

    def slope_at(self, speed: float) -> float:
        """Return the slope of V, J/m, at which a speed through the water, m/s, is the one that gains the most."""
        return float(np.interp(min(speed, self.speed[-1]), self.fastest, self.slope))


def energy_law(problem: RouteProblem, table: PowerTable) -> EnergyLaw:
    """Return what a boat's energy goes by, of the speeds that the problem allows."""
    knots = table.first + table.step * np.arange(table.top.shape[-1])
    still = np.zeros(1)
    stand = float(np.asarray(problem.cost.power(still, still, still))[0])
    if problem.speed is not None:
        speed = np.full(1, problem.speed)
    else:
        speed = np.linspace(min(problem.lowest_speed, table.highest), table.highest, KNOTS)
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
    slope = np.linspace(0.0, max(steepest, 1e-12), KNOTS)
    gain = slope[:, None] * speed - power
    best = gain.argmax(axis=1)
    return EnergyLaw(speed, power, slope, gain[np.arange(KNOTS), best], speed[best],
                     stand if problem.may_wait else math.inf)


def most_gain(law: EnergyLaw, slope: Any) -> Any:
    """Return K, the most of slope times speed less power over all speeds, W, of slopes, J/m."""
    return np.interp(slope, law.slope, law.most) + law.fastest[-1] * np.maximum(slope - law.slope[-1], 0.0)
