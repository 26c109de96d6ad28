"""Odometry of best-effort publishers is heard, whoever comes first; what the user sets stays."""

import pytest
from harness import DEADLINE
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from std_msgs.msg import Header

from usv_energy.nodes.recorder import Recorder
from usv_energy.nodes.state_adapter import StateAdapter
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import NodeSpec, checked_energy_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import BoatState

BEST_EFFORT, RELIABLE = ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE


class Source:
    """A node that publishes odometry at each turn of the executor, and hears boat states."""

    def __init__(self, rclpy, reliability, name='driver'):
        self.node = rclpy.create_node(name, namespace='/boat')
        self.publisher = self.node.create_publisher(Odometry, 'odom', QoSProfile(depth=10, reliability=reliability))
        self.heard = []
        self.node.create_subscription(BoatState, 'boat_state', self.heard.append, 10)
        self.stamp = 0

    def speak(self):
        self.stamp += convert.NANOSECONDS // 20
        header = Header(stamp=convert.stamp_of(self.stamp), frame_id='odom')
        self.publisher.publish(convert.odometry_to_msg((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), header, 'base_link'))


@pytest.fixture
def adapter(ros):
    """Return a function that brings up a state adapter with parameters, and its composition."""
    made = []

    def make(**parameters):
        made.append(Composition([NodeSpec('state_adapter', 'state_adapter', parameters)], '/boat'))
        return made[-1]

    yield make
    for composition in made:
        composition.close()


@pytest.fixture
def source(ros):
    """Return a function that makes a source in a composition's executor."""
    import rclpy
    made = []

    def make(composition, reliability, name='driver'):
        one = Source(rclpy, reliability, name)
        composition.executor.add_node(one.node)
        made.append((composition, one))
        return one

    yield make
    for composition, one in made:
        composition.executor.remove_node(one.node)
        one.node.destroy_node()


def hears(composition, one, deadline=DEADLINE):
    """Publish until the answer to a new odometry is there; return whether it was within the deadline."""
    before = len(one.heard)
    return composition.spin_until(lambda: (one.speak(), len(one.heard) > before)[-1], deadline)


def subscribed(one):
    return [info.qos_profile.reliability for info in one.node.get_subscriptions_info_by_topic('/boat/odom')]


def test_a_best_effort_publisher_that_comes_later_is_heard_without_a_warning(adapter, source, capfd):
    composition = adapter()
    one = source(composition, BEST_EFFORT)
    assert hears(composition, one)
    said = capfd.readouterr().err
    assert said.count('/boat/odom is published best effort by /boat/driver: it is heard so') == 1
    assert 'New publisher discovered' not in said, "rclpy's word that nothing will be heard"


def test_a_best_effort_publisher_that_is_there_before_is_heard_at_once(adapter, source, capfd):
    waiting = adapter()
    one = source(waiting, BEST_EFFORT)
    assert waiting.spin_until(lambda: one.node.count_publishers('/boat/odom') == 1, DEADLINE)
    node = waiting.nodes['state_adapter']
    assert waiting.spin_until(lambda: node.count_publishers('/boat/odom') == 1, DEADLINE)
    node.trigger_deactivate()
    capfd.readouterr()
    node.trigger_activate()
    assert 'active: odometry on /boat/odom (best effort)' in capfd.readouterr().err
    assert hears(waiting, one)


def test_reliable_and_best_effort_publishers_are_both_heard_and_it_goes_back(adapter, source, capfd):
    composition = adapter()
    reliable = source(composition, RELIABLE, 'reliable')
    assert hears(composition, reliable)
    assert subscribed(reliable) == [RELIABLE]
    other = source(composition, BEST_EFFORT, 'other')
    assert hears(composition, other)
    assert hears(composition, reliable)
    assert composition.spin_until(lambda: subscribed(reliable) == [BEST_EFFORT], DEADLINE)
    other.node.destroy_publisher(other.publisher)
    assert composition.spin_until(lambda: subscribed(reliable) == [RELIABLE], DEADLINE)
    assert hears(composition, reliable)
    assert '/boat/odom is published reliably now' in capfd.readouterr().err


@pytest.mark.parametrize('parameters', [{'odom_reliability': 'reliable'},
                                        {'qos_overrides./boat/odom.subscription.reliability': 'reliable'}])
def test_what_the_user_sets_stays(adapter, source, parameters):
    composition = adapter(**parameters)
    one = source(composition, BEST_EFFORT)
    assert composition.spin_until(lambda: subscribed(one) == [RELIABLE], DEADLINE)
    assert not hears(composition, one, 2.0), 'longer than it takes to adapt'
    assert subscribed(one) == [RELIABLE]


def test_best_effort_from_the_start(adapter, source):
    composition = adapter(odom_reliability='best_effort')
    one = source(composition, RELIABLE)
    assert hears(composition, one)
    assert subscribed(one) == [BEST_EFFORT]


def test_the_recorder_hears_it_too(ros, source, tmp_path):
    with Composition([NodeSpec('recorder', 'recorder', {'out': str(tmp_path / 'out')})], '/boat') as composition:
        one = source(composition, BEST_EFFORT)
        assert composition.spin_until(lambda: subscribed(one) == [BEST_EFFORT], DEADLINE)
        composition.executor.remove_node(one.node)


def test_the_option_reaches_adapter_and_recorder(ros):
    specs = checked_energy_nodes(EnergyOptions(odom_reliability='best_effort', out='somewhere'))
    given = {spec.name: spec.parameters.get('odom_reliability') for spec in specs}
    assert given['state_adapter'] == given['recorder'] == 'best_effort'
    for kind in (StateAdapter, Recorder):
        node = kind(parameter_overrides=[Parameter('odom_reliability', value='sometimes')])
        try:
            node.trigger_configure()
            assert node.parameters.text('odom_reliability') == 'auto', 'a wrong one is not taken'
        finally:
            node.close()
