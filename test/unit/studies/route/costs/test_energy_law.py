"""The least power of each speed, and what a slope of value gains: closed forms of a power law."""

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.studies.route.costs.power_table import energy_law, most_gain, power_table
from usv_energy.studies.route.route_problem import PowerLaw

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
