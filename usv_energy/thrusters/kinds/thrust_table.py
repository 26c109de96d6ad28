"""
A thruster described by a table of electrical power over thrust and speed, with the limits of thrust at each speed.

The table does not describe the motor, so the thruster is assumed to give the commanded thrust within the table's limits
at that speed.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import interpolate, kernel, larger, register_body, within
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.kind import DescribedPropeller, PropellerKind, check_rising, register_kind, turning_of_rates


class ThrustTable(NamedTuple):
    """
    The knots of the table, as arrays or tuples.

    `speed`: S inflow speeds, m/s, ascending. `place`: their indices 0.0, 1.0, 2.0, ... `thrust`: T thrusts, N,
    ascending. `power`: electrical power, W, shape (S, T). `least`, `most`: limits of thrust at each speed, N.
    """

    speed: Any
    place: Any
    thrust: Any
    power: Any
    least: Any
    most: Any


@kernel
def _thrust(command, inflow, propeller):
    return within(command + 0.0 * inflow, interpolate(inflow, propeller.speed, propeller.least),
                  interpolate(inflow, propeller.speed, propeller.most))


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    return bollard + 0.0 * inflow


@kernel
def _command(thrust, inflow, propeller):
    return thrust + 0.0 * inflow


@kernel
def _power(thrust, inflow, propeller):
    """Return `power_of_thrust` by bilinear interpolation in thrust and speed, constant outside the table."""
    place = interpolate(inflow, propeller.speed, propeller.place)
    power = 0.0 * (thrust + inflow)
    for number, row in enumerate(propeller.power):
        weight = larger(1.0 - abs(place - number), 0.0)
        power = power + weight * interpolate(thrust, propeller.thrust, row)
    return power


register_body(thrust_of_command, ThrustTable, _thrust)
register_body(thrust_at_rate, ThrustTable, _thrust_at_rate)
register_body(command_of_thrust, ThrustTable, _command)
register_body(power_of_thrust, ThrustTable, _power)


def read_thrust_table(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """
    Return the propeller that the `table` entry of a boat file describes.

    :param plain: The `propeller` entry of the thruster.
    :param where: Its place in the file, for error messages.
    :raises InputError: If the table's sizes, order or limits are inconsistent.
    """
    table, place = plain['table'], f'{where}.table'
    thrusts, speeds = (np.array(table[key], dtype=float) for key in ('thrusts', 'speeds'))
    check_rising(thrusts, f'{place}: thrusts are')
    check_rising(speeds, f'{place}: speeds are')
    for number, row in enumerate(table['powers']):
        if len(row) != thrusts.size:
            raise InputError(f'{place}.powers.{number} has {len(row)} numbers; must be as many as thrusts, '
                             f'{thrusts.size}')
    powers = np.array(table['powers'], dtype=float)
    limits = {'least': np.full(speeds.size, thrusts[0]), 'most': np.full(speeds.size, thrusts[-1])}
    limits.update({key: np.array(table[key], dtype=float) for key in limits if key in table})
    for key, values in {'powers': powers, **limits}.items():
        if len(values) != speeds.size:
            raise InputError(f'{place}.{key} has {len(values)} entries; must be as many as speeds, {speeds.size}')
    crossed = np.flatnonzero(limits['least'] > limits['most'])
    if crossed.size:
        n = int(crossed[0])
        raise InputError(f'{place}.least is {limits["least"][n]:g} at {speeds[n]:g} m/s; must be at most most, '
                         f'{limits["most"][n]:g}')
    propeller = ThrustTable(speeds, np.arange(float(speeds.size)), thrusts, powers, limits['least'], limits['most'])
    return DescribedPropeller(propeller, 'table', (float(limits['least'][0]), float(limits['most'][0])),
                              turning=turning_of_rates(plain, where))


register_kind(PropellerKind('table', (), ('rates',), read_thrust_table, properties={'table': {
    'description': 'Electrical power (W) over thrust (N, rising) and speed of the water into the propeller (m/s).',
    'type': 'object', 'additionalProperties': False, 'required': ['thrusts', 'speeds', 'powers'],
    'properties': {
        'source': {'type': 'string'}, 'thrusts': {'$ref': '#/$defs/numbers'}, 'speeds': {'$ref': '#/$defs/numbers'},
        'powers': {'description': 'A row a speed, a number a thrust.', 'type': 'array', 'minItems': 2,
                   'items': {'type': 'array', 'items': {'type': 'number', 'minimum': 0}}},
        'least': {'description': 'Least thrust at each speed, N; the first of thrusts if left out.', 'type': 'array',
                  'items': {'type': 'number'}},
        'most': {'description': 'Largest thrust at each speed, N; the last of thrusts if left out.', 'type': 'array',
                 'items': {'type': 'number'}}}}}))
