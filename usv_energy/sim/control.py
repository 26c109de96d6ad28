"""Heading and speed control of any boat. Pure: the controller's state goes in and comes out."""

from typing import NamedTuple

from ..boats.vessel import Vessel
from ..physics.actuator_forces import surge_force_along, surge_force_of
from ..physics.actuators import Setting
from ..physics.elementwise import by_part, each, each_in, kernel, select, total
from ..physics.frames import wrap_angle
from ..physics.propeller import largest_thrust, least_thrust
from ..physics.propulsion import allocated_pair, pair_within
from ..physics.setting_of_force import setting_with_aims
from ..physics.thruster_drive import throttle_of


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


@kernel
def controlled_setting(integral, elapsed, heading, speed, yaw, at, u, gains, vessel):
    """
    Return the speed controller's next integral, N, and the Setting that is asked of the actuators; floats or arrays.

    :param integral: The integral, N.
    :param elapsed: Time since the last measurement, s; NaN at the first.
    :param heading: Wanted, rad (ENU).
    :param speed: Wanted surge over ground, m/s; None for full thrust, which needs no integral.
    :param yaw: Measured, rad (ENU).
    :param at: The Relative as the boat knows it: its yaw rate, rad/s, and for foils the water and the air past it.
    :param u: Measured surge over ground, m/s.
    :param gains: The Gains.
    :param vessel: The Vessel.
    """
    (new_integral, _), setting = priced_control(integral, elapsed, heading, speed, yaw, at, u, gains, vessel)
    return new_integral, setting


@kernel
def priced_control(integral, elapsed, heading, speed, yaw, at, u, gains, vessel):
    """Return what `controlled_setting` does, beside the integral the prices at which thrusts were shared out."""
    moment = heading_moment(heading, yaw, at.r, gains)
    if speed is None:
        setting, prices, _ = _priced_setting(full_force(vessel), moment, at, vessel)
        return (0.0 * integral, prices), setting
    return speed_setting(integral, elapsed, speed - u, moment, at, gains, vessel)


@kernel
def heading_moment(heading, yaw, r, gains):
    """Return the yaw moment wanted for a heading, rad, at a yaw, rad, and yaw rate, rad/s, in N m; floats or arrays."""
    return gains.heading_kp * wrap_angle(heading - yaw) - gains.heading_kd * r


@kernel
def full_force(vessel):
    """Return the surge force of all thrusters at their most, N."""
    return total((0.0,), each(_most, vessel.thrusters))[0]


@kernel
def _most(thruster):
    return (thruster.max_thrust * thruster.efficiency_of_tilt,)


@kernel
def wanted_setting(surge_force, moment, at, vessel):
    """Return the Setting for a surge force, N, and a yaw moment, N m, which comes first; floats or arrays."""
    return _priced_setting(surge_force, moment, at, vessel)[0]


@kernel
def _priced_setting(surge_force, moment, at, vessel):
    return by_part(vessel.arranged, _of_pair, _of_any, surge_force, moment, at, vessel)


@kernel
def _of_pair(surge_force, moment, at, vessel):
    return by_part(vessel.thrusters[0].propeller, _plain_pair, _pair_with_propellers, surge_force, moment, at, vessel)


@kernel
def _plain_pair(surge_force, moment, at, vessel):
    return Setting(allocated_pair(surge_force, moment, vessel.thrusters), (None, None), ()), None, (None, None)


@kernel
def _pair_with_propellers(propeller, surge_force, moment, at, vessel):
    """Return the Setting of a pair whose thrust changes with the water's speed: limits are those at the boat's."""
    thruster = vessel.thrusters[0]
    speed = thruster.efficiency_of_tilt * at.u_r
    thrusts = pair_within(surge_force, moment, vessel.thrusters, least_thrust(speed, thruster.min_thrust, propeller),
                          largest_thrust(speed, thruster.max_thrust, propeller))
    throttles = each_in(at, throttle_of, thrusts, (None, None), vessel.thrusters)
    return Setting(throttles, (None, None), ()), None, (None, None)


@kernel
def _of_any(arranged, surge_force, moment, at, vessel):
    return setting_with_aims((surge_force, 0.0 * moment, moment), at, vessel)


@kernel
def _surge_of_pair(at, setting, aims, vessel):
    return surge_force_of(at, setting, vessel)


@kernel
def _surge_of_any(arranged, at, setting, aims, vessel):
    return surge_force_along(at, setting.thrusts, aims, vessel)


@kernel
def speed_setting(integral, elapsed, error, moment, at, gains, vessel):
    """
    Return the speed controller's next integral, N, with the prices of `priced_control`, and the Setting.

    Anti-windup by back-calculation: what the thrusters could not give runs back into the integral, with the
    controller's own time constant kp / ki.

    :param integral: The integral, N.
    :param elapsed: Time since the last measurement, s; NaN at the first: the integral stays.
    :param error: Speed wanted less that measured, m/s.
    :param moment: Yaw moment wanted, N m; it comes first.
    :param at: As `controlled_setting`.
    :param gains: The Gains.
    :param vessel: The Vessel.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5.
    """
    wanted = gains.speed_kp * error + integral
    setting, prices, aims = _priced_setting(wanted, moment, at, vessel)
    got = by_part(vessel.arranged, _surge_of_pair, _surge_of_any, at, setting, aims, vessel)
    proportional = gains.speed_kp > 0.0
    back = select(proportional, gains.speed_ki / select(proportional, gains.speed_kp, 1.0) * (got - wanted), 0.0)
    new = select(elapsed > 0.0, integral + elapsed * (gains.speed_ki * error + back), integral)
    return (new, prices), setting
