"""Bags of ROS 1: what rosbags writes comes out, whatever they lack is said."""

import sys

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log

NEEDS = ('rosbags',)


def test_odometry_and_sensors_come_out(tmp_path):
    import east_bags
    east_bags.ros1_odometry(tmp_path / 'a.bag')
    log = read_log(tmp_path / 'a.bag')
    np.testing.assert_allclose(log.x, east_bags.TIME)
    np.testing.assert_allclose(log.u, 1.0)
    assert log.start == pytest.approx(east_bags.START)
    east_bags.ros1_sensors(tmp_path / 'b.bag')
    sensors = read_log(tmp_path / 'b.bag')
    fixed = np.isfinite(sensors.x)
    np.testing.assert_allclose(sensors.x[fixed], sensors.time[fixed], atol=1e-3)
    np.testing.assert_allclose(sensors.yaw[:-1], 0.0, atol=1e-12)  # the last fix is later than the last of the IMU


def test_a_bag_of_ros_1_is_known_by_its_content_and_a_folder_of_them_is_one_bag(tmp_path):
    import east_bags
    (tmp_path / 'run').mkdir()
    east_bags.ros1_odometry(tmp_path / 'run' / 'a.bag')
    (tmp_path / 'log').write_bytes((tmp_path / 'run' / 'a.bag').read_bytes())
    for path in (tmp_path / 'run', tmp_path / 'log'):
        np.testing.assert_allclose(read_log(path).x, east_bags.TIME)


def test_a_bag_that_was_not_closed_is_named_with_what_to_do(tmp_path):
    import east_bags
    path = tmp_path / 'a.bag'
    east_bags.ros1_odometry(path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r'is no bag of ROS 1 that rosbags can read.*rosbag reindex'):
        read_log(path)


def test_without_rosbags_the_extra_is_named(tmp_path, monkeypatch):
    path = tmp_path / 'a.bag'
    path.write_bytes(b'#ROSBAG V2.0\n')
    monkeypatch.setitem(sys.modules, 'rosbags', None)
    monkeypatch.delitem(sys.modules, 'rosbags.rosbag1', raising=False)
    with pytest.raises(InputError, match=r"a bag of ROS 1: the library rosbags is needed.*usv_energy\[ros1\]"):
        read_log(path)
