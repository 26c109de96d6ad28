"""`usv-energy identify`: fit a boat's parameters to its logs, with errors on logs that were not used for the fit."""

import argparse

from usv_energy.cli.arguments import add_json, add_log_arguments, check_outputs, file_path, provenance_of, read_logs
from usv_energy.cli.quantities import quantity, whole_number
from usv_energy.show.terminal import say, show_result
from usv_energy.units import duration_of

REPORT, SUMMARY = 'report.txt', 'summary.json'
FORMS = ('auto', 'linear', 'quadratic', 'coupled', 'lift', 'lift+curve', 'lift+curve+compass')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='bags, tables (CSV), ArduPilot logs (.bin) or folders of runs, with motion and thrusts or '
                             'commands')
    parser.add_argument('--boat', required=True, metavar='BASE',
                        help='name or YAML file of the boat to start from: priors, places of the thrusters, windage')
    parser.add_argument('--out', type=file_path, metavar='FILE', help='write the boat file (.yaml)')
    parser.add_argument('--validate', nargs='+', default=[], metavar='LOG',
                        help='logs that only errors are taken from; the fit never sees them')
    parser.add_argument('--leave-one-out', action='store_true',
                        help='give the errors on each log of a fit without it, too: as many fits as logs')
    parser.add_argument('--form', choices=FORMS, default='auto',
                        help='of the model (auto: the simplest that is as good as the best on logs not seen)')
    parser.add_argument('--horizon', type=quantity(duration_of, low=0.5, high=600.0, unit='s'), default=10.0,
                        metavar='S', help='duration of a roll-out, s (%(default)g)')
    parser.add_argument('--no-current', action='store_true',
                        help='the water stood still: fit no steady current to each log')
    parser.add_argument('--no-wind', action='store_true',
                        help='the air stood still: fit no steady wind to each log that does not hold one')
    parser.add_argument('--workers', type=whole_number(1), metavar='N',
                        help='processes that share the work (one a core); the result does not depend on it')
    add_log_arguments(parser)
    parser.add_argument('--report', type=file_path, metavar='DIR',
                        help=f'write DIR/{{{REPORT},{SUMMARY},rollouts.png,residuals.png,parameters.png}}')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Identify, print and write; all input is checked first."""
    from usv_energy.api.fits import identify_boat
    from usv_energy.boats.boat_file import read_boat, require_motion
    from usv_energy.files.text_file import write_json, write_text
    check_outputs(args.json, args.out, args.report)
    boat = read_boat(args.boat)
    require_motion(boat, 'an identification')
    logs, validation = read_logs(args.logs, args), read_logs(args.validate, args)
    result = identify_boat(logs, boat, validation=validation, form=args.form, horizon=args.horizon,
                           currents=not args.no_current, winds=not args.no_wind, leave_one_out=args.leave_one_out,
                           workers=args.workers, say=say)
    if args.out is not None:
        result.write(args.out, provenance_of(args))
    if args.report is not None:
        say(f'pictures in {args.report}')
        result.write_picture(args.report)
        write_text(f'{result.text()}\n', args.report / REPORT)
        write_json(result.figures(), args.report / SUMMARY)
    show_result(result.text(), result.figures(), args.json)
    return 0
