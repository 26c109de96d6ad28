"""No way is cheaper than the bound: uniform currents, eddies, and what searches find."""

import numpy as np
import pytest
from route_flows import double_gyre, four_vortices
from search_cases import eddies, problem_of

from usv_energy.studies.route.bounds.tightest_bound import lower_bound
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import prepared_search


def bound_of(problem, points=4000, end=10.0):
    it = prepared_search(problem, points, 0.75, end)
    return lower_bound(problem, it.grid, it.cube, it.table)


@pytest.mark.parametrize('u', [0.5, 0.0, -0.5])
def test_in_a_uniform_current_along_the_way_it_is_near_the_truth(u):
    bound = bound_of(problem_of(lambda t, x, y: (u + 0.0 * x, 0.0 * x)))
    assert 0.75 / (1.0 + u) < bound <= 1.0 / (1.0 + u)


@pytest.mark.parametrize('function, start, goal, least', [
    (double_gyre, (1.5, 0.5), (0.5, 0.5), 1.0057842), (four_vortices, (0.0, 0.0), (6.0, 2.0), 8.9494562)])
def test_it_is_below_the_least_times_that_are_known(function, start, goal, least):
    assert 0.4 * least < bound_of(problem_of(function, start, goal), end=40.0) < least


@pytest.mark.parametrize('current, metre', [(0.0, 1.8898816), (-0.5, 3.8773599), (0.5, 1.1053736)])
def test_least_energy_against_a_current_is_bounded_from_below(current, metre):
    """2 k v^3 - 3 k c v^2 = h: the least energy a metre (issue 17, B)."""
    problem = problem_of(lambda t, x, y: (current + 0.0 * x, 0.0 * x), objective='energy', speed=None,
                         cost=PowerLaw(1.0, 3.0, 1.0))
    assert 0.75 * metre < bound_of(problem) <= 1.001 * metre


def test_it_takes_the_best_of_a_flow_that_changes():
    pulse = problem_of(lambda t, x, y: (np.where((t > 1.0) & (t < 2.0), 0.5, -0.5) + 0.0 * x, 0.0 * x))
    assert bound_of(pulse) <= 1.0 / 1.5
    assert bound_of(problem_of(eddies(3))) < 1.0
