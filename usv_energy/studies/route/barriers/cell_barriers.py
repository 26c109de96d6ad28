"""Barriers of grid cells: too shallow water in a raster of depth, and dry places and the end of a flow."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.flow.field import Extent, FlowField
from usv_energy.flow.formats import cf
from usv_energy.flow.formats.netcdf_store import check_store, recognises, xarray_for
from usv_energy.flow.formats.raster_reader import is_raster, read_header, read_values
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.missions.land_file import FileMap, file_map
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.route.barriers.area_barriers import AreaBarriers, Barriers, NoBarriers

MOST_CELLS = 1_000_000
LEAST_CELLS = 200       # along the longer side of a flow without a grid of its own
MOST_TIMES = 8
Meaning = Literal['depth', 'bed']
# CF's standard names of rasters, and the meaning of their values. https://cfconventions.org/standard-names.html
STANDARD_NAMES = {
    'sea_floor_depth_below_geoid': 'depth', 'sea_floor_depth_below_mean_sea_level': 'depth',
    'depth': 'depth',
    'sea_floor_depth_below_sea_surface': 'depth', 'sea_floor_depth_below_reference_ellipsoid': 'depth',
    'height_above_mean_sea_level': 'bed', 'surface_altitude': 'bed', 'height_above_reference_ellipsoid': 'bed',
    'bedrock_altitude': 'bed', 'altitude': 'bed', 'height_above_geopotential_datum': 'bed'}
NAMES = ('elevation', 'depth', 'deptho', 'bathymetry', 'topo', 'z', 'band1')


class Cells(NamedTuple):
    """Cells of a grid: its lines along x and y, rising, (nx + 1,), (ny + 1,); which cells are closed, (ny, nx)."""

    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray

    def inside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which places on the map lie in a closed cell; False outside the grid."""
        column, row = (np.searchsorted(lines, at, side='right') - 1 for lines, at in ((self.x, x), (self.y, y)))
        on_grid = (column >= 0) & (column < self.x.size - 1) & (row >= 0) & (row < self.y.size - 1)
        return on_grid & self.closed[np.where(on_grid, row, 0), np.where(on_grid, column, 0)]

    def edges(self, most: int | None = None) -> np.ndarray:
        """
        Return the sides between a closed cell and an open one or the outside: x, y of both ends, shape (K, 2, 2).

        :param most: None joins the sides on one line; 1 keeps them apart, for a map that is not flat in the world.
        """
        sides = np.diff(np.pad(self.closed, ((0, 0), (1, 1))).astype(int), axis=1) != 0
        column, first, last = _runs(sides.T, most)
        upright = np.stack([np.column_stack([self.x[column], self.y[first]]),
                            np.column_stack([self.x[column], self.y[last]])], axis=1)
        row, first, last = _runs(np.diff(np.pad(self.closed, ((1, 1), (0, 0))).astype(int), axis=0) != 0, most)
        level = np.stack([np.column_stack([self.x[first], self.y[row]]),
                          np.column_stack([self.x[last], self.y[row]])], axis=1)
        return np.concatenate([upright, level])


def _runs(marked: np.ndarray, most: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the runs of True along each row: the row, the first column, the one after the last; `most` 1: no runs."""
    if most == 1:
        row, column = np.nonzero(marked)
        return row, column, column + 1
    step = np.diff(np.pad(marked.astype(int), ((0, 0), (1, 1))), axis=1)
    (row, first), (_, last) = np.nonzero(step == 1), np.nonzero(step == -1)
    return row, first, last


def cell_barriers(cells: Cells, placed: FileMap, clearance: float = 0.0) -> Barriers:
    """
    Return closed cells as barriers.

    :param cells: In the coordinates of a file.
    :param placed: The conversion of these coordinates to the world's.
    :param clearance: Distance to be kept, m.
    """
    edges = cells.edges(None if placed.frame is None else 1)
    if not edges.size:
        return NoBarriers()
    x, y = placed.to_world(edges[:, :, 0].ravel(), edges[:, :, 1].ravel())
    lines = np.column_stack([x, y]).reshape(-1, 2, 2)

    def inside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        at_x, at_y = placed.to_file(np.asarray(x, float), np.asarray(y, float))
        if placed.degrees:      # The longitudes of the map may continue beyond 180.
            at_x = cells.x[0] + (at_x - cells.x[0]) % 360.0
        return cells.inside(at_x, at_y)

    return AreaBarriers(list(lines), inside, clearance)


def dry_barriers(current: FlowField, extent: Extent, times: Sequence[float], clearance: float,
                 spacing: float | None = None) -> Barriers:
    """
    Return the places where a current is dry at all of some times, as barriers made of cells.

    A place that is dry only at some times is not a barrier; there the current has no value then, and no route leads
    through it. The end of the field is a barrier too, since a river's banks may be there. Edges are accurate to half a
    cell.

    :param current: In the world.
    :param extent: Of the field, m.
    :param times: s of the flow's clock; at most eight of them are used.
    :param clearance: Distance to be kept, m.
    :param spacing: Of the cells, m; it is enlarged if there would be more than a million cells.
    :raises InputError: If the field is dry everywhere.
    """
    if not np.isfinite(extent).all():
        return NoBarriers()
    width, height = extent[2] - extent[0], extent[3] - extent[1]
    size = max(spacing or max(width, height) / LEAST_CELLS, (width * height / MOST_CELLS) ** 0.5)
    x, y = (np.linspace(low, low + long, max(1, round(long / size)) + 1)
            for low, long in zip(extent[:2], (width, height)))
    middle_x, middle_y = np.meshgrid(0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1]))
    dry = np.ones(middle_x.size, dtype=bool)
    for time in np.asarray(times)[np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))].tolist():
        dry &= ~current.velocity(time, middle_x.ravel(), middle_y.ravel())[2]
    if dry.all():
        raise InputError(f'{getattr(current, "path", "the current")}: has no water at t = {exact_seconds(times[0])}, '
                         'nor later')
    x, y = (np.concatenate([[2.0 * lines[0] - lines[1]], lines, [2.0 * lines[-1] - lines[-2]]]) for lines in (x, y))
    closed = np.pad(dry.reshape(middle_x.shape), 1, constant_values=True)
    return cell_barriers(Cells(x, y, closed), FileMap(Path(), None, None), clearance)


class _Raster(NamedTuple):
    """Centres of columns and rows in the file's coordinates, rising; values, m, (ny, nx), NaN: missing; its crs."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    crs: str | None


def depth_barriers(path: Path | str, meaning: Meaning, needed: float, frame: WorldFrame | None, metres: bool = False,
                   clearance: float = 0.0, water_level: float = 0.0) -> Barriers:
    """
    Return the cells of a raster that are too shallow, or have no value, as barriers; outside the raster is open water.

    :param path: GeoTIFF, ESRI ASCII or CF netCDF of one variable on a rectilinear grid.
    :param meaning: `depth`, m, positive below the water's surface, or `bed`: the bed's height, m, positive upwards.
    :param needed: Depth that the boat needs, m: its draught and the water under the keel.
    :param frame: Where the world lies on the Earth; None if unknown.
    :param metres: The file is in the world's metres, whatever it says itself.
    :param clearance: Distance to be kept, m.
    :param water_level: Height of the surface, m, above the zero of the bed's heights, or above the depths' datum.
    :raises InputError: If it cannot be read, or declares another meaning of its values.
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
    check_store(path)
    xarray = xarray_for(path)
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
