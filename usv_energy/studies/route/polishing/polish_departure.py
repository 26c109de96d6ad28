"""When to go: the polish of a departure inside a window, looked for around routes that are polished for each."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from usv_energy.studies.route.polishing.polish import PolishedRoute, polished_route
from usv_energy.studies.route.route_problem import Route, RouteProblem

COARSE = {'tolerance': 1e-3, 'most_parts': 64}  # Of the polish while times are looked for.
TRIED = 9               # Departures that are tried over a window before the best is looked at closely.
LOOKS = 14              # Departures that are tried then, at most.
CLOSE = 1e-3            # Share of the window to which a departure is found.
MUCH = 1e300            # What costs endlessly, as a number.


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
        found = polished_route(problem._replace(depart=time), _at(begin, time), **COARSE)  # type: ignore[arg-type]
        tried.append(Departure(time, found.cost, found.route))
        return found.cost

    _search(cost_at, np.linspace(problem.depart, latest, TRIED), CLOSE * (latest - problem.depart))
    tried.sort(key=lambda one: one.time)
    chosen = min(tried, key=lambda one: one.cost)
    return PolishedDeparture(polished_route(problem._replace(depart=chosen.time), chosen.route), tuple(tried))


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
