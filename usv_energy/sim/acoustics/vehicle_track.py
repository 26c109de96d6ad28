"""The way of a vehicle by time, from a table: an AUV on its path, with its depth."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from ...files.text_file import open_text

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
    Return the track in a CSV file with the columns t_s, x_m, y_m, z_m; lines that begin with # are skipped.

    :raises InputError: If it cannot be read, lacks a column, or holds what is no number: file, line, what is allowed.
    """
    with open_text(path) as file:
        lines = [(number, line.strip()) for number, line in enumerate(file, 1) if line.strip() and line[0] != '#']
    if not lines or tuple(lines[0][1].split(',')) != COLUMNS:
        raise InputError(f'{path}: the first line must be {",".join(COLUMNS)}')
    rows = [_row(path, number, line) for number, line in lines[1:]]
    if not rows:
        raise InputError(f'{path}: holds no rows')
    table = np.array(rows)
    if np.any(np.diff(table[:, 0]) <= 0.0):
        late = int(np.argmax(np.diff(table[:, 0]) <= 0.0)) + 1
        raise InputError(f'{path}: line {lines[late + 1][0]}: t_s is {table[late, 0]:g}; must rise')
    return VehicleTrack(table[:, 0], table[:, 1:])


def _row(path: Path, number: int, line: str) -> list[float]:
    try:
        row = [float(part) for part in line.split(',')]
    except ValueError:
        row = []
    if len(row) != len(COLUMNS) or not np.all(np.isfinite(row)):
        raise InputError(f'{path}: line {number}: {line!r}; must be four numbers, {", ".join(COLUMNS)}')
    return row
