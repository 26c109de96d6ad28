"""Faults on the real graph: no crash, the status says it, the energy of the good samples is kept."""

import itertools
import math
import os
import signal
import subprocess
import sys

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Vector3, Vector3Stamped
from harness import DEADLINE, hear, is_nan, steady_power, steps
from rclpy.parameter import Parameter
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import FlowOptions, scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import BoatState, EnergyStamped, PowerStamped
from usv_energy_msgs.srv import GetFlow

POWER = steady_power(1.0, read_boat('lutra_prop'))


@pytest.mark.parametrize('bad', [dict(u=math.nan), dict(r=math.inf), dict(yaw=math.nan), dict(x=math.nan),
                                 dict(y=-1e18), dict(u=1e300)])
def test_nan_in_odometry_is_marked_and_the_rest_counts(graph, bad):
    one = graph()
    one.tell_all(steps(0.0, 1.0))
    one.tell(1.05, **bad)
    state, power = one.heard['boat_state'][-1], one.heard['power'][-1]
    assert state.status & BoatState.INVALID
    assert power.status & PowerStamped.INVALID_STATE
    answer = one.tell_all(steps(1.1, 2.0))
    assert one.heard['power'][-1].status == PowerStamped.OK
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    assert answer.invalid_samples == 2
    assert answer.duration == pytest.approx(2.0), 'a short hole is bridged between its good neighbours'
    assert math.isfinite(answer.distance_over_ground)


def waiting_for(one, *words):
    """Listen to /diagnostics from now on; return a function that waits until each of some words stood there."""
    heard = hear(one, DiagnosticArray, '/diagnostics')
    return lambda: one.until(lambda: all(
        any(word in f'{status.name}: {status.message}' for msg in heard for status in msg.status) for word in words))


@pytest.mark.usefixtures('without_numbers')
def test_a_power_that_no_boat_has_costs_no_joule_and_is_named(graph):
    """Of another publisher, between good ones; one of 1e300 W had ended the account for good."""
    one = graph()
    powers = one.probe.create_publisher(PowerStamped, 'power', qos.STREAM)
    one.until(lambda: powers.get_subscription_count() > 0)
    one.tell_all(steps(0.0, 1.0))
    named = waiting_for(one, 'a power or speed that no boat has', 'a power that is no number')
    samples = one.nodes['energy_accumulator']._samples
    before, last = samples._useless, one.heard['power'][-1]
    bad = [dict(total=1e300), dict(inertia=-2e9), dict(total=math.inf), dict(total=math.nan), dict(damping=math.nan),
           dict(velocity=convert.twist_of((200.0, 0.0, 0.0))), dict(load_powers=[1e300])]
    fields = {name: getattr(last, name) for name in last.get_fields_and_field_types()} | {
        'header': Header(stamp=convert.stamp_of(round(1.02 * convert.NANOSECONDS)))}
    for wrong in bad:
        powers.publish(PowerStamped(**(fields | wrong)))
    one.until(lambda: samples._useless == before + len(bad))
    answer = one.tell_all(steps(1.05, 2.0))
    assert (answer.segments, answer.gaps, answer.invalid_samples) == (1, 0, 1 + len(bad))
    assert answer.duration == pytest.approx(2.0, abs=1e-6)
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    assert answer.damping > 0.0 and answer.distance_over_ground == pytest.approx(2.0)
    named()


def test_a_stamp_that_is_no_time_is_refused_and_counted(graph):
    """One of -1 s had ended a graph that records a bag."""
    one = graph()
    named = waiting_for(one, 'a stamp that is no time')
    before = one.tell_all(steps(0.0, 0.5))
    one.say(-1.0)
    answer = one.tell_all(steps(0.55, 1.0))
    assert (answer.segments, answer.gaps, answer.invalid_samples) == (before.segments, 0, before.invalid_samples)
    assert answer.total == pytest.approx(POWER * 1.0, rel=1e-9)
    assert not any(state.header.stamp.sec < 0 for state in one.heard['boat_state'])
    assert one.nodes['state_adapter']._health(0).values['invalid samples'] == 1
    named()


