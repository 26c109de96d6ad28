"""`run_ensemble`: run the cases of an ensemble by numba, side by side in numpy arrays, or one by one."""

import importlib.util
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from usv_energy.engine import run_state, run_steps
from usv_energy.engine.cases import Cases, Results
from usv_energy.engine.prepared_runs import RESULT_ROWS, PreparedRuns, prepared, write_result
from usv_energy.engine.run_state import (
    BATTERY_EMPTY,
    BLOCK,
    LEFT_FLOW,
    RAN_AWAY,
    REACHED,
    RUNNING,
    TIMED_OUT,
    Case,
    RunState,
    map_leaves,
)
from usv_energy.engine.run_steps import run_around
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import Progress, cores, no_progress
from usv_energy.physics.frames import to_body
from usv_energy.powering.energy import CAUSES
from usv_energy.sim import record
from usv_energy.sim.control.guidance import leg_between, next_waypoint
from usv_energy.sim.plants.step_limit import StepTooLongError
from usv_energy.sim.plants.supplied_plant import SupplyState
from usv_energy.sim.record import Run
from usv_energy.sim.runner import run_scenario

BATCH = 2048  # Runs at a time; their numbers fit into the second-level cache.
TIGHTEN = 0.75  # If fewer than this share of a batch are still running, the others are removed from the arrays.


def run_arrays(prepared: PreparedRuns) -> np.ndarray:
    """Return the results of the runs, rows as in Results.COLUMNS, shape (rows, runs)."""
    results = np.empty((RESULT_ROWS, prepared.number))
    with np.errstate(all='ignore'):  # NaN before the first sample, and in runs that ran away.
        for first in range(0, prepared.number, BATCH):
            _Batch(prepared, np.arange(first, min(first + BATCH, prepared.number)), results).run()
    return results


class _Batch:
    """Some runs, side by side; those that have ended stay in the arrays until `_tighten`."""

    def __init__(self, prepared: PreparedRuns, runs: np.ndarray, results: np.ndarray) -> None:
        self.prepared, self.runs, self.results = prepared, runs, results
        self.under_way = np.ones(runs.size, dtype=bool)
        self.legs = np.zeros(runs.size, dtype=int)
        case: Any = map_leaves(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[runs], prepared.case)
        self.case: Case = case._replace(start=tuple(np.broadcast_to(part, runs.size) + 0.0 for part in case.start))
        self.state: RunState = run_state.run_at_start(self.case, self._legs_of(self.legs), prepared.clock)

    def run(self) -> None:
        prepared = self.prepared
        surroundings = prepared.clock, prepared.water, prepared.air
        while self.under_way.any():
            if self.under_way.mean() < TIGHTEN:
                self._tighten()
            self.state = run_steps.run_observed(self.state, self.case, *surroundings)
            arrived = np.flatnonzero(run_steps.is_at_goal(self.state, self.case) & self.under_way)
            if arrived.size:
                self._settle(arrived)
            control, wanted = run_steps.run_steered(self.state, self.case, prepared.clock)
            for number in range(prepared.clock.steps):
                around = run_around(self.state, number, self.case, *surroundings)
                self.state = run_steps.run_advanced(self.state, number, wanted, control, self.case, *surroundings,
                                                    around)
            self.state = run_steps.run_a_period_later(self.state)
            outcomes = run_steps.outcome_of(self.state, self.case, prepared.clock)
            for place in np.flatnonzero((outcomes != RUNNING) & self.under_way):
                self._end(int(place), int(outcomes[place]))

    def _settle(self, arrived: np.ndarray) -> None:
        """Put the runs that are at their goal on their next leg, or end them."""
        ways = self.prepared.ways
        for place in arrived:
            points: Any = ways[1:, :, self.runs[place] if ways.shape[2] > 1 else 0]
            radius = self.case.radius if np.ndim(self.case.radius) == 0 else self.case.radius[place]
            plant = self.state.plant
            self.legs[place] = next_waypoint(plant.x[place], plant.y[place], self.legs[place], points, radius)
            if self.legs[place] == len(points):
                self._end(place, REACHED)
        self.state = run_steps.run_on_leg(self.state, self._legs_of(np.minimum(self.legs, ways.shape[0] - 2)))

    def _end(self, place: int, outcome: int) -> None:
        state = self._taken(self.state, place)
        write_result(self.results, self.runs[place], outcome, run_steps.duration_of(state), state, self.legs[place])
        self.under_way[place] = False

    def _tighten(self) -> None:
        kept = np.flatnonzero(self.under_way)
        self.case, self.state = self._taken(self.case, kept), self._taken(self.state, kept)
        self.runs, self.legs, self.under_way = self.runs[kept], self.legs[kept], self.under_way[kept]

    def _legs_of(self, legs: np.ndarray) -> Any:
        ways, columns = self.prepared.ways, self.runs if self.prepared.ways.shape[2] > 1 else 0
        return leg_between(ways[legs, 0, columns], ways[legs, 1, columns], ways[legs + 1, 0, columns],
                           ways[legs + 1, 1, columns])

    @staticmethod
    def _taken(value: Any, places: Any) -> Any:
        return map_leaves(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[places], value)


ENDS = {record.REACHED: REACHED, record.TIMED_OUT: TIMED_OUT, record.BATTERY_EMPTY: BATTERY_EMPTY}


def run_one_by_one(cases: Cases) -> np.ndarray:
    """
    Return the results of the runs, rows as in Results.COLUMNS, shape (rows, runs).

    A run that left the flow or ran away has only its outcome (NaN; 0 samples), since run_scenario returns nothing for
    it.
    """
    return np.array([list(_result(cases, index).values()) for index in range(cases.number)]).T


def _result(cases: Cases, index: int) -> dict[str, float]:
    try:
        return _columns(run_scenario(cases.scenario_of(index)))
    except InputError as error:
        ran_away = isinstance(error, StepTooLongError) or 'runs away' in str(error)
        outcome = RAN_AWAY if ran_away else LEFT_FLOW
        return {**dict.fromkeys(Results.COLUMNS, math.nan), 'outcome': outcome, 'samples': 0, 'waypoint': 0}


def _columns(run: Run) -> dict[str, float]:
    last, energy = run.rows[-1], run.energy
    motion, flow = last.motion, last.flow  # The Power may have the velocity of another convention.
    current = to_body(flow.current_x, flow.current_y, math.cos(motion.yaw), math.sin(motion.yaw))
    waypoint = 0
    for row in run.rows:
        waypoint = next_waypoint(row.x, row.y, waypoint, run.scenario.waypoints, run.scenario.radius)
    return {'outcome': ENDS[run.outcome], 'duration': run.duration,
            **{f'energy_{cause}': getattr(energy, cause) for cause in CAUSES},
            'distance_over_ground': energy.distance_over_ground,
            'distance_through_water': energy.distance_through_water, 'thruster_energy': run.thruster_energy,
            'samples': energy.samples, 'waypoint': waypoint, 'x': last.x, 'y': last.y, 'yaw': motion.yaw,
            'u_r': motion.u - current[0], 'v_r': motion.v - current[1], 'r': motion.r,
            **_of_cells(run.supply)}


def _of_cells(supply: SupplyState | None) -> dict[str, float]:
    """Return the state of a battery at the end of a run; NaN without cells."""
    known = (math.nan,) * 4 if supply is None else (
        supply.cells.charge, supply.voltage, supply.cells.temperature, supply.energy)
    return dict(zip(Results.OF_CELLS, known))


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
