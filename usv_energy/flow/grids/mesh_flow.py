"""A flow on an unstructured grid: velocities at the nodes or in the faces of a mesh of triangles and polygons."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from usv_energy.flow.field import Extent, speed_summary, steps_summary
from usv_energy.flow.grids.node_steps import StepCache, SteppedFlow
from usv_energy.flow.grids.triangles import CHUNK, Triangles, loops_of

FLAT = 1e-9             # Twice the area of a triangle over its longest edge squared, (-), below which it is left out.
LEAST, MOST = 1e-3, 2.0  # Limits of a face's weight in the value of a node, (-); 1 in an even mesh.


class _Values(NamedTuple):
    """Velocities of a step at the corners of triangles, m/s, (P, 2), and of which triangles, bool, (T,)."""

    corners: np.ndarray
    usable: np.ndarray


class FlowMesh:
    """
    Nodes and faces of a mesh, and the triangles in which velocities are looked up; never across land.

    Values at nodes are linear in the triangles of the faces. Values in faces are first taken to the nodes, and are then
    linear in the triangles of a face's centre and two neighbouring nodes; `nearest` is the value of the face itself, or
    of the nearest corner of the triangle.
    """

    def __init__(self, nodes: np.ndarray, faces: np.ndarray, in_faces: bool, linear: bool = True) -> None:
        """
        Index a mesh.

        :param nodes: x, y, m, shape (P, 2); faces with a node of NaN are left out.
        :param faces: Indices of the nodes around each face, shape (F, K), -1 after the last one of a face.
        :param in_faces: Whether velocities belong to faces; else to nodes.
        :param linear: Whether to interpolate; else nearest.
        :raises ValueError: If no face has an area.
        """
        self.in_faces, self.linear = in_faces, linear
        self.count = len(faces) if in_faces else len(nodes)
        self.faces, self._nodes = len(faces), nodes
        corners = (faces >= 0).sum(axis=1)
        known = (corners >= 3) & np.where(faces >= 0, np.isfinite(nodes[faces]).all(axis=2), True).all(axis=1)
        face, corner = np.nonzero((faces >= 0) & known[:, None])
        after = np.where(corner + 1 < corners[face], corner + 1, 0)
        self._face, self._from, self._to = face, faces[face, corner], faces[face, after]
        weight = np.bincount(face, minlength=len(faces))
        centres = np.column_stack([np.bincount(face, nodes[self._from, axis], len(faces)) for axis in (0, 1)])
        self._centres = centres / np.maximum(weight, 1)[:, None]
        if in_faces:
            points = np.concatenate((nodes, self._centres))
            triangles = np.column_stack((len(nodes) + face, self._from, self._to))
        else:
            points, far = nodes, (corner > 0) & (after > 0)
            face = face[far]
            triangles = np.column_stack((faces[face, 0], self._from[far], self._to[far]))
        self.points = points
        area, longest = _twice_area(points, triangles)
        wide = np.abs(area) > FLAT * longest ** 2
        if not wide.any():
            raise ValueError('no face of the mesh has an area')
        self.triangles, self._face_of = Triangles(points, triangles[wide]), face[wide]
        self.spacing = float(np.median(np.hypot(*(nodes[self._to] - nodes[self._from]).T)))
        self._to_nodes = self._node_weights() if in_faces and linear else None

    def _node_weights(self) -> Any:
        """
        Return the weights of the values of the faces around nodes, shape (P, F); exact for what is linear in the plane.

        Source: Holmes and Connell (1989), AIAA-89-1932: the pseudo-Laplacian, with weights limited as by Frink (1994),
        AIAA-94-0061, so that at the edge, where all faces lie on one side, nothing is extrapolated far.
        """
        from scipy.sparse import csr_matrix  # Here, as most flows need none.
        node, face, number = self._from, self._face, len(self._nodes)
        dx, dy = (self._centres[face] - self._nodes[node]).T

        def total(values: np.ndarray) -> np.ndarray:
            return np.bincount(node, values, number)

        xx, yy, xy, rx, ry = total(dx * dx), total(dy * dy), total(dx * dy), total(dx), total(dy)
        det = xx * yy - xy * xy
        fits = det > 1e-6 * xx * yy
        det = np.where(fits, det, 1.0)
        along, across = (np.where(fits, part / det, 0.0) for part in (xy * ry - yy * rx, xy * rx - xx * ry))
        weight = np.clip(1.0 + along[node] * dx + across[node] * dy, LEAST, MOST)
        return csr_matrix((weight, (node, face)), shape=(number, self.faces))

    def step(self, velocity: np.ndarray) -> _Values:
        """Return the values of a step at the corners, and which triangles have one; `velocity`: (count, 2), m/s."""
        known = np.isfinite(velocity).all(axis=1)
        if not self.in_faces:
            return _Values(velocity, known[self.triangles.corners].all(axis=1))
        if self._to_nodes is None:
            return _Values(velocity, known[self._face_of])
        whole = self._to_nodes @ known.astype(float)
        some = whole > 0.0
        at_nodes = np.full((len(self._nodes), 2), np.nan)
        at_nodes[some] = (self._to_nodes @ np.where(known[:, None], velocity, 0.0))[some] / whole[some, None]
        return _Values(np.concatenate((at_nodes, velocity)), known[self._face_of])

    def weigh(self, x: np.ndarray, y: np.ndarray, usable: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return which points, m, (N,), are in usable triangles, and of these the values that count and their weights.

        :return: Indices of the M points; rows of `_Values.corners` and weights, (-), each of shape (3, M) or (1, M).
        """
        found, share = self.triangles.find(x, y, usable)
        here = np.flatnonzero(found >= 0)
        found, corner = found[here], self.triangles.corners[found[here]].T
        if self.linear:
            return here, corner, share[:, here]
        if self.in_faces:
            return here, self._face_of[found][None], np.ones((1, here.size))
        off = self.points[corner] - np.stack((x[here], y[here]), axis=1)
        nearest = np.hypot(off[..., 0], off[..., 1]).argmin(axis=0)
        return here, corner[nearest, np.arange(here.size)][None], np.ones((1, here.size))

    def outline(self) -> list[np.ndarray]:
        """Return the loops of edges with a face on one side only: the outline and the holes, (K, 2) each."""
        loops_left = np.bincount(self._face, _cross(self._nodes[self._from], self._nodes[self._to]), self.faces) > 0.0
        left = loops_left[self._face]
        start, end = np.where(left, self._from, self._to), np.where(left, self._to, self._from)
        edge = np.minimum(start, end) * np.int64(len(self._nodes)) + np.maximum(start, end)
        _, back, count = np.unique(edge, return_inverse=True, return_counts=True)
        alone = count[back] == 1
        return [self._nodes[loop] for loop in loops_of(start[alone], end[alone])]


