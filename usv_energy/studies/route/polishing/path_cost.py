"""The cost of the parts of a path, and the times at which they begin and end."""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.flow.flow_box import flow_along
from usv_energy.studies.route.route_problem import Route, RouteProblem, bearings

GAUSS = {1: ((0.0,), (1.0,)), 2: ((-0.5 / 3.0 ** 0.5, 0.5 / 3.0 ** 0.5), (0.5, 0.5)),
         4: ((-0.4305681557970263, -0.1699905217924281, 0.1699905217924281, 0.4305681557970263),
             (0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269))}
SLACK = 1e-9            # of the highest speed: power there is taken this much below it
SLOPE = 1e-3            # of the highest speed: step of the finite difference of power there
STILL = 1e-6            # of a route's length: a shorter part is a stop
LEAST_PARTS = 4         # between two stops
SHORTEST_STOP = 1e-9    # of a path's duration: a shorter stop is dropped


class PartCost(NamedTuple):
    """Per part, shape (..., N): power W; mean velocity through the water squared, m^2/s^2; highest speed m/s."""

    power: np.ndarray
    square: np.ndarray
    top: np.ndarray


class PathCost:
    """The cost of a problem's paths; NaN where water or air are unknown, or the thrusters are too weak."""

    def __init__(self, problem: RouteProblem, points: int = 2, drift_bend: float = 1.0) -> None:
        """
        Take the problem.

        :param points: Number of Gauss points of a part, one of GAUSS.
        :param drift_bend: Exponent of the speed in the power between drifting and the lowest speed: 1 is exact, more
            removes the corner at which drifting begins.
        """
        self.problem, self._drift_bend = problem, drift_bend
        self._current, self._wind = flow_along(problem.current), flow_along(problem.wind)
        self._places, self._shares = GAUSS[points]

    def parts(self, way: np.ndarray, middle: np.ndarray, span: Any, with_power: bool = True,
              start: np.ndarray | None = None, length: np.ndarray | None = None) -> PartCost:
        """
        Return the cost of parts.

        Above the highest speed power is extrapolated along its slope there. With a fixed speed, power is that of this
        speed. If the boat may drift, a mean speed below the lowest means drifting for a part of the time.

        :param way: From each part's begin to its end, m, shape (..., N, 2).
        :param middle: Of each part, m, same shape.
        :param span: Duration of the whole path, s, shape (...,), for N parts of the same duration.
        :param with_power: Whether to compute power; else it is 0.
        :param start: Begin of each part, s, shape (N,), with `length`, its duration, s, if durations differ.
        """
        number = way.shape[-2]
        step = np.asarray(span)[..., None] / number if length is None else length
        begin = self.problem.depart + step * np.arange(number) if start is None else start
        velocity = way / step[..., None]
        power: Any = 0.0
        mean: Any = 0.0
        top: Any = np.inf
        for place, share in zip(self._places, self._shares):
            at = middle + place * way
            x, y, time = np.broadcast_arrays(at[..., 0], at[..., 1], begin + (0.5 + place) * step)
            current, wind = (np.stack(flow(time, x, y), axis=-1) for flow in (self._current, self._wind))
            water, air = velocity - current, wind - current
            mean = mean + share * water
            watts, most = self._power(water, air, with_power)
            power, top = power + share * watts, np.minimum(top, most)
        square = np.sum(np.square(mean), axis=-1)
        return PartCost(power + 0.0 * square, square, top + 0.0 * square)

    def _power(self, water: np.ndarray, air: np.ndarray, with_power: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return power, W, and highest speed, m/s, for velocities through the water and of the air through it."""
        cost, fixed = self.problem.cost, self.problem.speed
        speed = np.hypot(water[..., 0], water[..., 1])
        ahead = water / np.where(speed > 0.0, speed, 1.0)[..., None]
        along = air[..., 0] * ahead[..., 0] + air[..., 1] * ahead[..., 1]
        across = ahead[..., 0] * air[..., 1] - ahead[..., 1] * air[..., 0]
        bearing = bearings(cost, water[..., 0], water[..., 1])
        top = cost.top_speed(along, across, *bearing)
        if not with_power:
            return np.zeros_like(speed), top
        wanted = speed if fixed is None else np.full_like(speed, fixed)
        held = np.minimum(wanted, (1.0 - SLACK) * top)
        watts = np.asarray(cost.power(held, along, across, *bearing))
        lowest = self.problem.lowest_speed
        if self.problem.may_drift and fixed is None and (slow := speed < lowest).any():
            driven, still = (speed[slow] / lowest) ** self._drift_bend, np.zeros(int(slow.sum()))
            there = cost.power(lowest + still, along[slow], across[slow],
                               *(one[slow] for one in bearing))
            watts[slow] = (1.0 - driven) * cost.power(still, still, still) + driven * there
        over = wanted > held
        if over.any():
            below = cost.power((1.0 - SLOPE) * held[over], along[over], across[over],
                               *(one[over] for one in bearing))
            watts[over] += (watts[over] - below) / (SLOPE * held[over]) * (wanted - held)[over]
        return watts, top


class TimeVariables(NamedTuple):
    """
    The L variables by which the times of N parts depend on K spans.

    `begin`, `length`: of each part, s, shape (N,). `change`: what a unit of each variable adds to these, s, shape
    (N, L, 2); `by_span`: derivative of each variable by each span, 1/s, (N, L, K).
    """

    begin: np.ndarray
    length: np.ndarray
    change: np.ndarray
    by_span: np.ndarray


class PathTiming:
    """
    The times of a path of N parts as linear functions of K spans: the durations of its stops and of the ways between.

    `begin` (from the departure) and `length` of each part per span, (-), shape (N, K); `stops`: which spans are those
    of stops, (K,); `nodes`: the indices of the points at which the stops are, in order.
    """

    def __init__(self, counts: tuple[int, ...], first_stops: bool = False) -> None:
        """Take the number of parts of each way between stops, and whether the path begins with a stop."""
        self.counts, self.first_stops = counts, first_stops
        self.number = sum(counts)
        size = 2 * len(counts) - 1 + first_stops
        self.stops = np.arange(size) % 2 == (0 if first_stops else 1)
        self.begin, self.length = np.zeros((self.number, size)), np.zeros((self.number, size))
        ends = np.cumsum(counts).tolist()
        for way, (last, count) in enumerate(zip(ends, counts)):
            parts, span = slice(last - count, last), 2 * way + first_stops
            self.begin[parts, :span] = 1.0
            self.begin[parts, span] = np.arange(count) / count
            self.length[parts, span] = 1.0 / count
        self.nodes = [0] * first_stops + ends[:-1]

    def finer(self) -> 'PathTiming':
        """Return the timing of the same path in twice as many parts."""
        return PathTiming(tuple(2 * count for count in self.counts), self.first_stops)

    def begin_length(self, depart: float, spans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return begin and duration of the parts, s, shape (..., N), for spans (..., K)."""
        return depart + spans @ self.begin.T, spans @ self.length.T

    def variables(self, depart: float, spans: np.ndarray) -> TimeVariables:
        """Return the variables of time: a single one if there is one span, else each part's begin and length."""
        begin, length = self.begin_length(depart, spans)
        if spans.size == 1:
            return TimeVariables(begin, length, spans[0] * np.stack((self.begin, self.length), axis=-1),
                             np.full((self.number, 1, 1), 1.0 / spans[0]))
        whole = float(spans.sum())
        change = np.zeros((self.number, 2, 2))
        change[:, 0, 0], change[:, 1, 1] = whole, length
        by_span = np.stack((self.begin / whole, self.length / length[:, None]), axis=1)
        return TimeVariables(begin, length, change, by_span)

    def route_points(self, depart: float, spans: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return times, s, and points, m, of the route of a path (N + 1, 2): a stop is a repeated point."""
        begin, length = self.begin_length(depart, spans)
        time = np.append(begin, begin[-1] + length[-1])
        stops = [(node, duration) for node, duration in zip(self.nodes, spans[self.stops])
                 if duration > SHORTEST_STOP * spans.sum()]
        nodes, arrive = [node for node, _ in stops], [begin[node] - duration for node, duration in stops]
        return np.insert(time, nodes, arrive), np.insert(path, nodes, path[nodes], axis=0)


def timing_of(route: Route, number: int) -> tuple[PathTiming, np.ndarray, np.ndarray]:
    """
    Return the timing of a route in about `number` parts; its spans, s, shape (K,); its points, m, (parts + 1, 2).

    A stop at the goal is dropped.
    """
    ways = _moving_stretches(route)
    starts = [float(route.time[first]) for first, _ in ways]
    ends = [float(route.time[last]) for _, last in ways]
    going = sum(ends) - sum(starts)
    if len(ways) == 1:
        counts: tuple[int, ...] = (number,)
    else:
        counts = tuple(max(round(number * (end - start) / going), LEAST_PARTS) for start, end in zip(starts, ends))
    first_stops = ways[0][0] > 0
    spans = [starts[0] - float(route.time[0])] * first_stops
    points = [np.array([(route.x[ways[0][0]], route.y[ways[0][0]])])]
    for way, (start, end, count) in enumerate(zip(starts, ends, counts)):
        spans += ([start - ends[way - 1]] if way else []) + [end - start]
        at = np.linspace(start, end, count + 1)
        first, last = ways[way]
        some = slice(first, last + 1)
        points.append(np.column_stack([np.interp(at[1:], route.time[some], each[some]) for each in (route.x, route.y)]))
    return PathTiming(counts, first_stops), np.array(spans), np.concatenate(points)


def _moving_stretches(route: Route) -> list[tuple[int, int]]:
    """Return the indices of the first and the last point of each way between stops; of the route if it never moves."""
    way = np.hypot(np.diff(route.x), np.diff(route.y))
    goes = np.concatenate(([0], (way > STILL * way.sum()).astype(int), [0]))
    edges = np.flatnonzero(np.diff(goes)).tolist()
    return list(zip(edges[::2], edges[1::2])) or [(0, len(route.time) - 1)]


def stop_power(problem: RouteProblem) -> float:
    """Return the power during a stop, W: that of speed 0, or that of circling at a fixed speed if it may not wait."""
    speed = np.full(1, 0.0 if problem.may_wait or problem.speed is None else problem.speed)
    return float(np.asarray(problem.cost.power(speed, np.zeros(1), np.zeros(1)))[0])


def stop_rate(problem: RouteProblem) -> Any:
    """Return the cost of a second of a stop in the problem's objective, J or s."""
    return stop_power(problem) if problem.objective == 'energy' else 1.0
