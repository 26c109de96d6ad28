"""`usv-energy identify-electrical`: electrical power from thruster commands, with errors on data not used."""

import argparse

from ..show.output import say, show_result
from .arguments import add_json, file_path, positive
from .log_arguments import add_log_arguments, check_outputs, provenance_of, read_logs

PICTURE, REPORT = 'electrical.png', 'electrical.txt'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='bags, tables (CSV) or ArduPilot logs (.bin) with volts and amperes, and thrusts or '
                             'commands')
    add_log_arguments(parser)
    parser.add_argument('--validate', nargs='+', default=[], metavar='LOG', help='logs to judge on, never fitted')
    parser.add_argument('--split', action='store_true', help='besides, fit each half of the log and judge on the other')
    parser.add_argument('--use', choices=('thrust', 'command'),
                        help='what to fit to (thrust, N, where the log has it, else command, us)')
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file that the new boat is based on '
                                                             '(%(default)s)')
    parser.add_argument('--full-command', type=positive, default=400.0, metavar='US',
                        help='distance from neutral at which a thruster gives its full thrust, for the boat file where '
                             'only commands are known (%(default)g)')
    parser.add_argument('--out', type=file_path, metavar='YAML', help='write the boat file')
    parser.add_argument('--report', type=file_path, metavar='DIR', help=f'write DIR/{{{PICTURE},{REPORT}}}')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit, print, and write what is asked for; what is to be written is checked first."""
    from ..boats.boat_file import read_boat, write_boat
    from ..files.whole_file import write_text
    from ..identify.electrical.electrical_fit import electrical_boat, electrical_summary, fit_electrical
    from ..show.pictures.electrical_picture import plot_electrical
    from ..show.text.electrical_text import electrical_text
    check_outputs(args.json, args.out, args.report)
    boat = read_boat(args.boat)
    result = fit_electrical(read_logs(args.logs, args), read_logs(args.validate, args), args.use, args.split, say)
    text = electrical_text(result)
    show_result(text, electrical_summary(result, boat), args.json)
    if args.out is not None:
        provenance = {**provenance_of(args), 'data': args.logs, 'validated_on': args.validate}
        write_boat(electrical_boat(result, boat, args.out.stem, args.full_command, provenance), args.out)
        assumed = f' (thrust of a command is assumed, see losses.source; --full-command {args.full_command:g})'
        say(f'boat file: {args.out}' + ('' if result.use == 'thrust' else assumed))
    if args.report is not None:
        write_text(f'{text}\n', args.report / REPORT)
        plot_electrical(result, args.report / PICTURE)
    return 0
