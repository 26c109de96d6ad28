"""A flow's own dry places as barriers: where a field has no water at any time, and where it ends."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..files.errors import InputError
from ..flow.field import Extent, FlowField
from .barriers import Barriers, NoBarriers
from .cell_barriers import Cells, cell_barriers
from .file_map import FileMap

MOST_CELLS = 1_000_000
LEAST_CELLS = 200       # Along the longer side of a field that has no spacing of its own.
MOST_TIMES = 8


def dry_barriers(current: FlowField, extent: Extent, times: Sequence[float], clearance: float,
                 spacing: float | None = None) -> Barriers:
    """
    Return where a current has no water at any of some times, as barriers made of cells.

    What is dry at one time only is no barrier: there the current has no value then, and no way leads through it.
    The field's end is one as well: a river's banks may be there. Edges are true to half a cell.

    :param current: In the world.
    :param extent: Of the field, m.
    :param times: s of the flow's clock; at most eight of them are looked at.
    :param clearance: Distance to be kept, m.
    :param spacing: Of the cells, m; larger where there would be more than a million of them.
    :raises InputError: If the field is dry everywhere.
    """
    if not np.isfinite(extent).all():
        return NoBarriers()
    width, height = extent[2] - extent[0], extent[3] - extent[1]
    size = max(spacing or max(width, height) / LEAST_CELLS, (width * height / MOST_CELLS) ** 0.5)
    x, y = (np.linspace(low, low + long, max(1, round(long / size)) + 1)
            for low, long in zip(extent[:2], (width, height)))
    middle_x, middle_y = np.meshgrid(0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1]))
    dry = np.ones(middle_x.size, dtype=bool)
    for time in np.asarray(times)[np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))].tolist():
        dry &= ~current.velocity(time, middle_x.ravel(), middle_y.ravel())[2]
    if dry.all():
        raise InputError(f'{getattr(current, "path", "the current")}: has no water at t = {times[0]:g} s, nor later')
    x, y = (np.concatenate([[2.0 * lines[0] - lines[1]], lines, [2.0 * lines[-1] - lines[-2]]]) for lines in (x, y))
    closed = np.pad(dry.reshape(middle_x.shape), 1, constant_values=True)
    return cell_barriers(Cells(x, y, closed), FileMap(Path(), None, None), clearance)
