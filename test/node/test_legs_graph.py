"""Energy by leg on the graph: as without ROS, in messages, summary, table and bag; and for legs that anyone names."""

import json
from types import SimpleNamespace

import pytest
from harness import DEADLINE, at_ten_hertz, steps
from std_msgs.msg import String

from usv_energy.logs.bags.bag import read_bag
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.live.onboard_devices import HeardLegs
from usv_energy.ros.messages import convert
from usv_energy.sim.record import summary_of
from usv_energy.sim.run_files import read_leg_begins
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import LegBegin

BOTH = ('rep103', 'as_published')


def run(out, **options):
    """Run the scenario on the graph, and return it."""
    scenario = read_scenario(at_ten_hertz('holding/current_040', out))
    specs = scenario_nodes(scenario, ScenarioOptions(out=str(out), plots=False, **options))
    with Composition(specs, '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    return scenario


def test_legs_of_a_lockstep_run_are_those_without_ros(ros, tmp_path):
    """Each figure of each leg, under both conventions; the place is held at 0.40 m/s for d11 u^2 = 2.607 W."""
    scenario = run(tmp_path, convention='both', bag=False)
    for convention in BOTH:
        folder = tmp_path / f'current_040_{convention}'
        summary = json.loads((folder / 'summary.json').read_text())
        plain = summary_of(run_scenario(scenario.with_options(convention=convention)), 'usv-energy')
        names = [leg['leg'] for leg in summary['legs']]
        assert names == ['end', 'hold at end', 'hold at end once settled']
        for ours, other in zip(summary['legs'], plain['legs'], strict=True):
            assert ours.pop('leg') == other.pop('leg')
            assert ours == pytest.approx(other, rel=1e-9, abs=1e-9)
        assert sum(leg['energy_j'] for leg in summary['legs']) == pytest.approx(summary['energy_j'], rel=1e-9)
        assert summary['legs'][2]['mean_power_w'] == pytest.approx(16.296 * 0.4**2, rel=0.01)
        assert [begin.name for begin in read_leg_begins(folder / 'legs.csv')] == names


def test_the_bag_says_the_leg_of_every_energy(ros, tmp_path):
    """Summed from the bag's own energies, message by message, the legs are those of the summary."""
    run(tmp_path)
    folder = tmp_path / 'current_040_rep103'
    legs = {leg['leg']: leg for leg in json.loads((folder / 'summary.json').read_text())['legs']}
    sums, before = dict.fromkeys(legs, 0.0), 0.0
    for msg in energies(folder / 'bag' / 'bag_0.mcap'):
        sums[msg.leg] += msg.total - before
        before = msg.total
    assert sums == pytest.approx({name: leg['energy_j'] for name, leg in legs.items()}, rel=1e-9, abs=1e-9)
    read = read_bag(folder / 'bag').legs  # when each began; the last word is that there is none any more
    assert [(begin.name, begin.time) for begin in read] == [
        *((name, pytest.approx(leg['begin_s'])) for name, leg in legs.items()), ('', pytest.approx(176.2, abs=0.1))]
    assert legs['hold at end once settled']['mean_power_w'] == pytest.approx(16.296 * 0.4**2, rel=0.01)


def energies(path):
    from rclpy.serialization import deserialize_message

    from usv_energy_msgs.msg import EnergyStamped
    for message in messages_of(path, '/diffboat/energy'):
        yield deserialize_message(message, EnergyStamped)


def messages_of(path, topic):
    from mcap.reader import make_reader
    with path.open('rb') as file:
        for _, _, message in make_reader(file).iter_messages(topics=[topic]):
            yield message.data


def test_a_leg_that_anyone_names_holds_from_the_next_power_on(graph):
    boat = graph(adapter={'lag': 0.0})
    legs = boat.probe.create_publisher(String, 'leg', qos.LATCHED)
    boat.until(lambda: legs.get_subscription_count() > 0)
    assert boat.tell_all(steps(0.0, 0.5)).leg == ''
    legs.publish(String(data='survey'))
    boat.until(lambda: boat.nodes['energy_accumulator']._legs.at(convert.NANOSECONDS) == 'survey')
    assert boat.tell_all(steps(0.55, 1.0)).leg == 'survey'
    assert {msg.leg for msg in boat.heard['energy'] if convert.nanoseconds(msg.header.stamp) <= 5e8} == {''}


def test_of_the_topics_of_legs_the_best_counts_whichever_comes_first():
    topics, names = {}, []
    node = SimpleNamespace(listen=lambda undo, kind, topic, callback, profile: topics.update({topic: callback}),
                           refuse=None)
    legs = HeardLegs(node, None, lambda: 30, qos.LATCHED_FEW, names.append)

    def stamped(stamp, name):
        topics['leg_begin_stamped'](LegBegin(header=convert.header_of(convert.stamp_of(stamp), 'odom'), name=name))

    topics['leg'](String(data='a'))
    for stamp, name in ((10, 'a'), (20, 'b')):
        topics['leg_begin'](convert.header_of(convert.stamp_of(stamp), name))
    stamped(10, 'a')
    assert legs.at(25) == 'b', 'what `leg_begin` said of later legs holds until it is said better'
    stamped(20, 'b')
    stamped(40, 'c')
    topics['leg_begin'](convert.header_of(convert.stamp_of(5), 'old'))
    topics['leg'](String(data='old'))
    assert [legs.at(stamp) for stamp in (11, 21, 41)] == ['a', 'b', 'c'] and 'old' not in names


def test_a_name_of_a_leg_is_short_and_cannot_move_a_cursor(graph):
    one = graph()
    says = one.probe.create_publisher(String, 'leg', qos.LATCHED)
    one.until(lambda: says.get_subscription_count() > 0)
    one.tell_all(steps(0.0, 0.2))
    says.publish(String(data='\x1b[2J' + 'x' * 100_000))
    one.until(lambda: one.nodes['energy_accumulator']._legs.at(10**12))
    leg = one.tell(0.3).leg
    assert len(leg) == 200 and leg.startswith('\\x1b[2Jxxx') and leg.endswith('...')
