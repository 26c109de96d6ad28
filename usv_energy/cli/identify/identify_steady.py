"""`usv-energy identify steady`: damping from steady states, of the thesis's three runs or of any log."""

import argparse

from usv_energy.cli.arguments import add_json, add_log_arguments, add_outputs, check_outputs, read_logs
from usv_energy.cli.quantities import quantity
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.show.terminal import say, show_result
from usv_energy.units import duration_of

MANEUVERS = ('a', 'b', 'c')
PICTURE, REPORT, SUMMARY = 'steady.png', 'steady.txt', 'steady.json'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='*', metavar='LOG',
                        help='bags, tables (CSV), ArduPilot logs (.bin) or folders of runs; without any, the '
                             'maneuvers are simulated')
    parser.add_argument('--boat', default='lutra_prop',
                        help='name or YAML file of the boat: its mass, thrusters and windage are taken (%(default)s)')
    parser.add_argument('--plant', help='the boat that is simulated (default: --boat)')
    parser.add_argument('--maneuver', action='append', metavar='NAME',
                        help='name in config/maneuvers or YAML file, may be given again (a, b and c: full thrust, one '
                             'thruster, thrusters opposed, as the thesis has them)')
    parser.add_argument('--window', type=quantity(duration_of, low=0.5, high=600.0, unit='s'), default=5.0, metavar='S',
                        help='shortest steady phase, s (%(default)g)')
    add_log_arguments(parser)
    add_outputs(parser, f'write FOLDER/{{{PICTURE},{REPORT},{SUMMARY}}} and, of simulated maneuvers, '
                        'FOLDER/<name>/{samples,commands}.csv, which are a log', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Find the steady phases, and print the damping; return 1 if they give none."""
    from usv_energy.api.fits import identify_steady
    from usv_energy.boats.boat_file import read_boat, require_motion
    from usv_energy.files.text_file import check_target, write_json, write_text
    from usv_energy.logs.maneuver_log import maneuver_log, write_maneuver
    from usv_energy.sim.maneuver import read_maneuver, run_maneuver
    check_outputs(args.json, None, args.out)
    check_target(args.plot)
    if args.logs and (args.plant or args.maneuver):
        raise InputError('--plant and --maneuver are of simulated maneuvers; leave them out where logs are given')
    boat, plant = read_boat(args.boat), read_boat(args.plant or args.boat)
    require_motion(boat, 'an identification')
    maneuvers = [] if args.logs else [read_maneuver(name) for name in args.maneuver or MANEUVERS]
    logs = read_logs(args.logs, args)
    for maneuver in maneuvers:
        say(f'{maneuver.name}: {safe_name(maneuver.title)}, {plant.name}')
        rows, commands = run_maneuver(maneuver, boat, plant)
        if args.out is not None:
            write_maneuver(rows, commands, plant, args.out / maneuver.name)
        logs.append(maneuver_log(maneuver, rows, commands, plant))
    result = identify_steady(logs, boat, window=args.window, plant=plant if maneuvers else None)
    show_result(result.text(), result.figures(), args.json)
    if args.out is not None:
        write_text(f'{result.text()}\n', args.out / REPORT)
        write_json(result.figures(), args.out / SUMMARY)
    for path in filter(None, (args.plot, args.out and args.out / PICTURE)):
        result.write_picture(path)
    return 0 if result.found else 1
