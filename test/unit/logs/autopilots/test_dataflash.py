"""ArduPilot logs against the motion that was written into them."""

import itertools
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from dataflash_files import KINDS, PARAMETERS, SPEED, TURN, circle, write_dataflash
from needs import NEEDS_PYMAVLINK

from usv_energy.files.errors import InputError
from usv_energy.logs.autopilots import dataflash
from usv_energy.logs.read_log import read_log

pytestmark = NEEDS_PYMAVLINK


def test_motion_comes_out_in_enu_and_flu(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle())
    log = read_log(tmp_path / 'a.bin')
    inner = slice(10, -10)
    np.testing.assert_allclose(log.u[inner], SPEED, atol=1e-4)
    np.testing.assert_allclose(log.v[inner], 0.0, atol=1e-4)
    np.testing.assert_allclose(log.r[inner], -TURN, atol=1e-4)  # clockwise is negative in FLU
    angle = TURN * log.time
    np.testing.assert_allclose(log.x, SPEED / TURN * (1.0 - np.cos(angle)), atol=1e-4)
    np.testing.assert_allclose(log.y, SPEED / TURN * np.sin(angle), atol=1e-4)  # the first estimator's
    np.testing.assert_allclose(log.yaw, 0.5 * np.pi - angle, atol=1e-6)
    np.testing.assert_allclose(log.electrical_power, 40.0 + 8.0 * np.sin(log.time), rtol=1e-6)
    assert [note.text.partition(',')[0] for note in log.warnings] == ['BAT2: its current is 99 all the time']
    assert log.start == pytest.approx(1.0)


def test_throttles_are_found_by_their_functions_and_turned_ahead(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle())
    log = read_log(tmp_path / 'a.bin')
    assert log.thrusters == ('left', 'right') and log.neutral == (1510.0, 1490.0)
    np.testing.assert_allclose(log.command, [[1620.0, 1600.0]] * len(log))  # 1400, mirrored about 1510


def test_channels_are_assumed_aloud(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(parameters=()))
    log = read_log(tmp_path / 'a.bin')
    assert 'channels_assumed' in {note.code for note in log.warnings}
    np.testing.assert_allclose(log.command[0], [1400.0, 1600.0])


def test_without_an_estimator_the_gps_moves_the_boat(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(estimator=False))
    log = read_log(tmp_path / 'a.bin')
    assert 'gps_only' in {note.code for note in log.warnings}
    np.testing.assert_allclose(log.u, SPEED, atol=1e-3)
    assert np.ptp(log.y) == pytest.approx(2.0 * SPEED / TURN, rel=0.01)


def test_without_two_throttles_no_command_is_read(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(parameters=(('SERVO1_FUNCTION', 26.0), ('SERVO3_FUNCTION', 70.0))))
    log = read_log(tmp_path / 'a.bin')
    assert log.thrusters == () and any(note.code == 'one_throttle' for note in log.notes)


def test_a_copter_s_log_is_warned_of_by_name_and_a_boat_s_is_not(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(texts=['ArduCopter V4.3.6 (1a2b)'], parameters=(('FRAME_CLASS', 2.0),)))
    assert any('flown by a hexarotor (its firmware is ArduCopter V4.3.6, its FRAME_CLASS 2)' in note.text
               for note in read_log(tmp_path / 'a.bin').warnings)
    parameters = (*PARAMETERS, ('FRAME_CLASS', 2.0))
    write_dataflash(tmp_path / 'b.bin', circle(texts=['ArduRover V4.3.6'], parameters=parameters, second=math.sin))
    assert [note.code for note in read_log(tmp_path / 'b.bin').warnings] == ['batteries_added']


@pytest.mark.parametrize('current', [0.0, 2.5, math.nan])
def test_a_current_sensor_that_never_changes_measures_nothing(tmp_path, current):
    write_dataflash(tmp_path / 'a.bin', circle(current=lambda t: current, second=lambda t: current))
    log = read_log(tmp_path / 'a.bin')
    assert not log.known('electrical_power') and not log.known('volts') and not log.known('amperes')
    assert 'sensor_dead' in {note.code for note in log.warnings}


