"""Unstructured grids in netCDF files: UGRID (SCHISM, Delft3D FM, ADCIRC and others), and FVCOM."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf import cf
from usv_energy.flow.formats.netcdf.places import local_metres
from usv_energy.flow.formats.netcdf.store import Side, StoredVelocity
from usv_energy.flow.grids.mesh_flow import FlowMesh, MeshFlow

Options = Mapping[str, Any]
# The nodes of faces in files that do not say it as UGRID does: FVCOM, SCHISM, ADCIRC.
FACE_NODES = ('nv', 'SCHISM_hgrid_face_nodes', 'element')
# Faces without water, and the value that says so: FVCOM, SCHISM of today and of old.
DRY = {'wet_cells': 0, 'dryFlagElement': 1, 'wetdry_elem': 1}
LINEAR, NEAREST = INTERPOLATIONS = ('linear', 'nearest')
PROJECTIONS = ('crs_wkt', 'spatial_ref', 'EPSG_code')  # Attributes of CF's grid mappings, and of Delft3D FM's.


class Topology(NamedTuple):
    """The mesh of a variable: its name, the dimension of the values, whether that counts faces, and its tables."""

    name: str
    dimension: str
    in_faces: bool
    face_nodes: Any
    face_dimension: str
    coordinates: tuple[Any, Any]


def topology_of(store: Any, path: Path, variable: str) -> Topology | None:
    """
    Return the mesh of a variable; None if it lies on none, or the file does not say which nodes the faces have.

    :raises InputError: If the variable lies on the edges of a mesh, or the mesh names what the file lacks.
    """
    item = store[variable]
    meshes = {str(name): store[name].attrs for name in store.variables
              if str(store[name].attrs.get('cf_role', '')) == 'mesh_topology'
              and int(store[name].attrs.get('topology_dimension', 2)) == 2}
    own = str(item.attrs.get('mesh', ''))
    attributes = meshes.get(own) if own else next(iter(meshes.values()), None)
    name = own or next(iter(meshes), '')
    found = str(attributes.get('face_node_connectivity', '')) if attributes else next(
        (known for known in FACE_NODES if known in store.variables), '')
    if not found:
        return None
    if found not in store.variables or store[found].ndim != 2:
        raise InputError(f'{path}: the mesh {name!r} says that {found!r} has the nodes of its faces, and the file has '
                         'no such table')
    face_nodes = store[found]
    said = str((attributes or {}).get('face_dimension', ''))
    sizes = [str(dimension) for dimension in face_nodes.dims]
    face = next((one for one in (said, *sizes) if one in sizes and one in item.dims),
                said if said in sizes else max(sizes, key=lambda one: face_nodes.sizes[one]))
    location = str(item.attrs.get('location', ''))
    if location == 'edge':
        raise InputError(f'{path}: {variable} lies on the edges of the mesh {name!r}; must be on its faces or nodes')
    names = str((attributes or {}).get('node_coordinates', '')).split() or list(store.variables)
    coordinates = _coordinates(store, names, face, item.dims)
    if coordinates is None:
        return None
    dimension = face if face in item.dims else str(coordinates[0].dims[0])
    if dimension not in item.dims:
        return None
    return Topology(name or 'FVCOM' * (found == 'nv') or found, dimension, dimension == face, face_nodes, face,
                    coordinates)


def _coordinates(store: Any, names: Iterable[Any], face: str, dimensions: tuple[Any, ...]) -> tuple[Any, Any] | None:
    """Return the places of nodes: longitudes and latitudes, else x and y; those of the variable's own nodes first."""
    items = [store[name] for name in names if name in store.variables and store[name].ndim == 1]
    for kinds in (('LON', 'LAT'), ('X', 'Y')):
        for dimension in sorted({str(item.dims[0]) for item in items} - {face}, key=lambda one: one not in dimensions):
            of = {cf.axis_of(str(item.name), item.attrs): item for item in reversed(items) if item.dims == (dimension,)}
            # FVCOM on a plane writes longitudes of zero.
            if all(kind in of for kind in kinds) and all(np.ptp(of[kind].values) > 0.0 for kind in kinds):
                return of[kinds[0]], of[kinds[1]]
    return None


def exact_times(store: Any) -> Any:
    """Return a store with FVCOM's milliseconds, or its texts, as its times, which are else 32-bit days, 6 min apart."""
    if 'time' not in store.variables or store['time'].dtype != np.float32:
        return store
    if {'Itime', 'Itime2'} <= set(store.variables) and str(store['Itime2'].attrs.get('units', '')).startswith('msec'):
        days, parts = store['Itime'], store['Itime2']
        seconds = np.round(86400.0 * days.values.astype(float) + 1e-3 * parts.values.astype(float), 3)
        units = str(days.attrs.get('units', '')).replace('days', 'seconds', 1)
    elif 'Times' in store.variables and store['Times'].dtype.kind == 'S':
        try:
            dates = np.char.strip(np.char.decode(store['Times'].values, 'ascii')).astype('datetime64[ms]')
        except ValueError:
            return store
        seconds, units = dates.astype('int64') * 1e-3, 'seconds since 1970-01-01 00:00:00'
    else:
        return store
    if seconds.shape != store['time'].shape or store['time'].ndim != 1:
        return store
    return store.assign_coords(time=(store['time'].dims[0], seconds, {'units': units, 'standard_name': 'time'}))


