"""
An observer of the velocity through the water and of the set over ground, for boats that steer by a rudder.

A rudder's force depends on its inflow, but odometry measures velocity over ground. In a strong current a controller
that uses the velocity over ground for the rudder steers the boat off its course. The observer integrates the boat's
model from the commanded Setting, the yaw rate and the apparent wind to get the velocity through the water. The
difference to the measured velocity over ground is the set. Leeway is the low-passed sway velocity of the model, so that
the sideslip in a turn does not count.
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

SET_TIME = 2.0      # s, time constant of the low-pass filter of the set, which changes from place to place.
LEEWAY_TIME = 5.0   # s, time constant of the low-pass filter of the leeway; several times the time of a turn.
LONGEST_GAP = 10.0  # s, longest time for which the model is integrated between two measurements; then it is steady.


class Drift(NamedTuple):
    """
    The state of the observer; floats or arrays.

    `u_r`, `v_r`: velocity through the water, forward and to port, m/s. `set_x`, `set_y`: set over ground, east and
    north, m/s. `leeway`: low-passed sway velocity through the water, to port, m/s.
    """

    u_r: Any
    v_r: Any
    set_x: Any
    set_y: Any
    leeway: Any


def steers_by_water(vessel: Vessel) -> bool:
    """Return whether the observer applies to a boat: it has a rudder in water, no sail, and no hull of parts."""
    rudders = [foil for foil in vessel.foils if foil.steer is not None and foil.in_air is None]
    return bool(rudders) and vessel.parts is None and all(foil.sail is None for foil in vessel.foils)


def drift_later(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], wind: tuple[Any, Any],
                setting: Setting, vessel: Vessel, rate: float) -> Drift:
    """
    Return the Drift at a measurement; floats or arrays.

    :param drift: The Drift at the previous measurement.
    :param elapsed: Time since the previous measurement, s.
    :param yaw: Measured, rad (ENU).
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground.
    :param wind: Measured apparent wind, forward and to port, m/s.
    :param setting: The Setting commanded since then.
    :param vessel: The Vessel.
    :param rate: Its `fastest_rate`, 1/s.

    Source: Fossen (2011), section 11.4: a model-based observer, here without correction, since no sensor measures the
        velocity through the water; the set follows as in dead reckoning.
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
    """Return the Drift at a measurement if the velocity through the water is known, m/s; see `drift_later`."""
    of_set, of_leeway = (1.0 - math.exp(-elapsed / time) for time in (SET_TIME, LEEWAY_TIME))
    set_x, set_y = _set_of(u_r, v_r, yaw, velocity)
    return Drift(u_r, v_r, drift.set_x + of_set * (set_x - drift.set_x), drift.set_y + of_set * (set_y - drift.set_y),
                 drift.leeway + of_leeway * (v_r - drift.leeway))


def first_drift(yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any = 0.0, v_r: Any = 0.0) -> Drift:
    """
    Return the Drift at the first measurement.

    :param yaw: Measured, rad (ENU); float or array.
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground; same shape.
    :param u_r: Velocity through the water, forward, m/s; 0 if it is not known.
    :param v_r: The same, to port.
    """
    return Drift(u_r + 0.0 * yaw, v_r + 0.0 * yaw, *_set_of(u_r, v_r, yaw, velocity), v_r + 0.0 * yaw)


def heading_in_drift(x: Any, y: Any, leg: Leg, lookahead: float | None, speed: Any, drift: Drift) -> tuple[Any, Any]:
    """
    Return the heading, rad, and the surge velocity through the water, m/s, to follow a leg; floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: As `heading_on_leg`.
    :param speed: Wanted speed along the leg over ground, m/s; None for full thrust.
    :param drift: The Drift of the boat.

    Source: Fossen (2011), (10.80), applied in the water: the course through the water is heading plus leeway angle.
    """
    course, through = heading_in_set(x, y, leg, lookahead, speed, drift.u_r, (drift.set_x, drift.set_y))
    heading, ahead = heading_over_ground(course, through, drift.leeway)
    return heading, ahead


def known_motion(drift: Drift, r: Any, wind: tuple[Any, Any]) -> Relative:
    """Return the observed Relative at a measured yaw rate, rad/s, and apparent wind, m/s."""
    return Relative(drift.u_r, drift.v_r, r, *wind)


def _set_of(u_r: Any, v_r: Any, yaw: Any, velocity: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """Return velocity over ground minus velocity through the water, east and north, m/s."""
    c, s, u, v = cos(yaw), sin(yaw), velocity[0] - u_r, velocity[1] - v_r
    return u * c - v * s, u * s + v * c
