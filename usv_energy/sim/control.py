"""Heading and speed control of a boat with two thrusters. Pure: the controller's state goes in and comes out."""

from typing import NamedTuple

from ..physics.elementwise import kernel, select
from ..physics.frames import wrap_angle
from ..physics.propulsion import allocated_pair


class Gains(NamedTuple):
    """Heading: N m/rad and N m s/rad. Speed: N s/m and N/m."""

    heading_kp: float
    heading_kd: float
    speed_kp: float
    speed_ki: float


@kernel
def controlled_thrusts(integral, elapsed, heading, speed, yaw, u, r, gains, vessel):
    """
    Return the speed controller's next integral, N, and the two thrusts, N (port, starboard); floats or arrays.

    :param integral: The integral, N.
    :param elapsed: Time since the last measurement, s; NaN at the first.
    :param heading: Wanted, rad (ENU).
    :param speed: Wanted surge over ground, m/s; None for full thrust, which needs no integral.
    :param yaw: Measured, rad (ENU).
    :param u: Measured surge over ground, m/s.
    :param r: Measured yaw rate, rad/s.
    :param gains: The Gains.
    :param vessel: The Vessel; two thrusters.
    """
    moment = heading_moment(heading, yaw, r, gains)
    if speed is None:
        return 0.0 * integral, full_thrusts(moment, vessel)
    return speed_thrusts(integral, elapsed, speed - u, moment, gains, vessel)


@kernel
def heading_moment(heading, yaw, r, gains):
    """Return the yaw moment wanted for a heading, rad, at a yaw, rad, and yaw rate, rad/s, in N m; floats or arrays."""
    return gains.heading_kp * wrap_angle(heading - yaw) - gains.heading_kd * r


@kernel
def full_thrusts(moment, vessel):
    """Return the two thrusts, N, that give a yaw moment, N m, and else all that they can; floats or arrays."""
    full = 0.0
    for thruster in vessel.thrusters:
        full = full + thruster.max_thrust * thruster.efficiency_of_tilt
    return allocated_pair(full, moment, vessel.thrusters)


@kernel
def speed_thrusts(integral, elapsed, error, moment, gains, vessel):
    """
    Return the speed controller's next integral, N, and the two thrusts, N; floats or arrays.

    Anti-windup by back-calculation: what the thrusters could not give runs back into the integral, with the
    controller's own time constant kp / ki.

    :param integral: The integral, N.
    :param elapsed: Time since the last measurement, s; NaN at the first: the integral stays.
    :param error: Speed wanted less that measured, m/s.
    :param moment: Yaw moment wanted, N m; it comes first.
    :param gains: The Gains.
    :param vessel: The Vessel; two thrusters.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5.
    """
    wanted = gains.speed_kp * error + integral
    thrusts = allocated_pair(wanted, moment, vessel.thrusters)
    got = 0.0
    for thrust, thruster in zip(thrusts, vessel.thrusters):
        got = got + thrust * thruster.efficiency_of_tilt
    proportional = gains.speed_kp > 0.0
    back = select(proportional, gains.speed_ki / select(proportional, gains.speed_kp, 1.0) * (got - wanted), 0.0)
    return select(elapsed > 0.0, integral + elapsed * (gains.speed_ki * error + back), integral), thrusts
