"""Each departure's route is the one found alone, whoever finds it; the best is the one that costs the least."""

import os
import pickle
import signal

import numpy as np
import pytest
from route_cases import problem, steady_route
from scipy.integrate import trapezoid
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.studies.route import departures as departures_module
from usv_energy.studies.route.departures import (
    MEAN,
    NOT_TRIED,
    TIE,
    MeanFlow,
    first_of_cheapest,
    forecast_costs,
    route_departures,
)
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import SearchOptions

FEW = SearchOptions(points=1500, hop_points=800)
TIMES = 0.5 * np.arange(21)


def tide():
    east = 0.5 * np.cos(2.0 * np.pi * TIMES / 5.0)[:, None, None] * np.ones((1, 3, 3))
    return GriddedFlow(TIMES, (-2.0, -2.0, 3.0, 2.0), east, 0.0 * east, 'tide')


def drift(t):
    """Return how far the tide carries from its first time on, exactly: it is linear between its steps."""
    fine = np.linspace(0.0, t, 20001)
    return trapezoid(np.interp(fine, TIMES, 0.5 * np.cos(2.0 * np.pi * TIMES / 5.0)), fine)


@pytest.mark.parametrize('workers', [1, 2])
def test_straight_with_the_tide_each_takes_what_the_tide_leaves(workers):
    """One way along the stream: T + the water's way = 1 m, at 1 m/s."""
    departures = [0.0, 1.0, 2.5, 4.0]
    done = []
    found = route_departures(problem_of(current=tide()), departures, FEW, workers,
                             progress=lambda number, of: done.append((number, of)))
    for start, lasts in zip(departures, found.cost.tolist()):
        assert lasts + drift(start + lasts) - drift(start) == pytest.approx(1.0, rel=1e-3)
    assert departures[found.best] == pytest.approx(departures[int(found.cost.argmin())])
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)] and not any(found.why)


def test_only_departures_near_the_cheapest_are_polished():
    """The others keep the best way of the lattice, which is dearer than the polished one, and by little."""
    departures, done = [0.0, 1.0, 2.5, 4.0], []
    every = route_departures(problem_of(current=tide()), departures, FEW, 1)
    found = route_departures(problem_of(current=tide()), departures, FEW, 1,
                             progress=lambda number, of: done.append((number, of)), near=0.05)
    arrival = np.array(departures) + every.cost
    assert found.polished.tolist() == [True, False, False, False] and found.best == every.best
    assert arrival.argmin() == 0 and (arrival[1:] > arrival[0] + 0.05 * every.cost.min()).all()
    assert found.cost[0] == every.cost[0]
    assert (found.cost[1:] >= every.cost[1:] * (1.0 - 1e-9)).all() and (found.cost < 1.05 * every.cost).all()
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_departures_without_a_route_say_why():
    found = route_departures(problem_of(current=tide()), [1.0, 9.9], FEW, 1)
    assert found.found[1] is None and np.isnan(found.cost[1]) and 'the flow ends at 10 s' in found.why[1]
    assert found.cost[0] == pytest.approx(find_route(problem_of(current=tide(), depart=1.0), FEW).cost, rel=1e-12)
    with pytest.raises(InputError, match=r'there is no current then'):
        route_departures(problem_of(current=tide()), [20.0, 30.0], FEW, 1)


def test_by_dask_they_are_the_same_and_a_killed_worker_loses_none():
    distributed = pytest.importorskip('distributed')
    problem, departures, killed = problem_of(current=tide()), [0.0, 1.0, 2.0, 3.0], []
    here = route_departures(problem, departures, FEW, 1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=':0',
                                  silence_logs='CRITICAL') as cluster:
        def kill_one(done, of):
            if done == 1:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)
        there = route_departures(problem, departures, FEW, dask=cluster.scheduler_address, progress=kill_one)
    assert len(killed) == 1
    np.testing.assert_allclose(there.cost, here.cost, rtol=1e-12)


def test_a_killed_process_loses_no_departure(monkeypatch, tmp_path):
    problem, departures = problem_of(current=tide()), [0.0, 1.0, 2.0, 3.0]
    here = route_departures(problem, departures, FEW, 1)

    def deadly(asked, departure, route_at_departure=departures_module.route_at_departure):
        if departure == 2.0 and not (tmp_path / 'killed').exists():
            (tmp_path / 'killed').touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return route_at_departure(asked, departure)
    monkeypatch.setattr(departures_module, 'route_at_departure', deadly)
    there = route_departures(problem, departures, FEW, 2)
    assert (tmp_path / 'killed').exists()
    np.testing.assert_allclose(there.cost, here.cost, rtol=1e-12)


