"""How a simulated battery of cells did along a run, as a CSV: one line a sample, units in the column names."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..boats.cell_file import KELVIN
from ..files.errors import InputError
from ..files.text_file import csv_cells
from ..files.whole_file import write_text
from .record import Row

BATTERY = 'battery.csv'
COLUMNS = 'time_s', 'voltage_v', 'current_a', 'charge', 'temperature_degc'


class CellsTrace(NamedTuple):
    """
    A simulated battery along a log, arrays of one shape: as its own model has it, which no sensor is between.

    `time`: s. `voltage`: V, under load. `current`: A, discharging is positive. `charge`: of its cells, (-).
    `temperature`: of its cells, K.
    """

    time: np.ndarray
    voltage: np.ndarray
    current: np.ndarray
    charge: np.ndarray
    temperature: np.ndarray


class CellsSaid(NamedTuple):
    """A simulated battery at a time of the run, s: V, A (discharging is positive), (-), K."""

    time: float
    voltage: float
    current: float
    charge: float
    temperature: float


def cells_of_rows(rows: Iterable[Row]) -> list[CellsSaid]:
    """Return the battery of a run's samples; none of a boat without cells."""
    return [CellsSaid(row.time, supply.voltage, supply.current, supply.cells.charge, supply.cells.temperature)
            for row in rows if (supply := row.supply) is not None]


def write_battery(said: Iterable[CellsSaid], path: Path) -> None:
    """Write a battery as a file, whole or not at all (OSError); the same numbers always give the same bytes."""
    lines = [','.join(map(repr, map(float, (*one[:4], one.temperature - KELVIN)))) for one in said]
    write_text('\n'.join([','.join(COLUMNS), *lines, '']), path)


def read_battery(path: Path) -> CellsTrace:
    """Return a battery, of a file of `write_battery`; InputError names file, line, column and value."""
    lines = csv_cells(path)
    header = lines[0] if lines else []
    for name in COLUMNS:
        if name not in header:
            raise InputError(f'{path}: line 1: has no column {name!r}')
    places = [header.index(name) for name in COLUMNS]
    rows = [[_number(path, number, name, cells, place) for name, place in zip(COLUMNS, places)]
            for number, cells in enumerate(lines[1:], start=2)]
    time, voltage, current, charge, degc = np.array(rows, dtype=float).reshape(-1, len(COLUMNS)).T
    return CellsTrace(time, voltage, current, charge, degc + KELVIN)


def _number(path: Path, line: int, name: str, cells: list[str], place: int) -> float:
    text = cells[place] if place < len(cells) else ''
    try:
        return float(text)
    except ValueError:
        if text.strip().lower() == 'nan':
            return math.nan
        raise InputError(f'{path}: line {line}: {name} is {text!r}; must be a number') from None
