"""
A log from PX4's ULog file (.ulg): the estimator's motion, attitude, motor commands and the batteries.

Read by pyulog (an optional extra). PX4's motion is in NED and FRD.

Source: PX4, ULog file format, https://docs.px4.io/main/en/dev_log/ulog_file_format.html; its messages, msg/*.msg.
"""

import io
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import DEPTH, ULOG_FIELDS, safe_name
from usv_energy.files.optional import optional
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled, with_fixes
from usv_energy.logs.autopilots.vehicle import Vehicle, named_in_errors, vehicle_note, vehicle_of_type
from usv_energy.logs.batteries import RecordedBattery, together
from usv_energy.logs.derive import held, interpolated
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.resets import (
    HEADING_RESET,
    POSITION_RESET,
    VELOCITY_RESET,
    counted_steps,
    reset_notes,
    turned_before,
    velocities_moved,
    without_steps,
)
from usv_energy.logs.stamps import CleanTimes, clean_times, times_of_clock

POSITION, ATTITUDE, RATES = 'vehicle_local_position', 'vehicle_attitude', 'vehicle_angular_velocity'
GPS, MOTORS, OUTPUTS = 'vehicle_gps_position', 'actuator_motors', 'actuator_outputs'
BATTERY, STATUS = 'battery_status', 'vehicle_status'
# The topics that are read, and the fields without which one is of no use.
TOPICS = {POSITION: ('x', 'y', 'vx', 'vy', 'xy_valid', 'v_xy_valid'), ATTITUDE: ('q[0]', 'q[1]', 'q[2]', 'q[3]'),
          RATES: ('xyz[2]',), GPS: ('fix_type', 'vel_n_m_s', 'vel_e_m_s', 'cog_rad'), MOTORS: ('control[0]',),
          OUTPUTS: ('output[0]',), BATTERY: ('voltage_v', 'current_a'), STATUS: ()}
PLACES = ({'longitude_deg', 'latitude_deg'}, {'lon', 'lat'})  # As the GPS topic has them, deg and 1e-7 deg
MAGIC = b'ULog\x01\x12\x35'
FIELD = re.compile(r'\s*([^\s\[]+)\[?(\d{0,5})')  # Kind and number of a field, as in `float[4] q`
UNKNOWN = -1.0                         # battery_status.current_a; other negative ones charge the battery
OF_ESCS = 2                            # battery_status.source: what speed controllers measure of the same battery
NO_FIX = 3                             # GPS fix_type from which there is a 3D fix
NEUTRAL, SPAN = 1500.0, 400.0          # us: of a motor's command from -1 to 1
SIDES = {'left': 1, 'right': 0}        # Motors of a differential rover, from 0 on. Source: PX4, DifferentialActControl.
FUNCTIONS = {'left': 102, 'right': 101}  # PWM_MAIN_FUNCn: Motor 2, Motor 1
VEHICLE_TYPES = {1: 2, 2: 1, 3: 10, 4: 7}  # MAV_TYPE by vehicle_status.vehicle_type
Table = dict[str, np.ndarray]


def read_ulog(path: Path, max_gap: float | None = None, progress: Callable[[int], None] = lambda messages: None) -> Log:
    """
    Return the log in a ULog file. The clock is that of the estimator's local position; the rest is brought to it.

    :param path: The .ulg file.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called with the number of messages read.
    :raises InputError: Where pyulog is not installed; if it is no such file, or holds no motion.
    """
    notes: list[Note] = []
    file, topics = _topics(path, notes)
    progress(sum(len(topic['timestamp']) for topic in topics.values()))
    return log_of_topics(topics, file.initial_parameters, Source(path.stem, path, max_gap), notes)


def log_of_topics(topics: Mapping[tuple[str, int], Mapping[str, np.ndarray]], parameters: Mapping[str, Any],
                  source: Source, notes: list[Note]) -> Log:
    """
    Return the log of PX4's topics.

    :param topics: By name and instance; fields as PX4 has them, `timestamp` in us, `q[0]` for the first of a list.
    :param parameters: Of the vehicle, by their names.
    :param source: Name and path.
    :param notes: What was found so far.
    :raises InputError: If they hold no motion.
    """
    tables = _timed(topics, source.path, notes)
    if vehicle := _vehicle(parameters, tables):
        notes.append(vehicle_note(vehicle))
    with named_in_errors(vehicle):
        clock, series = _motion(tables, source, notes)
        time = series.pop('time')
        series |= together(_batteries(tables), time, source, notes)
        names = ', '.join(sorted({name for name, _ in tables}))
        notes.append(Note(INFO, 'messages', f'the clock is {clock}; of: {names}'))
        thrusters = _motors(tables, time, notes) or _outputs(tables, parameters, time)
        return assembled(source._replace(notes=tuple(notes)), time, series, thrusters)


