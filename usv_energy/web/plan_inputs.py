"""What is entered on the page Plan, read by the functions of `usv-energy mission`, each fault with its field."""

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.boats.outfit import battery_label, with_battery, with_charge, with_static_load
from usv_energy.earth import KNOT
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import DepartureTimes, departures_on_clock
from usv_energy.flow.field import extent_polygon
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.on_earth import own_frame
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.missions.itinerary import Itinerary, itinerary_of
from usv_energy.missions.mission import Mission
from usv_energy.missions.mission_file import read_mission
from usv_energy.phrases import AIR, WATER, flow_phrase
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_alternatives import mission_departures
from usv_energy.studies.mission.mission_estimate import corners_on_another_way
from usv_energy.studies.mission.mission_scenario import MissionScenario, all_legs_at, mission_corners, mission_scenario
from usv_energy.studies.mission.mission_study import MissionStudy, mission_study, with_departures
from usv_energy.units import speed_of
from usv_energy.web.typed_numbers import number_of, percent_of

FILES, FLOWS = 32, 8    # That stay read: missions and boats, and flows, which stay open.
FIRST_DEPARTURES = 25   # of a window that a first answer has, at most: they take a tenth of a second
RESERVE = 20.0          # % of the battery, the command's default.
# The fields, all of them texts, empty where nothing is entered; those with an option of the command by its name.
OPTIONS = {'part': '--part', 'boat': '--boat', 'battery': '--battery', 'charge': '--charge', 'hotel': '--hotel',
           'payload': '--payload', 'reserve': '--reserve', 'current': '--current', 'wind': '--wind',
           'speed': '--all-legs-at', 'depart': '--depart'}
FIELDS = ('file', *OPTIONS)
PERCENT = 'charge', 'reserve'
Texts = Mapping[str, str]


class FieldError(InputError):
    """What is wrong with a field, one of FIELDS; `field`: its name."""

    def __init__(self, field: str, error: object) -> None:
        """Take the field, and the sentence that the command would say."""
        super().__init__(str(error))
        self.field = field

    def __reduce__(self) -> tuple[type['FieldError'], tuple[str, str]]:
        """Let it come from another process."""
        return FieldError, (self.field, str(self))


class ReadPlan(NamedTuple):
    """
    What was entered, read: the mission, its itinerary, and both as a scenario; departures; the reserve, (-).

    `planned`: the mission with the speeds of its plan, where a speed was entered. `boat`: equal for two plans of one
    boat, whatever its payload.
    """

    mission: Mission
    itinerary: Itinerary
    placed: MissionScenario
    planned: MissionScenario | None
    departures: DepartureTimes
    reserve: float
    boat: tuple[str, int]


@contextmanager
def _of(field: str) -> Iterator[None]:
    """Raise the InputError of what is done within as a FieldError."""
    try:
        yield
    except InputError as error:
        raise FieldError(field, error) from None


def read_plan(texts: Texts) -> ReadPlan:
    """
    Return what was entered, read.

    :param texts: By FIELDS; those that are missing are empty.
    :raises FieldError: For the first field that is wrong.
    """
    given = {name: texts.get(name, '').strip() for name in FIELDS}
    with _of('file'):
        if not given['file']:
            raise InputError('drop a plan, choose one, or draw one on the map')
        path = Path(given['file'])
        mission, itinerary = _mission(path, given['part'] or None, _stamp(path))
    boat = fitted_boat(given)
    flows = flows_of(given, boat)
    with _of('depart'):
        times, (current, wind) = departures_on_clock(given['depart'] or None, flows, 'depart')
    with _of('file'):
        planned, placed = None, mission_scenario(itinerary, boat, current, wind, None, mission.path)
    with _of('speed'):
        if given['speed']:
            planned, placed = placed, all_legs_at(placed, _over_ground(given['speed']))
    with _of('reserve'):
        reserve = percent_of(given['reserve'] or f'{RESERVE:g}', 'reserve') or 0.0
    return ReadPlan(mission, itinerary, placed, planned, times, reserve, (given['boat'], _stamp(Path(given['boat']))))


def flows_of(texts: Texts, boat: Boat) -> list[Any]:
    """Return water, and air at the boat, of the fields; raises FieldError."""
    found: list[Any] = []
    for name, medium in (('current', 'water'), ('wind', 'air')):
        with _of(name):
            text = texts.get(name) or ''
            found.append(_flow(text, name, medium, _stamp(Path(text))) if text else UniformFlow())
    with _of('wind'):
        found[1] = wind_at_boat(found[1], boat)
    return found


def corners_of_flows(texts: Texts) -> list[tuple[float, float]]:
    """Return corners of the first flow of the fields that says where on the Earth it is, degrees; none if none does."""
    with suppress(InputError):
        for flow in flows_of(texts, fitted_boat(texts)):
            frame = own_frame(flow)
            if frame is not None and np.isfinite(flow.extent).all():
                x, y = extent_polygon(flow.extent).T
                latitude, longitude = frame.to_geodetic(x, y)
                return list(zip(latitude.tolist(), longitude.tolist()))
    return []


def flow_of_error(error: InputError, plan: ReadPlan) -> str:
    """Return the field of the flow file that an error is of; empty for another error."""
    flows = (('current', plan.placed.scenario.current), ('wind', plan.placed.scenario.wind))
    return next((name for name, flow in flows if str(error).startswith(f'{getattr(flow, "path", None)}: ')), '')