def faces_of(topology: Topology, path: Path, nodes: int) -> np.ndarray:
    """
    Return the indices of the nodes around each face, from 0, shape (F, K), -1 after the last one of a face.

    :raises InputError: If one is no node.
    """
    item = topology.face_nodes
    other = next(name for name in item.dims if str(name) != topology.face_dimension)
    values = np.asarray(item.transpose(topology.face_dimension, other).values, dtype=float)
    known = np.isfinite(values) & (values >= 0.0)
    most = values[known].max() if known.any() else -1.0
    start = item.attrs.get('start_index')
    first = int(start) if start is not None else int(most == nodes or item.name in FACE_NODES)
    known &= values >= first
    if not known.any() or most - first >= nodes:
        raise InputError(f'{path}: {item.name} names the node {most:g}; must be {first} to {nodes - 1 + first}')
    faces = np.where(known, np.nan_to_num(values) - first, -1.0).astype(np.int64)
    order = np.argsort(~known, axis=1, kind='stable')
    return np.take_along_axis(faces, order, axis=1)


def mesh_flow(store: Any, path: Path, topology: Topology, sides: list[Side], times: np.ndarray,
              start: datetime | None, options: Options, about: dict[str, Any], height: float | None) -> MeshFlow:
    """
    Return the flow on a mesh.

    :param sides: The two components, to the east and to the north, or along the map's x and y.
    :param about: Entries of `describe` on the file; `notes` of it may grow.
    :raises InputError: If the mesh is damaged, or an option is wrong.
    """
    how = options.get('interpolation', LINEAR)
    if how not in INTERPOLATIONS:
        raise InputError(f'{path}: interpolation is {how!r}; must be one of: {", ".join(INTERPOLATIONS)}')
    x, y, places = _metres(store, path, topology, options)
    about = {**about, **places, 'notes': [*about['notes'], *places['notes']], 'mesh': topology.name,
             'location': 'face' if topology.in_faces else 'node', 'interpolation': how}
    faces = faces_of(topology, path, x.size)
    try:
        mesh = FlowMesh(np.column_stack((x, y)), faces, topology.in_faces, how == LINEAR)
    except ValueError as error:
        raise InputError(f'{path}: the mesh {topology.name!r}: {error}') from None
    stored = StoredVelocity(sides, path, about['notes'])
    dry = _dry_faces(store, path, topology, sides[0].dimensions[0])

    def load(step: int) -> np.ndarray:
        velocity = stored.read((slice(step, step + 1), slice(0, 1), slice(None)))[:, 0].astype(float).T
        if dry is not None:
            faces_dry = dry(step)
            velocity[faces_dry if topology.in_faces else _nodes_of_dry(faces, faces_dry, x.size)] = np.nan
        return velocity

    return MeshFlow(mesh, times, load, start=start, about=about, height=height, on_close=store.close)


def _metres(store: Any, path: Path, topology: Topology, options: Options) -> tuple[np.ndarray, np.ndarray,
                                                                                  dict[str, Any]]:
    """Return the places of the nodes, m, and the description."""
    first, second = (np.array(side.values, dtype=float) for side in topology.coordinates)
    name, attributes = str(topology.coordinates[0].name), topology.coordinates[0].attrs
    if cf.axis_of(name, attributes) == 'LON':
        wrong = ~(np.isfinite(first) & np.isfinite(second) & (np.abs(first) <= 720.0) & (np.abs(second) <= 90.0))
        first[wrong] = second[wrong] = np.nan
        # As places of a curved grid: those of a mesh are not evenly spaced, either.
        x, y, about = local_metres(first[:, None], second[:, None], path, options)
        return x[:, 0], y[:, 0], about
    if 'origin' in options:
        raise InputError(f'{path}: origin goes with longitude and latitude; this file has metres')
    unit = cf.unit_of(attributes)
    if unit not in cf.LENGTH_UNITS:
        raise InputError(f'{path}: {name} is in {unit or "no unit"}; must be in m or km')
    scale = cf.LENGTH_UNITS[unit]
    projection = next((str(store[one].attrs[key]) for one in store.variables for key in PROJECTIONS
                       if store[one].attrs.get(key) and str(store[one].attrs[key]) != 'EPSG:4326'), None)
    return scale * first, scale * second, {'coordinates': 'metres of a projection', 'projection': projection,
                                           'notes': []}


def _dry_faces(store: Any, path: Path, topology: Topology,
               time: str | None) -> Callable[[int], np.ndarray] | None:
    """Return the function of a step that says which faces have no water, bool, (F,); None if the file does not say."""
    for name, value in DRY.items():
        if name in store.variables and set(store[name].dims) == {time, topology.face_dimension}:
            flags = store[name]
            return lambda step: np.asarray(flags.isel({time: step}).values) == value
    return None


def _nodes_of_dry(faces: np.ndarray, dry: np.ndarray, nodes: int) -> np.ndarray:
    """Return which nodes have dry faces alone around them, bool, (nodes,)."""
    wet = np.zeros(nodes, dtype=bool)
    some = faces[~dry]
    wet[some[some >= 0]] = True
    return ~wet
