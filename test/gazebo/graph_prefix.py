"""
A prefix in which gazebo.launch.py finds ros_gz_sim and ros_gz_bridge, also where they are not installed.

Gazebo is a real server; where ros_gz is missing, the bridge and `create` are graph_bridge.py and graph_pipe.cpp.
usv_energy's own programs are those of this checkout.
"""

import os
import stat
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# As in ros_gz_sim's own gz_sim.launch.py, through a shell that stays.
GZ_SIM = '''
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, Shutdown
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('gz_args', default_value=''),
        ExecuteProcess(cmd=['ruby $(which {program}) {command}', LaunchConfiguration('gz_args')], name='gazebo',
                       shell=True, output='screen', on_exit=Shutdown())])
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
# As setup.py's: launch holds signals back until `usv_energy.start` lets them through.
PROGRAM = '''#!{python}
import sys
from usv_energy.start import main
sys.exit(main())
'''
PROGRAMS = ('compose', 'state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator',
            'flow_server', 'scenario_driver', 'recorder', 'gazebo_environment', 'gazebo_settler', 'gazebo_pacer',
            'gazebo_thrusters', 'gazebo_quadcopter')


def has_ros_gz():
    """Return whether the real ros_gz_sim and ros_gz_bridge are installed."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix
    try:
        return all(get_package_prefix(name) for name in ('ros_gz_sim', 'ros_gz_bridge'))
    except PackageNotFoundError:
        return False


def make_prefix(folder, server, pipe):
    """
    Make the prefix and return the environment in which launch finds it.

    :param server: The words of the command that starts Gazebo: a program and its command.
    :param pipe: The program that graph_pipe.cpp is compiled to; None: the real ros_gz is used.
    """
    folder, python = Path(folder), sys.executable
    for name in PROGRAMS:
        _write(folder / 'lib/usv_energy' / name, PROGRAM.format(python=python))
    packages = ['usv_energy']
    if pipe is not None:
        packages += ['ros_gz_sim', 'ros_gz_bridge']
        _write(folder / 'share/ros_gz_sim/launch/gz_sim.launch.py', GZ_SIM.format(program=server[0], command=server[1]))
        _write(folder / 'lib/ros_gz_sim/create', CREATE.format(python=python, pipe=str(pipe)))
        _write(folder / 'lib/ros_gz_bridge/parameter_bridge',
               BRIDGE.format(python=python, bridge=HERE / 'graph_bridge.py', pipe=pipe))
    for package in packages:
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
