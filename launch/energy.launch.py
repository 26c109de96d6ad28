"""
Power and energy for any odometry: of a real boat, of Gazebo, of a bag.

ros2 launch usv_energy energy.launch.py boat:=wamv odom:=/wamv/odom current_mode:=global current_speed:=0.4
"""

from typing import Any

from launch import LaunchDescription

from usv_energy.ros.graph.launch_arguments import Arguments, description_of


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.graph.launching import graph_processes, with_end_handler
    return with_end_handler(graph_processes(arguments.options('energy', out=arguments.out('energy')), arguments,
                                   arguments['namespace'], arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of('energy', __file__, _graph)
