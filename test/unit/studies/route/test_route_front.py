"""The front between least time and least energy, held to a closed form in a shear."""

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.route_through_goals import route_front
from usv_energy.studies.route.search.rough_ways import SearchOptions

NEEDS = ('numba',)
FEW = SearchOptions(points=1500, hop_points=800)
HOTEL = 0.5


def test_in_a_shear_each_arrival_time_has_its_least_energy():
    """u = y, (0, 0) to (1, 0), P = v^2 + h: E(T) = 1/(T + T^3/12) + h T (issue 17, B), least at its own best T."""
    problem = problem_of(lambda t, x, y: (y, 0.0 * x), cost=PowerLaw(1.0, 2.0, HOTEL, 3.0), objective='energy',
                         speed=None)
    fastest, cheapest = (find_route(problem._replace(objective=what), FEW).best for what in ('time', 'energy'))
    front = route_front(problem, fastest, cheapest, 4, FEW, 1)
    assert front.number == 4 and len(front.routes) == 4 and not front.broken_off
    assert np.all(np.diff(front.duration) > 0.0) and np.all(np.diff(front.energy) < 0.0)
    np.testing.assert_allclose(np.diff(1.0 / front.duration, 2), 0.0, atol=1e-3)
    times = np.linspace(0.1, 5.0, 49001)
    least = 1.0 / (times + times ** 3 / 12.0) + HOTEL * times
    assert front.energy[-1] == pytest.approx(least.min(), rel=1e-3)
    np.testing.assert_allclose(front.energy[1:], np.interp(front.duration[1:], times, least), rtol=1e-3)
    np.testing.assert_allclose(front.routes[0].speed, 3.0, rtol=2e-3)


def test_where_the_cheapest_is_the_quickest_the_front_is_one_route():
    problem = problem_of(cost=PowerLaw(1e-6, 3.0, 1.0, 2.0), objective='energy', speed=None)
    best = find_route(problem, FEW).best
    front = route_front(problem, best, best, 3, FEW, 1)
    assert len(front.routes) == 1 and front.routes[0].duration == pytest.approx(0.5, rel=1e-3)
