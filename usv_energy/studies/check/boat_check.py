"""
The check of a boat file: the boat's kind, what the file lacks, speeds, thrusts, power, turns, stops and battery.

A boat at full throttle on cells, with thrusters whose sheets depend on the voltage.

Thrust, speed and power fall with the charge. The thrusters get the pack's voltage under load, and their power follows
from their sheet at that voltage; the two are balanced at each step of the discharge. Speeds are steady, because a boat
reaches its speed long before its voltage changes.
"""

import copy
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.boats.boat_file import Boat, boat_from
from usv_energy.boats.boat_remarks import ASSUMED, LACKS, Remark, remarks_of, shallow_depth, wave_note
from usv_energy.boats.checks import kind_of
from usv_energy.boats.power_curve import PowerCurve, power_at
from usv_energy.boats.vessel import Vessel
from usv_energy.files import checked
from usv_energy.physics.batteries.cell import CellState, Pack, rested
from usv_energy.physics.batteries.cell_discharge import Discharge, discharge
from usv_energy.physics.batteries.cell_step import Supply, step_at_power, supply_at_power
from usv_energy.physics.motion import STILL, Relative
from usv_energy.powering.actuators import foils_of_force, setting_of_force, thrusters_drive
from usv_energy.powering.power import needed_of
from usv_energy.sim.control.control import full_force
from usv_energy.sim.maneuver import knows_bollard_power
from usv_energy.studies.check.turning_circle import Stop, TurningCircles, coasting, crash_stop, turning_circles
from usv_energy.studies.plan import steady_range
from usv_energy.studies.plan.steady_motion import steady_state, top_speed
from usv_energy.studies.plan.steady_range import BestSpeed, round_speeds
from usv_energy.thrusters.drive import powers_of_thrusts
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


HOURS = 10.0, 5.0, 2.0, 1.0, 0.5   # h, in which the current would draw the nominal charge
FREEZING = 273.15                  # K
POINTS = 60             # of the curves over speed, up to the top speed
LAST_SPEED = 2.0        # m/s: end of the curves of a boat without a top speed
BEYOND = 1.15           # of the top speed: end of the curves of other boats
ROWS = 8                # of the table of power
STANDSTILL = 1e-6       # m/s: a lower top speed counts as none; it comes from the tolerance of forces
FASTEST = 1e3           # m/s: end of the search for a top speed
BEYOND_LIMITS = 100.0   # times the thrust of all thrusters at standstill: more than they can give
BELOW_TOP = 1e-9        # relative margin below the top speed, at which the thrusters can surely hold the speed


class BatteryCurve(NamedTuple):
    """A discharge from full at a constant current, A, with surroundings at a temperature, K; `course`: over time."""

    current: float
    ambient: float
    course: Discharge

    @property
    def charge(self) -> float:
        """Charge that it gives, C."""
        return self.current * float(self.course.time[-1])


def battery_curves(boat: Boat) -> tuple[BatteryCurve, ...]:
    """Return the discharges of a boat's battery, warm ones first; empty without cells."""
    pack, found = boat.pack, []
    if pack is None or boat.battery is None:
        return ()
    nominal = boat.battery.capacity_wh / boat.battery.nominal_voltage
    for ambient in (pack.cell.reference_temperature, FREEZING):
        for hours in HOURS:
            current = nominal / hours
            if current <= pack.cell.most_current * pack.parallel:
                found.append(BatteryCurve(current, ambient, discharge(rested(1.0, ambient), ambient, pack,
                                                                      current=current)))
    return tuple(found)


class SpeedCurves(NamedTuple):
    """
    Drag, thrust and power over the speed ahead in still water and air, arrays of one shape.

    `speed` m/s; `drag` N, foils included; `available`: most thrust ahead without a yaw moment, N; `power`: total
    electrical power at that steady speed, W, NaN if the thrusters cannot hold it.
    """

    speed: np.ndarray
    drag: np.ndarray
    available: np.ndarray
    power: np.ndarray


class Bollard(NamedTuple):
    """Thrust on the hull at standstill, N, negative astern, and the electrical power for it, W, NaN if unknown."""

    thrust: float
    power: float


class BoatCheck(NamedTuple):
    """
    The results of the check of a boat file.

    `top_ahead`, `top_astern`: m/s, NaN if none. `table`: the curves at round speeds. `best`: the cheapest speed, if
    there is a battery. `coasting`: from the top speed to a tenth of it; `crash_stop`: full astern, if the boat has
    thrust astern. `battery`: discharges, if the cells are known. `throttle`: discharge at full throttle, if the
    thrusters have sheets for several voltages; `sheets`: the boat at the voltages of these sheets.
    """

    boat: Boat
    kind: str
    remarks: list[Remark]
    top_ahead: float
    top_astern: float
    bollard_ahead: Bollard
    bollard_astern: Bollard
    curves: SpeedCurves
    table: SpeedCurves
    best: BestSpeed | None
    turning: TurningCircles | None
    coasting: Stop | None
    crash_stop: Stop | None
    battery: tuple[BatteryCurve, ...] = ()
    throttle: FullThrottle | None = None
    sheets: tuple[SheetPoint, ...] = ()


