"""Every public name: documented with an example that runs, held to its signature, light to import, typed for users."""

import ast
import doctest
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import made_cell
import numpy as np
import pytest
import sea_twin
from autopilot_twin import AutopilotTwin
from mission_twin import mission
from needs import WITHIN_A_MINUTE
from places import ROOT
from power_twin import twin, write_commands
from result_checks import check_pictures, check_tables
from twin_log import twin_log

import usv_energy
from usv_energy.cli import main

NEEDS = ('xarray', 'pymavlink')
PACKAGE = Path(usv_energy.__file__).parent
PUBLIC = sorted(usv_energy._HOMES)
FUNCTIONS = [name for name in PUBLIC if not inspect.isclass(getattr(usv_energy, name))]
FITS_OF_MINUTES = {'identify_boat', 'identify_battery', 'identify_pack'}     # without numba
PARAMETER = re.compile(r':param (\w+): (.*?)(?=\n:|\n\n|\Z)', re.DOTALL)
UNIT = re.compile(r'\b(m/s|m|s|W|Wh|N|kg|degC|degrees|rad|us|mV|A|share|times)\b|\(-\)|\b([Tt]he same|[Aa]s of)\b')
HIDDEN = 'import sys\nfor name in ("rclpy", "std_msgs", "numba"): sys.modules[name] = None\n'


