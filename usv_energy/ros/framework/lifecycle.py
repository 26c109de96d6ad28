"""ManagedNode: the lifecycle of all our nodes. A node defines what it makes, and how that is undone."""

import math
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from copy import copy
from functools import partial
from typing import Any, ClassVar

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rcl_interfaces.msg import SetParametersResult
from rclpy.clock import Clock, ClockType
from rclpy.constants import S_TO_NS
from rclpy.duration import Duration
from rclpy.exceptions import InvalidHandle
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.timer import Timer

from usv_energy.files.errors import InputError
from usv_energy.files.limits import MOST_PARAMETERS, safe_name
from usv_energy.ros.framework.followed_publisher import ONE_PUBLISHER, FollowedPublisher, WithInfo, names_of
from usv_energy.ros.framework.intra_process import IntraProcess, IntraProcessPublisher, IntraProcessSubscription
from usv_energy.ros.framework.node_parameters import ACTIVE, INACTIVE, UNCONFIGURED, NodeParameters
from usv_energy.ros.framework.parameters import AUTOSTART, BOND_HEARTBEAT_PERIOD, EXIT_WHEN_DONE, Declaration
from usv_energy.ros.framework.process import end_process, limit_shutdown, make_executor, ros_process, spin_until
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert

CRASHED, WRONG_INPUT = 1, 2
SHUTDOWNS = (Transition.TRANSITION_UNCONFIGURED_SHUTDOWN, Transition.TRANSITION_INACTIVE_SHUTDOWN,
             Transition.TRANSITION_ACTIVE_SHUTDOWN)
# Period in which latched topics look for new readers outside of the process, s of wall time.
LATE_READER_PERIOD = 0.2

# Of a watchdog: share of its timeout, and s.
TICKS, SHORTEST_TICK, LONGEST_TICK = 0.25, 0.01, 0.25

BOND_TOPIC = 'bond'
# The manager watches the node, but not the other way round, as in the nodes of nav2: this timeout, s, disables it.
NO_BOND_TIMEOUT = 1e7
# Time for the manager to receive the end of a bond, s of wall time.
BOND_END_TIMEOUT = 0.5
# Of what is refused: between its statuses, s of wall time; how many of a period are logged; how long a warning stays.
REFUSALS_PERIOD, LOGGED_REFUSALS, REFUSED_FOR = 1.0, 5, 60.0


class Watchdog:
    """
    Calls a function once, unless it is set again or cleared in time; up to a tick of its timer late.

    Its timer ticks while the watchdog runs, and is not reset then: each reset that waits in the queue of rclpy's events
    executor has it call all timers that are due, once more each (rclpy 7.1.6, `timers_manager.cpp`). With a reset at
    each message, or at each call, a graph that is late calls them ever more often, until its memory is full.
    """

    def __init__(self, callback: Callable[[], None], timeout: Callable[[], float]) -> None:
        """Store the callback, and the function that returns the timeout, s. `ManagedNode.watchdog` sets the timer."""
        self.timer: Timer | None = None
        self._callback = callback
        self._timeout, self._period = timeout, timeout()
        self._ticks = False
        self._set_at = math.nan     # s of time.monotonic; NaN: it is clear

    @property
    def tick(self) -> float:
        """Period of the timer, s."""
        return min(max(TICKS * self._period, min(self._period, SHORTEST_TICK)), LONGEST_TICK)

    def set(self) -> None:
        """Start the watchdog, or start it again."""
        self._set_at = time.monotonic()
        if self._ticks and self._timeout() == self._period:
            return
        self._period = self._timeout()
        if self.timer is not None:
            self._ticks = True
            self.timer.timer_period_ns = self.tick * S_TO_NS
            self.timer.reset()

    def clear(self) -> None:
        """Stop the watchdog until it is set again; the next tick is then the last one."""
        self._set_at = math.nan

    def stop(self) -> None:
        """Stop the watchdog for good."""
        self.rest()
        self.timer = None

    def rest(self) -> None:
        """Stop the timer until the watchdog is set."""
        self._ticks, self._set_at = False, math.nan
        if self.timer is not None:
            self.timer.cancel()

    def look(self) -> None:
        """Call the function if the timeout has passed; at each tick."""
        left = self._set_at + self._period - time.monotonic()
        if not left > 0.0:
            self.rest()
        if left <= 0.0:
            self._callback()


