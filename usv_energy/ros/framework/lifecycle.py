"""ManagedNode: the lifecycle written once, so that a node says only what it makes and how that is undone."""

import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from copy import copy
from typing import Any, ClassVar

from rcl_interfaces.msg import SetParametersResult
from rclpy.clock import Clock, ClockType
from rclpy.constants import S_TO_NS
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.timer import Timer

from usv_energy.files.errors import InputError
from usv_energy.ros.framework.executor import make_executor, spin_until
from usv_energy.ros.framework.intra_process import IntraProcess, IntraProcessPublisher, IntraProcessSubscription
from usv_energy.ros.framework.manager_bond import hold_bond
from usv_energy.ros.framework.node_parameters import ACTIVE, INACTIVE, UNCONFIGURED, NodeParameters
from usv_energy.ros.framework.parameters import AUTOSTART, BOND_HEARTBEAT_PERIOD, EXIT_WHEN_DONE, Declaration
from usv_energy.ros.framework.process import end_process, limit_shutdown, ros_process
from usv_energy.ros.framework.qos import STREAM

CRASHED, WRONG_INPUT = 1, 2

# How long a late reader outside of the process waits for the last message of a latched topic at most, s of wall time.
LATE_READER_PERIOD = 0.2


class Watchdog:
    """A timer that calls once, unless it is set again or cleared in time."""

    def __init__(self, callback: Callable[[], None], patience: Callable[[], float]) -> None:
        """Take what to call, and what tells after how long, s; the timer comes after."""
        self.timer: Timer | None = None
        self._callback = callback
        self._patience = patience
        self._period = patience()

    def set(self) -> None:
        """Begin waiting, anew if it was waiting."""
        if self.timer is not None:
            if self._patience() != self._period:
                self._period = self._patience()
                self.timer.timer_period_ns = self._period * S_TO_NS
            self.timer.reset()

    def clear(self) -> None:
        """Wait no longer."""
        if self.timer is not None:
            self.timer.cancel()

    def stop(self) -> None:
        """Never wait again."""
        self.clear()
        self.timer = None

    def bark(self) -> None:
        """Call, once."""
        self.clear()
        self._callback()


