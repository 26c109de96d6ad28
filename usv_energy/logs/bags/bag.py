"""
A log from a bag: of ROS 2 (MCAP or SQLite3), a folder or one of its files, or of ROS 1.

It needs no ROS and, unless it is compressed or of ROS 1, no library.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_yaml
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled, with_fixes
from usv_energy.logs.bags.bag_columns import BagFile, Columns, bag_columns, on_one_clock
from usv_energy.logs.bags.bag_topics import (
    BOAT_STATE,
    NAVSAT,
    ODOMETRY,
    POSES,
    SensorTopics,
    Topics,
    chosen_sensors,
    chosen_topics,
    has_odometry,
    topics_near,
)
from usv_energy.logs.bags.json_bag import json_log, json_topics
from usv_energy.logs.bags.mcap import McapFile
from usv_energy.logs.bags.px4_bag import px4_log, px4_topics
from usv_energy.logs.bags.ros1_bag import Ros1File
from usv_energy.logs.bags.sensor_motion import NO_FIX, joined_sensors
from usv_energy.logs.bags.sqlite_bag import SqliteFile
from usv_energy.logs.batteries import RecordedBattery, discharging_sign, together
from usv_energy.logs.derive import held, interpolated
from usv_energy.logs.log import HEAVE, INFO, PITCH, ROLL, WARNING, Log, Note
from usv_energy.sim.run_files import CellsTrace, HomeTrace, LegBegin

AXES, TWISTS = ('enu', 'ned'), ('body', 'world')


SUFFIXES: dict[str, Callable[[Path], BagFile]] = {'.mcap': McapFile, '.db3': SqliteFile, '.bag': Ros1File}


def is_bag(path: Path) -> bool:
    """Return whether a path is a bag's folder or one of its files."""
    return bool(_files_in(path)) if path.is_dir() else path.suffix in SUFFIXES


def read_bag(path: Path, odom: str | None = None, namespace: str | None = None, axes: str | None = None,
             twist: str = 'body', max_gap: float | None = None,
             progress: Callable[[int], None] = lambda messages: None, system: int | None = None) -> Log:
    """
    Return the log in a bag. The clock is the odometry's stamps; the rest is brought to it.

    :param path: The bag's folder or file.
    :param odom: Topic of the odometry, where there are several.
    :param namespace: Of the boat, where there are several.
    :param axes: Of the odometry: enu (REP-103, twist in FLU) or ned (twist in FRD); None: as its frame's name says (ned
        where that ends in ned), else enu.
    :param twist: Whose axes the odometry's twist is along: body (as the message has it) or world.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of messages read.
    :param system: MAVLink's system id of the vehicle, where MAVLink as JSON holds several.
    :raises InputError: If it is no bag, has no odometry or several, or holds nothing whole.
    """
    for value, allowed, name in ((axes, AXES, 'axes'), (twist, TWISTS, 'twist')):
        if value is not None and value not in allowed:
            raise InputError(f'{name} is {value!r}; must be one of {", ".join(allowed)}')
    files = [SUFFIXES.get(part.suffix, Ros1File)(part) for part in ([path] if path.is_file() else _files(path))]
    kinds = {name: kind for file in files for name, kind in file.topics().items()}
    if not kinds and (fault := next((one for file in files for one in file.faults), '')):
        raise InputError(f'{path}: holds no whole message: {fault}')
    encodings = sorted({kind.partition(':')[0] if ':' in kind else 'cdr' for kind in kinds.values()})
    if kinds and not {'cdr', 'json'} & set(encodings):
        raise InputError(f'{path}: its messages are encoded as {", ".join(encodings)}; must be cdr (ROS 2) or json; '
                         'write what they say as a table (CSV), or record a bag of ROS 2')
    if odom is None and not has_odometry(kinds, namespace) and (own := px4_topics(kinds)):
        columns = bag_columns(files, set(own), kinds, path, progress, {})
        return px4_log(columns, own, Source(path.stem, path, max_gap, _damages(files)))
    if odom is None and (told := json_topics(kinds)) and not set(kinds.values()) & {ODOMETRY, BOAT_STATE, *POSES,
                                                                                    NAVSAT}:
        return json_log(files, told, Source(path.stem, path, max_gap), system)
    if system is not None:
        raise InputError(f'{path}: --system does not go with this kind of log')
    sensors = chosen_sensors(kinds, namespace) if odom is None and not has_odometry(kinds, namespace) else None
    topics = chosen_topics(kinds, path, odom, namespace) if sensors is None else topics_near(kinds, sensors.home)
    frames: dict[str, str] = {}
    beside = None if sensors is not None else (chosen_sensors(kinds, topics.odometry.strip('/').split('/')[0])
                                               or chosen_sensors(kinds, namespace))
    wanted = topics.names() | (set() if sensors is None else sensors.names()) | (
        set() if beside is None else {beside.fix})
    columns = bag_columns(files, wanted, kinds, path, progress, frames)
    notes = list(_damages(files))
    columns = on_one_clock(columns, topics.odometry if sensors is None else sensors.fix, path, notes)
    if sensors is not None:
        return _sensor_log(columns, sensors, topics, Source(path.stem, path, max_gap, tuple(notes)))
    notes += _choices(topics, kinds, odom, namespace)
    if axes is None and re.search(r'(^|[_/])ned$', frames.get(topics.odometry, ''), re.IGNORECASE):
        axes = 'ned'
        notes.append(Note(INFO, 'axes_of_frame', f'the axes are north, east, down: so says the frame of '
                          f'{topics.odometry}, {frames[topics.odometry]!r}'))
    return _log(columns, topics, kinds, Source(path.stem, path, max_gap, tuple(notes)), (axes or 'enu', twist),
                None if beside is None else columns.get(beside.fix))


