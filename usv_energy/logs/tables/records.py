"""
A log from records of JSON: a list of mappings, a mapping a line, or the messages of topics, whatever wrote them.

Each is made flat, `pose.position.x`, and what its columns hold is recognised as of a table. Cockpit's logs (a list of
{epoch, data: {name: {value: "12.3 V"}}}) are read so, the subtitles that it makes of them (.ass), MCAP files whose
messages are JSON (Foxglove, BlueOS), what canboat's analyzer prints of NMEA 2000, as JSON or as text, and the logs of
Expedition (numbers of channels with their values).
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.files.limits import DOCUMENT_BYTES, check_bytes
from usv_energy.files.parsed_text import parsed_json
from usv_energy.files.text_file import open_text
from usv_energy.logs.calendar_time import noted_times
from usv_energy.logs.derive import held
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.stamps import clean_times
from usv_energy.logs.tables.column_map import ColumnMap
from usv_energy.logs.tables.csv_log import log_of_table, seconds_of_texts
from usv_energy.logs.tables.header_words import meaning_of
from usv_energy.logs.tables.recognise import log_of_columns, recognised_columns
from usv_energy.logs.tables.ways import ways_of

NUMBER_WITH_UNIT = re.compile(r'(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([^\d\s].{0,11})?')
DEEPEST = 6            # Levels of a record that are looked into.
MOST_NUMBERS = 40_000_000  # Of all columns together.
WIDEST = 2000          # Columns of all records together.
STAMPS = (('sec', 'nsec'), ('sec', 'nanosec'), ('secs', 'nsecs'))  # Of a time that is a mapping.
SUBTITLES = '[Script Info]'  # What Advanced SubStation Alpha begins with.
SHOWN = re.compile(r'(?m)^Dialogue: [^,\n]*,(\d+):(\d\d):(\d\d\.\d+),(?:[^,\n]*,){7}(.*)$')  # Begin, h, min, s; text.
# A line of canboat's analyzer: time, message, and what follows its name; a field of it.
PRINTED = re.compile(r'(?m)^(\d{4}-\d\d-\d\d[T-][\d:.]+Z?) +\d +\d+ +\d+ +(\d{5,6}) [^:\n]*:(.*)$')
FIELD = re.compile(r'([^=;\s][^=;]{0,99}?) = ([^;]*)')
EXPEDITION = '!boat,utc,'  # What the log of Expedition, a program of sailing yachts, begins with, in small letters.
EXPEDITION_ANGLES = ('COG', 'HDG', 'TWD', 'Set')  # Of its channels: all from true north, or all from magnetic.
LEAST_TURN = math.radians(2.0)  # By which its course must be off the places, in LEAST_TURNS ways or more,
LEAST_TURNS = 20
TURN_ERRORS = 5.0      # and by how many standard errors of the middle one.
NORMAL = 1.4826        # Standard deviation over median absolute deviation of a normal distribution.
DAYS = 1e9             # Larger times of Expedition are those of Windows, not days.
OF_CLOCK = ('Time', 'Date')  # Names of texts beside the times of the subtitles.
AXES = ('x', 'y', 'z', 'data', 'value')  # Names of fields that say nothing without that of their topic.
VECTOR = re.compile(r'speed|vel|acc|gyro|rate|force|wind|current|mag')  # In the name of a topic that is no place.
PLACES = ('latitude', 'x', 'east')  # Meanings of columns that say where the boat is: the clock is theirs.
# Classes of gpsd's records that say nothing of the own boat's motion: its GST has errors in metres as lat and lon.
OF_GPSD = ('AIS', 'DEVICE', 'DEVICES', 'ERROR', 'GST', 'LOG', 'OSC', 'POLL', 'PPS', 'RAW', 'RTCM2', 'RTCM3', 'SKY',
           'SUBFRAME', 'TOFF', 'VERSION', 'WATCH')
PERIODS = 10.0         # Of its own records that a value is held for, at most.
Row = dict[str, Any]


def read_records(path: Path, max_gap: float | None = None, columns: ColumnMap | None = None) -> Log:
    """
    Return the log of a file of JSON.

    :param path: A list of mappings, or a mapping a line.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param columns: What is at which keys, joined by points; None: it is recognised.
    :raises InputError: If it holds no records, or these neither a time nor a motion.
    """
    notes: list[Note] = []
    if columns is None and (messages := _of_analyzer(path, notes)):
        return log_of_topics(messages, path, max_gap, notes)
    table = columns_of_records(path, notes)
    turned = _to_true_north(table, notes)
    if columns is None:
        return _log(path, table, max_gap, notes, takes_map=not turned)
    lacking = next((name for name in columns.names() if name not in table), None)
    if lacking is not None:
        raise InputError(f'{path}: no record has {lacking!r}; there are: {", ".join(map(repr, list(table)[:20]))}')
    clock = columns.columns['time']
    if clock.calendar:
        table[clock.header] = seconds_of_texts(table, clock.header, clock.date, path, notes)
    if words := next((one.header for one in columns.every if table[one.header].dtype == object), None):
        raise InputError(f'{path}: {words!r} holds texts; must hold numbers')
    return log_of_table(path, table, columns if max_gap is None else replace(columns, max_gap=float(max_gap)), notes)


def _of_analyzer(path: Path, notes: list[Note]) -> list[tuple[str, float, Any]]:
    """Return the messages of NMEA 2000 that canboat's analyzer printed, with their times, s; none of another file."""
    records = _records(path, notes)
    rows = [one for one in records if isinstance(one, dict) and all(isinstance(one.get(key), kind) for key, kind in (
        ('pgn', int), ('fields', dict), ('timestamp', str)))]
    if len(rows) <= len(records) // 2:
        return []
    times = noted_times([one['timestamp'] for one in rows], path, 'timestamp', notes)
    return [(f'{one.get("pgn")}', when, one['fields']) for one, when in zip(rows, times.tolist())]


