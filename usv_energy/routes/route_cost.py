"""What a route costs: its energy and speeds through the water, each part straight and at one velocity over ground."""

from typing import NamedTuple

import numpy as np

from .path_cost import PathCost
from .path_timing import stop_power
from .route_problem import Route, RouteProblem

PARTS = 256             # Into which a route is divided at least, to be costed.
ROUNDS = 60             # Of the search for times at a fixed speed.
TOO_FAST = 1e-3         # Share of the highest speed by which a part of a route may exceed it, being the mean of a part.


class CostedRoute(NamedTuple):
    """A route with its speeds and energies, and what it costs as the problem counts it: J or s; inf where none."""

    route: Route
    cost: float


def costed(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray, parts: int = PARTS,
           slack: float = TOO_FAST) -> CostedRoute:
    """
    Return a route through points, divided into parts, at the problem's fixed speed if it has one.

    A part that stays where it is is a stop, as long as it is given: at anchor where the problem allows that.

    :param time: At the points, s, rising; with a fixed speed only where to begin looking.
    :param x: East, m; `y`, north.
    :param parts: At least so many.
    :param slack: Share of the highest speed by which a part may exceed it.
    """
    points, time = _divided(np.column_stack((x, y)), np.asarray(time, dtype=float), parts)
    model = PathCost(problem, 4)
    way, middle = np.diff(points, axis=0), 0.5 * (points[1:] + points[:-1])
    length = np.diff(time)
    if problem.speed is not None:
        length = _lengths_at_speed(model, way, middle, length)
    begin = problem.depart + np.concatenate(([0.0], np.cumsum(length)))
    part = model.parts(way, middle, 0.0, start=begin[:-1], length=length)
    stops = (way == 0.0).all(axis=1)
    power, speed = part.power, np.sqrt(part.square)
    if problem.may_wait or problem.speed is not None:
        power = np.where(stops, stop_power(problem), power)
        speed = np.where(stops, 0.0 if problem.may_wait else problem.speed or 0.0, speed)
    energy = np.concatenate(([0.0], np.cumsum(power * length)))
    route = Route(begin, points[:, 0], points[:, 1], speed, energy)
    held = np.isfinite(energy[-1]) and np.all((speed <= part.top * (1.0 + slack) + 1e-12) | stops)
    if problem.speed is None and not problem.may_drift:
        held &= bool(np.all((speed >= problem.lowest_speed * (1.0 - slack)) | stops))
    if problem.arrive_by is not None:
        held &= bool(begin[-1] <= problem.arrive_by + 1e-6 * abs(problem.arrive_by - problem.depart))
    cost = energy[-1] if problem.objective == 'energy' else begin[-1] - begin[0]
    return CostedRoute(route, float(cost) if held else np.inf)


def _divided(points: np.ndarray, time: np.ndarray, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points and times of a route in at least so many parts, about equally long in time but for stops."""
    lasts = np.diff(time)
    stops = (np.diff(points, axis=0) == 0.0).all(axis=1)
    each = np.where(stops, 1, np.maximum(np.ceil(parts * lasts / lasts.sum() - 1e-6), 1)).astype(int)
    share = np.concatenate([[0.0], *(n + np.arange(1, many + 1) / many for n, many in enumerate(each))])
    whole = np.arange(time.size)
    return (np.column_stack([np.interp(share, whole, points[:, k]) for k in (0, 1)]), np.interp(share, whole, time))


def _lengths_at_speed(model: PathCost, way: np.ndarray, middle: np.ndarray, length: np.ndarray) -> np.ndarray:
    """
    Return how long each part lasts, s, at the problem's speed through the water; NaN where it cannot be held to.

    Newton's method on the square of the mean speed through the water, from the durations given, all parts at once; when
    each begins follows from those before it.
    """
    wanted = model.problem.speed ** 2  # type: ignore[operator]
    stops = (way == 0.0).all(axis=1)
    with np.errstate(divide='ignore', invalid='ignore'):
        for _ in range(ROUNDS):
            begin = model.problem.depart + np.concatenate(([0.0], np.cumsum(length)[:-1]))
            small = 1e-5 * length
            here, later = (model.parts(way, middle, 0.0, False, begin, length + more).square
                           for more in (0.0, small))
            change = (wanted - here) * small / (later - here)
            change = np.clip(np.where(np.isfinite(change) & ~stops, change, 0.0), -0.5 * length, 2.0 * length)
            length = length + change
            if np.all(abs(change) <= 1e-13 * length.mean() + 1e-11 * length):
                break
    off = np.where(np.isfinite(here), abs(here / wanted - 1.0), np.inf)
    return np.where((off < 1e-6) | stops, length, np.nan)
