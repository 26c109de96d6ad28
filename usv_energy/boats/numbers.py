"""
The table of a boat's numbers: the path of each in the boat's file and in its types, its unit and its limits.

The rows are beside their fields in `vessel.py`, those of the battery are here. The schema of boat files, the numbers
that sweeps may vary, that `usv-energy identify` fits and that uncertainty bands draw, all follow from this table.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from usv_energy.boats.parted_hull_file import Floating, HullPart
from usv_energy.boats.vessel import Hull, Vessel
from usv_energy.files.checked import BoatNumber, number
from usv_energy.files.errors import InputError
from usv_energy.files.limits import MOST_CELLS
from usv_energy.files.locate import share_folder
from usv_energy.files.parsed_text import read_yaml

BATTERY = (
    number('battery.capacity_wh', 'Wh', 'usable energy at the nominal voltage, or with a chemistry at rated_current',
           above=0, sweep=False),
    number('battery.nominal_voltage', 'V', 'nominal voltage', above=0, sweep=False),
    number('battery.initial_state_of_charge', '-', 'state of charge at the start', at_least=0, at_most=1),
    number('battery.series', '-', 'cells in a string; with a chemistry', at_least=1, at_most=MOST_CELLS, sweep=False,
           band=False),
    number('battery.parallel', '-', 'strings side by side; 1 where left out', at_least=1, at_most=MOST_CELLS,
           sweep=False, band=False),
    number('battery.capacity_ah', 'Ah', 'charge of the battery at rated_current', above=0, sweep=False),
    number('battery.rated_current', 'A', 'at which capacity_ah and capacity_wh hold; that of its cells where left out',
           above=0, sweep=False, band=False),
    number('battery.internal_resistance', 'Ohm', 'to a current of 10 s, half charged, at 25 degC', above=0,
           sweep=False),
    number('battery.full_voltage', 'V', 'to which it is charged', above=0, sweep=False, band=False),
    number('battery.cutoff_voltage', 'V', 'below which nothing is drawn', above=0, sweep=False, band=False),
    number('battery.most_current', 'A', 'that may be drawn', above=0, sweep=False, band=False),
    number('battery.capacity_share', '-', 'capacity left with age; 1 where left out', above=0, at_most=1.5),
    number('battery.resistance_factor', '-', 'resistance with age; 1 where left out', above=0),
    number('battery.ambient_degc', 'degC', 'temperature around it; that at which its numbers hold where left out',
           at_least=-60, at_most=80))
LIST_ENTRY = re.compile(r'\.[0-9]+\.')
MAY_BE_LEFT_OUT = {'battery', 'azimuth', 'foils', 'steer', 'loads', 'duty', 'parts',
                   'floating'}  # If given, then completely.


def _rows(kind: Any, fields: tuple[str, ...]) -> Iterator[BoatNumber]:
    """Yield the rows beside the fields of a named tuple, and of nested ones, with their fields."""
    defaults = kind._field_defaults
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            row = get_args(hint)[1]
            default = row.default if row.default is not None else defaults.get(name)
            yield replace(row, fields=(*fields, name), default=default,
                          required=row.default is None and name not in defaults)
        elif get_origin(hint) is tuple:
            yield from _rows(get_args(hint)[0], (*fields, name))
        else:
            kind = next((part for part in (hint, *get_args(hint)) if hasattr(part, '_fields')), NoneType)
            yield from _rows(kind, (*fields, name)) if kind is not NoneType else ()


BOAT_NUMBERS: Mapping[str, BoatNumber] = {row.path: row for row in (
    *_rows(Hull, ('hull',)), *_rows(Vessel, ('vessel',)), *_rows(HullPart, ('parts',)),
    *_rows(Floating, ('floating',)),
    *(replace(row, fields=tuple(row.path.split('.'))) for row in BATTERY))}


def may_vary(row: BoatNumber, on_cells: bool) -> bool:
    """
    Return whether sweeps may vary a number.

    :param row: Of the table.
    :param on_cells: Whether the boat is simulated on a battery of cells; the numbers of an energy counter do not affect
        a run.
    """
    return row.sweep and (on_cells or row.fields[0] != 'battery')


def row_of(path: str, known: Iterable[str] | None = None) -> BoatNumber:
    """
    Return the row of a number by its path in the file; the index of a list entry may be `*`.

    :raises InputError: If there is none; the message names similar paths.
    """
    row = BOAT_NUMBERS.get(path) or BOAT_NUMBERS.get(re.sub(LIST_ENTRY, '.*.', path))
    if row is None:
        raise unknown(path, list(known or BOAT_NUMBERS))
    return row


def given_numbers(node: Any, path: str = '') -> Iterator[tuple[str, Any]]:
    """Yield the paths of the numbers in a boat file's content, with their entries: plain or with a unit."""
    if re.sub(LIST_ENTRY, '.*.', path) in BOAT_NUMBERS:
        yield path, node
        return
    pairs = node.items() if isinstance(node, Mapping) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in pairs:
        yield from given_numbers(inner, f'{path}.{key}' if path else str(key))


def fitted_in(form: str) -> tuple[str, ...]:
    """Return the paths of the numbers that a form of `usv-energy identify` fits and that simpler forms do not."""
    return tuple(path for path, row in BOAT_NUMBERS.items() if row.fit == form)


def unknown(path: str, known: list[str]) -> InputError:
    """Return the error for an unknown path, with similar ones."""
    close = difflib.get_close_matches(path, known, n=3, cutoff=0.5)
    hint = f'; did you mean {" or ".join(close)}?' if close else f'; there are: {", ".join(known)}'
    return InputError(f'no parameter {path!r} to vary{hint}')


@cache
def boat_schema() -> dict[str, Any]:
    """Return the JSON schema of boat files: config/schema/boat.schema.yaml with the numbers of the table."""
    schema = deepcopy(read_yaml(share_folder() / 'config' / 'schema' / 'boat.schema.yaml'))
    for row in BOAT_NUMBERS.values():
        *sections, name = row.path.split('.')
        node, required = schema, row.required and not MAY_BE_LEFT_OUT.intersection(sections)
        for section in sections:
            if section == '*':
                node = node['items']
                continue
            if required:
                _require(node, section)
            node = node.setdefault('properties', {}).setdefault(section, {'type': 'object'})
        node.setdefault('additionalProperties', False)
        node.setdefault('properties', {})[name] = row.schema()
        if row.required:
            _require(node, name)
    return schema


def _require(node: dict[str, Any], name: str) -> None:
    if name not in node.setdefault('required', []):
        node['required'].append(name)
