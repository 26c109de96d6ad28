"""Guidance: the heading to steer for the next waypoint, when a waypoint is reached, and how a place is kept."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.checks import can_turn
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, smaller, sqrt, within
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import setting_of_force, thrusters_drive
from usv_energy.sim.control.control import full_force, heading_moment, wanted_setting

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


RATE = 0.2              # 1/s, rate of return to the position; slower than the boat turns.
SLOW_RATE = 0.1         # 1/s, the same for a boat that turns by the thrust that also drives it.
WIDEST = 0.8            # rad, largest angle of a thruster at which it still drives ahead.
INTEGRAL_SHARE = 0.25   # Rate of the integral of the force of current and wind, over the rate of return.
IDLE = 0.02             # Share of full thrust below which the boat does not turn for it.
BISECTIONS = 12         # Of the largest moment on the spot: to 1 in 4000.
STEERAGE = 0.3          # Share of the wanted force that a boat gives ahead to turn if it cannot turn on the spot.


class Station(NamedTuple):
    """The integral term: the estimated force that holds the position, N, east and north."""

    x: Any
    y: Any


class Helm(NamedTuple):
    """
    How a boat turns while it holds a position.

    `steerage`: the share of the wanted force that it gives ahead to turn, (-); 0 if it can turn on the spot. `arm`: for
    a boat that turns by the thrust that also drives it, the yaw moment for 1 N ahead at the largest angle, m; else
    None. `most`: for a boat that turns on the spot, the largest yaw moment that leaves it there, N m; else None.
    `sideways`: 1.0 for a boat that pushes in any direction as it lies, with thrusters that turn all around; else None.
    """

    steerage: float
    arm: float | None
    most: Any = None
    sideways: float | None = None


def helm_of(vessel: Vessel) -> Helm:
    """Return the Helm of a boat."""
    if sum(one.azimuth is not None and one.azimuth.ends is None for one in vessel.thrusters) > 1:
        return Helm(0.0, None, None, 1.0)
    if len(vessel.thrusters) > 1 and can_turn(vessel._replace(foils=())):
        return Helm(0.0, None, _most_on_the_spot(vessel))
    for thruster in vessel.thrusters:
        azimuth = thruster.azimuth
        if azimuth is not None and azimuth.ends is None:
            return Helm(0.0, None)
        if azimuth is not None:
            angle = min(abs(azimuth.least), abs(azimuth.largest), WIDEST)
            return Helm(STEERAGE, abs(thruster.x) * math.tan(angle))
    return Helm(STEERAGE, None)


def _most_on_the_spot(vessel: Vessel) -> Any:
    """
    Return the largest yaw moment that thrusters give at standstill without driving the boat off, N m, by bisection.

    Thrusters that push harder ahead than astern give a larger one, with a force ahead, on which the boat would circle.
    """
    rest, most = Relative(0.0, 0.0, 0.0, 0.0, 0.0), full_force(vessel)
    least, largest = 0.0 * most, most * max(float(np.max(np.hypot(one.x, one.y))) for one in vessel.thrusters)
    for _ in range(BISECTIONS):
        moment = 0.5 * (least + largest)
        ahead, _, got = thrusters_drive(rest, wanted_setting(0.0 * moment, moment, rest, vessel), vessel)[:3]
        held = (abs(ahead) < IDLE * most) & (got > (1.0 - IDLE) * moment)
        least, largest = np.where(held, moment, least), np.where(held, largest, moment)
    return least


@kernel
def station_setting(station, elapsed, place, ordered_heading, state, at, gains, helm, vessel):
    """
    Return the next Station and the Setting that brings a boat to a position and keeps it there; floats or arrays.

    The wanted force is that of a spring and a damper over ground plus an integral term for current and wind. The boat
    points in the direction of that force, so in a current its bow points against it. If no force is needed, it keeps
    the ordered heading. A boat that turns on the spot brakes with thrust astern. One that pushes sideways, too, points
    against current and wind alone: a bow that followed each push would turn it around and around.

    :param station: The Station so far, N.
    :param elapsed: Time since the last measurement, s; NaN at the first one.
    :param place: Position to hold, x and y, m (ENU).
    :param ordered_heading: Heading if no force is needed, rad (ENU); its own yaw for any.
    :param state: Measured x, y, m, yaw, rad, and u, v over ground, m/s.
    :param at: The Relative as the boat knows it.
    :param gains: The Gains; the damper is `speed_kp`.
    :param helm: The Helm. A boat that turns by its thrust turns no faster than its wanted thrust allows. Otherwise a
        moment with priority would demand thrust for itself, and the boat would circle.
    :param vessel: The Vessel.

    Source: Fossen (2011), section 12.2 (PID for station keeping) and 12.3.3 (weather optimal heading).
    """
    x, y, yaw, u, v = state
    bow_x, bow_y = cos(yaw), sin(yaw)
    damper = gains.speed_kp
    rate = RATE if helm.arm is None else SLOW_RATE
    spring = rate * (damper + vessel.damping.d11 + rate * vessel.inertia.m11)
    away_x, away_y = place[0] - x, place[1] - y
    wanted_x = station.x + spring * away_x - damper * (u * bow_x - v * bow_y)
    wanted_y = station.y + spring * away_y - damper * (u * bow_y + v * bow_x)
    wanted = sqrt(wanted_x * wanted_x + wanted_y * wanted_y)
    needed = wanted > IDLE * full_force(vessel)
    ahead, sway = wanted_x * bow_x + wanted_y * bow_y, 0.0 * wanted
    if helm.sideways is not None:
        against = station.x * station.x + station.y * station.y > (IDLE * full_force(vessel)) ** 2
        heading = select(against, arctan2(station.y, station.x), ordered_heading)
        surge, sway = ahead, wanted_y * bow_x - wanted_x * bow_y
    elif helm.most is None:
        heading = select(needed, arctan2(wanted_y, wanted_x), ordered_heading)
        surge = select(needed, larger(ahead, helm.steerage * wanted), 0.0)
    else:
        # To brake it does not turn about: the damper leads the bow only where it asks for thrust ahead.
        # Near its place it stops: a boat that glides on in the dead band leaves it, turns back and circles for ever.
        to_x = select(ahead > 0.0, wanted_x, station.x + spring * away_x)
        to_y = select(ahead > 0.0, wanted_y, station.y + spring * away_y)
        turns = to_x * to_x + to_y * to_y > (IDLE * full_force(vessel)) ** 2
        heading = select(turns, arctan2(to_y, to_x), ordered_heading)
        surge = select(needed, ahead, -damper * u)
    moment = heading_moment(heading, yaw, at.r, gains)
    if helm.arm is not None:
        moment = within(moment, -helm.arm * surge, helm.arm * surge)
    if helm.most is not None:
        moment = within(moment, -helm.most, helm.most)
    setting = setting_of_force((surge, sway, moment), at, vessel)[0]
    got, aside = thrusters_drive(at, setting, vessel)[:2]
    aside = 0.0 * got if helm.sideways is None else aside
    learned = INTEGRAL_SHARE * rate
    next_x = station.x + elapsed * learned * (spring * away_x + got * bow_x - aside * bow_y - wanted_x)
    next_y = station.y + elapsed * learned * (spring * away_y + got * bow_y + aside * bow_x - wanted_y)
    known = elapsed > 0.0
    return Station(select(known, next_x, station.x), select(known, next_y, station.y)), setting
