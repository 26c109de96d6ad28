"""Guidance: which way to steer for the waypoint ahead, and when it is reached."""

import math
from collections.abc import Sequence

from ..physics.elementwise import arctan2, kernel
from ..physics.frames import wrap_angle

Point = tuple[float, float]


@kernel
def heading_to_goal(x, y, goal):
    """Return the line of sight from the boat to a goal, rad, ENU: what USVsim steers by; floats or arrays."""
    return arctan2(goal[1] - y, goal[0] - x)


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
    course = heading_to_goal(begin[0], begin[1], end)
    return heading_along_course(x, y, begin, (course, math.cos(course), math.sin(course)), lookahead)


@kernel
def heading_along_course(x, y, begin, course, lookahead):
    """
    Return the heading that brings the boat onto a straight line, rad, ENU; floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param begin: A point of the line, m.
    :param course: Its direction, rad, ENU, and the cosine and sine of that.
    :param lookahead: As `heading_along_path`, which calls this.
    """
    angle, c, s = course
    cross_track = -(x - begin[0]) * s + (y - begin[1]) * c
    return wrap_angle(angle - arctan2(cross_track, lookahead))


@kernel
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
