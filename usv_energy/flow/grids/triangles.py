"""Triangles in the plane and weights of points in them, and the test of which points are inside walls."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

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

    def find_one(self, x: float, y: float, usable: np.ndarray) -> tuple[int, tuple[float, float, float]]:
        """Return the same for one point, without the cost of arrays; the triangle is -1 if there is none."""
        x, y = x - self._origin_x, y - self._origin_y
        column, row = (x - self._low_x) * self._per_metre, (y - self._low_y) * self._per_metre
        if not (0.0 <= column <= self._last_column + 1 and 0.0 <= row <= self._last_row + 1):  # a NaN too
            return -1, (np.nan, np.nan, np.nan)
        bin_ = min(int(row), self._last_row) * (self._last_column + 1) + min(int(column), self._last_column)
        for triangle in self._items[self._start[bin_]:self._start[bin_ + 1]].tolist():
            a, b, c, d, e, f = self._maps[triangle].tolist()
            first, second = a * x + b * y + c, d * x + e * y + f
            third = 1.0 - first - second
            if first >= -TOLERANCE and second >= -TOLERANCE and third >= -TOLERANCE and usable[triangle]:
                return triangle, (first, second, third)
        return -1, (np.nan, np.nan, np.nan)

    def _bin(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the bin of each point; coordinates from the origin, within the extent."""
        column = ((x - self._low_x) * self._per_metre).astype(np.int64)
        row = ((y - self._low_y) * self._per_metre).astype(np.int64)
        column, row = np.minimum(column, self._last_column), np.minimum(row, self._last_row)
        bins: np.ndarray = row * (self._last_column + 1) + column
        return bins

    def _lay_bins(self, points: np.ndarray) -> None:
        """Make the bins: `_items[_start[b]:_start[b + 1]]` are the triangles in bin b."""
        width, height = self._high - self._low
        wanted = min(BINS_PER_TRIANGLE * len(self.corners) + 1.0, MOST_BINS)
        size = max(np.sqrt(width * height / wanted), max(width, height) / wanted)
        self._origin_x, self._origin_y = self._origin.tolist()
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
        found: np.ndarray = shapely.intersects_xy(area, x, y)
        return found

    return inside
