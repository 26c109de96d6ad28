"""How fast the composed graph runs a scenario in lockstep, with and without recording."""

import math
import tempfile
import time
from collections.abc import Callable

from options import Options
from report import Result, progress
from session import deferred_interrupt, ros

from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.scenario import read_scenario

SCENARIO = '3'
DEADLINE = 120.0


def measure(options: Options) -> Result:
    """Return simulated seconds a wall second, and what an odometry takes."""
    result = Result('lockstep')
    scenario = read_scenario(SCENARIO)
    speeds: dict[str, list[float]] = {'bare': [], 'table': [], 'table_and_bag': []}
    turns = 1 if options.quick else 3
    with ros() as namespace:
        for turn in range(turns):
            for kind in speeds:
                progress(f'  lockstep: {kind.replace("_", " ")}, turn {turn + 1} of {turns}')
                with tempfile.TemporaryDirectory(prefix='usv_energy_bench_') as out:
                    recorded = ScenarioOptions(out='' if kind == 'bare' else out, plots=False,
                                               bag=kind == 'table_and_bag')
                    specs = scenario_nodes(scenario, recorded)
                    with deferred_interrupt() as stopped, Composition(specs, f'{namespace}_{turn}') as composition:
                        speeds[kind].append(_speed(composition, stopped))
    for kind, values in speeds.items():
        result.add(f'{kind}_simulated_s_per_s', values)
        result.add(f'{kind}_per_odometry_ms', [1e3 * scenario.period / value for value in values])
    result.notes.append(f'scenario {SCENARIO}, odometry every {scenario.period:g} simulated s, one convention, no '
                        'plots; with recording: until table and summary are written')
    return result


def _speed(composition: Composition, stopped: Callable[[], bool]) -> float:
    """Return simulated seconds a wall second of a composed scenario; NaN if it was stopped before its end."""
    driver = composition.nodes['scenario_driver']
    begin = time.perf_counter()
    if not composition.spin_until(lambda: stopped() or is_done(composition), DEADLINE):
        raise RuntimeError(f'scenario {SCENARIO} did not end within {DEADLINE:.0f} s')
    if driver.ended is None:
        return math.nan
    return float(driver.ended.duration) / (time.perf_counter() - begin)
