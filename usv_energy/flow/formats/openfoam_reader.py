"""
Reader of OpenFOAM: a case, a VTK file, or a plane exported by ParaView (CSV); a horizontal plane at a height.

A plane exported by ParaView to CSV: one row per point with position and velocity; a lattice or scattered points.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.side_process import guarded, limit_work
from usv_energy.files.table import TableRules, read_head, read_table
from usv_energy.files.work import cores
from usv_energy.flow.field import Extent
from usv_energy.flow.formats.openfoam_plane import (
    KeptSteps,
    Plane,
    Velocity,
    is_surface,
    probe,
    pyvista_for,
    vtk_errors,
)
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.grids.triangles import inside_walls
from usv_energy.flow.readers import Reader, beginning

MOST_NODES = 4_000_000
# Memory of the process that reads by VTK, bytes: in all, for each core, whose threads have their own, and for each byte
# of the file.
MEMORY, CORE_MEMORY, MEMORY_PER_BYTE = 1 << 30, 1 << 27, 50
MOST_KEPT = 4   # Cases and files that it keeps open.
FARTHEST = 1e9  # m from the origin: a larger coordinate means damage.
EXPORTED = TableRules(cells='floats')
MASK = 'vtkValidPointMask'  # ParaView's column for points outside the mesh, whose values are then 0.


class _Table(NamedTuple):
    """The rows at one height: positions and velocities, m and m/s, NaN without a value."""

    x: np.ndarray
    y: np.ndarray
    height: float
    velocity: np.ndarray  # (N, 2)
    name: str
    masked: bool


def is_paraview_csv(path: Path) -> bool:
    """Return whether a file begins with ParaView's column names, including a position and a vector."""
    if not path.is_file():
        return False
    try:
        vectors = _vectors(read_head(path, EXPORTED).names)
    except InputError:
        return False
    return 'Points' in vectors and len(vectors) > 1


def open_csv(path: Path, options: Mapping[str, Any]) -> GridFlow:
    """
    Open a plane; all of it is read now.

    :param path: The file.
    :param options: Of the reader openfoam: height, velocity, spacing, gap.
    :raises InputError: If it is damaged, has no such field, or the meaning of its gaps is not stated.
    """
    table = _read(path, options)
    lattice = _lattice(table)
    x, y, vx, vy, notes = _scattered(path, table, options) if lattice is None else lattice
    if not table.masked:
        zeros = int(np.sum(~table.velocity.any(axis=1)))
        if zeros > 0.01 * table.x.size:
            notes.append(f'{zeros} of {table.x.size} points have a velocity of exactly 0 and there is no column '
                         f'{MASK}: if these are buildings, export again with it')
    about = {'reader': 'openfoam', 'file': str(path), 'format': 'ParaView CSV', 'medium': None,
             'velocity': table.name, 'height_m': table.height, 'points': int(table.x.size),
             'points_with_value': int(np.isfinite(table.velocity[:, 0]).sum()), 'units': {'velocity': 'm/s'},
             'projection': None, 'missing': ['times', 'projection', 'start'], 'notes': notes}
    return GridFlow(x, y, np.zeros(1), lambda _: (vx, vy), about=about)


