"""The mesh of a HEC-RAS 2D area: cells divided into triangles, and velocities at their corners from those of faces."""

from typing import Any, NamedTuple

import numpy as np

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
        """Divide the cells."""
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
        return corners[solid], cell[solid]

    def _twice_area(self, corners: np.ndarray) -> np.ndarray:
        one, two, three = (self.nodes[corners[:, k]] for k in range(3))
        (ax, ay), (bx, by) = (two - one).T, (three - one).T
        twice: np.ndarray = ax * by - ay * bx
        return twice

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
        mean: np.ndarray = total / good.sum(axis=1)[:, None]
        return mean


def _weighted(weights: Any, vector: np.ndarray) -> np.ndarray:
    """Return weighted means of the known velocities of faces; NaN without any."""
    good = np.isfinite(vector).all(axis=1)
    with np.errstate(invalid='ignore'):
        total = weights @ np.where(good[:, None], vector, 0.0)
        mean: np.ndarray = total / (weights @ good.astype(float))[:, None]
        return mean
