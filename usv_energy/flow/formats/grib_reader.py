"""
Winds and currents from GRIB files, by cfgrib and ECMWF's ecCodes in another process, one message at a time.

GRIB files that cfgrib opens in another process, which a damaged file may end: ecCodes aborts where it should complain.

The other process keeps the files open. This one has their dimensions, attributes and coordinates, and asks for values
as they are needed, message by message.
"""

import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.side_process import guarded, limit_work
from usv_energy.flow.field import FlowSource
from usv_energy.flow.formats import cf
from usv_energy.flow.formats.netcdf_reader import OPTIONS as CF_OPTIONS
from usv_energy.flow.formats.netcdf_reader import flow_of_store
from usv_energy.flow.readers import Reader, beginning

MEMORY = 4 << 30    # Bytes of addresses that the other process may take, beside those that it begins with.
SHAPE = ('Ni', 'Nj', 'jPointsAreConsecutive', 'alternativeRowScanning')
_opened: dict[str, list[Any]] = {}              # In the other process: the groups of messages of each file.


def open_groups(path: Path) -> list[Any]:
    """
    Return the groups of messages of a GRIB file as xarray Datasets whose values another process reads.

    :raises InputError: If the file cannot be read, or ends the other process.
    """
    xarray = optional('xarray', 'flow', f'{path}: GRIB')
    found: list[Any] = []
    for group, (variables, attributes) in enumerate(_answer(path, _headers, str(path.resolve()))):
        data, coordinates = {}, {}
        for name, (dimensions, attrs, encoding, values) in variables.items():
            if isinstance(values, np.ndarray):
                coordinates[name] = xarray.Variable(dimensions, values, attrs, encoding)
            else:
                data[name] = xarray.Variable(dimensions, _lazy(path, group, name, *values), attrs, encoding)
        found.append(xarray.Dataset(data, coordinates, attributes))
    return found


def _lazy(path: Path, group: int, name: str, shape: tuple[int, ...], kind: np.dtype) -> Any:
    """Return an array of xarray whose values the other process reads."""
    from xarray.backends import BackendArray
    from xarray.core import indexing

    class Values(BackendArray):  # type: ignore[misc]  # xarray is not looked into
        def __init__(self) -> None:
            self.shape, self.dtype = shape, kind

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, shape, indexing.IndexingSupport.BASIC, self._read)

        def _read(self, key: Any) -> np.ndarray:
            return _answer(path, _values, str(path.resolve()), group, name, key)

    return indexing.LazilyIndexedArray(Values())


def _answer(path: Path, function: Any, *arguments: Any) -> Any:
    """Return what a function returns in the other process; InputError if it fails, or ends the process."""
    try:
        return guarded(path, 'ecCodes', function, *arguments)
    except InputError:
        raise
    except Exception as error:  # ecCodes has its own error types.
        reason = ' '.join(str(error).split())
        raise InputError(f'{path}: cannot be read; is the file whole? {type(error).__name__}: {reason}') from None


def _headers(path: str) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Open a file in the other process; return each group's variables, those of coordinates with values."""
    limit_work(MEMORY)
    return [({str(name): (item.dims, dict(item.attrs), dict(item.encoding), np.asarray(item.values)
                          if name in store.coords else (item.shape, item.dtype))
              for name, item in store.variables.items()}, dict(store.attrs)) for store in _groups(path)]


def _groups(path: str) -> list[Any]:
    if path not in _opened:
        import cfgrib
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', FutureWarning)  # Of xarray, about cfgrib's use of it.
            _opened[path] = cfgrib.open_datasets(path, backend_kwargs={'indexpath': '', 'read_keys': list(SHAPE)})
    return _opened[path]


def _values(path: str, group: int, name: str, key: Any) -> np.ndarray:
    """Return a part of a variable, in the other process."""
    return np.asarray(_groups(path)[group].variables[name][key].values)


OPTIONS = {**{name: CF_OPTIONS[name] for name in ('variables', 'medium', 'origin', 'level', 'member', 'unit')},
           'select': 'a mapping of any other dimension to the number, from 0, of what to take of it; time: the run of '
                     'the forecast, where a file holds several'}
MAGIC = b'GRIB'
LISTED = 'values'  # The dimension of grids that cfgrib does not know to have rows.
IN_ROWS = ('mercator', 'lambert', 'polar_stereographic', 'albers', 'rotated_ll', 'rotated_gg', 'transverse_mercator')
FILLING = b'\x00\r\n\x03'  # Bytes that may follow a message.
Options = Mapping[str, Any]


def recognises(path: Path) -> bool:
    """Return whether a file begins with the mark of GRIB, edition 1 or 2."""
    start = beginning(path, 8)
    return start[:4] == MAGIC and start[7:8] in (b'\x01', b'\x02')


def open_grib(path: Path, options: Options) -> FlowSource:
    """
    Open a GRIB file; the headers of its messages are read now, and no index file is written.

    :param path: The file.
    :param options: See OPTIONS.
    :raises InputError: If it cannot be read, cfgrib is missing, or required information is missing.
    """
    for library in ('cfgrib', 'eccodes'):   # Only found here: the other process imports them.
        if find_spec(library) is None:
            optional(library, 'flow', f'{path}: GRIB')
    _check_whole(path)
    found = open_groups(path)
    store = _on_one_clock(_in_rows(_one_of(found, path, options), path), path, options)
    return flow_of_store(store, path, options, 'grib')


