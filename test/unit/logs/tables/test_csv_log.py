"""Tables: units, frames and signs come out in the house's."""

import math
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from table_files import MAP, NED, SPEED, TIME, TURN, circle_ned, mapped, write_columns

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tables.column_map import Column, columns_from
from usv_energy.logs.tables.csv_log import _command, _in_order, _note_constants, read_csv


def check_circle(log, atol=1e-9):
    inner = slice(8, -8)
    np.testing.assert_allclose(log.u[inner], SPEED, atol=atol)
    np.testing.assert_allclose(log.v[inner], -0.1, atol=atol)  # to port
    np.testing.assert_allclose(log.r[inner], -TURN, atol=atol)  # counter-clockwise
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * log.time, atol=1e-9)
    np.testing.assert_allclose(log.y, (SPEED * np.sin(TURN * TIME) + 0.1 * (np.cos(TURN * TIME) - 1.0)) / TURN)


@pytest.mark.parametrize('delimiter', [',', ';', '\t'])
def test_ned_degrees_knots_and_milliseconds_come_out_in_the_house_s(tmp_path, delimiter):
    path = write_columns(tmp_path / 'a.csv', circle_ned(), delimiter)
    log = read_csv(path, mapped(tmp_path, MAP, frames=NED))
    check_circle(log)
    assert log.period == pytest.approx(0.1)
    assert {note.code for note in log.warnings} == {'column_constant'}  # speeds that never change


@pytest.mark.parametrize('stated', [{}, {'decimal': ','}])
def test_a_table_with_decimal_commas_is_the_same_log(tmp_path, stated):
    path = write_columns(tmp_path / 'a.csv', circle_ned(), ';')
    points = read_csv(path, mapped(tmp_path, MAP, frames=NED))
    path.write_text(path.read_text().replace('.', ','))
    commas = read_csv(path, mapped(tmp_path, MAP, frames=NED, **stated))
    for name in ('time', 'x', 'yaw', 'u', 'r'):
        np.testing.assert_array_equal(getattr(commas, name), getattr(points, name))


def test_velocities_of_the_earth_s_axes_are_turned_into_the_boat_s(tmp_path):
    path = write_columns(tmp_path / 'a.csv', circle_ned())
    own = {name: MAP[name] for name in ('time', 'x', 'y', 'yaw', 'r')}
    log = read_csv(path, mapped(tmp_path, {**own, 'velocity_x': {'column': 'vn', 'unit': 'm/s'},
                                           'velocity_y': {'column': 've', 'unit': 'm/s'}}, frames=NED))
    check_circle(log)


def test_velocities_are_derived_from_positions_and_that_is_noted(tmp_path):
    """The parabola over 1 s leaves (omega T)^2 / 40 or so of a turn at 0.25 rad/s: 0.2 %."""
    path = write_columns(tmp_path / 'a.csv', circle_ned())
    log = read_csv(path, mapped(tmp_path, {name: MAP[name] for name in ('time', 'x', 'y', 'yaw')}, frames=NED))
    check_circle(log, atol=0.005)
    assert {'velocity_derived', 'yaw_rate_derived'} <= {note.code for note in log.notes}


def test_speed_and_course_of_a_gps_are_a_motion_without_drift(tmp_path):
    columns = {'t': TIME, 'v': SPEED + 0.0 * TIME, 'cog': np.degrees(TURN * TIME) % 360.0}
    path = write_columns(tmp_path / 'a.csv', columns)
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'speed': {'column': 'v', 'unit': 'm/s'},
        'course': {'column': 'cog', 'unit': 'deg', 'frame': 'ned'}}))
    np.testing.assert_allclose(log.u, SPEED)
    np.testing.assert_allclose(log.v, 0.0, atol=1e-12)
    np.testing.assert_allclose(log.r, -TURN, atol=1e-9)
    assert 'heading_from_course' in {note.code for note in log.warnings}


def test_longitude_and_latitude_become_metres(tmp_path):
    """A hundredth of a degree of latitude at 63.4 deg north is 1114.68 m (WGS84)."""
    columns = {'t': TIME, 'lat': 63.4 + 0.01 * TIME / TIME[-1], 'lon': 10.3 + 0.0 * TIME}
    columns['lat'][5] = columns['lon'][5] = 0.0  # no fix
    path = write_columns(tmp_path / 'a.csv', columns)
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'latitude': {'column': 'lat', 'unit': 'deg'},
        'longitude': {'column': 'lon', 'unit': 'deg'}}))
    assert log.y[-1] == pytest.approx(1114.68, rel=1e-5) and np.isnan(log.y[5])
    np.testing.assert_allclose(np.delete(log.x, 5), 0.0, atol=1e-9)


