"""GeoJSON (RFC 7946): lines, points and rings; what a boat does at a point stands in properties of the line."""

import json
from pathlib import Path
from typing import Any

from usv_energy.earth import Place, enu_angle
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import MapContent, MapLine, MapPoint, a_list, a_mapping, a_number, shown
from usv_energy.missions.formats.gpx import FIELDS, fields_of
from usv_energy.missions.itinerary import CIRCLE, GO, RETURN, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace, check_number, checked_place

OURS = 'usv_energy'  # the property that holds our own: home, speed, and a mapping for each point
GEOMETRIES = ('Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon')
TYPES = ('FeatureCollection', 'Feature', 'GeometryCollection', *GEOMETRIES)
DEEPEST = 100  # collections in collections


class _Content:
    """What a GeoJSON file holds, as it is read."""

    def __init__(self, path: Path) -> None:
        self.lines: list[MapLine] = []
        self.points: list[MapPoint] = []
        self.home: Place | None = None
        self.speed: float | None = None
        self.remarks: list[str] = []
        self._path = path

    def add(self, value: Any, where: str, properties: dict[str, Any], depth: int = 0) -> None:
        """Read an object with its name: a collection, a feature, a geometry."""
        kind = a_mapping(value, where).get('type')
        if kind not in TYPES or depth > DEEPEST:
            raise InputError(f'{where}.type is {shown(kind)}; must be one of {", ".join(TYPES)}')
        if kind in ('FeatureCollection', 'GeometryCollection'):
            key = 'features' if kind == 'FeatureCollection' else 'geometries'
            for number, inner in enumerate(a_list(value.get(key), f'{where}.{key}')):
                self.add(inner, f'{where}.{key}[{number}]', properties, depth + 1)
        elif kind == 'Feature':
            if value.get('geometry') is not None:
                own = a_mapping(value.get('properties') or {}, f'{where}.properties')
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
                point for line in a_list(value, where) for point in _points(line, where, None)]))
        else:
            polygons = [value] if kind == 'Polygon' else a_list(value, where)
            self.lines += [MapLine('ring', name, self._ring(polygon, where)) for polygon in polygons]
        if ours is not None:
            self._mission(ours, where)

    def _ring(self, value: Any, where: str) -> list[MapPoint]:
        rings = a_list(value, where)
        if len(rings) > 1:
            self.remarks.append(f'{len(rings) - 1} holes of a polygon are left out')
        return _points(rings[0], where, None) if rings else []

    def _mission(self, ours: dict[str, Any], where: str) -> None:
        if (home := ours.get('home')) is not None:
            self.home = _place(home, f'{where}: home')
        if (speed := ours.get('speed')) is not None:
            self.speed = a_number(speed, f'{where}: speed')


def geojson_content(document: Any, path: Path) -> MapContent:
    """
    Return what a GeoJSON file holds: lines, rings of polygons (the outer ones), points.

    :param document: The file's content.
    :param path: Of the file, for errors.
    :raises InputError: If a value is wrong: file, key, value, what is allowed.
    """
    content = _Content(path)
    content.add(document, f'{path}: $', {})
    return MapContent(content.lines, content.points, content.home, content.speed, content.remarks)


def _points(value: Any, where: str, ours: dict[str, Any] | None) -> list[MapPoint]:
    check_number(len(a_list(value, where)), where)
    places = [_place(position, f'{where}[{number}]') for number, position in enumerate(value)]
    said = ours.get('waypoints') if ours is not None else None
    if not isinstance(said, list) or len(said) != len(places):
        return [MapPoint(place) for place in places]
    return [_said(inner, place, number, f'{where}[{number - 1}]')
            for number, (place, inner) in enumerate(zip(places, said), start=1)]


def _place(value: Any, where: str) -> Place:
    position = a_list(value, where)
    if len(position) < 2:
        raise InputError(f'{where} is {shown(value)}; must be [longitude, latitude]')
    longitude, latitude = (a_number(number, where) for number in position[:2])
    return checked_place(latitude, longitude, where)


def _said(value: Any, place: Place, number: int, where: str) -> MapPoint:
    """Return a point with what our properties say of it."""
    if not isinstance(value, dict) or value.get('doing') not in (GO, CIRCLE, RETURN):
        return MapPoint(place)
    speed, radius, hold, heading, turns, circle = (
        None if value.get(field) is None else a_number(value[field], f'{where}: {field}') for field in FIELDS)
    name = value['name'] if isinstance(value.get('name'), str) else ''
    return MapPoint(place, name, Waypoint(
        place, number, value['doing'], name, speed, radius, hold or 0.0,
        None if heading is None else enu_angle(heading), turns or 0.0,
        circle or 0.0))


def geojson_text(itinerary: Itinerary) -> str:
    """
    Return an itinerary as a GeoJSON file: a feature with a line, or a point where there is one place only.

    :param itinerary: In degrees.
    """
    places = [_position(waypoint.place) for waypoint in itinerary.waypoints]
    ours = {'waypoints': [{**({'name': waypoint.name} if waypoint.name else {}), 'doing': waypoint.doing,
                           **fields_of(waypoint)} for waypoint in itinerary.waypoints],
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