def columns_of_records(path: Path, notes: list[Note]) -> dict[str, np.ndarray]:
    """
    Return the records of a file of JSON as columns, by the keys that lead to them.

    :raises InputError: If it holds no records.
    """
    records = [one for one in _records(path, notes) if isinstance(one, dict)]
    if any(one.get('class') == 'TPV' for one in records):
        records = [one for one in records if one.get('class') not in OF_GPSD]
    rows = [row for one in records if (row := flat(one))]
    if not rows:
        raise InputError(f'{path}: is JSON, but no list of records, and not a record a line')
    return _columns(rows)


def log_of_topics(messages: Iterable[tuple[str, float, Any]], path: Path, max_gap: float | None,
                  notes: list[Note]) -> Log:
    """
    Return the log of messages of JSON of several topics, each at its own times.

    The rows are those of the topic that says where the boat is; of the others the last message before holds.

    :param messages: Topics, when they were recorded, s, and values of JSON.
    :param path: Of their file, for errors.
    :param max_gap: As `read_records`.
    :param notes: What was found so far.
    :raises InputError: If nothing says where the boat is, or how fast it goes.
    """
    rows: dict[str, list[Row]] = {}
    times: dict[str, list[float]] = {}
    for topic, when, value in messages:
        if isinstance(value, dict):
            row = flat(value)
            times.setdefault(topic, []).append(_own_time(value, when))
            rows.setdefault(topic, []).append({name: one for name, one in row.items() if not name.startswith(
                ('timestamp', 'header.', 'time_boot'))})
    tables = {topic: _columns(found) for topic, found in rows.items()}
    said = {topic: {meaning.name for name in table if (meaning := meaning_of(_header(topic, name)))}
            for topic, table in tables.items()}
    base = max((topic for topic in tables if said[topic]), default='', key=lambda topic: (
        any(name in said[topic] for name in PLACES), len(said[topic]), len(times[topic])))
    if not base:
        raise InputError(f'{path}: no message of JSON says what a boat did. There are: '
                         f'{", ".join(sorted(tables)[:20])}')
    clock = clean_times(np.array(times[base]), base, path, notes)
    table: dict[str, np.ndarray] = {'time [s]': clock.rising}
    headers = {'time [s]': 'time [s]'}
    for topic, columns in tables.items():
        stamps = np.array(times[topic])
        order = np.argsort(stamps, kind='stable')
        longest = PERIODS * float(np.median(np.diff(stamps[order]))) if stamps.size > 1 else np.inf
        for name, values in columns.items():
            if values.dtype != object:
                headers[f'{topic}.{name}'] = _header(topic, name)
                table[f'{topic}.{name}'] = values[clock.rows] if topic == base else held(
                    clock.rising, stamps[order], values[order], max(longest, 1.0))
    notes.append(Note(INFO, 'topics', f'the rows are those of {base}'))
    return _log(path, table, max_gap, notes, headers, False)


