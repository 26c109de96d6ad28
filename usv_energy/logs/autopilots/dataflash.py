"""A log from an ArduPilot DataFlash file (.bin), and which of its outputs are the throttles."""

import io
import math
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled
from usv_energy.logs.autopilots.vehicle import named_in_errors, vehicle_note, vehicle_of_firmware
from usv_energy.logs.batteries import RecordedBattery, together
from usv_energy.logs.derive import held
from usv_energy.logs.local_origin import with_fixes
from usv_energy.logs.log import INFO, WARNING, Log, Note

LEFT, RIGHT, THROTTLE = 73, 74, 70  # SERVOn_FUNCTION: ThrottleLeft, ThrottleRight, Throttle
USUAL = {'left': 1, 'right': 3}  # Channels of Rover's skid steering where the file has no parameters.
NEUTRAL = 1500.0  # us: SERVOn_TRIM where the file does not say it.

ESTIMATORS = ('XKF1', 'NKF1')  # EKF3, EKF2: velocity and position, NED
FIELDS = {'XKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'NKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'ATT': ('Yaw',),
          'GPS': ('Lat', 'Lng', 'Spd', 'GCrs', 'Status'), 'BAT': ('Volt', 'Curr'), 'CURR': ('Volt', 'Curr')}
INSTANCE = {'XKF1': 'C', 'NKF1': 'C', 'GPS': 'I', 'BAT': 'Instance'}
BATTERIES = ('BAT', 'BAT2', 'BAT3', 'BAT4')  # A second instance of BAT is called BAT2 here, and so on.
NO_FIX = 3  # GPS status from which there is a 3D fix
Table = dict[str, np.ndarray]