class MeshFlow(SteppedFlow):
    """A FlowSource on a FlowMesh. Between two steps a place has a value if it has one at both."""

    def __init__(self, mesh: FlowMesh, times: np.ndarray, load: Callable[[int], np.ndarray], *,
                 start: datetime | None, about: Mapping[str, Any], height: float | None,
                 on_close: Callable[[], None]) -> None:
        """
        Take a mesh and the reader of its velocities.

        :param times: s from the first, strictly ascending, shape (T,).
        :param load: Returns the velocities of a step, m/s, shape (mesh.count, 2), NaN without a value.
        :param start: Date of times[0], if the file states it.
        :param about: Entries of describe() on the file.
        :param height: Of a wind, m above water, if the file states it.
        :param on_close: Closes the file.
        """
        self.times, self.start, self.height = times, start, height
        self.extent: Extent = mesh.triangles.extent
        self.spacing = (mesh.spacing, mesh.spacing)
        origin = about.get('origin_latitude_deg'), about.get('origin_longitude_deg')
        self.origin_deg = None if None in origin else origin
        self._mesh, self._load, self._about, self._on_close = mesh, load, about, on_close
        self._steps = StepCache(lambda step: mesh.step(self._load(step)))

    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        before = self._steps.get(step)
        after = self._steps.get(step + 1) if weight else None
        usable = before.usable if after is None else before.usable & after.usable
        value = np.full((2, x.size), np.nan)
        for at in range(0, x.size, CHUNK):
            here, rows, share = self._mesh.weigh(x[at:at + CHUNK], y[at:at + CHUNK], usable)
            corners = before.corners[rows]
            if after is not None:
                corners = corners + weight * (after.corners[rows] - corners)
            value[:, at + here] = np.einsum('knc,kn->cn', corners, share)
        return value

    def describe(self) -> dict[str, Any]:
        """Return the content of the field, ready for JSON; units are in the keys."""
        counted = 'faces_with_value' if self._mesh.in_faces else 'nodes_with_value'
        speeds = []
        for step in sorted({0, self.times.size // 2, self.times.size - 1}):
            speed = np.hypot(*self._load(step).T)
            speeds.append(speed_summary(float(self.times[step]), counted, speed[np.isfinite(speed)]))
        notes = list(self._about.get('notes', []))
        if not any(speed[counted] for speed in speeds):
            notes.append('nothing of the mesh has a value at the steps looked at: the field is empty or all dry')
        height = {} if self.height is None else {'height_m': self.height}
        return {**self._about, **steps_summary(self.times, self.start), 'extent_m': list(self.extent),
                'nodes': len(self._mesh.points) - (self._mesh.faces if self._mesh.in_faces else 0),
                'faces': self._mesh.faces, 'spacing_m': self._mesh.spacing, 'speeds': speeds, **height, 'notes': notes}

    def outline(self) -> list[np.ndarray]:
        """Return polygons (K, 2), m: the edge of the mesh, then its islands."""
        return self._mesh.outline()

    def close(self) -> None:
        """Release the steps and close the file."""
        self._steps.clear()
        self._on_close()


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    cross: np.ndarray = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return cross


def _twice_area(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return twice the areas of triangles, m^2, and the longest of two of their edges, m."""
    first, second, third = (points[triangles[:, k]] for k in range(3))
    longest = np.maximum(np.hypot(*(second - first).T), np.hypot(*(third - first).T))
    return _cross(second - first, third - first), longest
