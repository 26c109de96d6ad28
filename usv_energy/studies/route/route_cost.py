"""The cost of a route and of a path: energy, speeds through the water, times."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.flow.flow_box import flow_along
from usv_energy.studies.route.polishing.path_cost import PathCost, stop_power
from usv_energy.studies.route.route_problem import Route, RouteProblem, bearings

PARTS = 256             # `costed_route` divides a route into at least this many parts.
ROUNDS = 60             # Most iterations for the times at a fixed speed.
TOO_FAST = 1e-3         # The mean speed of a part may exceed the highest speed by this share.
PIECES = 256            # `route_along_path` divides a path into about this many pieces,
SAME_TIMES = 1e-12      # whose times it finds to this share.
SAMPLES = 4             # Gauss points of each part of a route; see PathCost.


class CostedRoute(NamedTuple):
    """A route with its speeds and energies, and what it costs as the problem counts it: J or s; inf where none."""

    route: Route
    cost: float


def costed_route(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray, parts: int = PARTS,
           slack: float = TOO_FAST) -> CostedRoute:
    """
    Return a route through points, divided into parts, at the problem's fixed speed, or at top speed for the least time.

    A part without motion is a stop of the given duration; the boat is at anchor if the problem allows that.

    :param time: At the points, s, rising; with a fixed speed, and for the least time, only a first guess.
    :param x: East, m; `y`, north.
    :param parts: At least so many.
    :param slack: Share of the highest speed by which a part may exceed it.
    """
    points, time = _divided(np.column_stack((x, y)), np.asarray(time, dtype=float), parts)
    model = PathCost(problem, 4)
    way, middle = np.diff(points, axis=0), 0.5 * (points[1:] + points[:-1])
    length = np.diff(time)
    if problem.speed is not None or problem.objective == 'time':
        length = _durations_at_speed(model, way, middle, length)
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


def _durations_at_speed(model: PathCost, way: np.ndarray, middle: np.ndarray, length: np.ndarray) -> np.ndarray:
    """
    Return the duration of each part, s, at the problem's speed through the water or top speed, NaN if it is impossible.

    Newton's method on the square of the mean speed through the water, from the durations given, all parts at once; when
    each begins follows from those before it.
    """
    speed = model.problem.speed
    stops = (way == 0.0).all(axis=1)
    with np.errstate(divide='ignore', invalid='ignore'):
        for _ in range(ROUNDS):
            begin = model.problem.depart + np.concatenate(([0.0], np.cumsum(length)[:-1]))
            small = 1e-5 * length
            here, later = (model.parts(way, middle, 0.0, False, begin, length + more) for more in (0.0, small))
            wanted, after = (one.top ** 2 if speed is None else speed ** 2 for one in (here, later))
            change = (wanted - here.square) * small / ((later.square - after) - (here.square - wanted))
            change = np.clip(np.where(np.isfinite(change) & ~stops, change, 0.0), -0.5 * length, 2.0 * length)
            length = length + change
            if np.all(abs(change) <= 1e-13 * length.mean() + 1e-11 * length):
                break
        off = abs(here.square / wanted - 1.0)
    off = np.where(np.isfinite(off), off, np.inf)
    return np.where((off < 1e-6) | stops, length, np.nan)


def route_with_energy(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> Route:
    """
    Return a route with its speeds and energies in the flow itself; NaN from where the boat cannot follow it.

    :param time: s, rising, shape (N,); `x`, `y`: east and north, m, (N,).
    """
    return routes_with_energy(problem, np.asarray(time)[None], x, y)[0]


def routes_with_energy(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> list[Route]:
    """Return routes on one path as `route_with_energy` does, for several rows of times, s, shape (S, N)."""
    way = np.column_stack((np.diff(x), np.diff(y)))
    middle = np.column_stack((x[1:] + x[:-1], y[1:] + y[:-1])) / 2.0
    lasting = np.diff(time, axis=1)
    cost = PathCost(problem, SAMPLES).parts(way, middle, 0.0, start=time[:, :-1], length=lasting)
    speed = np.sqrt(cost.square)
    power = np.where(speed <= cost.top * (1.0 + TOO_FAST), cost.power, np.nan)
    standing = float(np.asarray(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1)))[0])
    if problem.may_wait:
        still = (way == 0.0).all(axis=1) & ~(power < standing)
        speed, power = np.where(still, 0.0, speed), np.where(still, standing, power)
    if problem.may_drift:
        fastest = np.nanmax(cost.top, axis=1, keepdims=True)
        power = np.where(speed <= 1e-6 * fastest, standing, power)
    energy = np.concatenate((np.zeros((len(time), 1)), np.cumsum(power * lasting, axis=1)), axis=1)
    return [Route(*row[:1], x, y, *row[1:]) for row in zip(time, speed, energy)]


def route_along_path(problem: RouteProblem, x: np.ndarray, y: np.ndarray, until: np.ndarray | None = None) -> Route:
    """
    Return the route along a path at the problem's speed or at top speed; NaN from where the boat cannot follow it.

    :param x: East of the path's corners, m, shape (N,); `y`: north. The boat waits where two corners coincide.
    :param until: End of each wait, s, shape (N,); None: no waits.
    """
    x, y, until = subdivided_path(x, y, np.full(len(x), -np.inf) if until is None else until, PIECES)
    current, wind = flow_along(problem.current), flow_along(problem.wind)
    way = np.diff((x, y))
    length = np.hypot(*way)
    goes = length > 0.0
    along, middle = way / np.where(goes, length, 1.0), (0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1]))
    lasts = np.zeros(length.size)
    for _ in range(length.size):    # The times of a piece depend only on those before it.
        time = _times_of_pieces(problem.depart, lasts, goes, until)
        at = 0.5 * (time[1:] + time[:-1])
        water, blown = np.stack(current(at, *middle)), np.stack(wind(at, *middle))
        before = lasts
        with np.errstate(invalid='ignore', divide='ignore'):
            lasts = np.where(goes, length / ground_speed(problem, along, water, blown - water), 0.0)
        if np.allclose(lasts, before, rtol=SAME_TIMES, atol=0.0, equal_nan=True):
            break
    time = _times_of_pieces(problem.depart, lasts, goes, until)
    time[1:][np.isnan(lasts).cumsum() > 0] = np.nan
    return route_with_energy(problem, time, x, y)


def _times_of_pieces(depart: float, lasts: np.ndarray, goes: np.ndarray, until: np.ndarray) -> np.ndarray:
    """Return the times at the ends of pieces, s; one of unknown duration (NaN) counts as none, the others wait."""
    time = [depart]
    for last, moves, end in zip(np.nan_to_num(lasts).tolist(), goes.tolist(), until[1:].tolist()):
        now = time[-1]
        time.append(now + last if moves else max(end, now + 1e-9 * (now - depart + 1.0)))
    return np.array(time)


def ground_speed(problem: RouteProblem, along: np.ndarray, water: np.ndarray, air: np.ndarray) -> np.ndarray:
    """Return speeds over ground along unit vectors, m/s, NaN where the boat cannot go along them; all (2, N), (N,)."""
    abeam = water[1] * along[0] - water[0] * along[1]
    ahead = along
    for _ in range(3):
        head = air[0] * ahead[0] + air[1] * ahead[1], air[1] * ahead[0] - air[0] * ahead[1]
        top = np.asarray(problem.cost.top_speed(*head, *bearings(problem.cost, *ahead)))
        fast = top if problem.speed is None else np.full(top.shape, problem.speed)
        made = np.sqrt(fast * fast - abeam * abeam) + water[0] * along[0] + water[1] * along[1]
        ahead = (made * along - water) / fast
    return np.where((made > 0.0) & (fast > abs(abeam)) & (fast <= top * (1.0 + TOO_FAST)), made, np.nan)


def subdivided_path(x: np.ndarray, y: np.ndarray, until: np.ndarray,
              number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a way with points between its corners, m, and the times, s: in about so many pieces, all corners kept."""
    length = np.hypot(np.diff(x), np.diff(y))
    parts = np.maximum(np.round(number * length / length.sum()), 1).astype(int)
    at = np.concatenate([n + np.arange(k) / k for n, k in enumerate(parts.tolist())] + [np.array([length.size])])
    corners = np.arange(x.size)
    return np.interp(at, corners, x), np.interp(at, corners, y), until[np.ceil(at - 1e-9).astype(int)]


def objective_value(problem: RouteProblem, route: Route) -> float:
    """Return the objective: duration, s, or energy, J; inf if the boat cannot follow the route or arrives too late."""
    cost = route.duration if problem.objective == 'time' else float(route.energy[-1])
    late = problem.arrive_by is not None and not route.time[-1] <= problem.arrive_by * (1.0 + 1e-9) + 1e-6
    good = math.isfinite(cost) and math.isfinite(float(route.energy[-1])) and not late
    return cost if good else math.inf