@pytest.fixture(scope='module')
def make_api():
    spec = importlib.util.spec_from_file_location('make_api', ROOT / 'docs' / 'make_api.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope='module')
def example_folder(tmp_path_factory):
    """Make the files that the examples read: logs, pulls, runs, and what is known of a cell, a pack and seas."""
    folder = tmp_path_factory.mktemp('examples')
    rows = [f'{0.5 * n},{0.8 * 0.5 * n},0,0,0.8,0,0' for n in range(121)]
    (folder / 'log.csv').write_text('\n'.join(['time_s,x_m,y_m,yaw_rad,u_m_s,v_m_s,r_rad_s', *rows, '']))
    pulls = {1500: 0.0, 1553: 16.46, 1600: 17.93, 1700: 22.54}
    (folder / 'pulls.csv').write_text('\n'.join(['pwm_us,pull_n', *(f'{p},{n}' for p, n in pulls.items())]))
    write_currents(folder / 'there_and_back')
    write_commands(twin(np.random.default_rng(1), seconds=120), folder / 'commands.csv')
    autopilot = AutopilotTwin(9)
    for _ in range(120):
        autopilot.step()
    autopilot.close()
    autopilot.write(folder / 'boat.tlog')
    for arguments in (['coast_down', '--boat', 'lutra_airboat', '--payload', '3', '--out', 'glide'],
                      ['a', '--boat', 'lutra_prop', '--out', 'ahead']):
        assert main.main(['maneuver', *arguments[:-1], str(folder / arguments[-1])]) == 0
    for name in ('cell', 'seas'):
        (folder / name).mkdir()
    made_cell.write_tables(folder / 'cell')
    for seed, (name, *sea) in enumerate((('calm', 0.0, 2.0, 0.0), ('low', 0.2, 2.0, 180.0), ('high', 0.4, 2.0, 90.0))):
        sea_twin.write_log(sea_twin.sea_log(name, *sea, seed=8000 + seed, leg=50.0), folder / 'seas')
    (folder / 'seas' / 'boat.yaml').write_text(sea_twin.BOAT)
    cell = usv_energy.fit_out('blueboat', battery='4S 10Ah NMC').pack.cell
    _, *columns = mission(np.random.default_rng(7003), cell, 420)
    write_table(folder / 'mission.csv', ('time_s', 'current_a', 'voltage_v'), columns)
    write_driven(folder / 'driven.csv')
    return folder


def write_table(path, names, columns):
    np.savetxt(path, np.column_stack(columns), '%.6f', ',', header=','.join(names), comments='')


def write_driven(path):
    """Write a minute of the Lutra Prop under thrusts that change, with noise, and its column map."""
    log = twin_log(usv_energy.read_boat('lutra_prop'), np.random.default_rng(20210917), 'driven', 60.0)
    units = {'time': 's', 'x': 'm', 'y': 'm', 'yaw': 'rad', 'u': 'm/s', 'v': 'm/s', 'r': 'rad/s'}
    write_table(path, (*units, 'left', 'right'), (*(getattr(log, name) for name in units), log.thrust))
    path.with_suffix('.yaml').write_text(
        'columns:\n' + ''.join(f'  {name}: {{column: {name}, unit: {unit}}}\n' for name, unit in units.items())
        + 'thrusters:\n' + ''.join(f'- {{name: {name}, thrust: {{column: {name}, unit: N}}}}\n'
                                   for name in ('left', 'right')))


def write_currents(path):
    """Write minutes there and back at three speeds at 8 + 20 V^3 W in a current of 0.2 m/s, with a column map."""
    rows, x, time = ['t,x,y,volts,amperes'], 0.0, 0.0
    for speed in (0.8, 1.2, 1.6):
        for sign in (1.0, -1.0):
            for _ in range(60):
                rows.append(f'{time},{x:.4f},0.0,15.0,{(8.0 + 20.0 * speed ** 3) / 15.0:.6f}')
                time, x = time + 1.0, x + sign * speed + 0.2
    path.with_suffix('.csv').write_text('\n'.join([*rows, '']))
    path.with_suffix('.yaml').write_text(
        'frames: {earth: enu, body: flu}\ncolumns: {time: {column: t, unit: s}, x: {column: x, unit: m}, '
        'y: {column: y, unit: m}, volts: {column: volts, unit: V}, amperes: {column: amperes, unit: A}}\n')


def test_all_names_are_there_and_nothing_else_is_offered():
    assert {name for name in dir(usv_energy) if not name.startswith('__')} == set(usv_energy.__all__) - {'__version__'}
    for name in usv_energy.__all__:
        assert getattr(usv_energy, name).__doc__, name
    with pytest.raises(AttributeError, match='no attribute'):
        _ = usv_energy.no_such_name


def test_no_public_name_hides_a_room():
    """Importing a room sets an attribute of the package: a function of that name would vanish."""
    assert not {path.stem for path in PACKAGE.iterdir()} & set(usv_energy.__all__)


def test_type_checkers_see_what_the_interpreter_sees():
    tree = ast.parse((PACKAGE / '__init__.py').read_text(encoding='utf-8'))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    assert seen == {name: f'usv_energy.{home}' for name, home in usv_energy._HOMES.items()}
    assert {*seen, '__version__'} == set(usv_energy.__all__)


@pytest.mark.parametrize('name', FUNCTIONS)
def test_docstrings_name_every_parameter_the_result_and_the_errors(name):
    thing = getattr(usv_energy, name)
    told = inspect.getdoc(thing)
    assert told.startswith('Return ')
    assert ':raises InputError:' in told
    missing = [parameter for parameter in inspect.signature(thing).parameters if f':param {parameter}:' not in told]
    assert missing == []
    assert '\n>>> ' in told


@pytest.mark.parametrize('name', FUNCTIONS)
def test_numbers_have_units_and_arrays_shapes_in_their_docstrings(name):
    thing = getattr(usv_energy, name)
    told = inspect.getdoc(thing)
    texts = {parameter: ' '.join(text.split()) for parameter, text in PARAMETER.findall(told)}
    kinds = {one.name: str(one.annotation) for one in inspect.signature(thing).parameters.values()}
    numbers = [one for one, kind in kinds.items() if re.search('float|ArrayLike|Vector', kind)]
    assert [one for one in numbers if not UNIT.search(texts[one])] == []
    assert 'shape' in told or not any('ArrayLike' in kind for kind in kinds.values())


@pytest.mark.parametrize('name', [pytest.param(name, marks=WITHIN_A_MINUTE) if name in FITS_OF_MINUTES else name
                                  for name in FUNCTIONS])
def test_the_example_of_a_name_gives_what_it_says(name, example_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(example_folder)
    thing = getattr(usv_energy, name)
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {'usv_energy': usv_energy}, name, None, 0)
    told = []
    doctest.DocTestRunner(verbose=False).run(example, out=told.append, clear_globs=False)
    assert example.examples and told == []
    if name.startswith('identify_'):
        found = example.globs['found']
        check_tables(found)
        check_pictures(found)
        found.write_picture(tmp_path / 'fit')
        drawn = [path for path in tmp_path.rglob('*') if path.is_file()]
        assert len(drawn) == (3 if name == 'identify_boat' else 1)
        assert all(path.read_bytes()[:4] == b'\x89PNG' for path in drawn)


def test_signatures_are_those_that_users_rely_on(make_api):
    """A name, a parameter or a field that goes must warn for a release first; what is new is added to the file."""
    golden = (ROOT / 'test' / 'unit' / 'api' / 'signatures.txt').read_text(encoding='utf-8')
    assert make_api.signatures() == golden, 'python3 docs/make_api.py signatures, if nothing but additions changed'


def test_importing_brings_nothing_heavy_and_no_ros():
    code = ('import sys; before = set(sys.modules); import usv_energy; dir(usv_energy); '
            'print(*{name.partition(".")[0] for name in set(sys.modules) - before})')
    assert set(printed(code).split()) - sys.stdlib_module_names == {'usv_energy'}


def test_the_api_works_where_neither_ros_nor_numba_can_be_imported():
    code = f'{HIDDEN}import usv_energy\nprint(usv_energy.run_scenario("1").outcome)'
    assert printed(code).strip() == 'reached'


def printed(code):
    return subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True,
                          env={**os.environ, 'PYTHONPATH': str(PACKAGE.parent)}).stdout


def test_type_checkers_read_our_annotations():
    """What they say of a user's script is seen by mypy's own run, of typed_script.py."""
    assert (PACKAGE / 'py.typed').is_file() and 'py.typed' in (ROOT / 'setup.py').read_text()
    assert 'test/unit/api/typed_script.py' in (ROOT / 'pyproject.toml').read_text()
