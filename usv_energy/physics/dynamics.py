"""Fossen's maneuvering model in three degrees of freedom: inertia, Coriolis, damping, and the acceleration."""

from typing import Any

import numpy as np

from usv_energy.physics.elementwise import interpolate, kernel

STEP, TINY = 1e-5, 1e-9  # (-), share of a speed, and m/s: over which the wave-making resistance is differentiated.
LEAST_SLOPE = 1e-9       # N s/m: drag below it counts as none.
BISECTIONS = 60          # Of the speed that a force holds.


@kernel
def inertia_force(u_r_dot, v_r_dot, r_dot, inertia):
    """
    Return M nu_r_dot, the force that accelerates hull and added mass, in body axes.

    :param u_r_dot: Derivative of the surge velocity through the water, m/s^2; float or array.
    :param v_r_dot: The same of sway (port), m/s^2; same shape.
    :param r_dot: Derivative of the yaw rate, rad/s^2; same shape.
    :param inertia: The Inertia.
    :return: Surge force N, sway force N, yaw moment N m.

    Source: Fossen (2011), (6.102); thesis (4.3), where m23 is 0.
    """
    return (inertia.m11 * u_r_dot, inertia.m22 * v_r_dot + inertia.m23 * r_dot,
            inertia.m33 * r_dot + inertia.m23 * v_r_dot)


@kernel
def coriolis_force(u_r, v_r, r, inertia):
    """
    Return C(nu_r) nu_r, the Coriolis and centripetal force, in body axes; it does no work.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param v_r: Sway velocity through the water, to port, m/s; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param inertia: The Inertia.
    :return: Surge force N, sway force N, yaw moment N m.

    Source: Fossen (2011), (6.99); thesis (4.3), where m23 is 0.
    """
    return (-inertia.m22 * v_r * r - inertia.m23 * r * r, inertia.m11 * u_r * r,
            (inertia.m22 - inertia.m11) * u_r * v_r + inertia.m23 * u_r * r)


@kernel
def damping_force(u_r, v_r, r, damping):
    """
    Return D(nu_r) nu_r, the damping force that propulsion must overcome, in body axes; ahead with wave-making.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param v_r: Sway velocity through the water, m/s; same shape.
    :param r: Yaw rate, rad/s; same shape.
    :param damping: The Damping.
    :return: Surge force N, sway force N, yaw moment N m. Without cross terms each has the sign of its velocity.

    Source: Fossen (2011), (6.57) and (6.59). The cross terms of sway and yaw and the lift terms proportional to surge
        velocity are Y_|u|v, Y_ur, N_uv and N_|u|r of its section 7.1, with the signs of a hull symmetric fore and aft.
    """
    speed = abs(u_r)
    return (surge_drag(u_r, damping),
            (damping.d22 + damping.d22_q * abs(v_r) + damping.d22_u * speed) * v_r
            + (damping.d23 + damping.d23_u * u_r) * r,
            (damping.d33 + damping.d33_q * abs(r) + damping.d33_u * speed) * r
            + (damping.d32 + damping.d32_u * u_r) * v_r)


@kernel
def surge_drag(u_r, damping):
    """
    Return the drag straight ahead or astern, N, with the sign of the velocity: linear, quadratic and wave-making.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param damping: The Damping.
    """
    speed, wave = abs(u_r), damping.wave
    of_waves = 0.0 if wave is None else wave.scale * interpolate(speed, wave.speed, wave.coefficient)
    return (damping.d11 + (damping.d11_q + of_waves) * speed) * u_r


def surge_slope(u_r: Any, damping: Any) -> Any:
    """Return the derivative of `surge_drag` by the velocity, N s/m; float or array, as `u_r`, m/s."""
    slope = damping.d11 + 2.0 * damping.d11_q * abs(u_r)
    if damping.wave is None:
        return slope
    only_waves = damping._replace(d11=0.0, d11_q=0.0)
    low, high = u_r * (1.0 - STEP) - TINY, u_r * (1.0 + STEP) + TINY
    return slope + (surge_drag(high, only_waves) - surge_drag(low, only_waves)) / (high - low)


def held_speed(force: Any, damping: Any) -> Any:
    """
    Return the velocity ahead or astern at which the drag equals a force, m/s; float or array.

    :param force: N, with its sign.
    :param damping: The Damping, which has linear or quadratic drag; its drag never falls with the speed.
    """
    size = np.abs(force)
    slope = damping.d11 + np.sqrt(damping.d11 ** 2 + 4.0 * damping.d11_q * size)
    high = 2.0 * size / np.maximum(slope, LEAST_SLOPE)  # Without wave-making.
    if damping.wave is None:
        return np.sign(force) * high
    low = 0.0 * high
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        below = surge_drag(middle, damping) < size
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.sign(force) * low


@kernel
def acceleration(u_r, v_r, r, force, vessel):
    """
    Return nu_r_dot, the derivative of the velocity through the water, from the external forces.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param v_r: Sway velocity through the water, m/s; same shape.
    :param r: Yaw rate, rad/s; same shape.
    :param force: Thrust and wind together: surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :return: m/s^2, m/s^2, rad/s^2.

    Source: thesis (4.17), solved for the acceleration; m23 couples sway and yaw, which are solved by elimination.
    """
    inertia = vessel.inertia
    x_c, y_c, n_c = coriolis_force(u_r, v_r, r, inertia)
    x_d, y_d, n_d = damping_force(u_r, v_r, r, vessel.damping)
    sway, yaw = force[1] - y_c - y_d, force[2] - n_c - n_d
    coupling = inertia.m23 / inertia.m22
    r_dot = (yaw - coupling * sway) / (inertia.m33 - coupling * inertia.m23)
    return (force[0] - x_c - x_d) / inertia.m11, (sway - inertia.m23 * r_dot) / inertia.m22, r_dot


@kernel
def relative_acceleration(acceleration_ground, current_body, r):
    """
    Return the derivative of the velocity through the water from that of the velocity over ground.

    They differ if the boat turns in a current: in body axes a steady uniform current rotates, with
    d/dt (R^T V_c) = -r S R^T V_c.

    :param acceleration_ground: (u_dot, v_dot), derivatives of the velocity over ground in body axes, m/s^2; floats or
        arrays.
    :param current_body: Velocity of the current in body axes, m/s; same shapes.
    :param r: Yaw rate, rad/s; same shape.
    :return: u_r_dot, v_r_dot, m/s^2.

    Source: Fossen (2011), (8.142) to (8.144).
    """
    return acceleration_ground[0] - r * current_body[1], acceleration_ground[1] + r * current_body[0]