# Stamps of a simulated clock and of today's, and two of another clock: the last second of 32 bits, and one never set.
@pytest.mark.parametrize(('begin', 'stray'), [*itertools.product((100.0, 1.79e9), (2.0 ** 31 - 1, 0.0))])
@pytest.mark.usefixtures('without_numbers')
def test_stray_stamps_cost_no_joule_and_are_named(graph, begin, stray):
    """An odometry, a current and a wind of another clock, amid good ones and twice in a row: still water and air."""
    one = graph(wind=FlowOptions('global', global_source='topic'), adapter={'silence': DEADLINE})
    flows = {topic: one.probe.create_publisher(Vector3Stamped, topic, qos.STREAM)
             for topic in ('water_current', 'wind', 'wind_global')}
    one.until(lambda: all(publisher.get_subscription_count() > 0 for publisher in flows.values()))

    def blow(stamp, speed, *topics):
        header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)))
        for topic in topics:
            flows[topic].publish(Vector3Stamped(header=header, vector=Vector3(x=speed)))

    blow(begin, 0.0, 'wind_global')
    one.until(lambda: one.nodes['wind_client']._heard)
    one.tell_all([begin + stamp for stamp in steps(0.0, 1.0)])
    named = waiting_for(one, 'odometry: a stamp of another clock', 'a water_current with a stamp of another clock',
                        'a wind with a stamp of another clock', 'a wind_global with a stamp of another clock')
    samples = {name: one.nodes[name]._samples for name in ('state_adapter', 'power_calculator', 'wind_client')}
    before = {name: of_node._useless for name, of_node in samples.items()}
    for _ in range(2):
        one.say(stray, u=3.0)
        blow(stray, 5.0, *flows)
    one.until(lambda: samples['power_calculator']._useless == before['power_calculator'] + 4
              and samples['wind_client']._useless == before['wind_client'] + 2)
    answer = one.tell_all([begin + stamp for stamp in steps(1.05, 2.0)])
    assert (answer.segments, answer.gaps, answer.invalid_samples) == (1, 0, 1)
    assert answer.duration == pytest.approx(2.0, abs=1e-6)
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    assert not any(state.status & BoatState.TIME_JUMPED_BACK for state in one.heard['boat_state'])
    assert samples['state_adapter']._useless == before['state_adapter'] + 2
    named()


@pytest.mark.parametrize(('begin', 'stray'), [(100.0, 1.79e9), (1.79e9, 0.0), (100.0, 2.0 ** 31 - 1), (100.0, -1.0)])
@pytest.mark.usefixtures('without_numbers')
def test_powers_of_another_clock_cost_no_joule_and_are_named(graph, begin, stray):
    """Of another publisher, one in five; each had cost the steps around it and begun two segments."""
    one = graph()
    powers = one.probe.create_publisher(PowerStamped, 'power', qos.STREAM)
    one.until(lambda: powers.get_subscription_count() > 0)
    named = waiting_for(one, f'energy: a stamp {"that is no time" if stray < 0.0 else "of another clock"}')
    samples = one.nodes['energy_accumulator']._samples
    wrong = PowerStamped(header=Header(stamp=convert.stamp_of(round(stray * convert.NANOSECONDS))), total=8.0)
    for number, stamp in enumerate(steps(0.0, 2.0)):
        answer = one.tell(begin + stamp)
        if number % 5 == 4:
            powers.publish(wrong)
    assert (answer.segments, answer.gaps, answer.duration) == (1, 0, pytest.approx(2.0, abs=1e-6))
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    one.until(lambda: samples._useless == 9)
    named()


@pytest.mark.parametrize('wrong', [dict(velocity=convert.twist_of((90.0, 0.0, 0.0))), dict(yaw=-1e30),
                                   dict(velocity=convert.twist_of((0.0, math.inf, 0.0))), dict(sec=0),
                                   dict(sec=2 ** 31 - 1)])
