"""The shortest way, around land, and what it takes: what a planner that knows nothing of water and air would go."""

from collections.abc import Sequence

import numpy as np

from ..files.errors import InputError
from ..flow.field import Extent, FlowField, Velocities
from ..flow.uniform import UniformFlow
from ..planning.lattice_flow import extent_of
from .find_route import best_along, find_route
from .joined_route import joined_route
from .power_law import PowerLaw
from .priced_route import cost_of
from .rough_ways import SearchOptions
from .route_problem import Route, RouteProblem
from .search_grid import room_of

LOOK = SearchOptions(points=15_000, most=1, bound=False)
SAMPLES = 500           # Of the straight way, at which it is seen whether there is water.


class StillWater:
    """A flow (a FlowField) that stands still at all times, wherever another one has water at one time."""

    times = (0.0,)

    def __init__(self, field: FlowField, time: float) -> None:
        """Take the other flow, and the time, s."""
        self.field, self.time = field, time

    @property
    def extent(self) -> Extent:
        """That of the other flow, m."""
        return extent_of(self.field)

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return no velocity where there is water; see FlowField.velocity."""
        inside = self.field.velocity(self.time, x, y)[2]
        still = np.where(inside, 0.0, np.nan)
        return still, still, inside


def shortest_route(goals: Sequence[tuple[float, float]], problem: RouteProblem) -> Route | None:
    """
    Return the shortest way over goals, at its best one speed over ground; None where it is the straight one.

    :raises InputError: Where it cannot be gone: the current is too strong there, or it is too late.
    """
    here, now, ways, turns = problem.start, problem.depart, [], False
    for goal in goals:
        stretch = problem._replace(start=here, goal=goal, depart=now)
        x, y = np.array([here, goal], dtype=float).T
        if not straight_is_open(stretch):
            still = stretch._replace(current=StillWater(problem.current, now), wind=UniformFlow(), objective='time',
                                     cost=PowerLaw(1.0), speed=1.0, lowest_speed=0.0, arrive_by=None, may_wait=False,
                                     may_drift=False, charge=None, extent=room_of(stretch))
            found = find_route(still, LOOK).best
            x, y, turns = found.x, found.y, True
        way = best_along(stretch, x, y)
        if not np.isfinite(cost_of(stretch, way)):
            raise InputError('a current that is too strong there, or an arrival that is too early')
        ways.append(way)
        here, now = goal, float(way.time[-1])
    return joined_route(ways) if turns else None


def straight_is_open(problem: RouteProblem) -> bool:
    """Return whether no barrier and no place that is dry at the departure lies on the straight way."""
    x, y = np.linspace(problem.start, problem.goal, SAMPLES).T
    return bool(not problem.barriers.crossed(x[:1], y[:1], x[-1:], y[-1:])[0]
                and problem.current.velocity(problem.depart, x, y)[2].all())