def boat_check(boat: Boat) -> BoatCheck:
    """Return the check of a boat; without thrusts and turns if only its power over speed is known."""
    vessel = boat.vessel
    if boat.power_curve is not None:
        return _check_of_curve(boat, boat.power_curve)
    ahead, astern = _top_ahead(vessel), _top_astern(vessel)
    moves = ahead > 0.0
    speeds = np.union1d(np.linspace(0.0, ahead, POINTS), np.linspace(ahead, BEYOND * ahead, 7)
                        ) if moves else np.linspace(0.0, LAST_SPEED, POINTS)
    back, throttle = _bollard(vessel, -1.0), full_throttle(boat, at_full)
    return BoatCheck(
        boat, kind_of(vessel), remarks_of(boat) + _of_speed(boat, ahead), ahead, astern, _bollard(vessel, 1.0), back,
        speed_curves(vessel, speeds), speed_curves(vessel, round_speeds(ahead, ROWS) if moves else np.zeros(0)),
        steady_range.best_speed(vessel, steady_range.BatteryUse().energy_at(boat), 0.0, STILL)
        if boat.battery is not None and moves else None,
        turning_circles(vessel, ahead), coasting(vessel, ahead) if moves else None,
        crash_stop(vessel, ahead) if moves and back.thrust < 0.0 else None, battery_curves(boat),
        throttle, () if throttle is None else sheet_points(boat, throttle, at_full))


def _of_speed(boat: Boat, top: float) -> list[Remark]:
    """Return the remarks on what the file does not know of the drag up to the top speed, m/s."""
    note = wave_note(boat, top)
    remarks = [Remark(LACKS, 'damping.wave', note[0].lower() + note[1:])] if note else []
    if top > 0.0:
        remarks.append(Remark(ASSUMED, 'damping', f'the water is deep: at {top:.2f} m/s at least '
                              f'{shallow_depth(top):.2g} m, or the bottom adds to the drag'))
    return remarks


def _check_of_curve(boat: Boat, curve: PowerCurve) -> BoatCheck:
    top, unknown = curve.speeds[-1], Bollard(math.nan, math.nan)
    return BoatCheck(
        boat, 'known by its power over speed alone', remarks_of(boat), top, math.nan, unknown, unknown,
        _curve_at(curve, np.linspace(0.0, top, 4 * POINTS)), _curve_at(curve, np.array(curve.speeds)),
        None if boat.battery is None else
        steady_range.best_speed(boat.vessel, steady_range.BatteryUse().energy_at(boat), 0.0, STILL), None, None, None,
        battery_curves(boat))


def _curve_at(curve: PowerCurve, speeds: np.ndarray) -> SpeedCurves:
    unknown = np.full(speeds.shape, np.nan)
    return SpeedCurves(speeds, unknown, unknown, power_at(curve, speeds))


def speed_curves(vessel: Vessel, speeds: np.ndarray) -> SpeedCurves:
    """Return drag, thrust and power at speeds ahead, m/s."""
    drag, available = _drag(vessel, speeds), available_thrust(vessel, speeds, 1.0) + 0.0 * speeds
    if not vessel.thrusters or not speeds.size:
        return SpeedCurves(speeds, drag, available, np.full(speeds.shape, np.nan))
    steady = steady_state(vessel, 0.0, speeds, STILL)
    return SpeedCurves(speeds, drag, available, np.where(steady.feasible, steady.power.total, np.nan))


def available_thrust(vessel: Vessel, speed: Any, sign: float) -> Any:
    """
    Return the most thrust on the hull straight ahead (`sign` 1) or astern (-1) at speeds, N.

    :param speed: Ahead, m/s, below 0 astern; float or array.
    """
    at = _straight(speed)
    wanted = sign * BEYOND_LIMITS * full_force(vessel) + at.v_r
    setting, _ = setting_of_force((wanted, at.v_r, at.v_r), at, vessel)
    return thrusters_drive(at, setting, vessel)[0]


def _straight(speed: Any) -> Relative:
    speed = np.asarray(speed, dtype=float)
    zero = 0.0 * speed
    return Relative(speed, zero, zero, -speed, zero)


def _drag(vessel: Vessel, speed: Any) -> Any:
    """Return the drag at speeds straight ahead, m/s, with foils and apparent wind, N."""
    at = _straight(speed)
    force = needed_of(at, (at.v_r, at.v_r, at.v_r), vessel).force
    return force[0] - foils_of_force(at, force, vessel)[0]


def at_full(vessel: Vessel) -> FullThrottlePoint:
    """Return thrust at standstill, N, top speed ahead, m/s, and the power there, W, of a vessel at full throttle."""
    top = _top_ahead(vessel)
    power = speed_curves(vessel, np.array([top * (1.0 - BELOW_TOP)])).power
    return FullThrottlePoint(float(available_thrust(vessel, 0.0, 1.0)), top, float(power[0]))


def _top_ahead(vessel: Vessel) -> float:
    if not vessel.thrusters:
        return math.nan
    top = top_speed(vessel)
    return top if top > STANDSTILL else math.nan


def _top_astern(vessel: Vessel) -> float:
    """Return the highest speed astern, m/s, at which all thrust astern balances the drag; NaN if there is none."""
    def holds(speed: float) -> bool:
        return bool(available_thrust(vessel, -speed, -1.0) <= _drag(vessel, -speed))

    low, high = 0.0, 0.01
    if not vessel.thrusters or not available_thrust(vessel, 0.0, -1.0) < 0.0:
        return math.nan
    while holds(high) and high < FASTEST:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low if low > STANDSTILL else math.nan


def _bollard(vessel: Vessel, sign: float) -> Bollard:
    thrust = float(available_thrust(vessel, 0.0, sign))
    if not knows_bollard_power(vessel) or thrust == 0.0:
        return Bollard(thrust, math.nan)
    at = _straight(0.0)
    thrusts, angles, _ = thrusts_of_force(at, (thrust, 0.0, 0.0), vessel)
    return Bollard(thrust, float(powers_of_thrusts(thrusts, angles, vessel.thrusters, at, vessel.losses)[2]))
