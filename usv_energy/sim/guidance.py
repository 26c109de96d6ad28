"""Guidance: which way to steer for the waypoint ahead, and when it is reached."""

import math
from collections.abc import Sequence

from ..physics.frames import wrap_angle

Point = tuple[float, float]


def heading_to_goal(x: float, y: float, goal: Point) -> float:
    """Return the line of sight from the boat to a goal, rad, ENU: what USVsim steers by."""
    return math.atan2(goal[1] - y, goal[0] - x)


def heading_along_path(x: float, y: float, begin: Point, end: Point, lookahead: float) -> float:
    """
    Return the heading that brings the boat onto a straight leg, rad, ENU.

    :param x: East, m.
    :param y: North, m.
    :param begin: Where the leg begins, m.
    :param end: Where it ends, m.
    :param lookahead: Distance ahead along the leg that is aimed at, m.

    Source: Fossen (2011), (10.70) to (10.73), lookahead-based line of sight.
    """
    course = math.atan2(end[1] - begin[1], end[0] - begin[0])
    cross_track = -(x - begin[0]) * math.sin(course) + (y - begin[1]) * math.cos(course)
    return wrap_angle(course - math.atan2(cross_track, lookahead))


def next_waypoint(x: float, y: float, index: int, waypoints: Sequence[Point], radius: float) -> int:
    """
    Return the index of the waypoint to steer for; `len(waypoints)` when the last is reached.

    :param x: East, m.
    :param y: North, m.
    :param index: The waypoint steered for so far.
    :param waypoints: All of them, m.
    :param radius: A waypoint closer than this is reached, m.
    """
    while index < len(waypoints) and math.hypot(waypoints[index][0] - x, waypoints[index][1] - y) < radius:
        index += 1
    return index
