"""From a stream of velocities to accelerations: finite differences with an optional first-order filter."""

import math
from typing import NamedTuple

NO_ACCELERATION = (math.nan, math.nan, math.nan)


class Differentiator(NamedTuple):
    """Where the differentiation stands: last stamp s, last (u, v, r) m/s, rad/s, and the filtered derivative."""

    time: float = math.nan
    velocity: tuple[float, float, float] = NO_ACCELERATION
    derivative: tuple[float, float, float] = NO_ACCELERATION


def differentiate(state: Differentiator, time: float, velocity: tuple[float, float, float],
                  time_constant: float, max_gap: float) -> Differentiator:
    """
    Return the differentiation with one more velocity; its `derivative` is NaN where there is none yet.

    The derivative is the backward difference, passed through a first-order low-pass. After a gap, a step back in
    time or a velocity that is no number, it starts anew. A stamp already seen changes nothing.

    :param state: The differentiation so far.
    :param time: Stamp, s.
    :param velocity: (u, v, r) over ground, body axes, m/s and rad/s.
    :param time_constant: Of the low-pass, s; 0 for none (clean velocities only).
    :param max_gap: Longest step that is differentiated over, s.

    Source: the exact discrete first-order low-pass for a constant input, gain 1 - exp(-dt / T).
    """
    if time == state.time:
        return state
    step = time - state.time
    if not all(math.isfinite(component) for component in velocity):
        return Differentiator(time)
    if not 0.0 < step <= max_gap or not math.isfinite(state.velocity[0]):
        return Differentiator(time, velocity)
    gain = 1.0 if time_constant <= 0.0 else -math.expm1(-step / time_constant)
    raw = tuple((new - old) / step for new, old in zip(velocity, state.velocity))
    before = state.derivative if math.isfinite(state.derivative[0]) else raw
    filtered = tuple(old + gain * (new - old) for new, old in zip(raw, before))
    return Differentiator(time, velocity, filtered)  # type: ignore[arg-type]
