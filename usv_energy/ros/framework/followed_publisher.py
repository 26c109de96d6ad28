"""
One publisher of a topic is followed, and the messages of another one are left out.

rclpy names no sender, but Fast DDS numbers the messages of each publisher from 1, and rclpy passes the number on. So a
message goes on from one publisher's last one, or from another's; if it fits several, from the one whose values and
times it goes on from. Where the middleware gives no numbers (Cyclone DDS), all messages are taken.
"""

import inspect
import math
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
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
# s between two calls, at least one a second, that the graph stalled; s after it in which what was queued is read.
STALLED, CAUGHT_UP = 1.5, 1.0
SHORTEST = 1e6      # ns: shortest period that counts, since a burst has none.
MOST_KNOWN = 8      # Publishers of a topic whose numbers are kept.
MOST_HELD, LARGEST_HELD = 300, 10_000   # Messages of a publisher that wait while another may be dead; bytes of one.
# Over how many comparisons the usual step of a field is a mean; largest share of a field.
MEAN_OVER, LARGEST_SHARE = 20, 100.0


class Publisher:
    """
    The last message of a publisher: its number, when it was received, ns, its data; and the mean period, ns, or NaN.

    `held`: what came since the publisher that is followed spoke.
    """

    __slots__ = ('data', 'held', 'number', 'period', 'received')

    def __init__(self, number: int, received: int, data: bytes) -> None:
        """Begin with a first message."""
        self.number, self.received, self.data, self.period = number, received, data, math.nan
        self.held: list[bytes] = []

    def fits(self, number: int, received: int) -> bool:
        """Return whether a message may go on from the last one: the next one, or later if the time was long enough."""
        step = number - self.number
        return step == 1 or (step > 1 and 2 * (received - self.received) >= (step - 1) * max(self.period, SHORTEST))

    def lateness(self, number: int, received: int) -> float:
        """Return by how many periods a message comes later than it is due; 0 while the period is unknown."""
        periods = (received - self.received) / max(self.period, SHORTEST)
        return 0.0 if math.isnan(periods) else periods - (number - self.number)

    def take(self, number: int, received: int, data: bytes) -> None:
        """Add the next message. A pause is no period: it at most grows by a quarter at a time."""
        period = max(0.0, (received - self.received) / (number - self.number))
        known = period if math.isnan(self.period) else self.period
        self.period = known + 0.25 * (min(period, 2.0 * known + SHORTEST) - known)
        self.number, self.received, self.data = number, received, data

    def is_silent(self, now: int) -> bool:
        """Return whether no message has come for SILENCE or SILENT_PERIODS, ns."""
        period = 0.0 if math.isnan(self.period) else self.period
        return now - self.received > max(SILENCE * NANOSECONDS, SILENT_PERIODS * period)


