"""Cheapest paths on a lattice of points, and the water and air over it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.field import Extent, FlowField
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.steady_range import CheapestMotions, cheapest_motions

LEAST_METRE_COST = 1e-9  # J/m, lower bound on the cost of a metre
NEGLIGIBLE = 1e-9   # relative reach that is rounding error
RADIUS = 5          # steps of the longest move along an axis; it gives 80 directions
EVERYWHERE: Extent = (-math.inf, -math.inf, math.inf, math.inf)


@dataclass(frozen=True)
class Lattice:
    """Points every `spacing` m, `columns` x `rows`, row by row, the first at (x, y), m; axes turned by `angle`, rad."""

    x: float
    y: float
    angle: float
    spacing: float
    columns: int
    rows: int

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Return east and north of all points, m, shape (rows, columns)."""
        along, across = np.meshgrid(self.spacing * np.arange(self.columns), self.spacing * np.arange(self.rows))
        c, s = math.cos(self.angle), math.sin(self.angle)
        return self.x + along * c - across * s, self.y + along * s + across * c


class Moves(NamedTuple):
    """The moves from a point: columns and rows on, shape (K,), and their directions in the world, rad."""

    columns: np.ndarray
    rows: np.ndarray
    direction: np.ndarray


def moves_of(lattice: Lattice, radius: int = RADIUS) -> Moves:
    """Return all moves of at most `radius` steps along each axis, without multiples of shorter ones, by direction."""
    pairs = [(i, j) for i in range(-radius, radius + 1) for j in range(-radius, radius + 1) if math.gcd(i, j) == 1]
    pairs.sort(key=lambda pair: math.atan2(pair[1], pair[0]))
    columns, rows = np.array(pairs).T
    return Moves(columns, rows, np.arctan2(rows, columns) + lattice.angle)


def move_costs(lattice: Lattice, moves: Moves, cost: np.ndarray) -> np.ndarray:
    """
    Return the cost of every move from every point; inf if it leaves the lattice or a metre on it is impossible.

    :param cost: Of a metre at each point in each move's direction, shape (rows, columns, K); inf if impossible.
    :return: Shape (rows, columns, K): the integral along the move by the trapezoidal rule at every step of its longer
        axis, interpolated between the two nearest points.
    """
    rows, columns = lattice.rows, lattice.columns
    total = np.full((rows, columns, moves.direction.size), np.inf)
    for k, (i, j) in enumerate(zip(moves.columns, moves.rows)):
        if abs(i) >= columns or abs(j) >= rows:
            continue
        inner = slice(max(0, -j), rows - max(0, j)), slice(max(0, -i), columns - max(0, i))
        steps = max(abs(int(i)), abs(int(j)))
        summed = np.zeros((rows - abs(j), columns - abs(i)))
        for step in range(steps + 1):
            weight = (0.5 if step in (0, steps) else 1.0) / steps
            summed += weight * _interpolated(cost[:, :, k], inner, step * j / steps, step * i / steps)
        total[(*inner, k)] = summed * (math.hypot(i, j) * lattice.spacing)
    return total


def least_on_moves(lattice: Lattice, moves: Moves, value: np.ndarray) -> np.ndarray:
    """
    Return the least value along every move from every point; -inf if it leaves the lattice.

    :param value: At each point in each move's direction, shape (rows, columns, K).
    :return: Shape (rows, columns, K): the least at the places at which `move_costs` samples the costs.
    """
    rows, columns = lattice.rows, lattice.columns
    least = np.full((rows, columns, moves.direction.size), -np.inf)
    for k, (i, j) in enumerate(zip(moves.columns, moves.rows)):
        if abs(i) >= columns or abs(j) >= rows:
            continue
        inner = slice(max(0, -j), rows - max(0, j)), slice(max(0, -i), columns - max(0, i))
        steps = max(abs(int(i)), abs(int(j)))
        along = (_interpolated(value[:, :, k], inner, step * j / steps, step * i / steps) for step in range(steps + 1))
        least[(*inner, k)] = reduce(np.minimum, along)
    return least


def _interpolated(cost: np.ndarray, inner: tuple[slice, slice], down: float, right: float) -> np.ndarray:
    """Return the costs at points shifted by rows and columns, one of which is whole; linear between two points."""
    near, far = (cost[tuple(slice(part.start + by, part.stop + by) for part, by in zip(inner, moved))]
                 for moved in ((math.floor(down), math.floor(right)), (math.ceil(down), math.ceil(right))))
    share = max(down % 1.0, right % 1.0)
    return near if share < 1e-9 else (1.0 - share) * near + share * far


def cheapest_paths(lattice: Lattice, moves: Moves, total: np.ndarray, start: int, towards: bool = False,
                  limit: float = math.inf) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the cost of the cheapest path between one point and all others, and the predecessor of each on it.

    :param total: From `move_costs`.
    :param start: Number of the point.
    :param towards: The paths lead to the point instead of away from it.
    :param limit: Upper bound on the cost of the paths that are searched.
    :return: Costs, shape (rows, columns), inf if there is no path; numbers of the predecessors, negative for none.

    Source: Dijkstra (1959).
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra
    flat = total.reshape(lattice.rows * lattice.columns, -1)
    begin, move = np.nonzero(np.isfinite(flat))
    end = begin + moves.rows[move] * lattice.columns + moves.columns[move]
    weights = np.maximum(flat[begin, move], 1e-12)      # A sparse matrix has no edge of weight 0.
    ends = (end, begin) if towards else (begin, end)
    graph = csr_matrix((weights, ends), shape=(len(flat), len(flat)))
    costs, before = dijkstra(graph, indices=start, return_predecessors=True, limit=limit)
    return costs.reshape(lattice.rows, lattice.columns), before


