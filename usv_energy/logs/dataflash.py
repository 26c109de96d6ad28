"""
A log from an ArduPilot DataFlash file (.bin): the estimator's motion, attitude, thruster commands and the battery.

Read by pymavlink (an optional extra). ArduPilot's motion is in NED and FRD; its angles are in degrees.

Source: ArduPilot's log messages, https://ardupilot.org/rover/docs/logmessages.html.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from .assemble import Source, ThrusterSeries, assembled
from .log import INFO, WARNING, Log, Note
from .resample import held, interpolated

ESTIMATORS = ('XKF1', 'NKF1')  # EKF3, EKF2: velocity and position, NED
FIELDS = {'XKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'NKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'ATT': ('Yaw',),
          'GPS': ('Lat', 'Lng', 'Spd', 'GCrs', 'Status'), 'BAT': ('Volt', 'Curr'), 'CURR': ('Volt', 'Curr')}
INSTANCE = {'XKF1': 'C', 'NKF1': 'C', 'GPS': 'I', 'BAT': 'Instance'}
LEFT, RIGHT = 73, 74  # SERVOn_FUNCTION: ThrottleLeft, ThrottleRight
USUAL = {'left': 1, 'right': 3}  # Channels of Rover's skid steering where the file has no parameters.
NO_FIX = 3  # GPS status from which there is a 3D fix
Table = dict[str, np.ndarray]


def read_dataflash(path: Path, max_gap: float | None = None,
                   progress: Callable[[int], None] = lambda messages: None) -> Log:
    """
    Return the log in a DataFlash file. The clock is the estimator's; the rest is brought to it.

    :param path: The .bin file.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of messages read.
    :raises InputError: Where pymavlink is not installed; if it is no such file, or holds no motion.
    """
    notes: list[Note] = []
    tables, parameters = _tables(path, progress, notes)
    clock, series = _motion(tables, path, notes)
    time = series.pop('time')
    source = Source(path.stem, path, max_gap)
    battery = tables.get('BAT') or tables.get('CURR')
    if battery:
        for name, column in (('volts', 'Volt'), ('amperes', 'Curr')):
            series[name] = interpolated(time, battery['time'], battery[column],
                                        source.longest_step(battery['time']))
    notes.append(Note(INFO, 'messages', f'the clock is {clock}; of: {", ".join(sorted(tables))}'))
    thrusters = _thrusters(tables, parameters, time, notes)
    return assembled(source._replace(notes=tuple(notes)), time, series, thrusters)


def _tables(path: Path, progress: Callable[[int], None],
            notes: list[Note]) -> tuple[dict[str, Table], dict[str, float]]:
    """Return the wanted messages as columns, time in s, of the first instance of each sensor; and the parameters."""
    rows: dict[str, list[tuple[float, ...]]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    parameters: dict[str, float] = {}
    damaged = 0
    for count, message in enumerate(_messages(path), start=1):
        if count % 100_000 == 0:
            progress(count)
        try:
            kind = message.get_type()
            if kind == 'PARM':
                parameters[str(message.Name)] = float(message.Value)
                continue
            if int(getattr(message, INSTANCE.get(kind, ''), 0) or 0) != 0:
                continue
            if kind not in columns:
                wanted = FIELDS.get(kind) or [name for name in message.get_fieldnames() if name.startswith('C')]
                columns[kind] = tuple(name for name in wanted if hasattr(message, name))
            row = (message.TimeUS * 1e-6, *(float(getattr(message, name)) for name in columns[kind]))
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):  # of a format that is damaged
            damaged += 1
            continue
        rows.setdefault(kind, []).append(row)
    if damaged:
        notes.append(Note(WARNING, 'messages_damaged', f'{damaged} messages do not fit their format and are left out',
                          {'messages': damaged}))
    tables = {}
    for kind, found in rows.items():
        if not set(FIELDS.get(kind, ())) - {'Status'} <= set(columns[kind]):
            continue
        values = np.array(found, dtype=float)
        kept = np.flatnonzero(np.diff(np.maximum.accumulate(values[:, 0]), prepend=-np.inf) > 0.0)
        tables[kind] = dict(zip(('time', *columns[kind]), values[kept].T))
    return tables, parameters


def _messages(path: Path) -> Any:
    """Give the messages, whatever ended the file."""
    reader_class = optional('pymavlink.DFReader', 'ardupilot', f'{path}: an ArduPilot log').DFReader_binary
    with path.open('rb') as file:
        if file.read(2) != b'\xa3\x95':
            raise InputError(f'{path}: is no DataFlash log: it does not begin with one of its messages')
    wanted = [*FIELDS, 'RCOU', 'PARM']
    try:
        reader = reader_class(str(path))
        while (message := reader.recv_match(type=wanted)) is not None:
            yield message
    except Exception as error:  # pymavlink raises what its code stumbles over, and bare ones
        raise InputError(f'{path}: cannot be read as a DataFlash log: {error}') from None


def _motion(tables: dict[str, Table], path: Path, notes: list[Note]) -> tuple[str, Table]:
    """Return the name of the clock's message, and the motion in ENU at its times."""
    for kind in ESTIMATORS:
        if kind in tables:
            own = tables[kind]
            yaw = tables.get('ATT', own)
            turned = np.interp(own['time'], yaw['time'], np.unwrap(np.radians(yaw['Yaw'])))
            return kind, {'time': own['time'], 'x': own['PE'], 'y': own['PN'], 'velocity_x': own['VE'],
                          'velocity_y': own['VN'], 'yaw': 0.5 * np.pi - turned}
    if 'GPS' not in tables:
        raise InputError(f'{path}: has no motion: neither {", ".join(ESTIMATORS)} nor GPS. There are: '
                         f'{", ".join(sorted(tables)) or "none of the messages that are read"}')
    gps = tables['GPS']
    fixed = gps.get('Status', np.full(len(gps['time']), NO_FIX)) >= NO_FIX
    if not fixed.any():
        raise InputError(f'{path}: its GPS never had a fix')
    gps = {name: values[fixed] for name, values in gps.items()}
    notes.append(Note(WARNING, 'gps_only', 'there is no estimator in the log: motion is the GPS\'s'))
    series = {'time': gps['time'], 'longitude': gps['Lng'], 'latitude': gps['Lat'], 'speed': gps['Spd'],
              'course': 0.5 * np.pi - np.radians(gps['GCrs'])}
    if 'ATT' in tables:
        turned = np.interp(gps['time'], tables['ATT']['time'], np.unwrap(np.radians(tables['ATT']['Yaw'])))
        series['yaw'] = 0.5 * np.pi - turned
    return 'GPS', series