class Refusals:
    """
    Names what a node does not take: transitions, requests, parameters and texts of others, and other publishers.

    From the first one on the status '<node>: requests' comes once a second, in each state of the node; that of the
    messages that are left out is '<node>: other publishers'.
    """

    def __init__(self, node: 'ManagedNode') -> None:
        """Begin with none. A timer that is made in a busy node calls those that are due once more, as a reset does."""
        self._node = node
        self._count = self._recent = 0
        self._last, self._at = '', -math.inf
        self._left_out, self._named = Counter[str](), Counter[str]()
        node.every(node.made, REFUSALS_PERIOD, self._publish)

    def add(self, text: str) -> None:
        """Count what is refused, a sentence that says why; log it, unless this second has had enough of them."""
        self._count, self._recent = self._count + 1, self._recent + 1
        self._last, self._at = safe_name(text), time.monotonic()
        if self._recent <= LOGGED_REFUSALS:
            self._node.get_logger().warning(self._last)

    def leave_out(self, topic: str) -> None:
        """Count a message of another publisher of a topic than the one that is followed."""
        self._left_out[topic] += 1

    def _publish(self) -> None:
        for follower in self._node.followers:
            follower.use_overdue()
        if self._left_out:
            self._publish_left_out()
        if self._count:
            self._publish_refused()

    def _publish_left_out(self) -> None:
        new, self._named = self._left_out - self._named, self._left_out.copy()
        text = '; '.join(f'{topic}: {count} messages of another publisher than the one that is heard are left out; it '
                         f'is published by {names_of(self._node.get_publishers_info_by_topic(topic))}'
                         for topic, count in new.items())
        if text:
            self._node.get_logger().warning(text, throttle_duration_sec=REFUSED_FOR)
        self._node.tell('other publishers', DiagnosticStatus.WARN if text else DiagnosticStatus.OK,
                        text or 'none is heard now',
                        {f'left out of {topic}': count for topic, count in self._left_out.items()})

    def _publish_refused(self) -> None:
        if self._recent > LOGGED_REFUSALS:
            self._node.get_logger().warning(f'{self._recent - LOGGED_REFUSALS} more were refused within a second')
        self._recent = 0
        level = DiagnosticStatus.WARN if time.monotonic() < self._at + REFUSED_FOR else DiagnosticStatus.OK
        self._node.tell('requests', level, f'refused: {self._last}', {'refused': self._count})


