"""Flows on regular and rectilinear grids, bilinear in space and linear in time."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, FlowField, Velocities, extent_polygon
from usv_energy.flow.grids.grid_lookup import grid_velocity
from usv_energy.flow.grids.node_flow import CellPlace, NodeFlow
from usv_energy.flow.grids.node_steps import Loader, NodeSteps, WholeSteps


class Rectilinear:
    """A lattice with straight columns and rows of any spacing."""

    def __init__(self, x: np.ndarray, y: np.ndarray, name: str) -> None:
        """
        Take the columns and the rows.

        :param x: Coordinates of the columns, m, strictly ascending, shape (nx,), nx >= 2.
        :param y: Coordinates of the rows, m, strictly ascending, shape (ny,), ny >= 2.
        :param name: Name of the file in error messages.
        :raises InputError: If they are not valid.
        """
        self.x, self.y = _rising(name, 'x', x, 2), _rising(name, 'y', y, 2)
        self.extent: Extent = (self.x[0], self.y[0], self.x[-1], self.y[-1])

    def locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        """Return the CellPlace of points; beyond the outermost nodes they are moved to the edge."""
        column, along = _place(self.x, x)
        row, across = _place(self.y, y)
        return CellPlace(row, column, along, across)

    def describe(self) -> dict[str, Any]:
        """Return columns, rows and their mean spacing."""
        return {'columns': int(self.x.size), 'rows': int(self.y.size),
                'spacing_m': [float(np.diff(axis).mean()) for axis in (self.x, self.y)]}

    def outline(self) -> np.ndarray:
        """Return the rectangle of the outermost nodes, m, shape (4, 2)."""
        return extent_polygon(self.extent)


class GridFlow(NodeFlow):
    """A NodeFlow on a Rectilinear lattice."""

    def __init__(self, x: np.ndarray, y: np.ndarray, times: np.ndarray, load: Loader | NodeSteps, **more: Any) -> None:
        """
        Take a grid and the reader of its steps.

        :param x: Coordinates of the columns, m, strictly ascending, shape (nx,), nx >= 2.
        :param y: Coordinates of the rows, m, strictly ascending, shape (ny,), ny >= 2.
        :param times: Times of the steps, s from the first, strictly ascending, shape (T,); [0.] for a steady field.
        :param load: Function that reads step i: vx, vy, m/s, each of shape (ny, nx), NaN (or infinite) without a value;
            or NodeSteps.
        :param more: See NodeFlow.
        :raises InputError: If the coordinates or times are not ascending.
        """
        name = str((more.get('about') or {}).get('file', 'grid'))
        self._grid = Rectilinear(x, y, name)
        steps = WholeSteps(load, self._grid.y.size, self._grid.x.size, name) if callable(load) else load
        super().__init__(self._grid, _rising(name, 'times', times), steps, **more)

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of the columns and of the rows, m, strictly ascending, shapes (nx,) and (ny,)."""
        return self._grid.x, self._grid.y

    @property
    def spacing(self) -> tuple[float, float]:
        """Least spacing of columns and of rows, m."""
        return float(np.diff(self._grid.x).min()), float(np.diff(self._grid.y).min())


