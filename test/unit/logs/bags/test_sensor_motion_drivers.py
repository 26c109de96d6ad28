"""Bags as drivers write them, who leave at zero what they do not measure and do not say so."""

from dataclasses import replace

import numpy as np
from bag_files import TURN, blank, header, vector, write_bag
from needs import NEEDS_ROSBAGS

from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.sensor_motion import _never_oriented
from usv_energy.physics.frames import quaternion_of_yaw

pytestmark = NEEDS_ROSBAGS
FIX, IMU, FIELD = (f'sensor_msgs/msg/{name}' for name in ('NavSatFix', 'Imu', 'MagneticField'))


def turning_boat(path, orientation):
    """Write a boat that lies at a place and turns; `orientation`: of its Imu by number and yaw, None for zeros."""
    topics = {'/boat/gps/fix': [], '/boat/imu/data_raw': [], '/boat/imu/mag': []}
    for number in range(400):
        t = 5.0 + 0.02 * number
        yaw = TURN * (t - 5.0)
        imu = replace(blank(IMU), header=header(t), angular_velocity=vector(z=TURN))
        if (turned := orientation(number, yaw)) is not None:
            imu = replace(imu, orientation=replace(imu.orientation, **dict(zip('xyzw', turned))))
        topics['/boat/imu/data_raw'].append((t, imu))
        if number % 10 == 0:
            field = vector(2e-5 * np.sin(yaw), 2e-5 * np.cos(yaw))
            north = replace(blank(FIELD), header=header(t), magnetic_field=field)
            fix = replace(blank(FIX), header=header(t), latitude=-30.0, longitude=51.0)
            topics['/boat/imu/mag'].append((t, north))
            topics['/boat/gps/fix'].append((t, fix))
    return write_bag(path, topics)


def codes(log):
    return {note.code for note in log.notes}


def test_an_orientation_of_zeros_is_none_and_the_gyro_counts_beside_the_compass(tmp_path):
    log = read_bag(turning_boat(tmp_path / 'bag', lambda number, yaw: None))
    np.testing.assert_allclose(log.r, TURN, atol=1e-12)
    np.testing.assert_allclose(log.yaw[1:], TURN * log.time[1:], atol=1e-9)
    assert not {'roll_rad', 'pitch_rad'} & set(log.extra) and 'magnetic_heading' in codes(log)


def test_a_quaternion_of_zeros_among_others_is_not_known_and_spoils_none_after_it(tmp_path):
    """A filter begins with zeros, until it knows the first one."""
    log = read_bag(turning_boat(tmp_path / 'bag', lambda number, yaw: None if number < 50 else quaternion_of_yaw(yaw)))
    known = log.time > 1.05
    for values, wanted in ((log.yaw, TURN * log.time), (log.extra['roll_rad'], 0.0 * log.time)):
        np.testing.assert_allclose(values[known], wanted[known], atol=1e-9)
        assert np.isnan(values[log.time < 0.85]).all()
    np.testing.assert_allclose(log.r, TURN, atol=1e-12)
    assert 'magnetic_heading' not in codes(log)


DEFAULT = 0.0, 0.0, 0.0, 1.0  # Of geometry_msgs/Quaternion in ROS 2.


def test_an_orientation_that_nobody_fills_in_is_none_and_it_is_said(tmp_path):
    """Else a boat that turns would head east for ever, and its velocity over ground be taken for sway."""
    log = read_bag(turning_boat(tmp_path / 'bag', lambda number, yaw: DEFAULT))
    np.testing.assert_allclose(log.r, TURN, atol=1e-12)
    np.testing.assert_allclose(log.yaw[1:], TURN * log.time[1:], atol=1e-9)
    assert not {'roll_rad', 'pitch_rad'} & set(log.extra) and {'no_orientation', 'magnetic_heading'} <= codes(log)


def test_the_default_orientation_among_others_or_of_a_gyro_that_is_still_is_believed(tmp_path):
    log = read_bag(turning_boat(tmp_path / 'bag', lambda number, yaw: quaternion_of_yaw(yaw)))
    assert quaternion_of_yaw(0.0) == DEFAULT and not {'no_orientation', 'magnetic_heading'} & codes(log)
    still = {'orientation': np.tile(DEFAULT, (3, 1)), 'angular': np.zeros((3, 3))}
    turning = still | {'angular': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1e-9, 0.0, 0.0]])}
    assert not _never_oriented(still) and _never_oriented(turning)
