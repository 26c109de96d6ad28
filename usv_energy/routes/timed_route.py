"""What long legs cost, on which the flow changes: a timed way in short parts, and their sums."""

import numpy as np

from .path_cost import PathCost
from .route_problem import Route, RouteProblem

PARTS = 200             # Of the whole way, about, at which it is cut,
SAMPLES = 4             # and places in each at which the flow is asked.
TOO_FAST = 1e-3         # Share of the highest speed by which a part may exceed it, being the mean of a part.


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
    at, east, north = (np.interp(places, np.arange(time.size), part) for part in (time, x, y))
    lasting = np.diff(at)
    cost = PathCost(problem, SAMPLES).parts(
        np.column_stack([np.diff(east), np.diff(north)]),
        0.5 * np.column_stack([east[1:] + east[:-1], north[1:] + north[:-1]]), 0.0, start=at[:-1], length=lasting)
    held = np.sqrt(cost.square) <= cost.top * (1.0 + TOO_FAST)
    energy = np.add.reduceat(np.where(held, cost.power, np.nan) * lasting, ends[:-1])
    speed = np.add.reduceat(np.sqrt(cost.square) * lasting, ends[:-1]) / duration
    still = (length == 0.0) & problem.may_wait
    still = still if rest is None else still | rest
    if still.any():
        standing = float(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0])
        energy, speed = np.where(still, standing * duration, energy), np.where(still, 0.0, speed)
    return Route(time, x, y, speed, np.concatenate([[0.0], np.cumsum(energy)]))
