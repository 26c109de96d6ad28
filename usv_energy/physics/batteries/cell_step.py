"""Steps of a cell and of a pack of cells at a given current or power, down to the cutoff voltage."""

from typing import Any, NamedTuple

from usv_energy.physics.batteries.cell import LEAST_CUTOFF, LEAST_RESISTANCE, CellState, cell_part, factors_of
from usv_energy.physics.elementwise import exp, kernel, larger, select, smaller, sqrt


class Supply(NamedTuple):
    """
    What a pack delivers: terminal voltage, V, current, A (discharging is positive), power, W.

    `lacking`: demanded power that the pack cannot deliver, W; above 0 it is a brown-out.
    """

    voltage: Any
    current: Any
    power: Any
    lacking: Any


@kernel
def most_cell_current(part, cell):
    """
    Return the largest current that a cell delivers, A, at least 0.

    It is the least of three: at the cutoff voltage, at the largest power, and the largest allowed current.
    """
    resistance = larger(part.resistance, LEAST_RESISTANCE)
    to_cutoff = smaller(part.voltage - cell.cutoff_voltage, 0.5 * part.voltage) / resistance
    return smaller(larger(to_cutoff, 0.0), cell.most_current)


@kernel
def free_current(part, power):
    """
    Return the current, A, at which a cell delivers a power without limits: the smaller root of P = (E - R I) I.

    If there is no root, it is 2 P / E.

    :param part: The CellPart; floats or arrays.
    :param power: Of one cell, W, discharging is positive; same shape.
    """
    inside = larger(part.voltage * part.voltage - 4.0 * part.resistance * power, 0.0)
    divisor = part.voltage + sqrt(inside)
    return select(divisor > 0.0, 2.0 * power / select(divisor > 0.0, divisor, 1.0), 0.0 * power)


@kernel
def cell_current(part, power, cell):
    """
    Return the current, A, at which a cell delivers a power, or its largest current.

    :param part: The CellPart; floats or arrays.
    :param power: Of one cell, W, discharging is positive; same shape.
    :param cell: The Cell.
    """
    most = most_cell_current(part, cell)
    beyond = power > (part.voltage - part.resistance * most) * most
    return select(beyond, most, free_current(part, power))


@kernel
def supply_of(part, power, pack):
    """
    Return what a pack delivers for a demanded power.

    :param part: The CellPart of its cells; floats or arrays.
    :param power: Of the pack, W, discharging is positive; same shape.
    :param pack: The Pack.
    :return: A Supply.
    """
    cells = pack.series * pack.parallel
    current = cell_current(part, power / cells, pack.cell)
    volts = part.voltage - part.resistance * current
    given = cells * volts * current
    beyond = power > given * (1.0 + 1e-9)
    return Supply(pack.series * volts, pack.parallel * current, select(beyond, given, power),
                  select(beyond, power - given, 0.0 * power))


@kernel
def supply_at_power(state, power, pack):
    """
    Return what a pack in a state delivers immediately for a demanded power.

    :param state: The CellState of its cells; floats or arrays.
    :param power: Of the pack, W, discharging is positive; same shape.
    :param pack: The Pack.
    :return: A Supply.
    """
    return supply_of(cell_part(state, factors_of(state.temperature, pack), pack.cell), power, pack)


@kernel
def most_power(state, pack):
    """Return the largest power that a pack delivers immediately, W, at its cutoff or largest current."""
    part = cell_part(state, factors_of(state.temperature, pack), pack.cell)
    most = most_cell_current(part, pack.cell)
    return pack.series * pack.parallel * most * (part.voltage - part.resistance * most)


@kernel
def power_margin(state, power, pack):
    """
    Return the margin of a pack for a power, V: below 0 if it cannot deliver the power, and smooth around 0.

    It is the voltage without current, minus the lowest voltage at which it delivers power, minus the voltage drop at
    the current that the power takes there; or less if the largest current is the limit. The lowest voltage is the
    cutoff, but at least half of the voltage without current, where the power is largest.

    :param state: The CellState of its cells; floats or arrays.
    :param power: Of the pack, W, above 0; same shape.
    :param pack: The Pack.
    """
    part, cell = cell_part(state, factors_of(state.temperature, pack), pack.cell), pack.cell
    resistance = larger(part.resistance, LEAST_RESISTANCE)
    lowest = larger(larger(cell.cutoff_voltage, LEAST_CUTOFF), 0.5 * part.voltage)
    watts = power / (pack.series * pack.parallel)
    at_lowest = part.voltage - lowest - resistance * watts / lowest
    most = larger(smaller(0.5 * part.voltage / resistance, cell.most_current), 0.0)
    return smaller(at_lowest, ((part.voltage - resistance * most) * most - watts) * lowest / watts)


