"""`usv-energy flow` as a person uses it."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import assert_refused
from needs import NEEDS_XARRAY
from places import DATA, ROOT

from usv_energy.cli.main import main
from usv_energy.flow.flow_file import read_flow
from usv_energy.flow.sample_files import make_samples

RAW = ('river.p01.hdf', pytest.param('bay.nc', marks=NEEDS_XARRAY), 'tower_z10m.csv')
PNG = b'\x89PNG\r\n\x1a\n'


@pytest.fixture
def cli(capsys):
    """Return a function that runs `usv-energy flow` and returns its exit status, stdout and stderr."""
    def run(*arguments):
        try:
            status = main(['flow', *map(str, arguments)])
        except SystemExit as stop:
            status = stop.code
        return status, *capsys.readouterr()
    return run


@pytest.fixture
def points(tmp_path):
    def write(text):
        path = tmp_path / 'points.csv'
        path.write_text(text)
        return path
    return write


# ---- make and info ------------------------------------------------------------------------------


def test_make_says_what_it_made(cli, tmp_path):
    status, out, _ = cli('make', tmp_path / 'new', '--json')
    assert status == 0
    assert sorted(Path(entry['file']).name for entry in json.loads(out)) == sorted(
        path.name for path in (tmp_path / 'new').iterdir())


def test_make_makes_the_same_again(samples, tmp_path):
    make_samples(tmp_path)
    for path in samples.iterdir():
        if path.suffix != '.hdf':  # HDF5 stamps its groups
            assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_make_into_what_is_no_folder_is_refused(cli, tmp_path):
    (tmp_path / 'file').touch()
    assert_refused(cli('make', tmp_path / 'file'), 'file: is a file; must be a folder')


@pytest.mark.parametrize('name', [*RAW, 'river.yaml', 'ridge.yaml', 'tower.yaml'])
def test_info_says_what_the_json_says(cli, samples, name):
    status, out, _ = cli('info', samples / name, '--json')
    told = json.loads(out)
    assert status == 0
    assert set(told) >= {'reader', 'file', 'medium', 'steps', 'first_s', 'last_s', 'start', 'extent_m', 'notes',
                         'speeds'}
    text = cli('info', samples / name)[1]
    assert max(map(len, text.splitlines())) <= 120
    assert told['reader'] in text
    for note in told['notes']:
        assert note.split()[0] in text
    assert 'speeds' in text
    assert 'options of this reader' in text


def test_info_of_a_shipped_flow(cli):
    assert json.loads(cli('info', 'river', '--json')[1])['width_m'] == 60.0


def test_info_takes_the_readers_options(cli, samples):
    pytest.importorskip('xarray')
    told = json.loads(cli('info', samples / 'bay.nc', '--option', 'origin=[-4.5, 48.3]', '--option', 'depth=14',
                          '--json')[1])
    assert (told['level_depth_m'], told['origin_longitude_deg'], told['notes']) == (15.0, -4.5, [])
    raster = ['info', samples / 'ridge_speed.asc', '--option', 'kind=speed_direction', '--option', 'unit=m/s',
              '--option', 'partner=ridge_direction.asc']
    assert_refused(cli(*raster), 'direction', 'from', 'to')
    assert cli(*raster, '--option', 'direction=from')[0] == 0


# ---- sample -------------------------------------------------------------------------------------


def test_sample_prints_what_the_field_says(cli, samples, points):
    path = points('t,x,y\n1800,100,25\n0,100,25\n0,300,500\n1800,300,0\n1e6,100,25\n')
    status, out, _ = cli('sample', samples / 'river.p01.hdf', '--points', path)
    rows = list(csv.DictReader(out.splitlines()))
    assert status == 0
    assert list(rows[0]) == ['t_s', 'x_m', 'y_m', 'vx_m_s', 'vy_m_s', 'inside']
    flow = read_flow(samples / 'river.yaml')
    for row in rows[:4]:
        expected = flow.velocity(float(row['t_s']), np.array([float(row['x_m'])]), np.array([float(row['y_m'])]))
        np.testing.assert_array_equal([float(row['vx_m_s']), float(row['vy_m_s'])], [expected[0][0], expected[1][0]])
    assert [row['inside'] for row in rows] == ['1', '1', '0', '1', '0']
    assert [row['vx_m_s'] for row in rows if row['inside'] == '0'] == ['nan', 'nan']
    found = json.loads(cli('sample', samples / 'river.p01.hdf', '--points', path, '--json')[1])
    assert [row['inside'] for row in found] == [True, True, False, True, False]
    assert [None if row['inside'] == '0' else float(row['vx_m_s']) for row in rows] == [row['vx_m_s'] for row in found]


def test_sample_in_the_worlds_coordinates(cli, samples, points):
    """A world whose origin lies at (100, 25) on the map, its x axis to the map's north."""
    own = json.loads(cli('sample', samples / 'river.p01.hdf', '--points', points('t,x,y\n60,92,29'), '--json')[1])[0]
    world = json.loads(cli('sample', samples / 'river.p01.hdf', '--points', points('t,x,y\n60,4,8'),
                           '--transform', 100, 25, 90, '--json')[1])[0]
    assert (world['vx_m_s'], world['vy_m_s']) == pytest.approx((own['vy_m_s'], -own['vx_m_s']), rel=1e-12)


