"""`usv-energy route`: the way, the speeds and the departure of least energy, in changing current and wind."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import (
    add_json,
    add_sea,
    add_wind_height,
    ambient_kelvin,
    check_replaces_mission,
    file_path,
    in_sea,
    wind_as_asked,
)
from usv_energy.cli.boat_options import add_boat, add_flow, fitted_boat
from usv_energy.cli.mission import PAGES, PICTURE, add_departure, add_place
from usv_energy.cli.quantities import any_length, length, length_from_zero, number, speed, speed_from_zero, whole_number
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.show.terminal import ProgressLine, list_files, say, show_result

if TYPE_CHECKING:
    from usv_energy.studies.route.plan_route import RouteRequest
    from usv_energy.studies.route.route_study import RouteStudy

FREE, ROUTE_PAGE, SCENARIOS = 'free', 'route.html', ('.yaml', '.yml')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--from', dest='start', nargs=2, type=number, required=True, metavar=('X', 'Y'),
                        help='east and north, m, in the world of the flow; LATITUDE LONGITUDE with --degrees')
    parser.add_argument('--to', dest='goals', nargs=2, type=number, action='append', required=True, metavar=('X', 'Y'),
                        help='the same of the goal; several, each with its --to, are gone one after the other')
    parser.add_argument('--any-order', action='store_true', help='the order of several goals is free: the cheapest')
    parser.add_argument('--degrees', action='store_true', help='places are LATITUDE LONGITUDE, degrees')
    add_place(parser, '--origin', "where the world's metres count from, of a flow that does not say it")
    add_boat(parser, 0.2, required=True)
    add_flow(parser, 'current', ' (default: none); several, each with its --current, are forecasts, of which the route '
                                'of least expected energy is found', action='append', default=[])
    add_flow(parser, 'wind')
    add_wind_height(parser)
    add_sea(parser)
    _add_times(parser)
    _add_barriers(parser)
    parser.add_argument('--simulate', action='store_true', help='also run it in the simulator, and say how far off the '
                                                                'promise is')
    parser.add_argument('--out', type=file_path, nargs='+', action='extend', default=[], metavar='FILE',
                        help='a page that opens offline, FILE.html, or a folder for it; its map, FILE.png; and the '
                             'legs as a mission: .plan, .waypoints, .gpx, .geojson or .yaml, a scenario')
    add_json(parser)


def _add_times(parser: argparse.ArgumentParser) -> None:
    add_departure(parser)
    parser.add_argument('--workers', type=whole_number(1), metavar='N',
                        help='processes that share many departures (one a core)')
    parser.add_argument('--dask', metavar='WHERE', help='look at many departures on a Dask cluster: tcp://HOST:PORT of '
                                                        'its scheduler, or local:N for N workers on this machine')
    parser.add_argument('--arrive-by', metavar='WHEN', help="be there by then: s of the flow's time, 6h, or a moment")
    parser.add_argument('--least', choices=('energy', 'time'), default='energy', help='what is to be least (energy)')
    parser.add_argument('--speed', type=_speed, metavar='SPEED',
                        help='through the water, 1.2 (m/s) or `2.4 kn`; `free` to have it chosen (free)')
    parser.add_argument('--lowest-speed', type=speed_from_zero, default=0.0, metavar='SPEED',
                        help='through the water that may be chosen, m/s or with its unit (%(default)g)')
    parser.add_argument('--front', type=whole_number(3), nargs='?', const=9, default=0, metavar='N',
                        help='also the front between least time and least energy: the cheapest route of each of N '
                             'arrival times, both ends included (9)')
    parser.add_argument('--may-wait', action='store_true', help='the boat may lie at anchor, at the power of its loads')
    parser.add_argument('--may-drift', action='store_true', help='the boat may go with the water at that power')


def _add_barriers(parser: argparse.ArgumentParser) -> None:
    for name, purpose in (('land', 'land and closed areas: GeoJSON, shapefile or GeoPackage'),
                          ('depth', 'a raster of depth, m, positive below water: GeoTIFF, ESRI ASCII or netCDF'),
                          ('bed', "a raster of the bed's height, m, positive upwards")):
        parser.add_argument(f'--{name}', nargs='+', type=file_path, default=[], metavar='FILE', help=purpose)
    parser.add_argument('--draught', type=length, metavar='M', help='depth that the boat needs, m, with --depth, '
                                                                      '--bed')
    parser.add_argument('--water-level', type=any_length, default=0.0, metavar='M',
                        help='of the water above the height that --depth and --bed count from, m (%(default)g)')
    parser.add_argument('--clearance', type=length_from_zero, metavar='M',
                        help='distance to be kept from all that, and from where the flow has no water or ends, m (half '
                             "the boat's length, with a rudder 1.5 lengths; less where start or goal lie nearer)")
    parser.add_argument('--land-metres', action='store_true', help="these files are in the world's metres")
    parser.add_argument('--extent', nargs=4, type=any_length, metavar=('XMIN', 'YMIN', 'XMAX', 'YMAX'),
                        help='go no further, m')


def _speed(text: str) -> float | None:
    return None if text == FREE else speed(text)


def execute(args: argparse.Namespace) -> int:
    """Print and draw the study; return status 3 if the battery is not enough, 130 if the user interrupted it."""
    from usv_energy.studies.mission.mission_battery import NO_GO
    from usv_energy.studies.route.plan_route import plan_route
    from usv_energy.studies.route.route_text import route_figures, route_text
    targets = [_target(path) for path in args.out]
    progress, simulated = ProgressLine('routes'), ProgressLine('simulated seconds')
    request = _request(args)
    for target in targets:
        if request.frame is None and target.suffix.lower() not in (*PAGES, PICTURE, *SCENARIOS):
            raise InputError(f'--out {target}: is in degrees, and nobody says where on the Earth the world\'s metres '
                             'lie; give --origin LATITUDE LONGITUDE, or write a .yaml, a scenario')
    study = plan_route(request, progress, simulated)
    progress.end()
    simulated.end()
    show_result(route_text(study), route_figures(study), args.json)
    said = [text for target in targets for text in _write(study, target, args.boat)]
    for text in said:       # All files are written before a word more is printed: a pipe may have closed.
        say(f'usv-energy: {text}')
    list_files(*targets)
    if study.broken_off:
        return 130
    return 3 if study.verdict == NO_GO else 0


def _request(args: argparse.Namespace) -> 'RouteRequest':
    """Return the request; raises InputError if options contradict each other."""
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.studies.route.barriers.read_barriers import BarrierFiles
    from usv_energy.studies.route.route_order import RouteTerms, route_request
    boat = fitted_boat(args)
    if args.wave_estimate is not None:
        raise InputError('--wave-estimate does not go with a route: stawave-1 counts waves from beyond 45 degrees off '
                         "the bow as nothing, so that a way would tack for nothing; give the boat's file waves")
    boat = in_sea(args, boat, uniform=True)
    currents = [(text, flow_of(text, '--current', 'water', dated=True) or UniformFlow())
                for text in args.current or ['0,0']]
    wind = wind_as_asked(args, boat, flow_of(args.wind, '--wind', 'air', dated=True) or UniformFlow())
    files = BarrierFiles(args.land, args.depth, args.bed, args.draught, args.water_level, args.clearance,
                         args.land_metres)
    terms = RouteTerms(args.depart, args.arrive_by, args.least, args.speed, args.lowest_speed, args.may_wait,
                       args.may_drift, None if args.extent is None else tuple(args.extent), files, args.any_order,
                       args.reserve, ambient_kelvin(args.ambient, boat), args.simulate, args.workers, args.dask,
                       args.front, None if args.origin is None else tuple(args.origin), args.degrees)
    return route_request(boat, currents, wind, [tuple(place) for place in (args.start, *args.goals)], terms,
                         lambda text: say(f'usv-energy: {text}'))


def _target(path: Path) -> Path:
    """Return a file of `--out`; for a folder, the page in it. InputError if it cannot be written."""
    from usv_energy.missions.mission_file import ENDINGS
    if path.suffix.lower() in (*PAGES, PICTURE, *ENDINGS):
        if path.suffix.lower() in ENDINGS:
            check_replaces_mission(path)
        check_target(path)
        return path
    if path.suffix and not path.is_dir():
        raise InputError(f'--out {path}: must end in .html, a page, {PICTURE}, a picture, or in '
                         f'{", ".join(ENDINGS)}, a mission; or be a folder')
    check_target(path / ROUTE_PAGE if path.is_dir() else path)
    return path / ROUTE_PAGE


def _write(study: 'RouteStudy', path: Path, boat: str) -> list[str]:
    """Write a page, a picture or a plan; return what the plan's format leaves out."""
    if path.suffix.lower() in PAGES:
        from usv_energy.studies.route.route_page import write_route_page
        path.parent.mkdir(exist_ok=True)
        write_route_page(study, path)
    elif path.suffix.lower() == PICTURE:
        from usv_energy.studies.route.route_page import plot_route
        plot_route(study, path)
    else:
        from usv_energy.missions.mission_file import write_mission
        return write_mission(study.as_mission(path.suffix.lower() in SCENARIOS), path, boat)
    return []
