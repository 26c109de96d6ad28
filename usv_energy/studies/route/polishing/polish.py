"""
The polish: from a rough route to the nearest local optimum in path and speeds together, in flows that change.

The method is direct transcription. A route has N parts of the same duration, each straight and at one velocity over
ground; the unknowns are the points between them and the total duration. A route that waits has stops; then the place
and the duration of each stop, and the duration of each way between stops, are unknowns, too. The cost is a sum over
parts, so its Hessian is a band matrix and a Newton step is cheap. Limits of speed and barriers enter by augmented
Lagrangians. N doubles until the cost is stable; two meshes give the discretization error.

Sources: Betts, Practical Methods for Optimal Control (2010), chapter 4, of transcription; Nocedal and Wright, Numerical
Optimization (2006), chapter 17, of augmented Lagrangians.
"""

from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.polishing.path_barriers import CLEARANCE, Contact, PathBarriers
from usv_energy.studies.route.polishing.path_cost import (
    Derivatives,
    PartCost,
    PathCost,
    derivatives,
    newton_step,
    stop_rate,
    timing_of,
)
from usv_energy.studies.route.route_cost import CostedRoute, costed_route
from usv_energy.studies.route.route_problem import Route, RouteProblem

FIRST_PARTS = 32        # of the first mesh
MOST_PARTS = 512        # of the last mesh
MESH_TOLERANCE = 5e-5   # relative error of the cost by discretization at which a mesh is fine enough
MOST_IDLE = 3           # consecutive steps of almost no saving, after which the multipliers are updated
IDLE_SAVING = 1e-6      # relative to the cost: a step of less is almost no saving
STEPS = 40              # of Newton's method on a mesh, at most,
STEPS_IN_CONTACT = 24   # and on a mesh that begins in contact with a barrier, where corners make progress slow
SPEED_STIFFNESS = 10.0  # of the penalty on violated limits of speed
STEP_SHARES = (1.0, 0.5, 0.2), (0.05, 0.01, 0.001)   # line search: shares of a step that are tried together, in turn
WAY_STEP, MIDDLE_STEP, SPAN_STEP = 2e-3, 0.3, 1e-3   # of the differences: two in lengths of a part, one of the time
LEAST_SAVING = 1e-5, 1e-8   # relative to the cost, at which a mesh is converged: the first mesh, later ones
DRIFT_BEND = 1.1        # exponent of the power of a boat that drifts at times; 1 has a corner, bad for Newton's method
FIRST_SAVING = 1e-3, 1e-5   # likewise, at which the multipliers are first updated: the first mesh, later ones
LIMIT_TOLERANCE = 1e-6  # of the limits of speed, relative
SPEED_TOLERANCE = 1e-4  # of a fixed speed and of the top speed, relative: `costed_route` finds the durations to these
BARRIER_TOLERANCE = 0.5 * CLEARANCE  # missing clearance that is accepted, in lengths of a part
TOP_SPEED_ROUNDS = 6    # iterations for the duration at the highest speed
RETREATS, RETREAT_SHARE = 6, 0.4  # how often, and to which share, the step of points is cut that lead over a barrier
LEAST_STEP_SCALE = 0.2 ** 4  # the smallest factor on the steps of differences
LONGEST = 20.0          # longest duration of a route, in durations of the rough one


class PolishedRoute(NamedTuple):
    """
    A polished route.

    `cost`: of the route, J or s by the problem's objective. `gap`: estimate, from two meshes, of the relative saving of
    a curve over N straight parts (NaN if there is only one mesh). `before`: cost of the rough route, computed the same
    way; `cost` is never above it. `converged`: whether the last mesh converged; `steps`: number of Newton steps.
    """

    route: Route
    cost: float
    gap: float
    before: float
    converged: bool
    steps: int


def polished_route(problem: RouteProblem, rough: Route, tolerance: float = MESH_TOLERANCE,
             most_parts: int = MOST_PARTS) -> PolishedRoute:
    """
    Return the locally cheapest route near a rough one.

    :param problem: The RouteProblem.
    :param rough: A route from start to goal, off the barriers. Its times are the initial guess of the speeds.
    :param tolerance: Relative error of the cost by discretization at which the mesh is fine enough.
    :param most_parts: Of the finest mesh.
    """
    return Polish(problem, rough, most_parts).refined(tolerance, most_parts)


