"""The launch files and the running graph as people use them: by `ros2 launch`, `ros2 run`, `ros2 lifecycle` ..."""

import json
import math
import re
import shutil

import pytest
from ament_index_python.packages import get_packages_with_prefixes
from launched import assert_quiet, check_recording, is_up, ros2, ros2_together, until
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from nav_msgs.msg import Odometry
from needs import NEEDS_BAG_WRITER
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import power_rep103
from usv_energy.ros.framework import qos
from usv_energy.ros.messages import convert
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import EnergyStamped

NEEDS = ('launch_ros',)
BUILT = get_packages_with_prefixes().get('usv_energy')
pytestmark = [
    pytest.mark.ros2cli,
    pytest.mark.skipif(shutil.which('ros2') is None, reason='needs the ros2 command line (a full ROS 2)'),
    pytest.mark.skipif(BUILT is None, reason='needs usv_energy built by colcon, and its setup file sourced')]
LAUNCH = ('ros2', 'launch', 'usv_energy')
NODES = ('current_client', 'energy_accumulator', 'power_calculator', 'recorder', 'scenario_driver', 'state_adapter',
         'wind_client', 'boat_simulator')


@pytest.mark.parametrize(('file', 'arguments', 'message'), [
    ('scenario', ['scenario:=33'], "no scenario named '33'. Did you mean '3'?"),
    ('scenario', ['boat:=canoe'], "no boat named 'canoe'"),
    ('scenario', ['boaat:=lutra_prop'], "no argument 'boaat'. Did you mean 'boat'?"),
    ('scenario', ['composed:=perhaps'], "argument composed is 'perhaps'; must be true or false"),
    ('scenario', ['pace:=fast', 'composed:=false', 'record:=false'], "parameter pace is 'fast'; must be 'lockstep'"),
    ('scenario', ['respawn:=true'], 'composed:=false'),
    ('energy', ['odom:=/wamv/odom'], 'no boat is given: whose energy is it? There are: blueboat, blueboat_start,'),
    ('energy', ['boat:=wamv', 'current_speed:=fast'], "--current-speed: invalid float value: 'fast'"),
    ('energy', ['boat:=wamv', 'wind_mode:=global', 'wind_speed:=-1'], 'parameter speed is -1'),
    ('drive', ['boat:=lutra_sail'], 'the boat lutra_sail has no thruster that drives it ahead'),
    ('drive', ['current:=fast'], "no flow named 'fast'"),
])
def test_a_wrong_argument_ends_the_launch_with_its_reason(start, file, arguments, message):
    process = start(*LAUNCH, f'{file}.launch.py', *arguments)
    assert process.exit_code() == 1
    assert message in process.output()
    assert 'Traceback' not in process.output()


@NEEDS_BAG_WRITER
def test_the_command_line_on_a_run_as_separate_processes(start, probe, daemon, tmp_path):
    launch = start(*LAUNCH, 'scenario.launch.py', 'scenario:=1', 'pace:=0.5', 'composed:=false', 'plots:=false',
                   f'out:={tmp_path}')
    for node in NODES:
        is_up(probe, f'/diffboat/{node}')
    everyone = {f'/diffboat/{node}' for node in NODES}
    until(lambda: everyone <= set(ros2('node', 'list').split()), 'all nodes known to the daemon')
    hz = start('ros2', 'topic', 'hz', '/diffboat/power')
    managed, topics, energy, convention, described, shown = ros2_together(
        'lifecycle nodes', 'topic list -t', 'topic echo --once /diffboat/energy',
        'param get /diffboat/power_calculator convention', 'param describe /diffboat/power_calculator max_flow_age',
        'interface show usv_energy_msgs/msg/PowerStamped')
    assert set(managed.split()) == everyone
    assert '/diffboat/power [usv_energy_msgs/msg/PowerStamped]' in topics
    assert re.search(r'^total: \d+\.\d+$', energy, re.MULTILINE)
    assert 'String value is: rep103' in convention
    assert 'Type: double' in described and 'stale, s' in described
    assert re.search(r'^float64 damping +# W', shown, re.MULTILINE)
    until(lambda: 'average rate' in hz.output(), f'a rate\n{hz.output()}')
    assert float(re.search(r'average rate: (\S+)', hz.output())[1]) > 0.0
    hz.interrupt()

    calculator = '/diffboat/power_calculator'
    assert 'Transitioning successful' in ros2('lifecycle', 'set', calculator, 'deactivate')
    assert 'inactive [2]' in ros2('lifecycle', 'get', calculator)
    assert 'Transitioning successful' in ros2('lifecycle', 'set', calculator, 'activate')
    is_up(probe, calculator)
    launch.interrupt()
    assert launch.exit_code() == 0
    assert_quiet(launch.output())
    assert check_recording(tmp_path / '1_rep103')['outcome'] == 'aborted'


def time_of(msg):
    """Return the stamp of a message, s."""
    return convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS


def test_reset_in_the_middle_of_a_composed_run_gives_the_energy_since(start, probe):
    """What was counted until the reset and what is counted after it make up the energy of the run so far."""
    heard = []
    probe.node.create_subscription(EnergyStamped, '/diffboat/energy', heard.append, qos.STREAM)
    launch = start(*LAUNCH, 'scenario.launch.py', 'scenario:=3', 'pace:=0.5', 'record:=false')
    probe.until(lambda: heard and heard[-1].total > 1.0, 'energy')
    answer = ros2('service', 'call', '/diffboat/reset_energy', 'std_srvs/srv/Trigger')
    before, duration = map(float, re.search(r"success=True, message='(\S+) J in (\S+) s", answer).groups())
    probe.until(lambda: heard[-1].duration < time_of(heard[-1]) - duration / 2 and heard[-1].total > 1.0, 'the reset')
    launch.interrupt()
    assert launch.exit_code() == 0
    assert_quiet(launch.output())
    last, alone = heard[-1], run_scenario(read_scenario('3'))
    assert last.duration + duration == pytest.approx(time_of(last), abs=0.1)
    so_far = next(row.energy for row in alone.rows if row.time > time_of(last) - 1e-6)
    assert before + last.total == pytest.approx(so_far, rel=0.05), 'free running: commands come late'


