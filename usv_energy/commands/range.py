"""`usv-energy range`: how far and how long a battery lasts, against speed, in wind and current."""

import argparse
import math
import sys
from pathlib import Path

from ..files.errors import InputError
from .arguments import add_json, number, positive, within

COURSES = 36
BOATS = 120
SHOWN = 0.7  # Share of the top speed that is shown by course where no course has a best speed.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file of the boat (%(default)s)')
    for medium in ('current', 'wind'):
        parser.add_argument(f'--{medium}', metavar='SPEED,DIRECTION',
                            help='m/s, and where it flows to, degrees counter-clockwise from east (default: none)')
    parser.add_argument('--course', type=number, default=0.0, metavar='DEG',
                        help='over ground, degrees counter-clockwise from east (%(default)g)')
    parser.add_argument('--speed', type=positive, metavar='M_S',
                        help='a speed over ground, m/s, to show by course beside the best ones')
    parser.add_argument('--energy-wh', type=positive, metavar='WH', help="what there is to use (the battery's)")
    parser.add_argument('--state-of-charge', type=within(0.0, 1.0), metavar='SHARE',
                        help="now, 0 to 1 (the boat file's)")
    parser.add_argument('--reserve', type=within(0.0, 1.0), default=0.0, metavar='SHARE',
                        help='share of the battery that is to be left, 0 to 1 (%(default)g)')
    parser.add_argument('--std', action='append', default=[], metavar='PARAMETER=VALUE',
                        help='how well a number of the boat file is known: its standard deviation, in its unit or like '
                             '5%%; as damping.linear.d11=5%%; may be given again. Those in the boat file count anyway')
    parser.add_argument('--no-band', action='store_true', help='leave the uncertainty out')
    parser.add_argument('--out', type=Path, metavar='PNG', help='draw it')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print and draw the study; status 1 if the boat cannot make headway."""
    from ..files.json_file import check_target, write_json
    from ..show.text.range_text import study_json, study_text
    check_target(args.json)
    check_target(None if args.out is None else str(args.out))
    study = _study(args)
    print(study_text(study), file=sys.stderr if args.json == '-' else sys.stdout)
    if args.json:
        write_json(study_json(study), args.json)
    if args.out is not None:
        from ..show.pictures.range_picture import plot_range
        plot_range(study, args.out)
        print(args.out, file=sys.stderr)
    return 0 if math.isfinite(study.best.speed) else 1


def _study(args: argparse.Namespace):
    """Return the RangeStudy that the arguments ask for."""
    import numpy as np

    from ..boats.boat_file import read_boat
    from ..flow.flow_argument import steady_flow, uniform_of
    from ..planning.range_bands import Drain
    from ..planning.steady_range import Way, best_speed, curve, fastest, polar, speeds_of
    from ..planning.uncertain_boat import read_doubts
    from ..show.text.range_text import RangeStudy
    boat = read_boat(args.boat)
    given = dict(_deviation(text) for text in args.std)
    document, doubts = read_doubts(boat, given)
    flow = steady_flow(uniform_of(args.current, '--current'), uniform_of(args.wind, '--wind'))
    way = Way(math.radians(args.course), flow)
    drain = Drain(args.state_of_charge, args.reserve, None if args.energy_wh is None else 3600.0 * args.energy_wh)
    with_energy = boat.battery is not None or args.energy_wh is not None
    _check_battery(args, with_energy, boat.path)
    energy = drain.energy_of(boat)
    if energy <= 0.0:
        raise InputError(f'no energy is left to use: --reserve is {args.reserve:g} of the battery')
    top = fastest(boat.vessel, way)
    speeds = speeds_of(boat.vessel, way)
    courses = np.radians(np.arange(COURSES) * 360.0 / COURSES)
    best_polar = polar(boat.vessel, flow, courses)
    shown = args.speed
    if shown is None and not np.isfinite(best_polar.speed).any() and speeds.size:
        shown = round(SHOWN * top, 1)
    doubts = [] if args.no_band else doubts
    bands = _bands(boat, document, doubts, way, speeds, drain) if doubts and speeds.size else None
    return RangeStudy(boat, energy, with_energy, way.course, flow, curve(boat.vessel, energy, way, speeds),
                      best_speed(boat.vessel, energy, way, top), best_polar,
                      polar(boat.vessel, flow, courses, shown) if shown else None, doubts, bands)


def _check_battery(args: argparse.Namespace, with_energy: bool, path: Path) -> None:
    if args.energy_wh is not None and (args.state_of_charge is not None or args.reserve):
        raise InputError('--energy-wh is what there is to use; --state-of-charge and --reserve go with the battery of '
                         'the boat file')
    if not with_energy and (args.state_of_charge is not None or args.reserve):
        raise InputError(f'{path}: has no battery; --energy-wh says how much energy there is')


def _deviation(text: str) -> tuple[str, str]:
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise InputError(f'--std is {text!r}; must be PARAMETER=VALUE, as damping.linear.d11=5%')
    return name, value


def _bands(boat, document, doubts, way, speeds, drain):
    """Return the bands of BOATS drawn boats, with the progress on a terminal."""
    from ..planning.range_bands import bands_of
    from ..planning.uncertain_boat import drawn_boats
    shown = sys.stderr.isatty()

    def say(done: int) -> None:
        if shown:
            print(f'\rdrawn boats: {done} of {BOATS} ', end='' if done < BOATS else '\n', file=sys.stderr, flush=True)

    return bands_of(list(drawn_boats(boat, document, doubts, BOATS)), way, speeds, drain, say)
