"""Parallel work by threads and forked processes, its progress, and reading ahead."""

import multiprocessing
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from usv_energy.files.errors import InputError

Progress = Callable[[int, int], None]   # Called with the number of finished items, and the number of all items.

T = TypeVar('T')
_WORK: list[Callable[[int], Any]] = []      # Functions for the workers, who inherit them, so that no data are copied.
_IN_WORKER: list[bool] = []     # Not empty in a worker process.
MAX_DEATHS = 3  # Work is given up if workers are killed this many times in a row without a result in between.

Item = TypeVar('Item')


def no_progress(done: int, number: int) -> None:
    """Ignore the progress."""


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1


def free_cores() -> int:
    """Return the number of threads that a task may use: one for each core, but one in a worker process."""
    return 1 if _IN_WORKER else cores()


def threaded(work: Callable[[int], T], number: int) -> list[T]:
    """Return the results of `work` for 0 to `number` - 1, by one thread for each core; in a worker by one thread."""
    if number < 2 or free_cores() == 1:     # A pool of threads takes a millisecond or two.
        return [work(place) for place in range(number)]
    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(work, range(number)))


def forked(work: Callable[[int], T], number: int, workers: int) -> Iterator[tuple[int, T]]:
    """
    Yield each of 0 to `number` - 1 with the result of `work` for it, in the order in which they finish.

    Workers are forked. So they share the data and the compiled code of this process, and a calling script needs no
    guard around its main part. Ctrl-C, any error, or the end of this process ends them. If a worker is killed, others
    repeat its unfinished items. If the system cannot fork, this process does the work.

    :param workers: Largest number of processes; 1: only this one, in order.
    :raises InputError: If workers are killed again and again without a result.
    """
    workers = min(workers, number)
    if workers <= 1 or 'fork' not in multiprocessing.get_all_start_methods():
        yield from ((place, work(place)) for place in range(number))
        return
    waiting, deaths = set(range(number)), 0
    _WORK.append(work)
    try:
        while waiting:
            before = len(waiting)
            for place, result in _pooled(sorted(waiting), workers):
                waiting.remove(place)
                yield place, result
            deaths = deaths + 1 if len(waiting) == before else 0
            if deaths == MAX_DEATHS:
                raise InputError(f'workers were killed {MAX_DEATHS} times on end, perhaps for want of memory: fewer of '
                                 'them need less')
    finally:
        _WORK.pop()


@contextmanager
def beside(work: Callable[[], T], workers: int) -> Iterator[Callable[[], T]]:
    """
    Let a forked process do some work until the block ends; what is given waits for the result.

    Where this process is a worker, or cannot fork, it does the work itself when it asks for the result.

    :param workers: Largest number of processes; with 1 there is this one alone.
    """
    if min(workers, free_cores()) == 1 or 'fork' not in multiprocessing.get_all_start_methods():
        yield work
        return
    _WORK.append(lambda place: work() if place else None)
    pooled = _pooled([0, 1], 1)

    def result() -> T:
        for _, found in pooled:
            return found
        return work()       # The process was killed.
    try:
        next(pooled, None)  # The process has begun.
        yield result
    finally:
        pooled.close()
        _WORK.pop()


def _pooled(places: list[int], workers: int) -> Generator[tuple[int, Any], None, None]:
    """Yield the results for some items, without those that were unfinished when a worker was killed."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context('fork'), _begin, (os.getpid(),))
    jobs = {}
    try:
        # Python warns of forking with threads. Those of numpy's library are idle, and it restarts them in the child.
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', DeprecationWarning)
            try:
                for place in places:
                    jobs[pool.submit(_work, place)] = place
            except BrokenProcessPool:
                pass
        for job in as_completed(jobs):
            if not isinstance(job.exception(), BrokenProcessPool):
                yield jobs[job], job.result()
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(caller: int) -> None:
    """Make this process a worker: it ignores Ctrl-C, and ends with the process that forked it."""
    import signal
    end_with(caller)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _IN_WORKER.append(True)


def end_with(caller: int) -> None:
    """
    Let this process end within a second of its caller, however that ends.

    It is not enough to see a pipe closed: processes forked later hold its other end, too, and a call may take minutes.
    Windows gives an orphan no other parent: there it does nothing.

    :param caller: Number of the process that started this one.
    """
    def watch() -> None:
        while os.getppid() == caller:
            time.sleep(1.0)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _work(place: int) -> Any:
    return _WORK[-1](place)


def read_ahead(items: Iterator[Item], number: int) -> Iterator[Item]:
    """
    Yield items in order, made ahead by a thread; an exception is raised at the place of its item.

    It is faster if making items releases the interpreter's lock, as reading, unpacking and checksums do.

    :param items: The items; only the thread uses this iterator from here on.
    :param number: Largest number of items made ahead.
    """
    end = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        pending = deque(pool.submit(next, items, end) for _ in range(number))
        while (item := pending.popleft().result()) is not end:
            pending.append(pool.submit(next, items, end))
            yield item  # type: ignore[misc]  # next returns an item or `end`
