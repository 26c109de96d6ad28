"""A log from a table (CSV) and a column map."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.earth import MEAN_RADIUS
from usv_energy.files.errors import InputError, counted
from usv_energy.files.table import MISSING, ROWS_A_STRAY, STRAYS, TableRules, read_table
from usv_energy.files.text_file import UTF_8, UTF_8_WITH_MARK, encoding_of
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled
from usv_energy.logs.calendar_time import is_calendar, noted_times
from usv_energy.logs.derive import interpolated, unwrapped, yaw_of_quaternions
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.stamps import clean_times
from usv_energy.logs.streams import BATTERY, CLOCKS, begins_late
from usv_energy.logs.tables.column_map import APPARENT, BODY, FROM_BOW, ORIENTATION, QUANTITIES, Column, ColumnMap
from usv_energy.logs.thruster_readings import readings_of, thrust_of_revolutions
from usv_energy.logs.two_tracks import of_one_track
from usv_energy.physics.sampling import longest_interval, period_of

Table = dict[str, np.ndarray]
# What loggers write for a number that they do not know.
NINES = 999.0, 9999.0, 99999.0, 999999.0, 999.9, 9999.9
MARKERS = np.array([*NINES, *(-one for one in NINES), 32767.0, -32768.0, 65535.0, 2147483647.0, -2147483648.0])
OF_WINDOWS = 62_135_596_800.0, 11_644_473_600.0  # s from the years 1 (.NET) and 1601 (FILETIME) to 1970.
LATE_HEADING = 0.1  # Share of a log's time after which its heading begins too late to be of use.
NO_HEADING = 511.0  # deg: what AIS says where there is none.
SHOWN = 30  # Characters of a text in a note.
LEAST_TWICE = 10  # Values of a column in rows that are there twice, above which they are no rest and no chance.
EARTH_PAIRS = (('x', 'y'), ('velocity_x', 'velocity_y'), ('current_x', 'current_y'), ('wind_x', 'wind_y'))
MAY_REST = frozenset(('current_x', 'current_y', 'wind_x', 'wind_y', 'current_speed', 'wind_speed',
                      'current_direction', 'wind_direction', *APPARENT, *FROM_BOW, 'volts'))


def read_csv(path: Path, columns: ColumnMap) -> Log:
    """
    Return the log in a table.

    :param path: The table: a header with names, one row a sample, empty cells where nothing was recorded.
    :param columns: What its columns hold.
    :raises InputError: If the table does not fit the map: a column missing or twice, a cell that is no number, a time
        that is the same in all rows; with file, line and value.
    """
    if columns.files:
        raise InputError(f'{path}: is one table; the column map {columns.path} is for a folder of tables '
                         f'({", ".join(columns.files)})')
    notes: list[Note] = []
    table = without_markers(_table(path, columns, notes), notes) if not columns.exact else _table(path, columns, notes)
    note_encoding(path, notes)
    return log_of_table(path, table, columns, notes)


def note_encoding(path: Path, notes: list[Note]) -> None:
    """Say in which encoding a table was read, where that is not UTF-8."""
    if (encoding := encoding_of(path)) not in (UTF_8, UTF_8_WITH_MARK):
        notes.append(Note(INFO, 'encoding', f'the table is not in UTF-8; it was read as {encoding.upper()}'))


def log_of_table(path: Path, table: Table, columns: ColumnMap, notes: list[Note]) -> Log:
    """
    Return the log of the columns of a table.

    :param path: The table, for errors.
    :param table: Its columns by their headers, each of shape (rows,), NaN where nothing was recorded; of the time
        numbers,
        or s where the map says that it was text.
    :param columns: What they hold.
    :param notes: What was found so far; what is found here is added.
    :raises InputError: If the table has no time, or one that is the same in all rows.
    """
    table = _of_one_boat(table, columns, notes)
    time = table[columns.columns['time'].header] * columns.columns['time'].factor
    middle = float(np.median(known)) if (known := time[np.isfinite(time)]).size else 0.0
    time = time - next((epoch for epoch in OF_WINDOWS if middle > epoch), 0.0)
    table, time = _in_order(table, time, columns.columns['time'].header, path, notes)
    begins = [np.isfinite(table[columns.columns[name].header]) for name in (*CLOCKS, *BATTERY)
              if name in columns.columns]
    first = min((int(one.argmax()) for one in begins if one.any()), default=0)
    if first and not columns.exact:
        notes.append(begins_late(time, first))
        table, time = {name: values[first:] for name, values in table.items()}, time[first:]
    series = {name: _house(table, column) for name, column in columns.columns.items() if name != 'time'}
    if 'yaw' in series:
        none = table[columns.columns['yaw'].header] == NO_HEADING
        series['yaw'] = np.where(none, np.nan, series['yaw'])
        heard = float(time[int(np.isfinite(series['yaw']).argmax())] - time[0])
        late = heard > LATE_HEADING * (time[-1] - time[0]) and not columns.exact
        if late:
            notes.append(Note(WARNING, 'heading_late', f'the heading is known from {heard:.1f} s on and is not used: '
                              'the course over ground stands for it', {'begin_s': heard}))
        if none.all() or late:
            del series['yaw']
    series = in_house_frames(series, columns)
    _note_constants(series, table, columns, notes)
    if not columns.exact:
        series |= {name: _bridged(time, series[name], columns.max_gap) for name in BATTERY if name in series}
    thrusters = tuple(
        ThrusterSeries(one.name, None if one.thrust is None else _house(table, one.thrust),
                       None if one.command is None else _command(table, one.command, one.neutral), one.neutral,
                       one.command is not None and one.command.sign < 0.0)
        for one in columns.thrusters)
    measured = {**_measured(table, time, columns, notes), **_foils(table, columns)}
    source = Source(path.stem, path, columns.max_gap, tuple(notes), columns.origin)
    log = assembled(source, time, series, thrusters, {name: table[column] for name, column in columns.extra.items()})
    return replace(log, **measured) if measured else log


def _bridged(time: np.ndarray, values: np.ndarray, max_gap: float | None) -> np.ndarray:
    """Return a series that was recorded in some rows, at all of them, on straight lines, but for its own holes."""
    there = np.isfinite(values)
    longest = max(max_gap or 0.0, longest_interval(period_of(time[there])))
    return interpolated(time, time[there], values[there], longest)


def _table(path: Path, columns: ColumnMap, notes: list[Note]) -> Table:
    """Return the columns of a table that are wanted; times as text become seconds, NaN where there is none."""
    clock, rules = columns.columns['time'], TableRules(columns.delimiter, columns.decimal, skip=columns.skip,
                                                       before=columns.before)
    if not clock.calendar:
        try:
            return read_table(path, columns.names(), rules)
        except InputError:
            if any(map(is_calendar, read_table(path, [], rules, texts=[clock.header])[clock.header][:1])):
                raise InputError(f'{path}: column {clock.header!r} holds times as text; the column map {columns.path} '
                                 'must say so: unit: calendar') from None
            raise
    texts = [clock.header, *([clock.date] if clock.date else [])]
    table = read_table(path, [name for name in columns.names() if name not in texts], rules, texts=texts)
    return {**table, clock.header: seconds_of_texts(table, clock.header, clock.date, path, notes)}


def without_markers(table: Mapping[str, np.ndarray], notes: list[Note]) -> dict[str, np.ndarray]:
    """
    Return columns with NaN for the numbers that loggers write for what they do not know: MARKERS, far above the rest.

    :param table: Numbers by their headers, (rows,) each; texts stay as they are.
    """
    found = dict(table)
    for name, values in table.items():
        if values.dtype == object or not (marked := np.isin(values, MARKERS)).any():
            continue
        rest = np.abs(values[~marked & np.isfinite(values)])
        if rest.size and rest.max() < 0.75 * np.abs(values[marked]).min():
            found[name] = np.where(marked, np.nan, values)
            notes.append(Note(WARNING, 'cells_marked', f'column {name!r}: {counted(int(marked.sum()), "cell")} of '
                              f'{values[marked][0]:g}, far from all others, taken as empty',
                              {'cells': int(marked.sum())}))
    return found


def seconds_of_texts(table: Mapping[str, Any], header: str, date: str, path: Path, notes: list[Note],
                     strays: bool = False) -> np.ndarray:
    """
    Return the times of a table that are text, s, shape (rows,); NaN where there is none.

    :param table: Its columns by their headers.
    :param header: Of the times, `date` that of their dates, '' where the times have them.
    :param path: The table, for errors.
    :param notes: What was taken for what is added to these.
    :param strays: Whether a few texts that are no time are taken as empty, and noted.
    :raises InputError: If a text is no time.
    """
    texts = table[header]
    there = _are_there(texts)
    if date:
        there &= _are_there(table[date])
        texts = table[date] + ' ' + texts
    seconds = np.full(len(texts), np.nan)
    if not there.any():
        return seconds
    try:
        seconds[there] = noted_times(texts[there].tolist(), path, header, notes)
    except InputError:
        wrong = [row for row in np.flatnonzero(there).tolist() if not is_calendar(texts[row])] if strays else []
        if not 0 < len(wrong) <= STRAYS + len(texts) // ROWS_A_STRAY:
            raise
        there[wrong] = False
        seconds[there] = noted_times(texts[there].tolist(), path, header, notes)
        shown = ', '.join(f'{texts[row][:SHOWN]!r} in row {row + 1}' for row in wrong[:3])
        notes.append(Note(WARNING, 'times_wrong', f'{counted(len(wrong), "text")} of {header!r} that is no time, taken '
                          f'as empty: {shown}', {'cells': len(wrong)}))
    return seconds


def _are_there(texts: Iterable[str]) -> np.ndarray:
    """Return whether each text is something, which one that begins with a digit is."""
    return np.array(['0' <= text[:1] <= '9' or text.strip().lower() not in MISSING for text in texts], dtype=bool)


def _of_one_boat(table: Table, columns: ColumnMap, notes: list[Note]) -> Table:
    """Return the rows of one of two boats whose places alternate; all where there is one."""
    places = {name: _house(table, columns.columns[name]) for name in ('x', 'y', 'longitude', 'latitude')
              if name in columns.columns}
    if 'longitude' in places:
        fixed = np.isfinite(places['latitude']) & ((places['latitude'] != 0.0) | (places['longitude'] != 0.0))
        north = np.where(fixed, MEAN_RADIUS * np.radians(places['latitude']), np.nan)
        middle = float(np.median(places['latitude'][fixed])) if fixed.any() else 0.0
        places['x'], places['y'] = MEAN_RADIUS * np.cos(np.radians(middle)) * np.radians(places['longitude']), north
    if 'x' not in places or (first := of_one_track(places['x'], places['y'], 'the table', notes)) is None:
        return table
    return {name: values[first] for name, values in table.items()}


def _measured(table: Table, time: np.ndarray, columns: ColumnMap, notes: list[Note]) -> dict[str, Any]:
    """Return what thrusters measured of themselves, by the fields of Log; nothing where none did."""
    if not any(thruster.measured for thruster in columns.thrusters):
        return {}
    readings = [readings_of(table, time, one, columns.repeated, notes) for one in columns.thrusters]
    columns_of_angles = [one.measured.get('angle') for one in columns.thrusters]
    angles = [np.full(len(time), np.nan) if column is None else _angle(table, column) for column in columns_of_angles]
    thrusts = {} if not any(one.bollard for one in columns.thrusters) else {'thrust': np.column_stack([
        _house(table, one.thrust) if one.thrust else
        thrust_of_revolutions(time, reading.revolutions, one.bollard, one.longest_gap)
        for one, reading in zip(columns.thrusters, readings)])}
    return {**thrusts, 'revolutions': np.column_stack([one.revolutions for one in readings]),
            'angle': np.column_stack(angles),
            'thruster_volts': np.column_stack([one.volts for one in readings]),
            'thruster_amperes': np.column_stack([one.amperes for one in readings]),
            'places': tuple(one.place for one in columns.thrusters)}


def _foils(table: Table, columns: ColumnMap) -> dict[str, Any]:
    """Return the angles of foils by the fields of Log; nothing where there are none."""
    if not columns.foils:
        return {}
    return {'foils': tuple(one.name for one in columns.foils),
            'foil_angle': np.column_stack([_angle(table, one.angle) for one in columns.foils])}


def _angle(table: Table, column: Column) -> np.ndarray:
    """Return an angle from the bow, rad counter-clockwise."""
    return _house(table, column) * (-1.0 if column.frame == 'frd' else 1.0)


def _house(table: Table, column: Column) -> np.ndarray:
    return table[column.header] * (column.factor * column.sign)


def _command(table: Table, column: Column, neutral: float) -> np.ndarray:
    values = table[column.header] * column.factor
    return values if column.sign > 0.0 else 2.0 * neutral - values


def _in_order(table: Table, time: np.ndarray, name: str, path: Path, notes: list[Note]) -> tuple[Table, np.ndarray]:
    """Return the rows with a time, in order of it, each time once, and the times (`stamps`)."""
    kept = np.flatnonzero(np.isfinite(time))
    if not len(kept):
        raise InputError(f'{path}: the time column {name!r} holds no number')
    if len(kept) < len(time):
        notes.append(Note(WARNING, 'rows_without_time', f'{len(time) - len(kept)} rows without a time are left out',
                          {'rows': len(time) - len(kept)}))
    if (twice := _twice(time[kept], [values[kept] for values in table.values() if values.dtype != object])).any():
        notes.append(Note(WARNING, 'rows_twice', f'{counted(int(twice.sum()), "row")} equal in time and all values to '
                          'one before (pasted twice, or downloads that overlap): each is counted once',
                          {'rows': int(twice.sum())}))
        kept = kept[~twice]
    times = clean_times(time[kept], f'the column {name!r}', path, notes)
    again = times.time[times.repeated]
    table, left = _joined(table, kept[times.rows], kept[times.repeated], times.rising, again, notes)
    if left:
        notes.append(Note(WARNING, 'times_repeated', f'{left} rows repeat the time of another and are left out',
                          {'rows': left}))
    kept = kept[times.rows]
    if len(kept) == 1 and len(time) > 1:
        raise InputError(f'{path}: the time column {name!r} is {time[kept[0]]:g} s in all {len(time)} rows')
    return {column: values[kept] for column, values in table.items()}, times.rising


def _joined(table: Table, kept: np.ndarray, repeated: np.ndarray, time: np.ndarray, again: np.ndarray,
            notes: list[Note]) -> tuple[Table, int]:
    """
    Return columns with empty cells filled by other rows of the same time, and how many of these fill none.

    :param kept: Rows, (n,), of `time`, s, rising; `repeated`: rows, (m,), of times `again`, s, of these.
    """
    found, gave = dict(table), np.zeros(repeated.size, dtype=bool)
    target = kept[np.searchsorted(time, again)]
    for name, values in table.items() if repeated.size else ():
        if values.dtype == object:
            continue
        there, other = values[target], values[repeated]
        fills = np.flatnonzero(np.isfinite(other) & ~np.isfinite(there))[::-1]  # The first stays.
        both = np.isfinite(other) & np.isfinite(there)
        if fills.size and 2 * np.count_nonzero(other[both] != there[both]) <= np.count_nonzero(both):  # Of one source.
            found[name] = values.copy()
            found[name][target[fills]] = values[repeated[fills]]
            gave[fills] = True
    if gave.any():
        notes.append(Note(INFO, 'rows_joined', f'{int(gave.sum())} rows are joined with one of the same time, which '
                          'lacks what they hold', {'rows': int(gave.sum())}))
    return found, int((~gave).sum())


def _twice(time: np.ndarray, columns: list[np.ndarray]) -> np.ndarray:
    """Return which rows are one before once more, (n,); none where no time goes back, or where only a rest is alike."""
    twice = np.zeros(time.size, dtype=bool)
    if (np.diff(time) < 0.0).any():
        seen: set[bytes] = set()
        for row, key in enumerate(values.tobytes() for values in np.column_stack([time, *columns])):
            twice[row] = key in seen
            seen.add(key)
    changes = any(len(np.unique(values[twice])) > LEAST_TWICE for values in columns)
    return twice if changes else np.zeros(time.size, dtype=bool)


def in_house_frames(series: Table, columns: ColumnMap) -> Table:
    """Return series in ENU and FLU from the frames that the map states: `physics.frames`, for arrays."""
    frames = {name: column.frame for name, column in columns.columns.items()}
    result = {name: values for name, values in series.items() if name not in ORIENTATION}
    if ORIENTATION[0] in series:
        yaw = unwrapped(yaw_of_quaternions(*(series[name] for name in ORIENTATION)))
        result['yaw'] = 0.5 * np.pi - yaw if frames[ORIENTATION[0]] == 'ned' else yaw
    for first, second in EARTH_PAIRS:
        if frames.get(first) == 'ned':
            result[first], result[second] = series[second], series[first]
    for name in ('yaw', 'course', 'current_direction', 'wind_direction'):
        if name not in series:
            continue
        angle = 0.5 * np.pi - series[name] if frames[name] == 'ned' else series[name]
        result[name] = angle if columns.columns[name].towards else angle + np.pi
    if 'variation' in series and 'yaw' in result:
        result['yaw'] = result['yaw'] - result['variation']
    result.pop('variation', None)
    for name, values in series.items():
        if QUANTITIES[name].frame == BODY and frames[name] == 'frd':
            result[name] = values if name in ('u', 'u_dot') else -values
    return result


def _note_constants(series: Table, table: Table, columns: ColumnMap, notes: list[Note]) -> None:
    for name in (one for one in series if one in columns.columns):
        values = series[name]
        known = values[np.isfinite(values)]
        column = columns.columns[name].header
        if not len(known):
            notes.append(Note(WARNING, 'column_empty', f'column {column!r} ({name}) holds no number'))
        elif len(known) > 2 and np.ptp(known) == 0.0 and name not in MAY_REST and not columns.exact:
            there = table[column][np.isfinite(table[column])][0]  # In the unit that the file has.
            notes.append(Note(WARNING, 'column_constant', f'column {column!r} ({name}) is {there:g} in all rows: '
                              'was it recorded?', {'value': float(known[0])}))
        elif len(known) < len(values):
            notes.append(Note(INFO, 'cells_empty', f'column {column!r} ({name}) is empty in {len(values) - len(known)} '
                              f'of {len(values)} rows', {'rows': len(values) - len(known)}))
