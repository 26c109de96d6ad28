"""`usv-energy map`: energy over course and speed, best speeds, reach, time against energy, polar diagrams."""

import argparse
import re
from functools import partial

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.cli import arguments
from usv_energy.cli.boat_options import MEDIA, add_boat, add_flow, fitted_boat, say_flows
from usv_energy.cli.quantities import LIST_HELP, any_length, list_of, plain_number, positive, whole_number
from usv_energy.engine.sweep.results_file import check_suffix
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import check_covered, departure_times, departure_window, on_one_clock
from usv_energy.flow.flow_argument import flow_of, uniform_of
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import laid_together, remarks_of
from usv_energy.flow.wind_height import wind_at_boat, wind_share
from usv_energy.phrases import direction_of
from usv_energy.show.terminal import ProgressLine, say, show_result
from usv_energy.studies.maps import map_study
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.map_pictures import plot_map
from usv_energy.studies.maps.map_study import Conditions, write_map
from usv_energy.studies.maps.map_text import map_figures, map_text
from usv_energy.studies.plan.polar import TRIMS, polar_study, write_polar
from usv_energy.studies.range.range_picture import plot_polar
from usv_energy.studies.range.range_text import polar_figures, polar_text
from usv_energy.units import speed_of

WAYS = {'current': '`set 090,set NE`', 'wind': '`from NE,from 225`'}
SPEEDS, DIRECTIONS = {'current': '0,0.2,0.4', 'wind': '0,3,6'}, '0,120,240'   # Of map energy and best.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='map_verb', metavar='COMMAND', title='commands', required=True)

    def verb(name: str, purpose: str, number: int, note: str = '') -> argparse.ArgumentParser:
        child = arguments.add_verb(verbs, name, purpose, note)
        _add_common(child, number)
        return child

    energy = verb('energy', 'energy per metre over course and speed, in many currents and winds', 40)
    best = verb('best', 'the speed of least energy per metre, by course', 96)
    for child in (energy, best):
        child.add_argument('--courses', type=whole_number(4), default=72, metavar='N',
                           help='all around (default: %(default)s)')
        for name, speeds in SPEEDS.items():
            add_flow(child, name, f'; in place of --{name}-speed and --{name}-direction')
            child.add_argument(f'--{name}-speed', type=list_of(speed_of), metavar='SPEED',
                               help=f'm/s or `1,2 kn`: {LIST_HELP} (default: {speeds})')
            child.add_argument(f'--{name}-direction', type=partial(_directions, medium=MEDIA[name]), metavar='WAY',
                               help=f'{WAYS[name]}, with commas; or as ROS has it, degrees counter-clockwise from east '
                                    f'that it flows to, {LIST_HELP} (default: {DIRECTIONS})')
    reach = verb('reach', 'the area that a battery reaches', 32, ' The boat goes at its cheapest speed everywhere.')
    front = verb('front', 'time against energy between two places', 32)
    for child in (reach, front):
        child.add_argument('--from', dest='start', nargs=2, type=any_length, required=True, metavar=('X', 'Y'),
                           help='m')
        for name in ('current', 'wind'):
            add_flow(child, name, ' (default: none)', nargs='+', action=arguments.JoinedWords)
        child.add_argument('--time', metavar='WHEN',
                           help="when flows that vary in time are looked at: s of the flow's time, or a moment, "
                                '2026-06-01T09:00+02:00; they stand still meanwhile (default: 0; of files of data it '
                                'must be said)')
    reach.add_argument('--round-trip', action='store_true', help='there and back')
    reach.add_argument('--extent', nargs=4, type=any_length, metavar=('XMIN', 'YMIN', 'XMAX', 'YMAX'),
                       help='go no further, m')
    reach.add_argument('--points', type=whole_number(4), default=121, metavar='N',
                       help='of the grid along its longer side (default: %(default)s)')
    front.add_argument('--to', dest='goal', nargs=2, type=any_length, required=True, metavar=('X', 'Y'), help='m')
    front.add_argument('--points', type=whole_number(4), default=48, metavar='N',
                       help='of the grid from start to goal (default: %(default)s)')
    front.add_argument('--margin', type=positive, default=0.5, metavar='SHARE',
                       help='room for detours around the two, as a share of their distance (default: %(default)s)')
    purpose = 'the polar diagram: speed by the angle of the true wind, under sail or at full thrust'
    polar = arguments.add_verb(verbs, 'polar', purpose)
    _add_shared(polar)
    polar.add_argument('--wind-speed', type=list_of(speed_of), default=[2.0, 4.0, 6.0], metavar='SPEED',
                       help=f'true wind, m/s or `4,8 kn`: {LIST_HELP} (default: 2,4,6)')
    polar.add_argument('--angles', type=list_of(plain_number), default=list_of(plain_number)('0:355:72'), metavar='DEG',
                       help=f'from the bow to where the true wind comes from, counter-clockwise: {LIST_HELP} '
                            '(default: all around, every 5)')
    polar.add_argument('--trim', choices=TRIMS,
                       help="sails at half the apparent wind's angle, or where they drive ahead most "
                            "(default: the boat's own trim)")


