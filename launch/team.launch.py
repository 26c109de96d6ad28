"""
A team: boats with the embedded simulator, each in its namespace, and quadcopters that fly from their decks.

ros2 launch usv_energy team.launch.py team:=three_boats
"""

from typing import Any

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from usv_energy.ros.launch_arguments import Arguments, description_of, shared

ARGUMENTS = [
    DeclareLaunchArgument('team', default_value='three_boats',
                          description='A name in config/teams, or the path of a YAML file'),
    DeclareLaunchArgument('pace', default_value='lockstep',
                          description='lockstep (of each boat with its own nodes), or a real-time factor like 1.0'),
    *shared('composed', 'autostart'),
    DeclareLaunchArgument('record', default_value='true',
                          description='Write a table of all samples, a summary, a picture and a bag of each boat'),
    DeclareLaunchArgument('out', default_value='', description='Folder for that; empty: results/team-<team>-<time>'),
    *shared('bag', 'plots', 'params_file', 'use_sim_time', 'log_level'),
]


def _team(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.team_launching import team_actions
    return team_actions(arguments)


def generate_launch_description() -> LaunchDescription:
    return description_of(ARGUMENTS, __file__, _team)
