"""`usv-energy run`: in this process, and as a real one where signals matter."""

import json
import re
import signal
import subprocess

import pytest
from command_line import DEADLINE, assert_refused, process
from places import ROOT


def test_all_in_both_conventions_writes_what_it_prints(cli, tmp_path):
    status, table, progress = cli('run', 'all', '--convention', 'both', '--out', tmp_path, '--no-plots')
    assert status == 0
    summaries = json.loads((tmp_path / 'summary.json').read_text())
    assert [(s['scenario'], s['convention']) for s in summaries] == [
        (str(number), convention) for number in range(1, 8) for convention in ('rep103', 'as_published')]
    assert [line.split(']')[0] for line in progress.splitlines()] == [f'[{n}/14' for n in range(1, 15)]
    rows = {line.split()[0]: line.replace(' %', '').split() for line in table.splitlines()[3:10]}
    for number in range(1, 8):
        right, published = summaries[2 * number - 2], summaries[2 * number - 1]
        assert rows[str(number)] == [
            str(number), f'{right["duration_s"]:.2f}', f'{right["published_duration_s"]:.2f}',
            f'{100 * right["duration_relative"]:+.1f}', f'{right["energy_j"]:.2f}',
            f'{100 * right["energy_relative"]:+.1f}', f'{published["energy_j"]:.2f}',
            f'{100 * published["energy_relative"]:+.1f}', f'{right["published_energy_j"]:.2f}',
            f'{round(100 * right["closure_relative"], 2) + 0.0:+.2f}']
    for summary in summaries:
        folder = tmp_path / f'{summary["scenario"]}_{summary["convention"]}'
        assert json.loads((folder / 'summary.json').read_text()) == summary
        assert sorted(path.name for path in folder.iterdir()) == ['legs.csv', 'samples.csv', 'summary.json']


def test_json_on_stdout_is_nothing_but_json(cli, tmp_path):
    status, out, err = cli('run', '2', '--json', '-', '--out', tmp_path, '--no-plots')
    assert status == 0
    assert json.loads(out) == json.loads((tmp_path / 'summary.json').read_text())
    assert 'scenario' in err
    assert cli('run', '2', '--json', tmp_path / 'other.json')[0] == 0
    assert (tmp_path / 'other.json').read_text() == out


def test_the_battery_the_charge_and_the_hotel_load_of_the_day(cli):
    """Scenario 1 has no hotel load: 20 W more for its time; the cells give that from half of 4 Ah at about 13 V."""
    plain, = json.loads(cli('run', '1', '--json', '-')[1])
    status, out, err = cli('run', '1', '--battery', '4S 4Ah LFP', '--charge', '50%', '--hotel', '20', '--json', '-')
    fitted, = json.loads(out)
    assert status == 0 and 'usv-energy: --battery 4S 4Ah LFP: ' in err and '--hotel 20' in err
    assert fitted['energy_j'] - plain['energy_j'] == pytest.approx(20.0 * fitted['duration_s'], rel=1e-6)
    assert fitted['duration_s'] == plain['duration_s'] and 'battery_charge_at_end' not in plain
    drawn = fitted['battery_energy_j'] / 13.0 / (4.0 * 3600.0)
    assert 0.5 - fitted['battery_charge_at_end'] == pytest.approx(drawn, rel=0.1)
    assert_refused(cli('run', 'all', '--battery', '4 parsecs'), '--battery')


def test_plots_are_drawn(cli, tmp_path):
    assert cli('run', '1', '2', '--out', tmp_path)[0] == 0
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob('*.png')) == [
        '1_rep103/plot.png', '2_rep103/plot.png', 'overview.png']


def test_a_scenario_given_twice_runs_once(cli):
    assert cli('run', '1', ROOT / 'config/scenarios/1.yaml', '1')[2].startswith('[1/1]')


def test_two_scenarios_of_one_name_are_refused(cli, yaml_file):
    other = yaml_file('base: "2"', '1.yaml')
    assert_refused(cli('run', '1', other), 'two scenarios are called 1', other)


def test_boat_and_plant_can_be_others(cli, yaml_file):
    boat = yaml_file('base: lutra_prop\nname: heavy\ninertia: {m11: 20.0}')
    out = cli('run', '1', '--boat', boat, '--plant', 'lutra_prop_usvsim', '--json', '-')[1]
    assert [(run['boat'], run['plant']) for run in json.loads(out)] == [('heavy', 'lutra_prop_usvsim')]


def test_a_goal_out_of_reach_is_told_by_the_exit_status(cli, yaml_file):
    status, out, _ = cli('run', yaml_file('base: "1"\nstop: {timeout: 2.0}'))
    assert status == 3
    assert 'mine: the goal was not reached (timed_out)' in out


def test_unknown_scenario_lists_what_there_is(cli):
    assert_refused(cli('run', '8'), "no scenario named '8'", '1, 2, 3, 4, 5, 6, 7')


def test_unknown_boat_lists_what_there_is(cli):
    assert_refused(cli('run', '1', '--boat', 'lutra'), "no boat named 'lutra'",
                   'lutra_prop, lutra_prop_eq57, lutra_prop_trial, lutra_prop_usvsim')


def test_missing_file_is_named(cli):
    assert_refused(cli('run', 'none/such.yaml'), 'none/such.yaml: there is no such file')


