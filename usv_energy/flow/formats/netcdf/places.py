"""Positions of the nodes of a netCDF file's velocities in local metres, from straight or curved axes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, half_turn, metres_per_degree, stretch
from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf import cf
from usv_energy.flow.formats.netcdf.netcdf_axes import axis_of
from usv_energy.flow.grids.curvilinear import Curvilinear

Options = Mapping[str, Any]
MAX_STRETCH = 0.005  # Relative error of distances on the local plane above which to warn.
HIGHEST = 85.0  # Degrees of latitude beyond which a plane of east and north metres is not valid.
FARTHEST = 60.0  # Largest distance of the nearest node from the origin, degrees of longitude.
HALF = 90.0  # Degrees of longitude from the origin beyond which nodes of grids around the Earth are left out.
WIDE = 5.0  # Degrees; a grid without a wider gap in longitude goes around the Earth.
RING = 1.5  # Widest gap of longitudes that go around the Earth, over the usual spacing.


class NodePlaces(NamedTuple):
    """
    Nodes of a velocity in local metres.

    `dimensions`: of the rows and of the columns. `x`, `y`: coordinates, m, of ascending columns and rows, with the
    file's index of each in `columns` and `rows`; or of a `lattice` of curves. `about`: entries for `describe`.
    """

    dimensions: tuple[str, str]
    about: dict[str, Any]
    x: np.ndarray = np.empty(0)
    y: np.ndarray = np.empty(0)
    columns: np.ndarray = np.empty(0, int)
    rows: np.ndarray = np.empty(0, int)
    lattice: Curvilinear | None = None


class _Axis(NamedTuple):
    """A horizontal axis: name of its dimension, kind (X, Y, LON, LAT), values in m or degrees."""

    name: str
    kind: str
    values: np.ndarray


def horizontal(store: Any, variable: str) -> tuple[Any, Any] | None:
    """
    Return the longitudes and latitudes, or x and y in metres, of a variable on a curvilinear grid, on two dimensions.

    None if its own axes give its position, or nothing does.
    """
    dimensions = [dimension for dimension in store[variable].dims if axis_of(store, dimension) not in ('T', 'Z')]
    own = {axis_of(store, dimension) for dimension in dimensions if dimension in store.coords}
    if {'LON', 'LAT'} <= own or {'X', 'Y'} <= own:
        return None
    return _curves(store, tuple(dimensions[-2:]))


def _curves(store: Any, dimensions: tuple[str, ...]) -> tuple[Any, Any] | None:
    """Return the variables with the positions of the nodes of two dimensions."""
    for kinds in (('LON', 'LAT'), ('X', 'Y')):
        found: dict[str, Any] = {}
        for name in store.variables:
            item = store[name]
            before = [axis_of(store, str(dimension)) for dimension in item.dims[:-2]]
            if item.dims[-2:] == dimensions and before in ([], ['T']):
                found.setdefault(cf.axis_of(str(name), item.attrs), item)
        if all(kind in found for kind in kinds):
            sides = [found[kind] for kind in kinds]
            lon, lat = (side.isel(dict.fromkeys(side.dims[:-2], 0)) for side in sides)
            return lon, lat
    return None


def refuse_unstructured(store: Any, path: Path, variable: str) -> None:
    """Raise InputError if a variable lies on a grid of triangles, polygons or points, along one dimension."""
    item = store[variable]
    told = next((str(name) for name in store.variables
                 if str(store[name].attrs.get('cf_role', '')) == 'mesh_topology'), '')
    alone = [str(dimension) for dimension in item.dims if {'LON', 'LAT'} <= {
        axis for name in store.variables if store[name].dims == (dimension,)
        and (axis := cf.axis_of(str(name), store[name].attrs))}]
    mesh = str(item.attrs.get('mesh', '')) or told
    if not alone and not item.attrs.get('mesh'):
        return
    about = ' '.join(str(store.attrs.get(key, '')) for key in ('source', 'title', 'Conventions', 'references'))
    kind = f'UGRID, mesh {mesh!r}' if mesh else 'FVCOM' if 'FVCOM' in about.upper() or 'nele' in alone else (
        'each of its places stands by itself')
    along = f' along the dimension {alone[0]!r} of {item.sizes[alone[0]]}' if alone else ''
    raise InputError(f'{path}: {variable} lies on an unstructured grid ({kind}){along}; the nodes of its faces '
                     'are not in the file (face_node_connectivity of UGRID; nv of FVCOM; SCHISM_hgrid_face_nodes with '
                     'SCHISM_hgrid_node_x and _y, in out2d_*.nc): add them with ncks -A, or regrid it with cdo remapnn')


def straight_places(store: Any, path: Path, axes: Mapping[str, str], options: Options) -> NodePlaces:
    """
    Return the nodes of a velocity whose dimensions are coordinates.

    :param axes: Names of the dimensions by kind.
    :raises InputError: If they are invalid or inconsistent, or the option origin is wrong.
    """
    x, y = (_axis(store, path, axes, kinds) for kinds in (('LON', 'X'), ('LAT', 'Y')))
    dimensions = (y.name, x.name)
    if (x.kind, y.kind) == ('X', 'Y'):
        if 'origin' in options:
            raise InputError(f'{path}: origin goes with longitude and latitude; this file has metres')
        about = {'coordinates': 'metres of a projection', 'notes': []}
        return NodePlaces(dimensions, about, x.values, y.values)._replace(**_rising(x.values, y.values))
    if (x.kind, y.kind) != ('LON', 'LAT'):
        raise InputError(f'{path}: {x.name} is {x.kind.lower()} and {y.name} {y.kind.lower()}; both must be degrees or '
                         'both lengths')
    east, north, about = local_metres(x.values, y.values, path, options)
    near = np.isfinite(north)
    placed = _rising(east, np.where(near, north, np.inf))
    placed['rows'] = placed['rows'][:int(near.sum())]
    placed['y'] = placed['y'][:int(near.sum())]
    return NodePlaces(dimensions, about)._replace(**placed)


def _rising(x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """Return columns and rows in ascending order; of those at one position (0 and 360 degrees) the first."""
    columns, rows = np.unique(x, return_index=True)[1], np.argsort(y)
    return {'x': x[columns], 'y': y[rows], 'columns': columns, 'rows': rows}


def curved_places(sides: tuple[Any, Any], path: Path, options: Options) -> NodePlaces:
    """
    Return the nodes of a velocity on a curvilinear grid.

    :param sides: The result of `horizontal`.
    :raises InputError: If they are invalid, or the option origin is wrong.
    """
    lon, lat = (np.asarray(side.values, dtype=float) for side in sides)
    dimensions = str(sides[0].dims[0]), str(sides[0].dims[1])
    if cf.axis_of(str(sides[0].name), sides[0].attrs) == 'X':
        if 'origin' in options:
            raise InputError(f'{path}: origin goes with longitude and latitude; this file has metres')
        units = [cf.unit_of(side.attrs) for side in sides]
        if not all(unit in cf.LENGTH_UNITS for unit in units):
            raise InputError(f'{path}: {sides[0].name} is in {units[0] or "no unit"}; must be in m or km')
        x, y = (side * cf.LENGTH_UNITS[unit] for side, unit in zip((lon, lat), units))
        return NodePlaces(dimensions, {'coordinates': 'metres of a projection', 'notes': []},
                          lattice=_lattice(x, y, path))
    wrong = ~(np.isfinite(lon) & np.isfinite(lat) & (np.abs(lon) <= 720.0) & (np.abs(lat) <= 90.0))
    lon[wrong] = lat[wrong] = np.nan
    x, y, about = local_metres(lon, lat, path, options)
    return NodePlaces(dimensions, about, lattice=_lattice(x, y, path))


def _lattice(x: np.ndarray, y: np.ndarray, path: Path) -> Curvilinear:
    cells = np.isfinite(x[1:, 1:] + x[:-1, :-1] + x[1:, :-1] + x[:-1, 1:] + y[1:, 1:] + y[:-1, :-1])
    if x.ndim != 2 or not cells.any():
        raise InputError(f'{path}: no cell of its grid has four nodes with a place; its coordinates are empty or all '
                         f'beyond {HIGHEST:g} degrees of latitude')
    return Curvilinear(x, y)


def _axis(store: Any, path: Path, axes: Mapping[str, str], kinds: tuple[str, str]) -> _Axis:
    """
    Return the axis of one of two kinds.

    :param kinds: LON and X, or LAT and Y.
    """
    kind = next((kind for kind in kinds if kind in axes), None)
    if kind is None or axes[kind] not in store.coords:
        raise InputError(f'{path}: the velocities have no dimension that is a coordinate of {kinds[0].lower()} or '
                         f'{kinds[1].lower()}, only {", ".join(map(str, store.sizes)) or "none"}, and no longitudes '
                         'and latitudes on two of these. Unstructured grids need the nodes of their faces (UGRID, '
                         'FVCOM, SCHISM), which this file does not give')
    coordinate = store[axes[kind]]
    values, unit = np.asarray(coordinate.values, dtype=float), cf.unit_of(coordinate.attrs)
    if kind in ('X', 'Y'):
        if unit not in cf.LENGTH_UNITS:
            raise InputError(f'{path}: {axes[kind]} is in {unit or "no unit"}; must be in m or km, or be a longitude '
                             'or latitude in degrees')
        values = values * cf.LENGTH_UNITS[unit]
    return _Axis(axes[kind], kind, values)


def local_metres(longitude: np.ndarray, latitude: np.ndarray, path: Path,
                 options: Options) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """
    Return longitudes and latitudes as m east and north of the origin, any shapes, and the description.

    Rows and columns stay straight: the coordinates are those of `earth.DegreeGrid`, to which FlowFile converts
    positions. Longitudes may be in any range, also across the date line. Latitudes beyond HIGHEST become NaN.

    :raises InputError: If the option origin is wrong, near a pole or far away, or all nodes are near a pole.
    """
    arc, middle, around = _arc(longitude, path)
    near = np.abs(latitude) <= HIGHEST
    if not near.any():
        raise InputError(f'{path}: lies beyond {HIGHEST:g} degrees of latitude: near a pole a plane of metres east and '
                         'north is none. Regrid it to a polar projection in metres, say with cdo remapbil')
    shown = latitude[near]
    origin = _origin(options['origin'], path) if 'origin' in options else (
        half_turn(middle), 0.5 * (shown.min() + shown.max()))
    off = half_turn(middle - origin[0])  # Of the middle from the origin, at most half a turn.
    away = half_turn(arc + off) if around else arc + off
    if around and longitude.ndim > 1:
        away = np.where(np.abs(away) > HALF, np.nan, away)  # At the seam of such a grid its cells would span the Earth.
    if (nearest := float(np.nanmin(np.abs(away)))) > FARTHEST:
        raise InputError(f'{path}: origin is {options["origin"]!r}, {nearest:.0f} degrees of longitude from the grid; '
                         f'must be at most {FARTHEST:g}')
    east, north = metres_per_degree(origin[1])
    notes = [] if 'origin' in options else [
        f'local metres from the middle of the grid, longitude {origin[0]:.6f}, latitude {origin[1]:.6f}; the option '
        'origin puts it elsewhere']
    if not near[np.isfinite(latitude)].all():
        notes.append(f'what lies beyond {HIGHEST:g} degrees of latitude is left out: near a pole a plane of metres '
                     'east and north is none')
    if (error := stretch(_farthest(away, shown, origin))) > MAX_STRETCH:
        notes.append(f'far from flat: distances are up to {100.0 * error:.1f} % wrong at the edge farthest from the '
                     'origin; put the origin where the boat is')
    about = {'coordinates': 'm east and north of the origin', 'notes': notes,
             'origin_longitude_deg': float(origin[0]), 'origin_latitude_deg': float(origin[1])}
    return away * east, np.where(near, (latitude - origin[1]) * north, np.nan), about


def _farthest(away: np.ndarray, latitude: np.ndarray, origin: tuple[float, float]) -> float:
    """Return the distance of the farthest corner from the origin, m; `away`: degrees of longitude from it."""
    corners = [(north, east) for north in (latitude.min(), latitude.max())
               for east in (np.nanmin(away), np.nanmax(away))]
    return float(np.hypot(*LocalPlane((origin[1], 0.0)).projected(*np.transpose(corners))).max())


def _arc(longitude: np.ndarray, path: Path) -> tuple[np.ndarray, float, bool]:
    """
    Return longitudes from the middle of their arc, degrees, that middle, and whether it is a full circle.

    The arc is the circle without the widest gap between neighbours, so the date line, and whether a file uses 0 or 360
    degrees, make no difference.
    """
    known = longitude[np.isfinite(longitude)]
    if not known.size:
        raise InputError(f'{path}: has no longitudes')
    wrapped = np.unique(known % 360.0)
    gaps = np.diff(np.append(wrapped, wrapped[0] + 360.0))
    widest = int(gaps.argmax())
    if wrapped.size > 3 and gaps[widest] <= (RING * np.median(gaps) if longitude.ndim == 1 else WIDE):
        middle = 0.5 * (float(known.min()) + float(known.max()))  # A full circle: its seam is where the file begins.
        return half_turn(longitude - middle), middle, True
    first = float(wrapped[(widest + 1) % wrapped.size])
    span = 360.0 - float(gaps[widest])
    turns = (longitude - first + 1e-9) % 360.0 - 1e-9
    return turns - 0.5 * span, first + 0.5 * span, False


def _origin(given: Any, path: Path) -> tuple[float, float]:
    try:
        longitude, latitude = (float(value) for value in (given.split(',') if isinstance(given, str) else given))
    except (TypeError, ValueError):
        longitude = latitude = np.nan
    if not (abs(longitude) <= 360.0 and abs(latitude) < 90.0):
        raise InputError(f'{path}: origin is {given!r}; must be [longitude, latitude] in degrees')
    if abs(latitude) > HIGHEST:
        raise InputError(f'{path}: origin is {given!r}, near a pole, where a plane of metres east and north is none; '
                         f'its latitude must be from -{HIGHEST:g} to {HIGHEST:g} degrees')
    return longitude, latitude
