"""The demo: run the published scenarios on a ROS graph with the embedded simulator, and print the table of results."""

import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from usv_energy.files.limits import safe_name
from usv_energy.files.locate import user_path
from usv_energy.files.side_process import SideProcess
from usv_energy.files.text_file import check_target, check_writable
from usv_energy.powering.power import CONVENTIONS
from usv_energy.ros.framework.process import own_domain, ros_process
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import BOTH, ScenarioOptions
from usv_energy.ros.messages.bagfile import check_new_bag
from usv_energy.show.terminal import say, show_result
from usv_energy.sim.record import Run, Summary, exit_status
from usv_energy.sim.runner import steady_closures
from usv_energy.sim.scenario import Scenario, read_scenario, scenario_names
from usv_energy.sim.track_figures import whole_summary
from usv_energy.studies.runs.run_folder import run_folder, write_overview, write_run
from usv_energy.studies.runs.run_tables import closure_table, comparison_table

INTERRUPTED = 130
NAMESPACE = '/diffboat'
QUADRATIC_PLANT = 'lutra_prop_usvsim'


def run_demo(names: Sequence[str], folder: str, json_target: str | None, pace: str, bag: bool, plots: bool) -> int:
    """
    Run scenarios under both conventions, write their files and print the table; return the exit status.

    :param names: Names or paths of scenarios; none: all shipped ones.
    :param folder: Folder of the results; empty for results/demo-<date>-<time>.
    :param json_target: File of the figures as JSON; `-` is stdout, None is no file.
    :param pace: `lockstep`, or a real-time factor.
    :param bag: Whether to record an MCAP bag for each scenario.
    :param plots: Whether to draw pictures.
    :raises InputError: If a scenario is wrong, a folder cannot be written, or a bag exists already.
    """
    scenarios = [read_scenario(name) for name in names or scenario_names()]
    out = user_path(folder) if folder else Path('results') / f'demo-{datetime.now():%Y%m%d-%H%M%S}'
    check_writable(out)
    check_target(json_target)
    if bag:
        for scenario in scenarios:
            check_new_bag(run_folder(out, scenario.name, next(iter(CONVENTIONS))) / 'bag')
    options = ScenarioOptions(convention=BOTH, pace=pace, out=str(out), bag=bag, plots=plots)
    summaries: list[Summary] = []
    finished = False
    with SideProcess() as side:
        closures = side.call(steady_closures, 'lutra_prop', QUADRATIC_PLANT)
        try:
            finished = _run_all(scenarios, options, summaries, side)
        finally:
            side.call(write_overview, summaries, out, finished and plots)
    text = comparison_table(summaries)
    if finished:
        text += (f'\n\n{closure_table(closures.result())}'
                 f'\n\nSamples, pictures and bags: {out}')
    show_result(text, summaries, json_target)
    if not finished:
        say(f'stopped; what finished is in {out}')
        return INTERRUPTED
    return exit_status(*(summary['outcome'] for summary in summaries))


def _run_all(scenarios: list[Scenario], options: ScenarioOptions, summaries: list[Summary],
             side: SideProcess) -> bool:
    """
    Run the scenarios, and append the summaries of each finished one; return whether all finished.

    :param side: Process that writes the files and pictures of a scenario while the next one runs.
    """
    def write_beside(run: Run, folder: Path, plots: bool, run_by: str) -> Summary:
        side.call(write_run, run, folder, plots, run_by)
        return whole_summary(run, run_by)

    graphs = [scenario_nodes(scenario, options) for scenario in scenarios]
    with own_domain() as domain, ros_process(['--ros-args', '--log-level', 'warn']) as stopped:
        say(f'ROS graph in domain {domain}, pace {options.text("pace")}')
        for number, (scenario, graph) in enumerate(zip(scenarios, graphs), start=1):
            begin = time.monotonic()
            side.check()
            with Composition(graph, NAMESPACE) as composition:
                composition.write_runs_with(write_beside)
                composition.spin_until(lambda: is_done(composition) or stopped())
                if not is_done(composition):
                    return False
                done = composition.summaries()
            first = done[0]
            say(f'[{number}/{len(scenarios)}] {scenario.name}: {safe_name(scenario.title)}: '
                f'{first["duration_s"]:.2f} s, '
                f'{first["energy_j"]:.1f} J ({time.monotonic() - begin:.1f} s on the clock)')
            summaries += done
    return True
