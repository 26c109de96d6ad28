"""
Intra-process communication, which rclpy lacks: nodes of one process pass messages to each other without DDS.

It is needed for speed: a composed graph runs scenario 3 in lockstep at 8.0 simulated seconds per second, and at 2.9 if
all messages go through DDS (2026-11-27, two cores, nothing recorded; `./run bench --only lockstep`).

As in rclcpp, each publisher and each subscription also exists in DDS, so that all tools see them. A message is
published on DDS only if a reader outside the process is subscribed. Latched topics are the exception: their last
message is kept for later readers, and once one message was published on DDS, all following ones are, because DDS would
give a late reader the old one. A reader in the process drops the copy that comes back from DDS.
"""

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSCompatibility, QoSProfile, qos_check_compatible
from rclpy.serialization import deserialize_message, serialize_message

from usv_energy.ros.framework.followed_publisher import FollowedPublisher

# Messages are delivered for at most this time, s, before the executor serves timers, services and DDS again.
DELIVERY_TIME = 0.005
# DDS delivers a message from outside once to each subscription in the process. The last messages of a topic are kept,
# so that all of them share one object.
SHARED_MESSAGES = 16
# DDS takes some milliseconds to inform a publisher that a subscription was destroyed. After this time, s, it has.
UNSUBSCRIBE_TIME = 0.5
# A publisher asks DDS for its readers at most this often, s: to ask at each message took a tenth of the graph's time.
COUNT_PERIOD = 0.002
ENCAPSULATION, ALIGNMENT = 4, 4  # Bytes of the CDR header, and of the largest padding.


class Delivery:
    """A message as an object and serialized (CDR); each form is made from the other at its first use."""

    __slots__ = ('_data', '_message', 'kind')

    def __init__(self, kind: type, message: Any = None, data: bytes | None = None) -> None:
        """Store one of the two forms. Nobody may change the message afterwards, because it has several readers."""
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

    The function that spins the nodes also calls `deliver`, in the same thread (`process.spin_until`).
    """

    def __init__(self) -> None:
        """Begin without publishers and subscriptions."""
        self._publishers: dict[str, list[IntraProcessPublisher]] = defaultdict(list)
        self._subscriptions: dict[str, list[IntraProcessSubscription]] = defaultdict(list)
        self._order: deque[IntraProcessSubscription] = deque()
        self._recent: dict[str, deque[Delivery]] = defaultdict(lambda: deque(maxlen=SHARED_MESSAGES))

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
        subscription.recent = self._recent[subscription.topic]
        subscription.publishers = self._publishers[subscription.topic]
        self._subscriptions[subscription.topic].append(subscription)
        self._connect(subscription.topic)
        for publisher in self._publishers[subscription.topic]:
            publisher.deliver_last(subscription)

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
        """Run waiting callbacks for at most DELIVERY_TIME; return whether messages are left."""
        order = self._order
        end = time.perf_counter() + DELIVERY_TIME
        while order:
            order.popleft().call_back()
            if time.perf_counter() > end:
                break
        return bool(order)


class IntraProcessSubscription:
    """A reader of a topic, for messages from this process and, through DDS, from outside."""

    def __init__(self, kind: type, topic: str, callback: Callable[[Any], None], raw: bool,
                 followed: FollowedPublisher | None = None) -> None:
        """
        Begin without messages.

        :param topic: The full name.
        :param callback: Called with each message.
        :param raw: Whether the callback gets the Delivery instead of the message.
        :param followed: Leaves out the messages of another publisher; None: all are taken.
        """
        self.kind, self.topic, self.followed = kind, topic, followed
        self.publishers: list[IntraProcessPublisher] = []
        self._heard_inside = False
        self.queue: deque[IntraProcessSubscription] = deque()
        self.recent: deque[Delivery] = deque(maxlen=1)
        self._callback, self._raw = callback, raw
        self._is_open = True
        self.set_qos(QoSProfile(depth=1))

    def set_qos(self, profile: QoSProfile) -> None:
        """Set the QoS, which may differ from the requested one (`qos_overrides`)."""
        self.profile = profile
        depth = profile.depth if profile.history == HistoryPolicy.KEEP_LAST else None
        self._waiting: deque[Delivery] = deque(maxlen=depth)
        self._echoes: deque[bytes] = deque(maxlen=depth)

    def enqueue(self, delivery: Delivery) -> None:
        """Queue a message from this process."""
        self._heard_inside = True
        self._waiting.append(delivery)
        self.queue.append(self)

    def call_back(self) -> None:
        """Call back with the oldest waiting message, if any; the queue's depth may have dropped it."""
        if self._waiting:
            delivery = self._waiting.popleft()
            self._callback(delivery if self._raw else delivery.message)

    def expect_echo(self, data: bytes) -> None:
        """Note that a queued message is also published on DDS, and will come back from there."""
        self._echoes.append(data)

    def on_dds(self, data: bytes, info: Mapping[str, Any]) -> None:
        """
        Call back with a serialized message from DDS, unless it is the echo of a message from this process.

        An executor may still hold a message for a subscription that was destroyed a moment ago.

        :param info: rclpy's information on the message.
        """
        if self._is_open and not self._is_echo(data):
            for one in self._to_use(data, info):
                self._use(one)

    def use_overdue(self) -> None:
        """Call back with what another publisher sent if the one that is followed is silent; once a second."""
        for data in self.followed.overdue() if self.followed is not None else ():
            self._use(data)

    def close(self) -> None:
        """Do not call back any more."""
        self._is_open = False
        self._waiting.clear()

    def _to_use(self, data: bytes, info: Mapping[str, Any]) -> list[bytes]:
        """Return the messages of the publisher that is followed: one of this process while it is active."""
        if self.followed is None:
            return [data]
        if self._heard_inside and any(one.publisher.is_activated for one in self.publishers):
            self.followed.refuse()
            return []
        return self.followed.use(data, info)

    def _use(self, data: bytes) -> None:
        delivery = self._shared_delivery(data)
        self._callback(delivery if self._raw else delivery.message)

    def _shared_delivery(self, data: bytes) -> Delivery:
        """Return a message from outside; all readers in the process share one object."""
        for delivery in self.recent:
            if delivery.kind is self.kind and delivery.data == data:
                return delivery
        delivery = Delivery(self.kind, data=data)
        self.recent.appendleft(delivery)
        return delivery

    def _is_echo(self, data: bytes) -> bool:
        for number, echo in enumerate(self._echoes):
            if _is_same_message(echo, data):
                del self._echoes[number]
                return True
        return False


