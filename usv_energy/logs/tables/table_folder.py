"""A log from a folder of tables (CSV), each with a clock of its own, and a column map that says which holds what."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.table import TableRules, read_table
from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.calendar_time import noted_times
from usv_energy.logs.derive import interpolated, unwrapped, yaw_of_quaternions
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.stamps import clean_times
from usv_energy.logs.tables.column_map import BODY, ORIENTATION, QUANTITIES, Column, ColumnMap, ThrusterColumns
from usv_energy.logs.tables.csv_log import in_house_frames
from usv_energy.logs.thruster_readings import Readings, readings_of, thrust_of_revolutions

FIELDS = (('revolutions', 'revolutions'), ('thruster_volts', 'volts'), ('thruster_amperes', 'amperes'))
NEAR = 0.02  # s: clocks of one program write what belongs together within this.
Table = dict[str, np.ndarray]


class TableFolder:
    """The tables of a folder, each read once, with its times in s."""

    def __init__(self, path: Path, columns: ColumnMap) -> None:
        """Note which columns each table is wanted for."""
        self.path, self.columns = path, columns
        self.notes: list[Note] = []
        self._wanted: dict[str, list[str]] = {name: [] for name in columns.files}
        for column in columns.every:
            if column.file:
                self._wanted[column.file].append(column.header)
        for thruster in columns.thrusters:
            if 'revolutions' in thruster.measured and thruster.measured['revolutions'].file:
                self._wanted[thruster.measured['revolutions'].file] += thruster.together
        self._tables: dict[str, tuple[np.ndarray, Table]] = {}

    def has(self, file: str) -> bool:
        """Return whether a table is there."""
        return (self.path / file).is_file()

    def read(self, file: str) -> tuple[np.ndarray, Table]:
        """
        Return the times, s, strictly rising, and the wanted columns of a table.

        :raises InputError: If it lacks a column, holds a cell that is no number, or its time goes back.
        """
        if file not in self._tables:
            path = self.path / file
            wanted = list(dict.fromkeys(self._wanted[file]))
            clock = self.columns.columns['time']
            rules = TableRules(self.columns.delimiter, self.columns.decimal)
            if clock.calendar:
                table = read_table(path, wanted, rules, texts=[clock.header])
                time = noted_times(table.pop(clock.header).tolist(), path, clock.header, self.notes)
            else:
                table = read_table(path, [clock.header, *wanted], rules)
                time = table[clock.header] * clock.factor
            self._tables[file] = self._in_order(file, time, table)
        return self._tables[file]

    def _in_order(self, file: str, time: np.ndarray, table: Table) -> tuple[np.ndarray, Table]:
        times = clean_times(time, file, self.path / file, self.notes)
        if len(times.parts) > 1:
            row = times.parts[1].begin
            raise InputError(f'{self.path / file}: the time goes back from {time[row - 1]:.6f} s to {time[row]:.6f} s '
                             f'at row {row + 1}; must rise, since the clocks of the other tables go on. Two logs in '
                             'one folder? Split them there')
        if times.repeated.size:
            self.notes.append(Note(WARNING, 'times_repeated', f'{file}: {times.repeated.size} rows repeat the time of '
                                   'another and are left out', {'rows': float(times.repeated.size)}))
        return times.rising, {name: values[times.rows] for name, values in table.items()}


def read_folder(path: Path, columns: ColumnMap, max_gap: float | None = None) -> Log:
    """
    Return the log in a folder of tables.

    The clock is that of all thrusters' own tables together. Motion and angles are interpolated at its times; what a
    thruster measured stands in the rows in which it was measured anew. Thrusters and columns whose table is not in the
    folder are left out, and noted.

    :param path: The folder.
    :param columns: A column map whose columns name their `file`.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :raises InputError: If no thruster's table is there, or a table does not fit the map.
    """
    _check_files(columns)
    folder = TableFolder(path, columns)
    there = [one for one in columns.thrusters if folder.has(one.measured['revolutions'].file)]
    if not there:
        raise InputError(f'{path}: has no table of a thruster; the column map {columns.path} names '
                         + ', '.join(one.measured['revolutions'].file for one in columns.thrusters))
    if missing := [one.name for one in columns.thrusters if one not in there]:
        folder.notes.append(Note(WARNING, 'thrusters_missing', f'there are no tables of {", ".join(missing)}: left out',
                                 {'thrusters': float(len(missing))}))
    readings = [_readings(folder, one) for one in there]
    time, rows = common_clock([one.time for one in readings])
    source = Source(path.resolve().name, path, max_gap)
    series = {name: _at(folder, name, column, time, source) for name, column in columns.columns.items()
              if name not in ('time', *ORIENTATION) and folder.has(column.file)}
    series = in_house_frames(series, columns) | _heading(folder, time, source)
    if left := [name for name in columns.columns if name not in (*series, 'time', *ORIENTATION)]:
        folder.notes.append(Note(INFO, 'columns_missing', f'there are no tables of {", ".join(left)}'))
    log = assembled(source._replace(notes=tuple(folder.notes)), time, series)
    measured: dict[str, Any] = {field: np.column_stack([_on_rows(len(time), own, getattr(one, name))
                                                        for one, own in zip(readings, rows)])
                                for field, name in FIELDS}
    measured['angle'] = np.column_stack([_angle(folder, one.measured.get('angle'), time, source) for one in there])
    measured['thrust'] = np.column_stack([thrust_of_revolutions(time, turns, one.bollard, one.longest_gap)
                                          for one, turns in zip(there, measured['revolutions'].T)])
    foils = [one for one in columns.foils if folder.has(one.angle.file)]
    if foils:
        measured['foil_angle'] = np.column_stack([_angle(folder, one.angle, time, source) for one in foils])
    return replace(log, thrusters=tuple(one.name for one in there), neutral=(), command=np.array([]),
                   places=tuple(one.place for one in there), foils=tuple(one.name for one in foils), **measured)


def _readings(folder: TableFolder, thruster: ThrusterColumns) -> Readings:
    file = thruster.measured['revolutions'].file
    others = sorted({one.file for name, one in thruster.measured.items() if name in ('volts', 'amperes')} - {file})
    if others:
        raise InputError(f'{folder.columns.path}: {thruster.name}: volts and amperes are in {", ".join(others)}, '
                         f'revolutions in {file}; must be in the same table')
    time, table = folder.read(file)
    return readings_of(table, time, thruster, folder.columns.repeated, folder.notes)


def common_clock(clocks: Sequence[np.ndarray], near: float = NEAR) -> tuple[np.ndarray, list[np.ndarray]]:
    """
    Return one clock for several, s, strictly rising, and for each of them the rows of it that its own times became.

    Times that lie near each other become one row, the first of them, but never two of one clock.

    :param clocks: Each rising, s.
    :param near: s.
    """
    owner = np.concatenate([np.full(len(clock), number) for number, clock in enumerate(clocks)])
    stamps = np.concatenate(clocks)
    order = np.argsort(stamps, kind='stable')
    rows = np.empty(len(stamps), dtype=int)
    begins: list[float] = []
    members: set[int] = set()
    for place in order:
        number, stamp = int(owner[place]), float(stamps[place])
        if not begins or stamp - begins[-1] > near or (number in members and stamp > begins[-1]):
            begins.append(stamp)
            members = set()
        members.add(number)
        rows[place] = len(begins) - 1
    return np.array(begins), [rows[owner == number] for number in range(len(clocks))]


def _on_rows(count: int, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return values in the rows of a clock that are theirs; NaN in the others."""
    result = np.full(count, np.nan)
    result[rows] = values
    return result


