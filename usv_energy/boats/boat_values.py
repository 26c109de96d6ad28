"""
Boats with other numbers, given by their paths in the boat file.

The uncertainties in a boat file: the `std` or `interval` beside a number.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.battery_sheet import counter_of
from usv_energy.boats.boat_file import Boat
from usv_energy.boats.checks import check_places, check_vessel, with_arrangement
from usv_energy.boats.numbers import given_numbers, row_of
from usv_energy.boats.parted_hull_file import parted_hull_of
from usv_energy.boats.vessel import Vessel, with_payload, without_payload
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.thrusters.thruster import with_shares

LISTS = ('thrusters', 'foils', 'loads')
ACTUATORS = ('thrusters', 'foils')
MOVING = {'x', 'y', 'efficiency_of_tilt', 'angle'}  # Numbers that change the thrusters' shares.
Values = Mapping[str, Any]  # Path of a number in a boat's file to a number, or to an array with one number per run.


def number_of(vessel: Vessel, path: str) -> float:
    """Return a number of a Vessel; of the first one for thrusters. NaN for a part that it does not have."""
    node: Any = vessel
    for field in row_of(path).fields[1:]:
        node = getattr(node, field)
        if field in LISTS:
            node = node[0] if node else None
        if node is None:
            return math.nan
    return float(node)


def vessel_with(vessel: Vessel, values: Values) -> Vessel:
    """
    Return a Vessel with other numbers, without checks.

    :param values: By path; `thrusters.*.lag` is that of all thrusters, `thrusters.0.lag` of the first alone.
    :raises InputError: For an unknown path, or a number of a part that the boat does not have.
    """
    changed, moved, touched = vessel, False, False
    for path in sorted(values, key=lambda path: '*' not in path):
        row = row_of(path)
        parts = path.split('.')
        which = int(parts[1]) if parts[0] in LISTS and parts[1] != '*' else None
        changed = _with(changed, row.fields[1:], row.from_file(values[path]), which, path)
        touched = touched or parts[0] in ACTUATORS
        moved = moved or (parts[0] == 'thrusters' and row.fields[-1] in MOVING)
    changed = changed._replace(thrusters=with_shares(changed.thrusters)) if moved else changed
    return with_arrangement(changed) if touched else changed


def _with(node: Any, fields: tuple[str, ...], value: Any, which: int | None, path: str) -> Any:
    """Return a nested named tuple, or each member of a list, with another number at the end of a path of fields."""
    if node is None:
        raise InputError(f'the boat has no such part as {path} is of')
    if not hasattr(node, '_fields'):
        return tuple(_with(member, fields, value, None, path) if which in (None, number) else member
                     for number, member in enumerate(node))
    name, rest = fields[0], fields[1:]
    return node._replace(**{name: _with(getattr(node, name), rest, value, which, path) if rest else value})


def has_part(vessel: Vessel, path: str) -> bool:
    """Return whether a vessel has the part that a number of the boat file is of; of a list, whether it has the list."""
    node: Any = vessel
    for name in row_of(path).fields[1:-1]:
        node = getattr(node, name, ())
        if node is None:
            return False
    return True


def boat_with(boat: Boat, values: Values) -> Boat:
    """
    Return a boat with other numbers of its file, without checks.

    The inertia is that of the file, to which the payload is added.

    :param values: By path, as `vessel_with`, and those of hull and battery.
    :raises InputError: For an unknown path, or a number of a battery without a battery.
    """
    if not values:
        return boat
    parts: dict[str, dict[str, Any]] = {'hull': {}, 'battery': {}}
    of_vessel = {}
    for path, value in values.items():
        part, name = row_of(path).fields[:2]
        if part in ('parts', 'floating'):
            raise InputError(f'{boat.path}: {path} is of the hull\'s parts, which do not vary from run to run')
        if part == 'vessel':
            of_vessel[path] = value
        else:
            parts[part][name] = value
    if parts['battery'] and boat.battery is None:
        raise InputError(f'{boat.path}: has no battery, so no {next(iter(parts["battery"]))}')
    hull = boat.hull._replace(**parts['hull'])
    vessel = boat.vessel
    if parts['hull'] or any(path.startswith('inertia.') for path in of_vessel):
        empty = vessel_with(vessel._replace(inertia=without_payload(vessel.inertia, boat.hull)), of_vessel)
        vessel = empty._replace(inertia=with_payload(empty.inertia, hull))
    else:
        vessel = vessel_with(vessel, of_vessel)
    if boat.hull_sheet is not None and parts['hull']:
        vessel = vessel._replace(parts=_parts_with(boat, hull, vessel.inertia))
    if not parts['battery'] or boat.battery_sheet is None:
        return replace(boat, vessel=vessel, hull=hull)
    sheet = boat.battery_sheet._replace(**parts['battery'])
    return replace(boat, vessel=vessel, hull=hull, battery=counter_of(sheet), battery_sheet=sheet)


def _parts_with(boat: Boat, hull: Any, inertia: Any) -> Any:
    """Return a boat's hull of parts with another payload on board."""
    if any(np.ndim(value) for value in hull if value is not None):
        raise InputError(f'{boat.path}: a payload that varies from run to run is not for a hull of parts, which lies '
                         'in the water as its file loads it')
    return parted_hull_of(boat.hull_sheet, hull, inertia, f'{boat.path}: ')  # type: ignore[arg-type]


