"""
Water and air over the lattice of a search, sampled at evenly spaced times, for compiled code.

The lattice of a search, with start and goal among its points, and the moves on it that cross no barrier.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, FlowField
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.maps.lattice import EVERYWHERE, Lattice, Moves, extent_of
from usv_energy.studies.route.barriers.area_barriers import Barriers
from usv_energy.studies.route.route_problem import RouteProblem

LEAST_POINTS = 16   # between start and goal
SAMPLE_STEP = 0.5   # of a spacing, between samples of a move that are tested for closed points


class SearchGrid(NamedTuple):
    """A lattice whose first axis leads from the start to the goal; `start`, `goal`: the numbers of their points."""

    lattice: Lattice
    start: int
    goal: int

    @property
    def size(self) -> int:
        """Number of points."""
        return self.lattice.columns * self.lattice.rows

    def places(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return east and north, m, of points by their numbers."""
        row, column = np.divmod(np.asarray(numbers), self.lattice.columns)
        c, s, h = math.cos(self.lattice.angle), math.sin(self.lattice.angle), self.lattice.spacing
        return self.lattice.x + h * (column * c - row * s), self.lattice.y + h * (column * s + row * c)


def search_grid(problem: RouteProblem, points: int, margin: float) -> SearchGrid:
    """
    Return a lattice around a start and a goal.

    :param points: Its number of points, about.
    :param margin: Room for detours on all sides, as a share of the distance; clipped to the extents of problem and
        current.
    :raises InputError: If start and goal are the same place, or one of them lies outside.
    """
    (x0, y0), (x1, y1) = problem.start, problem.goal
    distance, angle = math.hypot(x1 - x0, y1 - y0), math.atan2(y1 - y0, x1 - x0)
    if not (distance > 0.0 and math.isfinite(distance)):
        raise InputError(f'start {problem.start} and goal {problem.goal}: must be two places')
    box = room_of(problem)
    for name, (x, y) in (('start', problem.start), ('goal', problem.goal)):
        if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
            raise InputError(f'the {name}, x = {x:g} m, y = {y:g} m: lies outside the flow or the extent, '
                             f'{", ".join(f"{edge:g}" for edge in box)} m')
    back, on, right, left = _sides(box, problem.start, angle, distance, margin * distance)
    spacing = math.sqrt((back + on) * (right + left) / points)
    number = max(math.ceil(distance / spacing) + 1, LEAST_POINTS)
    spacing = distance / (number - 1)
    behind, below = math.floor(back / spacing), math.floor(right / spacing)
    columns, rows = behind + math.floor(on / spacing + 1e-9) + 1, below + math.floor(left / spacing) + 1
    c, s = math.cos(angle), math.sin(angle)
    corner = x0 + spacing * (below * s - behind * c), y0 - spacing * (behind * s + below * c)
    first = below * columns + behind
    return SearchGrid(Lattice(*corner, angle, spacing, columns, rows), first, first + number - 1)


def room_of(problem: RouteProblem) -> Extent:
    """Return the common extent of problem, current and wind: xmin, ymin, xmax, ymax, m; may be infinite."""
    boxes = np.array([extent_of(problem.current), extent_of(problem.wind), problem.extent or EVERYWHERE], dtype=float)
    low, high = boxes[:, :2].max(axis=0), boxes[:, 2:].min(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _sides(box: Extent, start: tuple[float, float], angle: float, distance: float,
           room: float) -> tuple[float, float, float, float]:
    """Return the extents of the lattice behind, ahead, right and left of the start, m, within its box and its room."""
    sides = np.array([room, distance + room, room, room])
    if np.isfinite(box).all():
        x = np.array([box[0], box[2], box[2], box[0]]) - start[0]
        y = np.array([box[1], box[1], box[3], box[3]]) - start[1]
        along, aside = math.cos(angle) * x + math.sin(angle) * y, math.cos(angle) * y - math.sin(angle) * x
        sides = np.minimum(sides, (-along.min(), along.max(), -aside.min(), aside.max()))
    back, on, right, left = np.maximum(sides, (0.0, distance, 0.0, 0.0)).tolist()
    return back, on, right, left


def most_beside(values: np.ndarray, reach: int) -> np.ndarray:
    """Return the largest value within so many rows and columns of each point of a lattice, shape (rows, columns)."""
    for axis in (0, 1):
        padded = np.pad(values, [(reach, reach) if axis == k else (0, 0) for k in (0, 1)], mode='edge')
        values = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis).max(axis=-1)
    return values


