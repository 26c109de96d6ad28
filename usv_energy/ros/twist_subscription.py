"""A subscription to a velocity, Twist or TwistStamped, whichever is published: DDS matches one type only."""

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.event_handler import SubscriptionEventCallbacks
from std_msgs.msg import Header

from .adaptive_subscription import LOOK_PERIOD, names_of
from .lifecycle import ManagedNode
from .parameters import Text
from .qos import SENSOR

AUTO = 'auto'
KINDS: dict[str, type] = {'twist': Twist, 'twist_stamped': TwistStamped}
TOPIC_TYPES = {'geometry_msgs/msg/Twist': 'twist', 'geometry_msgs/msg/TwistStamped': 'twist_stamped'}
CMD_VEL_TYPE = Text('cmd_vel_type', AUTO, "Of the topic cmd_vel: 'twist', 'twist_stamped', or 'auto': the one that is "
                    'published.', allowed=(AUTO, *KINDS))
REMIND_PERIOD = 10.0
# s, that the executor has for letting go of a subscription that was closed, and of its type. The next look is no
# measure of it: on a busy machine rclpy's events executor calls a timer twice in one go.
LETTING_GO = LOOK_PERIOD / 2


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