def test_wind_by_where_it_comes_from_is_turned(tmp_path):
    path = write_columns(tmp_path / 'a.csv', {'t': TIME, 'w': 3.0 + 0.0 * TIME, 'd': 270.0 + 0.0 * TIME})
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'wind_speed': {'column': 'w', 'unit': 'm/s'},
        'wind_direction': {'column': 'd', 'unit': 'deg', 'frame': 'ned', 'towards': False}}))
    np.testing.assert_allclose(log.wind_x, 3.0)  # a west wind blows to the east
    np.testing.assert_allclose(log.wind_y, 0.0, atol=1e-12)


def test_a_mirrored_command_is_turned_about_its_neutral(tmp_path):
    path = write_columns(tmp_path / 'a.csv', {'t': TIME, 'l': 1400.0 + 0.0 * TIME, 'f': 2.0 + 0.0 * TIME})
    log = read_csv(path, mapped(tmp_path, {'time': {'column': 't', 'unit': 's'}}, thrusters=[
        {'name': 'left', 'neutral': 1511, 'command': {'column': 'l', 'unit': 'us', 'sign': -1}},
        {'name': 'right', 'thrust': {'column': 'f', 'unit': 'kgf'}}]))
    assert log.command[0, 0] == 1622.0 and np.isnan(log.command[0, 1])
    assert log.thrust[0, 1] == pytest.approx(2.0 * 9.80665) and np.isnan(log.thrust[0, 0])


def test_a_heading_that_was_interpolated_across_north_is_put_right(tmp_path):
    columns = circle_ned()
    jumps = np.flatnonzero(np.diff(columns['psi']) < -180.0)
    assert len(jumps) == 1
    columns['psi'][jumps[0]] = 181.0  # half way from 359 to 1, as a plain number
    log = read_csv(write_columns(tmp_path / 'a.csv', columns), mapped(tmp_path, MAP, frames=NED))
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * TIME, atol=1e-6)
    assert 'heading_spikes' in {note.code for note in log.notes}


