"""Read a log of any source: what the path is decides which reader takes it."""

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_has_end
from usv_energy.files.locate import user_path
from usv_energy.files.table import read_head, read_table
from usv_energy.logs import file_kind
from usv_energy.logs.autopilots.dataflash import read_dataflash
from usv_energy.logs.autopilots.telemetry import read_telemetry
from usv_energy.logs.autopilots.ulog import read_ulog
from usv_energy.logs.bags.bag import is_bag, read_bag
from usv_energy.logs.batteries import without_dead_sensors, without_wrong_readings
from usv_energy.logs.derive import held
from usv_energy.logs.log import HEAVE, PITCH, ROLL, WARNING, Log, Note
from usv_energy.logs.marine.moos import read_alog
from usv_energy.logs.marine.nmea0183 import read_nmea
from usv_energy.logs.marine.nmea2000 import read_nmea2000
from usv_energy.logs.marine.signal_k import read_signal_k
from usv_energy.logs.quality import checked_log
from usv_energy.logs.tables.column_map import ColumnMap, read_columns
from usv_energy.logs.tables.csv_log import read_csv
from usv_energy.logs.tables.recognise import recognised, recognised_columns, recognised_log, write_recognised
from usv_energy.logs.tables.records import columns_of_records, read_records
from usv_energy.logs.tables.table_folder import read_folder
from usv_energy.logs.tracks.track_file import read_track
from usv_energy.sim.run_files import (
    ATTITUDE,
    BATTERY,
    HOME,
    LEGS,
    read_attitude,
    read_battery,
    read_home,
    read_leg_begins,
)
from usv_energy.sim.run_files import SAMPLE_COLUMNS as OWN_COLUMNS

SAMPLES, COMMANDS = 'samples.csv', 'commands.csv'
READERS: dict[str, Callable[..., Log]] = {
    file_kind.DATAFLASH: read_dataflash, file_kind.TELEMETRY: read_telemetry, file_kind.ULOG: read_ulog,
    file_kind.NMEA: read_nmea, file_kind.NMEA_2000: read_nmea2000, file_kind.SIGNAL_K: read_signal_k,
    file_kind.MOOS: read_alog,
    file_kind.TRACK: read_track, file_kind.ROS1_BAG: read_bag, file_kind.RECORDS: read_records}
COMMAND_NAME, ANGLE_NAME = ('thrust_', '_n'), ('angle_', '_rad')  # Of columns in COMMANDS: thrust_left_n.


def read_log(path: str | Path, columns: ColumnMap | str | Path | None = None, fix_signs: bool = False,
             **choices: Any) -> Log:
    """
    Return the log at a path, checked for what is usually wrong (`quality`; see its `notes`).

    :param path: A bag (folder, .mcap, .db3), a log of ArduPilot (.bin, .log), of PX4 (.ulg) or of a ground station
        (.tlog), sentences of NMEA 0183, deltas of Signal K, an .alog of MOOS, a track with times (GPX, KML, GeoJSON,
        TCX), a table (CSV), a folder of tables, or the folder of a run. Its content decides, whatever it is called.
    :param columns: Of a table: its column map, the map's name in config/columns, or the path of its YAML file. None:
        the columns are recognised by their names and by the motion itself.
    :param fix_signs: Whether to turn round what the checks find turned round.
    :param choices: Of `read_bag` (odom, namespace, axes, twist, max_gap, progress), `read_telemetry` (system) and the
        other readers; None is left out.
    :raises InputError: If there is nothing to read, or it is wrong: file, place, value, what is allowed.
    """
    path = user_path(path)
    if not path.exists():
        raise InputError(f'{path}: there is no such file or folder')
    check_has_end(path)
    given = {name: value for name, value in choices.items() if value is not None}
    with np.errstate(over='ignore', invalid='ignore'):  # values that no boat has are noted, not warned of by numpy
        log = _read(path, columns, given)
        if log.path.name in (SAMPLES, 'bag'):  # such names say nothing of what is in them
            log = replace(log, name=log.path.resolve().parent.name)
        return checked_log(without_wrong_readings(without_dead_sensors(log)), fix_signs)


def write_column_map(path: Path, target: Path) -> None:
    """
    Write what is recognised of a table, or of records of JSON, as a column map.

    :param target: The YAML file, which is replaced completely or not at all.
    :raises InputError: If the path is none of these, or no column is a time.
    """
    kind = file_kind.kind_of(path) if path.is_file() else file_kind.BAG
    if kind not in (file_kind.TABLE, file_kind.RECORDS):
        raise InputError(f'{path}: is no table but of the kind {kind}, which needs no column map')
    found = recognised(path) if kind == file_kind.TABLE else recognised_columns(path, columns_of_records(path, []))
    if not found.takes_map and kind == file_kind.TABLE:
        raise InputError(f'{path}: holds a time in several columns, a place in one, units in cells, or a solution of '
                         'RTKLIB, which no column map says; it is read without one')
    write_recognised(found, target)


