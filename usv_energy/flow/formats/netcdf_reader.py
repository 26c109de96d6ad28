"""Currents and winds from CF netCDF files and zarr stores of any size, read page by page with xarray."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import FlowSource
from usv_energy.flow.formats import cf
from usv_energy.flow.formats.netcdf_mesh import (
    exact_times,
    mesh_flow,
    on_network,
    topology_of,
    with_files_beside,
    with_vectors_apart,
)
from usv_energy.flow.formats.netcdf_places import (
    NodePlaces,
    axis_of,
    curved_places,
    horizontal,
    level_height,
    refuse_unstructured,
    selection,
    straight_places,
    times_of,
)
from usv_energy.flow.formats.netcdf_store import FASTEST, Side, StoredVelocity, opened_store, recognises
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.grids.node_flow import CurvilinearFlow, NodeFlow
from usv_energy.flow.grids.node_steps import PagedSteps
from usv_energy.flow.grids.pages import Shape, Window
from usv_energy.flow.grids.triangles import MeshFlow
from usv_energy.flow.readers import Reader

CENTRES = (('lon_rho', 'lat_rho'), ('x_rho', 'y_rho'), ('longitude_rho', 'latitude_rho'))


def is_staggered(u: Any, v: Any) -> bool:
    """Return whether two variables are on the western and the southern faces of the same cells, by their sizes."""
    (u_rows, u_columns), (v_rows, v_columns) = u.shape[-2:], v.shape[-2:]
    return bool(u.dims[-2:] != v.dims[-2:] and u_rows == v_rows + 1 and v_columns == u_columns + 1)


def centres(store: Any, path: Path, u: Any, v: Any) -> tuple[Any, Any]:
    """
    Return the coordinates of the centres of inner cells, longitudes and latitudes or x and y.

    :raises InputError: If the file has none.
    """
    shape = u.shape[-2], v.shape[-1]
    for names in CENTRES:
        if all(name in store.variables and store[name].shape == shape for name in names):
            x, y = (store[name] for name in names)
            inner = dict.fromkeys(x.dims, slice(1, -1))
            return x.isel(inner), y.isel(inner)
    raise InputError(f'{path}: {u.name} and {v.name} lie on the faces of cells, and the file does not say where these '
                     f'are: lacks lon_rho and lat_rho with {shape[0]} rows and {shape[1]} columns. They are in the '
                     'model\'s grid file: put them in with ncks -A -v lon_rho,lat_rho,mask_rho,angle')


def inner_values(store: Any, name: str, centre: Any) -> np.ndarray | None:
    """Return a variable of the cells at the centres that are used, shape (rows, columns); None if it is missing."""
    if name not in store.variables or store[name].dims != centre.dims:
        return None
    return np.asarray(store[name].values, dtype=float)[1:-1, 1:-1]


def angle_of(store: Any, centre: Any) -> np.ndarray | None:
    """Return the angle from the east to the rows' direction, rad, from the file; None without."""
    angle = inner_values(store, 'angle', centre)
    if angle is not None and cf.unit_of(store['angle'].attrs).lower().startswith('degree'):
        return angle * (np.pi / 180.0)
    return angle


