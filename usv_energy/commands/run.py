"""`usv-energy run`: scenarios without ROS."""

import argparse
import sys
from pathlib import Path

from ..files.errors import InputError
from ..files.json_file import check_target, write_json
from ..files.whole_file import check_writable
from ..physics.power import CONVENTIONS
from ..show.run_folder import SUMMARY, run_folder, write_run
from ..show.text.run_tables import comparison_table, comparisons
from ..sim.record import REACHED
from ..sim.run_summary import Summary, summary_of
from ..sim.runner import run_scenario
from ..sim.scenario import Scenario, read_scenario, scenario_names
from .arguments import add_payload
from .listing import natural_order

RUN_BY = 'usv-energy'
OVERVIEW = 'overview.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('scenarios', nargs='+', metavar='SCENARIO',
                        help='name of a shipped scenario, path of a YAML file, or all (the shipped ones)')
    parser.add_argument('--boat', help='name or YAML file of another boat (default: the scenario\'s)')
    parser.add_argument('--plant', help='another boat to move, while the power model keeps its own')
    add_payload(parser)
    parser.add_argument('--convention', choices=[*CONVENTIONS, 'both'],
                        help='of the power model (default: the scenario\'s)')
    parser.add_argument('--out', type=Path, metavar='DIR',
                        help='write DIR/<scenario>_<convention>/{samples.csv,summary.json,plot.png}, DIR/summary.json '
                             'and, for several scenarios, DIR/overview.png; only these files are replaced')
    parser.add_argument('--no-plots', action='store_true', help='draw nothing')
    parser.add_argument('--json', metavar='FILE', help='write the list of summaries to FILE; - is stdout, the table '
                                                       'then goes to stderr')


def execute(args: argparse.Namespace) -> int:
    """Run the scenarios; all input is checked before the first."""
    scenarios = _scenarios(args)
    _check_output(args, scenarios)
    summaries: list[Summary] = []
    stopped: BaseException | None = None
    try:
        for number, scenario in enumerate(scenarios, start=1):
            _say(f'[{number}/{len(scenarios)}] {scenario.name}: {scenario.title}, {scenario.convention} ... ', end='')
            summaries.append(_run(scenario, args))
            _say('{duration_s:.1f} s, {energy_j:.1f} J'.format(**summaries[-1]))
    except (KeyboardInterrupt, InputError) as reason:
        stopped = reason
        _say('stopped')
    _write_all(summaries, args, overview=stopped is None)
    if stopped is not None:
        kept = f', kept in {args.out}' if args.out is not None else ''
        _say(f'usv-energy: {len(summaries)} of {len(scenarios)} runs finished{kept}')
        raise stopped
    return 0 if all(summary['outcome'] == REACHED for summary in summaries) else 1


def _say(text: str, end: str = '\n') -> None:
    print(text, end=end, file=sys.stderr, flush=True)


def _scenarios(args: argparse.Namespace) -> list[Scenario]:
    """Return what to run: each scenario once, under each convention that is asked for."""
    names = [name for given in args.scenarios
             for name in (natural_order(scenario_names()) if given == 'all' else [given])]
    chosen: dict[str, Scenario] = {}
    for scenario in map(read_scenario, names):
        other = chosen.setdefault(scenario.name, scenario)
        if other.path.resolve() != scenario.path.resolve():
            raise InputError(f'two scenarios are called {scenario.name}: {other.path} and {scenario.path}; '
                             'rename one or run them one after the other')
    conventions = CONVENTIONS if args.convention == 'both' else [args.convention]
    return [scenario.with_options(args.boat, args.plant, convention, args.payload)
            for scenario in chosen.values() for convention in conventions]


def _check_output(args: argparse.Namespace, scenarios: list[Scenario]) -> None:
    check_target(args.json)
    if args.out is not None:
        check_writable(args.out)
        for scenario in scenarios:
            folder = run_folder(args.out, scenario.name, scenario.convention)
            if folder.exists():
                check_writable(folder)


def _run(scenario: Scenario, args: argparse.Namespace) -> Summary:
    run = run_scenario(scenario)
    if args.out is None:
        return summary_of(run, RUN_BY)
    return write_run(run, run_folder(args.out, scenario.name, scenario.convention), not args.no_plots, RUN_BY)


def _write_all(summaries: list[Summary], args: argparse.Namespace, overview: bool) -> None:
    if args.out is not None:
        write_json(summaries, args.out / SUMMARY)
        if overview and not args.no_plots and len(comparisons(summaries)) > 1:
            from ..show.pictures.overview import plot_overview
            plot_overview(summaries, args.out / OVERVIEW)
    if args.json is not None:
        write_json(summaries, args.json)
    if summaries:
        print(comparison_table(summaries), file=sys.stderr if args.json == '-' else sys.stdout)
