"""gazebo.launch.py, expanded by the real launch_ros; ros_gz is played by folders with its names, where it is absent."""

import contextlib
import importlib.util
import itertools
import os
import stat
import sys
import types
from pathlib import Path

import pytest
import yaml
from launch import LaunchContext, LaunchDescription, LaunchService
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, OpaqueFunction
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.logging import get_logger
from launch_ros.actions import Node
from launched import ROOT

from usv_energy.files.errors import InputError

NEEDS = ('launch_ros',)
FILE = ROOT / 'launch' / 'gazebo.launch.py'
SETTLER = 'gazebo_settler'
EXECUTABLES = {'ros_gz_sim': ('create',), 'ros_gz_bridge': ('parameter_bridge',),
               'usv_energy': ('compose', 'gazebo_pacer', 'gazebo_settler')}
# As in ros_gz_sim's own: through a shell, which does not hand its place over by itself where it looks for the program.
GZ_SIM = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, Shutdown
from launch.substitutions import LaunchConfiguration
def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('gz_args', default_value=''),
        ExecuteProcess(cmd=['$(which gz) sim', LaunchConfiguration('gz_args'), '--force-version', '8'],
                       name='gazebo', shell=True, on_exit=Shutdown())])
"""
GZ = """#!/bin/sh
if [ "$1" = service ]; then
    echo >> listings
    [ $(wc -l < listings) -le $(cat missed || echo 0) ] || cat services
    exit 0
