"""The graph as processes of their own, without a launch system: what a launch file starts, and signals."""

import math
import signal
import sys

import pytest
from launched import COMPOSE, assert_quiet, check_recording, node_command, until
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from needs import NEEDS_BAG_WRITER
from rcl_interfaces.srv import GetParameters

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.graph import NodeSpec, checked_energy_nodes, scenario_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions, ScenarioOptions
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import ScenarioResult

ENERGY_NODES = ('state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator')


def test_processes_of_their_own_write_the_same_bytes_as_one_process(start, tmp_path):
    options = ScenarioOptions(out=str(tmp_path / 'apart'), bag=False, plots=False)
    apart = {spec.name: start(*node_command(spec, '/boat', tmp_path, autostart=True, **(
        {'exit_when_done': True} if spec.name == 'recorder' else {})))
        for spec in scenario_nodes(read_scenario('3'), options)}
    assert len(apart) == 8
    assert apart['recorder'].exit_code() == 0
    assert [name for name, process in apart.items() if not process.running()] == ['recorder']
    for process in apart.values():
        if process.running():
            process.interrupt()
    for process in apart.values():
        assert process.exit_code() == 0
        assert_quiet(process.output())
    composed = start(*COMPOSE, 'scenario', '--scenario', '3', '--out', tmp_path / 'composed', '--no-bag', '--no-plots')
    assert composed.exit_code() == 0
    assert '18.50' in composed.output(), 'the published time, in the table'
    first, second = ((tmp_path / folder / '3_rep103/samples.csv').read_bytes() for folder in ('apart', 'composed'))
    assert first == second
    assert first.count(b'\n') == 921


@NEEDS_BAG_WRITER
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_and_keeps_what_was_recorded(start, tmp_path, number):
    process = start(*COMPOSE, 'scenario', '--scenario', '1', '--pace', '2.0', '--out', tmp_path / 'out', '--no-plots')
    samples = tmp_path / 'out/1_rep103/samples.csv'
    until(lambda: samples.is_file() and samples.stat().st_size > 20_000, f'samples in {samples}\n{process.output()}')
    process.interrupt(number)
    assert process.exit_code() == 0
    assert_quiet(process.output())
    summary = check_recording(tmp_path / 'out/1_rep103')
    assert summary['outcome'] == 'aborted'


@pytest.mark.parametrize('when', ['at once', 'when the files are written'])
def test_signals_that_come_again_change_nothing(start, tmp_path, when):
    """As from `ros2 launch` after two Ctrl-C: SIGINT by the terminal, twice, by launch itself, and then SIGTERM."""
    process = start(*COMPOSE, 'scenario', '--scenario', '1', '--pace', '2.0', '--out', tmp_path / 'out', '--no-plots')
    run = tmp_path / 'out/1_rep103'
    until(lambda: (run / 'samples.csv').is_file() and (run / 'samples.csv').stat().st_size > 20_000,
          f'samples in {run}\n{process.output()}')
    process.interrupt()
    if when != 'at once':
        until((run / 'summary.json').is_file, 'the summary')
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
        process.interrupt(number)
    assert process.exit_code() == 0
    assert_quiet(process.output())
    assert check_recording(run)['outcome'] == 'aborted'


@pytest.mark.parametrize(('hang', 'code'), [('time', 0), ('ctypes.PyDLL(None)', -signal.SIGALRM)])
def test_a_process_ends_though_the_shutdown_of_ros_hangs(start, hang, code):
    """In Python, or in native code that holds the interpreter's lock; `ros2 launch` would send SIGKILL after 10 s."""
    code_of_node = ('import ctypes, time, rclpy\nfrom usv_energy.nodes.power_calculator import PowerCalculator\n'
                    f'rclpy.try_shutdown = lambda: {hang}.sleep(1000)\nPowerCalculator.main()')
    process = start(sys.executable, '-c', code_of_node, '--ros-args', '-p', 'autostart:=true')
    until(lambda: 'active' in process.output(), 'an active node')
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
        process.interrupt(number)
    assert process.exit_code() == code


def change_state(probe, node, transition):
    request = ChangeState.Request(transition=Transition(id=transition))
    assert probe.call(ChangeState, f'{node}/change_state', request).success


def state_of(probe, node):
    return probe.call(GetState, f'{node}/get_state', GetState.Request()).current_state.id


