"""Water and air over the lattice of a search, sampled at evenly spaced times, for compiled code."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import FlowField
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.search_grid import SearchGrid, search_grid

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
        some: np.ndarray = np.isfinite(self.current[:, 0]).any(axis=0)
        return some

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
        raise InputError(f'depart is {start:g} s: there is no current then; is the flow over, or does it begin later?')
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