class ManagedNode(LifecycleNode):
    """
    A lifecycle node that says what it makes, and stacks how that is undone.

    `configure(undo)` reads parameters and makes publishers; `activate(undo)` makes subscriptions, timers and clients
    (rclpy keeps those of an inactive node running unless they are destroyed). Both push the undoing onto `undo`. What
    they raise is logged, which rclpy would not do, and the transition fails.

    `declared` are the node's parameters, which are there from the start. Live ones are read where they are used.
    """

    declared: ClassVar[tuple[Declaration, ...]] = ()

    def __init__(self, name: str = '', intra_process: IntraProcess | None = None,
                 defaults: Mapping[str, Any] | None = None, **options: Any) -> None:
        """
        Make the node, unconfigured.

        :param name: Of the node; that of its class in snake_case where empty.
        :param intra_process: Of the nodes of this process that hand messages over to each other; None: of this one.
        :param defaults: Values of parameters over which the command line and params files win.
        :param options: Those of rclpy's Node; over its `parameter_overrides` nothing wins.
        """
        super().__init__(name or re.sub('(?<!^)(?=[A-Z])', '_', type(self).__name__).lower(), **options)
        for key, value in (defaults or {}).items():
            self._parameter_overrides.setdefault(key, Parameter(key, value=value))
        self.intra_process = intra_process if intra_process is not None else IntraProcess()
        # One a node: rcl warns, on stdout, where a clock has many timers.
        self._wall = Clock(clock_type=ClockType.STEADY_TIME)
        self._configured = ExitStack()
        self._activated = ExitStack()
        self._latched: list[IntraProcessPublisher] = []
        self._stage = UNCONFIGURED
        own = (AUTOSTART, BOND_HEARTBEAT_PERIOD, *((EXIT_WHEN_DONE,) if self.has_end() else ()))
        self.parameters = NodeParameters(self, (*type(self).declared, *own))
        self._is_managed = True

    @classmethod
    def main(cls) -> None:
        """Run the node in a separate process, and exit with its status: what its executable does."""
        end_process(run_node(cls, on_closed=limit_shutdown))

    def configure(self, undo: ExitStack) -> None:
        """Read parameters and make publishers."""

    def activate(self, undo: ExitStack) -> None:
        """Make subscriptions, timers and clients."""

    def working_with(self) -> str:
        """Return what an active node works with, for the line in its log that says that it is there; empty: no line."""
        return ''

    def change(self, names: set[str]) -> None:
        """Do what a change of live parameters needs at once; most are only read where they are used."""

    @classmethod
    def has_end(cls) -> bool:
        """Return whether nodes of this class are done some time, and then have an `exit_status`."""
        return cls.exit_status is not ManagedNode.exit_status

    def exit_status(self) -> int | None:
        """
        Return None while there is work to come; then what a process that was started for this work alone exits with.

        Most nodes never are done.
        """
        return None

    def advertise(self, undo: ExitStack, kind: type, topic: str,
                  profile: QoSProfile = STREAM) -> IntraProcessPublisher:
        """Return a publisher that speaks while the node is active; for `configure`."""
        near = IntraProcessPublisher(kind, self.resolve_topic_name(topic), profile)
        near.publisher = self.create_lifecycle_publisher(kind, topic, profile)
        undo.callback(self.destroy_lifecycle_publisher, near.publisher)
        self.intra_process.add_publisher(near)
        undo.callback(self.intra_process.remove_publisher, near)
        if near.latched:
            self._latched.append(near)
            undo.callback(self._latched.remove, near)
        return near

    def listen(self, undo: ExitStack, kind: type, topic: str, callback: Callable[[Any], None],
               profile: QoSProfile = STREAM, raw: bool = False, **options: Any) -> None:
        """
        Subscribe until undone; for `activate`. The profile may be overridden by parameters (`qos_overrides`).

        :param raw: Give the callback a Delivery, which holds the message serialized, too, instead of the message.
        :param options: More of rclpy's create_subscription.
        """
        # rclpy looks at the callback's signature (one argument), and writes what is overridden into the profile given.
        profile = copy(profile)
        near = IntraProcessSubscription(kind, self.resolve_topic_name(topic), callback, raw)
        options = {'qos_overriding_options': QoSOverridingOptions.with_default_policies(), **options}
        subscription = self.create_subscription(kind, topic, near.on_dds, profile, raw=True, **options)
        undo.callback(self.destroy_subscription, subscription)
        near.use(profile)
        self.intra_process.add_subscription(near)
        undo.callback(self.intra_process.remove_subscription, near)

    def every(self, undo: ExitStack, period: float, callback: Callable[[], None]) -> Timer:
        """Return a timer that calls every so many s of wall time until undone; for `activate`."""
        guarded = _until(undo, callback)
        timer = self.create_timer(period, lambda: guarded(), clock=self._wall)
        undo.callback(self.destroy_timer, timer)
        return timer

    def watchdog(self, undo: ExitStack, patience: float | str, callback: Callable[[], None]) -> Watchdog:
        """
        Return a watchdog that calls once, so long after it was last set; for `activate`.

        :param patience: s of wall time, or the name of the live parameter that holds them.
        """
        name = patience if isinstance(patience, str) else ''
        given = self.parameters.number(name) if name else float(patience)
        dog = Watchdog(callback, (lambda: self.parameters.number(name)) if name else (lambda: given))
        dog.timer = self.every(undo, given, dog.bark)
        dog.clear()
        undo.callback(dog.stop)
        return dog

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `configure`."""
        return self._enter(self.configure, self._configured, INACTIVE)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `activate`: publishers first, so that the first callback can publish."""
        super().on_activate(state)
        result = self._enter(self.activate, self._activated, ACTIVE)
        if result is not TransitionCallbackReturn.SUCCESS:
            super().on_deactivate(state)
            return result
        period = self.parameters.number(BOND_HEARTBEAT_PERIOD.name)
        if self._is_managed and period > 0.0 and hold_bond(self, self._activated, period):
            self.get_logger().info('bond held for the lifecycle manager')
        if self._latched:
            self.every(self._activated, LATE_READER_PERIOD, self._greet_late_readers)
        if said := self.working_with():
            self.get_logger().info(f'active: {said}')
        return result

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `deactivate`: publishers last, so that the undoing can still publish."""
        result = self._leave(self._activated, INACTIVE)
        super().on_deactivate(state)
        return result

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `cleanup`."""
        return self._leave(self._configured, UNCONFIGURED)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer the transition `shutdown`, from whichever state."""
        return self.on_error(state)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer a failed undoing: drop what is left and be unconfigured."""
        self._leave(self._activated, INACTIVE)
        return self._leave(self._configured, UNCONFIGURED)

    def close(self) -> None:
        """Undo everything and destroy the node: how a process ends, also without transitions."""
        self._leave(self._activated, INACTIVE)
        self._leave(self._configured, UNCONFIGURED)
        self.destroy_node()

    def bring_up(self) -> bool:
        """Configure and activate without a manager; return whether both succeeded."""
        self._is_managed = False
        try:
            return (self.trigger_configure() is TransitionCallbackReturn.SUCCESS
                    and self.trigger_activate() is TransitionCallbackReturn.SUCCESS)
        finally:
            self._is_managed = True

    def set_parameters(self, parameter_list: Iterable[Parameter]) -> list[SetParametersResult]:
        """Change parameters one by one; return for each whether it was accepted, and if not, why."""
        return [self.set_parameters_atomically([one]) for one in parameter_list]

    def set_parameters_atomically(self, parameter_list: Iterable[Parameter]) -> SetParametersResult:
        """Change parameters all at once or not at all; return whether they were accepted, and if not, why."""
        try:
            changes = self.parameters.accepted(parameter_list, self._stage)
        except InputError as error:
            return SetParametersResult(successful=False, reason=str(error))
        if not changes:
            return SetParametersResult(successful=True)
        result = super().set_parameters_atomically(changes)
        taken = self.parameters.take(changes) if result.successful else {}
        if taken and self._stage != UNCONFIGURED:
            self.get_logger().info(f'from now on {", ".join(f"{name} is {value}" for name, value in taken.items())}')
            try:
                self.change(set(taken))
            except Exception:
                # An exception here would end the executor, which calls this for the parameter service.
                self.get_logger().error(f'the change failed\n{traceback.format_exc()}')
        return result

    def _greet_late_readers(self) -> None:
        """
        Send the last messages of latched topics to readers outside of the process that came since.

        The event `matched` would say so at once, but rclpy's events executor crashes where an event waits for a
        publisher that is destroyed meanwhile, as `cleanup` does: https://github.com/ros2/rclpy/issues/1644.
        """
        for publisher in self._latched:
            publisher.greet_outside()

    def _enter(self, make: Callable[[ExitStack], None], stack: ExitStack, stage: str) -> TransitionCallbackReturn:
        with ExitStack() as undo:
            try:
                self.parameters.check()
                make(undo)
            except InputError as error:
                self.get_logger().error(str(error))
                return TransitionCallbackReturn.FAILURE
            except Exception:
                self.get_logger().error(f'{make.__name__} failed\n{traceback.format_exc()}')
                return TransitionCallbackReturn.FAILURE
            stack.push(undo.pop_all())
        self._stage = stage
        return TransitionCallbackReturn.SUCCESS

    def _leave(self, stack: ExitStack, stage: str) -> TransitionCallbackReturn:
        self._stage = stage
        try:
            stack.close()
        except Exception:
            self.get_logger().error(f'undoing failed\n{traceback.format_exc()}')
            return TransitionCallbackReturn.ERROR
        # rclpy keeps a weak reference to every entity that ever was.
        group = self.default_callback_group
        group.entities = {reference for reference in group.entities if reference() is not None}
        return TransitionCallbackReturn.SUCCESS


