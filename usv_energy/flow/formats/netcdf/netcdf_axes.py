"""The axes of a CF netCDF file other than horizontal ones: level, ensemble member, time."""

from collections.abc import Collection, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf import cf

Options = Mapping[str, Any]
# What CF calls them (CF-1.12, 4.4.1), and ROMS the first; the name of each in cftime.
CALENDARS = {'gregorian_proleptic': 'proleptic_gregorian', 'proleptic_gregorian': 'proleptic_gregorian',
             'standard': 'standard', 'gregorian': 'standard', 'julian': 'julian', 'noleap': 'noleap',
             '365_day': 'noleap', 'all_leap': 'all_leap', '366_day': 'all_leap', '360_day': '360_day',
             'utc': 'standard', 'tai': 'standard'}
# Layers that follow the bottom, of unstructured models, and the uppermost one: FVCOM, SCHISM, Delft3D FM.
LAYERS = {'siglay': 0, 'nschism_vgrid_layers': -1, 'mesh2d_nlayers': -1}
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
        raise InputError(f'{path}: {name}.units is {units!r}, which is no time that can be decoded; must be as '
                         f'"hours since 2020-01-01 00:00:00", with days of its calendar, {calendar}') from None
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
