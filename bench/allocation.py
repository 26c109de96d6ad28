"""The cheapest allocation: how many a second, compiled, on arrays and on floats, and its cost beside scipy's best."""

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from typing import Any

import numpy as np
from options import Options
from report import Result, progress
from scipy.optimize import minimize

from usv_energy.allocation.allocate import NO_START, allocate, electrical_power, force_of
from usv_energy.allocation.problem import Actuator
from usv_energy.engine.ensemble import has_numba
from usv_energy.physics.compiled_kernels import compiled_loop
from usv_energy.thrusters.thruster import Azimuth

SEED, ROWS, COMPARED = 20260101, 200_000, 300
TURN = Azimuth(-math.pi, math.pi, math.inf)


def _fixed(x: float, y: float, degrees: float) -> Actuator:
    angle = math.radians(degrees)
    return Actuator(x, y, math.cos(angle), math.sin(angle), -30.0, 40.0, 1.0)


BOATS: dict[str, tuple[Actuator, ...]] = {
    'fixed': (_fixed(0.5, 0.3, -30.0), _fixed(0.5, -0.3, 30.0), _fixed(-0.5, 0.3, 30.0), _fixed(-0.5, -0.3, -30.0)),
    'azimuth': tuple(Actuator(x, y, 1.0, 0.0, 0.0, 500.0, 0.5, azimuth=TURN)
                     for x in (1.8, -1.8) for y in (0.8, -0.8))}


def measure(options: Options) -> Result:
    """Return allocations/s of four fixed and of four azimuth thrusters, and the worst cost over scipy's, in percent."""
    result = Result('allocation')
    repeats, rows = (2, ROWS // 10) if options.quick else (5, ROWS)
    rng = np.random.default_rng(SEED)
    for name, boat in BOATS.items():
        progress(f'  allocation: {name}')
        demand = _demands(rng, boat, rows)
        for key, (work, number) in _works(boat, demand).items():
            work()
            wall, cpu = zip(*(_seconds(work) for _ in range(repeats)))
            result.add(f'{name}_{key}_per_s', [number / seconds for seconds in wall])
            result.add(f'{name}_{key}_by_cpu_per_s', [number / seconds for seconds in cpu])
        costs = [_over_best(one, boat, rng) for one in _floats(demand, COMPARED // 10 if options.quick else COMPARED)]
        result.add(f'{name}_cost_over_scipy_percent', [max(costs)])
    result.notes.append('demands are forces of random thrusts and angles within the limits; the compiled loop takes '
                        'one after the other, a thread a core; by_cpu: a second of a processor; cost: the worst '
                        'demand over SLSQP of four starts')
    return result


def _works(boat: tuple[Actuator, ...], demand: tuple[Any, ...]) -> dict[str, tuple[Callable[[], Any], int]]:
    """Return what is measured, by name, and how many allocations each makes."""
    rows, cores = len(demand[0]), len(os.sched_getaffinity(0))
    some, one_by_one = tuple(part[:rows // 4] for part in demand), _floats(demand, 500)
    works: dict[str, tuple[Callable[[], Any], int]] = {
        'arrays': (lambda: allocate(some, boat, NO_START), rows // 4),
        'floats': (lambda: [allocate(one, boat, NO_START) for one in one_by_one], len(one_by_one))}
    if has_numba():
        run = _compiled()
        works |= {'compiled_1_core': (lambda: run(demand, boat, 1), rows),
                  f'compiled_{cores}_cores': (lambda: run(demand, boat, cores), rows)}
    return works


def _demands(rng: Any, boat: tuple[Actuator, ...], number: int) -> tuple[Any, ...]:
    thrusts = tuple(rng.uniform(one.low, one.high, number) for one in boat)
    angles = tuple(rng.uniform(*_angles(one), number) for one in boat)
    return tuple(np.ascontiguousarray(part) for part in force_of(thrusts, angles, boat))


def _angles(actuator: Actuator) -> tuple[float, float]:
    return (0.0, 0.0) if actuator.azimuth is None else actuator.azimuth[:2]


def _floats(demand: tuple[Any, ...], number: int) -> list[tuple[float, ...]]:
    return [tuple(map(float, row)) for row in islice(zip(*demand), number)]


def _compiled() -> Callable[..., None]:
    @compiled_loop
    def loop(surge, sway, yaw, boat, out):  # type: ignore[no-untyped-def]  # numba finds its types
        for n in range(len(surge)):
            thrusts, _, _ = allocate((surge[n], sway[n], yaw[n]), boat, NO_START)
            out[n] = thrusts[0] + thrusts[1] + thrusts[2] + thrusts[3]

    def run(demand: tuple[Any, ...], boat: tuple[Actuator, ...], cores: int) -> None:
        out = np.empty(len(demand[0]))
        bounds = np.linspace(0, len(out), cores + 1).astype(int)
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(lambda part: loop(*(one[part] for one in demand), boat, out[part]),
                          [slice(a, b) for a, b in pairwise(bounds)]))
    return run


def _seconds(work: Callable[[], Any]) -> tuple[float, float]:
    """Return how long a work takes, and how much of processors it takes, s."""
    begin, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin, time.process_time() - cpu


def _over_best(demand: tuple[float, ...], boat: tuple[Actuator, ...], rng: Any) -> float:
    """Return by how much the allocation costs more than the best of SLSQP, percent."""
    steered = boat[0].azimuth is not None
    bounds = [(one.low, one.high) for one in boat] + [_angles(one) for one in boat if steered]
    size = sum(map(abs, demand))

    def settings(point: Any) -> tuple[Any, Any]:
        return tuple(point[:4]), tuple(point[4:]) if steered else (None,) * 4

    ours = allocate(demand, boat, NO_START)[:2]
    starts = [np.concatenate(ours) if steered else np.array(ours[0]),
              *(rng.uniform(*np.array(bounds, float).T) for _ in range(3))]
    best = math.inf
    for start in starts:
        found = minimize(lambda point: float(electrical_power(*settings(point), boat)), start, method='SLSQP',
                         bounds=bounds, options={'maxiter': 300, 'ftol': 1e-10}, constraints=[
                             {'type': 'eq', 'fun': lambda point: np.subtract(force_of(*settings(point), boat), demand)
                              / size}])
        if np.max(np.abs(np.subtract(force_of(*settings(found.x), boat), demand))) < 1e-7 * size:
            best = min(best, float(found.fun))
    return 100.0 * (float(electrical_power(*ours, boat)) / best - 1.0)
