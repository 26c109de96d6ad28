"""A log joined of sensors: each series at its own times, and the energy of the run that the sensors saw."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.sensor import Sensor, SensorErrors, read_sensor
from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.bag_topics import SensorTopics
from usv_energy.logs.bags.sensor_motion import ROW_STEP, _placed, _thinned, _turning
from usv_energy.logs.bags.sensor_recording import write_sensor_bag
from usv_energy.logs.log import EARTH_VELOCITY, JOINED
from usv_energy.logs.motion.motion_estimate import place_velocity
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.sensors.sensor_suite import Sensing, SensorSuite, TrueState
from usv_energy.studies.analyze.analysed_log import analysed_log

ORIGIN = (-51.05, -30.08)
EXACT = SensorErrors()
GPS = Sensor('gps', 'gnss', 1.0, errors={'position': EXACT, 'height': EXACT, 'velocity': EXACT})
IMU = Sensor('imu', 'imu', 50.0, errors={'gyro': EXACT, 'heading': EXACT})
COMPASS = Sensor('compass', 'magnetometer', 20.0, errors={'field': EXACT},
                 numbers={'horizontal': 2e-5, 'down': 0.0, 'declination': 0.0})
DVL = Sensor('dvl', 'dvl', 4.0, errors={'velocity': EXACT}, velocity_of='ground',
             numbers={'water_depth': 5.0, 'least_altitude': 0.0, 'most_altitude': 50.0})


def circle(time):
    """Return a boat that goes round counter-clockwise at 1 m/s in 40 s, from the south of the middle."""
    turn = 2.0 * math.pi / 40.0
    return TrueState(time, math.sin(turn * time) / turn, -math.cos(turn * time) / turn, yaw=turn * time, u=1.0, r=turn)


def log_of(tmp_path, *sensors, duration=60.0, motion=circle):
    suite = SensorSuite(sensors, 1)
    path = tmp_path / 'sensors.mcap'
    write_sensor_bag([reading for k in range(round(duration / 0.02) + 1) for reading in suite.observe(
        motion(0.02 * k))], ORIGIN, 'boat', path)
    return read_bag(path)


def test_each_sensor_is_there_at_its_own_times(tmp_path):
    log = log_of(tmp_path, GPS, IMU)
    assert any(note.code == JOINED for note in log.notes)
    fixed = np.isfinite(log.x)
    np.testing.assert_allclose(log.time[fixed], np.arange(61.0), atol=1e-9)
    np.testing.assert_array_equal(fixed, np.isfinite(log.u))
    assert log.period == pytest.approx(0.1, rel=0.3)
    np.testing.assert_allclose(log.yaw, 2.0 * math.pi / 40.0 * log.time, atol=1e-3)
    np.testing.assert_allclose(log.u[fixed], 1.0, atol=2e-3)
    np.testing.assert_allclose(log.v[fixed], 0.0, atol=2e-3)
    # Of the plane that touches at the first fix.
    east, north = np.array([circle(time)[1:3] for time in log.time[fixed]]).T
    np.testing.assert_allclose(log.x[fixed], east - east[0], atol=2e-3)
    np.testing.assert_allclose(log.y[fixed], north - north[0], atol=2e-3)
    assert log.r[1:-1] == pytest.approx(2.0 * math.pi / 40.0)


def test_an_imu_shows_how_a_boat_lies_and_heaves(tmp_path):
    """What it feels along its own axes, gravity included, is turned upright: only the acceleration upwards is left."""
    imu = replace(IMU, errors={**IMU.errors, 'roll_pitch': EXACT, 'accelerometer': EXACT})

    def heaving(time):
        roll, pitch, up = 0.2, -0.1, 0.5 * math.sin(time)
        return circle(time)._replace(roll=roll, pitch=pitch, a_x=-math.sin(pitch) * up,
                                     a_y=math.sin(roll) * math.cos(pitch) * up,
                                     a_z=math.cos(roll) * math.cos(pitch) * up)

    log = log_of(tmp_path, GPS, imu, motion=heaving)
    np.testing.assert_allclose(log.extra['roll_rad'], 0.2, atol=1e-6)
    np.testing.assert_allclose(log.extra['pitch_rad'], -0.1, atol=1e-6)
    # Means over 0.1 s, straight lines between them.
    np.testing.assert_allclose(log.extra['vertical_acceleration_m_s2'], 0.5 * np.sin(log.time), atol=0.01)


def test_a_compass_stands_in_for_a_heading(tmp_path):
    log = log_of(tmp_path, GPS, COMPASS)
    np.testing.assert_allclose(np.exp(1j * log.yaw), np.exp(2j * math.pi / 40.0 * log.time), atol=2e-3)
    assert any(note.code == 'magnetic_heading' for note in log.notes)


def test_a_heading_of_mavros_stands_in_for_a_compass():
    """Degrees clockwise from north, through north."""
    topics, time = SensorTopics('', '', '', '', 'magnetic', 'compass'), np.arange(4.0)
    columns = {'compass': {'time': time, 'data': np.array([350.0, 355.0, 0.0, 5.0])},
               'magnetic': {'time': time, 'field': np.ones((4, 3))}}
    found, = _turning(columns, topics, notes := [])
    np.testing.assert_allclose(np.degrees(found['yaw'] - found['yaw'][0]), [0.0, -5.0, -10.0, -15.0])
    assert math.degrees(found['yaw'][2]) % 360.0 == pytest.approx(90.0) and not notes


def test_a_dvl_goes_before_the_velocity_of_the_gps(tmp_path):
    log = log_of(tmp_path, GPS, IMU, DVL)
    known = np.isfinite(log.u)
    np.testing.assert_allclose(log.time[known], np.arange(0.0, 60.01, 0.25), atol=1e-9)


def test_a_bare_gps_is_a_log_of_places(tmp_path):
    log = log_of(tmp_path, replace(GPS, errors={'position': EXACT}))
    assert not log.known('yaw') and len(log) == 61


def test_the_velocity_of_a_gps_without_a_heading_counts_beside_its_places(tmp_path):
    """Places 5 cm off leave the way's velocity 0.04 m/s and more off at 1 Hz; a velocity of 1 cm/s mends that."""
    wrong = {}
    for velocity in (True, False):
        errors = {'position': SensorErrors(noise=0.05), **({'velocity': SensorErrors(noise=0.01)} if velocity else {})}
        log = log_of(tmp_path, replace(GPS, errors=errors), duration=120.0)
        assert all(name in log.extra for name in EARTH_VELOCITY) == velocity
        turn = 2.0 * math.pi / 40.0 * log.time
        x_dot, y_dot = place_velocity(log)
        wrong[velocity] = float(np.sqrt(np.mean((x_dot - np.cos(turn)) ** 2 + (y_dot - np.sin(turn)) ** 2)))
    assert wrong[True] < 0.02 and wrong[True] < 0.7 * wrong[False]


