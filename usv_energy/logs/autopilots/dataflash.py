"""A log from an ArduPilot DataFlash file (.bin, or .log in text), and which of its outputs are the throttles."""

import io
import math
import mmap
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import LOGGED_PARAMETERS
from usv_energy.files.optional import optional
from usv_energy.files.text_file import open_text
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled, with_fixes
from usv_energy.logs.autopilots.vehicle import named_in_errors, vehicle_note, vehicle_of_firmware
from usv_energy.logs.batteries import RecordedBattery, together
from usv_energy.logs.derive import held
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.resets import POSITION_RESET, SHOWN, reset_notes, without_steps
from usv_energy.logs.stamps import clean_times, in_order

# In a text log: Type, Length, Name, Format, and the names of the columns, which hold the commas that part others.
TEXT_FORMAT = 'FMT'
NAMES_FROM = 4
TEXTS = frozenset('anNZ')  # Letters of formats that are text, or lists.


class TextFormat(NamedTuple):
    """The names of a message's columns; `instance_field`: nobody says it in a text log."""

    columns: list[str]
    format: str
    instance_field: None = None


class TextMessage:
    """A message, its fields as attributes: numbers, and texts of those columns that hold them."""

    def __init__(self, kind: str, fmt: TextFormat, cells: Sequence[str]) -> None:
        """
        Take the cells of a line.

        :raises ValueError: If one is no number.
        """
        self._kind, self.fmt = kind, fmt
        for name, letter, cell in zip(fmt.columns, fmt.format, cells):
            setattr(self, name, cell if letter in TEXTS else float(cell))

    def get_type(self) -> str:
        """Return the message's name."""
        return self._kind

    def get_fieldnames(self) -> list[str]:
        """Return the names of its fields."""
        return self.fmt.columns


def is_text_log(begin: bytes) -> bool:
    """Return whether the first bytes of a file are those of a DataFlash log in text."""
    return any(line.startswith(b'FMT,') for line in begin[:2000].split(b'\n')[:20])


def text_messages(path: Path, wanted: Sequence[str]) -> Iterator[TextMessage | None]:
    """
    Give the messages of some kinds; None for a line of them that does not fit its format.

    :param path: The .log file.
    :param wanted: Names of messages.
    """
    formats: dict[str, TextFormat] = {}
    kinds = frozenset(wanted)
    with open_text(path) as file:
        for line in file:
            kind, _, rest = line.partition(',')
            if kind == TEXT_FORMAT:
                cells = [cell.strip() for cell in rest.split(',')]
                if len(cells) > NAMES_FROM:
                    formats[cells[2]] = TextFormat(cells[NAMES_FROM:], cells[3])
            elif kind in kinds and kind in formats:
                fmt = formats[kind]
                cells = [cell.strip() for cell in rest.split(',', len(fmt.columns) - 1)]
                try:
                    yield TextMessage(kind, fmt, cells) if len(cells) == len(fmt.columns) else None
                except ValueError:
                    yield None


LEFT, RIGHT, THROTTLE = 73, 74, 70  # SERVOn_FUNCTION: ThrottleLeft, ThrottleRight, Throttle
USUAL = {'left': 1, 'right': 3}  # Channels of Rover's skid steering where the file has no parameters.
NEUTRAL = 1500.0  # us: SERVOn_TRIM where the file does not say it.

ESTIMATORS = ('XKF1', 'NKF1')  # EKF3, EKF2: velocity and position, NED
LANES = {'XKF1': 'XKF4', 'NKF1': 'NKF4'}  # Which message says by PI which core of an estimator is the primary one.
CHOSEN_EKF2 = 2.0  # AHRS_EKF_TYPE of a vehicle that goes by EKF2, where EKF3 may run beside it.
FIELDS = {'XKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'NKF1': ('VN', 'VE', 'PN', 'PE', 'Yaw'), 'ATT': ('Yaw',),
          'GPS': ('Lat', 'Lng', 'Spd', 'GCrs', 'Status'), 'BAT': ('Volt', 'Curr'), 'CURR': ('Volt', 'Curr'),
          'XKF4': ('PI',), 'NKF4': ('PI',)}
