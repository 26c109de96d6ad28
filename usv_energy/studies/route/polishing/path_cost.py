"""
The cost of the parts of a path, and the times at which they begin and end.

Second derivatives of a sum over the parts of a path, by finite differences, and Newton's step by its band matrix.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

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


# Maps a part's ends (x0, y0, x1, y1) to its way and middle (Dx, Dy, mx, my).
TO_PART = np.array([(-1.0, 0.0, 1.0, 0.0), (0.0, -1.0, 0.0, 1.0), (0.5, 0.0, 0.5, 0.0), (0.0, 0.5, 0.0, 0.5)])
MOST_DAMPING = 1e3
LEAST_CURVATURE = 1e-3  # by the spans, as a share of the greatest one; a smaller curvature is raised to it
Values = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # (B, N, 2) twice, (B, N) twice: (B, N)


class Derivatives(NamedTuple):
    """
    First and second derivatives of a sum of N parts.

    `gradient`, (N, 4), and `hessian`, (N, 4, 4): by each part's ends. `span_gradient`, (K,), and `span_hessian`,
    (K, K): by the spans. `mixed_hessian`, (N, 4, K): by both.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    span_gradient: np.ndarray
    span_hessian: np.ndarray
    mixed_hessian: np.ndarray


def derivatives(values: Values, path: np.ndarray, times: TimeVariables,
                steps: tuple[float, float, float]) -> Derivatives:
    """
    Return the derivatives of the sum of `values` by central differences, from one call of `values`.

    If the value on one side is NaN (at the edge of a field), the difference to the other side is used, and no
    curvature.

    :param values: Returns the value of each part, for many ways, middles, begins and lengths at once.
    :param path: Points, m, shape (N + 1, 2).
    :param times: Of the parts.
    :param steps: Of the differences: of ways m, of middles m, of the variables of time (-).
    """
    number = 4 + times.change.shape[1]
    sizes = np.array([steps[0], steps[0], steps[1], steps[1], *(steps[2],) * (number - 4)])
    pairs = [(i, j) for i in range(number) for j in range(i)]
    one = np.eye(number)
    offsets = np.concatenate((np.zeros((1, number)), one, -one, [one[i] + one[j] for i, j in pairs],
                              [-one[i] - one[j] for i, j in pairs])) * sizes
    way, middle = np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1])
    moved = np.einsum('bl,nlc->cbn', offsets[:, 4:], times.change)
    found = values(way + offsets[:, None, 0:2], middle + offsets[:, None, 2:4], times.begin + moved[0],
                   times.length + moved[1])
    first, second = _difference_derivatives(found, sizes, pairs)
    gradient, hessian = first[:, :4] @ TO_PART, TO_PART.T @ second[:, :4, :4] @ TO_PART
    by_span = times.by_span
    return Derivatives(gradient, hessian, np.einsum('nl,nlk->k', first[:, 4:], by_span),
                       np.einsum('nlm,nlj,nmk->jk', second[:, 4:, 4:], by_span, by_span),
                       np.einsum('pi,npl,nlk->nik', TO_PART, second[:, :4, 4:], by_span))


