"""The legs of a route: conditions, waves, cost by steady motion, and a route in few legs."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.flow.flow_box import flow_along
from usv_energy.physics.motion import Flow
from usv_energy.powering.power import Power
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import MotionTable, SteadyCost
from usv_energy.studies.route.route_cost import ground_speed, route_with_energy
from usv_energy.studies.route.route_problem import Route, RouteProblem

PLACES = 9              # Points of each leg at which the current is sampled.
POWER_PLACES = 9        # Points of each leg at which the boat's power is computed.
PARTS = 200             # `legs_with_energy` divides a route into about this many parts.
TOLERANCES = 0.03, 0.02, 0.012, 0.008, 0.005, 0.003, 0.002, 0.001, 0.0005     # Shares of the route's length.
MOST_DEARER = 0.01      # The legs may cost this share more than the route;
FARTHEST = 0.05         # Share of the route's length by which the boat may be off it on a leg.
BELOW_LIMIT = 0.999     # Share of the highest speed over ground at sampled places that is taken to be held between.
FIRST_DEARER = 0.3      # of that, this share by the choice of points that a tolerance keeps.


class LegConditions(NamedTuple):
    """
    Legs, arrays with a number a leg.

    Length m; course rad (ENU), that of the leg before where there is no way; speed over ground m/s; `current_along`:
    the mean of the current's component along the course, m/s.
    """

    length: np.ndarray
    course: np.ndarray
    ground_speed: np.ndarray
    current_along: np.ndarray


def leg_conditions(legs: Route, problem: RouteProblem) -> LegConditions:
    """Return what a route's legs are like in the problem's current."""
    dx, dy, duration = np.diff(legs.x), np.diff(legs.y), np.diff(legs.time)
    length = np.hypot(dx, dy)
    before = np.maximum.accumulate(np.where(length > 0.0, np.arange(length.size), -1))
    course = np.where(before < 0, 0.0, np.arctan2(dy, dx)[before])
    share = (np.arange(PLACES) + 0.5) / PLACES
    time, x, y = (part[:-1, None] + np.diff(part)[:, None] * share for part in (legs.time, legs.x, legs.y))
    vx, vy = (part.mean(axis=1) for part in flow_along(problem.current)(time, x, y))
    return LegConditions(length, course, np.divide(length, duration, out=np.zeros(length.size), where=duration > 0.0),
                         np.cos(course) * vx + np.sin(course) * vy)


class LegWaves(NamedTuple):
    """
    What waves cost, below 0 where they help.

    `energy`: of each leg, J: what it takes beyond the same leg in calm water. `share`: of what the thrusters give on
    all legs, that against the waves, (-).
    """

    energy: np.ndarray
    share: float


def leg_waves(legs: Route, problem: RouteProblem, vessel: Vessel) -> LegWaves | None:
    """Return what the waves of a vessel's sea cost on a route's legs; None in calm water."""
    if vessel.sea is None:
        return None
    found, share = leg_conditions(legs, problem), (np.arange(POWER_PLACES) + 0.5) / POWER_PLACES
    time, x, y = (part[:-1, None] + np.diff(part)[:, None] * share for part in (legs.time, legs.x, legs.y))
    current, wind = (flow_along(flow)(time, x, y) for flow in (problem.current, problem.wind))
    goes = found.ground_speed > 0.0
    flow = Flow(*(part[goes] for part in (*current, *wind)))

    def power(one: Vessel) -> Power:
        return steady_state(one, found.course[goes, None], found.ground_speed[goes, None], flow).power

    there, calm = power(vessel), power(vessel._replace(sea=None))
    energy, lasts = np.zeros(goes.size), np.diff(legs.time)[goes]
    energy[goes] = np.diff(legs.energy)[goes] * (1.0 - calm.total.sum(axis=1) / there.total.sum(axis=1))
    given = float(there.thrust.mean(axis=1) @ lasts)
    return LegWaves(energy, float(there.waves.mean(axis=1) @ lasts) / given if given else 0.0)


class _ExactPower:
    """A MotionCost with the exact power of the vessel and the top speed of a table."""

    def __init__(self, table: MotionTable, vessel: Vessel) -> None:
        self.power, self.top_speed = SteadyCost(vessel).power, table.top_speed


def legs_with_exact_energy(legs: Route, problem: RouteProblem, vessel: Vessel) -> Route:
    """
    Return legs with their energy from the exact steady motion instead of the power table.

    A search favours the speeds and headings at which the table is too low. Legs that the boat can hold only according
    to the table, near its limits, stay as they are.

    :param legs: The legs of a route, from `simplified_route`.
    :param problem: The route's problem. If its cost is not a MotionTable, the legs stay as they are.
    :param vessel: The vessel of the table.
    """
    if not isinstance(problem.cost, MotionTable):
        return legs
    rest = (legs.speed == 0.0) & (np.diff(legs.time) > 0.0)
    exact = legs_with_energy(problem._replace(cost=_ExactPower(problem.cost, vessel)), legs.time, legs.x, legs.y, rest)
    begin = float(legs.energy[0])
    return exact._replace(energy=begin + exact.energy) if np.isfinite(exact.energy[-1]) else legs


def legs_with_energy(problem: RouteProblem, time: np.ndarray, x: np.ndarray, y: np.ndarray,
                rest: np.ndarray | None = None) -> Route:
    """
    Return legs with given times as a route with its energy; NaN from where the boat cannot follow or no flow is known.

    :param problem: The boat, the water and the air.
    :param time: s of the flow's clock, rising, shape (N,).
    :param x: East, m, shape (N,); straight and at one velocity over ground between two times.
    :param y: North, m, shape (N,).
    :param rest: Legs on which the boat is at anchor or drifts, at the power of speed 0, shape (N - 1,).
    """
    duration, length = np.diff(time), np.hypot(np.diff(x), np.diff(y))
    pieces = np.maximum(1, np.ceil(PARTS * length / max(float(length.sum()), 1e-9))).astype(int)
    ends = np.concatenate([[0], np.cumsum(pieces)])
    places = np.interp(np.arange(ends[-1] + 1), ends, np.arange(time.size))
    fine = route_with_energy(problem, *(np.interp(places, np.arange(time.size), part) for part in (time, x, y)))
    used = np.add.reduceat(np.diff(fine.energy), ends[:-1])
    speed = np.add.reduceat(fine.speed * np.diff(fine.time), ends[:-1]) / duration
    if rest is not None and rest.any():
        standing = float(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0])
        used, speed = np.where(rest, standing * duration, used), np.where(rest, 0.0, speed)
    return Route(time, x, y, speed, np.concatenate([[0.0], np.cumsum(used)]))


def simplified_route(route: Route, problem: RouteProblem, shortest: float = 0.0,
                     dearer: float = MOST_DEARER) -> Route:
    """
    Return a route in few legs at about the same cost, with the same times at their ends.

    First points are kept from which the boat on its leg is never further off than a tolerance: the largest of
    TOLERANCES for which the legs can be followed, cross no barrier, and are hardly dearer. Then points are left out, or
    two replaced by the corner between them, first beside legs that are too short, then where it costs least, as long as
    the legs need at most `dearer` more than the route, and the boat is never further off than FARTHEST. Where a
    boat at its highest speed cannot keep to the times, legs take the time that they need; of the least time that is
    then what they cost.

    :param shortest: Length below which a leg is too short, m, unless a barrier or `dearer` asks for it.
    :param dearer: Largest share of additional energy, or time, (-).
    """
    rest = (route.speed == 0.0) & (np.diff(route.time) > 0.0)
    for at_limit in (False, True):
        price = _LegPrice(route, problem, at_limit)
        for tolerance in TOLERANCES:
            kept = _kept_points(route, tolerance * max(route.length, 1e-9), problem)
            rests = np.append(np.logical_and.reduceat(rest, kept[:-1]), False)
            points = [_Point(*row) for row in zip(*(part[kept].tolist() for part in (route.time, route.x, route.y)),
                                                  rests.tolist())]
            costs = price.of_legs(points)
            in_time = price.route(points).duration <= (1.0 + dearer) * route.duration
            if in_time and sum(costs) <= (1.0 + FIRST_DEARER * dearer) * price.of_route:
                break
        if np.isfinite(sum(costs)):
            return price.route(_joined_legs(points, costs, price, (1.0 + dearer) * price.of_route, shortest))
    return route


class _Point(NamedTuple):
    """A point of a route: its time there, s, its place, m, and whether the boat rests from there to the next."""

    time: float
    x: float
    y: float
    rests: bool = False

    def way_to(self, other: '_Point') -> tuple[float, float]:
        """Return the way to another point, m."""
        return other.x - self.x, other.y - self.y


class _LegPrice:
    """What straight legs between points of a route cost: energy, J, or, of the least time at the limit, time, s."""

    def __init__(self, route: Route, problem: RouteProblem, at_limit: bool) -> None:
        self._route, self._problem, self._at_limit = route, problem, at_limit
        self._in_time = at_limit and problem.objective == 'time'
        self._known: dict[tuple[_Point, _Point], float] = {}
        self.of_route = route.duration if self._in_time else float(route.energy[-1])

    def of_legs(self, points: Sequence[_Point]) -> list[float]:
        """Return what each leg between points that the route keeps costs; not finite where it cannot be gone."""
        if self._in_time:
            return [self._lasts(*pair) for pair in pairwise(points)]
        return list(map(float, np.diff(self.route(points).energy)))

    def of_leg(self, begin: _Point, end: _Point) -> float:
        """Return what a leg that leaves points out costs; inf if it cannot be gone, or leads too far off the route."""
        if (begin, end) not in self._known:
            route, barriers = self._route, self._problem.barriers
            during = (route.time > begin.time) & (route.time < end.time)
            off = np.hypot(*(np.interp(route.time[during], (begin.time, end.time), leg) - part[during]
                             for leg, part in (((begin.x, end.x), route.x), ((begin.y, end.y), route.y))))
            good = np.all(off <= FARTHEST * route.length) and not barriers.crossed(
                *(np.array([part]) for part in (begin.x, begin.y, end.x, end.y))).any()
            late = self._at_limit and not self._in_time and self._lasts(begin, end) > (1.0 + MOST_DEARER) * (
                end.time - begin.time)
            cost = sum(self.of_legs([begin, end])) if good and not late else np.inf
            self._known[begin, end] = cost if np.isfinite(cost) else np.inf
        return self._known[begin, end]

    def route(self, points: Sequence[_Point]) -> Route:
        """Return the legs between points as a route."""
        time, x, y, rests = np.array(points, dtype=float).T
        if self._at_limit:
            time = time[0] + np.concatenate(([0.0], np.cumsum([self._lasts(*pair) for pair in pairwise(points)])))
        return legs_with_energy(self._problem, time, x, y, rests[:-1] > 0.0)

    def _lasts(self, begin: _Point, end: _Point) -> float:
        """Return how long a leg takes, s: as the route, or at the highest speed that is held all along it."""
        length, lasts = math.hypot(*begin.way_to(end)), end.time - begin.time
        if begin.rests or length == 0.0:
            return lasts
        share = (np.arange(max(PLACES, math.ceil(PARTS * length / self._route.length))) + 0.5)
        time, x, y = (low + share / share.size * (high - low) for low, high in zip(begin[:3], end[:3]))
        water, air = (np.stack(flow_along(flow)(time, x, y)) for flow in (self._problem.current, self._problem.wind))
        along = np.array(begin.way_to(end))[:, None] / length * np.ones(share.size)
        fastest = float(ground_speed(self._problem, along, water, air - water).min())
        return max(lasts, length / (BELOW_LIMIT * fastest))


_Move = tuple[int, int, _Point | None]      # The first and the last of the points that go; what comes instead.


def _joined_legs(points: Sequence[_Point], costs: Sequence[float], price: _LegPrice, most: float,
                 shortest: float) -> list[_Point]:
    """
    Return points with fewer legs between them, as long as the legs cost at most `most`.

    :param costs: Of the legs between the points.
    :param shortest: Legs below this length, m, go first.
    """
    kept, used = list(points), list(costs)
    while True:
        # Both ends of a stop stay.
        free = [False, *(not (before.rests or at.rests) for before, at in pairwise(kept[:-1])), False]
        short = [not one.rests and math.hypot(*one.way_to(other)) < shortest for one, other in pairwise(kept)]
        without: list[_Move] = [(at, at, None) for at in range(1, len(kept) - 1) if free[at]]
        corners = [(at, at + 1, _corner(kept[at - 1:at + 3])) for at in range(1, len(kept) - 2)
                   if short[at] and free[at] and free[at + 1]]
        urgent = [move for move in without if short[move[0] - 1] or short[move[0]]]
        urgent += [move for move in corners if move[2] is not None]

        def ways(move: _Move) -> list[float]:
            first, last, corner = move
            some = [kept[first - 1], *([] if corner is None else [corner]), kept[last + 1]]
            return [price.of_leg(*pair) for pair in pairwise(some)]

        for moves in (urgent, without):
            more = [sum(ways(move)) - sum(used[move[0] - 1:move[1] + 1]) for move in moves]
            at = int(np.argmin(more)) if more else 0
            if more and sum(used) + more[at] <= most:
                first, last, corner = moves[at]
                used[first - 1:last + 1] = ways(moves[at])
                kept[first:last + 1] = [] if corner is None else [corner]
                break
        else:
            return kept


def _corner(four: Sequence[_Point]) -> _Point | None:
    """Return where the leg to the second of four points and that from the third one meet, if they do between these."""
    before, one, other, after = four
    (ux, uy), (vx, vy), (wx, wy) = before.way_to(one), after.way_to(other), one.way_to(other)
    across = ux * vy - uy * vx
    if across == 0.0:
        return None
    ahead, back = (wx * vy - wy * vx) / across, (wx * uy - wy * ux) / across
    if not (ahead > 0.0 and back > 0.0):
        return None
    reach = ahead * math.hypot(ux, uy)
    share = reach / (reach + back * math.hypot(vx, vy))
    return _Point(one.time + share * (other.time - one.time), one.x + ahead * ux, one.y + ahead * uy)


def _kept_points(route: Route, tolerance: float, problem: RouteProblem) -> np.ndarray:
    """Return the numbers of the points that stay, ends included. After Douglas and Peucker (1973), at equal times."""
    # Where the boat stops, drifts or goes on, there is a corner anyhow.
    change = np.flatnonzero(np.diff((route.speed == 0.0).astype(int))) + 1
    open_ends = [0, *change.tolist(), route.time.size - 1]
    kept, waiting = set(open_ends), list(pairwise(open_ends))
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        share = (route.time[first:last + 1] - route.time[first]) / (route.time[last] - route.time[first])
        off = np.hypot(*(part[first:last + 1] - part[first] - share * (part[last] - part[first])
                         for part in (route.x, route.y)))
        at = first + int(np.argmax(off))
        if off[at - first] <= tolerance:
            ends = (part[np.array([number])] for number in (first, last) for part in (route.x, route.y))
            if not problem.barriers.crossed(*ends).any():
                continue
            at = at if first < at < last else (first + last) // 2
        kept.add(at)
        waiting += [(first, at), (at, last)]
    return np.array(sorted(kept))
