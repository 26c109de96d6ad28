"""A mission that was drawn on the map: waypoints, or an area with holes that is covered by lanes."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.missions.mission import Mission, checked_place, local_place
from usv_energy.missions.patterns import Area, angle_of_fewest_lanes, area_of, lawnmower, pattern_mission
from usv_energy.phrases import compass_words, course_of
from usv_energy.show.text_table import seconds
from usv_energy.units import duration_of, length_of

AREA, WAY = 'area', 'way'
MOST_PLACES = 2000
STAY = r'(\d+(?:\.\d+)?)\s*(s|min|h)'
# Of a text whose blanks are single.
LINE = re.compile(rf'([-+]?\d+(?:\.\d+)?) ?[,; ] ?([-+]?\d+(?:\.\d+)?)(?: ?[,; ] ?{STAY})?')
LONGEST_STAY = 86_400.0     # s


class DrawnPlace(NamedTuple):
    """A place, degrees north and east; `hold`: how long the boat stays there, s."""

    latitude: float
    longitude: float
    hold: float = 0.0


class SketchedPlan(NamedTuple):
    """
    What was drawn: AREA or WAY; its places; the corners of each hole of an area; as texts the distance of lanes, their
    direction, and how long a marker means that the boat stays; the name of the plan that was made of it, if one was.
    """

    kind: str
    places: tuple[DrawnPlace, ...]
    holes: tuple[tuple[DrawnPlace, ...], ...] = ()
    spacing: str = '25'
    direction: str = ''
    stay: str = '10 min'
    file: str = ''

    def with_shape(self, kind: str, places: Sequence[DrawnPlace]) -> 'SketchedPlan':
        """
        Return the drawing with one more shape: a line is a way, a first area is that, others are holes in it.

        :param kind: `polyline`, `marker`, at which the boat stays at the way's nearest place, or else an area.
        :raises InputError: For a marker, if there is no way, or the stay is none.
        """
        if kind == 'polyline':
            return self._replace(kind=WAY, places=tuple(places), holes=())
        if kind != 'marker':
            shape = {'holes': (*self.holes, tuple(places))} if self.kind == AREA and self.places else {
                'kind': AREA, 'places': tuple(places), 'holes': ()}
            return self._replace(**shape)
        if self.kind != WAY or not self.places:
            raise InputError('first draw a line: at a marker the boat stays at the nearest place of the way')
        latitude, longitude, _ = np.array(self.places, dtype=float).T
        nearest = int(np.argmin(np.hypot(*LocalPlane(places[0][:2]).to_local(latitude, longitude))))
        changed = self.places[nearest]._replace(hold=stay_of(self.stay))
        return self._replace(places=(*self.places[:nearest], changed, *self.places[nearest + 1:]))


def mission_of_drawing(drawing: SketchedPlan, speed: float | None = None) -> tuple[Mission, str]:
    """
    Return the mission of a drawing, and a note about it.

    :param speed: Over ground on all legs, m/s; None: the mission gives none.
    :raises InputError: If it has too few or too many places, the area is none, or a text of it is wrong.
    """
    least, kind = (3, 'corners of an area') if drawing.kind == AREA else (2, 'places of a way')
    if not least <= len(drawing.places) <= MOST_PLACES:
        raise InputError(f'{len(drawing.places)} places were drawn; must be {least} to {MOST_PLACES} {kind}')
    for number, hole in enumerate(drawing.holes, start=1):
        if not 3 <= len(hole) <= MOST_PLACES:
            raise InputError(f'area {number} that is left out has {len(hole)} corners; must be 3 to {MOST_PLACES}')
    places = [checked_place(*place[:2], f'place {number}') for number, place in enumerate(drawing.places, start=1)]
    holds = [place.hold for place in drawing.places]
    if drawing.kind == WAY:
        origin = places[0]
        note = f'{len(places)} places' + (
            f', a stay of {seconds(sum(holds))} in all{_stays(holds)}' if any(holds) else '')
        return pattern_mission('drawn way', [local_place(place, origin) for place in places], origin, speed,
                               holds=holds), note
    if any(place.hold for ring in (drawing.places, *drawing.holes) for place in ring):
        raise InputError('a corner of an area has a stay; only a boat that goes from place to place stays at one')
    area = _area(drawing)
    spacing = length_of(drawing.spacing, 'distance of lanes')
    angle = course_of(drawing.direction, 'direction of lanes') if drawing.direction.strip() else (
        angle_of_fewest_lanes(area.corners))
    lanes = lawnmower(area.corners, spacing, angle, None, area.holes)
    note = f'{lanes.lanes} lanes {lanes.spacing:.2f} m apart along {compass_words(angle)}' + (
        '' if lanes.spacing > 0.999 * spacing else f', evenly over the area: {spacing:g} m at most')
    for number in range(len(area.holes)):
        others = area.holes[:number] + area.holes[number + 1:]
        if lawnmower(area.corners, spacing, angle, None, others).places == lanes.places:
            note += f'; area {number + 1} that is left out changes no lane'
    return pattern_mission('lawnmower', lanes.places, area.origin, speed), note


def _area(drawing: SketchedPlan) -> Area:
    """Return the area of a drawing, read as `mission make --area` reads a file of it."""
    rings = [[[east, north] for north, east, _ in (*ring, ring[0])] for ring in (drawing.places, *drawing.holes)]
    polygon = {'type': 'Feature', 'properties': {}, 'geometry': {'type': 'Polygon', 'coordinates': rings}}
    with TemporaryDirectory() as own:
        path = Path(own) / 'drawn area.geojson'
        path.write_text(json.dumps(polygon), encoding='utf-8')
        try:
            return area_of(path)
        except InputError as error:
            raise InputError(str(error).replace(f'{own}/', '')) from None


def _stays(holds: Sequence[float]) -> str:
    """Return the words of the places at which the boat stays, at most ten of them."""
    names = [str(number) for number, hold in enumerate(holds, start=1) if hold]
    return f' at place {names[0]}' if len(names) == 1 else (
        f' at the places {", ".join(names[:10])}{" ..." if len(names) > 10 else ""}')


def stay_of(text: str) -> float:
    """Return how long a stay is, s; raises InputError for a text that is no time, or too long."""
    found = re.fullmatch(STAY, text.strip())
    hold = duration_of(text, 'stay') if found else math.inf
    if hold > LONGEST_STAY:
        raise InputError(f'stay is {safe_name(text)!r}; must be up to a day, as 90 s, 10 min or 1.5 h')
    return hold


def rings_of_text(text: str) -> list[tuple[DrawnPlace, ...]]:
    """
    Return the rings of a text: the places of a way, or an area and after each empty line one that is left out of it.

    :param text: A place a line, latitude and longitude, degrees, `45.6073, 9.5524`; where the boat stays, also how
        long, `45.6073, 9.5524, 10 min`.
    :raises InputError: For a line that is none: its number, and what is allowed.
    """
    rings: list[list[DrawnPlace]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            rings += [[]] if rings[-1] else []
            continue
        found = LINE.fullmatch(' '.join(line.split()))
        if found is None:
            raise InputError(f'line {number} is {safe_name(line)!r}; must be latitude and longitude, degrees, as '
                             '45.6073, 9.5524, and for a stay its time, as 45.6073, 9.5524, 10 min')
        place = checked_place(float(found[1]), float(found[2]), f'line {number}')
        rings[-1].append(DrawnPlace(*place, stay_of(f'{found[3]} {found[4]}') if found[3] else 0.0))
    return [tuple(ring) for ring in rings if ring] or [()]


def text_of_rings(drawing: SketchedPlan) -> str:
    """Return the places of a drawing as lines, as `rings_of_text` reads them."""
    def line(place: DrawnPlace) -> str:
        stay = '' if not place.hold else f', {place.hold:g} s' if place.hold % 60.0 else f', {place.hold / 60.0:g} min'
        return f'{place.latitude:.6f}, {place.longitude:.6f}{stay}'

    return '\n\n'.join('\n'.join(map(line, ring)) for ring in (drawing.places, *drawing.holes))
