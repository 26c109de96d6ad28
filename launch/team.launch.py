"""
A team: boats with the embedded simulator, each in its namespace, and quadcopters that fly from their decks.

ros2 launch usv_energy team.launch.py team:=three_boats
"""

from typing import Any

from launch import LaunchDescription

from usv_energy.ros.graph.launch_arguments import Arguments, description_of


def _team(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.graph.launching import team_actions
    return team_actions(arguments)


def generate_launch_description() -> LaunchDescription:
    return description_of('team', __file__, _team)
