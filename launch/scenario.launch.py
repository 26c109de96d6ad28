"""
A scenario with the embedded simulator, from its start to its end.

ros2 launch usv_energy scenario.launch.py scenario:=3
"""

from pathlib import Path
from typing import Any

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from usv_energy.ros.launch_arguments import Arguments, description_of, shared

ARGUMENTS = [
    DeclareLaunchArgument('scenario', default_value='1',
                          description='A name in config/scenarios, or the path of a YAML file or of a mission: .plan, '
                                      '.waypoints, GPX, KML, GeoJSON (with boat)'),
    *shared('namespace'),
    DeclareLaunchArgument('boat', default_value='',
                          description="A name in config/boats, or the path of a YAML file; empty: the scenario's"),
    DeclareLaunchArgument('plant', default_value='',
                          description='Another boat that moves than that of the power model; empty: the same'),
    DeclareLaunchArgument('speed', default_value='0.0',
                          description="Over ground, m/s, where a waypoint has none of its own; 0: the scenario's, of a "
                                      "mission the plan's, else the boat's cheapest"),
    DeclareLaunchArgument('current', default_value='',
                          description="SPEED,DIRECTION (m/s, and where it flows to, degrees counter-clockwise from "
                                      "east) or a flow file; empty: the scenario's, of a mission none"),
    DeclareLaunchArgument('wind', default_value='', description='Likewise'),
    DeclareLaunchArgument('wind_height', default_value='0.0',
                          description='At which that wind holds, m above water; 0: at the boat'),
    DeclareLaunchArgument('convention', default_value='', choices=['', 'rep103', 'as_published', 'both'],
                          description="Of the power model; empty: the scenario's"),
    DeclareLaunchArgument('pace', default_value='lockstep',
                          description='lockstep (the same result on any machine), or a real-time factor like 1.0'),
    *shared('composed', 'autostart'),
    DeclareLaunchArgument('record', default_value='true',
                          description='Write a table of all samples, a summary, a picture and a bag'),
    DeclareLaunchArgument('out', default_value='',
                          description='Folder for that; empty: results/<boat>-<scenario>-<time>'),
    *shared('bag', 'plots', 'clock', 'respawn', 'params_file', 'use_sim_time', 'log_level'),
]


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.launching import graph_processes, watched
    return watched(graph_processes([
        'scenario', f'--out={arguments.out(Path(arguments["scenario"]).stem)}',
        *arguments.options(['scenario', 'boat', 'plant', 'speed', 'current', 'wind', 'wind_height', 'convention',
                            'pace'],
                           ['bag', 'plots', 'clock', 'autostart'])],
        arguments, arguments['namespace'], arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of(ARGUMENTS, __file__, _graph)
