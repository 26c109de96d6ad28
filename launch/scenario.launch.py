"""
A scenario with the embedded simulator, from its start to its end.

ros2 launch usv_energy scenario.launch.py scenario:=3
"""

from pathlib import Path
from typing import Any

from launch import LaunchDescription

from usv_energy.ros.graph.launch_arguments import Arguments, description_of


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.graph.launching import graph_processes, with_end_handler
    out = arguments.out(Path(arguments['scenario']).stem)
    return with_end_handler(graph_processes(arguments.options('scenario', out=out), arguments, arguments['namespace'],
                                   arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of('scenario', __file__, _graph)
