"""The steps of `run_steps.py` compiled: for a block of boats in the processor's vector registers, or for one boat."""

import hashlib
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.engine.prepared_runs import leg_ahead, leg_of, run_single, write_result
from usv_energy.engine.run_state import (
    BLOCK,
    REACHED,
    RUNNING,
    compile_columns,
    read_column,
    run_at_start,
    write_column,
)
from usv_energy.engine.run_steps import (
    duration_of,
    is_at_goal,
    outcome_of,
    run_a_period_later,
    run_advanced,
    run_observed,
    run_on_leg,
    run_steered,
)
from usv_energy.physics.compiled_kernels import compile_kernels, compiled_loop
from usv_energy.physics.elementwise import BY_TYPE, kernel
from usv_energy.physics.waves.felt_waves import compile_waves

IDLE = -1  # In place of a run's index, for a free place in the block.
STATE_ROWS = 160  # Most numbers of a RunState.
COMMAND_ROWS = 64  # Most numbers of a commanded Setting.
_COMPILED: dict[tuple[Callable[..., Any], tuple[Path, ...]], Any] = {}
_LOCK = threading.Lock()  # A worker's threads may all ask for the compiled functions at once.
PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = ('physics/**/*.py', 'thrusters/**/*.py', 'foils/*.py', 'allocation/*.py', 'powering/*.py', 'sim/**/*.py',
           'flow/grids/*.py', 'engine/*.py')


@kernel
def start_in_block(k, run, case_template, clock, cases, states, parameters, ways):
    """Put a run at its start into place `k` of the block."""
    for row in range(parameters.shape[0]):
        cases[row * BLOCK + k] = parameters[row, run]
    case = read_column(case_template, cases, k, BLOCK)
    write_column(run_at_start(case, leg_of(0, ways, run), clock), states, k, BLOCK)


@kernel
def observe_block(case_template, state_template, clock, water, air, cases, states):
    """Observe all boats of a block."""
    for k in range(BLOCK):
        case = read_column(case_template, cases, k, BLOCK)
        state = run_observed(read_column(state_template, states, k, BLOCK), case, clock, water, air)
        write_column(state, states, k, BLOCK)


@kernel
def arrivals_of(case_template, state_template, cases, states, runs):
    """Return the number of boats in a block that are at their goal."""
    arrivals = 0
    for k in range(BLOCK):
        here = is_at_goal(read_column(state_template, states, k, BLOCK), read_column(case_template, cases, k, BLOCK))
        arrivals += 1 if here & (runs[k] != IDLE) else 0
    return arrivals


@kernel
def settle_arrivals(case_template, state_template, cases, states, runs, legs, ways, results):
    """Put the boats that are at their goal on their next leg, or end their runs."""
    for k in range(BLOCK):
        case, run = read_column(case_template, cases, k, BLOCK), runs[k]
        state = read_column(state_template, states, k, BLOCK)
        if run != IDLE and is_at_goal(state, case):
            legs[k] = leg_ahead(state.plant, legs[k], ways, run, case.radius)
            if legs[k] == ways.shape[0] - 1:
                write_result(results, run, REACHED, duration_of(state), state, legs[k])
                runs[k] = IDLE
            else:
                write_column(run_on_leg(state, leg_of(legs[k], ways, run)), states, k, BLOCK)


@kernel
def steer_block(case_template, state_template, clock, cases, states, commands):
    """Steer all boats of a block."""
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        write_column(run_steered(state, case, clock), commands, k, BLOCK)


@kernel
def move_block(case_template, state_template, clock, water, air, cases, states, runs, commands):
    """Advance all boats of a block by a period with their commands; return the number of runs that ended."""
    for number in range(clock.steps):
        for k in range(BLOCK):
            case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
            control, wanted = read_column((state.control, state.setting), commands, k, BLOCK)
            state = run_advanced(state, number, wanted, control, case, clock, water, air, None)
            write_column(state, states, k, BLOCK)
    ends = 0
    for k in range(BLOCK):
        state = run_a_period_later(read_column(state_template, states, k, BLOCK))
        write_column(state, states, k, BLOCK)
        outcome = outcome_of(state, read_column(case_template, cases, k, BLOCK), clock)
        ends += 1 if (runs[k] != IDLE) & (outcome != RUNNING) else 0
    return ends


