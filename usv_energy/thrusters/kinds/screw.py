"""
A screw known by its open-water curves, K_T and K_Q over the advance J, on a motor that holds its rate of turning.

T = density n^2 D^4 K_T, Q = density n^2 D^5 K_Q and J = v / (n D) define the coefficients (ITTC). A command stands for
a rate: that at which the screw gives it at standstill. Thrust and electrical power are tabled over command and speed,
and looked up in straight lines, so that a thrust has the one command that gives it. Thrust astern is taken as the
mirror of that ahead at standstill, which a real screw does not quite reach; a screw that turns slower than the water
gives none.
"""

from typing import Any, NamedTuple

import numpy as np

from ...files.errors import InputError
from ...physics.elementwise import interpolate, kernel, larger, register_body, select
from ..commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from ..kind import DescribedPropeller, PropellerKind, register_kind
from ..knots import check_rising
from ..open_water import SCREW, WATER_DENSITY, OpenWater, b_screw
from ..rates import Turning

SPEEDS = 9             # Rows of a table: speeds of the water from 0 to where the fastest screw gives no thrust.
RATES = 30             # Knots of a table on each side of 0, equally far apart in the rate of turning.
BEYOND = 1.25          # Of the drive's limits: up to here a table goes, for readings of rates above them.
CURVES = ('advance', 'kt', 'kq')
STEEPEST = 1e-12       # N: knots of a command whose thrusts are no further apart give the same.


class Drive(NamedTuple):
    """
    Motor and ESC: rates of turning that they reach, 1/s, least (astern below 0) and most; efficiency (-) over shaft W.

    The efficiency is that of both together, at rising knots of the shaft's power, held constant outside them.
    """

    least: float
    most: float
    shaft_power: np.ndarray
    efficiency: np.ndarray


class ScrewTable(NamedTuple):
    """
    Knots of a table, as arrays or tuples.

    `command` (thrust at standstill, N, rising, astern below 0), `speed` (m/s, rising), `place` (0, 1, 2 ...: the number
    of each of its knots), `thrust` (N) and `power` (W electrical): a row a speed.
    """

    command: Any
    speed: Any
    place: Any
    thrust: Any
    power: Any


def screw_table(curves: OpenWater, diameter: float, drive: Drive, density: float = WATER_DENSITY) -> ScrewTable:
    """
    Return the ScrewTable of a screw and its drive.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param drive: The Drive.
    :param density: Of the water, kg/m^3.
    """
    force, none = density * diameter ** 4, curves.advance_without_thrust
    ahead = np.linspace(0.0, BEYOND * drive.most, RATES + 1)
    astern = np.linspace(BEYOND * drive.least, 0.0, RATES + 1)[:-1] if drive.least < 0.0 else np.zeros(0)
    rate = np.concatenate((astern, ahead))
    speed = np.linspace(0.0, none * diameter * drive.most, SPEEDS)
    v, turning = np.meshgrid(speed, abs(rate), indexing='ij')
    into = np.where(rate < 0.0, 0.0, v)  # Astern as at standstill.
    moves = turning > 0.0
    advance = np.where(moves, into / np.where(moves, turning * diameter, 1.0), np.inf)
    of_thrust = np.interp(np.minimum(advance, none), curves.advance, curves.thrust)
    of_torque = np.interp(np.minimum(advance, none), curves.advance, curves.torque)
    thrust = np.sign(rate) * force * turning ** 2 * np.maximum(of_thrust, 0.0)
    shaft = 2.0 * np.pi * density * diameter ** 5 * turning ** 3 * np.maximum(of_torque, 0.0)
    power = shaft / np.interp(shaft, drive.shaft_power, drive.efficiency)
    command = np.sign(rate) * force * float(curves.thrust[0]) * rate ** 2
    return ScrewTable(command, speed, np.arange(float(SPEEDS)), thrust, power)


@kernel
def _tabled(command, inflow, propeller, rows):
    """Return what rows of a table, one a speed, say for a command, in straight lines along both."""
    place = interpolate(inflow, propeller.speed, propeller.place)
    value = 0.0 * (command + inflow)
    for number, row in enumerate(rows):
        weight = larger(1.0 - abs(place - number), 0.0)
        value = value + weight * interpolate(command, propeller.command, row)
    return value


@kernel
def _thrust(command, inflow, propeller):
    return _tabled(command, inflow, propeller, propeller.thrust)


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    return _tabled(bollard, inflow, propeller, propeller.thrust)


@kernel
def _thrust_at_knot(number, place, propeller):
    """Return the thrust of a command's knot, N, at a place between the speeds' knots."""
    thrust = 0.0 * place
    for row in range(len(propeller.speed)):
        thrust = thrust + larger(1.0 - abs(place - row), 0.0) * propeller.thrust[row][number]
    return thrust


