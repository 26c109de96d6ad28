"""A curvilinear lattice: finding the cell of a point and its position in the cell, and a flow on such a lattice."""

import math
import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from usv_energy.flow.field import Extent
from usv_energy.flow.grids.node_flow import CellPlace, NodeFlow

MOST_IN_TREE = 250_000  # Most nodes in the tree with which the search for a cell begins.
STEPS = 40  # Most steps of that search.
CLOSE = 1e-9  # Tolerance of the search, in cells.
EDGE = 1e-7  # Tolerance of the lattice's edge for rounding, in cells.
MEMORY = 16  # Number of results that are kept, since the same points are looked up at many times.
WORTH_KEEPING = 256  # Fewest points of a result that is kept.


class Curvilinear:
    """
    A lattice of nodes in rows and columns at any positions, with quadrilateral cells that must not overlap.

    The position of a point in a cell is that in the unit square under the bilinear map to the cell's corners. It is
    found by Newton's method, from cell to cell, starting at the nearest node. Cells with a node without a position do
    not exist.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray) -> None:
        """
        Take the nodes.

        :param x: East coordinates, m, shape (ny, nx), at least 2 x 2; NaN for a node without a position.
        :param y: North coordinates, m, same shape.
        """
        self._x, self._y = np.ascontiguousarray(x, dtype=float), np.ascontiguousarray(y, dtype=float)
        self.rows, self.columns = x.shape
        known = np.isfinite(x) & np.isfinite(y)
        self.extent: Extent = (float(x[known].min()), float(y[known].min()), float(x[known].max()),
                               float(y[known].max()))
        self.spacing = (_least(np.hypot(np.diff(x, axis=1), np.diff(y, axis=1))),
                        _least(np.hypot(np.diff(x, axis=0), np.diff(y, axis=0))))
        stride = max(1, math.ceil(math.sqrt(x.size / MOST_IN_TREE)))
        row, column = (index.ravel() for index in np.mgrid[0:self.rows:stride, 0:self.columns:stride])
        used = known[row, column]
        self._row, self._column = row[used], column[used]
        from scipy.spatial import cKDTree  # Here, as most flows need none.
        self._tree = cKDTree(np.column_stack((x[self._row, self._column], y[self._row, self._column])))
        self._kept: OrderedDict[tuple[bytes, bytes], CellPlace] = OrderedDict()
        self._lock = threading.Lock()

    def locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        """Return the CellPlace of points; NaN outside the lattice."""
        if x.size < WORTH_KEEPING:
            return self._locate(x, y)
        key = x.tobytes(), y.tobytes()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        place = self._locate(x, y)
        with self._lock:
            self._kept[key] = place
            if len(self._kept) > MEMORY:
                self._kept.popitem(last=False)
        return place

    def _locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        column, row = np.zeros(x.size, int), np.zeros(x.size, int)
        along, across = np.full(x.size, np.nan), np.full(x.size, np.nan)
        near = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        near = near[(x[near] >= self.extent[0]) & (x[near] <= self.extent[2])
                    & (y[near] >= self.extent[1]) & (y[near] <= self.extent[3])]
        first = self._tree.query(np.column_stack((x[near], y[near])))[1] if near.size else np.empty(0, int)
        for east, north in ((0, 0), (-1, 0), (0, -1), (-1, -1)):  # The four cells around the nearest node.
            cell = (np.clip(self._column[first] + east, 0, self.columns - 2),
                    np.clip(self._row[first] + north, 0, self.rows - 2))
            found = self._walk(x[near], y[near], *cell)
            hit = found.along == found.along
            at = near[hit]
            row[at], column[at] = found.row[hit], found.column[hit]
            along[at], across[at] = found.along[hit], found.across[hit]
            near, first = near[~hit], first[~hit]
            if not near.size:
                break
        return CellPlace(row, column, along, across)

    def _walk(self, x: np.ndarray, y: np.ndarray, column: np.ndarray, row: np.ndarray) -> CellPlace:
        """Return the positions of points, searched from a cell on; NaN if the search leaves the lattice or fails."""
        along, across = np.full(x.size, 0.5), np.full(x.size, 0.5)
        column, row = column.copy(), row.copy()
        done = np.zeros(x.size, dtype=bool)
        at = np.arange(x.size)
        for _ in range(STEPS):
            p, q, more_p, more_q = self._newton(x[at], y[at], row[at], column[at], along[at], across[at])
            inside = (p >= -EDGE) & (p <= 1.0 + EDGE) & (q >= -EDGE) & (q <= 1.0 + EDGE)
            ended = inside & (np.abs(more_p) + np.abs(more_q) < CLOSE)
            done[at[ended]] = True
            p, q = p + more_p, q + more_q
            over = ~ended & (p == p) & (q == q)
            at, p, q = at[over], p[over], q[over]
            if not at.size:
                break
            p, q = np.clip(p, -20.0, 21.0), np.clip(q, -20.0, 21.0)
            to_column = np.clip(column[at] + np.floor(p).astype(int), 0, self.columns - 2)
            to_row = np.clip(row[at] + np.floor(q).astype(int), 0, self.rows - 2)
            along[at] = np.clip(p - (to_column - column[at]), -1.0, 2.0)
            across[at] = np.clip(q - (to_row - row[at]), -1.0, 2.0)
            column[at], row[at] = to_column, to_row
        along[~done] = np.nan
        return CellPlace(row, column, np.clip(along, 0.0, 1.0), np.clip(across, 0.0, 1.0))

    def _newton(self, x: np.ndarray, y: np.ndarray, row: np.ndarray, column: np.ndarray, p: np.ndarray,
                q: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the positions in cells, and the last Newton step."""
        first = row * self.columns + column
        corners = [(side.ravel()[first], side.ravel()[first + 1], side.ravel()[first + self.columns],
                    side.ravel()[first + self.columns + 1]) for side in (self._x, self._y)]
        (missing_x, x_p, x_q), (missing_y, y_p, y_q) = (_bilinear(*corner, p, q, to)
                                                        for corner, to in zip(corners, (x, y)))
        area = x_p * y_q - x_q * y_p
        area = np.where(area == 0.0, np.nan, area)
        return p, q, (missing_x * y_q - missing_y * x_q) / area, (x_p * missing_y - y_p * missing_x) / area

    def angle(self) -> np.ndarray:
        """Return the direction of the rows at each node, rad counter-clockwise from east, shape (ny, nx)."""
        east, north = np.gradient(self._x, axis=1), np.gradient(self._y, axis=1)
        found: np.ndarray = np.arctan2(north, east)
        return found

    def describe(self) -> dict[str, Any]:
        """Return columns, rows and their mean spacing."""
        along, across = (float(np.nanmean(np.hypot(np.diff(self._x, axis=axis), np.diff(self._y, axis=axis))))
                         for axis in (1, 0))
        return {'grid': 'curvilinear', 'columns': self.columns, 'rows': self.rows, 'spacing_m': [along, across]}

    def outline(self) -> np.ndarray:
        """Return the outermost nodes, m, counter-clockwise in rows and columns, shape (K, 2)."""
        edge = [np.concatenate((side[0, :-1], side[:-1, -1], side[-1, :0:-1], side[:0:-1, 0]))
                for side in (self._x, self._y)]
        known = np.isfinite(edge).all(axis=0)
        return np.column_stack(edge)[known]


class CurvilinearFlow(NodeFlow):
    """A NodeFlow on a Curvilinear lattice."""

    def __init__(self, lattice: Curvilinear, *given: Any, **more: Any) -> None:
        """
        Take a lattice.

        :param lattice: Of the nodes.
        :param given: Times and steps, see NodeFlow.
        :param more: See NodeFlow.
        """
        super().__init__(lattice, *given, **more)
        self.spacing = lattice.spacing  # Least spacing of columns and of rows, m.


def _least(distances: np.ndarray) -> float:
    """Return the least positive distance, m."""
    return float(distances[distances > 0.0].min(initial=np.inf))


def _bilinear(sw: np.ndarray, se: np.ndarray, nw: np.ndarray, ne: np.ndarray, p: np.ndarray, q: np.ndarray,
              to: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bilinear map minus a value, and its derivatives by p and q."""
    twist = ne - nw - se + sw
    by_p, by_q = se - sw + twist * q, nw - sw + twist * p
    return to - (sw + (se - sw) * p + (nw - sw) * q + twist * p * q), by_p, by_q