class ManagedNode(LifecycleNode):
    """
    A lifecycle node with one stack of undo functions for `configure`, and one for `activate`.

    `configure(undo)` reads parameters and makes publishers. `activate(undo)` makes subscriptions, timers and clients,
    because rclpy keeps those of an inactive node running unless they are destroyed. Both push onto `undo` how to undo
    it. An exception is logged, which rclpy would not do, and the transition fails.

    `declared` lists the node's parameters, which exist from the start. Live ones are read where they are used.
    """

    declared: ClassVar[tuple[Declaration, ...]] = ()

    def __init__(self, name: str = '', intra_process: IntraProcess | None = None,
                 defaults: Mapping[str, Any] | None = None, **options: Any) -> None:
        """
        Make the node, unconfigured.

        :param name: Name of the node; empty: the name of its class in snake_case.
        :param intra_process: Messages between the nodes of this process; None: only those of this node.
        :param defaults: Parameter values that the command line and params files override.
        :param options: Options of rclpy's Node. Nothing overrides its `parameter_overrides`.
        """
        super().__init__(name or re.sub('(?<!^)(?=[A-Z])', '_', type(self).__name__).lower(), **options)
        for key, value in (defaults or {}).items():
            self._parameter_overrides.setdefault(key, Parameter(key, value=value))
        self.intra_process = intra_process if intra_process is not None else IntraProcess()
        # Each node has its own clock: rcl prints a warning if one clock has many timers.
        self._wall = Clock(clock_type=ClockType.STEADY_TIME)
        # Undone with the node, at configure's undoing, and at activate's.
        self.made, self._configured, self._activated = ExitStack(), ExitStack(), ExitStack()
        self.diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self.followers: list[IntraProcessSubscription] = []
        self._refusals = Refusals(self)
        self.refuse = self._refusals.add
        self._latched: list[IntraProcessPublisher] = []
        self._stage = UNCONFIGURED
        own = (AUTOSTART, BOND_HEARTBEAT_PERIOD, *((EXIT_WHEN_DONE,) if self.has_end() else ()))
        self.parameters = NodeParameters(self, (*type(self).declared, *own))
        self._is_managed = True

    @classmethod
    def main(cls) -> None:
        """Run the node in this process, and exit with its status; for the node's executable."""
        end_process(run_node(cls, on_closed=limit_shutdown))

    def configure(self, undo: ExitStack) -> None:
        """Read parameters and make publishers."""

    def activate(self, undo: ExitStack) -> None:
        """Make subscriptions, timers and clients."""

    def log_summary(self) -> str:
        """Return the main settings of an active node, for its log; empty: no line in the log."""
        return ''

    def change(self, names: set[str]) -> None:
        """React to a change of live parameters. Most need no reaction, because they are read where they are used."""

    @classmethod
    def has_end(cls) -> bool:
        """Return whether nodes of this class finish their work, and then have an `exit_status`."""
        return cls.exit_status is not ManagedNode.exit_status

    def exit_status(self) -> int | None:
        """Return the exit status of a process that runs this node alone; None while it works. Most nodes never end."""
        return None

    def tell(self, task: str, level: bytes, message: str, values: Mapping[str, Any]) -> None:
        """Publish a status on /diagnostics by the name '<node>: <task>'; units of the values in their names."""
        self.diagnostics.publish(convert.diagnostics_to_msg(
            f'{self.get_fully_qualified_name().lstrip("/")}: {task}', self.get_namespace().strip('/'), level, message,
            values, self.get_clock().now().to_msg()))

    def advertise(self, undo: ExitStack, kind: type, topic: str,
                  profile: QoSProfile = STREAM) -> IntraProcessPublisher:
        """Return a publisher that publishes while the node is active; for `configure`."""
        publisher = IntraProcessPublisher(kind, self.resolve_topic_name(topic), profile)
        publisher.publisher = self.create_lifecycle_publisher(kind, topic, profile)
        undo.callback(self.destroy_lifecycle_publisher, publisher.publisher)
        self.intra_process.add_publisher(publisher)
        undo.callback(self.intra_process.remove_publisher, publisher)
        if publisher.latched:
            self._latched.append(publisher)
            undo.callback(self._latched.remove, publisher)
        return publisher

    def listen(self, undo: ExitStack, kind: type, topic: str, callback: Callable[[Any], None],
               profile: QoSProfile = STREAM, raw: bool = False, followed: FollowedPublisher | None = None,
               **options: Any) -> None:
        """
        Subscribe until undone; for `activate`. Parameters can override the profile (`qos_overrides`).

        :param raw: Whether the callback gets a Delivery, which also holds the serialized message.
        :param followed: Leaves out the messages of another publisher; None: a new one for a stream that one publisher
            alone has (ONE_PUBLISHER), unless it is raw.
        :param options: Further options of rclpy's create_subscription.
        """
        # rclpy reads the callback's signature (two arguments), and writes overridden policies into the given profile.
        profile = copy(profile)
        if followed is None and kind in ONE_PUBLISHER and not raw:
            followed = self.follow(kind, topic)
        local = IntraProcessSubscription(kind, self.resolve_topic_name(topic), callback, raw, followed)
        options = {'qos_overriding_options': QoSOverridingOptions.with_default_policies(), **options}
        subscription = self.create_subscription(kind, topic, WithInfo(local.on_dds), profile, raw=True, **options)
        if followed is not None:
            followed.count = subscription.get_publisher_count
        undo.callback(self.destroy_subscription, subscription)
        local.set_qos(profile)
        self.intra_process.add_subscription(local)
        undo.callback(self.intra_process.remove_subscription, local)
        if followed is not None:
            self.followers.append(local)
            undo.callback(self.followers.remove, local)

    def follow(self, kind: type, topic: str) -> FollowedPublisher:
        """Return what follows one publisher of a topic, and names those that are left out on /diagnostics."""
        return FollowedPublisher(kind, partial(self._refusals.leave_out, self.resolve_topic_name(topic)))

    def every(self, undo: ExitStack, period: float, callback: Callable[[], None]) -> Timer:
        """Return a timer that calls back every `period` s of wall time until undone; for `activate`."""
        undone: list[bool] = []
        undo.callback(undone.append, True)

        def call() -> None:
            # An executor may still hold a timer that was destroyed a moment ago.
            if not undone:
                callback()

        timer = self.create_timer(period, call, clock=self._wall)
        undo.callback(self.destroy_timer, timer)
        return timer

    def watchdog(self, undo: ExitStack, timeout: float | str, callback: Callable[[], None]) -> Watchdog:
        """
        Return a watchdog that calls back once when the timeout has passed since it was last set; for `activate`.

        :param timeout: s of wall time, or the name of the live parameter that holds them.
        """
        name = timeout if isinstance(timeout, str) else ''
        given = self.parameters.number(name) if name else float(timeout)
        watchdog = Watchdog(callback, (lambda: self.parameters.number(name)) if name else (lambda: given))
        watchdog.timer = self.every(undo, watchdog.tick, watchdog.look)
        watchdog.rest()
        undo.callback(watchdog.stop)
        return watchdog

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
            self.every(self._activated, LATE_READER_PERIOD, self._publish_latched)
        if summary := self.log_summary():
            self.get_logger().info(f'active: {summary}')
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
        """Answer an error in the undo functions: undo the rest, and be unconfigured."""
        self._leave(self._activated, INACTIVE)
        return self._leave(self._configured, UNCONFIGURED)

    def close(self) -> None:
        """Undo everything and destroy the node; for the end of a process, which may come without transitions."""
        self._leave(self._activated, INACTIVE)
        self._leave(self._configured, UNCONFIGURED)
        self.made.close()
        self.destroy_node()

    def bring_up(self) -> bool:
        """Configure and activate without a manager; return whether both succeeded."""
        self._is_managed = False
        try:
            return (self.trigger_configure() is TransitionCallbackReturn.SUCCESS
                    and self.trigger_activate() is TransitionCallbackReturn.SUCCESS)
        finally:
            self._is_managed = True

    def _LifecycleNodeMixin__on_change_state(self, request: ChangeState.Request,
                                             response: ChangeState.Response) -> ChangeState.Response:
        """
        Answer a request of `change_state` in place of rclpy, which raises for a transition that is not possible now.

        Its exception would end the executor, and with it all nodes of the process. Any of the three ids of a shutdown
        is taken for that of the present state, because managers send them without asking for the state.
        """
        possible = {label: number for number, label, *_ in self._state_machine.available_transitions}
        known = {number: label for label, number in possible.items()} | dict.fromkeys(SHUTDOWNS, 'shutdown')
        asked = request.transition
        label = asked.label or known.get(asked.id, '')
        if label not in possible:
            state = self._state_machine.current_state[1]
            self.refuse(
                f'the transition {safe_name(asked.label) or asked.id} is not possible in the state {state}; possible: '
                f'{", ".join(possible) or "none"}')
            response.success = False
            return response
        request.transition.id, request.transition.label = possible[label], ''
        try:
            return super()._LifecycleNodeMixin__on_change_state(request, response)
        except Exception:
            self.get_logger().error(f'the transition {label} failed\n{traceback.format_exc()}')
            response.success = False
            return response

    def create_service(self, srv_type: Any, srv_name: str, callback: Callable[[Any, Any], Any], **options: Any) -> Any:
        """
        Create a service, rclpy's own ones included, whose errors end no node: one is logged, and the answer is empty.

        rclpy raises for a parameter of an unknown type, which would end the executor, and with it all nodes of the
        process. It takes any number of parameters at once, for which all of them would wait.
        """
        def answer(request: Any, response: Any) -> Any:
            asked = max((len(getattr(request, key, ())) for key in ('parameters', 'names', 'prefixes')), default=0)
            if asked > MOST_PARAMETERS:
                self.refuse(f'{srv_name}: {asked} parameters at once; at most {MOST_PARAMETERS}')
                return response
            try:
                return callback(request, response)
            except Exception as error:
                self.refuse(f'{srv_name}: {error}')
                self.get_logger().debug(traceback.format_exc())
                return srv_type.Response()

        return super().create_service(srv_type, srv_name, answer, **options)

    def set_parameters(self, parameter_list: Iterable[Parameter]) -> list[SetParametersResult]:
        """Change parameters one by one; return for each whether it was accepted, and the reason if not."""
        return [self.set_parameters_atomically([one]) for one in parameter_list]

    def set_parameters_atomically(self, parameter_list: Iterable[Parameter]) -> SetParametersResult:
        """Change all of the parameters or none; return whether they were accepted, and the reason if not."""
        try:
            changes = self.parameters.accepted(parameter_list, self._stage)
        except InputError as error:
            self.refuse(str(error))
            return SetParametersResult(successful=False, reason=str(error))
        except Exception as error:
            # The executor calls this for the parameter service, and an exception would end it.
            self.get_logger().error(f'the parameters cannot be checked\n{traceback.format_exc()}')
            return SetParametersResult(successful=False, reason=f'{type(error).__name__}, see the log of the node')
        if not changes:
            return SetParametersResult(successful=True)
        result = super().set_parameters_atomically(changes)
        if not result.successful:   # As rclpy does a value of the wrong type of its own parameters.
            self.refuse(f'parameter {", ".join(one.name for one in changes)}: {result.reason}')
        changed = self.parameters.store(changes) if result.successful else {}
        if changed and self._stage != UNCONFIGURED:
            self.get_logger().info(f'from now on {", ".join(f"{name} is {value}" for name, value in changed.items())}')
            try:
                self.change(set(changed))
            except Exception:
                self.get_logger().error(f'the change failed\n{traceback.format_exc()}')
        return result

    def _publish_latched(self) -> None:
        """
        Send the last messages of latched topics to new readers outside of the process.

        A timer calls this. The event `matched` would come at once, but rclpy's events executor crashes if `cleanup`
        destroys a publisher while its event waits: https://github.com/ros2/rclpy/issues/1644.
        """
        for publisher in self._latched:
            publisher.publish_last_outside()

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
        # rclpy keeps a weak reference to every entity that was ever made.
        group = self.default_callback_group
        group.entities = {reference for reference in group.entities if reference() is not None}
        return TransitionCallbackReturn.SUCCESS