def _thrusters(tables: dict[str, Table], parameters: dict[str, float], time: np.ndarray,
               notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    """Return the commands of the two throttles, more being ahead, by the parameters that say where they are."""
    if 'RCOU' not in tables:
        return ()
    output = tables['RCOU']
    functions = {int(value): int(name[5:-9]) for name, value in parameters.items()
                 if re.fullmatch(r'SERVO[0-9]+_FUNCTION', name) and math.isfinite(value)}
    channels = {'left': functions.get(LEFT), 'right': functions.get(RIGHT)}
    if None in channels.values():
        channels = dict(USUAL)
        notes.append(Note(WARNING, 'channels_assumed', 'no parameter says which outputs are the throttles '
                          '(SERVOn_FUNCTION 73 and 74): channels 1 and 3 are taken for left and right'))
    found = []
    for name, channel in channels.items():
        if f'C{channel}' not in output:
            return ()
        neutral = parameters.get(f'SERVO{channel}_TRIM', 1500.0)
        command = held(time, output['time'], output[f'C{channel}'])
        if parameters.get(f'SERVO{channel}_REVERSED', 0.0):
            command = 2.0 * neutral - command
        found.append(ThrusterSeries(name, None, np.where(command > 0.0, command, np.nan), neutral))
    return tuple(found)
