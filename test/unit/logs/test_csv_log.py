"""Tables: columns, units, frames and signs, and every fault of them by name."""

import math

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.column_map import columns_from, read_columns
from usv_energy.logs.column_quantities import UNITS
from usv_energy.logs.csv_log import read_csv
from usv_energy.logs.csv_table import read_table
from usv_energy.logs.read_log import read_log

SPEED, TURN = 1.3, 0.25
TIME = np.arange(0.0, 40.0, 0.1)


def mapped(tmp_path, columns, **more):
    return columns_from({'columns': columns, **more}, tmp_path / 'map.yaml')


def write(path, columns, delimiter=','):
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(repr(float(value)) for value in row) for row in zip(*columns.values())]
    path.write_text('\n'.join(lines) + '\n')
    return path


def circle_ned():
    """A boat that goes round clockwise, as a NED and FRD logger has it, with sway to starboard of 0.1 m/s."""
    yaw = TURN * TIME
    north_rate = SPEED * np.cos(yaw) - 0.1 * np.sin(yaw)
    east_rate = SPEED * np.sin(yaw) + 0.1 * np.cos(yaw)
    north = (SPEED * np.sin(yaw) + 0.1 * (np.cos(yaw) - 1.0)) / TURN
    east = (SPEED * (1.0 - np.cos(yaw)) + 0.1 * np.sin(yaw)) / TURN
    still = 0.0 * yaw
    return {'t': 1e3 * TIME, 'n': north, 'e': east, 'psi': np.degrees(yaw) % 360.0,
            'surge': SPEED / 1852.0 * 3600.0 + still, 'sway': 0.1 + still, 'rate': np.degrees(TURN) + still,
            'vn': north_rate, 've': east_rate}


MAP = {'time': {'column': 't', 'unit': 'ms'}, 'x': {'column': 'n', 'unit': 'm'}, 'y': {'column': 'e', 'unit': 'm'},
       'yaw': {'column': 'psi', 'unit': 'deg'}, 'u': {'column': 'surge', 'unit': 'knots'},
       'v': {'column': 'sway', 'unit': 'm/s'}, 'r': {'column': 'rate', 'unit': 'deg/s'}}
NED = {'earth': 'ned', 'body': 'frd'}


def check_circle(log, atol=1e-9):
    inner = slice(8, -8)
    np.testing.assert_allclose(log.u[inner], SPEED, atol=atol)
    np.testing.assert_allclose(log.v[inner], -0.1, atol=atol)  # to port
    np.testing.assert_allclose(log.r[inner], -TURN, atol=atol)  # counter-clockwise
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * log.time, atol=1e-9)
    np.testing.assert_allclose(log.y, (SPEED * np.sin(TURN * TIME) + 0.1 * (np.cos(TURN * TIME) - 1.0)) / TURN)


@pytest.mark.parametrize('delimiter', [',', ';', '\t'])
def test_ned_degrees_knots_and_milliseconds_come_out_in_the_house_s(tmp_path, delimiter):
    path = write(tmp_path / 'a.csv', circle_ned(), delimiter)
    log = read_csv(path, mapped(tmp_path, MAP, frames=NED))
    check_circle(log)
    assert log.period == pytest.approx(0.1)
    assert {note.code for note in log.warnings} == {'column_constant'}  # speeds that never change


def test_velocities_of_the_earth_s_axes_are_turned_into_the_boat_s(tmp_path):
    path = write(tmp_path / 'a.csv', circle_ned())
    own = {name: MAP[name] for name in ('time', 'x', 'y', 'yaw', 'r')}
    log = read_csv(path, mapped(tmp_path, {**own, 'velocity_x': {'column': 'vn', 'unit': 'm/s'},
                                           'velocity_y': {'column': 've', 'unit': 'm/s'}}, frames=NED))
    check_circle(log)


def test_velocities_are_derived_from_positions_and_that_is_noted(tmp_path):
    """The parabola over 1 s leaves (omega T)^2 / 40 or so of a turn at 0.25 rad/s: 0.2 %."""
    path = write(tmp_path / 'a.csv', circle_ned())
    log = read_csv(path, mapped(tmp_path, {name: MAP[name] for name in ('time', 'x', 'y', 'yaw')}, frames=NED))
    check_circle(log, atol=0.005)
    assert {'velocity_derived', 'yaw_rate_derived'} <= {note.code for note in log.notes}


def test_speed_and_course_of_a_gps_are_a_motion_without_drift(tmp_path):
    columns = {'t': TIME, 'v': SPEED + 0.0 * TIME, 'cog': np.degrees(TURN * TIME) % 360.0}
    path = write(tmp_path / 'a.csv', columns)
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
    path = write(tmp_path / 'a.csv', columns)
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'latitude': {'column': 'lat', 'unit': 'deg'},
        'longitude': {'column': 'lon', 'unit': 'deg'}}))
    assert log.y[-1] == pytest.approx(1114.68, rel=1e-5) and np.isnan(log.y[5])
    np.testing.assert_allclose(np.delete(log.x, 5), 0.0, atol=1e-9)


