"""Loads on a live graph: duty cycles, topics of both kinds, legs; energy by name sums to the total."""

import json
import math

import pytest
import yaml
from harness import DEADLINE, at_ten_hertz, steps
from std_msgs.msg import Bool, Float32, String

from usv_energy.nodes.acoustic_modem import AcousticModem
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.record import summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.srv import SendAcoustic


@pytest.fixture
def boat(tmp_path):
    """Return the path of a boat's file with some loads."""
    def write(*loads):
        path = tmp_path / 'loaded.yaml'
        path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'loaded', 'loads': list(loads)}))
        return str(path)
    return write


def by_name(msg):
    values = msg.load_energies if hasattr(msg, 'load_energies') else msg.load_powers
    return dict(zip(msg.load_names, values, strict=True))


def say(graph, kind, topic, value, profile=qos.STREAM):
    """Publish a value to the power calculator; return once it has had time to be heard: another publisher's order."""
    publisher = graph.probe.create_publisher(kind, topic, profile)
    graph.until(lambda: publisher.get_subscription_count() > 0)
    publisher.publish(kind(data=value))
    return publisher


def told_until(graph, done, begin, **motion):
    """Tell odometry every 0.1 s from a stamp on until an answer is as wanted; return that answer."""
    for number in range(200):
        graph.tell(begin + 0.1 * number, **motion)
        if done(graph.heard['power'][-1]):
            return graph.heard['power'][-1]
    raise AssertionError('never so')


def test_energy_by_name_sums_to_the_total(graph, boat):
    one = graph(boat({'name': 'sonar', 'power': 20.0, 'duty': {'share': 0.1, 'period': 1.0}},
                     {'name': 'radio', 'power': 3.5}, {'name': 'pump', 'power': 12.0, 'speed': {'above': 0.5}},
                     {'name': 'heater', 'power': 50.0, 'speed': {'below': 0.5}}))
    answer = one.tell_all(steps(0.0, 5.0), u=1.0)
    found = by_name(answer)
    assert found == pytest.approx({'sonar': 10.0, 'radio': 17.5, 'pump': 60.0, 'heater': 0.0}, rel=1e-9)
    assert sum(found.values()) == pytest.approx(answer.loads, rel=1e-9)
    parts = (answer.thrust + answer.unrecovered + answer.losses + answer.allocation + answer.static_load
             + answer.loads)
    assert parts == pytest.approx(answer.total, rel=1e-9)
    power = one.heard['power'][-1]
    assert sum(by_name(power).values()) == pytest.approx(power.loads, rel=1e-9)
    assert all(map(math.isnan, one.heard['power'][0].load_powers))  # The first sample begins a step and ends none.


def test_a_reset_counts_the_loads_from_0(graph, boat):
    one = graph(boat({'name': 'radio', 'power': 3.5}))
    one.tell_all(steps(0.0, 1.0))
    one.reset()
    assert by_name(one.tell_all(steps(1.05, 2.0))) == pytest.approx({'radio': 3.5}, rel=1e-9)


def test_topics_switch_loads(graph, boat):
    one = graph(boat({'name': 'modem', 'power': 8.0, 'topic': {'name': 'modem/on', 'type': 'bool', 'unheard': 0.25}},
                     {'name': 'lamp', 'power': 40.0, 'topic': {'name': 'lamp', 'type': 'share', 'unheard': 0.0}}))
    one.tell_all(steps(0.0, 0.5))
    assert by_name(one.heard['power'][-1]) == {'modem': 2.0, 'lamp': 0.0}
    say(one, Bool, 'modem/on', True)
    told_until(one, lambda power: by_name(power)['modem'] == 8.0, 1.0)
    say(one, Float32, 'lamp', 0.5, qos.SENSOR)
    told_until(one, lambda power: by_name(power) == {'modem': 8.0, 'lamp': 20.0}, 30.0)
    say(one, Float32, 'lamp', 7.0)
    told_until(one, lambda power: by_name(power)['lamp'] == 40.0, 60.0)
    say(one, Bool, 'modem/on', False)
    told_until(one, lambda power: by_name(power)['modem'] == 0.0, 90.0)


