"""
Run a sweep chunk by chunk, here or on a Dask cluster, into one file; continue a sweep that was interrupted.

Finished chunks stay on disk, from which an interrupted sweep continues. On a cluster a chunk is a task: if a worker
dies, only its present chunk is lost, and the scheduler gives that to another worker. Only a few chunks are on the
cluster at a time, and results do not stay there.
"""

import math
import os
import re
import shutil
import signal
import sys
import threading
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from zipfile import BadZipFile

import numpy as np

from usv_energy.engine.cases import Results
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.run_state import OUTCOMES, REACHED
from usv_energy.engine.sweep.results_file import (
    Variable,
    boxes,
    check_suffix,
    library,
    open_results,
    provenance,
    write_pieces,
)
from usv_energy.engine.sweep.sweep_file import SAMPLE, Sweep, plain_name
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import whole_file, write_json
from usv_energy.files.work import Progress, cores, no_progress
from usv_energy.version import __version__

MANIFEST, LOCK = 'manifest.json', 'lock'
DTYPES = {'outcome': 'i1'}
Columns = Mapping[str, np.ndarray]


class Chunk(NamedTuple):
    """Runs `first` to before `last` of a sweep; `place` is the index of the chunk."""

    place: int
    first: int
    last: int


def computed(sweep: Sweep, chunk: Chunk, backend: str, threads: int | None) -> tuple[Chunk, dict[str, np.ndarray]]:
    """Return a chunk and the columns of its results; called in this process or in a worker of a cluster."""
    columns = run_ensemble(sweep.cases(chunk.first, chunk.last), backend, threads).columns()
    return chunk, {name: np.asarray(values, dtype=DTYPES.get(name, 'f8')) for name, values in columns.items()}


