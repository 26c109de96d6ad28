"""What the parts of a path cost, and when they are gone."""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.studies.route.flow_along import flow_along
from usv_energy.studies.route.route_problem import Route, RouteProblem, bearings

GAUSS = {1: ((0.0,), (1.0,)), 2: ((-0.5 / 3.0 ** 0.5, 0.5 / 3.0 ** 0.5), (0.5, 0.5)),
         4: ((-0.4305681557970263, -0.1699905217924281, 0.1699905217924281, 0.4305681557970263),
             (0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269))}
SLACK = 1e-9    # Of the highest speed: power is asked for just below it.
SLOPE = 1e-3    # Of the highest speed: over which power's slope there is taken.


class PartCost(NamedTuple):
    """Of each part, shape (..., N): power W; mean velocity through the water squared, m^2/s^2; highest speed m/s."""

    power: np.ndarray
    square: np.ndarray
    top: np.ndarray


class PathCost:
    """The cost of a problem's paths; NaN where water or air are not known, or the boat cannot go."""

    def __init__(self, problem: RouteProblem, points: int = 2, drift_bend: float = 1.0) -> None:
        """
        Take the problem.

        :param points: How many of Gauss's points a part has, one of GAUSS.
        :param drift_bend: Power between drifting and the lowest speed goes with this power of the speed: 1 for what
            it is, more for what has no corner where the boat drifts.
        """
        self.problem, self._drift_bend = problem, drift_bend
        self._current, self._wind = flow_along(problem.current), flow_along(problem.wind)
        self._places, self._shares = GAUSS[points]

    def parts(self, way: np.ndarray, middle: np.ndarray, span: Any, with_power: bool = True,
              start: np.ndarray | None = None, length: np.ndarray | None = None) -> PartCost:
        """
        Return what the parts cost.

        Above the highest speed power goes on along its slope there. With a fixed speed, power is that of this speed.
        Where the boat may drift, a mean speed below the lowest is that of drifting for a part of the time.

        :param way: From each part's begin to its end, m, shape (..., N, 2).
        :param middle: Of each part, m, same shape.
        :param span: Duration of the whole path, s, shape (...,), of N parts of the same duration.
        :param with_power: Whether power is wanted; else it is 0.
        :param start: When each part begins, s, and `length`, how long it lasts, shape (N,), where they differ.
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
        """Return power, W, and the highest speed, m/s, of velocities through the water and of the air through it."""
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



STILL = 1e-6            # Of a route's length: a part that is shorter is a stop.
LEAST_PARTS = 4         # Of a way between two stops.
NO_TIME = 1e-9          # Of a path's time: a stop that is shorter is none.


class TimeMoves(NamedTuple):
    """
    How the times of N parts move with K spans.

    `begin`, `length`: of each part, s, shape (N,). `move`: what a unit of each of L variables adds to both, s, shape
    (N, L, 2); `by_span`: by how much each variable moves with each span, 1/s, (N, L, K).
    """

    begin: np.ndarray
    length: np.ndarray
    move: np.ndarray
    by_span: np.ndarray


class PathTiming:
    """
    The ways and stops of a path of N parts.

    `begin` (from the departure) and `length` of each part, by the spans, (-), shape (N, K); `stops`: which spans are
    those of stops, (K,); `nodes`: at which points the stops are, in their order.
    """

    def __init__(self, counts: tuple[int, ...], first_stops: bool = False) -> None:
        """Take the parts of each way between stops; and whether the path begins with a stop."""
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
        """Return the same in twice as many parts."""
        return PathTiming(tuple(2 * count for count in self.counts), self.first_stops)

    def begin_length(self, depart: float, spans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return when the parts begin, and how long they last, s, shape (..., N), of spans (..., K)."""
        return depart + spans @ self.begin.T, spans @ self.length.T

    def moves(self, depart: float, spans: np.ndarray) -> TimeMoves:
        """Return how times move: one variable where there is one span, else each part's begin and length."""
        begin, length = self.begin_length(depart, spans)
        if spans.size == 1:
            return TimeMoves(begin, length, spans[0] * np.stack((self.begin, self.length), axis=-1),
                             np.full((self.number, 1, 1), 1.0 / spans[0]))
        whole = float(spans.sum())
        move = np.zeros((self.number, 2, 2))
        move[:, 0, 0], move[:, 1, 1] = whole, length
        return TimeMoves(begin, length, move, np.stack((self.begin / whole, self.length / length[:, None]), axis=1))

    def drawn(self, depart: float, spans: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return times, s, and points, m, of a path (N + 1, 2): a stop is a point twice; one of no time is none."""
        begin, length = self.begin_length(depart, spans)
        time = np.append(begin, begin[-1] + length[-1])
        stops = [(node, last) for node, last in zip(self.nodes, spans[self.stops]) if last > NO_TIME * spans.sum()]
        nodes, arrive = [node for node, _ in stops], [begin[node] - last for node, last in stops]
        return np.insert(time, nodes, arrive), np.insert(path, nodes, path[nodes], axis=0)


def timing_of(route: Route, number: int) -> tuple[PathTiming, np.ndarray, np.ndarray]:
    """
    Return the timing of a route in about so many parts; its spans, s, shape (K,); its points, m, (parts + 1, 2).

    A stop at the goal is left away.
    """
    ways = _ways(route)
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


def _ways(route: Route) -> list[tuple[int, int]]:
    """Return the first and the last point of each way between stops; the whole where nothing moves."""
    way = np.hypot(np.diff(route.x), np.diff(route.y))
    goes = np.concatenate(([0], (way > STILL * way.sum()).astype(int), [0]))
    edges = np.flatnonzero(np.diff(goes)).tolist()
    return list(zip(edges[::2], edges[1::2])) or [(0, len(route.time) - 1)]


def stop_power(problem: RouteProblem) -> float:
    """Return the power of lying still, W: at anchor that of speed 0, else that of going in circles at the speed."""
    speed = np.full(1, 0.0 if problem.may_wait or problem.speed is None else problem.speed)
    return float(np.asarray(problem.cost.power(speed, np.zeros(1), np.zeros(1)))[0])


def stop_rate(problem: RouteProblem) -> Any:
    """Return what a second of a stop costs, as the problem counts it: J or s."""
    return stop_power(problem) if problem.objective == 'energy' else 1.0