def _topics(path: Path, notes: list[Note]) -> tuple[Any, dict[tuple[str, int], Mapping[str, np.ndarray]]]:
    """Return the file, and its topics by name and instance."""
    reader = optional('pyulog', 'px4', f'{path}: a log of PX4')
    with path.open('rb') as start:
        if start.read(len(MAGIC)) != MAGIC:
            raise InputError(f'{path}: is no ULog file: it does not begin like one')
    _check_formats(path)
    try:
        with redirect_stdout(io.StringIO()):  # on which pyulog says what it stumbles over
            file = reader.ULog(str(path), list(TOPICS))
    except Exception as error:  # pyulog raises what its code stumbles over
        raise InputError(f'{path}: cannot be read as a ULog file: {error}') from None
    if file.file_corruption:
        notes.append(Note(WARNING, 'file_damaged', 'parts of the file are damaged and left out'))
    if file.dropouts:
        lost = 1e-3 * sum(dropout.duration for dropout in file.dropouts)
        notes.append(Note(WARNING, 'dropouts', f'the logger lost messages {len(file.dropouts)} times, for {lost:.2f} s '
                          'together', {'dropouts': len(file.dropouts), 'duration_s': lost}))
    topics = {}
    for found in file.data_list:
        if missing := missing_fields(found.name, found.data):
            notes.append(Note(WARNING, 'topic_damaged', f'the topic {found.name} has no {", ".join(missing)}, and is '
                              'left out'))
            continue
        topics[found.name, int(found.multi_id)] = found.data
    return file, topics


def _check_formats(path: Path) -> None:
    """Refuse formats that hold one another so often that a message could not: pyulog would unfold them all."""
    formats: dict[str, list[tuple[str, int]]] = {}
    with path.open('rb') as file:
        file.seek(16)
        while len(head := file.read(3)) == 3 and head[2:] not in (b'A', b'L'):  # from which on data come
            data = file.read(int.from_bytes(head[:2], 'little'))
            if head[2:] == b'F':
                name, _, fields = data.decode('utf-8', 'replace').partition(':')
                formats[name] = [(one[1], int(one[2] or 0)) for one in map(FIELD.match, fields.split(';')) if one]
    sizes: dict[str, int] = {}

    def fields_of(name: str, depth: int) -> int:
        if name not in sizes:
            if depth > DEPTH:
                raise InputError(f'{path}: the format {safe_name(name)} stands more than {DEPTH} formats deep')
            sizes[name] = sum(max(count, 1) * fields_of(kind, depth + 1) for kind, count in formats.get(name, ())) or 1
            if sizes[name] > ULOG_FIELDS:
                raise InputError(f'{path}: the format {safe_name(name)} has {sizes[name]} fields; at most '
                                 f'{ULOG_FIELDS}')
        return sizes[name]

    for name in formats:
        fields_of(name, 1)


def _timed(topics: Mapping[tuple[str, int], Mapping[str, np.ndarray]], path: Path,
           notes: list[Note]) -> dict[tuple[str, int], Table]:
    """Return topics with `time` in s, strictly rising; if the clock of the motion was set, that of all others was."""
    tables = {}
    clock: CleanTimes | None = None
    for key in sorted(topics, key=lambda key: (key != (POSITION, 0), key[0] != GPS, key)):
        data, name = topics[key], key[0]
        stamps = data['timestamp'].astype(float)
        sampled = data.get('timestamp_sample', np.zeros(0))
        time = 1e-6 * (sampled.astype(float) if sampled.size and (sampled > 0).all() else stamps)
        if clock is None:
            found = clock = clean_times(time, name, path, notes)
        else:
            found = times_of_clock(time, clock, name, notes)
        tables[key] = {'time': found.rising, **{
            name: np.asarray(values, dtype=float)[found.rows] for name, values in data.items()}}
    return tables


def missing_fields(topic: str, data: Mapping[str, np.ndarray]) -> list[str]:
    """Return the fields that a topic lacks of those without which it is of no use."""
    missing = [name for name in ('timestamp', *TOPICS.get(topic, ())) if name not in data]
    if topic == GPS and not any(pair <= set(data) for pair in PLACES):
        missing += sorted(PLACES[0])
    return missing


