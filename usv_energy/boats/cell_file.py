"""A battery's cell as a file describes it: the table of its numbers, reading and checks."""

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from usv_energy.boats.power_curve import monotone_cubic
from usv_energy.files import checked
from usv_energy.files.checked import BoatNumber, number
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve, share_folder
from usv_energy.files.parsed_text import parsed_yaml, read_yaml
from usv_energy.files.text_file import write_text
from usv_energy.physics.batteries.cell import INTERVALS, Cell

CELL_NUMBERS: Mapping[str, BoatNumber] = {row.path: row for row in (
    number('capacity_ah', 'Ah', 'charge that it gives at rated_current; without that, of its tables', above=0),
    number('rated_current', 'A', 'at which capacity_ah and energy_wh were measured', above=0),
    number('energy_wh', 'Wh', 'energy that it gives at rated_current', above=0),
    number('nominal_voltage', 'V', 'nominal voltage', above=0),
    number('full_voltage', 'V', 'to which it is charged', above=0),
    number('cutoff_voltage', 'V', 'below which nothing is drawn', above=0),
    number('most_current', 'A', 'that may be drawn', above=0),
    number('capacity_slope', '1/K', 'by how much the capacity is less where colder', at_least=0, default=0.0),
    number('fast_time', 's', 'time constant of the fast RC pair', above=0, default=10.0),
    number('slow_time', 's', 'time constant of the slow RC pair', above=0, default=200.0),
    number('lag', 's', 'by how much of the charge the surface runs ahead, over the current in capacities a second',
           at_least=0, default=0.0),
    number('lag_time', 's', 'time constant of the lag', above=0, default=600.0),
    number('activation', 'K', 'of resistance by Arrhenius', at_least=0, default=0.0),
    number('pair_activation', 'K', "of the pairs' resistances by Arrhenius", at_least=0, default=0.0),
    number('lag_activation', 'K', 'of the lag by Arrhenius', at_least=0, default=0.0),
    number('reference_degc', 'degC', 'temperature at which resistances, lag and capacity hold', above=-273.15,
           default=25.0),
    number('heat_capacity', 'J/K', 'heat capacity', above=0),
    number('conductance', 'W/K', 'heat conductance to the surroundings', above=0))}
REQUIRED = ('capacity_ah', 'nominal_voltage', 'full_voltage', 'cutoff_voltage', 'heat_capacity', 'conductance')
TABLES = {'open_circuit_voltage': 'V', 'resistance': 'Ohm', 'fast_resistance': 'Ohm', 'slow_resistance': 'Ohm'}
KELVIN = 273.15  # 0 degC
Rows = tuple[tuple[float, float], ...]


@cache
def cell_schema() -> dict[str, Any]:
    """Return the JSON schema of cell files: config/schema/battery.schema.yaml with the numbers of the table."""
    schema = deepcopy(read_yaml(share_folder() / 'config' / 'schema' / 'battery.schema.yaml'))
    cell = schema['properties']['cell']
    tables = {name: {'$ref': '#/$defs/table', 'properties': {'unit': {'const': unit}}} for name, unit in TABLES.items()}
    cell |= {'additionalProperties': False, 'required': [*cell['required'], *REQUIRED],
             'properties': {**{name: row.schema() for name, row in CELL_NUMBERS.items()}, **tables}}
    return schema


@dataclass(frozen=True)
class CellFile:
    """
    A cell as its file describes it.

    `numbers`: pairs of a name in CELL_NUMBERS and its value; None if it is not given and has no default. `tables`:
    pairs of a name and rows of charge, (-), and V or Ohm.
    """

    name: str
    description: str
    path: Path
    numbers: tuple[tuple[str, float | None], ...]
    tables: tuple[tuple[str, Rows], ...]

    def number(self, name: str) -> float | None:
        """Return a number by its name; None if it is not known."""
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
    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.
    """
    path = resolve('batteries', name, beside)
    return cell_from(read_yaml(path), path)


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
    """Return the numbers and tables of a cell's file whose source contains one of some words, and the number of all."""
    given = read_yaml(file.path)['cell']
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
    """Return a table of a Cell through the rows of a file, by monotone cubic interpolation."""
    charges, values = np.array(rows).T
    return monotone_cubic(charges, values, np.linspace(0.0, 1.0, INTERVALS + 1))


def table_cell(file: CellFile) -> Cell:
    """Return the Cell with the capacity of the file's tables, `capacity_ah` as given."""
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
    Write a file of a cell, atomically, and return the cell that it describes.

    :param heading: A comment for the first line, without its `#`.
    :raises InputError: If it is not a valid cell; the message names path, key, value and what is allowed. An existing
        file at `path` stays.
    :raises OSError: If it cannot be written.
    """
    body = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    text = f'# {heading}\n{body}' if heading else body
    file = cell_from(parsed_yaml(text, path), path)
    write_text(text, path)
    return file
