"""The table of a motion's cost: exact at its knots, of second order between, and closed forms of the cheapest speed."""

import math

import numpy as np
import pytest

from usv_energy.studies.route.costs.power_table import air_matters, cheapest_speed, power_table
from usv_energy.studies.route.route_problem import PowerLaw


class Blown:
    """A boat whose power and top speed depend on the air."""

    def power(self, speed, along, across):
        watts = 2.0 + speed ** 3 + 0.3 * speed * (speed - along) ** 2 + 0.05 * across ** 2
        return np.where(speed <= self.top_speed(along, across), watts, np.nan)

    def top_speed(self, along, across):
        return np.maximum(2.0 + 0.1 * along, 0.0) + 0.0 * across


def test_a_law_without_air_has_one_knot_of_air_and_its_power_at_the_knots_of_speed():
    table = power_table(PowerLaw(2.0, 3.0, 5.0, 4.0), 3.0, 10.0)
    speeds = table.speeds
    np.testing.assert_allclose(table.power[0, :, 0, 0], 5.0 + 2.0 * speeds ** 3, rtol=1e-12)
    assert not table.with_air and table.highest == 4.0 and speeds[-1] == pytest.approx(4.0)
    assert power_table(PowerLaw(2.0), 0.0, 7.0).highest == 7.0     # Where nothing limits it but what is asked for.


def test_with_air_powers_are_those_of_the_knots_and_finite_beyond_the_top_speed():
    table = power_table(Blown(), 3.0, 100.0)
    assert table.with_air and np.isfinite(table.power).all() and table.highest == pytest.approx(2.3)
    speed, air = table.speed_step * 20, table.first + table.step * np.arange(table.top.shape[-1])
    along, across = np.meshgrid(air, air, indexing='ij')
    held = speed <= table.top[0]
    np.testing.assert_allclose(table.power[0, 20][held], Blown().power(speed, along, across)[held], rtol=1e-12)
    np.testing.assert_allclose(table.top[0], 2.0 + 0.1 * along, rtol=1e-12)


def test_whether_air_matters():
    assert air_matters(Blown()) and not air_matters(PowerLaw(1.0)) and not air_matters(PowerLaw(1.0, highest=2.0))


@pytest.mark.parametrize('hotel, lowest, speed', [(1.0, 0.0, 0.5 ** (1 / 3)), (16.0, 0.0, 2.0), (1.0, 1.5, 1.5)])
def test_the_cheapest_speed_of_a_cubic_law(hotel, lowest, speed):
    assert cheapest_speed(PowerLaw(1.0, 3.0, hotel, 4.0), lowest) == pytest.approx(speed, rel=0.01)
    assert math.isclose(cheapest_speed(PowerLaw(1.0, 3.0, 0.0, 4.0), 0.25), 0.25, rel_tol=1e-9)
