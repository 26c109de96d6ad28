"""`usv-energy identify electrical`: fit electrical power to commands, thrusts or revolutions of thrusters."""

import argparse
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import add_json, add_log_arguments, check_outputs, file_path, provenance_of, read_logs
from usv_energy.cli.quantities import positive
from usv_energy.files.errors import InputError, counted
from usv_energy.show.terminal import say, show_result

if TYPE_CHECKING:
    from usv_energy.api.fits import FitResult
    from usv_energy.boats.boat_file import Boat

DEFAULT = 'lutra_prop'
PICTURE, REPORT, READINGS = 'electrical.png', 'electrical.txt', 'electrical.csv'
OF_NO_USE = 3  # Exit status where the model tells logs that it was not fitted to worse than their mean.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='bags, tables (CSV), folders of tables or ArduPilot logs (.bin) with volts and amperes, '
                             'and thrusts, commands or revolutions')
    add_log_arguments(parser)
    parser.add_argument('--validate', nargs='+', default=[], metavar='LOG', help='logs to judge on, never fitted')
    parser.add_argument('--split', action='store_true', help='besides, fit each half of the log and judge on the other')
    parser.add_argument('--leave-one-out', action='store_true',
                        help='of revolutions: besides, predict each log by a fit to the others')
    parser.add_argument('--use', choices=('revolutions', 'thrust', 'command'),
                        help='what to fit to (revolutions where all logs have them, else thrust, N, else command, us)')
    parser.add_argument('--boat', default=DEFAULT, help='name or YAML file that the new boat is based on '
                                                         '(%(default)s)')
    parser.add_argument('--full-command', type=positive, default=400.0, metavar='US',
                        help='distance from neutral at which a thruster gives its full thrust, for the boat file where '
                             'only commands are known (%(default)g)')
    parser.add_argument('--out', type=file_path, metavar='YAML', help='write the boat file')
    parser.add_argument('--report', type=file_path, metavar='DIR',
                        help=f'write DIR/{{{PICTURE},{REPORT}}}, of revolutions {READINGS}, too')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit, print and write; return status 3 if the model is of no use on other logs."""
    from usv_energy.api.fits import identify_electrical
    from usv_energy.boats.boat_file import read_boat, require_motion
    from usv_energy.files.text_file import write_text
    from usv_energy.studies.identify.electrical.electrical_fit import curves_for_limits, is_of_no_use, judged_scores
    check_outputs(args.json, args.out, args.report)
    boat = read_boat(args.boat)
    require_motion(boat, 'an identification')
    logs, others = read_logs(args.logs, args), read_logs(args.validate, args)
    of_revolutions = args.use in (None, 'revolutions') and all(log.known('revolutions') for log in (*logs, *others))
    if args.use == 'revolutions' or of_revolutions:
        if args.split:
            raise InputError('--split is not of revolutions: leave logs out with --leave-one-out, or choose --use '
                             'thrust or --use command')
        say(f'fitting {counted(len(logs), "log")} with revolutions')
    elif args.leave_one_out:
        raise InputError('--leave-one-out is of revolutions, which not all of the logs have')
    result = identify_electrical(logs, boat, validation=others, use=args.use, split=args.split,
                                 leave_one_out=args.leave_one_out, full_command=args.full_command, say=say)
    show_result(result.text(), result.figures(), args.json)
    if of_revolutions or args.use == 'revolutions':
        return _of_revolutions(args, result, boat)
    found = result.found
    if args.out is not None:
        result.write(args.out, {**provenance_of(args), 'data': args.logs, 'validated_on': args.validate})
        _say_base(boat)
        assumed = f' (thrust of a command is assumed, see losses.source; --full-command {args.full_command:g})'
        if any(boat.propellers):
            say('the measured power takes the place of that of the propellers, which the boat file has no more: it has '
                'thrust as at standstill at any speed')
        say(f'boat file: {args.out}' + ('' if found.use == 'thrust' or curves_for_limits(boat) else assumed))
    if args.report is not None:
        write_text(f'{result.text()}\n', args.report / REPORT)
        result.write_picture(args.report / PICTURE)
    return OF_NO_USE if is_of_no_use(judged_scores(found)) else 0


def _say_base(boat: 'Boat') -> None:
    """Say whose all other numbers are."""
    say(f'all but the power is that of {boat.name}, its size, drag, thrusters and battery included: --boat says '
        'another, and `usv-energy boat make` makes one of your own numbers')


def _of_revolutions(args: argparse.Namespace, result: 'FitResult', boat: 'Boat') -> int:
    """Write the boat file and the report of a fit of power to revolutions."""
    from usv_energy.files.text_file import write_text
    from usv_energy.studies.identify.electrical.electrical_fit import is_of_no_use
    from usv_energy.studies.identify.electrical.electrical_reports import (
        judged_rotor_scores,
        readings_table,
        rotor_report_text,
    )
    if args.out is not None:
        result.write(args.out, {**provenance_of(args), 'data': args.logs, 'validated_on': args.validate})
        _say_base(boat)
        say(f'boat file: {args.out}')
    if args.report is not None:
        write_text(f'{rotor_report_text(result.found)}\n', args.report / REPORT)
        write_text(readings_table(result.found), args.report / READINGS)
        result.write_picture(args.report / PICTURE)
    return OF_NO_USE if is_of_no_use(judged_rotor_scores(result.found)) else 0
