"""
A boat to be driven by hand, by Nav2 or along a path: simulator, driver, power and energy.

ros2 launch usv_energy drive.launch.py boat:=lutra_prop
ros2 topic pub -r 10 /diffboat/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.8}, angular: {z: 0.1}}'
"""

from typing import Any

from launch import LaunchDescription

from usv_energy.ros.graph.launch_arguments import Arguments, description_of


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.graph.launching import graph_processes, with_end_handler
    return with_end_handler(graph_processes(arguments.options('drive', out=arguments.out('drive')), arguments,
                                   arguments['namespace'], arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of('drive', __file__, _graph)
