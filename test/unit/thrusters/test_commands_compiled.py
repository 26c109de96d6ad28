"""The thrust, the command and the power of every kind of thruster in numba's nopython code are those of floats."""

import math

import numba
import numpy as np
import pytest
from test_commands import MAPPED, MOTOR, TABLED, all_of, points
from test_open_water import SCREW

from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command

NEEDS = ('numba',)


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@numba.njit
def compiled(value, speed, propeller):
    return (thrust_of_command(value, speed, propeller), thrust_at_rate(value, speed, propeller),
            command_of_thrust(value, speed, propeller), power_of_thrust(value, speed, propeller))


def in_tuples(value):
    """Return a propeller with its knots as tuples of floats, as which compiled code takes few of them."""
    if isinstance(value, tuple):
        return type(value)(*map(in_tuples, value))
    return tuple(map(in_tuples, value)) if np.ndim(value) else float(value)


@pytest.mark.parametrize(('propeller', 'knots'), [
    (MAPPED, in_tuples), (TABLED, in_tuples), (MAPPED, None), (MOTOR, None), (TABLED, None), (SCREW, None)],
    ids=['map in tuples', 'table in tuples', 'map', 'motor', 'table', 'screw'])
def test_compiled_code_gives_what_floats_give(rng, propeller, knots):
    """Few knots in tuples, as the engine gives them to compiled code, or any number in arrays."""
    held = propeller if knots is None else knots(propeller)
    values, speeds = points(rng, 100)
    for value, speed in zip(values.tolist(), speeds.tolist()):
        np.testing.assert_allclose(compiled(value, speed, held), all_of(value, speed, propeller),
                                   rtol=1e-12, atol=1e-12)
    assert all(math.isnan(number) for number in compiled(math.nan, 1.0, held))
    assert all(math.isnan(number) for number in compiled(1.0, math.nan, held))
