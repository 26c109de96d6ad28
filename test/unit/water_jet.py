"""
A water jet, a kind of thruster that is not shipped: its thrust falls in proportion to the speed, T = C - m v.

C is the thrust at standstill and m, kg/s, the mass of water that goes through it. It draws P = q C^2, whatever the
speed is. `new_kind.py` has the product know it; nothing of it is from there.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import kernel, register_body
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.drive import turning_of
from usv_energy.thrusters.kind import DescribedPropeller, PropellerKind, register_kind

RATE = 50.0  # 1/s, at its most.


class WaterJet(NamedTuple):
    """`mass_flow`: m, kg/s. `power`: q, W/N^2."""

    mass_flow: Any
    power: Any


@kernel
def _thrust(command, inflow, propeller):
    return command - propeller.mass_flow * inflow


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    return bollard - propeller.mass_flow * inflow


@kernel
def _command(thrust, inflow, propeller):
    return thrust + propeller.mass_flow * inflow


@kernel
def _power(thrust, inflow, propeller):
    command = thrust + propeller.mass_flow * inflow
    return propeller.power * command * command


def read_jet(plain: dict[str, Any], where: str) -> DescribedPropeller:
    """Return the propeller of a `jet`; InputError where it is none."""
    jet = plain['jet']
    if jet['most'] <= 0.0:
        raise InputError(f'{where}.jet.most is {jet["most"]:g}; must be above 0')
    most = float(jet['most'])
    return DescribedPropeller(WaterJet(float(jet['mass_flow']), float(jet['power'])), 'jet', (-most, most),
                              turning=turning_of(np.array([-RATE, RATE]), np.array([-most, most])))


register_body(thrust_of_command, WaterJet, _thrust)
register_body(thrust_at_rate, WaterJet, _thrust_at_rate)
register_body(command_of_thrust, WaterJet, _command)
register_body(power_of_thrust, WaterJet, _power)
register_kind(PropellerKind('jet', (), (), read_jet, properties={'jet': {
    'type': 'object', 'additionalProperties': False, 'required': ['mass_flow', 'power', 'most'],
    'properties': {key: {'type': 'number'} for key in ('mass_flow', 'power', 'most')}}}))
