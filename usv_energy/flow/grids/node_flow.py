"""A flow on a lattice of nodes in rows and columns: what all such flows share, whatever the lattice."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import numpy as np

from usv_energy.flow.field import Extent, extent_polygon, in_extent, steps_summary
from usv_energy.flow.grids.grid_lookup import corner_weights, velocity_in_cell, weighted_sum
from usv_energy.flow.grids.node_steps import NodeSteps, SteppedFlow, bracket

CHUNK = 32768  # points at a time: their intermediate results stay in the processor's cache

Area = Callable[[np.ndarray, np.ndarray], np.ndarray]


class CellPlace(NamedTuple):
    """
    Where points lie on a lattice, each shape (N,): rows and columns of their cells' south-western nodes, places in it.

    `along`, `across`: from one column to the next and from one row to the next, 0 to 1, (-); NaN outside the lattice,
    but beside its edge, where the lattice has one, they may be held there.
    """

    row: np.ndarray
    column: np.ndarray
    along: np.ndarray
    across: np.ndarray


class NodeLattice(Protocol):
    """Nodes in rows and columns. Implementations are safe to call from threads."""

    @property
    def extent(self) -> Extent:
        """Bounding box of the nodes, m."""
        ...

    def locate(self, x: np.ndarray, y: np.ndarray) -> CellPlace:
        """Return where points, m, shape (N,), lie."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return rows, columns and spacing, as `describe` of a flow says them."""
        ...

    def outline(self) -> np.ndarray:
        """Return the lattice's edge as a polygon, m, shape (K, 2)."""
        ...


class NodeFlow(SteppedFlow):
    """
    A FlowSource on a lattice of nodes, a velocity each or none.

    In a cell of four nodes the velocity follows the rule of `grid_cell`: bilinear, and half a cell beyond the last
    nodes that have a value. Between two steps a node has a value if both steps have one: a node that dries is dry as
    soon as it begins to.
    """

    def __init__(self, lattice: NodeLattice, times: np.ndarray, steps: NodeSteps, *, start: datetime | None = None,
                 extent: Extent | None = None, area: Area | None = None, outline: Sequence[np.ndarray] | None = None,
                 about: Mapping[str, Any] | None = None, height: float | None = None,
                 on_close: Callable[[], None] | None = None) -> None:
        """
        Take a lattice, and what gives the velocities of its nodes.

        :param lattice: Of the nodes.
        :param times: Times of the steps, s from the first, strictly rising, shape (T,); [0.] for a steady field.
        :param steps: The velocities.
        :param start: Of times[0], where the file says so.
        :param extent: xmin, ymin, xmax, ymax, m, where the field ends; default the outermost nodes. Beyond these the
            velocity is that of the edge (a raster's outermost half cells).
        :param area: Says of points x, y, m, shape (N,), which lie where the field has values (buildings cut out);
            default all. Called beside other threads.
        :param outline: Polygons (K, 2), m, for plots: the outline first, then holes; default the lattice's edge.
        :param about: What describe() says besides what the lattice itself knows: reader, file, units, notes...
        :param height: At which a wind holds, m above water, where the file says so.
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
        """Return the velocities, shape (2, N), NaN where there is none."""
        place = self._lattice.locate(x, y)
        lies_in = in_extent(self.extent, x, y) & (place.along == place.along)
        if self._area is not None:
            lies_in &= self._area(x, y)
        value = self._steps.corners(step, weight, place.row, place.column)
        corners = tuple(value[:, k] for k in range(4))
        result: np.ndarray = weighted_sum(corner_weights(place.along, place.across), corners)
        lacking = np.isnan(result[0])
        if lacking.any():
            result[:, lacking] = velocity_in_cell(place.along[lacking], place.across[lacking], *value[:, :, lacking])
        result[:, ~lies_in] = np.nan
        return result

    def at_nodes(self, t: float, rows: slice, columns: slice) -> np.ndarray | None:
        """
        Return the velocities at some nodes, m/s, shape (2, rows, columns), as `velocity` gives them there, but sooner.

        :param t: Time, s from the first step; outside the steps all are NaN.
        :param rows: Of the lattice, with a first and a last.
        :param columns: The same.
        :return: None where an area decides as well which points have a value.
        """
        if self._area is not None:
            return None
        found = bracket(self.times, t)
        if found is None:
            return np.full((2, rows.stop - rows.start, columns.stop - columns.start), np.nan)
        step, weight = found
        value = self._steps.nodes(step, rows, columns)
        if weight:
            value = value + weight * (self._steps.nodes(step + 1, rows, columns) - value)
        return value

    @property
    def origin_deg(self) -> tuple[float, float] | None:
        """Degrees north and east of x = y = 0 of a file in degrees, on a `DegreeGrid`; None of one in metres."""
        latitude, longitude = (self._about.get(f'origin_{name}_deg') for name in ('latitude', 'longitude'))
        return None if latitude is None or longitude is None else (latitude, longitude)

    def describe(self) -> dict[str, Any]:
        """Return what is in the field, ready for JSON; units are in the keys."""
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
        """Return polygons (K, 2), m: where the field ends, then the holes in it."""
        return list(self._outline)

    def close(self) -> None:
        """Forget the steps and close the file."""
        self._steps.clear()
        if self._on_close is not None:
            self._on_close()
