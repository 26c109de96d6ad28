"""
Time and energy of one straight move over the lattice, in a flow that changes on the way, for arrays and compiled code.

Places are columns and rows of the lattice, in general not whole numbers; velocities are in its axes.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import arctan2, floor, kernel, larger, select, smaller, sqrt, whole
from usv_energy.studies.route.costs.power_table import PowerTable
from usv_energy.studies.route.search.flow_cube import FlowCube

ROUNDING = 1e-9     # tolerance at the flow's end, in times between two slices, and relative at the top speed
LEAST = 1e-9        # m/s over ground: a slower move is impossible


class FieldTables(NamedTuple):
    """A FlowCube and a PowerTable for compiled code: flat arrays, and their sizes and spacings."""

    t0: float
    dt: float
    slices: int
    columns: int
    rows: int
    spacing: float
    current: np.ndarray
    air: np.ndarray
    knots: int
    first: float
    step: float
    speed_step: float
    speeds: int
    power: np.ndarray
    top: np.ndarray
    turns: int
    turn0: float


def field_tables(cube: FlowCube, table: PowerTable, columns: int, rows: int, spacing: float,
                 angle: float = 0.0) -> FieldTables:
    """Return a cube over a lattice, whose first axis is at an angle, rad (ENU), and a table for compiled code."""
    return FieldTables(cube.t0, cube.dt, len(cube.current), columns, rows, spacing, cube.current.ravel(),
                       cube.air.ravel(), table.top.shape[-1], table.first, table.step, table.speed_step,
                       table.power.shape[1], table.power.ravel(), table.top.ravel(), len(table.top),
                       table.towards - angle)


@kernel
def limited(value: Any, low: Any, high: Any) -> Any:
    """Return a value within limits."""
    return smaller(larger(value, low), high)


@kernel
def slice_before(field: Any, time: Any) -> Any:
    """Return the slice before a time, the share of the next one, (-), and whether the flow has not ended; as floats."""
    at = (time - field.t0) / field.dt
    good = (field.slices == 1) | ((at >= -ROUNDING) & (at <= field.slices - 1.0 + ROUNDING))
    at = limited(at, 0.0, field.slices - 1.0)
    before = floor(smaller(at, larger(field.slices - 2.0, 0.0)))
    return before, select(field.slices == 1, 0.0 * at, at - before), good


@kernel
def side_at(values: Any, at: Any, columns: Any, right: Any, up: Any) -> Any:
    """Return a quantity between the four points of a cell, the first of which has the number `at`."""
    low = values[at] + right * (values[at + 1] - values[at])
    high = values[at + columns] + right * (values[at + columns + 1] - values[at + columns])
    return low + up * (high - low)


@kernel
def velocity_at(field: Any, values: Any, time: Any, column: Any, row: Any) -> Any:
    """Return a velocity at a place and time, m/s, in the lattice's axes; NaN where there is none."""
    before, share, good = slice_before(field, time)
    left = floor(limited(column, 0.0, field.columns - 2.0))
    below = floor(limited(row, 0.0, field.rows - 2.0))
    right, up = column - left, row - below
    size = field.columns * field.rows
    at = whole(below) * field.columns + whole(left) + whole(before) * (2 * size)
    x = side_at(values, at, field.columns, right, up)
    y = side_at(values, at + size, field.columns, right, up)
    if field.slices > 1:
        x = x + share * (side_at(values, at + 2 * size, field.columns, right, up) - x)
        y = y + share * (side_at(values, at + 3 * size, field.columns, right, up) - y)
    return select(good, x, math.nan), select(good, y, math.nan)


@kernel
def sheet_at(values: Any, first: Any, i: Any, j: Any, knots: Any) -> Any:
    """Return a number between four knots of a table's sheet, which begins at `first`; i, j: floats from 0."""
    low_i, low_j = floor(smaller(i, knots - 2.0)), floor(smaller(j, knots - 2.0))
    return side_at(values, first + whole(low_i) * knots + whole(low_j), knots, j - low_j, i - low_i)


@kernel
def turn_at(field: Any, ahead: Any, aside: Any) -> Any:
    """Return the knot before a bearing, the one after it, both as floats, and the share of the way between, (-)."""
    at = (arctan2(aside, ahead) - field.turn0) / math.tau
    at = select(at == at, at, 0.0) * field.turns
    before = floor(at)
    share = at - before
    before = before - field.turns * floor((before + 0.5) / field.turns)
    return before, select(before < field.turns - 1.5, before + 1.0, 0.0), share


@kernel
def top_at(field: Any, along: Any, across: Any, ahead: Any, aside: Any) -> Any:
    """
    Return the top speed through the water, m/s, in air with velocities along and across it, m/s.

    :param ahead: First component of the unit vector of the velocity through the water, in the lattice's axes.
    :param aside: Second component; both are used only in a sea.
    """
    if field.turns == 1:
        return _top_of(field, 0, along, across)
    before, after, share = turn_at(field, ahead, aside)
    sheet = field.knots * field.knots
    low = _top_of(field, whole(before) * sheet, along, across)
    return low + share * (_top_of(field, whole(after) * sheet, along, across) - low)


