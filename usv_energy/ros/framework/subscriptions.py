"""Subscriptions as reliable as their publishers, and to velocities of either type."""

import math
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from copy import copy
from functools import partial
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import Header

from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import ODOM_RELIABILITY, Text
from usv_energy.ros.framework.qos import SENSOR, STREAM

RELIABILITIES = {'reliable': ReliabilityPolicy.RELIABLE, 'best_effort': ReliabilityPolicy.BEST_EFFORT}
LOOK_PERIOD = 0.5
# The user's override of the history is honoured here, too; that of the reliability is asked for first.
NOT_RELIABILITY = QoSOverridingOptions((QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH))

AUTO = 'auto'
KINDS: dict[str, type] = {'twist': Twist, 'twist_stamped': TwistStamped}
TOPIC_TYPES = {'geometry_msgs/msg/Twist': 'twist', 'geometry_msgs/msg/TwistStamped': 'twist_stamped'}
CMD_VEL_TYPE = Text('cmd_vel_type', AUTO, "Of the topic cmd_vel: 'twist', 'twist_stamped', or 'auto': the one that is "
                    'published.', allowed=(AUTO, *KINDS))
REMIND_PERIOD = 10.0
# s, that the executor has for letting go of a subscription that was closed, and of its type. The next look is no
# measure of it: on a busy machine rclpy's events executor calls a timer twice in one go.
LETTING_GO = LOOK_PERIOD / 2


class AdaptiveSubscription:
    """
    Hears a topic best effort while one of its publishers is best effort, else reliably.

    A reliability that the user has set, by `odom_reliability` or `qos_overrides`, stays.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, kind: type, topic: str, callback: Callable[[Any], None],
                 raw: bool = False) -> None:
        """Subscribe until undone, as `ManagedNode.listen` does, by the node's parameter `odom_reliability`."""
        self._node, self._topic = node, node.resolve_topic_name(topic)
        self._listen = partial(node.listen, kind=kind, topic=topic, callback=callback, raw=raw)
        self.reliability = RELIABILITIES.get(node.parameters.text(ODOM_RELIABILITY.name))
        overridden = f'qos_overrides.{self._topic}.subscription.reliability' in node._parameter_overrides
        if self.reliability is not None or overridden:
            self._listen(undo, profile=_with(self.reliability or STREAM.reliability))
            return
        self._subscribed = undo.enter_context(ExitStack())
        self._look()
        node.every(undo, LOOK_PERIOD, self._look)

    def word(self) -> str:
        """Return how it listens."""
        return 'best effort' if self.reliability is ReliabilityPolicy.BEST_EFFORT else 'reliable'

    def _look(self) -> None:
        """Subscribe anew where the publishers that are there now ask for it."""
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
        # rclpy would warn of a best-effort publisher that comes later, and that nothing is heard from it. No events at
        # all: one that waits for a subscription that is destroyed crashes rclpy's events executor (rclpy issue 1644).
        self._listen(self._subscribed, profile=_with(wanted), qos_overriding_options=NOT_RELIABILITY,
                     event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))


def names_of(publishers: Iterable[Any]) -> str:
    """Return the whole names of the nodes of publishers, as `get_publishers_info_by_topic` gives them."""
    names = sorted({f'{one.node_namespace.rstrip("/")}/{one.node_name}' for one in publishers})
    return ' and '.join(names) or 'a node that is gone'


def _with(reliability: ReliabilityPolicy) -> QoSProfile:
    profile = copy(STREAM)
    profile.reliability = reliability
    return profile


class TwistSubscription:
    """
    Hears a topic as Twist or TwistStamped, by the node's parameter `cmd_vel_type`.

    With `auto` it looks every half second at what the publishers have, and stays with what it hears while that is
    published. It is one subscription at a time, since a DDS participant takes one type a topic (rmw_fastrtps). It hears
    reliable and best-effort publishers.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, topic: str,
                 callback: Callable[[Twist, Header | None], None]) -> None:
        """Subscribe until undone; for `activate`. The callback gets the Twist, and the header where there is one."""
        self._node, self._topic, self._callback = node, node.resolve_topic_name(topic), callback
        self.kind = ''
        self._free_at = -math.inf
        self._subscribed = undo.enter_context(ExitStack())
        given = node.parameters.text(CMD_VEL_TYPE.name)
        if given != AUTO:
            self._subscribe(given)
            return
        self._look()
        node.every(undo, LOOK_PERIOD, self._look)

    def _look(self) -> None:
        """Subscribe anew where only another type is published."""
        publishers = self._node.get_publishers_info_by_topic(self._topic)
        by_kind = {kind: [one for one in publishers if one.topic_type == name] for name, kind in TOPIC_TYPES.items()}
        there = [kind for kind, found in by_kind.items() if found]
        if len(there) > 1 and self.kind:
            other = next(kind for kind in there if kind != self.kind)
            self._node.get_logger().warning(
                f'{self._topic} is published as Twist and as TwistStamped: that of {names_of(by_kind[other])} is not '
                'heard', throttle_duration_sec=REMIND_PERIOD)
        if self.kind in there or (self.kind and not there) or time.monotonic() < self._free_at:
            return
        if self.kind:
            self._subscribed.close()  # The type is free once the executor has let go of it: at a later look.
            self.kind, self._free_at = '', time.monotonic() + LETTING_GO
            self._node.get_logger().info(f'{self._topic} is published as {KINDS[there[0]].__name__} now: it is heard '
                                         'so')
            return
        self._subscribe(there[0] if there else 'twist')

    def _subscribe(self, kind: str) -> None:
        heard: Callable[[Any], None] = partial(_with_header if kind == 'twist_stamped' else _without, self._callback)
        # No events: one that waits for a subscription that is destroyed crashes rclpy's events executor (issue 1644).
        try:
            self._node.listen(self._subscribed, KINDS[kind], self._topic, heard, SENSOR,
                              event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))
        except RuntimeError as error:  # rclpy's RCLError: a node of this process has the topic with the other type.
            self._node.get_logger().error(f'{self._topic} cannot be heard as {KINDS[kind].__name__} yet: {error}',
                                          throttle_duration_sec=REMIND_PERIOD)
            return
        self.kind = kind


def _without(callback: Callable[[Twist, Header | None], None], msg: Twist) -> None:
    callback(msg, None)


def _with_header(callback: Callable[[Twist, Header | None], None], msg: TwistStamped) -> None:
    callback(msg.twist, msg.header)
