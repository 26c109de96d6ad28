"""
A boat at full throttle on cells, its thrusters' sheets being by voltage: thrust, speed and power fall with the charge.

The thrusters get the pack's voltage under load, and what they draw follows from their sheet at that voltage: both are
met together at each step of the discharge. Speeds are steady: a boat has its speed long before its voltage has changed.
"""

import copy
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, boat_from
from usv_energy.boats.vessel import Vessel
from usv_energy.files import checked
from usv_energy.physics.batteries.cell import CellState, Pack, rested
from usv_energy.physics.batteries.cell_step import Supply, step_at_power, supply_at_power
from usv_energy.thrusters.thruster_sheet import read_thruster

VOLTAGES = 7        # At which the boat is looked at; what lies between is a straight line.
STEP_SHARE = 250.0  # Steps of a discharge, of its capacity over its first power.
MOST_STEPS = 2000
ROUNDS = 40         # Of bringing voltage and power together, at most; each leaves half of the error or less.
CLOSE = 1e-9        # V: as near as they come.


class AtFull(NamedTuple):
    """A boat at full throttle at a voltage: thrust at standstill, N, top speed, m/s, and all its power there, W."""

    bollard: float
    speed: float
    power: float


class FullThrottle(NamedTuple):
    """
    A discharge at full throttle, from full until the cutoff or below the lowest sheet, arrays of one shape.

    Time s, charge of the cells (-), terminal voltage V, current A, power W, thrust at standstill N, top speed m/s.
    """

    time: np.ndarray
    charge: np.ndarray
    voltage: np.ndarray
    current: np.ndarray
    power: np.ndarray
    bollard: np.ndarray
    speed: np.ndarray


class SheetPoint(NamedTuple):
    """
    A boat at full throttle at the voltage of a sheet of its thrusters' maker, V.

    `charge`: (-), at which a discharge at full throttle passes the voltage; NaN where the pack has so much at less load
    only. Thrust at standstill N, top speed m/s, power W: of the sheet itself, nothing between voltages.
    """

    voltage: float
    charge: float
    bollard: float
    speed: float
    power: float


def at_sheets(boat: Boat, found: FullThrottle, at_full: Callable[[Vessel], AtFull]) -> tuple[SheetPoint, ...]:
    """
    Return a boat at the voltages of its thrusters' sheets, the highest first: from the pack's, full, to the cutoff.

    :param found: The discharge.
    :param at_full: What a vessel does at full throttle.
    """
    if boat.pack is None or not found.voltage.size:
        return ()
    volts = {sheet.voltage for described in boat.propellers if described is not None and described.model
             for sheet in read_thruster(described.model).sheets}
    full = boat.pack.series * boat.pack.cell.full_voltage
    return tuple(SheetPoint(one, _charge_at(one, found), *at_full(at_voltage(boat, one).vessel))
                 for one in sorted(volts, reverse=True) if found.voltage[-1] <= one <= full)


def _charge_at(voltage: float, found: FullThrottle) -> float:
    """Return the charge at which a discharge first falls below a voltage, V; NaN where it begins below."""
    after = int(np.argmax(found.voltage < voltage))
    if after == 0:
        return math.nan
    share = (found.voltage[after - 1] - voltage) / (found.voltage[after - 1] - found.voltage[after])
    return float(found.charge[after - 1] + share * (found.charge[after] - found.charge[after - 1]))


def full_throttle(boat: Boat, at_full: Callable[[Vessel], AtFull]) -> FullThrottle | None:
    """
    Return a boat's discharge at full throttle; None without cells, or thrusters of the library with several sheets.

    :param at_full: What a vessel does at full throttle.
    """
    span, pack = _span(boat), boat.pack
    if span is None or pack is None:
        return None
    high = min(span[1], float(pack.series * pack.cell.full_voltage))
    low = max(span[0], float(pack.series * pack.cell.cutoff_voltage))
    if not low < high:
        return None
    volts = np.linspace(low, high, VOLTAGES)
    table = np.array([at_full(at_voltage(boat, float(voltage)).vessel) for voltage in volts]).T
    if not np.isfinite(table).all():
        return None
    return _discharged(boat, volts, table)


def _discharged(boat: Boat, volts: np.ndarray, table: np.ndarray) -> FullThrottle:
    pack, rows = boat.pack, []
    assert pack is not None and boat.battery is not None
    ambient, voltage = boat.ambient, float(volts[-1])
    state = rested(1.0, ambient)
    dt = 3600.0 * boat.battery.capacity_wh / float(table[2, -1]) / STEP_SHARE
    for number in range(MOST_STEPS):
        supply, voltage = _met(state, voltage, volts, table[2], pack)
        if supply.lacking > 0.0 or voltage < volts[0]:
            break
        rows.append((number * dt, state.charge, supply.voltage, supply.current, supply.power,
                     *(float(np.interp(voltage, volts, table[row])) for row in (0, 1))))
        # The power of the middle of the step is that of the step: of second order.
        middle, _ = step_at_power(state, supply.power, 0.5 * dt, ambient, pack)
        halfway, _ = _met(middle, voltage, volts, table[2], pack)
        state, _ = step_at_power(state, halfway.power, dt, ambient, pack)
    return FullThrottle(*(np.array(rows).reshape(-1, 7).T))


def _met(state: CellState, voltage: float, volts: np.ndarray, powers: np.ndarray, pack: Pack) -> tuple[Supply, float]:
    """Return what the pack gives where voltage and power are met, and the voltage, V; from a first one, V."""
    for _ in range(ROUNDS):
        supply: Supply = supply_at_power(state, float(np.interp(voltage, volts, powers)), pack)
        before, voltage = voltage, 0.5 * (voltage + supply.voltage)
        if abs(voltage - before) < CLOSE:
            break
    return supply, voltage


def _span(boat: Boat) -> tuple[float, float] | None:
    """Return the voltages, V, for which all thrusters have sheets; None where one has not more than one."""
    low, high = 0.0, math.inf
    for described in boat.propellers:
        if described is None or not described.model:
            return None
        sheets = read_thruster(described.model).voltages
        low, high = max(low, sheets[0]), min(high, sheets[1])
    return (low, high) if boat.propellers and low < high else None


def at_voltage(boat: Boat, voltage: float) -> Boat:
    """Return a boat whose thrusters, of the library, get a voltage, V; their limits are those of the sheets there."""
    document = copy.deepcopy(checked.read_with_base('boats', boat.path))
    for thruster in document['thrusters']:
        thruster['propeller']['voltage'] = voltage
        for limit in ('min_thrust', 'max_thrust'):
            thruster.pop(limit, None)
    return boat_from(document, boat.path)
