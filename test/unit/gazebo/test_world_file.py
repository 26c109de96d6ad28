"""What a graph reads of a world file."""

from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.gazebo.world import DEFAULT_SYSTEMS, missing_systems, read_world, world_text
from usv_energy.sim.scenario import read_scenario

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
