"""Read a mission file of any format by its content, and write one by its ending."""

import json
from pathlib import Path

from usv_energy.files.errors import InputError
from usv_energy.files.limits import DOCUMENT_BYTES, check_bytes
from usv_energy.files.locate import resolve, user_path
from usv_energy.files.parsed_text import parsed_json, parsed_xml
from usv_energy.files.text_file import open_text, write_text
from usv_energy.files.what_file import FIRST, MISSION, refuse_other
from usv_energy.missions.formats.documents import mission_of_map
from usv_energy.missions.formats.geojson import TYPES, geojson_content, geojson_text
from usv_energy.missions.formats.gpx import gpx_content, gpx_text
from usv_energy.missions.formats.hypack import HEADERS as LNW_HEADERS
from usv_energy.missions.formats.hypack import read_lnw
from usv_energy.missions.formats.kml import kml_content, kml_in_kmz
from usv_energy.missions.formats.qgc_plan import plan_text, read_plan
from usv_energy.missions.formats.rtz import is_rtz, rtz_content
from usv_energy.missions.formats.scenario_yaml import lost_in_scenario, read_scenario_mission, scenario_text
from usv_energy.missions.formats.waypoints import HEADER, read_waypoints, waypoints_text
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import Mission, in_degrees

BEGIN = 1 << 12    # bytes by which a format is recognized
YAML = ('.yaml', '.yml')
ENDINGS = {'.plan': 'plan', '.waypoints': 'waypoints', '.txt': 'waypoints', '.gpx': 'gpx', '.geojson': 'geojson',
           '.json': 'geojson', '.yaml': 'scenario', '.yml': 'scenario'}
BOAT = 'lutra_prop'  # of a scenario that is written without a choice of boat
FORMATS = ('a plan of QGroundControl (.plan), ArduPilot\'s waypoints (.waypoints), GPX, KML, KMZ, GeoJSON, RTZ, '
           'HYPACK\'s lines (.lnw), or a scenario of usv_energy (.yaml, or its name)')


def read_mission(name: str | Path, part: str | None = None) -> Mission:
    """
    Return the mission in a file.

    :param name: The file's path; or the name of a shipped scenario.
    :param part: Which line of a map with several (GPX, KML, GeoJSON): its name, its number from 1 on, or `all`.
    :raises InputError: If there is no such file or part, or it is wrong: file, line or key, value, what is allowed.
    """
    path = user_path(name)
    if path.suffix.lower() in YAML or not path.exists():
        if path.suffix and path.suffix.lower() not in YAML:
            raise InputError(f'{path}: there is no such file')
        scenario = resolve('scenarios', str(name))
        _only_part(part, scenario)
        return read_scenario_mission(scenario)
    if path.is_dir():
        raise InputError(f'{path}: is a folder; must be a file: {FORMATS}')
    content = _content(path)
    if not content.strip():
        raise InputError(f'{path}: is empty; must be {FORMATS}')
    if not content.startswith(b'PK'):
        refuse_other(path, content[:FIRST], MISSION)
    begin = content[:BEGIN].lstrip(b'\xef\xbb\xbf \t\r\n')
    if begin.startswith(b'PK'):
        return _from_xml(kml_in_kmz(content, path), path, part)
    if begin.startswith(b'<') or (content[:2] in (b'\xff\xfe', b'\xfe\xff') and b'<' in content[:4]):
        return _from_xml(content, path, part)
    with open_text(path) as file:
        text = file.read().lstrip('\ufeff')
    if text.lstrip().startswith(HEADER):
        _only_part(part, path)
        return read_waypoints(text.lstrip(), path)
    if text.lstrip().startswith(LNW_HEADERS):
        _only_part(part, path)
        return read_lnw(text, path)
    if text.lstrip()[:1] in ('{', '['):
        return _from_json(text, path, part)
    raise InputError(f'{path}: begins with {text[:20]!r}, which is no mission; must be {FORMATS}')


def _content(path: Path) -> bytes:
    try:
        check_bytes(path, DOCUMENT_BYTES, 'a mission')
        with path.open('rb') as file:
            return file.read(DOCUMENT_BYTES)
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None


def _only_part(part: str | None, path: Path) -> None:
    if part not in (None, '1', 'all'):
        raise InputError(f'{path}: holds one mission, no part {part!r}; --part chooses a line of GPX, KML or GeoJSON')


def _from_xml(content: bytes, path: Path, part: str | None) -> Mission:
    root = parsed_xml(content, path)
    if is_rtz(root):
        return mission_of_map(rtz_content(root, path), path, part)
    if root.tag not in ('gpx', 'kml'):
        raise InputError(f'{path}: is a file of {root.tag[:40]!r}; must be {FORMATS}')
    return mission_of_map((gpx_content if root.tag == 'gpx' else kml_content)(root, path), path, part)


def _from_json(text: str, path: Path, part: str | None) -> Mission:
    document = parsed_json(text, path)
    if isinstance(document, dict):
        if document.get('fileType') == 'Plan' or 'mission' in document:
            _only_part(part, path)
            return read_plan(document, path)
        if document.get('type') in TYPES:
            return mission_of_map(geojson_content(document, path), path, part)
        if 'items' in document:
            raise InputError(f'{path}: is a mission of QGroundControl before 3.2; open it there and save it as a plan')
        if 'polygon' in document or 'geoFence' in document:
            raise InputError(f'{path}: has no key \'mission\'; a fence alone is no mission')
    keys = json.dumps(list(document)[:6])[:80] if isinstance(document, dict) else 'a list'
    raise InputError(f'{path}: is JSON with {keys}; must be {FORMATS}')


def format_of(path: Path) -> str:
    """Return the format in which a file of this name is written; InputError if its ending is unknown."""
    kind = ENDINGS.get(path.suffix.lower())
    if kind is None:
        raise InputError(f'{path}: ends with {path.suffix!r}; must be one of {", ".join(ENDINGS)}')
    return kind


def mission_text(mission: Mission, kind: str, boat: str = BOAT) -> tuple[str, list[str]]:
    """
    Return a mission as the text of a file, and remarks about what the format cannot express.

    The formats `plan` and `waypoints` hold the commands as they are; the others hold the itinerary.

    :param kind: `plan`, `waypoints`, `gpx`, `geojson` or `scenario`.
    :param boat: Of a scenario: a name in config/boats, or a path.
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

    :param path: Its ending decides the format: ENDINGS.
    :param boat: Of a scenario.
    :return: Remarks about what the format cannot express.
    :raises InputError: As `mission_text`, and for an unknown ending.
    :raises OSError: If it cannot be written.
    """
    text, lost = mission_text(mission, format_of(path), boat)
    write_text(text, path)
    return lost
