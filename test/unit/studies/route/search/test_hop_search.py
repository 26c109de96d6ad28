"""The search by layers of time: both bodies alike, both directions alike, and closed forms from above."""

import math

import numpy as np
import pytest
from route_flows import shear, sink_and_vortex
from search_cases import problem_of
from test_power_table import Blown

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.hop_search import STAY, _hops, least_energy_layers, rough_ways_by_hops
from usv_energy.studies.route.search.rough_ways import SearchOptions, prepared_search


def parts_of(problem, end, points=500, **limits):
    prepared = prepared_search(problem, points, 0.5, end)
    grid = prepared.grid
    start, goal = (np.where(np.arange(grid.size) == point, 0.0, np.inf) for point in (grid.start, grid.goal))
    return prepared, _hops(problem, prepared, end)._replace(**limits), start, goal, np.zeros((1, grid.size))


@pytest.mark.parametrize('settings', [{}, {'cost': Blown(), 'wind': UniformFlow(2.0, 1.0)}, {'may_wait': True},
                                      {'lowest_speed': 0.4, 'may_drift': True}])
def test_arrays_find_what_the_compiled_loop_finds(settings):
    pytest.importorskip('numba')
    problem = problem_of(sink_and_vortex, (0.2, 0.1), (0.9, 0.5), **{'objective': 'energy', 'speed': None, **settings})
    prepared, hops, start, goal, rest = parts_of(problem, 2.0)
    for sign, first in ((1, start), (-1, goal)):
        one, other = (least_energy_layers(prepared.field, hops, 0.0, first, sign, rest, None, compiled)
                      for compiled in (True, False))
        np.testing.assert_allclose(other.energy, one.energy, rtol=1e-12)
        assert (one.hop != other.hop).mean() < 0.05       # Ties only.


def test_forwards_and_backwards_cost_the_same_in_every_layer():
    problem = problem_of(sink_and_vortex, (0.2, 0.1), (0.9, 0.5), objective='energy', speed=None)
    prepared, hops, start, goal, rest = parts_of(problem, 2.0)
    there = least_energy_layers(prepared.field, hops, 0.0, start, 1, rest)
    home = least_energy_layers(prepared.field, hops, 0.0, goal, -1, rest)
    cost = there.energy[-1, prepared.grid.goal]
    assert home.energy[0, prepared.grid.start] == pytest.approx(cost, rel=1e-12)
    np.testing.assert_allclose((there.energy + home.energy).min(axis=1), cost, rtol=1e-12)
    assert there.hop[0, prepared.grid.start] == STAY


def test_what_a_limit_leaves_out_is_no_way_below_it():
    problem = problem_of(shear(1.0), objective='energy', speed=None, cost=PowerLaw(1.0, 2.0))
    prepared, hops, start, _, rest = parts_of(problem, 1.0, 4000)
    goal = prepared.grid.goal
    full = least_energy_layers(prepared.field, hops, 0.0, start, 1, rest)
    some = least_energy_layers(prepared.field, hops._replace(most=1.2 * full.energy[-1, goal]), 0.0, start, 1, rest)
    assert some.energy[-1, goal] == full.energy[-1, goal]
    there = np.isfinite(some.energy)
    assert there.sum() < np.isfinite(full.energy).sum()
    np.testing.assert_array_equal(some.energy[there], full.energy[there])


@pytest.mark.parametrize('settings', [{}, {'may_wait': True}, {'may_drift': True, 'lowest_speed': 0.4}])
def test_the_least_power_of_each_hop_leaves_out_no_way(settings):
    problem = problem_of(sink_and_vortex, (0.2, 0.1), (0.9, 0.5), objective='energy', speed=None,
                         cost=PowerLaw(1.0, 3.0, 0.3), **settings)
    prepared, hops, start, _, rest = parts_of(problem, 2.0)
    bounded, free = (least_energy_layers(prepared.field, one, 0.0, start, 1, rest)
                     for one in (hops, hops._replace(least=np.zeros(len(hops.columns)))))
    np.testing.assert_array_equal(bounded.energy, free.energy)
    assert hops.least.min() >= 0.3 - 1e-12 and hops.least.max() > 2.0 * hops.least.min()


@pytest.mark.parametrize('exponent, duration, exact', [(2.0, 1.0, 12 / 13), (2.0, 2.0, 3 / 8), (3.0, 2.0, 0.1638543)])
def test_least_energy_in_a_shear_is_approached_from_above(exponent, duration, exact):
    """E = 1 / (T + g^2 T^3 / 12) for a power of v^2 (issue 17, B)."""
    problem = problem_of(shear(1.0), objective='energy', speed=None, cost=PowerLaw(1.0, exponent), arrive_by=duration)
    found = rough_ways_by_hops(problem, SearchOptions(hop_points=4000), duration)
    assert exact < found.cost < 1.2 * exact
    time, x, y = found.ways[0]
    assert (time[0], x[0], y[0]) == (0.0, 0.0, 0.0) and time[-1] <= duration * (1.0 + 1e-9)
    assert math.dist((x[-1], y[-1]), problem.goal) < 1e-12


def test_waiting_for_the_tide_is_found():
    """Against the boat until 5 s, with it after: lying at anchor until then costs the hotel load only."""
    problem = problem_of(lambda t, x, y: (np.where(t < 5.0, -1.0, 1.0) + 0.0 * x, 0.0 * y), objective='energy',
                         speed=None, cost=PowerLaw(1.0, 3.0, 0.02), may_wait=True)
    waiting = rough_ways_by_hops(problem, SearchOptions(hop_points=2000), 8.0)
    going = rough_ways_by_hops(problem._replace(may_wait=False), SearchOptions(hop_points=2000), 8.0)
    assert waiting.cost < 0.2 < 0.5 * going.cost
    time, x, _ = waiting.ways[0]
    assert np.abs(x[time < 4.5]).max() < 0.1
