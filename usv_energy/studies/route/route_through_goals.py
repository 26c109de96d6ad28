"""A route through several goals, the concatenation of routes, and the shortest route around land."""

from collections.abc import Sequence

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import Extent, FlowField, Velocities
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.route.find_route import FoundRoute, best_route_along_path, find_route
from usv_energy.studies.route.route_cost import objective_value
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem
from usv_energy.studies.route.search.rough_ways import SearchOptions
from usv_energy.studies.route.search.search_grid import room_of

SHORTEST_WAY_SEARCH = SearchOptions(points=15_000, most=1, bound=False)
SAMPLES = 500           # Points of the straight line at which the water is checked.


def concatenated_route(routes: Sequence[Route]) -> Route:
    """Return several routes as one; each begins where and when the previous one ends."""
    first, *rest = routes
    for route in rest:
        first = Route(np.concatenate([first.time, first.time[-1] + (route.time[1:] - route.time[0])]),
                      np.concatenate([first.x, route.x[1:]]), np.concatenate([first.y, route.y[1:]]),
                      np.concatenate([first.speed, route.speed]),
                      np.concatenate([first.energy, first.energy[-1] + route.energy[1:]]))
    return first


def route_through_goals(goals: Sequence[tuple[float, float]], problem: RouteProblem,
            options: SearchOptions | None = None) -> FoundRoute:
    """
    Return the route through the goals in their order; each stretch departs when the previous one arrives.

    :raises InputError: If a stretch has no route. With several goals the message names the goal's number.
    """
    if len(goals) == 1:
        return find_route(problem._replace(goal=goals[0]), options)
    found: list[FoundRoute] = []
    here, now = problem.start, problem.depart
    for number, goal in enumerate(goals, start=1):
        try:
            found.append(find_route(problem._replace(start=here, goal=goal, depart=now), options))
        except InputError as error:
            raise InputError(f'on the way to goal {number}: {error}') from None
        here, now = goal, float(found[-1].best.time[-1])
    best = concatenated_route([one.best for one in found])
    straight = [one.straight for one in found if one.straight is not None]
    return FoundRoute(best, (), sum(one.cost for one in found), sum(one.rough for one in found),
                      sum(one.bound for one in found),
                      concatenated_route(straight) if len(straight) == len(found) else None,
                      tuple(dict.fromkeys(note for one in found for note in one.notes)))


class StillWater:
    """A FlowField without motion; it has water where another field has water at a given time."""

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
    Return the shortest route through the goals at its best constant speed over ground; None if it is straight.

    :raises InputError: If the boat cannot follow it: the current is too strong, or it arrives too late.
    """
    here, now, ways, turns = problem.start, problem.depart, [], False
    for goal in goals:
        stretch = problem._replace(start=here, goal=goal, depart=now)
        x, y = np.array([here, goal], dtype=float).T
        if not straight_line_is_open(stretch):
            still = stretch._replace(current=StillWater(problem.current, now), wind=UniformFlow(), objective='time',
                                     cost=PowerLaw(1.0), speed=1.0, lowest_speed=0.0, arrive_by=None, may_wait=False,
                                     may_drift=False, charge=None, extent=room_of(stretch))
            found = find_route(still, SHORTEST_WAY_SEARCH).best
            x, y, turns = found.x, found.y, True
        way = best_route_along_path(stretch, x, y)
        if not np.isfinite(objective_value(stretch, way)):
            raise InputError('a current that is too strong there, or an arrival that is too early')
        ways.append(way)
        here, now = goal, float(way.time[-1])
    return concatenated_route(ways) if turns else None


def straight_line_is_open(problem: RouteProblem) -> bool:
    """Return whether the straight line crosses no barrier and has water everywhere at the departure."""
    x, y = np.linspace(problem.start, problem.goal, SAMPLES).T
    return bool(not problem.barriers.crossed(x[:1], y[:1], x[-1:], y[-1:])[0]
                and problem.current.velocity(problem.depart, x, y)[2].all())
