"""A battery's cell as a file describes it, shipped in config/batteries or identified: read, checked, as physics."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..files.whole_file import write_text
from ..physics.cell import INTERVALS, Cell
from .cell_numbers import CELL_NUMBERS, TABLES, cell_schema

KELVIN = 273.15  # 0 degC
Rows = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class CellFile:
    """
    A cell as its file describes it.

    `numbers`: pairs of a name in the table of a cell's numbers and its value; None where the file leaves it out and it
    has no default. `tables`: pairs of a name and rows of charge, (-), and V or Ohm.
    """

    name: str
    description: str
    path: Path
    numbers: tuple[tuple[str, float | None], ...]
    tables: tuple[tuple[str, Rows], ...]

    def number(self, name: str) -> float | None:
        """Return a number by its name; None where it is not known."""
        return dict(self.numbers)[name]

    def known(self, name: str) -> float:
        """Return a number that every file has."""
        value = self.number(name)
        assert value is not None
        return value


def read_cell(name: str, beside: Path | None = None) -> CellFile:
    """
    Return a cell by its name in config/batteries or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('batteries', name, beside)
    return cell_from(checked.read_yaml(path), path)


def cell_from(document: dict[str, Any], path: Path) -> CellFile:
    """
    Return a cell from the content of its file.

    :raises InputError: As `read_cell`.
    """
    checked.check(document, cell_schema, path)
    given = document['cell']
    plain = checked.values_of({name: node for name, node in given.items() if name not in TABLES})
    numbers = tuple((name, float(plain[name]) if name in plain else row.default)
                    for name, row in CELL_NUMBERS.items())
    tables = tuple((name, tuple((float(charge), float(value)) for charge, value in given[name]['rows']))
                   for name in TABLES if name in given)
    found = CellFile(document['name'], document.get('description', ''), path, numbers, tables)
    for name, rows in tables:
        _check_table(name, rows, path)
    low, middle, high = (found.known(f'{which}_voltage') for which in ('cutoff', 'nominal', 'full'))
    if not low < middle < high:
        raise InputError(f'{path}: cell.nominal_voltage is {middle:g}; must be between cutoff_voltage, {low:g}, and '
                         f'full_voltage, {high:g}')
    if found.number('rated_current') is None and found.number('energy_wh') is not None:
        raise InputError(f'{path}: cell.energy_wh stands without rated_current, at which it was measured')
    return found


def guessed_numbers(file: CellFile, words: Sequence[str]) -> tuple[list[str], int]:
    """Return the numbers and tables of a cell's file in whose source one of some words is, and how many there are."""
    given = checked.read_yaml(file.path)['cell']
    sources = {name: str(node.get('source', '')).lower() for name, node in given.items() if isinstance(node, dict)}
    return [name for name, source in sources.items() if any(word in source for word in words)], len(given)


def _check_table(name: str, rows: Rows, path: Path) -> None:
    charges, values = np.array(rows).T
    if charges[0] != 0.0 or charges[-1] != 1.0 or np.any(np.diff(charges) <= 0.0):
        raise InputError(f'{path}: cell.{name}.rows has the charges {charges.tolist()}; they must rise from 0 to 1')
    if name == 'open_circuit_voltage' and np.any(np.diff(values) <= 0.0):
        where = int(np.argmax(np.diff(values) <= 0.0))
        raise InputError(f'{path}: cell.{name}.rows has {values[where + 1]:g} V at {charges[where + 1]:g} after '
                         f'{values[where]:g} V; the voltage must rise with the charge')
    if np.any(values < 0.0):
        raise InputError(f'{path}: cell.{name}.rows has {values.min():g}; must be at least 0')


def tabulated(rows: Rows) -> np.ndarray:
    """
    Return a table of the physics through the rows of a file: monotone cubic between them.

    Source: Fritsch and Butland, A method for constructing local monotone piecewise cubic interpolants (1984), as
    scipy's PchipInterpolator.
    """
    from scipy.interpolate import PchipInterpolator
    charges, values = np.array(rows).T
    return np.ascontiguousarray(PchipInterpolator(charges, values)(np.linspace(0.0, 1.0, INTERVALS + 1)))


def table_cell(file: CellFile) -> Cell:
    """Return the physics' cell whose capacity is that of the file's table: `capacity_ah` as it stands."""
    tables = {name: tabulated(rows) for name, rows in file.tables}
    nothing = np.zeros(INTERVALS + 1)
    most = file.number('most_current')
    return Cell(
        capacity=3600.0 * file.known('capacity_ah'), open_circuit=tables['open_circuit_voltage'],
        resistance=tables['resistance'], fast_resistance=tables.get('fast_resistance', nothing),
        slow_resistance=tables.get('slow_resistance', nothing),
        reference_temperature=KELVIN + file.known('reference_degc'),
        most_current=math.inf if most is None else most,
        **{name: file.known(name) for name in Cell._fields if name in CELL_NUMBERS and name != 'most_current'})


def write_cell(document: Mapping[str, Any], path: Path, heading: str = '') -> CellFile:
    """
    Write a file of a cell, whole or not at all, and return the cell that it describes.

    :param heading: A comment for the first line, without its `#`.
    :raises InputError: If it would be no cell: the path, key, value, what is allowed. What was at `path` stays.
    :raises OSError: If it cannot be written.
    """
    body = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    text = f'# {heading}\n{body}' if heading else body
    file = cell_from(checked.parsed_yaml(text, path), path)
    write_text(text, path)
    return file
