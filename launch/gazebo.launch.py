"""
A scenario in Gazebo, from its start to its end: world, boats, bridge, energy, recording, table.

ros2 launch usv_energy gazebo.launch.py scenario:=3
"""

from typing import Any

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from usv_energy.ros.launch_arguments import Arguments, description_of, shared

ARGUMENTS = [
    DeclareLaunchArgument('scenario', default_value='1',
                          description='A name in config/scenarios, or the path of a YAML file'),
    DeclareLaunchArgument('world', default_value='open_water',
                          description='open_water or river, written for the scenario; or the path of an SDF file'),
    DeclareLaunchArgument('boats', default_value='1',
                          description='How many, side by side; or names, which are their namespaces: red,blue; or '
                                      'names, each with its scenario: red=3,blue=6'),
    DeclareLaunchArgument('boat', default_value='',
                          description="A name in config/boats, or the path of a YAML file; empty: the scenario's"),
    DeclareLaunchArgument('plant', default_value='',
                          description='Another boat that moves than that of the power model; empty: the same'),
    DeclareLaunchArgument('convention', default_value='', choices=['', 'rep103', 'as_published', 'both'],
                          description="Of the power model; empty: the scenario's"),
    DeclareLaunchArgument('quadcopter', default_value='',
                          description="A name in config/quadcopters, or the path of a YAML file: it stands on the "
                                      "first boat's deck, /quadcopter in ROS; empty: none"),
    DeclareLaunchArgument('pad', default_value='0,0,0.3',
                          description="Where its middle stands: m ahead, to port, up of the boat's point"),
    DeclareLaunchArgument('take_off', default_value='5',
                          description='When it takes off, s; 0: by the service /quadcopter/take_off'),
    DeclareLaunchArgument('land', default_value='0',
                          description='From when on it lands, s; 0: by the service /quadcopter/land'),
    DeclareLaunchArgument('headless', default_value='false', description='Gazebo without its window'),
    DeclareLaunchArgument('real_time_factor', default_value='1.0',
                          description="Real-time factor of a world that is written here; 0: as fast as it can"),
    DeclareLaunchArgument('pace', default_value='free', choices=['free', 'lockstep'],
                          description='free: Gazebo runs by itself; lockstep: each step waits for all answers to the '
                                      'odometry before it'),
    DeclareLaunchArgument('energy', default_value='true', description='Compute power and energy'),
    DeclareLaunchArgument('composed', default_value='true',
                          description='The nodes of a boat in one process, or one each'),
    *shared('autostart'),
    DeclareLaunchArgument('record', default_value='true',
                          description='Write a table of all samples, a summary, a picture and a bag'),
    DeclareLaunchArgument('out', default_value='',
                          description='Folder for that; empty: results/gazebo-<scenario>-<time>'),
    *shared('bag', 'plots'),
    DeclareLaunchArgument('gz_args', default_value='', description="More arguments for Gazebo, like '-v 4'"),
    *shared('params_file'),
    DeclareLaunchArgument('use_sim_time', default_value='true', description='Time from /clock'),
    *shared('log_level'),
]


def _gazebo(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.gazebo_launching import gazebo_actions
    return gazebo_actions(arguments)


def generate_launch_description() -> LaunchDescription:
    return description_of(ARGUMENTS, __file__, _gazebo)
