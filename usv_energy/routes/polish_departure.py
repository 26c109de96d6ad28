"""
When to go: the polish of a departure inside a window, and of the stops of a route that waits on its way.

The time of leaving is one number a stop, so that it is looked for around routes that are polished for each; what is
before a stop and what is after it only meet at the place and in that time.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from .polish import PolishedRoute, polished
from .route_cost import costed
from .route_problem import MotionCost, Route, RouteProblem

COARSE = {'tolerance': 1e-3, 'most_parts': 64}  # Of the polish while times are looked for.
TRIED = 9               # Departures that are tried over a window before the best is looked at closely.
LOOKS = 14              # Departures that are tried then, at most.
CLOSE = 1e-3            # Share of the window to which a departure is found.
MUCH = 1e300            # What costs endlessly, as a number.
STILL = 1e-6            # Of a route's length: a part that is shorter is a stop.


class Departure(NamedTuple):
    """A departure that was polished: time s, its cost J or s, as the problem counts it, and its route."""

    time: float
    cost: float
    route: Route


class PolishedDeparture(NamedTuple):
    """The best departure, and those that were tried, by time: a curve of cost over departure."""

    best: PolishedRoute
    tried: tuple[Departure, ...]


def polished_departure(problem: RouteProblem, rough: Route, latest: float) -> PolishedDeparture:
    """
    Return the best route that leaves from `problem.depart` on, and no later than `latest`; before it nothing is used.

    :param problem: Its objective is counted from the departure: energy used, or time taken.
    :param rough: As of `polished`, at any departure.
    :param latest: s of the flow's clock.
    """
    tried: list[Departure] = []

    def cost_at(time: float) -> float:
        known = min(tried, key=lambda one: abs(one.time - time), default=None)
        begin = rough if known is None or not np.isfinite(known.cost) else known.route
        found = polished(problem._replace(depart=time), _at(begin, time), **COARSE)  # type: ignore[arg-type]
        tried.append(Departure(time, found.cost, found.route))
        return found.cost

    _search(cost_at, np.linspace(problem.depart, latest, TRIED), CLOSE * (latest - problem.depart))
    tried.sort(key=lambda one: one.time)
    chosen = min(tried, key=lambda one: one.cost)
    return PolishedDeparture(polished(problem._replace(depart=chosen.time), chosen.route), tuple(tried))


def polished_stops(problem: RouteProblem, rough: Route) -> PolishedRoute:
    """
    Return a route that waits at anchor on its way, polished: the ways between its stops, and how long each stop lasts.

    The places of the stops stay. Power while at anchor is that of speed 0. A route without stops is polished as it is.

    :param problem: Which allows waiting.
    :param rough: A route, some of whose parts stay where they are.
    """
    pieces = _pieces(rough)
    if len(pieces) < 2:
        return polished(problem, rough)
    before = _whole(problem, [costed(problem._replace(start=_place(one, 0), goal=_place(one, -1), depart=one.time[0],
                                                      arrive_by=None), one.time, one.x, one.y).route for one in pieces])
    leave = [float(piece.time[0]) for piece in pieces]
    ways = [_way(problem, pieces, leave, number, COARSE) for number in range(len(pieces))]
    for number in range(1, len(pieces)):
        def cost_at(time: float, number: int = number) -> float:
            leave[number] = time
            ways[number - 1:number + 1] = (_way(problem, pieces, leave, k, COARSE) for k in (number - 1, number))
            return _cost(problem, _whole(problem, ways))
        least, most = leave[number - 1], leave[number + 1] if number + 1 < len(leave) else pieces[-1].time[-1]
        times = np.unique(np.append(np.linspace(least, most, TRIED)[1:-1], leave[number]))
        cost_at(_search(cost_at, times, CLOSE * (most - least)))
    whole = _whole(problem, [_way(problem, pieces, leave, number, {}) for number in range(len(pieces))])
    costs = _cost(problem, before), _cost(problem, whole)
    better = costs[1] <= costs[0]
    return PolishedRoute(whole if better else before, min(costs), np.nan, costs[0], better, 0)


class _AboveStanding:
    """A MotionCost less what standing costs: what a way before a stop is to save."""

    def __init__(self, cost: MotionCost) -> None:
        self.cost, self.top_speed = cost, cost.top_speed
        self.standing = _standing(cost)

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray) -> np.ndarray:
        return self.cost.power(speed, air_along, air_across) - self.standing


def _standing(cost: MotionCost) -> float:
    return float(cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0])


def _way(problem: RouteProblem, pieces: list[Route], leave: list[float], number: int,
         how: dict[str, float]) -> Route:
    """Return the polished way from one stop to the next, which it leaves at the next one's time or earlier."""
    piece, last = pieces[number], number == len(pieces) - 1
    asked = problem._replace(start=_place(piece, 0), goal=_place(piece, -1), depart=leave[number])
    if not last:
        cost = _AboveStanding(problem.cost) if problem.speed is None else problem.cost
        asked = asked._replace(arrive_by=leave[number + 1], cost=cost, objective='energy')
    return polished(asked, _at(piece, leave[number]), **how).route  # type: ignore[arg-type]