def test_a_gps_without_a_fix_is_refused(tmp_path):
    path = tmp_path / 'sensors.mcap'
    nowhere = replace(GPS, errors={'position': SensorErrors(bias=math.nan)})
    write_sensor_bag(SensorSuite([nowhere]).observe(circle(0.0)), ORIGIN, 'boat', path)
    with pytest.raises(InputError, match='/boat/gps/fix never had a fix'):
        read_bag(path)


@pytest.mark.parametrize(('sensors', 'within'), [
    (('ublox_f9p_rtk', 'xsens_mti3'), 0.02), (('ublox_m8', 'bno055'), 0.05)])
def test_the_energy_of_a_run_comes_back_from_its_sensors(tmp_path, sensors, within):
    """The thrusters' own work in the plant, over the time that the log covers: two legs and a corner at 1 m/s."""
    scenario = replace(read_scenario('5'), waypoints=((270.0, 95.0), (270.0, 110.0)), sensing=Sensing(
        tuple(map(read_sensor, sensors)), 17, ORIGIN))
    run = run_scenario(scenario)
    path = tmp_path / 'sensors.mcap'
    write_sensor_bag(run.readings, ORIGIN, 'boat', path)
    log = read_bag(path)
    analysed = analysed_log(log, read_boat('lutra_prop'))
    assert analysed.estimate is not None
    time, work = np.array([(row.time, row.thruster_energy) for row in run.rows]).T
    given = float(np.diff(np.interp([log.start, log.start + log.time[-1]], time, work))[0])
    found = analysed.energy.thrust + analysed.energy.unrecovered
    assert found == pytest.approx(given, rel=within)


def test_values_stand_at_their_own_stamps_only():
    time = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(_placed(time, np.array([1.0, 2.5, 4.0, 9.0]), np.array([5.0, 6.0, 7.0, 8.0])),
                                  [5.0, np.nan, np.nan, 7.0])


def test_means_are_over_pieces_of_a_row_between_the_first_row_and_the_last():
    """Pieces begin with the first row's time; a piece without rows is none, the ends stay as they are."""
    k = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 17])
    time = 3.0 + ROW_STEP * (0.25 * k)
    found = _thinned({'time': time, 'r': k ** 2.0})
    np.testing.assert_allclose(found['time'], 3.0 + ROW_STEP * np.array([0.0, 0.375, 1.375, 2.0, 4.25]))
    np.testing.assert_allclose(found['r'], [0.0, 3.5, 31.5, 64.0, 289.0])
    seldom = {'time': np.array([2.0, 3.0, 5.0]), 'r': np.array([1.0, 7.0, 4.0])}
    for name, values in _thinned(seldom).items():
        assert values.tolist() == seldom[name].tolist(), 'rows that are far apart stay as they are'


