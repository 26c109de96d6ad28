"""Forecasts: their mean, and of routes kept to in each of them the one of least expected energy."""

import numpy as np
import pytest
from route_cases import problem, steady_route

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.departures import MEAN, MeanFlow, forecast_costs
from usv_energy.studies.route.route_problem import PowerLaw

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
