"""Where a mission's reserve is reached, the last point from which home is, the batteries that it takes, its speeds."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.physics.motion import Flow
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_battery import GO, MissionBattery, charge_at_ends
from usv_energy.studies.mission.mission_estimate import (
    AtSpeed,
    LegEstimate,
    OutsideFlowError,
    estimates_at_speeds,
    flow_at,
)
from usv_energy.studies.mission.mission_scenario import ordered_speeds, with_speeds
from usv_energy.studies.plan.steady_motion import steady_state, top_speed
from usv_energy.studies.plan.steady_range import INSIDE, best_speeds

POINTS = 400            # along the mission, about, from which the way home is computed
SLOWER = np.arange(10, 0, -1) / 10.0    # shares of a speed that are tried home if the thrusters cannot hold it
STEPS = 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0     # m/s: of the table of speeds, which has
MOST_SPEEDS = 14        # of them at most
LONG_LEGS = 8           # whose own best speeds are tried
FINER = 5               # parts of a step: of the speeds that are tried beside the best of them
SAME = 0.005            # relative difference of energies and times that is too small to be advice
FASTER = 1.2            # times the top speed in still water: the highest that is tried
SAME_PLACE = 1.0        # m: a mission that ends so near to its start, or within its radius, ends at home


class PointOnWay(NamedTuple):
    """A point of a mission: leg, from 0; metres along it; place, m (ENU); s since the departure; charge there, (-)."""

    leg: int
    along: float
    x: float
    y: float
    time: float
    charge: float


class WayBack(NamedTuple):
    """The straight way from the mission's end to its start: m, s, J, and the charge there, (-); NaN if it cannot."""

    length: float
    duration: float
    energy: float
    charge: float


class SpeedRow(NamedTuple):
    """A mission at one speed over ground on all legs, m/s, or (NaN) at its own: s, J, charge at the end, verdict."""

    speed: float
    time: float
    energy: float
    charge: float
    verdict: str

    @property
    def suffices(self) -> bool:
        """Whether the verdict is GO."""
        return self.verdict == GO


class AtWorst(NamedTuple):
    """A mission at the upper end of its interval: energy, J, maybe infinite, and charge at the end of each leg, (-)."""

    energy: float
    charge: np.ndarray


class Reserve(NamedTuple):
    """
    What a skipper asks of a mission and its battery; None without a battery, or for what there is not.

    `reached`: the point at which the charge falls below the reserve; `empty`: below 0. `turn_back`: the last point of
    the mission from which the straight way home leaves the reserve, at the upper end of the interval too, if that is
    not all of it.
    `batteries`: the number of full batteries that the mission takes, each down to the reserve; infinite if none gives
    the power; `most_batteries`: the same at the upper end of the interval. `way_back`: from the end, None if the
    mission ends at home.
    """

    reached: PointOnWay | None
    empty: PointOnWay | None
    turn_back: PointOnWay | None
    batteries: float
    most_batteries: float
    way_back: WayBack | None


class _Course(NamedTuple):
    """Points along a mission, arrays: leg, m along it, place, s since the departure, charge, speed of the leg, m/s."""

    leg: np.ndarray
    along: np.ndarray
    x: np.ndarray
    y: np.ndarray
    time: np.ndarray
    charge: np.ndarray
    speed: np.ndarray

    def point(self, at: int) -> PointOnWay:
        """Return one of the points."""
        return PointOnWay(int(self.leg[at]), *(float(part[at]) for part in self[1:6]))


