"""What long legs cost, on which the flow changes: a timed way in short parts, and their sums."""

import numpy as np

from .priced_route import priced_route
from .route_problem import Route, RouteProblem

PARTS = 200             # Of the whole way, about, at which it is cut,


def timed_route(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray,
                rest: np.ndarray | None = None) -> Route:
    """
    Return a way over time as a route, with what it takes; NaN from where the boat cannot hold it or no flow is known.

    :param problem: Its boat, water and air.
    :param time: s of the flow's clock, rising, shape (N,).
    :param x: East, m, shape (N,); straight and at one velocity over ground between two times.
    :param y: North, m, shape (N,).
    :param rest: Parts in which the boat lies still or drifts, at the cost of speed 0, shape (N - 1,).
    """
    duration, length = np.diff(time), np.hypot(np.diff(x), np.diff(y))
    pieces = np.maximum(1, np.ceil(PARTS * length / max(float(length.sum()), 1e-9))).astype(int)
    ends = np.concatenate([[0], np.cumsum(pieces)])
    places = np.interp(np.arange(ends[-1] + 1), ends, np.arange(time.size))
    fine = priced_route(problem, *(np.interp(places, np.arange(time.size), part) for part in (time, x, y)))
    used = np.add.reduceat(np.diff(fine.energy), ends[:-1])
    speed = np.add.reduceat(fine.speed * np.diff(fine.time), ends[:-1]) / duration
    if rest is not None and rest.any():
        standing = float(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0])
        used, speed = np.where(rest, standing * duration, used), np.where(rest, 0.0, speed)
    return Route(time, x, y, speed, np.concatenate([[0.0], np.cumsum(used)]))
