"""PX4's own messages in a bag, by the definitions that stand in it."""

import math
import sqlite3
import struct
from contextlib import closing

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.cdr import layout_of_definition
from usv_energy.logs.bags.px4_bag import px4_log, px4_topics
from usv_energy.logs.read_log import read_log

NEEDS = ('rosbags',)


def test_position_attitude_and_battery_come_out(tmp_path):
    import east_bags
    east_bags.bag_of_px4(tmp_path / 'bag')
    log = read_log(tmp_path / 'bag')
    np.testing.assert_allclose(log.x, east_bags.TIME)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-6)
    np.testing.assert_allclose(log.u, 1.0, atol=1e-6)
    np.testing.assert_allclose(log.volts, 24.0)
    np.testing.assert_allclose(log.amperes, 1.0 + east_bags.TIME)


def test_topics_are_those_that_px4_sends_and_each_has_its_instance():
    kinds = {'/fmu/out/sensor_gps': 'px4_msgs/msg/SensorGps', '/fmu/out/battery_status': 'px4_msgs/msg/BatteryStatus',
             '/fmu/out/battery_status1': 'px4_msgs/msg/BatteryStatus', '/fmu/out/airspeed': 'px4_msgs/msg/Airspeed',
             '/fmu/in/vehicle_attitude': 'px4_msgs/msg/VehicleAttitude', '/odom': 'nav_msgs/msg/Odometry'}
    assert px4_topics(kinds) == {
        '/fmu/out/sensor_gps': ('vehicle_gps_position', 0), '/fmu/out/battery_status': ('battery_status', 0),
        '/fmu/out/battery_status1': ('battery_status', 1)}
    assert px4_topics({'/fmu/out/battery_status': 'px4_msgs/msg/BatteryStatus'}) == {}


def test_without_definitions_it_is_said_what_to_do(tmp_path):
    from usv_energy.logs.assemble import Source
    columns = {'/fmu/out/vehicle_local_position': {'log_time': np.arange(3.0)}}
    with pytest.raises(InputError, match=r'not their definitions.*ros2 bag convert'):
        px4_log(columns, {'/fmu/out/vehicle_local_position': ('vehicle_local_position', 0)}, Source('a', tmp_path))


def test_a_layout_is_that_of_its_definition():
    text = ('# a comment\nuint64 timestamp  # us\nuint8 KIND=3\nfloat32[4] q\nfloat64[] list\nfloat32[<=3] few\n'
            'string name\nstring[] names\ngeometry_msgs/Vector3 speed\nbuiltin_interfaces/Time stamp\n'
            'foo/Bar[] unknown\nfloat32 after\n'
            f'{"=" * 80}\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\n')
    found = layout_of_definition(text)
    assert [(field.name, field.kind, field.size, field.listed) for field in found] == [
        ('timestamp', 'u8', 1, False), ('q', 'f4', 4, False), ('list', 'f8', 1, True), ('few', 'f4', 1, True),
        ('name', 'string', 1, False), ('names', 'string[]', 1, False), ('speed.x', 'f8', 1, False),
        ('speed.y', 'f8', 1, False), ('stamp.sec', 'i4', 1, False), ('stamp.nanosec', 'u4', 1, False)]


def test_an_odometry_alone_is_read_without_a_definition(tmp_path):
    """As of SQLite3 bags of ROS 2 Humble; a boat that heads and drives east, 1 m/s along the body's axes."""
    quarter, unknown = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)), (math.nan,) * 3

    def message(k, frame, velocity):
        return b'\0\1\0\0' + struct.pack('<QQB3x3f4fB3x3f3f9fBb', 100_000 * k, 100_000 * k, 1, 0.0, 0.1 * k, 0.0,
                                         *quarter, frame, *velocity, 0.0, 0.0, 0.0, *(0.0,) * 9, 0, 100)

    for name, frame, velocity in (('body', 3, (1.0, 0.0, 0.0)), ('ned', 1, (0.0, 1.0, 0.0)), ('unknown', 0, unknown)):
        path = tmp_path / f'{name}.db3'
        with closing(sqlite3.connect(path)) as made, made:
            made.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL)')
            made.execute('CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, '
                         'data BLOB)')
            made.execute("INSERT INTO topics VALUES (1, '/fmu/out/vehicle_odometry', 'px4_msgs/msg/VehicleOdometry')")
            made.executemany('INSERT INTO messages VALUES (?, 1, ?, ?)',
                             [(k, 10**8 * k, message(k, frame, velocity)) for k in range(1, 101)])
        log = read_log(path)
        np.testing.assert_allclose(log.x, 0.1 * np.arange(1.0, 101.0), atol=1e-5)
        np.testing.assert_allclose(log.yaw, 0.0, atol=1e-6)
        np.testing.assert_allclose(log.u, 1.0, atol=1e-4)
        np.testing.assert_allclose(log.v, 0.0, atol=1e-4)
