"""The axes of a CF netCDF file: level, place in local metres, and time in seconds."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....files.errors import InputError
from ...geodesy import local_axes, stretch
from . import cf

Options = Mapping[str, Any]
MAX_STRETCH = 0.005  # error of distances on the tangent plane that is worth a warning, (-)


class Axis(NamedTuple):
    """A horizontal axis: the name of its dimension, what it is (X, Y, LON, LAT), its values in m or degrees."""

    name: str
    kind: str
    values: np.ndarray


def axis_of(store: Any, dimension: str) -> str:
    """Return which axis a dimension is: see cf.axis_of."""
    attributes = store[dimension].attrs if dimension in store.coords else {}
    return cf.axis_of(str(dimension), attributes)


def selection(store: Any, path: Path, variable: str, options: Options) -> tuple[dict[str, int], dict[str, Any]]:
    """
    Return what to take of the dimensions that are neither time nor place, and how to describe it.

    :raises InputError: If that is not said, or there is no such level.
    """
    chosen: dict[str, int] = {}
    about: dict[str, Any] = {}
    select = options.get('select', {})
    for dimension in store[variable].dims:
        axis, size = axis_of(store, dimension), store.sizes[dimension]
        if axis == 'Z':
            chosen[dimension] = _level(store, path, dimension, options)
            about['level'] = chosen[dimension]
            if dimension in store.coords:
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
    return chosen, about


def _level(store: Any, path: Path, dimension: str, options: Options) -> int:
    size = store.sizes[dimension]
    if 'level' in options:
        level = options['level']
        if not isinstance(level, int) or not 0 <= level < size:
            raise InputError(f'{path}: level is {level!r}; must be a whole number from 0 to {size - 1}')
        return level
    if size == 1 and 'depth' not in options:
        return 0
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


def horizontal_axis(store: Any, path: Path, axes: Mapping[str, str], kinds: tuple[str, str]) -> Axis:
    """
    Return the axis of one of two kinds.

    :param axes: Names of the dimensions by kind.
    :param kinds: LON and X, or LAT and Y.
    :raises InputError: If there is none, or its unit is not known.
    """
    kind = next((kind for kind in kinds if kind in axes), None)
    if kind is None or axes[kind] not in store.coords:
        raise InputError(f'{path}: the velocities have no dimension that is a coordinate of {kinds[0].lower()} or '
                         f'{kinds[1].lower()}, only {", ".join(map(str, store.sizes)) or "none"}. Curvilinear and '
                         'unstructured grids are not read: regrid them first, say with cdo remapbil')
    coordinate = store[axes[kind]]
    values, unit = np.asarray(coordinate.values, dtype=float), cf.unit_of(coordinate.attrs)
    if kind in ('X', 'Y'):
        if unit not in cf.LENGTH_UNITS:
            raise InputError(f'{path}: {axes[kind]} is in {unit or "no unit"}; must be in m or km, or be a longitude '
                             'or latitude in degrees')
        values = values * cf.LENGTH_UNITS[unit]
    return Axis(axes[kind], kind, values)


def metres(x: Axis, y: Axis, path: Path, options: Options) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """
    Return columns and rows in m, and how to describe where they are.

    :raises InputError: If the axes do not go together, or the option origin is wrong.
    """
    if (x.kind, y.kind) == ('X', 'Y'):
        if 'origin' in options:
            raise InputError(f'{path}: origin goes with longitude and latitude; this file has metres')
        return x.values, y.values, {'coordinates': 'metres of a projection', 'notes': []}
    if (x.kind, y.kind) != ('LON', 'LAT'):
        raise InputError(f'{path}: {x.name} is {x.kind.lower()} and {y.name} {y.kind.lower()}; both must be degrees or '
                         'both lengths')
    unwrapped = np.unwrap(x.values, period=360.0)
    middle = (0.5 * (unwrapped.min() + unwrapped.max()), 0.5 * (y.values.min() + y.values.max()))
    origin = _origin(options['origin'], path) if 'origin' in options else middle
    columns, rows = local_axes(x.values, y.values, origin)
    notes = [] if 'origin' in options else [
        f'local metres from the middle of the grid, longitude {origin[0]:.6f}, latitude {origin[1]:.6f}; the option '
        'origin puts it elsewhere']
    if (off := stretch(y.values, origin[1])) > MAX_STRETCH:
        notes.append(f'far from flat: distances to the east are up to {100.0 * off:.1f} % wrong at the northern or '
                     'southern edge; put the origin where the boat is')
    return columns, rows, {'coordinates': 'm east and north of the origin', 'notes': notes,
                           'origin_longitude_deg': float(origin[0]), 'origin_latitude_deg': float(origin[1])}


def _origin(given: Any, path: Path) -> tuple[float, float]:
    try:
        longitude, latitude = (float(value) for value in (given.split(',') if isinstance(given, str) else given))
    except (TypeError, ValueError):
        longitude = latitude = np.nan
    if not (abs(longitude) <= 360.0 and abs(latitude) < 90.0):
        raise InputError(f'{path}: origin is {given!r}; must be [longitude, latitude] in degrees')
    return longitude, latitude


def times_of(store: Any, path: Path, name: str | None, options: Options) -> tuple[np.ndarray, datetime | None]:
    """
    Return the times, s from the first, and the date of the first.

    :param name: Of the time's dimension; None for a steady field.
    :raises InputError: If the times' unit is not known.
    """
    if name is None:
        return np.zeros(1), None
    if name not in store.coords:
        raise InputError(f'{path}: the dimension {name!r} has no coordinate: when its steps are is not known')
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
    try:
        dates = xarray.decode_cf(xarray.Dataset(coords={name: store[name].load()}))[name].values
    except Exception:
        raise InputError(f'{path}: {name}.units is {units!r}, which is no time that can be decoded; must be as '
                         '"hours since 2020-01-01 00:00:00"') from None
    return _seconds(dates)


def _seconds(dates: np.ndarray) -> tuple[np.ndarray, datetime | None]:
    if np.issubdtype(dates.dtype, np.datetime64):
        first = dates[0].astype('datetime64[us]').astype(datetime)
        return (dates - dates[0]) / np.timedelta64(1_000_000_000, 'ns'), first.replace(tzinfo=UTC) if first else None
    first = dates[0]
    seconds = np.array([(date - first).total_seconds() for date in dates])
    try:
        return seconds, datetime(first.year, first.month, first.day, first.hour, first.minute, first.second, tzinfo=UTC)
    except ValueError:  # a day that only a model's calendar has: 30 February
        return seconds, None