def _check_whole(path: Path) -> None:
    """Check that the last message of a file is complete, since cfgrib would skip an incomplete one without an error."""
    size = path.stat().st_size
    with path.open('rb') as file:
        at = 0
        while at < size:
            file.seek(at)
            head = file.read(16)
            if head[:4] != MAGIC or len(head) < 16:
                rest = head.lstrip(FILLING)
                if len(rest) < len(head):   # MARS pads its messages to whole words or blocks.
                    at += len(head) - len(rest)
                    continue
                raise InputError(f'{path}: is damaged: at byte {at} a message should begin')
            length = int.from_bytes(head[8:16] if head[7] == 2 else head[4:7], 'big')
            if length < 16 or at + length > size:
                raise InputError(f'{path}: is truncated or damaged: its message at byte {at} has {length} bytes, and '
                                 f'{size - at} are left')
            at += length


def _one_of(found: list[Any], path: Path, options: Options) -> Any:
    """Return the messages with the velocity, from groups that cfgrib separated by level and kind."""
    medium = options.get('medium')
    names = options.get('variables')
    if names is not None:
        wanted = [name.strip() for name in names.split(',')] if isinstance(names, str) else list(map(str, names))
        holding: list[tuple[Any, list[cf.Pair]]] = [(store, []) for store in found
                                                    if set(wanted) <= set(map(str, store.data_vars))]
    else:
        pairs = [(store, [pair for pair in cf.pairs_in({str(name): store[name].attrs for name in store.data_vars})
                          if medium in (None, pair.medium)]) for store in found]
        holding = [(store, own) for store, own in pairs if own]
        at_10_m = [(store, own) for store, own in holding if any(pair.height == 10.0 for pair in own)]
        holding = at_10_m or holding
    if len(holding) == 1:
        return holding[0][0]
    there = ', '.join(dict.fromkeys(str(name) for store in found for name in store.data_vars)) or 'none'
    says = 'holds no velocity that this reader knows' if not holding else \
        f'holds velocities of {len(holding)} kinds of level: ' + '; '.join(_kind(store) for store, _ in holding)
    raise InputError(f'{path}: {says}. There are: {there}. The option variables names two; one kind of level is cut '
                     'out with grib_copy -w typeOfLevel=...,level=...')


def _in_rows(store: Any, path: Path) -> Any:
    """
    Return messages whose values stand in rows and columns; cfgrib has those of some kinds of grid in one list.

    :raises InputError: If there are no rows of one length: the grid's type.
    """
    if LISTED not in store.dims:
        return store
    about = next(iter(store.data_vars.values())).attrs
    columns, rows, down, turning = (about.get(f'GRIB_{key}') for key in SHAPE)
    kind = str(about.get('GRIB_gridType', 'unknown'))
    whole = isinstance(columns, int) and isinstance(rows, int) and columns * rows == store.sizes[LISTED]
    if kind not in IN_ROWS or not whole or down or turning:
        raise InputError(f'{path}: its grid is of the type {kind}, which is not read; must be one of '
                         f'{", ".join(("regular_ll", "regular_gg", *IN_ROWS))}, in rows from west to east. Regrid it, '
                         'say with cdo remapbil')

    def shaped(item: Any) -> Any:
        if LISTED not in item.dims:
            return item
        at = item.dims.index(LISTED)
        shape = (*item.shape[:at], rows, columns, *item.shape[at + 1:])
        return ((*item.dims[:at], 'y', 'x', *item.dims[at + 1:]), np.asarray(item.values).reshape(shape), item.attrs)

    import xarray
    return xarray.Dataset({name: shaped(item) for name, item in store.data_vars.items()},
                          {name: shaped(item) for name, item in store.coords.items()}, store.attrs)


def _kind(store: Any) -> str:
    """Return the kind of level of some messages, and their variables."""
    names = [str(name) for name in store.data_vars]
    return f'{store[names[0]].attrs.get("GRIB_typeOfLevel", "unknown")} ({", ".join(names)})'


def _on_one_clock(store: Any, path: Path, options: Options) -> Any:
    """Return messages along their valid time, with one chunk per message for `pages`."""
    select = options.get('select', {})
    run = select.get('time') if isinstance(select, Mapping) else None
    if 'time' in store.dims and 'step' in store.dims:
        if not isinstance(run, int) or not 0 <= run < store.sizes['time']:
            raise InputError(f'{path}: holds forecasts of {store.sizes["time"]} runs; choose one with the option '
                             f'select: {{time: 0}} up to {store.sizes["time"] - 1}')
        store = store.isel(time=run)
    for name in store.data_vars:
        item = store[name]
        if item.attrs.get('GRIB_uvRelativeToGrid') == 1:
            item.attrs['standard_name'] = {'eastward_wind': 'x_wind', 'northward_wind': 'y_wind'}.get(
                str(item.attrs.get('standard_name')), item.attrs.get('standard_name'))
    valid = store.coords.get('valid_time')
    if valid is not None and valid.ndim == 1:
        seconds = (valid.values - np.datetime64('1970-01-01')) / np.timedelta64(1, 's')
        along = valid.dims[0]
        store = store.assign_coords(valid_time=(along, seconds, {
            'units': 'seconds since 1970-01-01', 'standard_name': 'time'})).swap_dims({along: 'valid_time'})
    store = store.drop_vars([name for name in ('time', 'step') if name in store.coords])
    for name in store.data_vars:
        places = store[name].dims[-2:]
        store[name].encoding['preferred_chunks'] = {dimension: store.sizes[dimension] if dimension in places else 1
                                                    for dimension in store[name].dims}
    return store


READER = Reader('grib', recognises, open_grib, OPTIONS)
