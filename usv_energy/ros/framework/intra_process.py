"""
Intra-process communication, which rclpy lacks: nodes of one process pass messages to each other without DDS.

Why it stays: a composed graph runs scenario 3 in lockstep at 8.0 simulated seconds per second, and at 2.9 when all
messages go through DDS (2026-11-27, two cores, nothing recorded; `./run bench --only lockstep`).

As in rclcpp, each publisher and each subscription also exists in DDS, so that all tools see them. A message is
published on DDS only if a reader outside the process is subscribed. Latched topics are the exception: their last
message is kept for later readers, and once one message was published on DDS, all following ones are, because DDS would
give a late reader the old one. A reader in the process drops the copy that DDS brings back.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSCompatibility, QoSProfile, qos_check_compatible
from rclpy.serialization import deserialize_message, serialize_message

# Timers, services and DDS are served at least this often, s of wall time, while messages are handed over.
SLICE = 0.005
# So many messages from outside are kept of a topic that several nodes of the process read: DDS brings each to every one
# of them.
SHARED = 16
# DDS takes some milliseconds to tell a publisher that a subscription was destroyed; s, after which it surely has.
TOLD_BY_THEN = 0.5
ENCAPSULATION, ALIGNMENT = 4, 4


class Delivery:
    """A message as an object and serialized (CDR); each form is made from the other at its first use."""

    __slots__ = ('_data', '_message', 'kind')

    def __init__(self, kind: type, message: Any = None, data: bytes | None = None) -> None:
        """Store one of the two forms. Nobody may change the message from now on, as it has several readers."""
        self.kind, self._message, self._data = kind, message, data

    @property
    def message(self) -> Any:
        """The message."""
        if self._message is None:
            self._message = deserialize_message(self._data, self.kind)
        return self._message

    @property
    def data(self) -> bytes:
        """The message, serialized."""
        if self._data is None:
            self._data = serialize_message(self._message)
        return self._data


class IntraProcess:
    """
    The messages between the nodes of one process; callbacks run in the order of publication.

    The function that spins the nodes also calls `deliver`, in the same thread (`executor.spin_until`).
    """

    def __init__(self) -> None:
        """Begin without publishers and subscriptions."""
        self._publishers: dict[str, list[IntraProcessPublisher]] = defaultdict(list)
        self._subscriptions: dict[str, list[IntraProcessSubscription]] = defaultdict(list)
        self._order: deque[IntraProcessSubscription] = deque()
        self._heard: dict[str, deque[Delivery]] = defaultdict(lambda: deque(maxlen=SHARED))

    def add_publisher(self, publisher: 'IntraProcessPublisher') -> None:
        """Register a publisher."""
        self._publishers[publisher.topic].append(publisher)
        publisher.connect(self._subscriptions[publisher.topic])

    def remove_publisher(self, publisher: 'IntraProcessPublisher') -> None:
        """Undo `add_publisher`."""
        self._publishers[publisher.topic].remove(publisher)

    def add_subscription(self, subscription: 'IntraProcessSubscription') -> None:
        """Register a subscription, and give it the last message of a latched topic."""
        subscription.queue = self._order
        subscription.heard = self._heard[subscription.topic]
        self._subscriptions[subscription.topic].append(subscription)
        self._connect(subscription.topic)
        for publisher in self._publishers[subscription.topic]:
            publisher.greet(subscription)

    def remove_subscription(self, subscription: 'IntraProcessSubscription') -> None:
        """Undo `add_subscription`, and drop its waiting messages."""
        self._subscriptions[subscription.topic].remove(subscription)
        self._connect(subscription.topic)
        subscription.close()
        waiting = [one for one in self._order if one is not subscription]
        self._order.clear()
        self._order.extend(waiting)

    def _connect(self, topic: str) -> None:
        for publisher in self._publishers[topic]:
            publisher.connect(self._subscriptions[topic])

    def deliver(self) -> bool:
        """Run waiting callbacks for one time slice at most; return whether messages are left."""
        order = self._order
        end = time.perf_counter() + SLICE
        while order:
            order.popleft().call_back()
            if time.perf_counter() > end:
                break
        return bool(order)


class IntraProcessSubscription:
    """A reader of a topic, for messages from this process and, by DDS, from outside."""

    def __init__(self, kind: type, topic: str, callback: Callable[[Any], None], raw: bool) -> None:
        """
        Begin without messages.

        :param topic: The whole name.
        :param callback: Called with each message.
        :param raw: Call with its Delivery instead.
        """
        self.kind, self.topic = kind, topic
        self.queue: deque[IntraProcessSubscription] = deque()
        self.heard: deque[Delivery] = deque(maxlen=1)
        self._callback, self._raw = callback, raw
        self._is_open = True
        self.use(QoSProfile(depth=1))

    def use(self, profile: QoSProfile) -> None:
        """Set the QoS, which may differ from the requested one (`qos_overrides`)."""
        self.profile = profile
        depth = profile.depth if profile.history == HistoryPolicy.KEEP_LAST else None
        self._waiting: deque[Delivery] = deque(maxlen=depth)
        self._echoes: deque[bytes] = deque(maxlen=depth)

    def take(self, delivery: Delivery) -> None:
        """Queue a message from this process."""
        self._waiting.append(delivery)
        self.queue.append(self)

    def call_back(self) -> None:
        """Call back with the oldest waiting message, if the queue's depth has not dropped it."""
        if self._waiting:
            delivery = self._waiting.popleft()
            self._callback(delivery if self._raw else delivery.message)

    def expect(self, data: bytes) -> None:
        """Note that a queued message is published on DDS, too, and will come back from there."""
        self._echoes.append(data)

    def on_dds(self, data: bytes) -> None:
        """
        Take a serialized message from DDS, and call back unless it came within the process before.

        An executor may still hold one for a subscription that was destroyed a moment ago.
        """
        if self._is_open and not self._is_echo(data):
            delivery = self._shared(data)
            self._callback(delivery if self._raw else delivery.message)

    def close(self) -> None:
        """Never call back again."""
        self._is_open = False
        self._waiting.clear()

    def _shared(self, data: bytes) -> Delivery:
        """Return a message from outside; several readers in the process share one object."""
        for delivery in self.heard:
            if delivery.kind is self.kind and delivery.data == data:
                return delivery
        delivery = Delivery(self.kind, data=data)
        self.heard.appendleft(delivery)
        return delivery

    def _is_echo(self, data: bytes) -> bool:
        for number, echo in enumerate(self._echoes):
            if _same(echo, data):
                del self._echoes[number]
                return True
        return False


