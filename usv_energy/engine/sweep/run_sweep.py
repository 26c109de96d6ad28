"""Run a sweep chunk by chunk, here or on a Dask cluster, into one file; continue a sweep that was interrupted."""

import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.engine.cases import Results
from usv_energy.engine.run_state import OUTCOMES
from usv_energy.engine.sweep.chunks import DTYPES, FinishedChunks, computed, opened_chunks
from usv_energy.engine.sweep.dask_cluster import computed_by_dask
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
from usv_energy.files.work import Progress, no_progress

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
