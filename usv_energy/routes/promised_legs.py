"""What a route's legs take by the boat's own steady motion, not by the table that the search looks its power up in."""

import numpy as np

from ..boats.vessel import Vessel
from .motion_table import MotionTable, SteadyCost
from .route_problem import Route, RouteProblem
from .timed_route import timed_route


class _Promise:
    """The MotionCost of a table whose powers are those that it was made of; how fast the boat can go is the table's."""

    def __init__(self, table: MotionTable, vessel: Vessel) -> None:
        self.power, self.top_speed = SteadyCost(vessel).power, table.top_speed


def promised_legs(legs: Route, problem: RouteProblem, vessel: Vessel) -> Route:
    """
    Return legs with what they take by the physics themselves.

    A search finds just those speeds and headings at which a table says too little. Legs that the boat holds by the
    table alone, at the end of what it can, stay as they are.

    :param legs: Of a route, as `simplified` returns them.
    :param problem: The route's; one whose cost is no MotionTable leaves the legs as they are.
    :param vessel: What the table was made of.
    """
    if not isinstance(problem.cost, MotionTable):
        return legs
    rest = (legs.speed == 0.0) & (np.diff(legs.time) > 0.0)
    exact = timed_route(problem._replace(cost=_Promise(problem.cost, vessel)), legs.time, legs.x, legs.y, rest)
    begin = float(legs.energy[0])
    return exact._replace(energy=begin + exact.energy) if np.isfinite(exact.energy[-1]) else legs
