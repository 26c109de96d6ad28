"""How a hull of parts heaved, rolled and pitched along a run, as a CSV: one line a sample, units in its header."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..files.table import OWN, read_table
from ..files.whole_file import write_text
from .record import Row

ATTITUDE = 'attitude.csv'
COLUMNS = 'time_s', 'heave_m', 'roll_rad', 'pitch_rad'


class AttitudeTrace(NamedTuple):
    """Heave over where the hull rests in still water, m, roll and pitch, rad (FLU), at times, s; arrays alike."""

    time: np.ndarray
    heave: np.ndarray
    roll: np.ndarray
    pitch: np.ndarray


def has_attitude(rows: Iterable[Row]) -> bool:
    """Return whether the samples of a run are those of a hull that heaves, rolls and pitches."""
    return any(row.attitude is not None for row in rows)


def write_attitude(rows: Iterable[Row], path: Path) -> None:
    """Write heave, roll and pitch of a run's samples, whole or not at all (OSError); numbers read back exactly."""
    lines = [','.join(map(repr, (float(row.time), float(row.attitude.z), float(row.attitude.roll),
                                 float(row.attitude.pitch)))) for row in rows if row.attitude is not None]
    write_text('\n'.join([','.join(COLUMNS), *lines, '']), path)


def read_attitude(path: Path) -> AttitudeTrace:
    """Return what `write_attitude` wrote; InputError names file, line, column and value."""
    return AttitudeTrace(*read_table(path, COLUMNS, OWN).values())
