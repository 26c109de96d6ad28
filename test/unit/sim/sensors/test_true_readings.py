"""What sensors see of the true state at their place: lever arms, gravity, the Earth's field, wind and water."""

import math

import numpy as np
import pytest

from usv_energy.boats.sensor import Sensor, SensorErrors
from usv_energy.sim.sensors.sensor_suite import GRAVITY, TrueState, rotated, rotated_back, true_readings

ERRORS = {'velocity': SensorErrors()}


def sensor(kind, place=(0.0, 0.0, 0.0), velocity_of='ground', **numbers):
    return Sensor('one', kind, 1.0, place=place, errors=ERRORS, numbers=numbers, velocity_of=velocity_of)


def test_a_turn_of_the_axes_and_back():
    vector = (1.0, -2.0, 0.5)
    assert rotated_back(rotated(vector, 0.3, -0.2, 2.1), 0.3, -0.2, 2.1) == pytest.approx(vector)
    assert rotated((1.0, 0.0, 0.0), 0.0, 0.0, math.pi / 2) == pytest.approx((0.0, 1.0, 0.0), abs=1e-15)
    assert rotated((1.0, 0.0, 0.0), 0.0, 0.1, 0.0)[2] == pytest.approx(-math.sin(0.1))  # bow down
    assert rotated((0.0, 1.0, 0.0), 0.1, 0.0, 0.0)[2] == pytest.approx(math.sin(0.1))   # port side up


def test_an_antenna_on_an_arm_turns_about_the_boat():
    state = TrueState(0.0, 10.0, 20.0, yaw=math.pi / 2, u=1.0, v=0.2, r=0.5)
    found = true_readings(state, sensor('gnss', (2.0, 0.0, 1.5)))
    assert found['position'] == pytest.approx((10.0, 22.0))
    assert found['height'] == pytest.approx((1.5,))
    # Along the body 1 and 0.2 + 0.5 x 2 m/s; the bow points north.
    assert found['velocity'] == pytest.approx((-1.2, 1.0, 0.0))


def test_a_mast_that_rolls_moves_its_antenna_sideways():
    state = TrueState(0.0, 0.0, 0.0, p=0.4)
    assert true_readings(state, sensor('gnss', (0.0, 0.0, 3.0)))['velocity'] == pytest.approx((0.0, -1.2, 0.0))


def test_an_accelerometer_feels_gravity_and_the_arm():
    still = true_readings(TrueState(0.0, 0.0, 0.0, pitch=0.1, roll=-0.2), sensor('imu'))
    # Fossen (2011), (2.18): the upward unit vector has -sin(pitch), cos(pitch) sin(roll), cos(pitch) cos(roll).
    assert np.array(still['accelerometer']) / GRAVITY == pytest.approx(
        [-math.sin(0.1), -math.cos(0.1) * math.sin(0.2), math.cos(0.1) * math.cos(0.2)])
    turning = true_readings(TrueState(0.0, 0.0, 0.0, r=2.0, r_dot=0.3), sensor('imu', (0.5, 0.0, 0.0)))
    assert turning['accelerometer'] == pytest.approx((-0.5 * 4.0, 0.5 * 0.3, GRAVITY))
    assert turning['gyro'] == (0.0, 0.0, 2.0)


def test_a_magnetometer_sees_north_to_port_of_a_boat_that_heads_east():
    here = sensor('magnetometer', horizontal=2e-5, down=4e-5, declination=math.radians(10.0))
    east = true_readings(TrueState(0.0, 0.0, 0.0), here)['field']
    assert east == pytest.approx((2e-5 * math.sin(math.radians(10.0)), 2e-5 * math.cos(math.radians(10.0)), -4e-5))
    level = np.array([true_readings(TrueState(0.0, 0.0, 0.0, yaw=yaw), here)['field'] for yaw in (0.3, 1.0, 4.0)])
    headings = np.arctan2(level[:, 0], level[:, 1]) - math.radians(10.0)  # of the bow, counter-clockwise from east
    np.testing.assert_allclose(np.exp(1j * headings), np.exp(1j * np.array([0.3, 1.0, 4.0])))


def test_a_dvl_measures_over_ground_or_through_the_water():
    state = TrueState(0.0, 0.0, 0.0, yaw=math.pi / 2, u=1.0, v=0.0, current_x=0.3, current_y=0.4)
    ground = sensor('dvl', water_depth=5.0, least_altitude=0.5, most_altitude=10.0)
    assert true_readings(state, ground)['velocity'] == pytest.approx((1.0, 0.0, 0.0))
    # To the north flow 0.4 m/s, along the boat; to the east 0.3 m/s, which come from port.
    assert true_readings(state, sensor('dvl', velocity_of='water'))['velocity'] == pytest.approx((0.6, 0.3, 0.0))
    for depth in (0.4, 11.0):
        assert true_readings(state, sensor('dvl', water_depth=depth, least_altitude=0.5, most_altitude=10.0)) == {}


def test_depth_shows_in_range_and_pressure():
    state = TrueState(0.0, 0.0, 0.0, z=-0.2)
    assert true_readings(state, sensor('range', (0.0, 0.0, -0.1), water_depth=5.0))['distance'] == pytest.approx((4.7,))
    under = sensor('pressure', (0.0, 0.0, -0.1), water_density=1000.0, air_pressure=101325.0)
    assert true_readings(state, under)['pressure'] == pytest.approx((101325.0 + 1000.0 * GRAVITY * 0.3,))
    above = sensor('pressure', (0.0, 0.0, 1.0), water_density=1000.0, air_pressure=101325.0)
    assert true_readings(state, above)['pressure'] == (101325.0,)


def test_an_anemometer_sees_the_apparent_wind():
    found = true_readings(TrueState(0.0, 0.0, 0.0, u=3.0, wind_y=4.0), sensor('anemometer'))
    assert found['speed'] == pytest.approx((5.0,))
    assert found['direction'] == pytest.approx((math.atan2(4.0, -3.0),))


def test_a_power_sensor_reads_the_battery():
    assert true_readings(TrueState(0.0, 0.0, 0.0, volts=14.8, amperes=5.5), sensor('power')) == {
        'voltage': (14.8,), 'current': (5.5,)}
