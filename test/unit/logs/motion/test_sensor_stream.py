"""GPS, compass and gyro live: messages out of order, times without GPS, and the energy of what is given out."""

import math
from dataclasses import replace

import independent_boat as other
import numpy as np
import pytest
from analyze_files import BOAT
from independent_log import log_of

from usv_energy.boats.sensor import read_sensor
from usv_energy.earth import LocalPlane
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.motion.sensor_stream import HELD_BACK, SensorStream
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

ORIGIN = (-51.05, -30.08)
TURN = 0.2


def told(stream, readings):
    """Return what a stream gives out that is told readings in the order of their arrival."""
    states = []
    for one in readings:
        values = one.values
        if 'position' in values:
            states += stream.fix(one.stamp, *LocalPlane(ORIGIN[::-1]).degrees_of(*values['position'])[::-1])
        if 'velocity' in values:
            states += stream.velocity(one.stamp, *values['velocity'][:2])
        if 'heading' in values:
            yaw = math.remainder(values['heading'][0], 2.0 * math.pi)
            states += stream.turning(one.stamp, yaw, values['gyro'][2])
    return states


def circling(time):
    return TrueState(time, math.sin(TURN * time) / TURN, -math.cos(TURN * time) / TURN, yaw=TURN * time, u=1.0, r=TURN)


def readings_of(motion, duration, *sensors, seed=1):
    suite = SensorSuite(sensors, seed)
    return [one for k in range(round(duration / 0.02) + 1) for one in suite.observe(motion(0.02 * k))]


@pytest.mark.parametrize('seed', [31, 32])
def test_the_energy_of_what_is_given_out_is_the_work_of_the_thrusters(seed):
    """A GPS at 1 Hz and a low-cost AHRS, the independent boat's lawnmower: within 6 %, as of the recorded sensors."""
    truth = other.simulated(other.LUTRA._replace(lag=0.3), other.Lawnmower(1.0), 100.0)

    def motion(time):
        k = round(time / other.STEP)
        return TrueState(time, *(column[k] for column in (truth.x, truth.y)), yaw=truth.yaw[k], u=truth.u[k],
                         v=truth.v[k], r=truth.r[k])

    sensors = read_sensor('ublox_m8'), replace(read_sensor('bno055'), rate=20.0)
    stream = SensorStream(1.5)
    states = told(stream, readings_of(motion, 100.0, *sensors, seed=seed)) + stream.rest()
    states = [state for state in states if math.isfinite(state.velocity[0])]
    time = np.array([state.time for state in states])
    assert (np.diff(time) > 0.0).all() and time[0] < 2.5 and time[-1] > 98.0
    columns = np.array([(*state.pose, *state.velocity) for state in states])
    columns[:, 2] = np.unwrap(columns[:, 2])
    still = AnalysisOptions(current=UniformFlow(), wind=UniformFlow(), motion='recorded')
    work = float(np.diff(np.interp(time[[0, -1]], truth.time, truth.work))[0])
    assert analysed_log(log_of(time, columns), BOAT, still).energy.total == pytest.approx(work, rel=0.06)


def test_states_come_no_later_than_the_lag_and_where_the_boat_is():
    stream, lag = SensorStream(1.0, origin=ORIGIN), 1.0
    exact = [replace(read_sensor(name), delay=0.0, errors={key: type(errors)() for key, errors in read_sensor(
        name).errors.items()}, rate=rate) for name, rate in (('ublox_f9p', 5.0), ('bno055', 20.0))]
    newest = 0.0
    states = []
    for one in readings_of(circling, 30.0, *exact):
        newest = max(newest, one.stamp)
        due = told(stream, [one])
        assert all(state.time <= newest - lag + HELD_BACK + 0.11 for state in due)
        states += due
    for state in states[100:]:
        true = circling(state.time)
        assert state.pose[:2] == pytest.approx((true.x, true.y), abs=0.02)
        assert state.velocity == pytest.approx((1.0, 0.0, TURN), abs=0.02)


def test_messages_out_of_order_are_put_in_order_and_late_ones_are_counted():
    def run(swap):
        stream = SensorStream(1.0, origin=ORIGIN)
        readings = readings_of(circling, 10.0, read_sensor('ublox_f9p'), replace(read_sensor('bno055'), rate=20.0))
        if swap:
            readings[50], readings[51] = readings[51], readings[50]
        return told(stream, readings) + stream.rest(), stream.late
    assert run(False) == run(True)
    stream = SensorStream(1.0, origin=ORIGIN)
    for k in range(40):
        stream.turning(0.05 * k, 0.0, 0.0)
    assert stream.fix(1.0, *ORIGIN) == [] and stream.late == 1


