"""
A mission as a scenario for estimate and simulator, with legs slowed to speeds that the thrusters can hold.

The direction and the speed of a survey's lanes that cost the least energy in given water and air.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.earth import LocalPlane, Place, compass_text
from usv_energy.files.errors import InputError, counted
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import laid_together
from usv_energy.missions.itinerary import CIRCLE, RETURN, Itinerary, LocalTrack, Waypoint, local_track
from usv_energy.missions.mission import MOST_ITEMS, LocalPlace
from usv_energy.missions.patterns import angle_of_fewest_lanes, lawnmower
from usv_energy.physics.motion import STILL
from usv_energy.show.text_table import degrees, joules, metres, percent, seconds
from usv_energy.sim.control.control import course_gains
from usv_energy.sim.leg_energy import WaypointOrder
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.scenario import LENGTH, LOOKAHEAD, PATIENCE, RADIUS, Published, Scenario
from usv_energy.sim.sensors.sensor_suite import OWN_SENSORS, Sensing
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_estimate import (
    LegEstimate,
    MissionCase,
    corners_side_by_side,
    legs_estimate,
    legs_side_by_side,
)
from usv_energy.studies.plan import steady_range
from usv_energy.studies.plan.steady_motion import top_speed

SHARES = np.arange(9, 0, -1) / 10.0     # of the ordered speed, that are tried first
BISECTIONS = 7  # between two of these shares: a speed is found to 0.1 % of the ordered one
PASSES = 3      # at most, since a slowed leg makes later legs meet another flow
CIRCLE_SIDES = 24               # legs per circle
PERIOD = 0.1                    # s: of the controller, about
LINGER = 600.0                  # s, added to PATIENCE times the legs' time: timeout of a simulated mission
ALL_LEGS = "on all legs, against the plan's own speeds"
CRUISE = 0.7                    # of the top speed: the default if the boat has no cheapest speed
CURVED_TURN, CURVED_SHARE = math.radians(1.0), 0.01  # Of legs, by which a plane may miss the Earth without a word.


def ordered_speeds(scenario: Scenario) -> np.ndarray:
    """Return the ordered speeds over ground, m/s; a single 1.0 if the scenario orders none."""
    given = [scenario.order_of(number).speed or scenario.speed or math.nan
             for number in range(len(scenario.waypoints))]
    return np.array([speed for speed in given if math.isfinite(speed)] or [1.0])


def mission_corners(scenario: Scenario, departure: float = 0.0) -> CornerCosts | None:
    """
    Return the costs of corners at the mission's speeds or, if lower, the fastest that the boat can hold.

    None as for `corners_of`.

    :param departure: The world's time, s.
    """
    return with_corners([MissionCase(scenario, departure)])[0].corners


def with_corners(cases: Sequence[MissionCase]) -> list[MissionCase]:
    """Return cases of one way, boat, water and air with the costs that `mission_corners` says of each."""
    found = corners_side_by_side([(case.scenario, case.departure) for case in cases])
    if found is None:
        return list(cases)
    known = [case._replace(corners=one) for case, one in zip(cases, found)]
    weak = [number for number, one in enumerate(found) if not one.feasible]
    reached = reached_side_by_side([known[number] for number in weak])
    slowed = [(number, with_speeds(cases[number].scenario, legs.speed))
              for number, (legs, slow) in zip(weak, reached) if slow.any()]
    if slowed:
        slower = corners_side_by_side([(scenario, cases[number].departure) for number, scenario in slowed])
        for (number, _), one in zip(slowed, slower or []):
            known[number] = cases[number]._replace(corners=one)
    return known


def with_speeds(scenario: Scenario, speed: np.ndarray) -> Scenario:
    """Return a scenario with other speeds over ground on its legs, m/s, shape (legs,)."""
    orders = tuple(WaypointOrder(value, *scenario.order_of(number)[1:]) for number, value in enumerate(speed.tolist()))
    return replace(scenario, orders=orders)


def legs_within_reach(scenario: Scenario, departure: float = 0.0,
                      corners: CornerCosts | None = None) -> tuple[LegEstimate, np.ndarray]:
    """
    Return the estimate of the legs, with the ordered speed of a leg reduced if the thrusters cannot hold it.

    A leg has one speed: the fastest that the thrusters hold at all of its places. A leg that is not feasible at any
    speed, or whose hold is not, stays infeasible at the ordered speed.

    :param scenario: As for `legs_estimate`; so are the others.
    :return: The legs, and which of them are slowed, shape (legs,).
    """
    case = MissionCase(scenario, departure, corners)
    return reached_side_by_side([case] if corners else with_corners([case]))[0]


def reached_side_by_side(cases: Sequence[MissionCase]) -> list[tuple[LegEstimate, np.ndarray]]:
    """Return what `legs_within_reach` does for cases of one way, boat, water and air, with their corners."""
    if not cases:
        return []
    legs = legs_side_by_side(cases)
    ordered = np.array([one.speed for one in legs])
    slow, hopeless = np.zeros(ordered.shape, dtype=bool), np.zeros(ordered.shape, dtype=bool)
    for _ in range(PASSES):
        able = _able(legs)
        some = np.flatnonzero(~(able | hopeless).all(axis=1)).tolist()
        if not some:
            break
        slowed = (slow | ~able)[some] & ~hopeless[some]
        speed = _fastest([cases[number] for number in some], ordered[some], slowed)
        hopeless[some] |= slowed & (speed == ordered[some])
        slow[some] = slowed & ~hopeless[some]
        for number, one in zip(some, legs_side_by_side([_at(cases[number], row) for number, row in zip(some, speed)])):
            legs[number] = one
    return list(zip(legs, slow))


def _at(case: MissionCase, speed: np.ndarray) -> MissionCase:
    return case._replace(scenario=with_speeds(case.scenario, speed))


def _able(legs: Sequence[LegEstimate]) -> np.ndarray:
    """Return which legs are feasible, shape (cases, legs)."""
    return np.array([one.feasible for one in legs])


def _fastest(cases: Sequence[MissionCase], ordered: np.ndarray, slow: np.ndarray) -> np.ndarray:
    """
    Return the speeds of the legs, m/s: of the `slow` ones the fastest that can be held, of the others the ordered one.

    A drifting boat may be unable to hold low speeds too, so the search starts from above. Arrays of shape
    (cases, legs).
    """
    def able_at(speed: np.ndarray) -> np.ndarray:
        return _able(legs_side_by_side([_at(case, row) for case, row in zip(cases, speed)]))

    low, high, found = ordered, ordered, ~slow
    for share in SHARES.tolist():
        if found.all():
            break
        tried = np.where(found, low, share * ordered)
        able = ~found & able_at(tried)
        low, high = np.where(able, tried, low), np.where(found | able, high, tried)
        found = found | able
    high = np.where(found, high, ordered)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        able = able_at(middle) | (low == high)
        low, high = np.where(able, middle, low), np.where(able, high, middle)
    return low


@dataclass(frozen=True)
class MissionScenario:
    """
    A mission as a scenario, the origin of its metres (None: unknown), and where its speed comes from, as words.

    `items`: the number of the mission's item that each leg belongs to. `itinerary`: what it was made of.
    """

    scenario: Scenario
    origin: Place | None
    speed_from: str
    items: tuple[int, ...]
    itinerary: Itinerary


def mission_scenario(itinerary: Itinerary, boat: Boat, current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile,
                     speed: float | None = None, path: Path | None = None,
                     plant: Boat | None = None) -> MissionScenario:
    """
    Return the scenario of a mission for a boat.

    :param itinerary: Where the boat goes, and what it does there.
    :param boat: The boat of the power model and, without a `plant`, of the motion.
    :param current: Water; where it and the mission say where on the Earth they are it lies there, else it is in the
        mission's metres.
    :param wind: Air at the boat, likewise.
    :param speed: Over ground, m/s, for legs without a speed; None: the mission's planned speed, else the cheapest.
    :param path: The name of the mission in errors.
    :param plant: Another boat for the motion; it is steered according to its own inertia and length.
    :raises InputError: If all places of the mission are the same, if it has too many legs, or as `local_track`.
    """
    track = local_track(itinerary)
    far = _far_legs(track)
    itinerary = replace(itinerary, remarks=(*itinerary.remarks, *_said_of_far(itinerary, track, far)))
    world = None if track.origin is None else LocalPlane(track.origin)
    current, wind = laid_together(current, wind, world, 'the mission')
    legs = sum(_sides(waypoint) for waypoint in itinerary.waypoints)
    if legs > MOST_ITEMS:
        raise InputError(f'{path or itinerary.name}: the mission has {legs} legs, {CIRCLE_SIDES} for each turn of a '
                         f'circle; must be at most {MOST_ITEMS}')
    points, orders, items = _legs(itinerary, list(zip(track.east.tolist(), track.north.tolist())), [
        (length, course) if away else None
        for length, course, away in zip(track.length.tolist(), track.course.tolist(), far.tolist())])
    if not points:
        raise InputError(f'{path or itinerary.name}: the mission goes nowhere: all of it is at one place')
    source = 'as asked for'
    if speed is None and itinerary.speed is not None:
        speed, source = itinerary.speed, 'as the mission was planned'
    if speed is None and any(order.speed is None for order in orders):
        speed, source = _default_speed(boat)
    start = float(track.east[0]), float(track.north[0])
    moved = plant or boat
    length = moved.hull.length or LENGTH
    step = _step(moved)
    x, y = np.array([start, *points]).T
    speeds = [order.speed or speed or math.inf for order in orders]
    slowest, fastest = min(speeds), max(speeds)
    gains, ahead = course_gains(moved.vessel, fastest, LOOKAHEAD * length)
    lasts = float(np.hypot(np.diff(x), np.diff(y)).sum()) / slowest + sum(order.hold for order in orders)
    scenario = Scenario(
        name=itinerary.name or 'mission', title=itinerary.name or 'mission', path=path or Path(itinerary.name),
        boat=boat, plant=moved, start=(*start, math.atan2(points[0][1] - start[1], points[0][0] - start[0])),
        waypoints=tuple(points), speed=speed, current=current, wind=wind, wind_height=None, convention='rep103',
        gains=gains, lookahead=ahead, radius=RADIUS * length,
        timeout=PATIENCE * lasts + LINGER, step=step, period=step * max(1, round(PERIOD / step)),
        published=Published(), orders=tuple(orders), by_course=True,
        sensing=OWN_SENSORS if track.origin is None else Sensing(origin=track.origin[::-1]))
    return MissionScenario(scenario, track.origin, source, tuple(items), itinerary)


def _far_legs(track: LocalTrack) -> np.ndarray:
    """Return which legs are so far from the origin that they are others on its plane, shape (n,)."""
    east, north = np.diff(track.east), np.diff(track.north)
    turned = np.abs(np.angle(np.exp(1j * (np.arctan2(north, east) - track.course))))
    longer = np.abs(np.hypot(east, north) - track.length) / np.maximum(track.length, 1.0)
    far: np.ndarray = (track.length > 0.0) & ((turned > CURVED_TURN) | (longer > CURVED_SHARE))
    return far


def _said_of_far(itinerary: Itinerary, track: LocalTrack, far: np.ndarray) -> list[str]:
    """Return what is to be said of legs that are `far`; the last of these is the example."""
    if not far.any():
        return []
    last = int(np.flatnonzero(far)[-1])
    east, north = track.east[last + 1] - track.east[last], track.north[last + 1] - track.north[last]
    return [f'{counted(int(far.sum()), "leg")} so far from the first place that its plane is not the Earth: the one to '
            f'item {itinerary.waypoints[last].item} is {metres(track.length[last])} on '
            f'{compass_text(track.course[last])}, on the plane {metres(math.hypot(east, north))} on '
            f'{compass_text(math.atan2(north, east))}. Its time and energy are those on the Earth; what is drawn or '
            'simulated, and where currents and winds of a file are looked up, is on the plane']


def all_legs_at(mission: MissionScenario, speed: float) -> MissionScenario:
    """Return a mission that goes all of its legs at a speed over ground, m/s, whatever its plan says."""
    faster = replace(with_speeds(mission.scenario, np.full(len(mission.scenario.waypoints), speed)), speed=speed)
    return replace(mission, scenario=faster, speed_from=ALL_LEGS)


def _legs(itinerary: Itinerary, places: list[tuple[float, float]], ways: list[tuple[float, float] | None],
          ) -> tuple[list[tuple[float, float]], list[WaypointOrder], list[int]]:
    """Return where the legs end, what is ordered there (`ways`: WaypointOrder), and the numbers of their items."""
    points: list[tuple[float, float]] = []
    orders: list[WaypointOrder] = []
    items: list[int] = []
    for waypoint, before, place, way in zip(itinerary.waypoints, places, places[1:], ways):
        name = waypoint.name or ('home' if waypoint.doing == RETURN else '')
        order = WaypointOrder(waypoint.speed, waypoint.hold, waypoint.heading, waypoint.radius, name)
        if _sides(waypoint) > 1:
            around = _circle(before, place, waypoint.circle_radius, waypoint.turns)
            points += around
            orders += [order._replace(hold=0.0)] * len(around)
            items += [waypoint.item] * len(around)
        elif place != before or waypoint.hold > 0.0:
            points.append(place)
            orders.append(order._replace(way=way))
            items.append(waypoint.item)
    return points, orders, items


def _sides(waypoint: Waypoint) -> int:
    """Return how many legs a waypoint has at most: 1, or those of a circle and the way to it."""
    around = waypoint.doing == CIRCLE and waypoint.circle_radius > 0.0
    return 1 + (math.ceil(abs(waypoint.turns) * CIRCLE_SIDES) if around else 0)


def _circle(before: tuple[float, float], centre: tuple[float, float], radius: float,
            turns: float) -> list[tuple[float, float]]:
    """Return points on a circle, first the one nearest to where the boat comes from; turns count counter-clockwise."""
    begin = math.atan2(before[1] - centre[1], before[0] - centre[0])
    number = math.ceil(abs(turns) * CIRCLE_SIDES)
    return [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
            for angle in np.linspace(begin, begin + math.tau * turns, number + 1).tolist()]


def _default_speed(boat: Boat) -> tuple[float, str]:
    """Return a boat's cheapest speed, m/s, or else a share of its top speed, and words for where it comes from."""
    best = steady_range.best_speed(boat.vessel, 1.0, 0.0, STILL)
    if best.kind == steady_range.INSIDE:
        return best.speed, "the boat's cheapest speed in still water"
    return CRUISE * top_speed(boat.vessel), f'{CRUISE:g} of the top speed, as no speed is the cheapest'