@pytest.mark.usefixtures('without_numbers')
def test_states_of_another_publisher_that_no_boat_has_cost_no_joule_and_are_named(graph, wrong):
    """At 90 m/s eight of them had taken all that the battery holds; those of another clock began a segment each."""
    one = graph()
    states = one.probe.create_publisher(BoatState, 'boat_state', qos.STREAM)
    one.until(lambda: states.get_subscription_count() > 1)
    named = waiting_for(one, 'odometry: /boat/boat_state has 2 publishers',
                        f'boat_state: {"a stamp of another clock" if "sec" in wrong else "a "}')
    samples = one.nodes['power_calculator']._samples
    for number, stamp in enumerate(steps(1.79e9, 1.79e9 + 2.0)):
        answer = one.tell(stamp)
        if number % 5 == 4 and number < 39:     # The last one is surely followed by a good one.
            state = BoatState(**{key: value for key, value in wrong.items() if key != 'sec'})
            state.header.stamp = convert.stamp_of(wrong.get('sec', int(1.79e9)) * convert.NANOSECONDS)
            states.publish(state)
    assert (answer.segments, answer.gaps, answer.duration) == (1, 0, pytest.approx(2.0, abs=1e-6))
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    one.until(lambda: samples._useless >= 8)     # The currents and winds of strays count, too.
    named()


@pytest.mark.parametrize(('ahead', 'in_a_row'), [(1.79e9, 9), (3600.0, 2), (60.0, 1), (-5.0, 9)])
def test_odometries_of_another_clock_in_a_row_cost_no_joule_and_are_named(graph, ahead, in_a_row):
    """Of a second publisher: a day, an hour, a minute ahead or seconds behind, between any two good ones."""
    one = graph(adapter={'silence': DEADLINE})
    named = waiting_for(one, 'odometry: a stamp of another clock')
    for stamp in steps(100.0, 102.0):
        answer = one.tell(stamp)
        for number in range(in_a_row):
            one.say(stamp + ahead + 0.005 * number, u=3.0)
    assert (answer.segments, answer.gaps, answer.duration) == (1, 0, pytest.approx(2.0, abs=1e-6))
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    named()


def test_a_clock_that_is_set_back_by_hours_begins_a_segment_that_is_named(graph):
    one = graph()
    before = one.tell_all(steps(7200.0, 7201.0))
    named = waiting_for(one, 'time jumped back', 'a new segment')
    for stamp in steps(10.0, 10.9):
        one.say(stamp)
    answer = one.tell_all(steps(10.95, 12.0))
    assert (answer.segments, answer.gaps) == (before.segments + 1, 0)
    assert answer.duration == pytest.approx(before.duration + 2.0, abs=1e-6)
    named()


@pytest.mark.parametrize(('before', 'after'), [(0.0, 1.79e9), (1.79e9, 0.0)])
def test_a_clock_that_is_set_costs_only_the_step_across(graph, before, after):
    one = graph()
    first = one.tell_all([before + stamp for stamp in steps(0.0, 1.0)])
    for stamp in steps(0.0, 0.45):
        one.say(after + stamp)
    answer = one.tell_all([after + stamp for stamp in steps(0.5, 1.0)])
    assert (answer.segments, answer.invalid_samples) == (first.segments + 1, first.invalid_samples + 1)
    assert answer.duration == pytest.approx(first.duration + 1.0, abs=1e-6)
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)


def test_one_odometry_of_another_clock_before_a_silence_is_used_then(graph):
    """As at a simulation that begins again and waits for the answer."""
    one = graph(adapter={'silence': 0.3})
    one.tell_all(steps(10.0, 10.2))
    assert one.tell(0.0, until='boat_state').status & BoatState.TIME_JUMPED_BACK


