"""The boat that the server watches now: one for all of its browsers, since a port can be opened by one alone."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, NamedTuple, Protocol

from usv_energy.files.errors import InputError

GOES_ON = 'a boat is watched already; stop that first'


class Watch(Protocol):
    """What follows boats until it is left."""

    def state(self) -> dict[str, Any]:
        """Return what is known now, as of `BoatFollower.state`."""
        ...


class Watched(NamedTuple):
    """What is watched: in words, with the boat file's name."""

    source: str
    boat: str


class LiveDesk:
    """Begins and ends the one watch of the server."""

    def __init__(self) -> None:
        """Begin with nothing watched."""
        self._lock = Lock()
        self._watch: Any = None
        self.watched: Watched | None = None

    def begin(self, watched: Watched, opened: Callable[[], AbstractContextManager[Watch]]) -> None:
        """
        Begin to watch.

        :param watched: What it is.
        :param opened: Returns the watch, not entered yet.
        :raises InputError: If something is watched already, or as `opened` does.
        """
        with self._lock:
            if self._watch is not None:
                raise InputError(GOES_ON)
            watch = opened()
            self._watch, self.watched = watch.__enter__(), watched

    def state(self) -> dict[str, Any] | None:
        """Return what is known now; None where nothing is watched."""
        watch = self._watch
        return None if watch is None else watch.state()

    def end(self) -> None:
        """End the watch, if there is one."""
        with self._lock:
            watch, self._watch, self.watched = self._watch, None, None
        if watch is not None:
            watch.__exit__(None, None, None)


DESK = LiveDesk()
