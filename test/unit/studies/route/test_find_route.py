"""The best side without a hint, against published and shot optima; never dearer than the straight way."""

import numpy as np
import pytest
from route_flows import Disc, bowed, four_vortices, shear
from search_cases import earliest_arrival, eddies, problem_of

from usv_energy.files.errors import InputError
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_cost import objective_value
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import SearchOptions

FEW = SearchOptions(points=6000, hop_points=3000)


def test_ferraros_four_vortices():
    """The least time and the next local one (issue 17, C; field of Ferraro, Martin de Diego and Almagro, 2021)."""
    found = find_route(problem_of(four_vortices, goal=(6.0, 2.0)), FEW)
    assert found.cost == pytest.approx(8.9494562, rel=2e-4)
    assert found.others[0].duration == pytest.approx(9.1218621, rel=1e-3)
    assert found.cost < found.rough < 1.02 * found.cost and found.bound < found.cost
    assert found.straight is not None and found.straight.duration > 3.0 * found.cost


def test_random_eddies_in_which_the_local_search_alone_fails():
    """Truth from a fan of extremals that shares nothing with the search; the fan may miss narrow ways."""
    lost = []
    for seed in range(5):
        flow = eddies(seed)
        problem = problem_of(flow)
        cost = find_route(problem, FEW).cost
        assert cost < 1.001 * earliest_arrival(flow, problem.start, problem.goal, 2.0, 800, 0.006)
        lost.append(polished_route(problem, bowed(problem.start, problem.goal, 1.0, 0.0)).cost / cost - 1.0)
    assert min(lost) > -1e-3 and np.sum(np.array(lost) > 0.01) >= 2


def test_where_a_coarse_lattice_finds_only_ways_that_cannot_be_gone_a_finer_one_is_taken():
    """Eight eddies, the fastest 0.9 times as fast as the boat: case 144 of bench/routes.py, in closed form."""
    rng = np.random.default_rng(50_144)
    strength = rng.uniform(0.2, 0.9)
    places, sizes = rng.uniform((-0.2, -0.5), (1.2, 0.5), (8, 2)), rng.uniform(0.08, 0.25, 8)
    swirls = strength * rng.choice((-1.0, 1.0), 8) * rng.uniform(0.5, 1.0, 8)

    def flow(t, x, y):
        dx, dy = ((np.asarray(part)[..., None] - places[:, k]) / sizes for k, part in enumerate((x, y)))
        share = swirls * np.exp(0.5 - 0.5 * (dx * dx + dy * dy))
        return -(share * dy).sum(axis=-1), (share * dx).sum(axis=-1)
    cost = find_route(problem_of(flow), SearchOptions(points=1500, hop_points=700)).cost
    assert cost == pytest.approx(earliest_arrival(flow, (0.0, 0.0), (1.0, 0.0), 2.0, 1600, 0.006), rel=2e-3)


def test_the_shortest_way_round_a_disc():
    disc = Disc(0.5, -0.07, 0.22)
    found = find_route(problem_of(barriers=disc), FEW)
    exact = disc.shortest((0.0, 0.0), (1.0, 0.0))
    assert exact * (1.0 - 1e-6) < found.cost < 1.001 * exact
    x, y = found.best.x, found.best.y
    assert not disc.crossed(x[:-1], y[:-1], x[1:], y[1:]).any() and found.straight is None


@pytest.mark.parametrize('exponent, duration, exact', [(2.0, 2.0, 3 / 8), (3.0, 2.0, 0.1638543)])
def test_least_energy_by_an_arrival_time(exponent, duration, exact):
    found = find_route(problem_of(shear(1.0), objective='energy', speed=None, cost=PowerLaw(1.0, exponent),
                                  arrive_by=duration), FEW)
    assert found.cost == pytest.approx(exact, rel=1e-3) and found.best.time[-1] <= duration * (1.0 + 1e-9)


@pytest.mark.parametrize('seed', range(4))
def test_never_dearer_than_the_straight_way(seed):
    """Random eddies that come and go, laws, loads and arrival times; a thousand of them: bench/routes.py."""
    rng = np.random.default_rng(700 + seed)
    steady, rate = eddies(100 + seed, strength=rng.uniform(0.2, 0.8)), rng.uniform(0.0, 3.0)

    def flow(t, x, y):
        u, v = steady(t, x, y)
        return u * np.cos(rate * t), v * np.cos(rate * t)
    settings = {'objective': 'energy', 'speed': None, 'cost': PowerLaw(1.0, rng.uniform(2.0, 3.0), 0.5, 3.0)}
    found = find_route(problem_of(flow, **(settings if seed % 2 else {}), arrive_by=2.5 if seed == 3 else None),
                       SearchOptions(points=2000, hop_points=1000))
    problem = problem_of(flow, **(settings if seed % 2 else {}))
    if found.straight is not None:
        assert found.cost <= objective_value(problem, found.straight) * (1.0 + 1e-9)


def test_a_charge_that_is_too_small_is_told():
    with pytest.raises(InputError, match=r'the charge is too small: the route takes 2 J, and there are 1 J'):
        find_route(problem_of(charge=1.0), FEW)
    assert find_route(problem_of(charge=2.1), FEW).best.energy[-1] == pytest.approx(2.0, rel=1e-6)


def test_it_waits_for_the_tide():
    """
    At anchor while the tide is against it, then with it: as a brute force has it over when to leave and to arrive.

    From t0 to t1 the water goes 6 / pi (sin(pi t0 / 6) - sin(pi t1 / 6)), m, all alike: the rest is gone at one speed.
    """
    tide = problem_of(lambda t, x, y: (-np.cos(np.pi * t / 6.0) + 0.0 * x, 0.0 * y), objective='energy', speed=None,
                      cost=PowerLaw(1.0, 3.0, 0.02), may_wait=True, arrive_by=6.0, extent=(-0.2, -0.3, 1.2, 0.3))
    found = find_route(tide, FEW)
    left, there = np.meshgrid(np.linspace(0.0, 6.0, 1201), np.linspace(0.0, 6.0, 1201))
    lasts = np.where(there > left, there - left, np.nan)
    water = (1.0 - 6.0 / np.pi * (np.sin(np.pi * left / 6.0) - np.sin(np.pi * there / 6.0))) / lasts
    exact = np.nanmin(0.02 * there + abs(water) ** 3 * lasts)
    assert found.cost == pytest.approx(exact, rel=5e-4)
    assert found.bound <= exact
    assert not np.hypot(np.diff(found.best.x), np.diff(found.best.y)).all()