def test_an_imu_says_by_its_covariance_what_it_does_not_measure():
    """The first number is -1 then (sensor_msgs/Imu); 0 is a covariance that nobody knows."""
    topics = SensorTopics._make('imu' if name == 'imu' else '' for name in SensorTopics._fields)
    time, yaw = 0.01 * np.arange(3), 0.4 + 0.1 * np.arange(3)
    imu = {'time': 1.0 + time, 'angular': np.column_stack([0.0 * yaw, 0.0 * yaw, yaw]),
           'orientation': np.column_stack([0.0 * yaw, 0.0 * yaw, np.sin(0.5 * yaw), np.cos(0.5 * yaw)])}
    zero, minus = np.zeros((3, 9)), np.full((3, 9), -1.0)
    for orientation, angular, names in ((zero, zero, {'time', 'yaw', 'r'}), (zero, minus, {'time', 'yaw'})):
        notes = []
        found = _turning({'imu': imu | {'orientation_covariance': orientation, 'angular_covariance': angular}}, topics,
                         notes)
        found, = found
        assert set(found) == names | {'roll_rad', 'pitch_rad'} and not notes
        assert found['yaw'][[0, -1]] == pytest.approx(yaw[[0, -1]]) and found['time'][0] == 1.0
        assert 'r' not in found or found['r'][[0, -1]] == pytest.approx(yaw[[0, -1]])
    notes = []
    unknown = {'orientation_covariance': minus, 'angular_covariance': minus}
    assert _turning({'imu': imu | unknown}, topics, notes) == [] and [note.code for note in notes] == ['no_compass']
    of_gravity = unknown | {'orientation_covariance': zero, 'linear': np.full((3, 3), 9.0), 'linear_covariance': minus}
    assert set(_turning({'imu': imu | of_gravity}, topics, [])[0]) == {'time', 'yaw', 'roll_rad', 'pitch_rad'}


GYRO = replace(IMU, errors={'gyro': EXACT})
ROUND = 2.0 * math.pi / 40.0  # rad/s, of `circle`


def test_a_gyro_turns_a_boat_whose_heading_is_the_compasss(tmp_path):
    """The compass, on a body of its own at 20 Hz, errs by 3 degrees each time: its differences would err by more."""
    field = SensorErrors(noise=1e-6)
    log = log_of(tmp_path, GPS, GYRO, replace(COMPASS, errors={'field': field}))
    np.testing.assert_allclose(log.r, ROUND, atol=1e-9)
    assert np.abs(np.angle(np.exp(1j * (log.yaw - ROUND * log.time)))).max() < 0.2
    codes = {note.code for note in log.notes}
    assert 'magnetic_heading' in codes and not codes & {'yaw_rate_derived', 'no_compass'}
    assert log.period == pytest.approx(ROW_STEP, rel=0.3), 'the rows are those of the gyro'


def test_a_gyro_alone_says_how_fast_a_boat_turns_and_not_where_it_heads(tmp_path):
    """What the places cost is then what they cost without the gyro, whose rows stand between theirs."""
    log = log_of(tmp_path, GPS, GYRO)
    np.testing.assert_allclose(log.r, ROUND, atol=1e-9)
    assert not log.known('yaw') and 'no_compass' in {note.code for note in log.notes}
    (tmp_path / 'bare').mkdir()
    boat = read_boat('lutra_prop')
    with_gyro, without = (analysed_log(one, boat) for one in (log, log_of(tmp_path / 'bare', GPS)))
    assert with_gyro.energy.total == pytest.approx(without.energy.total, rel=1e-3)
    moved = np.isfinite(with_gyro.log.u)
    np.testing.assert_allclose(with_gyro.log.r[moved], without.log.r, atol=1e-3)


def test_an_imu_that_ends_early_tells_no_heading_after_its_end(tmp_path):
    suite = SensorSuite((GPS, IMU), 1)
    readings = [reading for k in range(3001) for reading in suite.observe(circle(0.02 * k))]
    path = tmp_path / 'sensors.mcap'
    write_sensor_bag([one for one in readings if one.sensor.kind != 'imu' or 4.99 < one.stamp < 40.01], ORIGIN, 'boat',
                     path)
    log = read_bag(path)
    inside = (log.time > 4.98) & (log.time < 40.02)
    np.testing.assert_array_equal(np.isfinite(log.yaw), inside)
    np.testing.assert_array_equal(np.isfinite(log.r), inside)


def test_rows_are_between_the_first_fix_and_the_last(tmp_path):
    suite = SensorSuite((GPS, IMU), 1)
    readings = [reading for k in range(3001) for reading in suite.observe(circle(0.02 * k))]
    path = tmp_path / 'sensors.mcap'
    kept = [one for one in readings if one.sensor.kind == 'imu' or 9.9 < one.stamp < 50.1]
    write_sensor_bag(kept, ORIGIN, 'boat', path)
    log = read_bag(path)
    assert log.start == pytest.approx(10.0) and log.time[-1] == pytest.approx(40.0)
    assert np.isfinite(log.yaw).all()
