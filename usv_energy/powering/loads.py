"""Electrical loads that vary with time or speed, such as a sonar, a camera or a winch: their power and energy."""

import math
from collections.abc import Sequence
from typing import Any

from usv_energy.physics.elementwise import each, floor, interpolate, kernel, select, smaller, total, with_field
from usv_energy.powering.energy import Accumulation, is_valid


@kernel
def mean_load_powers(loads, begin, end, speed_before, speed_now):
    """
    Return the mean power of each load over a step, W, as a tuple; NaN unless the step is longer than 0.

    :param loads: `Vessel.loads`.
    :param begin: Time at the beginning of the step, s; NaN for the first sample. Float or array.
    :param end: Time at its end, s; same shape.
    :param speed_before: Speed over ground at its beginning, m/s; same shape.
    :param speed_now: Speed over ground at its end, m/s; same shape.
    """
    known = end > begin
    step = select(known, begin, 0.0), select(known, end, 1.0)   # Finite, also where unknown.
    return each(_mean_power, (step, (speed_before, speed_now), select(known, 0.0, math.nan)), loads)


@kernel
def mean_power_of_loads(loads, begin, end, speed_before, speed_now):
    """Return the mean power of all loads over a step, W; parameters as `mean_load_powers`."""
    return total((0.0,), each(_alone, (), mean_load_powers(loads, begin, end, speed_before, speed_now)))[0]


@kernel
def _alone(power):
    return (power,)


def long_run_powers(loads: tuple[Any, ...], speed_over_ground: Any) -> tuple[Any, ...]:
    """
    Return the long-term mean power of each load at a constant speed, W.

    :param loads: `Vessel.loads`.
    :param speed_over_ground: m/s; float or array.
    """
    return tuple(load.power * load.share * (1.0 if load.duty is None else load.duty.share)
                 * share_at_speed(speed_over_ground, load.speed) for load in loads)


@kernel
def with_loads(power, watts):
    """Return a Power with the mean power of the varying loads added, W; NaN where the Power is NaN."""
    loads = watts + 0.0 * power.static_load
    return with_field(with_field(power, 'loads', loads), 'total', power.total + loads)


@kernel
def _mean_power(load, step, speeds, unknown):
    switched = 0.5 * (share_at_speed(speeds[0], load.speed) + share_at_speed(speeds[1], load.speed))
    return load.power * load.share * _mean_of_duty(step, load.duty) * switched + unknown


@kernel
def _mean_of_duty(step, duty):
    """
    Return the fraction of a step in which a duty cycle is on, (-).

    It is the on-time from 0 to the end minus the on-time from 0 to the beginning, both in periods.
    """
    if duty is None:
        return 1.0
    first = (step[0] + duty.phase) / duty.period
    whole = floor(first)
    first, last = first - whole, (step[1] + duty.phase) / duty.period - whole
    turns = floor(last)
    return (turns * duty.share + smaller(last - turns, duty.share) - smaller(first, duty.share)) / (last - first)


@kernel
def share_at_speed(speed, switch):
    """Return the fraction of its power that a load draws at a speed over ground, m/s; 1 if its switch is None."""
    if switch is None:
        return 1.0
    share = 1.0 if switch.speeds is None else interpolate(speed, switch.speeds, switch.shares)
    if switch.above is not None:
        share = share * select(speed > switch.above, 1.0, 0.0)
    if switch.below is not None:
        share = share * select(speed < switch.below, 1.0, 0.0)
    return share


def with_load_step(energies: Sequence[float], powers: Sequence[float], step: float, total: float) -> tuple[float, ...]:
    """
    Return the energies of loads, J, after one more step; unchanged if the boat's power over it is not known.

    :param energies: Of each load so far, J.
    :param powers: Mean of each load over the step, W.
    :param step: Duration, s.
    :param total: The boat's mean power over the step, W; NaN if not known.
    """
    if not is_valid(total):
        return tuple(energies)
    return tuple(energy + step * power for energy, power in zip(energies, powers))


def accumulated_loads(energies: Sequence[float], powers: Sequence[float], before: Accumulation,
                      after: Accumulation) -> tuple[float, ...]:
    """
    Return the energies of loads, J, after one more sample, over the same step that `accumulate` integrated.

    :param energies: Of each load so far, J; empty before the first sample.
    :param powers: Mean of each load since the previous sample, W.
    :param before: The Accumulation without the sample.
    :param after: The Accumulation with the sample.
    """
    energies = energies if len(energies) == len(powers) else (0.0,) * len(powers)
    begin, end = before.last_good, after.last_good
    if begin is None or end is None or not after.energy.duration > before.energy.duration:
        return tuple(energies)
    return with_load_step(energies, powers, end.time - begin.time, end.power.total)