def _step(boat: Boat) -> float:
    """Return a step for the simulator, s: the controller's period divided by a whole number."""
    longest = PERIOD if boat.power_curve is not None else float(longest_step(boat.vessel))
    return PERIOD / max(1, math.ceil(PERIOD / longest - 1e-9))


STEP = 1.0              # deg, between the directions that are tried,
FINE = 0.1              # and between those around the best of them
COARSE = 10.0           # deg, between the directions for which a speed is chosen
SPEEDS = np.linspace(0.2, 1.0, 17)  # of the top speed

Cost = Callable[[float, float], tuple[float, float]]  # from direction, rad, and speed, m/s, to time, s, and energy, J


class LaneChoice(NamedTuple):
    """
    What lanes cost by their direction at one speed.

    `angle`: directions, rad (ENU), 0 to pi, rising, with `time` s and `energy` J, NaN if the thrusters are too weak.
    `speed`: over ground, m/s; `speed_chosen`: whether it was chosen here. `best`: the direction of least energy, rad;
    `fewest`: the direction of the fewest lanes, rad.
    """

    angle: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    speed: float
    speed_chosen: bool
    best: float
    best_energy: float
    best_time: float
    fewest: float
    fewest_energy: float


def lane_choice(area: Sequence[LocalPlace], spacing: float, boat: Boat, current: UniformFlow | FlowFile,
                wind: UniformFlow | FlowFile, speed: float | None = None, start: LocalPlace | None = None,
                progress: Progress = no_progress, holes: Sequence[Sequence[LocalPlace]] = ()) -> LaneChoice:
    """
    Return what lanes cost by their direction.

    :param area: Its corners, m.
    :param spacing: Largest distance of the lanes, m.
    :param boat: The boat.
    :param current: Water, in the area's metres.
    :param wind: Air at the boat.
    :param speed: Over ground, m/s; None: the speed of least energy is chosen, too.
    :param start: Where the boat comes from, m.
    :param holes: In the area, as `lawnmower`.
    :raises InputError: If the thrusters are too weak in every direction; as `lawnmower`.
    """
    chosen, done = speed is None, 0
    number = round(180.0 / STEP) + round(2.0 * STEP / FINE) + (SPEEDS.size * round(180.0 / COARSE) if chosen else 0)

    def cost(angle: float, at: float) -> tuple[float, float]:
        nonlocal done
        done += 1
        progress(min(done, number), number)
        places = lawnmower(area, spacing, angle, start, holes).places
        way = tuple(Waypoint(place, number) for number, place in enumerate(places))
        itinerary = Itinerary('lanes', places[0], False, way)
        legs = legs_estimate(mission_scenario(itinerary, boat, current, wind, at).scenario)
        return (float(legs.end[-1]), float(legs.total.sum())) if legs.feasible.all() else (math.nan, math.nan)

    if speed is None:
        speed = _best_speed(cost, top_speed(boat.vessel))
    angles = np.radians(np.arange(0.0, 180.0, STEP))
    time, energy = _costs(cost, angles, speed)
    if np.isnan(energy).all():
        raise InputError(f'{boat.path}: {boat.name} can go lanes at {speed:g} m/s over ground in no direction in this '
                         'current and wind')
    middle = angles[int(np.nanargmin(energy))]
    about = middle + np.radians(np.arange(-STEP + FINE, STEP - 0.5 * FINE, FINE))
    fine_time, fine_energy = _costs(cost, about, speed)
    at = int(np.nanargmin(fine_energy))
    fewest = angle_of_fewest_lanes(area)
    best = float(np.round(about[at], 9) % math.pi)
    return LaneChoice(angles, time, energy, speed, chosen, best, float(fine_energy[at]), float(fine_time[at]),
                      fewest, cost(fewest, speed)[1])


