"""Telemetry logs against the motion that was written into them."""

import itertools
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from needs import NEEDS_PYMAVLINK
from telemetry_files import BOAT, GROUND_STATION, PARAMETERS, QUADROTOR, ROVER, SPEED, TURN, Station, vehicle

from usv_energy.files.errors import InputError
from usv_energy.logs.autopilots.telemetry import (
    Packet,
    Sender,
    TelemetryFile,
    TelemetryVehicle,
    _chosen,
    _kind_of,
    vehicles_in,
)
from usv_energy.logs.read_log import read_log

pytestmark = NEEDS_PYMAVLINK


def codes(log):
    return {note.code for note in log.notes}


def check_circle(log, speed=1e-3, turn=1e-4, place=1e-3, heading=0.0):
    inner = slice(5, -5)
    np.testing.assert_allclose(log.u[inner], SPEED, atol=speed)
    np.testing.assert_allclose(log.v[inner], 0.0, atol=speed)
    np.testing.assert_allclose(log.r[inner], -TURN, atol=turn)  # clockwise is negative in FLU
    angle = TURN * log.time + heading
    np.testing.assert_allclose(log.yaw, 0.5 * np.pi - angle, atol=1e-4)
    np.testing.assert_allclose(log.x, SPEED / TURN * (np.cos(heading) - np.cos(angle)), atol=place)
    np.testing.assert_allclose(log.y, SPEED / TURN * (np.sin(angle) - np.sin(heading)), atol=place)


@pytest.mark.parametrize('version', [1, 2])
def test_motion_outputs_and_battery_come_out_in_house_units_and_frames(tmp_path, version):
    station = Station()
    vehicle(station, version=version)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    check_circle(log)
    assert (log.period, log.start) == (pytest.approx(0.2), 0.0)
    np.testing.assert_allclose(log.electrical_power, 16.0 * np.round(250.0 + 50.0 * np.sin(log.time)) / 100.0)
    assert log.thrusters == ('left', 'right') and log.neutral == (1510.0, 1490.0)
    np.testing.assert_allclose(log.command, [[1620.0, 1600.0]] * len(log))  # 1400, mirrored about 1510
    assert 'vehicle' in codes(log) and not log.warnings