def closed_points(grid: SearchGrid, problem: RouteProblem, wet: np.ndarray) -> np.ndarray:
    """Return which points of the lattice are closed, flat: dry, blocked, or outside the extent."""
    x, y = (part.ravel() for part in grid.lattice.points())
    box, tiny = room_of(problem), 1e-6 * grid.lattice.spacing
    outside = (x < box[0] - tiny) | (y < box[1] - tiny) | (x > box[2] + tiny) | (y > box[3] + tiny)
    return ~wet | outside | problem.barriers.blocked(x, y)


def open_moves(grid: SearchGrid, moves: Moves, closed: np.ndarray, barriers: Barriers) -> np.ndarray:
    """
    Return which moves from which points stay on the lattice and off closed points and barriers; uint8, (points, K).

    :param closed: From `closed_points`.
    """
    lattice = grid.lattice
    shut = closed.reshape(lattice.rows, lattice.columns)
    is_open = np.zeros((lattice.rows, lattice.columns, len(moves.columns)), dtype=np.uint8)
    for k, (i, j) in enumerate(zip(moves.columns.tolist(), moves.rows.tolist())):
        if abs(i) >= lattice.columns or abs(j) >= lattice.rows:
            continue
        inner = slice(max(0, -j), lattice.rows - max(0, j)), slice(max(0, -i), lattice.columns - max(0, i))
        good = ~shut[inner]
        number = max(math.ceil(math.hypot(i, j) / SAMPLE_STEP), 1)
        for n in range(1, number + 1):
            down, right = round(j * n / number), round(i * n / number)
            good &= ~shut[inner[0].start + down:inner[0].stop + down, inner[1].start + right:inner[1].stop + right]
        is_open[(*inner, k)] = good
    flat = is_open.reshape(grid.size, -1)
    _close_crossed(grid, moves, flat, barriers)
    return flat


def _close_crossed(grid: SearchGrid, moves: Moves, flat: np.ndarray, barriers: Barriers) -> None:
    """
    Close the moves that cross a barrier, in place, in both directions.

    A move is tested only if it is long enough to reach a barrier at its distances from both ends.
    """
    x, y = (part.ravel() for part in grid.lattice.points())
    off = barriers.distance(x, y) / grid.lattice.spacing
    pairs = list(zip(moves.columns.tolist(), moves.rows.tolist()))
    number_of = {pair: k for k, pair in enumerate(pairs)}
    for k, (i, j) in enumerate(pairs):
        back, further = number_of.get((-i, -j)), j * grid.lattice.columns + i
        if back is not None and back < k:
            continue
        begin = np.flatnonzero(flat[:, k])
        begin = begin[off[begin] + off[begin + further] <= math.hypot(i, j) * (1.0 + 1e-9)]
        if begin.size:
            crossed = barriers.crossed(*grid.places(begin), *grid.places(begin + further))
            flat[begin[crossed], k] = 0
            if back is not None:
                flat[begin[crossed] + further, back] = 0


CHUNK = 500_000         # points in one call of a flow
SLICES = 25             # times for a flow without times of its own
MOST_SLICES = 121
MARGIN = 0.75           # of the lattice for the test whether a flow changes in time
PROBES = 200            # places for that test


class FlowCube(NamedTuple):
    """
    Velocities at the points of a lattice, in its axes, m/s, at times t0 + k dt, s; a single time means a steady flow.

    `current` and `air` have the shape (nt, 2, points), float32; NaN where and when the flow has no value. The air's
    velocity is that through the water, wind less current; without air, `air` has one time and no points.
    """

    t0: float
    dt: float
    current: np.ndarray
    air: np.ndarray

    @property
    def end(self) -> float:
        """Last time, s; inf of a steady flow."""
        return self.t0 + self.dt * (len(self.current) - 1) if len(self.current) > 1 else math.inf

    @property
    def wet(self) -> np.ndarray:
        """Which points have a velocity at some time, shape (points,)."""
        return np.isfinite(self.current[:, 0]).any(axis=0)

    @property
    def strongest(self) -> np.ndarray:
        """Highest speed of the current at each point, m/s, shape (points,); 0 at dry points."""
        speed = np.zeros(self.current.shape[2], dtype=np.float32)
        for along, across in self.current:
            np.fmax(speed, np.hypot(along, across), out=speed)
        return speed


