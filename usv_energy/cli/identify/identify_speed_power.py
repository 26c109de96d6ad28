"""`usv-energy identify speed-power`: fit a boat's power over speed to logs with a current sensor."""

import argparse

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_outputs,
    check_outputs,
    read_logs,
    show_fit,
)

PICTURE = 'speed_power.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='logs of autopilots (.bin, .tlog, .ulg), bags or tables (CSV) with volts and amperes, and '
                             'positions or velocities; there and back at several speeds')
    parser.add_argument('--boat', metavar='BOAT',
                        help='name or YAML file of a boat whose damping.wave has the waves of the hull, as boat make '
                             'writes it: they are tried as a part of the curve')
    add_log_arguments(parser)
    add_outputs(parser, 'write the boat file, FILE.yaml', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit, print and write; the outputs are checked first."""
    from usv_energy.api.fits import identify_speed_power
    from usv_energy.files.text_file import check_target
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    result = identify_speed_power(read_logs(args.logs, args), args.boat)
    return show_fit(result, args, 'boat file')