# Fields that number the instances of a message, where no FMTU marks one by the unit #.
INSTANCES = ('C', 'I', 'Inst', 'Instance')
# Messages that older firmware gave another name for each instance. Source: ArduPilot, LogStructure.h up to 4.0.
NUMBERED = {**{f'{kind}{number}': (kind, number - 1) for kind in ('BAT', 'GPS') for number in range(2, 10)},
            'CUR2': ('CURR', 1), **{f'{ekf}{first + 5 * core}': (f'{ekf}{first}', core)
                                    for ekf in ('XKF', 'NKF') for first in (1, 4) for core in (1, 2)}}
NO_FIX = 3  # GPS status from which there is a 3D fix
Table = dict[str, np.ndarray]
MOST_DAMAGED = 10_000    # Messages, and ten for each that is read: of more nothing comes, but each takes its time.
HEAD = 3     # Bytes of a message before its values.
FORMAT = re.compile(rb'\xa3\x95\x80(.)(.)', re.DOTALL)    # A message that says a message's number and length, bytes.


class ThrottleChannel(NamedTuple):
    """An output that is a throttle: `left` or `right`, its number from 1 on, the neutral pulse, us, and its sense."""

    name: str
    channel: int
    neutral: float
    mirrored: bool


def throttle_channels(parameters: Mapping[str, float], notes: list[Note]) -> list[ThrottleChannel]:
    """
    Return the outputs that are the left and the right throttle; none where there are not two.

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
            return []
        channels = USUAL
        notes.append(Note(WARNING, 'channels_assumed', 'no parameter says which outputs are the throttles '
                          '(SERVOn_FUNCTION 73 and 74): channels 1 and 3 are taken for left and right'))
    return [ThrottleChannel(name, channel, parameters.get(f'SERVO{channel}_TRIM', NEUTRAL),
                            bool(parameters.get(f'SERVO{channel}_REVERSED', 0.0)))
            for name, channel in channels.items()]


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
    found = []
    for throttle in throttle_channels(parameters, notes):
        if throttle.channel not in outputs:
            return ()
        command = held(time, stamps, outputs[throttle.channel])
        if throttle.mirrored:
            command = np.where(command > 0.0, 2.0 * throttle.neutral - command, np.nan)
        found.append(ThrusterSeries(throttle.name, None, np.where(command > 0.0, command, np.nan), throttle.neutral,
                                    throttle.mirrored))
    return tuple(found)


def read_dataflash(path: Path, max_gap: float | None = None,
                   progress: Callable[[int], None] = lambda messages: None) -> Log:
    """
    Return the log in a DataFlash file. The clock is the estimator's; the rest is brought to it.

    :param path: The .bin or .log file.
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
        clock, series = _motion(found, path, notes)
        time = series.pop('time')
        source = Source(path.stem, path, max_gap)
        batteries = [RecordedBattery(kind if not number else f'{kind}{number + 1}', table['time'], table['Volt'],
                                     table['Curr'])
                     for (kind, number), table in sorted(tables.items()) if kind in ('BAT', 'CURR')]
        series |= together(batteries, time, source, notes)
        names = ', '.join(sorted({kind for kind, _ in tables}))
        notes.append(Note(INFO, 'messages', f'the clock is {clock}; of: {names}'))
        thrusters = _commands(found, time, notes)
        return assembled(source._replace(notes=tuple(notes)), time, series, thrusters)


class _Found(NamedTuple):
    """The wanted messages as columns by kind and instance, time in s, strictly rising; parameters; texts of MSG."""

    tables: dict[tuple[str, int], Table]
    parameters: dict[str, float]
    texts: list[str]


