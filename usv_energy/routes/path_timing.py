"""
When the parts of a path are gone: ways of parts of the same duration, and stops between them, each with its own span.

All times are linear in the spans, so that a Newton's step chooses how long each way and each stop lasts together with
the points between, those of the stops among them.
"""

from typing import Any, NamedTuple

import numpy as np

from .route_problem import Route, RouteProblem

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
