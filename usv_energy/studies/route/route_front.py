"""The Pareto front between least time and least energy: the cheapest route for each of some arrival times."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, cores, forked, no_progress
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_cost import objective_value, route_with_energy
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.search.rough_ways import SearchOptions

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
