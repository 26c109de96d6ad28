"""`usv-energy mission`: show, convert and make missions of ground stations and maps, and estimate their energy."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from usv_energy.cli.arguments import add_json, check_replaces_mission, file_path, whole_number, within

if TYPE_CHECKING:
    from usv_energy.missions.mission import Mission

FILE_HELP = 'a plan of QGroundControl, .waypoints of ArduPilot, GPX, KML, KMZ, GeoJSON, or a scenario'
# The verb of `usv-energy mission FILE`, and the one with --boat.
WITHOUT_VERB, WITH_BOAT = 'show', 'estimate'
MODULES = {'make': 'usv_energy.cli.mission_make', 'estimate': 'usv_energy.cli.mission_estimate'}


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
            with_boat = any(str(word).partition('=')[0] == '--boat' for word in words)
            if not with_boat:
                self._refuse_what_needs_a_boat(parser, words)
            words.insert(0, WITH_BOAT if with_boat else WITHOUT_VERB)
        super().__call__(parser, namespace, words, option_string)

    def _refuse_what_needs_a_boat(self, parser: argparse.ArgumentParser, words: Sequence[Any]) -> None:
        without, with_boat = (self._name_parser_map[verb]._option_string_actions for verb in (WITHOUT_VERB, WITH_BOAT))
        for option in (str(word).partition('=')[0] for word in words):
            if option in with_boat and option not in without:
                parser.error(f'{option} goes with --boat, which says whose mission it is')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='mission_verb', metavar='COMMAND', title='commands', required=True,
                                  action=VerbOrFile)

    def verb(name: str, purpose: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=purpose, allow_abbrev=False,
                                description=f'{purpose[0].upper()}{purpose[1:]}.')

    show = verb('show', "a mission's ways, stays and speeds, and what of it changes nothing; so does `mission FILE`")
    convert = verb('convert', 'write a mission in another format: .plan, .waypoints, .gpx, .geojson or .yaml')
    for child in (show, convert):
        add_mission(child)
    convert.add_argument('out', type=file_path, metavar='OUT', help='the file to write; its ending says the format')
    add_place(convert, '--origin', 'where local metres count from, of a scenario that does not say it')
    add_boat(convert)
    add_json(show)
    for name, purpose in (('make', 'make a mission that covers or surrounds an area'),
                          ('estimate', 'what a mission costs a boat, leg by leg, and whether its battery makes it; so '
                                       'does `mission FILE --boat BOAT`')):
        import_module(MODULES[name]).add_arguments(verb(name, purpose))


def add_mission(parser: argparse.ArgumentParser) -> None:
    """Add the file of a mission, and the choice of its part and rounds; `mission_of` reads them."""
    parser.add_argument('file', metavar='FILE', help=FILE_HELP)
    parser.add_argument('--part', metavar='NAME', help='which line of a map that holds several: its name, its number '
                                                       'from 1 on, or `all` for one after the other')
    parser.add_argument('--rounds', type=whole_number(1), metavar='N',
                        help='how often a stretch is done that a jump without end goes back over')


def mission_of(args: argparse.Namespace) -> 'Mission':
    """Return the mission of the arguments of `add_mission`."""
    from usv_energy.missions.mission_file import read_mission
    mission = read_mission(args.file, args.part)
    return mission if args.rounds is None else mission.with_rounds(args.rounds)


def add_place(parser: argparse.ArgumentParser, option: str, purpose: str) -> None:
    """Add an option with latitude and longitude in degrees."""
    parser.add_argument(option, nargs=2, type=within(-180.0, 180.0, 'degrees'), metavar=('LATITUDE', 'LONGITUDE'),
                        help=f'{purpose}; degrees')


def add_boat(parser: argparse.ArgumentParser) -> None:
    """Add `--boat`, for written scenarios."""
    parser.add_argument('--boat', default='lutra_prop', help='boat of a scenario that is written (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Run one of the verbs."""
    if args.mission_verb in MODULES:
        status: int = import_module(MODULES[args.mission_verb]).execute(args)
        return status
    {'show': _show, 'convert': _convert}[args.mission_verb](args)
    return 0


def _show(args: argparse.Namespace) -> None:
    from usv_energy.missions.itinerary import itinerary_of, local_track
    from usv_energy.show.terminal import show_result
    from usv_energy.studies.mission.mission_text import mission_figures, mission_text
    mission = mission_of(args)
    itinerary = itinerary_of(mission)
    track = local_track(itinerary)
    show_result(mission_text(itinerary, track), mission_figures(mission, itinerary, track), args.json)


def _convert(args: argparse.Namespace) -> None:
    from dataclasses import replace
    check_replaces_mission(args.out)
    mission = mission_of(args)
    if args.origin is not None:
        mission = replace(mission, origin=place_of_option(args.origin, '--origin'))
    write_mission_file(mission, args)


def write_mission_file(mission: 'Mission', args: argparse.Namespace) -> None:
    """Write a mission to `args.out`, and print on stderr what the format leaves out."""
    from usv_energy.missions.mission_file import write_mission
    from usv_energy.show.terminal import list_files, say
    for text in write_mission(mission, args.out, args.boat):
        say(f'usv-energy: {text}')
    list_files(args.out)


def place_of_option(values: Sequence[float], option: str) -> Any:
    """Return the place of an option; raises as `checked_place`."""
    from usv_energy.missions.mission import checked_place
    latitude, longitude = values
    return checked_place(latitude, longitude, option)
