"""
The polish: from a rough route to the cheapest one beside it, path and speeds together, in flows that change.

Direct transcription: N parts of the same duration, each straight and at one velocity over ground; the unknowns are the
points between them and the duration of all. A route that waits has stops between its ways: where each is, how long it
lasts, and the duration of each way are unknowns, too. The cost is a sum over parts, so that its second derivatives are
a band and Newton's step costs next to nothing. The speed's limits and barriers enter by augmented Lagrangians. N
doubles until the cost is stable, and two meshes tell what the mesh still costs.

Sources: Betts, Practical Methods for Optimal Control (2010), chapter 4, of transcription; Nocedal and Wright, Numerical
Optimization (2006), chapter 17, of augmented Lagrangians.
"""

from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.barriers.path_barriers import CLEARANCE, Contact, PathBarriers
from usv_energy.studies.route.polishing.path_cost import PartCost, PathCost, stop_rate, timing_of
from usv_energy.studies.route.polishing.path_newton import Derivatives, derivatives, newton_step
from usv_energy.studies.route.route_cost import CostedRoute, costed_route
from usv_energy.studies.route.route_problem import Route, RouteProblem

FIRST = 32              # Parts of the first mesh.
MOST = 512              # Parts of the last one.
TOLERANCE = 5e-5        # Of the cost, relative: the share of the mesh at which it is fine enough.
IDLE = 3                # Steps on end that save next to nothing, after which the multipliers are renewed.
STEPS = 40              # Of Newton's method on a mesh,
STEPS_IN_CONTACT = 24   # and on one that begins in contact with a barrier, where corners make small gains slow.
STIFF = 10.0            # Of the penalty on speeds that are not kept.
SHARES = (1.0, 0.5, 0.2), (0.05, 0.01, 0.001)   # Of a step that are tried together; the second where none saves.
WAY_STEP, MIDDLE_STEP, SPAN_STEP = 2e-3, 0.3, 1e-3   # Of the differences: of a part's length, twice, and of the time.
DONE = 1e-5, 1e-8       # Saving, relative to the cost, below which a step is not worth taking: first mesh, later ones.
DRIFT_BEND = 1.1        # Of the power of drifting at times, which has a corner at 1 that Newton's method dislikes.
KEPT = 1e-6             # Speeds and clearances are kept to this, relative.
NEAR = 0.5 * CLEARANCE  # How much too near to barriers a path may be, as a share of a part's length.
HURRIES = 6             # Rounds in which a duration at the highest speed is looked for.
RETREATS, RETREAT = 6, 0.4  # How often, and to which share, points step back that lead a part over a barrier.
CLOSEST = 0.2 ** 4      # The least share of the steps of differences, below.
LONGEST = 20.0          # Times the rough route's duration: no route is looked for that lasts longer.


class PolishedRoute(NamedTuple):
    """
    A polished route.

    `cost`: of the route as it is drawn, J or s, as the problem counts it. `gap`: by how much, relative, a curve instead
    of N straight parts would be cheaper, from two meshes (NaN where there is one only). `before`: cost of the rough
    route, counted the same way; `cost` is never above it. `converged`: whether the last mesh's steps had come to rest;
    `steps`: how many there were.
    """

    route: Route
    cost: float
    gap: float
    before: float
    converged: bool
    steps: int


def polished_route(problem: RouteProblem, rough: Route, tolerance: float = TOLERANCE,
             most_parts: int = MOST) -> PolishedRoute:
    """
    Return the cheapest route beside a rough one.

    :param problem: The RouteProblem. With a fixed speed the rough route's times matter little; else they are where the
        search for the speeds begins.
    :param rough: A route from start to goal, off the barriers.
    :param tolerance: Relative share of the mesh in the cost at which the mesh is fine enough.
    :param most_parts: Of the finest mesh.
    """
    before = costed_route(problem, rough.time, rough.x, rough.y)
    last_good, gap, converged, steps, last = before, np.nan, False, 0, np.nan
    begin = before.route if np.isfinite(before.route.time[-1]) else rough
    number = FIRST
    while (mesh := _Mesh(problem, begin, number)).crosses() and 4 * number <= most_parts:
        number *= 2
    while True:
        converged, more = mesh.relax(DONE[mesh.number > number])
        steps += more
        found = mesh.costed()
        last_good = found if np.isfinite(found.cost) else last_good
        order = 1.0 if mesh.touches() else 3.0    # 2^2 - 1; of the clearance to barriers 2 - 1.
        gap = abs(last - found.cost) / order / found.cost if np.isfinite(last) and np.isfinite(found.cost) else np.nan
        last = found.cost
        if gap < (4.0 * tolerance if mesh.touches() else tolerance) or 2 * mesh.number > most_parts:
            break
        mesh = mesh.finer()
    best = last_good if last_good.cost <= before.cost else before
    return PolishedRoute(best.route, best.cost, gap, before.cost, converged, steps)


