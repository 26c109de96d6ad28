"""Logs of PX4 against the motion that was written into them."""

import math

import numpy as np
import pytest
from needs import NEEDS_PYULOG
from ulog_files import COUNTED, OLD_GPS, QUADROTOR, ROVER, SPEED, TURN, UlogFile, circle

from usv_energy.files.errors import InputError
from usv_energy.logs.autopilots.ulog import (
    BATTERY,
    GPS,
    OUTPUTS,
    PLACES,
    STATUS,
    TOPICS,
    _batteries,
    _outputs,
    _vehicle,
    missing_fields,
)
from usv_energy.logs.autopilots.vehicle import vehicle_of_type
from usv_energy.logs.read_log import read_log

pytestmark = NEEDS_PYULOG


def codes(log):
    return {note.code for note in log.notes}


def test_motion_motors_and_battery_come_out_in_house_units_and_frames(tmp_path):
    log = read_log(circle().write(tmp_path / 'a.ulg'))
    np.testing.assert_allclose(log.u, SPEED, atol=1e-5)
    np.testing.assert_allclose(log.v, 0.0, atol=1e-5)
    np.testing.assert_allclose(log.r, -TURN, atol=1e-6)  # clockwise is negative in FLU
    angle = TURN * log.time
    np.testing.assert_allclose(log.x, SPEED / TURN * (1.0 - np.cos(angle)), atol=1e-5)
    np.testing.assert_allclose(log.y, SPEED / TURN * np.sin(angle), atol=1e-5)
    np.testing.assert_allclose(log.yaw, 0.5 * np.pi - angle, atol=1e-5)
    np.testing.assert_allclose(log.electrical_power, 16.0 * (2.5 + 0.5 * np.sin(100.0 + log.time)), rtol=1e-5)
    assert log.start == 100.0, 'when it was sampled, not when it was logged'
    assert log.thrusters == ('left', 'right') and log.neutral == (1500.0, 1500.0)
    np.testing.assert_allclose(log.command, [[1600.0, 1300.0]] * len(log))  # 0.25 and -0.5 of 400 us
    assert 'vehicle' in codes(log) and not log.warnings


def test_without_an_estimate_the_gps_moves_the_boat(tmp_path):
    log = read_log(circle(estimator=False).write(tmp_path / 'a.ulg'))
    assert 'gps_only' in codes(log)
    np.testing.assert_allclose(log.u, SPEED, atol=1e-4)
    assert np.ptp(log.y) == pytest.approx(2.0 * SPEED / TURN, rel=0.01)


def test_an_older_gps_has_its_places_in_whole_numbers(tmp_path):
    file = UlogFile(topics=OLD_GPS)
    for step in range(100):
        file.put('vehicle_gps_position', 0.2 * step, 634_000_000 + 100 * step, -103_000_000, 5.575e-5, 0.0, 0.0, 3)
    log = read_log(file.write(tmp_path / 'a.ulg'))
    assert np.ptp(log.y) == pytest.approx(99 * 1e-5 * 111_500.0, rel=1e-3)
    note = next(note for note in log.notes if note.code == 'local_plane')
    assert note.figures == {'longitude_deg': pytest.approx(-10.3), 'latitude_deg': pytest.approx(63.4)}


def test_velocities_that_the_estimator_does_not_know_are_none(tmp_path):
    file = circle(seconds=20.0)
    for step in range(100):
        file.put('vehicle_local_position', 200.0 + 0.1 * step, round(1e6 * (200.0 + 0.1 * step)), 0.0, 0.0, 9.0, 9.0,
                 False, False)
    log = read_log(file.write(tmp_path / 'a.ulg'))
    assert np.isnan(log.u[-100:]).all() and np.isfinite(log.u[:200]).all()


def test_several_batteries_are_added_unless_one_is_dead_or_an_esc_s(tmp_path):
    log = read_log(circle(second=lambda t: 1.0 + 0.1 * math.cos(t)).write(tmp_path / 'a.ulg'))
    stamps = 100.0 + log.time
    both = 16.0 * (2.5 + 0.5 * np.sin(stamps)) + 15.0 * (1.0 + 0.1 * np.cos(stamps))
    np.testing.assert_allclose(log.electrical_power, both, rtol=1e-5)
    assert 'batteries_added' in {note.code for note in log.warnings}
    log = read_log(circle(second=lambda t: -1.0).write(tmp_path / 'b.ulg'))
    np.testing.assert_allclose(log.electrical_power, 16.0 * (2.5 + 0.5 * np.sin(stamps)), rtol=1e-5)
    assert any('battery_status 1: its current holds no number' in note.text for note in log.warnings)
    file = circle()
    for step in range(300):
        file.put('battery_status', 100.0 + 0.1 * step, 16.0, 3.0 + 0.01 * step, True, 2, instance=1)
    np.testing.assert_allclose(read_log(file.write(tmp_path / 'c.ulg')).electrical_power,
                               16.0 * (2.5 + 0.5 * np.sin(stamps)), rtol=1e-5)


