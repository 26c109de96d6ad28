"""A route's cost is its closed form: times at a fixed speed, energy, limits."""

import math

import numpy as np
import pytest
from route_flows import ClosedForm, shear
from search_cases import problem_of
from test_power_table import Blown

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.route_cost import (
    costed_route,
    objective_value,
    route_along_path,
    route_with_energy,
    routes_with_energy,
)
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


def test_a_way_with_a_corner_at_a_speed_in_a_uniform_current():
    problem = problem_of(lambda t, x, y: (0.3 + 0.0 * x, 0.0 * x))
    route = route_along_path(problem, np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 2.0]))
    assert route.duration == pytest.approx(1.0 / 1.3 + 2.0 / math.sqrt(1.0 - 0.09), rel=1e-9)
    np.testing.assert_allclose(route.speed, 1.0, rtol=1e-9)
    assert route.energy[-1] == pytest.approx(2.0 * route.duration, rel=1e-9)
    assert np.hypot(np.diff(route.x), np.diff(route.y)).all()


def test_a_wait_lasts_until_its_time_and_a_way_that_cannot_be_gone_is_nan():
    problem = problem_of(lambda t, x, y: (np.where(t < 2.0, -1.5, 0.0) + 0.0 * x, 0.0 * x))
    x, y = np.array([0.0, 0.0, 1.0]), np.zeros(3)
    route = route_along_path(problem, x, y, np.array([0.0, 2.0, 3.0]))
    assert not np.hypot(np.diff(route.x), np.diff(route.y)).all() and route.time[-1] == pytest.approx(3.0, rel=1e-9)
    assert objective_value(problem, route_along_path(problem, x[1:], y[1:])) == math.inf


def test_anchored_parts_cost_what_standing_costs_and_no_speed():
    problem = problem_of(lambda t, x, y: (0.8 + 0.0 * x, 0.0 * x), objective='energy', speed=None, may_wait=True,
                         cost=PowerLaw(1.0, 3.0, 0.25))
    route = route_with_energy(problem, np.array([0.0, 4.0, 5.0]), np.array([0.0, 0.0, 1.0]), np.zeros(3))
    np.testing.assert_allclose(route.energy, [0.0, 1.0, 1.25 + 0.2 ** 3], rtol=1e-9)
    np.testing.assert_allclose(route.speed, [0.0, 0.2], rtol=1e-9)
    held = route_with_energy(problem._replace(may_wait=False), route.time, route.x, route.y)
    assert held.energy[1] == pytest.approx(4.0 * (0.25 + 0.8 ** 3), rel=1e-9)


def test_the_top_speed_is_that_of_the_air_on_the_heading():
    problem = problem_of(cost=Blown(), speed=None, wind=UniformFlow(-3.0, 0.0))
    assert route_along_path(problem, np.array([0.0, 1.0]), np.zeros(2)).duration == pytest.approx(1.0 / 1.7, rel=1e-9)


def test_too_late_is_no_cost_at_all():
    problem = problem_of(arrive_by=0.9)
    route = route_along_path(problem, np.array([0.0, 1.0]), np.zeros(2))
    assert objective_value(problem, route) == math.inf
    assert objective_value(problem._replace(arrive_by=1.1), route) == pytest.approx(1.0)


def test_for_the_least_time_each_part_takes_what_the_top_speed_leaves_whatever_is_guessed():
    fastest = problem(PowerLaw(1.0, highest=2.0), UniformFlow(0.6, 0.0), objective='time')
    for guess in (np.array([0.0, 1.0, 5.0]), np.array([0.0, 3.0, 8.0])):
        found = costed_route(fastest, 10.0 + guess, X, Y)
        assert found.cost == pytest.approx(3.0 / 2.6 + 4.0 / math.sqrt(4.0 - 0.36), rel=1e-9)
        np.testing.assert_allclose(found.route.speed, 2.0, rtol=1e-6)


def test_routes_on_one_path_are_each_the_route_alone():
    law = problem(Blown(), ClosedForm(shear(0.2)), may_wait=True)
    times = 10.0 + np.array([[0.0, 3.0, 3.5, 9.0], [0.0, 2.0, 7.0, 11.5]])
    x, y = np.array([0.0, 3.0, 3.0, 3.0]), np.array([0.0, 0.0, 0.0, 4.0])
    for row, route in zip(times, routes_with_energy(law, times, x, y)):
        alone = route_with_energy(law, row, x, y)
        np.testing.assert_array_equal(route.energy, alone.energy)
        np.testing.assert_array_equal(route.speed, alone.speed)
        assert np.isfinite(route.energy).all() and route.speed[1] == 0.0
