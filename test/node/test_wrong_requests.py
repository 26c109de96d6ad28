"""Requests that a network may send: wrong transitions to every node in every state, too many points, long texts."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from harness import EnergyGraph, hear, steps
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters, SetParametersAtomically
from rclpy.parameter import Parameter
from std_msgs.msg import String

from usv_energy.files.limits import FLOW_POINTS, MOST_PARAMETERS, SURFACE_POINTS_ASKED
from usv_energy.nodes.flow_server import FlowServer
from usv_energy.nodes.recorder import Recorder
from usv_energy.ros.framework.lifecycle import LOGGED_REFUSALS
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.live.flow_on_graph import SurfaceService
from usv_energy_msgs.srv import GetFlow, GetSurface

POSSIBLE = {'active': {4, 5, 6, 7}, 'inactive': {2, 3, 5, 6, 7}, 'unconfigured': {1, 5, 6, 7}}
IDS = (*range(9), 10, 30, 40, 50, 51, 52, 60, 66, 90, 97, 99, 255)
LABELS = ('destroy', 'transition_success', 'nonsense', 'x' * 100_000, '\x1b[2J')


def answer(graph, node, number=0, label=''):
    request = ChangeState.Request(transition=Transition(id=number, label=label))
    client = graph.clients_of_nodes[node]
    future = client.call_async(request)
    graph.until(future.done)
    return future.result().success


@pytest.fixture
def graph(ros):
    made = EnergyGraph()
    made.clients_of_nodes = {node: made.probe.create_client(ChangeState, f'{node}/change_state')
                             for node in made.nodes}
    for client in made.clients_of_nodes.values():
        made.until(client.service_is_ready)
    made.refused = {}
    made.probe.create_subscription(DiagnosticArray, '/diagnostics', lambda msg: made.refused.update({
        one.name.split('/')[-1].removesuffix(': requests'): one for one in msg.status
        if one.name.endswith(': requests')}), 10)
    yield made
    made.close()


def test_no_wrong_transition_ends_a_node_and_no_joule_is_lost(graph):
    """The reference is the same odometry without any request."""
    before = graph.tell_all(steps(0.0, 1.0))
    for node in graph.clients_of_nodes:
        for number in set(IDS) - POSSIBLE['active']:
            assert not answer(graph, node, number), (node, number)
        for label in LABELS:
            assert not answer(graph, node, label=label), (node, label)
    after = graph.tell_all(steps(1.05, 2.0))
    assert after.total == pytest.approx(2.0 * before.total, rel=0.02) and after.gaps == 0
    number = len(set(IDS) - POSSIBLE['active']) + len(LABELS)
    graph.until(lambda: {name: one.values[0].value for name, one in graph.refused.items()} == dict.fromkeys(
        graph.nodes, str(number)))
    for one in graph.refused.values():
        assert one.level == DiagnosticStatus.WARN
        assert one.message.startswith(r'refused: the transition \x1b[2J is not possible in the state active')


def test_wrong_transitions_in_the_other_states_leave_a_node_that_comes_up_again(graph):
    before = graph.tell_all(steps(0.0, 0.5))
    for node in graph.clients_of_nodes:
        assert answer(graph, node, label='deactivate')
        for number in set(IDS) - POSSIBLE['inactive']:
            assert not answer(graph, node, number), (node, number)
        assert answer(graph, node, Transition.TRANSITION_CLEANUP)
        for number in set(IDS) - POSSIBLE['unconfigured']:
            assert not answer(graph, node, number), (node, number)
        graph.until(lambda node=node: node in graph.refused and 'unconfigured' in graph.refused[node].message)
        assert answer(graph, node, Transition.TRANSITION_CONFIGURE)
        assert answer(graph, node, Transition.TRANSITION_ACTIVATE)
    assert graph.tell_all(steps(10.0, 10.5)).total == pytest.approx(before.total, rel=1e-6)


def test_texts_of_100_kb_are_named_and_cost_no_joule(graph):
    """A leg is cut; an odometry with such a frame is left out, as the stamp before it is: no gap."""
    leg = graph.probe.create_publisher(String, 'leg', LATCHED)
    said, before = hear(graph, DiagnosticArray, '/diagnostics'), graph.tell_all(steps(0.0, 1.0))
    leg.publish(String(data='x' * 100_000))
    graph.say(1.02, frame='y' * 100_000)
    graph.until(lambda: 'energy_accumulator' in graph.refused)
    assert 'a leg with a name of 100000 characters' in graph.refused['energy_accumulator'].message
    graph.until(lambda: any('a name of a frame that is too long' in one.message for msg in said for one in msg.status))
    after = graph.tell_all(steps(1.05, 2.0))
    assert after.total == pytest.approx(2.0 * before.total, rel=0.02) and (after.gaps, len(after.leg)) == (0, 200)


def test_no_request_about_parameters_ends_a_node_and_no_joule_is_lost(graph):
    """rclpy raises for a type that there is not, and would look at any number of names while all others wait."""
    before = graph.tell_all(steps(0.0, 1.0))
    unknown = ParameterMessage(name='boat', value=ParameterValue(type=200))
    for node in graph.nodes:
        for kind, service, request in (
                (SetParameters, 'set_parameters', {'parameters': [unknown]}),
                (SetParametersAtomically, 'set_parameters_atomically', {'parameters': [unknown]}),
                (GetParameters, 'get_parameters', {'names': ['boat'] * (MOST_PARAMETERS + 1)})):
            client = graph.probe.create_client(kind, f'{node}/{service}')
            graph.until(client.service_is_ready)
            future = client.call_async(kind.Request(**request))
            graph.until(future.done)
            assert future.result() == kind.Response()
        graph.until(lambda node=node: node in graph.refused and str(MOST_PARAMETERS) in graph.refused[node].message)
        assert graph.refused[node].values[0].value == '3'
    after = graph.tell_all(steps(1.05, 2.0))
    assert after.total == pytest.approx(2.0 * before.total, rel=0.02) and after.gaps == 0


def test_any_id_of_a_shutdown_ends_one_node_in_order_and_no_other(graph):
    """Managers send the id of a shutdown without asking for the state."""
    assert answer(graph, 'energy_accumulator', Transition.TRANSITION_UNCONFIGURED_SHUTDOWN)
    for number in IDS:
        assert not answer(graph, 'energy_accumulator', number), 'a finalized node stays so'
    assert graph.tell(1.0, until='boat_state').header.stamp.sec == 1


def test_a_recorder_is_configured_a_second_time_and_refuses_a_bag_that_is_there(ros, tmp_path, capfd):
    node = Recorder(parameter_overrides=[Parameter('out', value=str(tmp_path / 'out'))])
    try:
        request, response = ChangeState.Request(), ChangeState.Response

        def change(number):
            request.transition.id = number
            return node._LifecycleNodeMixin__on_change_state(request, response()).success

        assert change(1) and change(3) and change(4) and change(2)
        assert not change(1)
        assert 'bag' in capfd.readouterr().err
        assert not change(3) and change(5)
    finally:
        node.close()


def test_more_points_than_are_answered_at_once_are_refused_in_words(ros, capfd):
    node = FlowServer(parameter_overrides=[Parameter('water_current', value='river')])
    try:
        assert node.bring_up()
        flow, timers = node._flows['water_current'], list(node.timers)
        for number, good in ((FLOW_POINTS, True), (FLOW_POINTS + 1, False)):
            found = node._on_request(flow, GetFlow.Request(x=[0.0] * number, y=[0.0] * number), GetFlow.Response())
            assert found.success is good
        assert found.message == f'{number} points; must be at most {FLOW_POINTS} in a request: ask for parts'
        assert not found.vx
        assert list(node.timers) == timers, 'a timer made now would have those that are due called twice'
        told, node.tell = [], lambda *status: told.append(status)
        node._refusals._publish()
        assert told == [('requests', DiagnosticStatus.WARN, f'refused: get_flow: {found.message}', {'refused': 1})]
        assert not node.set_parameters([Parameter('use_sim_time', value='x')])[0].successful
        node._refusals._publish()
        assert told[-1][2].startswith('refused: parameter use_sim_time: Wrong parameter type') and len(told) == 2
        for _ in range(100):
            node.refuse('one of a hundred')
        node._refusals._publish()
        log = capfd.readouterr().err
        assert log.count('one of a hundred') == LOGGED_REFUSALS and '95 more were refused within a second' in log
    finally:
        node.close()


def test_more_points_of_a_surface_than_are_answered_at_once_are_refused_in_words():
    number = SURFACE_POINTS_ASKED + 1
    service = SurfaceService.__new__(SurfaceService)
    service._frame = 'odom'
    request = GetSurface.Request(x=[0.0] * number, y=[0.0] * number)
    assert service._fault(request) == (f'{number} points; must be at most {SURFACE_POINTS_ASKED} in a request: ask for '
                                       'parts')
    assert len(service._fault(GetSurface.Request(frame_id='x' * 100_000))) < 300