def run_node(node_class: Callable[[], ManagedNode], args: list[str] | None = None,
             on_closed: Callable[[int], None] | None = None) -> int:
    """
    Spin one node until SIGINT or SIGTERM.

    The parameter `autostart` configures and activates it first. With `exit_when_done` the process ends as soon as the
    node has an `exit_status`.

    :param args: Arguments of rclpy.init; None: those of the process.
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


def hold_bond(node: Node, undo: ExitStack, period: float) -> bool:
    """
    Hold a bond with the lifecycle manager that activated a node, until undone; return whether bondpy is installed.

    By the bond the manager notices that the node's process died. As in the nodes of nav2, its topic is `bond` in the
    node's namespace, and its name is the node's.

    :param period: Period of the heartbeats, s.
    """
    try:
        from bondpy.bondpy import Bond
    except ImportError:
        return False
    bond = Bond(node, BOND_TOPIC, node.get_name())
    bond.heartbeat_period = period
    bond.heartbeat_timeout = NO_BOND_TIMEOUT
    bond.start()
    undo.callback(_end_bond, node, bond)
    return True


def _end_bond(node: Node, bond: Any) -> None:
    """Break a bond, which informs the manager, and destroy its publisher and subscription, which bondpy leaves."""
    if not bond.is_broken():
        bond.break_bond()
        # The process may end now, and messages that the manager has not received would be lost.
        bond.pub.wait_for_all_acked(Duration(seconds=BOND_END_TIMEOUT))
    bond.shutdown()
    for destroy, entity in ((node.destroy_subscription, bond.sub), (node.destroy_publisher, bond.pub)):
        with suppress(InvalidHandle):
            destroy(entity)
