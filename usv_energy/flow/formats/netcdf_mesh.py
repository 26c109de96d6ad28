"""Unstructured grids in netCDF files: UGRID (SCHISM, Delft3D FM, ADCIRC and others), and FVCOM."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.formats import cf
from usv_energy.flow.formats.netcdf_places import local_metres
from usv_energy.flow.formats.netcdf_store import Side, StoredVelocity, opened_store
from usv_energy.flow.grids.triangles import FlowMesh, MeshFlow

Options = Mapping[str, Any]
# The nodes of faces in files that do not say it as UGRID does: FVCOM, SCHISM, ADCIRC, GNOME.
FACE_NODES = ('nv', 'SCHISM_hgrid_face_nodes', 'element', 'tris')
# Faces without water, and the value that says so: FVCOM, SCHISM of today and of old.
DRY = {'wet_cells': 0, 'dryFlagElement': 1, 'wetdry_elem': 1}
# SCHISM of today writes a file a variable: out2d_3.nc, horizontalVelX_3.nc; what velocities need of each of them.
SCHISM_FILE = re.compile(r'(out2d|horizontalVelX|horizontalVelY)(_\d+\.nc)')
SCHISM_BESIDE = {'horizontalVelX': ('horizontalVelX',), 'horizontalVelY': ('horizontalVelY',), 'out2d': (
    'SCHISM_hgrid', 'SCHISM_hgrid_face_nodes', 'SCHISM_hgrid_node_x', 'SCHISM_hgrid_node_y', 'dryFlagElement')}
SCHISM_VECTORS = ('hvel', 'dahv', 'wind_speed')  # Of old files of SCHISM (schout_*.nc), m/s: east and north in one.
LINEAR, NEAREST = INTERPOLATIONS = ('linear', 'nearest')
PROJECTIONS = ('crs_wkt', 'spatial_ref', 'EPSG_code')  # Attributes of CF's grid mappings, and of Delft3D FM's.


class Topology(NamedTuple):
    """
    The mesh of a variable: its name, the dimension of the values, whether these are of faces, and its tables.

    `edge_nodes`: of values on edges, which count as those of the faces between them; None for others.
    """

    name: str
    dimension: str
    in_faces: bool
    face_nodes: Any
    face_dimension: str
    coordinates: tuple[Any, Any]
    edge_nodes: Any = None


def with_vectors_apart(store: Any) -> Any:
    """Return a store in which the vectors of SCHISM's old files are two variables, `hvel_x` and `hvel_y`, lazily."""
    for name in SCHISM_VECTORS:
        if name in store.variables and store[name].ndim and store[name].sizes[(pair := store[name].dims[-1])] == 2:
            sides = {f'{name}_{side}': store[name].isel({pair: number}) for number, side in enumerate('xy')}
            store = store.assign({key: side.assign_attrs(units=side.attrs.get('units', 'm/s'))
                                  for key, side in sides.items()}).drop_vars(name)
    return store


def with_files_beside(store: Any, path: Path) -> Any:
    """
    Return a store with the other component, the mesh and the dry faces of SCHISM's files beside it.

    :raises InputError: If one of them has other times or another mesh.
    """
    named = SCHISM_FILE.fullmatch(path.name)
    for name, wanted in SCHISM_BESIDE.items() if named else ():
        other = path.with_name(f'{name}{named[2]}') if named else path
        lacking = [variable for variable in wanted if variable not in store.variables]
        if not lacking or not other.is_file():
            continue
        beside = opened_store(other)
        found = {variable: beside[variable].variable for variable in lacking if variable in beside.variables}
        for variable, item in found.items():
            for one, size in item.sizes.items():
                if store.sizes.get(one, size) != size:
                    store.close()
                    raise InputError(f'{other}: {variable} has {size} of {one}, and {path.name} beside it '
                                     f'{store.sizes[one]}; both must be of one run')
        closes = store.close, beside.close
        store = store.assign(found)
        store.set_close(lambda closes=closes: [close() for close in closes])
    return store


