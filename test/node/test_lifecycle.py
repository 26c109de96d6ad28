"""ManagedNode and what every node makes of it: transitions, failures that are said, nothing left behind."""

import gc
import time

import pytest
from harness import DEADLINE, EnergyGraph, steps
from lifecycle_msgs.srv import ChangeState
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.qos import ReliabilityPolicy

from usv_energy.nodes.boat_simulator import BoatSimulator
from usv_energy.nodes.current_client import CurrentClient
from usv_energy.nodes.energy_accumulator import EnergyAccumulator
from usv_energy.nodes.power_calculator import PowerCalculator
from usv_energy.nodes.recorder import Recorder
from usv_energy.nodes.scenario_driver import ScenarioDriver
from usv_energy.nodes.state_adapter import StateAdapter
from usv_energy.nodes.wind_client import WindClient
from usv_energy.ros.framework import qos
from usv_energy.ros.framework.lifecycle import ManagedNode, Watchdog
from usv_energy.ros.framework.process import make_executor

SUCCESS, FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
NODES = [StateAdapter, CurrentClient, WindClient, PowerCalculator, EnergyAccumulator, BoatSimulator, ScenarioDriver,
         Recorder]


def made(kind, tmp_path, **parameters):
    from rclpy.parameter import Parameter
    if kind is Recorder:
        parameters = {'out': str(tmp_path / 'out'), **parameters}
    return kind(parameter_overrides=[Parameter(name, value=value) for name, value in parameters.items()])


def entities(node):
    return [len(list(kind)) for kind in (node.publishers, node.subscriptions, node.timers, node.clients, node.services)]


@pytest.mark.parametrize('kind', NODES)
def test_up_and_down_again_leaves_nothing_behind(ros, tmp_path, kind):
    node = made(kind, tmp_path, bag=False) if kind is Recorder else made(kind, tmp_path)
    try:
        bare = entities(node)
        for _ in range(2):
            assert node.trigger_configure() is SUCCESS
            configured = entities(node)
            assert configured[0] > bare[0]
            assert configured[1:] == bare[1:], 'subscriptions, timers, clients and services come with activate'
            assert node.trigger_activate() is SUCCESS
            assert entities(node)[1] > bare[1]
            assert node.trigger_deactivate() is SUCCESS
            assert entities(node) == configured
            assert node.trigger_cleanup() is SUCCESS
            assert entities(node) == bare
    finally:
        node.close()


@pytest.mark.parametrize(('kind', 'parameters', 'said'), [
    (PowerCalculator, {'boat': 'lutra_porp'}, "no boat named 'lutra_porp'. Did you mean 'lutra_prop'?"),
    (PowerCalculator, {'convention': 'mine'}, "parameter convention is 'mine'; must be one of rep103, as_published"),
    (PowerCalculator, {'max_flow_age': 'old'}, "parameter max_flow_age is 'old'; must be a number"),
    (EnergyAccumulator, {'max_gap': -1}, 'parameter max_gap is -1; must be 0 or greater'),
    (StateAdapter, {'axes': 'xyz'}, "parameter axes is 'xyz'; must be one of enu, ned"),
    (CurrentClient, {'mode': 'river'}, "parameter mode is 'river'; must be one of none, global, local"),
    (CurrentClient, {'wait_for_answer': 1}, 'parameter wait_for_answer is 1; must be true or false'),
    (WindClient, {'height': 10.0}, 'parameter height is 10 m and boat is empty'),
    (BoatSimulator, {'pace': 'fast'}, "parameter pace is 'fast'; must be 'lockstep' or a real-time factor"),
    (BoatSimulator, {'pace': '-2'}, "parameter pace is '-2'; must be"),
    (BoatSimulator, {'scenario': '99'}, "no scenario named '99'"),
    (ScenarioDriver, {'scenario': '/nowhere/x.yaml'}, '/nowhere/x.yaml'),
    (Recorder, {'out': '/proc/nothing'}, '/proc/nothing'),
    (Recorder, {'extra_topics': ['imu Imu']}, "parameter extra_topics holds 'imu Imu'"),
])
def test_a_wrong_parameter_fails_the_transition_and_says_why(ros, tmp_path, capfd, kind, parameters, said):
    node = made(kind, tmp_path, **parameters)
    try:
        assert node.trigger_configure() is FAILURE
        assert said in capfd.readouterr().err
    finally:
        node.close()


def test_a_whole_number_does_for_a_number(ros, tmp_path):
    """rclpy refuses the integer 40 where a double was declared; ours take it."""
    node = made(EnergyAccumulator, tmp_path, max_gap=2)
    try:
        assert node.trigger_configure() is SUCCESS
    finally:
        node.close()


class Faulty(ManagedNode):
    def __init__(self):
        super().__init__('faulty')
        self.undone = []

    def configure(self, undo):
        undo.callback(self.undone.append, 'first')
        undo.callback(self.undone.append, 'second')
        raise RuntimeError('this is the fault')


