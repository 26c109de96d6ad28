"""
A battery: a counter of energy where only watt-hours are known, else a cell with tables over charge and its voltage.

A cell is an equivalent circuit. Its voltage is the open-circuit voltage of the charge at the surface of its electrodes,
minus the voltage drops at a resistance and at up to two pairs of a resistance and a capacitor (RC), one fast, one slow:

    V = U(z - x) - v_fast - v_slow - R0 I             I > 0: discharging
    dv/dt = (R I - v) / tau                           for either pair
    dx/dt = (k I / Q - x) / tau_x                     diffusion: the surface leads the mean charge z by x
    dz/dt = -I / Q

R0 and both R are tables over z. All of them, k and tau_x change with temperature by Arrhenius' law, exp(B (1/T -
1/T_ref)). The lag x is the reason why a fast or cold discharge ends early: near empty U is steep, and U(z - x) falls
below the cutoff while there is charge left, which is available again after a rest. One temperature represents the cell,
which is heated by its losses and cooled by its surroundings.

All resistances are those of one cell; a pack has cells in series in strings, and strings in parallel.

Sources: Plett, Battery management systems, vol. 1 (2015), chapter 2, for the circuit; for the lag, with one mode of
diffusion in place of a series, Fan et al., Applied Energy 321 (2022) 119336; for heat, Bernardi et al., J. Electrochem.
Soc. 132 (1985), without the heat of reaction.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import exp, kernel, larger, select, smaller, whole

INTERVALS = 200  # Intervals of charge, 0 to 1, in every table, which is linear between its 201 knots.
LEAST_RESISTANCE = 1e-12  # Ohm; an RC pair with less counts as missing.
LEAST_CUTOFF = 1e-3  # V, cutoff of a cell without one.
LEAST_CAPACITY = 0.05  # Least capacity at low temperature, over that at the reference temperature.


class Cell(NamedTuple):
    """
    One cell: numbers, and tables over charge, 0 to 1, of INTERVALS + 1 knots.

    `capacity`: C (A s), at the reference temperature. `capacity_slope`: relative decrease with lower temperature, 1/K.
    `open_circuit`: V, ascending. `resistance`, `fast_resistance`, `slow_resistance`: Ohm, at the reference temperature.
    `fast_time`, `slow_time`: time constants of the pairs, s. `lag`: lead of the surface in a steady discharge, as a
    share of the charge, divided by the current in capacities per second, s. `lag_time`: its time constant, s.
    `activation`, `pair_activation`, `lag_activation`: B of Arrhenius' law of R0, of the pairs and of the lag, K.
    `reference_temperature`: T_ref, K. `heat_capacity`: J/K. `conductance`: to the surroundings, W/K. `cutoff_voltage`:
    V, lowest voltage under load. `full_voltage`: V, when charged. `most_current`: largest allowed current, A; infinite
    if not known.
    """

    capacity: Any
    capacity_slope: Any
    open_circuit: Any
    resistance: Any
    fast_resistance: Any
    slow_resistance: Any
    fast_time: Any
    slow_time: Any
    lag: Any
    lag_time: Any
    activation: Any
    pair_activation: Any
    lag_activation: Any
    reference_temperature: Any
    heat_capacity: Any
    conductance: Any
    cutoff_voltage: Any
    full_voltage: Any
    most_current: Any


class Pack(NamedTuple):
    """
    Equal cells: `series` in a string and `parallel` such strings.

    Its age: `capacity_share`, relative to a new cell's capacity, and `resistance_factor`, relative to a new cell's
    resistances.
    """

    cell: Cell
    series: Any
    parallel: Any
    capacity_share: Any = 1.0
    resistance_factor: Any = 1.0


class CellState(NamedTuple):
    """
    The state of each cell of a pack.

    `charge`: z, of the capacity at the reference temperature, (-). `fast`, `slow`: drops at the RC pairs, V. `lag`: x,
    by which the charge at the surface is less, (-). `temperature`: K.
    """

    charge: Any
    fast: Any
    slow: Any
    lag: Any
    temperature: Any


class CellPart(NamedTuple):
    """
    The voltages and resistances of a cell at a moment.

    Voltage without current, V, open-circuit voltage of its mean charge, V; resistances, Ohm.
    """

    voltage: Any
    at_rest: Any
    resistance: Any
    fast_resistance: Any
    slow_resistance: Any


def rested(charge: Any, temperature: Any) -> CellState:
    """Return the state of cells at rest at a charge, (-), and a temperature, K; floats or arrays."""
    nothing = 0.0 * charge
    return CellState(charge, nothing, nothing, nothing, temperature + nothing)


@kernel
def _knot_before(place):
    """Return the index of the knot before a position among the intervals, (-), limited to the first and the last."""
    inside = smaller(larger(place, 0.0), INTERVALS - 1.0)
    return whole(select(inside == inside, inside, 0.0))


@kernel
def open_circuit_voltage(charge, cell):
    """
    Return the voltage of a cell at rest, V: linear between the knots, and extrapolated beyond them.

    :param charge: (-); float or array.
    :param cell: The Cell.
    """
    place = charge * INTERVALS
    knot = _knot_before(place)
    low, high = cell.open_circuit[knot], cell.open_circuit[knot + 1]
    return low + (place - knot) * (high - low)


@kernel
def _of_table(table, knot, share):
    low, high = table[knot], table[knot + 1]
    return low + share * (high - low)


@kernel
def available_charge(charge, temperature, cell):
    """
    Return the available charge relative to the capacity at a temperature, (-); below 0 if nothing is left.

    It is 1 - (1 - charge) / (1 + slope (T - T_ref)). Above the reference temperature the capacity does not increase.

    :param charge: Relative to the capacity at the reference temperature, (-); float or array.
    :param temperature: K; same shape.
    :param cell: The Cell.
    """
    colder = smaller(temperature - cell.reference_temperature, 0.0)
    capacity = larger(1.0 + cell.capacity_slope * colder, LEAST_CAPACITY)
    return 1.0 - (1.0 - charge) / capacity


@kernel
def arrhenius(activation, temperature, cell):
    """Return the ratio of a resistance at a temperature, K, to that at the reference one: exp(B (1/T - 1/T_ref))."""
    return exp(activation * (1.0 / temperature - 1.0 / cell.reference_temperature))


@kernel
def factors_of(temperature, pack):
    """Return the factors of age and temperature on R0 and the pairs' resistances, and of temperature on the lag."""
    cell = pack.cell
    return (pack.resistance_factor * arrhenius(cell.activation, temperature, cell),
            pack.resistance_factor * arrhenius(cell.pair_activation, temperature, cell),
            arrhenius(cell.lag_activation, temperature, cell))