@NEEDS_BAG_WRITER
def test_two_boats_one_composed_one_not_run_alike_and_do_not_hear_each_other(start, probe, tmp_path):
    """Both end by themselves once all is written; a manager, the probe, starts the faster when it has heard of both."""
    boats = {name: start(*LAUNCH, 'scenario.launch.py', 'scenario:=3', f'namespace:={name}', f'composed:={composed}',
                         f'autostart:={autostart}', f'clock:={clock}', f'out:={tmp_path / name}', 'plots:=false')
             for name, composed, autostart, clock in (
                 ('one', 'true', 'false', 'true'), ('two', 'false', 'true', 'false'))}
    seen = set()

    def known(name):
        seen.update(probe.endpoints())
        return {node for topic, _, node, _ in seen if topic.startswith(f'/{name}/')} == set(NODES)

    probe.until(lambda: known('two'), 'all nodes of the one that starts by itself, and may soon be over')
    for transition in (Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE):
        for node in NODES:
            if transition == Transition.TRANSITION_ACTIVATE and node == NODES[-1]:
                probe.until(lambda: known('one'), 'all nodes of the other')
            answer = probe.call(ChangeState, f'/one/{node}/change_state',
                                ChangeState.Request(transition=Transition(id=transition)))
            assert answer.success, boats['one'].output()
    for name, boat in boats.items():
        assert boat.exit_code() == 0, boat.output()
        assert_quiet(boat.output())
        assert re.search(r'^3 +18\.38 +18\.50 ', boat.output(), re.MULTILINE), boat.output()
        assert boat.output().count('process started') == boat.output().count('finished cleanly')
        assert boat.output().count('process started') == (1 if name == 'one' else len(NODES))
        assert check_recording(tmp_path / name / '3_rep103')['outcome'] == 'reached'
        assert {end[1] for end in seen if end[0].startswith(f'/{name}/')} == {f'/{name}'}
    one, two = ((tmp_path / name / '3_rep103/samples.csv').read_bytes() for name in boats)
    assert one == two
    assert {end[1:] for end in seen if end[0] == '/clock'} == {('/one', 'boat_simulator', 'pub')}


@pytest.mark.parametrize('composed', ['true', 'false'])
def test_energy_of_foreign_odometry(start, probe, composed):
    """A boat that goes north through a current, told in NED, under a name of its own: the closed form of its power."""
    heard = []
    probe.node.create_subscription(EnergyStamped, '/wamv/energy', heard.append, qos.STREAM)
    odometry = probe.node.create_publisher(Odometry, '/sensors/odom', qos.STREAM)
    launch = start(*LAUNCH, 'energy.launch.py', 'boat:=lutra_prop', 'namespace:=wamv', 'odom:=/sensors/odom',
                   'axes:=ned', 'current_mode:=global', 'current_speed:=0.4', 'current_direction_deg:=45.0',
                   f'composed:={composed}', 'lag:=0.0')
    for number in range(21):
        stamp = convert.stamp_of(number * 50_000_000)
        message = convert.odometry_to_msg((0.05 * number, 0.0, 0.0), (1.0, 0.0, 0.0), Header(stamp=stamp), 'base_link')
        repeat = probe.node.create_timer(0.5, lambda message=message: odometry.publish(message))
        odometry.publish(message)
        probe.until(lambda stamp=stamp: any(energy.header.stamp == stamp for energy in heard), f'energy of {stamp}')
        probe.node.destroy_timer(repeat)
    drift = 0.4 * math.sqrt(0.5)
    power = power_rep103(Motion(math.pi / 2, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), Flow(drift, drift, 0.0, 0.0),
                         read_boat('lutra_prop').vessel)
    assert heard[-1].duration == pytest.approx(1.0, abs=1e-9)
    assert heard[-1].total == pytest.approx(power.total, rel=1e-9)
    launch.interrupt()
    assert launch.exit_code() == 0
    assert_quiet(launch.output())


def test_ros2_run(start, probe, tmp_path):
    node = start('ros2', 'run', 'usv_energy', 'power_calculator', '--ros-args', '-p', 'autostart:=true')
    plain = start('ros2', 'run', 'usv_energy', 'usv-energy', 'run', '3', '--json', tmp_path / 'plain.json')
    composed = start('ros2', 'run', 'usv_energy', 'compose', 'scenario', '--scenario', '3', '--no-plots', '--no-bag',
                     '--out', tmp_path, '--ros-args', '-r', '__ns:=/boat')
    assert plain.exit_code() == composed.exit_code() == 0
    one, other = json.loads((tmp_path / 'plain.json').read_text())[0], \
        json.loads((tmp_path / '3_rep103/summary.json').read_text())
    assert one['energy_j'] == pytest.approx(other['energy_j'], rel=1e-9)
    is_up(probe, '/power_calculator')
    node.interrupt()
    assert node.exit_code() == 0
    assert_quiet(node.output())


def test_every_argument_is_shown_and_explained():
    for file in ('scenario', 'energy', 'drive'):
        shown = ros2('launch', 'usv_energy', f'{file}.launch.py', '--show-args')
        assert shown.count("\n    '") >= 15
        assert 'no description' not in shown.lower()