def _place(axis: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each coordinate the node before it and the share of the way to the next one, limited to 0 to 1."""
    before = np.minimum(np.maximum(axis.searchsorted(at, side='right') - 1, 0), axis.size - 2)
    start = axis[before]
    return before, np.minimum(np.maximum((at - start) / (axis[before + 1] - start), 0.0), 1.0)


def _rising(name: str, key: str, values: np.ndarray, least: int = 1) -> np.ndarray:
    """Return strictly ascending numbers as a new array."""
    array = np.array(values, dtype=float)
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        raise InputError(f'{name}: {key}: shape {array.shape}; allowed: one row of finite numbers')
    if not (np.diff(array) > 0.0).all():
        at = int(np.argmin(np.diff(array)))
        raise InputError(f'{name}: {key}: {array[at]:g} is followed by {array[at + 1]:g}; they must rise')
    if array.size < least:
        raise InputError(f'{name}: {key}: {array.size} coordinate; a grid needs {least} or more')
    return array


MAX_NODES = 50_000_000


class Grid(NamedTuple):
    """
    A grid for compiled code: nodes at x = x0 + i dx, y = y0 + j dy (m), t = t0 + k dt (s).

    `nx`, `ny`, `nt`: their numbers. `dt`: None in a steady flow. `vx`, `vy`: velocities, m/s, flat; x varies fastest,
    then y, then t.
    """

    t0: float
    dt: float | None
    nt: int
    x0: float
    dx: float
    nx: int
    y0: float
    dy: float
    ny: int
    vx: np.ndarray
    vy: np.ndarray


class GriddedFlow:
    """
    A flow field on a regular grid (a FlowField): linear in time, in space by the rule of `velocity_in_cell`.

    Outside its extent and its times it has no value (NaN). With one time it is steady and valid always.
    """

    def __init__(self, times: Sequence[float] | np.ndarray, extent: Extent, vx: np.ndarray, vy: np.ndarray,
                 path: Path) -> None:
        """
        Take the velocities at the nodes.

        :param times: Of the steps, s, evenly spaced.
        :param extent: Of the nodes: xmin, ymin, xmax, ymax, m.
        :param vx: East velocity, m/s, shape (T, Y, X), at least 2 x 2 nodes; NaN without a value.
        :param vy: North velocity, the same.
        :param path: Name of the flow in error messages.
        :raises InputError: If these are inconsistent.
        """
        self.path, self.extent = path, extent
        self.times = times = np.asarray(times, dtype=float)
        if vx.shape != vy.shape or vx.ndim != 3 or vx.shape[0] != times.size or min(vx.shape[1:]) < 2:
            raise InputError(f'{path}: a grid of the shapes {vx.shape} and {vy.shape} for {times.size} time(s); must '
                             'be (T, Y, X) both, at least 2 nodes each way')
        steps = np.diff(times)
        if times.size > 1 and not (steps[0] > 0.0 and np.allclose(steps, steps[0], rtol=1e-6)):
            raise InputError(f'{path}: the times of a grid must be evenly spaced and rise')
        nt, ny, nx = vx.shape
        xmin, ymin, xmax, ymax = map(float, extent)
        if not (xmax > xmin and ymax > ymin and all(map(math.isfinite, extent))):
            raise InputError(f'{path}: the extent of a grid is {extent}; must be finite, xmin < xmax and ymin < ymax')
        self.grid = Grid(float(times[0]), float(steps[0]) if nt > 1 else None, nt, xmin, (xmax - xmin) / (nx - 1), nx,
                         ymin, (ymax - ymin) / (ny - 1), ny, np.ascontiguousarray(vx, dtype=float).ravel(),
                         np.ascontiguousarray(vy, dtype=float).ravel())

    @property
    def wet(self) -> np.ndarray:
        """Whether each node has a value at each time, shape (T, Y, X), bool; others are dry or outside the field."""
        known: np.ndarray = ~np.isnan(self.grid.vx)
        return known.reshape(self.grid.nt, self.grid.ny, self.grid.nx)

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points at one time; see FlowField.velocity."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        vx, vy = grid_velocity(np.full(x.shape, float(t)), x, y, self.grid)
        return vx, vy, ~np.isnan(vx)

    def error_against(self, flow: FlowField, points: int = 2000, seed: int = 1) -> float:
        """
        Return the largest difference from the sampled field, m/s, at random points where both have a value.

        :param flow: That field.
        :param points: Number of points, at up to 20 times.
        :param seed: Of the points.
        """
        rng = np.random.default_rng(seed)
        xmin, ymin, xmax, ymax = self.extent
        worst = 0.0
        for t in rng.uniform(self.times[0], self.times[-1], min(20, points) if self.times.size > 1 else 1):
            each = points if self.times.size == 1 else max(points // 20, 1)
            x, y = rng.uniform(xmin, xmax, each), rng.uniform(ymin, ymax, each)
            (vx, vy, here), (fx, fy, there) = self.velocity(t, x, y), flow.velocity(float(t), x, y)
            both = here & there
            worst = max(worst, float(np.hypot(vx - fx, vy - fy)[both].max(initial=0.0)))
        return worst


def gridded_flow(flow: FlowField, extent: Extent, spacing: float,
                 times: Sequence[float] | np.ndarray = (0.0,)) -> GriddedFlow:
    """
    Return a flow field sampled on a regular grid; `error_against(flow)` returns its error.

    The error of the interpolation is the squared spacing over 8 times the second derivative of the velocity.

    :param flow: Any field: a FlowFile, a closed form.
    :param extent: The area to cover: xmin, ymin, xmax, ymax, m; the spacing is adjusted to fit it.
    :param spacing: Largest spacing of the nodes, m.
    :param times: s in the world's time, evenly spaced; one for a steady flow.
    :raises InputError: For an invalid extent or spacing, or too many nodes.
    """
    path = Path(getattr(flow, 'path', type(flow).__name__))
    xmin, ymin, xmax, ymax = map(float, extent)
    if not (all(map(math.isfinite, extent)) and xmax > xmin and ymax > ymin and spacing > 0.0):
        raise InputError(f'{path}: a grid over {extent} m, every {spacing} m; must be finite, xmin < xmax, '
                         'ymin < ymax, and the spacing above 0')
    nx, ny = (max(math.ceil((high - low) / spacing - 1e-9), 1) + 1 for low, high in ((xmin, xmax), (ymin, ymax)))
    if nx * ny * len(times) > MAX_NODES:
        raise InputError(f'{path}: a grid of {len(times)} x {ny} x {nx} nodes; must be at most {MAX_NODES:.0e}: '
                         'choose a larger spacing, a smaller extent or fewer times')
    x, y = np.meshgrid(np.linspace(xmin, xmax, nx), np.linspace(ymin, ymax, ny))
    layers = [flow.velocity(float(t), x.ravel(), y.ravel())[:2] for t in times]
    vx, vy = (np.array([layer[axis] for layer in layers]).reshape(len(times), ny, nx) for axis in (0, 1))
    return GriddedFlow(times, (xmin, ymin, xmax, ymax), vx, vy, path)