def test_what_a_callback_raises_is_logged_and_undone_in_reverse(ros, capfd):
    node = Faulty()
    try:
        assert node.trigger_configure() is FAILURE
        assert 'RuntimeError: this is the fault' in capfd.readouterr().err
        assert node.undone == ['second', 'first']
    finally:
        node.close()


def test_an_inactive_node_says_nothing_and_goes_on_where_it_was(graph):
    one = graph()
    before = one.tell_all(steps(0.0, 0.5))
    client = one.probe.create_client(ChangeState, 'power_calculator/change_state')
    one.until(client.service_is_ready)

    def transition(label):
        request = ChangeState.Request()
        request.transition.label = label
        future = client.call_async(request)
        one.until(future.done)
        assert future.result().success

    transition('deactivate')
    heard = len(one.heard['power'])
    for stamp in steps(0.55, 1.0):
        one.tell(stamp, until='boat_state')
    assert len(one.heard['power']) == heard
    transition('activate')
    answer = one.tell_all(steps(1.05, 1.5))
    assert answer.duration == pytest.approx(before.duration + 1.0), 'the hole of 0.55 s is within max_gap'
    assert answer.gaps == 0


def test_an_overridden_quality_of_service_stays_with_its_subscription(ros, tmp_path):
    """rclpy writes what is overridden into the profile that it is given: ours must not be shared."""
    node = made(StateAdapter, tmp_path, **{'qos_overrides./odom.subscription.reliability': 'best_effort'})
    try:
        assert node.bring_up()
        heard, = node.get_subscriptions_info_by_topic('/odom')
        assert heard.qos_profile.reliability is ReliabilityPolicy.BEST_EFFORT
        assert qos.STREAM.reliability is ReliabilityPolicy.RELIABLE
        said, = node.get_publishers_info_by_topic('/boat_state')
        assert said.qos_profile.reliability is ReliabilityPolicy.RELIABLE
    finally:
        node.close()


def test_life_cycles_under_way_leave_the_graph_whole_and_nothing_behind(ros):
    """Publishers are destroyed while rclpy still holds news of them: its events executor crashed of such an event."""
    graph = EnergyGraph()
    try:
        kept = []
        for cycle in range(30):
            for node in graph.nodes.values():
                for transition in (node.trigger_deactivate, node.trigger_cleanup, node.trigger_configure,
                                   node.trigger_activate):
                    assert transition() is SUCCESS
            assert graph.tell_all(steps(100.0 * cycle, 100.0 * cycle + 0.2)).samples > 0
            gc.collect()
            kept.append(sum(len(node.default_callback_group.entities) for node in graph.nodes.values()))
        assert kept[-1] == kept[4]
    finally:
        graph.close()


class Watching(ManagedNode):
    """Has a timer of 0.1 s, and a watchdog of 0.3 s."""

    def activate(self, undo):
        self.ticks, self.barks = [], []
        self.every(undo, 0.1, lambda: self.ticks.append(time.monotonic()))
        self.dog = self.watchdog(undo, 0.3, lambda: self.barks.append(time.monotonic()))


@pytest.mark.parametrize(('timeout', 'tick'), [(0.005, 0.005), (0.02, 0.01), (0.3, 0.075), (60.0, 0.25)])
def test_a_watchdog_is_at_most_a_quarter_of_a_second_late(timeout, tick):
    assert Watchdog(print, lambda: timeout).tick == tick


def test_a_watchdog_that_is_often_set_leaves_the_other_timers_their_period(ros):
    """In rclpy 7.1.6 each reset of a timer that waits to be looked at calls all that are due, once more each."""
    executor = make_executor()
    node = Watching(name='watching')
    executor.add_node(node)
    try:
        assert node.bring_up()
        for _ in range(100):    # Until the timers are known, each of which is such an event, too.
            executor.spin_once(timeout_sec=0.0)
        resets, reset = [], node.dog.timer.reset
        node.dog.timer.reset = lambda: (resets.append(True), reset())
        for _ in range(4):
            time.sleep(0.11)    # As a callback that takes so long: the timer is due, and resets wait to be looked at.
            for _ in range(20):
                node.dog.clear()
                node.dog.set()
            for _ in range(100):    # One event each.
                executor.spin_once(timeout_sec=0.0)
        assert not node.barks and 1 <= len(node.ticks) <= 5
        assert len(resets) == 1, 'neither does its own timer, whose every tick would otherwise reset it: without end'
        last, _ = time.monotonic(), node.dog.set()
        while not node.barks and time.monotonic() < last + DEADLINE:
            executor.spin_once(timeout_sec=0.01)
        assert node.barks[0] - last >= 0.29
    finally:
        executor.remove_node(node)
        node.close()