@kernel
def settle_ends(case_template, state_template, clock, cases, states, runs, legs, results):
    """End the runs that are over."""
    for k in range(BLOCK):
        if runs[k] != IDLE:
            state = read_column(state_template, states, k, BLOCK)
            outcome = outcome_of(state, read_column(case_template, cases, k, BLOCK), clock)
            if outcome != RUNNING:
                write_result(results, runs[k], outcome, duration_of(state), state, legs[k])
                runs[k] = IDLE


def run_block(case_template, state_template, clock, water, air, parameters, ways, results, first, last):
    """
    Run the cases `first` to before `last`, BLOCK at a time; when a run ends, the next one takes its place.

    It is for planar boats whose thrusts have a closed form; a search of varying length would prevent vectorization.

    :param case_template: A Case of floats, for its types and its Common values.
    :param state_template: A RunState of floats, for its types.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: Grid of the wind, or None.
    :param parameters: The numbers of the Case as rows; one column per run.
    :param ways: Start and waypoints, m, shape (W + 1, 2, runs or 1).
    :param results: Is filled with the results, rows as in Results.COLUMNS, one column per run.
    :param first: The first run.
    :param last: The one after the last.
    """
    cases, states = np.zeros(parameters.shape[0] * BLOCK), np.zeros(STATE_ROWS * BLOCK)
    commands, runs, legs = np.zeros(COMMAND_ROWS * BLOCK), np.full(BLOCK, IDLE), np.zeros(BLOCK, np.int64)
    following, under_way, changed = first, 1, True
    while under_way > 0:
        if changed:
            under_way = 0
            for k in range(BLOCK):
                if runs[k] == IDLE and following < last:
                    runs[k], legs[k] = following, 0
                    start_in_block(k, following, case_template, clock, cases, states, parameters, ways)
                    following += 1
                under_way += 1 if runs[k] != IDLE else 0
        observe_block(case_template, state_template, clock, water, air, cases, states)
        changed = arrivals_of(case_template, state_template, cases, states, runs) > 0
        if changed:
            settle_arrivals(case_template, state_template, cases, states, runs, legs, ways, results)
        steer_block(case_template, state_template, clock, cases, states, commands)
        if move_block(case_template, state_template, clock, water, air, cases, states, runs, commands) > 0:
            settle_ends(case_template, state_template, clock, cases, states, runs, legs, results)
            changed = True


def run_each(case_template, clock, water, air, parameters, ways, results, first, last):
    """Run the cases `first` to before `last` one after the other; parameters as `run_block`."""
    for run in range(first, last):
        case = read_column(case_template, parameters.ravel(), run, parameters.shape[1])
        outcome, leg, state = run_single(case, clock, water, air, ways, run)
        write_result(results, run, outcome, duration_of(state), state, leg)


def compiled(function: Callable[..., Any], sources: tuple[str, ...] = SOURCES) -> Any:
    """
    Return one of the functions here, or of boat_environment.py, compiled; compiled code is kept on disk.

    Its name there contains the fingerprint of the sources. numba checks only the age of the function's own file, and
    would otherwise keep running old physics after a change.

    :param sources: Files of all that is compiled with it, as patterns below usv_energy.
    :raises ImportError: If numba is not installed.
    """
    with _LOCK:
        own = files_of_others()
        if (function, own) not in _COMPILED:
            compile_kernels()
            compile_columns()
            compile_waves()
            function.__qualname__ = f'{function.__name__}_{fingerprint(sources, own)[:16]}'
            _COMPILED[function, own] = compiled_loop(function)
        return _COMPILED[function, own]


def files_of_others() -> tuple[Path, ...]:
    """Return the files of kinds of thrusters, and of other registered bodies, outside this package."""
    files = {Path(body.__code__.co_filename) for _, bodies in BY_TYPE.values() for body in bodies.values()}
    return tuple(sorted(file for file in files if PACKAGE not in file.resolve().parents))


@cache
def fingerprint(sources: tuple[str, ...] = SOURCES, others: tuple[Path, ...] = ()) -> str:
    """
    Return a digest of the source of everything that is compiled.

    :param sources: Files of this package, as patterns below it.
    :param others: Files beside them.
    """
    digest = hashlib.sha256()
    for path in (*(path for pattern in sources for path in sorted(PACKAGE.glob(pattern))), *others):
        digest.update(path.read_bytes() if path.is_file() else str(path).encode())
    return digest.hexdigest()