class Decay(NamedTuple):
    """Decay factors of the voltages of the pairs, of the lag and of a temperature difference over a time, (-)."""

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
    """Return the state after a time of constant current of a cell, A, and resistances; temperature is unchanged."""
    share = current / (pack.cell.capacity * pack.capacity_share)
    return CellState(state.charge - share * dt,
                     state.fast * decay.fast + part.fast_resistance * current * (1.0 - decay.fast),
                     state.slow * decay.slow + part.slow_resistance * current * (1.0 - decay.slow),
                     state.lag * decay.lag + pack.cell.lag * lag_factor * share * (1.0 - decay.lag),
                     state.temperature)


@kernel
def heat_of(state, current, part):
    """
    Return the heat power of a cell, W: in its resistances, and by the lag.

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
    """Return the state at the end of a step, from the state in its middle and the current of a cell there, A."""
    part, whole_step = cell_part(middle, factors, pack.cell), _squared(decay)
    moved = _moved(state, current, dt, whole_step, part, factors[2], pack)
    goal = ambient + heat_of(middle, current, part) / pack.cell.conductance
    return CellState(moved.charge, moved.fast, moved.slow, moved.lag,
                     goal + (state.temperature - goal) * whole_step.temperature)


@kernel
def step_at_current(state, current, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant current, at any voltage.

    :param state: The CellState before; floats or arrays.
    :param current: Of the pack, A, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Ambient temperature of the cells, K; same shape.
    :param pack: The Pack.
    """
    factors, each = factors_of(state.temperature, pack), current / pack.parallel
    decay = _decay(0.5 * dt, factors[2], pack.cell)
    middle = _moved(state, each, 0.5 * dt, decay, cell_part(state, factors, pack.cell), factors[2], pack)
    return _ended(state, middle, each, dt, decay, factors, ambient, pack)


@kernel
def step_beyond(state, power, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant power, even if they fall below their cutoff.

    It is `step_at_power` without limits, which locates the time at which a pack cannot deliver the power any more.

    :param state: The CellState before; floats or arrays.
    :param power: Of the pack, W, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Ambient temperature of the cells, K; same shape.
    :param pack: The Pack.
    """
    factors, watts = factors_of(state.temperature, pack), power / (pack.series * pack.parallel)
    decay, part = _decay(0.5 * dt, factors[2], pack.cell), cell_part(state, factors, pack.cell)
    middle = _moved(state, free_current(part, watts), 0.5 * dt, decay, part, factors[2], pack)
    current = free_current(cell_part(middle, factors, pack.cell), watts)
    return _ended(state, middle, current, dt, decay, factors, ambient, pack)


@kernel
def step_at_power(state, power, dt, ambient, pack):
    """
    Return the state of a pack's cells after a time at a constant power, and what the pack delivered in its middle.

    If the pack cannot deliver a power above its cutoff voltage (a brown-out), it delivers what it can, and the Supply
    states what is lacking.

    :param state: The CellState before; floats or arrays.
    :param power: Demanded of the pack, W, discharging is positive; same shape.
    :param dt: The time, s.
    :param ambient: Ambient temperature of the cells, K; same shape.
    :param pack: The Pack.
    :return: The CellState after it, and a Supply, whose voltage times current is its power.
    """
    factors = factors_of(state.temperature, pack)
    decay, part = _decay(0.5 * dt, factors[2], pack.cell), cell_part(state, factors, pack.cell)
    first = supply_of(part, power, pack).current / pack.parallel
    middle = _moved(state, first, 0.5 * dt, decay, part, factors[2], pack)
    supply = supply_of(cell_part(middle, factors, pack.cell), power, pack)
    return _ended(state, middle, supply.current / pack.parallel, dt, decay, factors, ambient, pack), supply
