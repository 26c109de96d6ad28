"""`usv-energy range`: range and endurance against speed, in wind and current."""

import argparse
import math

from usv_energy.cli.arguments import (
    add_ambient,
    add_json,
    add_payload,
    add_sea,
    add_wind_height,
    ambient_kelvin,
    in_sea,
    number,
    picture_path,
    positive,
    warn_of_payload,
    warn_of_wind_height,
    within,
)
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.show.terminal import ProgressLine, list_files, show_result
from usv_energy.sim.record import GOAL_MISSED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file of the boat (%(default)s)')
    add_payload(parser, steady=True)
    for medium in ('current', 'wind'):
        parser.add_argument(f'--{medium}', metavar='SPEED,DIRECTION',
                            help='m/s, and where it flows to, degrees counter-clockwise from east (default: none)')
    add_wind_height(parser)
    add_sea(parser)
    parser.add_argument('--course', type=number, default=0.0, metavar='DEG',
                        help='over ground, degrees counter-clockwise from east (%(default)g)')
    parser.add_argument('--speed', type=positive, metavar='M_S',
                        help='a speed over ground, m/s: what it costs along the course, and by course beside the best '
                             'ones')
    parser.add_argument('--energy-wh', type=positive, metavar='WH', help="what there is to use (the battery's)")
    parser.add_argument('--state-of-charge', type=within(0.0, 1.0), metavar='SHARE',
                        help="now, 0 to 1 (the boat file's)")
    parser.add_argument('--reserve', type=within(0.0, 1.0), default=0.0, metavar='SHARE',
                        help='share of the battery that is to be left, 0 to 1 (%(default)g)')
    add_ambient(parser)
    parser.add_argument('--std', action='append', default=[], metavar='PARAMETER=VALUE',
                        help='how well a number of the boat file is known: its standard deviation, in its unit or like '
                             '5%%; as damping.linear.d11=5%%; may be given again. Those in the boat file count anyway')
    parser.add_argument('--no-band', action='store_true', help='leave the uncertainty out')
    parser.add_argument('--out', type=picture_path, metavar='PNG', help='draw it')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print and draw the study; return status 3 if the boat cannot make headway."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.flow.flow_argument import steady_flow, uniform_of
    from usv_energy.flow.wind_height import wind_at_boat
    from usv_energy.studies.plan.steady_range import BatteryUse
    from usv_energy.studies.range.range_study import range_study
    from usv_energy.studies.range.range_text import range_figures, range_text
    check_target(args.out)
    if args.energy_wh is not None and (args.state_of_charge is not None or args.reserve
                                       or args.ambient is not None):
        raise InputError('--energy-wh is what there is to use; --state-of-charge, --reserve and --ambient go with the '
                         'battery of the boat file')
    boat = read_boat(args.boat, payload=args.payload)
    warn_of_payload(args.payload)
    boat = in_sea(args, boat)
    if boat.battery is None and (args.state_of_charge is not None or args.reserve):
        raise InputError(f'{boat.path}: has no battery; --energy-wh says how much energy there is')
    warn_of_wind_height(args)
    wind = wind_at_boat(uniform_of(args.wind, '--wind'), boat, args.wind_height)
    flow = steady_flow(uniform_of(args.current, '--current'), wind)
    use = BatteryUse(args.state_of_charge, args.reserve, args.energy_wh and args.energy_wh * JOULES_PER_WH,
                     ambient_kelvin(args.ambient, boat))
    study = range_study(boat, math.radians(args.course), flow, use, args.speed,
                        dict(_deviation(text) for text in args.std), not args.no_band, ProgressLine('drawn boats'))
    show_result(range_text(study), range_figures(study), args.json)
    if args.out is not None:
        from usv_energy.studies.range.range_picture import plot_range
        plot_range(study, args.out)
        list_files(args.out)
    return 0 if math.isfinite(study.best.speed) else GOAL_MISSED


def _deviation(text: str) -> tuple[str, str]:
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise InputError(f'--std is {text!r}; must be PARAMETER=VALUE, as damping.linear.d11=5%')
    return name, value
