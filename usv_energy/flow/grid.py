"""A flow on a regular or rectilinear grid: bilinear in space, linear in time, read step by step."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from ..files.errors import InputError
from .field import Extent, extent_polygon, speed_summary, steps_summary, within
from .grid_cell import corner_weights, velocity_in_cell, weighted_sum
from .steps import StepCache, SteppedFlow

CHUNK = 32768  # points at a time: their intermediate results stay in the processor's cache

Loader = Callable[[int], tuple[np.ndarray, np.ndarray]]
Area = Callable[[np.ndarray, np.ndarray], np.ndarray]


class GridFlow(SteppedFlow):
    """
    A FlowSource on a grid of nodes, a velocity each or none.

    In a cell of four nodes the velocity follows the rule of `grid_cell`: bilinear, and half a cell beyond the last
    nodes that have a value. Between two steps a node has a value if both steps have one: a node that dries is dry as
    soon as it begins to.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, times: np.ndarray, load: Loader, *, start: datetime | None = None,
                 extent: Extent | None = None, area: Area | None = None, outline: Sequence[np.ndarray] | None = None,
                 about: Mapping[str, Any] | None = None, height: float | None = None,
                 on_close: Callable[[], None] | None = None) -> None:
        """
        Take a grid and what reads its steps.

        :param x: Coordinates of the columns, m, strictly rising, shape (nx,), nx >= 2.
        :param y: Coordinates of the rows, m, strictly rising, shape (ny,), ny >= 2.
        :param times: Times of the steps, s from the first, strictly rising, shape (T,); [0.] for a steady field.
        :param load: Reads step i: vx, vy, m/s, each shape (ny, nx), NaN (or infinite) where there is no value.
        :param start: Of times[0], where the file says so.
        :param extent: xmin, ymin, xmax, ymax, m, where the field ends; default the outermost nodes. Beyond these the
            velocity is that of the edge (a raster's outermost half cells).
        :param area: Says of points x, y, m, shape (N,), which lie where the field has values (buildings cut out);
            default all. Called beside other threads.
        :param outline: Polygons (K, 2), m, for plots: the outline first, then holes; default the extent's rectangle.
        :param about: What describe() says besides what the grid itself knows: reader, file, units, notes...
        :param height: At which a wind holds, m above water, where the file says so.
        :param on_close: Closes the file.
        """
        name = str((about or {}).get('file', 'grid'))
        self._x, self._y = _rising(name, 'x', x, 2), _rising(name, 'y', y, 2)
        self.times = _rising(name, 'times', times)
        self.start = start
        self.height = height
        self.extent: Extent = extent or (self._x[0], self._y[0], self._x[-1], self._y[-1])
        self._name = name
        self._load = load
        self._area = area
        self._outline = [extent_polygon(self.extent)] if outline is None else list(outline)
        self._about = dict(about or {})
        self._on_close = on_close
        self._cache = StepCache(self._read)

    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        before = self._cache.get(step)
        after = self._cache.get(step + 1) if weight else None
        if x.size <= CHUNK:
            return self._chunk(before, after, weight, x, y)
        value = np.empty((2, x.size))
        for at in range(0, x.size, CHUNK):
            part = slice(at, at + CHUNK)
            value[:, part] = self._chunk(before, after, weight, x[part], y[part])
        return value

    def _chunk(self, before: np.ndarray, after: np.ndarray | None, weight: float,
               x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the velocities, shape (2, N), NaN where there is none."""
        columns = self._x.size
        column, right = _place(self._x, x)
        row, up = _place(self._y, y)
        first = row * columns + column
        corner = np.array((first, first + 1, first + columns, first + (columns + 1)))
        value = before.take(corner, axis=1)
        if after is not None:
            value += weight * (after.take(corner, axis=1) - value)
        corners = tuple(value[:, k] for k in range(4))
        result: np.ndarray = weighted_sum(corner_weights(right, up), corners)
        lies_in = within(self.extent, x, y)
        if self._area is not None:
            lies_in &= self._area(x, y)
        lacking = np.isnan(result[0])
        if lacking.any():
            result[:, lacking] = velocity_in_cell(right[lacking], up[lacking], *value[:, :, lacking])
        result[:, ~lies_in] = np.nan
        return result

    def _read(self, step: int) -> np.ndarray:
        """Return one step, shape (2, ny * nx); NaN in both components where either has no finite value."""
        vx, vy = self._load(step)
        shape = (self._y.size, self._x.size)
        if np.shape(vx) != shape or np.shape(vy) != shape:
            raise InputError(f'{self._name}: step {step}: the velocities have shapes {np.shape(vx)} and '
                             f'{np.shape(vy)}; the grid has {shape} (rows, columns)')
        both = np.empty((2, shape[0] * shape[1]))
        both[0], both[1] = np.ravel(vx), np.ravel(vy)
        both[:, ~np.isfinite(both).all(axis=0)] = np.nan
        return both

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of the columns and of the rows, m, strictly rising, shapes (nx,) and (ny,)."""
        return self._x, self._y

    @property
    def spacing(self) -> tuple[float, float]:
        """Least distances of two columns and of two rows, m."""
        return float(np.diff(self._x).min()), float(np.diff(self._y).min())

    def describe(self) -> dict[str, Any]:
        """Return what is in the field, ready for JSON; units are in the keys."""
        some = sorted({0, self.times.size // 2, self.times.size - 1})
        speeds = [self._speeds(step) for step in some]
        notes = list(self._about.get('notes', []))
        if not any(speed['nodes_with_value'] for speed in speeds):
            notes.append('no node has a value at the steps looked at: the field is empty or all dry')
        known: dict[str, Any] = {
            **steps_summary(self.times, self.start),
            'extent_m': [float(edge) for edge in self.extent],
            'columns': int(self._x.size), 'rows': int(self._y.size),
            'spacing_m': [float(np.diff(axis).mean()) for axis in (self._x, self._y)],
            'speeds': speeds,
        }
        if self.height is not None:
            known['height_m'] = self.height
        return {**self._about, **known, 'notes': notes}

    def _speeds(self, step: int) -> dict[str, Any]:
        speed = np.hypot(*self._cache.get(step))
        return speed_summary(float(self.times[step]), 'nodes_with_value', speed[np.isfinite(speed)])

    def outline(self) -> list[np.ndarray]:
        """Return polygons (K, 2), m: where the field ends, then the holes in it."""
        return list(self._outline)

    def close(self) -> None:
        """Forget the steps and close the file."""
        self._cache.clear()
        if self._on_close is not None:
            self._on_close()


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
