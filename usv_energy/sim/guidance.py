"""Guidance: which way to steer for the waypoint ahead, and when it is reached."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..physics.elementwise import arctan2, cos, kernel, sin
from ..physics.frames import wrap_angle

Point = tuple[float, float]


@kernel
def heading_to_goal(x, y, goal):
    """Return the line of sight from the boat to a goal, rad, ENU: what USVsim steers by; floats or arrays."""
    return arctan2(goal[1] - y, goal[0] - x)


class Leg(NamedTuple):
    """A straight leg of the way: begin and goal, m; its course, rad (ENU), and the cosine and sine of that."""

    begin_x: Any
    begin_y: Any
    goal_x: Any
    goal_y: Any
    course: Any
    cosine: Any
    sine: Any


@kernel
def leg_between(begin_x, begin_y, goal_x, goal_y):
    """Return the Leg from one point to another, m; floats or arrays."""
    course = heading_to_goal(begin_x, begin_y, (goal_x, goal_y))
    return Leg(begin_x, begin_y, goal_x, goal_y, course, cos(course), sin(course))


@kernel
def heading_on_leg(x, y, leg, lookahead):
    """
    Return the heading to steer on a leg, rad, ENU; floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: Distance ahead along the leg that is aimed at, m; None to steer straight at its goal.
    """
    if lookahead is None:
        return heading_to_goal(x, y, (leg.goal_x, leg.goal_y))
    return heading_along_leg(x, y, leg, lookahead)


@kernel
def heading_along_leg(x, y, leg, lookahead):
    """
    Return the heading that brings the boat onto the straight line of a leg, rad, ENU; parameters as `heading_on_leg`.

    Source: Fossen (2011), (10.70) to (10.73), lookahead-based line of sight.
    """
    cross_track = -(x - leg.begin_x) * leg.sine + (y - leg.begin_y) * leg.cosine
    return wrap_angle(leg.course - arctan2(cross_track, lookahead))


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
