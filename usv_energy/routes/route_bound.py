"""What no way can be cheaper than: the cost if the current always helped as much as it does anywhere near, any time."""

import math

import numpy as np

from ..planning.lattice import Lattice, cheapest_ways, move_costs, moves_of
from .flow_cube import FlowCube
from .power_table import PowerTable
from .route_problem import RouteProblem
from .search_grid import SearchGrid

POINTS = 3000       # Of the lattice that the bound is found on.
RADIUS = 3
BESIDE = math.atan(1.0 / RADIUS)                    # From a move's direction to the next one's, rad, at most.
COARSENESS = 1.0 / math.cos(0.5 * BESIDE)           # Ways on that lattice are at most so many times too long.


def lower_bound(problem: RouteProblem, grid: SearchGrid, cube: FlowCube, table: PowerTable) -> float:
    """
    Return a bound on the cost of all ways, s or J, as far as the lattice resolves the flow; barriers are left out.

    A metre in a direction costs at least what it would in the current that helps most: of all times, of all points
    within a step of the bound's own lattice, and of all directions as far as the next move's.

    :param cube: Flow over the lattice.
    """
    lattice = grid.lattice
    row, column = divmod(grid.start, lattice.columns)
    between = grid.goal % lattice.columns - column
    wanted = max(math.floor(math.sqrt(grid.size / POINTS)), 1)
    every = next(n for n in range(wanted, 0, -1) if between % n == 0)
    kept = slice(row % every, None, every), slice(column % every, None, every)
    shape = tuple(len(range(*part.indices(size))) for part, size in zip(kept, (lattice.rows, lattice.columns)))
    coarse = Lattice(lattice.x, lattice.y, lattice.angle, every * lattice.spacing, shape[1], shape[0])
    moves = moves_of(coarse, RADIUS)
    cost = np.empty((*shape, len(moves.columns)))
    for k, direction in enumerate((moves.direction - lattice.angle).tolist()):
        cost[:, :, k] = _cost_of_metre(problem, table, _helping(cube, grid, direction, every)[kept])
    start = (row // every) * shape[1] + column // every
    found = cheapest_ways(coarse, moves, move_costs(coarse, moves, cost), start)[0].ravel()
    return float(found[start + between // every]) / COARSENESS


def _helping(cube: FlowCube, grid: SearchGrid, direction: float, every: int) -> np.ndarray:
    """Return the most that the current helps in a direction, m/s, near each point, (rows, columns)."""
    from scipy.ndimage import maximum_filter
    best = np.full(cube.current.shape[2], -np.inf, dtype=np.float32)
    for angle in (direction - BESIDE, direction, direction + BESIDE):
        c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
        for along, across in cube.current:
            np.fmax(best, c * along + s * across, out=best)
    best[~np.isfinite(best)] = 0.0
    best = np.where(best > 0.0, best / math.cos(0.5 * BESIDE), best)    # Between the three angles it may be more.
    near = best.reshape(grid.lattice.rows, grid.lattice.columns)
    return np.asarray(maximum_filter(near, size=2 * every + 1), dtype=float)


def _cost_of_metre(problem: RouteProblem, table: PowerTable, current: np.ndarray) -> np.ndarray:
    """Return the least cost of a metre, s or J, where the current helps so much, m/s; in the best air."""
    speeds = table.speeds
    power = np.ones(len(speeds)) if problem.objective == 'time' else table.least_power
    if problem.speed is not None:
        power, speeds = np.full(1, np.interp(problem.speed, speeds, power)), np.full(1, problem.speed)
    elif problem.objective == 'energy':
        allowed = (speeds >= problem.lowest_speed - table.speed_step) | problem.may_drift
        power, speeds = power[allowed], speeds[allowed]
    best = np.full(current.shape, np.inf)
    for speed, watts in zip(speeds.tolist(), power.tolist()):
        with np.errstate(divide='ignore', invalid='ignore'):
            best = np.fmin(best, np.where(speed + current > 0.0, watts / (speed + current), np.inf))
    return best
