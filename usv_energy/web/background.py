"""Work of a page beside the server: in threads, with progress, ended by what follows it or by the user."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from usv_energy.files.work import Progress

T = TypeVar('T')
THREADS = 2     # Of all browsers together: more would only share the interpreter's lock.
_POOL, _QUICK = ThreadPoolExecutor(THREADS, 'work'), ThreadPoolExecutor(THREADS, 'answer')
DRAWING = threading.Lock()      # Held while matplotlib draws: its style is the whole process's.


class CancelledError(Exception):
    """The work was ended before it was done: its result is not wanted any more."""


class Work:
    """
    One piece of work that can be ended; `share`: how much of it is done, from 0 to 1; `ended`: whether it is over.

    It is ended at its next word about its progress: what never says how far it is runs to its end, unheard.
    """

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.share, self.ended = 0.0, False
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """End it."""
        self._cancelled.set()

    def progress(self, done: int, number: int) -> None:
        """Take how far it is, a `Progress` of usv_energy.files.work; raises CancelledError once it was ended."""
        if self._cancelled.is_set():
            raise CancelledError
        self.share = done / max(number, 1)

    async def done(self, work: Callable[[Progress], T]) -> T:
        """
        Return the result of `work(progress)`, which runs in a thread.

        :raises CancelledError: If it was ended.
        """
        def guarded() -> T:
            self.progress(0, 1)
            return work(self.progress)

        try:
            result = await asyncio.get_running_loop().run_in_executor(_POOL, guarded)
        finally:
            self.ended = True
        if self._cancelled.is_set():
            raise CancelledError
        return result


class Latest:
    """The work of one part of a page, of which only the latest is wanted: a new one ends the one before."""

    def __init__(self) -> None:
        """Begin without work."""
        self._work: Work | None = None

    def begin(self) -> Work:
        """Return new work, and end what was begun before."""
        self.cancel()
        self._work = Work()
        return self._work

    def cancel(self) -> None:
        """End what was begun."""
        if self._work is not None:
            self._work.cancel()


async def at_once(work: Callable[[], T]) -> T:
    """Return the result of work that takes a moment, in a thread of its own, so that long work does not delay it."""
    return await asyncio.get_running_loop().run_in_executor(_QUICK, work)