def _vehicle(parameters: Mapping[str, Any], tables: dict[tuple[str, int], Table]) -> Vehicle | None:
    """Return what the vehicle's status, or else a parameter, says that it is."""
    status = tables.get((STATUS, 0), {})
    for name, types in (('system_type', None), ('vehicle_type', VEHICLE_TYPES)):
        if name in status and len(status[name]):
            values, counts = np.unique(status[name], return_counts=True)
            number = int(values[np.argmax(counts)])
            if vehicle := vehicle_of_type(number if types is None else types.get(number, 0), f'{STATUS}.{name}'):
                return vehicle
    return vehicle_of_type(int(parameters.get('MAV_TYPE', 0)), 'the parameters')


def _motion(tables: dict[tuple[str, int], Table], source: Source, notes: list[Note]) -> tuple[str, Table]:
    """Return the name of the clock's topic, and the motion in ENU at its times."""
    position = tables.get((POSITION, 0), {})
    if position and position['v_xy_valid'].any():
        place, velocity = _without_resets(position, notes)
        clock, series = POSITION, {'time': position['time'], 'x': place[:, 1], 'y': place[:, 0],
                                   'velocity_x': velocity[:, 1], 'velocity_y': velocity[:, 0]}
        if fixes := tables.get((GPS, 0), {}):
            series = with_fixes(series, series['time'], fixes['time'], *_degrees(fixes))
    else:
        clock, series = GPS, _of_gps(tables, source.path)
        notes.append(Note(WARNING, 'gps_only', 'no estimator knows the velocity in this log: motion is the GPS\'s'))
    if attitude := tables.get((ATTITUDE, 0), {}):
        w, x, y, z = (attitude[f'q[{i}]'] for i in range(4))
        yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))  # of FRD in NED
        yaw = _aligned(np.unwrap(yaw), attitude, position, notes)
        series['yaw'] = 0.5 * np.pi - interpolated(series['time'], attitude['time'], yaw,
                                                   source.longest_interval(attitude['time']))
    for topic, column in ((RATES, 'xyz[2]'), (ATTITUDE, 'yawspeed')):
        table = tables.get((topic, 0), {})
        if column in table:
            longest = source.longest_interval(table['time'])
            series['r'] = -interpolated(series['time'], table['time'], table[column], longest)
            break
    return clock, series


def _without_resets(position: Table, notes: list[Note]) -> tuple[np.ndarray, np.ndarray]:
    """
    Return places, m, and velocities, m/s, north and east, shape (n, 2), NaN where not valid, without the resets.

    Source: PX4, msg/VehicleLocalPosition.msg: counters of resets, and what the last one changed.
    """
    time = position['time']
    placed, moving = position['xy_valid'] > 0.0, position['v_xy_valid'] > 0.0
    place = np.where(placed[:, None], np.column_stack([position['x'], position['y']]), np.nan)
    velocity = np.where(moving[:, None], np.column_stack([position['vx'], position['vy']]), np.nan)
    changes = np.diff(velocity, axis=0, prepend=velocity[:1])
    rows, steps = _steps(position, 'vxy_reset_counter', 'delta_vxy', changes)
    mean = velocity - 0.5 * changes
    moved = np.diff(place, axis=0, prepend=place[:1]) - mean * np.diff(time, prepend=time[0])[:, None]
    at, jumps = _steps(position, 'xy_reset_counter', 'delta_xy', moved)
    place = np.column_stack([without_steps(one, at, jump) for one, jump in zip(place.T, jumps.T)])
    notes += reset_notes(POSITION_RESET, time[at] - time[0], np.hypot(*jumps.T), 'xy_reset_counter')
    notes += reset_notes(VELOCITY_RESET, time[rows] - time[0], np.hypot(*steps.T), 'vxy_reset_counter')
    return place, velocities_moved(time, velocity, place, rows, steps)


