"""
The chunks of a sweep on a Dask cluster: one task per chunk.

If a worker dies, only its present chunk is lost, and the scheduler gives that to another worker. Only a few chunks are
on the cluster at a time, and results do not stay there.
"""

import re
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any

import numpy as np

from usv_energy.engine.sweep.chunks import Chunk, computed
from usv_energy.engine.sweep.results_file import library
from usv_energy.engine.sweep.sweep_file import Sweep
from usv_energy.files.errors import InputError
from usv_energy.files.work import cores
from usv_energy.version import __version__

LOOPBACK = '127.0.0.1'      # Scheduler, workers and dashboard of a local cluster are reached from this machine only.
LOCAL = re.compile(r'local(?::([1-9][0-9]*))?')
AHEAD = 2  # Chunks per worker that are on the cluster at a time.
RETRIES = 2  # Retries of a chunk whose computation failed (not for workers that died).
DEATHS = 10  # Workers of a local cluster that may die of a chunk before it is given up.
TIMEOUT = 20  # s, to find a scheduler and a worker.


def computed_by_dask(address: str, sweep: Sweep, chunks: list[Chunk], backend: str,
                     threads: int | None) -> Iterator[tuple[Chunk, dict[str, np.ndarray]]]:
    """
    Return chunks and their results as they are finished, in any order.

    :param address: Of a scheduler (`tcp://host:8786`), or `local:N` for N workers on this machine.
    :raises InputError: If there is no such cluster, its workers lack this version of the package, or too many workers
        died of one chunk.
    """
    distributed = library('distributed')
    with _client(distributed, address, threads) as (client, own_threads):
        _check_workers(client, address)
        run = uuid.uuid4().hex[:8]
        futures = (client.submit(computed, sweep, chunk, backend, own_threads, retries=RETRIES, pure=False,
                                 key=f'usv_energy-{run}-{chunk.place}') for chunk in chunks)
        ahead = AHEAD * max(len(client.scheduler_info(n_workers=-1)['workers']), 1)
        working = distributed.as_completed(list(islice(futures, ahead)))
        for future in working:
            try:
                result = future.result()
            except distributed.KilledWorker as error:
                raise InputError(f'--dask {address}: a chunk was given up, every worker that had it died: {error}; '
                                 'a smaller --chunk needs less memory') from None
            working.update(list(islice(futures, 1)))
            yield result


def shared_by_dask(address: str, work: Callable[[Any, Any], Any], shared: Any,
                   items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """
    Yield the indices of items and `work(shared, item)` of each as they are finished, in any order.

    `shared` is sent to each worker once. If a worker dies, only its present item is computed again.

    :param address: As `computed_by_dask`.
    :param work: A function at the top level of a module, since it is sent by its name.
    :raises InputError: If there is no such cluster, or too many workers died of one item.
    """
    distributed = library('distributed')
    with _client(distributed, address, 1) as (client, _):
        _check_workers(client, address)
        there, run = client.scatter(shared, broadcast=True), uuid.uuid4().hex[:8]
        places = {client.submit(work, there, item, retries=RETRIES, pure=False, key=f'usv_energy-{run}-{place}'): place
                  for place, item in enumerate(items)}
        try:
            for future in distributed.as_completed(list(places)):
                yield places[future], future.result()
        except distributed.KilledWorker as error:
            raise InputError(f'--dask {address}: a task was given up, every worker that had it died: {error}') from None


@contextmanager
def _client(distributed: Any, address: str, threads: int | None) -> Iterator[tuple[Any, int | None]]:
    """Give a client of a cluster, and the number of threads for a chunk."""
    local = LOCAL.fullmatch(address)
    with ExitStack() as stack:
        stack.enter_context(library('dask').config.set({'distributed.scheduler.allowed-failures': DEATHS}))
        if local:
            workers = int(local[1] or cores())
            threads = threads or max(cores() // workers, 1)
            with _deaf_children():
                cluster = stack.enter_context(distributed.LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, host=LOOPBACK,
                    dashboard_address=f'{LOOPBACK}:0', silence_logs='ERROR'))
            yield stack.enter_context(distributed.Client(cluster)), threads
            return
        if '://' not in address:
            raise InputError(f'--dask is {address!r}; must be local, local:N, or the address of a scheduler, as '
                             'tcp://host:8786')
        try:
            client = distributed.Client(address, timeout=TIMEOUT)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f'--dask {address}: no scheduler answers there: {error}') from None
        yield stack.enter_context(client), threads


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Have processes that are started meanwhile ignore Ctrl-C, which this process handles and then ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise InputError(f'--dask {address}: the scheduler has no workers') from None
    for worker, version in client.run(_version).items():
        if version != __version__:
            raise InputError(f'--dask {address}: worker {worker} has usv_energy {version or "not installed"}; must be '
                             f'{__version__}, as here')


def _version() -> str:
    """Return the version of this package on a worker; it fails to load there if the package is missing."""
    return __version__
