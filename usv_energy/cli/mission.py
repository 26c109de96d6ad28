"""`usv-energy mission`: show, convert and make missions of ground stations and maps, and estimate their energy."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usv_energy.cli.arguments import (
    add_json,
    add_sea,
    add_verb,
    add_wind_height,
    ambient_kelvin,
    check_replaces_mission,
    file_path,
    in_sea,
    wind_as_asked,
)
from usv_energy.cli.boat_options import add_boat, add_flow, fitted_boat, say_flows
from usv_energy.cli.quantities import course, length, speed, speed_from_zero, whole_number, within
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.phrases import compass_words
from usv_energy.show.terminal import ProgressLine, list_files, say, show_result

if TYPE_CHECKING:
    from usv_energy.earth import Place
    from usv_energy.missions.mission import LocalPlace, Mission
    from usv_energy.missions.patterns import Area
    from usv_energy.studies.mission.mission_scenario import MissionScenario
    from usv_energy.studies.mission.mission_study import MissionStudy

FILE_HELP = 'a plan of QGroundControl, .waypoints of ArduPilot, GPX, KML, KMZ, GeoJSON, or a scenario'
# The verb of `usv-energy mission FILE`, and the one with --boat.
WITHOUT_VERB, WITH_BOAT = 'show', 'estimate'
MISSION_VERBS = WITHOUT_VERB, 'convert', 'make', WITH_BOAT
PAGE, PAGES, PICTURE = 'mission.html', ('.html', '.htm'), '.png'
Places = tuple[tuple['LocalPlace', ...], 'Place | None']
PURPOSES = {'lawnmower': 'lanes to and fro over an area', 'box': 'around an area, and with --spacing on inwards',
            'circle': 'around a circle, and with --spacing on inwards',
            'sector': 'a sector search: rays through a middle, with ways across at their ends'}


class VerbOrFile(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Reads `mission FILE ...` as `mission show FILE ...`, or with `--boat` as `mission estimate FILE ...`."""

    def __init__(self, **given: Any) -> None:
        """Make it, without argparse's check that the first word is a verb."""
        super().__init__(**given)
        self.choices = None  # type: ignore[assignment]  # argparse then accepts any word

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: str | Sequence[Any] | None, option_string: str | None = None) -> None:
        """Parse the verb's arguments."""
        words = list(values or ())
        if words[0] not in self._name_parser_map:
            with_boat = any(str(word).partition('=')[0] in ('--boat', '-h', '--help') for word in words)
            if not with_boat:
                self._refuse_what_needs_a_boat(parser, words)
            words.insert(0, WITH_BOAT if with_boat else WITHOUT_VERB)
        super().__call__(parser, namespace, words, option_string)

    def _refuse_what_needs_a_boat(self, parser: argparse.ArgumentParser, words: Sequence[Any]) -> None:
        without, with_boat = (self._name_parser_map[verb]._option_string_actions for verb in (WITHOUT_VERB, WITH_BOAT))
        for option in (str(word).partition('=')[0] for word in words):
            if option in with_boat and option not in without:
                parser.error(f'{option} goes with --boat, which says whose mission it is')


def with_command(words: Sequence[str]) -> list[str]:
    """Return the words behind `mission` with the command first, where options stand before it or before a file."""
    if not words or not words[0].startswith('-') or words[0] in ('-h', '--help'):
        return list(words)
    command = next((word for word in words if word in MISSION_VERBS), None)
    if command is None:
        return [WITH_BOAT, *words]
    place = list(words).index(command)
    return [command, *words[:place], *words[place + 1:]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='mission_verb', metavar='COMMAND|FILE', title='commands', required=True,
                                  action=VerbOrFile)

    show = add_verb(verbs, 'show', "a mission's ways, stays and speeds, and what of it changes nothing; so does "
                                   '`mission FILE`')
    convert = add_verb(verbs, 'convert', 'write a mission in another format: .plan, .waypoints, .gpx, .geojson or '
                                         '.yaml')
    for child in (show, convert):
        _add_mission(child)
    convert.add_argument('out', type=file_path, metavar='OUT', help='the file to write; its ending says the format')
    add_place(convert, '--origin', 'where local metres count from, of a scenario that does not say it')
    _add_boat(convert)
    add_json(show)
    _add_make(add_verb(verbs, 'make', 'make a mission that covers or surrounds an area'))
    _add_estimate(add_verb(verbs, 'estimate', 'what a mission costs a boat, leg by leg, and whether its battery makes '
                                              'it; so does `mission FILE --boat BOAT`'))