def checked_boat_with(boat: Boat, values: Mapping[str, float]) -> Boat:
    """
    Return a boat with other numbers of its file, checked like a file.

    :raises InputError: As `boat_with`, and for a number beyond its limits or inconsistent with others.
    """
    for path, value in values.items():
        row = row_of(path)
        if fault := row.fault(value, value):
            raise InputError(f'{boat.path}: {path} is {value:g} {row.unit}; {fault}')
    changed = boat_with(boat, values)
    check_vessel(changed.vessel, f'{boat.path}: ')
    check_places(changed.vessel, changed.hull, f'{boat.path}: ')
    return changed


NORMAL_95 = 1.959963984540054  # (-), half width of a 95 % interval in standard deviations of a normal distribution.


class UncertainNumber(NamedTuple):
    """An uncertain number: its path in the file, its value, and its standard deviations below and above the value."""

    name: str
    value: float
    below: float
    above: float

    def at(self, deviation: np.ndarray) -> np.ndarray:
        """Return the values at standard normal deviates; a split normal distribution if `below` is not `above`."""
        return np.asarray(self.value + deviation * np.where(deviation > 0.0, self.above, self.below))


def bandable_numbers(boat: Boat) -> dict[str, Any]:
    """
    Return the numbers of a boat that may be uncertain, by path, with their entries: plain or with a unit.

    They are its file's; the hotel load, payload or battery that options gave the boat is as doubtful as the file's own.
    """
    given = {path: _as_fitted_out(boat, path, node)
             for path, node in given_numbers(checked.read_with_base('boats', boat.path)) if row_of(path).band}
    return {path: node for path, node in given.items() if node is not None}


def _as_fitted_out(boat: Boat, path: str, node: Any) -> Any:
    """Return an entry with the boat's value in place of the file's; None of a battery that has no such number."""
    part, name = row_of(path).fields[:2]
    owner = {'hull': boat.hull, 'battery': boat.battery_sheet}.get(part, boat.vessel if path == 'static_load' else None)
    if owner is None:
        return node
    own = getattr(owner, name)
    if own is None or not isinstance(node, Mapping):
        return own
    moved = {'interval': [float(end) + own - float(node['value']) for end in node['interval']]} if (
        'interval' in node) else {}
    return {**node, 'value': own, **moved}


def uncertain_numbers(boat: Boat) -> dict[str, UncertainNumber]:
    """Return the uncertain numbers of a boat file, by path."""
    return {path: _from_entry(path, node) for path, node in bandable_numbers(boat).items()
            if isinstance(node, Mapping) and ('std' in node or 'interval' in node)}


def _from_entry(path: str, node: Mapping[str, Any]) -> UncertainNumber:
    """Return the UncertainNumber of an entry with `std` or `interval` beside its value."""
    value = float(node['value'])
    if 'std' in node:
        return UncertainNumber(path, value, float(node['std']), float(node['std']))
    low, high = map(float, node['interval'])
    return UncertainNumber(path, value, max(0.0, value - low) / NORMAL_95, max(0.0, high - value) / NORMAL_95)
