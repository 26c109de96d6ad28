"""
A new kind of thruster is one file: `water_jet.py` is not of the package, and every answer about its boat follows.

Each is compared with the closed form of `new_kind.py`: nothing outside usv_energy/thrusters asks what kind it is.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import new_kind
import numpy as np
import pytest
import yaml
from command_line import ENVIRONMENT
from new_kind import MASS_FLOW, MOST, SQUARE, cheapest, command_at, drag, top_speed, watts_at
from places import ROOT

import usv_energy
from usv_energy.boats.boat_file import read_boat
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.files.errors import InputError
from usv_energy.gazebo.model import left_out
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Motion
from usv_energy.sim.hil.sitl_frames import ServoChannels
from usv_energy.sim.plants.live_thrusters import changes_thrust
from usv_energy.sim.runner import ScenarioRun
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.identify.rollout.fit_parameters import actuator_rows
from usv_energy.studies.route.costs.motion_table import SteadyCost

EXACT = 1e-9
HELD = 1e-5     # A run, once its controller has settled: exp(-t) of what it began with.
SPEED = 1.2     # m/s, that is held
SETTLED, LASTS = 40.0, 50.0     # s


@pytest.fixture(scope='module', autouse=True)
def kind():
    with new_kind.installed() as module:
        yield module


@pytest.fixture
def boat(tmp_path):
    """Return the path of a boat with two jets."""
    return new_kind.write_boat_file(tmp_path)


@pytest.fixture
def way(tmp_path, boat):
    """Return a function that writes a scenario straight ahead, at a speed or at full thrust, and returns its path."""
    def write(speed=None, length=1000.0, name='way'):
        path = tmp_path / f'{name}.yaml'
        mode = {'mode': 'full_thrust'} if speed is None else {'mode': 'over_ground', 'target': speed}
        path.write_text(yaml.safe_dump({
            'base': '1', 'boat': boat, 'start': {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0}, 'speed': mode,
            'waypoints': [{'x': length, 'y': 0.0}], 'stop': {'timeout': LASTS}, 'published': None,
            'simulation': {'step': 0.05, 'period': 0.05}}))
        return path
    return write


def test_boat_check_tells_its_top_speed_pull_and_watts(boat, cli):
    figures = json.loads(cli('boat', 'check', boat, '--json')[1])
    assert figures['top_speed_ahead_m_s'] == pytest.approx(top_speed(), rel=EXACT)
    assert figures['top_speed_astern_m_s'] == pytest.approx(top_speed(), rel=EXACT)
    for way, sign in (('ahead', 1.0), ('astern', -1.0)):
        assert figures[f'bollard_{way}'] == pytest.approx(
            {'thrust_n': sign * 2.0 * MOST, 'power_w': 2.0 * SQUARE * MOST ** 2}, rel=EXACT)
    rows = figures['over_speed']
    assert len(rows) > 3
    for row in rows:
        speed = row['speed_m_s']
        assert row['drag_n'] == pytest.approx(drag(speed), rel=EXACT)
        assert row['available_thrust_n'] == pytest.approx(2.0 * (MOST - MASS_FLOW * speed), rel=EXACT)
        assert row['power_w'] == pytest.approx(watts_at(speed), rel=EXACT)


def test_range_and_its_cheapest_speed(boat, cli):
    study = usv_energy.range_study(boat)
    curve = study.curve
    assert study.best.energy_per_meter == pytest.approx(cheapest()[1], rel=1e-6)
    assert study.best.power == pytest.approx(watts_at(study.best.speed), rel=EXACT)
    np.testing.assert_allclose(curve.power, watts_at(curve.speed), rtol=EXACT)
    assert curve.speed[-1] == pytest.approx(top_speed(), rel=1e-6)
    told = json.loads(cli('range', '--boat', boat, '--speed', 0.5 * top_speed(), '--json')[1])
    assert told['along_course_at_speed']['power_w'] == pytest.approx(watts_at(0.5 * top_speed()), rel=EXACT)


def test_a_map_tells_watts_in_a_current(boat):
    """Against a current the boat goes faster through the water by that current, and so do the jets."""
    found = usv_energy.energy_map(boat, 0.0, [0.5, 1.0], current=(-0.4, 0.0))
    np.testing.assert_allclose(found.power_total.values.ravel(), watts_at(np.array([0.9, 1.4])), rtol=EXACT)


def test_a_mission_costs_what_its_length_costs(boat, way, cli):
    """400 m more at the speed that is held: what begin and end take is the same in both."""
    short, long = (json.loads(cli('mission', way(SPEED, length, f'{length:g}'), '--boat', boat, '--json')[1])
                   for length in (400.0, 800.0))
    assert long['energy_j'] - short['energy_j'] == pytest.approx(400.0 / SPEED * watts_at(SPEED), rel=1e-6)
    assert long['time_s'] - short['time_s'] == pytest.approx(400.0 / SPEED, rel=1e-6)


@pytest.mark.parametrize('speed', [SPEED, None], ids=['held speed', 'full throttle'])
def test_a_run_settles_at_its_speed_and_watts(way, speed):
    last = usv_energy.run_scenario(way(speed)).rows[-1]
    wanted = speed or top_speed()
    assert last.motion.u == pytest.approx(wanted, rel=HELD)
    assert last.power.total == pytest.approx(watts_at(wanted), rel=10.0 * HELD)


@pytest.mark.parametrize('backend', ['numba', 'numpy'])
def test_a_sweep_of_full_throttle_and_of_a_held_speed(way, backend):
    """The last ten seconds are the difference of runs that end at 40 s and at 50 s; compiled code has one of them."""
    if backend == 'numba':
        pytest.importorskip('numba')
    ends = {'stop.timeout': np.array([SETTLED, LASTS])}
    for speed in (None, SPEED) if backend == 'numpy' else (None,):
        found = run_ensemble(cases_of(read_scenario(str(way(speed))), 2, **ends), backend)
        wanted = speed or top_speed()
        assert np.diff(found.x) / np.diff(found.duration) == pytest.approx(wanted, rel=HELD)
        assert np.diff(found.energy['total']) / np.diff(found.duration) == pytest.approx(
            watts_at(wanted), rel=10.0 * HELD)


def followed(scenario):
    """Return the rows of a run from SETTLED on, and what its thrusters gave and were told, N, shape (n, 2)."""
    going, thrusts, commands = ScenarioRun(scenario), [], []
    more = True
    while more:
        samples = len(going.observer.rows)
        given, told = going.plant.thrusts, going.plant.setting.commands
        more = going.advance()
        if len(going.observer.rows) > samples:
            thrusts.append(given)
            commands.append(told)
    rows = going.result().rows
    settled = slice(next(n for n, row in enumerate(rows) if row.time >= SETTLED), None)
    return rows[settled], np.array(thrusts[settled]), np.array(commands[settled])


@pytest.mark.parametrize('speed', [SPEED, None], ids=['held speed', 'full throttle'])
def test_analyze_of_a_run_by_motion_thrusts_commands_and_rates(boat, way, speed):
    rows, thrusts, commands = followed(read_scenario(str(way(speed))))
    wanted = speed or top_speed()
    np.testing.assert_allclose(thrusts, 0.5 * drag(wanted), rtol=HELD)
    np.testing.assert_allclose(commands, command_at(wanted), rtol=HELD)
    motion = {name: np.array([getattr(row.motion, name) for row in rows]) for name in Motion._fields[:4]}
    still = {name: np.zeros(len(rows)) for name in ('current_x', 'current_y', 'wind_x', 'wind_y')}
    log = Log('run', Path('run'), np.array([row.time for row in rows]), x=np.array([row.x for row in rows]),
              y=np.array([row.y for row in rows]), **motion, **still)
    names = {'thrusters': ('port', 'starboard')}
    turning = np.sqrt(commands / MOST) * 50.0   # 1/s: as fast as at standstill, where C goes with the rate squared.
    for told in ({}, {'thrust': thrusts, 'thrust_given': True, **names}, {'thrust': commands, **names},
                 {'revolutions': turning, **names}):
        found = usv_energy.analyze_log(replace(log, **told), boat)
        assert found.energy.total / found.energy.duration == pytest.approx(watts_at(wanted), rel=1e-4), told.keys()
        assert found.energy.allocation == pytest.approx(0.0, abs=1e-4 * found.energy.total)


def test_power_of_a_motion_by_the_python_api(boat):
    speeds = np.linspace(0.2, 2.0, 7)
    np.testing.assert_allclose(usv_energy.power(boat, u=speeds).total, watts_at(speeds), rtol=EXACT)


def test_other_simulators_are_told_of_it(boat):
    """Gazebo's thrusters need the node that answers for them; a servo at its end asks for the largest command."""
    read = read_boat(boat)
    assert changes_thrust(read)
    assert any('port, starboard' in line and 'under way' in line for line in left_out(read))
    setting = ServoChannels(read, (1, 2)).setting([1900, 1300])
    assert setting.commands == pytest.approx((MOST, -0.5 * MOST))


