"""A mission as a scenario: the same legs for the estimate by steady motion and for the simulator."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..boats.boat_file import Boat
from ..earth import Place
from ..files.errors import InputError
from ..flow.flow_file import FlowFile
from ..flow.uniform import UniformFlow
from ..missions.itinerary import CIRCLE, RETURN, Itinerary
from ..missions.local_track import local_track
from ..physics.motion import STILL
from ..sim.course_gains import course_gains
from ..sim.other_boat import LENGTH, LOOKAHEAD, PATIENCE, RADIUS
from ..sim.published_figures import Published
from ..sim.scenario import Scenario
from ..sim.step_limit import longest_step
from ..sim.waypoint_order import WaypointOrder
from . import steady_range
from .steady_motion import top_speed

CIRCLE_SIDES = 24               # Legs of a circle.
PERIOD = 0.1                    # s: of the controller, about.
LINGER = 600.0                  # s, beside PATIENCE times the legs' time, until a simulated mission is given up.
CRUISE = 0.7                    # Of the top speed: where nobody says a speed and none is the cheapest.


@dataclass(frozen=True)
class MissionScenario:
    """
    A mission's scenario, the origin of its metres (None: nobody knows), and where its speed comes from, in words.

    `items`: the number of the item in the mission's file that each leg belongs to.
    """

    scenario: Scenario
    origin: Place | None
    speed_from: str
    items: tuple[int, ...]


def mission_scenario(itinerary: Itinerary, boat: Boat, current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile,
                     speed: float | None = None, path: Path | None = None,
                     plant: Boat | None = None) -> MissionScenario:
    """
    Return the scenario that a mission is for a boat.

    :param itinerary: Where the boat goes, and what it does there.
    :param boat: The boat; it is the power model's and, without a `plant`, the one that moves.
    :param current: Water, in the mission's metres.
    :param wind: Air at the boat.
    :param speed: Over ground, m/s, where the mission says none; None: as the mission was planned, else the cheapest.
    :param path: What errors call it.
    :param plant: Another boat that moves; steered by its own inertia and length.
    :raises InputError: If the mission goes nowhere, or as `local_track`.
    """
    track = local_track(itinerary)
    points, orders, items = _legs(itinerary, list(zip(track.east.tolist(), track.north.tolist())))
    if not points:
        raise InputError(f'{path or itinerary.name}: the mission goes nowhere: all of it is at one place')
    source = 'as asked for'
    if speed is None and itinerary.speed is not None:
        speed, source = itinerary.speed, 'as the mission was planned'
    if speed is None and any(order.speed is None for order in orders):
        speed, source = _own_speed(boat)
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
        published=Published(), orders=tuple(orders), by_course=True)
    return MissionScenario(scenario, track.origin, source, tuple(items))


def _legs(itinerary: Itinerary, places: list[tuple[float, float]],
          ) -> tuple[list[tuple[float, float]], list[WaypointOrder], list[int]]:
    """Return where the legs end, what is ordered there, and of which items they are."""
    points: list[tuple[float, float]] = []
    orders: list[WaypointOrder] = []
    items: list[int] = []
    for waypoint, before, place in zip(itinerary.waypoints, places, places[1:]):
        name = waypoint.name or ('home' if waypoint.doing == RETURN else '')
        order = WaypointOrder(waypoint.speed, waypoint.hold, waypoint.heading, waypoint.radius, name)
        if waypoint.doing == CIRCLE and waypoint.circle_radius > 0.0 and waypoint.turns:
            around = _circle(before, place, waypoint.circle_radius, waypoint.turns)
            points += around
            orders += [order._replace(hold=0.0)] * len(around)
            items += [waypoint.item] * len(around)
        elif place != before or waypoint.hold > 0.0:
            points.append(place)
            orders.append(order)
            items.append(waypoint.item)
    return points, orders, items


def _circle(before: tuple[float, float], centre: tuple[float, float], radius: float,
            turns: float) -> list[tuple[float, float]]:
    """Return points around a centre, from that nearest to where the boat comes from; turns counter-clockwise."""
    begin = math.atan2(before[1] - centre[1], before[0] - centre[0])
    number = max(1, math.ceil(abs(turns) * CIRCLE_SIDES))
    return [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
            for angle in np.linspace(begin, begin + math.tau * turns, number + 1).tolist()]


def _own_speed(boat: Boat) -> tuple[float, str]:
    best = steady_range.best_speed(boat.vessel, 1.0, 0.0, STILL)
    if best.kind == steady_range.INSIDE:
        return best.speed, "the boat's cheapest speed in still water"
    return CRUISE * top_speed(boat.vessel), f'{CRUISE:g} of the top speed, as no speed is the cheapest'


def _step(boat: Boat) -> float:
    """Return a step for the simulator, s: a tenth of a second by a whole number."""
    longest = PERIOD if boat.power_curve is not None else float(longest_step(boat.vessel))
    return PERIOD / max(1, math.ceil(PERIOD / longest - 1e-9))
