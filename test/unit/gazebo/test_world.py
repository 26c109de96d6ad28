"""The SDF worlds: start, steps and currents of their scenario, banks where the river ends, committed copies fresh."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from sdf_reading import model_in, numbers, plugins, world_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.gazebo.world import (
    DEFAULT_SYSTEMS,
    boat_orders,
    boat_placements,
    checked_step,
    missing_systems,
    read_world,
    scenario_at,
    world_text,
)
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario


@pytest.mark.parametrize('scenario', ['1', '7', 'river/crossing_both'])
def test_the_boat_starts_where_the_scenario_does(scenario):
    x, y, yaw = read_scenario(scenario).start
    pose = numbers(model_in(world_of(scenario), 'diffboat'), 'pose')
    assert pose == pytest.approx([x, y, 0.0, 0.0, 0.0, yaw], abs=1e-9)


def test_several_boats_start_side_by_side_to_port_with_names_of_their_own():
    world = world_of('7', boats=3)
    poses = {one.get('name'): numbers(one, 'pose') for one in world.findall('model') if 'boat' in one.get('name')}
    assert list(poses) == ['diffboat', 'diffboat_2', 'diffboat_3']
    # Heading west, port is south; three lengths of 1.06 m between them.
    for number_, pose in enumerate(poses.values()):
        assert pose[:2] == pytest.approx([270.0, 95.0 - number_ * 3.18], abs=1e-6)
    spaces = [plugins(model_in(world, name), 'Hydrodynamics')[0].findtext('namespace') for name in poses]
    assert spaces == list(poses), 'each boat listens to a current of its own'
    assert 'boat' not in ' '.join(one.get('name') for one in world_of('7', boats=0).findall('model'))


def test_a_uniform_current_flows_from_the_start_and_none_is_written_for_still_water():
    current = plugins(model_in(world_of('3'), 'diffboat'), 'Hydrodynamics')[0].findtext('default_current')
    assert np.array(current.split(), float) == pytest.approx([0.4 * math.cos(math.pi / 4)] * 2 + [0.0], rel=1e-9)
    assert plugins(model_in(world_of('1'), 'diffboat'), 'Hydrodynamics')[0].find('default_current') is None


def test_the_odometrys_period_is_whole_steps():
    world = world_of()
    step = float(world.findtext('physics/max_step_size'))
    frequency = float(plugins(model_in(world, 'diffboat'), 'OdometryPublisher')[0].findtext('odom_publish_frequency'))
    assert (step, frequency) == (0.004, 50.0)
    assert checked_step(read_scenario('1'), 0.002) == 0.002
    for wrong in (0.003, 0.04, 0.0, -0.004):
        with pytest.raises(InputError, match=r'a whole number of steps must make the odometry\'s period, 0\.02 s'):
            checked_step(read_scenario('1'), wrong)


def test_pace_and_name_of_the_world():
    world = world_of(pace=0.0)
    assert (world.get('name'), world.findtext('physics/real_time_factor')) == ('open_water', '0')


def test_waypoints_are_marked_with_nothing_to_run_into():
    mark = model_in(world_of('1'), 'waypoint_1')
    assert numbers(mark, 'pose')[:2] == pytest.approx([270.0, 95.0])
    assert mark.find('link/collision') is None and mark.find('link/visual') is not None


def test_placements_keep_to_the_port_side():
    scenario = read_scenario('river/crossing_both')     # heading north: port is west
    first, second = boat_placements(scenario, 2)
    assert second.x < first.x and second.y == pytest.approx(first.y)


def test_a_keel_in_a_strong_wind_has_a_shorter_step(tmp_path):
    """Its side force dies away within milliseconds: 1e3 N m^2/s^2 x 8 / 56 kg at 5 m/s is 714 1/s, or so."""
    path = tmp_path / 'windy.yaml'
    path.write_text('base: 1\nboat: lutra_sail\nplant: lutra_sail\npublished: null\n'
                    'wind: {speed: 10.0, direction_deg: 0.0}\nsimulation: {step: 0.001}\n')
    scenario = read_scenario(str(path))
    step = checked_step(scenario, boats=[scenario.plant])
    assert step <= longest_step(scenario.plant.vessel, 10.0) < 0.0014
    assert 1e9 * step == pytest.approx(round(1e9 * step)), 'Gazebo counts nanoseconds'
    assert scenario.period / step == pytest.approx(round(scenario.period / step))
    medium = checked_step(read_scenario('sailing/upwind'), boats=[scenario.plant])
    assert medium == pytest.approx(0.0025), 'four m/s of wind allow 3.4 ms; six steps of 3.33 ms would be no period'
    with pytest.raises(InputError, match=r'must be at most 0\.0014 s for the foils of lutra_sail in a wind of 10 m/s'):
        checked_step(scenario, 0.004, [scenario.plant])
    assert checked_step(read_scenario('1'), None, [read_boat('lutra_rudder'), scenario.plant]) == 0.004


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


PLUGIN = '<plugin filename="gz-sim-x-system" name="{}"/>'


def test_a_world_file_is_read(tmp_path):
    path = tmp_path / 'w.sdf'
    path.write_text('<sdf version="1.9"><world name="pool"><physics name="p" type="dart"><max_step_size>0.002'
                    '</max_step_size></physics><model name="duck"/><include><uri>model://wamv</uri></include>'
                    '<include><uri>model://x</uri><name>tug</name></include></world></sdf>')
    assert read_world(path)[1:5] == ('pool', 0.002, ('duck', 'wamv', 'tug'), 1.0)


@pytest.mark.parametrize(('content', 'what'), [
    (None, 'cannot read'), ('<sdf', 'no XML'), ('<sdf/>', 'no <world>'), ('<sdf><world/></sdf>', 'no <world>'),
    ('<sdf><world name="w"><physics><max_step_size>fast</max_step_size></physics></world></sdf>', "'fast'"),
    ('<sdf><world name="w"><physics><real_time_factor>x</real_time_factor></physics></world></sdf>', "factor is 'x'"),
    ('<sdf><world name="w"><physics><max_step_size>0</max_step_size></physics></world></sdf>', 'greater than 0'),
])
def test_a_world_file_that_is_none(content, what, tmp_path):
    path = Path(tmp_path) / 'w.sdf'
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=what) as error:
        read_world(path)
    assert str(path) in str(error.value)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Have a home without a configuration of Gazebo."""
    for name in ('GZ_SIM_SERVER_CONFIG_PATH', 'IGN_GAZEBO_SERVER_CONFIG_PATH'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(tmp_path))
    return tmp_path


