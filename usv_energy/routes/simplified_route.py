"""A route as few legs, each at one speed over ground: what a helm, a plan file and a table can hold."""

from itertools import pairwise

import numpy as np

from .route_problem import Route, RouteProblem
from .timed_route import timed_route

TOLERANCES = 0.03, 0.02, 0.012, 0.008, 0.005, 0.003, 0.002, 0.001, 0.0005     # Of the route's length.
MOST_DEARER = 0.003     # Share of the energy that legs may cost more than the route.


def simplified(route: Route, problem: RouteProblem, dearer: float = MOST_DEARER) -> Route:
    """
    Return a route with the fewest legs that cost about the same, at the same times at their ends.

    No place of the route is farther from where the boat is on its leg at that time than a tolerance; the greatest of
    TOLERANCES is taken whose legs the boat can hold, keep off the barriers, and take at most a share more energy.

    :param dearer: That share, (-).
    """
    legs = route
    for tolerance in TOLERANCES:
        kept = _kept(route, tolerance * max(route.length, 1e-9), problem)
        rest = (route.speed == 0.0) & (np.diff(route.time) > 0.0)
        legs = timed_route(problem, route.time[kept], route.x[kept], route.y[kept],
                           np.logical_and.reduceat(rest, kept[:-1]))
        if legs.energy[-1] <= (1.0 + dearer) * route.energy[-1]:
            break
    return legs if np.isfinite(legs.energy[-1]) else route


def _kept(route: Route, tolerance: float, problem: RouteProblem) -> np.ndarray:
    """Return the numbers of the points that stay, ends included. After Douglas and Peucker (1973), at equal times."""
    # Where the boat stops, drifts or goes on, there is a corner anyhow.
    change = np.flatnonzero(np.diff((route.speed == 0.0).astype(int))) + 1
    open_ends = [0, *change.tolist(), route.time.size - 1]
    kept, waiting = set(open_ends), list(pairwise(open_ends))
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        share = (route.time[first:last + 1] - route.time[first]) / (route.time[last] - route.time[first])
        off = np.hypot(*(part[first:last + 1] - part[first] - share * (part[last] - part[first])
                         for part in (route.x, route.y)))
        at = first + int(np.argmax(off))
        if off[at - first] <= tolerance:
            ends = (part[np.array([number])] for number in (first, last) for part in (route.x, route.y))
            if not problem.barriers.crossed(*ends).any():
                continue
            at = at if first < at < last else (first + last) // 2
        kept.add(at)
        waiting += [(first, at), (at, last)]
    return np.array(sorted(kept))
