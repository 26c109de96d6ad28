"""What a route's legs are like: length, course, speed over ground, and the current that goes along."""

from typing import NamedTuple

import numpy as np

from .flow_along import flow_along
from .route_problem import Route, RouteProblem

PLACES = 9      # Of each leg, at which the current is asked.


class LegConditions(NamedTuple):
    """
    Legs, arrays with a number a leg.

    Length m; course rad (ENU), that of the leg before where there is no way; speed over ground m/s; `current_along`:
    the mean of the current's component along the course, m/s.
    """

    length: np.ndarray
    course: np.ndarray
    ground_speed: np.ndarray
    current_along: np.ndarray


def leg_conditions(legs: Route, problem: RouteProblem) -> LegConditions:
    """Return what a route's legs are like in the problem's current."""
    dx, dy, duration = np.diff(legs.x), np.diff(legs.y), np.diff(legs.time)
    length = np.hypot(dx, dy)
    before = np.maximum.accumulate(np.where(length > 0.0, np.arange(length.size), -1))
    course = np.where(before < 0, 0.0, np.arctan2(dy, dx)[before])
    share = (np.arange(PLACES) + 0.5) / PLACES
    time, x, y = (part[:-1, None] + np.diff(part)[:, None] * share for part in (legs.time, legs.x, legs.y))
    vx, vy = (part.mean(axis=1) for part in flow_along(problem.current)(time, x, y))
    return LegConditions(length, course, np.divide(length, duration, out=np.zeros(length.size), where=duration > 0.0),
                         np.cos(course) * vx + np.sin(course) * vy)
