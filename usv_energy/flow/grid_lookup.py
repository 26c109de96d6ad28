"""Water and air at a place and time, for arrays and compiled code: uniform, or on a Grid."""

import math
from typing import Any

from ..physics.elementwise import floor, kernel, select, whole
from ..physics.motion import Flow
from .grid_cell import Corners, velocity_in_cell

ROUNDING = 1e-9  # of a cell: the last nodes belong to the grid, however the place of a point in it is rounded


@kernel
def flow_at(time: Any, x: Any, y: Any, case: Any, water: Any, air: Any) -> Flow:
    """
    Return the Flow at a boat, NaN where a grid has no value.

    :param time: s; float or array.
    :param x: East, m; same shape.
    :param y: North, m; same shape.
    :param case: The Case: where water or air is uniform, its velocity.
    :param water: Grid of the current, or None for a uniform one.
    :param air: The same of the wind.
    """
    current = _velocity(time, x, y, case.current_x, case.current_y, water)
    wind = _velocity(time, x, y, case.wind_x, case.wind_y, air)
    return Flow(current[0], current[1], wind[0], wind[1])


@kernel
def _velocity(time: Any, x: Any, y: Any, uniform_x: Any, uniform_y: Any, grid: Any) -> Any:
    if grid is None:
        return uniform_x, uniform_y
    return grid_velocity(time, x, y, grid)


@kernel
def grid_velocity(time: Any, x: Any, y: Any, grid: Any) -> Any:
    """
    Return the velocity on a grid, east and north, m/s: linear in time, in space by the rule of `grid_cell`.

    NaN where there is none. Between two times a node has a value if it has one at both.

    :param time: s; float or array.
    :param x: East, m; same shape.
    :param y: North, m; same shape.
    :param grid: The Grid.
    """
    column, along = _place(x, grid.x0, grid.dx, grid.nx)
    row, across = _place(y, grid.y0, grid.dy, grid.ny)
    return _in_time(time, whole(row * grid.nx + column), along, across, grid, grid.dt)


@kernel
def _place(x: Any, first: Any, spacing: Any, number: Any) -> tuple[Any, Any]:
    """Return the cell that holds a coordinate, counted from 0, and how far in it, 0 to 1; NaN where there is none."""
    at = (x - first) * (1.0 / spacing)
    inside = (at >= 0.0) & (at <= number - 1.0 + ROUNDING)
    at = select(inside, at, 0.0)
    cell = floor(select(at < number - 2.0, at, number - 2.0))
    return cell, select(inside, at - cell, math.nan)


@kernel
def _in_time(time: Any, node: Any, along: Any, across: Any, grid: Any, spacing: Any) -> Any:
    if spacing is None:
        return velocity_in_cell(along, across, _corners(node, grid.nx, grid.vx), _corners(node, grid.nx, grid.vy))
    layer, later = _place(time, grid.t0, spacing, grid.nt)
    before = node + whole(layer * grid.nx * grid.ny)
    after = before + grid.nx * grid.ny
    return velocity_in_cell(
        along, across,
        _between(_corners(before, grid.nx, grid.vx), _corners(after, grid.nx, grid.vx), later),
        _between(_corners(before, grid.nx, grid.vy), _corners(after, grid.nx, grid.vy), later))


@kernel
def _corners(node: Any, nx: Any, values: Any) -> Corners:
    return values[node], values[node + 1], values[node + nx], values[node + nx + 1]


@kernel
def _between(low: Corners, high: Corners, share: Any) -> Corners:
    return (low[0] + share * (high[0] - low[0]), low[1] + share * (high[1] - low[1]),
            low[2] + share * (high[2] - low[2]), low[3] + share * (high[3] - low[3]))
