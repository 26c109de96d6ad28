"""What was said of the way home along a run, as a CSV: one line an answer, units in the column names."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..files.table import OWN, read_table
from ..files.whole_file import write_text

HOME = 'home.csv'
COLUMNS = {
    'time': 'time_s', 'home': 'home', 'distance': 'distance_m', 'duration': 'duration_s', 'speed': 'speed_m_s',
    'energy_left': 'energy_left_j', 'energy_home': 'energy_home_j', 'energy_home_upper': 'energy_home_upper_j',
    'reserve': 'reserve_j', 'margin': 'margin_j', 'no_return_duration': 'no_return_duration_s',
    'no_return_distance': 'no_return_distance_m', 'return_home': 'return_home', 'status': 'status'}
TRUTHS = {'true': 1.0, 'false': 0.0}


class HomeSaid(NamedTuple):
    """One answer of `home_watch`, as HomeMargin has it, at a time of the run, s; J, m, s, m/s."""

    time: float
    home: str
    distance: float
    duration: float
    speed: float
    energy_left: float
    energy_home: float
    energy_home_upper: float
    reserve: float
    margin: float
    no_return_duration: float
    no_return_distance: float
    return_home: bool
    status: int


class HomeTrace(NamedTuple):
    """
    What was said of the way home along a log, arrays of one shape: time s, energies J, a duration s, and a truth.

    NaN where nothing was known; a duration until the point of no return is infinite where there is none.
    """

    time: np.ndarray
    energy_left: np.ndarray
    energy_home: np.ndarray
    energy_home_upper: np.ndarray
    reserve: np.ndarray
    margin: np.ndarray
    no_return_duration: np.ndarray
    return_home: np.ndarray

    @property
    def is_known(self) -> bool:
        """Whether a margin was ever told."""
        return bool(np.isfinite(self.margin).any())


def home_line(said: HomeSaid | None) -> str:
    """Return the line of an answer, or of the column names for None."""
    text = io.StringIO()
    cells = list(COLUMNS.values()) if said is None else [
        str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else repr(value)
        for value in said]
    csv.writer(text, lineterminator='\n').writerow(cells)
    return text.getvalue()


def write_home(answers: Iterable[HomeSaid], path: Path) -> None:
    """Write answers as a file, whole or not at all (OSError); the same answers always give the same bytes."""
    write_text(home_line(None) + ''.join(map(home_line, answers)), path)


def read_home(path: Path) -> HomeTrace:
    """Return what was said, of a file of `write_home`; InputError names file, line, column and value."""
    columns = [COLUMNS[field] for field in HomeTrace._fields]
    return HomeTrace(*read_table(path, columns, OWN, words=TRUTHS).values())