def sampled_flow(problem: RouteProblem, grid: SearchGrid, end: float, with_air: bool) -> FlowCube:
    """
    Return a problem's flow over a lattice, from its departure on.

    :param end: Last time, s; earlier if the flow ends before.
    :param with_air: Whether to sample the air.
    :raises InputError: If there is no flow at the departure.
    """
    times = _times(problem, grid, end)
    x, y = (part.ravel() for part in grid.lattice.points())
    current = np.empty((times.size, 2, x.size), dtype=np.float32)
    air = np.empty((times.size if with_air else 1, 2, x.size if with_air else 0), dtype=np.float32)
    c, s = math.cos(grid.lattice.angle), math.sin(grid.lattice.angle)
    for k, t in enumerate(times.tolist()):
        for at in range(0, x.size, CHUNK):
            part = slice(at, at + CHUNK)
            east, north = problem.current.velocity(t, x[part], y[part])[:2]
            current[k, 0, part], current[k, 1, part] = c * east + s * north, c * north - s * east
            if with_air:
                blow_east, blow_north = problem.wind.velocity(t, x[part], y[part])[:2]
                east, north = blow_east - east, blow_north - north
                air[k, 0, part], air[k, 1, part] = c * east + s * north, c * north - s * east
    return FlowCube(float(times[0]), float(times[1] - times[0]) if times.size > 1 else 1.0, current, air)


def with_banks(cube: FlowCube, grid: SearchGrid) -> FlowCube:
    """
    Return a cube in which points that are always dry have the mean of their wet neighbours.

    Then velocities along a bank can be interpolated. `closed_points`, which is called before, keeps boats off them.
    """
    dry = ~cube.wet
    if not dry.any():
        return cube
    shape = (grid.lattice.rows, grid.lattice.columns)
    parts = [cube.current, cube.air] if cube.air.shape[2] else [cube.current]
    for values in parts:
        for k in range(len(values)):
            for side in values[k]:
                side[dry] = _beside(side.reshape(shape)).ravel()[dry]
    return cube


def _beside(values: np.ndarray) -> np.ndarray:
    """Return the mean of the finite values among the eight neighbours of each point; NaN if there are none."""
    padded = np.pad(values, 1, constant_values=np.nan)
    known = np.isfinite(padded)
    filled = np.where(known, padded, 0.0)
    rows, columns = values.shape
    parts = [(slice(1 + j, 1 + j + rows), slice(1 + i, 1 + i + columns))
             for j in (-1, 0, 1) for i in (-1, 0, 1) if (i, j) != (0, 0)]
    number = sum(known[part].astype(np.float32) for part in parts)
    total = sum(filled[part] for part in parts)
    with np.errstate(invalid='ignore', divide='ignore'):
        return np.asarray(total / number)


def is_steady(problem: RouteProblem, end: float) -> bool:
    """Return whether current and wind, where they are sampled, are the same at all times up to an end, s."""
    return _times(problem, search_grid(problem, PROBES, MARGIN), end).size == 1


def _times(problem: RouteProblem, grid: SearchGrid, end: float) -> np.ndarray:
    """Return the times at which a flow is sampled, s, evenly spaced; a single one if it does not change."""
    start = problem.depart
    numbers = np.unique(np.linspace(0, grid.size - 1, PROBES).astype(int))
    fields = (problem.current, problem.wind)
    at_start = [field.velocity(start, *grid.places(numbers))[:2] for field in fields]
    if not any(np.isfinite(east).any() for east, _ in at_start[:1]):
        raise InputError(f'depart is {exact_seconds(start)}: there is no current then; is the flow over, or does it '
                         'begin later?')
    if not math.isfinite(end) or end <= start:
        return np.array([start])
    probes = np.linspace(start, end, 8)[1:] - 1e-9 * (end - start)
    steady = all(np.array_equal(field.velocity(t, *grid.places(numbers))[:2], first, equal_nan=True)
                 for t in probes.tolist() for field, first in zip(fields, at_start))
    if steady:
        return np.array([start])
    last = _last(problem, grid.places(numbers), start, end)
    if last - start <= 1e-9 * (end - start):    # A flow of a single time counts as steady, as in `flow_along`.
        return np.array([start])
    step = min(filter(None, (_own_step(field) for field in fields)), default=(last - start) / (SLICES - 1))
    number = min(max(math.ceil((last - start) / step - 1e-9) + 1, 2), MOST_SLICES)
    return np.linspace(start, last, number)


def _own_step(field: FlowField) -> float | None:
    """Return the median time between the steps of a flow, s; None for a flow without steps."""
    times = np.asarray(getattr(getattr(field, 'source', field), 'times', ()), dtype=float)
    return float(np.median(np.diff(times))) if times.size > 2 else None


def _last(problem: RouteProblem, places: tuple[np.ndarray, np.ndarray], start: float, end: float) -> float:
    """Return the last time, s, up to an end, at which there is current and wind, by bisection."""
    def flows(t: float) -> bool:
        return all(bool(field.velocity(t, *places)[2].any()) for field in (problem.current, problem.wind))
    if flows(end):
        return end
    low, high = start, end
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if flows(middle) else (low, middle)
    return low