def test_a_manager_brings_up_what_does_not_start_by_itself(start, probe, tmp_path):
    """And at the end: a goal not reached is exit code 3, and the driver's last word is heard by another process."""
    heard = []
    probe.node.create_subscription(ScenarioResult, '/boat/scenario_result', heard.append, qos.LATCHED)
    path = tmp_path / 'short.yaml'
    path.write_text('base: "1"\nstop: {timeout: 2.0}\n')
    process = start(*COMPOSE, 'scenario', '--scenario', path, '--no-autostart', '--ros-args', '-r', '__ns:=/boat')
    nodes = [f'/boat/{spec.name}' for spec in scenario_nodes(read_scenario('1'), ScenarioOptions())]
    for node in nodes:
        assert state_of(probe, node) == State.PRIMARY_STATE_UNCONFIGURED
        change_state(probe, node, Transition.TRANSITION_CONFIGURE)
        assert state_of(probe, node) == State.PRIMARY_STATE_INACTIVE
    probe.until(lambda: probe.node.count_publishers('/boat/scenario_result') == 1, 'the publisher of the result')
    for node in nodes:
        change_state(probe, node, Transition.TRANSITION_ACTIVATE)
    assert process.exit_code() == 3
    probe.until(lambda: heard, 'the result')
    assert heard[0].outcome == ScenarioResult.TIMED_OUT
    assert_quiet(process.output())


@pytest.mark.parametrize(('arguments', 'message'), [
    (['scenario', '--scenario', '33'], "no scenario named '33'. Did you mean '3'?"),
    (['scenario', '--pace', 'fast'], "parameter pace is 'fast'; must be 'lockstep' or"),
    (['drive', '--pace', 'fast'], "parameter pace is 'fast'"),
    (['energy', '--boat', 'wamv', '--wind-speed', '-1.0', '--wind-mode', 'global'], 'parameter speed is -1.0'),
])
def test_wrong_input_ends_a_composed_graph(start, arguments, message):
    """By its command line, or by a node; what else a command line has wrong: test/node/test_graph_options.py."""
    process = start(*COMPOSE, *arguments)
    assert process.exit_code() == 2
    assert message in process.output()
    assert 'Traceback' not in process.output()


def test_wrong_input_ends_a_node_that_starts_by_itself(start, tmp_path):
    (tmp_path / 'file').write_text('')
    for spec, message in ((NodeSpec('recorder', 'recorder', {'out': str(tmp_path / 'file')}), 'must be a folder'),
                          (NodeSpec('power_calculator', 'power_calculator', {'boat': 'canoe'}), 'There are:'),
                          (NodeSpec('wind_client', 'wind_client', {'autostart': 'yes'}), 'must be true or false')):
        process = start(*node_command(spec, '/boat', tmp_path, **{'autostart': True, **spec.parameters}))
        assert process.exit_code() == 2
        assert message in process.output()
        assert 'Traceback' not in process.output()


@pytest.mark.parametrize(('options', 'boat'), [([], 'lutra_prop_eq57'), (['--boat', 'lutra_prop'], 'lutra_prop')])
def test_a_params_file_wins_over_defaults_of_options_and_not_over_given_ones(start, tmp_path, options, boat):
    path = tmp_path / 'params.yaml'
    path.write_text('/boat/*:\n  ros__parameters: {boat: lutra_prop_eq57, scenario: 3, lockstep_recorded: [nobody]}\n'
                    '/boat/current_client:\n  ros__parameters: {speed: 0.2}\n')
    process = start(*COMPOSE, 'scenario', '--scenario', '3', *options, '--out', tmp_path / 'out', '--no-bag',
                    '--no-plots', '--ros-args', '-r', '__ns:=/boat', '--params-file', path)
    assert process.exit_code() == 0, process.output()
    recorded = read_samples(tmp_path / 'out/3_rep103/samples.csv')
    alone = run_scenario(read_scenario('3').with_options(boat)).rows
    assert [row.motion.u for row in recorded] == pytest.approx([row.motion.u for row in alone], rel=1e-9)
    assert math.hypot(recorded[9].flow.current_x, recorded[9].flow.current_y) == pytest.approx(0.2)


def test_the_boat_of_the_energy_may_stand_in_a_params_file(start, probe, tmp_path):
    path = tmp_path / 'params.yaml'
    path.write_text('/**:\n  ros__parameters: {boat: wamv}\n')
    process = start(*COMPOSE, 'energy', '--ros-args', '-r', '__ns:=/boat', '--params-file', path)
    probe.until(lambda: state_of(probe, '/boat/energy_accumulator') == State.PRIMARY_STATE_ACTIVE, 'all active')
    answer = probe.call(GetParameters, '/boat/power_calculator/get_parameters', GetParameters.Request(names=['boat']))
    assert answer.values[0].string_value == 'wamv'
    process.interrupt()
    assert process.exit_code() == 0


def test_energy_nodes_take_foreign_odometry_and_record_it_on_request():
    specs = checked_energy_nodes(EnergyOptions(boat='wamv', odom='/wamv/odom', axes='ned', out='there'))
    remapped = {spec.name: spec.remappings for spec in specs if spec.remappings}
    assert remapped == {'state_adapter': (('odom', '/wamv/odom'),), 'recorder': (('odom', '/wamv/odom'),)}
    assert specs[0].parameters['axes'] == 'ned'
    assert [spec.name for spec in checked_energy_nodes(EnergyOptions())] == list(ENERGY_NODES)
