"""
A thruster with a map from thrust to electrical power at standstill, and a correction for the inflow.

At the same rate of turning, K_T(J) = K_T0 (1 - J / J0) changes the thrust at standstill B to

    T = B - c sqrt(B) v,                     c = sqrt(density K_T0) D / J0, in N^0.5 s/m.

The power falls with the torque, which reaches zero at a higher J: P = map(B) q, q = 1 - g c v / sqrt(B), where
g = J0 / J_Q0 is the ratio of the slopes of K_Q and K_T. Inflow from astern is treated symmetrically.

A command sets the voltage and not the rate: the inflow unloads the motor, which then turns faster. Its voltage is
V = e n + R I, and the current is proportional to the torque. With the rate as x = sqrt(B) and k = R I / (e n sqrt(B))
at standstill, the voltage relative to that of x = 1 without resistance is

    W = x + k x^2 q = x + k x (x - g c v).

A command C at standstill has W = sqrt(C) + k C. Solving for x gives the rate for a command, and vice versa. The power
at the rate x is map(B) q (1 + k x q) / (1 + k x). With k = 0 the motor has no resistance and keeps its rate.

For inflow from astern, c and k may differ: a screw that gives less thrust astern at the same rate has the same pitch,
so its c is smaller by the square root of the ratio of thrusts, and its k is larger by it.

A propeller that turns slower than the water (windmilling) has a drag of at most c^2 v^2 / 4 and draws no power. Thrust
against the inflow (hard braking) is taken as at standstill, plus that drag. Thrust and power are continuous.

Source: the bilinear form is Fossen (2011), Handbook of marine craft, section 9.3, and (3) of the Thetis simulator; the
motor is a DC machine as in any textbook, without the losses that do not flow through R.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import interpolate, kernel, larger, register_body, select, sqrt
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.drive import Turning, turning_of
from usv_energy.thrusters.kind import (
    RATES_SCHEMA,
    DescribedPropeller,
    PropellerKind,
    check_rising,
    register_kind,
    turning_of_rates,
)
from usv_energy.thrusters.open_water import SCREW, b_screw, inflow_of
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, read_thruster

SLOWEST = 1e-12  # N^0.5, least root of a thrust in a divisor.


class BollardMap(NamedTuple):
    """
    Knots of a map from thrust at standstill to power, as arrays or tuples, and the effect of the inflow on both.

    `map_thrust`: N, ascending, astern below 0. `map_power`: W electrical. `inflow`: c, N^0.5 s/m; 0 without an effect
    of inflow. `torque_ratio`: g, (-). `voltage_drop`: k, N^-0.5. `inflow_astern`, `drop_astern`: c and k for inflow
    from astern, over those ahead, (-).
    """

    map_thrust: Any
    map_power: Any
    inflow: float = 0.0
    torque_ratio: float = 1.0
    voltage_drop: float = 0.0
    inflow_astern: float = 1.0
    drop_astern: float = 1.0

    @property
    def inflow_coefficient(self) -> float:
        """The coefficient c, which `identify` fits to logs."""
        return float(self.inflow)

    def with_inflow(self, factor: float) -> 'BollardMap':
        """Return this map with its c multiplied by a factor."""
        return self._replace(inflow=factor * self.inflow)

    def inflow_entry(self, coefficient: Any) -> dict[str, Any]:
        """Return the entries of a boat file on the inflow: a given coefficient, g, and k if there is one."""
        drop = {'voltage_drop': float(self.voltage_drop)} if self.voltage_drop else {}
        return {'inflow': {'coefficient': coefficient, 'torque_ratio': float(self.torque_ratio), **drop}}


@kernel
def _slip(inflow, propeller):
    """Return c |v|, N^0.5, with the c of the direction of the inflow v."""
    return propeller.inflow * select(inflow < 0.0, propeller.inflow_astern, 1.0) * abs(inflow)


@kernel
def _drop(inflow, propeller):
    """Return k, N^-0.5, of the direction of the inflow."""
    return propeller.voltage_drop * select(inflow < 0.0, propeller.drop_astern, 1.0)


@kernel
def bollard_thrust(thrust, inflow, propeller):
    """
    Return the thrust at standstill, N, at the rate of turning that gives a thrust in moving water.

    :param thrust: Along the axis, N, negative astern; float or array.
    :param inflow: Inflow speed along the axis, m/s, positive going ahead; same shape.
    :param propeller: The BollardMap.
    """
    slip = _slip(inflow, propeller)
    along = select(inflow < 0.0, -thrust, thrust)
    root = 0.5 * (slip + sqrt(larger(slip * slip + 4.0 * along, 0.0)))
    drag = 0.25 * slip * slip
    bollard = select(along >= -drag, along + slip * root, along + drag)
    return select(inflow < 0.0, -bollard, bollard)


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    """
    Return the thrust in moving water, N, at the rate of turning of a thrust at standstill.

    It is the inverse of `bollard_thrust` and never decreases with `bollard`. Up to half the rate of zero thrust it is
    the constant drag of a windmilling propeller.

    :param bollard: Thrust at standstill, N, negative astern; float or array.
    :param inflow: As `bollard_thrust`.
    :param propeller: The BollardMap.
    """
    slip = _slip(inflow, propeller)
    along = select(inflow < 0.0, -bollard, bollard)
    root = sqrt(larger(along, 0.0))
    drag = 0.25 * slip * slip
    turned = select(2.0 * root >= slip, along - slip * root, -drag)
    thrust = select(along >= 0.0, turned, along - drag)
    return select(inflow < 0.0, -thrust, thrust)


@kernel
def bollard_of_command(command, inflow, propeller):
    """
    Return the thrust at standstill, N, at the rate of turning that a command gives in moving water.

    :param command: As the thrust at standstill, N, negative astern; float or array.
    :param inflow: As `bollard_thrust`.
    :param propeller: The BollardMap; without inflow or voltage drop it is `command` itself.
    """
    drop, slip = _drop(inflow, propeller), _slip(inflow, propeller)
    along = select(inflow < 0.0, -command, command)
    root = sqrt(larger(along, 0.0))
    voltage = 1.0 + drop * root  # Divided by the root.
    unloaded = 1.0 - drop * propeller.torque_ratio * slip
    rise = 2.0 * voltage / larger(unloaded + sqrt(unloaded * unloaded + 4.0 * drop * root * voltage), SLOWEST)
    return select(along > 0.0, command * rise * rise, command)


@kernel
def _thrust(command, inflow, propeller):
    return _thrust_at_rate(bollard_of_command(command, inflow, propeller), inflow, propeller)


@kernel
def _command(thrust, inflow, propeller):
    bollard = bollard_thrust(thrust, inflow, propeller)
    drop, slip = _drop(inflow, propeller), _slip(inflow, propeller)
    along = select(inflow < 0.0, -bollard, bollard)
    rate = sqrt(larger(along, 0.0))
    voltage = larger(1.0 + drop * (rate - propeller.torque_ratio * slip), 0.0)  # Divided by the rate.
    fall = 2.0 * voltage / (1.0 + sqrt(1.0 + 4.0 * drop * rate * voltage))
    return select(along > 0.0, bollard * fall * fall, bollard)


@kernel
def _power(thrust, inflow, propeller):
    """
    Return `power_of_thrust`.

    Beyond the knots of a map without inflow the power is that at the end. With inflow it is extrapolated as B^1.5 (1 +
    k sqrt(B)), by a screw's torque and the motor's voltage, since under way a motor turns faster than at standstill.
    """
    bollard = bollard_thrust(thrust, inflow, propeller)
    slip = _slip(inflow, propeller)
    along = select(inflow < 0.0, -bollard, bollard)
    rate = larger(sqrt(larger(along, 0.0)), SLOWEST)
    torque = larger(1.0 - propeller.torque_ratio * slip / rate, 0.0)
    drop = _drop(inflow, propeller) * rate
    share = select(along > 0.0, torque * (1.0 + drop * torque) / (1.0 + drop), 1.0 + 0.0 * torque)
    power = interpolate(bollard, propeller.map_thrust, propeller.map_power) * _beyond_end(
        bollard, _drop(inflow, propeller), propeller)
    return larger(power * share, 0.0)


@kernel
def _beyond_end(bollard, drop, propeller):
    """Return the factor on the power at the end of a map for a thrust at standstill beyond it, (-), at least 1."""
    astern, ahead = propeller.map_thrust[0], propeller.map_thrust[-1]
    behind = bollard * astern / larger(astern * astern, SLOWEST)
    beyond = larger(larger(behind, bollard * ahead / larger(ahead * ahead, SLOWEST)), 1.0)
    voltage = 1.0 + drop * sqrt(abs(bollard))
    at_end = 1.0 + drop * sqrt(abs(bollard) / beyond)
    return select(propeller.inflow > 0.0, beyond * sqrt(beyond) * voltage / at_end, 1.0 + 0.0 * beyond)


register_body(thrust_of_command, BollardMap, _thrust)
register_body(thrust_at_rate, BollardMap, _thrust_at_rate)
register_body(command_of_thrust, BollardMap, _command)
register_body(power_of_thrust, BollardMap, _power)


def read_map(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """Return the propeller that an entry with `map` describes; InputError if the map is not valid."""
    thrust, power = np.array(plain['map'], dtype=float).T.copy()
    check_rising(thrust, f'{where}: map has the thrusts')
    if np.any(power < 0.0):
        raise InputError(f'{where}: map has the powers {power.tolist()}; must be at least 0')
    inflow = plain.get('inflow')
    c, g, correction = _inflow(inflow, where)
    drop = float((inflow or {}).get('voltage_drop', 0.0))
    return DescribedPropeller(BollardMap(thrust, power, c, g, drop), 'map', _ends(thrust), correction,
                              turning_of_rates(plain, where))


def read_model(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """Return the propeller of a `model` in config/thrusters at a voltage; InputError if there is no such model."""
    thruster = read_thruster(plain['model'], f'{where}.model: ')
    voltage = float(plain['voltage'])
    sheet = thruster.at_voltage(voltage, f'{where}.')
    inflow = plain.get('inflow', thruster.inflow)
    c, g, correction = _inflow(inflow, where)
    drop = 0.0 if thruster.rpm_per_volt is None else sheet.voltage_drop(thruster.rpm_per_volt)
    drop = float((inflow or {}).get('voltage_drop', drop))
    inflow_astern, drop_astern = _astern(sheet, thruster.rpm_per_volt)
    number = int(plain.get('number', 1))
    sheet = replace(sheet, thrusts=number * sheet.thrusts, powers=number * sheet.powers)
    thrust, power = sheet.bollard_map()
    # Each propeller gives its part of the thrust, so c and k are divided by sqrt(number).
    propeller = BollardMap(thrust, power, c * number ** 0.5, g, drop / number ** 0.5, inflow_astern,
                           drop_astern)
    return DescribedPropeller(propeller, 'model', _ends(thrust), correction, _turning_of_sheet(sheet), thruster.name,
                              voltage, number, 'voltage_drop' in (inflow or {}))


def _astern(sheet: ThrusterSheet, rpm_per_volt: float | None) -> tuple[float, float]:
    """Return c and k astern over those ahead, (-), of a library thruster; 1 if its sheet has no rates."""
    share = sheet.astern_coefficient
    ahead = 0.0 if share == 1.0 or rpm_per_volt is None else sheet.voltage_drop(rpm_per_volt)
    if rpm_per_volt is None or ahead == 0.0:
        return share, 1.0 / share
    return share, sheet.voltage_drop(rpm_per_volt, 0) / ahead


def _ends(thrust: np.ndarray) -> tuple[float, float]:
    return float(thrust[0]), float(thrust[-1])


def _inflow(inflow: dict[str, Any] | None, where: str) -> tuple[float, float, str]:
    """Return c, g and the sentence for reports of an `inflow` entry, or without one."""
    if inflow is None:
        return 0.0, 1.0, 'thrust and power under way are taken as at standstill: nothing is known of the inflow'
    if 'coefficient' in inflow:
        for key in ('diameter', *SCREW):
            if key in inflow:
                raise InputError(f'{where}.inflow.{key} stands beside coefficient; give one or the other')
        if 'torque_ratio' not in inflow:
            raise InputError(f'{where}.inflow has coefficient and lacks torque_ratio')
        c, g = float(inflow['coefficient']), float(inflow['torque_ratio'])
        return c, g, f'thrust and power under way follow from those at standstill by c = {c:.3g}, g = {g:.3g}, as given'
    for key in ('diameter', *SCREW):
        if key not in inflow:
            raise InputError(f'{where}.inflow lacks {key!r}; give coefficient and torque_ratio, or diameter, '
                             f'{", ".join(SCREW)}')
    c, g = inflow_of(b_screw(inflow, f'{where}.inflow'), float(inflow['diameter']))
    screw = (f'B-screw of {inflow["blades"]:g} blades, P/D {inflow["pitch_ratio"]:g}, '
             f'A_E/A_0 {inflow["area_ratio"]:g}, D {inflow["diameter"]:g} m')
    return c, g, (f'thrust and power under way follow from those at standstill by a correction, c = {c:.3g}, '
                  f'g = {g:.3g}, of a Wageningen {screw}')


def _turning_of_sheet(sheet: ThrusterSheet) -> Turning | None:
    """Return the Turning of a library thruster; None if its sheet has no rates."""
    if not np.isfinite(sheet.rpm).all():
        return None
    moves = (sheet.thrusts != 0.0) & (sheet.rpm > 0.0)
    rate = np.sign(sheet.thrusts[moves]) * sheet.rpm[moves] / 60.0
    return turning_of(rate, sheet.thrusts[moves]) if (np.diff(rate) > 0.0).all() else None


POSITIVE = {'$ref': '#/$defs/positive'}
INFLOW_SCHEMA = {
    'description': 'How thrust and power change in moving water: coefficient and torque_ratio, or the screw '
                   '(Wageningen B-series) that they follow from.',
    'type': 'object', 'additionalProperties': False,
    'properties': {
        'source': {'type': 'string'},
        'coefficient': {'description': 'c, N^0.5 s/m', 'type': 'number', 'minimum': 0},
        'torque_ratio': {'description': 'g, slope of K_Q over that of K_T, (-)', 'type': 'number', 'minimum': 0,
                         'maximum': 1},
        'voltage_drop': {'description': 'k, R I over e n for 1 N at standstill, N^-0.5', 'type': 'number',
                         'minimum': 0},
        'diameter': POSITIVE, 'pitch_ratio': POSITIVE, 'area_ratio': POSITIVE, 'blades': POSITIVE}}
register_kind(PropellerKind('map', (), ('inflow', 'rates'), read_map, properties={
    'map': {'description': 'Rows of thrust at standstill (N, rising, astern below 0) and electrical power (W).',
            'type': 'array', 'minItems': 2,
            'items': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}}},
    'rates': RATES_SCHEMA, 'inflow': INFLOW_SCHEMA}))
register_kind(PropellerKind('model', ('voltage',), ('inflow', 'number'), read_model, properties={
    'model': {'description': 'Name of a file in config/thrusters', 'type': 'string'},
    'voltage': {'description': 'V', **POSITIVE},
    'number': {'description': 'How many of the model drive side by side as one; 1 if left out.', 'type': 'integer',
               'minimum': 1}}))
