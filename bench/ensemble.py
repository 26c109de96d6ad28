"""The ensemble's loop, control, power and energy in every period: one boat, many on one core, many on all."""

import os
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import peer
from options import Options
from report import Result, progress

from usv_energy.engine.boat_environment import BoatEnv
from usv_energy.engine.cases import Cases, cases_of
from usv_energy.engine.ensemble import has_numba, run_ensemble
from usv_energy.sim.scenario import read_scenario

SCENARIO, SEED = '6', 20260101
MANY, SECONDS = 100_000, 60.0


def measure(options: Options) -> Result:
    """Return boat-steps/s of the loop, and what 100 000 runs of 60 s take."""
    result = Result('ensemble')
    if not has_numba():
        result.skipped['compiled'] = 'needs numba: pip install numba'
    repeats, cores = (2 if options.quick else 5), len(os.sched_getaffinity(0))
    far, many = _far(_cases(1), 2000.0), _cases(2000 if options.quick else 16000)
    works: dict[str, Callable[[], Any]] = {'numpy': lambda: run_ensemble(many.part(0, 1000), 'numpy')}
    if has_numba():
        works = {'one_boat': lambda: run_ensemble(far, 'numba'),
                 'ensemble_one_core': lambda: run_ensemble(many, 'numba', 1),
                 f'ensemble_{cores}_cores': lambda: run_ensemble(many, 'numba', cores), **works}
    rates = {name: _rates(name, work, repeats) for name, work in works.items()}
    for name, (wall, cpu) in rates.items():
        result.add(f'{name}_boat_steps_per_s', wall)
        result.add(f'{name}_boat_steps_by_cpu_per_s', cpu)
    if has_numba():
        ratio = [both / single for both, single in zip(rates[f'ensemble_{cores}_cores'][0],
                                                       rates['ensemble_one_core'][0])]
        result.add(f'{cores}_cores_over_one_ratio', ratio)
        result.add('environment_steps_per_s', [_environment() for _ in range(repeats)])
        _many_runs(result, options)
    _peer(result, options, rates)
    result.notes.append(f'a boat-step is a Runge-Kutta step of {read_scenario(SCENARIO).step} s with everything that '
                        f'scenario {SCENARIO} does every step: odometry, guidance, control, power by cause, energy; '
                        'current, wind, gains, speed and boat differ from run to run. by_cpu: a second of a processor')
    return result


def _cases(number: int) -> Cases:
    rng = np.random.default_rng(SEED)
    varied: dict[str, Any] = {
        'boat.damping.linear.d11': rng.uniform(14.0, 18.0, number),
        'boat.inertia.m33': rng.uniform(1.0, 1.4, number),
        'speed.target': rng.uniform(0.6, 1.2, number), 'controller.heading.kp': rng.uniform(8.0, 12.0, number),
        'current.speed': rng.uniform(0.0, 0.4, number), 'current.direction_deg': rng.uniform(0.0, 360.0, number),
        'wind.speed': rng.uniform(0.0, 5.0, number), 'wind.direction_deg': rng.uniform(0.0, 360.0, number),
        'stop.timeout': SECONDS}
    return cases_of(read_scenario(SCENARIO), number, **varied)


def _far(cases: Cases, seconds: float) -> Cases:
    """Return runs whose goal is out of reach for so many seconds."""
    values = {'waypoints.0.x': 1e6, 'stop.timeout': seconds}
    return replace(cases, values=cases.values | {path: np.full(cases.number, v) for path, v in values.items()})


def _rates(name: str, work: Callable[[], Any], repeats: int) -> tuple[list[float], list[float]]:
    """Return boat-steps a second of wall time, and of processor time, once everything is compiled."""
    progress(f'  ensemble: {name}')
    work()
    wall, cpu = [], []
    for _ in range(repeats):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        steps = int(work().samples.sum())
        wall.append(steps / (time.perf_counter() - begin))
        cpu.append(steps / (time.process_time() - begin_cpu))
    return wall, cpu


def _environment(steps: int = 2000) -> float:
    env = BoatEnv(read_scenario(SCENARIO))
    env.reset(seed=0)
    begin = time.perf_counter()
    for _ in range(steps):
        env.step((0.1, 0.1))
    return steps / (time.perf_counter() - begin)


def _many_runs(result: Result, options: Options) -> None:
    number = MANY // 10 if options.quick else MANY
    progress(f'  ensemble: {number} runs of {SECONDS:g} s')
    begin = time.perf_counter()
    results = run_ensemble(_far(_cases(number), SECONDS), 'numba')
    seconds, period = time.perf_counter() - begin, read_scenario(SCENARIO).period
    assert np.allclose(results.duration, SECONDS, atol=period)
    result.add(f'{number}_runs_of_60_s_wall_ms', [1e3 * seconds], aim=60e3)
    result.add('peak_memory_mb', [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0], aim=2000.0)
    if options.quick:
        result.notes.append(f'quick: {number} runs and not {MANY}')


def _peer(result: Result, options: Options, rates: dict[str, tuple[list[float], list[float]]]) -> None:
    if options.peer is None:
        result.skipped['peer'] = 'no --peer DIR given: a checkout of PythonVehicleSimulator'
        return
    try:
        steps = peer.otter_steps(options.peer)
    except ImportError as error:
        result.skipped['peer'] = f'it cannot be imported: {error}'
        return
    progress('  ensemble: the peer')
    theirs = []
    for _ in range(len(next(iter(rates.values()))[0])):
        begin, done = time.process_time(), 0
        while time.process_time() - begin < 0.5:
            done += steps()
        theirs.append(done / (time.process_time() - begin))
    result.add('peer_otter_euler_steps_by_cpu_per_s', theirs)
    if 'one_boat' in rates:
        result.add('one_boat_over_peer_ratio', [a / b for a, b in zip(rates['one_boat'][1], theirs)])
    result.notes.append("the peer's loop is its Otter's dynamics, Euler, six degrees of freedom, without control, "
                        'energy and log; ours has them all. Ratio by processor time')