def test_what_ctrl_c_came_before_was_not_tried():
    """It has no reason of its own: a way that exists was once said not to."""
    def interrupted(done, of):
        if done == 2:
            raise KeyboardInterrupt
    found = route_departures(problem_of(current=tide()), [0.0, 1.0, 2.0, 3.0], FEW, 1, progress=interrupted)
    assert found.broken_off and found.why == ('', '', NOT_TRIED, NOT_TRIED)
    assert [one is None for one in found.found] == [False, False, True, True]


def test_a_mean_of_forecasts_goes_to_other_processes():
    mean = MeanFlow([tide(), UniformFlow(0.1, 0.2)])
    for given, sent in zip(mean.velocity(1.2, np.zeros(1), np.zeros(1)),
                           pickle.loads(pickle.dumps(mean)).velocity(1.2, np.zeros(1), np.zeros(1))):
        np.testing.assert_array_equal(given, sent)


FLOWS = UniformFlow(0.2, 0.0), UniformFlow(-0.4, 0.3)


class Half:
    """A flow to the east of x = 0 only."""

    extent = (0.0, -10.0, 50.0, np.inf)

    def velocity(self, t, x, y):
        inside = x >= 0.0
        return np.where(inside, 1.0, np.nan), np.where(inside, 0.0, np.nan), inside


def test_the_mean_is_that_of_the_velocities_where_all_have_one():
    mean = MeanFlow([*FLOWS, Half()])
    vx, vy, inside = mean.velocity(0.0, np.array([1.0, -1.0]), np.zeros(2))
    np.testing.assert_allclose([vx[0], vy[0]], [0.8 / 3.0, 0.1])
    np.testing.assert_array_equal(inside, [True, False])
    assert np.isnan(vx[1])
    assert mean.extent == (0.0, -10.0, 50.0, np.inf)
    np.testing.assert_allclose(mean.velocities(np.zeros((2, 1)), np.ones((2, 1)), np.zeros((2, 1))),
                               np.broadcast_to(np.array([0.8 / 3.0, 0.1])[:, None, None], (2, 2, 1)))


def test_routes_are_priced_in_every_forecast_at_their_own_times():
    routes = [steady_route([(0.0, 0.0), (300.0, 400.0)], speed) for speed in (1.0, 1.4)]
    found = forecast_costs([problem(current=flow) for flow in FLOWS], ['a', 'b'], [MEAN, 'a'], routes)
    for row, route in enumerate(routes):
        for column, flow in enumerate(FLOWS):
            speed = 500.0 / route.duration
            water = np.hypot(0.6 * speed - flow.x, 0.8 * speed - flow.y)
            assert found.energy[row, column] == pytest.approx((5.0 + 2.0 * water ** 3) * route.duration, rel=1e-9)
    assert found.chosen == int(np.argmin(found.energy.mean(axis=1)))
    mean, low, high = found.spread
    assert low < mean < high


def test_a_route_that_cannot_be_kept_to_is_not_chosen():
    weak = [problem(current=flow)._replace(cost=PowerLaw(2.0, 3.0, 5.0, 1.35)) for flow in FLOWS]
    routes = [steady_route([(0.0, 0.0), (300.0, 400.0)], speed) for speed in (0.8, 1.3)]
    found = forecast_costs(weak, ['a', 'b'], [MEAN, 'a'], routes)
    assert np.isnan(found.energy[1]).any()
    assert found.chosen == 0


def test_of_departures_that_cost_the_same_the_earlier_is_chosen():
    """Within the accuracy of what is compared; but for it the sixth is the least."""
    cost = np.array([5.0, np.nan, 4.0 * (1.0 + 0.9 * TIE), 4.0 * (1.0 + 1.1 * TIE), 4.2, 4.0, 4.5])
    assert first_of_cheapest(cost, 4.0) == 2
    assert first_of_cheapest(cost[3:], 4.0) == 2
    steady = GriddedFlow([0.0], (-2.0, -2.0, 3.0, 2.0), np.full((1, 3, 3), 0.2), np.zeros((1, 3, 3)), 'steady')
    assert route_departures(problem_of(current=steady), [3.0, 1.0, 2.0], FEW, 1).best == 0
