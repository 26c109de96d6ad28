"""Readings as messages: places on the Earth, quaternions, covariances, signs, and what is not measured."""

import math

import numpy as np
import pytest

from usv_energy.boats.sensor import Sensor, SensorErrors, read_sensor
from usv_energy.earth import LocalPlane
from usv_energy.files.locate import names
from usv_energy.logs.derive import yaw_of_quaternions
from usv_energy.sim.sensors.sensor_messages import quaternion_of, sensor_messages, sensor_topics
from usv_energy.sim.sensors.sensor_suite import SensorReading, SensorSuite, TrueState, rotated

ORIGIN = (-51.05, -30.08)
STATE = TrueState(0.0, 120.0, -40.0, 0.1, 0.05, -0.1, 2.5, 1.0, 0.2, r=0.3, wind_x=3.0, volts=14.8, amperes=6.0)


def messages_of(sensor):
    exact = Sensor(sensor.name, sensor.kind, 1.0, errors=dict.fromkeys(sensor.errors, SensorErrors()),
                   numbers=sensor.numbers)
    reading = SensorSuite([exact]).observe(STATE)[0]._replace(sensor=sensor)
    return {message.topic.partition('/')[2]: message.fields for message in sensor_messages(reading, ORIGIN)}


@pytest.mark.parametrize('name', names('sensors'))
def test_topics_are_those_of_the_messages(name):
    sensor = read_sensor(name)
    assert {f'{name}/{topic}' for topic in messages_of(sensor)} == set(sensor_topics(sensor))


def test_a_fix_is_where_the_boat_is():
    sensor = read_sensor('ublox_m8')
    found = messages_of(sensor)
    fix = found['fix']
    x, y = LocalPlane(ORIGIN[::-1]).to_local(np.array([fix['latitude']]), np.array([fix['longitude']]))
    assert (x[0], y[0], fix['altitude']) == pytest.approx((120.0, -40.0, 0.1), abs=1e-6)
    position, height = sensor.errors['position'].variance, sensor.errors['height'].variance
    assert np.reshape(fix['position_covariance'], (3, 3)) == pytest.approx(np.diag([position, position, height]))
    assert fix['status']['status'] == 0
    assert messages_of(read_sensor('ublox_f9p_rtk'))['fix']['status']['status'] == 2
    velocity = found['fix_velocity']['twist']['twist']['linear']
    assert tuple(velocity.values()) == pytest.approx(rotated((1.0, 0.2, 0.0), 0.05, -0.1, 2.5))


def test_an_orientation_turns_as_the_boat_does():
    found = quaternion_of(0.05, -0.1, 2.5)
    vector, w = np.array([found[axis] for axis in 'xyz']), found['w']
    assert vector @ vector + w * w == pytest.approx(1.0)
    for one in np.eye(3):  # v + 2 w (q x v) + 2 q x (q x v)
        turned = one + 2.0 * w * np.cross(vector, one) + 2.0 * np.cross(vector, np.cross(vector, one))
        assert turned == pytest.approx(rotated(tuple(one), 0.05, -0.1, 2.5))
    level = quaternion_of(0.0, 0.0, -2.0)
    assert yaw_of_quaternions(*(np.array([level[axis]]) for axis in 'xyzw'))[0] == pytest.approx(-2.0)


def test_an_imu_says_what_it_does_not_measure():
    fields = messages_of(read_sensor('bno055'))['data']
    heading = read_sensor('bno055').errors['heading'].variance
    assert fields['orientation_covariance'][8] == pytest.approx(heading)
    assert tuple(fields['angular_velocity'].values()) == (0.0, 0.0, 0.3)
    gyro = Sensor('gyro', 'imu', 1.0, errors={'gyro': SensorErrors(noise=0.1)})
    fields = messages_of(gyro)['data']
    assert (fields['orientation_covariance'][0], fields['linear_acceleration_covariance'][0]) == (-1.0, -1.0)
    assert np.diag(np.reshape(fields['angular_velocity_covariance'], (3, 3))) == pytest.approx(0.01)


def test_a_discharging_battery_has_a_current_below_zero():
    fields = messages_of(read_sensor('power_module'))['battery_state']
    assert (fields['voltage'], fields['current']) == (14.8, -6.0)
    assert math.isnan(fields['percentage'])


def test_wind_and_range():
    wind = messages_of(read_sensor('windsonic'))['apparent_wind']['vector']
    assert (wind['x'], wind['y']) == pytest.approx(
        (3.0 * math.cos(2.5) * math.cos(0.1) - 1.0,
         3.0 * (-math.sin(2.5) * math.cos(0.05) + math.cos(2.5) * math.sin(0.05) * math.sin(-0.1)) - 0.2))
    sonar = messages_of(read_sensor('ping_sonar'))['range']
    assert (sonar['min_range'], sonar['max_range'], sonar['radiation_type']) == (0.5, 100.0, 0)
    assert sonar['range'] == pytest.approx(5.1)


def test_a_reading_without_a_quantity_has_no_message_of_it():
    sensor = read_sensor('ublox_m8')
    reading = SensorReading(sensor, 0.0, 0.0, 0.0, {'position': (1.0, 2.0)})
    assert [message.topic for message in sensor_messages(reading, ORIGIN)] == ['ublox_m8/fix']
