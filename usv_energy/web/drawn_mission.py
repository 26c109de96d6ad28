"""A mission that was drawn on the map: waypoints, or an area with holes that is covered by lanes."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.missions.mission import Mission, checked_place, local_place
from usv_energy.missions.patterns import angle_of_fewest_lanes, area_of, lawnmower, pattern_mission
from usv_energy.phrases import compass_words, course_of, length_of

AREA, WAY = 'area', 'way'
AREA_FILE, DRAWN = 'drawn area.geojson', 'drawn.plan'    # In the browser's folder.
MOST_PLACES = 2000
PAIR = re.compile(r'\s*([-+]?\d+(?:\.\d+)?)\s*[,;\s]\s*([-+]?\d+(?:\.\d+)?)\s*')
Degrees = tuple[float, float]


class SketchedPlan(NamedTuple):
    """
    What was drawn: AREA or WAY; its places, latitude and longitude, degrees; the corners of each hole of an area; the
    distance of lanes and their direction, as texts.
    """

    kind: str
    places: tuple[Degrees, ...]
    holes: tuple[tuple[Degrees, ...], ...] = ()
    spacing: str = '25'
    direction: str = ''


def mission_of_drawing(drawing: SketchedPlan, folder: Path, speed: float | None = None) -> tuple[Mission, str]:
    """
    Return the mission of a drawing, and a note about it.

    :param folder: In which the area is written, to be read as `mission make --area` reads it.
    :param speed: Over ground on all legs, m/s; None: the mission gives none.
    :raises InputError: If it has too few or too many places, the area is none, or a text of it is wrong.
    """
    least, kind = (3, 'corners of an area') if drawing.kind == AREA else (2, 'places of a way')
    if not least <= len(drawing.places) <= MOST_PLACES:
        raise InputError(f'{len(drawing.places)} places were drawn; must be {least} to {MOST_PLACES} {kind}')
    for number, hole in enumerate(drawing.holes, start=1):
        if not 3 <= len(hole) <= MOST_PLACES:
            raise InputError(f'area {number} that is left out has {len(hole)} corners; must be 3 to {MOST_PLACES}')
    places = [checked_place(*place, f'place {number}') for number, place in enumerate(drawing.places, start=1)]
    if drawing.kind == WAY:
        origin = places[0]
        return pattern_mission('drawn way', [local_place(place, origin) for place in places], origin,
                               speed), f'{len(places)} places'
    path = folder / AREA_FILE
    path.write_text(json.dumps(_polygon(drawing)), encoding='utf-8')
    area = area_of(path)
    spacing = length_of(drawing.spacing, 'distance of lanes')
    angle = course_of(drawing.direction, 'direction of lanes') if drawing.direction.strip() else (
        angle_of_fewest_lanes(area.corners))
    lanes = lawnmower(area.corners, spacing, angle, None, area.holes)
    note = f'{lanes.lanes} lanes {lanes.spacing:.2f} m apart along {compass_words(angle)}'
    return pattern_mission('lawnmower', lanes.places, area.origin, speed), note


def _polygon(drawing: SketchedPlan) -> dict[str, Any]:
    rings = [[[east, north] for north, east in (*ring, ring[0])] for ring in (drawing.places, *drawing.holes)]
    return {'type': 'Feature', 'properties': {}, 'geometry': {'type': 'Polygon', 'coordinates': rings}}


def rings_of_text(text: str) -> list[tuple[Degrees, ...]]:
    """
    Return the rings of a text: the places of a way, or an area and after each empty line one that is left out of it.

    :param text: A place a line, latitude and longitude, degrees, `45.6073, 9.5524`.
    :raises InputError: For a line that is none: its number, and what is allowed.
    """
    rings: list[list[Degrees]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            rings += [[]] if rings[-1] else []
            continue
        pair = PAIR.fullmatch(line)
        if pair is None:
            raise InputError(f'line {number} is {safe_name(line)!r}; must be latitude and longitude, degrees, as '
                             '45.6073, 9.5524')
        place = checked_place(float(pair[1]), float(pair[2]), f'line {number}')
        rings[-1].append((place.latitude, place.longitude))
    return [tuple(ring) for ring in rings if ring] or [()]


def text_of_rings(drawing: SketchedPlan) -> str:
    """Return the places of a drawing as lines, as `rings_of_text` reads them."""
    return '\n\n'.join('\n'.join(f'{latitude:.6f}, {longitude:.6f}' for latitude, longitude in ring)
                       for ring in (drawing.places, *drawing.holes))
