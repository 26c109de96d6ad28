"""The pilot of Gazebo's quadcopter on a real graph, with a twin of Gazebo's controller in Gazebo's place."""

import json
import math
import time

import pytest
import rclpy
from geometry_msgs.msg import Twist, Vector3, Vector3Stamped
from harness import DEADLINE
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64, Header, String
from std_srvs.srv import Trigger
from velocity_controlled import VelocityControlled

from usv_energy.air.flight import STAGES
from usv_energy.air.quadcopter import at_rest, in_body, read_quadcopter
from usv_energy.gazebo.quadcopter_model import SLOWDOWN, rotor_joint, rotor_places
from usv_energy.nodes.gazebo_quadcopter import GazeboQuadcopter
from usv_energy.ros.framework import qos
from usv_energy.ros.framework.process import make_executor, spin_until
from usv_energy.ros.messages import convert

CRAFT = read_quadcopter('ar_drone')
PERIOD, STEPS, PAD = 0.02, 5, 0.3
SPEED = 1.0  # m/s, of the boat towards the east.


class TwinOfGazebo:
    """Odometries of a boat and a quadcopter, and the speeds of its rotors; what the pilot says moves the latter."""

    def __init__(self, wind=(0.0, 0.0), **parameters):
        self.executor, self.probe = make_executor(), rclpy.create_node('twin')
        self.executor.add_node(self.probe)
        self.pilot = GazeboQuadcopter(
            namespace='/quadcopter', parameter_overrides=[Parameter(key, value=one) for key, one in parameters.items()],
            cli_args=['--ros-args', '-r', 'boat_odom:=/boat/odom', '-r', 'boat_wind:=/boat/wind'])
        self.executor.add_node(self.pilot)
        self.body, self.number, self.wind = VelocityControlled(CRAFT, (0.0, 0.0, PAD)), 0, wind
        self.heard = {kind: [] for kind in ('stage', 'enable', 'cmd_vel', 'answered', 'power', 'wind')}
        for kind, topic, name, profile in (
                (String, 'stage', 'stage', qos.LATCHED), (Bool, 'enable', 'enable', qos.STREAM),
                (Twist, 'cmd_vel', 'cmd_vel', qos.STREAM), (Header, 'gazebo/answered', 'answered', qos.STREAM),
                (Float64, 'power', 'power', qos.STREAM), (Vector3, 'gazebo/wind', 'wind', qos.STREAM)):
            self.probe.create_subscription(kind, f'/quadcopter/{topic}', self.heard[name].append, profile)
        self.out = {name: self.probe.create_publisher(kind, name, qos.STREAM) for kind, name in (
            (Odometry, '/boat/odom'), (Odometry, '/quadcopter/gazebo/odom'), (JointState, '/quadcopter/gazebo/rotors'),
            (Vector3Stamped, '/boat/wind'))}
        assert self.pilot.bring_up()
        self.until(lambda: all(one.get_subscription_count() for one in self.out.values()))
        self.until(lambda: self.probe.count_publishers('/quadcopter/gazebo/answered') > 0)

    def until(self, done):
        end, seen = time.monotonic() + DEADLINE, []
        spin_until(lambda: seen.append(bool(done())) or seen[-1] or time.monotonic() > end, self.executor,
                   self.pilot.intra_process)
        assert seen[-1], f'not within {DEADLINE} s'

    def header(self):
        return Header(stamp=convert.stamp_of(round(1e9 * PERIOD * self.number)), frame_id='odom')

    def tell(self):
        """Say where both are, the parts in an order that changes, and wait for the answer."""
        header, state = self.header(), self.body.state
        boat = convert.odometry_to_msg((SPEED * PERIOD * self.number, 0.0, 0.0), (SPEED, 0.0, 0.0), header, 'base_link')
        own = Odometry(header=header)
        place, turn, twist = own.pose.pose.position, own.pose.pose.orientation, own.twist.twist
        place.x, place.y, place.z = state.place
        turn.w, turn.x, turn.y, turn.z = state.turn
        twist.linear.x, twist.linear.y, twist.linear.z = in_body(state.turn, state.velocity)
        twist.angular.x, twist.angular.y, twist.angular.z = state.rates
        speeds = [(1.0 if one.counter_clockwise else -1.0) * math.sqrt(thrust / CRAFT.rotor_constant) / SLOWDOWN
                  for one, thrust in zip(rotor_places(CRAFT), state.thrusts)]
        rotors = JointState(header=header, name=[rotor_joint(one.name) for one in rotor_places(CRAFT)], velocity=speeds)
        parts = [('/boat/odom', boat), ('/quadcopter/gazebo/odom', own), ('/quadcopter/gazebo/rotors', rotors)]
        turned = self.number % 3
        if not self.number:
            air = Vector3Stamped(header=header)
            air.vector.x, air.vector.y = self.wind
            self.out['/boat/wind'].publish(air)
        for name, msg in parts[turned:] + parts[:turned]:
            self.out[name].publish(msg)
        answers = len(self.heard['answered'])
        self.until(lambda: len(self.heard['answered']) > answers)
        assert self.heard['answered'][-1].stamp == header.stamp

    def go_on(self, duration):
        """Let time go by: odometry, the pilot's answer, steps of the body."""
        for _ in range(round(duration / PERIOD)):
            self.tell()
            self.number += 1
            enabled = bool(self.heard['enable'] and self.heard['enable'][-1].data)
            if not enabled:
                self.body.state = at_rest((SPEED * PERIOD * self.number, 0.0, PAD))._replace(velocity=(SPEED, 0.0, 0.0))
                continue
            order = self.heard['cmd_vel'][-1]
            self.body.go_on((order.linear.x, order.linear.y, order.linear.z), order.angular.z, STEPS,
                            (*self.wind, 0.0), lambda: PAD)

    def close(self):
        self.executor.remove_node(self.pilot)
        self.pilot.close()
        self.probe.destroy_node()
        self.executor.shutdown()


