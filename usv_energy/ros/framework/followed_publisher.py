"""
One publisher of a topic is followed, and the messages of another one are left out.

rclpy names no sender, but Fast DDS numbers the messages of each publisher from 1, and rclpy passes the number on. So a
message goes on from one publisher's last one, or from another's; if they have come equally far, from the one that it is
more like. Where the middleware gives no numbers (Cyclone DDS), all messages are taken.
"""

import inspect
import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TwistWithCovarianceStamped, Vector3Stamped
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import BatteryState, Imu, MagneticField, NavSatFix

from usv_energy.ros.messages.convert import NANOSECONDS
from usv_energy.ros.messages.messages import (
    BatteryEstimate,
    BoatState,
    EnergyStamped,
    HomeMargin,
    PowerStamped,
    ThrusterPower,
)

# Kinds of the streams that one publisher alone has: what is measured, and what this graph makes of it.
ONE_PUBLISHER = frozenset((
    Odometry, NavSatFix, TwistWithCovarianceStamped, Imu, MagneticField, BoatState, Vector3Stamped, PowerStamped,
    ThrusterPower, EnergyStamped, BatteryState, BatteryEstimate, HomeMargin))
# s of wall time, or periods, without the one that is followed after which another one is.
SILENCE, SILENT_PERIODS = 2.0, 3.0
SHORTEST = 1e6      # ns: shortest period that counts, since a burst has none.
MOST_KNOWN = 8      # Publishers of a topic whose numbers are kept.


class Publisher:
    """
    The last message of a publisher: its number, when it was received, ns, and its data; and the mean period, ns.

    The period is NaN while it is unknown.
    """

    __slots__ = ('data', 'number', 'period', 'received')

    def __init__(self, number: int, received: int, data: bytes) -> None:
        """Begin with a first message."""
        self.number, self.received, self.data, self.period = number, received, data, math.nan

    def fits(self, number: int, received: int) -> bool:
        """Return whether a message may go on from the last one: the next one, or later if the time was long enough."""
        step = number - self.number
        return step == 1 or (step > 1 and 2 * (received - self.received) >= (step - 1) * max(SHORTEST, self.period))

    def take(self, number: int, received: int, data: bytes) -> None:
        """Add the next message. A pause is no period: it at most grows by a quarter at a time."""
        period = max(0.0, (received - self.received) / (number - self.number))
        known = period if math.isnan(self.period) else self.period
        self.period = known + 0.25 * (min(period, 2.0 * known + SHORTEST) - known)
        self.number, self.received, self.data = number, received, data


class FollowedPublisher:
    """
    Follows the publisher of a topic that was heard first, and says of each message whether it is of that one.

    Another one is followed when it is the only one left, or the one that is followed was silent for SILENCE.
    """

    def __init__(self, kind: type, on_other: Callable[[], None]) -> None:
        """
        Begin with none.

        :param kind: Type of the messages.
        :param on_other: Called for each message that is left out.
        """
        self.count: Callable[[], int] = lambda: 1   # Returns how many publishers there are now.
        self.is_known = False   # Whether the middleware tells publishers apart.
        self._kind, self._on_other = kind, on_other
        self._known: list[Publisher] = []
        self._followed: Publisher | None = None
        self._waiting: tuple[Publisher, bytes] | None = None    # The last message that was left out.

    def takes(self, data: bytes, info: Mapping[str, Any]) -> bool:
        """Return whether a message is to be used, by its data and rclpy's information on it."""
        number, received = info['publication_sequence_number'], info['received_timestamp']
        self.is_known = bool(number)
        if not number:
            return True
        followed = self._followed
        if followed is not None and len(self._known) == 1 and number - followed.number == 1:
            followed.take(number, received, data)
            return True
        publisher = self._publisher_of(number, received, data)
        if publisher is not self._followed and not self._is_next(publisher):
            self._waiting = publisher, data
            self._on_other()
            return False
        self._waiting = None
        return True

    def overdue(self) -> bytes | None:
        """Follow another publisher if there was silence since its last message, and return that: a graph may wait."""
        if self._waiting is None or not self._is_silent(time.time_ns()):
            return None
        (self._followed, data), self._waiting = self._waiting, None
        return data

    def refuse(self) -> None:
        """Count a message from outside of the process that has its own publisher, unless there is no other."""
        if self.count() > 1:
            self._on_other()

    def _publisher_of(self, number: int, received: int, data: bytes) -> Publisher:
        """Return the publisher of a message, a new one if it goes on from none, with the message added."""
        known = self._known
        fitting = [one for one in known if one.fits(number, received)]
        if fitting:
            publisher = fitting[0] if len(fitting) == 1 else self._likeliest(fitting, number, data)
            publisher.take(number, received, data)
            return publisher
        publisher = Publisher(number, received, data)
        if len(known) == MOST_KNOWN:
            known.remove(min((one for one in known if one is not self._followed), key=lambda one: one.received))
        known.append(publisher)
        return publisher

    def _likeliest(self, fitting: list[Publisher], number: int, data: bytes) -> Publisher:
        """Return the publisher with the nearest number, or with the message that is most like this one."""
        nearest = max(one.number for one in fitting)
        fitting = [one for one in fitting if one.number == nearest]
        if len(fitting) == 1:
            return fitting[0]
        message = deserialize_message(data, self._kind)
        return min(fitting, key=lambda one: difference(message, deserialize_message(one.data, self._kind)))

    def _is_next(self, publisher: Publisher) -> bool:
        """Return whether a publisher is followed from now on."""
        if self._followed is None or self.count() < 2:
            self._known = [publisher]
        elif not self._is_silent(publisher.received):
            return False
        self._followed = publisher
        return True

    def _is_silent(self, now: int) -> bool:
        """Return whether the publisher that is followed is silent, by when its messages were received, ns."""
        followed = self._followed
        if followed is None:
            return True
        period = 0.0 if math.isnan(followed.period) else followed.period
        return now - followed.received > max(SILENCE * NANOSECONDS, SILENT_PERIODS * period)


def difference(one: Any, other: Any) -> float:
    """Return the sum of the differences of two messages' fields, each from 0 to 1; times do not count."""
    if isinstance(one, Time):
        return 0.0
    if hasattr(one, 'get_fields_and_field_types'):
        return sum(difference(getattr(one, name), getattr(other, name)) for name in one.get_fields_and_field_types())
    if isinstance(one, (int, float)):
        if one == other or (math.isnan(one) and math.isnan(other)):
            return 0.0
        share = abs(one - other) / (abs(one) + abs(other))
        return share if math.isfinite(share) else 1.0
    if isinstance(one, (str, bytes)) or len(one) != len(other):
        return float(one != other)
    return sum(map(difference, one, other))


class WithInfo:
    """
    A subscription's callback that gets a message and rclpy's information on it from each executor.

    The events executor of rclpy 7.1.6 passes both as one argument, where others pass two.
    """

    __signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY)
                                       for name in ('message', 'info')])

    def __init__(self, callback: Callable[[Any, Mapping[str, Any]], None]) -> None:
        """Store what is called."""
        self._callback = callback

    def __call__(self, *given: Any) -> None:
        """Call back with both."""
        self._callback(*(given if len(given) == 2 else given[0]))


def names_of(publishers: Iterable[Any]) -> str:
    """Return the full names of the nodes of publishers, given as `get_publishers_info_by_topic` returns them."""
    names = sorted({f'{one.node_namespace.rstrip("/")}/{one.node_name}' for one in publishers})
    return ' and '.join(names) or 'a node that is gone'
