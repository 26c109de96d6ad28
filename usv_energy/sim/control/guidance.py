"""Guidance: the heading to steer for the next waypoint, and when a waypoint is reached."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, smaller, sqrt
from usv_energy.physics.frames import wrap_angle

Point = tuple[float, float]
MOST_CRAB = 0.95  # (-), largest sway over speed that is compensated: a crab angle of 72 degrees.
AHEAD = 0.2       # (-), least speed ahead through the water in a known set, as a fraction of the wanted speed.


@kernel
def heading_to_goal(x, y, goal):
    """Return the direction from the boat to a goal, rad (ENU), as USVsim steers; floats or arrays."""
    return arctan2(goal[1] - y, goal[0] - x)


class Leg(NamedTuple):
    """A straight leg: begin and goal, m (ENU); its course, rad (ENU), and the cosine and sine of the course."""

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
    Return the heading to steer on a leg, rad (ENU); floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: Lookahead distance along the leg, m; None to steer straight at its goal.
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
    """Return whether (x, y), m (ENU), is past the line through a leg's goal normal to it; floats or arrays."""
    return (x - leg.goal_x) * leg.cosine + (y - leg.goal_y) * leg.sine > 0.0


@kernel
def heading_over_ground(course, speed, v):
    """
    Return the heading, rad, and the surge velocity, m/s, for a course over ground; floats or arrays.

    The measured sway velocity over ground is compensated by a crab angle; it is assumed not to change with that small
    turn. No such heading exists if a following current is faster than the wanted speed.

    :param course: Wanted over ground, rad (ENU).
    :param speed: Wanted over ground, m/s.
    :param v: Measured sway over ground, m/s.

    Source: Fossen (2011), (10.80): course is heading plus crab angle.
    """
    most = MOST_CRAB * speed
    sway = select(abs(v) < most, v, select(v > 0.0, most, -most))
    ahead = sqrt(speed * speed - sway * sway)
    return wrap_angle(course - arctan2(sway, ahead)), ahead


@kernel
def heading_in_set(x, y, leg, lookahead, speed, u_r, set_over_ground):
    """
    Return the heading, rad, and the speed ahead through the water, m/s, for a leg in a known set; floats or arrays.

    The velocity through the water is the wanted velocity along the leg minus the set. For a cross-track error the boat
    turns by the same angle as in still water, so it returns to the line no faster than it can steer. If a following set
    is faster than the wanted speed, the boat still goes AHEAD times that speed through the water.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: As `heading_on_leg`.
    :param speed: Wanted speed along the leg over ground, m/s; None for full thrust.
    :param u_r: Surge velocity through the water, m/s; used only with full thrust.
    :param set_over_ground: Set, east and north, m/s.

    Source: the triangle of velocities; Fossen (2011), (10.70) to (10.73), for the cross-track error.
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
    """How a boat tacks: `no_go`, half the angle of its no-go zone, rad, and `corridor`, half its width, m."""

    no_go: Any
    corridor: Any


@kernel
def tacked_heading(tacking, heading, x, y, yaw, at, leg):
    """
    Return the heading of a sailing boat, rad (ENU): the wanted one or, if the goal is in the no-go zone, a tack.

    The boat stays on its tack until its cross-track error exceeds the corridor, then takes the tack that leads back.

    :param tacking: The Tacking.
    :param heading: Wanted, rad (ENU); float or array.
    :param x: East, m.
    :param y: North, m.
    :param yaw: Measured, rad (ENU).
    :param at: The Relative as the controller knows it; wind over water is apparent wind plus velocity through water.
    :param leg: The Leg.
    """
    ahead, aside = -at.u_w - at.u_r, -at.v_w - at.v_r  # Direction the wind over the water comes from.
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
    Return the index of the waypoint to steer for; `len(waypoints)` if the last one is reached.

    :param x: East, m.
    :param y: North, m.
    :param index: Index of the waypoint steered for so far.
    :param waypoints: All waypoints, m (ENU).
    :param radius: A waypoint counts as reached within this distance, m.
    """
    while index < len(waypoints) and math.hypot(waypoints[index][0] - x, waypoints[index][1] - y) < radius:
        index += 1
    return index