@pytest.fixture
def twin(ros):
    made = []

    def make(**parameters):
        made.append(TwinOfGazebo(**parameters))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_it_flies_by_its_times_and_lands_on_the_moving_deck(twin, tmp_path):
    one = twin(wind=(-1.5, 2.0), take_off=1.0, land=6.0, out=str(tmp_path / 'flight.json'))
    one.go_on(10.5)
    stages = [msg.data for msg in one.heard['stage']]
    assert stages == list(STAGES[:6])
    flight = one.pilot._flight
    assert flight.touchdown.error < 0.10 and 0.2 < flight.touchdown.speed < 1.0
    assert (one.heard['wind'][-1].x, one.heard['wind'][-1].y) == (-1.5, 2.0)
    assert not one.heard['enable'][0].data and not one.heard['enable'][-1].data
    one.pilot.trigger_deactivate()
    summary = json.loads((tmp_path / 'flight.json').read_text())
    assert summary['stage'] == 'landed' and summary['energy_j']['follow'] == flight.energy['follow']


def test_hovering_over_a_resting_boat_takes_the_closed_form(twin, monkeypatch):
    """55.52 W by momentum theory, m g over four discs; the rotors' speeds say it."""
    monkeypatch.setitem(globals(), 'SPEED', 0.0)
    one = twin(take_off=0.1)
    one.go_on(9.0)
    last = [msg.data for msg in one.heard['power'][-50:]]
    each = 0.25 * 0.429 * 9.81
    hover = 4.0 * each * math.sqrt(each / (2.0 * 1.225 * math.pi * 0.01)) / (0.55 * 0.56) + 5.0
    assert hover == pytest.approx(55.52, abs=0.01)
    assert sum(last) / len(last) == pytest.approx(hover, rel=1e-3)


def test_orders_before_odometry_and_of_an_empty_battery_are_refused(twin):
    one = twin(battery=0.05)
    ask = one.pilot._on_take_off
    assert 'no odometry of the boat yet' in ask(Trigger.Request(), Trigger.Response()).message
    one.go_on(0.1)
    answer = ask(Trigger.Request(), Trigger.Response())
    assert not answer.success and answer.message.startswith('refused: ')


def test_time_that_goes_back_puts_it_on_the_deck_again(twin, capfd):
    one = twin(take_off=0.5)
    one.go_on(1.5)
    assert one.pilot._flight.stage != 'on deck'
    one.number = 0
    one.body.state = at_rest((0.0, 0.0, PAD))
    one.go_on(0.1)
    assert one.pilot._flight.stage == 'on deck' and not one.heard['enable'][-1].data
    assert 'time went back to 0.00 s: it stands on the deck again' in capfd.readouterr().err
