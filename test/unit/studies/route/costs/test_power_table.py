"""The table of a motion's cost: exact at its knots, of second order between, and closed forms of the cheapest speed."""

import math

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.studies.route.costs.power_table import air_matters, cheapest_speed, energy_law, most_gain, power_table
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


ENERGY = {'objective': 'energy', 'speed': None, 'cost': PowerLaw(1.0, 3.0, 1.0, 3.0)}


def law_of(**settings):
    problem = problem_of(**{**ENERGY, **settings})
    return energy_law(problem, power_table(problem.cost, 0.0, 3.0))


def test_the_gain_is_that_of_the_speed_where_power_s_slope_is_it():
    """P = v^3 + 1: K(g) = 2 (g / 3)^1.5 - 1, at v = sqrt(g / 3); beyond the highest speed it goes on straight."""
    law, slope = law_of(), np.array([0.0, 0.5, 3.0, 20.0])
    np.testing.assert_allclose(most_gain(law, slope), 2.0 * (slope / 3.0) ** 1.5 - 1.0, atol=2e-4)
    assert np.all(most_gain(law, slope) >= 2.0 * (slope / 3.0) ** 1.5 - 1.0 - 1e-5)
    assert most_gain(law, 40.0) == pytest.approx(40.0 * 3.0 - 28.0, rel=1e-3)
    assert law.slope_at(2.0) == pytest.approx(12.0, rel=2e-3)


@pytest.mark.parametrize('current, metre', [(0.0, 1.8898816), (0.5, 1.1053736)])
def test_the_least_energy_of_a_metre(current, metre):
    assert law_of().metre(current) == pytest.approx(metre, rel=1e-5)    # Issue 17, B.


def test_the_lowest_speed_drifting_and_anchoring():
    slow = law_of(lowest_speed=1.0)
    assert most_gain(slow, 0.0) == pytest.approx(-2.0) and slow.stand == np.inf
    assert most_gain(law_of(lowest_speed=1.0, may_drift=True), 0.0) == pytest.approx(-1.0)
    assert law_of(may_wait=True).stand == 1.0


def test_one_speed():
    law = law_of(speed=2.0)
    assert most_gain(law, 7.0) == pytest.approx(14.0 - 9.0, rel=1e-9)


def test_the_least_is_over_all_air_and_all_bearings_to_the_waves():
    """A boat whose power falls by 0.2 W where it goes with the waves, and by as much in each m/s of a following air."""
    class Helped:
        towards = 1.0

        def power(self, speed, along, across, bearing=None):
            helped = 0.0 if bearing is None else 0.2 * np.cos(bearing - self.towards)
            return 2.0 + speed ** 3 - helped - 0.2 * along + 0.0 * across

        def top_speed(self, along, across, bearing=None):
            return 3.0 + 0.0 * np.asarray(along) + 0.0 * np.asarray(across)
    problem = problem_of(**{**ENERGY, 'cost': Helped()})
    law = energy_law(problem, power_table(problem.cost, 2.0, 3.0))
    np.testing.assert_allclose(law.power, 2.0 - 0.2 - 0.4 + law.speed ** 3, rtol=1e-9)
