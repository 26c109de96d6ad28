"""`run_ensemble`: run the cases of an ensemble by numba, by numpy arrays, or one by one."""

import importlib.util
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from usv_energy.engine.cases import Cases, Results
from usv_energy.engine.columns import BLOCK
from usv_energy.engine.numpy_engine import run_arrays, run_one_by_one
from usv_energy.engine.prepared_runs import PreparedRuns, prepared
from usv_energy.engine.run_state import RAN_AWAY
from usv_energy.engine.single_run import RESULT_ROWS
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import Progress, cores, no_progress

BACKENDS = ('auto', 'numba', 'numpy', 'python')
CHUNK = 16384  # Runs that are prepared and computed together; each needs about 1 kB meanwhile.
WHOLE = {'outcome': np.int8, 'samples': np.int64, 'waypoint': np.int64}
SLICES = 8      # Pieces of work per thread, so that no thread waits long for the others at the end.
SMALLEST = 128  # Smallest piece, so that the blocks of boats are well filled.


def run_ensemble(cases: Cases, backend: str = 'auto', threads: int | None = None, chunk: int = CHUNK,
                 progress: Progress = no_progress) -> Results:
    """
    Run all cases as `sim.runner.run_scenario` would run each of them, and return the results.

    :param cases: From `cases_of`.
    :param backend: `auto`: numba if it is installed, else numpy. `numba`: the compiled loop on all cores. `numpy`:
        arrays over the ensemble, the same results except for rounding. `python`: run_scenario, one by one, for
        comparison.
    :param threads: Of the numba backend; None for one per core that this process may use.
    :param chunk: Number of runs in work at a time, which limits the memory.
    :param progress: Called with the number of finished runs and of all runs after each chunk. If it raises, no more are
        started.
    :raises InputError: For an unknown backend, or one whose library is missing.
    """
    run = backend_of(backend, threads)
    parts: list[Results] = []
    for first in range(0, cases.number, chunk):
        parts.append(run(cases.part(first, first + chunk)))
        progress(min(first + chunk, cases.number), cases.number)
    return Results.joined(parts)


def backend_of(name: str, threads: int | None = None) -> Callable[[Cases], Results]:
    """Return the function that runs cases; InputError for an unknown backend, or if its library is missing."""
    if name not in BACKENDS:
        raise InputError(f'no backend named {name!r}; there are: {", ".join(BACKENDS)}')
    if threads is not None and threads < 1:
        raise InputError(f'{threads} threads; must be at least 1')
    if name == 'auto':
        name = 'numba' if has_numba() else 'numpy'
    if name == 'python':
        return lambda cases: _results(run_one_by_one(cases))
    if name == 'numpy':
        return lambda cases: _results(_followed(run_arrays, prepared(cases)))
    optional('numba', 'fast', 'the backend numba (numpy gives the same results without it)')
    return lambda cases: _results(_followed(partial(run_compiled, threads=threads or cores()), prepared(cases)))


def _followed(run: Callable[[PreparedRuns], np.ndarray], runs: PreparedRuns) -> np.ndarray:
    """Return the results of runs as `run_one_by_one`; those whose step is too long for the boat ran away."""
    results = run(runs)
    lost = runs.too_long_steps
    if lost.any():
        results[:, lost] = np.nan
        for name, value in (('outcome', RAN_AWAY), ('samples', 0), ('waypoint', 0)):
            results[list(Results.COLUMNS).index(name), lost] = value
    return results


def has_numba() -> bool:
    """Return whether numba is installed, without importing it, which takes a while."""
    return importlib.util.find_spec('numba') is not None


def run_compiled(runs: PreparedRuns, threads: int) -> np.ndarray:
    """
    Return the results of the runs, rows as in Results.COLUMNS, shape (rows, runs).

    It uses Python's threads and not numba's: the compiled code releases the interpreter's lock, so they run in
    parallel. This function may also be called from other threads (a Dask worker's), which numba's simplest threading
    layer does not support.
    """
    from usv_energy.engine.numba_engine import compiled, run_block, run_each
    results = np.empty((RESULT_ROWS, runs.number))
    shared: tuple[Any, ...] = (runs.compiled_clock, runs.water, runs.air, runs.rows, runs.ways, results)
    if runs.by_blocks and runs.number > 1:
        run, shared = compiled(run_block), (runs.case_template, runs.state_template, *shared)
    else:
        run, shared = compiled(run_each), (runs.case_template, *shared)
    pieces = pieces_of(runs.number, threads)

    def work(piece: tuple[int, int]) -> None:
        run(*shared, *piece)

    if threads == 1 or len(pieces) == 1:
        for piece in pieces:
            work(piece)
        return results
    pool = ThreadPoolExecutor(min(threads, len(pieces)))
    try:
        run(*shared, 0, 0)  # Compiles without running a case.
        for _ in pool.map(work, pieces):
            pass
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return results


def pieces_of(number: int, threads: int) -> list[tuple[int, int]]:
    """Return the first run of each piece of work, and the index after the last; sizes differ by at most a block."""
    pieces = min(threads * SLICES, -(-number // SMALLEST))
    if pieces > threads:
        pieces -= pieces % threads
    blocks = -(-number // BLOCK)
    bounds = [min(blocks * piece // pieces * BLOCK, number) for piece in range(pieces + 1)]
    return list(pairwise(bounds))


def _results(rows: np.ndarray) -> Results:
    columns = {name: row.astype(WHOLE.get(name, float)) for name, row in zip(Results.COLUMNS, rows)}
    return Results.of_columns(columns)
