"""A boat as its file in config/boats describes it: the `Vessel` that the physics reads, its name, file and battery."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..physics.battery import Battery
from .vessel import Damping, Inertia, Losses, Thruster, Vessel, Windage


@dataclass(frozen=True)
class Boat:
    """A boat as its file describes it."""

    name: str
    description: str
    path: Path
    vessel: Vessel
    thruster_names: tuple[str, ...]
    battery: Battery | None


def read_boat(name: str, beside: Path | None = None) -> Boat:
    """
    Return a boat by its name in config/boats or by the path of its YAML file.

    :param name: A shipped one, or a path.
    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('boats', name, beside)
    document = checked.read_with_base('boats', path)
    return boat_from(document, path)


def boat_from(document: dict[str, Any], path: Path) -> Boat:
    """
    Return a boat from the content of its file.

    :raises InputError: As `read_boat`.
    """
    checked.check(document, 'boat', path)
    plain: dict[str, Any] = checked.values_of(document)
    thrusters = plain['thrusters']
    names = tuple(thruster['name'] for thruster in thrusters)
    if len(set(names)) != len(names):
        raise InputError(f'{path}: thrusters have the names {", ".join(names)}; each name must stand once')
    for number, thruster in enumerate(thrusters):
        if thruster['min_thrust'] >= thruster['max_thrust']:
            raise InputError(f'{path}: thrusters.{number}.min_thrust is {thruster["min_thrust"]}; '
                             f'must be less than max_thrust, {thruster["max_thrust"]}')
    vessel = Vessel(
        inertia=_inertia(plain['inertia'], path),
        damping=_damping(plain['damping'], path),
        windage=Windage(*(float(plain['windage'][key]) for key in Windage._fields)),
        thrusters=_thrusters(thrusters),
        losses=_losses(plain.get('losses', {}), thrusters, path),
        static_load=float(plain['static_load']),
    )
    battery = Battery(**{key: float(value) for key, value in plain['battery'].items()}) if 'battery' in plain else None
    return Boat(plain['name'], plain.get('description', ''), path, vessel, names, battery)


def _inertia(plain: dict[str, Any], path: Path) -> Inertia:
    inertia = Inertia(**{key: float(value) for key, value in plain.items()})
    if inertia.m23 ** 2 >= inertia.m22 * inertia.m33:
        raise InputError(f'{path}: inertia.m23 is {inertia.m23}; its square must be less than m22 m33, '
                         f'{inertia.m22 * inertia.m33:g}')
    return inertia


def _damping(plain: dict[str, dict[str, Any]], path: Path) -> Damping:
    quadratic, speed = plain['quadratic'], plain.get('speed', {})
    damping = Damping(**{key: float(value) for key, value in plain['linear'].items()},
                      **{f'{key}_q': float(value) for key, value in quadratic.items()},
                      **{f'{key}_u': float(value) for key, value in speed.items()})
    for part, d22, d23, d32, d33 in (('linear', damping.d22, damping.d23, damping.d32, damping.d33),
                                     ('speed', damping.d22_u, damping.d23_u, damping.d32_u, damping.d33_u)):
        if (d23 + d32) ** 2 > 4.0 * d22 * d33 * (1.0 + 1e-9):
            raise InputError(f'{path}: damping.{part}.d23 + d32 is {d23 + d32:g}; its square must be at most '
                             f'4 d22 d33, {4.0 * d22 * d33:g}, or the damping would drive the boat')
    return damping


def _thrusters(plain: list[dict[str, Any]]) -> tuple[Thruster, ...]:
    tilts = [math.cos(math.radians(thruster.get('tilt_deg', 0.0))) for thruster in plain]
    arrangement = np.array([[tilt, -thruster['y'] * tilt] for tilt, thruster in zip(tilts, plain)]).T
    shares = np.linalg.pinv(arrangement)
    return tuple(
        Thruster(float(thruster['x']), float(thruster['y']), float(thruster['min_thrust']),
                 float(thruster['max_thrust']), tilt, float(thruster.get('lag', 0.0)), float(surge), float(yaw))
        for thruster, tilt, (surge, yaw) in zip(plain, tilts, shares))


def _losses(plain: dict[str, Any], thrusters: list[dict[str, Any]], path: Path) -> Losses:
    mapped = 'map' in plain
    if mapped and plain.get('efficiency', 1.0) != 1.0:
        raise InputError(f'{path}: losses.efficiency is {plain["efficiency"]} beside a map; must be 1 or left out')
    knots = plain['map'] if mapped else [[0.0, 0.0], [1.0, 0.0]]
    thrust, power = (np.array(column, dtype=float) for column in zip(*knots))
    if np.any(np.diff(thrust) <= 0.0):
        raise InputError(f'{path}: losses.map has the thrusts {list(map(float, thrust))}; they must rise')
    if np.any(power < 0.0):
        raise InputError(f'{path}: losses.map has the powers {list(map(float, power))}; must be at least 0')
    lowest, highest = (pick(float(t[f'{end}_thrust']) for t in thrusters) for pick, end in ((min, 'min'), (max, 'max')))
    if mapped and not (thrust[0] <= lowest and highest <= thrust[-1]):
        raise InputError(f'{path}: losses.map goes from {thrust[0]} to {thrust[-1]} N; must cover the thrusters, '
                         f'{lowest} to {highest} N')
    return Losses(float(plain.get('efficiency', 1.0)), float(mapped), thrust, power)
