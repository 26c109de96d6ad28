"""Write a mission as a file of any format, by the file's ending; what the format cannot say is said."""

from pathlib import Path

from ..files.errors import InputError
from ..files.whole_file import write_text
from .formats.geojson import geojson_text
from .formats.gpx import gpx_text
from .formats.qgc_plan import plan_text
from .formats.scenario_yaml import lost_in_scenario, scenario_text
from .formats.waypoints import waypoints_text
from .itinerary import itinerary_of
from .local_track import in_degrees
from .mission import Mission

ENDINGS = {'.plan': 'plan', '.waypoints': 'waypoints', '.txt': 'waypoints', '.gpx': 'gpx', '.geojson': 'geojson',
           '.json': 'geojson', '.yaml': 'scenario', '.yml': 'scenario'}
BOAT = 'lutra_prop'


def format_of(path: Path) -> str:
    """Return the format of a file to be written, by its ending; InputError if there is none for it."""
    kind = ENDINGS.get(path.suffix.lower())
    if kind is None:
        raise InputError(f'{path}: ends with {path.suffix!r}; must be one of {", ".join(ENDINGS)}')
    return kind


def mission_text(mission: Mission, kind: str, boat: str = BOAT) -> tuple[str, list[str]]:
    """
    Return a mission as the text of a file, and what of it the format cannot say.

    A plan and waypoints hold the commands as they are; GPX, GeoJSON and a scenario the places that they amount to.

    :param kind: `plan`, `waypoints`, `gpx`, `geojson` or `scenario`.
    :param boat: That of a scenario: a name in config/boats, or a path.
    :raises InputError: If the mission has local metres and the format has none; as `itinerary_of`.
    """
    if kind == 'waypoints':
        lost = [f'{len(mission.surveys)} surveys are written as their waypoints'] if mission.surveys else []
        return waypoints_text(in_degrees(mission)), lost
    if kind == 'plan':
        mission = in_degrees(mission)
        if mission.home is not None:
            return plan_text(mission), []
        return plan_text(mission, itinerary_of(mission)), ['a plan has a home: the first place is written as it']
    itinerary = itinerary_of(mission if kind == 'scenario' else in_degrees(mission))
    ignored = [f'{len(itinerary.ignored)} commands that are no way are left out'] if itinerary.ignored else []
    if kind == 'scenario':
        return scenario_text(itinerary, boat), [*ignored, *lost_in_scenario(itinerary)]
    return (gpx_text if kind == 'gpx' else geojson_text)(itinerary), ignored


def write_mission(mission: Mission, path: Path, boat: str = BOAT) -> list[str]:
    """
    Write a mission as a file, whole or not at all.

    :param path: Its ending says the format: ENDINGS.
    :param boat: That of a scenario.
    :return: What of the mission the format cannot say.
    :raises InputError: As `mission_text`; for an ending that is none.
    :raises OSError: If it cannot be written.
    """
    text, lost = mission_text(mission, format_of(path), boat)
    write_text(text, path)
    return lost