def _read(path: Path, progress: Callable[[int], None], notes: list[Note]) -> _Found:
    rows: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    columns: dict[tuple[str, int], tuple[str, ...]] = {}
    parameters: dict[str, float] = {}
    texts: list[str] = []
    stamps: list[float] = []
    instances: dict[str, str] = {}
    damaged = 0
    for count, message in enumerate(_messages(path), start=1):
        if count % 100_000 == 0:
            progress(count)
        if len(parameters) > LOGGED_PARAMETERS:
            raise InputError(f'{path}: has more than {LOGGED_PARAMETERS} parameters')
        if message is None:  # A line of a text log.
            damaged += 1
            continue
        try:
            kind = message.get_type()
            if kind == 'PARM':
                parameters[str(message.Name)] = float(message.Value)
                continue
            if kind == 'MSG':
                texts.append(str(message.Message))
                continue
            if kind not in instances:
                instances[kind] = _instance_field(kind, message)
            field = instances[kind]
            key = NUMBERED.get(kind) or (kind, int(getattr(message, field) or 0) if field else 0)
            if key not in columns:
                wanted = FIELDS.get(key[0]) or [name for name in message.get_fieldnames() if name.startswith('C')]
                columns[key] = tuple(name for name in wanted if hasattr(message, name))
            stamp = _stamp(message, key[0], stamps)
            row = (len(stamps), *(float(getattr(message, name)) * _scale(message.fmt, name) for name in columns[key]))
            stamps.append(stamp)
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):  # of a format that is damaged
            damaged += 1
            if damaged > MOST_DAMAGED + 10 * len(stamps):
                raise InputError(f'{path}: of its first {count} messages {damaged} do not fit their format: '
                                 'the log is damaged') from None
            continue
        rows.setdefault(key, []).append(row)
    if damaged:
        notes.append(Note(WARNING, 'messages_damaged', f'{damaged} messages do not fit their format, or say no time, '
                          'and are left out', {'messages': damaged}))
    clock = clean_times(np.array(stamps), 'the messages', path, notes, mixed=True)
    tables = {}
    for key, found in rows.items():
        if not set(FIELDS.get(key[0], ())) - {'Status'} <= set(columns[key]):
            continue
        values = np.array(found, dtype=float)
        time = clock.time[values[:, 0].astype(int)]
        kept = in_order(time)
        if kept.size:
            tables[key] = dict(zip(('time', *columns[key]), (time[kept], *values[kept, 1:].T)))
    return _Found(tables, parameters, texts)


def _stamp(message: Any, kind: str, earlier: Sequence[float]) -> float:
    """
    Return when a message was logged, s since the start.

    Before TimeUS (2015) a GPS says it as T, else as TimeMS or Time of its own, ms; other messages as TimeMS, or not at
    all: these are then of the time before.

    :raises IndexError: If there was none.
    """
    if 'TimeUS' in message.fmt.columns:
        return float(message.TimeUS) * 1e-6
    for name in ('T', 'TimeMS', 'Time') if kind == 'GPS' else ('TimeMS',):
        if name in message.fmt.columns:
            return float(getattr(message, name)) * 1e-3
    return earlier[-1]


def _scale(fmt: Any, name: str) -> float:
    """Return what a field is multiplied by: volts and amperes that are whole numbers are hundredths."""
    return 0.01 if name in ('Volt', 'Curr') and fmt.format[fmt.columns.index(name)] in 'hH' else 1.0


def _instance_field(kind: str, message: Any) -> str:
    """Return the field that numbers the instances of a message's kind; empty where there is none."""
    if kind not in FIELDS:
        return ''
    return message.fmt.instance_field or next((name for name in INSTANCES if name in message.fmt.columns), '')


