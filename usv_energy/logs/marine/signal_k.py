"""
A log from deltas of Signal K, one a line, as its server logs them; or a list of them, or what its history API answers.

Source: Signal K 1.7, its data model (https://signalk.org/specification): all in SI, angles clockwise from north.
"""

import json
import math
import operator
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import open_text
from usv_energy.logs.assemble import Source
from usv_energy.logs.calendar_time import noted_times
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.streams import Stream, ThrusterStreams, log_of_streams

# Paths by what they are; the first of several that a file has is taken.
PATHS = {
    'speed': ('navigation.speedOverGround',), 'course': ('navigation.courseOverGroundTrue',),
    'yaw': ('navigation.headingTrue', 'navigation.headingMagnetic', 'navigation.attitude.yaw'),
    'r': ('navigation.rateOfTurn',),
    'through_water': ('navigation.speedThroughWater',),
    'wind_speed': ('environment.wind.speedOverGround', 'environment.wind.speedTrue'),
    'wind_direction': ('environment.wind.directionTrue',), 'true_wind_speed': ('environment.wind.speedTrue',),
    'true_wind_angle': ('environment.wind.angleTrueGround', 'environment.wind.angleTrueWater'),
    'apparent_wind_speed': ('environment.wind.speedApparent',),
    'apparent_wind_angle': ('environment.wind.angleApparent',), 'current_speed': ('environment.current.drift',),
    'current_direction': ('environment.current.setTrue',)}
DELTA_ELEMENTS = 10_000    # Commas and lists of a delta.
POSITION, VARIATION = 'navigation.position', 'navigation.magneticVariation'
SELF = 'vessels.self'  # The own vessel, and the one meant where a delta names none.
WHERE = frozenset(('longitude', *PATHS['speed'], *PATHS['through_water']))
BATTERY = re.compile(r'electrical\.batteries\.([^.]+)\.(voltage|current|power)$')
ENGINE = re.compile(r'propulsion\.([^.]+)\.revolutions$')
FACTORS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    'yaw': lambda a: 0.5 * math.pi - a, 'course': lambda a: 0.5 * math.pi - a, 'r': lambda rate: -rate,
    'wind_direction': lambda a: 1.5 * math.pi - a, 'current_direction': lambda a: 0.5 * math.pi - a,
    'apparent_wind_angle': operator.neg, 'true_wind_angle': operator.neg}
SIDES = {'port': 'left', 'left': 'left', 'starboard': 'right', 'right': 'right'}
Rows = dict[str, list[tuple[Any, float]]]
Sources = dict[tuple[str, str], list[tuple[Any, float]]]  # Times and values by path and who sent them.
RECEIVED = 'received'  # Key of a delta for when the server wrote it down.
SENDER = ('label', 'src', 'talker', 'pgn', 'sentence')  # Keys of a source that say who sent what.
PATHED = tuple(dict.fromkeys(path for paths in PATHS.values() for path in paths))
MOSTLY = 0.95
HISTORY = re.compile(rb'(?s)\s*\{(?!.*"updates")(?=.*"values"\s*:\s*\[\s*\{\s*"path").*"data"\s*:\s*\[\s*\[')
HISTORY_HEAD = 4000  # Bytes in which an answer of the history API names its paths.


def is_delta(value: Any) -> bool:
    """Return whether a value of JSON is a delta, or a list of them."""
    one = value[0] if isinstance(value, list) and value else value
    return isinstance(one, dict) and isinstance(one.get('updates'), list)


def is_history(begin: bytes) -> bool:
    """Return whether a file that begins so is an answer of the history API: paths, and a row of values a time."""
    return HISTORY.match(begin[:HISTORY_HEAD]) is not None


