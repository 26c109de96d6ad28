"""A flow at many places, each at its own time, with few calls of a FlowField, which takes a single time."""

from collections.abc import Callable
from typing import Any

import numpy as np

from usv_energy.flow.field import FlowField
from usv_energy.flow.flow_argument import Points, velocities_at
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.flow.grids.grid_lookup import grid_velocity
from usv_energy.flow.grids.node_steps import SteppedFlow
from usv_energy.flow.placement import Transform

Pair = tuple[np.ndarray, np.ndarray]
FlowAlong = Callable[[np.ndarray, np.ndarray, np.ndarray], Pair]


def flow_along(field: FlowField) -> FlowAlong:
    """
    Return a function of times s, and places east and north m, all of one shape, that gives velocities, m/s.

    NaN where the field has no value. A field may have this function itself, as a method `velocities(t, x, y)`. Else a
    steady field is called once, one that is linear between steps once per step, any other once per different time.

    :param field: In the world's frame and time.
    """
    own: Any = getattr(field, 'velocities', None)
    if own is not None:
        return lambda t, x, y: tuple(own(t, x, y)[:2])
    if isinstance(field, GriddedFlow):
        grid = field.grid
        return lambda t, x, y: grid_velocity(t, x, y, grid)
    if isinstance(field, FlowFile):
        return _of_file(field)
    if hasattr(field, 'later') or np.size(getattr(field, 'times', (0.0, 1.0))) == 1:  # Uniform, or of one time.
        return _steady(field)
    if isinstance(field, SteppedFlow):
        return _stepped(field)
    return _any(field)


def _of_file(file: FlowFile) -> FlowAlong:
    """Return the function of a flow file, from that of its source, the file's placement in the world and its clock."""
    inner = flow_along(file.source)

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        place = (x, y) if file.transform == Transform() else file.transform.to_map(x, y)
        vx, vy = inner(file.clock.times(t), *place)
        if file.transform != Transform():
            vx, vy = file.transform.velocity_to_world(vx, vy, place)
        return file.share * vx, file.share * vy
    return along


def _steady(field: FlowField) -> FlowAlong:
    first = float(getattr(field, 'times', (0.0,))[0])

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        vx, vy, _ = field.velocity(first, x.ravel(), y.ravel())
        return vx.reshape(x.shape), vy.reshape(x.shape)
    return along


def _stepped(field: SteppedFlow) -> FlowAlong:
    """Return the function of a field that is linear between time steps; each needed step is evaluated once."""
    times = field.times

    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        t, east, north = (np.ravel(np.broadcast_to(part, np.shape(x))) for part in (t, x, y))
        value = np.full((2, t.size), np.nan)
        known = (t >= times[0]) & (t <= times[-1])
        step = np.clip(times.searchsorted(t, side='right') - 1, 0, times.size - 2)
        weight = (t - times[step]) / (times[step + 1] - times[step])
        value[:, known] = 0.0
        for one in np.unique(np.concatenate((step[known], step[known] + 1))):
            share = np.where(step == one, 1.0 - weight, np.where(step + 1 == one, weight, 0.0))
            some = np.flatnonzero(known & (share > 0.0))
            value[:, some] += share[some] * np.array(field.velocity(float(times[one]), east[some], north[some])[:2])
        return value[0].reshape(np.shape(x)), value[1].reshape(np.shape(x))
    return along


def _any(field: FlowField) -> FlowAlong:
    def along(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Pair:
        t = np.broadcast_to(t, np.shape(x))
        found = velocities_at(field, Points(t.ravel(), x.ravel(), y.ravel()))
        vx, vy = (np.where(found.inside, part, np.nan).reshape(x.shape) for part in (found.vx, found.vy))
        return vx, vy
    return along
