"""Keeping a place in current and wind, of any boat that goes ahead and turns. Pure: the state goes in and out."""

import math
from typing import Any, NamedTuple

from usv_energy.boats.boat_kind import can_turn
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, sqrt, within
from usv_energy.powering.actuators import thrusters_drive
from usv_energy.sim.control.control import full_force, heading_moment, wanted_setting

RATE = 0.2              # 1/s: at which a boat comes back to its place; slower than it turns.
SLOW_RATE = 0.1         # 1/s: the same of a boat that turns by the thrust that also drives it.
WIDEST = 0.8            # rad: an angle of a thruster beyond which it does not drive ahead to speak of.
INTEGRAL_SHARE = 0.25   # Of that rate: how fast the force of current and wind is learned.
IDLE = 0.02             # Of full thrust: less than that is not worth a turn.
STEERAGE = 0.3          # Of the wanted force, that a boat gives ahead to turn which cannot turn on the spot.


class Station(NamedTuple):
    """The force of the thrusters that holds a place, as it is known so far, N, east and north."""

    x: Any
    y: Any


class Helm(NamedTuple):
    """
    How a boat turns that keeps a place.

    `steerage`: the share of the wanted force that it gives ahead to turn, (-); 0 of one that turns on the spot.
    `arm`: of one that turns by the thrust that also drives it, the yaw moment for 1 N ahead at its largest angle, m;
    else None.
    """

    steerage: float
    arm: float | None


def helm_of(vessel: Vessel) -> Helm:
    """Return how a boat turns that keeps a place."""
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
    Return the next Station and the Setting that brings a boat to a place and keeps it there; floats or arrays.

    The wanted force is that of a spring and a damper over ground, and of what current and wind were found to need; the
    boat points where that force goes, so in a current it lies with its bow against it. A boat that needs no force
    keeps the heading that is ordered.

    :param station: The Station so far, N.
    :param elapsed: Since the last measurement, s; NaN at the first.
    :param place: To be kept, x and y, m (ENU).
    :param ordered_heading: Where no force is needed, rad (ENU); its own yaw for any.
    :param state: Measured x, y, m, yaw, rad, and u, v over ground, m/s.
    :param at: The Relative as the boat knows it.
    :param gains: The Gains: the damper is `speed_kp`.
    :param helm: The Helm. A boat that turns by its thrust turns no more sharply than that thrust allows: a moment that
        comes first would have it push for nothing else, and circle.
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