def test_outputs_stand_for_motors_where_the_parameters_name_them(tmp_path):
    file = circle(motors=(), parameters=(('PWM_MAIN_FUNC2', 101), ('PWM_MAIN_FUNC4', 102)))
    for step in range(300):
        file.put('actuator_outputs', 100.0 + 0.1 * step, 4, [0.0, 1450.0, 0.0, 1620.0] + [0.0] * 12)
    log = read_log(file.write(tmp_path / 'a.ulg'))
    assert log.thrusters == ('left', 'right')
    np.testing.assert_allclose(log.command, [[1620.0, 1450.0]] * len(log))
    assert read_log(circle(motors=(0.1, 0.2, 0.3, 0.4)).write(tmp_path / 'b.ulg')).thrusters == ()


@pytest.mark.parametrize(('kind', 'code', 'text'), [
    (QUADROTOR, 'other_vehicle', 'flown by a quadrotor (MAV_TYPE 2 in vehicle_status.system_type)'),
    (ROVER, 'ground_rover', 'a ground rover')])
def test_the_vehicle_s_status_says_what_it_was(tmp_path, kind, code, text):
    log = read_log(circle(kind=kind).write(tmp_path / 'a.ulg'))
    assert [note.code for note in log.warnings if text in note.text] == [code]


def test_dropouts_are_told(tmp_path):
    file = circle()
    file.dropout(250)
    note = next(note for note in read_log(file.write(tmp_path / 'a.ulg')).warnings if note.code == 'dropouts')
    assert note.figures == {'dropouts': 1, 'duration_s': 0.25}