def mission_reserve(scenario: Scenario, departure: float, legs: LegEstimate, charge: np.ndarray | None,
                    battery: MissionBattery, at_worst: AtWorst | None = None) -> Reserve | None:
    """
    Return where the reserve of a mission ends; None without a battery, or if the mission has no energy.

    :param scenario: The mission as a scenario.
    :param departure: The world's time, s.
    :param legs: Its legs, as fast as the thrusters can.
    :param charge: At the end of each leg, (-).
    :param battery: Before the mission.
    :param at_worst: The mission at the upper end of its interval; None for the estimate.
    """
    energy, time = float(legs.total.sum()), float(legs.end[-1])
    if charge is None or not math.isfinite(energy):
        return None
    course = _course(scenario, legs, charge, battery.charge)
    full = battery._replace(charge=1.0).spare(energy, time)
    per_charge = full / (1.0 - battery.reserve) if battery.reserve < 1.0 else math.nan
    length, duration, home = _ways_home(scenario, departure, course, max(0.0, float(legs.of_corner.max())))
    after = course.charge - home / per_charge
    most, worst = at_worst or AtWorst(energy, charge)
    dearer = most / energy if energy > 0.0 else 1.0
    with np.errstate(invalid='ignore'):     # A charge of -inf, where the thrusters may be too weak.
        left = _course(scenario, legs, worst, battery.charge).charge - dearer * home / per_charge
    far = not ends_at_home(scenario)
    # A last leg that ends at home is the way home itself, without a turn.
    left = left if far else np.where(course.leg == legs.length.size - 1, worst[-1], left)
    lost = np.flatnonzero(~(left >= battery.reserve))
    turn_back = None if not lost.size else course.point(max(int(lost[0]) - 1, 0))
    batteries, most_batteries = (needed / full if full > 0.0 else math.inf for needed in (energy, most))
    return Reserve(_reached(course, battery.reserve), _reached(course, 0.0), turn_back, batteries, most_batteries,
                   WayBack(*(float(part[-1]) for part in (length, duration, home, after))) if far else None)


def ends_at_home(scenario: Scenario) -> bool:
    """Return whether a mission ends where it begins."""
    return math.dist(scenario.start[:2], scenario.waypoints[-1]) <= max(SAME_PLACE, scenario.radius)