def test_sample_along_the_track_of_a_run(cli, tmp_path, capsys):
    main(['run', '1', '--out', str(tmp_path), '--no-plots'])
    capsys.readouterr()
    status, out, _ = cli('sample', 'river', '--points', tmp_path / '1_rep103' / 'samples.csv')
    rows = out.splitlines()
    assert status == 0
    assert len(rows) == len((tmp_path / '1_rep103' / 'samples.csv').read_text().splitlines())
    assert all(row.endswith('0.6,0.0,1') for row in rows[1:])


@pytest.mark.parametrize(('text', 'words'), [
    ('', ('is empty',)), ('t,x\n0,1\n', ("line 1: lacks the column 'y'", 'it has: t, x')),
    ('t,x,y\n', ('has a header and no rows',)),
    ('t,x,y\n0,1,2\n0,far,2\n', ("line 3: column 'x'", "'far'", 'finite number')),
    ('t,x,y\n0,1\n', ('line 2: 2 cells; the header has 3',)), ('t,x,y\n0,nan,2\n', ("'nan'", 'finite number')),
    ('y,x,t,name\n0,1,inf,here\n', ("column 't'", "'inf'")), ('\x00\xff', ('points.csv',)),
])
def test_wrong_points_name_line_column_and_value(cli, samples, points, text, words):
    path = points(text)
    assert_refused(cli('sample', 'river', '--points', path), path, *words)


# ---- plot ---------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', [*RAW, 'ridge.yaml'])
def test_plot_draws(cli, samples, tmp_path, name):
    assert cli('plot', samples / name, '--out', tmp_path / 'map.png') == (0, '', f'{tmp_path / "map.png"}\n')
    assert (tmp_path / 'map.png').read_bytes().startswith(PNG)


@pytest.mark.parametrize('colour', ['speed', 'power'])
def test_plot_draws_a_track_on_a_flow_without_bounds(cli, tmp_path, colour, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(['run', '1', '--out', str(tmp_path), '--no-plots'])
    capsys.readouterr()
    track = tmp_path / '1_rep103' / 'samples.csv'
    assert cli('plot', 'uniform', '--track', track, '--colour', colour) == (0, '', 'uniform.png\n')
    assert (tmp_path / 'uniform.png').read_bytes().startswith(PNG)


def test_plots_that_would_show_nothing_are_refused(cli, samples, tmp_path):
    out = tmp_path / 'map.png'
    assert_refused(cli('plot', 'uniform', '--out', out), 'has no bounds', '--extent or --track')
    assert_refused(cli('plot', 'river', '--extent', 0, 500, 10, 510, '--out', out), 'no velocity at 0 s', '--extent')
    assert_refused(cli('plot', samples / 'river.p01.hdf', '--time', 1e6, '--out', out), 'no velocity',
                   'from 0 to 7200 s (2 h 00 min)')
    assert_refused(cli('plot', 'river', '--extent', 0, 0, -10, 10, '--out', out), '--extent is', 'rising')
    assert not out.exists()


def test_a_track_that_is_none_is_refused(cli, points):
    assert_refused(cli('plot', 'river', '--track', points('t,x,y\n0,1,2\n')), "has no column 'time_s'")


def test_a_picture_that_cannot_be_written_is_refused(cli, tmp_path):
    assert_refused(cli('plot', 'river', '--out', tmp_path / 'none' / 'map.png'), tmp_path / 'none')


# ---- real files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(('file', 'options', 'rows', 'inside'), [
    ('hecras/Muncie2DOnly_SI.p01.hdf', [], '0,123640,549450\n14400,123640,549450\n14401,123640,549450\n'
     '0,124000,549300\n0,123180,549000\n', [1, 1, 0, 0, 0]),
    ('openfoam/wind_z10m.csv', ['--medium', 'air'], '0,-10,100\n0,14,120\n0,340,100\n', [1, 0, 0])])
