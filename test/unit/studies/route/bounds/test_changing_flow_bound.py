"""No way is cheaper than the bound by a value of place and time: closed forms of currents that change, and do not."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import minimize_scalar
from search_cases import problem_of

from usv_energy.studies.route.bounds.tightest_bound import changing_flow_bound
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import prepared_search

ENERGY = {'objective': 'energy', 'speed': None}


def bound_of(problem, cost, end, points=2500):
    return changing_flow_bound(problem, prepared_search(problem, points, 0.75, end), cost, end)


@pytest.mark.parametrize('current, metre', [(0.0, 1.8898816), (-0.5, 3.8773599), (0.5, 1.1053736)])
def test_least_energy_in_a_steady_current(current, metre):
    """2 k v^3 - 3 k c v^2 = h (issue 17, B): V's last time, 3.2 s, is twice that of the longest."""
    problem = problem_of(lambda t, x, y: (current + 0.0 * x, 0.0 * x), cost=PowerLaw(1.0, 3.0, 1.0), **ENERGY)
    assert 0.97 * metre < bound_of(problem, metre, 3.2) <= metre


def test_it_comes_to_the_truth_as_the_lattice_gets_finer():
    problem = problem_of(lambda t, x, y: (-0.5 + 0.0 * x, 0.0 * x), cost=PowerLaw(1.0, 3.0, 1.0), **ENERGY)
    missing = [1.0 - bound_of(problem, 3.8773599, 3.2, points) / 3.8773599 for points in (600, 2400)]
    assert 0.0 < missing[1] < 0.75 * missing[0]


@pytest.mark.parametrize('seed', range(6))
def test_a_current_that_is_everywhere_alike_and_changes(seed):
    """By Jensen the speed through the water stays: E = (h + k w^3) T, w = |d - drift in T| / T, the best of all T."""
    rng = np.random.default_rng(62100 + seed)
    (a, b), (one, other), (p, q) = rng.uniform(0.1, 0.6, 2), rng.uniform(1.0, 4.0, 2), rng.uniform(0.0, 6.0, 2)

    def current(t, x, y):
        return a * np.sin(one * t + p) + 0.0 * x, b * np.sin(other * t + q) + 0.0 * x

    def energy(lasts):
        east, north = (quad(lambda t, k=k: float(current(t, 0.0, 0.0)[k]), 0.0, lasts)[0] for k in (0, 1))
        return lasts + np.hypot(1.0 - east, north) ** 3 / lasts ** 2

    tried = np.linspace(0.2, 4.0, 60)
    best = tried[np.argmin([energy(lasts) for lasts in tried])]
    found = minimize_scalar(energy, bounds=(best - 0.1, best + 0.1), method='bounded')
    problem = problem_of(current, cost=PowerLaw(1.0, 3.0, 1.0), **ENERGY)
    assert 0.9 * found.fun < bound_of(problem, found.fun, 2.0 * found.x) <= found.fun * 1.001


def linear_flow(t, x, y):
    """A sink with a vorticity that grows (issue 17, A)."""
    return -0.3 * x - (t - 0.5) * y, -0.3 * y + (t - 0.5) * x


def test_an_arrival_time_in_a_linear_flow_that_changes():
    """
    P = w^2 + h, T = 1: the integral of w^2 is d' W^-1 d, W the Gramian of the flow's own movement (linear control).

    d: from where the water would take the boat to the goal. The load makes no difference to the way.
    """
    start, goal, lasts, load = np.array([0.2, 0.0]), np.array([1.2, 0.0]), 1.0, 0.5

    def change(t, state):
        matrix = np.array([[-0.3, -(t - 0.5)], [t - 0.5, -0.3]])
        moved, gramian = state[:2], state[2:].reshape(2, 2)
        return np.concatenate([matrix @ moved, (matrix @ gramian + gramian @ matrix.T + np.eye(2)).ravel()])

    end = solve_ivp(change, (0.0, lasts), [*start, 0.0, 0.0, 0.0, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]
    left, gramian = goal - end[:2], end[2:].reshape(2, 2)
    exact = left @ np.linalg.solve(gramian, left) + load * lasts
    problem = problem_of(linear_flow, tuple(start), tuple(goal), cost=PowerLaw(1.0, 2.0, load), arrive_by=lasts,
                         **ENERGY)
    assert 0.8 * exact < bound_of(problem, exact, lasts) <= exact


def test_waiting_for_the_tide_is_bounded():
    """At anchor until the tide turns, as a brute force has it over when to leave and when to arrive."""
    tide = problem_of(lambda t, x, y: (-np.cos(np.pi * t / 6.0) + 0.0 * x, 0.0 * y), cost=PowerLaw(1.0, 3.0, 0.02),
                      may_wait=True, extent=(-0.2, -0.3, 1.2, 0.3), **ENERGY)
    left, there = np.meshgrid(np.linspace(0.0, 8.0, 801), np.linspace(0.0, 8.0, 801))
    lasts = np.where(there > left, there - left, np.nan)
    water = (1.0 - 6.0 / np.pi * (np.sin(np.pi * left / 6.0) - np.sin(np.pi * there / 6.0))) / lasts
    exact = np.nanmin(0.02 * there + abs(water) ** 3 * lasts)
    assert 0.4 * exact < bound_of(tide, exact, 6.5, 1000) <= exact
