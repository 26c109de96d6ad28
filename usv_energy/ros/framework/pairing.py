"""Pair each message of a leading stream with the messages of its followers for the same stamp. It needs no ROS."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Stamped(NamedTuple):
    """A message and its stamp, ns."""

    stamp: int
    value: Any


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

    def add_follower(self, name: str, stamp: int, value: Any) -> None:
        """Add a follower's message, or a new follower; call back if the waiting leader now has all messages."""
        messages = self._received.setdefault(name, deque(maxlen=self._depth))
        if messages and stamp < messages[-1].stamp:
            messages.clear()
        messages.append(Stamped(stamp, value))
        self._complete_if_ready()

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
