"""
The limits of thrust and the power map of thrusters at a varying battery voltage.

Thrusters of the library have data sheets at several voltages. Between the lowest and the highest one a table has a row
at least every quarter of a volt, by the rules of `thrusters/thruster_sheet.py`; between rows it is interpolated
linearly at equal pulse width. Outside that range the thruster behaves as at the nearest sheet. A thruster without such
sheets is assumed not to depend on voltage.

A command, in newtons at standstill, stands for a pulse width at the voltage of the boat file. At another voltage the
same pulse width gives another thrust, as on the real boat. The controller therefore need not know the voltage, and full
throttle remains full throttle.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import each, interpolate, kernel, larger, smaller, whole, with_field
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.thruster import Thruster
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, read_thruster

SPACING = 0.25      # V, largest distance between the rows of a table.


class ThrusterCurve(NamedTuple):
    """
    The data of one thruster over voltage.

    `table`: flat, one row per voltage. A row holds the thrusts at standstill of the map's knots, N, their powers, W,
    k of `kinds/bollard_map.py`, N^-0.5, and the least and largest thrust, N. `knots`, `powers`, `drop`: indices in a
    row of the thrusts, of the powers and of k; the limits follow k. `width`: length of a row. `lowest`: voltage of the
    first row, V. `rows_per_volt`: 1/V. `last`: index of the last row but one. `nominal`: thrusts of the knots at the
    voltage of the boat file, N.
    """

    table: Any
    knots: tuple[int, ...]
    powers: tuple[int, ...]
    drop: int
    width: int
    lowest: float
    rows_per_volt: float
    last: int
    nominal: tuple[float, ...]


class _Row(NamedTuple):
    """Two rows of a table to interpolate: where each begins, and the fraction `share` of the way to the next, (-)."""

    table: Any
    begin: Any
    next: Any
    share: Any


@kernel
def vessel_at_voltage(vessel, voltage, alive, curves):
    """
    Return a Vessel with its thrusters at a voltage.

    :param vessel: The Vessel; limits and propellers of thrusters with a curve are replaced.
    :param voltage: V; float or array.
    :param alive: 1.0, or 0.0 if the battery is empty, which sets the limits of thrust to 0; same shape.
    :param curves: For each thruster a ThrusterCurve; None if it does not depend on voltage.
    """
    return with_field(vessel, 'thrusters', each(_thruster_at, (voltage, alive), vessel.thrusters, curves))


@kernel
def _thruster_at(thruster, curve, voltage, alive):
    if curve is None:
        return _with_limits(thruster, alive * thruster.min_thrust, alive * thruster.max_thrust)
    row = _row_of(voltage, curve)
    knots, powers = each(_between_rows, (row,), curve.knots), each(_between_rows, (row,), curve.powers)
    propeller = with_field(with_field(with_field(
        thruster.propeller, 'map_thrust', knots), 'map_power', powers), 'voltage_drop', _between_rows(curve.drop, row))
    return with_field(_with_limits(thruster, alive * _between_rows(curve.drop + 1, row),
                                   alive * _between_rows(curve.drop + 2, row)), 'propeller', propeller)


@kernel
def _with_limits(thruster, least, most):
    return with_field(with_field(thruster, 'min_thrust', least), 'max_thrust', most)


@kernel
def commands_at_voltage(commands, thrusters, curves):
    """
    Return the commands at the battery's voltage that have the same pulse widths as commands at the file's voltage.

    :param commands: Thrusts at standstill at the file's voltage, N, within the limits there; floats or arrays.
    :param thrusters: Thrusters of the `vessel_at_voltage`.
    :param curves: As `vessel_at_voltage`.
    """
    return each(_same_pulse, (), commands, thrusters, curves)


@kernel
def _same_pulse(command, thruster, curve):
    if curve is None:
        return command
    return interpolate(command, curve.nominal, thruster.propeller.map_thrust)


@kernel
def _row_of(voltage, curve):
    place = smaller(larger((voltage - curve.lowest) * curve.rows_per_volt, 0.0), curve.last + 1.0)
    number = whole(smaller(place, curve.last * 1.0))
    return _Row(curve.table, number * curve.width, (number + 1) * curve.width, place - number)


@kernel
def _between_rows(place, row):
    low = row.table[row.begin + place]
    return low + row.share * (row.table[row.next + place] - low)


def curves_of(boat: Any) -> tuple[ThrusterCurve | None, ...]:
    """Return the ThrusterCurve of each thruster of a Boat; None if it has no sheets at several voltages."""
    described = boat.propellers or (None,) * len(boat.vessel.thrusters)
    return tuple(None if one is None or not one.model else _curve(one, thruster)
                 for one, thruster in zip(described, boat.vessel.thrusters))


def _curve(described: DescribedPropeller, thruster: Thruster) -> ThrusterCurve | None:
    model = read_thruster(described.model)
    low, high = model.voltages
    if not low < high:
        return None
    volts = np.linspace(low, high, math.ceil((high - low) / SPACING) + 1)
    sheets = [model.at_voltage(float(voltage), '') for voltage in volts]
    moves = np.all([sheet.thrusts != 0.0 for sheet in sheets], axis=0)
    knots, rows = int(moves.sum()) + 1, []
    own = model.at_voltage(float(described.voltage or low), '').thrusts
    nominal = described.number * _with_rest(own, own, moves)
    for sheet in sheets:
        thrusts, powers = (described.number * _with_rest(part, sheet.thrusts, moves)
                           for part in (sheet.thrusts, sheet.powers))
        limits = np.interp([thruster.min_thrust, thruster.max_thrust], nominal, thrusts)
        rows.append(np.concatenate((thrusts, powers, [_drop(described, sheet, model.rpm_per_volt)], limits)))
    return ThrusterCurve(
        np.ascontiguousarray(np.concatenate(rows)), tuple(range(knots)), tuple(range(knots, 2 * knots)), 2 * knots,
        2 * knots + 3, float(low), (volts.size - 1) / (high - low), volts.size - 2, tuple(nominal.tolist()))


def _with_rest(values: np.ndarray, thrusts: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Return the values at pulses that give thrust at every voltage, with a 0 between those astern and ahead."""
    return np.concatenate((values[moves & (thrusts < 0.0)], [0.0], values[moves & (thrusts > 0.0)]))


def _drop(described: DescribedPropeller, sheet: ThrusterSheet, rpm_per_volt: float | None) -> float:
    if described.own_drop or rpm_per_volt is None:
        return float(described.propeller.voltage_drop)
    return sheet.voltage_drop(rpm_per_volt) / math.sqrt(described.number)