def read_signal_k(path: Path, max_gap: float | None = None,
                  progress: Callable[[int], None] = lambda deltas: None) -> Log:
    """
    Return the log of deltas of Signal K.

    :param path: A text file with one delta a line, a JSON list of deltas, or an answer of the history API.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of deltas read.
    :raises InputError: If it holds none, or none of a vessel's position or speed.
    """
    notes: list[Note] = []
    rows = _rows(path, notes, progress)
    if not rows:
        raise InputError(f'{path}: holds no delta of Signal K with times and values')
    chosen = {name: found for name, paths in PATHS.items() if (found := next((one for one in paths if one in rows),
                                                                             None))}
    streams = {name: _stream(rows[path_], path_, path, notes) for name, path_ in chosen.items()}
    streams |= {name: _stream(rows[name], POSITION, path, notes) for name in ('longitude', 'latitude') if name in rows}
    _off_needle(rows, chosen, streams, notes)
    streams = {name: one._replace(values=FACTORS[name](one.values)) if name in FACTORS else one
               for name, one in streams.items()}
    _battery(rows, streams, path, notes)
    engines = {said[1]: _stream(rows[name], name, path, notes) for name in rows if (said := ENGINE.match(name))}
    order = sorted(engines, key=lambda name: (SIDES.get(name) == 'right', name))
    thrusters = tuple(ThrusterStreams(SIDES.get(name, name), None, engines[name]) for name in order)
    return log_of_streams(streams, Source(path.stem, path, max_gap, tuple(notes)), thrusters)


def _off_needle(rows: Rows, chosen: dict[str, str], streams: dict[str, Stream], notes: list[Note]) -> None:
    """Turn a magnetic heading to true north where the variation is said."""
    if chosen.get('yaw', '').endswith('attitude.yaw'):
        notes.append(Note(WARNING, 'heading_of_attitude', 'the heading is the yaw of navigation.attitude: it is taken '
                          'as counted from true north'))
    if chosen.get('yaw', '').endswith('Magnetic'):
        said = [value for _, value in rows.get(VARIATION, ())]
        if said:
            streams['yaw'] = streams['yaw']._replace(values=streams['yaw'].values + float(np.median(said)))
        else:
            notes.append(Note(WARNING, 'magnetic_heading', 'the heading is that of a needle (headingMagnetic): '
                              'declination is not taken off'))


def _battery(rows: Rows, streams: dict[str, Stream], path: Path, notes: list[Note]) -> None:
    """Add volts, and amperes that discharging makes positive, of the battery that has most values."""
    found: dict[str, dict[str, str]] = {}
    for name in rows:
        if (said := BATTERY.match(name)) is not None:
            found.setdefault(said[1], {})[said[2]] = name
    if not found:
        return
    best = max(found, key=lambda one: ('current' in found[one], len(rows[found[one].get('voltage', next(iter(
        found[one].values())))])))
    for part, name in (('voltage', 'volts'), ('current', 'amperes')):
        if part in found[best]:
            one = _stream(rows[found[best][part]], found[best][part], path, notes)
            # A current out of the battery is positive; some gateways send it the other way.
            turned = part == 'current' and float(np.mean(one.values < 0.0)) > MOSTLY
            streams[name] = one._replace(values=-one.values) if turned else one
    if len(found) > 1:
        notes.append(Note(INFO, 'battery_chosen', f'of several batteries {best} is taken: {", ".join(sorted(found))}'))


def _stream(rows: list[tuple[Any, float]], name: str, path: Path, notes: list[Note]) -> Stream:
    return Stream(_times(rows, path, notes), np.array([value for _, value in rows], dtype=float), name)


def _times(rows: list[tuple[Any, float]], path: Path, notes: list[Note]) -> np.ndarray:
    """Return when rows were sent, s."""
    times = [when for when, _ in rows]
    if all(isinstance(when, float) for when in times):
        return np.array(times)
    return noted_times([str(when) for when in times], path, 'timestamp', notes)


def _rows(path: Path, notes: list[Note], progress: Callable[[int], None]) -> Rows:
    """Return times and values by path, of the own vessel, else of the one that says most; a position in two."""
    vessels: dict[str, Sources] = {}
    damaged, hello = 0, ''
    for count, delta in enumerate(_deltas(path), start=1):
        if count % 100_000 == 0:
            progress(count)
        if delta is None:
            damaged += 1
            continue
        if not is_delta(delta):
            hello = str(delta['self'])
            continue
        context = str(delta.get('context', SELF))
        rows = vessels.setdefault(SELF if hello and context.endswith(hello) else context, {})
        for update in delta['updates']:
            if isinstance(update, dict):
                _take(update, delta.get(RECEIVED), rows)
    if damaged:
        notes.append(Note(WARNING, 'lines_damaged', f'{damaged} lines are no delta and are left out',
                          {'lines': damaged}))
    own = max(vessels, key=lambda name: sum(map(len, vessels[name].values())), default='')
    own = SELF if any(name in WHERE for name, _ in vessels.get(SELF, ())) else own
    if len(vessels) > 1:
        notes.append(Note(INFO, 'other_vessels', f'of {len(vessels)} vessels {hello if own == SELF and hello else own} '
                          f'is taken, which {"is the own one" if own == SELF else "says most"}'))
    return _of_one_sender(vessels.get(own, {}), path, notes)


