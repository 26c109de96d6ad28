"""
The power of a steady motion through the water as plain numbers: one look-up for arrays, floats and compiled code.

Uniform cubic B-splines over three axes: the air along and across the motion, and the speed as a share of the way from
the least to the highest that can be held in that air. So no node of the table lies where a boat cannot go, and power
and its first two derivatives are continuous.
"""

import math
from typing import Any, NamedTuple

from ..physics.elementwise import floor, kernel, select, whole

Weights = tuple[Any, Any, Any, Any]
ROUNDING = 1e-9  # Of a cell, and of a speed: the ends belong to the table, however a place in it is rounded.


class MotionArrays(NamedTuple):
    """
    The table as compiled code takes it; numba functions take it as it is (call `compile_kernels`).

    The air's nodes are at `air0` + i `air_step`, m/s, `air_nodes` along each of both axes; the speed's at shares
    k / (`speed_nodes` - 1). `power`: coefficients, W, flat, shape (speed_nodes + 2, air_nodes + 2, air_nodes + 2), the
    air across runs fastest. `least`, `top`: of the speeds that can be held, m/s, flat, shape (air_nodes + 2,
    air_nodes + 2). `standing`: power at speed 0, thrusters off, W.
    """

    air0: float
    air_step: float
    air_nodes: int
    speed_nodes: int
    power: Any
    least: Any
    top: Any
    standing: float


@kernel
def power_in_table(speed: Any, air_along: Any, air_across: Any, table: Any) -> Any:
    """
    Return the electrical power, W; NaN where the boat cannot hold the speed, and for air outside the table.

    :param speed: Through the water, m/s; float or array. At 0 it is the table's `standing`.
    :param air_along: Of the air through the water along the boat's velocity through the water, m/s; same shape.
    :param air_across: The same to port of it; same shape.
    :param table: The MotionArrays.
    """
    along, across = place_in(air_along, table), place_in(air_across, table)
    by_along, by_across = spline_weights(along[1]), spline_weights(across[1])
    row = table.air_nodes + 2
    first = along[0] * row + across[0]
    least = sheet_of(table.least, first, row, by_along, by_across)
    top = sheet_of(table.top, first, row, by_along, by_across)
    held = (speed >= least - ROUNDING * top) & (speed <= top + ROUNDING * top) & (top > least)
    share = select(held, (speed - least) / select(top > least, top - least, 1.0), 0.0) * (table.speed_nodes - 1.0)
    cell = floor(select(share < table.speed_nodes - 2.0, select(share > 0.0, share, 0.0), table.speed_nodes - 2.0))
    by_speed = spline_weights(share - cell)
    sheet = row * row
    begin = whole(cell) * sheet + first
    watts = (by_speed[0] * sheet_of(table.power, begin, row, by_along, by_across)
             + by_speed[1] * sheet_of(table.power, begin + sheet, row, by_along, by_across)
             + by_speed[2] * sheet_of(table.power, begin + 2 * sheet, row, by_along, by_across)
             + by_speed[3] * sheet_of(table.power, begin + 3 * sheet, row, by_along, by_across))
    return select(speed > 0.0, select(held, watts, math.nan), table.standing)


@kernel
def top_speed_in_table(air_along: Any, air_across: Any, table: Any) -> Any:
    """Return the highest speed through the water, m/s, 0 where none is held, NaN for air outside the table."""
    along, across = place_in(air_along, table), place_in(air_across, table)
    row = table.air_nodes + 2
    top = sheet_of(table.top, along[0] * row + across[0], row, spline_weights(along[1]), spline_weights(across[1]))
    return select(top > 0.0, top, 0.0 * top)


@kernel
def place_in(air: Any, table: Any) -> tuple[Any, Any]:
    """Return the cell, an index, that holds an air's velocity, and how far in it, 0 to 1; NaN where there is none."""
    at = (air - table.air0) / table.air_step
    inside = (at >= -ROUNDING) & (at <= table.air_nodes - 1.0 + ROUNDING)
    at = select(inside, at, 0.0)
    cell = floor(select(at < table.air_nodes - 2.0, select(at > 0.0, at, 0.0), table.air_nodes - 2.0))
    return whole(cell), select(inside, at - cell, math.nan)


@kernel
def spline_weights(t: Any) -> Weights:
    """Return the four cubic B-splines that are not 0 at a share of a cell, (-)."""
    s = 1.0 - t
    return (s * s * s / 6.0, (4.0 + 3.0 * t * t * (t - 2.0)) / 6.0, (4.0 + 3.0 * s * s * (s - 2.0)) / 6.0,
            t * t * t / 6.0)


@kernel
def sheet_of(values: Any, first: Any, row: Any, by_row: Weights, by_column: Weights) -> Any:
    """Return the sum of 4 x 4 coefficients, of which the first is at `first` and rows are `row` apart, by weights."""
    return (by_row[0] * _line(values, first, by_column) + by_row[1] * _line(values, first + row, by_column)
            + by_row[2] * _line(values, first + 2 * row, by_column)
            + by_row[3] * _line(values, first + 3 * row, by_column))


@kernel
def _line(values: Any, first: Any, weights: Weights) -> Any:
    return (weights[0] * values[first] + weights[1] * values[first + 1]
            + weights[2] * values[first + 2] + weights[3] * values[first + 3])