def test_without_local_positions_the_global_ones_move_the_boat(tmp_path):
    station = Station()
    vehicle(station, local=False, heading=1.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    check_circle(log, speed=0.01, place=0.05, heading=1.0)  # cm/s, 1e-7 deg


def test_the_time_is_the_vehicle_s_however_late_its_packets_come(tmp_path):
    station = Station(late=lambda number: 0.3 * (number % 7))
    vehicle(station, boot=500.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    check_circle(log)
    assert log.start == 500.0 and log.gaps == []


@pytest.mark.parametrize('pace', [0.0, 0.005])
def test_a_vehicle_whose_clock_stands_has_the_times_of_receipt(tmp_path, pace):
    frozen = Station()
    frozen.clock = pace
    vehicle(frozen)
    log = read_log(frozen.write(tmp_path / 'a.tlog'))
    assert 'times_of_receipt' in codes(log)
    check_circle(log)


def test_a_clock_that_begins_anew_is_put_behind_a_gap(tmp_path):
    station = Station()
    vehicle(station, boot=900.0)
    vehicle(station, begin=60.0, boot=2.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    note, = (note for note in log.warnings if note.code == 'clock_set')
    assert note.figures == {'parts': 2, 'first_jump_s': pytest.approx(-927.8), 'between_s': 0.0}
    assert log.gaps == [(pytest.approx(29.8), pytest.approx(60.0))]
    assert len(log) == 300
    np.testing.assert_allclose(log.u, SPEED, atol=0.02)


def test_a_clock_that_begins_anew_twice_is_put_behind_the_time_of_receipt_or_five_seconds(tmp_path):
    station = Station()
    for begin, boot in ((0.0, 900.0), (60.0, 2.0), (91.0, 1.0)):  # The third begins 1.2 s after the second's last.
        vehicle(station, begin=begin, boot=boot)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    assert [note.figures['parts'] for note in log.notes if note.code == 'clock_set'] == [3]
    assert log.gaps == [(pytest.approx(29.8), pytest.approx(60.0)), (pytest.approx(89.8), pytest.approx(94.8))]
    assert log.start == 900.0 and log.time[-1] == pytest.approx(94.8 + 29.8)
    assert log.recorded_duration == pytest.approx(94.8 + 29.8 - 5.0)


def test_of_several_systems_the_one_that_sends_its_attitude_is_the_vehicle(tmp_path):
    station = Station()
    for second in range(30):
        station.put(second, 'HEARTBEAT', GROUND_STATION, 8, 0, 0, 4, 3, system=255, component=190)
    vehicle(station, system=7)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    check_circle(log)
    assert any('system 7' in note.text for note in log.notes)


def test_of_several_vehicles_the_boat_is_taken_or_one_is_asked_for(tmp_path):
    station = Station()
    vehicle(station, kind=QUADROTOR, system=1, heading=1.0)
    vehicle(station, kind=BOAT, system=2)
    path = station.write(tmp_path / 'a.tlog')
    check_circle(read_log(path))
    assert 'other_vehicle' in codes(read_log(path, system=1))
    vehicle(station, kind=BOAT, system=3)
    with pytest.raises(InputError, match=r'3 vehicles: system 1 \(a quadrotor\), 2 \(a boat\), 3 \(a boat\)'):
        read_log(station.write(path))
    check_circle(read_log(path, system=3))
    with pytest.raises(InputError, match=r'as system 9\. There are the systems: 1, 2, 3'):
        read_log(path, system=9)


@pytest.mark.parametrize('kind', ['SYS_STATUS', 'BATTERY_STATUS'])
@pytest.mark.parametrize(('amperes', 'wanted'), [
    (lambda step: 400 if step // 10 % 2 else -400, lambda step: 4.0 if step // 10 % 2 else -4.0),  # charged in turns
    (lambda step: -1 if step % 20 == 7 else 200 + step % 3, lambda step: np.nan if step % 20 == 7 else
     2.0 + 0.01 * (step % 3)),  # unknown
    (lambda step: (step * 7) % 5 - 2, lambda step: 0.01 * ((step * 7) % 5 - 2))])  # noise about zero, -1 in it
def test_negative_currents_charge_a_battery_and_minus_one_alone_is_unknown(tmp_path, kind, amperes, wanted):
    """Of ten Hz, with the noise of a sensor that must not be rectified."""
    station = Station()
    for step in range(100):
        station.put(0.1 * step, 'ATTITUDE', 100 * step, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        station.put(0.1 * step, 'LOCAL_POSITION_NED', 100 * step, 0.1 * step, 0.0, 0.0, 1.0, 0.0, 0.0)
        values = (0, 0, 0, 0, [4000] * 4 + [65535] * 6, amperes(step), 0, 0, 50) if kind == 'BATTERY_STATUS' else (
            0, 0, 0, 0, 16_000, amperes(step), 50, 0, 0, 0, 0, 0, 0)
        station.put(0.1 * step, kind, *values)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    expected = np.array([wanted(step) for step in range(100)])
    known = np.isfinite(log.amperes)
    np.testing.assert_array_equal(known, np.isfinite(expected))
    np.testing.assert_allclose(log.amperes[known], expected[known], atol=1e-9)
    np.testing.assert_allclose(log.electrical_power[known], 16.0 * expected[known], atol=1e-9)


def test_local_positions_alone_are_read_on_after_a_clock_began_anew(tmp_path):
    station = Station()
    for begin, boot in ((0.0, 100.0), (40.0, 2.0)):
        for step in range(100):
            t = 0.1 * step
            station.put(begin + t, 'ATTITUDE', round(1e3 * (boot + t)), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            station.put(begin + t, 'LOCAL_POSITION_NED', round(1e3 * (boot + t)), t, 0.0, 0.0, 1.0, 0.0, 0.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    assert len(log) == 200 and log.gaps == [(pytest.approx(9.9), pytest.approx(40.0))]
    np.testing.assert_allclose(log.u, 1.0, atol=1e-6)


def test_one_stamp_an_hour_ahead_is_left_out(tmp_path):
    station = Station()
    vehicle(station, seconds=15.0)
    station.put(15.0, 'LOCAL_POSITION_NED', 3_615_000, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    vehicle(station, begin=15.2, seconds=15.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    assert len(log) == 150 and not log.gaps and 'stamps_astray' in codes(log)


def test_a_rover_that_says_it_is_a_boat_is_one_and_else_is_warned_of(tmp_path):
    station = Station()
    vehicle(station, kind=ROVER, texts=['ArduRover V4.5.0 (f00)'], parameters=(*PARAMETERS, ('FRAME_CLASS', 2.0)))
    assert not read_log(station.write(tmp_path / 'a.tlog')).warnings
    station = Station()
    vehicle(station, kind=ROVER, texts=['ArduRover V4.5.0 (f00)'], parameters=(*PARAMETERS, ('FRAME_CLASS', 1.0)))
    assert [note.code for note in read_log(station.write(tmp_path / 'a.tlog')).warnings] == ['ground_rover']


def test_two_batteries_are_added_and_an_unknown_current_is_none(tmp_path):
    station = Station()
    for step in range(100):
        for number, amperes in ((0, 100 + step), (1, 300 + step), (2, -1)):
            station.put(0.1 * step, 'BATTERY_STATUS', number, 0, 0, 0, [4000] * 4 + [65535] * 6, amperes, 0, 0, 50)
        station.put(0.1 * step, 'ATTITUDE', 100 * step, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        station.put(0.1 * step, 'LOCAL_POSITION_NED', 100 * step, 0.1 * step, 0.0, 0.0, 1.0, 0.0, 0.0)
    log = read_log(station.write(tmp_path / 'a.tlog'))
    assert 'batteries_added' in codes(log)
    np.testing.assert_allclose(log.amperes, 4.0 + 0.2 * log.time, atol=1e-6)
    np.testing.assert_allclose(log.electrical_power, 16.0 * log.amperes)
    np.testing.assert_allclose(log.volts, 16.0)


def test_damaged_bytes_are_counted_and_the_rest_is_read(tmp_path):
    station = Station()
    vehicle(station)
    station.parts[400] = b'\x00' * 9 + station.parts[400][:20]
    station.parts[700] = station.parts[700][:-3] + b'\x01' + station.parts[700][-2:]
    log = read_log(station.write(tmp_path / 'a.tlog'))
    check_circle(log)
    damage = next(note for note in log.notes if note.code == 'packets_damaged')
    assert damage.figures['packets'] == 1 and damage.figures['bytes'] > 29


def test_a_file_that_was_cut_off_gives_what_is_whole(tmp_path):
    station = Station()
    vehicle(station)
    data = station.write(tmp_path / 'a.tlog').read_bytes()
    (tmp_path / 'b.tlog').write_bytes(data[:len(data) // 2 + 7])
    assert 70 < len(read_log(tmp_path / 'b.tlog')) < 80


def test_what_is_no_telemetry_log_is_refused(tmp_path):
    (tmp_path / 'a.tlog').write_bytes(b'no such thing' * 10)
    with pytest.raises(InputError, match='is no telemetry log'):
        read_log(tmp_path / 'a.tlog')
    station = Station()
    station.put(0.0, 'HEARTBEAT', GROUND_STATION, 8, 0, 0, 4, 3, system=255)
    with pytest.raises(InputError, match='no vehicle sends its attitude'):
        read_log(station.write(tmp_path / 'b.tlog'))


def attitudes(*times):
    """Return a vehicle that sent attitudes, of which each says when, s of its clock, and when it was received, s."""
    one = TelemetryVehicle()
    for boot, received in times:
        one.take('ATTITUDE', SimpleNamespace(time_boot_ms=1e3 * boot, yaw=0.0, yawspeed=0.0), received)
    return one


def test_a_clock_goes_that_is_a_hundredth_as_fast_as_the_receipt():
    """Of the attitudes, first to last; one alone tells nothing."""
    for last, goes in ((7.0 - 1e-9, False), (7.0 + 1e-9, True), (6.9, False)):
        assert attitudes((6.0, 50.0), (6.5, 60.0), (last, 150.0)).has_clock is goes
    assert not attitudes((6.0, 50.0)).has_clock and not TelemetryVehicle().has_clock


def test_a_packet_that_came_twice_was_received_when_it_first_came():
    """The clock began anew before the last ten."""
    again = [(1.0 + 0.1 * k, 110.0 + 0.1 * k) for k in range(10)]
    one = attitudes((9.8, 99.8), (9.9, 99.9), (10.0, 100.0), (10.1, 100.1), (10.1, 103.0), *again)
    assert one.restarts == 1
    times = one.table('ATTITUDE')['time']
    np.testing.assert_allclose(times, [*(1.0 - 9.9 - 0.1 * np.arange(4))[::-1], *(1.0 + 0.1 * np.arange(10))])


def test_the_types_that_heartbeats_name_are_counted():
    one = TelemetryVehicle()
    for kind in (QUADROTOR, ROVER, QUADROTOR):
        one.take('HEARTBEAT', SimpleNamespace(type=kind, autopilot=3), 0.0)
    assert one.types == {QUADROTOR: 2, ROVER: 1} and one.autopilot == 3


@pytest.mark.parametrize(('types', 'kind'), [({ROVER: 9, BOAT: 1}, 'a boat'), ({QUADROTOR: 1, BOAT: 9}, 'a boat'),
                                            ({QUADROTOR: 9, ROVER: 1}, 'a quadrotor')])
def test_a_vehicle_that_once_says_it_is_a_boat_is_one(types, kind):
    assert _kind_of(SimpleNamespace(texts=[], parameters={}, types=Counter(types))).words == kind


def test_a_gimbal_that_sends_its_attitude_more_often_is_not_the_vehicle():
    """MAV_AUTOPILOT 8 is of what is no autopilot; where nothing else sends, that is taken. 154: MAV_COMP_ID_GIMBAL."""
    def sending(autopilot, often):
        one = attitudes(*((0.1 * k, 0.1 * k) for k in range(often)))
        one.autopilot = autopilot
        return one

    controller, gimbal, path = Sender(1, 1), Sender(1, 154), Path('a.tlog')
    assert _chosen({controller: sending(3, 5), gimbal: sending(8, 50)}, path, None) == controller
    assert _chosen({gimbal: sending(8, 50)}, path, None) == gimbal


def test_progress_is_told_each_hundred_thousand_packets(tmp_path, monkeypatch):
    """And a file of a single packet holds one."""
    packet, told = Packet(0.0, 1, 1, -1, b''), []
    (tmp_path / 'a.tlog').touch()
    for number, then in ((200_001, [100_000, 200_000]), (1, []), (2, [])):
        monkeypatch.setattr(TelemetryFile, 'packets', lambda file, number=number: itertools.repeat(packet, number))
        told.clear()
        assert vehicles_in(tmp_path / 'a.tlog', told.append) == ({}, 0, 0)
        assert told == then