def _damages(files: Sequence[BagFile]) -> tuple[Note, ...]:
    """Return what was found wrong with files while they were read."""
    return tuple(Note(WARNING, 'bag_damaged', f'{file.path.name}: {fault}', {}) for file in files
                 for fault in dict.fromkeys(file.faults))


def _choices(topics: Topics, kinds: dict[str, str], odom: str | None, namespace: str | None) -> list[Note]:
    """Say which odometry was taken, where there are several and nobody said."""
    others = [name for name, kind in kinds.items() if kind == kinds[topics.odometry] and name != topics.odometry
              and (namespace is None or name.startswith(f'/{namespace.strip("/")}/'))]
    if odom is not None or not others or kinds[topics.odometry] in POSES:
        return []
    return [Note(INFO, 'odometry_chosen', f'of several odometries {topics.odometry} is taken, the estimator\'s; --odom '
                 f'says another: {", ".join(sorted(others))}')]


def _files_in(folder: Path) -> list[Path]:
    return sorted((part for part in folder.iterdir() if part.suffix in SUFFIXES and part.is_file()),
                  key=lambda part: [int(text) if text.isdigit() else text for text in re.split(r'(\d+)', part.name)])


def _files(folder: Path) -> list[Path]:
    """Return a bag's files in the order in which they were written."""
    there = _files_in(folder)
    if not there:
        packed = sorted(folder.glob('*.zstd'))
        hint = f'; unpack {packed[0].name} first: zstd -d' if packed else ''
        raise InputError(f'{folder}: holds no bag (*.mcap or *.db3){hint}')
    metadata = folder / 'metadata.yaml'
    if metadata.is_file():
        try:
            about = read_yaml(metadata).get('rosbag2_bagfile_information', {})
        except InputError:
            return there
        if not isinstance(about, dict):
            return there
        if str(about.get('compression_mode', '')).lower() == 'message':
            raise InputError(f'{folder}: its messages are compressed one by one, which is not read here; '
                             'convert it: ros2 bag convert')
        listed = about.get('relative_file_paths')
        named = [folder / Path(str(name)).name for name in listed] if isinstance(listed, list) else []
        if set(named) == set(there):
            return named
    return there


def _log(columns: dict[str, Columns], topics: Topics, kinds: dict[str, str], source: Source,
         frame: tuple[str, str], fixes: Columns | None = None) -> Log:
    if topics.odometry not in columns:
        raise InputError(f'{source.path}: no whole message of {topics.odometry} is in it')
    odometry, notes = columns[topics.odometry], list(source.notes)
    time = odometry['time']
    series = _motion(odometry, *frame)
    if fixes is not None:
        fixed = fixes['status'] >= NO_FIX
        series = with_fixes(series, time, fixes['time'], *(np.where(fixed, fixes[name], np.nan)
                                                         for name in ('longitude', 'latitude')))
    if kinds[topics.odometry] in POSES:
        notes.append(Note(WARNING, 'pose_only', f'there is no odometry: places and headings are those of '
                          f'{topics.odometry}, and the velocities follow from them'))
    if kinds[topics.odometry] == BOAT_STATE:
        series |= {name: odometry[name] for name in ('u_dot', 'v_dot', 'r_dot')}
    return _whole_log(columns, topics, time, series, source, notes, _afloat(odometry, frame[0]))


