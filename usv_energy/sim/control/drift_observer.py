"""
What a boat that steers by a rudder makes of the water: its own speed through it, and how it is set over ground.

A rudder acts by the water that meets it, and odometry measures over ground. In a current as fast as the boat, the angle
at which a rudder stands in the measured motion has nothing to do with the one at which the water meets it, and a helm
that takes the one for the other turns the boat away from its course. The model of the boat itself says how fast it goes
through the water, from what was asked of its actuators, its yaw rate and the apparent wind; what is measured beyond
that sets it. Its leeway is a mean of the sway that the model has: in a turn a boat slides outwards, and that is over
with the turn.
"""

import math
from typing import Any, NamedTuple

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import acceleration
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.motion import Relative
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import Setting, drive_of_setting, limited_setting
from usv_energy.sim.control.guidance import Leg, heading_in_set, heading_over_ground
from usv_energy.sim.plants.step_limit import LONGEST

SET_TIME = 2.0      # s: over which the set is taken the mean of: water is met that flows otherwise.
LEEWAY_TIME = 5.0   # s: the same of the leeway; some times as long as a boat takes to turn.
LONGEST_GAP = 10.0  # s: between two measurements over which the boat's motion is followed; it is steady after that.


class Drift(NamedTuple):
    """
    Velocity through the water, forward and to port, the set over ground, east and north, m/s; floats or arrays.

    `leeway`: to port through the water, in the mean of a while, m/s.
    """

    u_r: Any
    v_r: Any
    set_x: Any
    set_y: Any
    leeway: Any


def steers_by_water(vessel: Vessel) -> bool:
    """Return whether a boat has a rudder in the water; none that sails, nor a hull of parts, which moves in waves."""
    rudders = [foil for foil in vessel.foils if foil.steer is not None and foil.in_air is None]
    return bool(rudders) and vessel.parts is None and all(foil.sail is None for foil in vessel.foils)


def drift_later(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], wind: tuple[Any, Any],
                setting: Setting, vessel: Vessel, rate: float) -> Drift:
    """
    Return the Drift at a measurement, from that at the one before; floats or arrays.

    :param elapsed: Since the measurement before, s.
    :param yaw: Measured, rad (ENU).
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground.
    :param wind: Measured apparent wind, forward and to port, m/s.
    :param setting: What was asked of the actuators since.
    :param vessel: The Vessel.
    :param rate: Its `fastest_rate`, 1/s.

    Source: Fossen (2011), section 11.4, a model-based observer without the correction that no sensor in the water
        gives; the set as the navigator's, by dead reckoning.
    """
    if not elapsed > 0.0:
        return drift
    followed = min(elapsed, LONGEST_GAP)
    number = max(1, math.ceil(followed * rate / LONGEST))
    held, (x, y, n) = limited_setting(setting, vessel), wind_force(*wind, vessel.windage)
    u_r, v_r = drift.u_r, drift.v_r
    for _ in range(number):
        force = drive_of_setting(Relative(u_r, v_r, velocity[2], *wind), held, vessel)
        u_dot, v_dot, _ = acceleration(u_r, v_r, velocity[2], (force[0] + x, force[1] + y, force[2] + n), vessel)
        u_r, v_r = u_r + followed / number * u_dot, v_r + followed / number * v_dot
    return seen_drift(drift, elapsed, yaw, velocity, u_r, v_r)


def seen_drift(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any, v_r: Any) -> Drift:
    """Return the Drift at a measurement of a boat whose velocity through the water is known, m/s: see `drift_later`."""
    of_set, of_leeway = (1.0 - math.exp(-elapsed / time) for time in (SET_TIME, LEEWAY_TIME))
    set_x, set_y = _set_of(u_r, v_r, yaw, velocity)
    return Drift(u_r, v_r, drift.set_x + of_set * (set_x - drift.set_x), drift.set_y + of_set * (set_y - drift.set_y),
                 drift.leeway + of_leeway * (v_r - drift.leeway))


def first_drift(yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any = 0.0, v_r: Any = 0.0) -> Drift:
    """
    Return the Drift at the first measurement.

    :param yaw: Measured, rad (ENU); float or array.
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground; same shape.
    :param u_r: Velocity through the water, forward, m/s: of a boat of which nothing is known, none.
    :param v_r: The same, to port.
    """
    return Drift(u_r + 0.0 * yaw, v_r + 0.0 * yaw, *_set_of(u_r, v_r, yaw, velocity), v_r + 0.0 * yaw)


def heading_in_drift(x: Any, y: Any, leg: Leg, lookahead: float | None, speed: Any, drift: Drift) -> tuple[Any, Any]:
    """
    Return the heading, rad, and the surge through the water, m/s, with which a boat goes along a leg; floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: As `heading_on_leg`.
    :param speed: Wanted along the leg over ground, m/s; None for all that there is.
    :param drift: Of the boat.

    Source: Fossen (2011), (10.80), in the water: the course through it is heading and leeway together.
    """
    course, through = heading_in_set(x, y, leg, lookahead, speed, drift.u_r, (drift.set_x, drift.set_y))
    heading, ahead = heading_over_ground(course, through, drift.leeway)
    return heading, ahead


def known_motion(drift: Drift, r: Any, wind: tuple[Any, Any]) -> Relative:
    """Return the Relative as the boat knows it: at a yaw rate, rad/s, in an apparent wind, m/s."""
    return Relative(drift.u_r, drift.v_r, r, *wind)


def _set_of(u_r: Any, v_r: Any, yaw: Any, velocity: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """Return what carries a boat besides its own motion through the water, east and north, m/s."""
    c, s, u, v = cos(yaw), sin(yaw), velocity[0] - u_r, velocity[1] - v_r
    return u * c - v * s, u * s + v * c
