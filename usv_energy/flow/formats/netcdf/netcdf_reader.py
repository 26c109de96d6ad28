"""Currents and winds from CF netCDF files and zarr stores, read step by step with xarray."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ....files.errors import InputError
from ....files.optional import optional
from ...field import FlowSource
from ...grid import GridFlow
from ...readers import Reader, beginning
from . import cf
from .netcdf_axes import axis_of, horizontal_axis, metres, selection, times_of

OPTIONS = {
    'variables': 'the two components, [eastward, northward]; found by standard names and usual names if left out',
    'origin': '[longitude, latitude], degrees, of the local metres; the middle of the grid if left out',
    'depth': 'm, of the level, the nearest is taken; the one nearest the surface if left out',
    'level': 'the level by its number, from 0',
    'select': 'a mapping of any other dimension to the number, from 0, of what to take of it',
    'unit': f'of the velocities, where the file says none: {", ".join(cf.SPEED_UNITS)}',
    'time_unit': f'of the times, where the file says none: {", ".join(cf.TIME_UNITS)}',
}
FASTEST = 200.0  # m/s; no water or wind is faster: such a number is a fill value that the file does not declare
HDF5_MAGIC, CLASSIC_MAGICS = b'\x89HDF\r\n\x1a\n', (b'CDF\x01', b'CDF\x02', b'CDF\x05')


def recognises(path: Path) -> bool:
    """Return whether a file is netCDF (classic or HDF5 with netCDF's or CF's marks), or a folder a zarr store."""
    if path.is_dir():
        return any((path / name).is_file() for name in ('.zgroup', '.zmetadata', 'zarr.json'))
    magic = beginning(path, 8)
    if magic != HDF5_MAGIC:
        return magic[:4] in CLASSIC_MAGICS
    import h5py
    try:
        with h5py.File(path) as store:
            return 'Conventions' in store.attrs or '_NCProperties' in store.attrs or any(
                'DIMENSION_LIST' in item.attrs for item in store.values())
    except OSError:
        return path.suffix.lower() in ('.nc', '.nc4', '.cdf')  # damaged: opening it will say so


def open_netcdf(path: Path, options: Mapping[str, Any]) -> FlowSource:
    """
    Open a CF netCDF file or zarr store.

    :param path: The file or the folder.
    :param options: See OPTIONS.
    :raises InputError: If it cannot be read, a variable is missing, or something that matters is not said.
    """
    _check_whole(path)
    store = _store(path)
    try:
        return _flow(store, path, options)
    except InputError:
        store.close()
        raise
    except Exception as error:
        store.close()
        raise InputError(f'{path}: cannot be read; is the file whole? {type(error).__name__}: {error}') from None


def _check_whole(path: Path) -> None:
    """Refuse a classic file that is shorter than its header says: the netCDF library would read zeros instead."""
    if beginning(path, 4) not in CLASSIC_MAGICS[:2]:  # scipy knows these two
        return
    from scipy.io import netcdf_file
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', RuntimeWarning)  # that the map stays open while variables refer to it
            netcdf_file(path, 'r', mmap=True).close()
    except Exception as error:
        raise InputError(f'{path}: is truncated or damaged: its header tells of more than there is ({error})') from None


def _store(path: Path) -> Any:
    xarray = optional('xarray', 'flow', f'{path}: netCDF and zarr')
    try:
        if path.is_dir():
            with warnings.catch_warnings():
                warnings.simplefilter('ignore', RuntimeWarning)  # that a store without consolidated metadata is slow
                return xarray.open_zarr(path, chunks=None, decode_times=False)
        return xarray.open_dataset(path, decode_times=False)
    except ImportError as error:
        raise InputError(f'{path}: xarray lacks what reads it ({error}): pip install netCDF4 zarr') from None
    except Exception as error:  # each backend raises different errors
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if 'did not find a match' in str(error) or 'found the following matches' in str(error):
            raise InputError(f'{path}: xarray lacks a library that reads it: pip install netCDF4 zarr') from None
        raise InputError(f'{path}: cannot be read; is the file whole? {reason}') from None


def _flow(store: Any, path: Path, options: Mapping[str, Any]) -> GridFlow:
    pair = _pair(store, path, options)
    if store[pair.x].dims != store[pair.y].dims:
        raise InputError(f'{path}: {pair.x} has the dimensions {store[pair.x].dims}, {pair.y} {store[pair.y].dims}; '
                         'both must lie on the same grid')
    chosen, levels = selection(store, path, pair.x, options)
    sides = [store[name].isel(chosen) for name in pair[:2]]
    axes = {axis: dimension for dimension in sides[0].dims if (axis := axis_of(store, dimension))}
    x, y = (horizontal_axis(store, path, axes, kinds) for kinds in (('LON', 'X'), ('LAT', 'Y')))
    columns, rows, place = metres(x, y, path, options)
    times, start = times_of(store, path, axes.get('T'), options)
    scales = [_scale(store[name], path, options) for name in pair[:2]]
    across, up = np.argsort(columns), np.argsort(rows)

    def load(step: int) -> tuple[np.ndarray, np.ndarray]:
        at = {axes['T']: step} if 'T' in axes else {}
        try:
            values = [side.isel(at).transpose(y.name, x.name).values[np.ix_(up, across)] * scale
                      for side, scale in zip(sides, scales)]
        except Exception as error:
            raise InputError(f'{path}: step {step} cannot be read; is the file whole? {error}') from None
        return _without_fill(values[0], place['notes']), _without_fill(values[1], place['notes'])

    about = {'reader': 'netcdf', 'file': str(path), 'medium': pair.medium or None, 'variables': list(pair[:2]),
             'file_title': str(store.attrs.get('title', '')), 'conventions': str(store.attrs.get('Conventions', '')),
             'units': {'velocity': str(store[pair.x].attrs.get('units', options.get('unit', '')))}, **levels, **place}
    return GridFlow(columns[across], rows[up], times, load, start=start, about=about, height=pair.height,
                    on_close=store.close)


def _without_fill(values: np.ndarray, notes: list[str]) -> np.ndarray:
    """Return velocities, m/s, without values that cannot be any; a note says so once."""
    wrong = np.abs(values) > FASTEST
    if wrong.any():
        note = f'values above {FASTEST:g} m/s were taken for fill values that the file does not declare'
        notes += [] if note in notes else [note]
        values = np.where(wrong, np.nan, values)
    return values


def _pair(store: Any, path: Path, options: Mapping[str, Any]) -> cf.Pair:
    attributes = {str(name): store[name].attrs for name in store.data_vars}
    found = cf.pairs_in(attributes)
    if 'variables' in options:
        names = options['variables']
        if isinstance(names, str):
            names = [name.strip() for name in names.split(',')]
        if len(names) != 2 or not all(name in attributes for name in names):
            raise InputError(f'{path}: variables is {names}; must be two of: {", ".join(attributes) or "(none)"}')
        x, y = map(str, names)
        return next((pair for pair in found if pair[:2] == (x, y)), cf.Pair(x, y, '', cf.HEIGHTS.get((x, y))))
    if len(found) != 1:
        says = 'holds no velocity that this reader knows' if not found else \
            f'holds {len(found)} velocities: {"; ".join(f"[{pair.x}, {pair.y}]" for pair in found)}'
        raise InputError(f'{path}: {says}; name two variables with the option variables. '
                         f'There are: {", ".join(attributes) or "none"}')
    return found[0]


def _scale(variable: Any, path: Path, options: Mapping[str, Any]) -> float:
    """Return what to multiply a variable with to have m/s."""
    unit = cf.unit_of(variable.attrs) or str(options.get('unit', ''))
    if unit not in cf.SPEED_UNITS:
        raise InputError(f'{path}: {variable.name} is in {unit or "no unit"}; must be in one of: '
                         f'{", ".join(cf.SPEED_UNITS)}. Where the file says none, the option unit does')
    return cf.SPEED_UNITS[unit]


READER = Reader('netcdf', recognises, open_netcdf, OPTIONS)