class IntraProcessPublisher:
    """A node's publisher; it is active while its LifecyclePublisher, `publisher`, is activated."""

    def __init__(self, kind: type, topic: str, profile: QoSProfile) -> None:
        """
        Begin with no reader; `publisher` must be set before the first message.

        :param topic: The full name.
        """
        self.topic = topic
        self.publisher: Any = None
        self._kind, self._profile = kind, profile
        self.latched = profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
        self._local: list[IntraProcessSubscription] = []
        self._last: Delivery | None = None
        self._last_is_on_dds = False
        self._dds_keeps_message = False   # DDS keeps a message for late readers, which newer ones must replace.
        # Readers in the process that are gone, but that DDS may still count; the count then, and until when, s.
        self._removed, self._counted, self._removal_deadline = 0, 0, 0.0
        self._readers, self._count_due = 0, -math.inf

    @property
    def wanted(self) -> bool:
        """Whether a message would have a reader now. If not, there is no need to make one."""
        return bool(self._local) or self.latched or self._known_readers() > 0

    def publish(self, message: Any) -> None:
        """Publish a message, which nobody may change afterwards."""
        if not self.publisher.is_activated:
            return
        on_dds = self._dds_keeps_message or self._has_reader_outside()
        delivery = Delivery(self._kind, message)
        for subscription in self._local:
            subscription.enqueue(delivery)
        if self.latched:
            self._last, self._last_is_on_dds = delivery, on_dds
        if on_dds:
            self._publish_on_dds(delivery)

    def get_subscription_count(self) -> int:
        """Return the number of readers, including those in this process."""
        self._readers, self._count_due = int(self.publisher.get_subscription_count()), time.monotonic() + COUNT_PERIOD
        return self._readers

    def wait_for_all_acked(self, timeout: Duration) -> bool:
        """Wait until the readers outside have received all messages; return whether they have."""
        return bool(self.publisher.wait_for_all_acked(timeout))

    def connect(self, subscriptions: list[IntraProcessSubscription]) -> None:
        """Connect to the subscriptions of this topic whose type and QoS match by the rules of DDS."""
        before = len(self._local)
        self._local = [one for one in subscriptions if self._matches(one)]
        if len(self._local) < before:
            self._removed += before - len(self._local)
            self._counted = self.get_subscription_count()
            self._removal_deadline = time.monotonic() + UNSUBSCRIBE_TIME

    def deliver_last(self, subscription: IntraProcessSubscription) -> None:
        """Deliver the last message of a latched topic to a new latched subscription."""
        wants_last = subscription.profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
        if self._last is not None and wants_last and self._matches(subscription):
            subscription.enqueue(self._last)
            if self._last_is_on_dds:
                subscription.expect_echo(self._last.data)

    def publish_last_outside(self) -> None:
        """Publish a latched topic's last message on DDS once there is a reader outside; DDS keeps it for later ones."""
        if (self._last is not None and not self._last_is_on_dds and self.publisher.is_activated
                and self._has_reader_outside()):
            self._last_is_on_dds = True
            self._publish_on_dds(self._last)

    def _matches(self, subscription: IntraProcessSubscription) -> bool:
        verdict, _ = qos_check_compatible(self._profile, subscription.profile)
        return subscription.kind is self._kind and verdict != QoSCompatibility.ERROR

    def _known_readers(self) -> int:
        return self._readers if time.monotonic() < self._count_due else self.get_subscription_count()

    def _has_reader_outside(self) -> bool:
        count = self._known_readers()
        if self._removed:
            uncounted = max(0, self._counted - count)
            self._removed = max(0, self._removed - uncounted) if time.monotonic() < self._removal_deadline else 0
            self._counted = count
        return count > len(self._local) + self._removed

    def _publish_on_dds(self, delivery: Delivery) -> None:
        self._dds_keeps_message = self.latched
        for subscription in self._local:
            subscription.expect_echo(delivery.data)
        self.publisher.publish(delivery.data if self._local else delivery.message)


def _is_same_message(one: bytes, other: bytes) -> bool:
    """Return whether serialized messages are equal, apart from header and padding, which some DDS vendors change."""
    size = min(len(one), len(other))
    return abs(len(one) - len(other)) < ALIGNMENT and one[ENCAPSULATION:size] == other[ENCAPSULATION:size]
