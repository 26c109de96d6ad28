"""Waypoints as the items of a mission: the other way than `itinerary`."""

import math
from collections.abc import Iterable

from ..earth import compass_degrees
from . import mavlink_commands as mav
from .itinerary import CIRCLE, RETURN, Waypoint
from .mission import LOCAL_ENU, RELATIVE_ALTITUDE, LocalPlace, MissionItem

GROUND_SPEED = 1.0  # of MAV_CMD_DO_CHANGE_SPEED
NORTH = 360.0       # degrees: a yaw of 0 means none at many an autopilot


def items_from_waypoints(waypoints: Iterable[Waypoint]) -> tuple[MissionItem, ...]:
    """
    Return the items that make a boat go to waypoints: `itinerary_of` a mission of them gives these waypoints again.

    A change of speed stands before the waypoint that it holds for, a return to launch has no place of its own, and
    what only one place of an item has room for takes two: a stay at the end of a circle.
    """
    items: list[MissionItem] = []
    speed: float | None = None
    for waypoint in waypoints:
        if waypoint.speed != speed:
            speed = waypoint.speed
            items.append(_item(items, mav.CHANGE_SPEED, (GROUND_SPEED, -2.0 if speed is None else speed, -1.0, 0.0)))
        items += _items_at(items, waypoint)
    return tuple(items)


def _items_at(before: list[MissionItem], waypoint: Waypoint) -> list[MissionItem]:
    yaw = None if waypoint.heading is None else compass_degrees(waypoint.heading) or NORTH
    if waypoint.doing == CIRCLE:
        radius = math.copysign(waypoint.circle_radius, -waypoint.turns)
        return [_item(before, mav.LOITER_TURNS, (abs(waypoint.turns), 0.0, radius, 0.0), waypoint)]
    if waypoint.doing == RETURN:
        home = _item(before, mav.RETURN_TO_LAUNCH, (0.0, 0.0, 0.0, 0.0))._replace(name=waypoint.name)
        stay = [_item([*before, home], mav.DELAY, (waypoint.hold, 0.0, 0.0, 0.0))] if waypoint.hold else []
        return [home, *stay]
    return [_item(before, mav.WAYPOINT, (waypoint.hold, waypoint.radius or 0.0, 0.0, yaw), waypoint)]


def _item(before: list[MissionItem], command: int, parameters: tuple[float | None, float | None, float | None,
                                                                    float | None],
          waypoint: Waypoint | None = None) -> MissionItem:
    number = before[-1].number + 1 if before else 1
    if waypoint is None:
        return MissionItem(command, number, parameters, 0.0, 0.0, 0.0, frame=2)
    frame = LOCAL_ENU if isinstance(waypoint.place, LocalPlace) else RELATIVE_ALTITUDE
    x, y = waypoint.place
    return MissionItem(command, number, parameters, x, y, 0.0, frame, name=waypoint.name)
