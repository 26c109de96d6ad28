"""
A log from PX4's own messages in a bag (px4_msgs, /fmu/out/...), which no node made an odometry of.

Where there is neither a local position nor a GPS, the motion is that of VehicleOdometry: PX4's own, else the one that a
camera system gave it.

Source: PX4, msg/VehicleOdometry.msg: NED and FRD; a velocity along the axes of the pose, or of the body.
"""

import re
from collections.abc import Mapping

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.autopilots.ulog import GPS, POSITION, TOPICS, log_of_topics, missing_fields
from usv_energy.logs.bags.bag_columns import Columns
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.streams import Stream, log_of_streams
from usv_energy.physics.frames import to_earth

PACKAGE = 'px4_msgs/msg/'
OTHER_NAMES = {'sensor_gps': GPS, 'vehicle_gps_position': GPS}
ODOMETRY, BODY = 'VehicleOdometry', 3  # Its velocity_frame that is the body's.
MICROSECOND = 1e-6  # s
WORD = re.compile(r'(?<=[a-z0-9])(?=[A-Z])')


def px4_topics(kinds: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """
    Return PX4's name and instance of the topics of a bag that are read; none where it has no position of PX4's.

    :param kinds: Types of the bag's topics by their names.
    """
    found: dict[str, tuple[str, int]] = {}
    for topic, kind in sorted(kinds.items()):
        if kind.startswith(PACKAGE):
            plain = WORD.sub('_', kind.removeprefix(PACKAGE)).lower()
            name = OTHER_NAMES.get(plain, plain)
            if name in TOPICS and '/in/' not in topic:
                found[topic] = name, sum(known == name for known, _ in found.values())
    if {POSITION, GPS} & {name for name, _ in found.values()}:
        return found
    odometries = sorted((topic for topic, kind in kinds.items() if kind == PACKAGE + ODOMETRY),
                        key=lambda topic: ('/in/' in topic, topic))
    return {odometries[0]: (ODOMETRY, 0), **found} if odometries else {}


def px4_log(columns: Mapping[str, Columns], topics: Mapping[str, tuple[str, int]], source: Source) -> Log:
    """
    Return the log of PX4's messages.

    :param columns: Of the bag's topics, as `bag_columns` gives them.
    :param topics: As `px4_topics` gives them.
    :param source: Name, path and notes.
    :raises InputError: If they hold no motion, or the bag says nowhere what is in a message.
    """
    notes = list(source.notes)
    found: dict[tuple[str, int], Columns] = {}
    for topic, key in topics.items():
        if topic not in columns:
            continue
        if key[0] == ODOMETRY:
            return _log_of_odometry(columns[topic], topic, source)
        data = _single(columns[topic])
        if missing := missing_fields(key[0], data):
            notes.append(Note(WARNING, 'topic_damaged',
                              f'the topic {topic} has no {", ".join(missing)}, and is left out'))
        else:
            found[key] = data
    if not found:
        raise InputError(f'{source.path}: has messages of px4_msgs, but not their definitions, which say what is in '
                         'them. Convert it to MCAP where px4_msgs is installed: ros2 bag convert')
    return log_of_topics(found, {}, source._replace(notes=()), notes)


def _log_of_odometry(data: Columns, topic: str, source: Source) -> Log:
    """Return the log of the messages of VehicleOdometry."""
    if 'velocity' not in data:
        raise InputError(f'{source.path}: {topic} has no velocity: its definition is another one than PX4 has')
    time, (north, east, _), (w, x, y, z) = MICROSECOND * data['timestamp'], data['position'].T, data['q'].T
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    ahead, starboard, _ = data['velocity'].T
    turned = np.where(data['velocity_frame'] == BODY, yaw, 0.0)
    north_speed, east_speed = to_earth(ahead, starboard, np.cos(turned), np.sin(turned))
    series = {'x': east, 'y': north, 'yaw': 0.5 * np.pi - yaw, 'velocity_x': east_speed, 'velocity_y': north_speed,
              'r': -data['angular_velocity'][:, 2]}
    return log_of_streams({name: Stream(time, values.astype(float), topic) for name, values in series.items()}, source)


def _single(columns: Columns) -> Columns:
    """Return columns of one number a message: of a list `q[0]`, `q[1]` and so on."""
    single: Columns = {}
    for name, values in columns.items():
        if values.ndim == 1:
            single[name] = values
        else:
            single |= {f'{name}[{place}]': values[:, place] for place in range(values.shape[1])}
    return single
