"""The allocation compiled gives what it gives on floats; arrangements mix fixed and azimuth thrusters."""

import math

import numba
import numpy as np
import pytest
from arrangements import FERRY, TUNNEL, allocated, azimuth, feasible, fixed, moving, one_by_one, wild

from usv_energy.allocation.allocate import NO_START, allocate, electrical_power, force_of
from usv_energy.physics.compiled_kernels import compile_kernels

NEEDS = ('numba',)

MIXED = azimuth(-1.0, 0.0, -40.0, 100.0, (-0.6, 0.6)), fixed(0.8, 0.0, 90.0, -20.0, 20.0, 2.0)
MOVING = moving(FERRY[:2], 1.5, 0.2)


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@numba.njit(error_model='numpy')
def of_a_demand(demand, actuators):
    thrusts, angles, _ = allocate(demand, actuators, NO_START)
    return thrusts, force_of(thrusts, angles, actuators), electrical_power(thrusts, angles, actuators)


@pytest.mark.parametrize('actuators', [TUNNEL, MIXED, MOVING], ids=['tunnel', 'mixed', 'moving'])
def test_compiled_it_is_the_same(rng, actuators):
    for demand in one_by_one(feasible(rng, actuators, 60)) + one_by_one(wild(rng, actuators, 60)):
        thrusts, force, power = of_a_demand(demand, actuators)
        expected = allocated(demand, actuators)
        for thrust, other, actuator in zip(thrusts, expected[0], actuators):
            assert thrust == pytest.approx(other, abs=1e-9 * actuator.high)
        assert force == pytest.approx(force_of(*expected, actuators), abs=1e-7)
        assert power == pytest.approx(electrical_power(*expected, actuators), rel=1e-7, abs=1e-9)


def test_compiled_no_number_stays_none():
    assert np.all(np.isnan(of_a_demand((math.nan, 0.0, 0.0), TUNNEL)[0]))
    assert np.all(np.isnan(of_a_demand((1.0, 0.0, math.nan), MOVING)[0]))
