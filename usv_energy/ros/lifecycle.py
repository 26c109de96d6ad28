"""ManagedNode: the lifecycle written once, so that a node says only what it makes and how that is undone."""

import contextlib
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from ..files.errors import InputError
from . import parameters


class ManagedNode(LifecycleNode):
    """
    A lifecycle node that says what it makes, and stacks how that is undone.

    `configure(undo)` reads parameters and makes publishers; `activate(undo)` makes subscriptions, timers and clients
    (rclpy keeps those of an inactive node running unless they are destroyed). Both push the undoing onto `undo`. What
    they raise is logged, which rclpy would not do, and the transition fails.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """Make the node, unconfigured. Options are those of rclpy's Node."""
        super().__init__(name, **options)
        self._configured = ExitStack()
        self._activated = ExitStack()

    def configure(self, undo: ExitStack) -> None:
        """Read parameters and make publishers."""

    def activate(self, undo: ExitStack) -> None:
        """Make subscriptions, timers and clients."""

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `configure`."""
        return self._enter(self.configure, self._configured)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `activate`: publishers first, so that the first callback can publish."""
        super().on_activate(state)
        result = self._enter(self.activate, self._activated)
        if result is not TransitionCallbackReturn.SUCCESS:
            super().on_deactivate(state)
        return result

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `deactivate`: publishers last, so that the undoing can still publish."""
        result = self._leave(self._activated)
        super().on_deactivate(state)
        return result

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `cleanup`."""
        return self._leave(self._configured)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `shutdown`, from whichever state."""
        self._leave(self._activated)
        return self._leave(self._configured)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer a failed undoing: drop what is left and be unconfigured."""
        self._leave(self._activated)
        return self._leave(self._configured)

    def close(self) -> None:
        """Undo everything and destroy the node: how a process ends, also without transitions."""
        self._leave(self._activated)
        self._leave(self._configured)
        self.destroy_node()

    def bring_up(self) -> bool:
        """Configure and activate; return whether both succeeded."""
        return (self.trigger_configure() is TransitionCallbackReturn.SUCCESS
                and self.trigger_activate() is TransitionCallbackReturn.SUCCESS)

    def _enter(self, make: Callable[[ExitStack], None], stack: ExitStack) -> TransitionCallbackReturn:
        with ExitStack() as undo:
            try:
                make(undo)
            except InputError as error:
                self.get_logger().error(str(error))
                return TransitionCallbackReturn.FAILURE
            except Exception:
                self.get_logger().error(f'{make.__name__} failed\n{traceback.format_exc()}')
                return TransitionCallbackReturn.FAILURE
            stack.push(undo.pop_all())
        return TransitionCallbackReturn.SUCCESS

    def _leave(self, stack: ExitStack) -> TransitionCallbackReturn:
        try:
            stack.close()
        except Exception:
            self.get_logger().error(f'undoing failed\n{traceback.format_exc()}')
            return TransitionCallbackReturn.ERROR
        return TransitionCallbackReturn.SUCCESS


def make_executor() -> Any:
    """
    Return the executor that a process of ours spins.

    rclpy's events executor handles a message in an eighth of the time of the single-threaded one (bench/executors); it
    is looked up because early Jazzy releases lack it.
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor
        return SingleThreadedExecutor()
    return EventsExecutor()


def run_node(node_class: Callable[[], ManagedNode], args: list[str] | None = None) -> int:
    """
    Spin one node until it is shut down; `autostart: true` configures and activates it first.

    :return: The exit code of the process: 2 if `autostart` failed.
    """
    rclpy.init(args=args)
    node = node_class()
    try:
        autostart = parameters.flag(node, 'autostart', False, 'Configure and activate at start, without a manager.')
        if autostart and not node.bring_up():
            return 2
        executor = make_executor()
        executor.add_node(node)
        with contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):
            executor.spin()
    except InputError as error:
        node.get_logger().error(str(error))
        return 2
    finally:
        node.close()
        rclpy.try_shutdown()
    return 0
