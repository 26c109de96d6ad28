"""How fast the maps are, and what a sweep adds to the runs that it consists of: files, chunks, memory."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.boats.boat_file import read_boat
from usv_energy.engine.ensemble import has_numba
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.map_study import energy_map
from usv_energy.studies.maps.reach import reach
from usv_energy.studies.maps.time_energy_front import time_energy_front

COURSES, SPEEDS, SIDES = 72, 40, 9      # Of the energy map: courses, speeds, and currents as well as winds.
MAP_AIM = 60.0                          # s
STATIC_LOAD, WATT_HOURS = 5.0, 10.0
RUNS, QUICK_RUNS = 100_000, 10_000
CHILD = """
import resource, sys, time
from pathlib import Path
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.sweep.run_sweep import SweepOptions, run_sweep
from usv_energy.engine.sweep.sweep_file import read_sweep
sweep = read_sweep(sys.argv[1])
warm = read_sweep(sys.argv[3])
run_sweep(warm, Path(sys.argv[2]).with_name('warm.nc'), SweepOptions())
begin, busy = time.perf_counter(), time.process_time()
run_sweep(sweep, Path(sys.argv[2]), SweepOptions())
seconds, whole = time.perf_counter() - begin, time.process_time() - busy
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
cases = sweep.cases(0, min(sweep.number, 20000))
busy = time.process_time()
run_ensemble(cases)
print(seconds, memory, whole / sweep.number, (time.process_time() - busy) / cases.number)
"""
SWEEP = """
scenario: "6"
set: {{stop.timeout: 60.0, waypoints.0.x: 1000.0}}
monte_carlo:
  samples: {runs}
  seed: 1
  parameters:
    boat.damping.linear.d11: {{distribution: normal, mean: 16.296, std: 1.0, min: 10.0}}
    current.speed: {{distribution: uniform, min: 0.0, max: 0.4}}
    wind.speed: {{distribution: weibull, scale: 2.0, shape: 2.0, max: 8.0}}
"""


def measure(options: Options) -> Result:
    """Return seconds for each map, and seconds, overhead a run and memory of a sweep of runs of 60 s at 50 Hz."""
    result = Result('sweep')
    repeats = 1 if options.quick else 3
    for name, work, aim in (('energy_map', _energy_map, MAP_AIM), ('reach', _reach, None), ('front', _front, None)):
        progress(f'  sweep: {name}')
        result.add(f'{name}_ms', [1e3 * _seconds(work) for _ in range(repeats)], aim and 1e3 * aim)
    result.notes.append(f'energy map: {COURSES} courses x {SPEEDS} speeds x {SIDES} currents x {SIDES} winds; reach: '
                        f'{WATT_HOURS:g} Wh in a uniform current, 121 x 121 points at most; front: 200 m up the '
                        'shipped river in a wind')
    if has_numba():
        _sweep(result, QUICK_RUNS if options.quick else RUNS)
    else:
        result.skipped['sweep'] = 'needs numba: pip install numba'
    return result


def _sweep(result: Result, runs: int) -> None:
    """Measure a sweep in a process of its own, whose peak memory is the sweep's, and such runs without one."""
    progress(f'  sweep: {runs} runs of 60 s')
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ('sweep.yaml', 'out.nc', 'warm.yaml')]
        files[0].write_text(SWEEP.format(runs=runs), encoding='utf-8')
        files[2].write_text(SWEEP.format(runs=64), encoding='utf-8')
        command = [sys.executable, '-P', '-c', CHILD, *map(str, files)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True,
                              env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
        seconds, memory, busy, alone = map(float, done.stdout.split())
    result.add('sweep_runs_per_s', [runs / seconds])
    result.add('run_alone_us', [1e6 * alone])
    result.add('sweep_overhead_per_run_us', [1e6 * (busy - alone)])
    result.notes.append(f'a sweep of {runs} runs of 60 s at 50 Hz: {seconds:.1f} s, peak memory {memory:.0f} MB, its '
                        'libraries included; overhead of a run: drawing, chunks on disk and the file, in CPU time of '
                        'all cores, beside such runs without a sweep')


def _energy_map() -> None:
    currents = [(speed, direction) for speed in (0.0, 0.2, 0.4) for direction in (0.0, 120.0, 240.0)]
    winds = [(15.0 * speed, direction) for speed, direction in currents]
    energy_map(read_boat('lutra_prop').vessel, np.arange(COURSES) * (360.0 / COURSES), np.linspace(0.05, 1.6, SPEEDS),
               currents, winds)


def _reach() -> None:
    vessel = read_boat('lutra_prop').vessel._replace(static_load=STATIC_LOAD)
    reach(vessel, CurrentAndWind(UniformFlow(0.3, 0.0), UniformFlow(2.0, 1.0)), (0.0, 0.0), 3600.0 * WATT_HOURS,
          np.linspace(0.05, 1.6, 32))


def _front() -> None:
    vessel = read_boat('lutra_prop').vessel._replace(static_load=STATIC_LOAD)
    time_energy_front(vessel, CurrentAndWind(read_flow('river'), UniformFlow(2.0, 1.0)), (320.0, 95.0), (120.0, 95.0),
          np.linspace(0.05, 1.9, 32))


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
