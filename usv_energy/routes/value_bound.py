"""
A bound on the cost of all ways from a value that was found: how much of it is true, place by place.

Let W be any function of place, 0 at the start. Along a way W changes by (v + c) . grad W a second, v through the water
and c the current, and a second costs p(v). Where p(v) >= s (v + c) . grad W for all v that the boat has, s being the
share of W that is true there, a way that leads from one level of W to a higher one costs at least the least s on the
levels between times what W rises by. So no way costs less than the integral of the least s of each level, from 0 to W
at the goal. (The sufficient condition of the calculus of variations: a subsolution of Hamilton, Jacobi and Bellman's
equation; Bardi and Capuzzo-Dolcetta, Optimal Control and Viscosity Solutions, 1997, chapter III.)

W is what the search by labels found. The bound comes to the truth as the lattice gets finer, because W does.
"""

import math
from typing import NamedTuple

import numpy as np

from .move_kernels import FieldTables, air_at, power_at, top_at, velocity_at
from .route_problem import RouteProblem
from .search_grid import SearchGrid

HEADINGS = 24           # Of the boat, at which the condition is looked at where air matters.
BESIDE = 0.03, 0.06, 0.1, 0.15, 0.2     # rad: where waves matter at these turns from where W rises, to both sides.
LEVELS = 400            # Of W.
ROUNDS = 8              # Of taking the flow at the times that the bound itself leads to.
CORNERS = (0, 0), (0, 1), (1, 0), (1, 1)    # Of a cell: row and column.


class SlopedCells(NamedTuple):
    """
    Cells of a lattice, flat: their middles, columns and rows; W's least and greatest at the corners; its slope.

    The slope is per metre, in the lattice's axes.
    """

    column: np.ndarray
    row: np.ndarray
    low: np.ndarray
    high: np.ndarray
    along: np.ndarray
    across: np.ndarray


def value_bound(problem: RouteProblem, grid: SearchGrid, field: FieldTables, value: np.ndarray,
                used: np.ndarray) -> float:
    """
    Return a bound on the cost of all ways over some places, s or J, as far as the lattice resolves the flow.

    For the least time in any flow; for the least energy in one that is steady.

    :param value: Least cost of each point from the start, s or J, shape (points,); inf where it is not known.
    :param used: The places, points of the lattice, shape (points,): a cell is looked at that has one at a corner.
    """
    goal = float(value[grid.goal])
    cells = _cells(grid, value, used, goal)
    levels = np.linspace(0.0, goal, LEVELS + 1)
    paid, new = levels, levels
    for _ in range(ROUNDS):
        time = problem.depart + np.interp(0.5 * (cells.low + cells.high), levels, paid)
        least = _least_by_level(cells, _shares(problem, field, cells, time), levels)
        paid, new = new, np.concatenate(([0.0], np.cumsum(least * np.diff(levels))))
        if field.slices == 1 or problem.objective != 'time' or np.allclose(new, paid, rtol=1e-4, atol=0.0):
            break
    return float(min(new[-1], paid[-1]))


def _cells(grid: SearchGrid, value: np.ndarray, used: np.ndarray, goal: float) -> SlopedCells:
    """Return the cells with a used corner and a level below the goal's; their slopes are those of the known edges."""
    shape, h = (grid.lattice.rows, grid.lattice.columns), grid.lattice.spacing
    known = np.where(np.isfinite(value), value, np.nan).reshape(shape)
    corners = [known[j:shape[0] - 1 + j, i:shape[1] - 1 + i] for j, i in CORNERS]
    some = np.logical_or.reduce([used.reshape(shape)[j:shape[0] - 1 + j, i:shape[1] - 1 + i] for j, i in CORNERS])
    low, high = np.fmin.reduce(corners), np.fmax.reduce(corners)
    some &= low < goal
    row, column = (part[some] + 0.5 for part in np.indices(some.shape))
    along, across = (_mean_of_known(corners[b] - corners[a], corners[d] - corners[c])[some] / h
                     for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3)))
    return SlopedCells(column, row, low[some], high[some], along, across)


def _mean_of_known(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the mean of two numbers, the one of them that is known, or 0, elementwise."""
    number = np.isfinite(one).astype(int) + np.isfinite(other)
    mean: np.ndarray = (np.nan_to_num(one) + np.nan_to_num(other)) / np.maximum(number, 1)
    return mean


def _shares(problem: RouteProblem, field: FieldTables, cells: SlopedCells, time: np.ndarray) -> np.ndarray:
    """Return the least share of W that is true in each cell, over all velocities that the boat has, (-)."""
    water = velocity_at(field, field.current, time, cells.column, cells.row)
    air = air_at(field, time, cells.column, cells.row)
    steep = np.hypot(cells.along, cells.across)
    carried = water[0] * cells.along + water[1] * cells.across
    ahead = np.arctan2(cells.across, cells.along)
    share = np.full(steep.shape, np.inf)
    for heading in _headings(field, ahead):
        c, s = np.cos(heading), np.sin(heading)
        head, beam = air[0] * c + air[1] * s, air[1] * c - air[0] * s
        top = top_at(field, head, beam, c, s)
        for speed in _speeds(problem, field):
            fast = top if speed is None else np.full(top.shape, speed)
            rate = fast * steep * np.cos(heading - ahead) + carried
            power = 1.0 if problem.objective == 'time' else power_at(field, fast, head, beam, c, s)
            with np.errstate(divide='ignore', invalid='ignore'):
                one = np.where((rate > 0.0) & (fast <= top * (1.0 + 1e-9)), power / rate, np.inf)
            share = np.fmin(share, one)
    return share


def _headings(field: FieldTables, ahead: np.ndarray) -> list[np.ndarray]:
    """
    Return the headings, rad in the lattice's axes, at which the condition may be tightest.

    :param ahead: Where W rises. In a sea, power has its corners at the table's knots of the bearing.
    """
    if field.knots == 1 and field.turns == 1:
        return [ahead]
    if field.turns == 1:
        return [ahead + turn for turn in np.linspace(0.0, 2.0 * math.pi, HEADINGS, endpoint=False).tolist()]
    near = [0.0, *BESIDE, *(-turn for turn in BESIDE)]
    knots = field.turn0 + np.linspace(0.0, 2.0 * math.pi, 2 * field.turns, endpoint=False)
    return [*(ahead + turn for turn in near), *(knot + 0.0 * ahead for knot in knots.tolist())]


def _speeds(problem: RouteProblem, field: FieldTables) -> list[float | None]:
    """Return the speeds at which the condition may be tightest: between the table's knots power is linear."""
    if problem.speed is not None:
        return [problem.speed]
    if problem.objective == 'time':
        return [None]
    knots = field.speed_step * np.arange(field.speeds)
    allowed = (knots >= problem.lowest_speed - field.speed_step) | problem.may_drift
    return [*knots[allowed].tolist(), None]


def _least_by_level(cells: SlopedCells, share: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the least share among the cells that have values between each two levels, at most 1."""
    number, step = levels.size - 1, levels[1]
    least = np.ones(number)
    first = np.minimum((cells.low / step).astype(int), number - 1)
    last = np.minimum((cells.high / step).astype(int), number - 1)
    for more in range(int((last - first).max(initial=-1)) + 1):
        rows = first + more <= last
        np.minimum.at(least, first[rows] + more, share[rows])
    return least
