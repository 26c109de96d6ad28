"""`usv-energy identify coast-down`: surge drag, and with a known payload the mass, from glides without thrust."""

import argparse

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_outputs,
    add_payload,
    check_outputs,
    read_logs,
    show_fit,
)
from usv_energy.cli.quantities import any_time, not_negative
from usv_energy.files.errors import InputError

PICTURE = 'coast_down.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='bags, tables (CSV), logs of autopilots or folders of maneuvers in which the boat glides')
    parser.add_argument('--boat', default='lutra_prop',
                        help='name or YAML file of the boat: its mass and windage are taken, and what its thrusters '
                             'give for a pulse (%(default)s)')
    add_payload(parser)
    parser.add_argument('--loaded', nargs='+', default=[], metavar='LOG',
                        help='logs of the same boat with --added kg more on board, which tell the mass')
    parser.add_argument('--added', type=not_negative, metavar='KG', help='mass more on board in the logs of --loaded')
    parser.add_argument('--form', choices=('both', 'linear', 'quadratic'), default='both',
                        help='of the drag (%(default)s)')
    parser.add_argument('--from', dest='begin', type=any_time, metavar='S', help='look from this time of the logs on')
    parser.add_argument('--to', dest='end', type=any_time, metavar='S', help='and up to this one')
    add_log_arguments(parser)
    add_outputs(parser, 'write the boat file, FILE.yaml', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Find the glides, fit, print and write; the outputs are checked first."""
    from usv_energy.api.fits import identify_coast_down
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.files.text_file import check_target
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    if bool(args.loaded) != (args.added is not None):
        raise InputError('--loaded and --added go together: logs, and by how much more on board they are of')
    boat = read_boat(args.boat, payload=args.payload)
    span = (args.begin if args.begin is not None else -float('inf'), args.end if args.end is not None else float('inf'))
    window = span if args.begin is not None or args.end is not None else None
    result = identify_coast_down(read_logs(args.logs, args), boat, loaded=read_logs(args.loaded, args),
                                 added=args.added, form=args.form, window=window)
    return show_fit(result, args, 'boat file')