def _at(folder: TableFolder, name: str, column: Column, time: np.ndarray, source: Source) -> np.ndarray:
    """Return a series of motion, in units of the house and frames of the map, at the times of the log."""
    own, table = folder.read(column.file)
    values = table[column.header]
    good = np.isfinite(values) & (values >= column.limits[0]) & (values <= column.limits[1])
    if not good.all():
        folder.notes.append(Note(WARNING, 'out_of_limits', f'{name}: {int((~good).sum())} of {len(good)} values of '
                                 f'{column.header} are outside {column.limits[0]:g} to {column.limits[1]:g}, or no '
                                 'number; left out', {'rows': float((~good).sum())}))
    scaled = (values * column.factor * column.sign)[good]
    if QUANTITIES[name].kind == 'angle':
        scaled = unwrapped(scaled)
    return interpolated(time, own[good], scaled, source.longest_interval(own))


def _heading(folder: TableFolder, time: np.ndarray, source: Source) -> Table:
    """Return the yaw of a quaternion at the times of the log, rad (ENU), by its name; nothing where there is none."""
    columns = [folder.columns.columns[name] for name in ORIENTATION if name in folder.columns.columns]
    if not columns or not folder.has(columns[0].file):
        return {}
    own, table = folder.read(columns[0].file)
    turned = yaw_of_quaternions(*(table[column.header] for column in columns))
    good = np.isfinite(turned)
    yaw = interpolated(time, own[good], unwrapped(turned[good]), source.longest_interval(own))
    return {'yaw': 0.5 * np.pi - yaw if columns[0].frame == 'ned' else yaw}


def _angle(folder: TableFolder, column: Column | None, time: np.ndarray, source: Source) -> np.ndarray:
    """Return the angle of an actuator at the times of the log, rad counter-clockwise; NaN where there is no table."""
    if column is None or not folder.has(column.file):
        return np.full(len(time), np.nan)
    angle = _at(folder, 'angle', column, time, source)
    return -angle if QUANTITIES['angle'].frame == BODY and column.frame == 'frd' else angle


def _check_files(columns: ColumnMap) -> None:
    """See that a map names a table for every column, and each thruster's revolutions."""
    if silent := [thruster.name for thruster in columns.thrusters if 'revolutions' not in thruster.measured]:
        raise InputError(f'{columns.path}: thrusters {", ".join(silent)} have no revolutions; in a map for a folder '
                         'each must')
    nameless = [one.header for name, one in columns.columns.items() if name != 'time' and not one.file]
    nameless += [one.header for one in columns.every[len(columns.columns):] if not one.file]
    if nameless:
        raise InputError(f'{columns.path}: {", ".join(nameless)} name no file; in a map for a folder every column but '
                         'time must')