def test_a_file_that_was_cut_off_gives_what_is_whole(tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle())
    whole = len(read_log(tmp_path / 'a.bin'))
    data = (tmp_path / 'a.bin').read_bytes()
    (tmp_path / 'b.bin').write_bytes(data[:len(data) // 2 + 7])
    assert 0.4 * whole < len(read_log(tmp_path / 'b.bin')) < 0.6 * whole


def test_what_is_no_dataflash_file_is_refused(tmp_path):
    (tmp_path / 'a.bin').write_bytes(b'no such thing' * 10)
    with pytest.raises(InputError, match='is no log that is known here'):
        read_log(tmp_path / 'a.bin')
    write_dataflash(tmp_path / 'b.bin', [('BAT', (1, 0, 16.0, 1.0))])
    with pytest.raises(InputError, match='has no motion'):
        read_log(tmp_path / 'b.bin')


def test_messages_that_do_not_fit_their_format_are_counted_and_the_rest_is_read(tmp_path, monkeypatch):
    """A battery's volts that are a text: no number."""
    monkeypatch.setitem(KINDS, 'BAT', (68, 'QBNf', 'TimeUS,Instance,Volt,Curr'))
    good = [message for message in circle() if message[0] != 'BAT']
    write_dataflash(tmp_path / 'a.bin', [*good, *[('BAT', (9_000_000, 0, 'sixteen', 1.0))] * 7])
    log = read_log(tmp_path / 'a.bin')
    note, = (note for note in log.warnings if note.code == 'messages_damaged')
    assert note.figures == {'messages': 7} and note.text.startswith('7 messages ')
    assert len(log) == 300 and not log.known('volts')


def test_a_log_of_messages_that_do_not_fit_is_refused_early(monkeypatch):
    """Three million took minutes."""
    broken = SimpleNamespace(get_type=lambda: 'ATT', fmt=SimpleNamespace(instance_field='', columns=()))
    given = iter(range(3_000_000))
    monkeypatch.setattr(dataflash, '_messages', lambda path: (broken for _ in given))
    with pytest.raises(InputError, match=r'a\.bin: of its first 10001 messages 10001 do not fit their format'):
        dataflash._read(Path('a.bin'), lambda count: None, [])
    assert next(given) == 10_001


def test_a_log_of_more_parameters_than_a_vehicle_has_is_refused_at_the_first_beyond(monkeypatch):
    """It had gone on to the next hundred thousand, after pymavlink had read all for a clock that nobody needs."""
    given = itertools.count()
    monkeypatch.setattr(dataflash, '_messages', lambda path: (
        SimpleNamespace(get_type=lambda: 'PARM', Name=f'P{next(given)}', Value=1.0) for _ in itertools.count()))
    with pytest.raises(InputError, match=r'a\.bin: has more than 50000 parameters'):
        dataflash._read(Path('a.bin'), lambda count: None, [])
    assert next(given) <= 50_003


@NEEDS_PYMAVLINK
def test_where_pymavlink_stumbles_the_log_is_damaged_without_python_s_words(tmp_path, monkeypatch):
    from pymavlink.DFReader import DFReader_binary
    monkeypatch.setattr(DFReader_binary, 'recv_match', lambda *_, **__: 1 / 0)
    write_dataflash(tmp_path / 'a.bin', circle(seconds=1))
    with pytest.raises(InputError, match=r'pymavlink stops at a message that does not fit its format$'):
        read_log(tmp_path / 'a.bin')


def test_progress_is_told_each_hundred_thousand_messages(monkeypatch):
    text = SimpleNamespace(get_type=lambda: 'MSG', Message='')
    monkeypatch.setattr(dataflash, '_messages', lambda path: itertools.repeat(text, 200_001))
    told = []
    dataflash._read(Path('a.bin'), told.append, [])
    assert told == [100_000, 200_000]


def test_messages_of_a_gps_without_a_3d_fix_are_left_out(tmp_path):
    """GPS.Status: 0 no GPS, 1 no fix, 2 a 2D fix, 3 a 3D fix (ArduPilot, AP_GPS::GPS_Status)."""
    def with_status(status_of):
        messages, number = [], itertools.count()
        for kind, values in circle(estimator=False):
            messages.append((kind, (*values[:2], status_of(next(number)), *values[3:]) if kind == 'GPS' else values))
        write_dataflash(tmp_path / 'a.bin', messages)
        return tmp_path / 'a.bin'

    log = read_log(with_status(lambda number: 2 if number < 50 else 3))
    assert len(log) == 250 and log.start == pytest.approx(6.0)
    assert len(read_log(with_status(lambda number: 4))) == 300
    with pytest.raises(InputError, match='its GPS never had a fix'):
        read_log(with_status(lambda number: 2))


def test_a_message_whose_time_does_not_rise_is_left_out(tmp_path):
    messages = circle(seconds=10)
    late = [message for message in messages if message[0] == 'XKF1'][-6:]
    write_dataflash(tmp_path / 'a.bin', [*messages, *late])
    log = read_log(tmp_path / 'a.bin')
    assert len(log) == 100 and (np.diff(log.time) > 0.0).all()


@pytest.mark.parametrize('instance', [3, 8])
def test_batteries_of_any_number_are_counted(tmp_path, instance):
    """Volts of the first, amperes of all; a sensor's other instances are no damage."""
    messages = [one for one in circle() if one[0] != 'BAT' or one[1][1] == 0]
    more = [('BAT', (values[0], instance, 16.0, values[3])) for kind, values in messages if kind == 'BAT']
    write_dataflash(tmp_path / 'a.bin', sorted([*messages, *more], key=lambda one: one[1][0]))
    log = read_log(tmp_path / 'a.bin')
    note, = (note for note in log.warnings if note.code == 'batteries_added')
    assert f'BAT{instance + 1} ' in note.text
    np.testing.assert_allclose(log.electrical_power, 2.0 * (40.0 + 8.0 * np.sin(log.time)), rtol=1e-6)
    assert 'messages_damaged' not in {note.code for note in log.notes}


@pytest.mark.parametrize(('field', 'units'), [('Inst', ''), ('Bank', 's#vA')])
def test_a_battery_s_instance_is_the_field_that_its_units_mark_or_a_usual_name(tmp_path, monkeypatch, field, units):
    """ArduPilot calls it Inst since 4.2; FMTU marks such a field by the unit #."""
    monkeypatch.setitem(KINDS, 'BAT', (68, 'QBff', f'TimeUS,{field},Volt,Curr'))
    marked = [('FMTU', (0, 68, units, '----'))] if units else []
    write_dataflash(tmp_path / 'a.bin', [*marked, *circle(second=lambda t: 4.0 + math.cos(t))])
    log = read_log(tmp_path / 'a.bin')
    assert 'batteries_added' in {note.code for note in log.warnings}
    np.testing.assert_allclose(log.electrical_power, 60.0 + 8.0 * np.sin(log.time) + 5.0 * np.cos(log.time), rtol=1e-6)


def primary(core_at, cores=(0, 1)):
    """The circle, whose core 0 drifts north at 3 m/s, and what says at each time which core is the primary one."""
    messages = []
    for kind, values in circle():
        if kind == 'XKF1':
            us, core, yaw, north_speed, east_speed, north, east, down = values
            t = 1e-6 * us - 1.0
            if core == 0:
                values = (us, core, yaw, north_speed + 3.0, east_speed, north + 3.0 * t, east, down)
            if core in cores:
                messages += [(kind, values), ('XKF4', (us, core, core_at(t)))]
        else:
            messages.append((kind, values))
    return messages


def test_the_motion_is_that_of_the_primary_core(tmp_path):
    write_dataflash(tmp_path / 'a.bin', primary(lambda t: 1))
    log = read_log(tmp_path / 'a.bin')
    np.testing.assert_allclose(log.u[10:-10], SPEED, atol=1e-4)
    np.testing.assert_allclose(log.y, 50.0 + SPEED / TURN * np.sin(TURN * log.time), atol=1e-4)
    assert [note.text for note in log.notes if note.code == 'primary_core'] == [
        'the primary core is 1 (XKF4.PI): its motion is taken']


def test_where_another_core_becomes_the_primary_one_it_is_followed_without_its_step(tmp_path):
    """The cores differ by 50 - 3 * 20 m north then."""
    write_dataflash(tmp_path / 'a.bin', primary(lambda t: int(t < 20.0)))
    log = read_log(tmp_path / 'a.bin')
    notes = {note.code: note.figures for note in log.notes}
    assert notes['primary_core_changed'] == {'changes': 1, 'first_s': pytest.approx(20.0)}
    assert notes['position_reset'] == {'resets': 1, 'first_s': pytest.approx(20.0), 'largest_m': pytest.approx(10.0)}
    wanted = 50.0 + SPEED / TURN * np.sin(TURN * log.time) + 3.0 * np.maximum(log.time - 20.0, 0.0)
    np.testing.assert_allclose(log.y, wanted, atol=1e-4)
    np.testing.assert_allclose(np.hypot(log.u, log.v)[:190], SPEED, atol=1e-4)


def test_a_primary_core_that_is_not_in_the_log_is_said(tmp_path):
    write_dataflash(tmp_path / 'a.bin', primary(lambda t: 1, cores=(0,)))
    log = read_log(tmp_path / 'a.bin')
    assert 'primary_core_missing' in {note.code for note in log.warnings} and len(log) == 300


def test_the_estimator_is_the_one_that_the_vehicle_goes_by(tmp_path):
    """EKF3 may run beside EKF2; AHRS_EKF_TYPE 2 says that the vehicle goes by the latter."""
    own = circle(parameters=(*PARAMETERS, ('AHRS_EKF_TYPE', 2.0)))
    other = [('NKF1', (*values[:5], values[5] + 500.0, *values[6:])) for kind, values in own if kind == 'XKF1']
    write_dataflash(tmp_path / 'a.bin', sorted([*own, *other], key=lambda one: one[1][0]))
    log = read_log(tmp_path / 'a.bin')
    assert log.y[0] == pytest.approx(500.0)
    assert 'the clock is NKF1' in ' '.join(note.text for note in log.notes)


def test_two_boots_in_one_file_follow_each_other(tmp_path):
    write_dataflash(tmp_path / 'a.bin', [*circle(seconds=20), *circle(seconds=30)])
    log = read_log(tmp_path / 'a.bin')
    assert len(log) == 500 and len(log.gaps) == 1 and len(log.pieces()) == 2
    note, = (note for note in log.warnings if note.code == 'clock_set')
    assert note.figures['parts'] == 2 and '(19.9 s, 29.9 s)' in note.text
    assert log.recorded_duration == pytest.approx(49.8), 'nobody knows how long the pause was: no time was lost'
    assert 'gaps' not in {one.code for one in log.notes}
    for piece in log.pieces():
        inner = slice(piece.start + 10, piece.stop - 10)
        np.testing.assert_allclose(log.u[inner], SPEED, atol=1e-4)
        np.testing.assert_allclose(log.electrical_power[inner], 40.0 + 8.0 * np.sin(log.time[inner] - log.time[
            piece.start]), rtol=1e-4)


def test_one_stamp_an_hour_ahead_is_left_out(tmp_path):
    messages = circle()
    messages = [(kind, (values[0] + 3_600_000_000, *values[1:]) if values[0] == 11_000_000 else values)
                for kind, values in messages]
    write_dataflash(tmp_path / 'a.bin', messages)
    log = read_log(tmp_path / 'a.bin')
    assert len(log) == 299 and not log.gaps and log.duration == pytest.approx(29.9)
    assert 'stamps_astray' in {note.code for note in log.warnings}


@NEEDS_PYMAVLINK
@pytest.mark.parametrize('length', [0, 3])
def test_a_format_without_length_is_refused_before_it_is_read_for_ever(tmp_path, length):
    path = tmp_path / 'a.bin'
    write_dataflash(path, circle(seconds=1))
    content = bytearray(path.read_bytes())
    at = content.index(b'\xa3\x95\x80' + bytes([69]))      # That of GPS.
    content[at + 4] = length
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf'byte {at}: the message 69 has {length} bytes by its format; must have at '
                       'least 4'):
        read_log(path)


@pytest.mark.parametrize(('clock', 'begin'), [('T', 66.0), ('Time', 0.0)], ids=['3.1', '3.0'])
def test_a_text_log_from_before_timeus_has_the_clock_of_its_gps(tmp_path, clock, begin):
    """ArduCopter 3.1 (2013): messages between two of the GPS say no time; volts and amperes are hundredths."""
    step = math.degrees(0.2 / 6_371_009.0)
    lines = ['', 'ArduRover V2.45', 'FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format',
             f'FMT, 130, 45, GPS, BBcLLeEI, Status,NSats,HDop,Lat,Lng,Spd,GCrs,{clock}',
             'FMT, 1, 17, ATT, cccccCC, RollIn,Roll,PitchIn,Pitch,YawIn,Yaw,NavYaw',
             'FMT, 9, 19, CURR, hIhhhf, Thr,ThrInt,Volt,Curr,Vcc,CurrTot']
    for k in range(100):
        lines += [f'GPS, 3, 9, 1.50, {k * step:.9f}, 9.0000000, 1.00, 0.00, {int(1e3 * begin) + 200 * k}',
                  'ATT, 0.00, 0.10, 0.00, 0.20, 0.00, 350.00, 0.00', f'CURR, 300, 0, 1480, {200 + k % 3}, 4960, 1.0']
    (tmp_path / 'a.log').write_text('\n'.join(lines) + '\n')
    log = read_log(tmp_path / 'a.log')
    np.testing.assert_allclose(log.time - log.time[0], 0.2 * np.arange(100))
    np.testing.assert_allclose(np.degrees(log.yaw) % 360.0, 100.0)
    np.testing.assert_allclose(log.y, 0.2 * np.arange(100), rtol=0.01)
    np.testing.assert_allclose(log.electrical_power, 14.8 * (2.0 + 0.01 * (np.arange(100) % 3)))
