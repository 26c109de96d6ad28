"""
A flow on a lattice of nodes in rows and columns: the common part of such flows, for any lattice.

A curvilinear lattice: finding the cell of a point and its position in the cell, and a flow on such a lattice.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import numpy as np

from usv_energy.flow.field import Extent, extent_polygon, in_extent, steps_summary
from usv_energy.flow.grids.grid_lookup import corner_weights, velocity_in_cell, weighted_sum
from usv_energy.flow.grids.node_steps import NodeSteps, SteppedFlow

CHUNK = 32768  # Points at a time, whose intermediate results stay in the processor's cache.

Area = Callable[[np.ndarray, np.ndarray], np.ndarray]


class CellPlace(NamedTuple):
    """
    Positions of points on a lattice, each of shape (N,): row and column of the south-western node of their cells.

    `along`, `across`: position from one column to the next and from one row to the next, 0 to 1, (-); NaN outside the
    lattice, except that a lattice may move points beside its edge to the edge.
    """

    row: np.ndarray
    column: np.ndarray
    along: np.ndarray
    across: np.ndarray


class NodeLattice(Protocol):
    """Nodes in rows and columns. Implementations are thread-safe."""

    @property
    def extent(self) -> Extent:
        """Bounding box of the nodes, m."""
        ...

    def locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        """Return the CellPlace of points, m, shape (N,)."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return rows, columns and spacing for `describe` of a flow."""
        ...

    def outline(self) -> np.ndarray:
        """Return the lattice's edge as a polygon, m, shape (K, 2)."""
        ...


class NodeFlow(SteppedFlow):
    """
    A FlowSource on a lattice of nodes, a velocity each or none.

    In a cell of four nodes the velocity follows the rule of `velocity_in_cell`: bilinear, and half a cell beyond the
    last nodes that have a value. Between two steps a node has a value if both steps have one, so a node that dries
    during a step is dry from its beginning.
    """

    def __init__(self, lattice: NodeLattice, times: np.ndarray, steps: NodeSteps, *, start: datetime | None = None,
                 extent: Extent | None = None, area: Area | None = None, outline: Sequence[np.ndarray] | None = None,
                 about: Mapping[str, Any] | None = None, height: float | None = None,
                 on_close: Callable[[], None] | None = None) -> None:
        """
        Take a lattice and the velocities of its nodes.

        :param lattice: Of the nodes.
        :param times: Times of the steps, s from the first, strictly ascending, shape (T,); [0.] for a steady field.
        :param steps: The velocities.
        :param start: Date of times[0], if the file states it.
        :param extent: xmin, ymin, xmax, ymax, m, the limits of the field; default the outermost nodes. Beyond these the
            velocity is that at the edge (a raster's outermost half cells).
        :param area: Function that returns which points x, y, m, shape (N,), are in the field (buildings cut out);
            default all. It is called from several threads.
        :param outline: Polygons (K, 2), m, for plots: the outline first, then holes; default the lattice's edge.
        :param about: Entries of describe() in addition to the lattice's: reader, file, units, notes...
        :param height: Of a wind, m above water, if the file states it.
        :param on_close: Closes the file.
        """
        self.times, self.start, self.height = times, start, height
        self.extent: Extent = extent or lattice.extent
        self._lattice, self._steps, self._area = lattice, steps, area
        if outline is None:
            outline = [lattice.outline() if extent is None else extent_polygon(extent)]
        self._outline = list(outline)
        self._about = dict(about or {})
        self._on_close = on_close

    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        if x.size <= CHUNK:
            return self._chunk(step, weight, x, y)
        value = np.empty((2, x.size))
        for at in range(0, x.size, CHUNK):
            part = slice(at, at + CHUNK)
            value[:, part] = self._chunk(step, weight, x[part], y[part])
        return value

    def _chunk(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the velocities, shape (2, N), NaN without a value."""
        place = self._lattice.locate(x, y)
        return self._in_cells(place, self._steps.corners(step, weight, place.row, place.column), x, y)

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """
        Return the velocity at many points, each at its own time, m/s; NaN without a value.

        :param t: s from the first step, shaped like `x` and `y`; a steady field is the same at all times.
        """
        time, east, north = (np.ravel(part) for part in np.broadcast_arrays(t, x, y))
        value, times = np.full((2, time.size), np.nan), self.times
        known = (time >= times[0]) & (time <= times[-1]) if times.size > 1 else np.isfinite(east)
        some = np.flatnonzero(known)
        time, east, north = time[some], east[some], north[some]
        place = self._lattice.locate(east, north)
        step, weight = np.zeros(some.size, dtype=int), np.zeros(some.size)
        if times.size > 1:
            step = np.minimum(times.searchsorted(time, side='right') - 1, times.size - 2)
            weight = (time - times[step]) / (times[step + 1] - times[step])
        corners = np.empty((2, 4, some.size))
        for one in np.unique(step).tolist():
            here = np.flatnonzero(step == one)
            corners[:, :, here] = self._steps.corners(one, weight[here], place.row[here], place.column[here])
        value[:, some] = self._in_cells(place, corners, east, north)
        return value[0].reshape(np.shape(x)), value[1].reshape(np.shape(x))

    def _in_cells(self, place: CellPlace, value: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the velocities, (2, N), at places in cells whose corners have velocities, (2, 4, N)."""
        lies_in = in_extent(self.extent, x, y) & (place.along == place.along)
        if self._area is not None:
            lies_in &= self._area(x, y)
        corners = tuple(value[:, k] for k in range(4))
        result: np.ndarray = weighted_sum(corner_weights(place.along, place.across), corners)
        lacking = np.isnan(result[0])
        if lacking.any():
            result[:, lacking] = velocity_in_cell(place.along[lacking], place.across[lacking], *value[:, :, lacking])
        result[:, ~lies_in] = np.nan
        return result

    @property
    def origin_deg(self) -> tuple[float, float] | None:
        """Degrees north and east of x = y = 0 for a file in degrees, on a `DegreeGrid`; None for one in metres."""
        latitude, longitude = (self._about.get(f'origin_{name}_deg') for name in ('latitude', 'longitude'))
        return None if latitude is None or longitude is None else (latitude, longitude)

    def describe(self) -> dict[str, Any]:
        """Return the content of the field, ready for JSON; units are in the keys."""
        some = sorted({0, self.times.size // 2, self.times.size - 1})
        speeds = [self._steps.speeds(step, float(self.times[step])) for step in some]
        notes = list(self._about.get('notes', []))
        if not any(speed['nodes_with_value'] for speed in speeds):
            notes.append('no node has a value at the steps looked at: the field is empty or all dry')
        known: dict[str, Any] = {
            **steps_summary(self.times, self.start),
            'extent_m': [float(edge) for edge in self.extent],
            **self._lattice.describe(), **self._steps.about(),
            'speeds': speeds,
        }
        if self.height is not None:
            known['height_m'] = self.height
        return {**self._about, **known, 'notes': notes}

    def outline(self) -> list[np.ndarray]:
        """Return polygons (K, 2), m: the edge of the field, then its holes."""
        return list(self._outline)

    def close(self) -> None:
        """Release the steps and close the file."""
        self._steps.clear()
        if self._on_close is not None:
            self._on_close()


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
        return np.arctan2(north, east)

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
