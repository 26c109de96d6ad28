"""
A boat's battery as its file describes it: only watt-hours, or a pack of cells.

All numbers are those of the whole battery, as on its label. Watt-hours alone give an energy counter at the nominal
voltage. A chemistry, or a file of `usv-energy identify battery`, gives a pack of cells, which is scaled to the label's
numbers: capacity and energy at the rated current.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.boats.cell_file import CellFile, table_cell
from usv_energy.files.errors import InputError
from usv_energy.physics.batteries.cell import (
    INTERVALS,
    JOULES_PER_WH,
    Battery,
    Cell,
    Pack,
    charge_at_rest,
    open_circuit_voltage,
    rested,
)
from usv_energy.physics.batteries.cell_discharge import discharge

RATED_HOURS = 5.0  # Hours in which a battery is emptied at its rated current, if that is not known.
PULSE = 10.0  # s of current after which the internal resistance is defined.
ROUNDS = 8  # Iterations to match capacity and energy to the rating; three reach a thousandth.
COUNTED = ('capacity_wh', 'nominal_voltage', 'initial_state_of_charge')
AGE = 'capacity_share', 'resistance_factor'
OF_THE_DAY = (*AGE, 'initial_state_of_charge', 'ambient_degc')  # Numbers in which packs of the same cells may differ.


class BatterySheet(NamedTuple):
    """
    The numbers of a boat's whole battery; None if its file does not give them.

    `capacity_wh`: Wh, usable, at `rated_current`. `nominal_voltage`, `full_voltage`, `cutoff_voltage`: V.
    `initial_state_of_charge`: (-). `series`, `parallel`: cells in a string, and strings. `capacity_ah`: Ah at
    `rated_current`, A. `internal_resistance`: Ohm, after PULSE of direct current, half charged. `most_current`: A.
    `capacity_share`, `resistance_factor`: ratios to a new battery, by age. `ambient_degc`: ambient temperature. `cell`:
    its cells; None if only watt-hours are known.
    """

    capacity_wh: float | None = None
    nominal_voltage: float | None = None
    initial_state_of_charge: float | None = None
    series: float | None = None
    parallel: float | None = None
    capacity_ah: float | None = None
    rated_current: float | None = None
    internal_resistance: float | None = None
    full_voltage: float | None = None
    cutoff_voltage: float | None = None
    most_current: float | None = None
    capacity_share: float | None = None
    resistance_factor: float | None = None
    ambient_degc: float | None = None
    cell: CellFile | None = None


def check_sheet(sheet: BatterySheet, path: Path) -> None:
    """
    Check the battery entry of a boat's file.

    :raises InputError: If it is wrong; the message names file, key and what is allowed.
    """
    given = [name for name in BatterySheet._fields[:-1] if getattr(sheet, name) is not None]
    if sheet.cell is None:
        for name in given:
            if name not in COUNTED:
                raise InputError(f'{path}: battery.{name} stands without battery.chemistry; it is of a battery whose '
                                 'chemistry is known (nmc, lfp, lto, agm, or a file of usv-energy identify battery)')
        for name in COUNTED:
            if name not in given:
                raise InputError(f'{path}: battery lacks the key {name!r}; required: {", ".join(COUNTED)}, or '
                                 'chemistry and series')
        return
    if sheet.series is None:
        raise InputError(f"{path}: battery has the chemistry {sheet.cell.name} and lacks the key 'series': how many "
                         'cells are in a string')
    for name in ('series', 'parallel'):
        number = getattr(sheet, name)
        if number is not None and number != int(number):
            raise InputError(f'{path}: battery.{name} is {number:g}; must be a whole number')
    low, middle, high = (_voltage(sheet, which) for which in ('cutoff', 'nominal', 'full'))
    if not low < middle < high:
        raise InputError(f'{path}: battery.nominal_voltage is {middle:g} V; must be between cutoff_voltage, {low:g} V, '
                         f'and full_voltage, {high:g} V, of {sheet.series:g} cells in series')
    _check_ratings(sheet, low, high, path)


def _check_ratings(sheet: BatterySheet, low: float, high: float, path: Path) -> None:
    if sheet.capacity_wh is not None and sheet.capacity_ah is not None:
        mean = sheet.capacity_wh / sheet.capacity_ah
        if not low < mean < high:
            raise InputError(f'{path}: battery.capacity_wh is {sheet.capacity_wh:g} Wh, with {sheet.capacity_ah:g} Ah '
                             f'{mean:.3g} V in the mean; must be between cutoff_voltage, {low:g} V, and full_voltage, '
                             f'{high:g} V, of {sheet.series:g} cells in series (`capacity_wh: null` takes away that '
                             'of a base)')
    try:
        pack_of(sheet)
    except ValueError as error:
        raise InputError(f'{path}: battery: {error}') from None


def _voltage(sheet: BatterySheet, which: str) -> float:
    """Return a voltage of the whole battery, V: cutoff, nominal or full; from its cells if not in the sheet."""
    assert sheet.cell is not None and sheet.series is not None
    own: float | None = getattr(sheet, f'{which}_voltage')
    return sheet.series * sheet.cell.known(f'{which}_voltage') if own is None else own


def counter_of(sheet: BatterySheet) -> Battery:
    """
    Return a battery as an energy counter; that of cells has their energy at the rated current.

    If their age is an array with one number per run, the energy is that of new cells.
    """
    if sheet.cell is None:
        return Battery(*(float(getattr(sheet, name)) for name in COUNTED))
    start = 1.0 if sheet.initial_state_of_charge is None else sheet.initial_state_of_charge
    aged = sheet._replace(initial_state_of_charge=None, ambient_degc=None)
    if any(np.ndim(getattr(sheet, name)) for name in AGE):
        aged = aged._replace(**dict.fromkeys(AGE))
    return Battery(_rated_energy(aged) / JOULES_PER_WH, _voltage(sheet, 'nominal'), start)


@lru_cache(maxsize=256)
def _rated_energy(sheet: BatterySheet) -> float:
    pack = pack_of(sheet)
    assert pack is not None
    temperature = pack.cell.reference_temperature
    return float(discharge(rested(1.0, temperature), temperature, pack, current=_rated_current(sheet)).energy[-1])


def _capacity_ah(sheet: BatterySheet) -> float:
    """Return the charge of the whole battery, new, at its rated current, Ah."""
    assert sheet.cell is not None
    own = sheet.cell.known('capacity_ah') * (sheet.parallel or 1.0)
    if sheet.capacity_ah is not None:
        return sheet.capacity_ah
    if sheet.capacity_wh is None:
        return own
    return sheet.capacity_wh / _mean_voltage(sheet)


def _mean_voltage(sheet: BatterySheet) -> float:
    """Return the mean voltage of the whole battery in a discharge at the rated current, V, from its cells' data."""
    assert sheet.cell is not None
    energy, capacity = sheet.cell.number('energy_wh'), sheet.cell.known('capacity_ah')
    return _voltage(sheet, 'nominal') if energy is None else (sheet.series or 1.0) * energy / capacity