def write_world(folder, *plugins):
    path = folder / 'w.sdf'
    path.write_text(f'<sdf version="1.9"><world name="w">{"".join(map(PLUGIN.format, plugins))}</world></sdf>')
    return read_world(path)


def write_config(path, *plugins):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<server_config><plugins>{"".join(map(PLUGIN.format, plugins))}</plugins></server_config>')
    return str(path)


def lines(world, **changes):
    return missing_systems(world, **{'spawns': True, 'wind': True, 'window': True, **changes})


def test_a_world_that_is_written_here_has_all_systems(home):
    path = home / 'w.sdf'
    path.write_text(world_text(read_scenario('4'), 'open_water', (), 0.0, 'test'))
    world = read_world(path)
    assert lines(world) == ([], []) and world.pace == 0.0


def test_each_missing_system_has_a_line_of_what_it_is_for(home):
    vital, others = lines(write_world(home, 'gz::sim::systems::Sensors'))
    assert [line.partition('systems::')[2].split()[0] for line in vital + others] == [
        'Physics', 'UserCommands', 'Buoyancy', 'ApplyLinkWrench', 'SceneBroadcaster']
    assert all(str(home / 'w.sdf') in line for line in vital + others)


def test_what_a_run_does_not_need_is_not_missed(home):
    world = write_world(home, 'ignition::gazebo::systems::Physics', 'gz::sim::systems::Buoyancy')
    assert lines(world, spawns=False, wind=False, window=False) == ([], [])


def test_a_world_without_plugins_has_those_of_the_server_configuration(home, monkeypatch):
    assert write_world(home).systems == DEFAULT_SYSTEMS
    write_config(home / '.ignition/gazebo/6/server.config', 'gz::sim::systems::Physics')
    assert write_world(home).systems == {'Physics'}
    write_config(home / '.gz/sim/8/server.config', 'gz::sim::systems::Buoyancy')
    assert write_world(home).systems == {'Buoyancy'}
    monkeypatch.setenv('GZ_SIM_SERVER_CONFIG_PATH', write_config(home / 'own', 'a::Physics', 'a::Imu'))
    assert write_world(home).systems == {'Physics', 'Imu'}
    monkeypatch.setenv('GZ_SIM_SERVER_CONFIG_PATH', str(home / 'none'))
    assert write_world(home).systems == set(), 'as Gazebo has it: a file that is not there holds no system'


def test_a_server_configuration_adds_nothing_to_a_worlds_own_plugins(home, monkeypatch):
    monkeypatch.setenv('GZ_SIM_SERVER_CONFIG_PATH', write_config(home / 'own', 'gz::sim::systems::Physics'))
    assert write_world(home, 'gz::sim::systems::Imu').systems == {'Imu'}
