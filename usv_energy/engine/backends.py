"""Which backend runs an ensemble: the compiled loop, the loop on arrays, a GPU, or run_scenario one by one."""

import importlib.util
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from .cases import BACKENDS, Cases, Results
from .numpy_engine import run_arrays
from .pack import Packed, pack
from .python_engine import run_plain
from .single_run import RESULT_ROWS

WHOLE = {'outcome': np.int8, 'samples': np.int64, 'waypoint': np.int64}
SLICES = 8      # Pieces of work a thread, so that none waits long for the others at the end;
SMALLEST = 128  # but not smaller than this, or the blocks of boats run half empty.


def backend_of(name: str, threads: int | None = None) -> Callable[[Cases], Results]:
    """
    Return what runs cases.

    :param threads: Of the numba backend; None for one a core.
    :raises InputError: For an unknown backend, or one whose library or device is missing.
    """
    if name not in BACKENDS:
        raise InputError(f'no backend named {name!r}; there are: {", ".join(BACKENDS)}')
    if threads is not None and threads < 1:
        raise InputError(f'{threads} threads; must be at least 1')
    if name == 'auto':
        name = 'numba' if has_numba() else 'numpy'
    if name == 'python':
        return lambda cases: _results(run_plain(cases))
    if name == 'numpy':
        return lambda cases: _results(run_arrays(pack(cases)))
    if name == 'cuda':
        from .cuda_engine import run_cuda
        return lambda cases: _results(run_cuda(pack(cases)))
    optional('numba', 'fast', 'the backend numba (numpy gives the same results without it)')
    cores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1
    return lambda cases: _results(run_compiled(pack(cases), threads or cores))


def has_numba() -> bool:
    """Return whether numba is installed; it is not imported, which takes a while."""
    return importlib.util.find_spec('numba') is not None


def run_compiled(packed: Packed, threads: int) -> np.ndarray:
    """
    Return what came of the runs, rows as in Results.COLUMNS, shape (rows, runs).

    Threads of Python and not numba's own: the compiled code holds no lock, so they run at once, and this may be called
    from threads (a Dask worker's), which numba's simplest threading layer does not survive.
    """
    from .numba_engine import compiled, run_block, run_one
    results = np.empty((RESULT_ROWS, packed.number))
    shared: tuple[Any, ...] = packed.clock, *packed.tables, packed.rows, packed.ways, results
    if packed.number == 1:
        compiled(run_one)(packed.template, *shared, 0, None)
        return results
    run, blank = compiled(run_block), packed.blank
    size = max(SMALLEST, -(-packed.number // (threads * SLICES)))
    firsts = range(0, packed.number, size)

    def work(first: int) -> None:
        run(packed.template, blank, *shared, first, min(first + size, packed.number))

    if threads == 1 or len(firsts) == 1:
        for first in firsts:
            work(first)
        return results
    pool = ThreadPoolExecutor(min(threads, len(firsts)))
    try:
        run(packed.template, blank, *shared, 0, 0)  # No run: compiles, where it has to, once.
        for _ in pool.map(work, firsts):
            pass
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return results


def _results(rows: np.ndarray) -> Results:
    columns = {name: row.astype(WHOLE.get(name, float)) for name, row in zip(Results.COLUMNS, rows)}
    return Results.of_columns(columns)
