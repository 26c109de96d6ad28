"""Water and air over a lattice of points at one time, and what a metre costs there in each direction."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..files.progress_protocol import Progress, no_progress
from ..flow.field import Extent, FlowField
from ..physics.motion import Flow
from .cheapest_speed import CheapestMotions, cheapest_motions

EVERYWHERE: Extent = (-math.inf, -math.inf, math.inf, math.inf)


class CurrentAndWind(NamedTuple):
    """Current and wind, fields in the world, and the time, s, at which they are looked at: ways are planned in both."""

    current: FlowField
    wind: FlowField
    time: float = 0.0


def extent_of(field: FlowField) -> Extent:
    """Return the box in which a field has values: xmin, ymin, xmax, ymax, m; infinite for a closed form without end."""
    extent: Extent = getattr(field, 'extent', EVERYWHERE)
    return extent


class FlowsAtPoints(NamedTuple):
    """Current and wind at points, m/s, shape (N, 4): east and north of each; and where both have a value."""

    values: np.ndarray
    inside: np.ndarray


def flows_at(fields: CurrentAndWind, x: np.ndarray, y: np.ndarray) -> FlowsAtPoints:
    """Return current and wind at points, m, of any shape; the points flat."""
    east, north = np.ravel(x), np.ravel(y)
    current_x, current_y, wet = fields.current.velocity(fields.time, east, north)
    wind_x, wind_y, windy = fields.wind.velocity(fields.time, east, north)
    return FlowsAtPoints(np.column_stack((current_x, current_y, wind_x, wind_y)), wet & windy)


def costs_at(vessel: Vessel, flows: FlowsAtPoints, directions: np.ndarray, speeds: np.ndarray, prices: Sequence[float],
             progress: Progress = no_progress, most_powers: Sequence[float] | None = None) -> CheapestMotions:
    """
    Return the cheapest motions at points in directions, arrays of the shape (prices, points, directions).

    Points where the flow is the same are looked at once. Where there is no flow, nothing can be gone: inf.

    :param directions: Over ground, rad, shape (K,).
    :param speeds: m/s, as `cheapest_motions` has them; `prices` of time, W, and `most_powers`, W, too.
    """
    different, which = np.unique(flows.values[flows.inside], axis=0, return_inverse=True)
    current_x, current_y, wind_x, wind_y = np.repeat(different, directions.size, axis=0).T
    found = cheapest_motions(vessel, np.tile(directions, len(different)),
                             Flow(current_x, current_y, wind_x, wind_y), speeds, prices, progress=progress,
                             most_powers=most_powers)
    everywhere = np.full((3, len(prices), len(flows.inside), directions.size), np.inf)
    everywhere[:, :, flows.inside] = np.array(found).reshape(3, len(prices), len(different), -1)[:, :, np.ravel(which)]
    return CheapestMotions(*everywhere)
