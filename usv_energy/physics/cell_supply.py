"""
What a battery's cell gives at once where a power is asked of it, down to its cutoff: current, voltage, what is lacking.

At a moment a cell is a voltage E without current and a resistance R: P = (E - R I) I. No time passes.
"""

from typing import Any, NamedTuple

from .cell import LEAST_CUTOFF, LEAST_RESISTANCE, factors_of, part_of
from .elementwise import kernel, larger, select, smaller, sqrt


class Supply(NamedTuple):
    """
    What a pack gives: terminal voltage, V, current, A (discharging is positive), power, W.

    `lacking`: W of what was asked for that the pack cannot give; above 0 it is a brown-out.
    """

    voltage: Any
    current: Any
    power: Any
    lacking: Any


@kernel
def most_cell_current(part, cell):
    """
    Return the most current that a cell gives, A, at least 0.

    It is the least of three: where the voltage is the cutoff, where the power is largest, and what may be drawn.
    """
    resistance = larger(part.resistance, LEAST_RESISTANCE)
    to_cutoff = smaller(part.voltage - cell.cutoff_voltage, 0.5 * part.voltage) / resistance
    return smaller(larger(to_cutoff, 0.0), cell.most_current)


@kernel
def free_current(part, power):
    """
    Return the current, A, at which a cell gives a power, whatever its voltage: the smaller root of P = (E - R I) I.

    Where there is none it is 2 P / E.

    :param part: The CellPart; floats or arrays.
    :param power: Of one cell, W, discharging is positive; same shape.
    """
    inside = larger(part.voltage * part.voltage - 4.0 * part.resistance * power, 0.0)
    divisor = part.voltage + sqrt(inside)
    return select(divisor > 0.0, 2.0 * power / select(divisor > 0.0, divisor, 1.0), 0.0 * power)


@kernel
def cell_current(part, power, cell):
    """
    Return the current, A, at which a cell gives a power, or the most that it gives.

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
    Return what a pack gives where a power is asked of it.

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
    Return what a pack in a state gives at once where a power is asked of it; no time passes.

    :param state: The CellState of its cells; floats or arrays.
    :param power: Of the pack, W, discharging is positive; same shape.
    :param pack: The Pack.
    :return: A Supply.
    """
    return supply_of(part_of(state, factors_of(state.temperature, pack), pack.cell), power, pack)


@kernel
def most_power(state, pack):
    """Return the most power that a pack gives at once, W: down to its cutoff or at its most current; float or array."""
    part = part_of(state, factors_of(state.temperature, pack), pack.cell)
    most = most_cell_current(part, pack.cell)
    return pack.series * pack.parallel * most * (part.voltage - part.resistance * most)


@kernel
def power_margin(state, power, pack):
    """
    Return by how much a pack can give a power, V: below 0 where it cannot, and 0 where it just can; smooth around that.

    It is the voltage without current less the lowest at which it gives power and the drop at the current that the power
    takes there; or less, where the most current is what holds it. The lowest is the cutoff, but not below half of the
    voltage without current, where the power is largest.

    :param state: The CellState of its cells; floats or arrays.
    :param power: Of the pack, W, above 0; same shape.
    :param pack: The Pack.
    """
    part, cell = part_of(state, factors_of(state.temperature, pack), pack.cell), pack.cell
    resistance = larger(part.resistance, LEAST_RESISTANCE)
    lowest = larger(larger(cell.cutoff_voltage, LEAST_CUTOFF), 0.5 * part.voltage)
    watts = power / (pack.series * pack.parallel)
    at_lowest = part.voltage - lowest - resistance * watts / lowest
    most = larger(smaller(0.5 * part.voltage / resistance, cell.most_current), 0.0)
    return smaller(at_lowest, ((part.voltage - resistance * most) * most - watts) * lowest / watts)
