"""The bound lies below the truth and close to it: flows whose least times and energies are known."""

import numpy as np
import pytest
from route_flows import Disc, double_gyre, four_vortices
from search_cases import problem_of

from usv_energy.studies.route.bounds.value_bound import value_bound
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import SearchOptions, rough_ways_by_labels

NEEDS = ('numba',)
LAW = PowerLaw(1.0, 3.0, 1.0, 4.0)
DRIFTS = PowerLaw(1.0, 3.0, 0.0, 4.0)


def bound_of(problem, points=4000, end=5.0):
    found = rough_ways_by_labels(problem, SearchOptions(points=points, most=1), end)
    made = found.prepared
    return value_bound(problem, made.grid, made.field, found.value, found.near)


@pytest.mark.parametrize('u', [0.5, 0.0, -0.5])
def test_along_a_uniform_current_it_is_the_truth_to_two_percent(u):
    bound = bound_of(problem_of(lambda t, x, y: (u + 0.0 * x, 0.0 * x)))
    assert 0.98 / (1.0 + u) < bound <= 1.0 / (1.0 + u)


@pytest.mark.parametrize('current, metre', [(0.0, 1.8898816), (-0.5, 3.8773599), (0.5, 1.1053736)])
def test_so_is_the_least_energy(current, metre):
    """2 k v^3 - 3 k c v^2 = h: the least energy a metre (issue 17, B)."""
    bound = bound_of(problem_of(lambda t, x, y: (current + 0.0 * x, 0.0 * x), objective='energy', speed=None, cost=LAW))
    assert 0.98 * metre < bound <= 1.0005 * metre    # Power is linear between the table's knots.


@pytest.mark.filterwarnings('error')
def test_a_boat_that_drifts_for_nothing_has_a_bound_of_nothing_and_no_warning():
    drifts = problem_of(lambda t, x, y: (0.5 + 0.0 * x, 0.0 * x), objective='energy', speed=None, cost=DRIFTS)
    assert bound_of(drifts) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize('function, start, goal, least, gap', [
    (double_gyre, (1.5, 0.5), (0.5, 0.5), 1.0057842, 0.02), (four_vortices, (0.0, 0.0), (6.0, 2.0), 8.9494562, 0.08)])
def test_in_eddies_it_is_close_below_the_least_times_that_are_known(function, start, goal, least, gap):
    assert (1.0 - gap) * least < bound_of(problem_of(function, start, goal), end=20.0) < least


def test_it_comes_closer_as_the_lattice_gets_finer():
    problem = problem_of(four_vortices, (0.0, 0.0), (6.0, 2.0))
    gaps = [8.9494562 - bound_of(problem, points, 20.0) for points in (1500, 20_000)]
    assert 0.0 < gaps[1] < 0.7 * gaps[0]


def test_in_a_current_that_changes_it_takes_the_current_of_the_time_of_passing():
    """Water that stands until 0.5 s and then runs with the boat at 0.5 m/s: 0.5 + 0.5 / 1.5."""
    pulse = problem_of(lambda t, x, y: (np.clip((t - 0.45) / 0.1, 0.0, 1.0) * 0.5 + 0.0 * x, 0.0 * x))
    bound = bound_of(pulse, end=2.0)
    assert 0.97 * (0.5 + 0.5 / 1.5) < bound < 0.5 + 0.5 / 1.5 + 5e-3


def test_around_an_island_it_knows_of_the_detour():
    disc = Disc(0.5, 0.0, 0.25)
    length = disc.shortest((0.0, 0.0), (1.0, 0.0))
    assert 0.96 * length < bound_of(problem_of(barriers=disc), 8000) <= length