@kernel
def cell_part(state, factors, cell):
    """
    Return the voltages and resistances of a cell in a state.

    :param state: The CellState; floats or arrays.
    :param factors: The result of `factors_of` at its temperature.
    :param cell: The Cell.
    """
    left = available_charge(state.charge, state.temperature, cell)
    place = smaller(larger(left, 0.0), 1.0) * INTERVALS
    knot = _knot_before(place)
    share = place - knot
    return CellPart(open_circuit_voltage(left - state.lag, cell) - state.fast - state.slow,
                    open_circuit_voltage(left, cell),
                    factors[0] * _of_table(cell.resistance, knot, share),
                    factors[1] * _of_table(cell.fast_resistance, knot, share),
                    factors[1] * _of_table(cell.slow_resistance, knot, share))


@kernel
def voltage(state, current, pack):
    """
    Return the terminal voltage of a pack at a current, V.

    :param state: The CellState of its cells; floats or arrays.
    :param current: Of the pack, A, discharging is positive; same shape.
    :param pack: The Pack.
    """
    part = cell_part(state, factors_of(state.temperature, pack), pack.cell)
    return pack.series * (part.voltage - part.resistance * current / pack.parallel)


@kernel
def charge_below_empty(cell):
    """Return the charge between the end of the table and the cutoff voltage at rest, (-)."""
    empty, next_knot = cell.open_circuit[0], cell.open_circuit[1]
    return larger(empty - cell.cutoff_voltage, 0.0) / (INTERVALS * (next_knot - empty))


def charge_at_rest(volts: Any, cell: Cell) -> Any:
    """
    Return the charge at which a cell at rest has a voltage, (-); extrapolated beyond the table.

    :param volts: Of one cell, V; float or array.
    :param cell: The Cell, at its reference temperature.
    """
    table, knots = np.asarray(cell.open_circuit), np.linspace(0.0, 1.0, INTERVALS + 1)
    slopes = INTERVALS * np.diff(table)
    inside = np.interp(volts, table, knots)
    beyond = np.minimum(volts - table[0], 0.0) / slopes[0] + np.maximum(volts - table[-1], 0.0) / slopes[-1]
    found = inside + beyond
    return float(found) if np.ndim(found) == 0 else found


JOULES_PER_WH = 3600.0


class Battery(NamedTuple):
    """Capacity in Wh (usable, at the nominal voltage), nominal voltage in V, state of charge at the start (-)."""

    capacity_wh: float
    nominal_voltage: float
    initial_state_of_charge: float


class BatteryLevel(NamedTuple):
    """Fields of sensor_msgs/BatteryState: V, A (negative: discharging), Ah, Ah, and the state of charge (-)."""

    voltage: float
    current: float
    charge: float
    capacity: float
    state_of_charge: float


@kernel
def state_of_charge(energy, battery):
    """
    Return the state of charge, 0 to 1.

    :param energy: Energy drawn since the start, J; float or array.
    :param battery: The Battery.
    """
    left = battery.initial_state_of_charge - energy / (battery.capacity_wh * JOULES_PER_WH)
    return smaller(larger(left, 0.0), 1.0)


def energy_held(battery: Battery) -> float:
    """Return the energy in a battery at the start, J."""
    return float(battery.initial_state_of_charge * battery.capacity_wh * JOULES_PER_WH)


@kernel
def battery_level(energy, power, battery):
    """
    Return the battery's state at its nominal voltage, by the energy counter.

    :param energy: Energy drawn since the start, J; float or array.
    :param power: Power drawn now, W; same shape.
    :param battery: The Battery.
    """
    left = state_of_charge(energy, battery)
    capacity = battery.capacity_wh / battery.nominal_voltage
    return BatteryLevel(battery.nominal_voltage, -power / battery.nominal_voltage, left * capacity, capacity, left)
