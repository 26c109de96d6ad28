"""A flow at points of a table: the points' CSV in, a row a point out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.text_file import csv_cells
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
    lines = csv_cells(path)
    header = [cell.strip() for cell in lines[0]] if lines else []
    places = [_column(name, header, path) for name in COLUMNS]
    rows = [(number, cells) for number, cells in enumerate(lines[1:], start=2) if any(map(str.strip, cells))]
    if not rows:
        raise InputError(f'{path}: holds no points, only a line of column names')
    values = np.array([[_number(cells, at, header, f'{path}: line {number}') for at in places]
                       for number, cells in rows])
    return Points(*values.T)


def _column(name: str, header: list[str], path: Path) -> int:
    found = [header.index(known) for known in COLUMNS[name] if known in header]
    if not found:
        raise InputError(f'{path}: line 1: lacks the column {name!r}; it has: {", ".join(header) or "none"}. '
                         'Required: t (s), x, y (m)')
    return found[0]


def _number(cells: list[str], at: int, header: list[str], place: str) -> float:
    try:
        value = float(cells[at])
    except (ValueError, IndexError):
        value = np.nan
    if not np.isfinite(value):
        shown = repr(cells[at]) if at < len(cells) else 'missing'
        raise InputError(f'{place}: column {header[at]} is {shown}; must be a finite number')
    return value


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