def throttles(time: np.ndarray, stamps: np.ndarray, outputs: Mapping[int, np.ndarray],
              parameters: Mapping[str, float], notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    """
    Return the commands of the left and the right throttle, more being ahead; none where there are not two.

    :param time: Wanted, s, shape (n,).
    :param stamps: Of the outputs, s, rising, shape (m,).
    :param outputs: Pulse widths by channel, from 1 on, us, shape (m,) each; 0 where there was none.
    :param parameters: By their names: SERVOn_FUNCTION, _TRIM, _REVERSED.
    :param notes: What is assumed is added to these.
    """
    functions = {int(value): int(name[5:-9]) for name, value in parameters.items()
                 if re.fullmatch(r'SERVO[0-9]+_FUNCTION', name) and math.isfinite(value)}
    if LEFT in functions and RIGHT in functions:
        channels = {'left': functions[LEFT], 'right': functions[RIGHT]}
    else:
        if THROTTLE in functions:
            notes.append(Note(INFO, 'one_throttle', f'the parameters name one throttle (SERVO{functions[THROTTLE]}_'
                              f'FUNCTION {THROTTLE}), none on the left and right (73 and 74): no commands are read'))
            return ()
        channels = USUAL
        notes.append(Note(WARNING, 'channels_assumed', 'no parameter says which outputs are the throttles '
                          '(SERVOn_FUNCTION 73 and 74): channels 1 and 3 are taken for left and right'))
    found = []
    for name, channel in channels.items():
        if channel not in outputs:
            return ()
        neutral = parameters.get(f'SERVO{channel}_TRIM', NEUTRAL)
        command = held(time, stamps, outputs[channel])
        mirrored = bool(parameters.get(f'SERVO{channel}_REVERSED', 0.0))
        if mirrored:
            command = np.where(command > 0.0, 2.0 * neutral - command, np.nan)
        found.append(ThrusterSeries(name, None, np.where(command > 0.0, command, np.nan), neutral, mirrored))
    return tuple(found)


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
    found = _read(path, progress, notes)
    tables = found.tables
    if vehicle := vehicle_of_firmware(found.texts, found.parameters):
        notes.append(vehicle_note(vehicle))
    with named_in_errors(vehicle):
        clock, series = _motion(tables, path, notes)
        time = series.pop('time')
        source = Source(path.stem, path, max_gap)
        batteries = [RecordedBattery(name, table['time'], table['Volt'], table['Curr'])
                     for name in (*BATTERIES, 'CURR') if (table := tables.get(name))]
        series |= together(batteries, time, source, notes)
        notes.append(Note(INFO, 'messages', f'the clock is {clock}; of: {", ".join(sorted(tables))}'))
        thrusters = _commands(found, time, notes)
        return assembled(source._replace(notes=tuple(notes)), time, series, thrusters)


class _Found(NamedTuple):
    """The wanted messages as columns, time in s, of the first instance of each sensor; parameters; texts of MSG."""

    tables: dict[str, Table]
    parameters: dict[str, float]
    texts: list[str]


def _read(path: Path, progress: Callable[[int], None], notes: list[Note]) -> _Found:
    rows: dict[str, list[tuple[float, ...]]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    parameters: dict[str, float] = {}
    texts: list[str] = []
    damaged = 0
    for count, message in enumerate(_messages(path), start=1):
        if count % 100_000 == 0:
            progress(count)
        try:
            kind = message.get_type()
            if kind == 'PARM':
                parameters[str(message.Name)] = float(message.Value)
                continue
            if kind == 'MSG':
                texts.append(str(message.Message))
                continue
            instance = int(getattr(message, INSTANCE.get(kind, ''), 0) or 0)
            if instance and kind == 'BAT' and instance < len(BATTERIES):
                kind = BATTERIES[instance]
            elif instance:
                continue
            if kind not in columns:
                wanted = _fields(kind) or [name for name in message.get_fieldnames() if name.startswith('C')]
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
        if not set(_fields(kind)) - {'Status'} <= set(columns[kind]):
            continue
        values = np.array(found, dtype=float)
        kept = np.flatnonzero(np.diff(np.maximum.accumulate(values[:, 0]), prepend=-np.inf) > 0.0)
        tables[kind] = dict(zip(('time', *columns[kind]), values[kept].T))
    return _Found(tables, parameters, texts)


def _fields(kind: str) -> tuple[str, ...]:
    return FIELDS.get('BAT' if kind in BATTERIES else kind, ())


def _messages(path: Path) -> Any:
    """Give the messages, whatever ended the file."""
    reader_class = optional('pymavlink.DFReader', 'ardupilot', f'{path}: an ArduPilot log').DFReader_binary
    with path.open('rb') as file:
        if file.read(2) != b'\xa3\x95':
            raise InputError(f'{path}: is no DataFlash log: it does not begin with one of its messages')
    wanted = [*FIELDS, 'RCOU', 'PARM', 'MSG']
    try:
        with redirect_stdout(io.StringIO()):  # on which pymavlink says what it stumbles over
            reader = reader_class(str(path))
        while True:
            with redirect_stdout(io.StringIO()):
                message = reader.recv_match(type=wanted)
            if message is None:
                return
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
            series = {'time': own['time'], 'x': own['PE'], 'y': own['PN'], 'velocity_x': own['VE'],
                      'velocity_y': own['VN'], 'yaw': 0.5 * np.pi - turned}
            gps = tables.get('GPS')
            return kind, series if gps is None else with_fixes(series, own['time'], gps['time'], gps['Lng'], gps['Lat'])
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
              'course': towards_of(gps['GCrs'])}
    if 'ATT' in tables:
        turned = np.interp(gps['time'], tables['ATT']['time'], np.unwrap(np.radians(tables['ATT']['Yaw'])))
        series['yaw'] = 0.5 * np.pi - turned
    return 'GPS', series


def _commands(found: _Found, time: np.ndarray, notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    if 'RCOU' not in found.tables:
        return ()
    output = found.tables['RCOU']
    channels = {int(name[1:]): values for name, values in output.items() if name[1:].isdigit()}
    return throttles(time, output['time'], channels, found.parameters, notes)
