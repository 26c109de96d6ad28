"""
What the parts of a path cost: straight, each at one velocity over ground and of the same duration.

A part is given by its way D (m), its middle m (m) and the duration of the whole path T (s). Current and wind are asked
at Gauss's points of each part, so that the cost is that of the very path that is drawn, to fourth order in its length.
"""

from typing import Any, NamedTuple

import numpy as np

from .flow_along import flow_along
from .route_problem import RouteProblem, bearings

GAUSS = {1: ((0.0,), (1.0,)), 2: ((-0.5 / 3.0 ** 0.5, 0.5 / 3.0 ** 0.5), (0.5, 0.5)),
         4: ((-0.4305681557970263, -0.1699905217924281, 0.1699905217924281, 0.4305681557970263),
             (0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269))}
SLACK = 1e-9    # Of the highest speed: power is asked for just below it.
SLOPE = 1e-3    # Of the highest speed: over which power's slope there is taken.


class PartCost(NamedTuple):
    """Of each part, shape (..., N): power W; mean velocity through the water squared, m^2/s^2; highest speed m/s."""

    power: np.ndarray
    square: np.ndarray
    top: np.ndarray


class PathCost:
    """The cost of a problem's paths; NaN where water or air are not known, or the boat cannot go."""

    def __init__(self, problem: RouteProblem, points: int = 2, drift_bend: float = 1.0) -> None:
        """
        Take the problem.

        :param points: How many of Gauss's points a part has, one of GAUSS.
        :param drift_bend: Power between drifting and the lowest speed goes with this power of the speed: 1 for what
            it is, more for what has no corner where the boat drifts.
        """
        self.problem, self._drift_bend = problem, drift_bend
        self._current, self._wind = flow_along(problem.current), flow_along(problem.wind)
        self._places, self._shares = GAUSS[points]

    def parts(self, way: np.ndarray, middle: np.ndarray, span: Any, with_power: bool = True,
              start: np.ndarray | None = None, length: np.ndarray | None = None) -> PartCost:
        """
        Return what the parts cost.

        Above the highest speed power goes on along its slope there. With a fixed speed, power is that of this speed.
        Where the boat may drift, a mean speed below the lowest is that of drifting for a part of the time.

        :param way: From each part's begin to its end, m, shape (..., N, 2).
        :param middle: Of each part, m, same shape.
        :param span: Duration of the whole path, s, shape (...,), of N parts of the same duration.
        :param with_power: Whether power is wanted; else it is 0.
        :param start: When each part begins, s, and `length`, how long it lasts, shape (N,), where they differ.
        """
        number = way.shape[-2]
        step = np.asarray(span)[..., None] / number if length is None else length
        begin = self.problem.depart + step * np.arange(number) if start is None else start
        velocity = way / step[..., None]
        power: Any = 0.0
        mean: Any = 0.0
        top: Any = np.inf
        for place, share in zip(self._places, self._shares):
            at = middle + place * way
            x, y, time = np.broadcast_arrays(at[..., 0], at[..., 1], begin + (0.5 + place) * step)
            current, wind = (np.stack(flow(time, x, y), axis=-1) for flow in (self._current, self._wind))
            water, air = velocity - current, wind - current
            mean = mean + share * water
            watts, most = self._power(water, air, with_power)
            power, top = power + share * watts, np.minimum(top, most)
        square = np.sum(np.square(mean), axis=-1)
        return PartCost(power + 0.0 * square, square, top + 0.0 * square)

    def _power(self, water: np.ndarray, air: np.ndarray, with_power: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return power, W, and the highest speed, m/s, of velocities through the water and of the air through it."""
        cost, fixed = self.problem.cost, self.problem.speed
        speed = np.hypot(water[..., 0], water[..., 1])
        ahead = water / np.where(speed > 0.0, speed, 1.0)[..., None]
        along = air[..., 0] * ahead[..., 0] + air[..., 1] * ahead[..., 1]
        across = ahead[..., 0] * air[..., 1] - ahead[..., 1] * air[..., 0]
        bearing = bearings(cost, water[..., 0], water[..., 1])
        top = cost.top_speed(along, across, *bearing)
        if not with_power:
            return np.zeros_like(speed), top
        wanted = speed if fixed is None else np.full_like(speed, fixed)
        held = np.minimum(wanted, (1.0 - SLACK) * top)
        watts = np.asarray(cost.power(held, along, across, *bearing))
        lowest = self.problem.lowest_speed
        if self.problem.may_drift and fixed is None and (slow := speed < lowest).any():
            driven, still = (speed[slow] / lowest) ** self._drift_bend, np.zeros(int(slow.sum()))
            there = cost.power(lowest + still, along[slow], across[slow],
                               *(one[slow] for one in bearing))
            watts[slow] = (1.0 - driven) * cost.power(still, still, still) + driven * there
        over = wanted > held
        if over.any():
            below = cost.power((1.0 - SLOPE) * held[over], along[over], across[over],
                               *(one[over] for one in bearing))
            watts[over] += (watts[over] - below) / (SLOPE * held[over]) * (wanted - held)[over]
        return watts, top