def _costs(cost: Cost, angles: np.ndarray, speed: float) -> tuple[np.ndarray, np.ndarray]:
    time, energy = np.array([cost(angle, speed) for angle in angles.tolist()]).T
    return time, energy


def _best_speed(cost: Cost, top: float) -> float:
    """Return the speed, m/s, at which the cheapest of a few directions costs least."""
    if not math.isfinite(top):
        raise InputError('the boat has no speed ahead; lanes need one')
    least = []
    for share in SPEEDS.tolist():
        _, energy = _costs(cost, np.radians(np.arange(0.0, 180.0, COARSE)), share * top)
        least.append(math.inf if np.isnan(energy).all() else float(np.nanmin(energy)))
    if not math.isfinite(min(least)):
        raise InputError('the boat can go no lanes at any speed in this current and wind')
    return round(float(SPEEDS[int(np.argmin(least))]) * top, 3)


def lane_figures(choice: LaneChoice) -> dict[str, Any]:
    """Return the choice for JSON: units in the keys, degrees counter-clockwise from east, None for NaN."""
    return without_nan({
        'speed_m_s': choice.speed, 'speed_chosen': choice.speed_chosen,
        'best': {'angle_deg': degrees(choice.best), 'energy_j': choice.best_energy, 'time_s': choice.best_time},
        'fewest_lanes': {'angle_deg': degrees(choice.fewest), 'energy_j': choice.fewest_energy},
        'by_angle': [{'angle_deg': degrees(angle), 'energy_j': energy, 'time_s': time}
                     for angle, energy, time in zip(choice.angle.tolist(), choice.energy.tolist(),
                                                    choice.time.tolist())]})


def lane_text(choice: LaneChoice) -> str:
    """Return the choice as the beginning of a line; the number of places follows."""
    worst = int(np.nanargmax(choice.energy))
    saved = percent(choice.best_energy / float(choice.energy[worst]) - 1.0, 1)
    at = f'the cheapest speed, {choice.speed:.2f} m/s' if choice.speed_chosen else f'{choice.speed:.2f} m/s'
    fewest = ('' if math.isnan(choice.fewest_energy) else
              f', {percent(choice.best_energy / choice.fewest_energy - 1.0, 1)} to the fewest lanes '
              f'({degrees(choice.fewest):.0f} deg)')
    return (f'{joules(choice.best_energy)} in {seconds(choice.best_time)} at {at}: {saved} to the worst direction '
            f'({math.degrees(choice.angle[worst]):.0f} deg){fewest}; ')
