"""The node that gives Gazebo a boat's current and wind, on a real graph; Gazebo itself is played by the test."""

import math
import sys

import pytest
from geometry_msgs.msg import Vector3
from harness import hear
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.gazebo.bridge import WRENCH, WRENCH_CLEAR
from usv_energy.nodes.gazebo_environment import GazeboEnvironment
from usv_energy.nodes.gazebo_pacer import GazeboPacer
from usv_energy.nodes.gazebo_settler import GazeboSettler
from usv_energy.physics.motion import Motion
from usv_energy.ros.gazebo.gazebo_control import earth_wind_force
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert

CURRENT = FlowOptions('global', 0.4, 45.0)
WIND = FlowOptions('global', 5.0, -30.0)


def test_the_current_is_handed_on_when_it_changes_and_now_and_then(graph, attach):
    boat = graph(current=CURRENT)
    attach(boat.composition, GazeboEnvironment, wind_force=False)
    heard, handed = hear(boat, Vector3, 'gazebo/ocean_current'), hear(boat, Header, 'gazebo/handed')
    for k in range(120):
        boat.tell(0.02 * k)
    boat.until(lambda: len(handed) == 120)
    assert 2 <= len(heard) <= 4
    assert all((msg.x, msg.y, msg.z) == pytest.approx((0.4 * math.sqrt(0.5), 0.4 * math.sqrt(0.5), 0.0))
               for msg in heard)
    assert [convert.nanoseconds(msg.stamp) for msg in handed] == [20_000_000 * k for k in range(120)]


def test_a_sail_is_handed_the_wind_as_it_is(graph, attach):
    """Its apparent wind is Gazebo's own business; a boat without sails has no such topic."""
    boat = graph(wind=WIND)
    attach(boat.composition, GazeboEnvironment, wind_force=False, boat='lutra_sail')
    heard, handed = hear(boat, Vector3, 'gazebo/sail_wind'), hear(boat, Header, 'gazebo/handed')
    for k in range(60):
        boat.tell(0.02 * k, u=0.5, yaw=1.0)
    boat.until(lambda: len(handed) == 60)
    assert 1 <= len(heard) <= 3
    angle = math.radians(-30.0)
    assert all((msg.x, msg.y, msg.z) == pytest.approx((5.0 * math.cos(angle), 5.0 * math.sin(angle), 0.0))
               for msg in heard)


def test_an_unknown_current_leaves_gazebo_with_the_last(graph, attach, capfd):
    boat = graph(current=FlowOptions('local'), change={'current_client': {'deadline': 0.05}})
    attach(boat.composition, GazeboEnvironment, wind_force=False)
    heard, handed = hear(boat, Vector3, 'gazebo/ocean_current'), hear(boat, Header, 'gazebo/handed')
    boat.tell(0.0)
    boat.until(lambda: len(handed) == 1)
    assert heard == []
    assert 'the water current is unknown' in capfd.readouterr().err


def test_a_current_that_nobody_takes_is_complained_of(graph, attach, capfd):
    boat = graph(current=CURRENT)
    attach(boat.composition, GazeboEnvironment, wind_force=False, patience=0.5)
    boat.tell(0.0)
    said = []

    def complained():
        said.append(capfd.readouterr().err)
        return 'nobody takes /boat/gazebo/ocean_current' in ''.join(said)

    boat.until(complained)
    assert '<namespace>' in ''.join(said)


def test_still_water_that_nobody_takes_is_no_matter(graph, attach, capfd):
    boat = graph()
    node = attach(boat.composition, GazeboEnvironment, wind_force=False, patience=0.5)
    boat.tell(0.0)
    for _ in range(3):
        node._check_readers()
    assert 'nobody takes' not in capfd.readouterr().err


def test_without_the_bridges_messages_it_says_what_to_install(ros, monkeypatch, capfd):
    for module in ('ros_gz_interfaces', 'ros_gz_interfaces.msg', 'ros_gz_interfaces.srv'):
        monkeypatch.setitem(sys.modules, module, None)
    for node_class in (GazeboEnvironment, GazeboPacer, GazeboSettler):
        node = node_class(namespace='/boat')
        assert not node.bring_up()
        node.close()
    assert capfd.readouterr().err.count('sudo apt install ros-jazzy-ros-gz') == 3


def test_the_wrenches_add_up_to_the_winds_force(graph, attach):
    msgs = pytest.importorskip('ros_gz_interfaces.msg', reason='needs ros_gz_interfaces (ros-jazzy-ros-gz)')
    boat = graph(wind=WIND)
    attach(boat.composition, GazeboEnvironment, '/boat', model='red', link='hull')
    added, cleared = hear(boat, msgs.EntityWrench, WRENCH), hear(boat, msgs.Entity, WRENCH_CLEAR)
    motion = {'u': 1.0, 'v': -0.3, 'yaw': 2.0}
    for k in range(6):
        boat.tell(0.02 * k, **motion)
    boat.until(lambda: len(added) >= 1)
    wind = (5.0 * math.cos(math.radians(-30.0)), 5.0 * math.sin(math.radians(-30.0)))
    wanted = earth_wind_force(Motion(2.0, 1.0, -0.3, 0.0, 0.0, 0.0, 0.0), wind, read_boat('lutra_prop').vessel.windage)
    total = [math.fsum(getattr(msg.wrench.force, axis) for msg in added) for axis in 'xyz']
    assert total == pytest.approx([*wanted[:2], 0.0], rel=2e-3)
    assert all(msg.wrench.torque.z == 0.0 for msg in added), 'this boat has no yaw moment of the wind'
    assert {(msg.entity.name, msg.entity.type) for msg in added} <= {('red', 2), ('red::hull', 3)}
    assert {(msg.name, msg.type) for msg in cleared} <= {('red', 2), ('red::hull', 3)}


def test_how_far_the_commands_are_is_said_now_and_then(graph, attach):
    boat = graph()
    node = attach(boat.composition, GazeboEnvironment, wind_force=False)
    heard = hear(boat, Header, 'gazebo/commanded')
    for time in [0.02 * k for k in range(1, 30)] + [0.02, 0.04]:
        node._on_command(JointState(header=Header(stamp=convert.stamp_of(round(time * convert.NANOSECONDS)))))
    boat.until(lambda: len(heard) == 6)
    stamps = [round(1e-9 * convert.nanoseconds(msg.stamp), 2) for msg in heard]
    assert stamps == [0.1, 0.2, 0.3, 0.4, 0.5, 0.02]