def _difference_derivatives(found: np.ndarray, sizes: np.ndarray,
                    pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the first derivatives of each part, (N, L), and the second, (N, L, L), from its displaced values."""
    number = sizes.size
    base, plus, minus = found[0], found[1:1 + number], found[1 + number:1 + 2 * number]
    plus, minus = (np.where(np.isnan(a), np.where(np.isnan(b), base, 2.0 * base - b), a)
                   for a, b in ((plus, minus), (minus, plus)))
    both, neither = np.split(found[1 + 2 * number:], 2)
    first = (0.5 * (plus - minus) / sizes[:, None]).T
    second = np.zeros((base.size, number, number))
    for i in range(number):
        second[:, i, i] = (plus[i] - 2.0 * base + minus[i]) / sizes[i] ** 2
    for k, (i, j) in enumerate(pairs):
        cross = both[k] + neither[k] - plus[i] - minus[i] - plus[j] - minus[j] + 2.0 * base
        second[:, i, j] = second[:, j, i] = np.where(np.isnan(cross), 0.0, 0.5 * cross / (sizes[i] * sizes[j]))
    unknown = np.isnan(base) | np.isnan(first).any(axis=1) | np.isnan(second).any(axis=(1, 2))
    if unknown.any():   # A part without a value gets no gradient, and the mean stiffness of the others.
        first[unknown] = 0.0
        stiff = np.diag(np.nanmean(abs(second[~unknown]), axis=0)) if not unknown.all() else np.ones(number)
        second[unknown] = np.diag(stiff)
    return first, second


class NewtonStep(NamedTuple):
    """A step of the inner points, m, shape (N - 1, 2), and of the spans, s, (K,); the saving that it predicts."""

    points: np.ndarray
    span: np.ndarray
    promise: float


def newton_step(of: Derivatives, least: np.ndarray, most: float, damping: float) -> tuple[NewtonStep, float]:
    """
    Return Newton's step, with as much damping as makes the Hessian positive definite, and the damping.

    :param least: Lower bound on the step of each span, s, shape (K,), at most 0.
    :param most: Upper bound on the sum of the steps of all spans, s.
    :param damping: The least, as a share of the mean stiffness of a point.
    """
    gradient, band = _inner_gradient(of.gradient), _band(of.hessian)
    mixed_hessian = np.stack([_inner_gradient(of.mixed_hessian[..., k]).ravel()
                              for k in range(of.span_gradient.size)], axis=1)
    stiffness, own = float(np.mean(abs(band[0]))), abs(np.diag(of.span_hessian))
    timed = bool(of.mixed_hessian.any() or of.span_gradient.any() or of.span_hessian.any())
    while True:
        damped = band.copy()
        damped[0] += damping * stiffness
        try:
            factor = cholesky_banded(damped, lower=True), True
        except LinAlgError:
            damping = max(6.0 * damping, 1e-6)
            continue
        still, along = cho_solve_banded(factor, gradient.ravel()), cho_solve_banded(factor, mixed_hessian)
        curvature = of.span_hessian - mixed_hessian.T @ along + damping * np.diag(own)
        pull = of.span_gradient - mixed_hessian.T @ still
        if timed and own.size == 1 and curvature[0, 0] <= 1e-9 * own[0]:
            if damping < MOST_DAMPING:
                damping = max(6.0 * damping, 1e-6)
                continue
            if curvature[0, 0] <= 0.0:    # The cost has no minimum in the duration: step to its bound.
                span = least if of.span_gradient[0] > 0.0 else np.array([most])
                return NewtonStep(-still.reshape(-1, 2), span, np.inf), damping
        span = _span_step(curvature, pull, least, most) if timed else np.zeros_like(least)
        promise = 0.5 * gradient.ravel() @ still - pull @ span - 0.5 * span @ curvature @ span
        return NewtonStep(-(still + along @ span).reshape(-1, 2), span, float(promise)), damping


def _span_step(curvature: np.ndarray, pull: np.ndarray, least: np.ndarray, most: float) -> np.ndarray:
    """
    Return the step of the spans to the minimum of a parabola, each at least `least`, s, and together at most `most`.

    Negative and small curvatures are replaced by positive ones.
    """
    values, axes = np.linalg.eigh(curvature)
    least_value = LEAST_CURVATURE * float(abs(values).max()) if values.size > 1 else 0.0
    positive = (axes * np.maximum(abs(values), max(least_value, 1e-300))) @ axes.T
    step, held = np.zeros_like(pull), np.zeros(pull.size, dtype=bool)   # `held`: spans at their lower bound
    for _ in range(pull.size + 1):
        free = ~held
        if not free.any():
            break
        inner = np.linalg.inv(positive[np.ix_(free, free)])
        step[free] = -inner @ (pull[free] + positive[np.ix_(free, held)] @ step[held])
        if (over := step.sum() - most) > 0.0:
            step[free] -= inner.sum(axis=1) * over / inner.sum()
        low = free & (step < least)
        if not low.any():
            break
        step[low], held = least[low], held | low
    return step


def _inner_gradient(gradient: np.ndarray) -> np.ndarray:
    """Return the derivatives by the inner points, shape (N - 1, 2), from those by the parts' ends, (N, 4)."""
    return gradient[:-1, 2:] + gradient[1:, :2]


def _band(hessian: np.ndarray) -> np.ndarray:
    """Return the lower band, shape (4, 2 (N - 1)), of the second derivatives by the inner points."""
    inner = hessian[:-1, 2:, 2:] + hessian[1:, :2, :2]
    beside = hessian[1:-1, 2:, :2]  # by the coordinates of the next point, then by those of this one
    band = np.zeros((4, 2 * len(inner)))
    band[0, 0::2], band[0, 1::2], band[1, 0::2] = inner[:, 0, 0], inner[:, 1, 1], inner[:, 1, 0]
    band[2, 0:-2:2], band[3, 0:-2:2] = beside[:, 0, 0], beside[:, 1, 0]
    band[1, 1:-2:2], band[2, 1:-2:2] = beside[:, 0, 1], beside[:, 1, 1]
    return band
