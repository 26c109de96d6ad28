"""`usv-energy mission make`: patterns over an area, as a mission file."""

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import add_json, check_replaces_mission, file_path, number, positive
from usv_energy.files.errors import InputError

if TYPE_CHECKING:
    from usv_energy.earth import Place
from usv_energy.missions.mission import LocalPlace

Area = tuple[tuple['LocalPlace', ...], 'Place | None']
PURPOSES = {'lawnmower': 'lanes to and fro over an area', 'box': 'around an area, and with --spacing on inwards',
            'circle': 'around a circle, and with --spacing on inwards',
            'sector': 'a sector search: rays through a middle, with ways across at their ends'}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the patterns and their arguments."""
    from usv_energy.cli.mission import add_boat, add_place
    patterns = parser.add_subparsers(dest='pattern', metavar='PATTERN', title='patterns', required=True)
    for name, purpose in PURPOSES.items():
        child = patterns.add_parser(name, help=purpose, allow_abbrev=False,
                                    description=f'{purpose[0].upper()}{purpose[1:]}.')
        if name in ('lawnmower', 'box'):
            child.add_argument('--area', metavar='FILE', help='a file with the area: the ring or line in it, or its '
                                                              'waypoints, are its corners')
            child.add_argument('--part', metavar='NAME', help='which line of a file that holds several')
            child.add_argument('--size', nargs=2, type=positive, metavar=('LENGTH', 'WIDTH'),
                               help='or a rectangle of this size, m, its length along --angle')
        else:
            child.add_argument('--radius', type=positive, required=True, metavar='M', help='m')
        if name != 'circle':
            fewest = ' (default: that of the fewest lanes)' if name == 'lawnmower' else ' (default: east)'
            child.add_argument('--angle', type=number, metavar='DEG',
                               help=f'direction of the {_angle_reference(name)}, degrees counter-clockwise from '
                                    f'east{fewest}')
        child.add_argument('--spacing', type=positive, required=name == 'lawnmower', metavar='M',
                           help='distance of lanes, m; they lie as close as that, or closer' if name == 'lawnmower'
                           else 'distance of one round to the next, or of the rays at their ends, m')
        if name == 'lawnmower':
            child.add_argument('--best', action='store_true', help='the direction, and without --speed the speed, of '
                                                                   "the boat's least energy; needs --boat")
            for medium in ('current', 'wind'):
                child.add_argument(f'--{medium}', metavar='FLOW', help='SPEED,DIRECTION (m/s, and degrees that it '
                                   "flows to), or a flow file in the area's metres; of --best")
            add_json(child)
        add_place(child, '--at', 'the middle; without it the mission is in local metres about 0, 0')
        add_place(child, '--home', 'where the boat starts (default: the first place)')
        child.add_argument('--speed', type=positive, metavar='M_S', help='over ground, m/s')
        child.add_argument('--accept', type=positive, metavar='M', help='within which a place counts as reached, m')
        child.add_argument('--out', type=file_path, required=True, metavar='FILE',
                           help='.plan, .waypoints, .gpx, .geojson or .yaml')
        add_boat(child)


def _angle_reference(name: str) -> str:
    return {'lawnmower': 'lanes', 'box': 'length of the rectangle', 'sector': 'first ray'}[name]


def execute(args: argparse.Namespace) -> int:
    """Make the pattern, print its length, and write it."""
    from usv_energy.cli.mission import place_of_option, write_mission_file
    from usv_energy.missions.itinerary import itinerary_of, local_track
    from usv_energy.missions.patterns import pattern_mission
    from usv_energy.show.terminal import say
    from usv_energy.show.text_table import metres
    check_replaces_mission(args.out)
    (places, origin), note = _pattern(args)
    home = None if args.home is None else place_of_option(args.home, '--home')
    mission = pattern_mission(args.pattern, places, origin, args.speed, home, args.accept)
    length = float(local_track(itinerary_of(mission)).length.sum())
    say(f'usv-energy: {note}{len(places)} places, {metres(length)}')
    write_mission_file(mission, args)
    return 0


def _pattern(args: argparse.Namespace) -> tuple[Area, str]:
    """Return the places of a pattern, their origin, and a note about it."""
    from usv_energy.missions import patterns
    if args.pattern == 'circle':
        return (patterns.circles(args.radius, args.spacing), _middle(args)), ''
    angle = None if args.angle is None else math.radians(args.angle)
    if args.pattern == 'sector':
        return (patterns.sectors(args.radius, args.spacing, angle or 0.0), _middle(args)), ''
    if args.pattern == 'box' and args.spacing is not None:
        if args.size is None:
            raise InputError('--spacing of a box goes inwards from a rectangle: give --size')
        length, width = args.size
        return (patterns.boxes_inward(length, width, args.spacing, angle or 0.0), _middle(args)), ''
    area, origin = _area(args, angle or 0.0)
    if args.pattern == 'box':
        return (patterns.box(area), origin), ''
    start, best = _start(args, origin), ''
    if args.best:
        angle, best = _best_angle(args, area, start, origin)
    elif args.current or args.wind or args.json:
        raise InputError('--current, --wind and --json go with --best')
    if angle is None:
        angle = patterns.angle_of_fewest_lanes(area)
    lanes = patterns.lawnmower(area, args.spacing, angle, start)
    outside = f', {lanes.transits} ways between parts of the area' if lanes.transits else ''
    note = f'{lanes.lanes} lanes {lanes.spacing:.2f} m apart at {math.degrees(angle):.1f} deg{outside}; {best}'
    return (lanes.places, origin), note


def _best_angle(args: argparse.Namespace, area: Sequence['LocalPlace'], start: 'LocalPlace | None',
                origin: 'Place | None') -> tuple[float, str]:
    """Return the direction of least energy, rad, and a text about its saving; sets `args.speed` to its speed."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.earth import LocalPlane
    from usv_energy.files.text_file import write_json
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.on_earth import laid_together, remarks_of
    from usv_energy.show.terminal import ProgressLine, say
    from usv_energy.studies.mission.lane_direction import lane_choice, lane_figures, lane_text
    if args.angle is not None:
        raise InputError('--angle is a direction, and --best looks for one; must be one of the two')
    current, wind = laid_together(
        flow_of(args.current, '--current', 'water') or UniformFlow(), flow_of(args.wind, '--wind', 'air')
        or UniformFlow(), None if origin is None else LocalPlane(origin), 'the area')
    for remark in remarks_of(current, wind):
        say(f'usv-energy: {remark}')
    choice = lane_choice(area, args.spacing, read_boat(args.boat), current, wind, args.speed, start,
                         ProgressLine('directions'))
    args.speed = choice.speed
    if args.json is not None:
        write_json(lane_figures(choice), args.json)
    return choice.best, lane_text(choice)


def _start(args: argparse.Namespace, origin: 'Place | None') -> 'LocalPlace | None':
    """Return the boat's start in the metres of the area; None if `--home` or the place of the area is unknown."""
    from usv_energy.cli.mission import place_of_option
    from usv_energy.missions.mission import local_place
    if args.home is None or origin is None:
        return None
    return local_place(place_of_option(args.home, '--home'), origin)


def _middle(args: argparse.Namespace) -> 'Place | None':
    from usv_energy.cli.mission import place_of_option
    return None if args.at is None else place_of_option(args.at, '--at')


def _area(args: argparse.Namespace, angle: float) -> Area:
    from usv_energy.missions import patterns
    from usv_energy.missions.patterns import area_of
    if (args.area is None) == (args.size is None):
        raise InputError('an area is given by --area FILE, or by --size LENGTH WIDTH; must be one of the two')
    if args.area is None:
        length, width = args.size
        return patterns.rectangle(length, width, angle), _middle(args)
    if args.at is not None:
        raise InputError('--at goes with --size; a file of --area says where it lies')
    return area_of(args.area, args.part)
