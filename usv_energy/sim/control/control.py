"""The heading and speed controller of any boat, and the choice of its gains for courses over ground."""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.allocate import NO_START
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import surge_slope
from usv_energy.physics.elementwise import each, kernel, select, total
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import setting_of_force, thrusters_drive
from usv_energy.sim.plants.step_limit import STALLING
from usv_energy.thrusters.thruster import gives_sway

# Constants of `course_gains`.
RATE = 1.0              # rad/s, natural frequency of the heading loop with the boat's inertia alone.
DAMPING = 0.75          # (-), its damping ratio.
STEADY = 0.4            # (-), wanted least damping ratio of the coupled modes of sway, yaw, heading and cross-track.
MORE_DAMPING = 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0  # (-), candidates: extra yaw damping over m33 RATE.
FASTER = 1.0, 1.5, 2.0                                            # (-), candidates: factors on RATE.
FURTHER = 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0                      # (-), candidates: factors on the lookahead distance.
MOST_DAMPING = 8.0      # 1/s, largest yaw rate gain over m33; from 10 on a control period of 0.1 s would overcorrect.
TURN_ABOUT = math.pi    # rad, turned by thrusters that turn all around to push the other way.
SPEEDS = 0.5, 1.0       # (-), fractions of the fastest speed at which the damping ratios are evaluated.
SLOW_SWAY = 20.0        # s, time in which sway decays, from which on a boat slides; see `slides`.
SMALL = 0.1             # m/s and rad/s, sway velocity and yaw rate at which quadratic damping is linearized.
SPEED_RATE = 0.5        # 1/s, proportional gain of the speed controller over m11.
INTEGRAL_RATE = 0.2     # 1/s, rate at which its integral adapts to the drag.


class Gains(NamedTuple):
    """
    Gains of the controller: of heading, N m/rad and N m s/rad, and of surge speed, N s/m and N/m.

    `against_wind`: the share of the wind's side force that the thrusters push against, (-).
    """

    heading_kp: float
    heading_kd: float
    speed_kp: float
    speed_ki: float
    against_wind: float = 0.0


def gains_for(vessel: Vessel) -> Gains:
    """
    Return gains for any boat from its inertia: a heading loop of natural frequency 1 rad/s and damping ratio 0.75.

    Source: Fossen (2011), section 12.2.5, pole placement.
    """
    inertia = vessel.inertia
    return Gains(inertia.m33, 1.5 * inertia.m33, 0.5 * inertia.m11, 0.2 * inertia.m11)


def against_wind(vessel: Vessel) -> float:
    """Return the share of the wind's side force that thrusters push against: all of it where they push sideways."""
    return 1.0 if gives_sway(vessel.thrusters) else 0.0


class ControlState(NamedTuple):
    """
    The state of the controller.

    `integral`: integral term of the speed controller, N. `multipliers`: W/N, W/N, W/(N m), of the last thrust
    allocation (`thrusts_of_force`), the initial guess of the next search.
    """

    integral: Any
    multipliers: Any = NO_START


AT_REST = ControlState(0.0)


@kernel
def controlled_setting(state, elapsed, heading, speed, yaw, at, u, gains, vessel):
    """
    Return the controller's next ControlState and the commanded Setting; floats or arrays.

    :param state: The ControlState.
    :param elapsed: Time since the last measurement, s; NaN at the first one.
    :param heading: Wanted heading, rad (ENU).
    :param speed: Wanted surge velocity over ground, m/s; None for full thrust, which needs no integral.
    :param yaw: Measured heading, rad (ENU).
    :param at: The Relative as the controller knows it: yaw rate, and velocity through water and air for the foils.
    :param u: Measured surge velocity over ground, m/s.
    :param gains: The Gains.
    :param vessel: The Vessel.
    """
    moment = heading_moment(heading, yaw, at.r, gains)
    if speed is None:
        force = full_force(vessel), wind_held(at, gains, vessel), moment
        setting, multipliers = setting_of_force(force, at, vessel, state.multipliers)
        return ControlState(0.0 * state.integral, multipliers), setting
    return speed_setting(state, elapsed, speed - u, moment, at, gains, vessel)


@kernel
def heading_moment(heading, yaw, r, gains):
    """Return the wanted yaw moment, N m, for a heading, rad, at a yaw, rad, and yaw rate, rad/s; floats or arrays."""
    return gains.heading_kp * wrap_angle(heading - yaw) - gains.heading_kd * r


@kernel
def wind_held(at, gains, vessel):
    """Return the sway force that the thrusters give against the wind, N; 0 for a boat that does not push sideways."""
    return -gains.against_wind * wind_force(at.u_w, at.v_w, vessel.windage)[1]


@kernel
def full_force(vessel):
    """Return the surge force of all thrusters at their largest thrust at standstill, N."""
    return total((0.0,), each(_most, (), vessel.thrusters))[0]


@kernel
def _most(thruster):
    return (thruster.max_thrust * thruster.efficiency_of_tilt,)


@kernel
def wanted_setting(surge_force, moment, at, vessel):
    """Return the Setting for a surge force, N, and a yaw moment, N m, which has priority; floats or arrays."""
    return setting_of_force((surge_force, 0.0 * moment, moment), at, vessel)[0]


