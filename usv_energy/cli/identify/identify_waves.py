"""`usv-energy identify waves`: a boat's added resistance in waves, from logs at several sea states."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_outputs,
    add_payload,
    add_wind_height,
    check_outputs,
    read_logs,
    show_fit,
)
from usv_energy.cli.boat_options import add_flow
from usv_energy.cli.quantities import (
    length_from_zero,
    list_of,
    plain_number,
    speed_from_zero,
    within,
)
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import say
from usv_energy.units import duration_of

if TYPE_CHECKING:
    from usv_energy.boats.boat_file import Boat
    from usv_energy.studies.analyze.analysed_log import AnalysedLog

PICTURE = 'waves.png'
SEEN = 'seen'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='logs with motion, heave, roll and pitch, and thrusts, commands or rates of turning: '
                             'calm water and several seas, each with legs against, across and with the waves')
    parser.add_argument('--boat', required=True,
                        help='name or YAML file of the boat: its drag, thrusters, windage, and its parts, if any')
    add_payload(parser)
    parser.add_argument('--sea', action='append', default=[], metavar='HS,TP,TOWARDS',
                        help='the sea of a log, once for all logs or once for each in turn: significant height m, '
                             'period of the peak s, towards which the waves run, degrees counter-clockwise from '
                             'east; seen (in heave, roll and pitch, default) or calm')
    for medium in ('current', 'wind'):
        add_flow(parser, medium, ' (default: what each log has, else none)')
    add_wind_height(parser, ", or else each log's own,")
    parser.add_argument('--drift-depth', type=length_from_zero, metavar='M',
                        help="how deep, m, the waves' drift was taken that the current holds (default: it holds none, "
                             "but for a run's own, or a flow file with waves)")
    parser.add_argument('--directions', type=list_of(plain_number), default=[0.0, 90.0, 180.0], metavar='DEG,DEG...',
                        help='at which coefficients are given, off the bow, rising: 0 ahead, 180 astern (0,90,180)')
    parser.add_argument('--periods', type=list_of(duration_of), metavar='S,S...',
                        help="at which they are given, s, rising (those of the logs' seas)")
    parser.add_argument('--current-error', type=speed_from_zero, default=0.0, metavar='SPEED',
                        help="standard error of each log's current, m/s, which widens the intervals (%(default)g)")
    parser.add_argument('--drag-error', type=within(0.01, 100.0, '%'), metavar='PERCENT',
                        help="standard error of the drag of the boat's file, %% (default: not known, so that calm "
                             'seas of several heights are needed)')
    add_log_arguments(parser)
    add_outputs(parser, 'write the boat file, FILE.yaml', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit, print and write; the outputs are checked first."""
    from usv_energy.api.fits import identify_waves
    from usv_energy.boats.boat_file import read_boat, require_motion
    from usv_energy.files.text_file import check_target
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    boat = read_boat(args.boat, payload=args.payload)
    require_motion(boat, 'an identification')
    directions = _rising(args.directions, '--directions', 0.0, 180.0)
    periods = None if args.periods is None else _rising(args.periods, '--periods', 0.1, 60.0)
    logs = _analysed(args, boat)
    fit = identify_waves(logs, boat, directions_deg=directions, periods=periods, current_error=args.current_error,
                         drag_error=None if args.drag_error is None else 0.01 * args.drag_error)
    return show_fit(fit, args, 'boat file')


def _rising(values: list[float], name: str, least: float, most: float) -> list[float]:
    if sorted(set(values)) != values or values[0] < least or values[-1] > most:
        raise InputError(f'{name} is {",".join(f"{one:g}" for one in values)}; must rise, from {least:g} to {most:g}')
    return values


def _analysed(args: argparse.Namespace, boat: 'Boat') -> 'list[AnalysedLog]':
    """Return the logs, analysed as the boat's motion in its sea."""
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.wind_height import wind_at_boat, wind_share
    from usv_energy.logs.thruster_readings import with_thrust_of_pulses
    from usv_energy.studies.analyze.analysed_log import analysed_log
    from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
    from usv_energy.studies.analyze.log_request import drift_depth_of, drift_of_run
    current, wind = (flow_of(getattr(args, name), f'--{name}', medium, dated=True)
                     for name, medium in (('current', 'water'), ('wind', 'air')))
    wind = wind_at_boat(wind, boat, args.wind_height)
    seas = _seas(args.sea, len(args.logs))
    found = []
    for path, log, sea in zip(args.logs, read_logs(args.logs, args), seas):
        say(f'{path}: looking at its sea')
        options = AnalysisOptions(current=current, wind=wind, wind_share=wind_share(boat, args.wind_height),
                                  find_flow=False, sea=sea, drift_depth=drift_depth_of(path, args.drift_depth),
                                  drift=drift_of_run(path, args.drift_depth))
        found.append(analysed_log(with_thrust_of_pulses(log, boat), boat, options))
    return found


def _seas(given: Sequence[str], logs: int) -> 'list[tuple[float, float, float] | None]':
    """Return the given sea for each log; None if it must be estimated from the log."""
    from usv_energy.studies.plan.boat_in_sea import sea_of_option
    if len(given) not in (0, 1, logs):
        raise InputError(f'--sea is given {len(given)} times for {logs} logs; must be once, or once for each log in '
                         'turn')
    seas = [None if one == SEEN else sea_of_option(one) for one in given]
    return seas * logs if len(seas) == 1 else seas or [None] * logs