def _sensor_log(columns: dict[str, Columns], sensors: SensorTopics, topics: Topics, source: Source) -> Log:
    joined = joined_sensors(columns, sensors, source.path)
    source = source._replace(max_gap=source.longest_interval(joined.fixes))
    return _whole_log(columns, topics, joined.time, joined.series, source, [*source.notes, *joined.notes], joined.extra)


def _whole_log(columns: dict[str, Columns], topics: Topics, time: np.ndarray, series: Columns, source: Source,
               notes: list[Note], more: Columns | None = None) -> Log:
    """Return the Log of a motion at times, with what the other topics say."""
    for name, topic in (('current', topics.current), ('wind', topics.wind)):
        if topic in columns:
            series |= {f'{name}_{axis}': _brought(time, columns[topic], axis, source) for axis in 'xy'}
    extra = {key: _brought(time, columns[topic], field, source) for key, topic, field in (
        ('power_total_w', topics.power, 'total'), ('energy_j', topics.energy, 'total'),
        ('thruster_power_w', topics.thrusters, 'power'), ('thruster_energy_j', topics.thrusters, 'energy'))
        if topic in columns}
    _battery(columns, topics, time, series, source, notes)
    used = ', '.join(sorted(name for name in topics.names() if name in columns))
    if used:
        notes.append(Note(INFO, 'topics', f'topics used: {used}'))
    log = assembled(source._replace(notes=tuple(notes)), time, series, _thrusters(columns, topics, time),
                    extra | (more or {}))
    return replace(_with_angles(log, columns, topics, time), legs=_legs(columns.get(topics.legs), float(time[0])),
                   home=_home(columns.get(topics.home), float(time[0])),
                   cells=_cells(columns.get(topics.cells), float(time[0])))


def _legs(columns: Columns | None, start: float) -> tuple[LegBegin, ...]:
    """Return when which leg began, since the log's start."""
    if columns is None:
        return ()
    return tuple(LegBegin(float(time - start), str(name)) for time, name in zip(columns['time'], columns['leg']))


def _home(columns: Columns | None, start: float) -> HomeTrace | None:
    """Return what was said of the way home, since the log's start; None where nothing was."""
    if columns is None:
        return None
    return HomeTrace(columns['time'] - start, *(np.asarray(columns[name], dtype=float)
                                                for name in HomeTrace._fields[1:]))


def _cells(columns: Columns | None, start: float) -> CellsTrace | None:
    """Return how a simulated battery did, since the log's start; None where there was none."""
    if columns is None:
        return None
    voltage, current, charge, temperature = (np.asarray(columns[name], dtype=float)
                                             for name in ('voltage', 'current', 'percentage', 'temperature'))
    return CellsTrace(columns['time'] - start, voltage, -current, charge, temperature + KELVIN)


def _brought(time: np.ndarray, columns: Columns, field: str, source: Source) -> np.ndarray:
    """Return a field of a topic at the times of the log; its own period says which steps are holes."""
    stamps = columns['time']
    return interpolated(time, stamps, columns[field], source.longest_interval(stamps))


def _motion(odometry: Columns, axes: str, twist: str) -> Columns:
    """Return x, y, yaw and, where there is a twist, u, v, r in ENU and FLU."""
    x, y, yaw = odometry['x'], odometry['y'], odometry['yaw']
    if axes == 'ned':
        x, y, yaw = y, x, 0.5 * np.pi - yaw
    if 'ahead' not in odometry:
        return {'x': x, 'y': y, 'yaw': yaw}
    first, second, r = odometry['ahead'], odometry['aside'], odometry['r']
    series = {'x': x, 'y': y, 'yaw': yaw, 'r': -r if axes == 'ned' else r}
    if twist == 'world':
        return {**series, **dict(zip(('velocity_x', 'velocity_y'), (second, first) if axes == 'ned'
                                     else (first, second)))}
    return {**series, 'u': first, 'v': -second if axes == 'ned' else second}


def _afloat(odometry: Columns, axes: str) -> Columns:
    """Return heave, m, roll and pitch, rad (FLU), where the odometry has them."""
    if 'height' not in odometry:
        return {}
    down = -1.0 if axes == 'ned' else 1.0  # A roll is the same in FRD, height and pitch are not.
    return {HEAVE: down * odometry['height'], ROLL: odometry['roll'], PITCH: down * odometry['pitch']}


