"""Heading and speed control of any boat, and controllers that hold a course over ground."""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.allocate import UNKNOWN
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import each, kernel, select, total
from usv_energy.physics.frames import wrap_angle
from usv_energy.powering.actuators import thrusters_drive
from usv_energy.powering.steering import setting_of_force
from usv_energy.sim.plants.step_limit import STALLING


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



RATE = 1.0              # rad/s: natural frequency of a turn,
DAMPING = 0.75          # and its damping ratio, of the boat's inertia alone.
STEADY = 0.4            # The least damping ratio of what sway, turn, heading and distance from a line do together.
MORE_DAMPING = 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0  # Times m33 and the frequency, N m s/rad, tried,
FASTER = 1.0, 1.5, 2.0                                            # times that frequency,
FURTHER = 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0                      # and times the look-ahead distance.
MOST_DAMPING = 6.0      # 1/s: of the gain of the yaw rate over m33; with a period of 0.1 s more would swing by itself.
SPEEDS = 0.5, 1.0       # Of the fastest speed, at which that is looked at.
SMALL = 0.1             # m/s and rad/s: of sway and turn, at which quadratic damping is taken.
SPEED_RATE = 0.5        # 1/s: proportional gain of the speed over the boat's inertia;
INTEGRAL_RATE = 0.2     # 1/s: at which its integral learns the drag.


def course_gains(vessel: Vessel, speed: float, ahead: float) -> tuple[Gains, float]:
    """
    Return the Gains for courses at speeds over ground up to one, m/s, and the look-ahead distance, m.

    By its inertia alone a turn has the natural frequency RATE and the damping ratio DAMPING. At a speed, the hull's
    Munk moment feeds a turn, and so does the crab angle that is held against drift; a line that is aimed at from near
    is swung about. So yaw rate is damped more, the boat turns faster, and the distance is longer, in this order, until
    all modes have the damping ratio STEADY, or the best that there is. The speed's integral follows drag at
    INTEGRAL_RATE.

    :param vessel: The Vessel.
    :param speed: The fastest over ground, m/s.
    :param ahead: The least look-ahead distance, m.

    Source: Fossen (2011), section 12.2.5, pole placement; (7.23), sway and yaw at a forward speed.
    """
    m33, m11 = vessel.inertia.m33, vessel.inertia.m11
    speed_kp = SPEED_RATE * m11
    speed_ki = INTEGRAL_RATE * (speed_kp + vessel.damping.d11 + 2.0 * vessel.damping.d11_q * speed)
    best = -math.inf, 0.0, 0.0, ahead
    for far, faster, more in itertools.product(FURTHER, FASTER, MORE_DAMPING):
        rate = faster * RATE
        kp, kd = rate * rate * m33, (2.0 * DAMPING + more) * rate * m33
        if kd > MOST_DAMPING * m33:
            continue
        ratio = min(_least_damping(vessel, share * speed, kp, kd, far * ahead) for share in SPEEDS)
        if ratio > best[0]:
            best = ratio, kp, kd, far * ahead
        if ratio >= STEADY:
            break
    _, kp, kd, ahead = best
    return Gains(kp, kd, speed_kp, speed_ki), ahead


def _least_damping(vessel: Vessel, speed: float, kp: float, kd: float, ahead: float) -> float:
    """Return the least damping ratio of a boat's modes about a straight line, steered with gains; -1 to 1."""
    if not speed > 0.0:
        return 1.0
    modes = np.linalg.eigvals(course_modes(vessel, speed, kp, kd, ahead))
    return float(np.min(-modes.real / np.maximum(abs(modes), 1e-12)))


def course_modes(vessel: Vessel, speed: float, kp: float, kd: float, ahead: float) -> np.ndarray:
    """
    Return the matrix of the rates of sway, yaw rate, heading and distance from a line, linear about motion along it.

    :param vessel: The Vessel.
    :param speed: Along the line, m/s; water and air stand still.
    :param kp: Of the heading, N m/rad.
    :param kd: Of the yaw rate, N m s/rad.
    :param ahead: The look-ahead distance, m.

    Source: Fossen (2011), (7.23), with the heading -y / ahead - v / speed wanted, as (10.70) and (10.80).
    """
    inertia, damping = vessel.inertia, vessel.damping
    drag = np.array([
        [damping.d22 + damping.d22_u * speed + damping.d22_q * SMALL,
         damping.d23 + (damping.d23_u + inertia.m11) * speed],
        [damping.d32 + (damping.d32_u + inertia.m22 - inertia.m11) * speed,
         damping.d33 + (damping.d33_u + inertia.m23) * speed + damping.d33_q * SMALL]])
    for foil in vessel.foils:
        if foil.in_air is None:
            lift = STALLING if foil.curve is not None else foil.lift + 0.5 * foil.drag0
            drag += foil.density * foil.area * lift * speed * np.array([[1.0, foil.x], [foil.x, foil.x ** 2]])
    steering = np.array([[0.0, 0.0, 0.0, 0.0], [kp / speed, kd, kp, kp / ahead]])
    steering[:, :2] += drag
    mass = np.array([[inertia.m22, inertia.m23], [inertia.m23, inertia.m33]])
    rates = np.zeros((4, 4))
    rates[:2] = -np.linalg.solve(mass, steering)
    rates[2, 1] = 1.0
    rates[3, 0], rates[3, 2] = 1.0, speed
    return rates
