"""
A scenario in Gazebo, from its start to its end: world, boats, bridge, energy, recording, table.

ros2 launch usv_energy gazebo.launch.py scenario:=3
"""

from typing import Any

from launch import LaunchDescription

from usv_energy.ros.graph.launch_arguments import Arguments, description_of


def _gazebo(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.gazebo.gazebo_launching import gazebo_actions
    return gazebo_actions(arguments)


def generate_launch_description() -> LaunchDescription:
    return description_of('gazebo', __file__, _gazebo)