def test_odometry_that_stops_is_a_gap_that_is_not_guessed(graph):
    one = graph(change={'energy_accumulator': {'silence': 0.3}})
    before = one.tell_all(steps(0.0, 1.0))
    one.until(lambda: one.heard['energy'][-1].status & EnergyStamped.SILENT)
    silent = one.heard['energy'][-1]
    assert (silent.total, silent.header.stamp) == (before.total, before.header.stamp)
    answer = one.tell_all(steps(10.0, 11.0))
    assert not answer.status & EnergyStamped.SILENT
    assert answer.gaps == 1
    assert answer.gap_duration == pytest.approx(9.0), 'from the last good state to the next'
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)
    assert answer.duration == pytest.approx(1.0 + 1.0)


def test_time_that_jumps_back_starts_a_segment_and_keeps_the_energy(graph):
    one = graph(current=FlowOptions('global', 0.0, 0.0))
    before = one.tell_all(steps(100.0, 101.0))
    one.tell(50.0)
    assert one.heard['boat_state'][-1].status & BoatState.TIME_JUMPED_BACK
    assert one.heard['power'][-1].status & PowerStamped.TIME_JUMPED_BACK
    answer = one.tell_all(steps(50.05, 51.0))
    assert answer.segments == 2
    assert answer.total == pytest.approx(before.total + POWER * 1.0, rel=1e-9)


def serve(one, name='water_current/get_flow', reply=None):
    """Offer get_flow: 0.3 m/s to the east, and 0.1 1/s times x to the north; `reply` may replace the answer."""
    asked = []

    def answer(request, response):
        asked.append(request)
        response.success = True
        response.vx, response.vy = [0.3] * len(request.x), [0.1 * x for x in request.x]
        response.inside = [True] * len(request.x)
        return reply(request, response) if reply else response

    return one.probe.create_service(GetFlow, name, answer), asked


def local(**change):
    """Return options of a graph whose boat asks for its current, and waits for each answer as long as it takes."""
    asks = {'wait_for_answer': True, 'deadline': DEADLINE, **change}
    return {'current': FlowOptions('local'), 'change': {'current_client': asks}}


def test_local_current_is_asked_for_at_the_boat(graph):
    one = graph(**local())
    _, asked = serve(one)
    one.until(lambda: one.nodes['current_client']._client.service_is_ready())
    one.tell_all(steps(0.0, 0.5), x=3.0)
    power = one.heard['power'][-1]
    assert (power.current_used.x, power.current_used.y) == pytest.approx((0.3, 0.3))
    assert power.status == PowerStamped.OK
    assert list(asked[-1].x) == [3.0, 4.0, 2.0, 3.0, 3.0]


def test_local_current_is_predicted_with_its_gradient_while_an_answer_is_out(graph):
    one = graph(**local(wait_for_answer=False))
    service, _ = serve(one)
    one.until(lambda: one.nodes['current_client']._client.service_is_ready())
    one.tell(0.0, x=3.0)
    one.until(lambda: one.nodes['current_client']._local is not None)
    one.probe.destroy_service(service)
    one.tell(0.1, x=5.0)
    power = one.heard['power'][-1]
    assert (power.current_used.x, power.current_used.y) == pytest.approx((0.3, 0.5)), '0.3 + 2 m x 0.1 1/s'


@pytest.mark.parametrize('broken', ['refuses', 'wrong size', 'outside'])
def test_a_current_service_without_an_answer_is_missing_never_zero(graph, broken):
    def reply(request, response):
        if broken == 'refuses':
            return GetFlow.Response(success=False, message='no such time')
        if broken == 'wrong size':
            response.vx = [0.3]
        response.inside = [False] * len(request.x)
        return response

    one = graph(**local())
    serve(one, reply=reply)
    one.until(lambda: one.nodes['current_client']._client.service_is_ready())
    one.tell_all(steps(0.0, 0.2))
    power = one.heard['power'][-1]
    assert power.status & PowerStamped.CURRENT_MISSING
    assert is_nan(power.total, power.current_used.x)
    assert one.heard['energy'][-1].samples == 0


