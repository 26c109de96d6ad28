"""Estimate of a mission leg by leg: time, and energy by cause and load, from steady motion, corners and holds."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import share_of
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import Points, velocities_at
from usv_energy.flow.flow_box import flow_along
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import place_words
from usv_energy.physics.motion import Flow
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.loads import mean_load_powers
from usv_energy.show.text_table import exact_seconds
from usv_energy.sim.leg_energy import leg_name
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import (
    CornerCosts,
    Corners,
    corner_costs,
    corners_carried_over,
    power_by_cause,
)
from usv_energy.studies.mission.corner_runs import Steering
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.units import moment_words

POINTS = 4000      # of the whole way, at most, at which a flow that varies in space is sampled
SPACING = 5.0      # m: least distance of these points
ALIKE = 2e-3       # m/s: those that follow each other with velocities within this are solved as one, at their mean


class OutsideFlowError(InputError):
    """A way that leaves its flow file, in place or time."""


def leg_load_energies(scenario: Scenario, speed: np.ndarray, begin: np.ndarray, under_way: np.ndarray,
                      hold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the energy of each load under way and during the hold of each leg, J, both of shape (loads, legs).

    A load that is switched by a topic is on for the share that the boat's file gives for missing messages.

    :param scenario: Its boat, and the names of its legs.
    :param speed: Over ground under way, m/s, shape (legs,); during a hold it is 0.
    :param begin: Of each leg, s since the departure; duty cycles start at the departure.
    :param under_way: How long the boat is under way, s.
    :param hold: How long it holds at the end, s.
    """
    if not scenario.boat.load_rules:
        return np.zeros((0, begin.size)), np.zeros((0, begin.size))
    boat, legs = scenario.on_its_legs(scenario.boat), range(begin.size)
    going, staying = ([leg_name(scenario.order_of(number), number + 1, holding) for number in legs]
                      for holding in (False, True))
    arrived = begin + under_way
    return (_load_energies(boat, going, begin, arrived, speed),
            _load_energies(boat, staying, arrived, arrived + hold, 0.0 * speed))


def _load_energies(boat: Boat, names: Sequence[str], begin: np.ndarray, end: np.ndarray,
                   speed: np.ndarray) -> np.ndarray:
    loads = tuple(load._replace(share=np.array([share_of(rule, name) for name in names]))
                  for load, rule in zip(boat.vessel.loads, boat.load_rules))
    powers = mean_load_powers(loads, begin, end, speed, speed)
    return np.array([np.where(end > begin, watts, 0.0) * (end - begin) for watts in powers]).reshape(-1, begin.size)


class LegEstimate(NamedTuple):
    """
    Time and energy of the legs, arrays with a value per leg.

    `length` m and `course` rad (ENU) of the leg; `speed` over ground, m/s; `begin`: s since the departure;
    `under_way` and `hold`: how long the boat goes and then holds, s; `energy`: J by cause as in `CAUSES`, shape
    (causes, legs), holds and corners included; `of_hold`, `of_corner`: the parts of the total due to them, J;
    `feasible`: whether the thrusters are strong enough for the whole leg; `by_load`: energy of each of the boat's
    loads, J, shape (loads, legs).
    """

    length: np.ndarray
    course: np.ndarray
    speed: np.ndarray
    begin: np.ndarray
    under_way: np.ndarray
    hold: np.ndarray
    energy: np.ndarray
    of_hold: np.ndarray
    of_corner: np.ndarray
    feasible: np.ndarray
    by_load: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """Energy of each leg, J."""
        return self.energy[CAUSES.index('total')]

    @property
    def end(self) -> np.ndarray:
        """When each leg ends, its hold included, s since the departure."""
        return self.begin + self.under_way + self.hold


class MissionCase(NamedTuple):
    """A mission's scenario, its departure, the world's time, s, and what its corners cost, None if unknown."""

    scenario: Scenario
    departure: float = 0.0
    corners: CornerCosts | None = None


def legs_estimate(scenario: Scenario, departure: float = 0.0, corners: CornerCosts | None = None) -> LegEstimate:
    """
    Return time and energy of a scenario's legs.

    :param scenario: Its boat, waypoints, orders, speed over ground, water and air.
    :param departure: The world's time at which it begins, s.
    :param corners: Costs of its corners, if known; None, or those of other waypoints: they are computed.
    :raises InputError: Without a speed over ground; if the flow has no value on the way, or the boat no thruster.
    """
    return legs_side_by_side([MissionCase(scenario, departure, corners)])[0]


