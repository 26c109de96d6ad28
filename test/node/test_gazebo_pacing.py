"""The nodes that let Gazebo's world run, on a real graph; Gazebo itself, and its bridge, are played by the test."""

from functools import partial

import pytest
import rclpy
from harness import DEADLINE
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Header

from usv_energy.nodes.gazebo_pacer import GazeboPacer
from usv_energy.nodes.gazebo_settler import GazeboSettler
from usv_energy.nodes.state_adapter import StateAdapter
from usv_energy.ros.framework import qos
from usv_energy.ros.gazebo.gazebo_control import names_of_boat
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import FlowOptions, answering_topics, scenario_nodes
from usv_energy.ros.graph.graph_options import GAZEBO, ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import ScenarioResult
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

CURRENT = FlowOptions('global', 0.4, 45.0)
WIND = FlowOptions('global', 5.0, -30.0)


class PlayedGazebo:
    """A Gazebo of one boat behind its bridge: a plant that moves when the world's control says so."""

    def __init__(self, composition, scenario, namespace='/boat', world='open_water'):
        from ros_gz_interfaces.srv import ControlWorld
        self.plant = Plant(scenario.plant.vessel, scenario.start, scenario.flow_at(), scenario.step)
        self.node = composition.nodes['scenario_driver']
        self.scenario = scenario
        self.asked = []
        self.commands = [0.0, 0.0]
        self.odom = self.node.create_publisher(Odometry, f'{namespace}/odom', qos.STREAM)
        self.node.create_service(ControlWorld, f'/world/{world}/control', self.control)
        for index, name in enumerate(scenario.plant.thruster_names):
            self.node.create_subscription(Float64, f'{namespace}/cmd_thrust/{name}', partial(self.command, index),
                                          qos.STREAM)

    def command(self, index, msg):
        self.commands[index] = msg.data

    def control(self, request, response):
        control = request.world_control
        self.asked.append((control.pause, control.multi_step))
        if control.multi_step:
            if self.plant.steps or len(self.asked) > 1:
                self.plant.advance(self.commands)
            stamp = convert.stamp_of(round((self.plant.time + 0.02) * convert.NANOSECONDS))
            state = self.plant.state
            self.odom.publish(convert.odometry_to_msg((state.x, state.y, state.yaw), self.plant.velocity_over_ground(),
                                                      Header(stamp=stamp, frame_id='odom'), 'base_link'))
        response.success = True
        return response


@pytest.fixture
def played(ros, attach):
    """Return a function that runs a scenario with a played Gazebo until something is so; it returns both."""
    pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    compositions = []

    def one(name, pace, done):
        scenario = read_scenario(name)
        specs = scenario_nodes(scenario, ScenarioOptions(pace=pace, simulator=GAZEBO))
        composition = Composition(specs, '/boat')
        compositions.append(composition)
        gazebo = PlayedGazebo(composition, scenario)
        attach(composition, GazeboPacer, '/', boats=['boat'], pace=pace, steps_per_period=5,
               awaited=answering_topics(('rep103',), recorded=False))
        assert composition.spin_until(lambda: done(composition, gazebo), 3 * DEADLINE), gazebo.asked[-5:]
        return composition, gazebo

    yield one
    for composition in compositions:
        composition.close()


def test_lockstep_with_gazebo_is_the_run_without_ros(played):
    composition, gazebo = played('2', 'lockstep',
                                 lambda composition, _: composition.nodes['scenario_driver'].ended is not None)
    ended, plain = composition.nodes['scenario_driver'].ended, run_scenario(read_scenario('2'))
    assert ended.duration == pytest.approx(plain.duration, abs=1e-9)
    assert ended.energy.total == pytest.approx(plain.energy.total, rel=1e-9)
    assert set(gazebo.asked) == {(True, 5)}
    assert len(gazebo.asked) == len(plain.rows)


def test_free_the_world_runs_once_its_first_odometry_is_answered(played):
    _, gazebo = played('2', 'free', lambda _, gazebo: len(gazebo.asked) >= 2)
    assert gazebo.asked == [(True, 5), (False, 0)]


def test_an_odometry_that_not_everybody_heard_is_made_good_by_another_step(ros, attach):
    srv = pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    asked = []
    with Composition([], '/') as composition:
        gazebo = rclpy.create_node('gazebo')
        composition.executor.add_node(gazebo)
        for boat in ('red', 'blue'):
            gazebo.create_publisher(Odometry, f'/{boat}/odom', qos.STREAM)
        handed = {boat: gazebo.create_publisher(Header, f'/{boat}/gazebo/handed', qos.STREAM)
                  for boat in ('red', 'blue')}

        def control(request, response):
            asked.append(request.world_control.multi_step)
            stamp = convert.stamp_of(20_000_000 * len(asked))
            for boat in ('red', 'blue')[:len(asked)]:
                handed[boat].publish(Header(stamp=stamp))
            response.success = True
            return response

        gazebo.create_service(srv.ControlWorld, '/world/open_water/control', control)
        attach(composition, GazeboPacer, '/', boats=['red', 'blue'], readers=[''], awaited=['gazebo/handed'])
        assert composition.spin_until(lambda: len(asked) == 3, DEADLINE), asked
        composition.executor.remove_node(gazebo)
        gazebo.destroy_node()
    assert asked == [5, 5, 0]