fi
echo $$ > gazebo_pid; echo "$@" > gazebo_words
{then}
"""
STAYS, FAILS = 'exec sleep 60', 'exit 3'


def play_gazebo(folder, then, name='gz'):
    """
    Have a program in the place of Gazebo's: it writes down its process and arguments, and lists `services`.

    As many of its listings as the file `missed` says have nothing in them.
    """
    path = folder / 'bin' / name
    path.write_text(GZ.replace('{then}', then))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """Have packages of the names that are needed in the ament index; return the folder."""
    for package, programs in EXECUTABLES.items():
        marker = tmp_path / 'share/ament_index/resource_index/packages' / package
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
        (tmp_path / 'share' / package / 'launch').mkdir(parents=True)
        folder = tmp_path / 'lib' / package
        folder.mkdir(parents=True)
        for program in programs:
            path = folder / program
            path.write_text('#!/bin/sh\nexec sleep 60\n')
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
    (tmp_path / 'share/ros_gz_sim/launch/gz_sim.launch.py').write_text(GZ_SIM)
    (tmp_path / 'bin').mkdir()
    for name in ('gz', 'ign'):
        play_gazebo(tmp_path, FAILS, name)
    monkeypatch.setenv('PATH', os.pathsep.join([str(tmp_path / 'bin'), os.environ['PATH']]))
    prefixes = [str(tmp_path), *filter(None, [os.environ.get('AMENT_PREFIX_PATH')])]
    monkeypatch.setenv('AMENT_PREFIX_PATH', os.pathsep.join(prefixes))
    for name in ('ros_gz_interfaces', 'ros_gz_interfaces.msg'):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def description():
    spec = importlib.util.spec_from_file_location('gazebo_launch', FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


def expanded(**given):
    """Return the actions that the launch file comes to, and their context."""
    context = LaunchContext()
    context.launch_configurations.update(given)
    actions = []
    for entity in description().entities:
        if isinstance(entity, DeclareLaunchArgument):
            entity.execute(context)
        else:
            assert isinstance(entity, OpaqueFunction)
            actions += entity.execute(context)
    return [*actions, *after_settling(actions, context)], context


def after_settling(actions, context):
    """Return the nodes that start when the settler has ended well."""
    settler = next(action for action in actions if isinstance(action, Node) and action.node_executable == SETTLER)
    found = []
    for action in actions:
        handler = getattr(action, 'event_handler', None)
        if isinstance(handler, OnProcessExit):
            event = ProcessExited(action=settler, name='x', cmd=[], cwd='', env={}, pid=1, returncode=0)
            if handler.matches(event):
                found += [one for one in handler.handle(event, context) or [] if isinstance(one, Node)]
    return found


def text(context, substitutions):
    return ''.join(part.perform(context) for part in substitutions)


def commands(actions, context):
    """Return the command line of each Node by its program and namespace."""
    found = {}
    for node in (action for action in actions if isinstance(action, Node)):
        node._perform_substitutions(context)
        context.extend_locals({'ros_specific_arguments': {
            'name': node.node_name, 'ns': f'__ns:={node.expanded_node_namespace}'}})
        words = [text(context, word if isinstance(word, list) else [word]) for word in node.cmd]
        space = next((word.split(':=')[1] for word in words if word.startswith('__ns:=')), '')
        found.setdefault((os.path.basename(words[0]), space), []).append(words)
    return found


def parameters(words):
    """Return the parameters of files that a command line names, all in one."""
    files = [words[k + 1] for k, word in enumerate(words) if word == '--params-file']
    return {key: value for file in files for node in read_yaml(file).values()
            for key, value in node['ros__parameters'].items()}


def read_yaml(file):
    # launch_ros writes lists as Python's tuples.
    return yaml.load(Path(file).read_text(), Loader=yaml.FullLoader)


def gz_args(actions, context):
    group = next(action for action in actions if isinstance(action, GroupAction))
    include = next(part for part in group.get_sub_entities() if isinstance(part, IncludeLaunchDescription))
    return dict(include.launch_arguments)['gz_args']


def test_one_boat(workspace):
    actions, context = expanded(scenario='3', headless='true', out='here', pace='lockstep', convention='both')
    args = gz_args(actions, context)
    world = workspace / 'here/gazebo/open_water.sdf'
    assert args == f'-s "{world}"' and '-r' not in args.split(), 'paused: the pacer starts it'
    found = commands(actions, context)
    assert set(found) == {('create', ''), ('parameter_bridge', ''), (SETTLER, ''), ('gazebo_pacer', ''),
                          ('compose', '/diffboat')}
    create, = found['create', '']
    assert dict(itertools.pairwise(create)).items() >= {'-x': '240.0', '-y': '95.0', '-world': 'open_water'}.items()
    assert (workspace / 'here/gazebo/diffboat.sdf').read_text().count('<model name="diffboat"') == 1
    assert '<model name="diffboat"' not in world.read_text()
    bridge, = found['parameter_bridge', '']
    assert '/world/open_water/control@ros_gz_interfaces/srv/ControlWorld' in bridge
    config = parameters(bridge)['config_file']
    assert {entry['ros_topic_name'] for entry in read_yaml(config)} >= {
        '/clock', '/diffboat/odom', '/diffboat/cmd_thrust/left', '/diffboat/gazebo/ocean_current'}
    compose, = found['compose', '/diffboat']
    assert {'scenario', '--simulator=gazebo', '--pace=lockstep', '--convention=both', '--out=here'} <= set(compose)
    assert 'use_sim_time:=true' in compose
    pacer = parameters(found['gazebo_pacer', ''][0])
    assert pacer['steps_per_period'] == 5 and pacer['boats'] == ('diffboat',) and pacer['pace'] == 'lockstep'
    assert set(pacer['awaited']) == {'gazebo/handed', 'thruster_command', 'power', 'as_published/power', 'recorded',
                                     'as_published/recorded'}


def test_two_boats_in_one_world(workspace):
    actions, context = expanded(boats='red=3,blue=6', out='here')
    found = commands(actions, context)
    assert len(found['create', '']) == 2 and len(found['parameter_bridge', '']) == len(found['gazebo_pacer', '']) == 1
    for name, scenario in (('red', '3'), ('blue', '6')):
        compose, = found['compose', f'/{name}']
        assert f'--out=here/{name}' in compose
        assert any(word.endswith(f'/scenarios/{scenario}.yaml') for word in compose)
    assert parameters(found['gazebo_pacer', ''][0])['boats'] == ('red', 'blue')


def test_boats_of_the_same_scenario_start_side_by_side(workspace):
    actions, context = expanded(boats='3', scenario='4', out='here')
    places = [(float(words[words.index('-x') + 1]), float(words[words.index('-y') + 1]))
              for words in commands(actions, context)['create', '']]
    assert places[0] == (270.0, 95.0)
    assert [round(y, 6) for _, y in places] == [95.0, 95.0 - 3.18, 95.0 - 6.36], 'to port, which is south here'


def test_without_energy_and_recording(workspace):
    actions, context = expanded(energy='false', composed='false')
    # Of these nodes only some have a program in the played package: a look at their names is enough.
    names = {action.node_executable if isinstance(action.node_executable, str) else text(
        context, action.node_executable) for action in actions if isinstance(action, Node)}
    assert names == {'create', 'parameter_bridge', SETTLER, 'gazebo_pacer', 'state_adapter', 'current_client',
                     'wind_client', 'gazebo_environment', 'scenario_driver'}
    assert not (workspace / 'results').exists()


def test_a_world_of_ones_own_with_its_boat_is_not_given_another(workspace):
    path = workspace / 'mine.sdf'
    path.write_text('<sdf version="1.9"><world name="pool"><plugin filename="x" name="gz::sim::systems::Physics"/>'
                    '<physics name="p" type="dart"><max_step_size>0.01</max_step_size></physics>'
                    '<model name="diffboat"/></world></sdf>')
    actions, context = expanded(world=str(path), record='false')
    found = commands(actions, context)
    assert ('create', '') not in found
    pacer = parameters(found['gazebo_pacer', ''][0])
    assert pacer['world'] == 'pool' and pacer['steps_per_period'] == 2


@pytest.mark.parametrize(('given', 'what'), [
    ({'world': 'ocean'}, 'open_water or river'), ({'world': 'none.sdf'}, 'cannot read'),
    ({'boats': '0'}, 'boats is'), ({'boats': 'a,a'}, 'boats is'), ({'scenario': '9'}, "no scenario named '9'"),
    ({'headless': 'maybe'}, 'headless'), ({'real_time_factor': '-1'}, 'real_time_factor'),
    ({'boat': 'lutra_pro'}, "Did you mean 'lutra_prop'"),
])
def test_wrong_arguments_are_named(workspace, given, what):
    with pytest.raises(InputError, match=what):
        expanded(record='false', **given)


def test_a_step_that_does_not_divide_the_period(workspace):
    path = workspace / 'mine.sdf'
    path.write_text('<sdf version="1.9"><world name="pool"><physics name="p" type="dart"><max_step_size>0.003'
                    '</max_step_size></physics></world></sdf>')
    with pytest.raises(InputError, match=r'0\.003 s; the period of the scenario, 0\.02 s'):
        expanded(world=str(path), record='false')


@pytest.mark.parametrize('package', ['ros_gz_sim', 'ros_gz_bridge'])
def test_a_missing_package_is_named_with_its_cure(workspace, package, monkeypatch):
    marker = Path('share/ament_index/resource_index/packages') / package
    (workspace / marker).unlink()
    without = [prefix for prefix in os.environ['AMENT_PREFIX_PATH'].split(os.pathsep)
               if not (Path(prefix) / marker).exists()]
    monkeypatch.setenv('AMENT_PREFIX_PATH', os.pathsep.join(without))
    with pytest.raises(InputError, match=f"'{package}' is missing.*sudo apt install ros-jazzy-ros-gz"):
        expanded()


@pytest.fixture
def launch_log(caplog):
    """Return what launch logs, whose loggers hand nothing on to others, so that caplog hears none of them."""
    loggers = [get_logger(name) for name in ('launch', 'gazebo.launch')]
    for logger in loggers:
        logger.addHandler(caplog.handler)
    yield caplog
    for logger in loggers:
        logger.removeHandler(caplog.handler)


def launched(**given):
    """Launch in this process, to its end; return the exit code."""
    service = LaunchService(argv=[f'{key}:={value}' for key, value in given.items()])
    service.include_launch_description(LaunchDescription([IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(FILE)), launch_arguments=given.items())]))
    return service.run()


def is_running(pid):
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def test_gazebo_that_ends_first_ends_the_launch_with_an_error(workspace, launch_log):
    assert launched(headless='true') == 1
    assert 'Gazebo ended before the scenario, with exit code 3' in launch_log.text


def test_gazebo_is_started_by_ros_gz_with_our_arguments(workspace):
    launched(headless='true', gz_args='-v 4', out='here')
    said = (workspace / 'gazebo_words').read_text()
    assert said == f'sim -s -v 4 {workspace}/here/gazebo/open_water.sdf --force-version 8\n'


@pytest.mark.parametrize('program', [
    'ros_gz_sim/create', 'usv_energy/gazebo_settler', 'ros_gz_bridge/parameter_bridge'])
def test_a_helper_that_fails_ends_the_launch_with_its_name_and_gazebo_with_it(workspace, launch_log, program):
    play_gazebo(workspace, STAYS)
    (workspace / 'lib' / program).write_text('#!/bin/sh\nwhile ! [ -s gazebo_words ]; do sleep 0.05; done; exit 4\n')
    assert launched(headless='true') == 1
    assert program.split('/')[1] in launch_log.text and 'exit code 4' in launch_log.text
    assert not is_running(int((workspace / 'gazebo_pid').read_text()))


def test_a_spawner_that_crashes_after_its_success_ends_nothing(workspace, launch_log, monkeypatch):
    """The launch goes on, here until Gazebo ends."""
    warned = workspace / 'warned'
    monkeypatch.setattr(get_logger('gazebo.launch'), 'warning', warned.write_text)
    play_gazebo(workspace, 'for i in $(seq 600); do [ -s warned ] && break; sleep 0.05; done; exit 3')
    (workspace / 'lib/ros_gz_sim/create').write_text(
        '#!/bin/sh\necho "Entity creation successfull." >&2; kill -SEGV $$\n')
    assert launched(headless='true') == 1
    assert 'ended with exit code -11 after it had spawned its model' in warned.read_text()
    assert 'Gazebo ended before the scenario, with exit code 3' in launch_log.text


def test_a_second_gazebo_of_the_same_world_is_refused(workspace):
    (workspace / 'services').write_text('/gazebo/worlds\n/world/open_water/control\n/world/open_water/control/state\n')
    with pytest.raises(InputError, match="Gazebo with the world 'open_water' is running already"):
        expanded()


@pytest.mark.parametrize(('load', 'missed', 'refused'), [(100.0, 3, True), (0.0, 0, True), (0.0, 1, False)])
def test_a_listing_that_misses_the_world_is_made_anew_on_a_busy_machine(workspace, monkeypatch, load, missed, refused):
    (workspace / 'bin/ign').unlink()
    (workspace / 'services').write_text('/world/open_water/control\n')
    (workspace / 'missed').write_text(str(missed))
    monkeypatch.setattr('os.getloadavg', lambda: (load * os.cpu_count(), 0.0, 0.0))
    with pytest.raises(InputError, match='running already') if refused else contextlib.nullcontext():
        expanded(record='false')
    assert len((workspace / 'listings').read_text().splitlines()) == missed + refused or not refused


@pytest.mark.parametrize('failing', [('gz',), ('gz', 'ign')])
def test_tools_that_list_nothing_are_warned_of_where_no_other_lists(workspace, launch_log, failing):
    for name in failing:
        (workspace / 'bin' / name).write_text('#!/bin/sh\nexit 7\n')
    expanded(record='false')
    assert ('is not known' in launch_log.text) is (failing == ('gz', 'ign'))


def test_a_gazebo_with_another_world_is_warned_of(workspace, launch_log):
    (workspace / 'services').write_text('/world/pool/control\n')
    expanded(record='false')
    assert "a Gazebo with the world 'pool' is running already" in launch_log.text


def pool(*systems, name='mine.sdf'):
    plugins = ''.join(f'<plugin filename="x" name="gz::sim::systems::{system}"/>' for system in systems)
    Path(name).write_text(f'<sdf version="1.9"><world name="pool">{plugins}<physics name="p" type="dart">'
                          '<max_step_size>0.01</max_step_size></physics></world></sdf>')
    return str(Path(name).resolve())


def test_a_world_without_vital_systems_is_refused_with_a_line_for_each(workspace):
    with pytest.raises(InputError) as error:
        expanded(world=pool('SceneBroadcaster'), record='false')
    physics, commands = str(error.value).splitlines()
    assert 'no system gz::sim::systems::Physics' in physics and 'UserCommands' in commands


def test_a_world_without_other_systems_is_warned_of(workspace, launch_log):
    expanded(world=pool('Physics', 'UserCommands'), record='false', headless='true', scenario='6')
    assert 'Buoyancy' in launch_log.text and 'SceneBroadcaster' not in launch_log.text


@pytest.mark.parametrize(('factor', 'hurried'), [('0', True), ('1', False)])
def test_the_pacer_is_told_of_a_world_without_a_pace(workspace, factor, hurried):
    actions, context = expanded(record='false', real_time_factor=factor)
    assert parameters(commands(actions, context)['gazebo_pacer', ''][0])['hurried'] is hurried


def test_every_argument_is_described():
    for action in description().entities:
        if isinstance(action, DeclareLaunchArgument):
            assert action.description or action.choices, action.name
    assert any(isinstance(action, OpaqueFunction) for action in description().entities)

