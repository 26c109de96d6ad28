"""`usv-energy analyze`: from a bag, a table or a run to energy by cause, and a report as one HTML page."""

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from ..physics.power import CONVENTIONS
from .arguments import add_json, not_negative, positive
from .log_arguments import add_log_arguments, reader_choices

REPORT, SUMMARY, SAMPLES = 'report.html', 'summary.json', 'samples.csv'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('log', metavar='LOG',
                        help='a bag (folder, .mcap, .db3), a table (CSV), an ArduPilot log (.bin) or a run\'s folder')
    add_reading(parser)
    parser.add_argument('--estimate-current', nargs='?', type=positive, const=math.inf, metavar='S',
                        help='find the current from the thrusts in the log: one for all of it, or one that goes '
                             'linearly between knots every S seconds')
    parser.add_argument('--out', type=Path, metavar='DIR', help=f'write DIR/{{{REPORT},{SUMMARY}}}')
    parser.add_argument('--samples', action='store_true', help=f'write DIR/{SAMPLES}, too: all samples')
    add_json(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say how logs are read and taken."""
    parser.add_argument('--boat', help="name or YAML file of the boat (a run's own, else lutra_prop)")
    add_log_arguments(parser, max_gap=1.0)
    for medium in ('current', 'wind'):
        parser.add_argument(f'--{medium}', metavar='SPEED,DIR|FLOW',
                            help='m/s and where it flows to, degrees counter-clockwise from east, or a flow file, its '
                             "time 0 is the log's first sample (default: what the log has, else none)")
    parser.add_argument('--convention', choices=tuple(CONVENTIONS),
                        help="of the power model (a run's own, else rep103)")
    parser.add_argument('--acceleration-time-constant', type=not_negative, metavar='S',
                        help='of the low-pass on the acceleration, s; 0.2 to 0.5 for a real boat (default: none)')


def request_of(args: argparse.Namespace, path: str, boat: Any) -> Any:
    """
    Return what is to be analysed.

    :param args: The arguments of `add_reading`.
    :param path: Of the log.
    :param boat: The Boat.
    :raises InputError: For a current or wind that is none.
    """
    from ..analysis.analyze_log import Request, convention_of
    from ..analysis.log_energy import Options
    from ..flow.flow_argument import flow_of
    flows = {name: flow_of(getattr(args, name), f'--{name}', medium)
             for name, medium in (('current', 'water'), ('wind', 'air'))}
    options = Options(convention_of(path, args.convention), args.acceleration_time_constant, args.max_gap, **flows)
    return Request(path, boat, options, args.columns, reader_choices(args), args.fix_signs,
                   getattr(args, 'estimate_current', None))


def execute(args: argparse.Namespace) -> int:
    """Analyse the log; what is to be written is checked first."""
    from ..analysis.analyze_log import analysed, boat_of
    from ..analysis.log_summary import findings_of, summary_of_drive, summary_text
    from ..files.json_file import check_target, write_json
    from ..files.whole_file import check_writable
    check_target(args.json)
    if args.samples and args.out is None:
        raise InputError('--samples needs --out: the folder to write to')
    if args.estimate_current is not None and args.current is not None:
        raise InputError('--current says the current and --estimate-current looks for it; leave one out')
    request = request_of(args, args.log, boat_of(args.log, args.boat))
    if args.out is not None:
        check_writable(args.out)
    drive, estimate = analysed(request, say)
    found = findings_of(drive, estimate)
    # Flushed: if writing fails, the figures are not lost.
    print(summary_text(found), file=sys.stderr if args.json == '-' else sys.stdout, flush=True)
    if args.json:
        write_json(summary_of_drive(found), args.json)
    if args.out is not None:
        _write(found, args)
    return 0


def _write(found: Any, args: argparse.Namespace) -> None:
    """Write the report, what it shows as JSON, and the samples; the summary last: where it is, the rest is whole."""
    from ..analysis.analysed_samples import write_drive_samples
    from ..analysis.log_summary import summary_of_drive
    from ..files.json_file import write_json
    from ..show.page.report_page import write_report
    (args.out / SUMMARY).unlink(missing_ok=True)
    writers: list[tuple[str, Callable[[Path], None]]] = [(REPORT, lambda path: write_report(found, path))]
    if args.samples:
        writers.append((SAMPLES, lambda path: write_drive_samples(found.drive, path)))
    writers.append((SUMMARY, lambda path: write_json(summary_of_drive(found), path)))
    for name, write in writers:
        say(f'writing {name}')
        try:
            write(args.out / name)
        except OSError as error:
            raise OSError(error.errno, f'{error.strerror}: it is not written, what was there stays',
                          str(args.out / name)) from None
    print(args.out / REPORT, file=sys.stderr)


def say(text: str) -> None:
    """Say on a terminal what is being done."""
    if sys.stderr.isatty():
        print(f'{text} ...', file=sys.stderr, flush=True)