def _vectors(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the three columns of each vector, by its name: U:0, U:1, U:2 or U_0, U_1, U_2."""
    vectors = {}
    for name in names:
        for mark in (':', '_'):
            stem = name[:-2] if name.endswith(f'{mark}0') else ''
            parts = [f'{stem}{mark}{axis}' for axis in range(3)]
            if stem and all(part in names for part in parts):
                vectors[stem] = parts
    return vectors


def _read(path: Path, options: Mapping[str, Any]) -> _Table:
    names = read_head(path, EXPORTED).names
    vectors = _vectors(names)
    name = str(options.get('velocity', 'U'))
    if name not in vectors or name == 'Points':
        fields = ', '.join(vector for vector in vectors if vector != 'Points')
        raise InputError(f'{path}: option velocity: no vector {name!r}; it has: {fields or "none"}')
    masked = MASK in names
    columns = read_table(path, [*vectors['Points'], *vectors[name][:2], *([MASK] if masked else [])], EXPORTED)
    rows = np.column_stack(list(columns.values()))
    rows = rows[_at_height(path, rows[:, 2], options)]
    velocity = rows[:, 3:5]
    velocity[~np.isfinite(velocity).all(axis=1)] = np.nan
    if masked:
        velocity[rows[:, 5] == 0.0] = np.nan
    x, y, z = places = rows[:, :3].T
    if not (np.abs(places) <= FARTHEST).all():  # Also for NaN.
        raise InputError(f'{path}: Points: a place that is no number, or farther than {FARTHEST:g} m; allowed: metres')
    return _Table(x, y, float(z[0]), velocity, name, masked)


def _at_height(path: Path, z: np.ndarray, options: Mapping[str, Any]) -> np.ndarray:
    """Return which rows are at the requested height, or at the only one."""
    heights = np.unique(np.round(z, 6))
    if 'height' in options:
        chosen = np.abs(z - float(options['height'])) < 1e-3
        if not chosen.any():
            raise InputError(f'{path}: option height: {options["height"]!r}; it has: {_some(heights)}')
        return chosen
    if heights.size > 1:
        raise InputError(f'{path}: option height is missing: its points have several z; allowed: one of '
                         f'{_some(heights)}')
    return np.full(z.shape, True)


def _some(values: np.ndarray) -> str:
    return ', '.join(f'{value:g}' for value in values[:6]) + (f' ... {values[-1]:g}' if values.size > 6 else '')


def _lattice(table: _Table) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[str]] | None:
    """Return a lattice's columns, rows and velocities; None if the points form none."""
    digits = max(0, 6 - int(np.log10(max(np.ptp(table.x), np.ptp(table.y), 1.0))))
    x, column = np.unique(np.round(table.x, digits), return_inverse=True)
    y, row = np.unique(np.round(table.y, digits), return_inverse=True)
    if x.size < 2 or y.size < 2 or x.size * y.size > 2 * table.x.size:
        return None
    both = np.full((2, y.size, x.size), np.nan)
    both[:, row, column] = table.velocity.T
    lacking = x.size * y.size - table.x.size
    notes = [f'{lacking} of {x.size * y.size} lattice points are not in the file: outside'] if lacking > 0 else []
    return x, y, both[0], both[1], notes


def _scattered(path: Path, table: _Table,
               options: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Return scattered points resampled: linear in the triangles of neighbours, no value in those that are too wide."""
    from scipy.interpolate import LinearNDInterpolator
    from scipy.spatial import Delaunay, QhullError
    if 'gap' not in options:
        raise InputError(f'{path}: option gap is missing: its points lie on no lattice, and the file does not say '
                         'which gaps between them are buildings; allowed: the longest side, m, of a triangle of '
                         'neighbours')
    known = np.isfinite(table.velocity[:, 0])
    places, first = np.unique(np.column_stack((table.x, table.y))[known], axis=0, return_index=True)
    try:
        mesh = Delaunay(places)
    except (QhullError, ValueError):
        raise InputError(f'{path}: {len(places)} points with a value, on a line or fewer than 3; '
                         'allowed: 3 or more in a plane') from None
    corner = places[mesh.simplices]
    sides = np.hypot(*np.moveaxis(corner - np.roll(corner, 1, axis=1), 2, 0))
    spacing = float(options.get('spacing', np.median(sides)))
    (xmin, ymin), (xmax, ymax) = places.min(axis=0), places.max(axis=0)
    columns, rows = (int(np.ceil(side / spacing)) + 1 for side in (xmax - xmin, ymax - ymin))
    if columns * rows > MOST_NODES:
        raise InputError(f'{path}: option spacing: {spacing:g}: a grid of {columns} x {rows} nodes; '
                         f'allowed: {MOST_NODES} in all')
    x, y = np.linspace(xmin, xmax, columns), np.linspace(ymin, ymax, rows)
    at = np.column_stack([side.ravel() for side in np.meshgrid(x, y)])
    velocity = LinearNDInterpolator(mesh, table.velocity[known][first])(at)
    triangle = mesh.find_simplex(at)
    velocity[(triangle < 0) | (sides.max(axis=1)[triangle] > float(options['gap']))] = np.nan
    vx, vy = velocity.T.reshape(2, rows, columns)
    return x, y, vx, vy, [f'scattered points, resampled every {spacing:g} m; where buildings end is known to '
                          'half of that']


HEIGHT = 10.0  # m, standard height of wind measurements (WMO).
OPTIONS = {
    'height': f'z of the plane, m; default {HEIGHT:g}, or that of the file where it is a plane',
    'velocity': 'name of the velocity field; default U',
    'spacing': 'of the grid, m; default half the side of the smaller cells that the plane cuts; a lattice in a CSV has '
               'its own',
    'values': 'points (default: as ParaView shows them, linear between points, on walls the value of the wall) or '
              'cells (each cell its value, as the solver has it)',
    'time': 'of a case: all, last, or one of its times; default all, or last if its fvSchemes say steadyState',
    'gap': 'of a CSV of scattered points, required: the longest side of a triangle of neighbours, m; wider gaps are '
           'taken for buildings',
}
VALUES = ('points', 'cells')
STEADY = re.compile(r'^\s*default\s+steadyState\s*;', re.MULTILINE)


def recognises(path: Path) -> bool:
    """Return whether a path is an OpenFOAM case (its folder, .foam file or controlDict), or a VTK or CSV plane."""
    if _case_folder(path) is not None:
        return True
    begin = beginning(path, 512)
    xml = begin.startswith((b'<VTKFile', b'<?xml')) and b'<VTKFile' in begin
    return xml or begin.startswith(b'# vtk DataFile') or is_paraview_csv(path)


def open_openfoam(path: Path, options: Mapping[str, Any]) -> GridFlow:
    """
    Open a case, or a plane of one.

    :param path: The case's folder, its .foam file or controlDict; or a VTK or CSV file.
    :param options: See OPTIONS.
    :raises InputError: If it cannot be read, has no such field, or does not intersect the plane.
    """
    for key in ('height', 'spacing', 'gap'):
        _number(path, options, key)
    if options.get('values', 'points') not in VALUES:
        raise InputError(f'{path}: option values: {options["values"]!r}; allowed: {", ".join(VALUES)}')
    if is_paraview_csv(path):
        return open_csv(path, options)
    if find_spec('pyvista') is None:    # Only found here: the other process imports it.
        pyvista_for(path)
    opened = guarded(path, 'VTK', _opened, path, options)
    steps = KeptSteps(lambda step: guarded(path, 'VTK', _step, path, options, step))
    area = inside_walls(optional('shapely', 'flow', f'{path}: walls in OpenFOAM and VTK'), opened.outline)
    return GridFlow(opened.x, opened.y, opened.times, steps.load, extent=opened.extent, area=area,
                    outline=opened.outline, about=opened.about, on_close=steps.close)


class _Opened(NamedTuple):
    """What the other process says of a case or file, which it keeps: `GridFlow` has the rest of the words."""

    x: np.ndarray
    y: np.ndarray
    times: np.ndarray
    extent: Extent
    outline: list[np.ndarray]
    about: dict[str, Any]


# In the other process: the step of a case or file, of the last few that were opened.
_kept: dict[tuple[str, str], Callable[[int], Velocity]] = {}


def _opened(path: Path, options: Mapping[str, Any]) -> _Opened:
    """Open a case or a VTK file in the other process."""
    pyvista_for(path)   # Its libraries do not count below.
    case = _case_folder(path)
    parts = [path, *(case or path.with_suffix('')).rglob('*')]     # Those of ParaView lie in a folder of that name.
    limit_work(MEMORY + CORE_MEMORY * cores() + MEMORY_PER_BYTE * sum(
        part.stat().st_size for part in parts if part.is_file()))
    opened, step = _open_vtk(path, options) if case is None else _open_case(path, case, options)
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[str(path), repr(options)] = step
    return opened


def _step(path: Path, options: Mapping[str, Any], step: int) -> Velocity:
    """Return a step in the other process, which opens the file anew if another file ended the one that had it open."""
    if (str(path), repr(options)) not in _kept:
        _opened(path, options)
    return _kept[str(path), repr(options)](step)


def _open_case(path: Path, case: Path, options: Mapping[str, Any]) -> tuple[_Opened, Callable[[int], Velocity]]:
    """Return the plane of a case, and the function of its steps."""
    pyvista = pyvista_for(path)
    entry = path if path.is_file() else min(case.glob('*.foam'), default=case / 'system' / 'controlDict')
    with vtk_errors(path):
        reader = pyvista.OpenFOAMReader(str(entry))
        if not (case / 'constant' / 'polyMesh').exists():
            reader.case_type = 'decomposed'
        available = [float(time) for time in reader.time_values]
    times = _chosen_times(path, case, available, options)
    field, cells = str(options.get('velocity', 'U')), options.get('values') == 'cells'
    reader.cell_to_point_creation = not cells

    def read(time: float) -> Any:
        with vtk_errors(path):
            reader.set_active_time_value(time)
            mesh = reader.read()['internalMesh']
        if mesh is None or mesh.n_cells == 0:
            raise InputError(f'{path}: time {time:g}: no cells: constant/polyMesh is missing or damaged')
        return _with_field(path, mesh, field, f'time {time:g}: ')

    mesh = read(times[0])
    plane = Plane(path, mesh, float(options.get('height', HEIGHT)), options.get('spacing'))
    first = plane.resample(path, mesh, field)
    about = {**_about(path, 'OpenFOAM case', plane, mesh, field, first, options), 'case_times': available}
    if len(times) < len(available):
        about['notes'].append(f'one of {len(available)} times is used, {times[0]:g}: where the solver is a steady one '
                              'they are iterations, not seconds; option time chooses')
    opened = _Opened(plane.x, plane.y, np.array(times) - times[0], plane.extent, plane.outline, about)
    return opened, lambda step: plane.resample(path, read(times[step]), field) if step else first


def _open_vtk(path: Path, options: Mapping[str, Any]) -> tuple[_Opened, Callable[[int], Velocity]]:
    """Return the plane of a VTK file of a volume or of a plane, and the function of its one step."""
    pyvista = pyvista_for(path)
    with vtk_errors(path):
        mesh = pyvista.read(str(path))
    if isinstance(mesh, pyvista.MultiBlock):
        mesh = mesh.combine()
    if mesh is None or mesh.n_cells == 0:
        raise InputError(f'{path}: no cells in it')
    mesh = _with_field(path, mesh, field := str(options.get('velocity', 'U')), '')
    if options.get('values', 'points') == 'points' and field not in mesh.point_data:
        mesh = mesh.cell_data_to_point_data()
    elif options.get('values') == 'cells' and field not in mesh.cell_data:
        raise InputError(f'{path}: option values: cells: {field} is at its points; allowed: points')
    elif options.get('values') == 'cells' and field in mesh.point_data:
        mesh.point_data.remove(field)
    plane = Plane(path, mesh, float(options.get('height', HEIGHT)), options.get('spacing'))
    first = plane.resample(path, mesh, field)
    return _Opened(plane.x, plane.y, np.zeros(1), plane.extent, plane.outline,
                   _about(path, 'VTK', plane, mesh, field, first, options)), lambda _: first


def _case_folder(path: Path) -> Path | None:
    """Return the folder of the case that a path stands for; None if there is none."""
    if path.is_dir():
        case = path
    elif path.suffix.lower() in ('.foam', '.openfoam'):
        case = path.parent
    elif path.name == 'controlDict':
        case = path.parent.parent
    else:
        return None
    known = (case / 'system' / 'controlDict').is_file() or any(case.glob('processor*')) or (
        case / 'constant' / 'polyMesh').is_dir()
    return case if known else None


def _chosen_times(path: Path, case: Path, available: list[float], options: Mapping[str, Any]) -> list[float]:
    if not available:
        raise InputError(f'{path}: the case has no time folders with fields')
    schemes = case / 'system' / 'fvSchemes'
    steady = schemes.is_file() and STEADY.search(schemes.read_text(errors='replace'))
    time = options.get('time', 'last' if steady else 'all')
    if time == 'all':
        return available
    if time == 'last':
        return available[-1:]
    found = [one for one in available if str(time) == f'{one:g}' or time == one]
    if not found:
        raise InputError(f'{path}: option time: {time!r}; allowed: all, last, '
                         f'{", ".join(f"{one:g}" for one in available)}')
    return found


def _with_field(path: Path, mesh: Any, field: str, where: str) -> Any:
    """Return a mesh, if it has the velocity."""
    data = mesh.point_data if field in mesh.point_data else mesh.cell_data
    fields = sorted({*mesh.point_data.keys(), *mesh.cell_data.keys()})
    if field not in data:
        raise InputError(f'{path}: {where}option velocity: no field {field!r}; it has: {", ".join(fields) or "none"}')
    if np.shape(data[field])[1:] != (3,):
        raise InputError(f'{path}: {where}option velocity: {field!r} is no vector of 3 components; '
                         f'fields: {", ".join(fields)}')
    return mesh


def _number(path: Path, options: Mapping[str, Any], key: str) -> None:
    """Check that an option is a number, and a length is positive."""
    value = options.get(key, 1.0)
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and np.isfinite(value)
    if not number or (key != 'height' and value <= 0.0):
        allowed = 'a number, m' if key == 'height' else 'a number, m, above 0'
        raise InputError(f'{path}: option {key}: {value!r}; allowed: {allowed}')


def _about(path: Path, form: str, plane: Plane, mesh: Any, field: str, first: Velocity,
           options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description besides the grid; `first`: the first step, resampled."""
    notes = list(plane.notes)
    if 'height' not in options and not is_surface(mesh):
        notes.append(f'option height is not stated: {plane.height:g} m, where winds are measured; it counts from z = 0')
    if field in mesh.point_data:
        notes.append('interpolated between points, as ParaView does: near a wall the velocity goes to that of the '
                     'wall, within the lowest cell too; `values: cells` takes what the solver has in the cells')
    return {'reader': 'openfoam', 'file': str(path), 'format': form, 'medium': None, 'velocity': field,
            'values': 'points' if field in mesh.point_data else 'cells', 'height_m': plane.height,
            'mesh_cells': int(mesh.n_cells), 'mesh_cells_in_plane': plane.cells,
            'resampling_rms_m_per_s': _resampling_error(path, mesh, field, plane, first),
            'units': {'velocity': 'm/s'}, 'projection': None, 'missing': ['projection', 'start'], 'notes': notes}


def _resampling_error(path: Path, mesh: Any, field: str, plane: Plane, first: Velocity) -> float | None:
    """Return the rms difference between grid and mesh at random points of the plane, m/s."""
    random = np.random.default_rng(0)
    xmin, ymin, xmax, ymax = plane.extent
    x, y = random.uniform(xmin, xmax, 2000), random.uniform(ymin, ymax, 2000)
    vx, vy, inside = GridFlow(plane.x, plane.y, np.zeros(1), lambda _: first, area=plane.area).velocity(0.0, x, y)
    exact = probe(path, mesh, field, x, y, plane.height)
    inside &= np.isfinite(exact[:, 0])
    if not inside.any():
        return None
    return float(np.sqrt(np.mean((vx - exact[:, 0])[inside] ** 2 + (vy - exact[:, 1])[inside] ** 2)))


READER = Reader('openfoam', recognises, open_openfoam, OPTIONS)
