"""
Parameters of a boat: frozen types of plain numbers, read from config/boats.

The numeric part (`Vessel`) is named tuples of floats all the way down, so that the same value goes to Python, numpy
and compiled code. `Boat` adds what a person wants to know: the name, the file, the battery.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..physics.battery import Battery


class Inertia(NamedTuple):
    """
    Mass and inertia of hull and added mass: m11, m22 in kg, m33 in kg m^2, all above zero.

    m23 couples sway and yaw, kg m: m x_g - Y_rdot, the same in FLU and FRD; its square is less than m22 m33.
    """

    m11: float
    m22: float
    m33: float
    m23: float = 0.0


class Damping(NamedTuple):
    """
    Drag: linear d11, d22 (N s/m), d33 (N m s/rad); quadratic d11_q, d22_q (N s^2/m^2), d33_q (N m s^2/rad^2).

    d23 and d32 couple sway and yaw: the sway force of a yaw rate (N s/rad), the yaw moment of a sway velocity (N s).
    d22_u (N s^2/m^2), d23_u (N s^2/(m rad)), d32_u (N s^2/m), d33_u (N s^2/rad) are the same per m/s of surge: lift.
    """

    d11: float
    d22: float
    d33: float
    d11_q: float
    d22_q: float
    d33_q: float
    d23: float = 0.0
    d32: float = 0.0
    d22_u: float = 0.0
    d23_u: float = 0.0
    d32_u: float = 0.0
    d33_u: float = 0.0


class Windage(NamedTuple):
    """Hull above water: areas in m^2, coefficients (-), density of the air in kg/m^3."""

    frontal_area: float
    lateral_area: float
    c_x: float
    c_y: float
    air_density: float


class Thruster(NamedTuple):
    """
    One fixed thruster: place x forward, y to port in m (FLU, from the centre of mass); limits along its axis in N.

    `efficiency_of_tilt` is the cosine of the axis's tilt out of the horizontal: the share of the thrust that drives.
    `lag` is the time constant of the thrust's answer to a command, s; 0 answers at once.
    `surge_share` (-) and `yaw_share` (1/m): the thrust that it takes for a surge force and a yaw moment, all thrusters
    together taking the least (the pseudo-inverse of their arrangement).
    """

    x: float
    y: float
    min_thrust: float
    max_thrust: float
    efficiency_of_tilt: float
    lag: float
    surge_share: float
    yaw_share: float


class Losses(NamedTuple):
    """
    From mechanical to electrical power: an overall efficiency (-), or where `mapped` is 1.0, a map.

    The map gives the electrical power, W, of one thruster at a thrust along its axis, N (rising knots).
    """

    efficiency: float
    mapped: float
    map_thrust: np.ndarray
    map_power: np.ndarray


class Vessel(NamedTuple):
    """Everything that the physics needs to know of a boat: numbers only."""

    inertia: Inertia
    damping: Damping
    windage: Windage
    thrusters: tuple[Thruster, ...]
    losses: Losses
    static_load: float


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
    plain: dict[str, Any] = values_of(document)
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


def values_of(node: Any) -> Any:
    """Return the document with every `{value:, unit:, source:}` replaced by its value."""
    if isinstance(node, dict):
        return node['value'] if 'value' in node else {key: values_of(inner) for key, inner in node.items()}
    return [values_of(inner) for inner in node] if isinstance(node, list) else node


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
