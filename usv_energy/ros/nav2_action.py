"""Nav2's action of a planner, where Nav2's messages are there: routes for its behaviour trees and its controllers."""

from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path

ACTION = 'compute_path_to_pose'
Planner = Callable[[PoseStamped | None, PoseStamped], tuple[Path, str]]


def offer_compute_path(node: Any, undo: ExitStack, plan: Planner) -> bool:
    """
    Offer `compute_path_to_pose` until undone, where nav2_msgs is installed; return whether it is.

    :param node: Whose callbacks may wait.
    :param plan: From a start (None: where the boat is) and a goal to a path, and why it is empty.

    Source: nav2_msgs/action/ComputePathToPose.action and nav2_planner of Jazzy.
    """
    if find_spec('nav2_msgs') is None:
        return False
    from nav2_msgs.action import ComputePathToPose
    from rclpy.action import ActionServer

    def execute(handle: Any) -> Any:
        goal, begin = handle.request, node.get_clock().now()
        path, why = plan(goal.start if goal.use_start else None, goal.goal)
        result = ComputePathToPose.Result(path=path)
        result.planning_time = (node.get_clock().now() - begin).to_msg()
        if why:
            result.error_code = ComputePathToPose.Result.NO_VALID_PATH
            result.error_msg = why
            handle.abort()
        else:
            handle.succeed()
        return result

    server = ActionServer(node, ComputePathToPose, ACTION, execute)
    undo.callback(server.destroy)
    return True
