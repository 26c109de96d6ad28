"""How a boat moves, over ground and through water and air, and derivatives of streams of vectors."""

import math
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import cos, kernel, select, sin
from usv_energy.physics.frames import to_body, to_body_as_published


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



Vector = tuple[float, ...]
NO_VECTOR = (math.nan, math.nan, math.nan)


class Differentiator(NamedTuple):
    """
    Where the differentiation stands: last stamp, s, last vector, and its filtered derivative.

    The vector is a velocity over ground (u, v, r), m/s and rad/s, or a flow along the track (x, y), m/s.
    """

    time: float = math.nan
    vector: Vector = NO_VECTOR
    derivative: Vector = NO_VECTOR


def differentiate(state: Differentiator, time: float, vector: Vector, time_constant: float,
                  max_gap: float) -> Differentiator:
    """
    Return the differentiation with one more vector; its `derivative` is NaN where there is none yet.

    The derivative is the backward difference, passed through a first-order low-pass. After a gap, a step back in
    time or a vector with a NaN, it starts anew. A stamp already seen changes nothing.

    :param state: The differentiation so far.
    :param time: Stamp, s.
    :param vector: As many numbers as ever before.
    :param time_constant: Of the low-pass, s; 0 for none (clean velocities only).
    :param max_gap: Longest step that is differentiated over, s.

    Source: the exact discrete first-order low-pass for a constant input, gain 1 - exp(-dt / T).
    """
    if time == state.time:
        return state
    step = time - state.time
    unknown = (math.nan,) * len(vector)
    if not all(math.isfinite(component) for component in vector):
        return Differentiator(time, unknown, unknown)
    if not 0.0 < step <= max_gap or not math.isfinite(state.vector[0]):
        return Differentiator(time, vector, unknown)
    gain = None if time_constant <= 0.0 else -math.expm1(-step / time_constant)
    return Differentiator(time, vector, tuple(
        filtered_rate(new, old, step, rate, gain) for new, old, rate in zip(vector, state.vector, state.derivative)))


@kernel
def filtered_rate(new, old, elapsed, rate_before, gain):
    """
    Return the rate of change of a value: the backward difference, passed through a first-order low-pass.

    :param new: The value now; float or array.
    :param old: The value before; same shape.
    :param elapsed: Time between them, s; NaN where there was none before: so is the rate.
    :param rate_before: The rate at the value before, a second; NaN where there was none yet.
    :param gain: 1 - exp(-elapsed / T), (-), for a low-pass of time constant T; 1, or None, for none.
    """
    raw = (new - old) / elapsed
    if gain is None:
        return raw
    before = select(rate_before == rate_before, rate_before, raw)
    return before + gain * (raw - before)