def _rated_current(sheet: BatterySheet) -> float:
    """Return the current of the whole battery at which its capacity is rated, A."""
    assert sheet.cell is not None
    if sheet.rated_current is not None:
        return sheet.rated_current
    of_cell, capacity = sheet.cell.number('rated_current'), _capacity_ah(sheet)
    return capacity / RATED_HOURS if of_cell is None else of_cell * capacity / sheet.cell.known('capacity_ah')


def pack_of(sheet: BatterySheet) -> Pack | None:
    """
    Return a battery as a pack of cells; None if only watt-hours are known.

    Packs of sheets with equal numbers are the same object. A sheet's age may be arrays, with one number per run.

    :raises ValueError: If its cells cannot give the capacity and the energy of the sheet.
    """
    if sheet.cell is None:
        return None
    new = sheet._replace(**dict.fromkeys(OF_THE_DAY))
    capacity_share, resistance_factor = (1.0 if value is None else value
                                         for value in (sheet.capacity_share, sheet.resistance_factor))
    if np.ndim(capacity_share) or np.ndim(resistance_factor):
        return _new_pack(new)._replace(capacity_share=capacity_share, resistance_factor=resistance_factor)
    return _aged_pack(new, float(capacity_share), float(resistance_factor))


@lru_cache(maxsize=256)
def _aged_pack(new: BatterySheet, capacity_share: float, resistance_factor: float) -> Pack:
    return _new_pack(new)._replace(capacity_share=capacity_share, resistance_factor=resistance_factor)


@cache
def _new_pack(sheet: BatterySheet) -> Pack:
    """Return a battery as a new pack."""
    assert sheet.cell is not None
    series, parallel = float(sheet.series or 1.0), float(sheet.parallel or 1.0)
    cell = _resized(table_cell(sheet.cell), _capacity_ah(sheet) * 3600.0 / parallel)
    cell = cell._replace(cutoff_voltage=_voltage(sheet, 'cutoff') / series)
    cell = _charged_to(cell, _voltage(sheet, 'full') / series)
    if sheet.most_current is not None:
        cell = cell._replace(most_current=sheet.most_current / parallel)
    if sheet.internal_resistance is not None:
        cell = _with_resistance(cell, sheet.internal_resistance * parallel / series)
    rated = sheet.capacity_ah, sheet.capacity_wh, sheet.cell.number('rated_current')
    if any(value is not None for value in rated):
        energy = _energy(sheet)
        cell = _as_rated(cell, _rated_current(sheet) / parallel, _capacity_ah(sheet) * 3600.0 / parallel,
                         None if energy is None else energy * JOULES_PER_WH / (series * parallel))
    return Pack(cell, series, parallel)


