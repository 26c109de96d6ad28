"""`usv-energy analyze`: from a bag, a table or a run to energy by cause, and a report as one HTML page."""

import argparse
import math
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_payload,
    add_wind_height,
    file_path,
    reader_choices,
)
from usv_energy.cli.boat_options import add_battery, add_flow, say_battery, say_flows, with_outfit
from usv_energy.cli.quantities import duration, length_from_zero
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.text_file import check_target
from usv_energy.powering.power import CONVENTIONS
from usv_energy.show.terminal import list_files, say_on_terminal, show_result

if TYPE_CHECKING:
    from usv_energy.studies.analyze.log_request import LogRequest
    from usv_energy.studies.analyze.report_folder import DrawnBeside


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('log', metavar='LOG',
                        help='a bag (folder, .mcap, .db3), a log of ArduPilot (.bin, .log), PX4 (.ulg) or a ground '
                             'station (.tlog), NMEA 0183, Signal K, MOOS (.alog), a track with times (GPX, KML, '
                             'GeoJSON), a table (CSV) or a run\'s folder')
    add_reading(parser)
    parser.add_argument('--estimate-current', nargs='?', type=duration, const=math.inf, metavar='S',
                        help='find the current from the thrusts in the log: one for all of it, or one that goes '
                             'linearly between knots every S seconds')
    parser.add_argument('--out', type=file_path, metavar='DIR', help='write DIR/{report.html,summary.json}')
    parser.add_argument('--write-columns', type=file_path, metavar='FILE',
                        help='of a table without a column map: write what is recognised of its columns as one, to be '
                             'edited and given by --columns')
    parser.add_argument('--samples', action='store_true', help='write DIR/samples.csv, too: all samples')
    add_json(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for reading and analysing logs."""
    parser.add_argument('--boat', help="name or YAML file of the boat (a run's own, else lutra_prop)")
    add_payload(parser)
    add_battery(parser, None, with_ambient=False)
    add_log_arguments(parser)
    for medium in ('current', 'wind'):
        add_flow(parser, medium, ", its time 0 is the log's first sample (default: what the log has, else none)")
    add_wind_height(parser, ", or else the log's own,")
    parser.add_argument('--convention', choices=tuple(CONVENTIONS),
                        help="of the power model (a run's own, else rep103)")
    parser.add_argument('--motion', choices=('estimated', 'recorded'), default='estimated',
                        help='estimated: the likeliest motion by pose, velocity and yaw rate together (default); '
                             'recorded: the velocities as they are, noise and all')
    parser.add_argument('--waves', choices=('seen', 'none'), default='seen',
                        help='seen: what waves move to and fro, as heave, roll and pitch show them, is taken out of '
                             'the propulsion (default); none: it is left in')
    parser.add_argument('--sea', metavar='HS,TP,TOWARDS',
                        help='the sea, if you know it and the log does not show it: `0.3 m 2.5 s from SW`, or '
                             'HS,TP,TOWARDS, with degrees counter-clockwise from east; calm: none')
    parser.add_argument('--drift-depth', type=length_from_zero, metavar='M',
                        help="how deep, m, the waves' drift was taken that the current holds: 0 for a drifter at the "
                             'surface (default: it holds none, but for a run\'s own, or a flow file with waves)')
    parser.add_argument('--actuators', choices=('auto', 'allocated'), default='auto',
                        help='auto: thrusts, rates of turning or commands, and angles, as the log has them (default); '
                             'allocated: the cheapest way to give what the motion needs')


def request_of(args: argparse.Namespace, path: str) -> 'LogRequest':
    """Return the request of the arguments of `add_reading` for the log at a path; InputError for wrong input."""
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.wind_height import wind_at_boat, wind_share
    from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
    from usv_energy.studies.analyze.log_request import (
        LogRequest,
        boat_of,
        convention_of,
        drift_depth_of,
        drift_of_run,
        is_told,
    )
    from usv_energy.studies.plan.boat_in_sea import sea_of_option
    flows = {name: flow_of(getattr(args, name), f'--{name}', medium, dated=True)
             for name, medium in (('current', 'water'), ('wind', 'air'))}
    boat = with_outfit(boat_of(path, args.boat, args.payload), args)
    say_battery(args)
    say_flows(args)
    flows['wind'] = wind_at_boat(flows['wind'], boat, args.wind_height)
    options = AnalysisOptions(convention_of(path, args.convention), args.motion, flows['current'], flows['wind'],
                              wind_share(boat, args.wind_height), actuators=args.actuators, waves=args.waves == 'seen',
                              drift_depth=drift_depth_of(path, args.drift_depth),
                              drift=drift_of_run(path, args.drift_depth), sea=sea_of_option(args.sea))
    return LogRequest(path, boat, options, args.columns, reader_choices(args),
                      args.fix_signs, args.any_vehicle, is_told(path, args.boat),
                      getattr(args, 'estimate_current', None))


def execute(args: argparse.Namespace) -> int:
    """Analyse the log; the outputs are checked first."""
    if args.samples and args.out is None:
        raise InputError('--samples needs --out: the folder to write to')
    if args.estimate_current is not None and args.current is not None:
        raise InputError('--current says the current and --estimate-current looks for it; leave one out')
    if args.write_columns is not None:
        from usv_energy.logs.read_log import write_column_map
        check_target(args.write_columns)
        write_column_map(user_path(args.log), args.write_columns)
        list_files(args.write_columns)
    if args.out is None:
        _show_analysis(args)
        return 0
    from usv_energy.studies.analyze.report_folder import DrawnBeside
    with DrawnBeside() as drawn:  # First, because the other process takes longest to load its modules.
        _write_analysis(args, drawn)
    return 0


def _show_analysis(args: argparse.Namespace) -> None:
    from usv_energy.studies.analyze.log_report import log_report, report_figures
    from usv_energy.studies.analyze.log_request import read_and_analyse
    from usv_energy.studies.analyze.log_text import log_text
    report = log_report(*read_and_analyse(request_of(args, args.log), say_on_terminal))
    show_result(log_text(report), report_figures(report), args.json)


def _write_analysis(args: argparse.Namespace, drawn: 'DrawnBeside') -> None:
    from usv_energy.studies.analyze.log_report import log_report, report_figures
    from usv_energy.studies.analyze.log_request import read_and_analyse
    from usv_energy.studies.analyze.log_text import log_text
    from usv_energy.studies.analyze.report_folder import REPORT, check_report_folder, write_report_folder
    request = request_of(args, args.log)
    check_report_folder(args.out, args.log)
    analysed, estimate = read_and_analyse(request, say_on_terminal)
    drawn.begin(analysed)
    report = log_report(analysed, estimate)
    show_result(log_text(report), report_figures(report), args.json)
    write_report_folder(report, args.out, args.samples, lambda: drawn.pictures(report))
    list_files(args.out / REPORT)
