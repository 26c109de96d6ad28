"""Work of a page beside the server: in threads and processes, with progress, ended by what follows or by the user."""

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from usv_energy.files.errors import InputError
from usv_energy.files.optional import leave_out
from usv_energy.files.side_process import SideProcess, StoppedError, give_memory_back
from usv_energy.files.work import Progress
from usv_energy.web.folder import keep_to, kept_to

T = TypeVar('T')
THREADS = 2     # Of all browsers together: more would only share the interpreter's lock, or the processors.
_POOL, _QUICK = ThreadPoolExecutor(THREADS, 'work'), ThreadPoolExecutor(THREADS, 'answer')
_BESIDE = ThreadPoolExecutor(1, 'beside')
STUDIES = 'usv_energy.web.plan_inputs'
UNUSED = 'pyarrow', 'dask'      # Libraries that others would load.


class CancelledError(Exception):
    """The work was ended before it was done: its result is not wanted any more."""


class Work:
    """
    One piece of work that can be ended; `share`: how much of it is done, from 0 to 1; `ended`: whether it is over.

    In a thread it is ended at its next word about its progress, in a process of its own at once, in the process that is
    kept at once, too, or at its next word after an import.
    """

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.share, self.ended = 0.0, False
        self._cancelled = threading.Event()
        self._side: SideProcess | None = None
        self._is_kept = False       # Whether the process is that of `done_beside`.
        _ALL.add(self)

    def cancel(self) -> None:
        """End it; what it may still do is not waited for."""
        self._cancelled.set()
        self.ended = True
        if (side := self._side) is not None:
            if self._is_kept:
                side.stop()
            else:
                side.kill()

    def progress(self, done: int, number: int) -> None:
        """Take how far it is, a `Progress` of usv_energy.files.work; raises CancelledError once it was ended."""
        if self._cancelled.is_set():
            raise CancelledError
        self._take(done, number)

    def _take(self, done: int, number: int) -> None:
        self.share = done / max(number, 1)
        if self._cancelled.is_set():
            self.cancel()

    async def done(self, work: Callable[[Progress], T]) -> T:
        """
        Return the result of `work(progress)`, which runs in a thread.

        :raises CancelledError: If it was ended.
        """
        return await self._awaited(partial(work, self.progress))

    async def done_apart(self, work: Callable[..., T], *given: Any, tells: bool = True) -> T:
        """
        Return the result of `work(*given, progress)`, which runs in a process of its own: what it loads goes with it.

        :param work: A function of a module.
        :param tells: Whether it says its progress; if not, it is called without that.
        :raises CancelledError: If it was ended.
        :raises InputError: If the process was killed, or as `work` does.
        """
        return await self._awaited(partial(self._apart, work, given, tells))

    async def done_beside(self, work: Callable[..., T], *given: Any) -> T:
        """
        Return the result of `work(*given, progress)` from the process that the server keeps for such work.

        One piece is done there after the other, so that what answers at once is not held up; raises as `done_apart`.
        """
        return await self._awaited(partial(self._beside, work, given), _BESIDE)

    def _beside(self, work: Callable[..., T], given: tuple[Any, ...]) -> T:
        if not _KEPT:
            keep_one()
        self._side, self._is_kept = _KEPT[0], True
        try:
            while True:
                try:
                    return self._side.call(work, *given, progress=self._take).result()
                except StoppedError:
                    self.progress(0, 1)     # It goes on if that was meant for the work before.
        except ChildProcessError as error:
            _KEPT.pop().__exit__(ChildProcessError, error, None)
            raise self._reason(error) from None
        finally:
            self._side, self._is_kept = None, False

    def _apart(self, work: Callable[..., T], given: tuple[Any, ...], tells: bool) -> T:
        try:
            with SideProcess() as side:
                self._side = side
                self.progress(0, 1)     # It may have been ended before there was a process to kill.
                side.call(_keep_to, kept_to())
                return side.call(work, *given, progress=self._take if tells else None).result()
        except ChildProcessError as error:
            raise self._reason(error) from None
        finally:
            self._side = None

    def _reason(self, error: ChildProcessError) -> Exception:
        """Return why a process is gone."""
        return CancelledError() if self._cancelled.is_set() else InputError(f'{error}, perhaps for want of memory')

    async def _awaited(self, doing: Callable[[], T], pool: ThreadPoolExecutor = _POOL) -> T:
        def guarded() -> T:
            self.progress(0, 1)
            return doing()

        self.ended = self._cancelled.is_set()   # One piece may come after another.
        try:
            with _faults_told():
                result = await asyncio.get_running_loop().run_in_executor(pool, guarded)
        except InputError:
            if self._cancelled.is_set():    # What was wrong is not there any more.
                raise CancelledError from None
            raise
        finally:
            self.ended = True
            give_memory_back()
        if self._cancelled.is_set():
            raise CancelledError
        return result


_ALL: 'WeakSet[Work]' = WeakSet()
_KEPT: list[SideProcess] = []   # The process of `done_beside`, if there is one.


def keep_one() -> None:
    """Begin the process of `done_beside`, and load what it will need."""
    _KEPT[:] = [SideProcess()]
    _KEPT[0].call(_keep_to, kept_to(), STUDIES)


def end_all() -> None:
    """End all work of the server."""
    for work in list(_ALL):
        work.cancel()
    for side in _KEPT:
        side.kill()


def begin_beside() -> None:
    """Begin the process of `done_beside` before it is asked for, and leave out here what it leaves out, too."""
    leave_out(*UNUSED)
    keep_one()


def _keep_to(where: tuple[Path, Path] | None, loads: str = '') -> None:
    """Keep another process to the folders of the server; `loads`: a module that it imports."""
    leave_out(*UNUSED)
    if where is not None:
        keep_to(*where)
    if loads:
        import_module(loads)


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
    with _faults_told():
        return await asyncio.get_running_loop().run_in_executor(_QUICK, work)


@contextmanager
def _faults_told() -> Iterator[None]:
    """Raise what is no error of input as one: the page says it, and the server's terminal where it came from."""
    try:
        yield
    except (InputError, CancelledError):
        raise
    except Exception as error:
        traceback.print_exc()
        raise InputError(f'a fault of usv_energy, {type(error).__name__}: {error}; the terminal of usv-energy serve '
                         'says where it came from') from error