def legs_side_by_side(cases: Sequence[MissionCase]) -> list[LegEstimate]:
    """Return what `legs_estimate` does for cases of one boat in one water and air; their motion is solved together."""
    known, ways = [], [_way(case.scenario) for case in cases]
    for (scenario, departure, corners), way in zip(cases, ways):
        if corners is None or corners.way != _way_key(scenario):
            corners = corners_of(scenario, departure)
        known.append(_corner_parts(way, corners))
    under_way = [way.length / way.speed + extra for way, (extra, _, _) in zip(ways, known)]
    begin = [case.departure + np.concatenate(([0.0], np.cumsum(lasts + way.hold)[:-1]))
             for case, way, lasts in zip(cases, ways, under_way)]
    scenario, every = cases[0].scenario, _Way(*map(np.concatenate, zip(*ways)))
    energy, able = _energy_under_way(scenario, every, np.concatenate(begin), [way.length.size for way in ways])
    of_hold, can_hold = _energy_of_holds(scenario, every, np.concatenate(begin) + np.concatenate(under_way))
    ends = np.cumsum([way.length.size for way in ways])[:-1]
    return [_with_corners_and_loads(*one) for one in zip(
        cases, ways, known, begin, under_way,
        *(np.split(part, ends, axis=-1) for part in (energy, of_hold, able & can_hold)))]


def _with_corners_and_loads(case: MissionCase, way: '_Way', corners: tuple[np.ndarray, ...], begin: np.ndarray,
                            under_way: np.ndarray, energy: np.ndarray, of_hold: np.ndarray,
                            feasible: np.ndarray) -> LegEstimate:
    """Return the estimate of a case from the energy of its steady motion, under way and in holds, J by cause."""
    _, of_corner, of_stop = corners
    of_hold = of_hold + of_stop
    energy = energy + of_hold + of_corner
    loads, held = leg_load_energies(case.scenario, way.speed, begin - case.departure, under_way, way.hold)
    total = CAUSES.index('total')
    for row in (CAUSES.index('loads'), total):
        energy[row] += (loads + held).sum(axis=0)
    return LegEstimate(way.length, way.course, way.speed, begin - case.departure, under_way, way.hold, energy,
                       of_hold[total] + held.sum(axis=0), of_corner[total], feasible, loads + held)


class _Way(NamedTuple):
    """Legs: begin x, y; way dx, dy; length, m; course, rad; speed, m/s; at the end hold, s, heading, rad, radius, m."""

    x: np.ndarray
    y: np.ndarray
    dx: np.ndarray
    dy: np.ndarray
    length: np.ndarray
    course: np.ndarray
    speed: np.ndarray
    hold: np.ndarray
    heading: np.ndarray
    radius: np.ndarray


def _way(scenario: Scenario) -> _Way:
    x, y = np.array([scenario.start[:2], *scenario.waypoints], dtype=float).T
    dx, dy = np.diff(x), np.diff(y)
    length = np.hypot(dx, dy)
    orders = [scenario.order_of(number) for number in range(len(scenario.waypoints))]
    speed = np.array([order.speed or scenario.speed or math.nan for order in orders])
    if not np.isfinite(speed).all():
        raise InputError(f'{scenario.path}: no speed over ground for leg {int(np.argmax(~np.isfinite(speed))) + 1}; an '
                         'estimate needs one')
    hold = np.array([order.hold for order in orders])
    heading = np.array([math.nan if order.heading is None else order.heading for order in orders])
    radius = np.array([scenario.radius if order.radius is None else order.radius for order in orders])
    course = np.arctan2(dy, dx)
    for number in np.flatnonzero(length == 0.0):  # A hold where the boat is: it keeps its heading.
        course[number] = course[number - 1] if number else scenario.start[2]
    for leg, order in enumerate(orders):
        if order.way is not None:
            length[leg], course[leg] = order.way
    return _Way(x[:-1], y[:-1], dx, dy, length, course, speed, hold, heading, radius)


