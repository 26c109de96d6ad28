"""
The one rule for a point on a grid: its velocity from the four nodes around it, some of which may have none.

Where all four have a value, it is bilinear. Else the point has a value if the nearest node has one: the mean of those
nodes that have a value, by their bilinear weights. So a field ends half a cell beyond its last nodes, and is continuous
up to there. The same functions serve arrays (flow files, step by step) and compiled code (ensembles).
"""

import math
from typing import Any

from ..physics.elementwise import kernel, select

Corners = tuple[Any, Any, Any, Any]  # of a cell: south-west, south-east, north-west, north-east; floats or arrays


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
    Return the velocity in a cell by the rule above: east and north, m/s; NaN where there is none.

    :param along: Place in the cell from west to east, 0 to 1, (-); NaN outside the grid; float or array.
    :param across: The same from south to north.
    :param east: East velocities at the corners, m/s, NaN where a node has none; each shaped like `along`.
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
