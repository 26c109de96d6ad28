"""
What a boat that steers by a rudder makes of the water: its own speed through it, and how it is set over ground.

A rudder acts by the water that meets it, and odometry measures over ground. In a current as fast as the boat, the angle
at which a rudder stands in the measured motion has nothing to do with the one at which the water meets it, and a helm
that takes the one for the other turns the boat away from its course. The model of the boat itself says how fast it goes
through the water, from what was asked of its actuators, its yaw rate and the apparent wind; what is measured beyond
that sets it: current and leeway together.
"""

import math
from typing import Any, NamedTuple

from ..boats.vessel import Vessel
from ..physics.actuators import Setting, actuators_drive, limited_setting
from ..physics.dynamics import acceleration
from ..physics.elementwise import cos, sin
from ..physics.power import Relative
from ..physics.wind import wind_force
from .step_limit import LONGEST

SET_TIME = 5.0      # s: over which the set is taken the mean of; some times as long as a boat takes to turn.
LONGEST_GAP = 10.0  # s: between two measurements over which the boat's motion is followed; it is steady after that.


class Drift(NamedTuple):
    """Velocity through the water, forward and to port, and the set over ground, east and north, m/s; floats, arrays."""

    u_r: Any
    v_r: Any
    set_x: Any
    set_y: Any


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
        force = actuators_drive(Relative(u_r, v_r, velocity[2], *wind), held, vessel)
        u_dot, v_dot, _ = acceleration(u_r, v_r, velocity[2], (force[0] + x, force[1] + y, force[2] + n), vessel)
        u_r, v_r = u_r + followed / number * u_dot, v_r + followed / number * v_dot
    return seen_drift(drift, elapsed, yaw, velocity, u_r, v_r)


def seen_drift(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any, v_r: Any) -> Drift:
    """Return the Drift at a measurement of a boat whose velocity through the water is known, m/s: see `drift_later`."""
    share = 1.0 - math.exp(-elapsed / SET_TIME)
    set_x, set_y = _set_of(u_r, yaw, velocity)
    return Drift(u_r, v_r, drift.set_x + share * (set_x - drift.set_x), drift.set_y + share * (set_y - drift.set_y))


def first_drift(yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any = 0.0, v_r: Any = 0.0) -> Drift:
    """
    Return the Drift at the first measurement.

    :param yaw: Measured, rad (ENU); float or array.
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground; same shape.
    :param u_r: Velocity through the water, forward, m/s: of a boat of which nothing is known, none.
    :param v_r: The same, to port.
    """
    return Drift(u_r + 0.0 * yaw, v_r + 0.0 * yaw, *_set_of(u_r, yaw, velocity))


def known_motion(drift: Drift, r: Any, wind: tuple[Any, Any]) -> Relative:
    """Return the Relative as the boat knows it: at a yaw rate, rad/s, in an apparent wind, m/s."""
    return Relative(drift.u_r, drift.v_r, r, *wind)


def _set_of(u_r: Any, yaw: Any, velocity: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """Return what carries a boat besides its own way ahead, east and north, m/s."""
    c, s = cos(yaw), sin(yaw)
    return (velocity[0] - u_r) * c - velocity[1] * s, (velocity[0] - u_r) * s + velocity[1] * c
