"""The polish of routes that wait: when and where a stop is, how long it lasts, and the speeds around it, as one."""

import numpy as np
import pytest
from route_flows import ClosedForm, bowed
from scipy.optimize import brentq, minimize
from search_cases import problem_of

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_cost import waits
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem

TURN, TIDE, HOTEL = 2.0 * np.pi / 20.0, 0.6, 0.01
STILL = UniformFlow()


def tide(t, x, y):
    """Against the boat for 10 s, then with it for 10 s."""
    return -TIDE * np.sin(TURN * t), 0.0


def stayed(*parts):
    """Return a route along x through (time, x)."""
    time, x = np.array(parts).T
    return Route(time, x, 0.0 * x, np.ones(len(time) - 1), np.zeros(len(time)))


def asked(goal, law, **settings):
    return problem_of(tide, goal=(goal, 0.0), objective='energy', speed=None, cost=law, may_wait=True, **settings)


def carried(begin, end):
    """Return how far the tide carries from one time to another, m."""
    return TIDE / TURN * (np.cos(TURN * end) - np.cos(TURN * begin))


def test_it_leaves_with_the_tide_as_a_brute_force_has_it():
    """
    Water that moves all alike: the speed through it stays the same (P is convex), so two numbers are all there is.

    E = h t0 + (h + k w^3) T with w = (d - drift from t0 to t0 + T) / T.
    """
    law, far = PowerLaw(1.0, 3.0, HOTEL), 5.0

    def energy(of):
        begin, lasts = of
        water = (far - carried(begin, begin + lasts)) / lasts
        return HOTEL * begin + (HOTEL + abs(water) ** 3) * lasts

    best = min((minimize(energy, (begin, lasts), method='Nelder-Mead', options={'xatol': 1e-9, 'fatol': 1e-13})
                for begin in (4.0, 8.0, 12.0) for lasts in (4.0, 8.0)), key=lambda one: one.fun)
    found = polished_route(asked(far, law), stayed((0.0, 0.0), (6.0, 0.0), (15.0, far)))
    assert found.cost == pytest.approx(best.fun, rel=2e-4)
    assert found.cost < 0.9 * found.before
    route = found.route
    left = route.time[np.flatnonzero(np.hypot(np.diff(route.x), np.diff(route.y)) > 1e-9)[0]]
    assert left == pytest.approx(best.x[0], abs=0.1)
    assert route.duration == pytest.approx(best.x.sum(), abs=0.2)


def test_where_waiting_does_not_pay_the_stop_vanishes():
    problem = problem_of(goal=(1.0, 0.0), objective='energy', speed=None, may_wait=True)     # P = v^3 + 1.
    found = polished_route(problem, stayed((0.0, 0.0), (0.6, 0.5), (1.4, 0.5), (2.0, 1.0)))
    assert found.cost == pytest.approx(1.8898816, rel=1e-5)    # Issue 17, B: c = 0.
    assert not waits(found.route)


def test_a_stop_moves_to_where_it_is_best():
    """
    Water that runs against the boat beyond x = 1 until 12 s, and with it before: wait at the edge.

    Before x = 1 the water helps by 0.3 m/s always; beyond, it is -0.9 m/s until 12 s and +0.3 m/s then. Anchored at the
    edge from arrival to 12 s; ways at their cheapest speed each, the first of the stop's saved standing.
    """
    def gate(t, x, y):
        shut = 0.25 * (1.0 - np.tanh((t - 12.0) / 0.2)) * (1.0 + np.tanh((x - 1.0) / 0.05))
        return 0.3 - 1.2 * shut, 0.0 * x

    law = PowerLaw(1.0, 3.0, 0.05)
    problem = RouteProblem((0.0, 0.0), (2.0, 0.0), law, ClosedForm(gate), STILL, NoBarriers(), may_wait=True)
    rough = stayed((0.0, 0.0), (1.5, 0.5), (13.0, 0.5), (17.0, 2.0))
    found = polished_route(problem, rough)
    # All of the load until 12 s; to the edge drifting is free (no load is saved by speed); then 2 v^3 + 0.9 v^2 = h.
    speed = brentq(lambda v: 2.0 * v ** 3 + 0.9 * v * v - 0.05, 0.0, 1.0)
    exact = 0.05 * 12.0 + (speed ** 3 + 0.05) / (speed + 0.3)
    assert found.cost == pytest.approx(exact, rel=0.015)
    assert found.cost < 0.97 * found.before


