"""Routes found in a process beside the graph's, and Nav2's action of a planner."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path

from usv_energy.files.side_process import SideProcess
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.studies.route.route_order import Place, PlannedWay, RouteOrder, planned_way

LOOK_PERIOD = 0.05  # s of wall time, between looks at whether a route was found.
ENDED = 'the node was deactivated while it looked for a route'
Answer = Callable[[PlannedWay | None, str], None]

ACTION = 'compute_path_to_pose'
Planner = Callable[[PoseStamped | None, PoseStamped], tuple[Path, str]]


class SidePlanning:
    """Finds one route after the other, and calls back in the thread that spins the node."""

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Start the process, until undone; for `activate`. What is under way then is answered with ENDED."""
        self._side = SideProcess()
        self._waiting: deque[tuple[Future[PlannedWay], Answer]] = deque()
        undo.callback(self._end)
        node.every(undo, LOOK_PERIOD, self._look)

    @property
    def is_busy(self) -> bool:
        """Whether a route is being looked for."""
        return bool(self._waiting)

    def find(self, order: RouteOrder, start: Place, goal: Place, depart: float, ahead: Place, answer: Answer) -> None:
        """Look for a route, as `planned_way` does; `answer` gets it, or None and why there is none."""
        self._waiting.append((self._side.call(planned_way, order, start, goal, depart, ahead), answer))

    def _look(self) -> None:
        while self._waiting and self._waiting[0][0].done():
            future, answer = self._waiting.popleft()
            try:
                way = future.result()
            except Exception as error:  # of another process: the answer says it, and the node lives on
                answer(None, str(error) or type(error).__name__)
            else:
                answer(way, '')

    def _end(self) -> None:
        self._side.kill()
        self._side.__exit__(KeyboardInterrupt, None, None)
        while self._waiting:
            self._waiting.popleft()[1](None, ENDED)


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
