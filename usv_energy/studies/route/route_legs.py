"""The legs of a route: conditions, waves, cost by steady motion, and a route in few legs."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.flow.flow_box import flow_along
from usv_energy.physics.motion import Flow
from usv_energy.powering.power import Power
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import MotionTable, SteadyCost
from usv_energy.studies.route.route_cost import route_with_energy
from usv_energy.studies.route.route_problem import Route, RouteProblem

PLACES = 9              # Points of each leg at which the current is sampled.
POWER_PLACES = 9        # Points of each leg at which the boat's power is computed.
PARTS = 200             # `legs_with_energy` divides a route into about this many parts.
TOLERANCES = 0.03, 0.02, 0.012, 0.008, 0.005, 0.003, 0.002, 0.001, 0.0005     # Shares of the route's length.
MOST_DEARER = 0.01      # The legs may cost this share more energy than the route;
FARTHEST = 0.05         # Share of the route's length by which the boat may be off it on a leg.
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


def simplified_route(route: Route, problem: RouteProblem, dearer: float = MOST_DEARER) -> Route:
    """
    Return a route in few legs at about the same cost, with the same times at their ends.

    First points are kept from which the boat on its leg is never further off than a tolerance: the largest of
    TOLERANCES for which the legs can be followed, cross no barrier, and are hardly dearer. Then the point without which
    the legs cost least is left out, again and again, as long as they need at most `dearer` more than the route, and the
    boat is never further off than FARTHEST.

    :param dearer: Largest share of additional energy, (-).
    """
    legs, rest = route, (route.speed == 0.0) & (np.diff(route.time) > 0.0)
    for tolerance in TOLERANCES:
        kept = _kept_points(route, tolerance * max(route.length, 1e-9), problem)
        legs = legs_with_energy(problem, route.time[kept], route.x[kept], route.y[kept],
                           np.logical_and.reduceat(rest, kept[:-1]))
        if legs.energy[-1] <= (1.0 + FIRST_DEARER * dearer) * route.energy[-1]:
            break
    if not np.isfinite(legs.energy[-1]):
        return route
    return _joined_legs(legs, route, problem, (1.0 + dearer) * float(route.energy[-1]))


def _joined_legs(legs: Route, route: Route, problem: RouteProblem, most: float) -> Route:
    """Return legs of a route without the points that cost least, as long as the legs need at most `most`, J."""
    rest = (legs.speed == 0.0) & (np.diff(legs.time) > 0.0)
    fixed = np.concatenate([[True], rest[:-1] | rest[1:], [True]])      # Both ends of a stop stay.
    kept, used = list(range(legs.time.size)), np.diff(legs.energy).tolist()
    joined: dict[tuple[int, int], float] = {}

    def energy_of(pair: tuple[int, int]) -> float:
        """Return the energy of one leg between two points, J; inf if it is impossible."""
        if pair not in joined:
            some = list(pair)
            ends = (part[[number]] for number in some for part in (legs.x, legs.y))
            one = legs_with_energy(problem, legs.time[some], legs.x[some], legs.y[some])
            during = (route.time > one.time[0]) & (route.time < one.time[1])
            off = np.hypot(*(np.interp(route.time[during], one.time, leg) - part[during]
                             for leg, part in ((one.x, route.x), (one.y, route.y))))
            good = (np.isfinite(one.energy[-1]) and np.all(off <= FARTHEST * route.length)
                    and not problem.barriers.crossed(*ends).any())
            joined[pair] = float(one.energy[-1]) if good else np.inf
        return joined[pair]

    while True:
        more = [np.inf if fixed[kept[at]] else energy_of((kept[at - 1], kept[at + 1])) - used[at - 1] - used[at]
                for at in range(1, len(kept) - 1)]
        at = 1 + int(np.argmin(more)) if more else 0
        if not more or sum(used) + more[at - 1] > most:
            break
        used[at - 1:at + 1] = [energy_of((kept[at - 1], kept[at + 1]))]
        del kept[at]
    return legs_with_energy(problem, legs.time[kept], legs.x[kept], legs.y[kept],
                            np.logical_and.reduceat(rest, kept[:-1]))


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
