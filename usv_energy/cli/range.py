"""`usv-energy range`: range and endurance against speed, in wind and current."""

import argparse
import math

from usv_energy.cli.arguments import (
    add_json,
    add_sea,
    add_wind_height,
    ambient_kelvin,
    in_sea,
    picture_path,
    wind_as_asked,
)
from usv_energy.cli.boat_options import add_boat, add_flow, fitted_boat
from usv_energy.cli.quantities import course, speed
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.show.terminal import ProgressLine, list_files, say, show_result
from usv_energy.sim.record import GOAL_MISSED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_boat(parser, 0.0, default='lutra_prop')
    for medium in ('current', 'wind'):
        add_flow(parser, medium, ', the same everywhere (default: none)')
    add_wind_height(parser)
    add_sea(parser)
    parser.add_argument('--course', type=course, default=0.0, metavar='COURSE',
                        help='over ground: degrees of the compass, or NE (default: east)')
    parser.add_argument('--speed', type=speed, metavar='SPEED',
                        help='over ground, 1.2 (m/s) or `2.4 kn`: what it costs along the course, and by course beside '
                             'the best ones')
    parser.add_argument('--std', action='append', default=[], metavar='PARAMETER=VALUE',
                        help='how well a number of the boat file is known: its standard deviation, in its unit or like '
                             '5%%; as damping.linear.d11=5%%; may be given again. Those in the boat file count anyway')
    parser.add_argument('--no-band', action='store_true', help='leave the uncertainty out')
    parser.add_argument('--out', type=picture_path, metavar='PNG', help='draw it')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print and draw the study; return status 3 if the boat cannot make headway."""
    from usv_energy.api.plans import RangeResult
    from usv_energy.flow.flow_argument import steady_flow, uniform_of
    from usv_energy.flow.on_earth import remarks_of
    from usv_energy.studies.plan.steady_range import BatteryUse
    from usv_energy.studies.range.range_study import range_study
    check_target(args.out)
    boat = in_sea(args, fitted_boat(args))
    wind = wind_as_asked(args, boat, uniform_of(args.wind, '--wind', 'air'))
    for remark in remarks_of(wind):
        say(f'usv-energy: {remark}')
    flow = steady_flow(uniform_of(args.current, '--current', 'water'), wind)
    use = BatteryUse(None, args.reserve, None, ambient_kelvin(args.ambient, boat))
    study = RangeResult(*range_study(boat, args.course, flow, use, args.speed, dict(
        _deviation(text) for text in args.std), not args.no_band, ProgressLine('drawn boats')))
    show_result(study.text(), study.figures(), args.json)
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
