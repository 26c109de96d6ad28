"""The bag of a recorder: when a topic is announced, which time a message has, and what is said twice."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rclpy.qos import QoSProfile

from . import convert
from .bagfile import BagWriter


class Topic(NamedTuple):
    """A topic of the bag: its whole name, and the class of its messages."""

    name: str
    kind: type


class BagRecording:
    """
    Writes the messages of topics into a bag, each at the latest stamp heard.

    A simulator in lockstep, or at its start, says the same odometry again until all have answered it. While `settled`
    is not set, a message that is the last of its topic once more is left out; from then on only where it has a stamp.
    """

    def __init__(self, bag: BagWriter, offered: Callable[[str], Sequence[QoSProfile]], keep_repeats: bool) -> None:
        """
        Begin with nothing heard.

        :param offered: Returns the qualities of service of a topic's publishers.
        :param keep_repeats: Whether a message is kept though it is the last one once more, since nobody asks again.
        """
        self._bag = bag
        self._offered = offered
        self._keep_repeats = keep_repeats
        self._stamped: dict[type, bool] = {}
        self._last: dict[str, bytes] = {}
        self._stamps: dict[str, int] = {}
        self._time = 0
        self.settled = False

    def add(self, topic: Topic, data: bytes) -> None:
        """Write a message; the first one of a topic announces it."""
        name, kind = topic
        if name not in self._last:
            self._bag.add_topic(name, kind, self._offered(name))
            self._stamped.setdefault(kind, convert.has_header(kind))
        stamped = self._stamped[kind]
        if (stamped or not self.settled) and not self._keep_repeats and data == self._last.get(name):
            return
        self._last[name] = data
        if stamped:
            self._time = self._stamps[name] = convert.header_nanoseconds(data)
        self._bag.write(name, data, self._time)

    def flush(self) -> None:
        """Put what was written so far where it outlives the process."""
        self._bag.flush()

    def unheard(self, topics: Iterable[str]) -> list[str]:
        """Return those of some topics that have no message in the bag yet."""
        return [topic for topic in topics if topic not in self._last]

    def behind(self, topics: Iterable[str], stamp: int) -> list[str]:
        """Return those of some topics, heard of before, whose latest stamp is before a stamp, ns."""
        return [topic for topic in topics if self._stamps.get(topic, stamp) < stamp]
