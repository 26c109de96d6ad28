"""The polish finds the extremals that are known exactly, and never gives back what is worse than it was given."""

import numpy as np
import pytest
from route_flows import (
    Box,
    ClosedForm,
    Disc,
    Plain,
    best_speed,
    bowed,
    double_gyre,
    four_vortices,
    least_energy,
    on_circle,
    shear,
    sink_and_vortex,
    spin,
    zermelo_time,
)
from scipy.optimize import brentq, minimize
from search_cases import problem_of

from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem

STILL = UniformFlow()
A, B = on_circle(30.0), on_circle(90.0)
# Flow, start, goal, speed through the water, least time, where the rough route's time is, extent of a grid and its
# spacing. Times of issue 17, by shooting.
TIMES = {
    'shear': (shear(-1.0), (3.66, -1.86), (0.0, 0.0), 1.0, 5.4578653, 5.0, (-6.0, -6.0, 8.0, 6.0), 0.2),
    'shear from beside': (shear(-1.0), (3.5, -1.8), (0.0, 0.0), 1.0, 5.2649321, 5.0, (-6.0, -6.0, 8.0, 6.0), 0.2),
    'against the spin': (spin(0.9), A, B, 1.0, 1.9749381, 2.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'with the spin': (spin(-0.9), A, B, 1.0, 0.5474319, 1.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'sink and vortex': (sink_and_vortex, A, B, 1.0, 1.0300835, 1.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'gyre': (double_gyre, (1.5, 0.5), (0.5, 0.5), 1.0, 1.0057842, 1.0, (0.0, 0.0, 2.0, 1.0), 0.05),
    'gyre, slow boat': (double_gyre, (1.5, 0.5), (0.5, 0.5), 0.35, 2.9585086, 3.0, (0.0, 0.0, 2.0, 1.0), 0.05)}
# Flow, duration, exponent, least energy. Issue 17: closed forms for exponent 2, shooting for 3.
ENERGIES = {
    'shear, 1 s': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 1.0, 2.0, 12.0 / 13.0),
    'shear, 2 s': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 2.0, 2.0, 3.0 / 8.0),
    'shear, 1 s, cubic': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 1.0, 3.0, 0.8876386),
    'shear, 2 s, cubic': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 2.0, 3.0, 0.1638543),
    'spin': (spin(0.9), A, B, 3.0, 2.0, 1.2147719),
    'spin, cubic': (spin(0.9), A, B, 3.0, 3.0, 0.7730036)}


def time_problem(flow, start, goal, speed=1.0, **more):
    return RouteProblem(start, goal, PowerLaw(1.0), flow, STILL, NoBarriers(), objective='time', speed=speed, **more)


def energy_problem(flow, start, goal, law, **more):
    return RouteProblem(start, goal, law, flow, STILL, NoBarriers(), **more)


@pytest.mark.parametrize(('degrees', 'exact'), [(0.0, 2.0 / 3.0), (90.0, 1.1547005), (135.0, 1.7186236), (180.0, 2.0)])
def test_least_time_in_a_uniform_current(degrees, exact):
    flow = UniformFlow(0.5 * np.cos(np.radians(degrees)), 0.5 * np.sin(np.radians(degrees)))
    found = polished_route(time_problem(flow, (0.0, 0.0), (1.0, 0.0)), bowed((0.0, 0.0), (1.0, 0.0), 1.5))
    assert found.cost == pytest.approx(exact, rel=1e-6)
    np.testing.assert_allclose(found.route.y, 0.0, atol=1e-4)
    np.testing.assert_allclose(found.route.speed, 1.0, rtol=1e-9)


@pytest.mark.parametrize('name', TIMES)
def test_least_time_in_flows_in_closed_form(name):
    flow, start, goal, speed, exact, duration, *_ = TIMES[name]
    found = polished_route(time_problem(ClosedForm(flow), start, goal, speed), bowed(start, goal, duration))
    assert found.converged
    assert found.cost == pytest.approx(exact, rel=1e-4)
    assert found.cost * (1.0 - found.gap) == pytest.approx(exact, rel=1e-5)
    assert (found.route.x[-1], found.route.y[-1]) == goal


@pytest.mark.parametrize('name', TIMES)
def test_least_time_on_grids(name):
    """The grids' cells are a tenth to a twentieth of the way: their own error is most of what is left."""
    flow, start, goal, speed, exact, duration, extent, spacing = TIMES[name]
    times = np.linspace(0.0, 3.0, 7) if name == 'sink and vortex' else (0.0,)
    grid = gridded_flow(Plain(flow), extent, spacing, times)
    found = polished_route(time_problem(grid, start, goal, speed), bowed(start, goal, duration))
    assert found.cost == pytest.approx(exact, rel=2e-3)


def test_the_issue_s_times_are_those_of_shooting():
    """A twin that shares nothing with the package: Zermelo's equation by scipy."""
    headings = {'shear': np.radians(105.0), 'against the spin': 3.5, 'sink and vortex': 2.2, 'gyre': 3.1}
    for name, heading in headings.items():
        flow, start, goal, speed, exact, *_ = TIMES[name]
        angle, duration = zermelo_time(flow, start, goal, heading, exact * 1.01, speed)
        assert duration == pytest.approx(exact, rel=2e-7), name
        if name == 'shear':
            assert np.degrees(angle) == pytest.approx(105.0191, abs=1e-3)