def fitted_boat(texts: Texts) -> Boat:
    """Return the boat of the fields with its battery, charge, hotel load and payload; raises FieldError."""
    with _of('payload'):
        payload = number_of(texts.get('payload', ''), 'payload', 'kg')
    with _of('boat'):
        name = texts.get('boat', '')
        if not name:
            raise InputError('choose a boat')
        boat = _boat(name, payload, _stamp(Path(name)))
    return with_outfit(boat, texts)


def with_outfit(boat: Boat, texts: Texts) -> Boat:
    """Return a boat with the battery, charge and hotel load of the fields; raises FieldError."""
    with _of('hotel'):
        boat = with_static_load(boat, number_of(texts.get('hotel', ''), 'hotel', 'W'))
    with _of('battery'):
        if texts.get('battery'):
            boat = with_battery(boat, battery_label(texts['battery'], 'battery'))
    with _of('charge'):
        return with_charge(boat, percent_of(texts.get('charge', ''), 'charge'))


def study_of(plan: ReadPlan, corners: CornerCosts | None, progress: Progress) -> MissionStudy:
    """
    Return the study of a plan, as `usv-energy mission` makes it; raises InputError as that.

    :param corners: What its corners cost at its first departure, if that is known.
    """
    seconds = plan.departures.seconds
    return _study(plan, seconds, corners if len(seconds) == 1 else None, False, progress)


def first_study_of(plan: ReadPlan, corners: CornerCosts | None, progress: Progress = no_progress) -> MissionStudy:
    """
    Return a first answer, see `mission_study`, for few of many departures.

    :param corners: What its corners cost, or about; None: those of the first departure are computed.
    """
    seconds = plan.departures.seconds
    corners = corners or mission_corners(plan.placed.scenario, seconds[0])
    return _study(plan, seconds[::math.ceil(len(seconds) / FIRST_DEPARTURES)], corners, True, progress)


def quick_study_of(plan: ReadPlan, before: ReadPlan | None, corners: CornerCosts | None) -> MissionStudy | None:
    """
    Return a first answer in a moment, with the corners of a plan before it; None if these are too different.

    :param corners: What those of the plan `before` cost; None if nobody knows.
    """
    scenario, known = plan.placed.scenario, None
    if before is not None and corners is not None and before.boat == plan.boat:
        known = corners_on_another_way(corners, before.placed.scenario, scenario, plan.departures.seconds[0])
    return None if known is None and scenario.boat.power_curve is None else first_study_of(plan, known)


def _study(plan: ReadPlan, seconds: Sequence[float], corners: CornerCosts | None, is_first: bool,
           progress: Progress) -> MissionStudy:
    window, begin = None, seconds[0]
    if len(plan.departures.seconds) > 1:
        window = mission_departures(plan.placed.scenario, seconds, corners, progress)
        begin, corners = float(window.departure[window.best]), window.corners[window.best]
    study = mission_study(plan.placed, begin, None, plan.reserve, progress=progress, known_corners=corners,
                          is_first=is_first, planned=plan.planned)
    if window is not None:
        study = study._replace(departures=window) if is_first else with_departures(study, window)
    return study._replace(zero=plan.departures.zero)


def flow_sliders(text: str, name: str, unit: str) -> tuple[float, float]:
    """
    Return where the sliders of a current or a wind stand for a text, 0 and 0 for what is no phrase.

    :param text: Of the field.
    :param name: `current`, whose direction is where it sets, or `wind`, whose is where it comes from.
    :param unit: Of the speed, `kn` or `m/s`.
    :return: The speed, and the direction, degrees of the compass from 0 on.
    """
    try:
        said = flow_phrase(text, name, AIR if name == 'wind' else WATER) if text.strip() else None
    except InputError:
        said = None
    if said is None:
        return 0.0, 0.0
    compass = (270.0 if name == 'wind' else 90.0) - said.direction_deg
    return round(said.speed / (KNOT if unit == 'kn' else 1.0), 3), round(compass % 360.0, 3) % 360.0


def command_of(texts: Texts) -> str:
    """Return the command that computes the same."""
    return shlex.join(['usv-energy', 'mission', texts.get('file') or 'FILE',
                       *option_words(texts, tuple(OPTIONS))])


def option_words(texts: Texts, fields: Sequence[str]) -> list[str]:
    """Return the options of a command that say what is entered in fields."""
    words = []
    for name in fields:
        if text := texts.get(name, '').strip():
            words += [OPTIONS[name], f'{text}%' if name in PERCENT else text]
    return words


def _stamp(path: Path) -> int:
    """Return when a file was written, so that it is read again when it has changed; 0 for what is no file."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(FILES)
def _mission(path: Path, part: str | None, stamp: int) -> tuple[Mission, Itinerary]:
    mission = read_mission(path, part)
    return mission, itinerary_of(mission)


@lru_cache(FILES)
def _boat(name: str, payload: float | None, stamp: int) -> Boat:
    return read_boat(name, payload=payload)


@lru_cache(FLOWS)
def _flow(text: str, name: str, medium: str, stamp: int) -> Any:
    return flow_of(text, name, medium, dated=True)


def _over_ground(text: str) -> float:
    speed = speed_of(text, 'speed')
    if not speed > 0.0:
        raise InputError(f'speed is {text!r}; must be above 0')
    return speed
