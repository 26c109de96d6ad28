"""Ways that pass on other sides: the crossings, each the best around it, of lines across the way to the goal."""

from collections.abc import Callable

import numpy as np

from .search_grid import SearchGrid

LINES = 0.2, 0.35, 0.5, 0.65, 0.8   # Of the way to the goal: where lines across it are looked at.
PROMINENCE = 2e-3                   # Of the cost, by which a way between two crossings must be dearer than both.
APART = 0.03                        # Of the distance: ways that are nowhere farther apart are the same.

Way = tuple[np.ndarray, np.ndarray, np.ndarray]     # Time s, east m, north m, each shape (N,).


def crossings(grid: SearchGrid, through: np.ndarray, slack: float) -> list[int]:
    """
    Return points that the best ways of several sides pass, the cheapest first.

    Every way from the start to the goal crosses each line across. Where the cost of the best way through a point of
    the line is least beside its neighbours, that way cannot be bettered by moving it a little: it is another side's.

    :param through: Cost of the best way through each point, shape (points,); inf for none.
    :param slack: Only ways that cost at most so many times the best.
    """
    rows, columns = grid.lattice.rows, grid.lattice.columns
    first, last = grid.start % columns, grid.goal % columns
    best = float(through[[grid.start, grid.goal]].min())
    found = []
    for share in LINES:
        column = round(first + share * (last - first))
        numbers = np.arange(rows) * columns + column
        line = through[numbers]
        found += [(float(line[row]), int(numbers[row])) for row in valleys(line, PROMINENCE * best)
                  if line[row] <= slack * best]
    return [number for _, number in sorted(found)]


def valleys(line: np.ndarray, height: float) -> list[int]:
    """Return where a row of numbers has minima between which it rises by some height above the higher of both."""
    kept: list[int] = []
    ridge = np.inf
    for n, value in enumerate(line.tolist()):
        if not np.isfinite(value):
            ridge = np.inf
        elif not kept or (ridge > value + height and ridge > line[kept[-1]] + height):
            kept.append(n)
            ridge = value
        elif value < line[kept[-1]]:
            kept[-1], ridge = n, value
        else:
            ridge = max(ridge, value)
    return kept


def different_ways(ways: list[int], way_through: Callable[[int], Way], distance: float, most: int) -> list[Way]:
    """
    Return ways through points, in their order, without those that are the same as an earlier one.

    :param distance: From the start to the goal, m; `most`: ways at most.
    """
    kept: list[Way] = []
    for number in ways:
        way = way_through(number)
        if all(apart(way, other) > APART * distance for other in kept):
            kept.append(way)
        if len(kept) == most:
            break
    return kept


def apart(way: Way, other: Way) -> float:
    """Return how far two ways are apart at most, m: the larger of both distances of Hausdorff, at their points."""
    here, there = (_spread(one) for one in (way, other))
    between = np.hypot(here[:, None, 0] - there[None, :, 0], here[:, None, 1] - there[None, :, 1])
    return float(max(between.min(axis=1).max(), between.min(axis=0).max()))


def _spread(way: Way, number: int = 100) -> np.ndarray:
    """Return points evenly spaced along a way, m, shape (number, 2)."""
    along = np.concatenate(((0.0,), np.cumsum(np.hypot(np.diff(way[1]), np.diff(way[2])))))
    at = np.linspace(0.0, along[-1], number)
    return np.column_stack((np.interp(at, along, way[1]), np.interp(at, along, way[2])))