def test_real_files(cli, points, tmp_path, file, options, rows, inside):
    """In the river, after its last time, on land, outside the mesh; in the wind, in a building, outside the domain."""
    path = DATA / file
    if not path.exists():
        pytest.skip(f'{path} is not there (USV_ENERGY_DATA)')
    told = json.loads(cli('info', path, '--json')[1])
    assert told['speeds'][0]['max_m_per_s'] > 1.0
    found = json.loads(cli('sample', path, '--points', points(f't,x,y\n{rows}'), '--json')[1])
    assert [row['inside'] for row in found] == list(map(bool, inside))
    assert all((row['vx_m_s'] is None) == (not row['inside']) for row in found)
    assert cli('plot', path, '--out', tmp_path / 'map.png', *options)[0] == 0
    assert (tmp_path / 'map.png').read_bytes().startswith(PNG)


# ---- bad input ----------------------------------------------------------------------------------


def test_what_there_is_not_is_refused(cli):
    assert_refused(cli('info', 'none.hdf'), 'none.hdf: there is no such file, nor a shipped flow', 'river')


@pytest.mark.parametrize('verb', ['info', 'sample', 'plot'])
@pytest.mark.parametrize('name', RAW)
@pytest.mark.parametrize('share', [0.0, 0.0001, 0.01, 0.5, 0.97])
def test_a_truncated_file_is_refused(cli, samples, points, tmp_path, verb, name, share):
    whole = (samples / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:int(share * len(whole))])
    extra = {'info': [], 'sample': ['--points', points('t,x,y\n0,100,25\n')], 'plot': ['--out', tmp_path / 'map.png']}
    assert_refused(cli(verb, tmp_path / name, *extra[verb]), tmp_path / name)


@pytest.mark.parametrize(('arguments', 'words'), [
    ((), ('COMMAND',)), (('fly',), ("invalid choice: 'fly'", 'info', 'sample', 'plot', 'make')), (('info',), ('FILE',)),
    (('sample', 'river'), ('--points',)),
    (('plot', 'river', '--time', 'noon'), ("'noon'; must be a number, alone or with its unit",)),
    (('plot', 'river', '--extent', '1', '2'), ('expected 4 arguments',)),
    (('plot', 'river', '--colour', 'red'), ("'red'", 'speed', 'power')),
    (('info', 'x.nc', '--transform', '1', '2', 'nan'), ("'nan' is no finite number",)),
])
def test_wrong_arguments_are_refused(cli, arguments, words):
    status, out, err = cli(*arguments)
    assert (status, out) == (2, '')
    assert all(word in err for word in words)
    assert 'Traceback' not in err


@pytest.mark.parametrize(('arguments', 'words'), [
    (('--option', 'depth'), ("--option is 'depth'", 'NAME=VALUE')), (('--option', '=3'), ('NAME=VALUE',)),
    (('--option', 'origin=[1'), ('origin', 'wrong YAML')), (('--option', 'deep=1'), ("unknown option 'deep'", 'depth')),
    (('--reader', 'bufr'), ("no flow reader named 'bufr'", 'netcdf')), (('--reader', 'hecras'), ('bay.nc',)),
    (('--json', 'none/file.json'), ('there is no folder none',)),
])
@NEEDS_XARRAY
def test_wrong_options_are_refused(cli, samples, arguments, words):
    assert_refused(cli('info', samples / 'bay.nc', *arguments), *words)


@pytest.mark.parametrize('arguments', [('--reader', 'netcdf'), ('--option', 'depth=1'), ('--transform', 0, 0, 0)])
def test_what_a_flow_file_says_itself_is_not_said_beside_it(cli, samples, arguments):
    assert_refused(cli('info', samples / 'bay.yaml', *arguments), f'{arguments[0]} goes with a raw file')


@pytest.mark.parametrize('arguments', [['--help'], ['flow', '--help'], ['flow', 'info', '--help']])
def test_help_answers_at_once(arguments):
    program = ('import sys\nfrom usv_energy.cli.main import main\n'
               'try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n'
               'slow = {"matplotlib", "jsonschema", "scipy", "h5py", "xarray", "numpy"} & set(sys.modules)\n'
               'assert not slow, slow')
    subprocess.run([sys.executable, '-c', program, *arguments], check=True, timeout=600.0, stdout=subprocess.DEVNULL,
                   cwd=ROOT)
