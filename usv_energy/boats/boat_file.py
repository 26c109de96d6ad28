"""A boat as its file in config/boats describes it: the `Vessel` that the physics reads, its name, hull and battery."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..physics.battery import Battery
from .checks import check_vessel
from .numbers import BOAT_NUMBERS, boat_schema
from .payload import with_payload
from .thrust_shares import with_shares
from .vessel import Damping, Hull, Inertia, Losses, Thruster, Vessel, Windage


@dataclass(frozen=True)
class Boat:
    """
    A boat as its file describes it.

    `vessel` has the payload of `hull` on board: its inertia is more than that of the file by what the payload adds.
    """

    name: str
    description: str
    path: Path
    vessel: Vessel
    hull: Hull
    thruster_names: tuple[str, ...]
    battery: Battery | None


def read_boat(name: str, beside: Path | None = None, payload: float | None = None) -> Boat:
    """
    Return a boat by its name in config/boats or by the path of its YAML file.

    :param name: A shipped one, or a path.
    :param beside: Folder of the file that names it, for relative paths.
    :param payload: Mass on board, kg, in place of the file's `hull.payload`, at the place that the file gives it.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('boats', name, beside)
    document = checked.read_with_base('boats', path)
    if payload is not None:
        document['hull'] = {**document.get('hull', {}), 'payload': payload}
    return boat_from(document, path)


def boat_from(document: dict[str, Any], path: Path) -> Boat:
    """
    Return a boat from the content of its file.

    :raises InputError: As `read_boat`.
    """
    checked.check_with(_validator(), document, path)
    plain: dict[str, Any] = checked.values_of(document)
    names = tuple(thruster['name'] for thruster in plain['thrusters'])
    if len(set(names)) != len(names):
        raise InputError(f'{path}: thrusters have the names {", ".join(names)}; each name must stand once')
    hull = Hull(**_numbers(plain, 'hull'))
    vessel = Vessel(
        inertia=with_payload(Inertia(**_numbers(plain, 'vessel', 'inertia')), hull),
        damping=Damping(**_numbers(plain, 'vessel', 'damping')),
        windage=Windage(**_numbers(plain, 'vessel', 'windage')),
        thrusters=with_shares(Thruster(**_numbers(thruster, 'vessel', 'thrusters'), surge_share=0.0, yaw_share=0.0)
                              for thruster in plain['thrusters']),
        losses=_losses(plain), **_numbers(plain, 'vessel'))
    check_vessel(vessel, f'{path}: ')
    battery = Battery(**_numbers(plain, 'battery')) if 'battery' in plain else None
    return Boat(plain['name'], plain.get('description', ''), path, vessel, hull, names, battery)


@cache
def _validator() -> Any:
    return checked.validator_of(boat_schema())


def _numbers(plain: dict[str, Any], *fields: str) -> dict[str, Any]:
    """Return the numbers of a part of a Boat by their fields' names, from the file's content or an entry of it."""
    found = {}
    for row in BOAT_NUMBERS.values():
        if row.fields[:-1] == fields:
            node: Any = plain
            for key in row.path.rpartition('*.')[2].split('.'):
                node = node.get(key) if node is not None else None
            value = row.default if node is None else float(node)
            found[row.fields[-1]] = None if value is None else row.from_file(value)
    return found


def _losses(plain: dict[str, Any]) -> Losses:
    knots = plain.get('losses', {}).get('map')
    thrust, power = (np.array(column, dtype=float) for column in zip(*(knots or [[0.0, 0.0], [1.0, 0.0]])))
    return Losses(mapped=float(knots is not None), map_thrust=thrust, map_power=power,
                  **_numbers(plain, 'vessel', 'losses'))