def _add_common(parser: argparse.ArgumentParser, number: int) -> None:
    _add_shared(parser)
    arguments.add_sea(parser)
    parser.add_argument('--speeds', type=list_of(speed_of, number), metavar='SPEEDS',
                        help=f'speeds over ground, m/s or `0.5 to 4 kn`: {LIST_HELP} (default: {number} up to the '
                             'boat\'s top speed and the fastest current)')
    parser.set_defaults(speed_number=number)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    add_boat(parser, None, default='lutra_prop')
    arguments.add_wind_height(parser)
    arguments.add_outputs(parser, 'write it for xarray, FILE.nc (netCDF) or FILE.zarr', 'map.png')
    arguments.add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Make one of the maps."""
    check_target(args.plot)
    arguments.check_data(args.out)
    if args.out is not None:
        check_suffix(args.out)
    if args.map_verb == 'polar':
        return _polar(args)
    if args.speeds is not None and not (len(args.speeds) >= 3 and np.all(np.diff([0.0, *args.speeds]) > 0.0)):
        raise InputError(f'--speeds is {args.speeds}; must be at least 3 speeds above 0, rising')
    boat = arguments.in_sea(args, fitted_boat(args))
    study = _study(args, boat, args.speed_number if args.speeds is None else args.speeds)
    if args.out is not None:
        write_map(study, args.out, args.command_line)
    if args.plot is not None:
        plot_map(study, args.plot)
    show_result(map_text(study), map_figures(study), args.json)
    return 0


def _polar(args: argparse.Namespace) -> int:
    """Make a polar diagram."""
    boat = fitted_boat(args)
    share = wind_share(boat, args.wind_height)
    study = polar_study(boat, [share * speed for speed in args.wind_speed], args.angles, args.trim)
    if args.out is not None:
        write_polar(study, args.out, args.command_line)
    if args.plot is not None:
        plot_polar(study, args.plot)
    show_result(polar_text(study), polar_figures(study), args.json)
    return 0


def _study(args: argparse.Namespace, boat: Boat, speeds: list[float] | int) -> map_study.MapStudy:
    if args.map_verb in ('energy', 'best'):
        share = wind_share(boat, args.wind_height)
        conditions = _conditions(args, 'current'), _conditions(args, 'wind', share)
        say_flows(args)
        if args.map_verb == 'energy':
            return map_study.energy_study(boat, args.courses, *conditions, speeds, ProgressLine('courses'))
        return map_study.best_speed_study(boat, args.courses, *conditions, speeds)
    say_flows(args)
    wind = wind_at_boat(_field(args, 'wind', 'air'), boat, args.wind_height)
    water, air = on_one_clock((_field(args, 'current', 'water'), wind), args.time, '--time')
    times = departure_times(departure_window(args.time or '0', '--time'), (water, air), '--time')
    if len(times.seconds) > 1:
        raise InputError(f'--time is {args.time!r}; must be one time')
    check_covered(times, (water, air), '--time')
    current, wind = laid_together(water, air, None, 'the map')
    for remark in remarks_of(current, wind):
        say(f'usv-energy: {remark}')
    fields = CurrentAndWind(current, wind, times.seconds[0])
    start, progress = tuple(args.start), ProgressLine('motions')
    if args.map_verb == 'front':
        return map_study.front_study(boat, fields, start, tuple(args.goal), speeds, args.points, args.margin, progress)
    if args.extent is not None and not (args.extent[0] < args.extent[2] and args.extent[1] < args.extent[3]):
        raise InputError(f'--extent is {args.extent}; must be XMIN YMIN XMAX YMAX, rising')
    return map_study.reach_study(boat, fields, start, None, speeds, args.points, args.round_trip, args.extent, progress)


def _conditions(args: argparse.Namespace, name: str, share: float = 1.0) -> Conditions:
    """Return the flows of the map; `share`: ratio of the speeds at the boat to the given ones."""
    given, speeds, directions = (getattr(args, f'{name}{part}') for part in ('', '_speed', '_direction'))
    if given is not None:
        if speeds is not None or directions is not None:
            raise InputError(f'--{name} is one flow, --{name}-speed and --{name}-direction are many; must be one way')
        flow = uniform_of(given, f'--{name}', MEDIA[name])
        for remark in remarks_of(flow):
            say(f'usv-energy: {remark}')
        return [(share * flow.speed, flow.direction_deg)]
    speeds, directions = speeds or list_of(speed_of)(SPEEDS[name]), directions or list_of(plain_number)(DIRECTIONS)
    if min(speeds) < 0.0:
        raise InputError(f'--{name}-speed has {min(speeds):g}; must be at least 0')
    return map_study.conditions_of([share * speed for speed in speeds], directions)


def _field(args: argparse.Namespace, name: str, medium: str) -> UniformFlow | FlowFile:
    """Return the current or the wind: uniform, or from a flow file."""
    return flow_of(getattr(args, name), f'--{name}', medium, dated=True) or UniformFlow()


def _directions(text: str, medium: str) -> list[float]:
    """Return where flows go to, degrees counter-clockwise from east: numbers as such, or words of a compass."""
    if not re.search(r'[^\W\d]|(?:^|,)\s*0\d', text):
        return list_of(plain_number)(text)
    try:
        return [direction_of(part, 'it', medium) for part in text.split(',')]
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
