"""
Thrusters at the voltage that they get: limits of thrust, and the power for a thrust, of a boat whose battery sags.

Thrusters of the library have sheets at several voltages. Between the lowest and the highest of them a table is made at
every quarter of a volt, by the rules of `boats/thruster_sheet.py`; what lies between two is a straight line at equal
pulse width. Below the lowest sheet and above the highest the thruster is as at that sheet. Thrusters without such
sheets are the same at every voltage: nobody says how they change.

What is asked of a thruster, in newtons at standstill, stands for a pulse width at the voltage of the boat file. At
another voltage the same pulse gives another thrust, as it does on the boat: whoever steers need not know the voltage,
and full throttle is full throttle.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import each, interpolate, kernel, larger, smaller, whole, with_field
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.thruster import Thruster
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, read_thruster

SPACING = 0.25      # V, at most, between the voltages of a table.


class ThrusterCurve(NamedTuple):
    """
    One thruster by its voltage.

    `table`: a row a voltage, one behind the other: its knots' thrusts at standstill, N, their powers, W, k of
    `physics/propeller.py`, N^-0.5, and the limits of thrust, N. `knots`: their numbers, 0, 1, 2 ...; `powers`: the
    places of their powers in a row; `drop`: that of k, before those of the limits; `width`: of a row. `lowest`: V, of
    the first row; `rows_per_volt`: 1/V; `last`: number of the last row but one. `nominal`: the knots' thrusts at the
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
    """Where a voltage lies: the table, where its row begins and the next one, and how far it is to that, (-)."""

    table: Any
    begin: Any
    next: Any
    share: Any


@kernel
def vessel_at_voltage(vessel, voltage, alive, curves):
    """
    Return a Vessel whose thrusters get a voltage.

    :param vessel: The Vessel; its thrusters' limits and propellers are replaced where there are curves.
    :param voltage: V; float or array.
    :param alive: 1.0, or 0.0 where the battery gives nothing any more: no thrust then; same shape.
    :param curves: A ThrusterCurve a thruster, None of one that knows nothing of voltages.
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
    Return the commands that thrusters at another voltage have where one is asked for at the voltage of the boat file.

    :param commands: As thrusts at standstill at the file's voltage, N, within the limits there; floats or arrays.
    :param thrusters: Of the Vessel at its voltage.
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
    """Return the curves by voltage of a Boat's thrusters, None of each that has no sheets at several voltages."""
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
    """Return the values of the pulses that move a thruster at every voltage, with a 0 between astern and ahead."""
    return np.concatenate((values[moves & (thrusts < 0.0)], [0.0], values[moves & (thrusts > 0.0)]))


def _drop(described: DescribedPropeller, sheet: ThrusterSheet, rpm_per_volt: float | None) -> float:
    if described.own_drop or rpm_per_volt is None:
        return float(described.propeller.voltage_drop)
    return sheet.voltage_drop(rpm_per_volt) / math.sqrt(described.number)
