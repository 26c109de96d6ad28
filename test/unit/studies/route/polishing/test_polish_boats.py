"""The polish with real boats in wind, eddies that drift, limits of speed; on what it is given it only improves."""

import numpy as np
import pytest
from route_flows import ClosedForm, Plain, bowed

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.costs.motion_table import motion_table
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_cost import costed_route
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem

START, GOAL = (100.0, 150.0), (1900.0, 1800.0)


def eddies(seed, fastest=0.5):
    rng = np.random.default_rng(seed)
    places, sizes = rng.uniform(0.0, 2000.0, (12, 2)), rng.uniform(100.0, 300.0, 12)
    strengths, drifts = fastest * rng.uniform(-1.0, 1.0, 12), rng.uniform(-0.05, 0.05, (12, 2))

    def flow(t, x, y):
        u = v = 0.0
        for (east, north), size, strength, (by_x, by_y) in zip(places, sizes, strengths, drifts):
            dx, dy = (x - east - by_x * t) / size, (y - north - by_y * t) / size
            share = strength * np.exp(0.5 * (1.0 - dx * dx - dy * dy))
            u, v = u - share * dy, v + share * dx
        return u, v
    return flow


def wind(t, x, y):
    return 4.0 + np.sin(x / 600.0 + t / 900.0), -2.0 + np.cos(y / 500.0)


@pytest.fixture(scope='module')
def blueboat():
    return motion_table(read_boat('blueboat_start').vessel, 7.5)


def problem(cost, seed, **more):
    return RouteProblem(START, GOAL, cost, ClosedForm(eddies(seed)), ClosedForm(wind), NoBarriers(), **more)


def energy_by_the_physics(vessel, route, flow):
    """Return the energy of a route by the steady motion of the physics at each part's middle, J."""
    time, x, y = (0.5 * (part[1:] + part[:-1]) for part in (route.time, route.x, route.y))
    step = np.diff(route.time)
    vx, vy = np.diff(route.x) / step, np.diff(route.y) / step
    motion = steady_state(vessel, np.arctan2(vy, vx), np.hypot(vx, vy), Flow(*flow(time, x, y), *wind(time, x, y)))
    assert motion.feasible.all()
    return float(motion.power.total @ step)


def test_a_boat_s_cheapest_route_is_cheaper_by_the_physics_too(blueboat):
    vessel, seed = read_boat('blueboat_start').vessel, 1
    asked = problem(blueboat, seed)
    rough = bowed(START, GOAL, 3300.0, 0.05, 400)
    found = polished_route(asked, rough)
    exact = energy_by_the_physics(vessel, found.route, eddies(seed))
    assert found.cost == pytest.approx(exact, rel=1e-3)
    assert found.before == pytest.approx(energy_by_the_physics(vessel, rough, eddies(seed)), rel=2e-3)
    assert found.cost < 0.95 * found.before


def test_no_neighbour_is_cheaper(blueboat):
    """Bends and delays of the route found, of every length: none saves more than what the mesh still costs."""
    asked = problem(blueboat, 2)
    route = polished_route(asked, bowed(START, GOAL, 3300.0, 0.05)).route
    best = costed_route(asked, route.time, route.x, route.y).cost
    share = np.linspace(0.0, 1.0, route.x.size)
    for wave in (1, 2, 3, 5):
        for size in (-60.0, -10.0, 10.0, 60.0):
            bend = size * np.sin(wave * np.pi * share)
            for x, y, time in ((route.x + bend, route.y, route.time), (route.x, route.y + bend, route.time),
                               (route.x, route.y, route.time + bend), (route.x, route.y, route.time + size * share)):
                assert costed_route(asked, time, x, y).cost > best * (1.0 - 1e-5)


def test_least_time_goes_at_the_highest_speed_in_each_air(blueboat):
    found = polished_route(problem(blueboat, 0, objective='time'), bowed(START, GOAL, 3300.0, 0.05))
    step, route = np.diff(found.route.time), found.route
    time, x, y = (0.5 * (part[1:] + part[:-1]) for part in (route.time, route.x, route.y))
    current, air = np.array(eddies(0)(time, x, y)), np.array(wind(time, x, y))
    water = np.array([np.diff(route.x) / step, np.diff(route.y) / step]) - current
    ahead = water / np.hypot(*water)
    air = air - current
    top = blueboat.top_speed(air[0] * ahead[0] + air[1] * ahead[1], ahead[0] * air[1] - ahead[1] * air[0])
    np.testing.assert_allclose(route.speed, top, rtol=1e-3)
    assert np.ptp(top) > 0.05
    assert found.cost == route.duration < 900.0


def test_limits_of_speed_are_kept_and_cost_what_they_forbid():
    """Less to choose from costs more; the lowest speed of a law of two numbers binds where the current helps."""
    flow, law = ClosedForm(eddies(2)), PowerLaw(10.0, 3.0, hotel=4.0)
    rough = bowed(START, GOAL, 3000.0, 0.05)
    costs = []
    for lowest, highest in ((0.0, np.inf), (0.0, 0.62), (0.5, 0.62), (0.6, 0.62)):
        asked = RouteProblem(START, GOAL, PowerLaw(10.0, 3.0, 4.0, highest), flow, UniformFlow(), NoBarriers(),
                             lowest_speed=lowest)
        found = polished_route(asked, rough)
        costs.append(found.cost)
        assert found.route.speed.min() >= lowest * (1.0 - 1e-3)
        assert found.route.speed.max() <= highest * (1.0 + 1e-3)
    assert costs == sorted(costs)
    assert np.isfinite(costs).all()
    assert law.power(np.array([0.5]), 0.0, 0.0) == pytest.approx(5.25)


@pytest.mark.parametrize('seed', range(4))
def test_no_route_gets_dearer(seed):
    rng = np.random.default_rng(700 + seed)
    flow = eddies(seed, 1.2)
    field = ClosedForm(flow) if seed % 2 else gridded_flow(Plain(flow), (-300.0, -300.0, 2300.0, 2300.0), 50.0,
                                                           np.linspace(0.0, 12000.0, 7))
    at = np.linspace(0.0, 1.0, 12)
    x, y = (a + at * (b - a) for a, b in zip(START, GOAL))
    x[1:-1] += rng.normal(0.0, 120.0, 10)
    y[1:-1] += rng.normal(0.0, 120.0, 10)
    rough = Route(5000.0 * at, x, y, np.ones(11), np.zeros(12))
    for more in ({}, {'arrive_by': 5000.0}, {'speed': 1.5}, {'speed': 1.5, 'objective': 'time'}):
        asked = RouteProblem(START, GOAL, PowerLaw(10.0, 3.0, 4.0), field, UniformFlow(), NoBarriers(), **more)
        found = polished_route(asked, rough)
        assert found.cost <= found.before
        again = polished_route(asked, found.route)
        assert again.cost <= found.cost * (1.0 + 1e-4)
        assert np.isfinite(found.cost)
