"""Pair each message of a leading stream with those of its followers for the same stamp. No ROS in it: plain values."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Stamped(NamedTuple):
    """A message and its stamp, ns."""

    stamp: int
    value: Any


class Pairing:
    """
    Hold a leader until every follower has spoken for its stamp, then hand them over together.

    A leader that waits is answered with what there is when the next one comes (`add_leader`) or when somebody's
    patience ends (`give_up`). Followers that answer each leader are paired exactly, in whatever order the messages
    arrive; followers that publish at another rate give their latest value of that time.
    """

    def __init__(self, followers: Iterable[str], hand_over: Callable[[Any, dict[str, Stamped | None]], None],
                 kept: int = 32) -> None:
        """
        Start empty.

        :param followers: Their names.
        :param hand_over: Called with a leader and, for each follower, its message or None if it never spoke.
        :param kept: Messages kept of each follower.
        """
        self._hand_over = hand_over
        self._kept = kept
        self._waiting: Stamped | None = None
        self._last_stamp = -1
        self._heard: dict[str, deque[Stamped]] = {name: deque(maxlen=kept) for name in followers}

    @property
    def waiting(self) -> bool:
        """Whether a leader is held."""
        return self._waiting is not None

    def add_leader(self, stamp: int, value: Any) -> None:
        """Take the next leader; hand it over at once if its followers have spoken."""
        if self._waiting is not None and self._waiting.stamp != stamp:
            self.give_up()
        if stamp < self._last_stamp:  # what was heard of the other future does not count
            for heard in self._heard.values():
                while heard and heard[-1].stamp > stamp:
                    heard.pop()
        self._last_stamp = stamp
        self._waiting = Stamped(stamp, value)
        self._try()

    def add_follower(self, name: str, stamp: int, value: Any) -> None:
        """Take a follower's message, a new one's too; hand the waiting leader over if that was what it waited for."""
        heard = self._heard.setdefault(name, deque(maxlen=self._kept))
        if heard and stamp < heard[-1].stamp:
            heard.clear()
        heard.append(Stamped(stamp, value))
        self._try()

    def give_up(self) -> None:
        """Hand the waiting leader over with what there is."""
        if self._waiting is None:
            return
        leader, self._waiting = self._waiting, None
        self._hand_over(leader.value, {name: self._best(heard, leader.stamp) for name, heard in self._heard.items()})

    def _try(self) -> None:
        leader = self._waiting
        if leader is not None and all(heard and heard[-1].stamp >= leader.stamp for heard in self._heard.values()):
            self.give_up()

    @staticmethod
    def _best(heard: 'deque[Stamped]', stamp: int) -> Stamped | None:
        """Return the latest message of a follower that is not after the stamp; its earliest if all are after."""
        if not heard:
            return None
        return next((message for message in reversed(heard) if message.stamp <= stamp), heard[0])
