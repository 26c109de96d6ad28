"""GeoJSON (RFC 7946): lines, points and rings; properties of a line hold what the boat does at its points."""

import json
from pathlib import Path
from typing import Any

from usv_energy.earth import Place, enu_angle
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import (
    MapContent,
    MapLine,
    MapPoint,
    checked_list,
    checked_mapping,
    checked_number,
    json_excerpt,
)
from usv_energy.missions.formats.gpx import FIELDS, waypoint_fields
from usv_energy.missions.itinerary import CIRCLE, GO, RETURN, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace, check_item_count, checked_place

OURS = 'usv_energy'  # the property that holds our own: home, speed, and a mapping for each point
GEOMETRIES = ('Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon')
TYPES = ('FeatureCollection', 'Feature', 'GeometryCollection', *GEOMETRIES)
DEEPEST = 100  # levels of collections in collections


class _Reader:
    """Reads the objects of a GeoJSON file, and collects its lines and points."""

    def __init__(self, path: Path) -> None:
        self.lines: list[MapLine] = []
        self.points: list[MapPoint] = []
        self.home: Place | None = None
        self.speed: float | None = None
        self._path = path

    def add(self, value: Any, where: str, properties: dict[str, Any], depth: int = 0) -> None:
        """Read a collection, a feature or a geometry; `where` names it in errors."""
        kind = checked_mapping(value, where).get('type')
        if kind not in TYPES or depth > DEEPEST:
            raise InputError(f'{where}.type is {json_excerpt(kind)}; must be one of {", ".join(TYPES)}')
        if kind in ('FeatureCollection', 'GeometryCollection'):
            key = 'features' if kind == 'FeatureCollection' else 'geometries'
            for number, inner in enumerate(checked_list(value.get(key), f'{where}.{key}')):
                self.add(inner, f'{where}.{key}[{number}]', properties, depth + 1)
        elif kind == 'Feature':
            if value.get('geometry') is not None:
                own = checked_mapping(value.get('properties') or {}, f'{where}.properties')
                self.add(value['geometry'], f'{where}.geometry', own, depth + 1)
        else:
            self._geometry(kind, value.get('coordinates'), f'{where}.coordinates', properties)

    def _geometry(self, kind: str, value: Any, where: str, properties: dict[str, Any]) -> None:
        name = properties.get('name')
        name = name if isinstance(name, str) else ''
        ours = properties.get(OURS) if isinstance(properties.get(OURS), dict) else None
        if kind in ('Point', 'MultiPoint'):
            points = _points([value] if kind == 'Point' else value, where, ours)
            self.points += [point if point.name else point._replace(name=name) for point in points]
        elif kind == 'LineString':
            self.lines.append(MapLine('line', name, _points(value, where, ours)))
        elif kind == 'MultiLineString':
            self.lines.append(MapLine('line', name, [
                point for line in checked_list(value, where) for point in _points(line, where, None)]))
        else:
            polygons = [value] if kind == 'Polygon' else checked_list(value, where)
            for polygon in polygons:
                rings = [_points(ring, where, None) for ring in checked_list(polygon, where)]
                self.lines.append(MapLine('ring', name, rings[0] if rings else [], rings[1:]))
        if ours is not None:
            self._read_home_and_speed(ours, where)

    def _read_home_and_speed(self, ours: dict[str, Any], where: str) -> None:
        if (home := ours.get('home')) is not None:
            self.home = _place(home, f'{where}: home')
        if (speed := ours.get('speed')) is not None:
            self.speed = checked_number(speed, f'{where}: speed')


def geojson_content(document: Any, path: Path) -> MapContent:
    """
    Return what a GeoJSON file holds: lines, rings of polygons (the outer ones), points.

    :param document: The file's content.
    :param path: Of the file, for errors.
    :raises InputError: If a value is wrong: file, key, value, what is allowed.
    """
    reader = _Reader(path)
    reader.add(document, f'{path}: $', {})
    return MapContent(reader.lines, reader.points, reader.home, reader.speed)


def _points(value: Any, where: str, ours: dict[str, Any] | None) -> list[MapPoint]:
    check_item_count(len(checked_list(value, where)), where)
    places = [_place(position, f'{where}[{number}]') for number, position in enumerate(value)]
    waypoints = ours.get('waypoints') if ours is not None else None
    if not isinstance(waypoints, list) or len(waypoints) != len(places):
        return [MapPoint(place) for place in places]
    return [_point_with_waypoint(inner, place, number, f'{where}[{number - 1}]')
            for number, (place, inner) in enumerate(zip(places, waypoints), start=1)]


def _place(value: Any, where: str) -> Place:
    position = checked_list(value, where)
    if len(position) < 2:
        raise InputError(f'{where} is {json_excerpt(value)}; must be [longitude, latitude]')
    longitude, latitude = (checked_number(number, where) for number in position[:2])
    return checked_place(latitude, longitude, where)


def _point_with_waypoint(value: Any, place: Place, number: int, where: str) -> MapPoint:
    """Return a point with the waypoint that our properties describe, if they do."""
    if not isinstance(value, dict) or value.get('doing') not in (GO, CIRCLE, RETURN):
        return MapPoint(place)
    speed, radius, hold, heading, turns, circle = (
        None if value.get(field) is None else checked_number(value[field], f'{where}: {field}') for field in FIELDS)
    name = value['name'] if isinstance(value.get('name'), str) else ''
    return MapPoint(place, name, Waypoint(
        place, number, value['doing'], name, speed, radius, hold or 0.0,
        None if heading is None else enu_angle(heading), turns or 0.0,
        circle or 0.0))


def geojson_text(itinerary: Itinerary) -> str:
    """
    Return an itinerary as the text of a GeoJSON file: a feature with a line, or with a point if there is one place.

    :param itinerary: In degrees.
    """
    places = [_position(waypoint.place) for waypoint in itinerary.waypoints]
    ours = {'waypoints': [{**({'name': waypoint.name} if waypoint.name else {}), 'doing': waypoint.doing,
                           **waypoint_fields(waypoint)} for waypoint in itinerary.waypoints],
            **({'home': _position(itinerary.start)} if itinerary.has_home else {}),
            **({} if itinerary.speed is None else {'speed': itinerary.speed})}
    geometry = {'type': 'LineString', 'coordinates': places} if len(places) > 1 else {
        'type': 'Point', 'coordinates': places[0]}
    feature = {'type': 'Feature', 'properties': {'name': itinerary.name, OURS: ours}, 'geometry': geometry}
    return json.dumps({'type': 'FeatureCollection', 'features': [feature]}, indent=1, allow_nan=False) + '\n'


def _position(place: Place | LocalPlace) -> list[float]:
    if isinstance(place, LocalPlace):
        raise InputError('a GeoJSON file needs latitudes and longitudes, and the mission has local metres')
    return [place.longitude, place.latitude]