class _Mesh:
    """A path of N parts on its way to the least cost: points (N + 1, 2) m, spans s, multipliers of the speeds."""

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
            self._hurry()
        part = self._part_costs()
        self.square = float(np.nanmean(part.square)) if problem.speed is None else problem.speed ** 2
        power = float(np.nanmean(part.power))
        self.rate = 1.0 if problem.objective == 'time' else (power if power > 0.0 else 1.0)
        bound = problem.objective == 'time' or problem.speed is not None
        self.fast, self.slow = np.full(number, 1.0 if bound else 0.0), np.zeros(number)
        self.barriers = PathBarriers(problem.barriers, number, self._length())
        self.closeness = 1.0

    def finer(self) -> '_Mesh':
        """Return the same path in twice as many parts."""
        mesh = object.__new__(_Mesh)
        mesh.__dict__.update(self.__dict__)
        mesh.number, mesh.timing = 2 * self.number, self.timing.finer()
        mesh.path = np.empty((mesh.number + 1, 2))
        mesh.path[::2], mesh.path[1::2] = self.path, 0.5 * (self.path[1:] + self.path[:-1])
        mesh.fast, mesh.slow = np.repeat(self.fast, 2), np.repeat(self.slow, 2)
        mesh.barriers = self.barriers.finer(CLEARANCE)
        return mesh

    def costed(self) -> CostedRoute:
        """Return the path as a route; its cost is inf where it crosses a barrier."""
        time, path = self.timing.drawn(self.problem.depart, self.spans, self.path)
        found = costed_route(self.problem, time, path[:, 0], path[:, 1], self.number)
        return found._replace(cost=np.inf) if self.crosses() else found

    @property
    def span(self) -> float:
        """From the departure to the arrival, s."""
        return float(self.spans.sum())

    def touches(self) -> bool:
        """Return whether a barrier pushes the path."""
        return bool(np.any(self.barriers.force > 0.0))

    def crosses(self) -> bool:
        """Return whether the path leads over a barrier."""
        return bool(self.barriers.crossed(self.path[None]).any())

    def relax(self, done: float) -> tuple[bool, int]:
        """
        Go down to the least cost; return whether it came to rest, and in how many steps.

        A step that does not save what it promised met a bend that the differences had smoothed: they are taken closer.

        :param done: Saving, relative to the cost, below which a step is not worth taking.
        """
        damping, wanted, self.closeness, idle = 0.0, max(1e-3, done), 1.0, 0
        most = STEPS_IN_CONTACT if self.touches() else STEPS
        for count in range(1, most + 1):
            least = np.where(self.timing.stops, -1.0, -0.5) * self.spans
            step, damping = newton_step(self._derivatives(), least, self.most_span - self.span, damping)
            gained, blocked = self._advance(step.points, step.span)
            good, cost = gained > 0.1 * step.promise, self.rate * self.span
            damping = 0.0 if good else min(max(10.0 * damping, 1e-6), 1.0)
            idle = idle + 1 if gained < done * cost and (blocked or self.closeness == CLOSEST) else 0
            if not good and not blocked:
                self.closeness = max(0.2 * self.closeness, CLOSEST)
            if step.promise < wanted * cost or idle >= IDLE:
                off = self._update()
                if (wanted <= done and off <= KEPT) or idle >= 2 * IDLE:
                    return off < 100.0 * KEPT, count
                wanted = max(0.1 * wanted, done)
        return False, most

    def _hurry(self) -> None:
        """Take about the duration of the path at the highest speed."""
        for _ in range(HURRIES):
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
        """Return the cost of each part and the penalties on its speed; stops are left away."""
        part = self._parts(way, middle, begin, length)
        each = part.power if self.problem.objective == 'energy' else 1.0
        too_fast, too_slow = self._off(part.square, part.top)
        each = each + self.rate * self._speed_penalty(too_fast, too_slow)
        return np.asarray(length * (each + 0.0 * part.square))

    def _off(self, square: np.ndarray, top: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return by how much parts are too fast, and too slow; with a fixed speed the first holds both."""
        problem = self.problem
        if problem.speed is not None:
            return (square - problem.speed ** 2) / (2.0 * self.square), np.full_like(square, -np.inf)
        most = np.where(np.isfinite(top), top, 0.0) ** 2
        too_fast = np.where(np.isinf(top), -np.inf, (square - most) / (2.0 * self.square))
        slowest = 0.0 if problem.may_drift else problem.lowest_speed ** 2
        return too_fast, ((slowest - square) / (2.0 * self.square) if slowest > 0.0 else np.full_like(square, -np.inf))

    def _speed_penalty(self, too_fast: np.ndarray, too_slow: np.ndarray) -> np.ndarray:
        if self.problem.speed is not None:
            return np.asarray(self.fast * too_fast + 0.5 * STIFF * too_fast ** 2)
        return np.asarray(sum((np.maximum(force + STIFF * off, 0.0) ** 2 - force ** 2) / (2.0 * STIFF)
                              for force, off in ((self.fast, too_fast), (self.slow, too_slow))))

    def _derivatives(self) -> Derivatives:
        length = self._length()
        steps = [self.closeness * step for step in (WAY_STEP * length, MIDDLE_STEP * length, SPAN_STEP)]
        times = self.timing.moves(self.problem.depart, self.spans)
        of = derivatives(self._values, self.path, times, (steps[0], steps[1], steps[2]))
        contact = self.barriers.contact(self.path)
        slope, bend = self.barriers.push(self.path, contact)
        unit = self.rate * times.length
        return of._replace(slope=of.slope + unit[:, None] * slope, bend=of.bend + unit[:, None, None] * bend,
                           span=of.span + self.stop_rate * self.timing.stops)

    def _advance(self, points: np.ndarray, span: np.ndarray) -> tuple[float, bool]:
        """
        Take the best of some shares of a step, if one saves anything; return what it saves, and whether it was blocked.

        Points that would lead a part over a barrier, or out of the water, go less far than the others.
        """
        gained, blocked = 0.0, False
        contact = self.barriers.contact(self.path)
        for some in SHARES:
            shares = np.array((0.0, *some))
            paths, spans, total, retreated = self._totals(shares, points, span, contact)
            blocked |= retreated
            best = int(np.argmin(total))
            gained = float(total[0] - total[best]) if np.isfinite(total[0]) else np.inf
            if best and gained > 0.0:
                self.path, self.spans = paths[best], spans[best]
                return gained, blocked
        return 0.0, blocked

    def _totals(self, shares: np.ndarray, points: np.ndarray, span: np.ndarray,
                contact: Contact) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
        """Return paths with shares of a step, their spans and costs, and whether any points had to go less far."""
        own = np.repeat(shares[:, None], self.number + 1, axis=1)
        spans = self.spans + shares[:, None] * span
        blocked = False
        for _ in range(RETREATS):
            paths, values, bad = self._tried(own, points, spans)
            if not bad.any():
                break
            blocked = True
            near = np.zeros(own.shape, dtype=bool)
            near[:, :-1] = bad
            near[:, 1:] |= bad
            own[near] *= RETREAT
        length = self.timing.begin_length(0.0, spans)[1]
        pushes = np.array([self.barriers.penalty(self.barriers.moved(contact, path)) for path in paths])
        stops = self.stop_rate * (spans @ self.timing.stops)
        good = np.isfinite(values).all(axis=1) & ~bad.any(axis=1)
        total = np.where(good, (values + self.rate * length * pushes).sum(axis=1) + stops, np.inf)
        return paths, spans, total, blocked

    def _tried(self, shares: np.ndarray, points: np.ndarray, spans: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return paths with shares of a step, the cost of their parts, and which parts are where none may be."""
        paths = np.repeat(self.path[None], len(shares), axis=0)
        paths[:, 1:-1] += shares[:, 1:-1, None] * points
        extent = self.problem.extent
        if extent is not None:
            paths[:, 1:-1] = np.clip(paths[:, 1:-1], extent[:2], extent[2:])
        times = self.timing.begin_length(self.problem.depart, spans)
        values = self._values(np.diff(paths, axis=1), 0.5 * (paths[:, 1:] + paths[:, :-1]), *times)
        bad = self.barriers.crossed(paths) | np.isnan(values)
        return paths, values, bad & ~bad[0]

    def _update(self) -> float:
        """Take the forces of the penalties as the multipliers; return how far off the limits the path is, relative."""
        part = self._part_costs()
        too_fast, too_slow = self._off(part.square, part.top)
        contact = self.barriers.contact(self.path)
        off = KEPT if self.barriers.worst(contact) < NEAR else 1.0
        if self.problem.speed is not None:
            self.fast = self.fast + STIFF * too_fast
            off = max(off, float(np.nanmax(abs(too_fast))))
        else:
            self.fast, self.slow = (np.maximum(force + STIFF * over, 0.0)
                                    for force, over in ((self.fast, too_fast), (self.slow, too_slow)))
            off = max(off, float(np.nanmax(too_fast)), float(np.nanmax(too_slow)))
        self.barriers.update(contact)
        return off