def test_a_file_that_was_cut_off_gives_what_is_whole(tmp_path):
    data = circle().write(tmp_path / 'a.ulg').read_bytes()
    (tmp_path / 'b.ulg').write_bytes(data[:len(data) // 2 + 7])
    assert 130 < len(read_log(tmp_path / 'b.ulg')) < 160


def test_what_is_no_log_of_px4_is_refused(tmp_path):
    (tmp_path / 'a.ulg').write_bytes(b'no such thing' * 10)
    with pytest.raises(InputError, match='is no ULog file'):
        read_log(tmp_path / 'a.ulg')
    (tmp_path / 'b.ulg').write_bytes(b'ULog\x01\x12\x35\x01' + b'\xff' * 100)
    with pytest.raises(InputError, match=r'b\.ulg: (cannot be read|has no motion)'):
        read_log(tmp_path / 'b.ulg')


@pytest.mark.parametrize(('formats', 'words'), [
    ([f'a{k}:a{k + 1}[9] x;a{k + 1}[9] y;' for k in range(30)], 'fields; at most 65535'),
    ([f'a{k}:a{k + 1} x;' for k in range(100)], 'more than 64 formats deep'),
    (['a:a x;'], 'more than 64 formats deep')])
def test_formats_that_hold_one_another_without_end_are_refused(tmp_path, formats, words):
    """3.5 kB of them had taken 3.7 GB."""
    messages = [len(text).to_bytes(2, 'little') + b'F' + text.encode() for text in formats]
    (tmp_path / 'a.ulg').write_bytes(b'ULog\x01\x12\x35\x01' + bytes(8) + b''.join(messages))
    with pytest.raises(InputError, match=words):
        read_log(tmp_path / 'a.ulg')


def test_a_log_without_motion_is_refused_with_what_there_is(tmp_path):
    """A battery alone; a GPS without a fix; of topics that are not read: nothing."""
    file = UlogFile()
    file.put('battery_status', 1.0, 16.0, 2.0, True, 0)
    with pytest.raises(InputError, match=r'a\.ulg: has no motion.* There are: battery_status$'):
        read_log(file.write(tmp_path / 'a.ulg'))
    for step in range(20):
        file.put('vehicle_gps_position', 1.0 + step, 63.4, 10.3, 1.0, 0.0, 0.0, 1)
    with pytest.raises(InputError, match=r'There are: battery_status, vehicle_gps_position$'):
        read_log(file.write(tmp_path / 'b.ulg'))
    other = UlogFile(topics={'cpuload': 'uint64_t timestamp;float load'})
    other.put('cpuload', 1.0, 0.5)
    with pytest.raises(InputError, match=r'There are: none of the topics that are read$'):
        read_log(other.write(tmp_path / 'c.ulg'))


def test_a_topic_lacks_what_it_is_of_no_use_without():
    """The GPS has its places as degrees or as whole numbers, under other names; one pair of them is enough."""
    whole = ['timestamp', *TOPICS[GPS]]
    for pair in PLACES:
        assert missing_fields(GPS, dict.fromkeys((*whole, *pair))) == []
        assert missing_fields(GPS, dict.fromkeys((*whole, sorted(pair)[0]))) == ['latitude_deg', 'longitude_deg']
    assert missing_fields(OUTPUTS, dict.fromkeys(('timestamp', *TOPICS[OUTPUTS]))) == []
    assert missing_fields(GPS, dict.fromkeys((*whole[1:], *PLACES[0]))) == ['timestamp']


@pytest.mark.parametrize(('status', 'parameters', 'number'), [
    ({'system_type': [2.0, 11.0, 11.0], 'vehicle_type': [3.0] * 3}, {}, 11), ({'vehicle_type': [1.0]}, {}, 2),
    ({'vehicle_type': [2.0]}, {}, 1), ({'vehicle_type': [3.0]}, {}, 10), ({'vehicle_type': [4.0]}, {}, 7),
    ({'vehicle_type': []}, {'MAV_TYPE': 11}, 11), ({}, {'MAV_TYPE': 11}, 11)])
def test_a_vehicle_is_what_its_status_says_most_often_or_its_parameters(status, parameters, number):
    found = _vehicle(parameters, {(STATUS, 0): {name: np.array(values) for name, values in status.items()}})
    wanted = vehicle_of_type(number, '')
    assert wanted is not None and (found.kind, found.words) == (wanted.kind, wanted.words)


def test_outputs_are_those_that_the_parameters_name_as_the_two_motors():
    """Motor 1 is the right one; a pulse of 0 is none; of more than two motors or fewer nobody knows the sides."""
    time = np.array([1.0, 2.0])
    table = {'time': time, 'output[2]': np.array([1600.0, 0.0]), 'output[4]': np.array([1400.0, 1450.0])}
    names = {'PWM_MAIN_FUNC3': 101, 'PWM_MAIN_FUNC5': 102, 'PWM_MAIN_FUNC1': 201, 'PWM_MAIN_RATE': 102,
             'PWM_MAIN_FUNC_MAX': 101}
    left, right = _outputs({(OUTPUTS, 0): table}, names, time)
    assert (left.name, right.name) == ('left', 'right')
    np.testing.assert_array_equal(left.command, [1400.0, 1450.0])
    np.testing.assert_array_equal(right.command, [1600.0, np.nan])
    only = {name: names[name] for name in ('PWM_MAIN_FUNC3', 'PWM_MAIN_FUNC5')}
    assert len(_outputs({(OUTPUTS, 0): table}, only, time)) == 2
    assert _outputs({(OUTPUTS, 0): table}, names | {'PWM_MAIN_FUNC7': 112}, time) == ()
    assert len(_outputs({(OUTPUTS, 0): table}, names | {'PWM_MAIN_FUNC7': 113}, time)) == 2
    assert len(_outputs({(OUTPUTS, 0): table}, names | {'PWM_MAIN_FUNC7': 100}, time)) == 2
    for lost in ({'PWM_MAIN_FUNC3': 101}, {}, names | {'PWM_MAIN_FUNC3': 100}):
        assert _outputs({(OUTPUTS, 0): table}, lost, time) == ()
    assert _outputs({}, names, time) == ()


@pytest.mark.parametrize('unknown', [range(40), [7]])
def test_a_time_of_sampling_of_zero_is_none_and_that_of_logging_stands_for_all(tmp_path, unknown):
    file = UlogFile()
    for step in range(40):
        t = 100.0 + 0.1 * step
        file.put('vehicle_local_position', t + 0.007, 0 if step in unknown else round(1e6 * t), t, 0.0, 1.0, 0.0, True,
                 True)
    log = read_log(file.write(tmp_path / 'a.ulg'))
    np.testing.assert_allclose(log.start + log.time, 100.007 + 0.1 * np.arange(40), atol=1e-6)


def test_no_volts_and_amperes_below_zero_are_none():
    """PX4 writes 0 V where nothing is measured, and -1 A; 0 A is a reading."""
    table = {'time': np.arange(3.0), 'voltage_v': np.array([0.0, 12.0, 13.0]), 'current_a': np.array([2.0, 0.0, -1.0])}
    one, = _batteries({(BATTERY, 0): table})
    np.testing.assert_array_equal(one.volts, [np.nan, 12.0, 13.0])
    np.testing.assert_array_equal(one.amperes, [2.0, 0.0, np.nan])


def straight(place=(), velocity=(), heading=(), quaternion=False, seconds=60.0):
    """
    A boat that goes east at 1.2 m/s, whose estimator is reset, as PX4 logs it.

    `place`: (time, step north, step east), m; `velocity`: (time, step north, step east), m/s: before, it is off by so
    much; `heading`: (time, step clockwise), rad: before, it is off by so much; counted in the attitude's `quaternion`
    or in the local position.
    """
    file = UlogFile(topics={name: form for name, form in COUNTED.items() if quaternion or name != 'vehicle_attitude'})

    def last(resets, t):
        there = [reset for reset in resets if reset[0] <= t]
        return len(there), list(there[-1][1:]) if there else [0.0] * (len(resets[0]) - 1 if resets else 2)

    for step in range(int(10 * seconds)):
        t = 0.1 * step
        north, east = (sum(reset[axis] for reset in place if reset[0] <= t) for axis in (1, 2))
        slow_north, slow_east = (sum(reset[axis] for reset in velocity if reset[0] > t) for axis in (1, 2))
        yaw = 0.5 * math.pi - sum(reset[1] for reset in heading if reset[0] > t)
        (places, by), (speeds, more), (turns, angle) = last(place, t), last(velocity, t), last(heading, t)
        file.put('vehicle_local_position', 10.0 + t, 0, north, SPEED * t + east, -slow_north, SPEED - slow_east, True,
                 True, by, (250 + places) % 256, more, speeds, angle[0], turns)
        resets = [[math.cos(0.5 * angle[0]), 0.0, 0.0, math.sin(0.5 * angle[0])], turns] if quaternion else []
        file.put('vehicle_attitude', 10.0 + t, 0, [math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw)], *resets)
        file.put('vehicle_angular_velocity', 10.0 + t, [0.0, 0.0, 0.0])
    return file


def check_straight(log):
    np.testing.assert_allclose(log.u, SPEED, atol=1e-5)
    np.testing.assert_allclose(log.v, 0.0, atol=1e-5)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-5)
    np.testing.assert_allclose(log.x, SPEED * log.time, atol=1e-4)
    np.testing.assert_allclose(log.y, 0.0, atol=1e-4)


