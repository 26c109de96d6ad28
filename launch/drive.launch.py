"""
A boat to be driven by hand, by Nav2 or along a path: simulator, driver, power and energy.

ros2 launch usv_energy drive.launch.py boat:=lutra_prop
ros2 topic pub -r 10 /diffboat/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.8}, angular: {z: 0.1}}'
"""

from typing import Any

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from usv_energy.ros.launch_arguments import Arguments, description_of, shared

ARGUMENTS = [
    *shared('namespace'),
    DeclareLaunchArgument('boat', default_value='',
                          description="A name in config/boats, or the path of a YAML file; empty: the scenario's"),
    DeclareLaunchArgument('scenario', default_value='drive/open_water',
                          description='A name in config/scenarios, or the path of a YAML file: whose start, water and '
                                      'air these are'),
    DeclareLaunchArgument('current', default_value='',
                          description='Water: m/s and where it flows to, degrees counter-clockwise from east, as '
                                      "0.4,45; or a flow file; empty: the scenario's"),
    DeclareLaunchArgument('wind', default_value='', description='Air, likewise'),
    DeclareLaunchArgument('wind_height', default_value='0.0',
                          description='Height above water at which that wind holds, m (10: of forecasts); 0: at the '
                                      'boat'),
    DeclareLaunchArgument('convention', default_value='rep103', choices=['rep103', 'as_published'],
                          description="Of the power model: right, or with the thesis's signs"),
    DeclareLaunchArgument('pace', default_value='1.0',
                          description='A real-time factor, or lockstep (each step waits for all answers)'),
    *shared('composed', 'autostart'),
    DeclareLaunchArgument('record', default_value='false', description='Write a table of all samples, and a bag'),
    DeclareLaunchArgument('out', default_value='', description='Folder for that; empty: results/<boat>-drive-<time>'),
    *shared('bag', 'clock', 'respawn', 'params_file', 'use_sim_time', 'log_level'),
]


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.launching import graph_processes, watched
    return watched(graph_processes([
        'drive', f'--out={arguments.out("drive")}',
        *arguments.options(['boat', 'scenario', 'current', 'wind', 'wind_height', 'convention', 'pace'],
                           ['bag', 'clock', 'autostart'])],
        arguments, arguments['namespace'], arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of(ARGUMENTS, __file__, _graph)