class StaggeredVelocity(StoredVelocity):
    """
    The velocity in cells: the mean over two faces, along the rows and across them.

    A face without a value beside a cell with water is a wall with zero velocity. A cell is dry by the file's mask, or
    if none of its four faces has a value.
    """

    def __init__(self, sides: tuple[Side, Side], path: Path, notes: list[str],
                 turn: tuple[np.ndarray, np.ndarray], wet: np.ndarray | None) -> None:
        """
        Take the two components.

        :param sides: Through the western and the southern faces.
        :param path: Name of the file in error messages.
        :param notes: See StoredVelocity.
        :param turn: See StoredVelocity; of the cells used.
        :param wet: Which cells have water, bool, shape (rows, columns); None if not in the file.
        """
        super().__init__(sides, path, notes, turn)
        times, rows, columns = sides[0].shape
        self.shape: Shape = (times, rows - 2, columns - 1)
        self._wet = wet

    def _parts(self, window: Window) -> list[np.ndarray]:
        """Return the two components in a window."""
        times, rows, columns = window
        faces = self._sides[0].read((times, slice(rows.start + 1, rows.stop + 1), slice(columns.start,
                                                                                        columns.stop + 1)))
        more = self._sides[1].read((times, slice(rows.start, rows.stop + 1), slice(columns.start + 1,
                                                                                   columns.stop + 1)))
        four = [faces[..., :-1], faces[..., 1:], more[:, :-1], more[:, 1:]]
        known = [np.abs(face) <= FASTEST for face in four]
        west, east, south, north = (np.where(here, face, 0.0) for here, face in zip(known, four))
        wet = np.logical_or.reduce(known)
        if self._wet is not None:
            wet &= self._wet[rows, columns]
        return [np.where(wet, 0.5 * (one + other), np.nan) for one, other in ((west, east), (south, north))]


class PolarVelocity(StoredVelocity):
    """The velocity of a speed and a direction, clockwise from north: to which it goes, or from which it comes."""

    def __init__(self, sides: Sequence[Side], path: Path, notes: list[str], sense: str) -> None:
        """Take speed and direction, degrees; `sense`: `to` or `from`; the rest as StoredVelocity."""
        super().__init__(sides, path, notes)
        self._sign = 1.0 if sense == 'to' else -1.0
        notes.append(f'speed, and direction {sense} which it {"goes" if sense == "to" else "comes"}')

    def _parts(self, window: Window) -> list[np.ndarray]:
        """Return the components to the east and to the north in a window."""
        speed, degrees = super()._parts(window)
        known = (speed >= 0.0) & (np.abs(degrees) <= 360.0)
        speed = np.where(known, self._sign * speed, np.nan)
        towards = np.radians(np.where(known, degrees, 0.0))
        return [speed * np.sin(towards), speed * np.cos(towards)]


OPTIONS = {
    'variables': 'the two components, [eastward, northward], or [speed, direction] by CF names; found by standard '
                 'names and usual names if left out',
    'medium': 'water or air, where a file holds both; that of the flow file if left out',
    'origin': '[longitude, latitude], degrees, of the local metres; the middle of the grid if left out',
    'depth': 'm, of the level, the nearest is taken; the one nearest the surface if left out',
    'level': 'the level by its number, from 0',
    'member': 'of an ensemble, by its name; the first if left out',
    'interpolation': 'on unstructured grids: linear in the triangles (default), or nearest',
    'select': 'a mapping of any other dimension to the number, from 0, of what to take of it',
    'unit': f'of the velocities, where the file says none: {", ".join(cf.SPEED_UNITS)}',
    'time_unit': f'of the times, where the file says none: {", ".join(cf.TIME_UNITS)}',
}
Options = Mapping[str, Any]


def open_netcdf(path: Path, options: Options) -> FlowSource:
    """
    Open a CF netCDF file or zarr store; only its header and axes are read now.

    :param path: The file or the folder.
    :param options: See OPTIONS.
    :raises InputError: If it cannot be read, a variable is missing, or required information is missing.
    """
    return flow_of_store(with_files_beside(opened_store(path), path), path, options, 'netcdf')


def flow_of_store(store: Any, path: Path, options: Options, reader: str) -> NodeFlow | MeshFlow:
    """
    Return the flow in an xarray.Dataset, which is closed with it.

    :param store: Opened without decoding times.
    :param path: Of the file.
    :param options: See OPTIONS.
    :param reader: Its name, for `describe`.
    :raises InputError: As `open_netcdf`.
    """
    try:
        return _flow(with_vectors_apart(store), path, options, reader)
    except InputError:
        store.close()
        raise
    except Exception as error:  # Each backend raises different errors.
        store.close()
        raise InputError(f'{path}: cannot be read; is the file whole? {type(error).__name__}: {error}') from None


