"""
The checked content of a HEC-RAS 2D plan file (.pNN.hdf): mesh of one 2D area, times, and steps on demand.

The mesh of a HEC-RAS 2D area: cells divided into triangles, and velocities at their corners from those of faces.
"""

import contextlib
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np

from usv_energy.earth import FOOT
from usv_energy.files.errors import InputError
from usv_energy.flow.formats.hdf_file import check_hdf
from usv_energy.flow.grids.triangles import Triangles, loops_of

LEAST_FACES = 3  # A cell with fewer is a ghost; HEC-RAS puts one behind each face of the outline.
RANK_TOLERANCE = 1e-6


class Geometry(NamedTuple):
    """The mesh data of a file; coordinates in m, cells and points by index."""

    points: np.ndarray       # Face points, shape (P, 2).
    face_points: np.ndarray  # First and last point of each face, shape (F, 2).
    face_cells: np.ndarray   # Cells on its two sides, including ghosts, shape (F, 2).
    normals: np.ndarray      # Unit vector along which a face's velocity is positive, shape (F, 2).
    centres: np.ndarray      # Of cells, including ghosts, shape (C, 2).
    bend_face: np.ndarray    # Faces of the outline may bend: the face of each bend, ascending, shape (B,).
    bends: np.ndarray        # Positions of the bends, in order from first to last point, shape (B, 2).


