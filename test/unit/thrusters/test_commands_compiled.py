"""The propeller's kernels in numba's nopython code give what they give on floats."""

import math

import numba
import numpy as np
import pytest
from test_propeller import MAPPED, MOTOR, TABLED, all_of, points
from usv_energy.thrusters.propeller import (
    bollard_thrust,
    bollard_under_way,
    drawn_power,
    largest_thrust,
    least_thrust,
    thrust_at,
    with_tuples,
)

from usv_energy.physics.compiled_kernels import compile_kernels

NEEDS = ('numba',)


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@numba.njit
def compiled(thrust, speed, propeller):
    return (bollard_thrust(thrust, speed, propeller), thrust_at(thrust, speed, propeller),
            drawn_power(thrust, speed, propeller), bollard_under_way(thrust, speed, propeller),
            largest_thrust(speed, 50.0, propeller), least_thrust(speed, -30.0, propeller))


@pytest.mark.parametrize('knots', [with_tuples, lambda propeller: propeller], ids=['tuples', 'arrays'])
@pytest.mark.parametrize('propeller', [MAPPED, MOTOR, TABLED], ids=['map', 'motor', 'table'])
def test_compiled_code_gives_what_floats_give(rng, propeller, knots):
    held = knots(propeller)
    thrust, speed = points(rng, 100)
    for t, v in zip(thrust.tolist(), speed.tolist()):
        np.testing.assert_allclose(compiled(t, v, held), all_of(t, v, propeller), rtol=1e-12, atol=1e-12)
    assert all(math.isnan(value) for value in compiled(math.nan, 1.0, held)[:4])
    assert all(math.isnan(value) for value in compiled(1.0, math.nan, held))
