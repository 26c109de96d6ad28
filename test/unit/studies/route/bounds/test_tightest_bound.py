"""The closest bound of each kind of problem lies close below the truth in closed form."""

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.studies.route.bounds.tightest_bound import time_multiplier
from usv_energy.studies.route.find_route import find_route, straight_route
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import SearchOptions

NEEDS = ('numba',)
FEW = SearchOptions(points=2500, hop_points=2500, most=1)
ENERGY = {'objective': 'energy', 'speed': None}


def shear(t, x, y):
    return y, 0.0 * x


def test_with_an_arrival_time_in_a_steady_shear():
    """P = v^2, T = 1: the least energy is 12/13 (issue 17, B); -dE/dT is the price of time."""
    problem = problem_of(shear, cost=PowerLaw(1.0, 2.0, 0.0, 4.0), arrive_by=1.0, **ENERGY)
    found = find_route(problem, FEW)
    exact = 12.0 / 13.0
    assert time_multiplier(problem, found.best) == pytest.approx(exact ** 2 * (1.0 + 0.25), rel=0.01)
    assert 0.96 * exact < found.bound <= exact * 1.0005


def test_at_one_speed_energy_is_time():
    problem = problem_of(lambda t, x, y: (0.3 * np.sin(t) + 0.0 * x, 0.0 * x), objective='energy', speed=1.0)
    found = find_route(problem, FEW)
    assert found.cost == pytest.approx(2.0 * find_route(problem._replace(objective='time'), FEW).cost, rel=1e-3)
    assert 0.97 * found.cost < found.bound <= found.cost


def test_in_still_water_the_time_multiplier_is_that_of_the_straight_way():
    """P = v^3 + 1 over 1 m in 0.8 s: E = T^-2 + T, -dE/dT = 2 T^-3 - 1."""
    problem = problem_of(cost=PowerLaw(1.0, 3.0, 1.0, 4.0), arrive_by=0.8, **ENERGY)
    assert time_multiplier(problem, straight_route(problem)) == pytest.approx(2.0 * 0.8 ** -3 - 1.0, rel=5e-3)


def test_speeds_of_choice_in_a_current_that_changes():
    """All water alike: E = T + |1 - drift|^3 / T^2, the best T by hand; with an arrival time the same with this T."""
    def pulse(t, x, y):
        return 0.5 * np.sin(3.0 * t) + 0.0 * x, 0.0 * x

    lasts = np.linspace(0.3, 3.0, 20_001)
    energy = lasts + (1.0 - 0.5 / 3.0 * (1.0 - np.cos(3.0 * lasts))) ** 3 / lasts ** 2
    problem = problem_of(pulse, cost=PowerLaw(1.0, 3.0, 1.0), **ENERGY)
    for asked, exact in ((problem, energy.min()),
                         (problem._replace(arrive_by=0.8), energy[abs(lasts - 0.8).argmin()])):
        found = find_route(asked, FEW)
        assert found.cost == pytest.approx(exact, rel=1e-3)
        assert 0.85 * exact < found.bound <= exact