def test_empty_cells_are_unknown_and_counted(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('t,u\n0,1\n1,\n2,nan\n3,2\n')
    log = read_csv(path, mapped(tmp_path, {'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}))
    np.testing.assert_array_equal(log.u, [1.0, np.nan, np.nan, 2.0])
    assert next(note for note in log.notes if note.code == 'cells_empty').figures['rows'] == 2


@pytest.mark.parametrize(('encoding', 'noted'), [
    ('utf-8', None), ('utf-8-sig', None), ('utf-16', 'UTF-16'), ('cp1252', 'WINDOWS-1252'),
    ('latin-1', 'WINDOWS-1252')])
def test_a_degree_sign_from_a_spreadsheet_is_read_and_its_encoding_noted(tmp_path, encoding, noted):
    path = tmp_path / 'a.csv'
    path.write_text('t,Heading (°),Böe\n0,10,1\n1,20,2\n2,30,2\n', encoding=encoding)
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'yaw': {'column': 'Heading (°)', 'unit': 'deg'}}, extra={'gust': 'Böe'}))
    np.testing.assert_allclose(log.yaw, np.radians([10.0, 20.0, 30.0]))
    assert log.extra['gust'].tolist() == [1.0, 2.0, 2.0]
    texts = [note.text for note in log.notes if note.code == 'encoding']
    assert texts == ([] if noted is None else [f'the table is not in UTF-8; it was read as {noted}'])


def test_repeated_times_are_left_out_and_counted_and_rows_out_of_order_are_put_in_order(tmp_path):
    columns = columns_from({'columns': {'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}},
                           tmp_path / 'map.yaml')
    path = tmp_path / 'twice.csv'
    path.write_text('t,u\n0,1\n1,2\n1,3\n1,4\n2,5\n')
    log = read_csv(path, columns)
    assert log.time.tolist() == [0.0, 1.0, 2.0] and log.u.tolist() == [1.0, 2.0, 5.0]
    assert {note.code: note.figures for note in log.notes}['times_repeated'] == {'rows': 2}
    path.write_text('t,u\n0,1\n1,2\n0.5,3\n2,5\n')
    log = read_csv(path, columns)
    assert log.time.tolist() == [0.0, 0.5, 1.0, 2.0] and log.u.tolist() == [1.0, 3.0, 2.0, 5.0]
    assert {note.code: note.figures for note in log.notes}['stamps_out_of_order'] == {'samples': 1}
    path.write_text('t,u\n3,1\n3,2\n')
    with pytest.raises(InputError, match='is 3 s in all 2 rows'):
        read_csv(path, columns)


def test_rows_are_in_order_of_time_each_time_once_and_others_are_counted():
    table, path, notes = {'u': np.arange(6.0)}, 'a.csv', []
    time = np.array([0.0, math.nan, 1.0, 1.0, 2.0, math.nan])
    found, kept = _in_order(table, time, 't', path, notes)
    assert kept.tolist() == [0.0, 1.0, 2.0] and found['u'].tolist() == [0.0, 2.0, 4.0]
    assert [(note.code, note.figures) for note in notes] == [('rows_without_time', {'rows': 2}),
                                                            ('times_repeated', {'rows': 1})]
    one, _ = _in_order({'u': np.arange(1.0)}, np.array([5.0]), 't', path, [])
    assert one['u'].tolist() == [0.0], 'a single row is a log of one sample'
    with pytest.raises(InputError, match='is 5 s in all 2 rows'):
        _in_order(table, np.array([5.0, 5.0]), 't', path, [])
    found, kept = _in_order({'u': np.arange(4.0)}, np.array([0.0, math.nan, 2.0, 1.0]), 't', path, [])
    assert kept.tolist() == [0.0, 1.0, 2.0] and found['u'].tolist() == [0.0, 3.0, 2.0]


@pytest.mark.parametrize('again', [np.s_[:], np.s_[200:], np.s_[100:250]], ids=['all', 'end', 'middle'])
def test_rows_that_are_there_twice_are_counted_once_and_a_second_boot_twice(again):
    time, u = 0.1 * np.arange(300), np.random.default_rng(1).standard_normal(300)
    stamps, values, notes = np.append(time, time[again]), np.append(u, u[again]), []
    table, kept = _in_order({'u': values}, stamps, 't', 'a.csv', notes)
    assert kept.tolist() == time.tolist() and table['u'].tolist() == u.tolist()
    assert [(note.code, note.figures['rows']) for note in notes] == [('rows_twice', time[again].size)]
    for other in (values + np.where(np.arange(values.size) < 300, 0.0, 1e-3), np.zeros(values.size)):
        notes = []
        _in_order({'u': other}, stamps, 't', 'a.csv', notes)
        assert all(note.code != 'rows_twice' for note in notes), 'of another boot, or of a boat at rest'


@pytest.mark.parametrize(('wrong', 'code', 'rows', 'pieces'), [
    (lambda t: np.where(t < 20.0, 0.0, t), 'stamps_unset', 200, 1),
    (lambda t: t + 3600.0 * (t == 15.0), 'stamps_astray', 299, 1),
    (lambda t: np.where(t < 10.05, t + 1.7e9, t), 'stamps_astray', 299, 1),
    (lambda t: np.where(t < 30.0, t, t - 15.0), 'clock_set', 300, 2),
    (lambda t: 10.0 + np.round(t - 10.0, 1) % 15.0, 'clock_set', 300, 2)])
def test_a_table_whose_clock_was_wrong_loses_no_more_than_its_wrong_rows(tmp_path, wrong, code, rows, pieces):
    t = np.round(10.0 + 0.1 * np.arange(300), 1)
    stamps = wrong(t)
    path = tmp_path / 'a.csv'
    path.write_text('t,u\n' + ''.join(f'{stamp:.1f},{k}\n' for k, stamp in enumerate(stamps)))
    log = read_csv(path, columns_from({'columns': {
        'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}}, tmp_path / 'map.yaml'))
    assert len(log) == rows and len(log.pieces()) == pieces and code in {note.code for note in log.warnings}
    assert (np.diff(log.u) > 0.0).all()
    whole = sum(log.time[piece][-1] - log.time[piece][0] for piece in log.pieces())
    assert whole == pytest.approx(0.1 * (rows - pieces), abs=0.11)


@pytest.mark.parametrize(('values', 'codes'), [([3.0, 3.0, 3.0], ['column_constant']), ([3.0, 3.0], []),
                                               ([3.0, 3.0, 3.5], []), ([math.nan] * 3, ['column_empty']),
                                               ([3.0, math.nan, 3.5], ['cells_empty'])])
def test_three_rows_of_one_value_are_said_and_how_many_cells_are_empty(tmp_path, values, codes):
    columns, notes = columns_from({'columns': {name: MAP[name] for name in ('time', 'r')}}, 'a'), []
    _note_constants({'r': np.array(values)}, {columns.columns['r'].header: np.array(values)}, columns, notes)
    assert [note.code for note in notes] == codes
    assert all(note.figures == {'rows': 1} for note in notes if note.code == 'cells_empty')


def test_pulses_are_turned_round_about_neutral():
    table = {'c': np.array([1300.0, 1520.0])}
    assert _command(table, Column('c', 1.0), 1510.0).tolist() == [1300.0, 1520.0]
    assert _command(table, Column('c', 1.0, -1.0), 1510.0).tolist() == [1720.0, 1500.0]
    assert _command({'c': np.array([1.3])}, Column('c', 1000.0, -1.0), 1510.0).tolist() == [1720.0]


@pytest.mark.parametrize('frame', ['enu', 'ned'])
def test_a_quaternion_is_a_heading_in_the_frame_that_is_said(tmp_path, frame):
    """Of a boat that turns clockwise, a turn and a half: in ned its angle is from north, clockwise, else from east."""
    clockwise = TURN * TIME
    angle = clockwise if frame == 'ned' else 0.5 * math.pi - clockwise
    path = write_columns(tmp_path / 'a.csv', {'t': TIME, 'qx': 0.0 * TIME, 'qy': 0.0 * TIME, 'qz': np.sin(0.5 * angle),
                                              'qw': np.cos(0.5 * angle)})
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'},
        **{f'orientation_{axis}': {'column': f'q{axis}', 'unit': '-', 'frame': frame} for axis in 'xyzw'}}))
    np.testing.assert_allclose(np.exp(1j * log.yaw), 1j * np.exp(-1j * clockwise), atol=1e-12)
    np.testing.assert_allclose(np.diff(log.yaw), -0.1 * TURN, atol=1e-12)


def test_a_map_of_a_folder_is_for_no_single_table(tmp_path):
    """Such a map names files."""
    path = write_columns(tmp_path / 'a.csv', circle_ned())
    columns = mapped(tmp_path, MAP)
    wrong = replace(columns, columns={**columns.columns, 'time': columns.columns['time']._replace(file='motion.csv')})
    with pytest.raises(InputError, match=r'a\.csv: is one table; .* for a folder of tables \(motion\.csv\)'):
        read_csv(path, wrong)


def with_texts(path, stamps):
    """Put texts in place of the times of a table; the columns stay."""
    head, *rows = path.read_text().splitlines()
    rows = [','.join([stamp, *row.split(',')[1:]]) for stamp, row in zip(stamps, rows, strict=True)]
    path.write_text('\n'.join([head, *rows]) + '\n')
    return path


CALENDAR = {**MAP, 'time': {'column': 't', 'unit': 'calendar'}}


@pytest.mark.parametrize('form', ['{:%Y-%m-%dT%H:%M:%S.%f}Z', '{:%Y-%m-%dT%H:%M:%S.%f}+02:00',
                                  '{:%Y-%m-%d %H:%M:%S.%f}', '{:%m/%d/%Y %I:%M:%S.%f %p}', '{:%d.%m.%Y %H:%M:%S.%f}'])
def test_times_as_text_in_a_single_table(tmp_path, form):
    """Through midnight."""
    begin = datetime(2024, 10, 26, 23, 59, 50, tzinfo=timezone.utc)
    stamps = [form.format(begin + timedelta(seconds=float(t))) for t in TIME]
    path = with_texts(write_columns(tmp_path / 'a.csv', circle_ned()), stamps)
    log = read_csv(path, mapped(tmp_path, CALENDAR, frames=NED))
    np.testing.assert_allclose(log.time, TIME, atol=1e-6)  # A double of 1.7e9 s is so fine.
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * log.time, atol=1e-6)
    assert log.start == pytest.approx(begin.timestamp() - (7200.0 if '+02' in form else 0.0))


def test_rows_without_a_text_are_left_out_and_mixed_fractions_are_read(tmp_path):
    stamps = [f'2024-10-27T00:58:{t:04.1f}Z' if t % 1.0 else f'2024-10-27T00:58:{int(t):02d}Z'
              for t in np.round(TIME, 1).tolist()]
    stamps[7] = ''
    path = with_texts(write_columns(tmp_path / 'a.csv', circle_ned()), stamps)
    log = read_csv(path, mapped(tmp_path, CALENDAR, frames=NED))
    assert len(log) == TIME.size - 1 and 'rows_without_time' in {note.code for note in log.notes}
    np.testing.assert_allclose(log.time, np.delete(TIME, 7), atol=2e-6)


def test_texts_for_numbers_name_the_unit_that_reads_them(tmp_path):
    stamps = [f'2024-10-27T00:58:{t:04.1f}Z' for t in TIME]
    path = with_texts(write_columns(tmp_path / 'a.csv', circle_ned()), stamps)
    with pytest.raises(InputError, match=r"column 't' holds times as text; the column map .* unit: calendar"):
        read_csv(path, mapped(tmp_path, MAP, frames=NED))


@pytest.mark.parametrize('degrees', [False, True])
def test_of_two_boats_in_one_table_the_one_with_more_rows_is_taken_and_that_is_said(tmp_path, degrees):
    """Row by row, 20 m apart; the first has two rows more."""
    rows = [(0.1 * k, 0.1 * k, 0.0) for k in range(102)] + [(0.1 * k + 0.05, 5.0, 20.0) for k in range(100)]
    rows.sort()
    scale, east = (1e5, 9.0) if degrees else (1.0, 0.0)
    path = tmp_path / 'a.csv'
    path.write_text('t,a,b\n' + ''.join(f'{t:.2f},{east + x / scale:.8f},{y / scale:.8f}\n' for t, x, y in rows))
    names, unit = (('longitude', 'latitude'), 'deg') if degrees else (('x', 'y'), 'm')
    log = read_csv(path, columns_from({'columns': {
        'time': {'column': 't', 'unit': 's'}, names[0]: {'column': 'a', 'unit': unit},
        names[1]: {'column': 'b', 'unit': unit}}}, tmp_path / 'map.yaml'))
    note, = (note for note in log.warnings if note.code == 'two_publishers')
    assert len(log) == 102 and note.figures['messages'] == 100
    assert np.ptp(log.x) == pytest.approx(10.1 * (1.1132 if degrees else 1.0), rel=1e-3)


@pytest.mark.parametrize('later', [0.0, 0.4])
def test_a_battery_in_rows_of_its_own_or_slower_is_brought_to_the_places(tmp_path, later):
    """12 V and 1 A, which rise by 0.1 A/s, every 4 s; the empty cells of one time are filled, the rest is a line."""
    battery = [f'{k + later},,,12,{1.0 + 0.1 * (k + later)}\n' if k % 4 == 0 else '' for k in range(41)]
    path = tmp_path / 'a.csv'
    path.write_text('time,x,y,volts,amps\n' + ''.join(f'{one}{k},{k}.0,0.0,,\n' for k, one in enumerate(battery)))
    log = read_log(path)
    np.testing.assert_allclose(log.electrical_power[5:-5], (12.0 + 1.2 * log.time)[5:-5])
    assert np.isfinite(log.x).sum() == 41
    assert 'times_repeated' not in {note.code for note in log.notes}
    assert ('rows_joined' in {note.code for note in log.notes}) is (later == 0.0)


def test_the_places_of_one_receiver_do_not_fill_those_of_another(tmp_path):
    """The second is 7 m abeam; the first has no fix in each third row, which stays empty, but gets the heading."""
    path = tmp_path / 'a.csv'
    path.write_text('time,x,y,heading_deg\n' + ''.join(
        f'{k},{f"{k},0" if k % 3 else ","},\n{k},{k},7,90\n' for k in range(60)))
    log = read_log(path)
    held = np.isfinite(log.y)
    assert not log.y[held].any() and held.sum() == 40
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-12)


def test_rows_before_the_first_fix_are_left_out_and_said(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('time,x,y\n' + ''.join(f'{k},{f"{k},0" if k >= 300 else ","}\n' for k in range(340)))
    log = read_log(path)
    assert len(log) == 40 and log.duration == 39.0
    assert next(note for note in log.warnings if note.code == 'begins_late').figures == {
        'samples': 300, 'duration_s': 300.0}


def test_a_heading_that_begins_late_is_not_used_and_said(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('time,x,y,heading\n' + ''.join(f'{k},{k},0,{"90" if k >= 300 else ""}\n' for k in range(400)))
    log = read_log(path)
    assert next(note for note in log.warnings if note.code == 'heading_late').figures == {'begin_s': 300.0}
    assert np.isfinite(log.x).all() and not np.isfinite(log.yaw).any()