class Polish:
    """The polish of one rough route, which may be made finer later."""

    def __init__(self, problem: RouteProblem, rough: Route, most_parts: int = MOST_PARTS) -> None:
        """Take the problem and the rough route; parameters as for `polished_route`."""
        self._before = costed_route(problem, rough.time, rough.x, rough.y)
        begin = self._before.route if np.isfinite(self._before.route.time[-1]) else rough
        number = FIRST_PARTS
        while (mesh := _Mesh(problem, begin, number)).crosses() and 4 * number <= most_parts:
            number *= 2
        self._mesh, self._first = mesh, number
        self._best, self._last, self._gap, self._steps, self._converged = self._before, np.nan, np.nan, 0, False

    def refined(self, tolerance: float = MESH_TOLERANCE, most_parts: int = MOST_PARTS) -> PolishedRoute:
        """Return the route on meshes that are made finer until one is fine enough; parameters as `polished_route`."""
        while self._steps == 0 or not (self._fine(tolerance) or 2 * self._mesh.number > most_parts):
            if self._steps:
                self._mesh = self._mesh.finer()
            self._converged, more = self._mesh.minimize(LEAST_SAVING[self._mesh.number > self._first])
            self._steps += more
            found = self._mesh.costed()
            self._best = found if np.isfinite(found.cost) else self._best
            order = 1.0 if self._mesh.touches() else 3.0    # Richardson: 2^2 - 1, or 2 - 1 in contact with barriers.
            self._gap = abs(self._last - found.cost) / order / found.cost if np.isfinite(self._last) and np.isfinite(
                found.cost) else np.nan
            self._last = found.cost
        best = self._best if self._best.cost <= self._before.cost else self._before
        return PolishedRoute(best.route, best.cost, self._gap, self._before.cost, self._converged, self._steps)

    def _fine(self, tolerance: float) -> bool:
        return self._gap < (2.0 if self._mesh.touches() else 1.0) * tolerance


