"""Rough ways of several sides, of the least energy at speeds of choice, by hops through layers of time."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..planning.lattice import Moves
from .hop_search import STAY, Hops, Layers, found_layers
from .rough_ways import Prepared, RoughWays, SearchOptions, prepared_search, usual_speed
from .route_problem import RouteProblem
from .search_grid import SearchGrid, open_moves
from .side_routes import Way, crossings, different_ways

HOP, LONGEST = 6.0, 10.0    # Points that a hop at the usual speed, and at the highest, goes on.
MOST_LAYERS = 240
COARSER = 5         # Times fewer points has the lattice that is searched first.
MISTAKEN = 1.1      # Share by which its cost may be too low.
LATER = 1.5         # Times its duration: ways of other sides may last so long.


def by_hops(problem: RouteProblem, options: SearchOptions, end: float) -> RoughWays:
    """
    Return ways of the least energy at speeds that are chosen, in a flow that may change, by layers of time.

    A coarse search says first what the best way costs about, and how long it takes: the fine one need not look at what
    is dearer by more than the slack.

    :param end: The latest arrival, s.
    :raises InputError: If the start or the goal cannot be gone to.
    """
    coarse = hops_forwards(problem, options.hop_points // COARSER, options.margin, end, math.inf)
    most, last = math.inf, end
    if math.isfinite(coarse.cost):
        most = MISTAKEN * options.slack * coarse.cost
        if problem.arrive_by is None:
            last = min(end, problem.depart + LATER * (coarse.arrival - problem.depart))
    fine = hops_forwards(problem, options.hop_points, options.margin, last, most)
    if not math.isfinite(fine.cost):
        fine = hops_forwards(problem, options.hop_points, options.margin, end, math.inf)
    grid, prepared, there = fine.prepared.grid, fine.prepared, fine.layers
    over = prepared.cube.end < end and not fine.cost < math.inf
    if not math.isfinite(fine.cost):
        return RoughWays([], math.inf, over, prepared)
    goal = np.where(np.arange(grid.size) == grid.goal, 0.0, np.inf)
    hops = fine.hops._replace(most=options.slack * fine.cost)
    home = found_layers(prepared.field, hops, problem.depart, goal, -1, there.energy, goal)
    both = there.energy + home.energy
    through = _way_through(grid, hops, problem.depart, (there, home), both.argmin(axis=0))
    points = [grid.start, *crossings(grid, both.min(axis=0), options.slack)]
    ways = different_ways(points, through, math.dist(problem.start, problem.goal), options.most)
    return RoughWays(ways, fine.cost, over, prepared)


class Forwards(NamedTuple):
    """Layers of time from the start on; the energy of the goal, J, at its cheapest arrival, s."""

    prepared: Prepared
    hops: Hops
    layers: Layers
    cost: float
    arrival: float


def hops_forwards(problem: RouteProblem, points: int, margin: float, end: float, most: float) -> Forwards:
    """
    Return the layers of time from the start on.

    :param points: Of the lattice, about; `margin`: around it; `end`: the last layer's time, s, at the latest.
    :param most: Nothing is looked at that costs more, J.
    """
    prepared = prepared_search(problem, points, margin, end)
    grid = prepared.grid
    hops = _hops(problem, prepared, min(end, prepared.cube.end))._replace(most=most)
    x, y = (part.ravel() for part in grid.lattice.points())
    rest = _least_metre(prepared, problem) * np.hypot(x - problem.goal[0], y - problem.goal[1])
    first = np.where(np.arange(grid.size) == grid.start, 0.0, np.inf)
    layers = found_layers(prepared.field, hops, problem.depart, first, 1, rest[None])
    used = layers.energy[:, grid.goal]
    best = int(used.argmin())
    return Forwards(prepared, hops, layers, float(used[best]), problem.depart + hops.interval * best)


def _least_metre(prepared: Prepared, problem: RouteProblem) -> float:
    """Return the least energy of a metre anywhere, J: where the strongest current helps wholly."""
    table = prepared.table
    with np.errstate(divide='ignore', invalid='ignore'):
        metre = table.least_power / (table.speeds + float(prepared.cube.strongest.max()))
    return float(np.nanmin(metre))


def _hops(problem: RouteProblem, prepared: Prepared, end: float) -> Hops:
    """Return hops so long that most of them can be gone, and short enough that the flow is seen on the way."""
    grid, cube, h = prepared.grid, prepared.cube, prepared.grid.lattice.spacing
    strong = float(np.percentile(cube.strongest[~prepared.closed], 95.0))
    usual = usual_speed(problem)
    highest = min(prepared.table.highest, max(3.0 * usual, usual + strong))
    interval = min(HOP * h / (usual + 0.5 * strong), LONGEST * h / (highest + strong))
    layers = math.ceil((end - problem.depart) / interval)
    layers = min(layers, MOST_LAYERS)
    interval = (end - problem.depart) / layers
    reach = min(math.ceil((highest + strong) * interval / h), int(LONGEST) + 4)
    i, j = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    near = np.flatnonzero(i * i + j * j <= reach * reach)
    near = near[np.argsort(np.hypot(i, j).ravel()[near], kind='stable')]
    columns, rows = (np.ascontiguousarray(part.ravel()[near], dtype=np.int64) for part in (i, j))
    is_open = open_moves(grid, Moves(columns, rows, np.arctan2(rows, columns)), prepared.closed, problem.barriers)
    standing = float(np.asarray(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1)))[0])
    return Hops(columns, rows, is_open, interval, layers + 1, problem.lowest_speed,
                standing if problem.may_wait else math.inf, standing if problem.may_drift else math.inf,
                float(min(prepared.table.power.min(), standing)), math.inf)


def _way_through(grid: SearchGrid, hops: Hops, begin: float, layers: tuple[Layers, Layers],
                 best: np.ndarray) -> Callable[[int], Way]:
    """Return the function of a point that gives the best way through it, at the layer that is best for it."""
    there, home = layers

    def followed(found: Layers, layer: int, point: int, sign: int) -> list[tuple[int, int]]:
        steps = []
        while found.hop[layer, point] != STAY:
            hop = found.hop[layer, point]
            point -= sign * int(hops.rows[hop] * grid.lattice.columns + hops.columns[hop])
            layer -= sign
            steps.append((layer, point))
        return steps

    def through(point: int) -> Way:
        layer = int(best[point])
        steps = [*followed(there, layer, point, 1)[::-1], (layer, point), *followed(home, layer, point, -1)]
        time = begin + hops.interval * np.array([one for one, _ in steps], dtype=float)
        return time, *grid.places(np.array([number for _, number in steps]))
    return through
