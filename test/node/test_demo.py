"""The demo as a person runs it: figures, files, wrong input, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys

import pytest
from harness import DEADLINE
from needs import NEEDS_BAG_WRITER

from usv_energy.sim.run_files import read_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.runs.run_picture import plot_run

PROMISED = {'scenario', 'boat', 'convention', 'duration_s', 'energy_j', 'published_duration_s', 'published_energy_j',
            'closure_relative'}


def start(*arguments, cwd, group=False):
    environment = {key: value for key, value in os.environ.items() if key != 'ROS_DOMAIN_ID'}
    return subprocess.Popen([sys.executable, '-m', 'usv_energy.cli.main', 'demo', *arguments], cwd=cwd, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=group,
                            env={**environment, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'})


def run(*arguments, cwd):
    process = start(*arguments, cwd=cwd)
    out, err = process.communicate(timeout=DEADLINE)
    return process.returncode, out, err


@NEEDS_BAG_WRITER
def test_two_scenarios_give_json_tables_and_files(tmp_path):
    status, out, err = run('2', '3', '--json', '-', '--no-plots', cwd=tmp_path)
    assert status == 0, err
    runs = json.loads(out)
    assert [(run['scenario'], run['convention']) for run in runs] == [
        ('2', 'rep103'), ('2', 'as_published'), ('3', 'rep103'), ('3', 'as_published')]
    assert all(run.keys() >= PROMISED and run['run_by'] == 'ros' for run in runs)
    assert runs[0]['published_energy_j'] == 461.81
    assert runs[3]['energy_j'] == pytest.approx(573.78, rel=0.08)
    folder, = (tmp_path / 'results').iterdir()
    assert json.loads((folder / 'summary.json').read_text()) == runs
    for name in ('2_rep103/samples.csv', '3_as_published/samples.csv', '2_rep103/bag/metadata.yaml'):
        assert (folder / name).is_file()
    assert f'{runs[2]["energy_j"]:.2f}' in err, 'the table goes to stderr, so that stdout is JSON alone'
    assert 'Traceback' not in err


@pytest.mark.parametrize(('arguments', 'said'), [
    (['1', '--out', '/proc/nothing'], '/proc/nothing: cannot write'),
    (['1', '--json', 'nowhere/x.json'], 'nowhere/x.json: there is no folder nowhere'),
])
def test_wrong_input_is_refused(tmp_path, arguments, said):
    status, out, err = run(*arguments, cwd=tmp_path)
    assert status == 2
    assert said in err
    assert 'Traceback' not in out + err


@NEEDS_BAG_WRITER
def test_pictures_are_drawn_beside_the_graph_and_are_those_of_its_samples(tmp_path):
    status, _, err = run('2', '--out', 'out', '--no-bag', cwd=tmp_path)
    assert status == 0, err
    names = sorted(str(path.relative_to(tmp_path / 'out')) for path in (tmp_path / 'out').rglob('*.*'))
    files = ('legs.csv', 'plot.png', 'samples.csv', 'summary.json')
    assert names == [*(f'2_{convention}/{name}' for convention in ('as_published', 'rep103') for name in files),
                     'summary.json']
    folder = tmp_path / 'out' / '2_rep103'
    duration = json.loads((folder / 'summary.json').read_text())['duration_s']
    rows = read_samples(folder / 'samples.csv')
    plot_run(run_scenario(read_scenario('2'))._replace(rows=rows, driven=duration), tmp_path / 'again.png')
    assert (tmp_path / 'again.png').read_bytes() == (folder / 'plot.png').read_bytes()


@NEEDS_BAG_WRITER
def test_a_picture_that_cannot_be_written_ends_the_demo_with_its_name(tmp_path):
    (tmp_path / 'out/2_as_published/plot.png/in_the_way').mkdir(parents=True)
    status, _, err = run('2', '--out', 'out', '--no-bag', cwd=tmp_path)
    assert status == 1
    assert 'out/2_as_published/plot.png: Is a directory' in err
    assert 'Traceback' not in err
    assert json.loads((tmp_path / 'out/2_rep103/summary.json').read_text())['scenario'] == '2'
    assert not (tmp_path / 'out/2_as_published/summary.json').exists()


@NEEDS_BAG_WRITER
def test_ctrl_c_in_the_terminal_keeps_what_ran_with_its_pictures_and_leaves_no_process(tmp_path):
    """The terminal sends SIGINT to all processes of the group, and the pipes of all are open until they have ended."""
    process = start('2', '4', '--out', 'kept', '--json', 'kept.json', cwd=tmp_path, group=True)
    for line in process.stderr:
        if line.startswith('[1/2]'):
            os.killpg(process.pid, signal.SIGINT)
            break
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert 'Traceback' not in err
    assert 'stopped; what finished is in kept' in err
    for path in (tmp_path / 'kept/summary.json', tmp_path / 'kept.json'):
        assert [run['scenario'] for run in json.loads(path.read_text())] == ['2', '2']
    for name, bag in (('2_rep103', {'bag'}), ('2_as_published', set())):
        assert {path.name for path in (tmp_path / 'kept' / name).iterdir()} == bag | {
            'legs.csv', 'plot.png', 'samples.csv', 'summary.json'}
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_bag_of_before_is_not_overwritten(tmp_path):
    bag = tmp_path / 'out/1_rep103/bag'
    bag.mkdir(parents=True)
    status, _, err = run('1', '--out', 'out', cwd=tmp_path)
    assert status == 2
    assert 'out/1_rep103/bag: is there already' in err
    assert list(bag.iterdir()) == []