def _energy(sheet: BatterySheet) -> float | None:
    """Return the energy of the whole battery, new, at its rated current, Wh; None if not known."""
    assert sheet.cell is not None
    if sheet.capacity_wh is not None:
        return sheet.capacity_wh
    of_cell = sheet.cell.number('energy_wh')
    changed = sheet.rated_current, sheet.full_voltage, sheet.cutoff_voltage, sheet.nominal_voltage
    if of_cell is None or any(value is not None for value in changed):
        return None
    return of_cell * (sheet.series or 1.0) * _capacity_ah(sheet) / sheet.cell.known('capacity_ah')


def _charged_to(cell: Cell, full: float) -> Cell:
    """Return a cell that is charged to another voltage, V, with tables that end there."""
    if full == cell.full_voltage:
        return cell
    last = charge_at_rest(float(cell.open_circuit[-1]) + full - cell.full_voltage, cell)
    knots = last * np.linspace(0.0, 1.0, INTERVALS + 1)
    tables = {name: np.interp(knots, np.linspace(0.0, 1.0, INTERVALS + 1), getattr(cell, name))
              for name in ('resistance', 'fast_resistance', 'slow_resistance')}
    return cell._replace(full_voltage=full, capacity=cell.capacity * last,
                         open_circuit=open_circuit_voltage(knots, cell), **tables)


def _resized(cell: Cell, capacity: float) -> Cell:
    """Return a cell of another capacity, C, as several cells in parallel."""
    times = capacity / cell.capacity
    return cell._replace(
        capacity=capacity, most_current=cell.most_current * times, heat_capacity=cell.heat_capacity * times,
        conductance=cell.conductance * times,
        **{name: getattr(cell, name) / times for name in ('resistance', 'fast_resistance', 'slow_resistance')})


def pulse_resistance(cell: Cell, duration: float = PULSE) -> float:
    """Return the voltage drop of a cell by a current of some duration, s, divided by the current, half charged."""
    middle = INTERVALS // 2
    slope = (cell.open_circuit[middle + 1] - cell.open_circuit[middle - 1]) * INTERVALS / 2.0
    lag = cell.lag * (1.0 - np.exp(-duration / cell.lag_time)) / cell.capacity
    return float(cell.resistance[middle] + slope * lag
                 + cell.fast_resistance[middle] * (1.0 - np.exp(-duration / cell.fast_time))
                 + cell.slow_resistance[middle] * (1.0 - np.exp(-duration / cell.slow_time)))


def _with_resistance(cell: Cell, resistance: float) -> Cell:
    """Return a cell with another resistance to direct current, Ohm."""
    times = resistance / pulse_resistance(cell)
    return cell._replace(**{name: getattr(cell, name) * times
                            for name in ('resistance', 'fast_resistance', 'slow_resistance')})


def _as_rated(cell: Cell, current: float, capacity: float, energy: float | None) -> Cell:
    """
    Return a cell that delivers a charge, C, and an energy, J, if known, at a current, A, until the cutoff.

    Its capacity is scaled and its open-circuit voltage shifted, in a few iterations.

    :raises ValueError: If that is not possible.
    """
    temperature = cell.reference_temperature
    for _ in range(ROUNDS):
        course = discharge(rested(1.0, temperature), temperature, Pack(cell, 1.0, 1.0), current=current, steps=200)
        charge, given = current * float(course.time[-1]), float(course.energy[-1])
        if charge <= 0.0:
            raise ValueError(f'a cell would be at its cutoff at once at the rated current, {current:.3g} A a cell; its '
                             'resistance is too large or its cutoff too high')
        lift = 0.0 if energy is None else energy / capacity - given / charge
        cell = cell._replace(capacity=cell.capacity * capacity / charge, open_circuit=cell.open_circuit + lift)
        if abs(capacity / charge - 1.0) < 1e-4 and abs(lift) < 1e-4 * cell.open_circuit[-1]:
            return cell
    raise ValueError(f'its cells cannot give {capacity / 3600.0:.3g} Ah a string at the rated current, {current:.3g} A '
                     'a string')
