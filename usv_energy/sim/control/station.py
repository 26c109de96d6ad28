"""Station keeping in current and wind for any boat that can go ahead and turn; pure functions of their state."""

import math
from typing import Any, NamedTuple

from usv_energy.boats.boat_kind import can_turn
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, sqrt, within
from usv_energy.powering.actuators import thrusters_drive
from usv_energy.sim.control.control import full_force, heading_moment, wanted_setting

RATE = 0.2              # 1/s, rate of return to the position; slower than the boat turns.
SLOW_RATE = 0.1         # 1/s, the same for a boat that turns by the thrust that also drives it.
WIDEST = 0.8            # rad, largest angle of a thruster at which it still drives ahead.
INTEGRAL_SHARE = 0.25   # Rate of the integral of the force of current and wind, over the rate of return.
IDLE = 0.02             # Share of full thrust below which the boat does not turn for it.
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
    None.
    """

    steerage: float
    arm: float | None


def helm_of(vessel: Vessel) -> Helm:
    """Return the Helm of a boat."""
    if len(vessel.thrusters) > 1 and can_turn(vessel._replace(foils=())):
        return Helm(0.0, None)
    for thruster in vessel.thrusters:
        azimuth = thruster.azimuth
        if azimuth is not None and azimuth.ends is None:
            return Helm(0.0, None)
        if azimuth is not None:
            angle = min(abs(azimuth.least), abs(azimuth.largest), WIDEST)
            return Helm(STEERAGE, abs(thruster.x) * math.tan(angle))
    return Helm(STEERAGE, None)


@kernel
def station_setting(station, elapsed, place, ordered_heading, state, at, gains, helm, vessel):
    """
    Return the next Station and the Setting that brings a boat to a position and keeps it there; floats or arrays.

    The wanted force is that of a spring and a damper over ground plus an integral term for current and wind. The boat
    points in the direction of that force, so in a current its bow points against it. If no force is needed, it keeps
    the ordered heading.

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
    heading = select(needed, arctan2(wanted_y, wanted_x), ordered_heading)
    ahead = wanted_x * bow_x + wanted_y * bow_y
    surge = select(needed, larger(ahead, helm.steerage * wanted), 0.0)
    moment = heading_moment(heading, yaw, at.r, gains)
    if helm.arm is not None:
        moment = within(moment, -helm.arm * surge, helm.arm * surge)
    setting = wanted_setting(surge, moment, at, vessel)
    got = thrusters_drive(at, setting, vessel)[0]
    learned = INTEGRAL_SHARE * rate
    next_x = station.x + elapsed * learned * (spring * away_x + got * bow_x - wanted_x)
    next_y = station.y + elapsed * learned * (spring * away_y + got * bow_y - wanted_y)
    known = elapsed > 0.0
    return Station(select(known, next_x, station.x), select(known, next_y, station.y)), setting
