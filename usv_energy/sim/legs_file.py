"""The legs of a run as a CSV: one line a leg, units in the column names, numbers that read back exactly."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..files.table import OWN, read_table
from ..files.whole_file import write_text
from .leg_energy import LegEnergy, leg_figures

LEGS = 'legs.csv'
NAME, BEGIN = 'leg', 'begin_s'


class LegBegin(NamedTuple):
    """From when on, s, a leg of a name is gone; an empty name: none."""

    time: float
    name: str


def write_legs(legs: Iterable[LegEnergy], path: Path) -> None:
    """Write the legs of a run, whole or not at all (OSError); the same legs always give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator='\n')
    for number, leg in enumerate(legs):
        figures = leg_figures(leg)
        if not number:
            writer.writerow(figures)
        writer.writerow([leg.name, *(repr(value) for value in list(figures.values())[1:])])
    write_text(text.getvalue(), path)


def read_leg_begins(path: Path) -> tuple[LegBegin, ...]:
    """Return when which leg began, of a file of `write_legs`; InputError names file, line, column and value."""
    table = read_table(path, [BEGIN], OWN, texts=[NAME])
    return tuple(map(LegBegin, table[BEGIN].tolist(), table[NAME].tolist()))
