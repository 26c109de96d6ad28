"""Electrical loads that vary, such as a sonar, a camera or a winch: their power and their energies."""

import math
from collections.abc import Sequence
from typing import Any

from usv_energy.physics.elementwise import each, floor, interpolate, kernel, select, smaller, total, with_field
from usv_energy.powering.energy import Accumulation, is_valid


@kernel
def mean_load_powers(loads, begin, end, speed_before, speed_now):
    """
    Return the mean power of each load over a step, W, a tuple; floats or arrays; NaN for a step without a length.

    :param loads: Of a Vessel.
    :param begin: Of the step, s; NaN of a sample that has none before it.
    :param end: Of the step, s.
    :param speed_before: Over ground at its beginning, m/s.
    :param speed_now: The same at its end.
    """
    known = end > begin
    step = select(known, begin, 0.0), select(known, end, 1.0)   # Of finite times, also where there is none.
    return each(_mean_power, (step, (speed_before, speed_now), select(known, 0.0, math.nan)), loads)


@kernel
def mean_power_of_loads(loads, begin, end, speed_before, speed_now):
    """Return the mean power of all loads over a step, W; parameters as `mean_load_powers`."""
    return total((0.0,), each(_alone, (), mean_load_powers(loads, begin, end, speed_before, speed_now)))[0]


@kernel
def _alone(power):
    return (power,)


def long_run_powers(loads: tuple[Any, ...], speed_over_ground: Any) -> tuple[Any, ...]:
    """Return the power of each load at a speed that is kept for long, W: of a duty cycle its mean; float or array."""
    return tuple(load.power * load.share * (1.0 if load.duty is None else load.duty.share)
                 * share_at_speed(speed_over_ground, load.speed) for load in loads)


@kernel
def with_loads(power, watts):
    """Return a Power with the mean power of loads that vary, W; NaN where the Power is."""
    loads = watts + 0.0 * power.static_load
    return with_field(with_field(power, 'loads', loads), 'total', power.total + loads)


@kernel
def _mean_power(load, step, speeds, unknown):
    switched = 0.5 * (share_at_speed(speeds[0], load.speed) + share_at_speed(speeds[1], load.speed))
    return load.power * load.share * _mean_of_duty(step, load.duty) * switched + unknown


@kernel
def _mean_of_duty(step, duty):
    """Return the share of a step in which a duty cycle is on: its time on until the end less that until the begin."""
    if duty is None:
        return 1.0
    first = (step[0] + duty.phase) / duty.period
    whole = floor(first)
    first, last = first - whole, (step[1] + duty.phase) / duty.period - whole
    turns = floor(last)
    return (turns * duty.share + smaller(last - turns, duty.share) - smaller(first, duty.share)) / (last - first)


@kernel
def share_at_speed(speed, switch):
    """Return the share at which a load runs at a speed over ground, m/s, (-), by its switch; None: at any speed."""
    if switch is None:
        return 1.0
    return (_if_above(speed, switch.above) * _if_below(speed, switch.below)
            * _by_table(speed, switch.speeds, switch.shares))


@kernel
def _if_above(speed, least):
    if least is None:
        return 1.0
    return select(speed > least, 1.0, 0.0)


@kernel
def _if_below(speed, most):
    if most is None:
        return 1.0
    return select(speed < most, 1.0, 0.0)


@kernel
def _by_table(speed, speeds, shares):
    if speeds is None:
        return 1.0
    return interpolate(speed, speeds, shares)



def with_load_step(energies: Sequence[float], powers: Sequence[float], step: float, total: float) -> tuple[float, ...]:
    """
    Return the energies of loads, J, with one step more, where it has a power.

    :param energies: So far, J.
    :param powers: Mean over the step, W.
    :param step: Its duration, s.
    :param total: The boat's mean power over it, W; NaN where there is none.
    """
    if not is_valid(total):
        return tuple(energies)
    return tuple(energy + step * power for energy, power in zip(energies, powers))


def accumulated_loads(energies: Sequence[float], powers: Sequence[float], before: Accumulation,
                      after: Accumulation) -> tuple[float, ...]:
    """
    Return the energies of loads, J, with one sample more: over the very step that `accumulate` has integrated.

    :param energies: So far, J; none where loads are not known yet.
    :param powers: Of the sample, W: means since the one before.
    :param before: The accumulation without the sample.
    :param after: The one with it.
    """
    energies = energies if len(energies) == len(powers) else (0.0,) * len(powers)
    begin, end = before.last_good, after.last_good
    if begin is None or end is None or not after.energy.duration > before.energy.duration:
        return tuple(energies)
    return with_load_step(energies, powers, end.time - begin.time, end.power.total)
