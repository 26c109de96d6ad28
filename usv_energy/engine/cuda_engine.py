"""The steps of `run_steps.py` on a GPU: a run a thread, compiled by numba for CUDA from the same functions."""

from functools import cache
from typing import Any

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from ..flow.regular_grid import Grid
from ..physics.compiled_kernels import compile_kernels_for_cuda
from ..physics.compiled_memory import compile_memory_for_cuda
from ..sim.supplied_plant import SupplyTables, tables_by
from ..sim.voltage_curves import ThrusterCurve
from .prepared_runs import PreparedRuns
from .run_state import RunClock
from .run_steps import duration_of
from .single_run import RESULT_ROWS, run_single, write_result
from .tuple_rows import reading_code

THREADS = 64  # A block: few, for a run needs many registers.
NO_GRID = (np.zeros(9), np.zeros(1), np.zeros(1))
NO_MAP = (np.zeros(2), np.zeros(2))
SOURCE = """
def run_on_gpu(parameters, ways, results, step, steps, lost, map_thrust, map_power, water, water_x, water_y, air,
               air_x, air_y, supply):
    k = cuda.grid(1)
    if k < results.shape[1]:
        values, stride = parameters, results.shape[1]
        case = {case}
        clock = RunClock(step, steps, {published}, lost, None, {tables}, None)
        outcome, leg, state = run_single(case, clock, {water}, {air}, ways, k)
        write_result(results, k, outcome, duration_of(state), state, leg)
"""


def run_cuda(runs: PreparedRuns) -> np.ndarray:
    """Return what came of the runs, rows as in Results.COLUMNS, shape (rows, runs); raises as `cuda_module`."""
    if runs.clock.sea is not None:
        raise InputError('the backend cuda knows no waves, and this boat has parts that feel them; must be numba, '
                         'numpy or python for it')
    cuda = cuda_module()
    kernel = _kernel(*kernel_source(runs))
    losses = runs.case.boat.losses
    knots = (np.array(losses.map_thrust), np.array(losses.map_power)) if losses.mapped else NO_MAP
    results = cuda.device_array((RESULT_ROWS, runs.number))
    arguments = (runs.rows.ravel(), runs.ways, *knots, *_grid_arrays(runs.water), *_grid_arrays(runs.air),
                 supply_array(runs))
    rows, ways, map_thrust, map_power, *grids = (cuda.to_device(np.ascontiguousarray(part)) for part in arguments)
    clock = runs.clock
    kernel[-(-runs.number // THREADS), THREADS](rows, ways, results, clock.step, clock.steps, clock.lost, map_thrust,
                                                map_power, *grids)
    found: np.ndarray = results.copy_to_host()
    return found


def cuda_module() -> Any:
    """Return numba's cuda module; InputError where numba or a GPU is missing, saying which."""
    cuda = optional('numba.cuda', 'fast', 'the backend cuda')
    if not cuda.is_available():
        raise InputError('the backend cuda needs an NVIDIA GPU, its driver and the CUDA toolkit, and numba finds none '
                         '(`numba -s` says why); the backends numba and numpy run on the processor')
    return cuda


def kernel_source(runs: PreparedRuns) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """Return the kernel's code for what these runs have and have not, and the types that it names."""
    names: dict[str, Any] = {}
    case = reading_code(runs.case_template, names)
    published = None if runs.clock.published is None else 1.0
    tables = _tables_code(runs.clock.tables, names)
    return SOURCE.format(case=case, published=published, tables=tables, water=_grid_code('water', runs.water),
                         air=_grid_code('air', runs.air)), tuple(sorted(names.items()))


def _grid_code(name: str, grid: Grid | None) -> str:
    if grid is None:
        return 'None'
    spacing = 'None' if grid.dt is None else f'{name}[1]'
    counts = {2: 'int', 5: 'int', 8: 'int'}
    numbers = [spacing if place == 1 else f'{counts.get(place, "")}({name}[{place}])' for place in range(9)]
    return f'Grid({", ".join(numbers)}, {name}_x, {name}_y)'


def supply_array(runs: PreparedRuns) -> np.ndarray:
    """Return all tables of a plant on cells, one behind the other, as the kernel takes them; a 0 without cells."""
    tables: list[np.ndarray] = []
    if runs.clock.tables is not None:
        tables_by(tables.append, runs.clock.tables)
    return np.concatenate(tables or [np.zeros(1)])


def _tables_code(tables: SupplyTables | None, names: dict[str, Any]) -> str:
    """Return the code that takes the SupplyTables out of `supply`, in the order of `supply_array`."""
    if tables is None:
        return 'None'
    parts, begin = [], 0
    for table in tables[:4]:
        parts.append(f'supply[{begin}:{begin + table.size}]')
        begin += table.size
    names |= {'SupplyTables': SupplyTables, 'ThrusterCurve': ThrusterCurve}
    for curves in (tables.curves, tables.model_curves):
        members = []
        for curve in curves:
            if curve is None:
                members.append('None')
                continue
            fields = []
            for value in curve[1:]:
                names[f'of_curve_{len(names)}'] = value
                fields.append(f'of_curve_{len(names) - 1}')
            members.append(f'ThrusterCurve(supply[{begin}:{begin + curve.table.size}], {", ".join(fields)})')
            begin += curve.table.size
        parts.append(f'({"".join(f"{member}, " for member in members)})')
    return f'SupplyTables({", ".join(parts)})'


def _grid_arrays(grid: Grid | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if grid is None:
        return NO_GRID
    return np.array([0.0 if number is None else number for number in grid[:9]], dtype=float), grid.vx, grid.vy


@cache
def _kernel(source: str, names: tuple[tuple[str, Any], ...]) -> Any:
    cuda = cuda_module()
    return cuda.jit(kernel_function(cuda, source, names), fastmath=False)


def kernel_function(cuda: Any, source: str, names: tuple[tuple[str, Any], ...]) -> Any:
    """Return the kernel of `kernel_source` as a plain function, all that it calls registered with numba's `cuda`."""
    compile_kernels_for_cuda()
    compile_memory_for_cuda()
    scope: dict[str, Any] = {'cuda': cuda, 'RunClock': RunClock, 'Grid': Grid, 'run_single': run_single,
                             'write_result': write_result, 'duration_of': duration_of, **dict(names)}
    exec(source, scope)
    return scope['run_on_gpu']
