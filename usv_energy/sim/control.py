"""Heading and speed control of any boat. Pure: the controller's state goes in and comes out."""

from typing import Any, NamedTuple

from ..allocation.allocate import UNKNOWN
from ..boats.vessel import Vessel
from ..physics.elementwise import each, kernel, select, total
from ..physics.frames import wrap_angle
from ..powering.actuators import thrusters_drive
from ..powering.steering import setting_of_force


class Gains(NamedTuple):
    """Heading: N m/rad and N m s/rad. Speed: N s/m and N/m."""

    heading_kp: float
    heading_kd: float
    speed_kp: float
    speed_ki: float


def gains_for(vessel: Vessel) -> Gains:
    """
    Return a controller for any boat, by its inertia: a turn of natural frequency 1 rad/s and damping ratio 0.75.

    Source: Fossen (2011), section 12.2.5, pole placement.
    """
    inertia = vessel.inertia
    return Gains(inertia.m33, 1.5 * inertia.m33, 0.5 * inertia.m11, 0.2 * inertia.m11)


class ControlState(NamedTuple):
    """
    What the controller knows from before: the `integral` of its speed, N, and the multipliers of its last force.

    `multipliers`: W/N, W/N, W/(N m), as `thrusts_of_force` gives them: where the next search for thrusts begins.
    """

    integral: Any
    multipliers: Any = UNKNOWN


AT_REST = ControlState(0.0)


@kernel
def controlled_setting(state, elapsed, heading, speed, yaw, at, u, gains, vessel):
    """
    Return the controller's next ControlState, and the Setting that is asked of the actuators; floats or arrays.

    :param state: The ControlState.
    :param elapsed: Time since the last measurement, s; NaN at the first.
    :param heading: Wanted, rad (ENU).
    :param speed: Wanted surge over ground, m/s; None for full thrust, which needs no integral.
    :param yaw: Measured, rad (ENU).
    :param at: The Relative as the boat knows it: its yaw rate, rad/s, and for foils the water and the air past it.
    :param u: Measured surge over ground, m/s.
    :param gains: The Gains.
    :param vessel: The Vessel.
    """
    moment = heading_moment(heading, yaw, at.r, gains)
    if speed is None:
        force = full_force(vessel), 0.0 * moment, moment
        setting, multipliers = setting_of_force(force, at, vessel, state.multipliers)
        return ControlState(0.0 * state.integral, multipliers), setting
    return speed_setting(state, elapsed, speed - u, moment, at, gains, vessel)


@kernel
def heading_moment(heading, yaw, r, gains):
    """Return the yaw moment wanted for a heading, rad, at a yaw, rad, and yaw rate, rad/s, in N m; floats or arrays."""
    return gains.heading_kp * wrap_angle(heading - yaw) - gains.heading_kd * r


@kernel
def full_force(vessel):
    """Return the surge force of all thrusters at their most, at standstill, N."""
    return total((0.0,), each(_most, (), vessel.thrusters))[0]


@kernel
def _most(thruster):
    return (thruster.max_thrust * thruster.efficiency_of_tilt,)


@kernel
def wanted_setting(surge_force, moment, at, vessel):
    """Return the Setting for a surge force, N, and a yaw moment, N m, which comes first; floats or arrays."""
    return setting_of_force((surge_force, 0.0 * moment, moment), at, vessel)[0]


@kernel
def speed_setting(state, elapsed, error, moment, at, gains, vessel):
    """
    Return the speed controller's next ControlState, and the Setting.

    Anti-windup by back-calculation: what the thrusters could not give runs back into the integral, with the
    controller's own time constant kp / ki.

    :param state: The ControlState.
    :param elapsed: Time since the last measurement, s; NaN at the first: the integral stays.
    :param error: Speed wanted less that measured, m/s.
    :param moment: Yaw moment wanted, N m; it comes first.
    :param at: As `controlled_setting`.
    :param gains: The Gains.
    :param vessel: The Vessel.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5.
    """
    wanted = gains.speed_kp * error + state.integral
    setting, multipliers = setting_of_force((wanted, 0.0 * moment, moment), at, vessel, state.multipliers)
    got = thrusters_drive(at, setting, vessel)[0]
    proportional = gains.speed_kp > 0.0
    back = select(proportional, gains.speed_ki / select(proportional, gains.speed_kp, 1.0) * (got - wanted), 0.0)
    integral = state.integral + elapsed * (gains.speed_ki * error + back)
    return ControlState(select(elapsed > 0.0, integral, state.integral), multipliers), setting
