"""A thread that waits: for services and actions whose answers take seconds, while the node's own thread goes on."""

import contextlib
import threading
from contextlib import ExitStack
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from usv_energy.ros.framework.lifecycle import ManagedNode

ENDING = 10.0   # s of wall time, that the thread is waited for.


class AnsweringThread:
    """
    Spins a node of its own, `<name>_answers`, whose callbacks may wait.

    rclpy's events executor, in which ours spin, sends a service's answer as soon as its callback returns, and takes no
    coroutine for one.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Make the node; spin it until undone, once `start` was called. For `activate`."""
        self.node: Any = rclpy.create_node(f'{node.get_name()}_answers', namespace=node.get_namespace(),
                                           context=node.context, start_parameter_services=False,
                                           enable_rosout=False)
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name=self.node.get_name(), daemon=True)
        undo.callback(self._end)

    def start(self) -> None:
        """Spin, now that services and actions are there."""
        self._thread.start()

    def _spin(self) -> None:
        with contextlib.suppress(ExternalShutdownException):
            self._executor.spin()

    def _end(self) -> None:
        self._executor.shutdown(timeout_sec=ENDING)
        if self._thread.is_alive():
            self._thread.join(ENDING)
        self.node.destroy_node()