def test_a_message_of_the_modem_is_in_the_boats_energy(graph, boat):
    """46 characters at 20 bit/s are 18.4 s of 4.2 W: `SendAcoustic` says so, and the load by its name has it."""
    one = graph(boat({'name': 'modem', 'power': 4.2, 'topic': {'name': 'modem_sending', 'type': 'bool',
                                                            'unheard': 0.0}},
                     {'name': 'radio', 'power': 3.5}))
    modem = AcousticModem(namespace='/boat')
    one.composition.executor.add_node(modem)
    try:
        assert modem.bring_up()
        one.until(lambda: one.odom.get_subscription_count() > 1)
        one.tell_all(steps(0.0, 1.0, 0.1))
        one.until(lambda: modem._time == pytest.approx(1.0))
        client = one.probe.create_client(SendAcoustic, 'send_acoustic')
        one.until(client.service_is_ready)
        future = client.call_async(SendAcoustic.Request(data=list(46 * b'x')))
        one.until(future.done)
        receipt = future.result()
        assert receipt.success and receipt.energy == pytest.approx(4.2 * 18.4)
        for number in range(11, 250):
            stamp = 0.1 * number
            answer = one.tell(stamp)
            one.until(lambda stamp=stamp: modem._time == pytest.approx(stamp))
    finally:
        one.composition.executor.remove_node(modem)
        modem.close()
    found = by_name(answer)
    # It is switched with the odometry after its beginning, and after its end: 0.1 s each; one more on a busy machine.
    assert found['modem'] == pytest.approx(receipt.energy, abs=3 * 0.1 * 4.2)
    assert sum(found.values()) == pytest.approx(answer.loads, rel=1e-9)
    assert by_name(one.heard['power'][-1])['modem'] == 0.0


def test_the_leg_switches_loads(graph, boat):
    one = graph(boat({'name': 'winch', 'power': 100.0, 'legs': ['hold']},
                     {'name': 'camera', 'power': 5.0, 'legs': ['survey', 3]}))
    one.tell_all(steps(0.0, 0.5))
    assert by_name(one.heard['power'][-1]) == {'winch': 0.0, 'camera': 0.0}
    leg = say(one, String, 'leg', 'survey', qos.LATCHED)
    told_until(one, lambda power: by_name(power) == {'winch': 0.0, 'camera': 5.0}, 1.0)
    leg.publish(String(data='hold at survey'))
    told_until(one, lambda power: by_name(power) == {'winch': 100.0, 'camera': 5.0}, 30.0)
    leg.publish(String(data='4'))
    told_until(one, lambda power: by_name(power) == {'winch': 0.0, 'camera': 0.0}, 60.0)


def test_loads_of_a_lockstep_run_are_those_without_ros(ros, boat, tmp_path):
    """By leg, stay, duty cycle and speed, each by name; they sum to their cause, and with the others to the total."""
    path = boat({'name': 'camera', 'power': 20.0, 'duty': {'share': 0.1, 'period': 7.0, 'phase': 2.0}},
                {'name': 'winch', 'power': 100.0, 'legs': ['hold']}, {'name': 'sonar', 'power': 35.0, 'legs': ['end']},
                {'name': 'pump', 'power': 12.0, 'speed': {'below': 0.3}})
    scenario = read_scenario(at_ten_hertz('holding/current_040', tmp_path)).with_options(boat=path)
    specs = scenario_nodes(scenario, ScenarioOptions(out=str(tmp_path / 'out'), plots=False, bag=False, boat=path))
    with Composition(specs, '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    told = json.loads((tmp_path / 'out' / 'current_040_rep103' / 'summary.json').read_text())
    plain = summary_of(run_scenario(scenario), 'usv-energy')
    assert told['energy_by_load_j'] == pytest.approx(plain['energy_by_load_j'], rel=1e-9)
    assert min(told['energy_by_load_j'].values()) > 10.0
    for summary in (told, plain):
        assert sum(summary['energy_by_load_j'].values()) == pytest.approx(summary['energy_loads_j'], rel=1e-9)
        parts = ('thrust', 'unrecovered', 'losses', 'allocation', 'static_load', 'loads')
        assert sum(summary[f'energy_{part}_j'] for part in parts) == pytest.approx(summary['energy_j'], rel=1e-9)


def test_a_boat_without_loads_says_none(graph):
    answer = graph().tell_all(steps(0.0, 0.5))
    assert answer.loads == 0.0 and answer.load_names == [] and len(answer.load_energies) == 0
