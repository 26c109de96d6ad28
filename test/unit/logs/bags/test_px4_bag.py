"""PX4's own messages in a bag, by the definitions that stand in it."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.message_layout import layout_of_definition
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