def test_steps_of_the_position_that_counters_tell_are_taken_out(tmp_path):
    """Seven of them, so that the counter passes 255."""
    resets = [(5.0 + 7.0 * k, 50.0, -20.0 * k) for k in range(7)]
    log = read_log(straight(place=resets).write(tmp_path / 'a.ulg'))
    check_straight(log)
    note, = (note for note in log.warnings if note.code == 'position_reset')
    assert note.figures == {'resets': 7, 'first_s': pytest.approx(5.0), 'largest_m': pytest.approx(130.0)}
    assert 'velocity_reset' not in codes(log) and 'heading_reset' not in codes(log)


@pytest.mark.parametrize('quaternion', [False, True])
def test_headings_before_a_reset_are_turned_by_its_step(tmp_path, quaternion):
    log = read_log(straight(heading=[(20.0, math.radians(20.0)), (40.0, math.radians(-3.0))],
                            quaternion=quaternion).write(tmp_path / 'a.ulg'))
    check_straight(log)
    note, = (note for note in log.warnings if note.code == 'heading_reset')
    assert note.figures == {'resets': 2, 'first_s': pytest.approx(20.0), 'largest_deg': pytest.approx(20.0)}


def test_velocities_before_a_reset_that_the_places_contradict_are_moved_by_its_step(tmp_path):
    log = read_log(straight(velocity=[(30.0, 0.1, 0.4)]).write(tmp_path / 'a.ulg'))
    check_straight(log)
    note, = (note for note in log.warnings if note.code == 'velocity_reset')
    assert note.figures == {'resets': 1, 'first_s': pytest.approx(30.0), 'largest_m_s': pytest.approx(0.17**0.5)}


def test_a_counted_step_that_the_places_do_not_show_is_none(tmp_path):
    file = straight(place=[(20.0, 0.0, 0.0)])
    log = read_log(file.write(tmp_path / 'a.ulg'))
    check_straight(log)
    assert 'position_reset' not in codes(log)


def test_a_battery_that_is_charged_has_a_negative_current_and_minus_one_alone_is_unknown(tmp_path):
    log = read_log(circle(current=lambda t: -1.0 if t > 120.0 else -2.0 + math.sin(t)).write(tmp_path / 'a.ulg'))
    stamps = 100.0 + log.time
    known = stamps < 119.95
    np.testing.assert_allclose(log.amperes[known], -2.0 + np.sin(stamps[known]), rtol=1e-5)
    assert np.isnan(log.amperes[stamps > 120.05]).all()
