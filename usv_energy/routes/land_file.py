"""Land and closed areas of a file (GeoJSON, shapefile, GeoPackage, KML...) as shapes in the world's metres."""

from pathlib import Path
from typing import Any

import numpy as np

from ..earth import half_turn
from ..files.errors import InputError
from ..files.optional import optional
from ..files.user_path import user_path
from ..flow.field import Extent
from .file_map import FileMap, file_map
from .geojson_areas import FileShapes, read_geojson
from .world_frame import WorldFrame

JSON = ('.geojson', '.json')
TABLES = ('.shp', '.gpkg', '.fgb', '.kml', '.gml', '.zip')
LONGEST_EDGE = 0.1      # Degrees: a longer one is cut, as a straight line of degrees is none in metres.
ROOM = 0.05             # Share of the region that is looked at around it.
SAMPLES = 9             # Places along each side of the region that say which degrees it covers.
SPAN = 3.0e6            # m: half the region that is looked at where nobody says one.


def read_land(path: Path | str, frame: WorldFrame | None, metres: bool = False,
              region: Extent | None = None) -> list[Any]:
    """
    Return what of a file's areas, lines and points lies in a region, as geometries of shapely in the world, m.

    :param path: Its ending says the format: .geojson, .json; .shp, .gpkg, .fgb, .kml, .gml, .zip by pyogrio.
    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param metres: The file is in the world's metres, whatever it says itself.
    :param region: The part of the world that counts, m; None: 3000 km around its origin.
    :raises InputError: If it cannot be read, holds nothing, says not where it lies, or jumps over the dateline.
    """
    path = user_path(path)
    if not path.exists():
        raise InputError(f'{path}: there is no such file')
    suffix = path.suffix.lower()
    if suffix not in (*JSON, *TABLES):
        raise InputError(f'{path}: ends with {path.suffix!r}; must be one of {", ".join((*JSON, *TABLES))}')
    found = read_geojson(path) if suffix in JSON else _read_table(path)
    if not found.shapes:
        raise InputError(f'{path}: holds no area, line or point')
    # RFC 7946: without a `crs` a GeoJSON file is in degrees.
    placed = file_map(path, found.crs or ('EPSG:4326' if suffix in JSON else None), frame, metres)
    shapely = optional('shapely', 'flow', 'land and closed areas')
    shapes = np.array(found.shapes, dtype=object)
    if placed.frame is None:
        return list(shapes)
    return _in_world(shapely, shapes, placed, region or (-SPAN, -SPAN, SPAN, SPAN))


def _read_table(path: Path) -> FileShapes:
    shapely = optional('shapely', 'flow', 'land and closed areas')
    pyogrio = optional('pyogrio', 'flow', f'{path}: shapefiles and their like (GeoJSON is read without: ogr2ogr)')
    raw = optional('pyogrio.raw', 'flow', f'{path}: shapefiles and their like')
    try:
        about, _, shapes, _ = raw.read(path, columns=[])
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, ValueError) as error:
        raise InputError(f'{path}: cannot be read: {error}') from None
    return FileShapes([shape for shape in shapely.from_wkb(shapes) if shape is not None and not shape.is_empty],
                      about.get('crs'))


def _in_world(shapely: Any, shapes: np.ndarray, placed: FileMap, region: Extent) -> list[Any]:
    """Return the shapes within a region of the world, in its metres."""
    shapes = shapely.make_valid(shapely.force_2d(shapes))
    if not placed.degrees:
        west, south, east, north = _bounds(*placed.to_file(*_around(region)))
        kept = shapely.intersection(shapes, shapely.box(west, south, east, north))
        return _moved(shapely, kept, placed)
    longitude, latitude = placed.to_file(*_around(region))
    middle = float(placed.to_file(*(np.array([0.5 * (region[k] + region[k + 2])]) for k in (0, 1)))[0][0])
    _, south, _, north = _bounds(longitude, latitude)
    half = float(np.abs(half_turn(longitude - middle)).max()) * (1.0 + ROOM)
    found = []
    for turn in (-360.0, 0.0, 360.0):
        box = (middle - half - turn, max(south, -90.0), middle + half - turn, min(north, 90.0))
        here = shapes[shapely.intersects(shapely.box(*shapely.bounds(shapes).T), shapely.box(*box))]
        _refuse_jumps(shapely, here, placed.path)
        kept = shapely.segmentize(shapely.intersection(here, shapely.box(*box)), LONGEST_EDGE)
        found += _moved(shapely, kept, placed)
    return found


def _moved(shapely: Any, shapes: np.ndarray, placed: FileMap) -> list[Any]:
    shapes = shapes[~shapely.is_empty(shapes)]
    return list(shapely.transform(shapes, lambda xy: np.column_stack(placed.to_world(xy[:, 0], xy[:, 1]))))


def _around(region: Extent) -> tuple[np.ndarray, np.ndarray]:
    """Return places over a region, which tell its bounds on another map, m."""
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


def _refuse_jumps(shapely: Any, shapes: np.ndarray, path: Path) -> None:
    """Refuse edges of more than half a turn, which are meant to go the other way, over the dateline."""
    xy, owner = shapely.get_coordinates(_rings(shapely, shapes), return_index=True)
    far = (np.abs(np.diff(xy[:, 0])) > 180.0) & (owner[1:] == owner[:-1]) & (np.abs(xy[1:, 1]) < 89.0)
    if far.any():
        at = int(np.argmax(far))
        raise InputError(f'{path}: an edge goes from longitude {xy[at, 0]:g} to {xy[at + 1, 0]:g}, over the dateline; '
                         'an area that crosses it must be cut there (RFC 7946, 3.1.9), or go on beyond 180')