def test_the_heading_through_the_shear_turns_as_zermelo_s_does():
    flow, start, goal, speed, *_ = TIMES['shear']
    route = polished_route(time_problem(ClosedForm(flow), start, goal, speed), bowed(start, goal, 5.0)).route
    middle = 0.5 * (route.y[1:] + route.y[:-1])
    step = np.diff(route.time)
    heading = np.degrees(np.arctan2(np.diff(route.y) / step, np.diff(route.x) / step + middle)) % 360.0
    ends = 1.5 * heading[[0, -1]] - 0.5 * heading[[1, -2]]  # From the first and last parts' middles to their ends.
    assert ends == pytest.approx([105.0191, 239.9818], abs=0.3)


@pytest.mark.parametrize('current', [0.0, 0.5, -0.5])
def test_least_energy_against_a_current_at_a_time_that_is_free(current):
    law, (speed, cost) = PowerLaw(1.0, 3.0, hotel=1.0), best_speed(current)
    problem = energy_problem(UniformFlow(-current, 0.0), (0.0, 0.0), (1.0, 0.0), law)
    found = polished_route(problem, bowed((0.0, 0.0), (1.0, 0.0), 1.5))
    assert found.cost == pytest.approx(cost, rel=1e-6)
    np.testing.assert_allclose(found.route.speed, speed, rtol=1e-4)
    assert cost == pytest.approx({0.0: 1.8898816, 0.5: 3.8773599, -0.5: 1.1053736}[current], rel=1e-6)


@pytest.mark.parametrize('name', ENERGIES)
def test_least_energy_for_an_arrival_time(name):
    flow, start, goal, duration, exponent, exact = ENERGIES[name]
    for field, allowed in ((ClosedForm(flow), 1e-4), (gridded_flow(Plain(flow), (-2.0, -2.0, 2.0, 2.0), 0.1), 1e-4)):
        problem = energy_problem(field, start, goal, PowerLaw(1.0, exponent), arrive_by=duration)
        found = polished_route(problem, bowed(start, goal, duration))
        assert found.cost == pytest.approx(exact, rel=allowed)
        assert found.route.time[-1] == pytest.approx(duration, rel=1e-12)
        assert found.route.energy[-1] == found.cost


def test_the_issue_s_energies_are_those_of_shooting():
    firsts = {'shear, 1 s, cubic': (0.9, 0.4), 'shear, 2 s, cubic': (0.3, 0.4), 'spin, cubic': (-0.6, 0.2)}
    for name, first in firsts.items():
        flow, start, goal, duration, exponent, exact = ENERGIES[name]
        assert least_energy(flow, start, goal, duration, exponent, first) == pytest.approx(exact, rel=2e-6), name


@pytest.mark.parametrize(('bow', 'exact'), [(0.4, 9.1218621), (0.6, 8.9494562)])
def test_among_four_vortices_each_rough_route_leads_to_its_own_optimum(bow, exact):
    problem = time_problem(ClosedForm(four_vortices), (0.0, 0.0), (6.0, 2.0))
    found = polished_route(problem, bowed((0.0, 0.0), (6.0, 2.0), 8.0, bow))
    assert found.cost == pytest.approx(exact, rel=1e-4)
    assert found.gap < 5e-5


START, GOAL = (-1.0, 0.01), (2.0, -0.02)


def problem(barriers, start, goal, **more):
    return RouteProblem(start, goal, PowerLaw(1.0), STILL, STILL, barriers, **more)


def via(*places):
    points = np.array(places)
    time = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    return Route(time, points[:, 0], points[:, 1], np.ones(len(points) - 1), np.zeros(len(points)))


def meets(barriers, route):
    return barriers.crossed(route.x[:-1], route.y[:-1], route.x[1:], route.y[1:]).any()


@pytest.mark.parametrize('radius', [0.5, 0.05])
def test_the_shortest_way_round_a_disc(radius):
    disc = Disc(0.5, 0.0, radius)
    found = polished_route(problem(disc, START, GOAL, objective='time', speed=1.0), bowed(START, GOAL, 3.0, 0.3))
    assert found.cost == pytest.approx(disc.shortest(START, GOAL), rel=1e-3)
    assert found.cost < found.before
    assert not meets(disc, found.route)


def test_the_least_energy_round_a_disc_goes_evenly():
    disc = Disc(0.5, 0.0, 0.5)
    found = polished_route(problem(disc, START, GOAL, arrive_by=3.0), bowed(START, GOAL, 3.0, 0.3))
    length = disc.shortest(START, GOAL)
    assert found.cost == pytest.approx(length ** 3 / 3.0 ** 2, rel=1e-3)
    np.testing.assert_allclose(found.route.speed, length / 3.0, rtol=3e-3)


@pytest.mark.parametrize('box', [(1.0, -1.0, 3.0, 0.5), (1.9, -1.0, 2.1, 1.0), (1.99, -1.0, 2.0, 1.0)],
                         ids=['pier', 'mole', 'wall'])
def test_the_shortest_way_round_corners(box):
    barriers, (left, _, right, top) = Box(*box), box
    rough = via((0.0, 0.0), (left - 0.1, top + 0.5), (right + 0.1, top + 0.4), (4.0, 0.0))
    fastest = problem(barriers, (0.0, 0.0), (4.0, 0.0), objective='time', speed=1.0)
    found = polished_route(fastest, rough, most_parts=256)
    exact = np.hypot(left, top) + right - left + np.hypot(4.0 - right, top)
    assert found.cost == pytest.approx(exact, rel=1e-3)
    assert not meets(barriers, found.route)


TURN, TIDE, HOTEL = 2.0 * np.pi / 20.0, 0.6, 0.01


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
    assert np.hypot(np.diff(found.route.x), np.diff(found.route.y)).all()


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
