"""Lines of equal time and energy: circles that the current carries, in closed form."""

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.studies.route.find_route import straight_route
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.hop_search import reached_cost

NEEDS = ('numba',)
LAW = PowerLaw(1.0, 3.0, 1.0)           # Its least energy a metre in still water: 1.8898816 (issue 17, B).


def test_isochrones_are_circles_that_the_current_carries():
    """|p - c t| = t at 1 m/s: (1 - c^2) t = sqrt(x^2 + (1 - c^2) y^2) - c x."""
    problem = problem_of(lambda t, x, y: (0.5 + 0.0 * x, 0.0 * x))
    found = reached_cost(problem, straight_route(problem))
    exact = (np.hypot(found.x, 0.75 ** 0.5 * found.y) - 0.5 * found.x) / 0.75
    known = np.isfinite(found.cost) & (exact > 0.05)
    assert found.of_time and known.mean() > 0.9 and found.goal == pytest.approx(2.0 / 3.0, rel=1e-4)
    np.testing.assert_allclose(found.cost[known], exact[known], rtol=1.5e-2)


@pytest.mark.parametrize('rate', [0.0, 1e-4])
def test_lines_of_equal_energy_are_circles_in_still_water(rate):
    """Also in water that (hardly) changes, which is searched by layers of time."""
    problem = problem_of(lambda t, x, y: (rate * t + 0.0 * x, 0.0 * x), cost=LAW, objective='energy', speed=None)
    found = reached_cost(problem, straight_route(problem))
    far = np.hypot(found.x, found.y)
    near = np.isfinite(found.cost) & (far > 0.2) & (far < 1.0)
    assert not found.of_time and near.sum() > 300
    speeds = 0.08 if rate else 2.5e-2       # Of the few speeds and directions that the lattice has.
    np.testing.assert_allclose(found.cost[near], 1.8898816 * far[near], rtol=speeds)


def test_where_there_is_no_way_there_are_no_lines():
    problem = problem_of(lambda t, x, y: (0.0 * x - 3.0, 0.0 * x))
    still = problem_of()
    assert reached_cost(problem, straight_route(still)) is None
