"""The bridge's file: its keys and types are those of ros_gz_bridge, its topics those of Gazebo's systems."""

from pathlib import Path

import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.gazebo.bridge import BridgedBoat, bridge_yaml, main, named_boats
from usv_energy.gazebo.fleet import boat_orders, scenario_at
from usv_energy.gazebo.sdfworld import read_world
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

# The pairs of types we use, of those in ros_gz_bridge/ros_gz_bridge/mappings.py of github.com/gazebosim/ros_gz, branch
# jazzy, commit 739cb42a5846cd12a526b97ba051a2d8cdbe034b; the keys of its src/bridge_config.cpp; its directions.
MAPPINGS = {
    ('rosgraph_msgs/msg/Clock', 'gz.msgs.Clock'), ('nav_msgs/msg/Odometry', 'gz.msgs.Odometry'),
    ('std_msgs/msg/Float64', 'gz.msgs.Double'), ('geometry_msgs/msg/Vector3', 'gz.msgs.Vector3d'),
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
    entries = entries_of(bridge_yaml('open_water', named_boats(['diffboat', 'red'])))
    for entry in entries:
        assert set(entry) == KEYS
        assert (entry['ros_type_name'], entry['gz_type_name']) in MAPPINGS
        # What a boat or Gazebo measures comes in, what moves it goes out.
        measured = entry['ros_type_name'] in ('nav_msgs/msg/Odometry', 'rosgraph_msgs/msg/Clock')
        assert entry['direction'] == ('GZ_TO_ROS' if measured else 'ROS_TO_GZ')
        assert entry['publisher_queue'] == entry['subscriber_queue'] == 1000


def test_no_topic_of_gazebo_is_advertised_twice():
    # gz-transport refuses a second publisher of a topic in one node, and ros_gz_bridge is one.
    entries = entries_of(bridge_yaml('river', named_boats(['a', 'b', 'c'])))
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
    assert len(pairs) == 3 + 1 + 3 + 1


@pytest.mark.parametrize(('text', 'wanted'), [
    ('1', [('diffboat', '3', 0)]),
    ('2', [('diffboat', '3', 0), ('diffboat_2', '3', 1)]),
    ('red,blue', [('red', '3', 0), ('blue', '3', 1)]),
    ('red=6, blue', [('red', '6', 0), ('blue', '3', 0)]),
    ('a=3,b,c=6', [('a', '3', 0), ('b', '3', 1), ('c', '6', 0)]),
])
def test_boats_asked_for(text, wanted):
    assert boat_orders(text, '3') == wanted


@pytest.mark.parametrize('text', ['', '0', '-1', 'a,,b', 'a,a', 'a=', '2boats', 'a b'])
def test_boats_that_cannot_be(text):
    with pytest.raises(InputError, match='boats is'):
        boat_orders(text, '1')


@pytest.mark.parametrize('name', ['4', '6', 'river/crossing_current'])
def test_a_boat_beside_another_runs_the_same(name, tmp_path):
    first = read_scenario(name)
    path = tmp_path / 'second.yaml'
    path.write_text(yaml.safe_dump(scenario_at(first, 1)))
    second = read_scenario(str(path))
    moved = [b - a for a, b in zip(first.start, second.start)]
    assert moved[0] ** 2 + moved[1] ** 2 == pytest.approx((3.0 * 1.06) ** 2)
    assert moved[2] == pytest.approx(0.0, abs=1e-12)
    for one, other in zip(first.waypoints, second.waypoints):
        assert (other[0] - one[0], other[1] - one[1]) == pytest.approx(tuple(moved[:2]))
    if name in '46':
        runs = [run_scenario(scenario) for scenario in (first, second)]
        assert runs[1].energy.total == pytest.approx(runs[0].energy.total, rel=1e-9)


def test_a_world_file_is_read(tmp_path):
    path = tmp_path / 'w.sdf'
    path.write_text('<sdf version="1.9"><world name="pool"><physics name="p" type="dart"><max_step_size>0.002'
                    '</max_step_size></physics><model name="duck"/><include><uri>model://wamv</uri></include>'
                    '<include><uri>model://x</uri><name>tug</name></include></world></sdf>')
    assert read_world(path)[1:] == ('pool', 0.002, ('duck', 'wamv', 'tug'))


@pytest.mark.parametrize(('content', 'what'), [
    (None, 'cannot read'), ('<sdf', 'no XML'), ('<sdf/>', 'no <world>'), ('<sdf><world/></sdf>', 'no <world>'),
    ('<sdf><world name="w"><physics><max_step_size>fast</max_step_size></physics></world></sdf>', "'fast'"),
    ('<sdf><world name="w"><physics><max_step_size>0</max_step_size></physics></world></sdf>', 'greater than 0'),
])
def test_a_world_file_that_is_none(content, what, tmp_path):
    path = Path(tmp_path) / 'w.sdf'
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=what) as error:
        read_world(path)
    assert str(path) in str(error.value)