def _header(topic: str, name: str) -> str:
    """Return what a header would say of a field of a message; with the name of its topic where the field has none."""
    of = topic.rpartition('/')[2]
    named = name in AXES and (name in AXES[3:] or VECTOR.search(of.lower()))
    return f'{of}.{name}' if named or name.rpartition('.')[2] in AXES[3:] else name


def _log(path: Path, table: Mapping[str, np.ndarray], max_gap: float | None, notes: list[Note],
         headers: Mapping[str, str] | None = None, takes_map: bool = True) -> Log:
    found = recognised_columns(path, table, headers, takes_map)
    found.notes += notes
    return log_of_columns(found, max_gap)


def _own_time(value: Mapping[str, Any], received: float) -> float:
    """Return the stamp of a message, s; when it was received where it has none."""
    head = value.get('header')
    for stamp in (value.get('timestamp'), head.get('stamp') if isinstance(head, dict) else None):
        if isinstance(stamp, dict):
            for seconds, nanoseconds in STAMPS:
                if isinstance(stamp.get(seconds), int | float) and isinstance(stamp.get(nanoseconds), int | float):
                    return float(stamp[seconds]) + 1e-9 * float(stamp[nanoseconds])
    return received


def flat(value: Mapping[str, Any]) -> Row:
    """Return the numbers and texts of a record by the keys that lead to them, joined by points."""
    found: Row = {}
    _flatten(value, '', found, 0)
    return found


def _flatten(value: Any, name: str, found: Row, depth: int) -> None:
    if len(found) >= WIDEST or depth > DEEPEST:
        return
    if isinstance(value, dict):
        if isinstance(value.get('value'), str | int | float) and 'displayName' in value:  # Cockpit
            value = value['value']
        else:
            for key, inner in value.items():
                _flatten(inner, f'{name}.{key}' if name else str(key), found, depth + 1)
            return
    if isinstance(value, str):
        said = NUMBER_WITH_UNIT.fullmatch(value.strip())
        if said is not None:
            found[f'{name} [{said[2].strip()}]' if said[2] else name] = float(said[1])
        elif value:
            found[name] = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            found[name] = float(value)
        except OverflowError:
            return