def _check_formats(path: Path) -> None:
    """Raise InputError for a format by which a message is shorter than its head: pymavlink never gets beyond it."""
    with path.open('rb') as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for found in FORMAT.finditer(content):
            if found[2][0] <= HEAD:
                raise InputError(f'{path}: byte {found.start()}: the message {found[1][0]} has {found[2][0]} bytes by '
                                 f'its format; must have at least {HEAD + 1}: the log is damaged')


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what pymavlink prints of what it stumbles over."""
    said, nowhere, stderr = io.StringIO(), os.open(os.devnull, os.O_WRONLY), os.dup(2)
    try:
        os.dup2(nowhere, 2)     # Its index is made by compiled code, which knows nothing of Python's streams.
        with redirect_stdout(said), redirect_stderr(said):
            yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)


def _messages(path: Path) -> Any:
    """Give the messages, whatever ended the file."""
    wanted = [*FIELDS, *NUMBERED, 'RCOU', 'PARM', 'MSG']
    with path.open('rb') as file:
        begin = file.read(2000)
    if is_text_log(begin):
        yield from text_messages(path, wanted)
        return
    base: Any = optional('pymavlink.DFReader', 'ardupilot', f'{path}: an ArduPilot log').DFReader_binary

    class Reader(base):  # type: ignore[misc]  # Of a library that has no types.
        """Reads times as they are logged: pymavlink's own search for the time of day may read the log twice."""

        def init_clock(self) -> None:
            self.init_clock_usec()

    if not begin.startswith(b'\xa3\x95'):
        raise InputError(f'{path}: is no log that is known here; one of ArduPilot (.bin) begins with A3 95')
    _check_formats(path)
    try:
        with _silence():
            reader = Reader(str(path))
        while True:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                message = reader.recv_match(type=wanted)
            if message is None:
                return
            yield message
    except Exception:   # pymavlink raises whatever its code stumbles over: KeyError, struct.error, bare Exception.
        raise InputError(f'{path}: is a damaged DataFlash log: pymavlink stops at a message that does not fit its '
                         'format') from None


def _motion(found: _Found, path: Path, notes: list[Note]) -> tuple[str, Table]:
    """Return the name of the clock's message, and the motion in ENU at its times."""
    tables = found.tables
    chosen = ESTIMATORS[::-1] if found.parameters.get('AHRS_EKF_TYPE') == CHOSEN_EKF2 else ESTIMATORS
    for kind in chosen:
        if own := _of_primary_core(tables, kind, notes):
            yaw = tables.get(('ATT', 0), own)
            turned = np.interp(own['time'], yaw['time'], np.unwrap(np.radians(yaw['Yaw'])))
            series = {'time': own['time'], 'x': own['PE'], 'y': own['PN'], 'velocity_x': own['VE'],
                      'velocity_y': own['VN'], 'yaw': 0.5 * np.pi - turned}
            gps = tables.get(('GPS', 0))
            return kind, series if gps is None else with_fixes(series, own['time'], gps['time'], gps['Lng'], gps['Lat'])
    receivers = {number: table for (kind, number), table in sorted(tables.items()) if kind == 'GPS'}
    if not receivers:
        names = ', '.join(sorted({kind for kind, _ in tables}))
        raise InputError(f'{path}: has no motion: neither {", ".join(ESTIMATORS)} nor GPS. There are: '
                         f'{names or "none of the messages that are read"}')
    fixes = {number: table.get('Status', np.full(len(table['time']), NO_FIX)) >= NO_FIX
             for number, table in receivers.items()}
    best = max(fixes, key=lambda number: (int(fixes[number].sum()), -number))
    if not fixes[best].any():
        raise InputError(f'{path}: its GPS never had a fix')
    if best:
        notes.append(Note(INFO, 'gps_chosen', f'of {len(receivers)} GPS receivers number {best} is taken, which had a '
                          'fix most often'))
    gps = {name: values[fixes[best]] for name, values in receivers[best].items()}
    notes.append(Note(WARNING, 'gps_only', 'there is no estimator in the log: motion is the GPS\'s'))
    series = {'time': gps['time'], 'longitude': gps['Lng'], 'latitude': gps['Lat'], 'speed': gps['Spd'],
              'course': towards_of(gps['GCrs'])}
    if attitude := tables.get(('ATT', 0)):
        turned = np.interp(gps['time'], attitude['time'], np.unwrap(np.radians(attitude['Yaw'])))
        series['yaw'] = 0.5 * np.pi - turned
    return 'GPS', series


