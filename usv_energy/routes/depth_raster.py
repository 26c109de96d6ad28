"""Water that is too shallow for a boat: a raster of depth or of the bed's height, GeoTIFF, ESRI ASCII or netCDF."""

import warnings
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from ..files.user_path import user_path
from ..flow.formats.netcdf import cf
from ..flow.formats.netcdf.store import recognises
from ..flow.formats.raster.raster_file import is_raster, read_header, read_values
from .barriers import Barriers
from .cell_barriers import Cells, cell_barriers
from .file_map import file_map
from .world_frame import WorldFrame

Meaning = Literal['depth', 'bed']
# CF's standard names of rasters, and what their numbers mean. https://cfconventions.org/standard-names.html
STANDARD_NAMES = {
    'sea_floor_depth_below_geoid': 'depth', 'sea_floor_depth_below_mean_sea_level': 'depth',
    'depth': 'depth',
    'sea_floor_depth_below_sea_surface': 'depth', 'sea_floor_depth_below_reference_ellipsoid': 'depth',
    'height_above_mean_sea_level': 'bed', 'surface_altitude': 'bed', 'height_above_reference_ellipsoid': 'bed',
    'bedrock_altitude': 'bed', 'altitude': 'bed', 'height_above_geopotential_datum': 'bed'}
NAMES = ('elevation', 'depth', 'deptho', 'bathymetry', 'topo', 'z', 'band1')


class _Raster(NamedTuple):
    """Centres of columns and rows in the file's coordinates, rising; values, m, (ny, nx), NaN: none; its system."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    crs: str | None


def depth_barriers(path: Path | str, meaning: Meaning, needed: float, frame: WorldFrame | None, metres: bool = False,
                   clearance: float = 0.0, water_level: float = 0.0) -> Barriers:
    """
    Return the cells of a raster that are too shallow, or have no value, as barriers; around the raster there are none.

    :param path: GeoTIFF, ESRI ASCII or CF netCDF of one variable on a rectilinear grid.
    :param meaning: `depth`, m, positive below the water's surface, or `bed`: the bed's height, m, positive upwards.
    :param needed: Depth that the boat needs, m: its draught and what is to be left under the keel.
    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param metres: The file is in the world's metres, whatever it says itself.
    :param clearance: Distance to be kept, m.
    :param water_level: Height of the surface where the bed's is counted from, m; rise above the depths' datum.
    :raises InputError: If it cannot be read, or says that its numbers mean something else.
    """
    path = user_path(path)
    if not path.exists():
        raise InputError(f'{path}: there is no such file')
    raster = _grid_file(path) if is_raster(path) else _netcdf(path, meaning)
    depth = water_level + (raster.values if meaning == 'depth' else -raster.values)
    with np.errstate(invalid='ignore'):
        closed = ~(depth >= needed)
    if closed.all():
        raise InputError(f'{path}: no cell is {needed:g} m deep; read as --{meaning}, its values are '
                         f'{_range(raster.values)} m. --depth is positive below water, --bed positive upwards')
    cells = Cells(_lines(raster.x), _lines(raster.y), closed)
    return cell_barriers(cells, file_map(path, raster.crs, frame, metres), clearance)


def _range(values: np.ndarray) -> str:
    known = values[np.isfinite(values)]
    return f'{known.min():g} to {known.max():g}' if known.size else 'none'


def _lines(centres: np.ndarray) -> np.ndarray:
    """Return the lines between cells, of their centres."""
    middle = 0.5 * (centres[1:] + centres[:-1])
    return np.concatenate([[2.0 * centres[0] - middle[0]], middle, [2.0 * centres[-1] - middle[-1]]])


def _grid_file(path: Path) -> _Raster:
    header = read_header(path, degrees=True)
    return _Raster(header.x, header.y, read_values(path, 1, header), header.projection)


def _netcdf(path: Path, meaning: Meaning) -> _Raster:
    if not recognises(path):
        raise InputError(f'{path}: is no raster that is read here: GeoTIFF, ESRI ASCII or netCDF')
    xarray = optional('xarray', 'flow', f'{path}: netCDF and zarr')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            opened = (xarray.open_zarr(path, chunks=None) if path.is_dir()
                      else xarray.open_dataset(path, engine='netcdf4'))
            with opened as store:
                return _variable(store, path, meaning)
    except InputError:
        raise
    except Exception as error:  # each backend raises different errors
        raise InputError(f'{path}: cannot be read; is the file whole? {type(error).__name__}: {error}') from None


def _variable(store: Any, path: Path, meaning: Meaning) -> _Raster:
    flat = {str(name): store[name] for name in store.data_vars if store[name].squeeze().ndim == 2}
    chosen = [name for name in flat if flat[name].attrs.get('standard_name') in STANDARD_NAMES]
    chosen = chosen or [name for name in flat if name.lower() in NAMES] or (list(flat) if len(flat) == 1 else [])
    if len(chosen) != 1:
        raise InputError(f'{path}: which variable is the depth? Of two dimensions there are: '
                         f'{", ".join(flat) or "none"}; one must have a standard_name of depth or height, or be called '
                         f'{", ".join(NAMES)}')
    values = flat[chosen[0]].squeeze()
    says = STANDARD_NAMES.get(values.attrs.get('standard_name', ''))
    if says is not None and says != meaning:
        raise InputError(f'{path}: {chosen[0]} is {values.attrs["standard_name"]}; give the file as --{says}')
    if (unit := cf.unit_of(values.attrs)) not in ('', *cf.LENGTH_UNITS):
        raise InputError(f'{path}: {chosen[0]} is in {unit}; must be in m')
    axes = {cf.axis_of(str(name), store[name].attrs if name in store.coords else {}): name for name in values.dims}
    pair = ('LON', 'LAT') if 'LON' in axes else ('X', 'Y')
    if not set(pair) <= set(axes):
        raise InputError(f'{path}: {chosen[0]} lies on {", ".join(map(str, values.dims))}; must lie on longitude and '
                         'latitude, or on x and y in metres (curvilinear grids: regrid them first)')
    ordered = values.transpose(axes[pair[1]], axes[pair[0]]).sortby([axes[pair[0]], axes[pair[1]]])
    units = [cf.unit_of(store[axes[kind]].attrs) if axes[kind] in store.coords else '' for kind in pair]
    x, y = (cf.LENGTH_UNITS.get(of, 1.0) * np.asarray(ordered[axes[kind]].values, float)
            for of, kind in zip(units, pair))
    scale = cf.LENGTH_UNITS.get(unit, 1.0)
    return _Raster(x, y, scale * np.asarray(ordered.values, float), 'EPSG:4326' if pair[0] == 'LON' else None)