def _until(undo: ExitStack, callback: Callable[..., None]) -> Callable[..., None]:
    """
    Return a callback that does nothing once `undo` has run.

    An executor may still hold a message for a subscription that was destroyed a moment ago.
    """
    over: list[bool] = []
    undo.callback(over.append, True)
    return lambda *args: None if over else callback(*args)


def run_node(node_class: Callable[[], ManagedNode], args: list[str] | None = None,
             on_closed: Callable[[int], None] | None = None) -> int:
    """
    Spin one node until SIGINT or SIGTERM; `autostart: true` configures and activates it first.

    `exit_when_done: true`, of nodes that have an `exit_status`, ends the process when the node has one.

    :param args: Of rclpy.init; None: those of the process.
    :param on_closed: Called with the exit code when the node's files are closed, before ROS shuts down.
    :return: The exit code of the process: 2 if `autostart` failed.
    """
    status = CRASHED
    with ros_process(args) as stopped:
        node = node_class()
        try:
            status = _spin_node(node, stopped)
        except InputError as error:
            node.get_logger().error(str(error))
            status = WRONG_INPUT
        finally:
            node.close()
            if on_closed is not None:
                on_closed(status)
    return status


def _spin_node(node: ManagedNode, stopped: Callable[[], bool]) -> int:
    node.parameters.check(AUTOSTART.name)
    if node.parameters.flag(AUTOSTART.name) and not node.bring_up():
        return WRONG_INPUT
    executor = make_executor()
    executor.add_node(node)

    def has_ended() -> bool:
        return node.parameters.flag(EXIT_WHEN_DONE.name) and node.exit_status() is not None

    spin_until(lambda: stopped() or has_ended(), executor, node.intra_process)
    return node.exit_status() or 0 if has_ended() and not stopped() else 0