def _steps(table: Table, counter: str, step: str, changes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first samples after resets and their steps, shape (k, 2); none where a log does not tell them."""
    names = [f'{step}[0]', f'{step}[1]']
    if not {counter, *names} <= set(table):
        return np.zeros(0, dtype=int), np.zeros((0, 2))
    return counted_steps(table[counter], np.column_stack([table[name] for name in names]), changes)


def _aligned(yaw: np.ndarray, attitude: Table, position: Table, notes: list[Note]) -> np.ndarray:
    """
    Return headings, rad clockwise from north, of which those before a reset are turned by its step.

    Source: PX4, msg/VehicleAttitude.msg: quat_reset_counter, delta_q_reset; of older firmware the local position's.
    """
    time = attitude['time']
    turned = np.diff(yaw, prepend=yaw[:1])[:, None]
    deltas = [f'delta_q_reset[{i}]' for i in range(4)]
    if {'quat_reset_counter', *deltas} <= set(attitude):
        w, x, y, z = (attitude[name] for name in deltas)
        step = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        rows, steps = counted_steps(attitude['quat_reset_counter'], step[:, None], turned)
    elif {'heading_reset_counter', 'delta_heading'} <= set(position):
        own = position['time']
        resets = np.flatnonzero(np.diff(position['heading_reset_counter']) != 0.0)
        counter, step = np.zeros(len(yaw)), np.zeros(len(yaw))
        for row in resets:
            first, last = np.searchsorted(time, (own[row], own[row + 1]), side='right')
            if last > first:
                at = first + int(np.abs(turned[first:last]).argmax())
                counter[at:] += 1.0
                step[at:] = position['delta_heading'][row + 1]
        rows, steps = counted_steps(counter, step[:, None], turned)
    else:
        return yaw
    notes += reset_notes(HEADING_RESET, time[rows] - time[0], steps[:, 0], 'the log counts the resets')
    return turned_before(yaw, rows, steps[:, 0])


def _of_gps(tables: dict[tuple[str, int], Table], path: Path) -> Table:
    gps = tables.get((GPS, 0), {})
    if not gps or not (fixed := gps['fix_type'] >= NO_FIX).any():
        raise InputError(f'{path}: has no motion: neither a velocity in {POSITION} nor a fix in {GPS}. There are: '
                         f'{", ".join(sorted({name for name, _ in tables})) or "none of the topics that are read"}')
    longitude, latitude = _degrees(gps)
    series = {'time': gps['time'], 'longitude': longitude, 'latitude': latitude, 'velocity_x': gps['vel_e_m_s'],
              'velocity_y': gps['vel_n_m_s'], 'course': 0.5 * np.pi - gps['cog_rad']}
    return {name: values[fixed] for name, values in series.items()}


def _degrees(gps: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return longitude and latitude of the GPS's topic, degrees; NaN without a fix."""
    longitude, latitude = (gps[name] for name in ('longitude_deg', 'latitude_deg')) if PLACES[0] <= set(gps) else (
        1e-7 * gps['lon'], 1e-7 * gps['lat'])
    fixed = gps['fix_type'] >= NO_FIX
    return np.where(fixed, longitude, np.nan), np.where(fixed, latitude, np.nan)


def _batteries(tables: dict[tuple[str, int], Table]) -> list[RecordedBattery]:
    """Return the batteries that are connected; what speed controllers measure only where nothing else does."""
    found = {instance: table for (name, instance), table in sorted(tables.items())
             if name == BATTERY and table.get('connected', np.ones(1)).any()}
    own = {instance: table for instance, table in found.items()
           if not (table.get('source', np.zeros(1)) == OF_ESCS).all()}
    return [RecordedBattery(f'{BATTERY} {instance}', table['time'],
                    np.where(table['voltage_v'] > 0.0, table['voltage_v'], np.nan),
                    np.where(table['current_a'] == UNKNOWN, np.nan, table['current_a']))
            for instance, table in (own or found).items()]


def _motors(tables: dict[tuple[str, int], Table], time: np.ndarray, notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    """Return the commands of two motors, from -1 to 1, as pulse widths; none where there are not just two."""
    table = tables.get((MOTORS, 0), {})
    controls = [table[name] for name in (f'control[{number}]' for number in range(12)) if name in table]
    used = [number for number, values in enumerate(controls) if np.isfinite(values).any()]
    if sorted(SIDES.values()) != used:
        return ()
    notes.append(Note(INFO, 'motors', f'of {MOTORS}, the first motor is the right one and the second the left one, as '
                      'PX4 has them on a differential rover'))
    return tuple(ThrusterSeries(name, None, held(time, table['time'], NEUTRAL + SPAN * controls[number]), NEUTRAL)
                 for name, number in SIDES.items())


def _outputs(tables: dict[tuple[str, int], Table], parameters: Mapping[str, Any],
             time: np.ndarray) -> tuple[ThrusterSeries, ...]:
    """Return the pulse widths of the outputs that the parameters name as the two motors; none where they do not."""
    table = tables.get((OUTPUTS, 0), {})
    channel = {int(value): int(name.removeprefix('PWM_MAIN_FUNC')) - 1 for name, value in parameters.items()
               if name.startswith('PWM_MAIN_FUNC') and name.removeprefix('PWM_MAIN_FUNC').isdigit()}
    if not table or not set(FUNCTIONS.values()) <= set(channel) or len([f for f in channel if 101 <= f <= 112]) != 2:
        return ()
    found = []
    for name, function in FUNCTIONS.items():
        if (values := table.get(f'output[{channel[function]}]')) is None:
            return ()
        found.append(ThrusterSeries(name, None, held(time, table['time'], np.where(values > 0.0, values, np.nan)),
                                    NEUTRAL))
    return tuple(found)
