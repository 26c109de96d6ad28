"""What a drawn way costs: its times where the speed is given, its energy, and whether it can be gone at all."""

import math

import numpy as np

from .flow_along import flow_along
from .path_cost import PathCost
from .route_problem import Route, RouteProblem, bearings

PIECES = 256        # Of a way whose times are found by going along it.
SAMPLES = 4         # Gauss's points of each part of a route: those that PathCost knows.
TOO_FAST = 1e-3     # Share by which a part may ask for more than the top speed: that of a part's mean.


def priced_route(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> Route:
    """
    Return a route with its speeds and energies, from the flows themselves; NaN from where it cannot be gone.

    :param time: s, rising, shape (N,); `x`, `y`: east and north, m, (N,).
    """
    way = np.column_stack((np.diff(x), np.diff(y)))
    middle = np.column_stack((x[1:] + x[:-1], y[1:] + y[:-1])) / 2.0
    lasting = np.diff(time)
    cost = PathCost(problem, SAMPLES).parts(way, middle, np.array(lasting.sum()), start=time[:-1], length=lasting)
    speed = np.sqrt(cost.square)
    power = np.where(speed <= cost.top * (1.0 + TOO_FAST), cost.power, np.nan)
    standing = float(np.asarray(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1)))[0])
    if problem.may_wait:
        still = (way == 0.0).all(axis=1) & ~(power < standing)
        speed, power = np.where(still, 0.0, speed), np.where(still, standing, power)
    if problem.may_drift:
        power = np.where(speed <= 1e-6 * np.nanmax(cost.top), standing, power)
    return Route(time, x, y, speed, np.concatenate(((0.0,), np.cumsum(power * lasting))))


def gone_along(problem: RouteProblem, x: np.ndarray, y: np.ndarray, until: np.ndarray | None = None) -> Route:
    """
    Return the route along a drawn way at the problem's speed, or at top speed; NaN from where it cannot be gone.

    :param x: East of the way's corners, m, shape (N,); `y`: north. Two corners at one place are a wait there.
    :param until: Until when it waits, s, where it does, shape (N,); None: nowhere.
    """
    x, y, until = pieces_of(x, y, np.full(len(x), -np.inf) if until is None else until, PIECES)
    current, wind = flow_along(problem.current), flow_along(problem.wind)
    now, last = problem.depart, 0.0
    time = np.full(x.size, np.nan)
    time[0] = now
    for n in range(x.size - 1):
        east, north = x[n + 1] - x[n], y[n + 1] - y[n]
        length = math.hypot(east, north)
        if length == 0.0:
            now = time[n + 1] = max(until[n + 1], now + 1e-9 * (now - problem.depart + 1.0))
            continue
        place = np.array([now + 0.5 * last]), np.array([0.5 * (x[n] + x[n + 1])]), np.array([0.5 * (y[n] + y[n + 1])])
        water = [float(part[0]) for part in current(*place)]
        blown = [float(part[0]) for part in wind(*place)]
        last = length / _made(problem, (east / length, north / length), (water[0], water[1]),
                              (blown[0] - water[0], blown[1] - water[1]))
        if not math.isfinite(last):
            break
        now += last
        time[n + 1] = now
    return priced_route(problem, time, x, y)


def _made(problem: RouteProblem, along: tuple[float, float], water: tuple[float, float],
          air: tuple[float, float]) -> float:
    """Return the speed over ground along a unit vector, m/s; NaN where the boat cannot go along it."""
    abeam = water[1] * along[0] - water[0] * along[1]
    ahead = along
    for _ in range(3):
        head = np.array([air[0] * ahead[0] + air[1] * ahead[1]]), np.array([air[1] * ahead[0] - air[0] * ahead[1]])
        bearing = bearings(problem.cost, np.array([ahead[0]]), np.array([ahead[1]]))
        top = float(np.asarray(problem.cost.top_speed(*head, *bearing))[0])
        fast = top if problem.speed is None else problem.speed
        if not fast > abs(abeam):
            return math.nan
        made = math.sqrt(fast * fast - abeam * abeam) + water[0] * along[0] + water[1] * along[1]
        ahead = (made * along[0] - water[0]) / fast, (made * along[1] - water[1]) / fast
    return made if made > 0.0 and fast <= top * (1.0 + TOO_FAST) else math.nan


def pieces_of(x: np.ndarray, y: np.ndarray, until: np.ndarray,
              number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a way with points between its corners, m, and the times, s: in about so many pieces, all corners kept."""
    length = np.hypot(np.diff(x), np.diff(y))
    parts = np.maximum(np.round(number * length / length.sum()), 1).astype(int)
    at = np.concatenate([n + np.arange(k) / k for n, k in enumerate(parts.tolist())] + [np.array([length.size])])
    corners = np.arange(x.size)
    return np.interp(at, corners, x), np.interp(at, corners, y), until[np.ceil(at - 1e-9).astype(int)]


def waits(route: Route) -> bool:
    """Return whether a route lies still somewhere."""
    return bool(((np.diff(route.x) == 0.0) & (np.diff(route.y) == 0.0)).any())


def cost_of(problem: RouteProblem, route: Route) -> float:
    """Return what a route is judged by: its duration, s, or its energy, J; inf where it cannot be gone, or too late."""
    cost = route.duration if problem.objective == 'time' else float(route.energy[-1])
    late = problem.arrive_by is not None and not route.time[-1] <= problem.arrive_by * (1.0 + 1e-9) + 1e-6
    good = math.isfinite(cost) and math.isfinite(float(route.energy[-1])) and not late
    return cost if good else math.inf
