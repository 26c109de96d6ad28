"""From a stream of vectors to their derivatives: finite differences with an optional first-order filter."""

import math
from typing import NamedTuple

from .elementwise import kernel, select

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