def _flow(store: Any, path: Path, options: Options, reader: str) -> NodeFlow | MeshFlow:
    pair, notes = _pair(store, path, options)
    topology = topology_of(store, path, pair.x)
    if topology is None:
        refuse_unstructured(store, path, pair.x)
    staggered = topology is None and is_staggered(store[pair.x], store[pair.y])
    if not staggered and store[pair.x].dims != store[pair.y].dims:
        raise InputError(f'{path}: {pair.x} has the dimensions {store[pair.x].dims}, {pair.y} {store[pair.y].dims}; '
                         'both must lie on the same grid, or on the faces of its cells')
    curves = centres(store, path, store[pair.x], store[pair.y]) if staggered else (
        horizontal(store, pair.x) if topology is None else None)
    on: list[tuple[Any, ...]] = [
        store[name].dims[-2:] if staggered else curves[0].dims if curves else
        (topology.dimension,) if topology is not None else () for name in pair[:2]]
    picked = [selection(store, path, name, options, dimensions) for name, dimensions in zip(pair[:2], on)]
    levels = picked[0][1]
    variables = [store[name].isel(chosen) for name, (chosen, _) in zip(pair[:2], picked)]
    axes = {axis: str(name) for name in variables[0].dims
            if name not in on[0] and (axis := axis_of(store, str(name)))}
    times, start = times_of(exact_times(store), path, axes.get('T'), options)
    if len(members := levels.get('members', ())) > 1:
        notes.append(f'an ensemble: member {levels["member"]} of {len(members)} is taken; the option member names '
                     'another')
    about = {'reader': reader, 'file': str(path), 'medium': pair.medium or None, 'variables': list(pair[:2]),
             'file_title': str(store.attrs.get('title', '')), 'conventions': str(store.attrs.get('Conventions', '')),
             'units': {'velocity': str(store[pair.x].attrs.get('units') or cf.speed_unit_of(store[pair.x].attrs)
                                      or options.get('unit', ''))}, **levels}
    height = level_height(store, pair, levels)
    if pair.direction and (topology is not None or staggered):
        raise InputError(f'{path}: {pair.x} and {pair.y} are speed and direction, which are read on grids of rows and '
                         'columns; write eastward and northward components')
    if topology is not None:
        sides = [Side(variable, (axes.get('T'), None, topology.dimension), _scale(store[name], path, options))
                 for variable, name in zip(variables, pair[:2])]
        return mesh_flow(store, path, topology, sides, rising_times(times, path), start, options,
                         {**about, 'notes': notes}, height)
    if 'interpolation' in options:
        raise InputError(f'{path}: interpolation goes with unstructured grids; this one has rows and columns')
    places = curved_places(curves, path, options) if curves else straight_places(store, path, axes, options)
    places.about['notes'][:0] = notes
    sides = [Side(variable, (axes.get('T'), *(map(str, own) if own else places.dimensions)),
                  _degrees(store[name], path) if pair.direction and name == pair.y else
                  _scale(store[name], path, options))
             for variable, own, name in zip(variables, on, pair[:2])]
    windows = _windows(store, path, pair, sides, places, curves if staggered else None)
    more: dict[str, Any] = {'start': start, 'about': {**about, **places.about}, 'height': height,
                            'on_close': store.close}
    if places.lattice is not None:
        return CurvilinearFlow(places.lattice, rising_times(times, path), PagedSteps(windows.pages()), **more)
    return GridFlow(places.x, places.y, times, PagedSteps(windows.pages(), places.rows, places.columns), **more)


def rising_times(times: np.ndarray, path: Path) -> np.ndarray:
    """
    Return times, s, unchanged.

    :raises InputError: If they are not strictly ascending.
    """
    if not (np.diff(times) > 0.0).all():
        at = int(np.argmin(np.diff(times)))
        raise InputError(f'{path}: times: {times[at]:g} is followed by {times[at + 1]:g}; they must rise')
    return times


