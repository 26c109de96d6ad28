"""
Subscriptions that adapt to their publishers: to their reliability, and to Twist or TwistStamped.

A Pairing joins the messages of a leading stream with those of its followers for the same stamp, and OneClock leaves out
messages whose stamps are of another clock; they need no ROS. OwnMessages leaves out what no boat has, too.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from copy import copy
from functools import partial
from typing import Any, NamedTuple

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import Header

from usv_energy.powering.energy import ANOTHER_CLOCK
from usv_energy.ros.framework.diagnostics import SampleHealth
from usv_energy.ros.framework.followed_publisher import SILENCE, names_of
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import ODOM_RELIABILITY, Text
from usv_energy.ros.framework.qos import SENSOR, STREAM
from usv_energy.ros.messages.convert import NANOSECONDS, is_time, nanoseconds
from usv_energy.ros.messages.messages import PowerStamped

MOST_HELD = 10      # Messages of another clock that go on from each other: the clock was set.
LONGEST_HELD = 10.0  # s: longest step that goes on among those that are held.
RELIABILITIES = {'reliable': ReliabilityPolicy.RELIABLE, 'best_effort': ReliabilityPolicy.BEST_EFFORT}
CHECK_PERIOD = 0.5  # s of wall time, between checks of the publishers.
# The user may override the history of an adaptive subscription. An override of its reliability is handled before.
HISTORY_OVERRIDES = QoSOverridingOptions((QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH))

AUTO = 'auto'
KINDS: dict[str, type] = {'twist': Twist, 'twist_stamped': TwistStamped}
TOPIC_TYPES = {'geometry_msgs/msg/Twist': 'twist', 'geometry_msgs/msg/TwistStamped': 'twist_stamped'}
CMD_VEL_TYPE = Text('cmd_vel_type', AUTO, "Message type of cmd_vel: 'twist', 'twist_stamped', or 'auto': the published "
                    'one.', allowed=(AUTO, *KINDS))
REMIND_PERIOD = 10.0
# Time for the executor to release a closed subscription and its type, s. Waiting for the next check is not enough: on a
# busy machine rclpy's events executor may call a timer twice in a row.
RELEASE_TIME = CHECK_PERIOD / 2


class AdaptiveSubscription:
    """
    A subscription that is best effort while one of its publishers is, and reliable otherwise.

    It keeps a reliability that the user has set by `odom_reliability` or `qos_overrides`.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, kind: type, topic: str, callback: Callable[[Any], None],
                 raw: bool = False) -> None:
        """Subscribe until undone, as `ManagedNode.listen` does, by the node's parameter `odom_reliability`."""
        self._node, self._topic = node, node.resolve_topic_name(topic)
        # The same publisher is followed by each subscription.
        self._listen = partial(node.listen, kind=kind, topic=topic, callback=callback, raw=raw,
                               followed=None if raw else node.follow(kind, topic))
        self.reliability = RELIABILITIES.get(node.parameters.text(ODOM_RELIABILITY.name))
        overridden = f'qos_overrides.{self._topic}.subscription.reliability' in node._parameter_overrides
        if self.reliability is not None or overridden:
            self._listen(undo, profile=_stream_with(self.reliability or STREAM.reliability))
            return
        self._subscribed = undo.enter_context(ExitStack())
        self._adapt()
        node.every(undo, CHECK_PERIOD, self._adapt)

    def reliability_text(self) -> str:
        """Return the present reliability in words."""
        return 'best effort' if self.reliability is ReliabilityPolicy.BEST_EFFORT else 'reliable'

    def _adapt(self) -> None:
        """Subscribe again if the present publishers need another reliability."""
        publishers = self._node.get_publishers_info_by_topic(self._topic)
        best_effort = [one for one in publishers if one.qos_profile.reliability is ReliabilityPolicy.BEST_EFFORT]
        wanted = RELIABILITIES['best_effort' if best_effort else 'reliable']
        if wanted is self.reliability or (self.reliability is not None and not publishers):
            return
        if best_effort:
            self._node.get_logger().info(f'{self._topic} is published best effort by {names_of(best_effort)}: '
                                         'it is heard so, and messages may be lost on the way')
        elif self.reliability is not None:
            self._node.get_logger().info(f'{self._topic} is published reliably now: it is heard so')
        self._subscribed.close()
        self.reliability = wanted
        # Without event callbacks: rclpy would warn that nothing is heard from a later best-effort publisher, and its
        # events executor crashes if an event waits for a subscription that is destroyed (rclpy issue 1644).
        self._listen(self._subscribed, profile=_stream_with(wanted), qos_overriding_options=HISTORY_OVERRIDES,
                     event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))


