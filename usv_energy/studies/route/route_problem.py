"""The problem of a route and the route itself: the types that search, polish, output and node share."""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, FlowField
from usv_energy.studies.route.barriers.area_barriers import Barriers

Objective = Literal['energy', 'time']


class MotionCost(Protocol):
    """
    Electrical power of a steady motion through the water, in which place, time and current do not enter.

    The air's velocity through the water, `air = wind - current` (earth frame), has a component along the boat's
    velocity through the water (a head wind is a negative `air_along`) and one across it (a wind towards the port side
    is a positive `air_across`). A cost with waves, which are the same everywhere, has the attribute `towards`, rad
    (ENU), the direction to which they run (`sea_towards`), and takes the bearing of the velocity through the water, too
    (`bearings`); without a bearing it is that of calm water. Arguments are broadcast against each other.
    Implementations are immutable and thread-safe.
    """

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        """
        Return the electrical power, W, static load and standing loads included; NaN where the boat cannot hold it.

        :param speed: Through the water, m/s, at least 0.
        :param air_along: Of the air through the water, along the boat's velocity through the water, m/s.
        :param air_across: The same to port of it, m/s.
        :param bearing: Of the boat's velocity through the water, rad (ENU); only for a cost that knows a sea.
        """
        ...

    def top_speed(self, air_along: np.ndarray, air_across: np.ndarray,
                  bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the highest speed through the water, m/s, that the boat can hold; 0 if it can hold none."""
        ...


def sea_towards(cost: MotionCost) -> float | None:
    """Return the direction to which the waves of a cost run, rad (ENU); None for a cost in calm water."""
    return getattr(cost, 'towards', None)


def bearings(cost: MotionCost, east: Any, north: Any) -> tuple[np.ndarray, ...]:
    """Return the further argument of a cost's functions for velocities through the water; () in calm water."""
    return () if sea_towards(cost) is None else (np.arctan2(north, east),)


@dataclass(frozen=True)
class PowerLaw:
    """
    A MotionCost that does not depend on the air: P = hotel + factor * speed ** exponent.

    `hotel`: W, at any speed; `factor`: W / (m/s)^exponent, above 0; `exponent`: (-), at least 1, so that P is convex;
    `highest`: the highest speed through the water, m/s; may be infinite.
    """

    factor: float
    exponent: float = 3.0
    hotel: float = 0.0
    highest: float = math.inf

    def __post_init__(self) -> None:
        """Raise InputError for numbers out of range."""
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
        """Return the highest speed, m/s, in any air; see MotionCost.top_speed."""
        return np.full(np.broadcast_shapes(np.shape(air_along), np.shape(air_across)), self.highest)


class RouteProblem(NamedTuple):
    """
    A route to be found, from a place and a time to a place.

    Places: east and north in the world, m. Times: s of the flow's clock. `objective`: 'energy' is the least energy
    (with `arrive_by`, among routes that arrive by then), 'time' the earliest arrival. `speed`: through the water, m/s,
    if it is fixed; None if it is free. `lowest_speed`: the least free speed, m/s. `may_wait`: the boat may lie at
    anchor (ground speed 0) at the cost of speed 0; `may_drift`: it may drift with the water at that cost. `extent`:
    xmin, ymin, xmax, ymax, m: the route stays inside. `charge`: the energy that may be used, J.
    """

    start: tuple[float, float]
    goal: tuple[float, float]
    cost: MotionCost
    current: FlowField
    wind: FlowField
    barriers: Barriers
    depart: float = 0.0
    arrive_by: float | None = None
    objective: Objective = 'energy'
    speed: float | None = None
    lowest_speed: float = 0.0
    may_wait: bool = False
    may_drift: bool = False
    extent: Extent | None = None
    charge: float | None = None


class Route(NamedTuple):
    """
    A path over time: N points, with straight parts at constant velocity over ground between them.

    `time`: s of the flow's clock, rising, shape (N,); `x`, `y`: east and north, m, shape (N,); `speed`: through the
    water, m/s, of each part, shape (N - 1,); `energy`: used since the start, J, shape (N,).
    """

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    speed: np.ndarray
    energy: np.ndarray

    @property
    def duration(self) -> float:
        """Time from the first point to the last, s."""
        return float(self.time[-1] - self.time[0])

    @property
    def length(self) -> float:
        """Length over ground, m."""
        return float(np.hypot(np.diff(self.x), np.diff(self.y)).sum())
