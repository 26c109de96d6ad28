"""The samples of an analysed log as the table that a run writes: samples.csv."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..files.whole_file import whole_file
from ..sim.samples_file import COLUMNS, HEADER
from .log_energy import Drive, thruster_power

LINES = 20000


def write_drive_samples(drive: Drive, path: Path) -> None:
    """
    Write every sample with its power; numbers read back exactly.

    :param drive: The Drive.
    :param path: The CSV; it is replaced whole or not at all.
    :raises OSError: If it cannot be written.
    """
    with whole_file(path) as part, part.open('w', encoding='utf-8', newline='') as file:
        file.write(HEADER)
        file.writelines(_lines(drive))


def columns_of_drive(drive: Drive) -> list[np.ndarray]:
    """Return the columns of a drive's samples, in the order and units of COLUMNS, each of shape (N,)."""
    log = drive.log
    unknown = np.full(len(log), np.nan)
    work = thruster_power(drive)
    recorded = log.extra.get('thruster_power_w', unknown) if work is None else work
    columns = [log.time, log.x, log.y, *drive.motion, *drive.flow, *drive.power, drive.integral.so_far(), recorded,
               log.extra.get('thruster_energy_j', unknown), drive.status]
    assert len(columns) == len(COLUMNS)
    return [np.broadcast_to(column, unknown.shape) for column in columns]


def _lines(drive: Drive) -> Iterator[str]:
    columns = columns_of_drive(drive)
    for first in range(0, len(drive.log), LINES):
        for *row, status in zip(*(column[first:first + LINES].tolist() for column in columns)):
            yield f'{",".join(map(repr, row))},{status}\n'