def on_network(store: Any, variable: str) -> bool:
    """Return whether a variable lies on a network of lines: UGRID with one dimension."""
    mesh = store.variables.get(store[variable].attrs.get('mesh'))
    return mesh is not None and str(mesh.attrs.get('topology_dimension', '')) == '1'


def topology_of(store: Any, path: Path, variable: str) -> Topology | None:
    """
    Return the mesh of a variable; None if it lies on none, or the file does not say which nodes the faces have.

    :raises InputError: If the mesh names what the file lacks.
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
    edge_nodes = None
    if str(item.attrs.get('location', '')) == 'edge':
        table = str((attributes or {}).get('edge_node_connectivity', ''))
        if table not in store.variables or store[table].ndim != 2:
            raise InputError(f'{path}: {variable} lies on the edges of the mesh {name!r}, and the file does not say '
                             'which nodes these have (edge_node_connectivity)')
        edge_nodes = store[table]
    names = str((attributes or {}).get('node_coordinates', '')).split() or list(store.variables)
    coordinates = _coordinates(store, names, face, item.dims)
    if coordinates is None:
        return None
    dimension = face if face in item.dims else str(coordinates[0].dims[0])
    if edge_nodes is not None:
        dimension = next((str(one) for one in edge_nodes.dims if one in item.dims), dimension)
    if dimension not in item.dims:
        return None
    return Topology(name or 'FVCOM' * (found == 'nv') or found, dimension, dimension == face or edge_nodes is not None,
                    face_nodes, face, coordinates, edge_nodes)


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


def edges_of(topology: Topology, faces: np.ndarray, path: Path) -> np.ndarray:
    """
    Return the indices of the edges around each face, shape (F, K), -1 after the last one of a face.

    :param faces: The nodes around each face, from `faces_of`.
    :raises InputError: If a face has an edge that is not in the file.
    """
    item = topology.edge_nodes
    other = next(name for name in item.dims if str(name) != topology.dimension)
    ends = np.asarray(item.transpose(topology.dimension, other).values, dtype=np.int64)
    start = item.attrs.get('start_index')
    ends = ends - (int(start) if start is not None else int(ends.min()))
    most = max(int(faces.max()), int(ends.max())) + 1
    keys = ends.min(axis=1) * most + ends.max(axis=1)
    order = np.argsort(keys)
    number = (faces >= 0).sum(axis=1)[:, None]
    after = np.take_along_axis(faces, (np.arange(faces.shape[1]) + 1) % number, axis=1)
    wanted = np.minimum(faces, after) * most + np.maximum(faces, after)
    at = np.clip(np.searchsorted(keys, wanted, sorter=order), 0, keys.size - 1)
    if not (keys[order[at]] == wanted)[faces >= 0].all():
        raise InputError(f'{path}: the mesh {topology.name!r}: faces have edges that {item.name} does not name')
    return np.where(faces >= 0, order[at], -1)


def _mean_of_edges(velocity: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the mean of what the edges of each face have, shape (F, 2); NaN if none has a value."""
    values = np.where((edges >= 0)[..., None], velocity[edges], np.nan)
    known = np.isfinite(values)
    with np.errstate(invalid='ignore'):
        return np.asarray(np.where(known, values, 0.0).sum(axis=1) / known.sum(axis=1))


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
    edges = None
    if topology.edge_nodes is not None:
        edges = edges_of(topology, faces, path)
        about['notes'].append('velocities on the edges of faces: the mean of those around a face is taken for it')
    try:
        mesh = FlowMesh(np.column_stack((x, y)), faces, topology.in_faces, how == LINEAR)
    except ValueError as error:
        raise InputError(f'{path}: the mesh {topology.name!r}: {error}') from None
    stored = StoredVelocity(sides, path, about['notes'])
    dry = _dry_faces(store, path, topology, sides[0].dimensions[0])

    def load(step: int) -> np.ndarray:
        velocity = stored.read((slice(step, step + 1), slice(0, 1), slice(None)))[:, 0].astype(float).T
        if edges is not None:
            velocity = _mean_of_edges(velocity, edges)
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
