"""The table of motions in compiled code is the one of arrays and floats."""

import numba
import numpy as np
import pytest

from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.studies.route.costs.motion_table import power_in_table, tabulated, top_speed_in_table
from usv_energy.studies.route.route_problem import PowerLaw

NEEDS = ('numba',)


class WindyLaw(PowerLaw):
    """A power law whose power and highest speed go with the air."""

    def power(self, speed, air_along, air_across):
        return super().power(speed, 0.0, 0.0) * (1.0 - 0.1 * air_along + 0.05 * air_across ** 2)

    def top_speed(self, air_along, air_across):
        return 2.0 + 0.2 * air_along - 0.1 * air_across ** 2


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@pytest.fixture(scope='module')
def table(compiled_kernels):
    return tabulated(WindyLaw(3.0, 3.0, hotel=2.0), 1.5, 9.0)


@numba.njit
def compiled(speed, along, across, table):
    return power_in_table(speed, along, across, table), top_speed_in_table(along, across, table)


def test_compiled_code_floats_and_arrays_agree_with_the_formula(rng, table):
    speed, along, across = rng.uniform((0.0, -1.5, -1.5), (2.3, 1.5, 1.5), (200, 3)).T
    one = np.array([compiled(*map(float, place), table.arrays) for place in zip(speed, along, across)]).T
    floats = np.array([(power_in_table(*map(float, place), table.arrays),
                        top_speed_in_table(*map(float, place[1:]), table.arrays))
                       for place in zip(speed, along, across)]).T
    arrays = table.power(speed, along, across), table.top_speed(along, across)
    np.testing.assert_allclose(one, arrays, rtol=1e-12)
    np.testing.assert_allclose(floats, arrays, rtol=1e-12)
    law = WindyLaw(3.0, 3.0, hotel=2.0)
    top = law.top_speed(along, across)
    np.testing.assert_allclose(arrays[1], top, rtol=1e-12)
    exact = np.where(speed <= top, law.power(speed, along, across), np.nan)
    np.testing.assert_allclose(arrays[0], exact, rtol=1e-4)  # Nine nodes, a power of the sixth degree in the air.


def test_power_has_no_step_and_no_bend_at_the_nodes(table):
    """Cubic B-splines: value, slope and curvature are continuous across the edge of a cell."""
    edge = -1.53 + 2.0 * table.arrays.air_step
    for off in (1e-4, 1e-5):
        around = table.power(1.2, edge + off * np.arange(-3.0, 4.0), 0.4)
        curvature = np.diff(around, 2) / off ** 2
        assert abs(curvature[1:] - curvature[:-1]).max() < 1e-3 + 1e-9 / off ** 2
