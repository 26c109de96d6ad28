"""
A route through several goals, the concatenation of routes, and the shortest route around land.

The Pareto front between least time and least energy: the cheapest route for each of some arrival times.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, cores, forked, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import Extent, FlowField, Velocities
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.route.find_route import FoundRoute, best_route_along_path, find_route
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_cost import objective_value, route_with_energy
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem
from usv_energy.studies.route.search.flow_cube import room_of
from usv_energy.studies.route.search.rough_ways import SearchOptions

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
            raise InputError('too strong a current, or too early')
        ways.append(way)
        here, now = goal, float(way.time[-1])
    return concatenated_route(ways) if turns else None


def straight_line_is_open(problem: RouteProblem) -> bool:
    """Return whether the straight line crosses no barrier and has water everywhere at the departure."""
    x, y = np.linspace(problem.start, problem.goal, SAMPLES).T
    return bool(not problem.barriers.crossed(x[:1], y[:1], x[-1:], y[-1:])[0]
                and problem.current.velocity(problem.depart, x, y)[2].all())


NUMBER = 9              # of routes, both ends included
FRONT_SEARCH = SearchOptions(hop_points=4_000, most=2, bound=False)     # for each arrival time
BETTER = 1e-5           # relative saving of energy for which a route is replaced
NEAR = 1e-3             # relative excess cost of a neighbour's path up to which it is polished


class RouteFront(NamedTuple):
    """
    Routes of which none is both quicker and cheaper than another, the quickest first.

    `number`: of arrival times, both ends included; `broken_off`: the user interrupted the search.
    """

    routes: tuple[Route, ...]
    number: int
    broken_off: bool = False

    @property
    def duration(self) -> np.ndarray:
        """Duration of each route, s."""
        return np.array([route.duration for route in self.routes])

    @property
    def energy(self) -> np.ndarray:
        """Energy of each route, J."""
        return np.array([route.energy[-1] for route in self.routes])


def route_front(problem: RouteProblem, fastest: Route, cheapest: Route, number: int = NUMBER,
                options: SearchOptions | None = None, workers: int | None = None,
                progress: Progress = no_progress) -> RouteFront:
    """
    Return the front between two routes. For each arrival time a route is searched, and the neighbours' paths are tried.

    The arrival times are such that mean speeds are evenly spaced. Ctrl-C ends it with the routes that are done.

    :param problem: Of the least energy, without an arrival time or a speed of its own.
    :param fastest: The quickest route, one end of the front.
    :param cheapest: The route of least energy, the other end.
    :param number: Of routes, at least 2.
    :param options: Of the search for each; None: FRONT_SEARCH.
    :param workers: Processes; None: one per core.
    """
    problem = problem._replace(objective='energy')
    ends = fastest.duration, max(cheapest.duration, fastest.duration)
    durations = 1.0 / np.linspace(1.0 / ends[0], 1.0 / ends[1], number)
    problems = [problem._replace(arrive_by=problem.depart + duration) for duration in durations[1:-1].tolist()]
    found: list[Route | None] = [fastest, *[None] * len(problems), cheapest]
    done = 0

    def count_route() -> None:
        nonlocal done
        done += 1
        progress(done, 2 * len(problems))
    broken_off = False
    try:
        _fill(lambda place: _route(problems[place], options or FRONT_SEARCH), found, problems, workers, count_route)
        known = tuple(found)
        _fill(lambda place: _improved_by_neighbours(problems[place], known[place:place + 3]), found, problems, workers,
              count_route)
    except KeyboardInterrupt:
        broken_off = True
    return RouteFront(_undominated([route for route in found if route is not None]), number, broken_off)


def _fill(work: Callable[[int], Route | None], found: list[Route | None], problems: list[RouteProblem],
          workers: int | None, count_route: Callable[[], None]) -> None:
    """Fill the routes between both ends of `found` with the results of `work`."""
    for place, route in forked(work, len(problems), workers or cores()):
        found[place + 1] = route
        count_route()


def _route(problem: RouteProblem, options: SearchOptions | None) -> Route | None:
    try:
        return find_route(problem, options).best
    except InputError:
        return None


def _improved_by_neighbours(problem: RouteProblem, known: tuple[Route | None, ...]) -> Route | None:
    """Return the best of a route and of its neighbours' paths, polished for its arrival time."""
    best = known[1]
    cost = objective_value(problem, best) if best is not None else np.inf
    for neighbour in (known[0], known[2]):
        if neighbour is None:
            continue
        assert problem.arrive_by is not None
        share = (problem.arrive_by - problem.depart) / neighbour.duration
        time = problem.depart + share * (neighbour.time - neighbour.time[0])
        begin = route_with_energy(problem, time, neighbour.x, neighbour.y)
        if objective_value(problem, begin) > (1.0 + NEAR) * cost:
            continue
        route = polished_route(problem, begin).route
        if objective_value(problem, route) < (1.0 - BETTER) * cost:
            best, cost = route, objective_value(problem, route)
    return best


def _undominated(routes: list[Route]) -> tuple[Route, ...]:
    """Return the routes, the quickest first, without those that another beats or equals in both time and energy."""
    kept: list[Route] = []
    for route in sorted(routes, key=lambda one: (one.duration, one.energy[-1])):
        if not kept or route.energy[-1] < kept[-1].energy[-1] * (1.0 - BETTER):
            kept.append(route)
    return tuple(kept)