class Mesh:
    """
    The cells, divided into triangles, and the nodes of these: cells' centres, face points, and a node on each face.

    The own node of a face is its middle; a face with bends has one at each bend. Nodes are numbered in this order.
    """

    def __init__(self, geometry: Geometry) -> None:
        """Divide the cells; ValueError if none has an area."""
        self.geometry = geometry
        points, faces = geometry.points, geometry.face_points
        self.cells, self.faces = len(geometry.centres), len(faces)
        self.length = np.hypot(*(points[faces[:, 1]] - points[faces[:, 0]]).T)
        self.normals = geometry.normals.astype(float)
        count = np.bincount(geometry.face_cells.ravel(), minlength=self.cells)
        self.real = count >= LEAST_FACES
        straight = np.setdiff1d(np.arange(self.faces), geometry.bend_face)
        self.node_face = np.concatenate((straight, geometry.bend_face))
        middles = np.concatenate((points[faces[straight]].mean(axis=1), geometry.bends))
        self.nodes = np.concatenate((geometry.centres, points, middles))
        corners, self.triangle_cell = self._cut()
        self.triangles = Triangles(self.nodes, corners)

    def _pieces(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the straight pieces of all faces: the face, and the nodes at both ends."""
        face_points = self.geometry.face_points + self.cells
        own = np.arange(len(self.node_face)) + self.cells + len(self.geometry.points)
        order = np.argsort(self.node_face, kind='stable')  # Bends stay in order along the face.
        face, own = self.node_face[order], own[order]
        starts = np.concatenate(([True], face[1:] != face[:-1]))
        ends = np.concatenate((starts[1:], [True]))
        before = np.where(starts, face_points[face, 0], np.roll(own, 1))
        return (np.concatenate((face, face[ends])), np.concatenate((before, own[ends])),
                np.concatenate((own, face_points[face[ends], 1])))

    def _cut(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the triangles, shape (T, 3), each from a centre and a piece of a face, and the cell of each."""
        face, start, end = self._pieces()
        cell = self.geometry.face_cells[face].T.ravel()
        corners = np.stack((cell, np.tile(start, 2), np.tile(end, 2)), axis=1)
        real = self.real[cell]
        corners, cell = corners[real], cell[real]
        # All faces must be visible from the centre; otherwise the mean of the cell's pieces is used.
        left = np.repeat((1.0, -1.0), len(face))[real]
        blind = np.unique(cell[left * self._twice_area(corners) < 0.0])
        if blind.size:
            total = np.bincount(cell, minlength=self.cells)
            for axis in (0, 1):
                along = self.nodes[corners[:, 1:], axis].mean(axis=1)
                mean = np.bincount(cell, along, self.cells) / np.maximum(total, 1)
                self.nodes[blind, axis] = mean[blind]
        area = left * self._twice_area(corners)
        scale = self.length[np.tile(face, 2)[real]] ** 2
        solid = area > 1e-9 * scale
        if not solid.any():
            raise ValueError('no cell has an area')
        return corners[solid], cell[solid]

    def _twice_area(self, corners: np.ndarray) -> np.ndarray:
        one, two, three = (self.nodes[corners[:, k]] for k in range(3))
        (ax, ay), (bx, by) = (two - one).T, (three - one).T
        return ax * by - ay * bx

    def outline(self) -> list[np.ndarray]:
        """Return the loops of faces with a real cell on one side only: the outline and the holes, (K, 2) each."""
        edge = self.real[self.geometry.face_cells].sum(axis=1) == 1
        face, start, end = self._pieces()
        # With the cells always to the left, loops close even if two of them touch at a point.
        flip = ~self.real[self.geometry.face_cells[:, 0]]
        at = edge[face]
        start, end = np.where(flip[face], end, start)[at], np.where(flip[face], start, end)[at]
        return [self.nodes[loop] for loop in loops_of(start, end)]


class Rebuild:
    """
    Velocities at the nodes of a mesh by linear operations on those in a file; exact for a uniform flow.

    A cell: the least-squares fit to the normal velocities of its faces, weighted by their lengths. A face: its own
    normal velocity, and along it the mean of the wet cells on its sides. A face point: the mean of its faces that touch
    water, weighted by proximity. Velocities of cells or face points in the file are used instead.
    """

    def __init__(self, mesh: Mesh) -> None:
        """Prepare the sums over the faces of cells and of points."""
        from scipy.sparse import csr_matrix  # Here, as all readers are loaded to recognise a file.
        self._mesh = mesh
        count = mesh.faces
        faces = np.arange(count)
        nx, ny = mesh.normals.T
        sides = mesh.geometry.face_cells.T.ravel()
        self._of_cells = csr_matrix((np.tile(mesh.length, 2), (sides, np.tile(faces, 2))), (mesh.cells, count))
        ends = mesh.geometry.face_points.T.ravel()
        near = np.tile(1.0 / np.maximum(mesh.length, 1e-6), 2)
        self._of_points = csr_matrix((near, (ends, np.tile(faces, 2))), (len(mesh.geometry.points), count))
        self._products = np.stack((nx * nx, nx * ny, ny * ny), axis=1)
        self._all_known = self._of_cells @ self._products

    def cells(self, face_velocity: np.ndarray) -> np.ndarray:
        """
        Return the velocity of each cell, m/s, shape (C, 2); NaN if none of its faces has one.

        :param face_velocity: Along the faces' normals, m/s, shape (F,); NaN without.
        """
        known = np.isfinite(face_velocity)
        products = self._all_known if known.all() else self._of_cells @ (self._products * known[:, None])
        right = self._of_cells @ (self._mesh.normals * np.where(known, face_velocity, 0.0)[:, None])
        xx, xy, yy = products.T
        trace, det = xx + yy, xx * yy - xy * xy
        full = det > RANK_TOLERANCE * trace * trace
        det = np.where(full, det, 1.0)
        solved = np.stack((yy * right[:, 0] - xy * right[:, 1], xx * right[:, 1] - xy * right[:, 0]), axis=1)
        with np.errstate(invalid='ignore', divide='ignore'):  # 0 / 0 is NaN without a known face.
            # All faces parallel: the shortest velocity that fits.
            along = np.stack((xx * right[:, 0] + xy * right[:, 1], xy * right[:, 0] + yy * right[:, 1]), axis=1)
            return np.where(full[:, None], solved / det[:, None], along / (trace * trace)[:, None])

    def nodes(self, wet: np.ndarray, face: np.ndarray | None, cell: np.ndarray | None,
              point: np.ndarray | None) -> np.ndarray:
        """
        Return the velocities of all nodes, m/s, shape (nodes, 2); NaN if not known.

        :param wet: Cells with water, shape (C,).
        :param face: Along the faces' normals, m/s, shape (F,), or None.
        :param cell: Of cells, m/s, shape (C, 2), or None.
        :param point: Of face points, m/s, shape (P, 2), or None. At least one of the three is given.
        """
        geometry = self._mesh.geometry
        if cell is None and face is not None:
            cell = self.cells(face)
        if point is not None:
            vector = _mean(point[geometry.face_points], np.ones_like(geometry.face_points, dtype=bool))
        else:
            assert cell is not None
            vector = _mean(cell[geometry.face_cells], wet[geometry.face_cells])
        if face is not None:
            lacking = face - (vector * self._mesh.normals).sum(axis=1)
            vector = vector + self._mesh.normals * np.where(np.isfinite(face), lacking, 0.0)[:, None]
        if cell is None:
            cell = _weighted(self._of_cells, vector)
        if point is None:
            point = _weighted(self._of_points, vector)
        else:
            point = np.where(np.isfinite(point), point, _weighted(self._of_points, vector))
        return np.concatenate((cell, point, vector[self._mesh.node_face]))


def _mean(of_sides: np.ndarray, wet: np.ndarray) -> np.ndarray:
    """Return the mean over a face's two cells or ends, shape (F, 2, 2), of the wet ones with a value; else NaN."""
    good = wet & np.isfinite(of_sides).all(axis=2)
    total = np.where(good[:, :, None], of_sides, 0.0).sum(axis=1)
    with np.errstate(invalid='ignore'):
        return total / good.sum(axis=1)[:, None]


def _weighted(weights: Any, vector: np.ndarray) -> np.ndarray:
    """Return weighted means of the known velocities of faces; NaN without any."""
    good = np.isfinite(vector).all(axis=1)
    with np.errstate(invalid='ignore'):
        total = weights @ np.where(good[:, None], vector, 0.0)
        return total / (weights @ good.astype(float))[:, None]


AREAS = 'Geometry/2D Flow Areas'
SERIES = 'Results/Unsteady/Output/Output Blocks/Base Output/Unsteady Time Series'
FACE = 'Face Velocity'
CELL_PAIRS = (('Cell Velocity - Velocity X', 'Cell Velocity - Velocity Y'),)
POINT_PAIRS = (('Node Velocity - Velocity X', 'Node Velocity - Velocity Y'), ('Node X Vel', 'Node Y Vel'))
DEPTHS = ('Cell Invert Depth', 'Depth', 'Cell Hydraulic Depth')
LEVEL, BED = 'Water Surface', 'Cells Minimum Elevation'
MOST_SPEED = 50.0  # m/s: a larger speed is a fill value.
MOST_LEVEL = 20_000.0  # m: a larger water level or depth is a fill value.
CHUNK_CACHE = 16 * 2 ** 20  # Bytes per variable, so that steps in one compressed chunk are unpacked once.
SURVEY_FOOT = 1200.0 / 3937.0


class PlanStep(NamedTuple):
    """The data of one time, m/s; NaN without a value, None if the file has no such variable."""

    wet: np.ndarray            # Cells with water, including ghosts, shape (C,).
    face: np.ndarray | None    # Along the faces' normals, shape (F,).
    cell: np.ndarray | None    # Shape (C, 2).
    point: np.ndarray | None   # Shape (P, 2).


class PlanFile:
    """An open plan file with one of its 2D areas."""

    def __init__(self, path: Path, area: str | None, units: str | None, dry_depth: float, assume_wet: bool) -> None:
        """
        Open and check a file.

        :param path: The file.
        :param area: Name of the 2D area; None if the file has only one.
        :param units: 'si' or 'us', for a file that does not state them; None for those in the file.
        :param dry_depth: Largest depth of a dry cell, m.
        :param assume_wet: Whether all cells count as wet if the file has no water level.
        :raises InputError: If it cannot be read or lacks something.
        """
        self.path = path
        self._dry_depth, self._assume_wet = dry_depth, assume_wet
        try:
            check_hdf(path)
            self._file = h5py.File(path, 'r', rdcc_nbytes=CHUNK_CACHE)
        except OSError as error:
            raise InputError(f'{path}: not an HDF5 file, or a damaged one (truncated?): {error}') from error
        try:
            with self._reading('what it holds'):
                self.area = self._choose(area)
                self._mesh = self._group(f'{AREAS}/{self.area}', 'is this a plan (.pNN.hdf) with a 2D area?')
                self._series = self._group(f'{SERIES}/2D Flow Areas/{self.area}',
                                           'the plan has no unsteady 2D results: has it been computed?')
                self.projection = _text(self._file.attrs.get('Projection'))
                self.units, self._metre = self._read_units(units)
                self.times, self.start = self._read_times()
                self.geometry = self._read_geometry()
                self.found = self._choose_variables()
                self._bed = self._read_bed()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def step(self, index: int) -> PlanStep:
        """
        Return the data of one time.

        :raises InputError: If the file is damaged there, or closed.
        """
        with self._reading(f'step {index}'):
            face = None if self.found['face'] is None else self._velocities(self.found['face'], index)
            return PlanStep(self._wet(index), face, self._pair('cell', index, len(self.geometry.centres)),
                        self._pair('point', index, len(self.geometry.points)))

    def attribute(self, group: str, name: str) -> str | None:
        """Return an attribute of a group as text, None if it is missing."""
        with self._reading(f'{group}, {name}'):
            node = self._file.get(group)
            return _text(node.attrs.get(name)) if node is not None else None

    @contextlib.contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except (OSError, ValueError, KeyError, TypeError, IndexError, RuntimeError, MemoryError) as error:
            raise InputError(f'{self.path}: {what}: cannot be read: {error}') from error

    def _choose(self, area: str | None) -> str:
        """Return the name of the 2D area, the given one or the only one: a group with a mesh."""
        areas = self._file.get(AREAS)  # Old files lack the table of their names.
        nodes = areas.items() if isinstance(areas, h5py.Group) else ()
        names = [name for name, node in nodes if isinstance(node, h5py.Group) and 'FacePoints Coordinate' in node]
        if not names:
            raise InputError(f'{self.path}: no 2D area under {AREAS!r}: not a HEC-RAS plan with a 2D mesh')
        if area is None and len(names) > 1:
            raise InputError(f'{self.path}: {len(names)} 2D areas; set the option area to one of: {", ".join(names)}')
        if area is not None and area not in names:
            raise InputError(f'{self.path}: option area: {area!r} is not in the file; it has: {", ".join(names)}')
        return area or names[0]

    def _group(self, name: str, hint: str) -> h5py.Group:
        if not isinstance(self._file.get(name), h5py.Group):
            raise InputError(f'{self.path}: {name!r} is missing: {hint}')
        return self._file[name]

    def _array(self, group: h5py.Group, name: str, columns: int | None = None) -> np.ndarray:
        """Return a whole dataset of a group, checked for its columns."""
        if not isinstance(group.get(name), h5py.Dataset):
            raise InputError(f'{self.path}: {group.name}: {name!r} is missing')
        with self._reading(f'{group.name}/{name}'):
            array: np.ndarray = np.asarray(group[name][()])
        if array.dtype.kind not in 'biuf':
            raise InputError(f'{self.path}: {group.name}/{name} holds {array.dtype}; must hold numbers')
        if columns is not None and (array.ndim != 2 or array.shape[1] < columns):
            raise InputError(f'{self.path}: {group.name}/{name}: shape {array.shape}; needed: {columns} columns')
        return array

    def _read_units(self, units: str | None) -> tuple[str, float]:
        """Return the system of units, in words, and the length of its unit, m."""
        said = _text(self._file.attrs.get('Units System')) or ''
        if not said and FACE in self._series:
            said = _text(self._series[FACE].attrs.get('Units')) or ''
        system = said or units
        if system is None:
            raise InputError(f'{self.path}: the file does not say its units; set the option units to si or us')
        feet = bool(re.search(r'us cust|english|\bft|^us$', system, re.IGNORECASE))
        if not feet and not re.search(r'^si\b|m/s', system, re.IGNORECASE):
            raise InputError(f'{self.path}: Units System: {system!r}; allowed: SI Units, US Customary')
        if units is not None and feet != (units == 'us'):
            raise InputError(f'{self.path}: option units: {units!r}, but the file says {system!r}')
        survey = re.search(r'foot_us|us[ _]survey[ _]f', self.projection or '', re.IGNORECASE)
        return (f'{system}, turned to SI', SURVEY_FOOT if survey else FOOT) if feet else (system, 1.0)

    def _read_times(self) -> tuple[np.ndarray, datetime | None]:
        """Return the times, s from the first, and the date of the first."""
        series = self._group(SERIES, 'the plan has no unsteady results')
        days = np.asarray(self._array(series, 'Time'), dtype=float).ravel()
        if days.size == 0 or not np.isfinite(days).all():
            raise InputError(f'{self.path}: {SERIES}/Time: no finite times')
        times = np.round((days - days[0]) * 86400.0, 3)  # The file has days, so 5 min are 299.99999999.
        if not (np.diff(times) > 0.0).all():
            raise InputError(f'{self.path}: {SERIES}/Time: the times must rise')
        stamps = next((series[name] for name in ('Time Date Stamp (ms)', 'Time Date Stamp') if name in series), None)
        return times, _date(_text(stamps[0])) if stamps is not None and np.ndim(stamps) and len(stamps) else None

    def _read_geometry(self) -> Geometry:
        """Return the mesh, checked and in m."""
        mesh = self._mesh
        points = self._array(mesh, 'FacePoints Coordinate', 2)[:, :2].astype(float) * self._metre
        face_points = self._array(mesh, 'Faces FacePoint Indexes', 2)[:, :2].astype(np.int64)
        face_cells = self._array(mesh, 'Faces Cell Indexes', 2)[:, :2].astype(np.int64)
        centres = self._array(mesh, 'Cells Center Coordinate', 2)[:, :2].astype(float) * self._metre
        for name, index, size in (('Faces FacePoint Indexes', face_points, len(points)),
                                  ('Faces Cell Indexes', face_cells, len(centres))):
            if len(index) != len(face_points) or not len(index) or index.min() < 0 or index.max() >= size:
                raise InputError(f'{self.path}: {mesh.name}/{name}: {len(index)} rows; needed: {len(face_points)}, '
                                 f'all indices from 0 to {size - 1}')
        if not (np.bincount(face_cells.ravel()) >= LEAST_FACES).any():
            raise InputError(f'{self.path}: {mesh.name}: no cell has {LEAST_FACES} faces: the mesh is empty')
        if not np.isfinite(points).all() or not np.isfinite(centres[np.unique(face_cells)]).all():
            raise InputError(f'{self.path}: {mesh.name}: coordinates of face points or cells are not finite')
        normals = self._normals(points, face_points)
        bend_face, bends = self._bends(len(face_points))
        return Geometry(points, face_points, face_cells, normals, centres, bend_face, bends * self._metre)

    def _normals(self, points: np.ndarray, face_points: np.ndarray) -> np.ndarray:
        """Return the faces' unit normals: direction from the points, in double precision, and sign from the file."""
        along = points[face_points[:, 1]] - points[face_points[:, 0]]
        length = np.hypot(along[:, 0], along[:, 1])
        if not (length > 0.0).all():
            raise InputError(f'{self.path}: face {int(np.argmin(length))} has no length')
        normals: np.ndarray = np.stack((along[:, 1], -along[:, 0]), axis=1) / length[:, None]
        name = 'Faces NormalUnitVector and Length'
        if name in self._mesh:
            stored = self._array(self._mesh, name, 2)[:, :2]
            if len(stored) != len(normals):
                raise InputError(f'{self.path}: {self._mesh.name}/{name}: {len(stored)} rows; needed: {len(normals)}')
            normals *= np.where((normals * stored).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
        return normals

    def _bends(self, faces: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the face of each bend of the outline, and the bends."""
        if 'Faces Perimeter Info' not in self._mesh or 'Faces Perimeter Values' not in self._mesh:
            return np.empty(0, dtype=np.int64), np.empty((0, 2))
        first, count = self._array(self._mesh, 'Faces Perimeter Info', 2)[:, :2].astype(np.int64).T
        values = self._array(self._mesh, 'Faces Perimeter Values', 2)[:, :2].astype(float)
        owner = np.repeat(np.arange(len(count)), count)
        row = np.repeat(first - np.cumsum(count) + count, count) + np.arange(owner.size)
        if len(count) != faces or (row.size and (row.min() < 0 or row.max() >= len(values))):
            raise InputError(f'{self.path}: {self._mesh.name}: Faces Perimeter Info does not fit the faces or values')
        return owner, values[row]

    def _choose_variables(self) -> dict[str, Any]:
        """Return the names of the variables to read, None for missing ones."""
        has = self._series
        found: dict[str, Any] = {'face': FACE if FACE in has else None}
        for kind, pairs in (('cell', CELL_PAIRS), ('point', POINT_PAIRS)):
            found[kind] = next((pair for pair in pairs if pair[0] in has and pair[1] in has), None)
        if not any(found.values()):
            wanted = [FACE, *(pair[0] for pair in (*CELL_PAIRS, *POINT_PAIRS))]
            raise InputError(f'{self.path}: {has.name}: no velocities; needed is one of: {", ".join(wanted)}')
        found['water'] = LEVEL if LEVEL in has and BED in self._mesh else next((d for d in DEPTHS if d in has), None)
        if found['water'] is None and not self._assume_wet:
            raise InputError(f'{self.path}: {has.name}: no {LEVEL!r} (with {BED!r} of the mesh) and none of '
                             f'{", ".join(DEPTHS)}: dry cells cannot be recognised; set assume_wet to take all as wet')
        for name in (name for one in found.values() if one for name in ([one] if isinstance(one, str) else one)):
            shape: tuple[int, ...] = getattr(has[name], 'shape', ())    # A group has none.
            if len(shape) != 2 or shape[0] != self.times.size:
                raise InputError(f'{self.path}: {has.name}/{name}: shape {shape}; needed: {self.times.size} rows, '
                                 f'one for each time')
        return found

    def _read_bed(self) -> np.ndarray | None:
        if self.found['water'] != LEVEL:
            return None
        bed = self._array(self._mesh, BED).astype(float).ravel() * self._metre
        size = len(self.geometry.centres)
        if not 0 < bed.size <= size:
            raise InputError(f'{self.path}: {self._mesh.name}/{BED}: {bed.size} values; needed: {size}')
        return np.concatenate((bed, np.full(size - bed.size, np.nan)))

    def _row(self, name: str, index: int, size: int) -> np.ndarray:
        """Return one step of a variable; ghosts that are not in it are NaN."""
        row = self._series[name][index].astype(float)
        if row.size != size and not (size == len(self.geometry.centres) and 0 < row.size < size):
            raise InputError(f'{self.path}: {self._series.name}/{name}: {row.size} columns; needed: {size}')
        return np.concatenate((row, np.full(size - row.size, np.nan)))

    def _velocities(self, name: str, index: int, size: int | None = None) -> np.ndarray:
        values = self._row(name, index, size or len(self.geometry.face_points)) * self._metre
        values[~(abs(values) <= MOST_SPEED)] = np.nan
        return values

    def _pair(self, kind: str, index: int, size: int) -> np.ndarray | None:
        if self.found[kind] is None:
            return None
        pair = np.stack([self._velocities(name, index, size) for name in self.found[kind]], axis=1)
        pair[np.isnan(pair).any(axis=1)] = np.nan
        return pair

    def _wet(self, index: int) -> np.ndarray:
        """Return which cells are deeper than the dry depth."""
        size = len(self.geometry.centres)
        if self.found['water'] is None:
            return np.ones(size, dtype=bool)
        water = self._row(self.found['water'], index, size) * self._metre
        water[~(abs(water) <= MOST_LEVEL)] = np.nan
        return water - (0.0 if self._bed is None else self._bed) > self._dry_depth


def _text(value: Any) -> str | None:
    """Return an attribute as text."""
    if value is None:
        return None
    words = [one.decode('utf-8', 'replace') if isinstance(one, bytes) else str(one) for one in np.ravel(value).tolist()]
    return ', '.join(words).strip()


def _date(stamp: str | None) -> datetime | None:
    """Return the date of a stamp like 02JAN1900 24:00:00:000; None if it is not one."""
    match = re.fullmatch(r'(\d{1,2}\w{3}\d{4}) (\d\d):(\d\d):(\d\d)(?::(\d{3}))?', stamp or '')
    if match is None:
        return None
    try:
        day = datetime.strptime(match[1].title(), '%d%b%Y')
    except ValueError:
        return None
    hours, minutes, seconds, ms = (int(part or 0) for part in match.groups()[1:])
    return day + timedelta(hours=hours, minutes=minutes, seconds=seconds, milliseconds=ms)
