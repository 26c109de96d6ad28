"""`usv-energy mission FILE --boat BOAT`: the energy of a mission, and whether the battery is enough."""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import (
    add_ambient,
    add_json,
    add_payload,
    add_sea,
    add_wind_height,
    ambient_kelvin,
    file_path,
    in_sea,
    not_negative,
    positive,
    warn_of_payload,
    warn_of_wind_height,
    within,
)
from usv_energy.cli.mission import add_mission, mission_of
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.show.terminal import ProgressLine, list_files, say, show_result

if TYPE_CHECKING:
    from usv_energy.missions.itinerary import Itinerary
    from usv_energy.studies.mission.mission_scenario import MissionScenario
    from usv_energy.studies.mission.mission_study import MissionStudy

PAGE, PAGES, PICTURE = 'mission.html', ('.html', '.htm'), '.png'
WINDOW = 24             # Default number of steps of a window of departures.
MAX_DEPARTURES = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_mission(parser)
    parser.add_argument('--boat', required=True, help='name or YAML file of the boat')
    add_payload(parser, steady=True)
    for medium in ('current', 'wind'):
        parser.add_argument(f'--{medium}', metavar='FLOW', help='SPEED,DIRECTION: m/s, and where it flows to, degrees '
                            "counter-clockwise from east; or a flow file, in the mission's metres (default: none)")
        parser.add_argument(f'--{medium}-std', type=not_negative, default=0.0, metavar='M_S',
                            help=f'how well the {medium} is known: standard deviation each way, m/s (%(default)g)')
    add_wind_height(parser)
    add_sea(parser)
    parser.add_argument('--speed', type=positive, metavar='M_S', help='over ground, m/s, where the mission says none '
                                                                      "(default: the plan's, else the cheapest)")
    parser.add_argument('--depart', type=departures, default=[0.0], metavar='S',
                        help="when it begins, s of the flow's time (0); FROM,TO or FROM,TO,STEP tries many, and takes "
                             'the one of least energy (STEP: a 24th of the window)')
    parser.add_argument('--any-order', action='store_true',
                        help='the order of the waypoints is free: take the cheapest; going home stays last')
    parser.add_argument('--state-of-charge', type=within(0.0, 1.0), metavar='SHARE',
                        help="at the start, 0 to 1 (the boat file's)")
    parser.add_argument('--reserve', type=within(0.0, 1.0), default=0.2, metavar='SHARE',
                        help='share of the battery that is to be left, 0 to 1 (%(default)g)')
    add_ambient(parser)
    parser.add_argument('--simulate', action='store_true', help='also run it in the simulator, and say how far off the '
                                                                'estimate is')
    parser.add_argument('--out', type=file_path, metavar='FILE', help='a page that opens offline, FILE.html, or a '
                                                                     'folder for it; or a picture, FILE.png')
    add_json(parser)


def departures(text: str) -> list[float]:
    """Return the times of departure, s, of `S`, `FROM,TO` or `FROM,TO,STEP`."""
    given = [not_negative(part) for part in text.split(',')]
    if len(given) == 1:
        return given
    if len(given) > 3 or given[1] <= given[0]:
        raise argparse.ArgumentTypeError(f'{text!r} is not S, FROM,TO or FROM,TO,STEP, s, with TO after FROM')
    step = positive(text.split(',')[2]) if len(given) == 3 else (given[1] - given[0]) / WINDOW
    number = math.floor((given[1] - given[0]) / step + 1e-9) + 1
    if number > MAX_DEPARTURES:
        raise argparse.ArgumentTypeError(f'{text!r} are {number} departures; must be at most {MAX_DEPARTURES}')
    return [given[0] + step * count for count in range(number)]


def execute(args: argparse.Namespace) -> int:
    """Print and draw the study; return status 3 if the mission is no go, 130 if the user interrupted it."""
    from usv_energy.boats.boat_file import read_boat, require_motion
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.wind_height import wind_at_boat
    from usv_energy.missions.itinerary import itinerary_of
    from usv_energy.studies.mission.mission_scenario import mission_scenario
    from usv_energy.studies.mission.mission_study import NO_GO
    from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
    target = page_or_picture(args.out)
    boat = read_boat(args.boat, payload=args.payload)
    warn_of_payload(args.payload)
    if args.simulate:
        require_motion(boat, 'a simulation')
    if boat.battery is None and args.state_of_charge is not None:
        raise InputError(f'{boat.path}: has no battery; --state-of-charge goes with one')
    ambient_kelvin(args.ambient, boat)
    if args.sea is not None and args.simulate:
        raise InputError('--simulate does not go with --sea: what is simulated has the waves of its current')
    boat = in_sea(args, boat)
    mission = mission_of(args)
    current = flow_of(args.current, '--current', 'water') or UniformFlow()
    warn_of_wind_height(args)
    wind = wind_at_boat(flow_of(args.wind, '--wind', 'air') or UniformFlow(), boat, args.wind_height)
    itinerary = itinerary_of(mission)
    placed = mission_scenario(itinerary, boat, current, wind, args.speed, mission.path)
    if args.speed is not None and all(order.speed is not None for order in placed.scenario.orders):
        say(f'usv-energy: --speed changes nothing: {mission.path} says a speed on every leg')
    study = _study(placed, args)
    show_result(mission_study_text(study), mission_study_figures(study), args.json)
    if target is not None:
        _write(study, itinerary, target)
        list_files(target)
    if study.broken_off or (study.departures is not None
                            and study.departures.departure.size < study.departures.wanted):
        return 130
    return 3 if study.verdict == NO_GO else 0


def _study(placed: 'MissionScenario', args: argparse.Namespace) -> 'MissionStudy':
    from usv_energy.studies.mission.mission_alternatives import mission_departures
    from usv_energy.studies.mission.mission_bands import FlowDoubt
    from usv_energy.studies.mission.mission_study import mission_study
    order = None
    if args.any_order:
        from usv_energy.studies.mission.mission_order import best_order, reordered
        order = best_order(placed, args.depart[0])
        placed = reordered(placed, order.order)
    window = None
    if len(args.depart) > 1:
        progress = ProgressLine('departures')
        window = mission_departures(placed.scenario, args.depart, progress=progress)
        progress.end()
    simulated = ProgressLine('simulated seconds')
    study = mission_study(placed, args.depart[0] if window is None else float(window.departure[window.best]),
                          args.state_of_charge, args.reserve, FlowDoubt(args.current_std, args.wind_std), args.simulate,
                          ProgressLine('drawn boats'), simulated,
                          ambient_kelvin(args.ambient, placed.scenario.boat))
    simulated.end()
    return study._replace(departures=window, order=order)


def page_or_picture(out: Path | None) -> Path | None:
    """
    Return the file of `--out`; for a folder, the page in it.

    :raises InputError: If it cannot be written, or is neither a page nor a picture.
    """
    if out is None:
        return None
    if out.suffix.lower() not in (*PAGES, PICTURE):
        if out.suffix and not out.is_dir():
            raise InputError(f'--out {out}: must end in .html, a page, or .png, a picture; or be a folder')
        check_target(out / PAGE if out.is_dir() else out)
        return out / PAGE
    check_target(out)
    return out


def _write(study: 'MissionStudy', itinerary: 'Itinerary', path: Path) -> None:
    if path.suffix.lower() == PICTURE:
        from usv_energy.studies.mission.mission_pictures import plot_mission
        plot_mission(study, path)
    else:
        from usv_energy.studies.mission.mission_page import write_mission_page
        path.parent.mkdir(exist_ok=True)
        write_mission_page(study, itinerary, path)
