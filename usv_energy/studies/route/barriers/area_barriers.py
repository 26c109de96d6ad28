"""Barriers: their protocol, and those given by edges, such as coasts and closed areas."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional

Inside = Callable[[np.ndarray, np.ndarray], np.ndarray]
PIECE_EDGES = 4     # edges in one entry of the tree
BATCH = 100_000     # points or legs in one query of the tree
MOST_EDGES = 5_000_000
TOGETHER = 8192     # distances that are computed together, whose intermediate results stay in the processor's cache
FEW_CORNERS = 64    # up to so many corners, distances are computed to all edges without the tree


class Barriers(Protocol):
    """Where a boat may not be. Implementations are immutable and thread-safe."""

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which points are blocked; x, y: east and north in the world, m, shape (N,)."""
        ...

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return which straight legs, from (x0, y0) to (x1, y1), m, each shape (N,), touch a blocked place."""
        ...

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance of each point to the nearest blocked place, m, (N,); negative inside, inf if none."""
        ...


class NoBarriers:
    """Open water."""

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return False for every point."""
        return np.zeros(np.shape(x), dtype=bool)

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return False for every leg."""
        return np.zeros(np.shape(x0), dtype=bool)

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return inf, m, for every point."""
        return np.full(np.shape(x), np.inf)


class AreaBarriers:
    """
    Areas with edges, and a clearance that is kept from them. The edges themselves are blocked, too.

    A leg crosses the barrier if it comes nearer to an edge than `clearance`, or begins inside an area; both tests are
    exact.
    """

    def __init__(self, edges: Sequence[np.ndarray], inside: Inside, clearance: float = 0.0) -> None:
        """
        Take the edges and a test for the inside.

        :param edges: Lines of edges, m in the world, each shape (K, 2); one point (K = 1) is a rock.
        :param inside: Returns which of the points x, y, m, shape (N,), lie in an area.
        :param clearance: Distance to be kept, m.
        """
        self._shapely: Any = optional('shapely', 'flow', 'land and closed areas')
        self._inside, self.clearance = inside, clearance
        self._tree = self._shapely.STRtree(_pieces(self._shapely, edges))
        self._few = _segments(edges) if sum(map(len, edges)) <= FEW_CORNERS else None

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which points, m, shape (N,), lie in an area or nearer than the clearance; True for NaN."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        wrong = ~(np.isfinite(x) & np.isfinite(y))
        points = self._shapely.points(np.where(wrong, 0.0, x), np.where(wrong, 0.0, y))
        return self._near(points) | self._inside(x, y) | wrong

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return which straight legs, m, each shape (N,), come nearer than the clearance; True for NaN."""
        ends = np.stack([np.column_stack([x0, y0]), np.column_stack([x1, y1])], axis=1)
        wrong = ~np.isfinite(ends).all(axis=(1, 2))
        ways = self._shapely.linestrings(np.where(wrong[:, None, None], 0.0, ends))
        return self._near(ways) | self._inside(np.asarray(x0, float), np.asarray(y0, float)) | wrong

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance of each point, m, shape (N,), to the edge of the clearance, m; negative within it."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        if self._few is not None:
            found = _distance_to_few(x, y, self._few)
        else:
            found = np.full(x.shape, np.nan)
            at = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
            (which, _), far = self._tree.query_nearest(self._shapely.points(x[at], y[at]), return_distance=True,
                                                       all_matches=False)
            found[at[which]] = far
        return np.where(self._inside(x, y), -found, found) - self.clearance

    def _near(self, shapes: np.ndarray) -> np.ndarray:
        found = np.zeros(shapes.size, dtype=bool)
        for at in range(0, shapes.size, BATCH):
            which, _ = self._tree.query(shapes[at:at + BATCH], predicate='dwithin', distance=self.clearance)
            found[at + which] = True
        return found