def test_free_the_world_waits_for_nodes_that_are_behind(ros, attach, capfd):
    srv = pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    asked = []
    with Composition([], '/') as composition:
        gazebo = rclpy.create_node('gazebo', namespace='/red')
        composition.executor.add_node(gazebo)
        odom = gazebo.create_publisher(Odometry, 'odom', qos.STREAM)
        handed, command = (gazebo.create_publisher(kind, topic, qos.STREAM)
                           for kind, topic in ((Header, 'gazebo/handed'), (JointState, 'thruster_command')))

        def control(request, response):
            asked.append((request.world_control.pause, request.world_control.multi_step))
            response.success = True
            return response

        def say(publisher, kind, seconds):
            header = Header(stamp=convert.stamp_of(round(seconds * convert.NANOSECONDS)))
            publisher.publish(header if kind is Header else kind(header=header))

        def until(wanted):
            assert composition.spin_until(lambda: asked == wanted, DEADLINE), asked

        gazebo.create_service(srv.ControlWorld, '/world/open_water/control', control)
        attach(composition, GazeboPacer, '/', boats=['red'], readers=[''], slack=0.1)
        until([(True, 5)])
        say(handed, Header, 0.02)
        say(command, JointState, 0.02)
        until([(True, 5), (False, 0)])
        composition.spin_until(lambda: odom.get_subscription_count() and command.get_subscription_count(), DEADLINE)
        for k in range(2, 9):
            say(odom, Odometry, 0.02 * k)
        until([(True, 5), (False, 0), (True, 0)])
        for k in range(2, 7):
            say(command, JointState, 0.02 * k)
        until([(True, 5), (False, 0), (True, 0), (False, 0)])
        composition.executor.remove_node(gazebo)
        gazebo.destroy_node()
    assert 'the nodes cannot keep up' in capfd.readouterr().err


def test_names_with_a_namespace_are_of_that_boat_alone():
    names = ['gazebo/handed', '/red/gazebo/thruster_command', '/redder/power']
    assert names_of_boat(names, '/red') == ['gazebo/handed', 'gazebo/thruster_command']
    assert names_of_boat(names, '/redder') == ['gazebo/handed', 'power']
    assert names_of_boat(names, '/blue') == ['gazebo/handed']


def test_the_world_waits_for_the_thrusts_of_the_boat_that_has_its_own_node(ros, attach):
    srv = pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    asked = []
    with Composition([], '/') as composition:
        gazebo = rclpy.create_node('gazebo')
        composition.executor.add_node(gazebo)
        said = {}
        for boat in ('red', 'blue'):
            gazebo.create_publisher(Odometry, f'/{boat}/odom', qos.STREAM)
            said[boat] = gazebo.create_publisher(Header, f'/{boat}/gazebo/handed', qos.STREAM)
        said['thrusts'] = gazebo.create_publisher(JointState, '/red/gazebo/thruster_command', qos.STREAM)

        def control(request, response):
            asked.append(request.world_control.multi_step)
            response.success = True
            return response

        gazebo.create_service(srv.ControlWorld, '/world/open_water/control', control)
        pacer = attach(composition, GazeboPacer, '/', boats=['red', 'blue'], readers=[''], pace='lockstep',
                       awaited=['gazebo/handed', '/red/gazebo/thruster_command'])
        assert composition.spin_until(lambda: asked == [5], DEADLINE), asked
        assert all(composition.spin_until(lambda one=one: one.get_subscription_count() == 1, DEADLINE)
                   for one in said.values())
        stamp = convert.stamp_of(20_000_000)
        for boat in ('red', 'blue'):
            said[boat].publish(Header(stamp=stamp))
        assert composition.spin_until(
            lambda: pacer._lockstep.missing == {('/red', 'gazebo/thruster_command')}, DEADLINE)
        assert asked == [5]
        said['thrusts'].publish(JointState(header=Header(stamp=stamp)))
        assert composition.spin_until(lambda: asked == [5, 5], DEADLINE), asked
        composition.executor.remove_node(gazebo)
        gazebo.destroy_node()