def _read(path: Path, columns: ColumnMap | str | Path | None, choices: dict[str, Any]) -> Log:
    if path.is_dir() and (path / SAMPLES).is_file():
        path = path / SAMPLES
    if path.is_dir() and is_bag(path / 'bag'):
        path = path / 'bag'
    if path.is_dir() and not is_bag(path) and columns is not None:
        chosen = columns if isinstance(columns, ColumnMap) else read_columns(columns)
        if chosen.files:
            choices.pop('progress', None)
            return read_folder(path, chosen, **_fitting(read_folder, choices, path))
    reader = read_bag if is_bag(path) or path.is_dir() else READERS.get(file_kind.kind_of(path))
    if reader is not None:
        fitting = _fitting(reader, choices, path)
        if columns is None:
            return reader(path, **fitting)
        if not isinstance(columns, ColumnMap):
            columns = read_columns(columns)  # Its faults are said even where it is not needed.
        if reader is read_records:
            return read_records(path, columns=columns, **fitting)
        return reader(path, **fitting).noted(Note(
            WARNING, 'columns_unused', 'this log is no table: the column map that was given is not used'))
    max_gap = choices.pop('max_gap', None)
    choices.pop('progress', None)
    _fitting(read_csv, choices, path)
    table_map = _column_map(path, columns)
    if table_map is None:
        return recognised_log(path, max_gap)
    log = read_csv(path, table_map if max_gap is None else replace(table_map, max_gap=float(max_gap)))
    return _with_files_beside(log, path) if path.name == SAMPLES else log


def _fitting(reader: Callable[..., Log], choices: dict[str, Any], path: Path) -> dict[str, Any]:
    allowed = set(inspect.signature(reader).parameters) - {'path', 'columns'}
    wrong = sorted(set(choices) - allowed - {'progress'})
    if wrong:
        options = ', '.join(f'--{name.replace("_", "-")}' for name in wrong)
        hint = '; its frames stand in the column map' if reader is read_csv else ''
        raise InputError(f'{path}: {options} does not go with this kind of log{hint}')
    return {name: value for name, value in choices.items() if name in allowed}


def _column_map(path: Path, columns: ColumnMap | str | Path | None) -> ColumnMap | None:
    """Return the column map of a table: the given one, that of runs; None where it has to be recognised."""
    if isinstance(columns, ColumnMap):
        return columns
    if set(OWN_COLUMNS) <= set(read_head(path).names):
        return read_columns('samples')
    return None if columns is None else read_columns(columns)


def _with_files_beside(log: Log, samples: Path) -> Log:
    """Return a run's log with what stands beside its samples: commands, legs, the way home, battery and attitude."""
    commands, legs, home, battery, attitude = (
        path if (path := samples.with_name(name)).is_file() else None
        for name in (COMMANDS, LEGS, HOME, BATTERY, ATTITUDE))
    if commands is not None and not log.thrusters:
        log = _with_commands(log, commands)
    if legs is not None:
        log = replace(log, legs=tuple(one._replace(time=one.time - log.start) for one in read_leg_begins(legs)))
    if home is not None:
        said = read_home(home)
        log = replace(log, home=said._replace(time=said.time - log.start))
    if battery is not None:
        cells = read_battery(battery)
        log = replace(log, cells=cells._replace(time=cells.time - log.start))
    if attitude is not None and (moved := read_attitude(attitude)).time.size:
        log = replace(log, extra={**log.extra, **{
            name: np.interp(log.time + log.start, moved.time, values, math.nan, math.nan)
            for name, values in zip((HEAVE, ROLL, PITCH), moved[1:])}})
    return log


def _with_commands(log: Log, commands: Path) -> Log:
    """Return a log with its commands.csv: time_s, thrust_<name>_n of each thruster, angle_<name>_rad of what turns."""
    headers = read_head(commands).names
    thrusters, turning = (_named(headers, ends) for ends in (COMMAND_NAME, ANGLE_NAME))
    table = read_table(commands, ['time_s', *thrusters.values(), *turning.values()])

    def of(columns: Iterable[str | None]) -> np.ndarray:
        """Return some columns at the times of the log, as commands are held; NaN for None."""
        nothing = np.full(len(table['time_s']), np.nan)
        values = [nothing if name is None else table[name] for name in columns]
        return held(log.time + log.start, table['time_s'], np.column_stack(values or [np.zeros((len(nothing), 0))]))

    thrust = of(thrusters.values())
    foils = {name: column for name, column in turning.items() if name not in thrusters}
    return replace(log, thrust=thrust, command=np.full_like(thrust, np.nan), neutral=(np.nan,) * len(thrusters),
                   thrusters=tuple(thrusters), angle=of(turning.get(name) for name in thrusters),
                   foils=tuple(foils), foil_angle=of(foils.values()))


def _named(headers: Iterable[str], ends: tuple[str, str]) -> dict[str, str]:
    """Return those headers that begin and end as columns of one kind do, by the names between."""
    begin, end = ends
    return {header.removeprefix(begin).removesuffix(end): header for header in headers
            if header.startswith(begin) and header.endswith(end)}
