"""How fast the physics is: the boat on floats, the whole loop without ROS, the power model on floats and arrays."""

import time
from collections.abc import Callable
from itertools import repeat

import numpy as np
import peer
from options import Options
from report import Result, progress

from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import power_rep103
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Scenario, read_scenario

SCENARIO = '3'
ROWS = 1_000_000
SEED = 20210917


def measure(options: Options) -> Result:
    """Return steps/s of the plant and of the runner, calls/s and samples/s of the power model."""
    scenario = read_scenario(SCENARIO)
    repeats, seconds = (3, 0.1) if options.quick else (9, 0.3)
    result = Result('plant')
    works = {'rk4_steps_per_s': plant_steps(scenario), 'runner_steps_per_s': runner_steps(scenario),
             'power_float_calls_per_s': power_calls(scenario), 'power_array_samples_per_s': power_arrays(scenario)}
    otter = _otter(options, result)
    if otter is not None:
        works['peer_otter_euler_steps_per_s'] = otter
    rates: dict[str, list[float]] = {key: [] for key in works}
    # In turns, so that a neighbour's load on the machine meets all of them.
    for turn in range(repeats):
        progress(f'  plant: turn {turn + 1} of {repeats}')
        for key, work in works.items():
            rates[key].append(rate(work, seconds))
    for key, values in rates.items():
        result.add(key, values)
    loop = [part / whole for part, whole in zip(rates['runner_steps_per_s'], rates['rk4_steps_per_s'])]
    result.add('runner_over_rk4_ratio', loop)
    if otter is not None:
        result.add('rk4_over_peer_ratio',
                   [ours / theirs for ours, theirs in zip(rates['rk4_steps_per_s'],
                                                          rates['peer_otter_euler_steps_per_s'])])
        result.notes.append('the peer steps 6 degrees of freedom by Euler, one evaluation a step; ours 3 by RK4, four '
                            'evaluations a step. Neither logs or controls')
    result.notes.append(f'runner: scenario {SCENARIO} without ROS, with controller, power and energy every '
                        f'{scenario.steps_per_period} step(s)')
    return result


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return pieces of work per second: `work` does some and says how many, again and again until the time is over."""
    work()
    done, begin = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds or done == 0:
        done += work()
    return done / elapsed


def plant_steps(scenario: Scenario) -> Callable[[], int]:
    """Return work that steps the scenario's plant under full thrust."""
    boat = scenario.plant.vessel
    plant = Plant(boat, scenario.start, scenario.flow_at(), scenario.step)
    commands = [thruster.max_thrust for thruster in boat.thrusters]

    def work() -> int:
        for _ in repeat(None, 200):
            plant.advance(commands)
        return 200
    return work


def runner_steps(scenario: Scenario) -> Callable[[], int]:
    """Return work that runs the scenario without ROS; it counts the plant's steps."""
    return lambda: (len(run_scenario(scenario).rows) - 1) * scenario.steps_per_period


def power_calls(scenario: Scenario) -> Callable[[], int]:
    """Return work that asks for the power of one motion, as a node does."""
    vessel = scenario.boat.vessel
    motion, flow = Motion(0.3, 1.2, 0.1, 0.05, 0.02, -0.01, 0.003), Flow(0.28, 0.28, 2.0, -1.0)

    def work() -> int:
        for _ in repeat(None, 500):
            power_rep103(motion, flow, vessel)
        return 500
    return work


def power_arrays(scenario: Scenario) -> Callable[[], int]:
    """Return work that asks for the power of a log of a million rows."""
    rng = np.random.default_rng(SEED)
    vessel = scenario.boat.vessel
    motion = Motion(*rng.normal(0.0, 1.0, (len(Motion._fields), ROWS)))
    flow = Flow(0.28, 0.28, 2.0, -1.0)

    def work() -> int:
        power_rep103(motion, flow, vessel)
        return ROWS
    return work


def _otter(options: Options, result: Result) -> Callable[[], int] | None:
    if options.peer is None:
        result.skipped['peer'] = 'no --peer DIR given: a checkout of PythonVehicleSimulator'
        return None
    try:
        return peer.otter_steps(options.peer)
    except ImportError as error:
        result.skipped['peer'] = f'it cannot be imported: {error}'
        return None
