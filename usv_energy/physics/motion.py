"""How a boat moves, over ground and through water and air, and how the water of waves moves past it."""

from typing import Any, NamedTuple

from .elementwise import cos, kernel, sin
from .frames import to_body, to_body_as_published


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
    """Water and air at the boat, earth frame (ENU), m/s: current and wind, where they flow to."""

    current_x: Any
    current_y: Any
    wind_x: Any
    wind_y: Any


STILL = Flow(0.0, 0.0, 0.0, 0.0)


def without_needless_yaw(motion: Motion, flow: Flow) -> Motion:
    """Return a motion with a yaw of 0 where it is not known (NaN) and not needed: water and air stand still."""
    return motion._replace(yaw=0.0) if motion.yaw != motion.yaw and flow == STILL else motion


class Relative(NamedTuple):
    """
    Velocity through the water u_r, v_r, m/s, and r, rad/s, and the wind that its force is computed from, m/s; FLU.

    `u_w`, `v_w`: forward and to port, where the air flows to: relative to the boat (rep103), or over ground.
    """

    u_r: Any
    v_r: Any
    r: Any
    u_w: Any
    v_w: Any


class WaveAction(NamedTuple):
    """
    What the waves do to a boat, on average over a step, beyond what calm water would at the same motion.

    Their force on the hull along the body's axes: `surge`, N, `sway`, N, and yaw `moment`, N m; a head sea pushes
    astern, so that `surge` is negative. And the motion of the water, beyond the current, in which the thrusters work:
    `ahead`, m/s, `aside` (to port), m/s, `turning`, rad/s; 0 where only a mean force is known.
    """

    surge: Any
    sway: Any
    moment: Any
    ahead: Any = 0.0
    aside: Any = 0.0
    turning: Any = 0.0


@kernel
def relative_rep103(motion, flow):
    """
    Return the Relative of a motion: apparent wind, REP-103 axes.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow; same shapes.
    """
    c, s = cos(motion.yaw), sin(motion.yaw)
    current = to_body(flow.current_x, flow.current_y, c, s)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    return Relative(motion.u - current[0], motion.v - current[1], motion.r, wind[0] - motion.u, wind[1] - motion.v)


@kernel
def relative_as_published(motion, flow):
    """
    Return the Relative of a motion as the thesis's formulas have it. See `powering/power.py`.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow; same shapes.

    Source: thesis (4.16), (4.19), its symbols taken for the FLU velocities that it was fed.
    """
    c, s = cos(motion.yaw), sin(motion.yaw)
    current = to_body_as_published(flow.current_x, flow.current_y, c, s)
    # gamma = psi - beta: V cos(gamma) is the wind forward, V sin(gamma) the wind to starboard.
    wind = to_body_as_published(flow.wind_x, flow.wind_y, c, s)
    return Relative(motion.u - current[0], motion.v - current[1], motion.r, wind[0], wind[1])


@kernel
def moved_by_waves(at, waves):
    """Return the Relative of the water in which thrusters and foils work; `waves`: a WaveAction, or None: as it is."""
    if waves is None:
        return at
    return Relative(at.u_r - waves.ahead, at.v_r - waves.aside, at.r - waves.turning, at.u_w, at.v_w)


@kernel
def velocity_in(at, in_air):
    """Return the velocity of the boat's point through the water (None), or the air, forward and to port, m/s."""
    if in_air is None:
        return at.u_r, at.v_r
    return -at.u_w, -at.v_w
