"""`usv-energy run`: run scenarios and missions without ROS."""

import argparse
from collections.abc import Sequence

from usv_energy.cli.arguments import add_json, add_payload, add_wind_height, boat_name, file_path
from usv_energy.cli.boat_options import add_battery, add_flow, say_battery, scenario_with_outfit, understood_flow
from usv_energy.cli.quantities import speed
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.powering.power import CONVENTIONS
from usv_energy.show.terminal import say, show_result
from usv_energy.sim.record import Summary, exit_status
from usv_energy.sim.scenario import Scenario, chosen_scenarios
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run
from usv_energy.studies.plan.steady_range import unreachable_speed
from usv_energy.studies.runs.run_folder import check_folders, run_and_write, write_overview
from usv_energy.studies.runs.run_tables import comparison_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('scenarios', nargs='+', metavar='SCENARIO',
                        help='name of a shipped scenario, path of a YAML file, or all (the shipped ones); or a mission '
                             'file (.plan, .waypoints, GPX, KML, GeoJSON), with --boat')
    parser.add_argument('--boat', type=boat_name, help='name or YAML file of another boat (default: the scenario\'s)')
    parser.add_argument('--plant', type=boat_name, help='another boat to move, while the power model keeps its own')
    add_payload(parser)
    add_battery(parser, None, with_ambient=False)
    parser.add_argument('--speed', type=speed, default=0.0, metavar='SPEED',
                        help="over ground, m/s or `2.4 kn`, where a waypoint has none of its own (default: the "
                             "scenario's; of a mission the plan's, else the boat's cheapest); by guidance.mode path or "
                             'goal its part along the bow (surge) is held: docs/files.md')
    for medium in ('current', 'wind'):
        add_flow(parser, medium, ", in the metres of the scenario or mission (default: the scenario's; of a mission "
                                 'none)', default='')
    add_wind_height(parser)
    parser.add_argument('--depart', default='', metavar='WHEN',
                        help="when it begins: s of the flows' time, or a moment, 2026-06-01T09:00+02:00; by default 0, "
                             'but of files of data it must be said')
    parser.add_argument('--convention', choices=[*CONVENTIONS, 'both'],
                        help='of the power model (default: the scenario\'s)')
    parser.add_argument('--out', type=file_path, metavar='DIR',
                        help='write DIR/<scenario>_<convention>/{samples,track,legs}.csv, summary.json and plot.png, '
                             'DIR/summary.json and, for several scenarios, DIR/overview.png; only these files '
                             'are replaced')
    parser.add_argument('--no-plots', action='store_true', help='draw nothing')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Run the scenarios. All input is checked before the first; finished runs are kept if a later one fails."""
    conventions = tuple(CONVENTIONS) if args.convention == 'both' else (args.convention,)
    choice = RunChoice(args.boat or '', args.plant or '', args.speed, args.current, args.wind, args.wind_height or 0.0,
                       args.depart)
    chosen = chosen_scenarios(args.scenarios, lambda name: scenario_to_run(name, choice, args.payload))
    say_battery(args)
    scenarios = [scenario_with_outfit(scenario.with_options(convention=convention), args)
                 for scenario in chosen for convention in conventions]
    check_folders(args.out, scenarios)
    _warn(scenarios)
    summaries: list[Summary] = []
    stopped: BaseException | None = None
    try:
        for number, scenario in enumerate(scenarios, start=1):
            say(f'[{number}/{len(scenarios)}] {scenario.name}: {safe_name(scenario.title)}{_changes(args)}, '
                f'{scenario.convention} ... ', end='')
            summaries.append(run_and_write(scenario, args.out, not args.no_plots))
            say('{duration_s:.1f} s, {energy_j:.1f} J'.format(**summaries[-1]))
    except (KeyboardInterrupt, InputError) as reason:
        stopped = reason
        say('stopped')
    write_overview(summaries, args.out, stopped is None and not args.no_plots)
    show_result(comparison_table(summaries), summaries, args.json)
    if stopped is not None:
        say(f'usv-energy: {len(summaries)} of {len(scenarios)} runs finished'
            + (f', kept in {args.out}' if args.out is not None else ''))
        raise stopped
    return exit_status(*(summary['outcome'] for summary in summaries))


def _changes(args: argparse.Namespace) -> str:
    """Return the options that change the scenario, as text."""
    given = {name: getattr(args, name) for name in ('boat', 'plant', 'payload', 'battery', 'charge', 'hotel', 'speed',
                                                    'current', 'wind', 'depart')}
    words = [f'--{name} {value:g}' if isinstance(value, float) else f'--{name} {value}{understood_flow(args, name)}'
             for name, value in given.items() if value not in (None, '', 0.0)]
    return f' (with {" ".join(words)})' if words else ''


def _warn(scenarios: Sequence[Scenario]) -> None:
    """Warn on stderr of speeds that a boat cannot reach, and of assumed places of flow files."""
    speeds = [f'{scenario.name}: {unreachable}' for scenario in scenarios
              if (unreachable := unreachable_speed(scenario))]
    for sentence in dict.fromkeys((*(remark for scenario in scenarios for remark in scenario.remarks), *speeds)):
        say(f'usv-energy: {sentence}')
