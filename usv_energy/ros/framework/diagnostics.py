"""The state of the nodes on /diagnostics: one status for each node, once a second, in diagnostic_updater's layout."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from diagnostic_msgs.msg import DiagnosticStatus

from usv_energy.ros.framework.followed_publisher import names_of
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.messages import convert

PERIOD = 1.0
# A stream without samples for longer than this, s of wall time, is stale.
STALE_AFTER = 2.0
DAY = 86_400.0  # Times that differ by more, s, are of different clocks.


class Health(NamedTuple):
    """The state of a node: a level of DiagnosticStatus, a sentence, and values by name, with units in the names."""

    level: bytes
    message: str
    values: Mapping[str, Any]


class SampleHealth:
    """Counts the samples of a stream, and returns the state of the stream since the last call of `health`."""

    def __init__(self, what: str) -> None:
        """
        Begin with no sample.

        :param what: The samples, in the plural where they can be counted: 'odometry', 'power samples'.
        """
        self._what = what
        self._samples = self._useless = self._doubtful = 0
        self._recent = 0
        self._faults: Counter[str] = Counter()
        self._useless_before = 0
        self._stamp = -1
        self._checked_at = time.monotonic()
        self._received_at = self._checked_at
        self._rate = 0.0
        self._summary = (DiagnosticStatus.OK, '')

    def add(self, stamp: int | None, fault: str = '', useless: bool = False) -> None:
        """
        Count a sample.

        :param stamp: ns; None: of another clock.
        :param fault: What is wrong with it, in a few words; empty if nothing is.
        :param useless: Whether the fault makes the sample useless, or only doubtful.
        """
        self._samples += 1
        self._recent += 1
        self._stamp = self._stamp if stamp is None else stamp
        if fault:
            self._faults[fault] += 1
            self._useless += useless
            self._doubtful += not useless

    def health(self, now: int, values: Mapping[str, Any]) -> Health:
        """
        Return the state of the stream.

        :param now: The node's clock, ns.
        :param values: Further values for the status.
        """
        at = time.monotonic()
        if self._recent:
            self._rate = self._recent / max(at - self._checked_at, 1e-9)
            self._received_at, self._summary = at, self._level_and_message()
        silence = at - self._received_at
        level, message = self._summary
        if not self._samples:
            level, message = DiagnosticStatus.STALE, f'no {self._what} yet'
        elif silence > STALE_AFTER:
            level, message = DiagnosticStatus.STALE, f'no {self._what} for {silence:.0f} s'
            self._rate = 0.0
        self._checked_at, self._recent, self._useless_before = at, 0, self._useless
        self._faults.clear()
        return Health(level, message, {
            'rate (Hz)': f'{self._rate:.2f}', 'samples': self._samples, 'invalid samples': self._useless,
            'doubtful samples': self._doubtful, **self._age(now), **values})

    def _level_and_message(self) -> tuple[bytes, str]:
        """Return level and sentence for the samples since the last call of `health`."""
        if not self._faults:
            return DiagnosticStatus.OK, f'{self._what} at {self._rate:.1f} Hz'
        faults = ', '.join(f'{fault} ({count} of {self._recent})' for fault, count in self._faults.most_common())
        all_useless = self._useless - self._useless_before == self._recent
        return DiagnosticStatus.ERROR if all_useless else DiagnosticStatus.WARN, faults

    def _age(self, now: int) -> dict[str, str]:
        if self._stamp < 0:
            return {}
        age = (now - self._stamp) / convert.NANOSECONDS
        return {'last stamp (s)': f'{self._stamp / convert.NANOSECONDS:.3f}',
                'age of the last stamp (s)': f'{age:.3f}' if abs(age) < DAY else 'of another clock than the node has'}


class SolePublishers:
    """Watches topics that one node alone should publish, and names those with more."""

    def __init__(self, node: ManagedNode, topics: Sequence[str]) -> None:
        """Begin with none named; `topics`: as the node names them, before remapping."""
        self._node, self._topics = node, [node.resolve_topic_name(topic) for topic in topics]
        # With more than one at the last check. The topic of a node that was restarted has two for a moment.
        self._seen: set[str] = set()
        self._named: set[str] = set()

    def fault(self) -> str:
        """Return what is wrong, a sentence, and log it the first time; empty if nothing is."""
        several = {topic for topic in self._topics if self._node.count_publishers(topic) > 1}
        lasting, self._seen = several & self._seen, several
        self._named &= several
        found = [self._node.get_publishers_info_by_topic(topic) for topic in sorted(lasting)]
        mixed = {one.topic for one in self._node.followers if one.followed and one.followed.is_known is False}
        texts = [f'{topic} has {len(ones)} publishers{", and their messages are mixed" * (topic in mixed)}: '
                 f'{names_of(ones)}' for topic, ones in zip(sorted(lasting), found)]
        for topic, text in zip(sorted(lasting), texts):
            if topic not in self._named:
                self._named.add(topic)
                self._node.get_logger().warning(f'{text}: one must be ended or remapped')
        return '; '.join(texts)


def publish_health(node: ManagedNode, undo: ExitStack, task: str, health: Callable[[int], Health],
                   sole: Sequence[str] = ()) -> None:
    """
    Publish the state of a node once a second of wall time until undone; for `activate`.

    :param task: What the status is about; its name is '<node>: <task>'.
    :param health: Called with the node's clock, ns.
    :param sole: Topics that should have one publisher; if one has more, the state is a warning.
    """
    publishers = SolePublishers(node, sole)

    def publish() -> None:
        found = health(node.get_clock().now().nanoseconds)
        if fault := publishers.fault():
            found = found._replace(level=max(found.level, DiagnosticStatus.WARN), message=f'{fault}; {found.message}')
        node.tell(task, *found)

    node.every(undo, PERIOD, publish)