def _whole(problem: RouteProblem, ways: list[Route]) -> Route:
    """Return ways and the stops between them as one route; energies of the problem's own cost."""
    standing, used = _standing(problem.cost), 0.0
    columns: list[list[np.ndarray]] = [[], [], [], [], []]
    for number, way in enumerate(ways):
        part = costed(problem._replace(depart=float(way.time[0]), arrive_by=None), way.time, way.x, way.y, 1).route
        if number:
            used += standing * (part.time[0] - columns[0][-1][-1])
            columns[3].append(np.zeros(1))
        for column, values in zip(columns, (part.time, part.x, part.y, part.speed, used + part.energy)):
            column.append(values)
        used += float(part.energy[-1])
    time, x, y, speed, energy = (np.concatenate(column) for column in columns)
    return Route(time, x, y, speed, energy)


def _cost(problem: RouteProblem, route: Route) -> float:
    """Return what a whole route costs; inf where its stops would last less than no time, or it is late."""
    late = problem.arrive_by is not None and route.time[-1] > problem.arrive_by + 1e-6 * route.duration
    if late or not np.isfinite(route.energy[-1]) or np.any(np.diff(route.time) < -1e-6 * route.duration):
        return np.inf
    return float(route.energy[-1]) if problem.objective == 'energy' else route.duration


def _pieces(route: Route) -> list[Route]:
    """Return the ways of a route between its stops."""
    way = np.hypot(np.diff(route.x), np.diff(route.y))
    goes = np.append(way > STILL * way.sum(), False)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], goes.astype(int)))))
    return [Route(route.time[first:last + 1], route.x[first:last + 1], route.y[first:last + 1],
                  route.speed[first:last], route.energy[first:last + 1])
            for first, last in zip(edges[::2], edges[1::2])]


def _place(route: Route, at: int) -> tuple[float, float]:
    return float(route.x[at]), float(route.y[at])


def _at(route: Route, time: float) -> Route:
    """Return a route that leaves at another time, s."""
    return route._replace(time=route.time - route.time[0] + time)


def _search(cost_at: Callable[[float], float], times: np.ndarray, close: float) -> float:
    """Return where a cost is least: at the best of some times, or between those beside it."""
    costs = np.array([cost_at(float(time)) for time in times])
    best = int(np.argmin(costs))
    found = minimize_scalar(lambda time: min(cost_at(float(time)), MUCH), method='bounded',
                            bounds=(times[max(best - 1, 0)], times[min(best + 1, times.size - 1)]),
                            options={'xatol': close, 'maxiter': LOOKS})
    return float(times[best] if costs[best] <= found.fun else found.x)
