"""
Positions of the nodes of a netCDF file's velocities in local metres, from straight or curved axes.

The axes of a CF netCDF file other than horizontal ones: level, ensemble member, time.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, half_turn, metres_per_degree, stretch
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED, safe_name
from usv_energy.flow.formats import cf
from usv_energy.flow.grids.node_flow import Curvilinear

Options = Mapping[str, Any]

# What CF calls them (CF-1.12, 4.4.1), and ROMS the first; the name of each in cftime.
CALENDARS = {'gregorian_proleptic': 'proleptic_gregorian', 'proleptic_gregorian': 'proleptic_gregorian',
             'standard': 'standard', 'gregorian': 'standard', 'julian': 'julian', 'noleap': 'noleap',
             '365_day': 'noleap', 'all_leap': 'all_leap', '366_day': 'all_leap', '360_day': '360_day',
             'utc': 'standard', 'tai': 'standard'}
# Layers that follow the bottom, of unstructured models, and the uppermost one: FVCOM, SCHISM, Delft3D FM.
LAYERS = {'siglay': 0, 'nschism_vgrid_layers': -1, 'mesh2d_nlayers': -1, 'laydim': -1}
MEMBERS = ('number', 'member', 'members', 'realization', 'ensemble', 'ens', 'ensemble_member', 'mem')


def axis_of(store: Any, dimension: str) -> str:
    """Return the axis of a dimension: see cf.axis_of."""
    attributes = store[dimension].attrs if dimension in store.coords else {}
    return cf.axis_of(str(dimension), attributes)


def is_members(store: Any, dimension: str) -> bool:
    """Return whether a dimension counts the members of an ensemble."""
    attributes = store[dimension].attrs if dimension in store.coords else {}
    return dimension.lower() in MEMBERS or str(attributes.get('standard_name', '')).lower() == 'realization'


def selection(store: Any, path: Path, variable: str, options: Options,
              places: Collection[str] = ()) -> tuple[dict[str, int], dict[str, Any]]:
    """
    Return the selection in the dimensions that are neither time nor horizontal, and its description.

    :param places: Dimensions that are horizontal although their own attributes do not say so.
    :raises InputError: If the selection is not given, or there is no such level or member.
    """
    chosen: dict[str, int] = {}
    about: dict[str, Any] = {}
    select = options.get('select', {})
    for dimension in (str(name) for name in store[variable].dims if name not in places):
        axis, size = axis_of(store, dimension), store.sizes[dimension]
        if is_members(store, dimension):
            chosen[dimension], about['member'], about['members'] = _member(store, path, dimension, options)
        elif axis == 'Z' or dimension.lower() in LAYERS:
            chosen[dimension] = _level(store, path, dimension, options)
            about['level'] = chosen[dimension]
            if dimension in store.coords and store[dimension].ndim == 1:
                unit = cf.unit_of(store[dimension].attrs)
                about[f'level_{dimension}_{unit or "no_unit"}'] = float(store[dimension].values[chosen[dimension]])
        elif not axis:
            index = select.get(dimension, 0 if size == 1 else None) if isinstance(select, Mapping) else None
            if not isinstance(index, int) or not 0 <= index < size:
                raise InputError(f'{path}: the dimension {dimension!r} has {size} entries and is neither time nor '
                                 f'place; choose one with the option select: {{{dimension}: 0}} up to {size - 1}')
            chosen[dimension] = index
    if 'level' not in about and ('depth' in options or 'level' in options):
        raise InputError(f'{path}: {variable} has no levels; leave out the options depth and level')
    if 'members' not in about and 'member' in options:
        raise InputError(f'{path}: {variable} is no ensemble; leave out the option member')
    return chosen, about


def _member(store: Any, path: Path, dimension: str, options: Options) -> tuple[int, Any, list[Any]]:
    """Return the index and name of the selected member, and the names of all; by default the first."""
    names = store[dimension].values.tolist() if dimension in store.coords else list(range(store.sizes[dimension]))
    select = options.get('select', {})
    if 'member' not in options and isinstance(select, Mapping) and dimension in select:
        index = select[dimension]
        if not isinstance(index, int) or not 0 <= index < len(names):
            raise InputError(f'{path}: select.{dimension} is {index!r}; must be a whole number from 0 to '
                             f'{len(names) - 1}')
        return index, names[index], names
    wanted = options.get('member', names[0])
    if wanted not in names:
        raise InputError(f'{path}: member is {wanted!r}; must be one of: {", ".join(map(str, names))}')
    return names.index(wanted), wanted, names


def _level(store: Any, path: Path, dimension: str, options: Options) -> int:
    size = store.sizes[dimension]
    if 'level' in options:
        level = options['level']
        if not isinstance(level, int) or not 0 <= level < size:
            raise InputError(f'{path}: level is {level!r}; must be a whole number from 0 to {size - 1}')
        return level
    if size == 1 and 'depth' not in options:
        return 0
    if dimension.lower() in LAYERS and 'depth' not in options:
        return LAYERS[dimension.lower()] % int(size)
    attributes = store[dimension].attrs if dimension in store.coords else {}
    unit = cf.unit_of(attributes)
    if dimension not in store.coords or cf.is_pressure(attributes):
        raise InputError(f'{path}: the {size} levels of {dimension!r} are not in metres ({unit or "no unit"}); '
                         f'choose one with the option level, 0 to {size - 1}')
    values = np.abs(np.asarray(store[dimension].values, dtype=float))
    if 'depth' not in options:
        return int(np.nanargmin(values))
    depth = options['depth']
    if unit not in cf.LENGTH_UNITS or not isinstance(depth, (int, float)) or isinstance(depth, bool):
        raise InputError(f'{path}: depth is {depth!r}; must be a number in m, of levels in m; '
                         f'{dimension!r} is in {unit or "no unit"}: else use the option level')
    return int(np.nanargmin(np.abs(values * cf.LENGTH_UNITS[unit] - abs(depth))))


def level_height(store: Any, pair: cf.Pair, levels: Mapping[str, Any]) -> float | None:
    """
    Return the height of a wind, m above ground or water, by its name or its level; None if not known.

    :param levels: The description of the level by `selection`.
    """
    if pair.medium != 'air' or pair.height is not None:
        return pair.height
    wind = store[pair.x]
    vertical = [str(name) for name in wind.dims if axis_of(store, str(name)) == 'Z']
    of_wind = vertical or [name for name in _scalars_of(store, pair.x) if name in wind.coords]
    for name in of_wind:
        item = store[name] if name in store.coords else None
        if item is None or item.ndim > 1:
            continue
        said = (name, str(item.attrs.get('standard_name', '')), str(item.attrs.get('long_name', '')))
        if any('height' in text.lower() for text in said) and cf.unit_of(item.attrs) in cf.LENGTH_UNITS:
            level = levels.get('level', 0) if item.ndim else ()
            return float(item.values[level]) * cf.LENGTH_UNITS[cf.unit_of(item.attrs)]
    return None


def _scalars_of(store: Any, variable: str) -> list[str]:
    """
    Return the scalar coordinates that belong to a variable: those that it names, else those that no other one names.

    xarray hangs the scalars of a file on all of its variables, whichever names them.
    """
    def named(name: str) -> list[str]:
        item = store[name]
        return str(item.encoding.get('coordinates') or item.attrs.get('coordinates') or '').split()

    scalars = [str(name) for name, item in store.coords.items() if item.ndim == 0]
    own = named(variable)
    others = {name for other in store.data_vars if other != variable for name in named(str(other))}
    return [name for name in scalars if (name in own if own else name not in others)]


def times_of(store: Any, path: Path, name: str | None, options: Options) -> tuple[np.ndarray, datetime | None]:
    """
    Return the times, s from the first, and the date of the first.

    :param name: Of the time's dimension; None for a steady field.
    :raises InputError: If the times' unit is not known.
    """
    if name is None:
        return np.zeros(1), None
    name = name if name in store.coords else _clock_of(store, path, name)
    units = str(store[name].attrs.get('units', ''))
    values = np.asarray(store[name].values)
    if not values.size:
        raise InputError(f'{path}: {name} has no entries: there is no step')
    if ' since ' not in units:
        unit = cf.unit_of(store[name].attrs) or str(options.get('time_unit', ''))
        if unit not in cf.TIME_UNITS:
            raise InputError(f'{path}: {name} is in {units or "no unit"}; must be as "hours since 2020-01-01", or one '
                             f'of: {", ".join(cf.TIME_UNITS)}. Where the file says none, the option time_unit does')
        values = values.astype(float) * cf.TIME_UNITS[unit]
        return values - values[:1], None
    import xarray
    calendar = str(store[name].attrs.get('calendar') or 'standard')
    known = CALENDARS.get(calendar.strip().lower())
    if known is None:
        raise InputError(f'{path}: {name}.calendar is {calendar!r}; must be one of: {", ".join(CALENDARS)}')
    time = store[name].load().assign_attrs(calendar=known)
    try:
        dates = xarray.decode_cf(xarray.Dataset(coords={name: time}))[name].values
    except Exception:
        raise InputError(f'{path}: {name}.units is {safe_name(units)!r}, which is no time that can be decoded; must be '
                         f'as "hours since 2020-01-01 00:00:00", with days of its calendar, {calendar}') from None
    return _seconds(dates)


def _clock_of(store: Any, path: Path, dimension: str) -> str:
    """Return the variable with the times of the steps of a dimension that is no coordinate itself."""
    found = [str(name) for name in store.variables
             if store[name].dims == (dimension,) and cf.axis_of(str(name), store[name].attrs) == 'T']
    if not found:
        raise InputError(f'{path}: the dimension {dimension!r} has no coordinate: when its steps are is not known')
    return found[0]


def _seconds(dates: np.ndarray) -> tuple[np.ndarray, datetime | None]:
    if np.issubdtype(dates.dtype, np.datetime64):
        first = dates[0].astype('datetime64[us]').astype(datetime)
        start = first.replace(tzinfo=timezone.utc) if first else None
        return (dates - dates[0]) / np.timedelta64(1_000_000_000, 'ns'), start
    first = dates[0]
    seconds = np.array([(date - first).total_seconds() for date in dates])
    if first.calendar == 'julian':  # A day of it is a day of ours, under another name.
        first = first.change_calendar('proleptic_gregorian')
    try:
        return seconds, datetime(first.year, first.month, first.day, first.hour, first.minute, first.second,
                                 tzinfo=timezone.utc)
    except ValueError:  # A day that exists only in a model's calendar: 30 February.
        return seconds, None


MAX_STRETCH = 0.005  # Relative error of distances on the local plane above which to warn.
FARTHEST_VALUES = {'LON': 720.0, 'LAT': 90.001}  # Of axes, degrees.
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
    wrong = np.flatnonzero(~(np.abs(values) <= FARTHEST_VALUES.get(kind, LOGGED)))    # Also NaN.
    if wrong.size:
        raise InputError(f'{path}: entry {wrong[0]} of {axes[kind]} is {values[wrong[0]]:g}; must be at most '
                         f'{FARTHEST_VALUES.get(kind, LOGGED):g} in magnitude: the file is damaged')
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
