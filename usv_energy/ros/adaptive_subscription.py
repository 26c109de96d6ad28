"""A subscription as reliable as the publishers of its topic: a reliable one hears nothing from a best-effort one."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from copy import copy
from functools import partial
from typing import Any

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions

from .lifecycle import ManagedNode
from .parameters import ODOM_RELIABILITY
from .qos import STREAM

RELIABILITIES = {'reliable': ReliabilityPolicy.RELIABLE, 'best_effort': ReliabilityPolicy.BEST_EFFORT}
LOOK_PERIOD = 0.5
# The user's override of the history is honoured here, too; that of the reliability is asked for first.
NOT_RELIABILITY = QoSOverridingOptions((QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH))


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
