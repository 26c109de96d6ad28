"""Interpolation of a point on a grid, with one rule for all grids; water and air for arrays and compiled code."""

import math
from typing import Any

from usv_energy.physics.elementwise import floor, kernel, select, whole
from usv_energy.physics.motion import Flow

Corners = tuple[Any, Any, Any, Any]  # Of a cell: south-west, south-east, north-west, north-east; floats or arrays.


@kernel
def corner_weights(along: Any, across: Any) -> Corners:
    """
    Return the bilinear weights of a cell's corners, (-); their sum is 1.

    :param along: Place in the cell from west to east, 0 to 1, (-); float or array.
    :param across: The same from south to north.
    """
    left, below = 1.0 - along, 1.0 - across
    return left * below, along * below, left * across, along * across


@kernel
def weighted_sum(weights: Corners, values: Corners) -> Any:
    """Return the sum of the corners' values, each times its weight."""
    return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2] + weights[3] * values[3]


@kernel
def velocity_in_cell(along: Any, across: Any, east: Corners, north: Corners) -> tuple[Any, Any]:
    """
    Return the velocity in a cell: east and north, m/s; NaN without a value.

    :param along: Position in the cell from west to east, 0 to 1, (-); NaN outside the grid; float or array.
    :param across: The same from south to north.
    :param east: East velocities at the corners, m/s, NaN at a node without a value; each shaped like `along`.
    :param north: North velocities, m/s; NaN at the same corners.
    """
    known = (east[0] == east[0], east[1] == east[1], east[2] == east[2], east[3] == east[3])
    weights = _where_known(known, corner_weights(along, across))
    nearest = select(across > 0.5, select(along > 0.5, weights[3], weights[2]),
                     select(along > 0.5, weights[1], weights[0]))
    total = select(nearest > 0.0, weights[0] + weights[1] + weights[2] + weights[3], math.nan)
    return (weighted_sum(weights, _where_known(known, east)) / total,
            weighted_sum(weights, _where_known(known, north)) / total)


@kernel
def _where_known(known: Corners, values: Corners) -> Corners:
    return (select(known[0], values[0], 0.0), select(known[1], values[1], 0.0),
            select(known[2], values[2], 0.0), select(known[3], values[3], 0.0))


ROUNDING = 1e-9  # Tolerance for rounding, in cells, so that the last nodes belong to the grid.


@kernel
def flow_at(time: Any, x: Any, y: Any, case: Any, water: Any, air: Any) -> Flow:
    """
    Return the Flow at a boat, NaN where a grid has no value.

    :param time: s; float or array.
    :param x: East, m; same shape.
    :param y: North, m; same shape.
    :param case: The Case, for the velocity of uniform water or air.
    :param water: Grid of the current; None if it is uniform.
    :param air: Grid of the wind; None if it is uniform.
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
    Return the velocity on a grid, east and north, m/s: linear in time, in space by the rule of `velocity_in_cell`.

    It is NaN without a value. Between two times a node has a value if it has one at both.

    :param time: s; float or array.
    :param x: East, m; same shape.
    :param y: North, m; same shape.
    :param grid: The Grid.
    """
    column, along = _place(x, grid.x0, grid.dx, grid.nx)
    row, across = _place(y, grid.y0, grid.dy, grid.ny)
    node = whole(row * grid.nx + column)
    if grid.dt is None:
        return velocity_in_cell(along, across, _corners(node, grid.nx, grid.vx), _corners(node, grid.nx, grid.vy))
    layer, later = _place(time, grid.t0, grid.dt, grid.nt)
    before = node + whole(layer * grid.nx * grid.ny)
    after = before + grid.nx * grid.ny
    return velocity_in_cell(
        along, across,
        _between(_corners(before, grid.nx, grid.vx), _corners(after, grid.nx, grid.vx), later),
        _between(_corners(before, grid.nx, grid.vy), _corners(after, grid.nx, grid.vy), later))


@kernel
def _place(x: Any, first: Any, spacing: Any, number: Any) -> tuple[Any, Any]:
    """Return the index of the cell of a coordinate, from 0, and the position in it, 0 to 1; NaN if there is none."""
    at = (x - first) * (1.0 / spacing)
    inside = (at >= 0.0) & (at <= number - 1.0 + ROUNDING)
    at = select(inside, at, 0.0)
    cell = floor(select(at < number - 2.0, at, number - 2.0))
    return cell, select(inside, at - cell, math.nan)


@kernel
def _corners(node: Any, nx: Any, values: Any) -> Corners:
    return values[node], values[node + 1], values[node + nx], values[node + nx + 1]


@kernel
def _between(low: Corners, high: Corners, share: Any) -> Corners:
    return (low[0] + share * (high[0] - low[0]), low[1] + share * (high[1] - low[1]),
            low[2] + share * (high[2] - low[2]), low[3] + share * (high[3] - low[3]))