def _stream_with(reliability: ReliabilityPolicy) -> QoSProfile:
    profile = copy(STREAM)
    profile.reliability = reliability
    return profile


class TwistSubscription:
    """
    A subscription to a topic of Twist or TwistStamped, by the node's parameter `cmd_vel_type`.

    With `auto` it checks every half second which type is published, and keeps its type while that is published. It has
    one subscription at a time, since a DDS participant allows one type for a topic (rmw_fastrtps). It receives from
    reliable and best-effort publishers.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, topic: str,
                 callback: Callable[[Twist, Header | None], None]) -> None:
        """Subscribe until undone; for `activate`. The callback gets the Twist, and the header of a TwistStamped."""
        self._node, self._topic, self._callback = node, node.resolve_topic_name(topic), callback
        self.kind = ''
        self._free_at = -math.inf
        self._subscribed = undo.enter_context(ExitStack())
        given = node.parameters.text(CMD_VEL_TYPE.name)
        if given != AUTO:
            self._subscribe(given)
            return
        self._adapt()
        node.every(undo, CHECK_PERIOD, self._adapt)

    def _adapt(self) -> None:
        """Subscribe again if only the other type is published."""
        publishers = self._node.get_publishers_info_by_topic(self._topic)
        by_kind = {kind: [one for one in publishers if one.topic_type == name] for name, kind in TOPIC_TYPES.items()}
        published = [kind for kind, found in by_kind.items() if found]
        if len(published) > 1 and self.kind:
            other = next(kind for kind in published if kind != self.kind)
            self._node.get_logger().warning(
                f'{self._topic} is published as Twist and as TwistStamped: that of {names_of(by_kind[other])} is not '
                'heard', throttle_duration_sec=REMIND_PERIOD)
        if self.kind in published or (self.kind and not published) or time.monotonic() < self._free_at:
            return
        if self.kind:
            self._subscribed.close()  # The type is free once the executor has released it: a later check subscribes.
            self.kind, self._free_at = '', time.monotonic() + RELEASE_TIME
            self._node.get_logger().info(f'{self._topic} is published as {KINDS[published[0]].__name__} now: it is '
                                         'heard so')
            return
        self._subscribe(published[0] if published else 'twist')

    def _subscribe(self, kind: str) -> None:
        call = _call_with_header if kind == 'twist_stamped' else _call_without_header
        callback: Callable[[Any], None] = partial(call, self._callback)
        # Without event callbacks: rclpy's events executor crashes if one waits for a destroyed subscription.
        try:
            self._node.listen(self._subscribed, KINDS[kind], self._topic, callback, SENSOR,
                              event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))
        except RuntimeError as error:  # rclpy's RCLError: a node of this process has the topic with the other type.
            self._node.get_logger().error(f'{self._topic} cannot be heard as {KINDS[kind].__name__} yet: {error}',
                                          throttle_duration_sec=REMIND_PERIOD)
            return
        self.kind = kind


def _call_without_header(callback: Callable[[Twist, Header | None], None], msg: Twist) -> None:
    callback(msg, None)


def _call_with_header(callback: Callable[[Twist, Header | None], None], msg: TwistStamped) -> None:
    callback(msg.twist, msg.header)


class Stamped(NamedTuple):
    """A message and its stamp, ns."""

    stamp: int
    value: Any


def of_another_clock(stamp: int, last: int) -> bool:
    """
    Return whether a stamp is of another clock than an earlier one: more than a day from it, or zero as if never set.

    :param stamp: ns.
    :param last: Stamp of the last message, ns; negative: none yet.
    """
    return last >= 0 and (abs(stamp - last) > ANOTHER_CLOCK * NANOSECONDS or 0 == stamp < last)


class OneClock:
    """
    Holds messages whose stamps do not go on from those before, until what follows shows whether the clock was set.

    It was if they go on from each other for ten messages or more than a second, if twenty in all do not go back to the
    old stamps, or if nothing follows. If one goes on from the old stamps first, they are left out: used, each would
    cost the steps before and after it. Strays among them hold nothing up, and are left out too.
    """

    def __init__(self) -> None:
        """Begin with no message."""
        self._last = -1
        self._held: list[Stamped] = []

    def take(self, stamp: int, value: Any, longest: float = ANOTHER_CLOCK) -> tuple[list[Any], list[Any]]:
        """
        Add the next message.

        :param stamp: ns.
        :param longest: Longest step that goes on from the last message, s; one back goes on if it is at most 1 s.
        :return: The messages to use now, in their order, and those that are left out.
        """
        step = stamp - self._last
        if self._last < 0 or (-NANOSECONDS < step <= longest * NANOSECONDS and (stamp > 0 or step >= 0)):
            strays = self.release()
            self._last = stamp
            return [value], strays
        self._held.append(Stamped(stamp, value))
        going_on, others = self._divided()
        span = stamp - going_on[0].stamp
        if span > NANOSECONDS or (span > 0 and len(going_on) >= MOST_HELD):
            self._held = going_on
            return self.release(), [one.value for one in others]
        return (self.release() if len(self._held) == 2 * MOST_HELD else []), []

    def _divided(self) -> tuple[list[Stamped], list[Stamped]]:
        """Return the held messages that go on from each other up to the newest one, and the others."""
        going_on, others = self._held[-1:], list[Stamped]()
        for one in reversed(self._held[:-1]):
            goes_on = -NANOSECONDS < going_on[0].stamp - one.stamp <= LONGEST_HELD * NANOSECONDS
            (going_on if goes_on else others).insert(0, one)
        return going_on, others

    def release(self) -> list[Any]:
        """Return the messages that are held, to be used now, since no other one came or they go on."""
        held, self._held = self._held, []
        if held:
            self._last = held[-1].stamp
        return [one.value for one in held]


class OwnMessages:
    """Hears a topic of this graph's own nodes, and leaves out what only another publisher sends: counted and named."""

    def __init__(self, node: ManagedNode, undo: ExitStack, kind: type, topic: str, use: Callable[[Any], None],
                 fault_of: Callable[[Any], str], samples: SampleHealth, profile: QoSProfile = STREAM) -> None:
        """
        Subscribe until undone; for `activate`.

        :param kind: A message with a header and a status of PowerStamped's bits.
        :param fault_of: Returns what is wrong with the values of a message, empty if nothing is.
        """
        self._node, self._topic, self._use, self._fault_of, self._samples = node, topic, use, fault_of, samples
        self._clock, self._count, self._count_before = OneClock(), 0, 0
        node.listen(undo, kind, topic, self._on_message, profile)
        node.every(undo, SILENCE, self._release)

    def _on_message(self, msg: Any) -> None:
        self._count += 1
        if fault := self._fault_of(msg) if is_time(msg.header.stamp) else 'a stamp that is no time':
            self._leave_out(fault, msg)
            return
        to_use, strays = self._clock.take(nanoseconds(msg.header.stamp), msg)
        if msg.status & PowerStamped.TIME_JUMPED_BACK:      # The adapter has seen that the clock was set.
            to_use += self._clock.release()
        for stray in strays:
            self._leave_out('a stamp of another clock', stray)
        for one in to_use:
            self._use(one)

    def _release(self) -> None:
        if self._count == self._count_before:
            for msg in self._clock.release():
                self._use(msg)
        self._count_before = self._count

    def _leave_out(self, fault: str, msg: Any) -> None:
        self._samples.add(None, f'{self._topic}: {fault}', useless=True)
        self._node.get_logger().warning(f'{self._topic}: {fault} ({msg.header.stamp.sec} s): not used',
                                        throttle_duration_sec=REMIND_PERIOD)


