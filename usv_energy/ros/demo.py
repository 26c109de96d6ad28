"""The demo: the published scenarios on a real ROS graph, in lockstep with the embedded simulator, and the table."""

import argparse
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ..boats.boat_file import read_boat
from ..files.json_file import check_target, write_json
from ..files.whole_file import check_writable
from ..physics.power import CONVENTIONS
from ..show.pictures.overview import plot_overview
from ..show.run_folder import run_folder
from ..show.text.run_tables import closure_table, comparison_table
from ..sim.run_summary import Summary
from ..sim.scenario import Scenario, read_scenario, scenario_names
from ..sim.steady_closure import steady_closure
from .bagfile import check_new_bag
from .compose import Composition, is_done
from .domain import own_domain
from .graph import NodeSpec, ScenarioOptions, scenario_nodes
from .process import ros_process

INTERRUPTED = 130
NAMESPACE = '/diffboat'
QUADRATIC_PLANT = 'lutra_prop_usvsim'
CLOSURE_SPEEDS = (0.5, 1.0, 1.35)


def main(argv: list[str] | None = None) -> int:
    """Run the demo; return the exit code."""
    args = _parser().parse_args(argv)
    say = (lambda text: print(text, file=sys.stderr)) if args.json == '-' else print
    scenarios = [read_scenario(name) for name in args.scenario or scenario_names()]
    out = Path(args.out) if args.out else Path('results') / f'demo-{datetime.now():%Y%m%d-%H%M%S}'
    check_writable(out)
    check_target(args.json)
    if args.bag:
        for scenario in scenarios:
            check_new_bag(run_folder(out, scenario.name, next(iter(CONVENTIONS))) / 'bag')
    summaries: list[Summary] = []
    interrupted = False
    try:
        interrupted = _run_all(scenarios, args, out, summaries)
    finally:
        write_json(summaries, out / 'summary.json')
        if args.json:
            write_json(summaries, args.json)
    if summaries:
        say(comparison_table(summaries))
    if interrupted:
        print(f'stopped; what finished is in {out}', file=sys.stderr)
        return INTERRUPTED
    if args.plots:
        plot_overview(summaries, out / 'overview.png')
    say(f'\n{_closure_finding(scenarios[0])}\n\nSamples, pictures and bags: {out}')
    return 0 if all(summary['outcome'] == 'reached' for summary in summaries) else 1


def _run_all(scenarios: list[Scenario], args: argparse.Namespace, out: Path, summaries: list[Summary]) -> bool:
    """Run the scenarios, adding the summaries of each that finishes; return whether the user stopped the rest."""
    options = ScenarioOptions(conventions=tuple(CONVENTIONS), pace=args.pace, out=str(out), bag=args.bag,
                              plots=args.plots)
    graphs = [scenario_nodes(scenario, options) for scenario in scenarios]
    with own_domain() as domain, ros_process(['--ros-args', '--log-level', 'warn']) as stopped:
        print(f'ROS graph in domain {domain}, pace {args.pace}', file=sys.stderr)
        for number, (scenario, graph) in enumerate(zip(scenarios, graphs), start=1):
            begin = time.monotonic()
            done = _run_one(graph, stopped)
            if not done:
                return True
            first = done[0]
            print(f'[{number}/{len(scenarios)}] {scenario.name}: {scenario.title}: {first["duration_s"]:.2f} s, '
                  f'{first["energy_j"]:.1f} J ({time.monotonic() - begin:.1f} s on the clock)', file=sys.stderr)
            summaries += done
    return False


def _run_one(graph: list[NodeSpec], stopped: Callable[[], bool]) -> list[Summary]:
    """Return the summaries of one scenario's run, one a convention; none if it was stopped on the way."""
    with Composition(graph, NAMESPACE) as composition:
        composition.spin_until(lambda: is_done(composition) or stopped())
        return composition.summaries() if is_done(composition) else []


def _closure_finding(scenario: Scenario) -> str:
    boat, plant = read_boat('lutra_prop'), read_boat(QUADRATIC_PLANT)
    rows = [steady_closure(scenario, boat, plant, speed) for speed in CLOSURE_SPEEDS]
    return closure_table(rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('usv-energy demo', description=__doc__)
    parser.add_argument('scenario', nargs='*', help='names or paths of scenarios; none: all that are shipped')
    parser.add_argument('--out', default='', help='folder of the results (results/demo-<date>-<time>)')
    parser.add_argument('--json', metavar='FILE', help='the figures as JSON, too; - for stdout')
    parser.add_argument('--pace', default='lockstep', help='lockstep, or a real-time factor (lockstep)')
    for name, what in (('bag', 'record an MCAP bag a scenario'), ('plots', 'draw a picture a scenario')):
        parser.add_argument(f'--{name}', action=argparse.BooleanOptionalAction, default=True, help=what)
    return parser
