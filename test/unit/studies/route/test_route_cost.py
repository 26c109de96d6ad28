"""A route's cost is its closed form: times at a fixed speed, energy, limits."""

import numpy as np
import pytest
from route_flows import ClosedForm, shear

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.route_cost import costed_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem

X, Y = np.array([0.0, 3.0, 3.0]), np.array([0.0, 0.0, 4.0])


def problem(law, current, **more):
    return RouteProblem((0.0, 0.0), (3.0, 4.0), law, current, UniformFlow(), NoBarriers(), depart=10.0, **more)


def test_at_a_fixed_speed_each_leg_takes_its_distance_over_what_the_current_leaves():
    fixed = problem(PowerLaw(1.0, hotel=2.0), UniformFlow(0.6, 0.0), speed=1.0)
    found = costed_route(fixed, 10.0 + np.arange(3.0), X, Y)
    first, second = 3.0 / 1.6, 4.0 / 0.8     # with the current; across it, crabbing
    assert found.route.duration == pytest.approx(first + second, rel=1e-10)
    assert found.cost == found.route.energy[-1] == pytest.approx(3.0 * (first + second), rel=1e-10)
    assert found.route.time[0] == 10.0
    corner = np.argmin(np.hypot(found.route.x - 3.0, found.route.y))
    assert found.route.time[corner] == pytest.approx(10.0 + first, rel=1e-9)


def test_at_free_speeds_times_are_kept_and_energy_is_the_integral():
    """Along y = 0.5 t, x = 0 in a shear u = y: w = (-0.5 t, 0.5), so that w^2 integrates to 0.25 T + T^3 / 12."""
    free = RouteProblem((0.0, 0.0), (0.0, 1.0), PowerLaw(1.0, 2.0), ClosedForm(shear(1.0)), UniformFlow(), NoBarriers())
    found = costed_route(free, np.array([0.0, 2.0]), np.zeros(2), np.array([0.0, 1.0]))
    assert found.cost == pytest.approx(0.5 + 8.0 / 12.0, rel=1e-10)
    np.testing.assert_array_equal(found.route.time[[0, -1]], [0.0, 2.0])


def test_what_the_boat_cannot_do_costs_endlessly():
    still, times = UniformFlow(), 10.0 + np.array([0.0, 3.0, 7.0])
    assert np.isfinite(costed_route(problem(PowerLaw(1.0, highest=1.0), still), times, X, Y).cost)
    assert costed_route(problem(PowerLaw(1.0, highest=0.9), still), times, X, Y).cost == np.inf
    assert costed_route(problem(PowerLaw(1.0), still, lowest_speed=1.1), times, X, Y).cost == np.inf
    assert costed_route(problem(PowerLaw(1.0), still, arrive_by=16.0), times, X, Y).cost == np.inf
    assert costed_route(problem(PowerLaw(1.0), UniformFlow(-1.5, 0.0), speed=1.0), times, X, Y).cost == np.inf