class JoinedBarriers:
    """Several barriers as one."""

    def __init__(self, parts: Sequence[Barriers]) -> None:
        """Take the parts, at least one."""
        self.parts = tuple(parts)

    @property
    def clearance(self) -> float:
        """The largest distance that is kept from any part, m."""
        return max(float(getattr(part, 'clearance', 0.0)) for part in self.parts)

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which points, m, shape (N,), any part blocks."""
        return np.logical_or.reduce([part.blocked(x, y) for part in self.parts])

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return which straight legs, m, each shape (N,), cross any part."""
        return np.logical_or.reduce([part.crossed(x0, y0, x1, y1) for part in self.parts])

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance of each point, m, shape (N,), from the nearest part, m; negative within one."""
        return np.minimum.reduce([part.distance(x, y) for part in self.parts])


def combined_barriers(parts: Sequence[Barriers]) -> Barriers:
    """Return barriers as one; open water if there are none."""
    parts = [part for part in parts if not isinstance(part, NoBarriers)]
    return NoBarriers() if not parts else parts[0] if len(parts) == 1 else JoinedBarriers(parts)


def shape_barriers(shapes: Sequence[Any], clearance: float = 0.0) -> Barriers:
    """
    Return areas, lines and points as barriers.

    :param shapes: Geometries of shapely, m in the world; areas that overlap count as one.
    :param clearance: Distance to be kept, m.
    """
    shapely = optional('shapely', 'flow', 'land and closed areas')
    parts = shapely.get_parts(shapely.get_parts(np.array([shapely.make_valid(shape) for shape in shapes])))
    parts = np.array(list(dict.fromkeys(parts[~shapely.is_empty(parts)])), dtype=object)    # Each counts once.
    if not parts.size:
        return NoBarriers()
    is_area = shapely.get_dimensions(parts) == 2
    area = shapely.union_all(parts[is_area])
    shapely.prepare(area)
    lines = [*shapely.get_parts(shapely.boundary(area)), *parts[~is_area]] if is_area.any() else list(parts)
    edges = [shapely.get_coordinates(line) for line in lines]
    return AreaBarriers(edges, lambda x, y: shapely.intersects_xy(area, np.asarray(x, float), np.asarray(y, float)),
                        clearance)


def _segments(edges: Sequence[np.ndarray]) -> np.ndarray:
    """Return lines of edges as single straight edges, x0, y0, x1, y1, shape (4, K); a rock has no length."""
    parts = [np.column_stack([edge[:-1], edge[1:]]) if len(edge) > 1 else np.column_stack([edge, edge])
             for edge in edges]
    return np.concatenate(parts).T if parts else np.zeros((4, 0))


def _distance_to_few(x: np.ndarray, y: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Return the distance of each point from the nearest of some straight edges, m, shaped like the points."""
    x0, y0, x1, y1 = segments[:, :, None]
    dx, dy = x1 - x0, y1 - y0
    square, nearest = np.maximum(dx * dx + dy * dy, 1e-300), np.full(x.size, np.inf)
    each = max(TOGETHER // max(x0.size, 1), 1)
    for at in range(0, x.size, each):
        from_x, from_y = x.ravel()[at:at + each] - x0, y.ravel()[at:at + each] - y0
        share = np.minimum(np.maximum((from_x * dx + from_y * dy) / square, 0.0), 1.0)
        off = (from_x - share * dx) ** 2 + (from_y - share * dy) ** 2
        nearest[at:at + each] = off.min(axis=0, initial=np.inf)
    return np.asarray(np.sqrt(nearest)).reshape(x.shape)


def _pieces(shapely: Any, edges: Sequence[np.ndarray]) -> np.ndarray:
    """Return lines of edges cut into short pieces, for the tree."""
    rocks = shapely.points(np.array([edge[0] for edge in edges if len(edge) == 1]).reshape(-1, 2))
    corners, owners, number = [], [], 0
    for edge in edges:
        first = np.arange(0, len(edge) - 1, PIECE_EDGES)
        size = np.minimum(PIECE_EDGES + 1, len(edge) - first)
        within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        corners.append(edge[np.repeat(first, size) + within])
        owners.append(number + np.repeat(np.arange(first.size), size))
        number += first.size
    if number > MOST_EDGES:
        raise InputError(f'land and closed areas have {number * PIECE_EDGES} edges here; must be at most '
                         f'{MOST_EDGES * PIECE_EDGES}: cut out or simplify them')
    if not number:
        return np.asarray(rocks)
    lines = shapely.linestrings(np.concatenate(corners), indices=np.concatenate(owners))
    return np.concatenate([rocks, lines])
