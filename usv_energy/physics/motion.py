"""The motion of a boat over ground and relative to water and air, and the derivative of a stream of vectors."""

import math
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import cos, kernel, select, sin
from usv_energy.physics.frames import to_body, to_body_as_published

Vector = tuple[float, ...]
NO_VECTOR = (math.nan, math.nan, math.nan)


class Motion(NamedTuple):
    """Motion over ground: yaw, rad (ENU); u, v, m/s, and r, rad/s, in body axes (FLU); and their time derivatives."""

    yaw: Any
    u: Any
    v: Any
    r: Any
    u_dot: Any
    v_dot: Any
    r_dot: Any


class Flow(NamedTuple):
    """Velocity of the water and of the air at the boat, m/s, in the earth frame (ENU): the directions they flow to."""

    current_x: Any
    current_y: Any
    wind_x: Any
    wind_y: Any


STILL = Flow(0.0, 0.0, 0.0, 0.0)


def without_needless_yaw(motion: Motion, flow: Flow) -> Motion:
    """Return a motion with an unknown yaw (NaN) set to 0 if water and air are still, so that no yaw is needed."""
    return motion._replace(yaw=0.0) if motion.yaw != motion.yaw and flow == STILL else motion


class Relative(NamedTuple):
    """
    Motion relative to water and air in body axes (FLU).

    `u_r`, `v_r`: velocity through the water, forward and to port, m/s. `r`: yaw rate, rad/s. `u_w`, `v_w`: velocity of
    the air, forward and to port, m/s: relative to the boat (rep103) or over ground (as_published).
    """

    u_r: Any
    v_r: Any
    r: Any
    u_w: Any
    v_w: Any


class WaveAction(NamedTuple):
    """
    The effect of waves on a boat, as a mean over a step and in addition to that of calm water at the same motion.

    `surge`, `sway`: force on the hull in body axes (FLU), N. `moment`: yaw moment, N m. In head seas `surge` is
    negative. `ahead`, `aside` (to port), m/s, and `turning`, rad/s: velocity of the water in addition to the current,
    in which the thrusters work; 0 if only a mean force is known.
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
    Return the Relative of a motion by the convention `rep103`, with the apparent wind.

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
    Return the Relative of a motion by the convention `as_published` (`powering/power.py`), with the true wind.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow; same shapes.

    Source: thesis (4.16), (4.19), with FLU velocities inserted for its symbols.
    """
    c, s = cos(motion.yaw), sin(motion.yaw)
    current = to_body_as_published(flow.current_x, flow.current_y, c, s)
    # gamma = psi - beta: V cos(gamma) is the wind forward, V sin(gamma) the wind to starboard.
    wind = to_body_as_published(flow.wind_x, flow.wind_y, c, s)
    return Relative(motion.u - current[0], motion.v - current[1], motion.r, wind[0], wind[1])


@kernel
def moved_by_waves(at, waves):
    """Return a Relative to water that moves with the waves (a WaveAction), as actuators meet it; None: unchanged."""
    if waves is None:
        return at
    return Relative(at.u_r - waves.ahead, at.v_r - waves.aside, at.r - waves.turning, at.u_w, at.v_w)


@kernel
def velocity_in(at, in_air):
    """Return the velocity forward and to port, m/s, through the water if `in_air` is None, else through the air."""
    if in_air is None:
        return at.u_r, at.v_r
    return -at.u_w, -at.v_w


class Differentiator(NamedTuple):
    """
    The state of a differentiation: last stamp, s, last vector, and its filtered derivative, per second.

    The vector is a velocity over ground (u, v, r), m/s and rad/s, or a flow along the track (x, y), m/s.
    """

    time: float = math.nan
    vector: Vector = NO_VECTOR
    derivative: Vector = NO_VECTOR


def differentiate(state: Differentiator, time: float, vector: Vector, time_constant: float,
                  max_gap: float) -> Differentiator:
    """
    Return the state after one more vector; its `derivative` is NaN if there is none yet.

    The derivative is the backward difference, passed through a first-order low-pass filter. It is reset after a gap,
    after a step back in time and after a vector with NaN. A repeated stamp changes nothing.

    :param state: The state so far.
    :param time: Stamp, s.
    :param vector: Of the same length in each call.
    :param time_constant: Of the low-pass filter, s; 0 for no filter (only for velocities without noise).
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
    Return the rate of change of a value: the backward difference, passed through a first-order low-pass filter.

    :param new: The value now; float or array.
    :param old: The previous value; same shape.
    :param elapsed: Time between them, s. If it is NaN, because there is no previous value, the rate is NaN.
    :param rate_before: The filtered rate at the previous value, per second; NaN if there is none.
    :param gain: 1 - exp(-elapsed / T), (-), for a low-pass filter of time constant T; 1 or None for no filter.
    """
    raw = (new - old) / elapsed
    if gain is None:
        return raw
    before = select(rate_before == rate_before, rate_before, raw)
    return before + gain * (raw - before)
