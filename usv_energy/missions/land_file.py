"""Land and closed areas from a file, as shapes in the world's metres."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from usv_energy.earth import Pair, half_turn
from usv_energy.files.errors import InputError, counted
from usv_energy.files.locate import user_path
from usv_energy.files.optional import optional
from usv_energy.files.parsed_text import read_json
from usv_energy.files.side_process import guarded, limit_work
from usv_energy.files.what_file import LAND, refuse_other_file
from usv_energy.files.work import cores
from usv_energy.flow.field import Extent
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.missions.formats.documents import (
    checked_list,
    checked_mapping,
    checked_number,
    json_excerpt,
)

WORLD = ('world', 'local')      # names of the coordinate system of a file in the world's metres
# Per GeoJSON geometry: how deep its positions are nested in lists, and the constructor of shapely.
GEOMETRIES = {'Point': (0, 'Point'), 'MultiPoint': (1, 'MultiPoint'), 'LineString': (1, 'LineString'),
              'MultiLineString': (2, 'MultiLineString'), 'Polygon': (2, 'Polygon'),
              'MultiPolygon': (3, 'MultiPolygon')}
TYPES = ('FeatureCollection', 'Feature', 'GeometryCollection', *GEOMETRIES)
DEEPEST = 100           # levels of collections in collections
LEAST_POSITIONS = {'LineString': 2, 'MultiLineString': 2, 'Polygon': 4, 'MultiPolygon': 4}    # of a line or ring
JSON = ('.geojson', '.json')
TABLES = ('.shp', '.gpkg', '.fgb', '.kml', '.gml', '.zip')
LONGEST_EDGE = 0.1      # degrees: a longer edge is cut, because a line straight in degrees is curved in metres
ROOM = 0.05             # margin around the region, as a share of its size
MOST_CROSSINGS = 10_000     # of a file's edges with one another, and one more for two edges
PAIRS_AT_ONCE = 2_000_000   # of edges whose boxes meet
# Of the process that reads by GDAL: memory, in all, for each core and for each byte of the file; and processor time, s.
MEMORY, CORE_MEMORY, MEMORY_PER_BYTE, SECONDS, BYTES_PER_SECOND = 1 << 30, 1 << 27, 20, 6.0, 1e7
SAMPLES = 9             # places along each side of the region, which determine its bounds in the file's coordinates
SPAN = 3.0e6            # m: half the size of the default region


class FileMap:
    """
    Converts between a file's coordinates and the world's metres, in arrays of any shape; safe for threads.

    `frame` is None if they are the same. `degrees`: the file is in longitude and latitude.
    """

    def __init__(self, path: Path, crs: CRS | None, frame: WorldFrame | None) -> None:
        """Take the file's path, for errors, its coordinate system, and where the world lies; None, None: the same."""
        self.path, self.frame = path, frame
        self.degrees = crs is not None and crs.is_geographic
        self._to_degrees: Any = None if crs is None or self.degrees else Transformer.from_crs(
            crs, 'EPSG:4326', always_xy=True)
        self._from_degrees: Any = None if self._to_degrees is None else Transformer.from_crs(
            'EPSG:4326', crs, always_xy=True)

    def to_world(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return m in the world of the file's coordinates, x (longitude) first."""
        if self.frame is None:
            return x, y
        longitude, latitude = (x, y) if self._to_degrees is None else self._to_degrees.transform(x, y)
        return self.frame.to_local(latitude, longitude)

    def to_file(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return the file's coordinates, x (longitude) first, of places in the world, m."""
        if self.frame is None:
            return x, y
        latitude, longitude = self.frame.to_geodetic(x, y)
        if self._from_degrees is None:
            return longitude, latitude
        east, north = self._from_degrees.transform(longitude, latitude)
        return np.asarray(east), np.asarray(north)


def file_map(path: Path, crs: str | None, frame: WorldFrame | None, metres: bool) -> FileMap:
    """
    Return the conversion from a file's coordinates to the world's.

    :param crs: Its coordinate system as pyproj takes it; `world` or a local one is the world's metres; None: unknown.
    :param frame: Where the world lies on the Earth; None if unknown.
    :param metres: The file is in the world's metres, whatever it says itself.
    :raises InputError: If the system is unknown or missing, or it is unknown where the world lies.
    """
    if metres or (crs is not None and crs.lower() in WORLD):
        return FileMap(path, None, None)
    if crs is None:
        raise InputError(f'{path}: does not say in which coordinates it is (no .prj, no projection); name them in it, '
                         "or give --land-metres if they are the world's metres")
    try:
        known = CRS.from_user_input(crs)
    except CRSError:
        raise InputError(f'{path}: its coordinate system is {crs[:60]!r}, which pyproj does not know') from None
    if known.is_engineering:
        return FileMap(path, None, None)
    if frame is None:
        raise InputError(f'{path}: is in {"degrees" if known.is_geographic else known.name}, and nobody says where on '
                         "the Earth the world's metres lie; give --origin LATITUDE LONGITUDE, or --land-metres if the "
                         "file is in the world's metres")
    return FileMap(path, known, frame)


class FileShapes(NamedTuple):
    """Geometries of shapely in a file's coordinates, x first, and its coordinate system as pyproj takes it, or None."""

    shapes: list[Any]
    crs: str | None


def read_geojson(path: Path) -> FileShapes:
    """
    Return the areas, lines and points of a GeoJSON file, and their coordinate system if an old file names it (`crs`).

    :raises InputError: If it is not GeoJSON: file, key, value, what is allowed.
    """
    document = read_json(path, 'a map')
    shapes = list(_shapes(document, f'{path}: $', 0))
    return FileShapes(shapes, _crs(document, path))


def _crs(document: dict[str, Any], path: Path) -> str | None:
    crs = document.get('crs')
    if crs is None:
        return None
    name = crs.get('properties', {}).get('name') if isinstance(crs, dict) else None
    if not isinstance(name, str):
        raise InputError(f'{path}: crs is {json_excerpt(crs)}; must be '
                         f'{{"type": "name", "properties": {{"name": ...}}}}')
    return name


def _shapes(value: Any, where: str, depth: int) -> list[Any]:
    kind = checked_mapping(value, where).get('type')
    if kind not in TYPES or depth > DEEPEST:
        raise InputError(f'{where}.type is {json_excerpt(kind)}; must be one of {", ".join(TYPES)}')
    if kind == 'Feature':
        inner = value.get('geometry')
        return [] if inner is None else _shapes(inner, f'{where}.geometry', depth + 1)
    if kind in ('FeatureCollection', 'GeometryCollection'):
        key = 'features' if kind == 'FeatureCollection' else 'geometries'
        return [shape for number, inner in enumerate(checked_list(value.get(key), f'{where}.{key}'))
                for shape in _shapes(inner, f'{where}.{key}[{number}]', depth + 1)]
    return _geometry(kind, value.get('coordinates'), f'{where}.coordinates')


def _geometry(kind: str, value: Any, where: str) -> list[Any]:
    shapely = optional('shapely', 'flow', 'land and closed areas')
    nesting, name = GEOMETRIES[kind]
    lists = _positions(value, where, nesting, LEAST_POSITIONS.get(kind, 0))
    if not len(lists):
        return []
    if kind == 'MultiPolygon':
        return [shapely.MultiPolygon([(polygon[0], polygon[1:]) for polygon in lists if polygon])]
    return [shapely.Polygon(lists[0], lists[1:]) if kind == 'Polygon' else getattr(shapely, name)(lists)]


def _positions(value: Any, where: str, nesting: int, least: int) -> Any:
    """Return the positions, x and y only, in lists nested `nesting` levels deep."""
    if nesting > 1:
        return [_positions(inner, f'{where}[{number}]', nesting - 1, least)
                for number, inner in enumerate(checked_list(value, where))]
    if nesting == 0:
        return _position(value, where)
    checked_list(value, where)
    try:        # All positions at once; if one is wrong, one by one below for the error.
        found = np.array([inner[:2] for inner in value], dtype=float).reshape(-1, 2)
        sound = bool(np.isfinite(found).all()) and all(len(inner) >= 2 for inner in value)
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        found = np.array([_position(inner, f'{where}[{number}]') for number, inner in enumerate(value)])
    if len(found) < least:
        raise InputError(f'{where}: {len(found)} positions; must be at least {least}')
    if least == 4 and not np.array_equal(found[0], found[-1]):
        raise InputError(f'{where}: the ring ends at {json_excerpt(value[-1])}; must end where it begins, at '
                         f'{json_excerpt(value[0])}')
    return found


def _position(value: Any, where: str) -> tuple[float, float]:
    position = checked_list(value, where)
    if len(position) < 2:
        raise InputError(f'{where} is {json_excerpt(value)}; must be [longitude, latitude]')
    return checked_number(position[0], f'{where}[0]'), checked_number(position[1], f'{where}[1]')


def read_land(path: Path | str, frame: WorldFrame | None, metres: bool = False,
              region: Extent | None = None) -> list[Any]:
    """
    Return the areas, lines and points of a file within a region, as geometries of shapely in the world, m.

    :param path: Its ending decides the format: .geojson, .json; .shp, .gpkg, .fgb, .kml, .gml, .zip by pyogrio.
    :param frame: Where the world lies on the Earth; None if unknown.
    :param metres: The file is in the world's metres, whatever it says itself.
    :param region: The part of the world that is read, m; None: 3000 km around its origin.
    :raises InputError: If it cannot be read, is empty, has no known coordinates, or an edge crosses the dateline.
    """
    path = user_path(path)
    if not path.exists():
        raise InputError(f'{path}: there is no such file')
    suffix = path.suffix.lower()
    if suffix not in (*JSON, *TABLES):
        refuse_other_file(path, LAND)
        raise InputError(f'{path}: ends with {path.suffix!r}; must be one of {", ".join((*JSON, *TABLES))}')
    found = read_geojson(path) if suffix in JSON else _read_table(path)
    if not found.shapes:
        raise InputError(f'{path}: holds no area, line or point')
    # RFC 7946: without a `crs` a GeoJSON file is in degrees.
    placed = file_map(path, found.crs or ('EPSG:4326' if suffix in JSON else None), frame, metres)
    shapely = optional('shapely', 'flow', 'land and closed areas')
    shapes = shapely.force_2d(np.array(found.shapes, dtype=object))
    refuse_crossings(list(shapes), path)
    if placed.frame is None:
        return list(shapes)
    return _in_world(shapely, shapes, placed, region or (-SPAN, -SPAN, SPAN, SPAN))


def _read_table(path: Path) -> FileShapes:
    shapely = optional('shapely', 'flow', 'land and closed areas')
    if find_spec('pyogrio') is None:    # Only found here: the other process imports it.
        optional('pyogrio', 'flow', f'{path}: shapefiles and their like (GeoJSON is read without: ogr2ogr)')
    crs, shapes = guarded(path, 'GDAL', _table, path)
    try:
        geometries = shapely.from_wkb(shapes)
    except shapely.errors.GEOSException as error:
        raise InputError(f'{path}: holds a shape that is none: {error}') from None
    if missing := sum(shape is None for shape in geometries):
        raise InputError(f'{path}: {missing} of {counted(len(geometries), "shape")} cannot be read: the file is '
                         'damaged, or has rows without a shape; ogr2ogr copies those that have one by '
                         '-where "OGR_GEOMETRY IS NOT NULL"')
    return FileShapes([shape for shape in geometries if not shape.is_empty], crs)


def _table(path: Path) -> tuple[str | None, np.ndarray]:
    """Return a file's coordinate system and its shapes as WKB, in the other process: GDAL reads without end."""
    errors, raw = import_module('pyogrio.errors'), import_module('pyogrio.raw')
    size = path.stat().st_size
    limit_work(MEMORY + CORE_MEMORY * cores() + MEMORY_PER_BYTE * size, SECONDS + size / BYTES_PER_SECOND)
    try:
        about, _, shapes, _ = raw.read(path, columns=[])
    except (errors.DataSourceError, errors.DataLayerError, ValueError) as error:
        raise InputError(f'{path}: cannot be read: {error}') from None
    except IndexError:
        raise InputError(f'{path}: cannot be read: it has no layer of shapes') from None
    return about.get('crs'), np.zeros(0, dtype=object) if shapes is None else shapes


def _in_world(shapely: Any, shapes: np.ndarray, placed: FileMap, region: Extent) -> list[Any]:
    """Return the shapes within a region of the world, in its metres."""
    shapes = shapely.make_valid(shapes)
    if not placed.degrees:
        west, south, east, north = _bounds(*placed.to_file(*_sample_places(region)))
        kept = shapely.intersection(shapes, shapely.box(west, south, east, north))
        return _transformed(shapely, kept, placed)
    longitude, latitude = placed.to_file(*_sample_places(region))
    middle = float(placed.to_file(*(np.array([0.5 * (region[k] + region[k + 2])]) for k in (0, 1)))[0][0])
    _, south, _, north = _bounds(longitude, latitude)
    half = float(np.abs(half_turn(longitude - middle)).max()) * (1.0 + ROOM)
    found = []
    for turn in (-360.0, 0.0, 360.0):
        box = (middle - half - turn, max(south, -90.0), middle + half - turn, min(north, 90.0))
        here = shapes[shapely.intersects(shapely.box(*shapely.bounds(shapes).T), shapely.box(*box))]
        _refuse_dateline_edges(shapely, here, placed.path)
        kept = shapely.segmentize(shapely.intersection(here, shapely.box(*box)), LONGEST_EDGE)
        found += _transformed(shapely, kept, placed)
    return found


def _transformed(shapely: Any, shapes: np.ndarray, placed: FileMap) -> list[Any]:
    shapes = shapes[~shapely.is_empty(shapes)]
    return list(shapely.transform(shapes, lambda xy: np.column_stack(placed.to_world(xy[:, 0], xy[:, 1]))))


def _sample_places(region: Extent) -> tuple[np.ndarray, np.ndarray]:
    """Return a grid of places over a region, m, which determine its bounds in other coordinates."""
    x, y = np.meshgrid(np.linspace(region[0], region[2], SAMPLES), np.linspace(region[1], region[3], SAMPLES))
    return x.ravel(), y.ravel()


def _bounds(x: np.ndarray, y: np.ndarray) -> Extent:
    x, y = x[np.isfinite(x)], y[np.isfinite(y)]
    dx, dy = ROOM * np.ptp(x), ROOM * np.ptp(y)
    return float(x.min() - dx), float(y.min() - dy), float(x.max() + dx), float(y.max() + dy)


def _rings(shapely: Any, shapes: np.ndarray) -> np.ndarray:
    parts = shapely.get_parts(shapely.get_parts(shapes))
    is_area = shapely.get_dimensions(parts) == 2
    return np.concatenate([shapely.get_rings(parts[is_area]), parts[~is_area]])


def refuse_crossings(shapes: Sequence[Any], source: object) -> None:
    """
    Refuse shapes whose edges cross, or whose rings enclose one another, so often that repair or union take minutes.

    :param shapes: Geometries of shapely.
    :param source: Where they are from, for the error.
    :raises InputError: If they do.
    """
    shapely = optional('shapely', 'flow', 'land and closed areas')
    rings, nested = _rings(shapely, np.array(shapes, dtype=object)), 0
    for one, _ in _near_pairs(shapely, rings):
        nested += one.size
        if nested > PAIRS_AT_ONCE // 2 + 20 * len(rings):
            raise InputError(f'{source}: so many of its {len(rings)} rings lie within one another that they are no '
                             'coast')
    xy, owner = shapely.get_coordinates(rings, return_index=True)
    inside = owner[1:] == owner[:-1]
    begin, end = xy[:-1][inside], xy[1:][inside]
    edges = shapely.linestrings(np.stack([begin, end], axis=1))
    near = crossings = 0
    for one, other in _near_pairs(shapely, edges):
        near += one.size
        if near <= PAIRS_AT_ONCE + 10 * len(edges):
            crossings += int(np.count_nonzero(_on_both_sides(begin[one], end[one], begin[other], end[other])
                                              & _on_both_sides(begin[other], end[other], begin[one], end[one])))
            if crossings <= MOST_CROSSINGS + len(edges) // 2:
                continue
        raise InputError(f'{source}: so many of its {len(edges)} edges cross, or lie over one another, that they '
                         'are no coast; an area must go around what is land, without crossing itself or others')


def _near_pairs(shapely: Any, shapes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the places of shapes whose boxes meet, the smaller place first, for some of them at a time."""
    tree, each = shapely.STRtree(shapes), min(max(PAIRS_AT_ONCE // max(len(shapes), 1), 20), 500)
    for at in range(0, len(shapes), each):
        one, other = tree.query(shapes[at:at + each])
        one += at
        yield one[one < other], other[one < other]


def _on_both_sides(begin: np.ndarray, end: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return where two points lie on different sides of the line through two others; shape (N, 2) each."""
    along = end - begin
    sides = [along[:, 0] * (point[:, 1] - begin[:, 1]) - along[:, 1] * (point[:, 0] - begin[:, 0])
             for point in (one, other)]
    return np.asarray(sides[0] * sides[1] < 0.0)


def _refuse_dateline_edges(shapely: Any, shapes: np.ndarray, path: Path) -> None:
    """Refuse edges over more than 180 degrees of longitude, which are meant to cross the dateline."""
    xy, owner = shapely.get_coordinates(_rings(shapely, shapes), return_index=True)
    far = (np.abs(np.diff(xy[:, 0])) > 180.0) & (owner[1:] == owner[:-1]) & (np.abs(xy[1:, 1]) < 89.0)
    if far.any():
        at = int(np.argmax(far))
        raise InputError(f'{path}: an edge goes from longitude {xy[at, 0]:g} to {xy[at + 1, 0]:g}, over the dateline; '
                         'an area that crosses it must be cut there (RFC 7946, 3.1.9), or go on beyond 180')
