"""How a simulated battery of cells did along a run, as a CSV: one line a sample, units in the column names."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..boats.cell_file import KELVIN
from ..files.table import OWN, read_table
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
    time, voltage, current, charge, degc = read_table(path, COLUMNS, OWN).values()
    return CellsTrace(time, voltage, current, charge, degc + KELVIN)
