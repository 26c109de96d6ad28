"""Heading and speed control of a boat with two thrusters. Pure: the controller's state goes in and comes out."""

import math
from typing import NamedTuple

from ..physics.frames import wrap_angle
from ..physics.propulsion import allocated_pair
from ..physics.vessel import Vessel


class Gains(NamedTuple):
    """Heading: N m/rad and N m s/rad. Speed: N s/m and N/m."""

    heading_kp: float
    heading_kd: float
    speed_kp: float
    speed_ki: float


class ControlState(NamedTuple):
    """Time of the last measurement, s, and the speed controller's integral, N."""

    time: float = math.nan
    integral: float = 0.0


class Measured(NamedTuple):
    """What is measured: time s; yaw rad (ENU); surge over ground u m/s; yaw rate r rad/s."""

    time: float
    yaw: float
    u: float
    r: float


def control(state: ControlState, measured: Measured, heading: float, speed: float | None,
            gains: Gains, vessel: Vessel) -> tuple[ControlState, tuple[float, float]]:
    """
    Return the controller's next state and the two thrusts, N, along their axes (port, starboard).

    :param state: The controller's state.
    :param measured: What is measured now.
    :param heading: Wanted, rad (ENU).
    :param speed: Wanted surge over ground, m/s; None for full thrust.
    :param gains: The Gains.
    :param vessel: The Vessel; two thrusters.
    """
    moment = gains.heading_kp * wrap_angle(heading - measured.yaw) - gains.heading_kd * measured.r
    if speed is None:
        full = sum(thruster.max_thrust * thruster.efficiency_of_tilt for thruster in vessel.thrusters)
        return ControlState(measured.time), allocated_pair(full, moment, vessel.thrusters)
    error = speed - measured.u
    wanted = gains.speed_kp * error + state.integral
    thrusts = allocated_pair(wanted, moment, vessel.thrusters)
    got = sum(thrust * thruster.efficiency_of_tilt for thrust, thruster in zip(thrusts, vessel.thrusters))
    return ControlState(measured.time, _integral(state, measured.time, error, got - wanted, gains)), thrusts


def _integral(state: ControlState, time: float, error: float, shortfall: float, gains: Gains) -> float:
    """
    Return the integral after one more measurement, N.

    Anti-windup by back-calculation: what the thrusters could not give runs back into the integral, with the
    controller's own time constant kp / ki.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5.
    """
    step = time - state.time
    if not step > 0.0:
        return state.integral
    back = gains.speed_ki / gains.speed_kp * shortfall if gains.speed_kp > 0.0 else 0.0
    return state.integral + step * (gains.speed_ki * error + back)