class Pairing:
    """
    Hold a leader until every follower has a message for its stamp, then call back with all of them.

    If the next leader arrives before that (`add_leader`), or after a timeout (`complete`), the callback gets the
    messages that are there. Followers that answer each leader are paired exactly, in whatever order the messages
    arrive. Followers that publish at another rate give their latest message that is not after the leader's stamp.
    """

    def __init__(self, followers: Iterable[str], callback: Callable[[Any, dict[str, Stamped | None]], None],
                 depth: int = 32) -> None:
        """
        Start empty.

        :param followers: Their names.
        :param callback: Called with a leader and, for each follower, its message, or None if it has sent none.
        :param depth: Messages kept of each follower.
        """
        self._callback = callback
        self._depth = depth
        self._waiting: Stamped | None = None
        self._last_stamp = -1
        self._received: dict[str, deque[Stamped]] = {name: deque(maxlen=depth) for name in followers}

    @property
    def waiting(self) -> bool:
        """Whether a leader waits for its followers."""
        return self._waiting is not None

    def add_leader(self, stamp: int, value: Any) -> None:
        """Add the next leader; call back at once if its followers have sent their messages."""
        if self._waiting is not None and self._waiting.stamp != stamp:
            self.complete()
        if stamp < self._last_stamp:  # Time jumped back: later messages are those of the abandoned run.
            for messages in self._received.values():
                while messages and messages[-1].stamp > stamp:
                    messages.pop()
        self._last_stamp = stamp
        self._waiting = Stamped(stamp, value)
        self._complete_if_ready()

    def add_follower(self, name: str, stamp: int, value: Any) -> bool:
        """
        Add a follower's message, or a new follower; call back if the waiting leader now has all messages.

        :return: Whether the stamp is of the leader's clock, or nothing of that clock is known to use instead.
        """
        messages = self._received.setdefault(name, deque(maxlen=self._depth))
        if messages and of_another_clock(stamp, self._last_stamp) and (
                not of_another_clock(messages[-1].stamp, self._last_stamp)):
            if stamp == 0:  # It is used if the leader's time begins again, too.
                if len(messages) == self._depth:
                    messages.popleft()
                messages.appendleft(Stamped(stamp, value))
            return False
        if messages and stamp < messages[-1].stamp:
            messages.clear()
        messages.append(Stamped(stamp, value))
        self._complete_if_ready()
        return True

    def complete(self) -> None:
        """Call back with the waiting leader, if any, and the messages that are there."""
        if self._waiting is None:
            return
        leader, self._waiting = self._waiting, None
        self._callback(leader.value, {name: _latest_until(leader.stamp, messages)
                                      for name, messages in self._received.items()})

    def _complete_if_ready(self) -> None:
        leader = self._waiting
        if leader is not None and all(messages and messages[-1].stamp >= leader.stamp
                                      for messages in self._received.values()):
            self.complete()


def _latest_until(stamp: int, messages: 'deque[Stamped]') -> Stamped | None:
    """Return the latest message that is not after a stamp; the earliest if all are after it; None if there are none."""
    if not messages:
        return None
    return next((message for message in reversed(messages) if message.stamp <= stamp), messages[0])