class FinishedChunks:
    """A folder of finished chunks. Each file is written atomically."""

    def __init__(self, folder: Path, number: int, chunk: int) -> None:
        """Use the folder of a manifest that `opened_chunks` has checked."""
        self.folder, self.number, self.chunk = folder, number, chunk

    def chunks(self) -> list[Chunk]:
        """Return all chunks of the sweep, in order."""
        return [Chunk(place, first, min(first + self.chunk, self.number))
                for place, first in enumerate(range(0, self.number, self.chunk))]

    def missing(self) -> list[Chunk]:
        """Return the chunks that are not finished; files that cannot be read, or be results, count as missing."""
        return [chunk for chunk in self.chunks() if not self._whole(chunk)]

    def save(self, chunk: Chunk, columns: Columns) -> None:
        """Write a finished chunk. Raises OSError if it cannot be written."""
        with whole_file(self._path(chunk)) as part, part.open('wb') as file:
            np.savez(file, **columns)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())

    def load(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the columns of a finished chunk."""
        with np.load(self._path(chunk)) as stored:
            return {name: stored[name] for name in stored.files}

    def _path(self, chunk: Chunk) -> Path:
        return self.folder / f'runs_{chunk.first:010d}_{chunk.last:010d}.npz'

    def _whole(self, chunk: Chunk) -> bool:
        try:
            with np.load(self._path(chunk)) as stored:
                if stored.zip.testzip() is not None:
                    return False
                columns = {name: stored[name] for name in Results.COLUMNS}
            return all(column.shape == (chunk.last - chunk.first,) and column.dtype.kind in 'biuf'
                       for column in columns.values()) and _possible(columns)
        # The last is for an array that says it is larger than any memory.
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, NotImplementedError, MemoryError):
            return False


def _possible(columns: Columns) -> bool:
    """Return whether runs ended in a known way, and those that arrived have finite results (of cells, if any)."""
    arrived = columns['outcome'] == REACHED
    return bool(np.isin(columns['outcome'], range(len(OUTCOMES))).all()) and all(
        np.isfinite(column[arrived]).all() for name, column in columns.items() if name not in Results.OF_CELLS)


@contextmanager
def opened_chunks(folder: Path, fingerprint: str, number: int, chunk: int, restart: bool) -> Iterator[FinishedChunks]:
    """
    Give the finished chunks of a sweep, and lock them against other processes meanwhile.

    :param folder: Their folder; it need not exist.
    :param fingerprint: Of the sweep; chunks of other sweeps are refused.
    :param number: Runs of the sweep.
    :param chunk: Runs per chunk of a new sweep; one that was begun keeps its own.
    :param restart: Whether to delete existing chunks.
    :raises InputError: If the folder holds another sweep's chunks, or another process is using it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        found = None if restart else _manifest(folder)
        if found is None:
            for path in folder.glob('*.npz'):
                path.unlink()
            found = {'fingerprint': fingerprint, 'runs': number, 'chunk': chunk, 'version': __version__,
                     'begun': datetime.now(timezone.utc).isoformat(timespec='seconds')}
            write_json(found, folder / MANIFEST)
        elif found.get('fingerprint') != fingerprint:
            raise InputError(f'{folder}: holds chunks of another sweep, begun {found.get("begun")} with version '
                             f'{found.get("version")}: the sweep file, its scenario, its boat or the version has '
                             'changed since. Undo the change to go on with it, take another --out, or throw them away '
                             'with --restart')
        elif found.get('runs') != number or not isinstance(found.get('chunk'), int) or found['chunk'] < 1:
            raise InputError(f'{folder / MANIFEST}: runs is {found.get("runs")!r}, chunk {found.get("chunk")!r}; must '
                             f'be {number}, and a whole number of at least 1; --restart throws it away')
        try:
            yield FinishedChunks(folder, number, found['chunk'])
        finally:
            if folder.is_dir() and not any(folder.glob('*.npz')):
                shutil.rmtree(folder)


def _manifest(folder: Path) -> dict[str, Any] | None:
    if not (folder / MANIFEST).exists():
        return None
    try:
        found = read_json(folder / MANIFEST)
    except InputError as error:
        raise InputError(f'{error}; --restart throws it away') from None
    return found if isinstance(found, dict) else {}


def _lock(file: TextIO) -> None:
    """Lock a file for this process; OSError if another one has it."""
    if sys.platform == 'win32':
        import msvcrt
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the operating system releases it when the process ends in any way."""
    with (folder / LOCK).open('a') as file:
        try:
            _lock(file)
        except OSError:
            raise InputError(f'{folder}: another run is at work on this sweep') from None
        yield


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


# Limits of the runs per chunk, and the number of chunks to aim for in between.
LEAST_CHUNK, LARGEST_CHUNK, CHUNKS = 1024, 16384, 50


@dataclass(frozen=True)
class SweepOptions:
    """
    How a sweep is computed.

    `chunk`: runs that are computed and kept together (None to choose). `backend`, `threads`: as for `run_ensemble`.
    `dask`: address of a scheduler, or `local:N`, or None. `restart`: whether to delete what an earlier run has left.
    """

    chunk: int | None = None
    backend: str = 'auto'
    threads: int | None = None
    dask: str | None = None
    restart: bool = False


def chunks_folder(out: Path) -> Path:
    """Return the folder of the finished chunks of a file of results, until it is written."""
    return out.with_name(f'{out.name}.parts')


def run_sweep(sweep: Sweep, out: Path, options: SweepOptions, command: str = 'run_sweep',
              progress: Progress = no_progress) -> bool:
    """
    Compute what is missing of a sweep and write its file.

    The file depends only on the sweep (and the date): not on chunks, threads, workers or interruptions. If the work is
    interrupted, finished chunks stay in `chunks_folder(out)`, and the next call continues from them.

    :param out: The file, `.nc` or `.zarr`.
    :param command: For the file's history.
    :param progress: Called with the numbers of finished runs and of all runs at the beginning, when chunks of an
        earlier call may be finished already, and after each chunk. If it raises, the work ends.
    :return: False if the file already existed and is complete, so nothing was done.
    :raises InputError: If the file or its chunks are another sweep's, a library is missing, or a cluster does not work.
    :raises OSError: If something cannot be written.
    """
    check_suffix(out)
    folder = chunks_folder(out)
    if not options.restart and not folder.exists() and out.exists():
        with open_results(out) as dataset:
            if dataset.attrs.get('fingerprint') == sweep.fingerprint:
                return False
        raise InputError(f'{out}: is there already, and not of this sweep as it is now; take another --out, or replace '
                         'it with --restart')
    chunk = options.chunk or min(max(-(-sweep.number // CHUNKS), LEAST_CHUNK), LARGEST_CHUNK)
    with opened_chunks(folder, sweep.fingerprint, sweep.number, chunk, options.restart) as finished:
        _compute(sweep, finished, options, progress)
        write_pieces(out, _coordinates(sweep, command), _variables(sweep), _pieces(sweep, finished))
        shutil.rmtree(folder)
    return True


def _compute(sweep: Sweep, finished: FinishedChunks, options: SweepOptions, progress: Progress) -> None:
    missing = finished.missing()
    done = sweep.number - sum(chunk.last - chunk.first for chunk in missing)
    progress(done, sweep.number)
    results = (computed_by_dask(options.dask, sweep, missing, options.backend, options.threads)
               if options.dask is not None and missing else
               (computed(sweep, chunk, options.backend, options.threads) for chunk in missing))
    for chunk, columns in results:
        finished.save(chunk, columns)
        done += chunk.last - chunk.first
        progress(done, sweep.number)


def _coordinates(sweep: Sweep, command: str) -> Any:
    """Return an xarray Dataset of the axes' values and the file's own attributes."""
    coordinates: dict[str, Any] = {plain_name(path): ((plain_name(path),), values, _attributes(sweep, path))
                                   for path, values in sweep.axes.items()}
    seed = {}
    if sweep.drawn_paths:
        coordinates[SAMPLE] = ((SAMPLE,), np.arange(sweep.samples, dtype=np.int64),
                               {'units': '1', 'long_name': 'number of the Monte Carlo sample'})
        seed = {'seed': str(sweep.seed)}
    return library('xarray').Dataset(coords=coordinates, attrs=provenance(
        sweep.title, command, sweep.texts, fingerprint=sweep.fingerprint, **seed))


def _attributes(sweep: Sweep, path: str) -> dict[str, str]:
    unit = sweep.units[path]
    return {'units': '1' if unit == '-' else unit, 'long_name': path, 'parameter': path}


def _variables(sweep: Sweep) -> Mapping[str, Variable]:
    variables = {plain_name(path): Variable((SAMPLE,), 'f8', _attributes(sweep, path)) for path in sweep.drawn_paths}
    for name, column in Results.COLUMNS.items():
        attributes: dict[str, Any] = {'units': column.unit, 'long_name': column.meaning}
        if name == 'outcome':
            attributes |= {'flag_values': np.arange(len(OUTCOMES), dtype='i1'), 'flag_meanings': ' '.join(OUTCOMES)}
        variables[name] = Variable(sweep.dims, DTYPES.get(name, 'f8'), attributes)
    return variables


def _pieces(sweep: Sweep, finished: FinishedChunks) -> Iterator[tuple[str, tuple[slice, ...], np.ndarray]]:
    """Return the drawn values and the results, piece by piece, with one chunk in memory at a time."""
    for path in sweep.drawn_paths:
        for first in range(0, sweep.samples, finished.chunk):
            last = min(first + finished.chunk, sweep.samples)
            yield plain_name(path), (slice(first, last),), sweep.drawn(path, first, last)
    for chunk in finished.chunks():
        columns, at = finished.load(chunk), 0
        for box in boxes(chunk.first, chunk.last, sweep.shape):
            shape = tuple(part.stop - part.start for part in box)
            last = at + math.prod(shape)
            yield from ((name, box, columns[name][at:last].reshape(shape)) for name in Results.COLUMNS)
            at = last