@kernel
def power_at(field: Any, speed: Any, along: Any, across: Any, ahead: Any, aside: Any) -> Any:
    """Return the power, W, at a speed through the water; other arguments as for `top_at`."""
    if field.turns == 1:
        return _power_of(field, 0, speed, along, across)
    before, after, share = turn_at(field, ahead, aside)
    size = field.speeds * field.knots * field.knots
    low = _power_of(field, whole(before) * size, speed, along, across)
    return low + share * (_power_of(field, whole(after) * size, speed, along, across) - low)


@kernel
def _top_of(field: Any, first: Any, along: Any, across: Any) -> Any:
    """Return the top speed, m/s, of the sheet that begins at `first`."""
    if field.knots == 1:
        return field.top[first] + 0.0 * along
    i = limited((along - field.first) / field.step, 0.0, field.knots - 1.0)
    j = limited((across - field.first) / field.step, 0.0, field.knots - 1.0)
    return sheet_at(field.top, first, i, j, field.knots)


@kernel
def _power_of(field: Any, begin: Any, speed: Any, along: Any, across: Any) -> Any:
    """Return the power, W, of the sheets that begin at `begin`."""
    at = limited(speed / field.speed_step, 0.0, field.speeds - 1.0)
    low = floor(smaller(at, field.speeds - 2.0))
    share, sheet = at - low, field.knots * field.knots
    first = begin + whole(low) * sheet
    if field.knots == 1:
        return field.power[first] + share * (field.power[first + 1] - field.power[first])
    i = limited((along - field.first) / field.step, 0.0, field.knots - 1.0)
    j = limited((across - field.first) / field.step, 0.0, field.knots - 1.0)
    slower = sheet_at(field.power, first, i, j, field.knots)
    return slower + share * (sheet_at(field.power, first + sheet, i, j, field.knots) - slower)


@kernel
def air_at(field: Any, time: Any, column: Any, row: Any) -> Any:
    """Return the air's velocity through the water, m/s, in the lattice's axes; 0 if the air does not matter."""
    if field.knots == 1:
        return 0.0 * column, 0.0 * column
    return velocity_at(field, field.air, time, column, row)


@kernel
def speed_on(field: Any, speed: Any, water: Any, air: Any, along: Any, across: Any) -> Any:
    """
    Return the speed over ground along a unit vector, m/s, and the power, W; NaN if the boat cannot go along it.

    :param speed: Through the water, m/s; negative: the top speed. One number for all.
    :param water: Current, m/s, both components; `air`: through the water.
    :param along: First component of the unit vector of the way over ground; `across`: second.
    """
    abeam = water[1] * along - water[0] * across
    if speed < 0.0:
        fast = top_at(field, air[0] * along + air[1] * across, air[1] * along - air[0] * across, along, across)
    else:
        fast = speed
    for _ in range(2 if speed < 0.0 else 1):    # Fixed-point iteration: the top speed depends on the heading it gives.
        made = sqrt(fast * fast - abeam * abeam) + water[0] * along + water[1] * across
        ahead, aside = (made * along - water[0]) / fast, (made * across - water[1]) / fast
        head, beam = air[0] * ahead + air[1] * aside, air[1] * ahead - air[0] * aside
        top = top_at(field, head, beam, ahead, aside)
        if speed < 0.0:
            fast = top
    good = (made > LEAST) & (fast <= top * (1.0 + ROUNDING))
    return select(good, made, math.nan), power_at(field, fast, head, beam, ahead, aside)


@kernel
def move(field: Any, speed: Any, time: Any, place: Any, way: Any, parts: Any, sign: Any) -> Any:
    """
    Return the duration, s, and the energy, J, of a straight move; NaN if it is impossible.

    :param field: The FieldTables.
    :param speed: Through the water, m/s; negative: the top speed.
    :param time: At the begin, s; at the end if `sign` is -1, when the move is integrated backwards in time.
    :param place: Column and row of its begin (of its end, backwards).
    :param way: Columns and rows from `place` to the other end.
    :param parts: Number of pieces of equal length, for the midpoint rule.
    :param sign: 1.0, or -1.0: the boat moves from the other end to `place`.
    """
    cells = sqrt(way[0] * way[0] + way[1] * way[1])
    along, across = sign * way[0] / cells, sign * way[1] / cells
    length = cells * field.spacing / parts
    lasted, energy = 0.0 * time, 0.0 * time
    last = lasted + length / select(speed > 0.0, speed, field.top[0])     # Guess for the middle of the first piece.
    for n in range(parts):
        share = (n + 0.5) / parts
        column, row = place[0] + share * way[0], place[1] + share * way[1]
        now = time + sign * (lasted + 0.5 * last)
        made, power = speed_on(field, speed, velocity_at(field, field.current, now, column, row),
                               air_at(field, now, column, row), along, across)
        last = length / made
        lasted, energy = lasted + last, energy + power * last
    return lasted, energy
