"""A flow on a regular or rectilinear grid: bilinear in space, linear in time, read step by step or page by page."""

from typing import Any

import numpy as np

from ..files.errors import InputError
from .field import Extent, extent_polygon
from .node_flow import CellPlace, NodeFlow
from .node_steps import Loader, NodeSteps, WholeSteps


class Rectilinear:
    """A lattice whose columns and rows are straight lines, at any distances."""

    def __init__(self, x: np.ndarray, y: np.ndarray, name: str) -> None:
        """
        Take the columns and the rows.

        :param x: Coordinates of the columns, m, strictly rising, shape (nx,), nx >= 2.
        :param y: Coordinates of the rows, m, strictly rising, shape (ny,), ny >= 2.
        :param name: What an error calls the file.
        :raises InputError: If they are no such.
        """
        self.x, self.y = _rising(name, 'x', x, 2), _rising(name, 'y', y, 2)
        self.extent: Extent = (self.x[0], self.y[0], self.x[-1], self.y[-1])

    def locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        """Return where points lie; beyond the outermost nodes they are held at the edge."""
        column, along = _place(self.x, x)
        row, across = _place(self.y, y)
        return CellPlace(row, column, along, across)

    def describe(self) -> dict[str, Any]:
        """Return columns, rows and their mean distances."""
        return {'columns': int(self.x.size), 'rows': int(self.y.size),
                'spacing_m': [float(np.diff(axis).mean()) for axis in (self.x, self.y)]}

    def outline(self) -> np.ndarray:
        """Return the rectangle of the outermost nodes, m, shape (4, 2)."""
        return extent_polygon(self.extent)


class GridFlow(NodeFlow):
    """A NodeFlow on a Rectilinear lattice."""

    def __init__(self, x: np.ndarray, y: np.ndarray, times: np.ndarray, load: Loader | NodeSteps, **more: Any) -> None:
        """
        Take a grid and what reads its steps.

        :param x: Coordinates of the columns, m, strictly rising, shape (nx,), nx >= 2.
        :param y: Coordinates of the rows, m, strictly rising, shape (ny,), ny >= 2.
        :param times: Times of the steps, s from the first, strictly rising, shape (T,); [0.] for a steady field.
        :param load: Reads step i: vx, vy, m/s, each shape (ny, nx), NaN (or infinite) where there is no value; or
            NodeSteps.
        :param more: See NodeFlow.
        :raises InputError: If the coordinates or times do not rise.
        """
        name = str((more.get('about') or {}).get('file', 'grid'))
        self._grid = Rectilinear(x, y, name)
        steps = WholeSteps(load, self._grid.y.size, self._grid.x.size, name) if callable(load) else load
        super().__init__(self._grid, _rising(name, 'times', times), steps, **more)

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of the columns and of the rows, m, strictly rising, shapes (nx,) and (ny,)."""
        return self._grid.x, self._grid.y

    @property
    def spacing(self) -> tuple[float, float]:
        """Least distances of two columns and of two rows, m."""
        return float(np.diff(self._grid.x).min()), float(np.diff(self._grid.y).min())


def _place(axis: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each coordinate the node before it and the way to the next one, 0 to 1 (held beyond the ends)."""
    before = np.minimum(np.maximum(axis.searchsorted(at, side='right') - 1, 0), axis.size - 2)
    start = axis[before]
    return before, np.minimum(np.maximum((at - start) / (axis[before + 1] - start), 0.0), 1.0)


def _rising(name: str, key: str, values: np.ndarray, least: int = 1) -> np.ndarray:
    """Return numbers that rise strictly, as a new array."""
    array = np.array(values, dtype=float)
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        raise InputError(f'{name}: {key}: shape {array.shape}; allowed: one row of finite numbers')
    if not (np.diff(array) > 0.0).all():
        at = int(np.argmin(np.diff(array)))
        raise InputError(f'{name}: {key}: {array[at]:g} is followed by {array[at + 1]:g}; they must rise')
    if array.size < least:
        raise InputError(f'{name}: {key}: {array.size} coordinate; a grid needs {least} or more')
    return array
