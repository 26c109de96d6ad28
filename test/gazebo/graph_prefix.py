"""
A prefix in which gazebo.launch.py finds ros_gz_sim and ros_gz_bridge, where neither can be installed.

Gazebo is a real server (Fortress, `ign gazebo -s`); the bridge and `create` are graph_bridge.py and graph_pipe.cpp.
usv_energy's own programs are those of this checkout.
"""

import os
import stat
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

GZ_SIM = '''
import os
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('gz_args', default_value=''),
        ExecuteProcess(cmd=['exec {server}', ' ', LaunchConfiguration('gz_args')], name='gazebo', shell=True,
                       output='screen')])
'''
CREATE = '''#!{python}
import subprocess, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
sys.exit(subprocess.call([{pipe!r}, 'create', *(words[key] for key in (
    '-world', '-file', '-name', '-x', '-y', '-z', '-Y'))]))
'''
BRIDGE = '''#!/bin/sh
world=$(echo "$1" | cut -d/ -f3)
shift
exec {python} -P {bridge} from_parameters "$world" --pipe {pipe} "$@"
'''
PROGRAM = '''#!/bin/sh
exec {python} -P -m usv_energy.{module} "$@"
'''
PROGRAMS = {'compose': 'ros.compose', **{name: f'nodes.{name}' for name in (
    'state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator', 'flow_server',
    'scenario_driver', 'recorder', 'gazebo_environment', 'gazebo_settler', 'gazebo_pacer')}}


def make_prefix(folder, server, pipe):
    """
    Make the prefix and return the environment in which launch finds it.

    :param server: The command that starts Gazebo's server.
    :param pipe: The program that graph_pipe.cpp is compiled to.
    """
    folder, python = Path(folder), sys.executable
    _write(folder / 'share/ros_gz_sim/launch/gz_sim.launch.py', GZ_SIM.format(server=server))
    _write(folder / 'lib/ros_gz_sim/create', CREATE.format(python=python, pipe=str(pipe)))
    _write(folder / 'lib/ros_gz_bridge/parameter_bridge',
           BRIDGE.format(python=python, bridge=HERE / 'graph_bridge.py', pipe=pipe))
    for name, module in PROGRAMS.items():
        _write(folder / 'lib/usv_energy' / name, PROGRAM.format(python=python, module=module))
    for package in ('ros_gz_sim', 'ros_gz_bridge', 'usv_energy'):
        _write(folder / 'share/ament_index/resource_index/packages' / package, '')
        (folder / 'share' / package).mkdir(parents=True, exist_ok=True)
    def first(name, value):
        return os.pathsep.join([str(value), *filter(None, [os.environ.get(name)])])
    return {**os.environ, 'AMENT_PREFIX_PATH': first('AMENT_PREFIX_PATH', folder),
            'PYTHONPATH': first('PYTHONPATH', ROOT)}


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
