"""
How fast a HEC-RAS 2D plan is opened and asked, and that memory does not grow with its steps.

The plan is Muncie (USV_ENERGY_DATA) where it is, else a river of our own with as many cells. Memory is the highest
resident set of a process of its own that walks through all steps of a file of 2 GB (quick: 0.1 GB), against that of
one with a hundredth of the steps on the same mesh.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.flow.formats.hecras_reader import HecRasFlow
from usv_energy.flow.sample_files import MeanderingRiver, write_hecras

DATA = Path(os.environ.get('USV_ENERGY_DATA', Path(__file__).resolve().parents[2] / 'shared' / 'data'))
MUNCIE = DATA / 'hecras' / 'Muncie2DOnly_SI.p01.hdf'
LONG = MeanderingRiver(length=1200.0, cell=2.0, interval=1.0, steps=4800)  # 0.45 MB a step
POINTS, FEW, SINGLES = 1_000_000, 6, 2000
SEED = 20210917


def measure(options: Options) -> Result:
    """Return times of opening and asking, and the growth of memory with the number of steps."""
    result = Result('flow_hecras')
    with tempfile.TemporaryDirectory() as folder:
        path = MUNCIE
        if not path.exists():
            path = Path(folder) / 'river.p01.hdf'
            write_hecras(path, MeanderingRiver(length=900.0))
            result.notes.append(f'a river of our own: {MUNCIE} is not there')
        _times(result, path, 3 if options.quick else 9)
        _memory(result, Path(folder), 240 if options.quick else LONG.steps)
    return result


def _times(result: Result, path: Path, repeats: int) -> None:
    result.add('start_python_and_open_ms', [_process('--open', path)[0] for _ in range(repeats)])
    opened = []
    for _ in range(repeats):
        begin = time.perf_counter()
        flow = HecRasFlow(path, {})
        flow.velocity(0.0, np.zeros(1), np.zeros(1))
        opened.append(1e3 * (time.perf_counter() - begin))
        flow.close()
    result.add('open_and_first_step_ms', opened, aim=2000.0)
    flow = HecRasFlow(path, {})
    for name, t in (('on_a_step', flow.times[-1]), ('between_steps', 0.5 * (flow.times[-1] + flow.times[-2]))):
        rng = np.random.default_rng(SEED)
        xmin, ymin, xmax, ymax = flow.extent
        everywhere = rng.uniform((xmin, ymin), (xmax, ymax), (POINTS, 2))
        inside = everywhere[flow.velocity(t, *everywhere.T)[2]]
        wet = inside[rng.integers(len(inside), size=POINTS)]
        for where, points in (('extent', everywhere), ('water', wet)):
            columns = points[:, 0].copy(), points[:, 1].copy()
            result.add(f'million_points_in_{where}_{name}_ms',
                       [_seconds(flow, t, columns, 1) * 1e3 for _ in range(repeats)], aim=2000.0)
        for count in (1, FEW):
            columns = wet[:count, 0].copy(), wet[:count, 1].copy()
            result.add(f'{count}_point{"s" if count > 1 else ""}_in_water_{name}_us',
                       [_seconds(flow, t, columns, SINGLES) * 1e6 for _ in range(repeats)],
                       aim=100.0 if count == 1 else None)
    flow.close()


def _seconds(flow: HecRasFlow, t: float, points: tuple[np.ndarray, np.ndarray], calls: int) -> float:
    begin = time.perf_counter()
    for _ in range(calls):
        flow.velocity(t, *points)
    return (time.perf_counter() - begin) / calls


def _memory(result: Result, folder: Path, steps: int) -> None:
    """Add the ratio of two processes' memory: one walks through a long file, one through a short one."""
    peaks = []
    for count in (steps // 100 + 2, steps):
        path = folder / f'{count}.p01.hdf'
        progress(f'  flow_hecras: writing and reading {count} steps')
        write_hecras(path, LONG._replace(steps=count), packed=False)
        per_step, peak = _process('--walk', path)
        peaks.append(peak)
        result.notes.append(f'{count} steps, {path.stat().st_size / 1e6:.0f} MB: the process takes {peak:.0f} MB '
                            f'at most, {per_step:.1f} ms a step')
        path.unlink()
    result.add('memory_of_100_times_the_steps_ratio', [peaks[1] / peaks[0]], aim=1.1)


def _process(what: str, path: Path) -> tuple[float, float]:
    """Return the two numbers that a process of this file prints; for `--open` the first is its whole time, ms."""
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, __file__, what, str(path)], stdout=subprocess.PIPE, text=True, timeout=1800)
    if done.returncode:
        raise RuntimeError(f'{what} {path}: exit status {done.returncode}')
    first, second = map(float, done.stdout.split())
    return (1e3 * (time.perf_counter() - begin) if what == '--open' else first), second


def walk(path: Path, every: bool) -> None:
    """Open a plan, ask it at all steps (or its first) and between them; print ms a step and the memory, MB."""
    flow = HecRasFlow(path, {})
    x, y = np.array([600.0]), np.array([0.0])
    begin = time.perf_counter()
    for t in flow.times.tolist() if every else [0.0]:
        flow.velocity(t, x, y)
        flow.velocity(t - 0.5, x, y)
    per_step = 1e3 * (time.perf_counter() - begin) / flow.times.size
    print(per_step, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)
    flow.close()


if __name__ == '__main__':
    walk(Path(sys.argv[2]), sys.argv[1] == '--walk')
