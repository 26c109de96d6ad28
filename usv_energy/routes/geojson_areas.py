"""GeoJSON (RFC 7946) as areas, lines and points of shapely, holes included; errors name what is wrong in it."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from ..files.text_file import open_text
from ..missions.formats.json_document import a_list, a_mapping, a_number, parsed_json, shown

# Of each geometry how deep its positions lie in lists, and what makes it of them.
KINDS = {'Point': (0, 'Point'), 'MultiPoint': (1, 'MultiPoint'), 'LineString': (1, 'LineString'),
         'MultiLineString': (2, 'MultiLineString'), 'Polygon': (2, 'Polygon'), 'MultiPolygon': (3, 'MultiPolygon')}
TYPES = ('FeatureCollection', 'Feature', 'GeometryCollection', *KINDS)
DEEPEST = 100           # Collections in collections.
LEAST = {'LineString': 2, 'MultiLineString': 2, 'Polygon': 4, 'MultiPolygon': 4}    # Positions, of a line or ring.


class FileShapes(NamedTuple):
    """Geometries of shapely in a file's coordinates, x first, and its coordinate system as pyproj takes it, or None."""

    shapes: list[Any]
    crs: str | None


def read_geojson(path: Path) -> FileShapes:
    """
    Return the areas, lines and points of a GeoJSON file; their coordinate system where an old file names one (`crs`).

    :raises InputError: If it is no GeoJSON: file, key, value, what is allowed.
    """
    with open_text(path) as file:
        document = parsed_json(file.read(), path)
    shapes = list(_shapes(document, f'{path}: $', 0))
    return FileShapes(shapes, _crs(document, path))


def _crs(document: dict[str, Any], path: Path) -> str | None:
    crs = document.get('crs')
    if crs is None:
        return None
    name = crs.get('properties', {}).get('name') if isinstance(crs, dict) else None
    if not isinstance(name, str):
        raise InputError(f'{path}: crs is {shown(crs)}; must be {{"type": "name", "properties": {{"name": ...}}}}')
    return name


def _shapes(value: Any, where: str, depth: int) -> list[Any]:
    kind = a_mapping(value, where).get('type')
    if kind not in TYPES or depth > DEEPEST:
        raise InputError(f'{where}.type is {shown(kind)}; must be one of {", ".join(TYPES)}')
    if kind == 'Feature':
        inner = value.get('geometry')
        return [] if inner is None else _shapes(inner, f'{where}.geometry', depth + 1)
    if kind in ('FeatureCollection', 'GeometryCollection'):
        key = 'features' if kind == 'FeatureCollection' else 'geometries'
        return [shape for number, inner in enumerate(a_list(value.get(key), f'{where}.{key}'))
                for shape in _shapes(inner, f'{where}.{key}[{number}]', depth + 1)]
    return _geometry(kind, value.get('coordinates'), f'{where}.coordinates')


def _geometry(kind: str, value: Any, where: str) -> list[Any]:
    shapely = optional('shapely', 'flow', 'land and closed areas')
    deep, name = KINDS[kind]
    lists = _positions(value, where, deep, LEAST.get(kind, 0))
    if not len(lists):
        return []
    if kind == 'MultiPolygon':
        return [shapely.MultiPolygon([(polygon[0], polygon[1:]) for polygon in lists if polygon])]
    return [shapely.Polygon(lists[0], lists[1:]) if kind == 'Polygon' else getattr(shapely, name)(lists)]


def _positions(value: Any, where: str, deep: int, least: int) -> Any:
    """Return the positions at the bottom of so many lists, x and y only."""
    if deep > 1:
        return [_positions(inner, f'{where}[{number}]', deep - 1, least)
                for number, inner in enumerate(a_list(value, where))]
    if deep == 0:
        return _position(value, where)
    try:        # At once where all is as it should be.
        found = np.array([inner[:2] for inner in a_list(value, where)], dtype=float).reshape(-1, 2)
        sound = bool(np.isfinite(found).all()) and all(len(inner) >= 2 for inner in value)
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        found = np.array([_position(inner, f'{where}[{number}]') for number, inner in enumerate(value)])
    if len(found) < least:
        raise InputError(f'{where}: {len(found)} positions; must be at least {least}')
    if least == 4 and not np.array_equal(found[0], found[-1]):
        raise InputError(f'{where}: the ring ends at {shown(value[-1])}; must end where it begins, at '
                         f'{shown(value[0])}')
    return found


def _position(value: Any, where: str) -> tuple[float, float]:
    position = a_list(value, where)
    if len(position) < 2:
        raise InputError(f'{where} is {shown(value)}; must be [longitude, latitude]')
    return a_number(position[0], f'{where}[0]'), a_number(position[1], f'{where}[1]')