def test_wind_by_where_it_comes_from_is_turned(tmp_path):
    path = write(tmp_path / 'a.csv', {'t': TIME, 'w': 3.0 + 0.0 * TIME, 'd': 270.0 + 0.0 * TIME})
    log = read_csv(path, mapped(tmp_path, {
        'time': {'column': 't', 'unit': 's'}, 'wind_speed': {'column': 'w', 'unit': 'm/s'},
        'wind_direction': {'column': 'd', 'unit': 'deg', 'frame': 'ned', 'towards': False}}))
    np.testing.assert_allclose(log.wind_x, 3.0)  # a west wind blows to the east
    np.testing.assert_allclose(log.wind_y, 0.0, atol=1e-12)


def test_a_mirrored_command_is_turned_about_its_neutral(tmp_path):
    path = write(tmp_path / 'a.csv', {'t': TIME, 'l': 1400.0 + 0.0 * TIME, 'f': 2.0 + 0.0 * TIME})
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
    log = read_csv(write(tmp_path / 'a.csv', columns), mapped(tmp_path, MAP, frames=NED))
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * TIME, atol=1e-6)
    assert 'heading_spikes' in {note.code for note in log.notes}


def test_empty_cells_are_unknown_and_counted(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('t,u\n0,1\n1,\n2,nan\n3,2\n')
    log = read_csv(path, mapped(tmp_path, {'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}))
    np.testing.assert_array_equal(log.u, [1.0, np.nan, np.nan, 2.0])
    assert next(note for note in log.notes if note.code == 'cells_empty').figures['rows'] == 2


def test_decimal_commas_quotes_comments_and_a_cut_off_last_row(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('# logger 1.2\n"t";"speed, over ground"\n0,5;1,25\n1,5;"1.000,5"\n2,5;\n3,5', encoding='utf-8-sig')
    table = read_table(path, ['t', 'speed, over ground'], decimal=',')
    np.testing.assert_array_equal(table['t'], [0.5, 1.5, 2.5])
    np.testing.assert_array_equal(table['speed, over ground'], [1.25, 1000.5, np.nan])


@pytest.mark.parametrize(('text', 'says'), [
    ('', 'is empty'),
    ('0,1\n1,2\n', 'line 1 holds numbers only'),
    ('t,u\n', 'no rows'),
    ('t,speed\n0,1\n', "no column 'u'.*There are: 't', 'speed'"),
    ('t,u,u\n0,1,2\n', "2 columns are called 'u'"),
    ('t,u\n0,1\n1,fast\n', "line 3: column 'u' is 'fast'"),
    ('t,u\n0,1\n1\n2,3\n', 'line 3: 1 cells'),
    ('t,u\n0,1\n2,1\n1,1\n', 'goes back from 2.0.* to 1.0.* row 3'),
    ('t,u\n5,1\n5,1\n5,1\n', 'is 5 s in all 3 rows'),
    ('t;u\n0;1,5\n1;2,5\n', 'decimal comma'),
])
def test_faults_of_a_table_are_named(tmp_path, text, says):
    path = tmp_path / 'a.csv'
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        read_csv(path, mapped(tmp_path, {'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}))


@pytest.mark.parametrize(('columns', 'more', 'says'), [
    ({**MAP, 'u': {'column': 'u', 'unit': 'deg'}}, {}, "columns.u.unit is 'deg', which no speed can have.*m/s"),
    ({**MAP, 'u': {'column': 'u'}}, {}, "lacks the key 'unit'"),
    ({**MAP, 'surge': {'column': 'u', 'unit': 'm/s'}}, {}, "unknown key 'surge'"),
    ({name: MAP[name] for name in ('time', 'x')}, {}, 'has x without y'),
    ({**MAP, 'x': {**MAP['x'], 'frame': 'enu'}, 'y': {**MAP['y'], 'frame': 'ned'}}, {}, 'must be the same'),
    ({**MAP, **{name: {'column': name, 'unit': 'deg'} for name in ('latitude', 'longitude')}}, {}, 'say the same'),
    (MAP, {'thrusters': [{'name': 'left'}]}, 'neither thrust nor command'),
    (MAP, {'thrusters': [{'name': 'left', 'command': {'column': 'c', 'unit': 'N'}}]}, 'no command can have'),
    (MAP, {'thrusters': [{'name': 'left', 'command': {'column': 'c', 'unit': 'us', 'sign': -1}}]}, 'not given'),
])
def test_faults_of_a_column_map_are_named(tmp_path, columns, more, says):
    with pytest.raises(InputError, match=says):
        mapped(tmp_path, columns, **more)


def test_the_first_unit_of_a_kind_is_the_house_s():
    assert {next(iter(units.values())) for units in UNITS.values()} == {1.0}


def test_the_shipped_maps_are_sound_and_may_be_a_base(tmp_path):
    for name in ('samples', 'blueboat', 'blueboat_electrical'):
        assert read_columns(name).names()
    path = tmp_path / 'mine.yaml'
    path.write_text('base: blueboat\ncolumns: {u: {column: speed, unit: km/h}}\n')
    own = read_columns(path)
    assert own.columns['u'].column == 'speed' and own.columns['u'].frame == 'frd'
    assert own.columns['v'] == read_columns('blueboat').columns['v']


def test_a_table_without_a_map_says_what_is_missing(tmp_path):
    path = write(tmp_path / 'a.csv', circle_ned())
    with pytest.raises(InputError, match='needs a column map'):
        read_log(path)
    with pytest.raises(InputError, match='--odom does not go with'):
        read_log(path, mapped(tmp_path, MAP), odom='/odom')
    with pytest.raises(InputError, match='no such file'):
        read_log(tmp_path / 'b.csv')
