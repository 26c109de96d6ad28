"""Boats of every kind of arrangement: boat-steps/s of the compiled loop, its time to compile, agreement with floats."""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.engine.ensemble import has_numba, run_ensemble

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

RUNS, SECONDS = 1600, 20.0
COMPARED = 'energy_total', 'energy_thrust', 'duration', 'x', 'y'


def measure(options: Options) -> Result:
    """Return for each kind boat-steps a second of all cores, by processor time, and the largest difference."""
    from kind_boats import KINDS, cases_of_kind  # type: ignore[import-not-found]  # of the tests
    result = Result('kinds')
    if not has_numba():
        result.skipped['compiled'] = 'needs numba: pip install numba'
        return result
    for kind in KINDS:
        progress(f'  kinds: {kind}')
        name = kind.replace(' ', '_')
        with tempfile.TemporaryDirectory() as folder:
            many = cases_of_kind(kind, Path(folder), RUNS // 10 if options.quick else RUNS, SECONDS)
            one = cases_of_kind(kind, Path(folder))
        begin = time.process_time()
        run_ensemble(many.part(0, 16), 'numba')
        result.add(f'{name}_compiled_cpu_ms', [1e3 * (time.process_time() - begin)])
        rates = [_rates(many) for _ in range(2 if options.quick else 5)]
        result.add(f'{name}_boat_steps_per_s', [wall for wall, _ in rates])
        result.add(f'{name}_boat_steps_by_cpu_per_s', [cpu for _, cpu in rates])
        result.add(f'{name}_largest_difference_ratio', [_difference(one)], aim=1e-9)
    result.notes.append(f'{RUNS} runs of {SECONDS:g} s, 50 periods a second of one step, in current and wind, that '
                        'differ in speed and heading; compiled: or read from the cache on disk; difference: of the '
                        'compiled loop to floats')
    return result


def _rates(cases: Any) -> tuple[float, float]:
    begin, begin_cpu = time.perf_counter(), time.process_time()
    steps = int(run_ensemble(cases, 'numba').samples.sum())
    return steps / (time.perf_counter() - begin), steps / (time.process_time() - begin_cpu)


def _difference(cases: Any) -> float:
    ours, theirs = (run_ensemble(cases, backend).columns() for backend in ('numba', 'python'))
    return max(float(np.max(np.abs(ours[key] - theirs[key]) / np.maximum(np.abs(theirs[key]), 1.0)))
               for key in COMPARED)
