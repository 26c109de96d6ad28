"""The samples of an analysed log as the table that a run writes: samples.csv."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..files.whole_file import whole_file
from ..sim.samples_file import COLUMNS, HEADER
from .analysed_log import AnalysedLog, thruster_power

LINES = 20000


def write_log_samples(analysed: AnalysedLog, path: Path) -> None:
    """Write every sample with its power as a CSV, whole or not at all (OSError); numbers read back exactly."""
    with whole_file(path) as part, part.open('w', encoding='utf-8', newline='') as file:
        file.write(HEADER)
        file.writelines(_lines(analysed))


def sample_columns(analysed: AnalysedLog) -> list[np.ndarray]:
    """Return the columns of an analysed log's samples, in the order and units of COLUMNS, each of shape (N,)."""
    log = analysed.log
    unknown = np.full(len(log), np.nan)
    work = thruster_power(analysed)
    recorded = log.extra.get('thruster_power_w', unknown) if work is None else work
    columns = [log.time, log.x, log.y, *analysed.motion, *analysed.flow, *analysed.power, analysed.integral.so_far(),
               recorded, log.extra.get('thruster_energy_j', unknown), analysed.status]
    assert len(columns) == len(COLUMNS)
    return [np.broadcast_to(column, unknown.shape) for column in columns]


def _lines(analysed: AnalysedLog) -> Iterator[str]:
    columns = sample_columns(analysed)
    for first in range(0, len(analysed.log), LINES):
        for *row, status in zip(*(column[first:first + LINES].tolist() for column in columns)):
            yield f'{",".join(map(repr, row))},{status}\n'