def test_a_current_service_that_never_comes(graph, capfd):
    one = graph(**local(deadline=0.5))
    one.tell_all(steps(0.0, 0.2))
    assert one.heard['power'][-1].status & PowerStamped.CURRENT_MISSING
    assert one.heard['energy'][-1].invalid_samples == 5
    assert 'no service /boat/water_current/get_flow' in capfd.readouterr().err


SILENT_SERVER = """
import rclpy, sys, time
from usv_energy_msgs.srv import GetFlow
rclpy.init()
node = rclpy.create_node('flow_server')
def answer(request, response):
    time.sleep(DELAY)
    response.success, n = True, len(request.x)
    response.vx, response.vy, response.inside = [0.3] * n, [0.0] * n, [True] * n
    return response
node.create_service(GetFlow, '/boat/water_current/get_flow', answer)
print('ready', flush=True)
rclpy.spin(node)
"""


def start_server(delay=0.0):
    code = SILENT_SERVER.replace('DELAY', str(delay))
    process = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == 'ready\n'
    return process


def test_a_current_service_that_hangs_dies_and_returns(graph):
    one = graph(**local(max_age=0.5))
    server = start_server()

    def has_patience(seconds):
        client = one.nodes['current_client']
        assert client.set_parameters([Parameter('deadline', value=seconds)])[0].successful

    try:
        one.until(lambda: one.nodes['current_client']._client.service_is_ready())
        good = one.tell_all(steps(0.0, 1.0))
        assert one.heard['power'][-1].status == PowerStamped.OK
        server.send_signal(signal.SIGSTOP)  # it is there, and never answers
        has_patience(0.2)
        one.tell(1.1)
        assert one.heard['power'][-1].status == PowerStamped.OK, 'the last answer is young enough'
        hung = one.tell_all(steps(1.6, 1.8, 0.1))
        stale = one.heard['power'][-1]
        assert stale.status == PowerStamped.CURRENT_STALE
        assert stale.current_used.x == 0.3
        assert hung.stale_duration > 0.0
        assert hung.total > good.total
    finally:
        server.kill()
        server.wait()
    one.until(lambda: not one.nodes['current_client']._client.service_is_ready())
    one.tell(1.9)
    assert one.heard['power'][-1].status == PowerStamped.CURRENT_STALE
    has_patience(DEADLINE)
    server = start_server()
    try:
        one.until(lambda: one.nodes['current_client']._client.service_is_ready())
        one.tell_all(steps(2.0, 2.2, 0.1))
        assert one.heard['power'][-1].status == PowerStamped.OK
    finally:
        server.kill()
        server.wait()


def test_a_service_slower_than_its_deadline_is_waited_for_and_its_last_flow_held(graph):
    one = graph(**local(wait_for_answer=False, deadline=0.05, max_age=DEADLINE))
    client, server = one.nodes['current_client'], start_server(delay=0.4)
    try:
        one.until(lambda: client._client.service_is_ready())
        one.tell(0.0)
        asked = client._requested
        one.until(lambda: client._is_late)
        one.tell(0.1)
        assert one.heard['power'][-1].status & PowerStamped.CURRENT_MISSING and client._requested is asked
        one.until(lambda: client._local is not None)
        one.tell(0.2)
        one.until(lambda: client._is_late)
        one.tell(0.3)
        power = one.heard['power'][-1]
        assert power.status == PowerStamped.OK and power.current_used.x == pytest.approx(0.3)
        health = client._health(0)
        assert 'the service is slow: the last flow is held' in health.message
        assert float(health.values['answered after (s)']) >= 0.4
    finally:
        server.kill()
        server.wait()


def start_node(name, *parameters):
    rules = [part for parameter in parameters for part in ('-p', parameter)]
    return subprocess.Popen([sys.executable, '-m', f'usv_energy.nodes.{name}', '--ros-args', '-r', '__ns:=/diffboat',
                             '-p', 'autostart:=true', *rules], env=dict(os.environ))