@kernel
def speed_setting(state, elapsed, error, moment, at, gains, vessel):
    """
    Return the speed controller's next ControlState and the commanded Setting.

    Anti-windup is by back-calculation: the part of the force that the thrusters cannot give is subtracted from the
    integral, with the time constant kp / ki of the controller.

    :param state: The ControlState.
    :param elapsed: Time since the last measurement, s; NaN at the first one, which leaves the integral unchanged.
    :param error: Wanted minus measured speed, m/s.
    :param moment: Wanted yaw moment, N m; it has priority over surge.
    :param at: As `controlled_setting`.
    :param gains: The Gains.
    :param vessel: The Vessel.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5.
    """
    wanted = gains.speed_kp * error + state.integral
    force = wanted, wind_held(at, gains, vessel), moment
    setting, multipliers = setting_of_force(force, at, vessel, state.multipliers)
    got = thrusters_drive(at, setting, vessel)[0]
    proportional = gains.speed_kp > 0.0
    back = select(proportional, gains.speed_ki / select(proportional, gains.speed_kp, 1.0) * (got - wanted), 0.0)
    integral = state.integral + elapsed * (gains.speed_ki * error + back)
    return ControlState(select(elapsed > 0.0, integral, state.integral), multipliers), setting


def slides(vessel: Vessel) -> bool:
    """
    Return whether a boat without foils goes on in its old direction when it turns, and long after that.

    Such a boat's velocity over ground keeps its direction while the heading turns, so a crab angle from the measured
    sway leaves the heading loop without stiffness, and the boat weaves. Its drift is observed (`steers_by_water`).
    Both are evaluated for a small sway at 1 m/s.
    """
    inertia, damping = vessel.inertia, vessel.damping
    slow = (damping.d22 + damping.d22_u) * SLOW_SWAY < inertia.m22
    goes_on = damping.d23 + damping.d23_u + inertia.m11 > 0.5 * inertia.m11
    return bool(slow and goes_on) and vessel.parts is None and not vessel.foils


def course_gains(vessel: Vessel, speed: float, ahead: float) -> tuple[Gains, float]:
    """
    Return the Gains and the lookahead distance, m, for courses at speeds over ground up to a given one.

    With the inertia alone the heading loop has the natural frequency RATE and the damping ratio DAMPING. Under way the
    Munk moment and the crab angle reduce the damping, and a short lookahead distance makes the boat oscillate about the
    line. Therefore the yaw damping, then the natural frequency and then the lookahead distance are increased until all
    modes have at least the damping ratio STEADY; if none suffices, the best candidate is returned. Thrusters that turn
    all around turn about to brake a turn: a loop that does not wait for them spins the boat after each corner. A boat
    that pushes sideways holds against the wind's side force, as in steady motion, and does not crab.

    :param vessel: The Vessel.
    :param speed: Fastest speed over ground, m/s.
    :param ahead: Least lookahead distance, m.

    Source: Fossen (2011), section 12.2.5, pole placement; (7.23), sway and yaw at a forward speed.
    """
    m33, m11 = vessel.inertia.m33, vessel.inertia.m11
    speed_kp = SPEED_RATE * m11
    speed_ki = INTEGRAL_RATE * (speed_kp + surge_slope(speed, vessel.damping))
    all_around = (one.azimuth for one in vessel.thrusters if one.azimuth is not None and one.azimuth.ends is None)
    turning = min((azimuth.rate for azimuth in all_around), default=math.inf)     # rad/s
    best = -math.inf, 0.0, 0.0, ahead
    for far, faster, more in itertools.product(FURTHER, FASTER, MORE_DAMPING):
        rate = faster * min(RATE, turning / TURN_ABOUT)
        kp, kd = rate * rate * m33, (2.0 * DAMPING + more) * rate * m33
        if kd > min(MOST_DAMPING, turning) * m33:
            continue
        ratio = min(_least_damping(vessel, share * speed, kp, kd, far * ahead) for share in SPEEDS)
        if ratio > best[0]:
            best = ratio, kp, kd, far * ahead
        if ratio >= STEADY:
            break
    _, kp, kd, ahead = best
    return Gains(kp, kd, speed_kp, speed_ki, against_wind(vessel)), ahead


def _least_damping(vessel: Vessel, speed: float, kp: float, kd: float, ahead: float) -> float:
    """Return the least damping ratio of the modes of a boat that follows a straight line, from -1 to 1."""
    if not speed > 0.0:
        return 1.0
    modes = np.linalg.eigvals(course_modes(vessel, speed, kp, kd, ahead))
    return float(np.min(-modes.real / np.maximum(abs(modes), 1e-12)))


def course_modes(vessel: Vessel, speed: float, kp: float, kd: float, ahead: float) -> np.ndarray:
    """
    Return the system matrix, linearized about motion along a straight line in still water and air.

    The states are sway velocity, yaw rate, heading error and cross-track error.

    :param vessel: The Vessel.
    :param speed: Along the line, m/s.
    :param kp: Heading gain, N m/rad.
    :param kd: Yaw rate gain, N m s/rad.
    :param ahead: Lookahead distance, m.
    :return: Shape (4, 4).

    Source: Fossen (2011), (7.23), with the wanted heading -y / ahead - v / speed after (10.70) and (10.80), or without
        the sway for a boat that slides: its leeway is observed, and compensated slowly.
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
    steering = np.array([[0.0, 0.0, 0.0, 0.0], [0.0 if slides(vessel) else kp / speed, kd, kp, kp / ahead]])
    steering[:, :2] += drag
    mass = np.array([[inertia.m22, inertia.m23], [inertia.m23, inertia.m33]])
    rates = np.zeros((4, 4))
    rates[:2] = -np.linalg.solve(mass, steering)
    rates[2, 1] = 1.0
    rates[3, 0], rates[3, 2] = 1.0, speed
    return rates
