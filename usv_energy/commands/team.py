"""`usv-energy team`: a boat and a quadcopter that flies from its deck, lands on it and charges there."""

import argparse

from ..air.flight_control import CONTROLLERS
from ..air.team_run import read_team, run_team
from ..show.output import list_files, say_on_terminal, show_result
from ..show.text.team_text import team_summary, team_text
from ..sim.record import GOAL_MISSED
from .arguments import add_json, file_path, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('team', nargs='?', default='box', help='name in config/teams or path of a file (%(default)s)')
    parser.add_argument('--controller', choices=CONTROLLERS, help="the quadcopter's (the file's)")
    parser.add_argument('--seed', type=whole_number(0), metavar='N', help="of gusts and waves (the file's)")
    parser.add_argument('--out', type=file_path, metavar='FILE', help='write a picture (PNG): way, stages, energies')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Run the team, print the energies, and draw them where that is wanted; 3 where the quadcopter did not land."""
    plan = read_team(args.team)
    given = {key: value for key, value in (('controller', args.controller), ('seed', args.seed)) if value is not None}
    plan = plan._replace(**given)
    say_on_terminal('running the boat, then the flight')
    run = run_team(plan)
    show_result(team_text(run), team_summary(run), args.json)
    if args.out is not None:
        from ..show.pictures.team_picture import plot_team
        plot_team(run, args.out)
        list_files(args.out)
    return 0 if run.flight.touchdown is not None else GOAL_MISSED