@pytest.mark.parametrize(('text', 'words'), [
    ('waypoint: []', ("unknown key 'waypoint'", "did you mean 'waypoints'?", 'Allowed:')),
    ('start: {x: fast}', ('start.x', "'fast'", 'must be a number')),
    ('stop: {radius: {value: 2.5, unit: ft}}', ('stop.radius.unit', "'ft'", "must be given in 'm'")),
    ('stop: {radius: -1.0}', ('stop.radius', '-1.0', 'must be greater than 0')),
    ('simulation: {step: 0.03}', ('simulation.period', '0.02', 'whole number of steps')),
    ('boat: lutra', ("boat: no boat named 'lutra'", 'lutra_prop')),
    ('speed: {mode: sail}', ('speed.mode', "'sail'", 'full_thrust, over_ground')),
    ('waypoints: [', ('line 3', 'is wrong YAML')),
])
def test_wrong_scenario_file_names_file_key_value_and_what_is_allowed(cli, yaml_file, text, words):
    path = yaml_file(f'base: "1"\n{text}')
    assert_refused(cli('run', path), path, *words)


@pytest.mark.parametrize(('text', 'words'), [
    ('inertia: {m11: -9.75}', ('inertia.m11', '-9.75', 'must be greater than 0')),
    ('hull: {mass: {value: -9.7, unit: kg}}', ('hull.mass', '-9.7', 'must be greater than 0')),
    ('hull: {mass: {value: 9.7, unit: lb}}', ('hull.mass.unit', "'lb'", "must be given in 'kg'")),
    ('inertia: {m12: 1.0}', ("unknown key 'm12' in inertia", 'Allowed: m11, m22, m23, m33')),
    ('static_load: ten', ('static_load', "'ten'", 'must be a number')),
])
def test_wrong_boat_file_names_file_key_value_and_what_is_allowed(cli, yaml_file, text, words):
    path = yaml_file(f'base: lutra_prop\n{text}')
    assert_refused(cli('run', '1', '--boat', path), path, *words)


def test_a_step_too_long_for_the_boat_is_refused_with_the_longest(cli, yaml_file):
    """At 0.5 kg and 0.05 s it told 45.9 J where the thrusters spent 611 J: 0.05 sqrt(4 x 11.28 x 22.2) / 0.5 = 3.2."""
    yaml_file('base: lutra_prop_usvsim\ninertia: {m11: 0.5}', 'light.yaml')
    path = yaml_file('base: "1"\nboat: ./light.yaml\nsimulation: {step: 0.05, period: 0.05}')
    assert_refused(cli('run', path), path, 'simulation.step is 0.05 s; must be at most 0.0157 s', 'lutra_prop_usvsim')


def test_a_run_that_fails_on_its_way_is_named_and_finished_runs_are_kept(cli, yaml_file, tmp_path):
    yaml_file('medium: water\nanalytic: {kind: uniform, speed: 0.1, direction_deg: 0, extent: [200, 90, 250, 100]}',
              'pond.yaml')
    path = yaml_file('base: "1"\ncurrent: {flow: ./pond.yaml}')
    status, out, err = cli('run', '1', path, '--json', tmp_path / 'runs.json')
    assert status == 2
    assert 'usv-energy: 1 of 2 runs finished' in err
    assert re.search(r'error: .*pond\.yaml: no value at t = .*: the boat has left the flow', err.splitlines()[-1])
    assert [run['scenario'] for run in json.loads((tmp_path / 'runs.json').read_text())] == ['1']
    assert '611.50' in out


@pytest.mark.parametrize('option', ['--out', '--json'])
def test_an_output_that_cannot_be_written_stops_before_the_first_run(cli, yaml_file, option):
    blocked = yaml_file('a file where a folder is needed') / 'output'
    assert_refused(cli('run', 'all', option, blocked), blocked)


def test_a_run_folder_that_cannot_be_written_stops_before_the_first_run(cli, tmp_path):
    (tmp_path / '7_rep103').write_text('')
    assert_refused(cli('run', 'all', '--out', tmp_path), tmp_path / '7_rep103')


def test_ctrl_c_keeps_what_has_finished(yaml_file, tmp_path):
    endless = yaml_file('base: "1"\nwaypoints: [{x: 10000000.0, y: 95.0}]\nstop: {timeout: 10000000.0}')
    with process('run', '1', endless, '--out', tmp_path / 'out', '--json', '-', '--no-plots',
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        first = running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, rest = running.communicate(timeout=DEADLINE)
    assert first.startswith('[1/2] 1: 30 m east, full thrust, rep103 ... 20.8 s')
    assert running.returncode == 130
    assert f'1 of 2 runs finished, kept in {tmp_path / "out"}' in rest
    assert rest.splitlines()[-1] == 'usv-energy: interrupted'
    assert 'Traceback' not in rest
    assert [run['scenario'] for run in json.loads(out)] == ['1']
    assert json.loads((tmp_path / 'out' / 'summary.json').read_text()) == json.loads(out)
    files = sorted(str(path.relative_to(tmp_path / 'out')) for path in (tmp_path / 'out').rglob('*') if path.is_file())
    assert files == ['1_rep103/legs.csv', '1_rep103/samples.csv', '1_rep103/summary.json', 'summary.json']


def test_it_runs_from_any_folder_and_relative_paths_are_of_that_folder(yaml_file, tmp_path):
    yaml_file('base: "5"\ntitle: mine')
    with process('run', 'mine.yaml', '--out', 'results', '--no-plots', cwd=tmp_path,
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.communicate(timeout=DEADLINE)
    assert running.returncode == 0
    assert json.loads((tmp_path / 'results' / 'summary.json').read_text())[0]['title'] == 'mine'


def test_what_makes_a_run_another_than_its_title_says_is_named(cli):
    said = cli('run', '2', '--current', '0.1,180', '--speed', '1.1', '--no-plots')[2]
    assert said.startswith('[1/1] 2: 30 m east, full thrust, following current of 0.40 m/s (with --speed 1.1 --current '
                           '0.1,180: 0.10 m/s (0.2 kn) set 270 (W)), rep103 ... ')