def _corner_parts(way: _Way, corners: CornerCosts | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the extra time, s, and energy by cause, J, of each leg's first corner, and the energy of its hold."""
    none = np.zeros((len(CAUSES), way.length.size))
    if corners is None:
        return none[0], none, none
    time, of_corner, of_stop = corners.at(way.speed)
    return np.maximum(time, -way.length / way.speed), of_corner, of_stop


def corners_of(scenario: Scenario, departure: float = 0.0) -> CornerCosts | None:
    """
    Return what the corners, starts and stops of a scenario cost; None if the boat has only a power curve.

    :param departure: The world's time at which it begins, s.
    :raises InputError: As `legs_estimate`.
    """
    found = corners_side_by_side([(scenario, departure)])
    return None if found is None else found[0]


def corners_side_by_side(cases: Sequence[tuple[Scenario, float]]) -> list[CornerCosts] | None:
    """
    Return what `corners_of` does for one way at several speeds or departures, whose corners are run side by side.

    :param cases: Scenarios that differ in their speeds only, each with its departure, the world's time, s.
    """
    scenario = cases[0][0]
    if scenario.boat.power_curve is not None:
        return None
    missions = [_corners_in_flow(*case) for case in cases]
    vessel = scenario.plant.vessel._replace(loads=())  # Loads are counted over the whole time, not in the corners.
    return corner_costs(vessel, Steering(scenario.gains, scenario.lookahead), missions, _way_key(scenario))


def corners_on_another_way(costs: CornerCosts, before: Scenario, now: Scenario,
                           departure: float) -> CornerCosts | None:
    """
    Return about what the corners of a scenario cost, from those of an earlier one; None if too few are alike.

    :param costs: Of the corners of `before`, whose boat is that of `now`.
    :param departure: The world's time at which both begin, s.
    :raises InputError: As `legs_estimate`.
    """
    way = _way_key(now)
    if costs.way == way and np.array_equal(_way(before).hold, _way(now).hold):
        return costs
    return corners_carried_over(costs, _corners_in_flow(before, departure), _corners_in_flow(now, departure), way)


def _corners_in_flow(scenario: Scenario, departure: float) -> Corners:
    """Return the legs of a scenario with the water and air at their begins."""
    way = _way(scenario)
    later = np.concatenate(([0.0], np.cumsum(way.length / way.speed + way.hold)[:-1]))
    flow = np.array([np.broadcast_to(part, way.length.size)
                     for part in flow_at(scenario, departure + later, way.x, way.y)])
    return Corners(way.length, way.course, way.speed, way.radius, way.hold, way.heading, flow,
                   np.arange(later.size) == 0)


class AtSpeed(NamedTuple):
    """A mission at other speeds: its scenario, its legs, and what its corners cost."""

    scenario: Scenario
    legs: LegEstimate
    corners: CornerCosts | None


def estimates_at_speeds(scenarios: Sequence[Scenario], departure: float, corners: CornerCosts | None,
                        own_corners: bool) -> list[AtSpeed]:
    """
    Return one way at several speeds, those that the thrusters can hold.

    :param scenarios: They differ in their speeds only.
    :param departure: The world's time, s.
    :param corners: Of the boat on this way, at any speeds.
    :param own_corners: Whether the corners are run at each of the speeds; else `corners` are scaled.
    """
    found = _held([MissionCase(scenario, departure, corners) for scenario in scenarios])
    own = corners_side_by_side([(one.scenario, departure) for one in found]) if own_corners and found else None
    if own is None:
        return found
    return _held([MissionCase(one.scenario, departure, each) for one, each in zip(found, own)])


def _held(cases: Sequence[MissionCase]) -> list[AtSpeed]:
    """Return the cases whose speeds the thrusters can hold."""
    found = legs_side_by_side(cases) if cases else []
    return [AtSpeed(case.scenario, legs, case.corners) for case, legs in zip(cases, found) if legs.feasible.all()]


def _way_key(scenario: Scenario) -> tuple[Any, ...]:
    return scenario.start[:2], scenario.waypoints


def _energy_under_way(scenario: Scenario, way: _Way, begin: np.ndarray,
                      legs: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the energy of steady motion along each leg by cause, J, and whether the thrusters are strong enough.

    :param way: The legs of all cases; `legs`: how many each case has.
    """
    uniform = all(isinstance(flow, UniformFlow) for flow in (scenario.current, scenario.wind))
    length, speed = way.length, way.speed
    spacing = np.concatenate([np.full(part.size, max(SPACING, float(part.sum()) / POINTS))
                              for part in np.split(length, np.cumsum(legs)[:-1])])
    counts = np.ones(length.size, dtype=int) if uniform else np.maximum(1, np.ceil(length / spacing)).astype(int)
    leg = np.repeat(np.arange(length.size), counts)
    share = (np.arange(leg.size) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5) / counts[leg]
    time = begin[leg] + share * length[leg] / speed[leg]
    flow = flow_at(scenario, time, way.x[leg] + share * way.dx[leg], way.y[leg] + share * way.dy[leg])
    seconds = length[leg] / speed[leg] / counts[leg]
    if not uniform:
        leg, seconds, flow = _joined(leg, seconds, flow)
    steady = steady_state(scenario.boat.vessel._replace(loads=()), way.course[leg], speed[leg], flow)
    energy = np.array([np.bincount(leg, seconds * power, length.size) for power in power_by_cause(steady, leg.size)])
    return energy, np.bincount(leg, ~steady.feasible & (seconds > 0.0), length.size) == 0


def _joined(leg: np.ndarray, seconds: np.ndarray, flow: Flow) -> tuple[np.ndarray, np.ndarray, Flow]:
    """Return points of legs with those joined that follow each other in the same water and air but for ALIKE."""
    keys = np.vstack((leg, *(np.floor(part / ALIKE) for part in flow)))
    begins = np.concatenate(([True], (np.diff(keys) != 0.0).any(axis=0)))
    run = np.cumsum(begins) - 1
    number = np.bincount(run)
    return leg[begins], np.bincount(run, seconds), Flow(*(np.bincount(run, part) / number for part in flow))


def _energy_of_holds(scenario: Scenario, way: _Way, begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the energy of the holds by cause, J, and whether the thrusters are strong enough."""
    energy, able = np.zeros((len(CAUSES), way.hold.size)), np.ones(way.hold.size, dtype=bool)
    at = np.flatnonzero(way.hold > 0.0)
    if at.size:
        flow = flow_at(scenario, begin[at] + 0.5 * way.hold[at], (way.x + way.dx)[at], (way.y + way.dy)[at])
        steady = steady_state(scenario.boat.vessel._replace(loads=()), way.course[at], np.zeros(at.size), flow)
        energy[:, at] = way.hold[at] * power_by_cause(steady, at.size)
        able[at] = steady.feasible
    return energy, able


def flow_at(scenario: Scenario, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> Flow:
    """Return water and air at places and times, shape (n,)."""
    current, wind = (_velocity_at(flow, scenario, time, x, y) for flow in (scenario.current, scenario.wind))
    return Flow(*current, *wind)


def _velocity_at(flow: Any, scenario: Scenario, time: np.ndarray, x: np.ndarray,
                 y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    vx, vy = flow_velocities(flow, time, x, y)
    known = np.isfinite(vx) & np.isfinite(vy)
    if not known.all():
        place = int(np.argmin(known))
        where = f'x = {x[place]:.1f} m, y = {y[place]:.1f} m' if not isinstance(flow, FlowFile) else place_words(
            flow, float(x[place]), float(y[place]))
        at = float(time[place])
        if isinstance(flow, FlowFile) and flow.zero is not None and math.isnan(flow.clock.time(at)):
            raise OutsideFlowError(f'{flow.path}: holds {flow.span_words}, and the mission is under way at '
                                   f'{moment_words(flow.zero + timedelta(seconds=at))}')
        raise OutsideFlowError(f'{getattr(flow, "path", scenario.path)}: no value at t = {exact_seconds(round(at))}, '
                               f'{where}, which the mission passes')
    return vx, vy


def flow_velocities(flow: Any, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the velocity of a flow at places, each at its own time, m/s, NaN without a value, shape (n,).

    :param flow: A UniformFlow or another flow in the world's frame and time.
    :param time: The world's, s, shape (n,); `x`, `y`: m, the same.
    """
    if isinstance(flow, UniformFlow):
        return np.full(x.shape, flow.x), np.full(x.shape, flow.y)
    if isinstance(flow, FlowFile) and flow.waves is not None and flow.waves.carries:
        found = velocities_at(flow, Points(time, x, y))     # With the drift of its waves.
        return np.where(found.inside, found.vx, np.nan), np.where(found.inside, found.vy, np.nan)
    return flow_along(flow)(time, x, y)
