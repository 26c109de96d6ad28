"""For the node route_server: a thread for slow services, a process that finds routes, and Nav2's action for a path."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from usv_energy.files.side_process import SideProcess
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.studies.route.route_order import PlannedWay, Point, RouteOrder, planned_way

CHECK_PERIOD = 0.05  # s of wall time, between checks for a finished route.
DEACTIVATED = 'the node was deactivated while it looked for a route'
Answer = Callable[[PlannedWay | None, str], None]

ACTION = 'compute_path_to_pose'
Planner = Callable[[PoseStamped | None, PoseStamped], tuple[Path, str]]

JOIN_TIMEOUT = 10.0   # s of wall time, for the thread to end.


class RoutePlanner:
    """Finds one route after the other in a separate process, and calls back in the thread that spins the node."""

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Start the process, until undone; for `activate`. Requests that are left then are answered by DEACTIVATED."""
        self._process = SideProcess()
        self._waiting: deque[tuple[Future[PlannedWay], Answer]] = deque()
        undo.callback(self._end)
        node.every(undo, CHECK_PERIOD, self._answer_finished)

    @property
    def is_busy(self) -> bool:
        """Whether it is finding a route."""
        return bool(self._waiting)

    def find(self, order: RouteOrder, start: Point, goal: Point, depart: float, ahead: Point, answer: Answer) -> None:
        """Find a route by `planned_way`; `answer` is called with it, or with None and the reason."""
        self._waiting.append((self._process.call(planned_way, order, start, goal, depart, ahead), answer))

    def _answer_finished(self) -> None:
        while self._waiting and self._waiting[0][0].done():
            future, answer = self._waiting.popleft()
            try:
                way = future.result()
            except Exception as error:  # Of the other process: it becomes the answer, and the node goes on.
                answer(None, str(error) or type(error).__name__)
            else:
                answer(way, '')

    def _end(self) -> None:
        self._process.kill()
        self._process.__exit__(KeyboardInterrupt, None, None)
        while self._waiting:
            self._waiting.popleft()[1](None, DEACTIVATED)


def offer_compute_path(node: Any, undo: ExitStack, plan: Planner) -> bool:
    """
    Offer the action `compute_path_to_pose` until undone, if nav2_msgs is installed; return whether it is.

    :param node: A node whose callbacks may block.
    :param plan: Returns the path from a start (None: the boat's place) to a goal, and the reason if it is empty.

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


class ServiceThread:
    """
    A thread with a second node, `<name>_answers`, whose service and action callbacks may block.

    rclpy's events executor, which spins our nodes, sends the answer of a service as soon as its callback returns, and
    does not accept a coroutine as a callback.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Make the node; for `activate`. `start` spins it, until undone."""
        self.node: Any = rclpy.create_node(f'{node.get_name()}_answers', namespace=node.get_namespace(),
                                           context=node.context, start_parameter_services=False,
                                           enable_rosout=False)
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name=self.node.get_name(), daemon=True)
        undo.callback(self._end)

    def start(self) -> None:
        """Spin the node. Its services and actions must exist."""
        self._thread.start()

    def _spin(self) -> None:
        with contextlib.suppress(ExternalShutdownException):
            self._executor.spin()

    def _end(self) -> None:
        self._executor.shutdown(timeout_sec=JOIN_TIMEOUT)
        if self._thread.is_alive():
            self._thread.join(JOIN_TIMEOUT)
        self.node.destroy_node()
