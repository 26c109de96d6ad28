"""A boat with other numbers, given by their paths in its file."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..files.errors import InputError
from .boat_file import Boat
from .checks import check_vessel
from .inertia import with_payload, without_payload
from .numbers import row_of
from .vessel import Vessel, with_shares

Values = Mapping[str, Any]  # Path of a number in a boat's file to a number, or to an array with a number a run.


def number_of(vessel: Vessel, path: str) -> float:
    """Return a number of a Vessel, as the physics reads it; of thrusters the first one's."""
    node: Any = vessel
    for field in row_of(path).fields[1:]:
        node = getattr(node, field)
        node = node[0] if field == 'thrusters' else node
    return float(node)


def vessel_with(vessel: Vessel, values: Values) -> Vessel:
    """
    Return a Vessel with other numbers; they are not checked.

    :param values: By their paths; `thrusters.*.lag` is that of all thrusters, `thrusters.0.lag` of the first alone.
    :raises InputError: For a path that is none.
    """
    parts: dict[str, dict[str, Any]] = {}
    thrusters: list[dict[str, Any]] = [{} for _ in vessel.thrusters]
    for path in sorted(values, key=lambda path: '*' not in path):
        row = row_of(path)
        value = row.from_file(values[path])
        *part, name = row.fields[1:]
        if part == ['thrusters']:
            which = path.split('.')[1]
            for changes in thrusters if which == '*' else thrusters[int(which):int(which) + 1]:
                changes[name] = value
        else:
            parts.setdefault(part[0] if part else '', {})[name] = value
    own = parts.pop('', {})
    changed = vessel._replace(**own, **{part: getattr(vessel, part)._replace(**new) for part, new in parts.items()})
    if any(thrusters):
        new = tuple(thruster._replace(**changes) for thruster, changes in zip(vessel.thrusters, thrusters))
        moved = any({'y', 'efficiency_of_tilt'} & set(changes) for changes in thrusters)
        changed = changed._replace(thrusters=with_shares(new) if moved else new)
    return changed


def boat_with(boat: Boat, values: Values) -> Boat:
    """
    Return a boat with other numbers of its file; they are not checked.

    The inertia is the file's, to which the payload adds.

    :param values: By their paths, as `vessel_with`, and those of hull and battery.
    :raises InputError: For a path that is none, or a number of a battery where there is no battery.
    """
    if not values:
        return boat
    parts: dict[str, dict[str, Any]] = {'hull': {}, 'battery': {}}
    of_vessel = {}
    for path, value in values.items():
        part, name = row_of(path).fields[:2]
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
    battery = boat.battery and boat.battery._replace(**parts['battery'])
    return replace(boat, vessel=vessel, hull=hull, battery=battery)


def checked_boat_with(boat: Boat, values: Mapping[str, float]) -> Boat:
    """
    Return a boat with other numbers of its file, checked as the file is.

    :raises InputError: As `boat_with`, and for a number beyond its limits or one that does not go with the others.
    """
    for path, value in values.items():
        row = row_of(path)
        if fault := row.fault(value, value):
            raise InputError(f'{boat.path}: {path} is {value:g} {row.unit}; {fault}')
    changed = boat_with(boat, values)
    check_vessel(changed.vessel, f'{boat.path}: ')
    return changed
