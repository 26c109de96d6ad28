"""A log from a folder of tables, each with its own clock."""

from types import SimpleNamespace

import numpy as np
import pytest
from places import DATA
from rotor_twin import FOLDER_MAP, NAMES, PLACES, VOLTS, write_folder

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tables.column_map import Column, ColumnMap
from usv_energy.logs.tables.table_folder import ORIENTATION, TableFolder, _angle, _at, _heading, common_clock

RUNS = DATA / 'milliampere'


@pytest.fixture
def folder(tmp_path, rng):
    (tmp_path / 'map.yaml').write_text(FOLDER_MAP)
    write_folder(tmp_path / 'run', rng)
    return tmp_path / 'run'


def read(folder):
    return read_log(folder, folder.parent / 'map.yaml')


def test_readings_stand_in_the_rows_in_which_they_were_made(tmp_path, rng):
    (tmp_path / 'map.yaml').write_text(FOLDER_MAP)
    time, revolutions, power = write_folder(tmp_path / 'run', rng)
    log = read(tmp_path / 'run')
    assert log.name == 'run' and log.thrusters == NAMES and log.places == PLACES
    np.testing.assert_allclose(log.time, time, atol=1e-6)
    fresh = np.isfinite(log.revolutions)
    assert np.array_equal(np.flatnonzero(fresh[:, 0]), np.arange(0, len(time), 5))
    np.testing.assert_allclose(log.revolutions[fresh], revolutions[fresh], atol=1e-9)
    read_anew = np.isfinite(log.thruster_amperes[:, 1])
    np.testing.assert_allclose(log.thruster_amperes[read_anew, 1][1:] * VOLTS, power[read_anew, 1][1:], atol=0.01)
    assert any(note.code == 'time_fraction' for note in log.warnings)


def test_motion_and_angles_are_in_house_frames(tmp_path, rng):
    from rotor_twin import courses
    (tmp_path / 'map.yaml').write_text(FOLDER_MAP)
    seed = rng.integers(1 << 30)
    write_folder(tmp_path / 'run', np.random.default_rng(seed))
    _, _, angle, u, v, r = courses(np.random.default_rng(seed), 120)
    log = read(tmp_path / 'run')
    for found, truth in ((log.angle, angle), (log.u, u), (log.v, v), (log.r, r)):
        np.testing.assert_allclose(found, truth, atol=1e-6)


def test_what_is_not_in_the_folder_is_left_out_and_said(folder):
    for name in ('stern.csv', 'stern_angle.csv', 'twist.csv'):
        (folder / name).unlink()
    log = read(folder)
    assert log.thrusters == ('bow',) and not log.known('u')
    texts = [note.text for note in log.notes]
    assert 'there are no tables of stern: left out' in texts and 'there are no tables of u, v, r' in texts


def test_an_empty_folder_a_lacking_column_and_a_single_table_are_refused(folder, tmp_path):
    (tmp_path / 'empty').mkdir()
    with pytest.raises(InputError, match=r'has no table of a thruster; the column map .* names bow.csv, stern.csv'):
        read(tmp_path / 'empty')
    with pytest.raises(InputError, match=r'is one table; the column map .*map.yaml is for a folder of tables'):
        read_log(folder / 'bow.csv', tmp_path / 'map.yaml')
    (folder / 'bow.csv').write_text((folder / 'bow.csv').read_text().replace('speed', 'rpm', 1))
    with pytest.raises(InputError, match=r"bow\.csv: line 1: has no column 'speed'"):
        read(folder)


def test_time_that_goes_back_is_refused(folder):
    lines = (folder / 'bow.csv').read_text().splitlines()
    (folder / 'bow.csv').write_text('\n'.join([lines[0], *lines[200:300], *lines[1:100]]))
    with pytest.raises(InputError, match=r'bow.csv: the time goes back from .* at row 101'):
        read(folder)


@pytest.mark.parametrize('wrong, says', [
    ('u: {file: twist.csv, column: u, unit: m/s}|u: {column: u, unit: m/s}', 'u name no file'),
    ('unit: rpm|unit: turns', r"thrusters.0.revolutions.unit is 'turns', which no revolutions can have; .*1/s, rpm"),
    ('revolutions: {file: bow.csv|volts2: {file: bow.csv', 'volts2'),
    ('amperes: {file: bow.csv|amperes: {file: other.csv', 'volts and amperes are in other.csv, revolutions in bow.csv'),
])
def test_a_map_that_does_not_fit_a_folder_is_refused(folder, wrong, says):
    old, new = wrong.split('|')
    (folder.parent / 'map.yaml').write_text(FOLDER_MAP.replace(old, new))
    with pytest.raises(InputError, match=says):
        read(folder)


def test_a_common_clock_joins_what_is_near_and_never_two_rows_of_one(rng):
    ticks = np.arange(0.0, 20.0, 0.1)
    clocks = [ticks + rng.uniform(0.0, 0.005, len(ticks)) for _ in range(3)]
    clocks[1] = np.sort(np.append(clocks[1], clocks[1][7] + 0.001))  # a burst
    time, rows = common_clock(clocks)
    assert len(time) == len(ticks) + 1 and (np.diff(time) > 0.0).all()
    for clock, own in zip(clocks, rows):
        assert len(set(own)) == len(clock)
        assert np.abs(time[own] - clock).max() <= 0.02


