"""Fit the pack of a boat file to a mission: read the data, fit, and write the new boat file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.table import read_head, read_table
from usv_energy.logs.log import Log
from usv_energy.studies.identify.cells.cell_recordings import CellColumns
from usv_energy.studies.identify.cells.mission_fit import (
    OCV_STD,
    FoundNumber,
    MissionRun,
    PackFit,
    fit_mission,
    mission_run,
)


def run_of_log(log: Log, boat: Boat, ambient_degc: float | None = None) -> MissionRun:
    """
    Return the voltage and current of a log, or of the simulated battery of a run.

    :param boat: The boat with the battery.
    :param ambient_degc: Ambient temperature of its cells; None for that of the boat file.
    :raises InputError: If the log has none.
    """
    ambient = boat.ambient if ambient_degc is None else ambient_degc + KELVIN
    if log.cells is not None and not log.known('volts'):
        return mission_run(str(log.path), log.cells.time, log.cells.current, log.cells.voltage, ambient)
    for name in ('volts', 'amperes'):
        if not log.known(name):
            raise InputError(f'{log.path}: has no {name} of the battery')
    return mission_run(str(log.path), log.time, np.asarray(log.amperes), np.asarray(log.volts), ambient)


def is_table(path: Path, columns: CellColumns) -> bool:
    """Return whether a path is that of a table (CSV) with the columns of time, current and voltage."""
    return path.suffix.lower() == '.csv' and path.is_file() and {*columns[:3]} <= {*read_head(path).names}


def run_of_table(path: Path, columns: CellColumns, boat: Boat, ambient_degc: float | None = None) -> MissionRun | None:
    """
    Return the voltage and current in a table (CSV) with the columns of `identify battery`; None for other columns.

    :param ambient_degc: As for `run_of_log`.
    :raises InputError: If it cannot be read.
    """
    if not is_table(path, columns):
        return None
    time, current, voltage = read_table(path, list(columns[:3])).values()
    ambient = boat.ambient if ambient_degc is None else ambient_degc + KELVIN
    return mission_run(str(path), time, current * _sign(current, voltage, path), voltage, ambient)


def _sign(current: np.ndarray, voltage: np.ndarray, path: Path) -> float:
    """Return 1 if discharging is positive, -1 if it is negative: the voltage falls as more current is drawn."""
    together = float(np.nansum(np.diff(current) * np.diff(voltage)))
    if together == 0.0:
        raise InputError(f'{path}: the voltage does not change with the current: nothing says which sign discharging '
                         'has')
    return -1.0 if together > 0.0 else 1.0


def require_cells(boat: Boat) -> None:
    """Check that a boat's battery consists of cells. Raises InputError if not."""
    if boat.pack is None:
        raise InputError(f'{boat.path}: its battery is of watt-hours alone; a mission says something of cells whose '
                         'kind is known: give battery.chemistry and battery.series')


def identify_pack(run: MissionRun, boat: Boat, ocv_std: float = OCV_STD) -> PackFit:
    """
    Return the PackFit of a boat's pack for a mission.

    :param ocv_std: Standard deviation of the open-circuit voltage, V per cell.
    :raises InputError: If the boat has no cells, or the voltages cannot be of its battery.
    """
    require_cells(boat)
    pack = boat.pack
    assert pack is not None
    low, high = (float(pack.series * volts) for volts in (0.8 * pack.cell.cutoff_voltage,
                                                          1.05 * pack.cell.full_voltage))
    middle = float(np.median(run.voltage))
    if not low <= middle <= high:
        raise InputError(f'{run.name}: its voltage is {middle:.2f} V in the middle; that of {boat.name} must be from '
                         f'{low:.1f} to {high:.1f} V: another number of cells in series?')
    return fit_mission(run, pack, ocv_std)


def why_not(name: str, run: MissionRun, found: PackFit) -> str:
    """Return the reason why a mission does not determine a number."""
    share = run.drawn / found.capacity.value
    changes = float(np.std(np.diff(run.current)))
    return {
        'capacity': f'{run.drawn / 3600.0:.2f} Ah, {100.0 * share:.0f} % of the capacity, were drawn: the voltage at '
                    'rest is not known well enough to tell more from that',
        'charge': 'the voltage at rest is too flat where the mission begins',
        'resistance': f'the current changes by {changes:.2g} A from sample to sample: too little',
        'fast_resistance': 'no current lasts as long as the pair takes', 'fast_time': 'the current hardly changes',
        'slow_resistance': 'no current lasts as long as the pair takes', 'slow_time': 'the current hardly changes',
        'lag': 'it looks like a slow pair'}[name]


def pack_document(found: PackFit, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a boat file: the base boat with the battery's aging from a mission."""
    source = 'usv-energy identify battery: see identification'
    document = checked.read_with_base('boats', boat.path)
    sheet = boat.battery_sheet
    assert sheet is not None
    changes = {}
    before = {'resistance_factor': sheet.resistance_factor or 1.0, 'capacity_share': sheet.capacity_share or 1.0}
    for key, one in (('resistance_factor', found.pulse_factor), ('capacity_share', found.factors['capacity'])):
        if one.determined:
            low, value, high = (round(float(before[key] * part), 4) for part in (one.low, one.value, one.high))
            changes[key] = {'value': value, 'unit': '-', 'interval': [low, high], 'source': source}
    if not changes:
        raise InputError(f'the mission tells neither resistance nor capacity of the battery of {boat.name}: there is '
                         'nothing to write')
    return document | {
        'name': name, 'description': f'{boat.name} with the battery as old as a mission says',
        'battery': document['battery'] | changes,
        'identification': {**document.get('identification', {}), 'battery': {
            **provenance, 'voltage_rms_v': round(found.noise, 5), 'charge_at_start': round(found.charge.value, 4)}}}


def found_numbers(found: PackFit) -> dict[str, FoundNumber]:
    """Return the reported results by name: `pulse` Ohm, `charge` (-), `capacity` C, and factors on other numbers."""
    # The capacity is given in its own unit. No mission determines the heat capacity and the conductance.
    left_out = 'capacity', 'heat_capacity', 'conductance'
    rest = {name: one for name, one in found.factors.items() if name not in left_out}
    return {'pulse': found.pulse, 'charge': found.charge, 'capacity': found.capacity, **rest}
