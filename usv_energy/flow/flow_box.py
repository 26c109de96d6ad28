"""
A part of a flow in space and time as a grid in memory, for route searches.

A flow at many places, each at its own time, with few calls of a FlowField, which takes a single time.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import AnalyticFlow, UniformFlow
from usv_energy.flow.field import Extent, FlowField
from usv_energy.flow.flow_argument import Points, velocities_at
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.grids.grid import GriddedFlow, GridFlow
from usv_energy.flow.grids.grid_lookup import grid_velocity
from usv_energy.flow.grids.node_steps import SteppedFlow
from usv_energy.flow.placement import Transform
from usv_energy.show.text_table import exact_seconds

MOST_NODES = 20_000_000  # 320 MB.
BAND = 500_000  # Points that are evaluated at a time.
EVEN = 1e-3  # Share of a cell or step; coordinates in files are rounded.


class _Nodes(NamedTuple):
    """Evenly spaced coordinates, m: the first, the spacing, the number."""

    first: float
    step: float
    number: int

    @property
    def values(self) -> np.ndarray:
        return self.first + self.step * np.arange(self.number)


def read_box(flow: FlowField, extent: Extent, t0: float, t1: float, spacing: float | None = None,
             every: float | None = None, most: int = MOST_NODES) -> GriddedFlow:
    """
    Return the part of a flow within a box and between two times, as a grid in memory.

    If the flow is a file on an even grid without rotation, the grid uses the file's own nodes, and its times if they
    are even, so its values are those of the file. From a large file only the chunks in the box are read. The box is cut
    to the flow's extent; the grid ends at its outermost nodes. If a flow repeats (mode loop), the jump is spread over
    the last step before it.

    :param flow: A FlowFile, a closed form, or a uniform flow (its grid is its four corners).
    :param extent: xmin, ymin, xmax, ymax in the world, m.
    :param t0: First time, s of the world's time.
    :param t1: Last time, s.
    :param spacing: Largest distance of nodes, m; None for the file's own.
    :param every: Largest time step, s; None for the file's own (the shortest).
    :param most: Largest number of nodes times steps; each takes 16 bytes.
    :return: The grid with times in the world's time; a steady flow has one time, which is valid always.
    :raises InputError: If the box is outside the flow, a spacing is missing or wrong, or the grid is too large.
    """
    path = Path(getattr(flow, 'path', type(flow).__name__))
    if not (t1 >= t0 and math.isfinite(t0) and math.isfinite(t1)):
        raise InputError(f'{path}: a part of the flow from {t0:.9g} to {exact_seconds(t1)}; must be '
                         'finite and rise')
    for name, value in (('spacing', spacing), ('every', every)):
        if value is not None and not (value > 0.0 and math.isfinite(value)):
            raise InputError(f'{path}: {name} is {value:g}; must be above 0')
    x, y = _places(flow, _cut(flow, extent, path), spacing, path)
    times = _times(flow, t0, t1, every, path)
    nodes = times.size * float(x.number) * y.number
    if nodes > most:
        raise InputError(f'{path}: a grid of {times.size} x {y.number} x {x.number} nodes; must be at most {most:.0e}: '
                         'choose a larger spacing, a smaller box or fewer times')
    vx, vy = np.empty((2, times.size, y.number, x.number))
    for k, t in enumerate(times.tolist()):
        vx[k], vy[k] = _sampled(flow, t, x, y)
    box = (float(x.values[0]), float(y.values[0]), float(x.values[-1]), float(y.values[-1]))
    return GriddedFlow(times, box, vx, vy, path)


def _cut(flow: FlowField, extent: Extent, path: Path) -> Extent:
    """Return the part of a box within the flow's extent, m."""
    if not (np.isfinite(extent).all() and extent[2] > extent[0] and extent[3] > extent[1]):
        raise InputError(f'{path}: a box of {extent} m; must be finite, xmin < xmax and ymin < ymax')
    whole: Extent = getattr(flow, 'extent', (-math.inf, -math.inf, math.inf, math.inf))
    west, south = max(extent[0], whole[0]), max(extent[1], whole[1])
    east, north = min(extent[2], whole[2]), min(extent[3], whole[3])
    if not (east > west and north > south):
        shown = ', '.join(f'{edge:.0f}' for edge in whole)
        raise InputError(f'{path}: the box {", ".join(f"{edge:.0f}" for edge in extent)} m lies outside the flow, '
                         f'which has {shown} m')
    return west, south, east, north


