"""
One motion of what GPS, compass, gyro and DVL said, each at its own times: for logs without an odometry.

The rows are those of the IMU (else the compass), made as seldom as the estimate of the motion needs them, and all of
the GPS and the DVL. Heading and yaw rate lie on straight lines between their own rows, and are NaN before the first and
after the last of these; what another sensor did not measure in a row is NaN there: the estimate of the motion takes
each series at its own rows.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag_columns import Columns
from usv_energy.logs.bags.bag_topics import SensorTopics
from usv_energy.logs.derive import body_velocity, unwrapped, yaw_of_quaternions
from usv_energy.logs.log import EARTH_VELOCITY, INFO, JOINED, LIFT, PITCH, ROLL, WARNING, Note
from usv_energy.physics.waves.linear_wave import GRAVITY

ROW_STEP = 0.1     # s: rows of the IMU are never closer; an estimate of the motion has its knots so far apart.
NO_FIX = 0         # sensor_msgs/NavSatStatus: below it there is none.
Times = np.ndarray


class JoinedSensors(NamedTuple):
    """Stamps, s, rising, (n,); those of the GPS, (m,); series by name, (n,), NaN where not measured; more; notes."""

    time: np.ndarray
    fixes: np.ndarray
    series: dict[str, np.ndarray]
    extra: dict[str, np.ndarray]
    notes: list[Note]


def joined_sensors(columns: Mapping[str, Columns], topics: SensorTopics, path: object) -> JoinedSensors:
    """
    Return what the sensors say, in one table.

    :param columns: Of all topics, as `on_one_clock` gives them.
    :param topics: The SensorTopics.
    :param path: Of the bag, for errors.
    :raises InputError: If there is no message of the GPS with a fix.
    """
    fix = columns.get(topics.fix, {})
    if fix:
        known = (fix['status'] >= NO_FIX) & np.isfinite(fix['latitude']) & np.isfinite(fix['longitude'])
        fix = {name: values[known] for name, values in fix.items()}
    if not fix or not len(fix['time']):
        raise InputError(f'{path}: {topics.fix} never had a fix')
    notes = [Note(WARNING, JOINED, 'there is no odometry: the motion is joined of '
                  f'{", ".join(sorted(name for name in topics.names() if name in columns))}, each at its own times; '
                  'places are those of the antenna')]
    turning = _turning(columns, topics, notes)
    moving = {name: columns[topic] for name, topic in (('earth', topics.earth_velocity),
                                                              ('body', topics.body_velocity)) if topic in columns}
    used = next((name for name in ('body', 'earth') if name in moving), None)
    velocity = moving[used] if used is not None else {'time': np.zeros(0)}
    begin, end = fix['time'][0], fix['time'][-1]
    every = np.unique(np.concatenate([fix['time'], velocity['time'], *(one['time'] for one in turning[:1])]))
    time = every[(every >= begin) & (every <= end)]
    turned = {name: np.interp(time, one['time'], one[name], np.nan, np.nan) for one in turning for name in one}
    extra = {name: turned[name] for name in (ROLL, PITCH, LIFT) if name in turned}
    series = {name: _placed(time, fix['time'], fix[name]) for name in ('longitude', 'latitude')}
    series |= {name: turned[name] for name in ('yaw', 'r') if name in turned}
    if used == 'body':
        series |= {name: _placed(time, velocity['time'], velocity['linear'][:, axis])
                   for axis, name in enumerate(('u', 'v'))}
    elif used == 'earth':
        east, north = (_placed(time, velocity['time'], velocity['linear'][:, axis]) for axis in (0, 1))
        if 'yaw' in series:
            series['u'], series['v'] = body_velocity(east, north, series['yaw'])
        else:
            extra |= dict(zip(EARTH_VELOCITY, (east, north)))
    return JoinedSensors(time, fix['time'], series, extra, notes)


def _placed(time: Times, stamps: Times, values: np.ndarray) -> np.ndarray:
    """Return values at those times that are stamps of theirs, NaN at the others."""
    result = np.full(time.size, np.nan)
    rows = np.searchsorted(time, stamps)
    there = time[np.minimum(rows, time.size - 1)] == stamps
    result[rows[there]] = values[there]
    return result


def _turning(columns: Mapping[str, Columns], topics: SensorTopics, notes: list[Note]) -> list[Columns]:
    """Return what the IMU, and the compass where the IMU has no heading, say of the turning: means over ROW_STEP."""
    found = []
    if topics.imu in columns:
        imu = columns[topics.imu]
        turning = {} if (bare := _never_oriented(imu)) else _oriented(imu)
        if bare:
            notes.append(Note(WARNING, 'no_orientation', f'every orientation of {topics.imu} is (0, 0, 0, 1), what a '
                              'message has that nobody fills in, while its gyro turns: it is taken for none'))
        if imu['angular_covariance'][0, 0] >= 0.0:
            turning['r'] = imu['angular'][:, 2]
        if turning:
            found.append(_thinned({'time': imu['time'], **turning}))
    if any('yaw' in one for one in found):
        return found
    if topics.compass in columns:
        told = columns[topics.compass]
        return [*found, _thinned({'time': told['time'], 'yaw': unwrapped(0.5 * np.pi - np.radians(told['data']))})]
    if topics.magnetic not in columns:
        notes.append(Note(INFO, 'no_compass', 'no sensor says where the boat heads'))
        return found
    compass = columns[topics.magnetic]
    yaw = np.unwrap(np.arctan2(compass['field'][:, 0], compass['field'][:, 1]))
    notes.append(Note(WARNING, 'magnetic_heading', f'the heading is that of the needle of {topics.magnetic}, of a '
                      'boat that floats level: declination is not taken off'))
    return [*found, _thinned({'time': compass['time'], 'yaw': yaw})]


def _oriented(imu: Columns) -> Columns:
    """
    Return yaw, rad, unwrapped, roll and pitch, rad, and acceleration up without gravity, m/s^2, of an Imu.

    Nothing where it has no orientation: it says so by a covariance of -1, or every quaternion of it is zero.
    """
    yaw = unwrapped(yaw_of_quaternions(*imu['orientation'].T))
    known = np.isfinite(yaw)
    if imu['orientation_covariance'][0, 0] < 0.0 or not known.any():
        return {}
    x, y, z, w = np.where(known, imu['orientation'].T, np.nan)
    up = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)  # Of the earth, in the body's axes
    told = {'yaw': yaw, ROLL: np.arctan2(up[1], up[2]), PITCH: np.arcsin(np.clip(-up[0], -1.0, 1.0))}
    if 'linear' in imu and imu['linear_covariance'][0, 0] >= 0.0:
        told[LIFT] = sum(part * axis for part, axis in zip(up, imu['linear'].T)) - GRAVITY
    return told


def _never_oriented(imu: Columns) -> bool:
    """
    Return whether nobody fills in the orientation of an Imu: all of it is the message's default, and the gyro turns.

    A level boat that heads east without a turn has that orientation, too: its gyro is still, to the last digit.
    """
    return bool((imu['orientation'] == (0.0, 0.0, 0.0, 1.0)).all() and imu['angular'].any())


def _thinned(columns: Columns) -> Columns:
    """Return the means of columns over pieces of ROW_STEP, between the first and the last row as they are."""
    time = columns['time']
    _, piece, number = np.unique(np.floor((time - time[0]) / ROW_STEP + 1e-6), return_inverse=True, return_counts=True)
    means = {name: np.bincount(piece, values) / number for name, values in columns.items()}
    before, after = means['time'] > time[0], means['time'] < time[-1]
    return {name: np.concatenate([columns[name][:1], mean[before & after], columns[name][-1:]])
            for name, mean in means.items()}