def _battery(columns: dict[str, Columns], topics: Topics, time: np.ndarray, series: Columns, source: Source,
             notes: list[Note]) -> None:
    """Take the battery's volts and amperes, unless our own energy_accumulator counted them."""
    if topics.battery not in columns:
        return
    if topics.energy in columns and topics.battery.rsplit('/', 1)[0] == topics.energy.rsplit('/', 1)[0]:
        notes.append(Note(INFO, 'battery_computed', f'{topics.battery} stands beside {topics.energy}: it is computed '
                          'from the model, and no measurement'))
        return
    found: list[RecordedBattery] = []
    for topic in (topics.battery, *topics.batteries):
        if (battery := columns.get(topic)) is None:
            continue
        copies = [one.name for one in found if np.array_equal(one.volts, battery['voltage'], equal_nan=True)
                  and np.array_equal(np.abs(one.amperes), np.abs(battery['current']), equal_nan=True)]
        if copies:
            notes.append(Note(INFO, 'battery_copied', f'{topic} says the same as {copies[0]}: it counts once'))
            continue
        sign = discharging_sign(battery['time'], battery['current'], battery['voltage'], battery.get('percentage'),
                                battery.get('power_supply_status'), topic, notes)
        found.append(RecordedBattery(topic, battery['time'], battery['voltage'], sign * battery['current']))
    series |= together(found, time, source, notes)


def _thrusters(columns: dict[str, Columns], topics: Topics, time: np.ndarray) -> tuple[ThrusterSeries, ...]:
    """Return the thrusts that were measured, else commanded, or where those were not recorded, the simulator's."""
    measured = ((topics.actuators, 'effort/'),) if _tells(columns.get(topics.actuators, {}), 'effort/') else ()
    for topic, prefix in (*measured, (topics.joints, 'effort/'), (topics.thrusters, 'force/')):
        recorded = columns.get(topic, {})
        if fields := [name for name in recorded if name.startswith(prefix) and not _only_turns(recorded, name)]:
            thrusts = np.column_stack([recorded[field] for field in fields])
            return tuple(ThrusterSeries(field.removeprefix(prefix), thrust)
                         for field, thrust in zip(fields, held(time, recorded['time'], thrusts).T))
        if topic == topics.joints and topics.thrust:
            return tuple(ThrusterSeries(name, held(time, columns[one]['time'], columns[one]['data']))
                         for name, one in topics.thrust.items() if one in columns)
    return ()


def _only_turns(recorded: Columns, effort: str) -> bool:
    """Return whether the joint of an effort has positions, but never an effort: a rudder or a sail."""
    position = recorded.get(f'position/{effort.partition("/")[2]}')
    return position is not None and bool(np.isfinite(position).any()) and not np.isfinite(recorded[effort]).any()


def _tells(recorded: Columns, prefix: str) -> bool:
    return any(name.startswith(prefix) and bool(np.isfinite(values).any()) for name, values in recorded.items())


def _with_angles(log: Log, columns: dict[str, Columns], topics: Topics, time: np.ndarray) -> Log:
    """Return the log with angles, measured or commanded, of its thrusters and of what is no thruster, and rates."""
    measured = columns.get(topics.actuators, {})
    joints = measured if _tells(measured, 'position/') else columns.get(topics.joints, {})
    angles = {name.partition('/')[2]: held(time, joints['time'], joints[name]) for name in joints
              if name.startswith('position/') and np.isfinite(joints[name]).any()}
    angles = angles or {name: held(time, columns[topic]['time'], columns[topic]['data'])
                        for name, topic in topics.angle.items() if topic in columns}
    rates = {name.partition('/')[2]: held(time, measured['time'], measured[name]) / (2.0 * np.pi)
             for name in measured if name.startswith('velocity/') and np.isfinite(measured[name]).any()}
    names = log.thrusters or tuple(rates)
    commanded = topics.joints in columns or bool(topics.thrust)
    given = bool(names) and (_tells(measured, 'effort/') or not commanded)
    if not (angles or rates or given):
        return log
    foils = tuple(name for name in angles if name not in names)
    nothing = np.full(len(time), np.nan)

    def of(found: dict[str, np.ndarray], whose: tuple[str, ...]) -> np.ndarray:
        return np.array([found.get(name, nothing) for name in whose]).reshape(-1, len(time)).T

    return replace(log, angle=of(angles, names), revolutions=of(rates, names), thrusters=names, thrust_given=given,
                   foils=foils, foil_angle=of(angles, foils))