def _places(flow: FlowField, box: Extent, spacing: float | None, path: Path) -> tuple[_Nodes, _Nodes]:
    source = getattr(flow, 'source', flow)
    if isinstance(flow, UniformFlow):
        spacing = spacing or math.inf
    if spacing is None:
        own = _own_nodes(flow, source)
        if own is not None:
            return _covering(own[0], box[0], box[2]), _covering(own[1], box[1], box[3])
        spacing = min(source.spacing) if hasattr(source, 'spacing') else None
    if spacing is None:
        raise InputError(f'{path}: this flow lies on no grid; give the spacing of the nodes, m')
    return _spread(box[0], box[2], spacing), _spread(box[1], box[3], spacing)


def _sampled(flow: FlowField, t: float, x: _Nodes, y: _Nodes) -> np.ndarray:
    """Return a flow's velocities at nodes, m/s, shape (2, rows, columns)."""
    values = np.empty((2, y.number, x.number))
    rows = max(BAND // x.number, 1)
    for j in range(0, y.number, rows):
        east, north = np.meshgrid(x.values, y.values[j:j + rows])
        found = flow.velocity(t, east.ravel(), north.ravel())
        values[:, j:j + rows] = np.reshape(found[:2], (2, *east.shape))
    return values


def _own_nodes(flow: FlowField, source: object) -> tuple[_Nodes, _Nodes] | None:
    """Return the columns and rows of a file in the world; None if they are uneven or rotated, or there are none."""
    if not isinstance(source, GridFlow):
        return None
    shift = (0.0, 0.0)
    if isinstance(flow, FlowFile):
        if flow.transform.rotation_deg or flow.transform.degrees is not None:
            return None
        shift = (flow.transform.x, flow.transform.y)
    axes = source.axes
    nodes = [_Nodes(float(axis[0]) - off, float(axis[-1] - axis[0]) / (axis.size - 1), axis.size)
             for axis, off in zip(axes, shift)]
    even = all(np.abs(axis - off - own.values).max() <= EVEN * own.step
               for axis, off, own in zip(axes, shift, nodes))
    return (nodes[0], nodes[1]) if even else None


def _covering(nodes: _Nodes, low: float, high: float) -> _Nodes:
    """Return the part of a file's nodes that covers an interval of its axis, at least 2."""
    first = min(max(math.floor((low - nodes.first) / nodes.step + EVEN), 0), nodes.number - 2)
    last = min(max(math.ceil((high - nodes.first) / nodes.step - EVEN), first + 1), nodes.number - 1)
    return _Nodes(nodes.first + first * nodes.step, nodes.step, last - first + 1)


def _spread(low: float, high: float, spacing: float) -> _Nodes:
    parts = max(math.ceil((high - low) / spacing - 1e-9), 1)
    return _Nodes(low, (high - low) / parts, parts + 1)


def _times(flow: FlowField, t0: float, t1: float, every: float | None, path: Path) -> np.ndarray:
    """Return evenly spaced times of the world, s, from t0 or before to t1 or after."""
    source, clock = getattr(flow, 'source', flow), getattr(flow, 'clock', None)
    steps = np.asarray(getattr(source, 'times', (0.0,)), dtype=float)
    if steps[0] == steps[-1] or t1 == t0:
        return np.array([t0])
    if every is None and isinstance(source, AnalyticFlow):
        raise InputError(f'{path}: this flow is known at all times; give the time between two, s')
    between = np.diff(steps)
    if every is not None or not np.allclose(between, between[0], rtol=1e-6, atol=0.0):
        spread = _spread(t0, t1, float(between.min()) if every is None else every)
        return spread.values
    start = clock.start if clock is not None else 0.0
    length = float(steps[-1] - steps[0]) / (steps.size - 1)
    first = math.floor((start + t0 - steps[0]) / length + 1e-9)
    last = max(math.ceil((start + t1 - steps[0]) / length - 1e-9), first + 1)
    if clock is None or clock.mode == 'end':
        first, last = max(first, 0), min(last, steps.size - 1)
        if last <= first:
            raise InputError(f'{path}: has no flow between {t0:.9g} and {exact_seconds(t1)}: its times are '
                             f'{steps[0] - start:.9g} to {exact_seconds(steps[-1] - start)}')
    if first >= 0 and last < steps.size:
        return _inner(steps[first:last + 1] - start, steps, start)
    return np.asarray(steps[0] + length * np.arange(first, last + 1) - start)


def _inner(times: np.ndarray, steps: np.ndarray, start: float) -> np.ndarray:
    """Return times of steps in the world, adjusted so that rounding puts none before the first or after the last."""
    while start + times[0] < steps[0]:
        times[0] = np.nextafter(times[0], math.inf)
    while start + times[-1] > steps[-1]:
        times[-1] = np.nextafter(times[-1], -math.inf)
    return times


Pair = tuple[np.ndarray, np.ndarray]
FlowAlong = Callable[[np.ndarray, np.ndarray, np.ndarray], Pair]


def flow_along(field: FlowField) -> FlowAlong:
    """
    Return a function of times s, and places east and north m, all of one shape, that gives velocities, m/s.

    NaN where the field has no value. A field may have this function itself, as a method `velocities(t, x, y)`. Else a
    steady field is called once, one that is linear between steps once per step, any other once per different time.

    :param field: In the world's frame and time.
    """
    own: Any = getattr(field, 'velocities', None)
    if own is not None:
        return lambda t, x, y: tuple(own(t, x, y)[:2])
    if isinstance(field, GriddedFlow):
        grid = field.grid
        return lambda t, x, y: grid_velocity(t, x, y, grid)
    if isinstance(field, FlowFile):
        return _of_file(field)
    if hasattr(field, 'later') or np.size(getattr(field, 'times', (0.0, 1.0))) == 1:  # Uniform, or of one time.
        return _steady(field)
    if isinstance(field, SteppedFlow):
        return _stepped(field)
    return _any(field)


def _of_file(file: FlowFile) -> FlowAlong:
    """Return the function of a flow file, from that of its source, the file's placement in the world and its clock."""
    inner = flow_along(file.source)

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        place = (x, y) if file.transform == Transform() else file.transform.to_map(x, y)
        vx, vy = inner(file.clock.times(t), *place)
        if file.transform != Transform():
            vx, vy = file.transform.velocity_to_world(vx, vy, place)
        return file.share * vx, file.share * vy
    return along


def _steady(field: FlowField) -> FlowAlong:
    first = float(getattr(field, 'times', (0.0,))[0])

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        vx, vy, _ = field.velocity(first, x.ravel(), y.ravel())
        return vx.reshape(x.shape), vy.reshape(x.shape)
    return along


def _stepped(field: SteppedFlow) -> FlowAlong:
    """Return the function of a field that is linear between time steps; each needed step is evaluated once."""
    times = field.times

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        t, east, north = (np.ravel(np.broadcast_to(part, np.shape(x))) for part in (t, x, y))
        value = np.full((2, t.size), np.nan)
        known = (t >= times[0]) & (t <= times[-1])
        step = np.clip(times.searchsorted(t, side='right') - 1, 0, times.size - 2)
        weight = (t - times[step]) / (times[step + 1] - times[step])
        value[:, known] = 0.0
        for one in np.unique(np.concatenate((step[known], step[known] + 1))):
            share = np.where(step == one, 1.0 - weight, np.where(step + 1 == one, weight, 0.0))
            some = np.flatnonzero(known & (share > 0.0))
            value[:, some] += share[some] * np.array(field.velocity(float(times[one]), east[some], north[some])[:2])
        return value[0].reshape(np.shape(x)), value[1].reshape(np.shape(x))
    return along


def _any(field: FlowField) -> FlowAlong:
    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        t = np.broadcast_to(t, np.shape(x))
        found = velocities_at(field, Points(t.ravel(), x.ravel(), y.ravel()))
        vx, vy = (np.where(found.inside, part, np.nan).reshape(x.shape) for part in (found.vx, found.vy))
        return vx, vy
    return along
