"""
The power that a motion takes, split by cause: tau_thrust . nu_r (thesis, 4.17 to 4.22), losses and static load.

C(nu_r) nu_r . nu_r is identically zero and is not computed. Two named conventions:

- `rep103`: right, the default everywhere. Apparent wind; braking gives no energy back.
- `as_published`: the thesis's formulas on its data, to reproduce its numbers: relative sway with the wrong sign of the
  current, wind over ground, power with its sign while the boat slows down.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
from .elementwise import cos, kernel, larger, sin, sqrt
from .frames import to_body, to_body_as_published
from .propulsion import propulsion_losses
from .wind import wind_force


class Motion(NamedTuple):
    """Motion over ground: yaw rad; u, v m/s and r rad/s in body axes (FLU); their derivatives, m/s^2 and rad/s^2."""

    yaw: Any
    u: Any
    v: Any
    r: Any
    u_dot: Any
    v_dot: Any
    r_dot: Any


class Flow(NamedTuple):
    """
    Water and air at the boat, earth frame (ENU), m/s: current and wind, where they flow to.

    `current_x_rate`, `current_y_rate`: rate of change of the current at the moving boat, m/s^2; 0 where uniform.
    """

    current_x: Any
    current_y: Any
    current_x_rate: Any
    current_y_rate: Any
    wind_x: Any
    wind_y: Any


STILL = Flow(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def flow_with_rate(flow: Flow, rate: Sequence[float]) -> Flow:
    """Return a flow with the rate of change of its current at the moving boat, (x, y), m/s^2."""
    x_rate, y_rate = rate
    return flow._replace(current_x_rate=x_rate, current_y_rate=y_rate)


def without_needless_yaw(motion: Motion, flow: Flow) -> Motion:
    """Return a motion with a yaw of 0 where it is not known (NaN) and not needed: water and air stand still."""
    return motion._replace(yaw=0.0) if motion.yaw != motion.yaw and flow == STILL else motion


class Power(NamedTuple):
    """
    Power by cause, W, and the velocity through the water that it was computed with, m/s, m/s, rad/s.

    thrust = inertia + damping + wind;  total = thrust + unrecovered + losses + static_load.
    """

    inertia: Any
    damping: Any
    wind: Any
    thrust: Any
    unrecovered: Any
    losses: Any
    static_load: Any
    total: Any
    u_r: Any
    v_r: Any
    r: Any


@kernel
def power_rep103(motion, flow, vessel):
    """
    Return the Power of a motion; braking is not recovered, wind is apparent.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow; same shapes.
    :param vessel: The Vessel.

    Source: thesis (4.17), (4.20), (4.22), in REP-103 axes.
    """
    c, s = cos(motion.yaw), sin(motion.yaw)
    current = to_body(flow.current_x, flow.current_y, c, s)
    current_rate = to_body(flow.current_x_rate, flow.current_y_rate, c, s)
    u_r, v_r, r = motion.u - current[0], motion.v - current[1], motion.r
    u_r_dot, v_r_dot = relative_acceleration((motion.u_dot, motion.v_dot), current, current_rate, r)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    air = wind_force(wind[0] - motion.u, wind[1] - motion.v, vessel.windage)
    return _split(u_r, v_r, r, u_r_dot, v_r_dot, motion.r_dot, air, vessel, 1.0)


@kernel
def power_as_published(motion, flow, vessel):
    """
    Return the Power of a motion as the thesis's formulas have it. See the module's docstring.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow; same shapes.
    :param vessel: The Vessel.

    Source: thesis (4.16), (4.19), (4.24), its symbols taken for the FLU velocities that it was fed.
    """
    c, s = cos(motion.yaw), sin(motion.yaw)
    current = to_body_as_published(flow.current_x, flow.current_y, c, s)
    current_rate = to_body_as_published(flow.current_x_rate, flow.current_y_rate, c, s)
    u_r, v_r, r = motion.u - current[0], motion.v - current[1], motion.r
    # d/dt of (4.16): the forward part turns with the starboard part, which is -current[1] in our axes.
    u_r_dot = motion.u_dot + r * current[1] - current_rate[0]
    v_r_dot = motion.v_dot - r * current[0] - current_rate[1]
    # gamma = psi - beta: V cos(gamma) is the wind forward, V sin(gamma) the wind to starboard.
    wind = to_body_as_published(flow.wind_x, flow.wind_y, c, s)
    air = wind_force(wind[0], wind[1], vessel.windage)
    return _split(u_r, v_r, r, u_r_dot, v_r_dot, motion.r_dot, air, vessel, 0.0)


@kernel
def _split(u_r, v_r, r, u_r_dot, v_r_dot, r_dot, air, vessel, clipped):
    """Return the Power from relative velocity, its derivative and the wind's force `air`; `clipped` 1.0 or 0.0."""
    x_m, y_m, n_m = inertia_force(u_r_dot, v_r_dot, r_dot, vessel.inertia)
    x_d, y_d, n_d = damping_force(u_r, v_r, r, vessel.damping)
    inertia = x_m * u_r + y_m * v_r + n_m * r
    damping = x_d * u_r + y_d * v_r + n_d * r
    wind = -(air[0] * u_r + air[1] * v_r + air[2] * r)
    thrust = inertia + damping + wind
    given = larger(thrust, 0.0 * thrust)
    unrecovered = clipped * (given - thrust)
    # Coriolis does no work, but it is part of the force that a map of losses is looked up with.
    x_c, _, n_c = coriolis_force(u_r, v_r, r, vessel.inertia)
    surge_force = x_m + x_c + x_d - air[0]
    yaw_moment = n_m + n_c + n_d - air[2]
    losses = propulsion_losses(given, surge_force, yaw_moment, vessel)
    total = thrust + unrecovered + losses + vessel.static_load
    return Power(inertia, damping, wind, thrust, unrecovered, losses,
                 vessel.static_load + 0.0 * thrust, total, u_r, v_r, r)


@kernel
def speed_through_water(power):
    """Return the boat's speed through the water, m/s, as a Power holds it."""
    return sqrt(power.u_r * power.u_r + power.v_r * power.v_r)


CONVENTIONS: dict[str, Callable[[Motion, Flow, Any], Power]] = {
    'rep103': power_rep103,
    'as_published': power_as_published,
}
