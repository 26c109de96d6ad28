"""`usv-energy analyze` as a person runs it: figures, files, wrong input, faults."""

import json
import math
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import telemetry_files
import ulog_files
from analyze_files import BagOf, run_of, write_bag
from dataflash_files import circle, write_dataflash
from needs import NEEDS_PYMAVLINK, NEEDS_PYULOG

from usv_energy.cli.main import main
from usv_energy.studies.runs.run_folder import write_run

RUN = run_of()


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp('runs') / '6_rep103'
    write_run(RUN, folder, False, 'usv-energy')
    return str(folder)


def told(capsys, *arguments):
    """Return exit status, what was printed as JSON, and stderr."""
    status = main([*arguments, '--json', '-'])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else None, err


def refused(capsys, *arguments):
    """Return what is said to wrong input."""
    assert main([*arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ''
    assert 'Traceback' not in err
    return err


def test_figures_report_and_samples(capsys, run, tmp_path):
    status, figures, err = told(capsys, 'analyze', run, '--out', str(tmp_path / 'out'), '--samples')
    assert status == 0
    assert figures['energy_j'] == pytest.approx(RUN.energy.total, rel=1e-9)
    assert figures['live_relative'] == pytest.approx(0.0, abs=1e-9)
    assert sum(figures[f'energy_{cause}_j'] for cause in (
        'inertia', 'damping', 'wind', 'unrecovered', 'losses', 'static_load')) == pytest.approx(figures['energy_j'])
    assert f'{RUN.energy.total:.1f} J' in err, 'the table goes to stderr'
    assert json.loads((tmp_path / 'out' / 'summary.json').read_text()) == figures
    assert {path.name for path in (tmp_path / 'out').iterdir()} == {'report.html', 'summary.json', 'samples.csv'}
    _, figures_again, _ = told(capsys, 'analyze', str(tmp_path / 'out' / 'samples.csv'))
    assert figures_again['energy_j'] == pytest.approx(figures['energy_j'], rel=1e-9)
    _, fitted, _ = told(capsys, 'analyze', run, '--battery', '4Wh', '--charge', '50%', '--hotel', '20')
    assert fitted['energy_static_load_j'] == pytest.approx(20.0 * fitted['duration_s'])
    assert fitted['state_of_charge_used'] == pytest.approx(fitted['energy_j'] / 14400.0)
    assert fitted['battery_empty_at_s'] is None
    _, empty, err = told(capsys, 'analyze', run, '--battery', '0.01Wh', '--charge', '50%')
    assert empty['state_of_charge_used'] == 0.5 and 0.0 < empty['battery_empty_at_s'] < empty['duration_s']
    assert 'it would have been empty after' in next(
        note['text'] for note in empty['notes'] if note['code'] == 'battery_empty')


def test_thrusts_beside_a_run_count_unless_they_are_left_out(capsys, tmp_path):
    """1.5 times the thrusts of the way are 1.5 times its energy: what is too much is residual, and nothing is waste."""
    write_run(RUN, tmp_path, False, 'usv-energy')
    tilt, way = 2.0 * RUN.scenario.boat.vessel.thrusters[0].efficiency_of_tilt, RUN.energy.distance_through_water
    force = 1.5 * RUN.energy.total / way / tilt
    rows = ''.join(f'{row.time!r},{force!r},{force!r}\n' for row in RUN.rows)
    (tmp_path / 'commands.csv').write_text(f'time_s,thrust_left_n,thrust_right_n\n{rows}')
    status, figures, err = told(capsys, 'analyze', str(tmp_path))
    assert status == 0 and figures['actuators'] == 'commanded thrusts'
    assert figures['energy_j'] == pytest.approx(1.5 * RUN.energy.total, rel=0.01)
    assert figures['energy_residual_j'] == pytest.approx(0.5 * RUN.energy.total, rel=0.02)
    assert figures['allocation_relative'] == pytest.approx(0.0, abs=1e-9)
    assert 'allocation: 0.0 % beyond the cheapest way' in err
    assert figures['closure_relative'] == pytest.approx(-1.0 / 3.0, abs=0.01), 'the motion asks for two thirds of it'
    _, left, err = told(capsys, 'analyze', str(tmp_path), '--actuators', 'allocated')
    assert left['energy_j'] == pytest.approx(RUN.energy.total, rel=1e-9) and 'allocation' not in err
    assert (left['actuators'], left['allocation_relative']) == ('cheapest way', None)
    assert left['closure_relative'] == figures['closure_relative']


def test_a_log_of_one_sample_has_no_figures_but_dashes(capsys, tmp_path):
    (tmp_path / 'one.csv').write_text('t,heading,speed\n0,0,1\n')
    (tmp_path / 'map.yaml').write_text('columns: {time: {column: t, unit: s}, yaw: {column: heading, unit: rad}, '
                                       'u: {column: speed, unit: m/s}}')
    status, figures, err = told(capsys, 'analyze', str(tmp_path / 'one.csv'), '--columns', str(tmp_path / 'map.yaml'),
                                '--out', str(tmp_path / 'out'))
    assert (status, figures['mean_power_w'], figures['what_if'][0]['change_relative']) == (0, None, None)
    page = (tmp_path / 'out' / 'report.html').read_text()
    assert 'nan' not in err
    assert '<b>-</b><span>mean power</span>' in page
    assert 'nan W' not in page
    assert 'nan %' not in page


@pytest.mark.parametrize('clock', [1.0, 1.0005, 0.9995])
def test_a_log_of_one_sample_a_second_is_whole_whatever_its_clock(capsys, tmp_path, clock):
    table = steady_table(tmp_path, clock * np.arange(300.0) + np.random.default_rng(8).normal(0.0, 0.005, 300))
    status, figures, _ = told(capsys, 'analyze', *table)
    assert status == 0
    assert figures['duration_s'] == pytest.approx(figures['log_duration_s'], abs=1.1 * clock)  # no acceleration at 0
    assert figures['gaps'] == 0
    _, figures, _ = told(capsys, 'analyze', *table, '--max-gap', '1.1')
    assert figures['gaps'] == 0
    assert 'only 0.0 of' in refused(capsys, 'analyze', *table, '--max-gap', '0.5')


def test_a_log_that_is_mostly_holes_has_no_energy(capsys, tmp_path):
    table = steady_table(tmp_path, np.concatenate([np.arange(0.0, 20.0, 0.1), np.arange(300.0, 320.0, 0.1)]))
    err = refused(capsys, 'analyze', *table, '--out', str(tmp_path / 'out'))
    assert 'table.csv: only 39.' in err and '1 hole between samples' in err and '--max-gap' in err
    assert not (tmp_path / 'out' / 'summary.json').exists()


def steady_table(folder, time):
    """Return the arguments that name a table of a boat that goes straight at 1 m/s."""
    rows = ''.join(f'{t:.4f},{t:.4f},0,0,1,0,0\n' for t in time.tolist())
    (folder / 'table.csv').write_text(f't,x,y,yaw,u,v,r\n{rows}')
    units = {'t': ('time', 's'), 'x': ('x', 'm'), 'y': ('y', 'm'), 'yaw': ('yaw', 'rad'), 'u': ('u', 'm/s'),
             'v': ('v', 'm/s'), 'r': ('r', 'rad/s')}
    columns = ', '.join(f'{name}: {{column: {column}, unit: {unit}}}' for column, (name, unit) in units.items())
    (folder / 'map.yaml').write_text(f'columns: {{{columns}}}\n')
    return str(folder / 'table.csv'), '--columns', str(folder / 'map.yaml')


@NEEDS_PYMAVLINK
def test_a_copter_s_log_is_refused_by_name_unless_any_vehicle_will_do(capsys, tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(texts=['ArduCopter V4.0.3 (1a2b)'], parameters=(('FRAME_CLASS', 1.0),)))
    for verb in ('analyze', 'identify'):
        err = refused(capsys, verb, str(tmp_path / 'a.bin'), '--boat', 'blueboat_start')
        assert 'a.bin: this was flown by a quadrotor (its firmware is ArduCopter V4.0.3' in err
        assert '--any-vehicle' in err
    status, figures, err = told(capsys, 'analyze', str(tmp_path / 'a.bin'), '--any-vehicle')
    assert status == 0 and figures['energy_j'] > 0.0 and 'flown by a quadrotor' in err


@NEEDS_PYMAVLINK
def test_a_current_sensor_at_zero_is_no_measurement(capsys, tmp_path):
    write_dataflash(tmp_path / 'a.bin', circle(current=lambda t: 0.0, second=lambda t: 0.0))
    _, figures, err = told(capsys, 'analyze', str(tmp_path / 'a.bin'))
    assert figures['measured'] is None and 'its current is 0 all the time' in err
    assert 'measured electrical energy' not in err
    write_dataflash(tmp_path / 'b.bin', circle())
    _, figures, err = told(capsys, 'analyze', str(tmp_path / 'b.bin'))
    assert figures['measured']['measured_energy_j'] == pytest.approx(40.0 * 29.9, rel=0.05)


@NEEDS_PYMAVLINK
@NEEDS_PYULOG
def test_a_file_of_any_autopilot_needs_no_option_and_says_which_boat_is_taken(capsys, tmp_path):
    station = telemetry_files.Station()
    telemetry_files.vehicle(station)
    station.write(tmp_path / 'a.tlog')
    ulog_files.circle().write(tmp_path / 'a.ulg')
    write_dataflash(tmp_path / 'a.bin', circle())
    means = []
    for name in ('a.tlog', 'a.ulg', 'a.bin'):
        status, figures, err = told(capsys, 'analyze', str(tmp_path / name))
        assert status == 0 and 'nothing says which boat it was: lutra_prop is taken; --boat' in err
        means.append(figures['mean_power_w'])
    assert means == pytest.approx(means[:1] * 3, rel=0.01), 'the same circle'
    _, _, err = told(capsys, 'analyze', str(tmp_path / 'a.ulg'), '--boat', 'wamv')
    assert 'nothing says which boat' not in err


def test_current_and_wind_may_be_said(capsys, run):
    _, figures, _ = told(capsys, 'analyze', run, '--current', '0,0', '--wind', '0,0')
    assert figures['energy_j'] > 1.2 * RUN.energy.total, 'the boat is carried in truth'
    assert (figures['current_source'], figures['current_x_mean_m_s']) == ('given', 0.0)
    assert figures['live_relative'] > 0.2
    assert any(note['code'] == 'differs_from_live' for note in figures['notes'])


def test_a_wind_may_be_said_at_its_height(capsys, run, tmp_path):
    """ln(0.075 / 2e-4) / ln(10 / 2e-4): half of the boat's 0.15 m against 10 m; a flow file says the height itself."""
    share = math.log(0.075 / 2e-4) / math.log(10.0 / 2e-4)
    flow = tmp_path / 'wind.yaml'
    flow.write_text('medium: air\nheight: 10\nanalytic: {kind: uniform, speed: 5, direction_deg: 0}\n')
    for wind in (['5,0', '--wind-height', '10'], [str(flow)]):
        _, figures, _ = told(capsys, 'analyze', run, '--wind', *wind)
        assert figures['wind_x_mean_m_s'] == pytest.approx(5.0 * share, rel=1e-9)
    _, own, _ = told(capsys, 'analyze', run)
    _, reduced, _ = told(capsys, 'analyze', run, '--wind-height', '10')
    assert reduced['wind_x_mean_m_s'] == pytest.approx(share * own['wind_x_mean_m_s'], rel=1e-9) and share < 0.6


def test_a_runs_own_boat_is_taken_and_an_unknown_one_asked_for(capsys, run, tmp_path):
    other = tmp_path / 'other'
    other.mkdir()
    (other / 'samples.csv').write_bytes((Path(run) / 'samples.csv').read_bytes())
    for name, status in (('lutra_prop_usvsim', 0), ('nobodys_boat', 2)):
        (other / 'summary.json').write_text(json.dumps({'boat': name}))
        assert main(['analyze', str(other)]) == status
        out, err = capsys.readouterr()
        assert name in out + err
    assert 'say --boat' in err


@pytest.mark.parametrize(('arguments', 'said'), [
    (['nowhere'], 'nowhere: there is no such file or folder'),
    (['RUN', '--boat', 'nobody'], "no boat named 'nobody'"),
    (['RUN', '--current', 'fast'], 'fast'),
    (['RUN', '--current=-1,0'], 'the speed from 0 on'),
    (['RUN', '--out', '/proc/nothing'], '/proc/nothing: cannot write'),
    (['RUN', '--json', 'nowhere/x.json'], 'there is no folder nowhere'),
    (['RUN', '--samples'], '--samples needs --out'),
    (['RUN', '--estimate-current'], 'has no thrust'),
    (['RUN', '--estimate-current', '10', '--current', '1,0'], 'leave one out'),
    (['RUN', '--odom', '/x/odom'], '--odom does not go with this kind of log'),
])
def test_wrong_input_is_refused(capsys, run, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in refused(capsys, 'analyze', *(run if part == 'RUN' else part for part in arguments))


def test_two_boats_in_a_bag_are_told_apart(capsys, tmp_path):
    pytest.importorskip('rosbags')
    bag = str(write_bag(tmp_path / 'bag', RUN, every=4, namespaces=('alpha', 'beta')))
    said = refused(capsys, 'analyze', bag)
    assert '/alpha/odom' in said and '/beta/odom' in said and '--namespace' in said
    for choice in (['--namespace', 'beta'], ['--odom', '/beta/odom']):
        _, figures, _ = told(capsys, 'analyze', bag, *choice)
        assert figures['energy_j'] == pytest.approx(RUN.energy.total, rel=0.01)
    assert 'there' in refused(capsys, 'analyze', bag, '--odom', '/gamma/odom').lower()


def test_a_topic_that_is_missing_is_named_and_one_that_can_be_done_without_is_warned_of(capsys, tmp_path):
    pytest.importorskip('rosbags')
    bag = BagOf(tmp_path / 'flows')
    for k in range(10):
        bag.vector('/boat/water_current', 0.1 * k, 0.1, 0.0)
    bag.close()
    said = refused(capsys, 'analyze', str(tmp_path / 'flows'))
    assert 'has no odometry' in said and '/boat/water_current' in said
    status, figures, _ = told(capsys, 'analyze', str(write_bag(tmp_path / 'bare', RUN, every=4, flows=False)))
    assert status == 0
    assert {'current_assumed_none', 'wind_assumed_none'} <= {note['code'] for note in figures['notes']}


def test_a_truncated_bag_gives_what_is_whole_and_says_so(capsys, tmp_path):
    pytest.importorskip('rosbags')
    folder = write_bag(tmp_path / 'bag', RUN, every=2)
    file, = folder.glob('*.mcap')
    whole = file.read_bytes()
    file.write_bytes(whole[:int(0.6 * len(whole))])
    status, figures, _ = told(capsys, 'analyze', str(folder))
    assert status == 0
    assert 0.0 < figures['energy_j'] < RUN.energy.total
    assert any(note['code'] == 'bag_damaged' for note in figures['notes'])
    file.write_bytes(whole[:40])
    assert str(folder) in refused(capsys, 'analyze', str(folder))


def test_a_full_disk_leaves_what_was_there(run, tmp_path):
    """The disk is full after 100 kB: the report of before stays whole, and no summary says that all went well."""
    (tmp_path / 'report.html').write_text('before')
    (tmp_path / 'summary.json').write_text('{}')
    done = subprocess.run(
        [sys.executable, '-P', '-m', 'usv_energy.cli.main', 'analyze', run, '--out', str(tmp_path)], text=True,
        capture_output=True, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)))
    assert done.returncode == 1
    assert 'report.html: File too large' in done.stderr and 'Traceback' not in done.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {'report.html': 'before'}
    assert f'{RUN.energy.total:.1f} J' in done.stdout, 'the figures are not lost'


def test_killed_while_writing_leaves_what_was_there(run, tmp_path):
    """SIGKILL as soon as the part file is there: the report of before stays whole."""
    (tmp_path / 'report.html').write_text('before')
    code = ('import os, signal, sys\nfrom pathlib import Path\nfrom usv_energy.files import text_file\n'
            'from usv_energy.cli.main import main\n'
            'def write(text, path):\n'
            '    with text_file.whole_file(path) as part:\n'
            '        part.write_text(text[:1000])\n'
            '        os.kill(os.getpid(), signal.SIGKILL)\n'
            'import usv_energy.studies.analyze.report_page as page\npage.write_text = write\n'
            f'main(["analyze", {run!r}, "--out", {str(tmp_path)!r}])\n')
    done = subprocess.run([sys.executable, '-P', '-c', code], stdout=subprocess.DEVNULL, timeout=600)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / 'report.html').read_text() == 'before'
    assert not (tmp_path / 'summary.json').exists()