@kernel
def _command(thrust, inflow, propeller):
    place = interpolate(inflow, propeller.speed, propeller.place)
    least = _thrust_at_knot(0, place, propeller)
    command = propeller.command[0] + 0.0 * (thrust + inflow)
    for number in range(1, len(propeller.command)):
        most = _thrust_at_knot(number, place, propeller)
        first, last = propeller.command[number - 1], propeller.command[number]
        share = (thrust - least) / larger(most - least, STEEPEST)
        command = select(thrust >= least, first + select(share > 1.0, 1.0, share) * (last - first), command)
        least = most
    return command


@kernel
def _power(thrust, inflow, propeller):
    return _tabled(_command(thrust, inflow, propeller), inflow, propeller, propeller.power)


register_body(thrust_of_command, ScrewTable, _thrust)
register_body(thrust_at_rate, ScrewTable, _thrust_at_rate)
register_body(command_of_thrust, ScrewTable, _command)
register_body(power_of_thrust, ScrewTable, _power)


def read_screw(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """Return the propeller of a `diameter`, with a B-series screw or curves of its own; InputError where it is none."""
    given = {name: [key for key in keys if key in plain] for name, keys in (('screw', SCREW), ('curves', CURVES))}
    if len(given['screw']) == len(SCREW) and not given['curves']:
        curves = b_screw(plain, where)
        correction = 'thrust and power follow from the polynomials of the Wageningen B-series'
    elif len(given['curves']) == len(CURVES) and not given['screw']:
        curves, correction = _own_curves(plain, where), ''
    else:
        raise InputError(f'{where} has {", ".join((*given["screw"], *given["curves"])) or "neither"} beside diameter; '
                         f'must have either {", ".join(SCREW)}, or {", ".join(CURVES)}')
    least, most = (float(rpm) / 60.0 for rpm in plain['rpm_limits'])
    if not least <= 0.0 < most:
        raise InputError(f'{where}.rpm_limits is {plain["rpm_limits"]}; must be the least, at most 0, and the largest, '
                         'above 0')
    drive, diameter = Drive(least, most, *_efficiency(plain['efficiency'], where)), float(plain['diameter'])
    root = (WATER_DENSITY * float(curves.thrust[0])) ** 0.5 * diameter ** 2  # Of the thrust at 1/s, N^0.5 s.
    rates = np.array([least, 0.0, most] if least < 0.0 else [0.0, most])
    limits = (-(root * least) ** 2, (root * most) ** 2)
    return DescribedPropeller(screw_table(curves, diameter, drive), 'diameter', limits, correction,
                              Turning(rates, root * rates))


def _own_curves(plain: dict[str, Any], where: str) -> OpenWater:
    advance, kt, kq = (np.array(plain[key], dtype=float) for key in CURVES)
    check_rising(advance, f'{where}: advance is no function of J:')
    if advance[0] != 0.0:
        raise InputError(f'{where}.advance begins at {advance[0]:g}; must begin at 0, standstill')
    for key, values in (('kt', kt), ('kq', kq)):
        if values.size != advance.size:
            raise InputError(f'{where}.{key} has {values.size} numbers; must be as many as advance, {advance.size}')
    if np.any(np.diff(kt) >= 0.0) or kt[0] <= 0.0:
        raise InputError(f'{where}.kt is {kt.tolist()}; must begin above 0 and fall')
    if np.any(kq[kt > 0.0] <= 0.0):
        raise InputError(f'{where}.kq is {kq.tolist()}; must be above 0 wherever kt is')
    return OpenWater(advance, kt, kq)


def _efficiency(given: Any, where: str) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, list):
        return np.zeros(1), np.array([float(given)])
    power, efficiency = np.array(given, dtype=float).T.copy()
    check_rising(power, f'{where}: efficiency has the shaft powers')
    if np.any(efficiency <= 0.0) or np.any(efficiency > 1.0):
        raise InputError(f'{where}: efficiency has the values {efficiency.tolist()}; must be above 0 and at most 1')
    return power, efficiency


register_kind(PropellerKind('diameter', ('rpm_limits', 'efficiency'), (*SCREW, *CURVES), read_screw, properties={
    'diameter': {'description': 'm', '$ref': '#/$defs/positive'},
    'pitch_ratio': {'description': 'P/D of a Wageningen B-screw, (-)', '$ref': '#/$defs/positive'},
    'area_ratio': {'description': 'A_E/A_0, (-)', '$ref': '#/$defs/positive'},
    'blades': {'description': 'Z', '$ref': '#/$defs/positive'},
    'advance': {'description': 'J of own curves, from 0, rising, (-).', '$ref': '#/$defs/numbers'},
    'kt': {'description': 'K_T at each J', '$ref': '#/$defs/numbers'},
    'kq': {'description': 'K_Q at each J', '$ref': '#/$defs/numbers'},
    'rpm_limits': {'description': 'Least (astern below 0) and largest rate of turning, 1/min.', 'type': 'array',
                   'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}},
    'efficiency': {
        'description': 'Of motor and ESC together, (-); or rows of shaft power (W, rising) and efficiency.',
        'if': {'type': 'array'},
        'then': {'minItems': 1,
                 'items': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}}},
        'else': {'type': 'number', 'exclusiveMinimum': 0, 'maximum': 1}}}))
