"""The bridge's file: its keys and types are those of ros_gz_bridge, its topics those of Gazebo's systems."""


import pytest
import yaml
from sdf_reading import plugins

from usv_energy.air.quadcopter import read_quadcopter
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import share_folder
from usv_energy.gazebo.bridge import (
    BridgedBoat,
    BridgedQuadcopter,
    boat_entries,
    bridge_yaml,
    bridged_boat,
    main,
    named_boats,
)
from usv_energy.gazebo.quadcopter_model import quadcopter_model

# The pairs of types we use, of those in ros_gz_bridge/ros_gz_bridge/mappings.py of github.com/gazebosim/ros_gz, branch
# jazzy, commit 739cb42a5846cd12a526b97ba051a2d8cdbe034b; the keys of its src/bridge_config.cpp; its directions.
MAPPINGS = {
    ('rosgraph_msgs/msg/Clock', 'gz.msgs.Clock'), ('nav_msgs/msg/Odometry', 'gz.msgs.Odometry'),
    ('sensor_msgs/msg/JointState', 'gz.msgs.Model'),
    ('std_msgs/msg/Float64', 'gz.msgs.Double'), ('geometry_msgs/msg/Vector3', 'gz.msgs.Vector3d'),
    ('geometry_msgs/msg/Twist', 'gz.msgs.Twist'), ('std_msgs/msg/Bool', 'gz.msgs.Boolean'),
    ('ros_gz_interfaces/msg/EntityWrench', 'gz.msgs.EntityWrench'), ('ros_gz_interfaces/msg/Entity', 'gz.msgs.Entity'),
}
KEYS = {'ros_topic_name', 'gz_topic_name', 'ros_type_name', 'gz_type_name', 'direction', 'lazy', 'publisher_queue',
        'subscriber_queue'}
SAMPLES = {'diffboat.yaml': ['diffboat'], 'two_boats.yaml': ['diffboat', 'diffboat_2']}


def entries_of(text):
    return yaml.safe_load(text)


@pytest.mark.parametrize('file', SAMPLES)
def test_shipped_files_are_as_generated(file, capsys):
    main(['--world', 'open_water', '--boats', *SAMPLES[file]])
    assert (share_folder() / 'config' / 'bridge' / file).read_text() == capsys.readouterr().out


def test_types_keys_and_directions_are_those_of_ros_gz_bridge():
    entries = entries_of(bridge_yaml('open_water', named_boats(['diffboat', 'red']),
                                     [BridgedQuadcopter('/quadcopter', 'quadcopter')]))
    for entry in entries:
        assert set(entry) == KEYS
        assert (entry['ros_type_name'], entry['gz_type_name']) in MAPPINGS
        # What a boat or Gazebo measures comes in, what moves it goes out.
        measured = entry['ros_type_name'] in ('nav_msgs/msg/Odometry', 'rosgraph_msgs/msg/Clock',
                                              'sensor_msgs/msg/JointState')
        assert entry['direction'] == ('GZ_TO_ROS' if measured else 'ROS_TO_GZ')
        assert entry['publisher_queue'] == entry['subscriber_queue'] == 1000


def test_no_topic_of_gazebo_is_advertised_twice():
    # gz-transport refuses a second publisher of a topic in one node, and ros_gz_bridge is one.
    entries = entries_of(bridge_yaml('river', named_boats(['a', 'b', 'c']), [BridgedQuadcopter('/q', 'q')]))
    for side in ('gz_topic_name', 'ros_topic_name'):
        topics = [entry[side] for entry in entries]
        assert len(set(topics)) == len(topics)


def test_a_boat_of_other_names_and_thrusters():
    boat = BridgedBoat('/fleet/wamv/', 'wam-v', ('port', 'mid', 'starboard'))
    pairs = {entry['ros_topic_name']: entry['gz_topic_name'] for entry in entries_of(bridge_yaml('w', [boat]))}
    assert pairs['/fleet/wamv/odom'] == '/model/wam-v/odometry'
    assert pairs['/fleet/wamv/cmd_thrust/mid'] == '/model/wam-v/joint/mid_propeller_joint/cmd_thrust'
    assert pairs['/fleet/wamv/gazebo/ocean_current'] == '/model/wam-v/ocean_current'
    assert pairs['/clock'] == '/world/w/clock'
    assert pairs['/fleet/wamv/actuator_states'] == '/model/wam-v/joint_state'
    assert len(pairs) == 3 + 1 + 3 + 1 + 1


def test_thrusts_of_a_boat_with_propellers_or_cells_go_through_the_node_that_answers_them(capsys):
    def thrusts(boat):
        return {one.ros_topic_name: one.gz_topic_name for one in boat_entries(boat) if 'thrust' in one.ros_topic_name}

    gazebo = '/model/red/joint/left_propeller_joint/cmd_thrust'
    assert thrusts(bridged_boat(read_boat('lutra_prop'), 'red'))['/red/cmd_thrust/left'] == gazebo
    answered = thrusts(bridged_boat(read_boat('kayak'), 'red'))
    assert answered and all(topic.startswith('/red/gazebo/cmd_thrust/') for topic in answered)
    main(['--boats', 'red', '--answered'])
    topics = {entry['ros_topic_name'] for entry in entries_of(capsys.readouterr().out)}
    assert {'/red/gazebo/cmd_thrust/left', '/red/gazebo/cmd_thrust/right'} <= topics
    assert '/red/cmd_thrust/left' not in topics


def test_what_turns_and_what_stands_in_the_wind_is_bridged():
    def pairs(name):
        return {one.ros_topic_name: one for one in boat_entries(bridged_boat(read_boat(name), 'red'))}

    airboat, sailboat = pairs('lutra_airboat'), pairs('lutra_sail')
    assert airboat['/red/cmd_angle/fan'].gz_topic_name == '/model/red/joint/fan_angle_joint/0/cmd_pos'
    assert {topic for topic in sailboat if 'cmd' in topic} == {'/red/cmd_angle/sail', '/red/cmd_angle/rudder'}
    wind = sailboat['/red/gazebo/sail_wind']
    assert (wind.gz_topic_name, wind.lazy) == ('/model/red/air/ocean_current', True)
    assert '/red/gazebo/sail_wind' not in airboat, 'a fan pushes as commanded, whatever the wind'
    for entry in (*airboat.values(), *sailboat.values()):
        assert (entry.ros_type_name, entry.gz_type_name) in MAPPINGS


def test_a_quadcopters_topics_are_those_of_its_systems():
    entries = entries_of(bridge_yaml('w', [], [BridgedQuadcopter('/air/', 'craft')]))
    pairs = {entry['ros_topic_name']: entry['gz_topic_name'] for entry in entries}
    assert pairs['/air/cmd_vel'] == '/model/craft/cmd_vel' and pairs['/air/enable'] == '/model/craft/enable'
    assert pairs['/air/gazebo/wind'] == '/model/craft/air/ocean_current'
    model = quadcopter_model(read_quadcopter('ar_drone'), 'craft')
    (control,) = plugins(model, 'MulticopterVelocityControl')
    assert control.findtext('robotNamespace') == 'model/craft' and control.findtext('commandSubTopic') == 'cmd_vel'
    (states,) = plugins(model, 'JointStatePublisher')
    assert states.findtext('topic') == pairs['/air/gazebo/rotors']