def test_a_world_that_is_as_fast_as_it_can_is_told_how_far_it_may_run(ros, attach, capfd):
    """No more than slack and 0.1 s beyond the last command of the slowest boat; that it waits there is no fault."""
    srv = pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    asked = []
    with Composition([], '/') as composition:
        gazebo = rclpy.create_node('gazebo')
        composition.executor.add_node(gazebo)
        said = {}
        for boat in ('red', 'blue'):
            gazebo.create_publisher(Odometry, f'/{boat}/odom', qos.STREAM)
            said[boat] = {topic: gazebo.create_publisher(Header, f'/{boat}/{topic}', qos.STREAM)
                          for topic in ('gazebo/handed', 'gazebo/commanded')}
            said[boat]['scenario_result'] = gazebo.create_publisher(
                ScenarioResult, f'/{boat}/scenario_result', qos.LATCHED)

        def control(request, response):
            world = request.world_control
            asked.append((world.pause, world.multi_step, round(1e-9 * convert.nanoseconds(world.run_to_sim_time), 3)))
            response.success = True
            return response

        def say(boat, topic, seconds):
            said[boat][topic].publish(Header(stamp=convert.stamp_of(round(seconds * convert.NANOSECONDS))))

        def until(*wanted):
            assert composition.spin_until(lambda: asked[-len(wanted):] == [*wanted], DEADLINE), asked

        gazebo.create_service(srv.ControlWorld, '/world/open_water/control', control)
        pacer = attach(composition, GazeboPacer, '/', boats=['red', 'blue'], readers=[''], slack=0.2, hurried=True,
                       awaited=['gazebo/handed'])
        until((True, 5, 0.0))
        assert all(composition.spin_until(lambda one=one: one.get_subscription_count() == 1, DEADLINE)
                   for boat in said.values() for one in boat.values())
        for boat in said:
            say(boat, 'gazebo/handed', 0.02)
        until((False, 0, 0.32))
        say('red', 'gazebo/commanded', 0.12)
        say('blue', 'gazebo/commanded', 0.1)
        until((False, 0, 0.4))
        say('blue', 'gazebo/commanded', 0.2)
        until((False, 0, 0.42))
        said['red']['scenario_result'].publish(ScenarioResult())
        until((False, 0, 0.5))
        # The world was reset: it may be beyond what was asked for, so it stands still until all have answered.
        say('blue', 'gazebo/commanded', 0.02)
        until((False, 0, 0.5), (True, 0, 0.0))
        say('blue', 'gazebo/commanded', 0.14)
        until((True, 0, 0.0), (False, 0, 0.44))
        assert pacer._jumped is False
        composition.executor.remove_node(gazebo)
        gazebo.destroy_node()
    assert 'cannot keep up' not in capfd.readouterr().err


def test_before_the_world_runs_nobody_complains_of_missing_odometry(ros, attach, capfd):
    scenario = scenario_nodes(read_scenario('2'), ScenarioOptions(simulator=GAZEBO))
    given = next(spec.parameters for spec in scenario if spec.executable == 'state_adapter')
    said = []

    def is_said(text):
        said.append(capfd.readouterr().err)
        return text in ''.join(said)

    with Composition([], '/') as composition:
        quiet = attach(composition, StateAdapter, '/quiet', silence=0.1, **given)
        attach(composition, StateAdapter, '/plain', silence=0.3)
        assert composition.spin_until(lambda: is_said('no odometry on /plain/odom'), DEADLINE)
        assert not is_said('no odometry on /quiet/odom')
        quiet._on_odometry(Odometry())
        assert composition.spin_until(lambda: is_said('no odometry on /quiet/odom'), DEADLINE)


def test_the_settler_steps_until_the_odometry_is_true_of_all_boats(ros, attach):
    srv = pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    asked = []
    with Composition([], '/') as composition:
        gazebo = rclpy.create_node('gazebo')
        composition.executor.add_node(gazebo)
        publishers = [gazebo.create_publisher(Odometry, f'/{boat}/odom', qos.STREAM) for boat in ('red', 'blue')]

        def control(request, response):
            asked.append((request.world_control.pause, request.world_control.multi_step))
            # As OdometryPublisher does: the way from the origin in a mean of ten steps. Blue is in it for longer.
            for publisher, wrong in zip(publishers, (2, 4)):
                odometry = Odometry()
                odometry.twist.twist.linear.y = 5000.0 if len(asked) <= wrong else 0.01
                publisher.publish(odometry)
            response.success = True
            return response

        gazebo.create_service(srv.ControlWorld, '/world/pool/control', control)
        settler = attach(composition, GazeboSettler, '/', boats=['red', 'blue'], world='pool', steps_per_period=7)
        assert composition.spin_until(lambda: settler.exit_status() == 0, DEADLINE)
        composition.executor.remove_node(gazebo)
        gazebo.destroy_node()
    assert asked == [(True, 7)] * 5


def test_the_pacer_says_what_it_waits_for(ros, attach, capfd):
    pytest.importorskip('ros_gz_interfaces.srv', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    with Composition([], '/boat') as composition:
        pacer = attach(composition, GazeboPacer, '/', boats=['boat', 'red'], world='pool')
        for _ in range(120):
            pacer._check()
    said = capfd.readouterr().err
    assert 'the service /world/pool/control' in said and '/boat/odom' in said and '/red/scenario_driver' in said


@pytest.mark.parametrize(('name', 'value', 'what'), [
    ('pace', 'fast', 'free, lockstep'), ('steps_per_period', 2.5, 'whole number'), ('steps_per_period', 0, 'greater'),
])
def test_a_pacers_wrong_parameter_is_refused_by_name(ros, capfd, name, value, what):
    node = GazeboPacer(parameter_overrides=[Parameter(name, value=value)])
    assert not node.bring_up()
    node.close()
    said = capfd.readouterr().err
    assert name in said and what in said
