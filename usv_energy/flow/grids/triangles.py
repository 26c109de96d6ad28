"""
Triangles in the plane and weights of points in them, and the test of which points are inside walls.

A flow on an unstructured grid: velocities at the nodes or in the faces of a mesh of triangles and polygons.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from usv_energy.flow.field import Extent, speed_summary, steps_summary
from usv_energy.flow.grids.node_steps import StepCache, SteppedFlow

CHUNK = 32768  # Points at a time, whose intermediate results stay in the processor's cache.
TOLERANCE = 1e-7  # Tolerance of a weight for rounding, (-), so that a point on an edge belongs to both sides.
BINS_PER_TRIANGLE = 2.0
MOST_BINS = 20_000_000


class Triangles:
    """Triangles, possibly with gaps, found by a grid of square bins that list the triangles in them."""

    def __init__(self, points: np.ndarray, corners: np.ndarray) -> None:
        """
        Index triangles.

        :param points: Coordinates x, y, m, shape (P, 2).
        :param corners: Indices of the points, shape (T, 3), T >= 1; none of them without area.
        """
        self.corners = np.ascontiguousarray(corners, dtype=np.int32)
        self._origin = points[self.corners[:, 0]].mean(axis=0)  # Nearby, for rounding below 1 nm.
        centred = points - self._origin
        used = centred[self.corners.ravel()]
        self._low, self._high = used.min(axis=0), used.max(axis=0)
        self._maps = _weight_maps(centred, self.corners)
        self._lay_bins(centred)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Bounding box xmin, ymin, xmax, ymax, m."""
        (xmin, ymin), (xmax, ymax) = self._low + self._origin, self._high + self._origin
        return float(xmin), float(ymin), float(xmax), float(ymax)

    def find(self, x: np.ndarray, y: np.ndarray, usable: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """
        Return the triangle of each point, -1 if there is none, and the weights of its corners.

        :param x: Coordinates, m, shape (N,).
        :param y: Coordinates, m, shape (N,).
        :param usable: Triangles to search, bool, shape (T,); a point on the edge of a usable one is in it.
        :return: Indices, shape (N,), and weights, shape (3, N), with sum 1; NaN without a triangle.
        """
        x, y = x - self._origin[0], y - self._origin[1]
        found = np.full(x.size, -1, dtype=np.int32)
        weights = np.full((3, x.size), np.nan)
        inside = (x >= self._low[0]) & (x <= self._high[0]) & (y >= self._low[1]) & (y <= self._high[1])
        at = np.flatnonzero(inside)
        x, y = x[at], y[at]
        bins = self._bin(x, y)
        item, end = self._start[bins], self._start[bins + 1]
        while at.size:
            left = item < end
            if not left.all():
                at, x, y, item, end = at[left], x[left], y[left], item[left], end[left]
            triangle = self._items[item]
            a, b, c, d, e, f = self._maps.take(triangle, axis=0).T
            first, second = a * x + b * y + c, d * x + e * y + f
            third = 1.0 - first - second
            hit = (np.minimum(np.minimum(first, second), third) >= -TOLERANCE) & usable[triangle]
            where = at[hit]
            found[where] = triangle[hit]
            weights[0, where], weights[1, where], weights[2, where] = first[hit], second[hit], third[hit]
            miss = ~hit
            at, x, y, item, end = at[miss], x[miss], y[miss], item[miss] + 1, end[miss]
        return found, weights

    def _bin(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the bin of each point; coordinates from the origin, within the extent."""
        column = ((x - self._low_x) * self._per_metre).astype(np.int64)
        row = ((y - self._low_y) * self._per_metre).astype(np.int64)
        column, row = np.minimum(column, self._last_column), np.minimum(row, self._last_row)
        return row * (self._last_column + 1) + column

    def _lay_bins(self, points: np.ndarray) -> None:
        """Make the bins: `_items[_start[b]:_start[b + 1]]` are the triangles in bin b."""
        width, height = self._high - self._low
        wanted = min(BINS_PER_TRIANGLE * len(self.corners) + 1.0, MOST_BINS)
        size = max(np.sqrt(width * height / wanted), max(width, height) / wanted)
        self._low_x, self._low_y = self._low.tolist()
        self._per_metre = float(1.0 / size)
        self._last_column, self._last_row = int(width / size), int(height / size)
        pairs = [self._reached(points, slice(at, at + 200_000), size) for at in range(0, len(self.corners), 200_000)]
        bins = np.concatenate([pair[0] for pair in pairs])
        order = np.argsort(bins, kind='stable')
        self._items = np.concatenate([pair[1] for pair in pairs])[order]
        count = np.bincount(bins, minlength=(self._last_column + 1) * (self._last_row + 1))
        self._start = np.concatenate(([0], np.cumsum(count)))

    def _reached(self, points: np.ndarray, part: slice, size: float) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of bin and triangle that overlap, for some of the triangles."""
        of = points[self.corners[part]]
        limit = np.array((self._last_column, self._last_row))
        margin = 1e-6 * size
        first = np.clip(((of.min(axis=1) - self._low - margin) / size).astype(np.int64), 0, limit)
        last = np.clip(((of.max(axis=1) - self._low + margin) / size).astype(np.int64), 0, limit)
        wide, high = (last - first + 1).T
        count = wide * high
        which = np.repeat(np.arange(len(of)), count)
        rank = np.arange(which.size) - np.repeat(np.cumsum(count) - count, count)
        column = first[which, 0] + rank % wide[which]
        row = first[which, 1] + rank // wide[which]
        x, y = self._low_x + (column + 0.5) * size, self._low_y + (row + 0.5) * size
        a, b, c, d, e, f = self._maps[part][which].T
        half, least = 0.5 * size, -10.0 * TOLERANCE
        # If the largest weight of a corner in the bin is below zero, the whole bin is beyond the opposite edge.
        reaches = (a * x + b * y + c + half * (abs(a) + abs(b)) >= least)
        reaches &= (d * x + e * y + f + half * (abs(d) + abs(e)) >= least)
        reaches &= (1.0 - (a + d) * x - (b + e) * y - c - f + half * (abs(a + d) + abs(b + e)) >= least)
        bins = row * (self._last_column + 1) + column
        return bins[reaches].astype(np.int32), (which[reaches] + (part.start or 0)).astype(np.int32)


def _weight_maps(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return a, b, c, d, e, f of each triangle: a x + b y + c is the weight of its first corner, d... the second's."""
    (x0, y0), (x1, y1), (x2, y2) = (points[corners[:, k]].T for k in range(3))
    twice_area = (y1 - y2) * (x0 - x2) + (x2 - x1) * (y0 - y2)
    a, b = (y1 - y2) / twice_area, (x2 - x1) / twice_area
    d, e = (y2 - y0) / twice_area, (x0 - x2) / twice_area
    return np.ascontiguousarray(np.stack((a, b, -a * x2 - b * y2, d, e, -d * x2 - e * y2), axis=1))


def loops_of(start: np.ndarray, end: np.ndarray) -> list[list[int]]:
    """
    Return closed loops of directed edges as lists of nodes, the longest first.

    :param start: The node at which each edge begins, shape (E,); with the area always on one side of the edges, loops
        close even if two of them touch at a node.
    :param end: The node at which it ends.
    """
    following: dict[int, list[int]] = {}
    for one, two in zip(start.tolist(), end.tolist()):
        following.setdefault(one, []).append(two)

    def after(node: int) -> int:
        found = following[node].pop()
        if not following[node]:
            del following[node]
        return found

    loops = []
    while following:
        first = next(iter(following))
        loop, node = [first], after(first)
        while node != first and node in following:
            loop.append(node)
            node = after(node)
        loops.append(loop)
    return sorted(loops, key=len, reverse=True)


Inside = Callable[[np.ndarray, np.ndarray], np.ndarray]


def inside_walls(shapely: Any, polygons: Sequence[np.ndarray]) -> Inside:
    """
    Return a function of points x, y, m, shape (N,): which are within polygons or on their edges; False for NaN.

    :param shapely: The library, as `optional` returns it.
    :param polygons: Corners, m, shape (K, 2) each; those within others are holes, those within holes are islands.
    """
    rings = [shapely.make_valid(shapely.polygons(polygon)) for polygon in polygons]  # A polygon may touch itself.
    area = reduce(shapely.symmetric_difference, rings)
    shapely.prepare(area)

    def inside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return shapely.intersects_xy(area, x, y)

    return inside


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
    return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]


def _twice_area(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return twice the areas of triangles, m^2, and the longest of two of their edges, m."""
    first, second, third = (points[triangles[:, k]] for k in range(3))
    longest = np.maximum(np.hypot(*(second - first).T), np.hypot(*(third - first).T))
    return _cross(second - first, third - first), longest
