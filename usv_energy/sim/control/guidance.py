"""Guidance: which way to steer for the waypoint ahead, and when it is reached."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, smaller, sqrt
from usv_energy.physics.frames import wrap_angle

Point = tuple[float, float]
MOST_CRAB = 0.95  # Sway over speed, both over ground: the crab angle that is held against ends at 72 degrees.
AHEAD = 0.2       # Of the speed over ground that is wanted: the least that a boat in a known set goes along its leg.


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
def past_goal(x, y, leg):
    """Return whether a boat is past the line across the end of a leg; x east, y north, m; floats or arrays."""
    return (x - leg.goal_x) * leg.cosine + (y - leg.goal_y) * leg.sine > 0.0


@kernel
def heading_over_ground(course, speed, v):
    """
    Return the heading, rad, and the surge, m/s, with which a boat goes on a course over ground; floats or arrays.

    The drift that is measured is held against: the sway over ground stays what it is while the boat turns a little. A
    current that goes the boat's way faster than the boat is to go has no such heading.

    :param course: Wanted over ground, rad (ENU).
    :param speed: Wanted over ground, m/s.
    :param v: Measured sway over ground, m/s.

    Source: Fossen (2011), (10.80): course is heading and crab angle together.
    """
    most = MOST_CRAB * speed
    sway = select(abs(v) < most, v, select(v > 0.0, most, -most))
    ahead = sqrt(speed * speed - sway * sway)
    return wrap_angle(course - arctan2(sway, ahead)), ahead


@kernel
def heading_in_set(x, y, leg, lookahead, speed, u_r, set_over_ground):
    """
    Return the heading, rad, and the speed ahead through the water, m/s, for a leg in a known set; floats or arrays.

    The velocity through the water is what is left of the one that is wanted along the leg; from a distance beside it,
    the boat turns off that as much as it would in still water: it comes back no faster than it can steer, however fast
    the water carries it. A set that goes the leg's way faster than the boat is to go leaves it AHEAD of its speed.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: As `heading_on_leg`.
    :param speed: Wanted along the leg over ground, m/s; None for all that there is.
    :param u_r: Of the boat through the water, ahead, m/s: with all the speed that there is, what it is set against.
    :param set_over_ground: East and north, m/s.

    Source: the navigator's triangle of velocities; Fossen (2011), (10.70) to (10.73), for the way back to the line.
    """
    course = heading_on_leg(x, y, leg, lookahead)
    along_leg = course if lookahead is None else leg.course
    c, s = cos(along_leg), sin(along_leg)
    along, across = set_over_ground[0] * c + set_over_ground[1] * s, set_over_ground[1] * c - set_over_ground[0] * s
    if speed is None:
        ahead = larger(u_r, 0.0 * u_r)
        most = MOST_CRAB * ahead
        held = smaller(larger(across, -most), most)
        return wrap_angle(course - arctan2(held, sqrt(ahead * ahead - held * held))), ahead
    ahead = larger(speed - along, AHEAD * speed + 0.0 * along)
    return wrap_angle(course - arctan2(across, ahead)), sqrt(ahead * ahead + across * across)


class Tacking(NamedTuple):
    """How a boat sails upwind: the angle off the wind that it cannot sail within, rad, and half the way's width, m."""

    no_go: Any
    corridor: Any


@kernel
def tacked_heading(tacking, heading, x, y, yaw, at, leg):
    """
    Return the heading of a sailing boat, rad, ENU: the wanted one, or where its goal is too near the wind, a tack.

    It stays on its tack until it is a corridor away from the leg, then takes the one that leads back.

    :param tacking: The Tacking.
    :param heading: Wanted, rad (ENU); float or array.
    :param x: East, m.
    :param y: North, m.
    :param yaw: Measured, rad (ENU).
    :param at: The Relative as the boat knows it: the wind over the water is its apparent wind and its own velocity.
    :param leg: The Leg.
    """
    ahead, aside = -at.u_w - at.u_r, -at.v_w - at.v_r  # Where the wind over the water comes from.
    upwind = yaw + arctan2(aside, ahead)
    to_port, to_starboard = upwind + tacking.no_go, upwind - tacking.no_go
    cross_track = -(x - leg.begin_x) * leg.sine + (y - leg.begin_y) * leg.cosine
    leads_left = cos(upwind - leg.course) > 0.0  # sin(to_port - course) less sin(to_starboard - course) has its sign.
    now = select(aside <= 0.0, to_port, to_starboard)
    back = select((cross_track > 0.0) == leads_left, to_starboard, to_port)
    tack = select(abs(cross_track) > tacking.corridor, back, now)
    near = abs(wrap_angle(heading_to_goal(x, y, (leg.goal_x, leg.goal_y)) - upwind)) < tacking.no_go
    blows = ahead * ahead + aside * aside > 0.0
    return select(near & blows, wrap_angle(tack), heading)


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