def test_nothing_is_said_of_a_boat_whose_gps_is_silent():
    stream = SensorStream(1.0, origin=ORIGIN)
    readings = readings_of(circling, 20.0, read_sensor('ublox_f9p'), replace(read_sensor('bno055'), rate=20.0))
    heard = [one for one in readings if one.sensor.kind == 'imu' or not 8.0 < one.stamp < 14.0]
    states = told(stream, heard) + stream.rest()
    assert all(math.isnan(state.velocity[0]) for state in states if 9.1 < state.time < 13.9)
    assert all(math.isfinite(state.velocity[0]) for state in states if 2.0 < state.time < 7.9 or state.time > 14.2)


def test_a_clock_that_goes_back_begins_anew():
    stream = SensorStream(1.0, origin=ORIGIN)
    readings = readings_of(circling, 8.0, read_sensor('ublox_f9p'), replace(read_sensor('bno055'), rate=20.0))
    first = told(stream, readings)
    again = told(stream, readings) + stream.rest()
    assert len(again) > len(first) > 50 and stream.late == 0
    assert stream.turning(0.0, math.nan, math.nan) == []


def test_states_are_given_out_at_every_twentieth_of_a_second_and_no_more_often():
    """Whatever rounding makes of 0.05 s: at each sample of a stream of 20 Hz, not at one between."""
    stream = SensorStream(1.0, origin=ORIGIN)
    states = []
    for time in [0.0, 0.05, 0.1, 0.12, 0.15000000000000002, 0.2, 0.249, 0.25]:
        states += stream.turning(time, 0.0, 0.0)
        states += stream.fix(time, *ORIGIN)
    assert [state.token for state in states + stream.rest()] == [0.0, 0.05, 0.1, 0.15000000000000002, 0.2, 0.25]


@pytest.mark.parametrize('gyro', [True, False])
def test_a_velocity_over_ground_is_turned_by_the_heading_of_then(gyro):
    """A boat that goes round at 0.4 rad/s and 1 m/s: its compass, at 2 Hz, is older than its velocities, at 10 Hz."""
    stream, states, rate = SensorStream(1.0, origin=ORIGIN), [], 0.4
    for k in range(300):
        time = 0.1 * k
        yaw = rate * time
        if k % 5 == 0:
            states += stream.turning(time, math.remainder(yaw, math.tau), rate if gyro else math.nan)
        states += stream.velocity(time, math.cos(yaw), math.sin(yaw))
        states += stream.fix(time, *ORIGIN)
    late = [state for state in states if state.time > 20.0]
    assert late
    sway = np.mean([state.velocity[1] for state in late])
    # Without a gyro the heading is 0.2 s old on average.
    assert sway == pytest.approx(0.0 if gyro else math.sin(0.2 * rate), abs=0.02)


@pytest.mark.parametrize(('silent', 'known'), [('nothing', True), ('compass', False), ('fixes', False)])
def test_a_heading_and_a_place_are_known_up_to_the_longest_gap(silent, known):
    """Five seconds without one of them; with a longest gap of 1 s the last of these say nothing of the boat."""
    stream, states = SensorStream(1.0, max_gap=1.0, origin=ORIGIN), []
    for k in range(200):
        time = 0.1 * k
        if silent != 'compass' or time < 15.0:
            states += stream.turning(time, 0.0, 0.0)
        if silent != 'fixes' or time < 15.0:
            states += stream.fix(time, *ORIGIN)
        states += stream.velocity(time, 0.0, 0.0)
    late = [state for state in states + stream.rest() if state.time > 17.0]
    assert late
    assert all(math.isfinite(state.velocity[0]) is known for state in late)


@pytest.mark.parametrize(('longitude', 'latitude'), [(math.nan, 5.0), (5.0, math.inf)])
def test_a_fix_without_one_of_its_coordinates_is_none(longitude, latitude):
    stream = SensorStream(1.0)
    assert stream.fix(0.0, longitude, latitude) == [] and stream.rest() == []


def test_states_are_given_out_once_the_lag_is_over_of_which_what_is_held_back_is_a_part():
    """A boat at rest at 20 Hz: after 10 s the state of 9 s before is out, but for a few samples, and none later."""
    stream, times = SensorStream(1.0, origin=ORIGIN), []
    for k in range(201):
        for due in (stream.fix(0.05 * k, *ORIGIN), stream.velocity(0.05 * k, 0.0, 0.0),
                    stream.turning(0.05 * k, 0.0, 0.0)):
            times += [state.time for state in due]
    assert 8.7 <= max(times) <= 9.0 + 1e-9
