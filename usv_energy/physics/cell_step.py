"""
A pack one step further, at a given current or a given power.

Within a step the drops, the lag and the temperature follow their exponentials exactly, the current and the resistances
being those of the middle of the step: exact for a constant current and constant resistances, and of second order in the
step otherwise. The temperature is that at the beginning where it acts on resistances.
"""

from typing import Any, NamedTuple

from .cell import LEAST_RESISTANCE, CellState, factors_of, part_of
from .cell_supply import free_current, supply_of
from .elementwise import exp, kernel, larger


class Decay(NamedTuple):
    """What is left of the drops at the pairs, of the lag and of a difference in temperature after a time, (-)."""

    fast: Any
    slow: Any
    lag: Any
    temperature: Any


@kernel
def _decay(dt, lag_factor, cell):
    return Decay(exp(-dt / cell.fast_time), exp(-dt / cell.slow_time), exp(-dt / (cell.lag_time * lag_factor)),
                 exp(-dt * cell.conductance / cell.heat_capacity))


@kernel
def _squared(decay):
    return Decay(decay.fast * decay.fast, decay.slow * decay.slow, decay.lag * decay.lag,
                 decay.temperature * decay.temperature)


@kernel
def _moved(state, current, dt, decay, part, lag_factor, pack):
    """Return the state after a time of constant current of a cell, A, and resistances; the temperature is as it was."""
    share = current / (pack.cell.capacity * pack.capacity_share)
    return CellState(state.charge - share * dt,
                     state.fast * decay.fast + part.fast_resistance * current * (1.0 - decay.fast),
                     state.slow * decay.slow + part.slow_resistance * current * (1.0 - decay.slow),
                     state.lag * decay.lag + pack.cell.lag * lag_factor * share * (1.0 - decay.lag),
                     state.temperature)


@kernel
def heat_of(state, current, part):
    """
    Return the power that a cell turns to heat, W: in its resistances, and by the lag.

    :param state: The CellState; floats or arrays.
    :param current: Of a cell, A; same shape.
    :param part: The CellPart of the state.
    """
    by_lag = part.at_rest - (part.voltage + state.fast + state.slow)
    return (part.resistance * current * current + by_lag * current
            + state.fast * state.fast / larger(part.fast_resistance, LEAST_RESISTANCE)
            + state.slow * state.slow / larger(part.slow_resistance, LEAST_RESISTANCE))


@kernel
def _ended(state, middle, current, dt, decay, factors, ambient, pack):
    """Return the state at the end of a step, by its middle and the current of a cell, A, there."""
    part, whole_step = part_of(middle, factors, pack.cell), _squared(decay)
    moved = _moved(state, current, dt, whole_step, part, factors[2], pack)
    goal = ambient + heat_of(middle, current, part) / pack.cell.conductance
    return CellState(moved.charge, moved.fast, moved.slow, moved.lag,
                     goal + (state.temperature - goal) * whole_step.temperature)


@kernel
def step_at_current(state, current, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant current, whatever the voltage.

    :param state: The CellState before; floats or arrays.
    :param current: Of the pack, A, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Temperature around the cells, K; same shape.
    :param pack: The Pack.
    """
    factors, each = factors_of(state.temperature, pack), current / pack.parallel
    decay = _decay(0.5 * dt, factors[2], pack.cell)
    middle = _moved(state, each, 0.5 * dt, decay, part_of(state, factors, pack.cell), factors[2], pack)
    return _ended(state, middle, each, dt, decay, factors, ambient, pack)


@kernel
def step_beyond(state, power, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant power, even if that takes them below their cutoff.

    It is `step_at_power` without limits: how far below it ends says when a pack could not give the power any more.

    :param state: The CellState before; floats or arrays.
    :param power: Of the pack, W, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Temperature around the cells, K; same shape.
    :param pack: The Pack.
    """
    factors, watts = factors_of(state.temperature, pack), power / (pack.series * pack.parallel)
    decay, part = _decay(0.5 * dt, factors[2], pack.cell), part_of(state, factors, pack.cell)
    middle = _moved(state, free_current(part, watts), 0.5 * dt, decay, part, factors[2], pack)
    current = free_current(part_of(middle, factors, pack.cell), watts)
    return _ended(state, middle, current, dt, decay, factors, ambient, pack)


@kernel
def step_at_power(state, power, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant power, and what the pack gave in the middle of it.

    A power beyond what the pack can give above its cutoff voltage is a brown-out: it gives what it can, and the Supply
    says what is lacking.

    :param state: The CellState before; floats or arrays.
    :param power: That is asked of the pack, W, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Temperature around the cells, K; same shape.
    :param pack: The Pack.
    :return: The CellState after it, and a Supply, whose voltage times current is its power.
    """
    factors = factors_of(state.temperature, pack)
    decay, part = _decay(0.5 * dt, factors[2], pack.cell), part_of(state, factors, pack.cell)
    first = supply_of(part, power, pack).current / pack.parallel
    middle = _moved(state, first, 0.5 * dt, decay, part, factors[2], pack)
    supply = supply_of(part_of(middle, factors, pack.cell), power, pack)
    return _ended(state, middle, supply.current / pack.parallel, dt, decay, factors, ambient, pack), supply