def _windows(store: Any, path: Path, pair: cf.Pair, sides: list[Side], places: NodePlaces,
             centre: tuple[Any, Any] | None) -> StoredVelocity:
    """Return the reader of parts of a velocity, which is rotated to east and north on a curvilinear grid."""
    notes = places.about['notes']
    if pair.direction:
        return PolarVelocity(sides, path, notes, pair.direction)
    angle = None
    if places.lattice is not None and (centre or not cf.is_eastward(store[pair.x].attrs, pair.x)):
        angle = angle_of(store, centre[0]) if centre else None
        notes.append('components along the grid\'s curves are turned to the east and north by '
                     + ('the geometry of its nodes' if angle is None else 'the file\'s angle'))
        angle = places.lattice.angle() if angle is None else angle
    turn = None if angle is None else (np.cos(angle), np.sin(angle))
    if centre is None or turn is None:
        return StoredVelocity(sides, path, notes, turn)
    notes.append('velocities on the faces of cells are taken to the middle of these; the outermost cells are left out')
    mask = inner_values(store, 'mask_rho', centre[0])
    return StaggeredVelocity((sides[0], sides[1]), path, notes, turn, None if mask is None else mask > 0.5)


def _pair(store: Any, path: Path, options: Options) -> tuple[cf.Pair, list[str]]:
    """Return the selected velocity, and notes on the reasons."""
    attributes = {str(name): store[name].attrs for name in store.data_vars}
    found = cf.pairs_in(attributes)
    if 'variables' in options:
        names = options['variables']
        if isinstance(names, str):
            names = [name.strip() for name in names.split(',')]
        if len(names) != 2 or not all(name in attributes for name in names):
            raise InputError(f'{path}: variables is {names}; must be two of: {", ".join(attributes) or "(none)"}')
        x, y = map(str, names)
        return next((pair for pair in found if pair[:2] == (x, y)), cf.Pair(x, y, '', cf.HEIGHTS.get((x, y)))), []
    medium = options.get('medium')
    if medium not in (None, 'water', 'air'):
        raise InputError(f'{path}: medium is {medium!r}; must be one of: water, air')
    of_medium = [pair for pair in found if pair.medium == medium] if medium else []
    fields = [pair for pair in of_medium or found if not on_network(store, pair.x)]
    kept, notes = cf.preferred(fields or of_medium or found)
    if len(kept) != 1:
        how = 'say which with the option medium, water or air, or name two variables with the option variables' \
            if len({pair.medium for pair in kept}) > 1 else 'name two variables with the option variables'
        says = 'holds no velocity that this reader knows' if not kept else \
            f'holds {len(kept)} velocities: {"; ".join(f"[{pair.x}, {pair.y}]" for pair in kept)}'
        raise InputError(f'{path}: {says}; {how}. '
                         f'There are: {", ".join(attributes) or "none"}')
    return kept[0], notes


def _degrees(variable: Any, path: Path) -> float:
    """Return the factor from the unit of a direction to degrees."""
    unit = cf.unit_of(variable.attrs).lower()
    if not unit.startswith(('deg', 'rad')):
        raise InputError(f'{path}: {variable.name} is in {unit or "no unit"}; must be in degrees or radians')
    return 1.0 if unit.startswith('deg') else 180.0 / math.pi


def _scale(variable: Any, path: Path, options: Options) -> float:
    """Return the factor from the unit of a variable to m/s."""
    unit = cf.speed_unit_of(variable.attrs) or str(options.get('unit', ''))
    if unit not in cf.SPEED_UNITS:
        raise InputError(f'{path}: {variable.name} is in {unit or "no unit"}; must be in one of: '
                         f'{", ".join(cf.SPEED_UNITS)}. Where the file says none, the option unit does')
    return cf.SPEED_UNITS[unit]


READER = Reader('netcdf', recognises, open_netcdf, OPTIONS)
