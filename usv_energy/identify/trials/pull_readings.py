"""Readings of a dynamometer at a bollard: pulls, and watts where there are, over the command that gave them."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from ...files.table import read_head, read_table

TIME = 'time_s'
SAME = 2.0        # us: commands closer than this are one.
LEAST_SAMPLES = 3


class PullColumns(NamedTuple):
    """Names of a table's columns: the command (us), the pull of the whole boat (N), electrical power (W)."""

    pulse: str = 'pwm_us'
    pull: str = 'pull_n'
    power: str = 'power_w'


class PullReadings(NamedTuple):
    """Readings, each when the pull had settled: pulse us, pull N, power W, NaN where not measured; all (n,)."""

    pulse: np.ndarray
    pull: np.ndarray
    power: np.ndarray


def read_pulls(path: Path, columns: PullColumns, settle: float) -> PullReadings:
    """
    Return the readings in a table (CSV).

    A table without a column `time_s` has a row a reading. One with it is a recording: each time for which a command is
    held is a reading, the mean after its pull has had time to settle.

    :param path: The table, or the folder of a maneuver with bollard.csv in it.
    :param columns: Names of its columns; that of the power need not be there.
    :param settle: How long a command is held before the pull counts, s.
    :raises InputError: If it cannot be read, lacks a column, or holds no command for longer than that.
    """
    path = path / 'bollard.csv' if path.is_dir() else path
    names = read_head(path).names
    wanted = [name for name in (columns.pulse, columns.pull) if name]
    wanted += [name for name in (columns.power, TIME) if name in names]
    table = read_table(path, wanted)
    power = table.get(columns.power, np.full(len(table[columns.pull]), np.nan))
    found = PullReadings(table[columns.pulse], table[columns.pull], power)
    known = np.isfinite(found.pulse) & np.isfinite(found.pull)
    if TIME not in table:
        return PullReadings(*(values[known] for values in found))
    held = _held(table[TIME][known], PullReadings(*(values[known] for values in found)), settle)
    if not len(held.pulse):
        raise InputError(f'{path}: no command ({columns.pulse}) is held for longer than {settle:g} s, after which the '
                         'pull counts (--settle)')
    return held


def _held(time: np.ndarray, rows: PullReadings, settle: float) -> PullReadings:
    """Return the mean of each time for which a command is held, without its beginning."""
    edges = [0, *(np.flatnonzero(np.abs(np.diff(rows.pulse)) > SAME) + 1).tolist(), len(time)]
    means = []
    for begin, end in itertools.pairwise(edges):
        late = begin + np.flatnonzero(time[begin:end] >= time[begin:begin + 1] + settle)
        if len(late) >= LEAST_SAMPLES:
            means.append([float(np.mean(values[late])) for values in rows])
    return PullReadings(*np.array(means, dtype=float).reshape(-1, 3).T)


def together(parts: Sequence[PullReadings]) -> PullReadings:
    """Return the readings of several tables as one."""
    return PullReadings(*(np.concatenate(values) for values in zip(*parts)))
