"""A plane exported by ParaView to CSV: one row per point with position and velocity; a lattice or scattered points."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.table import TableRules, read_head, read_table
from usv_energy.flow.grids.grid import GridFlow

MOST_NODES = 4_000_000
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