@pytest.mark.skipif(not RUNS.is_dir(), reason=f'no real data at {RUNS} (USV_ENERGY_DATA)')
def test_the_ferry_s_bad_readings_are_named():
    """Counted in the tables by a program of its own (awk): 1016 and -1247 rpm, the full scale of 16 bits, 600 A."""
    log = read_log(RUNS / 'qp1', 'milliampere')
    texts = '\n'.join(note.text for note in log.notes)
    assert 'bow_starboard: motor_speed is outside -900 to 900 in 4 of 4389 rows: 1016.48 (4)' in texts
    assert 'bow_port: battery_current is outside -5 to 100 in 67 of 4389 rows' in texts
    assert np.nanmax(np.abs(log.revolutions)) < 751.5 / 60.0 and np.nanmax(log.thruster_amperes) < 38.0
    nlp = '\n'.join(note.text for note in read_log(RUNS / 'nlp1', 'milliampere').notes)
    assert 'stern_port: motor_speed is outside -900 to 900 in 2 of 4406 rows: -1247.17 (2)' in nlp
    assert '599.98 (163)' in nlp


def test_a_value_at_its_limits_is_in_one_beyond_is_left_out(folder):
    """Of the surge velocity: first between its own least and largest, then a little less far."""
    map_file = folder.parent / 'map.yaml'
    header, *rows = (folder / 'twist.csv').read_text().splitlines()
    values = [float(row.split(',')[header.split(',').index('u')]) for row in rows]
    for low, high, out in ((min(values), max(values), 0), (min(values) + 1e-9, max(values), values.count(min(values))),
                           (min(values), max(values) - 1e-9, values.count(max(values)))):
        map_file.write_text(FOLDER_MAP.replace('column: u, unit: m/s',
                                               f'column: u, unit: m/s, limits: [{low!r}, {high!r}]'))
        notes = [note for note in read(folder).notes if note.code == 'out_of_limits' and note.text.startswith('u: ')]
        assert [note.figures['rows'] for note in notes] == ([out] if out else [])


class Tables:
    """A folder of one table, `a.csv`."""

    def __init__(self, **table):
        self.table, self.notes, self.columns = table, [], SimpleNamespace(columns={})

    def has(self, file):
        return file == 'a.csv'

    def read(self, file):
        return self.table['time'], self.table


SOURCE = Source('a', 'a')


def test_angles_are_unwrapped_scaled_and_turned_from_the_right_hand(rng):
    time = np.arange(40.0)
    turned = 0.4 * time
    folder = Tables(time=time, d=np.degrees(np.mod(turned, 2.0 * np.pi)))
    column = Column('d', np.pi / 180.0, file='a.csv', frame='frd')
    at = np.array([3.5, 20.25])
    np.testing.assert_allclose(_angle(folder, column, at, SOURCE), -0.4 * at)
    np.testing.assert_allclose(_angle(folder, column._replace(frame='flu', sign=-1.0), at, SOURCE), -0.4 * at)
    for none in (None, column._replace(file='b.csv')):
        assert np.isnan(_angle(folder, none, at, SOURCE)).all()
    speeds = Tables(time=time, u=np.where(time == 7.0, 50.0, 3.0 * turned))
    np.testing.assert_allclose(_at(speeds, 'u', Column('u', 0.5, -1.0, file='a.csv', limits=(0.0, 49.0)), at, SOURCE),
                               -0.6 * at)
    assert [note.figures for note in speeds.notes] == [{'rows': 1.0}]


@pytest.mark.parametrize('frame', ['enu', 'ned'])
def test_a_heading_is_the_quaternion_s(frame):
    time = np.arange(40.0)
    yaw = 0.3 * time
    folder = Tables(time=time, x=0.0 * time, y=0.0 * time, z=np.sin(0.5 * yaw), w=np.cos(0.5 * yaw))
    folder.table['z'][5] = folder.table['w'][5] = 0.0
    assert _heading(folder, time, SOURCE) == {}
    folder.columns.columns = {name: Column(name[-1], 1.0, file='a.csv', frame=frame) for name in ORIENTATION}
    at = np.array([4.5, 5.0, 31.25])
    np.testing.assert_allclose(_heading(folder, at, SOURCE)['yaw'], 0.3 * at if frame == 'enu' else
                               0.5 * np.pi - 0.3 * at)
    folder.columns.columns = {name: one._replace(file='b.csv') for name, one in folder.columns.columns.items()}
    assert _heading(folder, time, SOURCE) == {}


def test_rows_that_repeat_a_time_are_left_out_and_counted_and_else_nothing_is_said(tmp_path):
    tables = TableFolder(tmp_path, ColumnMap(tmp_path / 'map.yaml', {}))
    for time, kept, repeated in (([0.0, 1.0, 2.5], [0, 1, 2], 0), ([0.0, 1.0, 1.0, 1.0, 3.0], [0, 1, 4], 2)):
        tables.notes.clear()
        found, table = tables._in_order('a.csv', np.array(time), {'row': np.arange(len(time))})
        assert found.tolist() == [time[row] for row in kept] and table['row'].tolist() == kept
        assert [(note.code, note.figures) for note in tables.notes] == (
            [('times_repeated', {'rows': repeated})] if repeated else [])
