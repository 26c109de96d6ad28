"""A hull of parts on waves: real-time factors, without ROS and on the graph, and boat-steps/s of ensembles."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.engine.cases import Cases, cases_of
from usv_energy.engine.ensemble import has_numba, run_ensemble
from usv_energy.flow.sea import SeaState, irregular_sea
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Scenario, read_scenario

SCENARIO, RUNS, SECONDS = 'waves/otter_head_sea', 3200, 20.0
NONE, FEW, USUAL = 0, 24, 200  # Waves of a sea: flat water, of an ensemble, and of a flow file that says nothing.


def measure(options: Options) -> Result:
    """Return simulated seconds a second, boat-steps a second by the wall and by processor time, and errors."""
    result = Result('waves')
    scenario = read_scenario(SCENARIO)
    progress('  waves: without ROS')
    result.add('without_ros_simulated_s_per_s', _alone(scenario, options), aim=50.0)
    _add_graph(result, scenario, options)
    _add_ensembles(result, options)
    for number in (FEW, USUAL):
        result.add(f'sea_of_{number}_second_moment_error_ratio', [_moment_error(number, seed) for seed in range(20)])
    result.notes.append(f'scenario {SCENARIO}: Otter on four columns, step {scenario.step:g} s, Hs 0.3 m; ensembles: '
                        f'{RUNS} runs of {SECONDS:g} s, one step a period, that differ in speed and heading; the '
                        'height of a sea is exact with any number of waves, its second moment not')
    return result


def _alone(scenario: Scenario, options: Options) -> list[float]:
    rates = []
    for _ in range(1 if options.quick else 5):
        begin = time.perf_counter()
        rates.append(run_scenario(scenario).duration / (time.perf_counter() - begin))
    return rates


def _add_graph(result: Result, scenario: Scenario, options: Options) -> None:
    from session import ros

    from usv_energy.ros.graph.compose import Composition, is_done
    from usv_energy.ros.graph.graph import scenario_nodes
    from usv_energy.ros.graph.graph_options import ScenarioOptions
    rates = []
    with ros() as namespace:
        for turn in range(1 if options.quick else 3):
            progress(f'  waves: in lockstep on the graph, turn {turn + 1}')
            specs = scenario_nodes(scenario, ScenarioOptions(out='', plots=False, bag=False))
            with Composition(specs, f'{namespace}_{turn}') as composition:
                begin = time.perf_counter()
                if not composition.spin_until(lambda: is_done(composition), 300.0):
                    raise RuntimeError(f'scenario {SCENARIO} did not end within 300 s')
                rates.append(float(composition.nodes['scenario_driver'].ended.duration) / (time.perf_counter() - begin))
    result.add('lockstep_simulated_s_per_s', rates, aim=10.0)


def _add_ensembles(result: Result, options: Options) -> None:
    if not has_numba():
        result.skipped['ensemble'] = 'needs numba: pip install numba'
        return
    by_cpu = {}
    for number in (NONE, FEW, USUAL):
        with tempfile.TemporaryDirectory() as folder:
            cases = ensemble_in_waves(Path(folder), number, RUNS // 10 if options.quick else RUNS)
        progress(f'  waves: an ensemble on {number or "no"} waves')
        run_ensemble(cases.part(0, 16), 'numba')
        rates = [_rates(cases) for _ in range(2 if options.quick else 5)]
        aim = 5e6 if number == FEW else None
        result.add(f'ensemble_{number}_waves_boat_steps_per_s', [wall for wall, _ in rates], aim=aim)
        by_cpu[number] = [cpu for _, cpu in rates]
        result.add(f'ensemble_{number}_waves_boat_steps_by_cpu_per_s', by_cpu[number])
        if number != NONE:
            result.add(f'ensemble_{number}_waves_over_flat_water_cpu_ratio', [
                flat / cpu for flat, cpu in zip(by_cpu[NONE], by_cpu[number])])


def ensemble_in_waves(folder: Path, number: int, runs: int) -> Cases:
    """Return runs of the Otter on so many waves (0: flat water), a step a period, that differ in speed and heading."""
    flow, path = folder / 'sea.yaml', folder / 'waves.yaml'
    waves = (f'waves: {{kind: irregular, significant_height: 0.3, peak_period: 2.5, direction_deg: 180.0, seed: 4, '
             f'components: {number}}}')
    flow.write_text('medium: water\n' + (waves if number else
                                         'analytic: {kind: uniform, speed: 0.0, direction_deg: 0.0}') + '\n')
    path.write_text('base: waves/otter_head_sea\ncurrent: {flow: sea.yaml}\nwaypoints: [{x: 1000.0, y: 0.0}]\n'
                    f'stop: {{timeout: {SECONDS}}}\nsimulation: {{step: 0.02, period: 0.02}}\n')
    rng = np.random.default_rng(7)
    scenario = replace(read_scenario(str(path)), path=path)
    varied: dict[str, Any] = {'speed.target': rng.uniform(0.7, 1.2, runs),
                              'start.heading_deg': rng.uniform(-90.0, 90.0, runs)}
    return cases_of(scenario, runs, **varied)


def _rates(cases: Any) -> tuple[float, float]:
    begin, begin_cpu = time.perf_counter(), time.process_time()
    steps = int(run_ensemble(cases, 'numba').samples.sum())
    return steps / (time.perf_counter() - begin), steps / (time.process_time() - begin_cpu)


def _moment_error(number: int, seed: int) -> float:
    """Return by how much the second moment of a sea of a number of waves is off that of 20 000, (-)."""
    waves = irregular_sea(SeaState(0.3, 2.5), seed, number).waves
    many = irregular_sea(SeaState(0.3, 2.5), seed, 20000).waves
    return abs(float(np.sum(waves.amplitude ** 2 * waves.frequency ** 2)
                     / np.sum(many.amplitude ** 2 * many.frequency ** 2)) - 1.0)