def assert_waits(composition):
    """Hold the simulator to waiting, by what it counts itself, for a power of which a node is not there any more."""
    simulator = composition.nodes['boat_simulator']
    stopped_at = []
    for seconds in (0.4, 0.8):
        assert composition.spin_until(lambda seconds=seconds: simulator._lockstep.waited > seconds, DEADLINE)
        stopped_at.append(simulator._plant.time)
        assert simulator._missing() == {'power'}
    assert stopped_at[0] == stopped_at[1], 'lockstep waits for the node that is not there'


def run_with_a_killed(victim, *parameters):
    """Run scenario 2 in lockstep with one node a process of its own, killed and started anew on the way."""
    specs = [spec for spec in scenario_nodes(read_scenario('2'), ScenarioOptions()) if spec.name != victim]
    with Composition(specs, '/diffboat') as composition:
        plant = composition.nodes['boat_simulator']
        process = start_node(victim, *parameters)
        try:
            assert composition.spin_until(lambda: plant._plant.time > 5.0, DEADLINE)
            process.kill()
            process.wait()
            assert_waits(composition)
            process = start_node(victim, *parameters)
            assert composition.spin_until(lambda: is_done(composition), DEADLINE)
            return composition.nodes['scenario_driver'].ended
        finally:
            process.kill()
            process.wait()


def test_power_calculator_killed_and_restarted_changes_nothing(ros):
    """It forgets the state before: lockstep asks again, and the next mean power stands for one step more."""
    unbroken = run_scenario(read_scenario('2'))
    result = run_with_a_killed('power_calculator', 'boat:=lutra_prop', 'flow_wait:=30.0', 'actuators:=allocated')
    assert result.duration == pytest.approx(unbroken.duration, abs=1e-9)
    assert result.energy.total == pytest.approx(unbroken.energy.total, rel=1e-7)
    assert result.energy.duration == pytest.approx(unbroken.energy.duration)
    assert result.energy.gaps == 0


def test_state_adapter_killed_and_restarted_changes_nothing(ros):
    """It forgets the last velocity: one state has no acceleration, which no power needs."""
    unbroken = run_scenario(read_scenario('2'))
    result = run_with_a_killed('state_adapter', 'lag:=0.0')
    assert result.energy.total == pytest.approx(unbroken.energy.total, rel=1e-12)
    assert result.energy.invalid_samples == 1
    assert result.energy.gaps == 0


def test_reset_under_load_loses_nothing(graph):
    """What the resets took off and what is left is what a second accumulator, never reset, counted."""
    from usv_energy.nodes.energy_accumulator import EnergyAccumulator
    one = graph()
    reference = EnergyAccumulator('reference', namespace='/boat', cli_args=[
        '--ros-args', '-r', 'energy:=reference/energy', '-r', 'reset_energy:=reference/reset_energy',
        '-r', 'battery_state:=reference/battery_state'])
    totals = []
    one.probe.create_subscription(EnergyStamped, 'reference/energy', totals.append, 200)
    one.composition.nodes['reference'] = reference
    one.composition.executor.add_node(reference)
    assert reference.bring_up()
    one.until(lambda: (one.tell(0.0), totals)[-1])
    one.until(one.resetter.service_is_ready)
    responses = []
    for number, stamp in enumerate(steps(0.005, 5.0, 0.005), start=1):
        one.say(stamp, u=1.0 + 0.3 * math.sin(stamp))
        if number % 50 == 0:
            future = one.resetter.call_async(one.resetter.srv_type.Request())
            future.add_done_callback(lambda done: responses.append(done.result()))
        # As fast as the graph takes it, with up to 50 samples under way: never waiting for an answer to this one.
        one.until(lambda number=number: len(totals) >= number - 50)
    one.until(lambda: len(responses) == 20)
    last = one.tell(5.005)  # the last reset may have come after all other samples
    one.until(lambda: totals[-1].header.stamp == last.header.stamp)
    taken = [float(response.message.split(' J')[0]) for response in responses]
    assert all(response.success for response in responses)
    assert sum(taken) + last.total == pytest.approx(totals[-1].total, abs=20 * 0.005)
    assert last.total < totals[-1].total
