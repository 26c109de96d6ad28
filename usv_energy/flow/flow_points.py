"""A flow at points of a table: the points' CSV in, a row a point out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.table import FINITE, read_head, read_table
from .field import FlowField

# A column's name, and what it is called in the tables that this package writes.
COLUMNS = {'t': ('t', 't_s', 'time_s'), 'x': ('x', 'x_m'), 'y': ('y', 'y_m')}
HEADER = 't_s,x_m,y_m,vx_m_s,vy_m_s,inside'


class Points(NamedTuple):
    """Where and when to ask a flow: times s, coordinates m, each shape (N,)."""

    t: np.ndarray
    x: np.ndarray
    y: np.ndarray


class PointVelocities(NamedTuple):
    """What a flow answered at Points: velocities m/s, NaN where it has none, each shape (N,)."""

    points: Points
    vx: np.ndarray
    vy: np.ndarray
    inside: np.ndarray


def read_points(path: Path) -> Points:
    """
    Return the points in a CSV with the columns t, x, y, in any order; others are left alone.

    A run's samples.csv (time_s, x_m, y_m) is such a table too.

    :raises InputError: If it cannot be read, lacks a column, or holds what is no finite number: line, column, value.
    """
    head = read_head(path)
    columns = {name: next((known for known in COLUMNS[name] if known in head.names), '') for name in COLUMNS}
    lacking = [name for name, column in columns.items() if not column]
    if lacking:
        raise InputError(f'{path}: line {head.line}: lacks the column {lacking[0]!r}; it has: {", ".join(head.names)}. '
                         'Required: t (s), x, y (m)')
    return Points(*read_table(path, list(columns.values()), FINITE).values())


def velocities_at(flow: FlowField, points: Points) -> PointVelocities:
    """Return the flow at points, in their order; those of one time are asked for together."""
    vx, vy = np.full(points.t.shape, np.nan), np.full(points.t.shape, np.nan)
    inside = np.zeros(points.t.shape, dtype=bool)
    times, which = np.unique(points.t, return_inverse=True)
    order = np.argsort(which, kind='stable')
    for t, here in zip(times, np.split(order, np.cumsum(np.bincount(which))[:-1])):
        vx[here], vy[here], inside[here] = flow.velocity(float(t), points.x[here], points.y[here])
    return PointVelocities(points, vx, vy, inside)


def lines_of(answer: PointVelocities) -> Iterator[str]:
    """Return the lines of a CSV, head included: numbers that read back exactly, nan where there is no velocity."""
    yield HEADER
    for *numbers, inside in zip(*answer.points, answer.vx, answer.vy, answer.inside):
        yield f'{",".join(repr(float(number)) for number in numbers)},{int(inside)}'


def records_of(answer: PointVelocities) -> list[dict[str, Any]]:
    """Return a mapping a point, for JSON; None where there is no velocity."""
    keys = HEADER.split(',')
    return [dict(zip(keys, (*map(float, place), *(float(v) if here else None for v in velocity), bool(here))))
            for *place, here, velocity in zip(*answer.points, answer.inside, zip(answer.vx, answer.vy))]
