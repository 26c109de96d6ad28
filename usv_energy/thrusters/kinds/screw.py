"""
A propeller described by its open-water curves K_T(J) and K_Q(J), driven by a motor that holds its rate of turning.

The coefficients are defined by T = density n^2 D^4 K_T, Q = density n^2 D^5 K_Q and J = v / (n D) (ITTC). A command
stands for the rate n at which the propeller gives that thrust at standstill. The curves are linear between their knots,
so on each segment the rate for a given thrust solves a quadratic equation; J / sqrt(K_T), which grows with J, selects
the segment. Thrust astern is assumed to be as large as thrust ahead at standstill, which a real propeller does not
quite reach. A propeller that turns so slowly that K_T(J) would be negative gives no thrust.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import floor, interpolate, kernel, larger, register_body, select, sqrt
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.drive import Turning
from usv_energy.thrusters.kind import DescribedPropeller, PropellerKind, check_rising, register_kind
from usv_energy.thrusters.open_water import SCREW, WATER_DENSITY, OpenWater, b_screw

CURVES = ('advance', 'kt', 'kq')
SLOWEST = 1e-12  # 1/s, least rate of turning in a divisor.
NO_THRUST = 1e-30  # (-), least K_T in a divisor.


class Drive(NamedTuple):
    """
    Motor and electronic speed controller (ESC).

    `least`, `most`: limits of the rate of turning, 1/s, negative astern. `efficiency`: of motor and ESC together, (-),
    at the ascending shaft powers `shaft_power`, W; constant outside them.
    """

    least: float
    most: float
    shaft_power: np.ndarray
    efficiency: np.ndarray


class Screw(NamedTuple):
    """
    A propeller and its motor.

    `diameter`: D, m. `force`: density D^4, N s^2. `power`: 2 pi density D^5, W s^3.
    Knots of the curves from standstill to K_T = 0, as arrays or tuples: `advance` (J, ascending), `thrust` (K_T),
    `torque` (K_Q), `slip` (J / sqrt(K_T), ascending) and `number` (their indices 0.0, 1.0, 2.0, ...). `level` and
    `slope`: the line K_T = level + slope J of the segment that begins at each knot.
    `shaft_power` (W, ascending) and `efficiency` (-): those of the Drive.
    """

    diameter: Any
    force: Any
    power: Any
    advance: Any
    thrust: Any
    torque: Any
    slip: Any
    number: Any
    level: Any
    slope: Any
    shaft_power: Any
    efficiency: Any


def screw_of(curves: OpenWater, diameter: float, drive: Drive, density: float = WATER_DENSITY) -> Screw:
    """
    Return the Screw with given open-water curves and motor.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param drive: The Drive.
    :param density: Of the water, kg/m^3.
    """
    none = curves.advance_without_thrust
    advance = np.append(curves.advance[curves.advance < none], none)
    thrust = np.interp(advance, curves.advance, curves.thrust)
    thrust[-1] = 0.0 if np.any(curves.thrust <= 0.0) else thrust[-1]
    torque = np.maximum(np.interp(advance, curves.advance, curves.torque), 0.0)
    slope = np.diff(thrust) / np.diff(advance)
    level = thrust[:-1] - slope * advance[:-1]
    beyond = (thrust[-1], 0.0) if thrust[-1] > 0.0 else (level[-1], slope[-1])  # Some curves end at K_T > 0.
    shaft, efficiency = drive.shaft_power, drive.efficiency
    return Screw(
        diameter, density * diameter ** 4, 2.0 * np.pi * density * diameter ** 5, advance, thrust, torque,
        advance / np.sqrt(np.maximum(thrust, NO_THRUST)), np.arange(float(advance.size)), np.append(level, beyond[0]),
        np.append(slope, beyond[1]), np.append(shaft, shaft[-1] + 1.0), np.append(efficiency, efficiency[-1]))


@kernel
def _rate_of_command(command, propeller):
    """Return the magnitude of the rate of turning, 1/s, that a command stands for."""
    return sqrt(abs(command) / (propeller.force * propeller.thrust[0]))


@kernel
def _rate_of_thrust(thrust, speed, propeller):
    """Return the largest rate, 1/s, at which a propeller gives a thrust >= 0, N, at an inflow speed >= 0, m/s."""
    along, push = speed / propeller.diameter, thrust / propeller.force  # n J, 1/s, and n^2 K_T, 1/s^2.
    number = floor(interpolate(along / larger(sqrt(push), SLOWEST), propeller.slip, propeller.number))
    level = interpolate(number, propeller.number, propeller.level)
    fall = interpolate(number, propeller.number, propeller.slope) * along
    return (sqrt(fall * fall + 4.0 * level * push) - fall) / (2.0 * level)


@kernel
def _advance(speed, rate, propeller):
    return speed / (larger(rate, SLOWEST) * propeller.diameter)


@kernel
def _thrust(command, inflow, propeller):
    rate = _rate_of_command(command, propeller)
    advance = _advance(larger(inflow, 0.0 * inflow), rate, propeller)
    ahead = propeller.force * rate * rate * interpolate(advance, propeller.advance, propeller.thrust)
    return select(command > 0.0, ahead, command + 0.0 * inflow)


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    return _thrust(bollard, inflow, propeller)


@kernel
def _command(thrust, inflow, propeller):
    rate = _rate_of_thrust(larger(thrust, 0.0 * thrust), larger(inflow, 0.0 * inflow), propeller)
    return select(thrust >= 0.0, propeller.force * propeller.thrust[0] * rate * rate, thrust + 0.0 * inflow)


@kernel
def _power(thrust, inflow, propeller):
    speed = select(thrust >= 0.0, larger(inflow, 0.0 * inflow), 0.0 * inflow)  # Astern the inflow is ignored.
    rate = _rate_of_thrust(abs(thrust), speed, propeller)
    torque = interpolate(_advance(speed, rate, propeller), propeller.advance, propeller.torque)
    shaft = propeller.power * rate * rate * rate * torque
    return shaft / interpolate(shaft, propeller.shaft_power, propeller.efficiency)


register_body(thrust_of_command, Screw, _thrust)
register_body(thrust_at_rate, Screw, _thrust_at_rate)
register_body(command_of_thrust, Screw, _command)
register_body(power_of_thrust, Screw, _power)


def read_screw(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """
    Return the propeller that an entry with `diameter` describes: of the Wageningen B-series, or by its own curves.

    :param plain: The `propeller` entry of the thruster in the boat file.
    :param where: Its place in the file, for error messages.
    :raises InputError: If the entry is incomplete or inconsistent.
    """
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
    root = (WATER_DENSITY * float(curves.thrust[0])) ** 0.5 * diameter ** 2  # Root of the thrust at 1 1/s, N^0.5 s.
    rates = np.array([least, 0.0, most] if least < 0.0 else [0.0, most])
    limits = (-(root * least) ** 2, (root * most) ** 2)
    return DescribedPropeller(screw_of(curves, diameter, drive), 'diameter', limits, correction,
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