def _course(scenario: Scenario, legs: LegEstimate, charge: np.ndarray, start: float) -> _Course:
    """Return points along the mission, evenly spaced by time on each way and each stay, both their ends included."""
    number = legs.length.size
    x, y = np.array([scenario.start[:2], *scenario.waypoints], dtype=float).T
    ends = np.column_stack([legs.begin + legs.under_way, legs.end]).ravel()
    ends = np.concatenate(([0.0], ends))
    at_ends = charge_at_ends(charge, start, legs)
    inner = max(1, POINTS // number)
    rows: list[list[np.ndarray]] = []
    for leg in range(number):
        for stays in (False, True):
            first = 2 * leg + stays
            if stays and not legs.hold[leg] > 0.0:
                continue
            share = np.linspace(0.0, 1.0, inner + 1)[0 if not rows else 1:]
            on_leg = np.ones_like(share) if stays else share
            rows.append([np.full(share.size, float(leg)), on_leg * legs.length[leg],
                         x[leg] + on_leg * (x[leg + 1] - x[leg]), y[leg] + on_leg * (y[leg + 1] - y[leg]),
                         ends[first] + share * (ends[first + 1] - ends[first]),
                         at_ends[first] + share * (at_ends[first + 1] - at_ends[first]),
                         np.full(share.size, legs.speed[leg])])
    return _Course(*np.concatenate([np.array(part) for part in rows], axis=1))


def _reached(course: _Course, reserve: float) -> PointOnWay | None:
    """Return the point, between two of the course, at which the charge is the reserve; None if it never is."""
    below = np.flatnonzero(course.charge < reserve)
    if not below.size:
        return None
    at = int(below[0])
    if at == 0:
        return course.point(0)
    before, after = course.charge[at - 1], course.charge[at]
    share = (before - reserve) / (before - after)
    leg = int(course.leg[at])
    same = course.leg[at - 1] == leg    # Else the point before is the end of the leg before: this leg's beginning.
    begin = course.along[at - 1] if same else 0.0
    x, y, time, charge = (float(part[at - 1] + share * (part[at] - part[at - 1]))
                          for part in (course.x, course.y, course.time, course.charge))
    return PointOnWay(leg, float(begin + share * (course.along[at] - begin)), x, y, time, charge)


def _ways_home(scenario: Scenario, departure: float, course: _Course,
               turn: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return length, m, duration, s, and energy, J, of the straight way home from each point; NaN if it cannot be gone.

    It is steady motion at the speed of the leg, or the next tenth of it that the thrusters hold, in the water and air
    that are where the boat is, when it turns back.

    :param turn: Energy of turning home, J.
    """
    dx, dy = scenario.start[0] - course.x, scenario.start[1] - course.y
    length, ahead = np.hypot(dx, dy), np.arctan2(dy, dx)
    flow = flow_at(scenario, departure + course.time, course.x, course.y)
    speed, power = np.full(length.size, np.nan), np.full(length.size, np.nan)
    for share in SLOWER:
        some = np.flatnonzero(np.isnan(speed))
        if not some.size:
            break
        tried = share * course.speed[some]
        steady = steady_state(scenario.boat.vessel, ahead[some], tried, Flow(*(part[some] for part in flow)))
        speed[some] = np.where(steady.feasible, tried, np.nan)
        power[some] = np.where(steady.feasible, steady.power.total, np.nan)
    at_home = length == 0.0
    duration = np.where(at_home, 0.0, length / speed)
    return length, duration, np.where(at_home, 0.0, duration * power + turn)


def speed_rows(scenario: Scenario, departure: float, corners: CornerCosts | None, legs: LegEstimate,
               battery: MissionBattery, own_corners: bool, verdict: str,
               judged: Callable[[Sequence[AtSpeed]], list[str]],
               planned: Scenario | None = None) -> tuple[list[SpeedRow], list[float]]:
    """
    Return what a mission costs at several speeds over ground, the same on all legs, up to the fastest that is held.

    Beside the rows are the speeds, m/s, at which the mission leaves a flow file, in place or time: they have none.

    The first row is the mission as it is. One whose legs have several speeds has the speed NaN. With `own_corners`
    there are rows between the others where the least energy or the fastest GO lies there.

    :param legs: The mission as it is.
    :param corners: Of the boat.
    :param own_corners: Whether corners are run at each speed; else `corners` are scaled, which is a first answer.
    :param verdict: On the mission as it is.
    :param judged: The verdicts on it at other speeds.
    :param planned: The mission with the speeds of its plan, if it is at others.
    """
    one, outside = _one_speed(scenario), list[float]()
    rows = [_row(one, legs, battery, verdict)] if legs.feasible.all() else []
    top = FASTER * top_speed(scenario.boat.vessel)
    step = next((step for step in STEPS if top <= step * MOST_SPEEDS), STEPS[-1])
    speeds = (step * np.arange(1, min(MOST_SPEEDS, int(top / step)) + 1)).tolist()
    others = [with_speeds(scenario, np.full(len(scenario.waypoints), speed))
              for speed in speeds if abs(speed - one) >= 1e-6 or math.isnan(one)]
    if planned is not None and not any(np.allclose(ordered_speeds(planned), ordered_speeds(each))
                                       for each in (scenario, *others)):
        others.append(planned)

    def at(tried: Sequence[Scenario]) -> list[AtSpeed]:
        try:
            return estimates_at_speeds(tried, departure, corners, own_corners)
        except OutsideFlowError:
            if len(tried) == 1:
                outside.append(_one_speed(tried[0]))
                return []
            half = len(tried) // 2
            return [*at(tried[:half]), *at(tried[half:])]

    def judged_rows(found: Sequence[AtSpeed]) -> list[SpeedRow]:
        return [_row(_one_speed(each.scenario), each.legs, battery, own) for each, own in zip(found, judged(found))]
    rows += judged_rows(at(others))
    left_out = sorted(outside)
    if not own_corners or not rows:
        return rows, left_out
    slow = [*_speeds_near_least(scenario, rows, step), *_best_on_legs(scenario, departure, rows)]
    fast = _speeds_above_fastest(rows, step)
    finer = {_one_speed(each.scenario): each for each in at([
        with_speeds(scenario, np.full(len(scenario.waypoints), speed)) for speed in sorted({*slow, *fast})])}
    energy = {speed: float(each.legs.total.sum()) for speed, each in finer.items()}
    least = min((speed for speed in slow if speed in finer), key=energy.__getitem__, default=math.nan)
    if energy.get(least, math.inf) > (1.0 - SAME) * rows[cheapest_row(rows)].energy:
        least = math.nan
    new = judged_rows([each for speed, each in finer.items() if speed in fast or speed == least])
    fastest = max((row.speed for row in new if row.suffices and row.speed in fast), default=math.nan)
    return [*rows, *(row for row in new if row.speed in (least, fastest))], left_out


def _speeds_near_least(scenario: Scenario, rows: Sequence[SpeedRow], step: float) -> list[float]:
    """Return speeds between those beside the cheapest row, m/s; none where slower always costs less."""
    least = rows[cheapest_row(rows)].speed
    return [] if without_hotel_load(scenario) else _between(rows, least - step, least + step, step)


def _best_on_legs(scenario: Scenario, departure: float, rows: Sequence[SpeedRow]) -> list[float]:
    """Return the speeds of least energy per metre on the longest legs, m/s: energy over speed may have two valleys."""
    if without_hotel_load(scenario):
        return []
    points = np.array([scenario.start[:2], *scenario.waypoints])
    (east, north), middle = np.diff(points, axis=0).T, 0.5 * (points[1:] + points[:-1])
    longest = np.argsort(-np.hypot(east, north), kind='stable')[:LONG_LEGS]
    flow = flow_at(scenario, np.full(longest.size, departure), *middle[longest].T)
    kinds, speeds, _ = best_speeds(scenario.boat.vessel, np.arctan2(north, east)[longest], flow)
    found = {round(float(speed), 2) for kind, speed in zip(kinds, speeds) if kind == INSIDE}
    return sorted(speed for speed in found if speed > 0.0 and all(not abs(speed - row.speed) < 1e-6 for row in rows))


def _speeds_above_fastest(rows: Sequence[SpeedRow], step: float) -> list[float]:
    """Return speeds between the fastest row that is GO and the next one, m/s; none if there is no such pair."""
    speeds = [row.speed for row in rows if row.suffices and math.isfinite(row.speed)]
    if not speeds:
        return []
    return _between(rows, max(speeds), min((row.speed for row in rows if row.speed > max(speeds)), default=0.0), step)


def _between(rows: Sequence[SpeedRow], low: float, high: float, step: float) -> list[float]:
    """Return the multiples of a FINER part of a step that lie between two speeds, m/s, and are in no row."""
    if not math.isfinite(low + high):
        return []
    part = step / FINER
    every = (round(part * number, 9) for number in range(max(1, math.floor(low / part)), math.ceil(high / part) + 1))
    return [speed for speed in every if low + 1e-6 < speed < high - 1e-6
            and all(not abs(speed - row.speed) < 1e-6 for row in rows)]


def _one_speed(scenario: Scenario) -> float:
    """Return the speed of all legs, m/s; NaN if they have several."""
    ordered = ordered_speeds(scenario)
    return float(ordered[0]) if np.ptp(ordered) < 1e-9 * float(ordered.max()) else math.nan


def _row(speed: float, legs: LegEstimate, battery: MissionBattery, verdict: str) -> SpeedRow:
    return SpeedRow(speed, float(legs.end[-1]), float(legs.total.sum()), battery.charge_at_end(legs), verdict)


def cheapest_row(rows: Sequence[SpeedRow]) -> int:
    """Return the number of the row of least energy, the first of equals."""
    return min(range(len(rows)), key=lambda number: rows[number].energy)


def without_hotel_load(scenario: Scenario) -> bool:
    """Return whether a boat draws nothing but for its thrusters, so that to be slower always costs less."""
    vessel = scenario.boat.vessel
    return scenario.boat.power_curve is None and vessel.static_load == 0.0 and not vessel.loads