class FollowedPublisher:
    """
    Follows the publisher of a topic that was heard first, and says which messages are to be used: those of that one.

    Another one is followed when it is the only one left, or the one that is followed was silent for SILENCE. What it
    has sent since is held until then, and used: a publisher that was started again loses nothing.
    """

    def __init__(self, kind: type, on_other: Callable[[], None]) -> None:
        """
        Begin with none.

        :param kind: Type of the messages.
        :param on_other: Called for each message that is left out.
        """
        self.count: Callable[[], int] = lambda: 1   # Returns how many publishers there are now.
        self.is_known: bool | None = None   # Whether the middleware tells publishers apart; None: nothing was heard.
        self._kind, self._on_other = kind, on_other
        self._known: list[Publisher] = []           # In the order in which they were heard first.
        self._followed: Publisher | None = None
        self._received = -2 ** 63                   # When the last message was, ns of the monotonic clock.
        self._called = self._resumed = -2 ** 63     # The last call, and the last one after a stall, likewise.
        # Mean square of a publisher's step, by the number of the field; how many were compared.
        self._usual, self._compared = dict[int, float](), 0

    def use(self, data: bytes, info: Mapping[str, Any]) -> list[bytes]:
        """Return the messages to be used now that one has come, by its data and rclpy's information on it."""
        number = info['publication_sequence_number']
        self.is_known = bool(number)
        if not number:
            return [data]
        waited = max(0, time.time_ns() - info['received_timestamp'])    # The wall clock may be set.
        self._received = received = max(self._received, self._now() - waited)
        followed = self._followed
        if followed is not None and len(self._known) == 1 and number - followed.number == 1:
            followed.take(number, received, data)
            return [data]
        publisher = self._publisher_of(number, received, data)
        publisher.held.append(data)
        if publisher is followed or followed is None or self.count() < 2:
            return self._follow(publisher, is_only=publisher is not followed)
        if self._is_silent(followed, received):
            return self._follow_newest()
        if (large := len(data) > LARGEST_HELD) or len(publisher.held) > MOST_HELD:
            publisher.held.pop(-1 if large else 0)
            self._on_other()
        return []

    def overdue(self) -> list[bytes]:
        """Follow another publisher if there was silence since it spoke, and return what it sent: a graph may wait."""
        one, now = self._followed, self._now()
        return self._follow_newest() if one is not None and self._is_silent(one, now) else []

    def refuse(self) -> None:
        """Count a message from outside of the process that has its own publisher, unless there is no other."""
        if self.count() > 1:
            self._on_other()

    def _now(self) -> int:
        """Return the time, ns, of a call, and notice a stall."""
        now = time.monotonic_ns()
        if now - self._called > STALLED * NANOSECONDS:
            self._resumed = now
        self._called = now
        return now

    def _is_silent(self, publisher: Publisher, now: int) -> bool:
        """Return whether a publisher is silent: not just after a stall, when what it sent may still be queued."""
        return publisher.is_silent(now) and now - self._resumed > CAUGHT_UP * NANOSECONDS

    def _follow(self, publisher: Publisher, is_only: bool = False) -> list[bytes]:
        """Follow a publisher from now on, and return what is held of it; what others have sent is left out."""
        used, publisher.held = publisher.held, []
        for one in self._known:
            self._leave_out(one)
        self._followed, self._known = publisher, [publisher] if is_only else self._known
        return used

    def _follow_newest(self) -> list[bytes]:
        """Follow the one that was heard last for the first time, of those of which messages are held, if any are."""
        held = [one for one in self._known if one.held]
        return self._follow(held[-1]) if held else []

    def _leave_out(self, publisher: Publisher) -> None:
        for _ in publisher.held:
            self._on_other()
        publisher.held = []

    def _publisher_of(self, number: int, received: int, data: bytes) -> Publisher:
        """Return the publisher of a message, a new one if it goes on from none, with the message added."""
        known = self._known
        fitting = [one for one in known if one.fits(number, received)]
        fitting = [one for one in fitting if not self._is_silent(one, received)] or fitting
        if fitting:
            several = len(fitting) > 1 or (len(known) > 1 and self._compared < MEAN_OVER)
            publisher = self._likeliest(fitting, number, received, data) if several else fitting[0]
            publisher.take(number, received, data)
            return publisher
        publisher = Publisher(number, received, data)
        if len(known) == MOST_KNOWN:
            oldest = min((one for one in known if one is not self._followed), key=lambda one: one.received)
            known.remove(oldest)
            self._leave_out(oldest)
        known.append(publisher)
        return publisher

    def _likeliest(self, fitting: list[Publisher], number: int, received: int, data: bytes) -> Publisher:
        """
        Return the publisher from whose last message this one makes the least step, each field over its usual step.

        The nearest shows what is usual, so noise weighs little, and what sets two boats apart much. The first time,
        publishers are taken to speak in turn.
        """
        values = list(numbers_of(deserialize_message(data, self._kind)))
        steps = [[one.lateness(number, received) ** 2,
                  *map(square, values, numbers_of(deserialize_message(one.data, self._kind)))] for one in fitting]
        self._compared += 1
        for field, least in enumerate(map(min, zip(*steps))):
            usual = self._usual.setdefault(field, 0.0)
            if math.isfinite(least):
                self._usual[field] = usual + (least - usual) / min(self._compared, MEAN_OVER)
        if self._compared == 1:
            return min(fitting, key=lambda one: one.received)
        shares = [[share(step, self._usual.get(field, step)) for field, step in enumerate(row)] for row in steps]
        scores = [sum(row) - 0.5 * row[0] for row in shares]    # One field that is clear outweighs the time.
        return fitting[scores.index(min(scores))]


def numbers_of(value: Any) -> Iterator[float]:
    """Yield the values of all fields of a message, of a text a sum; times are none."""
    if isinstance(value, Time):
        return
    if hasattr(value, 'get_fields_and_field_types'):
        for name in value.get_fields_and_field_types():
            yield from numbers_of(getattr(value, name))
    elif isinstance(value, (str, bytes)):
        yield float(zlib.crc32(value.encode() if isinstance(value, str) else value))
    elif hasattr(value, '__len__'):
        yield float(len(value))
        for one in value:
            yield from numbers_of(one)
    else:
        yield float(value)


def square(one: float, other: float) -> float:
    """Return the square of a difference; infinite between NaN and a number."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return 0.0
    step = one - other
    return math.inf if math.isnan(step) else step * step


def share(step: float, usual: float) -> float:
    """Return a squared step over the usual one, at most LARGEST_SHARE."""
    return min(LARGEST_SHARE, step / usual) if usual > 0.0 else LARGEST_SHARE * (step > 0.0)


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