def _columns(rows: list[Row]) -> dict[str, np.ndarray]:
    """Return records as columns: numbers, NaN where a record has none; texts where the first one is a text."""
    columns: dict[str, np.ndarray] = {}
    widest = min(WIDEST, MOST_NUMBERS // max(len(rows), 1))
    for at, row in enumerate(rows):
        for name, value in row.items():
            if name not in columns and len(columns) < widest:
                columns[name] = np.full(len(rows), '', object) if isinstance(value, str) else np.full(len(rows), np.nan)
            column = columns.get(name)
            if column is not None and isinstance(value, str) == (column.dtype == object):
                column[at] = value
    return columns


def _records(path: Path, notes: list[Note]) -> list[Any]:
    """Return the records of a file: of a list, of the longest list in mappings, of lists by their names, one a line."""
    check_bytes(path, DOCUMENT_BYTES, 'a log in JSON')
    with open_text(path) as file:
        text = file.read().lstrip('\ufeff')
    if text.startswith(SUBTITLES):
        return _subtitles(text)
    if PRINTED.match(text):
        return [{'timestamp': found[1], 'pgn': int(found[2]),
                 'fields': dict(FIELD.findall(found[3]))} for found in PRINTED.finditer(text)]
    lines = text.split('\n')
    if text[:len(EXPEDITION)].lower() == EXPEDITION:
        return _of_expedition(lines)
    if len(lines) > 1 and _is_record(lines[0]) and _is_record(lines[1] or lines[0]):
        found, damaged = [], 0
        for line in lines:
            if line.strip():
                try:
                    found.append(json.loads(line))
                except (ValueError, RecursionError):
                    damaged += 1
        if damaged:
            notes.append(Note(WARNING, 'lines_damaged', f'{damaged} lines are no JSON and are left out',
                              {'lines': damaged}))
        return found
    value = parsed_json(text, path)
    return value if isinstance(value, list) else _records_of_mapping(value) if isinstance(value, dict) else []


def _records_of_mapping(document: Mapping[str, Any]) -> list[Any]:
    """Return the records in a mapping: the longest list of mappings anywhere in it, or its columns of one length."""
    lists: list[list[Any]] = []
    inside: list[tuple[Any, int]] = [(document, 0)]
    while inside:
        value, depth = inside.pop()
        if isinstance(value, dict) and depth < DEEPEST:
            inside += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
            lists.append(value)
    if lists:
        return max(lists, key=len)
    # As pandas writes a table: lists, or mappings from the numbers of rows, by the names of columns.
    columns = {name: list(inner.values()) if isinstance(inner, dict) else inner for name, inner in document.items()
               if isinstance(inner, list | dict) and len(inner) > 1}
    if columns and len(columns) == len(document) and len(set(map(len, columns.values()))) == 1:
        return [dict(zip(columns, row)) for row in zip(*columns.values())]
    return [document]


def _subtitles(text: str) -> list[Row]:
    """Return what Cockpit's subtitles show at each time, `Heading: 90 °` in each line of them."""
    shown: dict[float, Row] = {}
    for hours, minutes, seconds, said in SHOWN.findall(text):
        when = 3600.0 * int(hours) + 60.0 * int(minutes) + float(seconds)
        shown.setdefault(when, {'time [s]': when}).update(
            (name, value.strip()) for name, mark, value in (line.partition(': ') for line in said.split(r'\N'))
            if mark and name not in OF_CLOCK)
    return list(shown.values())


def _of_expedition(lines: list[str]) -> list[Row]:
    """Return the rows of the own boat, 0: a time and numbers of channels, each with its value, or columns."""
    rows: list[Row] = []
    names: list[str] = []
    channels: dict[str, str] = {}
    for boat, *cells in (line.strip().split(',') for line in lines):
        if boat == '0' and cells:
            said = zip(map(channels.get, cells[1::2]), cells[2::2]) if channels else zip(names, cells)
            rows.append({'Utc': cells[0], **{name: value for name, value in said if name and value}})
        elif boat.lower() == '!boat' and cells[:1] == ['Utc']:
            names = cells
        elif boat.lower() == '!boat':
            channels = dict(zip(cells, names))
    return rows


def _to_true_north(table: dict[str, np.ndarray], notes: list[Note]) -> bool:
    """Turn Expedition's angles to true north, where the places tell that its course is of a needle; return whether."""
    needed = [table.get(name) for name in ('Utc', 'Lat', 'Lon', 'COG')]
    if any(one is None or one.dtype == object or not np.isfinite(one).any() for one in needed):
        return False
    time, latitude, longitude, course = (one for one in needed if one is not None)
    east, north = metres_per_degree(min(max(float(np.nanmedian(latitude)), -89.0), 89.0))
    seconds = time * (86400.0 if np.nanmax(time) < DAYS else 1e-7)
    turns = ways_of(seconds, east * longitude, north * latitude).turns_from(np.radians(90.0 - course))
    if turns.size < LEAST_TURNS:
        return False
    turn = float(np.median(turns))
    error = NORMAL * float(np.median(np.abs(turns - turn))) / math.sqrt(turns.size)
    if abs(turn) < max(LEAST_TURN, TURN_ERRORS * error):
        return False
    angles = [name for name in EXPEDITION_ANGLES if name in table and table[name].dtype != object]
    for name in angles:
        table[name] = (table[name] - math.degrees(turn)) % 360.0
    notes.append(Note(WARNING, 'magnetic_heading', f'the places go {abs(math.degrees(turn)):.1f} deg to '
                      f'{"port" if turn > 0.0 else "starboard"} of the course {"COG"!r}, as where it is from magnetic '
                      f'north: {", ".join(map(repr, angles))} are turned by as much', {'turn_rad': turn}))
    return True


def _is_record(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
