"""Long work: its progress, work done side by side, and reading ahead."""

import multiprocessing
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from usv_energy.files.errors import InputError

Progress = Callable[[int, int], None]   # Called with how much is done, and how much there is.

T = TypeVar('T')
_WORK: list[Callable[[int], Any]] = []      # What the workers do; they inherit it, so that no log is copied.
_IN_WORKER: list[bool] = []
DEATHS = 3      # Times on end that workers are killed, nothing done meanwhile, after which the work is given up.

Item = TypeVar('Item')


def no_progress(done: int, number: int) -> None:
    """Tell nobody how far the work is."""


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1


def free_cores() -> int:
    """Return how many threads a task may take: one a core, and one in a worker, beside which there are others."""
    return 1 if _IN_WORKER else cores()


def threaded(work: Callable[[int], T], number: int) -> list[T]:
    """Return what `work` gives for 0 to before `number`, by as many threads as there are cores; by one in a worker."""
    if free_cores() == 1:
        return [work(place) for place in range(number)]
    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(work, range(number)))


def forked(work: Callable[[int], T], number: int, workers: int) -> Iterator[tuple[int, T]]:
    """
    Yield each of 0 to before `number` with what `work` gives for it, in whatever order they are done.

    Workers are forked: they share what this process has read and compiled, and a script that calls this needs no guard
    around its main part. Ctrl-C, or any error, ends them. A worker that is killed costs only what was being done just
    then, which others do again. Where a system cannot fork, the work is done here.

    :param workers: How many processes at most; 1: this one alone, in order.
    :raises InputError: If workers are killed again and again, and nothing is done meanwhile.
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
            if deaths == DEATHS:
                raise InputError(f'workers were killed {DEATHS} times on end, perhaps for want of memory: fewer of '
                                 'them need less')
    finally:
        _WORK.pop()


def _pooled(places: list[int], workers: int) -> Iterator[tuple[int, Any]]:
    """Yield what the work gives for some places; without those that were not done when a worker was killed."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context('fork'), _begin)
    jobs = {}
    try:
        with warnings.catch_warnings():     # Of forking with threads: those of numpy's library are at rest, and it
            warnings.simplefilter('ignore', DeprecationWarning)     # sets itself up anew in the child.
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
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Make this process a worker: the one that forked it ends it, and is the one that Ctrl-C speaks to."""
    import signal
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _IN_WORKER.append(True)


def _work(place: int) -> Any:
    return _WORK[-1](place)


def read_ahead(items: Iterator[Item], number: int) -> Iterator[Item]:
    """
    Give items in their order, and raise what making one of them raises, in its turn.

    It pays where making them lets go of the interpreter's lock: reading, unpacking, checksums.

    :param items: Gives them; used by the thread alone from here on.
    :param number: How many are made ahead, at most.
    """
    end = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        coming = deque(pool.submit(next, items, end) for _ in range(number))
        while (item := coming.popleft().result()) is not end:
            coming.append(pool.submit(next, items, end))
            yield item  # type: ignore[misc]  # next gives an item or `end`
