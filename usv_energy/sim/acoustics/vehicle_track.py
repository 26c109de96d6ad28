"""The way of a vehicle by time, from a table: an AUV on its path, with its depth."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...files.table import FINITE, cell_fault, read_table

COLUMNS = ('t_s', 'x_m', 'y_m', 'z_m')


class VehicleTrack(NamedTuple):
    """Times, s, rising, and places, m (ENU; z up: below 0 under water), shapes (N,) and (N, 3); N at least 1."""

    time: np.ndarray
    place: np.ndarray

    def at(self, time: float) -> tuple[float, float, float]:
        """Return where it is at a time, s: straight between rows; before the first and after the last it rests."""
        x, y, z = (float(np.interp(time, self.time, self.place[:, axis])) for axis in range(3))
        return x, y, z


def read_track(path: Path) -> VehicleTrack:
    """
    Return the track in a table (CSV) with the columns t_s, x_m, y_m, z_m; lines that begin with # are skipped.

    :raises InputError: If it cannot be read, lacks a column, or holds what is no number: file, line, column, value.
    """
    table = read_table(path, COLUMNS, FINITE)
    time = table[COLUMNS[0]]
    late = np.flatnonzero(np.diff(time) <= 0.0)
    if late.size:
        raise cell_fault(path, int(late[0]) + 1, COLUMNS[0], 'must rise', FINITE)
    return VehicleTrack(time, np.column_stack([table[name] for name in COLUMNS[1:]]))