class IntraProcessPublisher:
    """A node's publisher; it is active while its LifecyclePublisher, `publisher`, is activated."""

    def __init__(self, kind: type, topic: str, profile: QoSProfile) -> None:
        """
        Begin with no reader; `publisher` is to be set before the first message.

        :param topic: The whole name.
        """
        self.topic = topic
        self.publisher: Any = None
        self._kind, self._profile = kind, profile
        self.latched = profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
        self._near: list[IntraProcessSubscription] = []
        self._last: Delivery | None = None
        self._last_is_out = False
        self._is_kept = False   # Whether DDS keeps a message for late readers, which newer ones must replace.
        # Readers of the process that DDS may still count although they are gone: how many, what it counted, until when.
        self._leaving, self._counted, self._told_by = 0, 0, 0.0

    @property
    def wanted(self) -> bool:
        """Whether a message would have a reader now; if not, it need not be made."""
        return bool(self._near) or self.latched or self.publisher.get_subscription_count() > 0

    def publish(self, message: Any) -> None:
        """Publish a message, which nobody may change afterwards."""
        publisher, near = self.publisher, self._near
        if not publisher.is_activated:
            return
        outside = self._is_kept or self._outside()
        delivery = Delivery(self._kind, message)
        for subscription in near:
            subscription.take(delivery)
        if self.latched:
            self._last, self._last_is_out = delivery, outside
        if outside:
            self._send(delivery)

    def get_subscription_count(self) -> int:
        """Return the number of readers, those in this process among them."""
        return int(self.publisher.get_subscription_count())

    def wait_for_all_acked(self, timeout: Duration) -> bool:
        """Wait until the readers outside have all; return whether they have."""
        return bool(self.publisher.wait_for_all_acked(timeout))

    def connect(self, subscriptions: list[IntraProcessSubscription]) -> None:
        """Connect to the subscriptions of this topic whose type and QoS match, by the rules of DDS."""
        before = len(self._near)
        self._near = [one for one in subscriptions if self._matches(one)]
        if len(self._near) < before:
            self._leaving += before - len(self._near)
            self._counted, self._told_by = self.publisher.get_subscription_count(), time.monotonic() + TOLD_BY_THEN

    def greet(self, subscription: IntraProcessSubscription) -> None:
        """Give a new latched subscription the last message."""
        late = subscription.profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
        if self._last is not None and late and self._matches(subscription):
            subscription.take(self._last)
            if self._last_is_out:
                subscription.expect(self._last.data)

    def greet_outside(self) -> None:
        """Publish a latched topic's last message on DDS once there is a reader outside; DDS keeps it for later ones."""
        if self._last is not None and not self._last_is_out and self.publisher.is_activated and self._outside():
            self._last_is_out = True
            self._send(self._last)

    def _matches(self, subscription: IntraProcessSubscription) -> bool:
        verdict, _ = qos_check_compatible(self._profile, subscription.profile)
        return subscription.kind is self._kind and verdict != QoSCompatibility.ERROR

    def _outside(self) -> bool:
        count = int(self.publisher.get_subscription_count())
        if self._leaving:
            told = max(0, self._counted - count)
            self._leaving = max(0, self._leaving - told) if time.monotonic() < self._told_by else 0
            self._counted = count
        return count > len(self._near) + self._leaving

    def _send(self, delivery: Delivery) -> None:
        self._is_kept = self.latched
        for subscription in self._near:
            subscription.expect(delivery.data)
        self.publisher.publish(delivery.data if self._near else delivery.message)


def _same(one: bytes, other: bytes) -> bool:
    """Return whether serialized messages are equal, except for header and padding, which some DDS change."""
    size = min(len(one), len(other))
    return abs(len(one) - len(other)) < ALIGNMENT and one[ENCAPSULATION:size] == other[ENCAPSULATION:size]
