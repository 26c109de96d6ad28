"""Water and air at a place and time, for arrays and compiled code: uniform, or bilinear on a Grid."""

import math

from ..physics.compiled_memory import element
from ..physics.elementwise import kernel, select, smaller, whole
from ..physics.power import Flow


@kernel
def flow_at(time, x, y, case, water, air):
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
    return Flow(current[0], current[1], 0.0, 0.0, wind[0], wind[1])


@kernel
def _velocity(time, x, y, uniform_x, uniform_y, grid):
    if grid is None:
        return uniform_x, uniform_y
    return grid_velocity(time, x, y, grid)


@kernel
def grid_velocity(time, x, y, grid):
    """
    Return the velocity on a grid, bilinear in space and linear in time: east and north, m/s; NaN where there is none.

    :param time: s; float or array.
    :param x: East, m; same shape.
    :param y: North, m; same shape.
    :param grid: The Grid.
    """
    i, along = _place(x, grid.x0, grid.dx, grid.nx)
    j, across = _place(y, grid.y0, grid.dy, grid.ny)
    return _in_time(time, j * grid.nx + i, along, across, grid, grid.dt)


@kernel
def _place(x, first, spacing, number):
    """Return the cell that holds a coordinate, as an index, and how far in it, 0 to 1; NaN where there is none."""
    at = (x - first) / spacing
    known = select((at >= 0.0) & (at <= number - 1.0), at, math.nan)
    cell = whole(smaller(select(known == known, at, 0.0), number - 2.0))
    return cell, known - cell


@kernel
def _in_time(time, node, along, across, grid, spacing):
    if spacing is None:
        return (_in_cell(node, along, across, grid.nx, grid.vx), _in_cell(node, along, across, grid.nx, grid.vy))
    layer, later = _place(time, grid.t0, grid.dt, grid.nt)
    node = node + layer * (grid.nx * grid.ny)
    after = node + grid.nx * grid.ny
    return (_between(_in_cell(node, along, across, grid.nx, grid.vx),
                     _in_cell(after, along, across, grid.nx, grid.vx), later),
            _between(_in_cell(node, along, across, grid.nx, grid.vy),
                     _in_cell(after, along, across, grid.nx, grid.vy), later))


@kernel
def _in_cell(node, along, across, nx, values):
    return _between(_between(element(values, node), element(values, node + 1), along),
                    _between(element(values, node + nx), element(values, node + nx + 1), along), across)


@kernel
def _between(low, high, share):
    return low + share * (high - low)
