"""A controller for any boat that holds a course over ground at a speed, by its inertia and damping."""

import itertools
import math

import numpy as np

from ..boats.vessel import Vessel
from .control import Gains
from .step_limit import STALLING

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
