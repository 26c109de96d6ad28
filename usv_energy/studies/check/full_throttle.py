"""
A boat at full throttle on cells, with thrusters whose sheets depend on the voltage.

Thrust, speed and power fall with the charge. The thrusters get the pack's voltage under load, and their power follows
from their sheet at that voltage; the two are balanced at each step of the discharge. Speeds are steady, because a boat
reaches its speed long before its voltage changes.
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

VOLTAGES = 7        # at which the boat is computed; linear between them
STEP_SHARE = 250.0  # steps in the time in which the first power would draw the capacity
MOST_STEPS = 2000
ROUNDS = 40         # iterations of voltage and power, at most; each at least halves the error
CLOSE = 1e-9        # V: tolerance of these iterations


class FullThrottlePoint(NamedTuple):
    """A boat at full throttle at a voltage: thrust at standstill, N, top speed, m/s, and the total power there, W."""

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

    `charge`: (-), at which a discharge at full throttle passes the voltage; NaN if the pack has that voltage only under
    less load. `bollard`: thrust at standstill, N; `speed`: top speed, m/s; `power`, W: of the sheet itself, without
    interpolation between voltages.
    """

    voltage: float
    charge: float
    bollard: float
    speed: float
    power: float


def sheet_points(boat: Boat, found: FullThrottle,
                 at_full: Callable[[Vessel], FullThrottlePoint]) -> tuple[SheetPoint, ...]:
    """
    Return a boat at the voltages of its thrusters' sheets between the full pack's and the cutoff, the highest first.

    :param found: The discharge.
    :param at_full: Returns the FullThrottlePoint of a vessel.
    """
    if boat.pack is None or not found.voltage.size:
        return ()
    volts = {sheet.voltage for described in boat.propellers if described is not None and described.model
             for sheet in read_thruster(described.model).sheets}
    full = boat.pack.series * boat.pack.cell.full_voltage
    return tuple(SheetPoint(one, _charge_at(one, found), *at_full(at_voltage(boat, one).vessel))
                 for one in sorted(volts, reverse=True) if found.voltage[-1] <= one <= full)


def _charge_at(voltage: float, found: FullThrottle) -> float:
    """Return the charge at which a discharge first falls below a voltage, V; NaN if it begins below."""
    after = int(np.argmax(found.voltage < voltage))
    if after == 0:
        return math.nan
    share = (found.voltage[after - 1] - voltage) / (found.voltage[after - 1] - found.voltage[after])
    return float(found.charge[after - 1] + share * (found.charge[after] - found.charge[after - 1]))


def full_throttle(boat: Boat, at_full: Callable[[Vessel], FullThrottlePoint]) -> FullThrottle | None:
    """
    Return a boat's discharge at full throttle.

    None without cells, or if a thruster is not of the library or has only one sheet.

    :param at_full: Returns the FullThrottlePoint of a vessel.
    """
    sheet_range, pack = _voltage_range(boat), boat.pack
    if sheet_range is None or pack is None:
        return None
    high = min(sheet_range[1], float(pack.series * pack.cell.full_voltage))
    low = max(sheet_range[0], float(pack.series * pack.cell.cutoff_voltage))
    if not low < high:
        return None
    volts = np.linspace(low, high, VOLTAGES)
    table = np.array([at_full(at_voltage(boat, float(voltage)).vessel) for voltage in volts]).T
    if not np.isfinite(table).all():
        return None
    return _discharge_at_full_throttle(boat, volts, table)


def _discharge_at_full_throttle(boat: Boat, volts: np.ndarray, table: np.ndarray) -> FullThrottle:
    pack, rows = boat.pack, []
    assert pack is not None and boat.battery is not None
    ambient, voltage = boat.ambient, float(volts[-1])
    state = rested(1.0, ambient)
    dt = 3600.0 * boat.battery.capacity_wh / float(table[2, -1]) / STEP_SHARE
    for number in range(MOST_STEPS):
        supply, voltage = _balanced_supply(state, voltage, volts, table[2], pack)
        if supply.lacking > 0.0 or voltage < volts[0]:
            break
        rows.append((number * dt, state.charge, supply.voltage, supply.current, supply.power,
                     *(float(np.interp(voltage, volts, table[row])) for row in (0, 1))))
        # The midpoint rule: the power in the middle of the step is used for the whole step.
        middle, _ = step_at_power(state, supply.power, 0.5 * dt, ambient, pack)
        halfway, _ = _balanced_supply(middle, voltage, volts, table[2], pack)
        state, _ = step_at_power(state, halfway.power, dt, ambient, pack)
    return FullThrottle(*(np.array(rows).reshape(-1, 7).T))


def _balanced_supply(state: CellState, voltage: float, volts: np.ndarray, powers: np.ndarray,
                     pack: Pack) -> tuple[Supply, float]:
    """Return the supply and the voltage, V, at which pack and thrusters balance; `voltage` is the initial guess, V."""
    for _ in range(ROUNDS):
        supply: Supply = supply_at_power(state, float(np.interp(voltage, volts, powers)), pack)
        before, voltage = voltage, 0.5 * (voltage + supply.voltage)
        if abs(voltage - before) < CLOSE:
            break
    return supply, voltage


def _voltage_range(boat: Boat) -> tuple[float, float] | None:
    """Return the range of voltages, V, for which all thrusters have sheets; None if one has only one sheet."""
    low, high = 0.0, math.inf
    for described in boat.propellers:
        if described is None or not described.model:
            return None
        sheets = read_thruster(described.model).voltages
        low, high = max(low, sheets[0]), min(high, sheets[1])
    return (low, high) if boat.propellers and low < high else None


def at_voltage(boat: Boat, voltage: float) -> Boat:
    """Return a boat whose thrusters get a voltage, V, with the limits of their sheets there."""
    document = copy.deepcopy(checked.read_with_base('boats', boat.path))
    for thruster in document['thrusters']:
        thruster['propeller']['voltage'] = voltage
        for limit in ('min_thrust', 'max_thrust'):
            thruster.pop(limit, None)
    return boat_from(document, boat.path)