class _Mesh:
    """A path of N parts that is optimized: points (N + 1, 2) m, spans s, multipliers of the limits of speed."""

    def __init__(self, problem: RouteProblem, route: Route, number: int) -> None:
        self.problem, self.model = problem, PathCost(problem, drift_bend=DRIFT_BEND)
        self.timing, self.spans, self.path = timing_of(route, number)
        self.number = number = self.timing.number
        self.most_span = LONGEST * self.span
        if problem.arrive_by is not None:
            self.most_span = problem.arrive_by - problem.depart
            self.spans = self.spans * min(self.most_span / self.span, 1.0)
        self.stop_rate = stop_rate(problem)
        self.path[0], self.path[-1] = problem.start, problem.goal
        if problem.objective == 'time' and problem.speed is None:
            self._set_span_at_top_speed()
        part = self._part_costs()
        self.square = float(np.nanmean(part.square)) if problem.speed is None else problem.speed ** 2
        power = float(np.nanmean(part.power))
        self.rate = 1.0 if problem.objective == 'time' else (power if power > 0.0 else 1.0)
        bound = problem.objective == 'time' or problem.speed is not None
        self.limit_tolerance = SPEED_TOLERANCE if bound else LIMIT_TOLERANCE
        self.fast_multiplier, self.slow_multiplier = np.full(number, 1.0 if bound else 0.0), np.zeros(number)
        self.barriers = PathBarriers(problem.barriers, number, self._length())
        self.step_scale, self.first_saving = 1.0, FIRST_SAVING[0]

    def finer(self) -> '_Mesh':
        """Return a mesh of the same path with twice as many parts."""
        mesh = object.__new__(_Mesh)
        mesh.__dict__.update(self.__dict__)
        mesh.number, mesh.timing = 2 * self.number, self.timing.finer()
        mesh.path = np.empty((mesh.number + 1, 2))
        mesh.path[::2], mesh.path[1::2] = self.path, 0.5 * (self.path[1:] + self.path[:-1])
        mesh.fast_multiplier = np.repeat(self.fast_multiplier, 2)
        mesh.slow_multiplier = np.repeat(self.slow_multiplier, 2)
        mesh.barriers = self.barriers.finer(CLEARANCE)
        mesh.first_saving = FIRST_SAVING[1]
        return mesh

    def costed(self) -> CostedRoute:
        """Return the path as a route; its cost is inf if it crosses a barrier."""
        time, path = self.timing.route_points(self.problem.depart, self.spans, self.path)
        found = costed_route(self.problem, time, path[:, 0], path[:, 1], self.number)
        return found._replace(cost=np.inf) if self.crosses() else found

    @property
    def span(self) -> float:
        """Total duration, s."""
        return float(self.spans.sum())

    def touches(self) -> bool:
        """Return whether the path is in contact with a barrier."""
        return bool(np.any(self.barriers.multiplier > 0.0))

    def crosses(self) -> bool:
        """Return whether the path crosses a barrier."""
        return bool(self.barriers.crossed(self.path[None]).any())

    def minimize(self, done: float) -> tuple[bool, int]:
        """
        Minimize the cost; return whether it converged, and the number of steps.

        If a step saves much less than predicted, the differences were too coarse for the cost's curvature, and their
        steps are reduced.

        :param done: Saving, relative to the cost, below which the mesh is converged.
        """
        damping, wanted, self.step_scale, idle, lowest = 0.0, max(self.first_saving, done), 1.0, 0, np.inf
        most = STEPS_IN_CONTACT if self.touches() else STEPS
        for count in range(1, most + 1):
            least = np.where(self.timing.stops, -1.0, -0.5) * self.spans
            step, damping = newton_step(self._derivatives(), least, self.most_span - self.span, damping)
            value, gained, blocked = self._line_search(step.points, step.span)
            good, cost = gained > 0.1 * step.promise, self.rate * self.span
            damping = 0.0 if good else min(max(10.0 * damping, 1e-6), 1.0)
            # At a corner each step may gain against the samples of its begin, and nothing against those of its end.
            stuck = gained < done * cost and (blocked or self.step_scale == LEAST_STEP_SCALE)
            idle = idle + 1 if stuck or value > lowest - IDLE_SAVING * cost else 0
            lowest = min(lowest, value)
            if not good and not blocked:
                self.step_scale = max(0.2 * self.step_scale, LEAST_STEP_SCALE)
            if step.promise < wanted * cost or idle >= MOST_IDLE:
                off = self._update_multipliers()
                if (wanted <= done and off <= self.limit_tolerance) or idle >= 2 * MOST_IDLE:
                    return off < 100.0 * self.limit_tolerance, count
                wanted = done if step.promise < done * cost or idle >= MOST_IDLE else max(0.1 * wanted, done)
                lowest = np.inf
        return False, most

    def _set_span_at_top_speed(self) -> None:
        """Set the duration to about that of the path at the highest speed."""
        for _ in range(TOP_SPEED_ROUNDS):
            part = self._part_costs()
            share = float(np.sqrt(np.nanmean(part.square) / np.nanmean(part.top ** 2)))
            if not 0.0 < share < np.inf:
                break
            self.spans = np.where(self.timing.stops, 1.0, min(max(share, 0.2), 1.0)) * self.spans

    def _part_costs(self) -> PartCost:
        begin, length = self.timing.begin_length(self.problem.depart, self.spans)
        return self._parts(np.diff(self.path, axis=0), 0.5 * (self.path[1:] + self.path[:-1]), begin, length)

    def _length(self) -> float:
        return float(np.hypot(*np.diff(self.path, axis=0).T).mean())

    def _parts(self, way: np.ndarray, middle: np.ndarray, begin: np.ndarray, length: np.ndarray) -> PartCost:
        return self.model.parts(way, middle, 0.0, self.problem.objective == 'energy', begin, length)

    def _values(self, way: np.ndarray, middle: np.ndarray, begin: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Return the cost of each part with the penalties on its speed, without stops."""
        part = self._parts(way, middle, begin, length)
        each = part.power if self.problem.objective == 'energy' else 1.0
        too_fast, too_slow = self._speed_violation(part.square, part.top)
        each = each + self.rate * self._speed_penalty(too_fast, too_slow)
        return np.asarray(length * (each + 0.0 * part.square))

    def _speed_violation(self, square: np.ndarray, top: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return by how much parts are too fast, and too slow, (-); with a fixed speed the first covers both."""
        problem = self.problem
        if problem.speed is not None:
            return (square - problem.speed ** 2) / (2.0 * self.square), np.full_like(square, -np.inf)
        most = np.where(np.isfinite(top), top, 0.0) ** 2
        too_fast = np.where(np.isinf(top), -np.inf, (square - most) / (2.0 * self.square))
        slowest = 0.0 if problem.may_drift else problem.lowest_speed ** 2
        return too_fast, ((slowest - square) / (2.0 * self.square) if slowest > 0.0 else np.full_like(square, -np.inf))

    def _speed_penalty(self, too_fast: np.ndarray, too_slow: np.ndarray) -> np.ndarray:
        if self.problem.speed is not None:
            return np.asarray(self.fast_multiplier * too_fast + 0.5 * SPEED_STIFFNESS * too_fast ** 2)
        pairs = (self.fast_multiplier, too_fast), (self.slow_multiplier, too_slow)
        return np.asarray(sum((np.maximum(multiplier + SPEED_STIFFNESS * off, 0.0) ** 2 - multiplier ** 2)
                              / (2.0 * SPEED_STIFFNESS) for multiplier, off in pairs))

    def _derivatives(self) -> Derivatives:
        length = self._length()
        steps = [self.step_scale * step for step in (WAY_STEP * length, MIDDLE_STEP * length, SPAN_STEP)]
        times = self.timing.variables(self.problem.depart, self.spans)
        of = derivatives(self._values, self.path, times, (steps[0], steps[1], steps[2]))
        contact = self.barriers.contact(self.path)
        gradient, hessian = self.barriers.penalty_derivatives(self.path, contact)
        unit = self.rate * times.length
        return of._replace(gradient=of.gradient + unit[:, None] * gradient,
                           hessian=of.hessian + unit[:, None, None] * hessian,
                           span_gradient=of.span_gradient + self.stop_rate * self.timing.stops)

    def _line_search(self, points: np.ndarray, span: np.ndarray) -> tuple[float, float, bool]:
        """
        Take the best of some shares of a step if it saves anything.

        :return: Cost with its penalties before the step, inf if unknown; the step's saving; whether it was blocked.

        Points of a part that would cross a barrier or leave the water move less than the others.
        """
        gained, blocked = 0.0, False
        contact = self.barriers.contact(self.path)
        for some in STEP_SHARES:
            shares = np.array((0.0, *some))
            paths, spans, total, retreated = self._candidates(shares, points, span, contact)
            blocked |= retreated
            best = int(np.argmin(total))
            gained = float(total[0] - total[best]) if np.isfinite(total[0]) else np.inf
            if best and gained > 0.0:
                self.path, self.spans = paths[best], spans[best]
                return float(total[0]), gained, blocked
        return float(total[0]), 0.0, blocked

    def _candidates(self, shares: np.ndarray, points: np.ndarray, span: np.ndarray,
                contact: Contact) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
        """Return paths with shares of a step, their spans and costs, and whether any points had to move less."""
        own = np.repeat(shares[:, None], self.number + 1, axis=1)
        spans = self.spans + shares[:, None] * span
        blocked = False
        for _ in range(RETREATS):
            paths, values, bad = self._paths_of_step(own, points, spans)
            if not bad.any():
                break
            blocked = True
            near = np.zeros(own.shape, dtype=bool)
            near[:, :-1] = bad
            near[:, 1:] |= bad
            own[near] *= RETREAT_SHARE
        length = self.timing.begin_length(0.0, spans)[1]
        pushes = np.array([self.barriers.penalty(self.barriers.moved(contact, path)) for path in paths])
        stops = self.stop_rate * (spans @ self.timing.stops)
        good = np.isfinite(values).all(axis=1) & ~bad.any(axis=1)
        total = np.where(good, (values + self.rate * length * pushes).sum(axis=1) + stops, np.inf)
        return paths, spans, total, blocked

    def _paths_of_step(self, shares: np.ndarray, points: np.ndarray, spans: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return paths with shares of a step, the cost of their parts, and which parts newly cross a barrier."""
        paths = np.repeat(self.path[None], len(shares), axis=0)
        paths[:, 1:-1] += shares[:, 1:-1, None] * points
        extent = self.problem.extent
        if extent is not None:
            paths[:, 1:-1] = np.clip(paths[:, 1:-1], extent[:2], extent[2:])
        times = self.timing.begin_length(self.problem.depart, spans)
        values = self._values(np.diff(paths, axis=1), 0.5 * (paths[:, 1:] + paths[:, :-1]), *times)
        bad = self.barriers.crossed(paths) | np.isnan(values)
        return paths, values, bad & ~bad[0]

    def _update_multipliers(self) -> float:
        """Set the multipliers to the forces of the penalties; return the largest relative violation of a limit."""
        part = self._part_costs()
        too_fast, too_slow = self._speed_violation(part.square, part.top)
        contact = self.barriers.contact(self.path)
        off = 0.0 if self.barriers.worst_violation(contact) < BARRIER_TOLERANCE else 1.0
        if self.problem.speed is not None:
            self.fast_multiplier = self.fast_multiplier + SPEED_STIFFNESS * too_fast
            off = max(off, float(np.nanmax(abs(too_fast))))
        else:
            pairs = (self.fast_multiplier, too_fast), (self.slow_multiplier, too_slow)
            self.fast_multiplier, self.slow_multiplier = (
                np.maximum(multiplier + SPEED_STIFFNESS * over, 0.0) for multiplier, over in pairs)
            off = max(off, float(np.nanmax(too_fast)), float(np.nanmax(too_slow)))
        self.barriers.update_multipliers(contact)
        return off
