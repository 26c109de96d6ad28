"""What `ros2 launch` does with params files, launch files around ours, crashes and killed nodes."""

import json
import os
import re
import signal

import pytest
from launched import ROOT, assert_quiet, until
from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState

from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

pytestmark = [pytest.mark.ros2cli, pytest.mark.usefixtures('ros2_tools')]
LAUNCH = ('ros2', 'launch', 'usv_energy')
OUTER = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('mission', description='Of ours'),
        IncludeLaunchDescription(PythonLaunchDescriptionSource({path!r}), launch_arguments={{
            'scenario': LaunchConfiguration('mission'), 'record': 'false'}}.items())])
"""


def energy_of(folder):
    return json.loads((folder / 'summary.json').read_text())['energy_j']


@pytest.mark.parametrize('composed', ['true', 'false'])
def test_a_params_file_wins_over_defaults_and_not_over_arguments_that_are_given(start, tmp_path, composed):
    """The file is for all nodes, or as `ros2 param dump` writes it for one."""
    every, one = tmp_path / 'every.yaml', tmp_path / 'one.yaml'
    every.write_text('/**:\n  ros__parameters: {boat: lutra_prop_eq57}\n')
    one.write_text('/diffboat/power_calculator:\n'
                   '  ros__parameters: {boat: lutra_prop_eq57, convention: as_published}\n')
    expected = {every: run_scenario(read_scenario('3').with_options('lutra_prop_eq57')).energy.total,
                one: run_scenario(read_scenario('3')).energy.total}
    for file, arguments in ((every, ()), (one, ('boat:=lutra_prop', 'convention:=rep103'))):
        process = start(*LAUNCH, 'scenario.launch.py', 'scenario:=3', f'params_file:={file}', f'composed:={composed}',
                        'bag:=false', 'plots:=false', f'out:={tmp_path / file.stem}', *arguments)
        assert process.exit_code() == 0, process.output()
        assert energy_of(tmp_path / file.stem / '3_rep103') == pytest.approx(expected[file], rel=1e-9)
    assert expected[every] != pytest.approx(expected[one], rel=1e-3)


def test_a_launch_file_around_ours_may_have_its_name_and_its_own_arguments(start, tmp_path, monkeypatch):
    ours = ROOT / 'launch/scenario.launch.py'
    share = tmp_path / 'share/around'
    (share / 'launch').mkdir(parents=True)
    (share / 'launch/scenario.launch.py').write_text(OUTER.format(path=str(ours)))
    marker = tmp_path / 'share/ament_index/resource_index/packages/around'
    marker.parent.mkdir(parents=True)
    marker.touch()
    monkeypatch.setenv('AMENT_PREFIX_PATH', os.pathsep.join([str(tmp_path), os.environ['AMENT_PREFIX_PATH']]))
    for named in (('around', 'scenario.launch.py'), (share / 'launch/scenario.launch.py',)):
        process = start('ros2', 'launch', *named, 'mission:=3')
        assert process.exit_code() == 0, process.output()
        assert '3: all waypoints reached' in process.output()
    process = start('ros2', 'launch', ours, 'scenaro:=3')
    assert process.exit_code() == 1
    assert "there is no argument 'scenaro'. Did you mean 'scenario'?" in process.output()


def test_a_crash_is_told_from_a_missed_goal(start, tmp_path, monkeypatch):
    path = tmp_path / 'short.yaml'
    path.write_text('base: "1"\nstop: {timeout: 2.0}\n')
    missed = start(*LAUNCH, 'scenario.launch.py', f'scenario:={path}', 'record:=false')
    assert missed.exit_code() == 1
    assert 'the scenario ended, but its goal was not reached' in missed.output()
    (tmp_path / 'std_srvs').mkdir()
    (tmp_path / 'std_srvs/__init__.py').write_text('raise ImportError("broken here")\n')
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join([str(tmp_path), os.environ['PYTHONPATH']]))
    for composed, name in (('true', 'compose-1'), ('false', r'[a-z_]+-\d')):
        crashed = start(*LAUNCH, 'scenario.launch.py', 'record:=false', f'composed:={composed}')
        assert crashed.exit_code() == 1
        assert re.search(rf'{name} ended before the scenario, with exit code 1 \(a crash: its', crashed.output())
        assert 'broken here' in crashed.output() and 'goal' not in crashed.output()


def pid_of(launch, name, which=0):
    """Return the id of the first process of a node, or of another one."""
    return int(re.findall(rf'\[{name}-\d+\]: process started with pid \[(\d+)\]', launch.output())[which])


@pytest.mark.parametrize('respawn', ['false', 'true'])
def test_a_killed_node_ends_the_scenario_or_is_started_again(start, tmp_path, respawn):
    """In lockstep nothing is lost with a new power calculator: the energy is that of a run where nobody died."""
    launch = start(*LAUNCH, 'scenario.launch.py', 'scenario:=3', 'composed:=false', 'bag:=false', 'plots:=false',
                   f'respawn:={respawn}', f'out:={tmp_path}')
    samples = tmp_path / '3_rep103/samples.csv'
    until(lambda: samples.is_file() and samples.stat().st_size > 8000, 'samples')
    os.kill(pid_of(launch, 'power_calculator'), signal.SIGKILL)
    status = launch.exit_code()
    killed = r'power_calculator-4 ended{} with exit code -9 \(killed by SIGKILL\)'
    if respawn == 'true':
        assert status == 0, launch.output()
        assert re.search(killed.format('') + '; it is started again', launch.output())
        assert energy_of(tmp_path / '3_rep103') == pytest.approx(
            run_scenario(read_scenario('3')).energy.total, rel=1e-5), 'a mean power stands for two steps once'
    else:
        assert status == 1
        assert re.search(killed.format(' before the scenario,'), launch.output())
        assert json.loads((tmp_path / '3_rep103/summary.json').read_text())['outcome'] == 'aborted'


def test_what_holds_the_state_of_a_run_is_not_started_again(start, tmp_path):
    launch = start(*LAUNCH, 'scenario.launch.py', 'scenario:=3', 'composed:=false', 'bag:=false', 'plots:=false',
                   'respawn:=true', f'out:={tmp_path}')
    samples = tmp_path / '3_rep103/samples.csv'
    until(lambda: samples.is_file() and samples.stat().st_size > 8000, 'samples')
    os.kill(pid_of(launch, 'energy_accumulator'), signal.SIGKILL)
    assert launch.exit_code() == 1
    assert 'energy_accumulator-5 ended before the scenario, with exit code -9 (killed by SIGKILL)' in launch.output()
    assert launch.output().count('process started') == 8


def test_energy_nodes_that_die_are_started_again(start, probe):
    launch = start(*LAUNCH, 'energy.launch.py', 'boat:=wamv', 'composed:=false', 'respawn:=true')

    def wait_for(*names):
        """Wait until nodes subscribe, which they do when they are active."""
        probe.until(lambda: {('/diffboat', name, 'sub') for name in names} <= {end[1:] for end in probe.endpoints()},
                    f'{names} active')

    wait_for('state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator')
    first = pid_of(launch, 'energy_accumulator')
    os.kill(first, signal.SIGKILL)
    until(lambda: pid_of(launch, 'energy_accumulator', -1) != first, 'a new process')
    # The dead one stays known for a while, and a request that it gets is lost.
    answers = []
    client = probe.node.create_client(GetState, '/diffboat/energy_accumulator/get_state')
    probe.node.create_timer(0.5, lambda: answers.append(client.call_async(GetState.Request())))
    probe.until(lambda: any(answer.done() and answer.result().current_state.id == State.PRIMARY_STATE_ACTIVE
                            for answer in answers), 'the new one active')
    launch.interrupt()
    assert launch.exit_code() == 0
    assert_quiet('\n'.join(line for line in launch.output().splitlines() if str(first) not in line))
