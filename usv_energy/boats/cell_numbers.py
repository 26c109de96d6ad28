"""
The one table of a cell's numbers: where each stands in a file of config/batteries, its unit and its limits.

The schema of such files and what `usv-energy identify-battery` writes follow from it. The numbers of a boat's `battery`
stand in the table of a boat's numbers, `numbers.py`.
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from ..files.checked import read_yaml
from ..files.file_number import BoatNumber, number
from ..files.locate import share_folder

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


@cache
def cell_schema() -> dict[str, Any]:
    """Return the JSON schema of files of cells: config/schema/battery.schema.yaml with the numbers of the table in."""
    schema = deepcopy(read_yaml(share_folder() / 'config' / 'schema' / 'battery.schema.yaml'))
    cell = schema['properties']['cell']
    tables = {name: {'$ref': '#/$defs/table', 'properties': {'unit': {'const': unit}}} for name, unit in TABLES.items()}
    cell |= {'additionalProperties': False, 'required': [*cell['required'], *REQUIRED],
             'properties': {**{name: row.schema() for name, row in CELL_NUMBERS.items()}, **tables}}
    return schema