def _of_primary_core(tables: Mapping[tuple[str, int], Table], kind: str, notes: list[Note]) -> Table:
    """
    Return the motion of the core that an estimator's vehicle went by at each time; empty where there is none.

    Where another core became the primary one, the step between their positions is taken out of what follows.
    """
    cores = {number: table for (name, number), table in sorted(tables.items()) if name == kind}
    lanes = [table for (name, _), table in sorted(tables.items()) if name == LANES[kind]]
    if not cores or not lanes:
        return next(iter(cores.values()), {})
    lane = max(lanes, key=lambda table: len(table['time']))
    primary = lane['PI'][np.flatnonzero(np.isfinite(lane['PI']))]
    missing = sorted({int(number) for number in primary} - set(cores))
    if not primary.size or set(primary.astype(int)) <= set(missing):
        notes.append(Note(WARNING, 'primary_core_missing', f'the primary core is {missing or "not said"}, but the log '
                          f'has {kind} of core {", ".join(map(str, cores))} only: its motion is that of core '
                          f'{min(cores)}'))
        return cores[min(cores)]
    rows = [(table, np.isin(held(np.maximum(table['time'], lane['time'][0]), lane['time'], lane['PI']), [number]))
            for number, table in cores.items()]
    names = next(iter(cores.values())).keys()
    own = {name: np.concatenate([table[name][mask] for table, mask in rows]) for name in names}
    number = np.concatenate([np.full(int(mask.sum()), core) for core, (_, mask) in zip(cores, rows)])
    kept = in_order(own['time'])
    own, number = {name: values[kept] for name, values in own.items()}, number[kept]
    if missing:
        notes.append(Note(WARNING, 'primary_core_missing', f'the primary core was at times {missing}, of which the log '
                          f'has no {kind}: nothing is known then'))
    changes = np.flatnonzero(np.diff(number)) + 1
    if not changes.size:
        if number[0] != min(cores):
            notes.append(Note(INFO, 'primary_core', f'the primary core is {number[0]} ({LANES[kind]}.PI): its motion '
                              'is taken'))
        return own
    time = own['time']
    steps = {name: np.array([_at(cores[number[row]], name, time[row]) - _at(cores[number[row - 1]], name, time[row])
                             for row in changes]) for name in ('PN', 'PE')}
    since = time[changes] - time[0]
    shown = ', '.join(f'core {number[row]} at {when:.1f} s' for row, when in zip(changes[:SHOWN], since))
    notes.append(Note(WARNING, 'primary_core_changed', f'the primary core changed {counted(len(changes), "time")} '
                      f'({LANES[kind]}.PI: {shown}{", ..." if len(changes) > SHOWN else ""}): the motion follows it',
                      {'changes': len(changes), 'first_s': float(since[0])}))
    notes += reset_notes(POSITION_RESET, since, np.hypot(steps['PN'], steps['PE']), 'another primary core')
    return {**own, **{name: without_steps(own[name], changes, step) for name, step in steps.items()}}


def _at(table: Table, name: str, time: float) -> float:
    return float(np.interp(time, table['time'], table[name]))


def _commands(found: _Found, time: np.ndarray, notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    if ('RCOU', 0) not in found.tables:
        return ()
    output = found.tables['RCOU', 0]
    channels = {int(name[1:]): values for name, values in output.items() if name[1:].isdigit()}
    return throttles(time, output['time'], channels, found.parameters, notes)
