"""Measured thrusts on the graph: what is spent beyond the cheapest way, and what happens when some are missing."""

import math

import pytest
import yaml
from harness import DEADLINE, steady_power, steps
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import PowerStamped

MISSING, STALE = PowerStamped.ACTUATORS_MISSING, PowerStamped.ACTUATORS_STALE
NAN = math.nan


@pytest.fixture
def in_line(tmp_path):
    """Return the path of a boat with a thruster at the bow and one at the stern, ideal ones."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'in_line', 'thrusters': [
        {'name': name, 'x': x, 'y': 0.0, 'min_thrust': -40.0, 'max_thrust': 40.0}
        for name, x in (('bow', 0.4), ('stern', -0.4))]}))
    return str(path)


class Told:
    """A graph, and a publisher that tells of its actuators at the stamp before each odometry."""

    def __init__(self, graph, profile=qos.STREAM):
        self.graph = graph
        self.publisher = graph.probe.create_publisher(JointState, 'actuator_states', profile)
        graph.until(lambda: self.publisher.get_subscription_count() > 0)

    def power(self, stamp, efforts=None, names=('bow', 'stern'), **motion):
        if efforts is not None:
            header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id='base_link')
            self.publisher.publish(JointState(header=header, name=list(names), effort=list(map(float, efforts))))
        return self.graph.tell(stamp, until='power', **motion)

    def has_patience(self, seconds):
        """Let a power wait so long, s of wall time, for states of its stamp: as it does once there were some."""
        calculator = self.graph.nodes['power_calculator']
        assert calculator.set_parameters([Parameter('flow_wait', value=seconds)])[0].successful

    def last_of(self, stamps, efforts=None, **more):
        for stamp in stamps:
            power = self.power(stamp, efforts, **more)
        return power


@pytest.fixture
def told(graph, in_line):
    """
    Return a function that starts a graph with a mode of `actuators`.

    Where they are to be measured a power waits for those of its stamp, s of wall time: little where none come.
    """
    def start(mode='auto', profile=qos.STREAM, patience=DEADLINE):
        change = {'power_calculator': {'actuators': mode, 'flow_wait': patience}}
        return Told(graph(boat=in_line, change=change), profile)
    return start


def test_what_opposed_thrusters_spend_is_allocation_and_sums_up_in_the_energy(told, in_line):
    """-6 N at the bow against the rest at the stern: 6 N u that the cheapest way would not need."""
    one, u = told('measured'), 1.2
    force = steady_power(u, read_boat(in_line)) / u
    power = one.last_of(steps(0.0, 2.0), (-6.0, force + 6.0), u=u)
    assert power.actuators_measured and power.status == PowerStamped.OK
    assert power.allocation == pytest.approx(6.0 * u)
    assert (power.residual, power.side_force) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert power.total == pytest.approx((force + 6.0) * u)
    one.graph.until(lambda: one.graph.heard['energy'] and one.graph.heard['energy'][-1].samples >= 40)
    energy = one.graph.heard['energy'][-1]
    assert energy.leg == '' and energy.thrust + energy.unrecovered + energy.losses + energy.allocation == pytest.approx(
        energy.total)
    measured = [one for one in one.graph.heard['power'] if one.actuators_measured]
    assert energy.allocation == pytest.approx(sum(one.allocation for one in measured) * 0.05)


def test_a_best_effort_sensor_is_heard_as_well(told):
    assert told('measured', qos.SENSOR).last_of(steps(0.0, 0.5), (5.0, 15.0), u=1.2).actuators_measured


def test_without_states_auto_is_the_cheapest_way_and_says_nothing(told, in_line):
    power = told('auto').last_of(steps(0.0, 0.3), u=1.2)
    assert (power.status, power.actuators_measured, power.allocation) == (PowerStamped.OK, False, 0.0)
    assert power.total == pytest.approx(steady_power(1.2, read_boat(in_line)))


def test_without_states_measured_takes_the_cheapest_way_and_says_so(told, in_line):
    power = told('measured', patience=0.3).last_of(steps(0.0, 0.3), u=1.2)
    assert (power.status, power.actuators_measured) == (MISSING, False)
    assert power.total == pytest.approx(steady_power(1.2, read_boat(in_line)))


def test_allocated_does_not_listen(graph, in_line):
    one = graph(boat=in_line, change={'power_calculator': {'actuators': 'allocated'}})
    assert one.probe.count_subscribers('/boat/actuator_states') == 0


@pytest.mark.parametrize(('efforts', 'names'), [
    ((20.0,), ('stern',)), ((NAN, 20.0), ('bow', 'stern')), ((math.inf, 20.0), ('bow', 'stern')),
    ((20.0,), ('bow', 'stern'))], ids=['name missing', 'NaN', 'infinite', 'effort missing'])
def test_thrusts_that_are_not_all_told_are_not_used_and_the_status_says_so(told, in_line, efforts, names):
    power = told().last_of(steps(0.0, 0.3), efforts, names=names, u=1.2)
    assert (power.status, power.actuators_measured, power.allocation) == (MISSING, False, 0.0)
    assert power.total == pytest.approx(steady_power(1.2, read_boat(in_line)))


def test_names_that_are_none_of_the_boats_are_left_alone(told):
    power = told().last_of(steps(0.0, 0.3), (20.0,), names=('camera_pan',), u=1.2)
    assert (power.status, power.actuators_measured) == (PowerStamped.OK, False)


def test_states_that_stop_are_marked_stale_and_those_that_come_again_count_again(told, in_line):
    one, u = told(), 1.2
    force = steady_power(u, read_boat(in_line)) / u
    efforts = (-6.0, force + 6.0)
    assert one.last_of(steps(0.0, 0.5), efforts, u=u).actuators_measured
    one.has_patience(0.3)
    assert one.last_of(steps(0.55, 0.9), u=u).actuators_measured, 'not yet too old'
    stopped = one.last_of(steps(0.95, 1.3), u=u)
    assert (stopped.status, stopped.actuators_measured) == (STALE, False)
    assert stopped.total == pytest.approx(force * u)
    one.has_patience(DEADLINE)
    again = one.last_of(steps(1.35, 1.5), efforts, u=u)
    assert (again.status, again.actuators_measured) == (PowerStamped.OK, True)


def test_as_published_knows_no_measured_thrusts(graph, in_line):
    one = graph(boat=in_line, convention='as_published', change={'power_calculator': {'actuators': 'measured'}})
    for stamp in steps(0.0, 0.2):
        power = one.tell(stamp, until='power', u=1.0)
    assert one.probe.count_subscribers('/boat/actuator_states') == 0
    assert (power.status, power.actuators_measured) == (PowerStamped.OK, False)


def test_a_scenario_by_its_simulators_own_thrusters_is_within_the_closure(ros, tmp_path):
    """actuator_states of each step beside its odometry: every sample measured, and nothing else changes."""
    specs = [spec._replace(parameters={**spec.parameters, 'actuators': 'measured'})
             if spec.executable == 'power_calculator' else spec
             for spec in scenario_nodes(read_scenario('2'), ScenarioOptions(out=str(tmp_path), bag=False, plots=False))]
    with Composition(specs, '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
        summary, = composition.summaries()
    rows = read_samples(tmp_path / '2_rep103' / 'samples.csv')
    assert summary['energy_j'] == pytest.approx(468.11, rel=1e-4)
    assert all(row.status == PowerStamped.OK for row in rows[1:])
    assert summary['energy_residual_j'] != 0.0 and abs(summary['energy_residual_j']) < 1e-4 * summary['energy_j']
    assert summary['energy_allocation_j'] == pytest.approx(0.0, abs=1e-9)
