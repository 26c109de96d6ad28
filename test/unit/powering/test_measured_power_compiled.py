"""The power by measured thrusts in numba's nopython code is what it is on floats, and on arrays."""

import math

import numba
import numpy as np
import pytest
from test_measured_power import LUTRA, RUDDER, random_motion, random_setting

from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.physics.motion import Relative
from usv_energy.powering.measured_power import mean_power_by_known_foils, measured_mean_power, middle_of_measured

NEEDS = ('numba',)


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@numba.njit(error_model='numpy')
def compiled(before, now, elapsed, vessel, setting):
    return measured_mean_power(before, now, elapsed, vessel, middle_of_measured(setting, setting))


@numba.njit(error_model='numpy')
def compiled_foils(before, now, elapsed, vessel, foils):
    return mean_power_by_known_foils(before, now, elapsed, vessel, foils)


def row_of(value, row):
    if isinstance(value, tuple):
        parts = [row_of(one, row) for one in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else float(value[row])


@pytest.mark.parametrize('vessel', [LUTRA.vessel, RUDDER], ids=['pair', 'rudder'])
def test_floats_arrays_and_compiled_code_agree(rng, vessel):
    """The search for the cheapest way has a test of its own, `test_allocate_compiled`."""
    number = 20
    at, setting = random_motion(rng, number), random_setting(rng, vessel, number)
    if setting.foils:
        setting = setting._replace(foils=(np.where(np.arange(number) % 3, setting.foils[0], math.nan),))
    before = Relative(*(values + 0.01 for values in at))
    arrays = measured_mean_power(before, at, 0.1, vessel, setting)
    for row in range(number):
        here = row_of((before, at), row)
        floats = measured_mean_power(*here, 0.1, vessel, row_of(setting, row))
        numbers = compiled(*here, 0.1, vessel, row_of(setting, row))
        np.testing.assert_allclose(numbers, floats, rtol=1e-9, atol=1e-7)
        np.testing.assert_allclose([np.broadcast_to(one, number)[row] for one in arrays], floats, rtol=1e-9, atol=1e-7)


def test_compiled_code_takes_angles_of_foils_alone():
    at = Relative(1.0, 0.0, 0.02, -1.0, 0.0)
    for angle in (0.2, math.nan):
        np.testing.assert_allclose(compiled_foils(at, at, 0.1, RUDDER, (angle,)),
                                   mean_power_by_known_foils(at, at, 0.1, RUDDER, (angle,)), rtol=1e-9, atol=1e-9)
