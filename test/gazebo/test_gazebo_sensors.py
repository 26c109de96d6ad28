"""Gazebo's own sensors on a model of ours, in a real server through the real bridge: the truth, and its noise."""

import math

import numpy as np
import pytest
import yaml
from graph_prefix import has_ros_gz
from launched_gazebo import REASON, summary_in

from usv_energy.earth import metres_per_degree

NO_BRIDGE = '' if REASON or has_ros_gz() else 'needs ros_gz_bridge: the stand-in carries no sensors'
pytestmark = pytest.mark.skipif(bool(REASON or NO_BRIDGE), reason=REASON or NO_BRIDGE or 'there is all')
LATITUDE, LONGITUDE = -30.0, -51.2
FIELD, DOWN, DECLINATION = 17.5, -14.0, -16.0
SENSORS = [
    {'name': 'gps', 'kind': 'gnss', 'rate': 50, 'x': 0.3, 'position': {'noise': 0.5}, 'height': {'noise': 0.8}},
    {'name': 'imu', 'kind': 'imu', 'rate': 50, 'gyro': {'noise': 1.0}, 'accelerometer': {'noise': 0.3},
     'heading': {'noise': 0.0}},
    {'name': 'mag', 'kind': 'magnetometer', 'rate': 50, 'horizontal': FIELD, 'down': DOWN, 'declination': DECLINATION,
     'field': {'noise': 0.3}}]


def seconds(msg):
    return msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec


def column(messages, of):
    return np.array([of(msg) for msg in messages])


def yaw_of(turn):
    return math.atan2(2.0 * (turn.w * turn.z + turn.x * turn.y), 1.0 - 2.0 * (turn.y ** 2 + turn.z ** 2))


def assert_noise(errors, wanted):
    """Their mean is nothing beside their scatter, and that is as the boat file has it: 10 % is four times its error."""
    assert len(errors) > 600
    assert np.std(errors) == pytest.approx(wanted, rel=0.1)
    assert abs(np.mean(errors)) < 4.0 * wanted / math.sqrt(len(errors))


@pytest.fixture(scope='module')
def scenario(tmp_path_factory):
    folder = tmp_path_factory.mktemp('sensing')
    (folder / 'boat.yaml').write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'sensing', 'sensors': SENSORS}))
    path = folder / 'sensing.yaml'
    path.write_text(yaml.safe_dump({'base': '1', 'boat': 'boat.yaml', 'published': None,
                                    'origin': {'longitude': LONGITUDE, 'latitude': LATITUDE}}))
    return path


def test_gazebos_sensors_read_the_truth_and_the_noise_of_the_boat_file(launched, scenario, tmp_path):
    from graph_listener import listening
    from nav_msgs.msg import Odometry
    from sensor_msgs.msg import Imu, MagneticField, NavSatFix
    with listening(odometry=(Odometry, '/diffboat/odom'), gps=(NavSatFix, '/diffboat/gps/fix'),
                   imu=(Imu, '/diffboat/imu/data'), mag=(MagneticField, '/diffboat/mag/mag')) as topics:
        code, said = launched(scenario=scenario).result()
    assert code == 0 and summary_in(tmp_path / 'out/sensing_rep103')['outcome'] == 'reached', said
    odometry = [msg for msg in topics['odometry'] if abs(msg.twist.twist.linear.x) < 5.0]
    times = column(odometry, seconds)
    begin, end = times[5], times[-1]
    gps, imu, mag = ([msg for msg in topics[name] if begin <= seconds(msg) <= end] for name in ('gps', 'imu', 'mag'))

    def true(of, messages):
        return np.interp(column(messages, seconds), times, column(odometry, of))

    yaw = np.unwrap(column(odometry, lambda msg: yaw_of(msg.pose.pose.orientation)))
    east, north = metres_per_degree(LATITUDE)
    at = np.interp(column(gps, seconds), times, yaw)
    x = true(lambda msg: msg.pose.pose.position.x, gps) + 0.3 * np.cos(at)
    y = true(lambda msg: msg.pose.pose.position.y, gps) + 0.3 * np.sin(at)
    # The same noise in degrees is less in metres to the east.
    assert_noise((column(gps, lambda msg: msg.longitude) - LONGITUDE) * east - x,
                 0.5 * math.cos(math.radians(LATITUDE)))
    assert_noise((column(gps, lambda msg: msg.latitude) - LATITUDE) * north - y, 0.5)
    assert np.std(column(gps, lambda msg: msg.altitude)) == pytest.approx(0.8, rel=0.1)
    assert_noise(column(imu, lambda msg: msg.angular_velocity.z) - true(lambda msg: msg.twist.twist.angular.z, imu),
                 math.radians(1.0))
    upward = column(imu, lambda msg: msg.linear_acceleration.z)
    assert np.mean(upward) == pytest.approx(9.8, abs=0.05) and np.std(upward) == pytest.approx(0.3, rel=0.1)
    heading = column(imu, lambda msg: yaw_of(msg.orientation)) - np.interp(column(imu, seconds), times, yaw)
    assert np.max(np.abs(heading)) < 0.01
    at = np.interp(column(mag, seconds), times, yaw)
    needle = math.pi / 2.0 - math.radians(DECLINATION)
    assert_noise(1e6 * column(mag, lambda msg: msg.magnetic_field.x) - FIELD * np.cos(needle - at), 0.3)
    assert_noise(1e6 * column(mag, lambda msg: msg.magnetic_field.y) - FIELD * np.sin(needle - at), 0.3)
    assert_noise(1e6 * column(mag, lambda msg: msg.magnetic_field.z) + DOWN, 0.3)
