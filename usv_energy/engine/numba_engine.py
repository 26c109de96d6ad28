"""The loop of `loop.py` compiled by numba: a block of boats side by side in the processor's vectors, or one boat."""

import hashlib
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..physics import elementwise
from ..physics.compiled_memory import read, write
from ..physics.elementwise import FAST_MATH, kernel
from ..sim.outcomes import REACHED, RUNNING
from ..sim.step import begun, duration_of, ending, moved_on, observed, on_leg, period_later, reached, steered
from .single_run import leg_ahead, leg_of, run_alone, write_result
from .tuple_rows import compile_flat, packed, unpacked

LANES = 16  # Boats in a block: two of the widest vectors there are, and few enough for the first-level cache.
IDLE = -1
ROOM = 96  # Rows that a Lane may have.
_COMPILED: dict[Callable[..., Any], Any] = {}
_LOCK = threading.Lock()  # A worker's threads may all ask at once.
SOURCES = ('physics/*.py', 'sim/*.py', 'flow/grid_lookup.py', 'engine/*.py')


@kernel
def begin(k, run, template, cases, lanes, parameters, ways):
    """Put a run into a lane of the block."""
    for row in range(parameters.shape[0]):
        cases[row * LANES + k] = parameters[row, run]
    packed(begun(unpacked(template, cases, k, LANES), leg_of(0, ways, run)), lanes, k, LANES)


@kernel
def observe_block(template, blank, clock, water, air, cases, lanes, runs):
    """Observe all boats of a block; return how many are at their goal."""
    for k in range(LANES):
        case = unpacked(template, cases, k, LANES)
        packed(observed(unpacked(blank, lanes, k, LANES), case, clock, water, air), lanes, k, LANES)
    arrivals = 0
    for k in range(LANES):
        here = reached(unpacked(blank, lanes, k, LANES), unpacked(template, cases, k, LANES))
        arrivals += 1 if here & (runs[k] != IDLE) else 0
    return arrivals


@kernel
def settle_arrivals(template, blank, cases, lanes, runs, legs, ways, results):
    """Put those boats that are at their goal on their next leg, or end their runs."""
    for k in range(LANES):
        case, lane, run = unpacked(template, cases, k, LANES), unpacked(blank, lanes, k, LANES), runs[k]
        if run != IDLE and reached(lane, case):
            legs[k] = leg_ahead(lane.state, legs[k], ways, run, case.radius)
            if legs[k] == ways.shape[0] - 1:
                write_result(results, run, REACHED, duration_of(lane), lane, legs[k])
                runs[k] = IDLE
            else:
                packed(on_leg(lane, leg_of(legs[k], ways, run)), lanes, k, LANES)


@kernel
def move_block(template, blank, clock, water, air, cases, lanes, runs, commands):
    """Steer all boats of a block and move them by a period; return how many are done."""
    for k in range(LANES):
        integral, wanted = steered(unpacked(blank, lanes, k, LANES), unpacked(template, cases, k, LANES), clock)
        write(commands, k, wanted[0])
        write(commands, LANES + k, wanted[1])
        write(commands, 2 * LANES + k, integral)
    for number in range(clock.steps):
        for k in range(LANES):
            held = (read(commands, k), read(commands, LANES + k))
            packed(moved_on(unpacked(blank, lanes, k, LANES), number, held, read(commands, 2 * LANES + k),
                            unpacked(template, cases, k, LANES), clock, water, air), lanes, k, LANES)
    ends = 0
    for k in range(LANES):
        lane = period_later(unpacked(blank, lanes, k, LANES))
        packed(lane, lanes, k, LANES)
        ends += 1 if (runs[k] != IDLE) & (ending(lane, unpacked(template, cases, k, LANES), clock) != RUNNING) else 0
    return ends


@kernel
def settle_ends(template, blank, clock, cases, lanes, runs, legs, results):
    """End those runs that are over."""
    for k in range(LANES):
        if runs[k] != IDLE:
            lane = unpacked(blank, lanes, k, LANES)
            outcome = ending(lane, unpacked(template, cases, k, LANES), clock)
            if outcome != RUNNING:
                write_result(results, runs[k], outcome, duration_of(lane), lane, legs[k])
                runs[k] = IDLE


def run_block(template, blank, clock, water, air, parameters, ways, results, first, last):
    """
    Run the cases `first` to before `last`, LANES at a time; take up the next one wherever one has ended.

    :param template: A Case of floats, for its types.
    :param blank: A Lane of floats, for its types.
    :param clock: The Clock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    :param parameters: The numbers of the Case, rows; a column a run.
    :param ways: Start and waypoints, m, shape (W + 1, 2, runs or 1).
    :param results: Gets what came of them, rows as in Results.COLUMNS, a column a run.
    :param first: The first run.
    :param last: The one after the last.
    """
    cases, lanes = np.zeros(parameters.shape[0] * LANES), np.zeros(ROOM * LANES)
    commands, runs, legs = np.zeros(3 * LANES), np.full(LANES, IDLE), np.zeros(LANES, np.int64)
    following, under_way, changed = first, 1, True
    while under_way > 0:
        if changed:
            under_way = 0
            for k in range(LANES):
                if runs[k] == IDLE and following < last:
                    runs[k], legs[k] = following, 0
                    begin(k, following, template, cases, lanes, parameters, ways)
                    following += 1
                under_way += 1 if runs[k] != IDLE else 0
        changed = observe_block(template, blank, clock, water, air, cases, lanes, runs) > 0
        if changed:
            settle_arrivals(template, blank, cases, lanes, runs, legs, ways, results)
        if move_block(template, blank, clock, water, air, cases, lanes, runs, commands) > 0:
            settle_ends(template, blank, clock, cases, lanes, runs, legs, results)
            changed = True


def run_one(template, clock, water, air, parameters, ways, results, run, trace):
    """Run one case by itself; parameters as `run_block`, and rows for its samples, or None."""
    case = unpacked(template, parameters.ravel(), run, parameters.shape[1])
    outcome, leg, lane = run_alone(case, clock, water, air, ways, run, trace)
    write_result(results, run, outcome, duration_of(lane), lane, leg)


def compiled(function: Callable[..., Any]) -> Any:
    """
    Return one of the functions here, or of episode.py, compiled; compiled code is kept on disk.

    Its name there holds the fingerprint: numba looks at the age of the function's own file only, and would go on
    running the old physics after a change of the new.

    :raises ImportError: Where numba is not installed.
    """
    import numba
    with _LOCK:
        if function not in _COMPILED:
            elementwise.compile_kernels()
            compile_flat()
            function.__qualname__ = f'{function.__name__}_{fingerprint()[:16]}'
            _COMPILED[function] = numba.njit(nogil=True, error_model='numpy', fastmath=FAST_MATH, cache=True)(function)
        return _COMPILED[function]


@cache
def fingerprint() -> str:
    """Return a digest of the source of everything that is compiled."""
    folder = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(folder.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()
