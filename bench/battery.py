"""A battery of cells: steps at a power a second, compiled on all cores and on floats, and the energy left of one."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from options import Options
from report import Result, progress

from usv_energy.boats.battery_sheet import BatterySheet, pack_of
from usv_energy.boats.cell_file import read_cell
from usv_energy.engine.ensemble import has_numba
from usv_energy.physics.batteries.cell import Pack, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import step_at_power

STEPS, AMBIENT, STEP = 4_000_000, 288.15, 1e-3


def measure(options: Options) -> Result:
    """Return steps/s and discharges/s; 1e7 compiled steps a second are aimed at."""
    result = Result('battery')
    pack = pack_of(BatterySheet(series=4.0, capacity_ah=15.6, cell=read_cell('nmc')))
    assert pack is not None
    repeats, steps = (2, STEPS // 10) if options.quick else (5, STEPS)
    result.add('float_steps_per_s', [_rate(lambda: _steps(2000, 0.5, pack), 2000) for _ in range(repeats)])
    result.add('float_energy_left_ms', [1e3 / _rate(lambda: energy_left(rested(0.9, AMBIENT), 100.0, AMBIENT, pack), 1)
                                        for _ in range(repeats)])
    if not has_numba():
        result.skipped['compiled'] = 'needs numba: pip install numba'
        return result
    progress('  battery: compiled')
    compiled_steps, compiled_left = _compiled()
    compiled_steps(10, 0.5, pack)
    compiled_left(1, pack)
    cores = len(os.sched_getaffinity(0))
    rates, by_cpu = zip(*(_on_cores(compiled_steps, steps, cores, pack) for _ in range(repeats)))
    result.add('compiled_steps_per_s', list(rates))
    result.add('compiled_steps_by_cpu_per_s', list(by_cpu))
    result.add('compiled_energy_left_us', [1e6 / _rate(lambda: compiled_left(200, pack), 200) for _ in range(repeats)])
    result.notes.append(f'a pack of 4 NMC cells at 100 to 220 W, steps of {STEP * 1e3:g} ms, {cores} threads; energy '
                        'left: a whole discharge at a power; by_cpu: a second of a processor')
    return result


def _steps(number: int, charge: float, pack: Pack) -> float:
    state, given = rested(charge, AMBIENT), 0.0
    for n in range(number):
        state, supply = step_at_power(state, 100.0 + 20.0 * (n % 7), STEP, AMBIENT, pack)
        given += supply.power
    return given


def _compiled() -> tuple[Any, Any]:
    from numba import njit

    from usv_energy.physics.batteries.cell import CellState
    from usv_energy.physics.compiled_kernels import compile_kernels
    compile_kernels()

    @njit(nogil=True)
    def steps(number, charge, pack):  # type: ignore[no-untyped-def]  # numba finds the types
        state, given = CellState(charge, 0.0, 0.0, 0.0, AMBIENT), 0.0
        for n in range(number):
            state, supply = step_at_power(state, 100.0 + 20.0 * (n % 7), STEP, AMBIENT, pack)
            given += supply.power
        return given

    @njit(nogil=True)
    def left(number, pack):  # type: ignore[no-untyped-def]  # numba finds the types
        total = 0.0
        for n in range(number):
            total += energy_left(CellState(0.9, 0.0, 0.0, 0.0, AMBIENT), 100.0 + n, AMBIENT, pack).energy
        return total
    return steps, left


def _rate(work: Any, number: int) -> float:
    begin = time.perf_counter()
    work()
    return number / (time.perf_counter() - begin)


def _on_cores(work: Any, number: int, cores: int, pack: Pack) -> tuple[float, float]:
    """Return steps a second by the clock and by a second of a processor, one thread a core."""
    begin, begin_cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(lambda core: work(number, 0.5 + 0.01 * core, pack), range(cores)))
    wall, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    return cores * number / wall, cores * number / cpu
