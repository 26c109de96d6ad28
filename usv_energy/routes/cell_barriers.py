"""Barriers of cells: of a raster of depth where it is too shallow, of a flow where it is dry."""

from typing import NamedTuple

import numpy as np

from .area_barriers import AreaBarriers
from .barriers import Barriers, NoBarriers
from .file_map import FileMap


class Cells(NamedTuple):
    """Cells between lines along x and y of a map, rising, shape (nx + 1,), (ny + 1,); which block, shape (ny, nx)."""

    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray

    def inside(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which places on the map lie in a closed cell; False outside of all cells."""
        column, row = (np.searchsorted(lines, at, side='right') - 1 for lines, at in ((self.x, x), (self.y, y)))
        held = (column >= 0) & (column < self.x.size - 1) & (row >= 0) & (row < self.y.size - 1)
        found: np.ndarray = held & self.closed[np.where(held, row, 0), np.where(held, column, 0)]
        return found

    def edges(self, most: int | None = None) -> np.ndarray:
        """
        Return the sides between a closed cell and one that is not, or none: x, y of both ends, shape (K, 2, 2).

        :param most: 1: side by side, where the map is no plane of the world; None: those in one line as one.
        """
        sides = np.diff(np.pad(self.closed, ((0, 0), (1, 1))).astype(int), axis=1) != 0
        column, first, last = _runs(sides.T, most)
        upright = np.stack([np.column_stack([self.x[column], self.y[first]]),
                            np.column_stack([self.x[column], self.y[last]])], axis=1)
        row, first, last = _runs(np.diff(np.pad(self.closed, ((1, 1), (0, 0))).astype(int), axis=0) != 0, most)
        level = np.stack([np.column_stack([self.x[first], self.y[row]]),
                          np.column_stack([self.x[last], self.y[row]])], axis=1)
        return np.concatenate([upright, level])


def _runs(marked: np.ndarray, most: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the runs of marks along each row: the row, the first column, the one after the last; at most so long."""
    if most == 1:
        row, column = np.nonzero(marked)
        return row, column, column + 1
    step = np.diff(np.pad(marked.astype(int), ((0, 0), (1, 1))), axis=1)
    (row, first), (_, last) = np.nonzero(step == 1), np.nonzero(step == -1)
    return row, first, last


def cell_barriers(cells: Cells, placed: FileMap, clearance: float = 0.0) -> Barriers:
    """
    Return closed cells as barriers.

    :param cells: On the map of a file.
    :param placed: That map's coordinates as the world's.
    :param clearance: Distance to be kept, m.
    """
    edges = cells.edges(None if placed.frame is None else 1)
    if not edges.size:
        return NoBarriers()
    x, y = placed.to_world(edges[:, :, 0].ravel(), edges[:, :, 1].ravel())
    lines = np.column_stack([x, y]).reshape(-1, 2, 2)

    def inside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        at_x, at_y = placed.to_file(np.asarray(x, float), np.asarray(y, float))
        if placed.degrees:      # The map may count its longitudes on beyond 180.
            at_x = cells.x[0] + (at_x - cells.x[0]) % 360.0
        return cells.inside(at_x, at_y)

    return AreaBarriers(list(lines), inside, clearance)
