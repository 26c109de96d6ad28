"""
Electrical loads that vary: what a sonar, a camera or a winch draws, by time and speed over ground.

What depends on more than that, the leg of a mission or a topic, is in `share`, which whoever knows it sets. The mean
over a step is exact for a duty cycle, however long the step; of a speed it is that of both ends.
"""

import math
from typing import Any

from .elementwise import by_part, each_in, floor, folded, interpolate, kernel, select, smaller
from .power import Power


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
    return each_in(_step(begin, end, speed_before, speed_now), _mean_power, loads)


@kernel
def mean_power_of_loads(loads, begin, end, speed_before, speed_now):
    """Return the mean power of all loads over a step, W; parameters as `mean_load_powers`."""
    return folded(_with_mean_power, 0.0, loads, _step(begin, end, speed_before, speed_now))


def long_run_powers(loads: tuple[Any, ...], speed_over_ground: Any) -> tuple[Any, ...]:
    """Return the power of each load at a speed that is kept for long, W: of a duty cycle its mean; float or array."""
    return tuple(load.power * load.share * by_part(load.duty, _always, _share_of_duty)
                 * by_part(load.speed, _at_any_speed, _share_at, speed_over_ground) for load in loads)


@kernel
def with_loads(power, watts):
    """Return a Power with the mean power of loads that vary, W; NaN where the Power is."""
    loads = watts + 0.0 * power.static_load
    return Power(power.inertia, power.damping, power.wind, power.foils, power.waves, power.side_force, power.residual,
                 power.thrust, power.unrecovered, power.losses, power.allocation, power.static_load, loads,
                 power.total + loads, power.u_r, power.v_r, power.r)


@kernel
def _step(begin, end, speed_before, speed_now):
    """Return a step whose times are finite, and last 0.0 where it is one, or NaN."""
    known = end > begin
    return (select(known, begin, 0.0), select(known, end, 1.0), speed_before, speed_now,
            select(known, 0.0, math.nan))


@kernel
def _with_mean_power(total, load, step):
    return total + _mean_power(step, load)


@kernel
def _mean_power(step, load):
    begin, end, before, now, unknown = step
    return (load.power * load.share * by_part(load.duty, _always_on, _mean_of_duty, begin, end)
            * by_part(load.speed, _at_any_speeds, _mean_of_speeds, before, now) + unknown)


@kernel
def _always_on(begin, end):
    return 1.0


@kernel
def _mean_of_duty(duty, begin, end):
    """Return the share of a step in which a duty cycle is on: its time on until the end less that until the begin."""
    first = (begin + duty.phase) / duty.period
    whole = floor(first)
    first, last = first - whole, (end + duty.phase) / duty.period - whole
    turns = floor(last)
    return (turns * duty.share + smaller(last - turns, duty.share) - smaller(first, duty.share)) / (last - first)


@kernel
def _at_any_speeds(before, now):
    return 1.0


@kernel
def _mean_of_speeds(switch, before, now):
    return 0.5 * (_share_at(switch, before) + _share_at(switch, now))


@kernel
def _at_any_speed(speed):
    return 1.0


@kernel
def _share_at(switch, speed):
    return (by_part(switch.above, _at_any_speed, _above, speed) * by_part(switch.below, _at_any_speed, _below, speed)
            * by_part(switch.speeds, _without_table, _by_table, switch.shares, speed))


@kernel
def _above(least, speed):
    return select(speed > least, 1.0, 0.0)


@kernel
def _below(most, speed):
    return select(speed < most, 1.0, 0.0)


@kernel
def _without_table(shares, speed):
    return 1.0


@kernel
def _by_table(speeds, shares, speed):
    return interpolate(speed, speeds, shares)


def _always() -> float:
    return 1.0


def _share_of_duty(duty: Any) -> Any:
    return duty.share