def test_two_stops_and_an_arrival_time():
    """Two tides against, one with the boat between: the answer is never dearer, and never late."""
    problem = asked(4.0, PowerLaw(1.0, 3.0, HOTEL), arrive_by=36.0)
    rough = stayed((0.0, 0.0), (11.0, 0.0), (19.0, 2.0), (31.0, 2.0), (36.0, 4.0))
    found = polished_route(problem, rough)
    assert found.route.time[-1] <= 36.0 + 1e-6
    assert found.cost < found.before
    # By hand: lie until t1, go to a place until t2, lie until t3, go on; speeds constant in each way.

    def energy(of):
        first, begin, second, last, place = of
        ways = (begin, first, place), (last, second, 4.0 - place)
        if not 0.0 <= begin < first < last < second <= 36.0:
            return 1e9
        going = sum(abs(length - carried(a, b)) ** 3 / (b - a) ** 2 for a, b, length in ways)
        return going + HOTEL * second

    best = minimize(energy, (19.0, 11.0, 35.9, 31.0, 2.0), method='Nelder-Mead',
                    options={'xatol': 1e-8, 'fatol': 1e-12, 'maxiter': 20_000, 'maxfev': 20_000}).fun
    assert found.cost < best * (1.0 + 1e-3)


@pytest.mark.parametrize('objective', ['energy', 'time'])
def test_at_one_speed_a_stop_lasts_as_long_as_it_pays(objective):
    """
    At 0.5 m/s: the best t0 of h t0 + (h + k v^3) T(t0), or of t0 + T, by hand.

    The tide, 0.6 m/s, is stronger than the boat from 3 to 7 s: a stop from before 4 s on lasts longer than that.
    """
    law, far = PowerLaw(1.0, 3.0, HOTEL), 3.0
    problem = asked(far, law)._replace(speed=0.5, objective=objective)

    def lasts(begin):
        return brentq(lambda T: 0.5 * T + carried(begin, begin + T) - far, 1e-3, 60.0)

    begins = np.linspace(0.0, 15.0, 3001)
    going = np.array([lasts(begin) for begin in begins])
    cost = begins + going if objective == 'time' else HOTEL * begins + (HOTEL + 0.125) * going
    rough = stayed((0.0, 0.0), (10.0, 0.0), (10.0 + lasts(10.0), far))
    found = polished_route(problem, rough)
    assert found.cost == pytest.approx(cost[begins > 4.0].min(), rel=1e-3)


def test_drifting_with_the_tide_saves_the_motor():
    """
    Water that moves all alike, at least 0.8 m/s where the motor runs: T and how long it runs are all there is.

    E = h T + k 0.8^3 t with 0.8 t = d - drift until T; on the way to T the tide turns.
    """
    far, slowest = 3.0, 0.8
    problem = problem_of(lambda t, x, y: (TIDE * np.sin(TURN * t), 0.0 * x), goal=(far, 0.0),
                         objective='energy', speed=None,
                         cost=PowerLaw(1.0, 3.0, 0.1), lowest_speed=slowest, may_drift=True)
    lasts = np.linspace(0.5, 10.0, 4001)
    left = far - TIDE / TURN * (1.0 - np.cos(TURN * lasts))
    cost = np.where((left >= 0.0) & (left <= slowest * lasts), 0.1 * lasts + slowest ** 2 * left, np.inf)
    best = int(cost.argmin())
    found = polished_route(problem, bowed((0.0, 0.0), (far, 0.0), 3.5, 0.1))
    assert cost[best] * (1.0 - 1e-6) < found.cost < cost[best] * 1.003
    assert found.route.duration == pytest.approx(lasts[best], rel=0.02)
    driven = polished_route(problem._replace(may_drift=False), bowed((0.0, 0.0), (far, 0.0), 3.5, 0.1))
    assert found.cost < 0.95 * driven.cost


def test_a_route_without_stops_is_polished_as_ever():
    problem = problem_of(goal=(3.0, 0.0), objective='energy', speed=None, may_wait=True)
    assert polished_route(problem, bowed((0.0, 0.0), (3.0, 0.0), 3.0)).cost == pytest.approx(3.0 * 1.8898816, rel=1e-5)


def test_never_dearer_whatever_it_begins_with(rng):
    """Random routes with stops in a tide that also crosses: the answer can be gone, and costs no more than before."""
    def crossing(t, x, y):
        return -0.3 * np.sin(TURN * t) + 0.0 * x, 0.3 * np.cos(TURN * t + 2.0 * x)

    better = 0
    for _ in range(6):
        law = PowerLaw(1.0, 3.0, float(rng.uniform(0.01, 0.3)))
        problem = problem_of(crossing, goal=(4.0, 0.0), objective='energy', speed=None, cost=law, may_wait=True)
        x = np.sort(rng.uniform(0.0, 4.0, 6))
        x = np.concatenate(([0.0], np.repeat(x, rng.integers(1, 3, 6)), [4.0]))
        time = np.concatenate(([0.0], np.cumsum(rng.uniform(0.5, 3.0, x.size - 1))))
        aside = np.interp(x, np.linspace(0.0, 4.0, 6), [0.0, *rng.normal(scale=0.4, size=4), 0.0])
        found = polished_route(problem, Route(time, x, aside, np.ones(x.size - 1), np.zeros(x.size)))
        assert found.cost <= found.before
        assert np.isfinite(found.cost) and found.route.energy[-1] == found.cost
        better += found.cost < 0.95 * found.before
    assert better >= 5