def _of_one_sender(rows: Sources, path: Path, notes: list[Note]) -> Rows:
    """
    Return the rows of one sender a path, since two receivers are at two places and may have two clocks.

    It is the one that says most while the sender with most values in all does: of a GPS whose messages are stamped by
    the bus and by the satellites those that go with the other instruments.
    """
    if not rows:
        return {}
    senders: dict[str, list[str]] = {}
    for name, sender in rows:
        senders.setdefault(name, []).append(sender)
    busiest = _times(max(rows.values(), key=len), path, [])

    def meanwhile(name: str, sender: str) -> int:
        when = _times(rows[name, sender], path, [])
        return int(((when >= busiest.min()) & (when <= busiest.max())).sum())

    found: Rows = {}
    for name, several in senders.items():
        best = max(several, key=lambda sender: meanwhile(name, sender)) if len(several) > 1 else several[0]
        found[name] = rows[name, best]
    if several := [name for name in ('longitude', *PATHED) if len(senders.get(name, ())) > 1]:
        notes.append(Note(INFO, 'sender_chosen', 'of several senders the one is taken that says most: '
                          + ', '.join(POSITION if name == 'longitude' else name for name in several)))
    return found


def _take(update: dict[str, Any], received: Any, rows: Sources) -> None:
    source = update.get('source')
    source = source if isinstance(source, dict) else {}
    when = update.get('timestamp', source.get('timestamp', received))
    values = update.get('values')
    if when is None or not isinstance(values, list):
        return
    sender = str(update.get('$source', '')) or ' '.join(str(source[key]) for key in SENDER if key in source)
    for one in values:
        if not isinstance(one, dict) or not isinstance(one.get('path'), str):
            continue
        value = one.get('value')
        if one['path'] == POSITION and isinstance(value, dict):
            for name in ('longitude', 'latitude'):
                if isinstance(value.get(name), int | float):
                    rows.setdefault((name, sender), []).append((when, float(value[name])))
            continue
        parts = {f'{one["path"]}.{key}': part for key, part in value.items()} if isinstance(value, dict) else {
            one['path']: value}
        for name, part in parts.items():
            if isinstance(part, int | float) and not isinstance(part, bool):
                rows.setdefault((name, sender), []).append((when, float(part)))


def _deltas(path: Path) -> Iterator[dict[str, Any] | None]:
    """Give the deltas of a file, and the server's hello, which has `self`; None for a line that should be one."""
    with open_text(path) as file:
        begin = file.read(HISTORY_HEAD)
        file.seek(0)
        if is_history(begin.encode()):
            yield from _of_history(read_json(path, 'an answer of the history API'))
            return
        if begin[:1] == '[':
            listed = read_json(path, 'a log in one list of JSON')
            yield from (one if is_delta(one) and isinstance(one, dict) else None for one in listed)
            return
        for line in file:
            place = line.find('{')
            if place < 0:
                continue
            if line.count('[') + line.count(',') > DELTA_ELEMENTS:
                yield None
                continue
            try:
                value = json.loads(line[place:])
            except (ValueError, RecursionError):
                yield None
                continue
            if not isinstance(value, dict) or not (is_delta(value) or 'self' in value):
                continue
            head = line[:place].split(';')[0].strip()
            if head.isdigit():  # The server's own log: ms since 1970; source; delta.
                value[RECEIVED] = int(head) * 1e-3
            yield value


def _of_history(answer: dict[str, Any]) -> Iterator[dict[str, Any] | None]:
    """Give a delta a row of an answer of the history API; None for a row that is none. A position is [lon, lat]."""
    columns, rows = answer.get('values'), answer.get('data')
    if not isinstance(columns, list) or not isinstance(rows, list):
        return
    paths = [one.get('path') if isinstance(one, dict) else None for one in columns]
    for row in rows:
        if not isinstance(row, list) or len(row) != 1 + len(paths):
            yield None
            continue
        values = [{'path': name, 'value': dict(zip(('longitude', 'latitude'), one)) if isinstance(one, list) else one}
                  for name, one in zip(paths, row[1:])]
        yield {'context': answer.get('context', SELF), 'updates': [{'timestamp': row[0], 'values': values}]}