def test_identify_fits_no_number_that_it_has_not(boat):
    assert actuator_rows(read_boat(boat).vessel) == []


def test_a_route_is_judged_by_its_watts(boat):
    speeds, still = np.linspace(0.2, 2.0, 7), np.zeros(7)
    np.testing.assert_allclose(SteadyCost(read_boat(boat).vessel).power(speeds, still, still, still),
                               watts_at(speeds), rtol=EXACT)


def test_its_file_is_refused_as_any_others(tmp_path, boat):
    text = Path(boat).read_text()
    wrong = tmp_path / 'wrong.yaml'
    wrong.write_text(text.replace(f'most: {MOST}', 'most: -1.0'))
    with pytest.raises(InputError, match=r'thrusters\.0\.propeller\.jet\.most is -1; must be above 0'):
        read_boat(str(wrong))
    wrong.write_text(text.replace('mass_flow', 'mass_flows'))
    with pytest.raises(InputError, match=r"unknown key 'mass_flows'.*did you mean 'mass_flow'"):
        read_boat(str(wrong))


def test_the_file_alone_in_the_folder_of_kinds_is_all_that_a_command_needs(tmp_path, boat):
    """A package that is this one but for one file more: `boat check` of a process of its own knows the kind."""
    package, here = tmp_path / 'other' / 'usv_energy', ROOT / 'usv_energy'
    for folder in ('', 'thrusters', 'thrusters/kinds'):
        (package / folder).mkdir(parents=True)
        for path in (here / folder).iterdir():
            if path.name not in ('thrusters', 'kinds', '__pycache__'):
                (package / folder / path.name).symlink_to(path)
    (package / 'thrusters' / 'kinds' / new_kind.FILE.name).write_bytes(new_kind.FILE.read_bytes())
    command = [sys.executable, '-P', '-m', 'usv_energy.cli.main', 'boat', 'check', boat, '--json']
    folders = os.pathsep.join([str(package.parent), ENVIRONMENT['PYTHONPATH']])
    found = subprocess.run(command, env={**ENVIRONMENT, 'PYTHONPATH': folders}, text=True, capture_output=True,
                           check=True)
    assert json.loads(found.stdout)['top_speed_ahead_m_s'] == pytest.approx(top_speed(), rel=EXACT)
