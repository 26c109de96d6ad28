"""Read a mission file of any format, by what is in it."""

import json
from pathlib import Path

from ..files.errors import InputError
from ..files.locate import resolve
from ..files.text_file import open_text
from ..files.user_path import user_path
from .formats.geojson import TYPES, geojson_content
from .formats.gpx import gpx_content
from .formats.json_document import parsed_json
from .formats.kml import kml_content, kml_in_kmz
from .formats.map_lines import mission_of_map
from .formats.qgc_plan import read_plan
from .formats.scenario_yaml import read_scenario_mission
from .formats.waypoints import HEADER, read_waypoints
from .formats.xml_document import parsed_xml
from .mission import Mission

LARGEST = 1 << 28  # bytes: a mission of a hundred thousand waypoints has a tenth of it
BEGIN = 1 << 12    # bytes that tell a format
YAML = ('.yaml', '.yml')
FORMATS = ('a plan of QGroundControl (.plan), ArduPilot\'s waypoints (.waypoints), GPX, KML, KMZ, GeoJSON, or a '
           'scenario of usv_energy (.yaml, or its name)')


def read_mission(name: str | Path, part: str | None = None) -> Mission:
    """
    Return the mission in a file.

    :param name: The file's path; or the name of a shipped scenario.
    :param part: Of a map with several lines (GPX, KML, GeoJSON), which one: its name, its number from 1 on, or `all`.
    :raises InputError: If there is no such file or part, or it is wrong: file, line or key, value, what is allowed.
    """
    path = user_path(name)
    if path.suffix.lower() in YAML or not path.exists():
        if path.suffix and path.suffix.lower() not in YAML:
            raise InputError(f'{path}: there is no such file')
        return read_scenario_mission(resolve('scenarios', str(name)))
    if path.is_dir():
        raise InputError(f'{path}: is a folder; must be a file: {FORMATS}')
    content = _content(path)
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
    if text.lstrip()[:1] in ('{', '['):
        return _from_json(text, path, part)
    raise InputError(f'{path}: begins with {text[:20]!r}, which is no mission; must be {FORMATS}')


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f'{path}: is larger than {LARGEST >> 20} MiB, which no mission is')
        return path.read_bytes()
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None


def _only_part(part: str | None, path: Path) -> None:
    if part not in (None, '1', 'all'):
        raise InputError(f'{path}: holds one mission, no part {part!r}; --part chooses a line of GPX, KML or GeoJSON')


def _from_xml(content: bytes, path: Path, part: str | None) -> Mission:
    root = parsed_xml(content, path)
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
