"""A kind of thruster that the package does not ship, in one file, on the graph: its watts by the live nodes."""

import math

import new_kind
import pytest
import yaml
from harness import DEADLINE, steps
from new_kind import MOST, command_at, drag, top_speed, watts_at
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import PowerStamped

RATE = 2.0 * math.pi * 50.0     # rad/s, at the most


@pytest.fixture(autouse=True)
def kind():
    with new_kind.installed() as module:
        yield module


@pytest.fixture
def boat(tmp_path):
    return new_kind.write_boat_file(tmp_path)


@pytest.mark.parametrize('speed', [0.5 * top_speed(), top_speed()])
def test_power_of_odometry(graph, boat, speed):
    power = graph(boat=boat).tell_all(steps(0.0, 0.3), until='power', u=speed)
    assert power.status == PowerStamped.OK
    assert power.total == pytest.approx(watts_at(speed))


@pytest.mark.parametrize('told', ['thrusts', 'rates'])
def test_power_of_what_the_jets_tell(graph, boat, told):
    """
    One jet gives 4 N more than the other, which takes 2 q 2^2 W more; as thrusts, or as rates of turning.

    It is no allocation: two jets have one way only to give that moment.
    """
    speed, more = 1.2, 2.0
    one = graph(boat=boat, change={'power_calculator': {'actuators': 'measured', 'flow_wait': DEADLINE}})
    publisher = one.probe.create_publisher(JointState, 'actuator_states', qos.STREAM)
    one.until(lambda: publisher.get_subscription_count() > 0)
    signs = (more, -more)
    fields = {'effort': [0.5 * drag(speed) + sign for sign in signs]} if told == 'thrusts' else {
        'velocity': [RATE * math.sqrt((command_at(speed) + sign) / MOST) for sign in signs]}
    for stamp in steps(0.0, 0.3):
        header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id='base_link')
        publisher.publish(JointState(header=header, name=['port', 'starboard'], **fields))
        power = one.tell(stamp, until='power', u=speed)
    assert (power.status, power.actuators_measured) == (PowerStamped.OK, True)
    assert power.total == pytest.approx(watts_at(speed) + 2.0 * new_kind.SQUARE * more ** 2)
    assert power.allocation == pytest.approx(0.0, abs=1e-9)


def test_a_simulated_run_of_the_whole_graph(ros, tmp_path, boat):
    """At full throttle from rest: after 6 s at the top speed, with the watts that belong to it."""
    path = tmp_path / 'way.yaml'
    path.write_text(yaml.safe_dump({
        'base': '1', 'boat': boat, 'start': {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0},
        'waypoints': [{'x': 1000.0, 'y': 0.0}], 'stop': {'timeout': 10.0}, 'published': None,
        'simulation': {'step': 0.05, 'period': 0.05}}))
    options = ScenarioOptions(out=str(tmp_path), bag=False, plots=False)
    with Composition(scenario_nodes(read_scenario(str(path)), options), '/boat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    last = read_samples(tmp_path / 'way_rep103' / 'samples.csv')[-1]
    assert last.motion.u == pytest.approx(top_speed(), rel=1e-4)
    assert last.power.total == pytest.approx(watts_at(top_speed()), rel=1e-3)
