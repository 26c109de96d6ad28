"""The simulator at a free pace: it stays at its start until those who are to hear it have answered."""

import pytest
import rclpy
from harness import DEADLINE
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes, without_energy
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import PowerStamped
from usv_energy.sim.scenario import read_scenario

PERIOD = 0.02  # s of simulated time between odometries.


@pytest.fixture
def stamps(ros):
    """Return what a node of the test's own hears: the stamps of the odometry, s; the node is `stamps.node`."""
    class Stamps(list):
        node = rclpy.create_node('ear', namespace='/boat')

    heard = Stamps()
    heard.node.create_subscription(
        Odometry, 'odom', lambda msg: heard.append(msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec), qos.STREAM)
    yield heard
    heard.node.destroy_node()


def specs(pace='20.0', **parameters):
    nodes = scenario_nodes(read_scenario('3'), ScenarioOptions(pace=pace))
    return [node._replace(parameters=node.parameters | parameters) if node.executable == 'boat_simulator' else node
            for node in nodes]


def only(nodes, *names):
    return [node for node in nodes if node.executable in names]


def test_time_stands_still_until_the_whole_graph_has_answered(stamps):
    nodes = specs()
    late = [node.name for node in only(nodes, 'energy_accumulator')]
    with Composition(only(nodes, 'boat_simulator'), '/boat') as first:
        first.executor.add_node(stamps.node)
        assert first.spin_until(lambda: len(stamps) > 5, DEADLINE)
        assert set(stamps) == {0.0}
        with Composition([node for node in nodes if node.name not in (*late, 'boat_simulator')], '/boat') as most:
            def spin(done):
                return most.spin_until(lambda: first.executor.spin_once(timeout_sec=0.01) or done(), DEADLINE)

            heard = len(stamps)
            assert spin(lambda: len(stamps) > heard + 10)
            assert set(stamps) == {0.0}, 'power, but nobody yet who adds it up'
            with Composition(only(nodes, 'energy_accumulator'), '/boat') as last:
                accumulator = last.nodes[late[0]]
                assert spin(lambda: last.executor.spin_once(timeout_sec=0.01)
                            or accumulator._accumulation.last_time > 1.0)
                added = accumulator._accumulation
        assert stamps == sorted(stamps)
        assert added.energy.samples + added.energy.invalid_samples == round(added.last_time / PERIOD) + 1
        first.executor.remove_node(stamps.node)


def test_a_simulator_alone_says_what_it_waits_for(stamps, capfd):
    with Composition(only(specs(), 'boat_simulator'), '/boat') as alone:
        assert alone.spin_until(lambda: 'still waiting for' in ''.join(capfd.readouterr()), DEADLINE)


def test_a_simulator_that_is_told_so_waits_for_nobody(stamps):
    with Composition(only(specs(wait_for_readers=False), 'boat_simulator'), '/boat') as alone:
        alone.executor.add_node(stamps.node)
        assert alone.spin_until(lambda: stamps and stamps[-1] > 1.0, DEADLINE)
        alone.executor.remove_node(stamps.node)


def test_a_graph_without_energy_is_not_waited_for(ros):
    with Composition(without_energy(specs()), '/boat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)


def test_the_boat_waits_for_those_who_fall_behind_and_goes_on_when_they_answer(stamps):
    """Nothing gets lost in a queue: at no time is more under way than the slack."""
    power = stamps.node.create_publisher(PowerStamped, 'power', qos.STREAM)
    command = stamps.node.create_publisher(JointState, 'thruster_command', qos.STREAM)
    nobody = {'lockstep_energy': [''], 'lockstep_recorded': [''], 'slack': 0.2}
    until = [0.5]

    def answer(msg):
        if convert.nanoseconds(msg.header.stamp) <= until[0] * convert.NANOSECONDS:
            power.publish(PowerStamped(header=msg.header))
            command.publish(JointState(header=msg.header, name=['left', 'right'], effort=[10.0, 10.0]))

    stamps.node.create_subscription(Odometry, 'odom', answer, qos.STREAM)
    with Composition(only(specs(**nobody), 'boat_simulator'), '/boat') as alone:
        alone.executor.add_node(stamps.node)
        assert alone.spin_until(lambda: stamps and stamps[-1] > 0.5, DEADLINE)
        heard = len(stamps)
        assert alone.spin_until(lambda: len(stamps) > heard + 15, DEADLINE), 'it says the last one again'
        assert stamps[-1] == stamps[-2]
        assert stamps[-1] <= 0.5 + 0.2 + 2.0 * PERIOD
        until[0] = 10.0
        assert alone.spin_until(lambda: stamps[-1] > 1.5, DEADLINE)
        assert stamps == sorted(stamps)
        alone.executor.remove_node(stamps.node)
