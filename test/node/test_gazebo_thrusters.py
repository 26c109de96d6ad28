"""The node between a boat's driver and Gazebo's thrusters, on a real graph; Gazebo itself is played by the test."""

import math
from functools import partial

import pytest
import yaml
from harness import hear
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes.gazebo_thrusters import GazeboThrusters
from usv_energy.physics.motion import Relative
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert
from usv_energy.thrusters.drive import thrust_under_way

CURRENT = FlowOptions('global', 0.5, 0.0)


@pytest.fixture
def blueboat(tmp_path):
    """Return a function that writes a BlueBoat with two T200 on a 4S pack of a charge, and gives its path."""
    def one(charge):
        thrusters = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                     for name, y in (('left', 0.295), ('right', -0.295))]
        battery = {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 15.6, 'capacity_wh': None,
                   'initial_state_of_charge': charge}
        path = tmp_path / f'blueboat_{charge}.yaml'
        path.write_text(yaml.safe_dump({'base': 'blueboat', 'name': '4s', 'thrusters': thrusters,
                                        'battery': battery}))
        return str(path)
    return one


class Answers:
    """A driver that asks, and a Gazebo that hears what it is told."""

    def __init__(self, graph, attach, boat, **options):
        self.graph = graph(boat=boat, **options)
        self.node = attach(self.graph.composition, GazeboThrusters, boat=boat)
        self.thrusts = hear(self.graph, Float64, 'gazebo/cmd_thrust/left')
        self.told = hear(self.graph, JointState, 'gazebo/thruster_command')
        self.batteries = hear(self.graph, BatteryState, 'simulated_battery') if read_boat(boat).pack else []
        probe = self.graph.probe
        self.command = probe.create_publisher(JointState, 'thruster_command', qos.STREAM)
        self.plain = {name: probe.create_publisher(Float64, f'cmd_thrust/{name}', qos.STREAM)
                      for name in ('left', 'right')}
        for publisher in (self.command, *self.plain.values()):
            self.graph.until(lambda publisher=publisher: publisher.get_subscription_count() > 0)

    def ask(self, seconds, thrust):
        stamp = convert.stamp_of(round(seconds * convert.NANOSECONDS))
        self.command.publish(JointState(header=convert.header_of(stamp, ''), name=['left', 'right'],
                                        effort=[thrust, thrust]))

    def stamps(self):
        return [round(1e-9 * convert.nanoseconds(msg.header.stamp), 3) for msg in self.told]


def test_a_stamped_command_is_answered_with_the_thrust_under_way_in_the_current(graph, attach, blueboat):
    """Also where it comes before the odometry of its stamp; full thrust at 1.5 m/s over ground, 0.5 m/s of it water."""
    boat = blueboat(0.5)
    both = Answers(graph, attach, boat, current=CURRENT)
    both.graph.tell(0.0, u=1.5)
    both.ask(0.0, 40.0)
    both.graph.until(lambda: len(both.told) == 1)
    both.ask(0.1, 40.0)
    both.graph.tell(0.1, u=1.5)
    both.graph.until(lambda: len(both.told) == 2)
    assert both.stamps() == [0.0, 0.1]
    given = both.told[1]
    assert list(given.name) == ['left', 'right'] and both.thrusts[-1].data == given.effort[0]
    live, voltage = both.node._live, both.batteries[0].voltage
    thruster = live._supplied().thrusters[0]
    at = Relative(1.0, 0.0, 0.0, -1.5, 0.0)
    assert 13.0 < voltage < 15.5 and thruster.max_thrust < read_boat(boat).vessel.thrusters[0].max_thrust
    assert given.effort[0] == pytest.approx(thrust_under_way(live._asked.commands[0], None, thruster, at), rel=2e-3)
    assert 0.3 < given.effort[0] / thruster.max_thrust < 0.9


def test_plain_commands_are_answered_at_the_next_odometry_and_each_after_it(graph, attach, blueboat):
    both = Answers(graph, attach, blueboat(0.5))
    both.graph.tell(0.0)
    for publisher in both.plain.values():
        publisher.publish(Float64(data=30.0))
    both.graph.until(lambda: set(both.node._wanted.efforts) == {30.0})
    for number in range(1, 4):
        both.graph.tell(0.1 * number, u=0.4 * number)
        both.graph.until(lambda number=number: len(both.told) == number)
    thrusts = [msg.effort[0] for msg in both.told]
    assert thrusts[0] > thrusts[1] > thrusts[2] > 0.0, 'the faster the water, the less it gives'


def test_an_empty_battery_is_dead_and_stops_the_thrusters_whatever_is_asked(graph, attach, blueboat, capfd):
    both = Answers(graph, attach, blueboat(0.006))
    for number in range(240):
        both.graph.tell(0.25 * number, u=1.0)
        both.ask(0.25 * number, 60.0)
        both.graph.until(lambda number=number: len(both.told) == number + 1)
        if both.batteries[-1].power_supply_health == BatteryState.POWER_SUPPLY_HEALTH_DEAD:
            break
    assert both.batteries[-1].power_supply_health == BatteryState.POWER_SUPPLY_HEALTH_DEAD
    assert both.batteries[0].power_supply_health == BatteryState.POWER_SUPPLY_HEALTH_GOOD
    assert both.told[-2].effort[0] > 5.0 and both.told[-1].effort[0] <= 0.0
    both.graph.tell(100.0, u=0.0)
    both.ask(100.0, 60.0)
    both.graph.until(lambda: both.stamps()[-1] == 100.0)
    assert list(both.told[-1].effort) == [0.0, 0.0] and both.thrusts[-1].data == 0.0
    assert 'the battery gives no more' in capfd.readouterr().err


def test_a_clock_that_jumps_back_leaves_the_charge_and_a_wrong_command_is_refused(graph, attach, blueboat, capfd):
    both = Answers(graph, attach, blueboat(0.5))
    both.graph.tell(10.0, u=1.0)
    both.ask(10.0, 60.0)
    both.graph.until(lambda: len(both.told) == 1)
    both.graph.tell(12.0, u=1.0)
    both.graph.until(lambda: len(both.batteries) == 2)
    charge = both.batteries[-1].percentage
    assert charge < both.batteries[0].percentage
    both.graph.say(1.0, u=1.0)
    both.graph.until(lambda: len(both.batteries) == 3)
    assert both.batteries[-1].percentage == charge
    both.ask(1.0, math.nan)
    said = []

    def heard(text):
        said.append(capfd.readouterr().err)
        return text in ''.join(said)

    both.graph.until(partial(heard, 'thruster_command must give a finite effort'))
    assert 'time jumped back: the battery goes on as charged as it is' in ''.join(said)


def test_without_cells_there_is_no_battery_but_the_thrust_under_way(graph, attach, tmp_path):
    path = tmp_path / 'tug.yaml'
    thrusters = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                 for name, y in (('left', 0.295), ('right', -0.295))]
    path.write_text(yaml.safe_dump({'base': 'blueboat', 'name': 'tug', 'thrusters': thrusters}))
    both = Answers(graph, attach, str(path))
    both.graph.tell(0.0, u=1.0)
    both.ask(0.0, 30.0)
    both.graph.until(lambda: len(both.told) == 1)
    thruster = read_boat(str(path)).vessel.thrusters[0]
    wanted = thrust_under_way(30.0, None, thruster, Relative(1.0, 0.0, 0.0, -1.0, 0.0))
    assert both.told[0].effort[0] == pytest.approx(wanted, rel=1e-9)
    assert both.node._battery is None