def path_to(before: np.ndarray, goal: int) -> list[int]:
    """Return the points of the path to a goal, the start first; only the goal if there is no path."""
    path = [goal]
    while before[path[-1]] >= 0:
        path.append(int(before[path[-1]]))
    return path[::-1]


def direction_error(directions: np.ndarray, cost: np.ndarray, wanted: np.ndarray, cost_wanted: np.ndarray) -> float:
    """
    Return the largest relative excess cost of paths that consist of a lattice's moves, in a uniform flow.

    A path in a direction between two moves combines both. A path in an expensive direction may zigzag, with any set of
    directions. So the convex hulls of the places that a unit of cost reaches are compared.

    :param directions: Of the moves, rad, shape (K,).
    :param cost: Of a metre in them, J/m, shape (K,); inf if impossible.
    :param wanted: Many directions, rad, shape (N,).
    :param cost_wanted: Of a metre in those.
    :returns: inf if the moves cannot lead in a direction in which the boat can go: in a flow far faster than the boat.
    """
    coarse, fine = (reach_in_directions(d, c, wanted) for d, c in ((directions, cost), (wanted, cost_wanted)))
    good = fine > NEGLIGIBLE * fine.max()
    if np.any(coarse[good] <= NEGLIGIBLE * fine[good]):
        return math.inf
    return float(np.max(fine[good] / coarse[good], initial=1.0) - 1.0)


def reach_in_directions(directions: np.ndarray, cost: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """
    Return how far one unit of cost reaches in the wanted directions, m, in a uniform flow; 0 if impossible.

    A path may combine several of the given directions, so it is the convex hull of what these reach.

    :param directions: rad, shape (K,), all around.
    :param cost: Of a metre in them, shape (K,); inf if impossible.
    :param wanted: rad, shape (N,).
    """
    from scipy.spatial import ConvexHull, QhullError
    reach = 1.0 / np.maximum(cost, LEAST_METRE_COST)
    if not reach.max() > 0.0:
        return np.zeros(wanted.shape)
    points = np.column_stack((np.append(reach * np.cos(directions), 0.0), np.append(reach * np.sin(directions), 0.0)))
    try:
        lines = ConvexHull(points / reach.max()).equations       # a x + b y + c <= 0 inside
    except QhullError:  # All on one line: in so fast a flow the boat can go in one direction only.
        return np.where(np.cos(wanted - directions[reach.argmax()]) > 1.0 - 1e-12, reach.max(), 0.0)
    slope = lines[:, :2] @ np.array([np.cos(wanted), np.sin(wanted)])
    with np.errstate(divide='ignore', invalid='ignore'):
        hits = np.where(slope > 1e-12, -lines[:, 2:] / slope, np.inf)
    return np.asarray(np.maximum(hits.min(axis=0), 0.0) * reach.max())


class CurrentAndWind(NamedTuple):
    """Current and wind, fields in the world, and the time, s, at which their values are used."""

    current: FlowField
    wind: FlowField
    time: float = 0.0


def extent_of(field: FlowField) -> Extent:
    """Return the bounding box of a field: xmin, ymin, xmax, ymax, m; infinite for an unbounded closed form."""
    return getattr(field, 'extent', EVERYWHERE)


class FlowsAtPoints(NamedTuple):
    """Current and wind at points, m/s, shape (N, 4): east and north of each; and whether both have a value, (N,)."""

    values: np.ndarray
    inside: np.ndarray


def flows_at(fields: CurrentAndWind, x: np.ndarray, y: np.ndarray) -> FlowsAtPoints:
    """Return current and wind at points, m, of any shape; the result is flat."""
    east, north = np.ravel(x), np.ravel(y)
    current_x, current_y, wet = fields.current.velocity(fields.time, east, north)
    wind_x, wind_y, windy = fields.wind.velocity(fields.time, east, north)
    return FlowsAtPoints(np.column_stack((current_x, current_y, wind_x, wind_y)), wet & windy)


def costs_at(vessel: Vessel, flows: FlowsAtPoints, directions: np.ndarray, speeds: np.ndarray, prices: Sequence[float],
             progress: Progress = no_progress, most_powers: Sequence[float] | None = None,
             refinements: int = 0) -> CheapestMotions:
    """
    Return the cheapest motions at points in directions, arrays of the shape (prices, points, directions).

    Points with the same flow are computed once. At points without a flow everything is inf.

    :param directions: Over ground, rad, shape (K,).
    :param speeds: m/s, as for `cheapest_motions`; likewise `prices` of time, W, `most_powers`, W, and `refinements`.
    """
    different, which = np.unique(flows.values[flows.inside], axis=0, return_inverse=True)
    current_x, current_y, wind_x, wind_y = np.repeat(different, directions.size, axis=0).T
    found = cheapest_motions(vessel, np.tile(directions, len(different)),
                             Flow(current_x, current_y, wind_x, wind_y), speeds, prices, refinements, progress,
                             most_powers)
    everywhere = np.full((3, len(prices), len(flows.inside), directions.size), np.inf)
    everywhere[:, :, flows.inside] = np.array(found).reshape(3, len(prices), len(different), -1)[:, :, np.ravel(which)]
    return CheapestMotions(*everywhere)