def _add_mission(parser: argparse.ArgumentParser) -> None:
    """Add the file of a mission, and the choice of its part and rounds; `_mission_of` reads them."""
    parser.add_argument('file', metavar='FILE', help=FILE_HELP)
    parser.add_argument('--part', metavar='NAME', help='which line of a map that holds several: its name, its number '
                                                       'from 1 on, or `all` for one after the other')
    parser.add_argument('--rounds', type=whole_number(1), metavar='N',
                        help='how often a stretch is done that a jump without end goes back over')


def _mission_of(args: argparse.Namespace) -> 'Mission':
    """Return the mission of the arguments of `_add_mission`."""
    from usv_energy.missions.mission_file import read_mission
    mission = read_mission(args.file, args.part)
    return mission if args.rounds is None else mission.with_rounds(args.rounds)


def add_place(parser: argparse.ArgumentParser, option: str, purpose: str) -> None:
    """Add an option with latitude and longitude in degrees."""
    parser.add_argument(option, nargs=2, type=within(-180.0, 180.0, 'degrees'), metavar=('LATITUDE', 'LONGITUDE'),
                        help=f'{purpose}; degrees')


def _add_boat(parser: argparse.ArgumentParser) -> None:
    """Add `--boat`, for written scenarios."""
    parser.add_argument('--boat', default='lutra_prop', help='boat of a scenario that is written (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Run one of the verbs."""
    return {'show': _show, 'convert': _convert, 'estimate': _estimate, 'make': _make}[args.mission_verb](args)


def _show(args: argparse.Namespace) -> int:
    from usv_energy.missions.itinerary import itinerary_of, local_track
    from usv_energy.studies.mission.mission_text import mission_figures, mission_text
    mission = _mission_of(args)
    itinerary = itinerary_of(mission)
    track = local_track(itinerary)
    show_result(mission_text(itinerary, track), mission_figures(mission, itinerary, track), args.json)
    return 0


def _convert(args: argparse.Namespace) -> int:
    check_replaces_mission(args.out)
    mission = _mission_of(args)
    if args.origin is not None:
        mission = replace(mission, origin=place_of_option(args.origin, '--origin'))
    _write_mission(mission, args)
    return 0


def _write_mission(mission: 'Mission', args: argparse.Namespace) -> None:
    """Write a mission to `args.out`, and print on stderr what the format leaves out."""
    from usv_energy.missions.mission_file import write_mission
    for text in write_mission(mission, args.out, args.boat):
        say(f'usv-energy: {text}')
    list_files(args.out)


def place_of_option(values: Sequence[float], option: str) -> Any:
    """Return the place of an option; raises as `checked_place`."""
    from usv_energy.missions.mission import checked_place
    latitude, longitude = values
    return checked_place(latitude, longitude, option)


def _add_estimate(parser: argparse.ArgumentParser) -> None:
    _add_mission(parser)
    add_boat(parser, 0.2, required=True)
    for medium in ('current', 'wind'):
        add_flow(parser, medium, ", in the mission's metres if it says no place (default: none)")
        parser.add_argument(f'--{medium}-std', type=speed_from_zero, default=0.0, metavar='SPEED',
                            help=f'how well the {medium} is known: standard deviation each way, m/s (%(default)g)')
    add_wind_height(parser)
    add_sea(parser)
    parser.add_argument('--speed', type=speed, metavar='SPEED', help='over ground, 1.2 (m/s) or `2.4 kn`, where the '
                                                                     "mission says none (default: the plan's, else the "
                                                                     'cheapest)')
    parser.add_argument('--all-legs-at', type=speed, metavar='SPEED',
                        help="the same on all legs, against the plan's own speeds")
    add_departure(parser)
    parser.add_argument('--land', nargs='+', type=file_path, default=[], metavar='FILE',
                        help='coast, islands, closed areas (GeoJSON, shapefile or GeoPackage): drawn on the map, and '
                             'legs that touch them are named')
    parser.add_argument('--any-order', action='store_true',
                        help='the order of the waypoints is free: take the cheapest; going home stays last')
    parser.add_argument('--simulate', action='store_true', help='also run it in the simulator, and say how far off the '
                                                                'estimate is')
    parser.add_argument('--out', type=file_path, nargs='+', action='extend', default=[], metavar='FILE',
                        help='a page that opens offline, FILE.html, or a folder for it; and a picture, FILE.png')
    parser.add_argument('--write-fitting', type=file_path, metavar='FILE',
                        help='write the beginning of it that leaves the reserve, the way home counted: .plan, '
                             '.waypoints, .gpx, .geojson or .yaml')
    add_json(parser)


def add_departure(parser: argparse.ArgumentParser) -> None:
    """Add `--depart`, which `departures_of` reads."""
    parser.add_argument('--depart', metavar='WHEN',
                        help="when it begins: s of the flow's time, 6h, or a moment, 2026-06-01T09:00+02:00; FROM,TO "
                             'or FROM,TO,STEP tries many, and takes the one of least energy (STEP: 1800, 30min, 1h, or '
                             'a 24th of the window); by default 0, but of files of data it must be said')


def _estimate(args: argparse.Namespace) -> int:
    """Print and draw the study; return status 3 if the mission is no go, 130 if the user interrupted it."""
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.studies.mission.mission_bands import FlowDoubt
    from usv_energy.studies.mission.mission_battery import NO_GO
    from usv_energy.studies.mission.mission_study import MissionProgress, MissionTerms, asked_mission
    from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
    targets = [page_or_picture(out) for out in args.out]
    if args.write_fitting is not None:
        check_replaces_mission(args.write_fitting)
    boat = in_sea(args, fitted_boat(args))
    terms = MissionTerms(args.speed, args.all_legs_at, args.depart, args.any_order, args.reserve,
                         FlowDoubt(args.current_std, args.wind_std), ambient_kelvin(args.ambient, boat), args.simulate)
    mission = _mission_of(args)
    current = flow_of(args.current, '--current', 'water', dated=True) or UniformFlow()
    wind = wind_as_asked(args, boat, flow_of(args.wind, '--wind', 'air', dated=True) or UniformFlow())
    lines = ProgressLine('departures'), ProgressLine('drawn boats, for intervals'), ProgressLine('simulated seconds')
    study = asked_mission(mission, boat, current, wind, terms, MissionProgress(*lines),
                          lambda text: say(f'usv-energy: {text}'))
    for line in lines:
        line.end()
    if args.land:
        study = study._replace(land=_land(args, study.mission))
    show_result(mission_study_text(study), mission_study_figures(study), args.json)
    for target in targets:
        _write_study(study, target)
    if args.write_fitting is not None:
        from usv_energy.studies.mission.mission_study import fitting_mission
        args.out = args.write_fitting
        _write_mission(fitting_mission(mission, study), args)
    list_files(*targets)    # All are written before a word more is printed: a pipe may have closed.
    if study.broken_off or (study.departures is not None and study.departures.broken_off):
        return 130
    return 3 if study.verdict == NO_GO else 0


def _land(args: argparse.Namespace, placed: 'MissionScenario') -> tuple[Any, ...]:
    """Return what the files of `--land` have around a mission, in its metres."""
    import numpy as np

    from usv_energy.earth import LocalPlane
    from usv_energy.missions.land_file import read_land
    x, y = np.array([placed.scenario.start[:2], *placed.scenario.waypoints], dtype=float).T
    around = max(float(np.ptp(x)), float(np.ptp(y)), 100.0)
    region = float(x.min()) - around, float(y.min()) - around, float(x.max()) + around, float(y.max()) + around
    frame = None if placed.origin is None else LocalPlane(placed.origin)
    return tuple(shape for path in args.land for shape in read_land(path, frame, region=region))


def page_or_picture(out: Path) -> Path:
    """
    Return the file of `--out`; for a folder, the page in it.

    :raises InputError: If it cannot be written, or is neither a page nor a picture.
    """
    if out.suffix.lower() not in (*PAGES, PICTURE):
        if out.suffix and not out.is_dir():
            raise InputError(f'--out {out}: must end in .html, a page, or .png, a picture; or be a folder')
        check_target(out / PAGE if out.is_dir() else out)
        return out / PAGE
    check_target(out)
    return out


def _write_study(study: 'MissionStudy', path: Path) -> None:
    if path.suffix.lower() == PICTURE:
        from usv_energy.studies.mission.mission_pictures import plot_mission
        plot_mission(study, path)
    else:
        from usv_energy.studies.mission.mission_page import write_mission_page
        path.parent.mkdir(exist_ok=True)
        write_mission_page(study, path)


def _add_make(parser: argparse.ArgumentParser) -> None:
    patterns = parser.add_subparsers(dest='pattern', metavar='PATTERN', title='patterns', required=True)
    for name, purpose in PURPOSES.items():
        child = add_verb(patterns, name, purpose)
        if name in ('lawnmower', 'box'):
            child.add_argument('--area', metavar='FILE', help='a file with the area: the ring or line in it, or its '
                                                              'waypoints, are its corners')
            child.add_argument('--part', metavar='NAME', help='which line of a file that holds several')
            child.add_argument('--size', nargs=2, type=length, metavar=('LENGTH', 'WIDTH'),
                               help='or a rectangle of this size, m, its length along --angle')
        else:
            child.add_argument('--radius', type=length, required=True, metavar='M', help='m')
        if name != 'circle':
            fewest = ' (default: that of the fewest lanes)' if name == 'lawnmower' else ' (default: east)'
            child.add_argument('--angle', type=course, metavar='COURSE',
                               help=f'direction of the {_angle_reference(name)}: degrees of the compass, or NE'
                                    f'{fewest}')
        child.add_argument('--spacing', type=length, required=name == 'lawnmower', metavar='M',
                           help='distance of lanes, m; they lie as close as that, or closer' if name == 'lawnmower'
                           else 'distance of one round to the next, or of the rays at their ends, m')
        if name == 'lawnmower':
            child.add_argument('--best', action='store_true', help='the direction, and without --speed the speed, of '
                                                                   "the boat's least energy; needs --boat")
            for medium in ('current', 'wind'):
                add_flow(child, medium, "; in the area's metres if it says no place; of --best")
            add_json(child)
        add_place(child, '--at', 'the middle; without it the mission is in local metres about 0, 0')
        add_place(child, '--home', 'where the boat starts (default: the first place)')
        child.add_argument('--speed', type=speed, metavar='SPEED', help='over ground, 1.2 (m/s) or `2.4 kn`')
        child.add_argument('--accept', type=length, metavar='M', help='within which a place counts as reached, m')
        child.add_argument('--out', type=file_path, required=True, metavar='FILE',
                           help='.plan, .waypoints, .gpx, .geojson or .yaml')
        _add_boat(child)


def _angle_reference(name: str) -> str:
    return {'lawnmower': 'lanes', 'box': 'length of the rectangle', 'sector': 'first ray'}[name]


def _make(args: argparse.Namespace) -> int:
    """Make the pattern, print its length, and write it."""
    from usv_energy.missions.itinerary import itinerary_of, local_track
    from usv_energy.missions.patterns import pattern_mission
    from usv_energy.show.text_table import metres
    check_replaces_mission(args.out)
    (places, origin), note = _pattern(args)
    home = None if args.home is None else place_of_option(args.home, '--home')
    mission = pattern_mission(args.pattern, places, origin, args.speed, home, args.accept)
    length = float(local_track(itinerary_of(mission)).length.sum())
    say(f'usv-energy: {note}{len(places)} places, {metres(length)}')
    _write_mission(mission, args)
    return 0


def _pattern(args: argparse.Namespace) -> tuple[Places, str]:
    """Return the places of a pattern, their origin, and a note about it."""
    from usv_energy.missions import patterns
    if args.pattern == 'circle':
        return (patterns.circles(args.radius, args.spacing), _middle(args)), ''
    angle = args.angle
    if args.pattern == 'sector':
        return (patterns.sectors(args.radius, args.spacing, angle or 0.0), _middle(args)), ''
    if args.pattern == 'box' and args.spacing is not None:
        if args.size is None:
            raise InputError('--spacing of a box goes inwards from a rectangle: give --size')
        length, width = args.size
        return (patterns.boxes_inward(length, width, args.spacing, angle or 0.0), _middle(args)), ''
    area, origin, holes = _area(args, angle or 0.0)
    if args.pattern == 'box':
        left_out = f'{len(holes)} holes of the area left out; ' if holes else ''
        return (patterns.box(area), origin), left_out
    start, best = _start(args, origin), ''
    if args.best:
        angle, best = _best_angle(args, area, start, origin, holes)
    elif args.current or args.wind or args.json:
        raise InputError('--current, --wind and --json go with --best')
    if angle is None:
        angle = patterns.angle_of_fewest_lanes(area)
    lanes = patterns.lawnmower(area, args.spacing, angle, start, holes)
    outside = f', {lanes.transits} ways between parts of the area' if lanes.transits else ''
    outside += f', cut at {len(holes)} holes of it' if len(holes) > 1 else ', cut at the hole in it' if holes else ''
    note = f'{lanes.lanes} lanes {lanes.spacing:.2f} m apart along {compass_words(angle)}{outside}; {best}'
    return (lanes.places, origin), note


def _best_angle(args: argparse.Namespace, area: Sequence['LocalPlace'], start: 'LocalPlace | None',
                origin: 'Place | None', holes: Sequence[Sequence['LocalPlace']]) -> tuple[float, str]:
    """Return the direction of least energy, rad, and a text about its saving; sets `args.speed` to its speed."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.earth import LocalPlane
    from usv_energy.files.text_file import write_json
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.on_earth import laid_together, remarks_of
    from usv_energy.studies.mission.mission_scenario import lane_choice, lane_figures, lane_text
    if args.angle is not None:
        raise InputError('--angle is a direction, and --best looks for one; must be one of the two')
    say_flows(args)
    current, wind = laid_together(
        flow_of(args.current, '--current', 'water') or UniformFlow(), flow_of(args.wind, '--wind', 'air')
        or UniformFlow(), None if origin is None else LocalPlane(origin), 'the area')
    for remark in remarks_of(current, wind):
        say(f'usv-energy: {remark}')
    choice = lane_choice(area, args.spacing, read_boat(args.boat), current, wind, args.speed, start,
                         ProgressLine('directions'), holes)
    args.speed = choice.speed
    if args.json is not None:
        write_json(lane_figures(choice), args.json)
    return choice.best, lane_text(choice)


def _start(args: argparse.Namespace, origin: 'Place | None') -> 'LocalPlace | None':
    """Return the boat's start in the metres of the area; None if `--home` or the place of the area is unknown."""
    from usv_energy.missions.mission import local_place
    if args.home is None or origin is None:
        return None
    return local_place(place_of_option(args.home, '--home'), origin)


def _middle(args: argparse.Namespace) -> 'Place | None':
    return None if args.at is None else place_of_option(args.at, '--at')


def _area(args: argparse.Namespace, angle: float) -> 'Area':
    from usv_energy.missions import patterns
    from usv_energy.missions.patterns import Area, area_of
    if (args.area is None) == (args.size is None):
        raise InputError('an area is given by --area FILE, or by --size LENGTH WIDTH; must be one of the two')
    if args.area is None:
        length, width = args.size
        return Area(patterns.rectangle(length, width, angle), _middle(args))
    if args.at is not None:
        raise InputError('--at goes with --size; a file of --area says where it lies')
    return area_of(args.area, args.part)
