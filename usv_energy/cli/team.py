"""`usv-energy team`: run boats, and quadcopters that take off from their decks, land and charge there."""

import argparse

from usv_energy.air.flight_control import CONTROLLERS
from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import TeamRun, run_team
from usv_energy.cli.arguments import add_json, file_path
from usv_energy.cli.boat_options import add_battery, say_battery, scenario_with_outfit
from usv_energy.cli.quantities import whole_number
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_writable
from usv_energy.show.terminal import list_files, say_on_terminal, show_result
from usv_energy.sim.record import GOAL_MISSED, exit_status
from usv_energy.studies.team.team_page import write_team
from usv_energy.studies.team.team_text import team_summary, team_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('team', nargs='?', default='box', help='name in config/teams or path of a file (%(default)s)')
    parser.add_argument('--controller', choices=CONTROLLERS, help="of all quadcopters (the file's)")
    parser.add_argument('--seed', type=whole_number(0), metavar='N', help="of gusts and waves (the file's)")
    add_battery(parser, None, with_ambient=False)
    parser.add_argument('--out', type=file_path, metavar='FILE', help='write a picture (.png) of all; or a folder: of '
                        'each boat what run writes and its scenario, pictures, page and summary.json')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Run the team, print and write its energy; return 3 if a boat missed its goal, or a quadcopter did not land."""
    plan = read_team(args.team)
    if args.controller is not None:
        plan = plan._replace(crafts=tuple(craft._replace(controller=args.controller) for craft in plan.crafts))
    if args.seed is not None:
        plan = plan._replace(seed=args.seed)
    say_battery(args)
    plan = plan._replace(boats=tuple(boat._replace(scenario=scenario_with_outfit(boat.scenario, args))
                                     for boat in plan.boats))
    folder = args.out is not None and args.out.suffix != '.png'
    if folder:
        if args.out.suffix:
            raise InputError(f'--out {args.out}: must be a picture, .png, or a folder')
        check_writable(args.out)
    say_on_terminal(f'running {len(plan.boats)} boats and {len(plan.crafts)} quadcopters')
    run = run_team(plan)
    show_result(team_text(run), team_summary(run), args.json)
    if folder:
        list_files(*write_team(run, args.out))
    elif args.out is not None:
        from usv_energy.studies.team.team_picture import plot_craft, plot_team
        alone = len(run.boats) == len(run.crafts) == 1
        plot_craft(run, run.crafts[0], args.out) if alone else plot_team(run, args.out)
        list_files(args.out)
    return _status(run)


def _status(run: TeamRun) -> int:
    status = exit_status(*(boat.outcome for boat in run.boats))
    return GOAL_MISSED if any(craft.flight.touchdown is None for craft in run.crafts) else status
