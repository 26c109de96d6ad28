"""The cost of a path's parts: power of the speed through the water, in the air that the boat feels."""

import numpy as np
import pytest
from route_flows import ClosedForm, shear
from search_cases import problem_of

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.path_cost import GAUSS, PathCost, PathTiming, stop_rate, timing_of
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem


class SailingLaw(PowerLaw):
    """Power that goes with the air along and across."""

    def power(self, speed, air_along, air_across):
        return super().power(speed, 0.0, 0.0) - 0.3 * air_along + 0.2 * air_across


STILL = UniformFlow()


def problem(law, current=STILL, wind=STILL, **more):
    return RouteProblem((0.0, 0.0), (1.0, 0.0), law, current, wind, NoBarriers(), **more)


def one_part(model, way, span, middle=(0.0, 0.0)):
    return model.parts(np.array([way]), np.array([middle]), np.float64(span))


def test_air_is_taken_along_and_to_port_of_the_way_through_the_water():
    law = SailingLaw(1.0, 3.0)
    model = PathCost(problem(law, UniformFlow(0.2, 0.1), UniformFlow(1.0, 2.0)))
    part = one_part(model, (2.2, 5.1), 1.0)     # through the water (2, 5), in air (0.8, 1.9)
    speed = np.hypot(2.0, 5.0)
    along, across = (2.0 * 0.8 + 5.0 * 1.9) / speed, (2.0 * 1.9 - 5.0 * 0.8) / speed
    assert part.power[0] == pytest.approx(speed ** 3 - 0.3 * along + 0.2 * across, rel=1e-12)
    assert part.square[0] == pytest.approx(speed ** 2, rel=1e-12)


def test_power_goes_on_along_its_slope_above_the_highest_speed():
    model = PathCost(problem(PowerLaw(2.0, 3.0, highest=1.0)))
    below, above = (one_part(model, (v, 0.0), 1.0).power[0] for v in (1.0 - 1e-6, 1.4))
    assert below == pytest.approx(2.0, rel=1e-5)
    assert above == pytest.approx(2.0 + 6.0 * 0.4, rel=2e-3)


@pytest.mark.parametrize('points', GAUSS)
def test_power_along_a_part_is_integrated_to_the_order_of_the_points(points):
    """Across a shear w^2 = (1 - y)^2 + 1: a polynomial of second degree, exact for two of Gauss's points."""
    model = PathCost(problem(PowerLaw(1.0, 2.0), ClosedForm(shear(1.0))), points)
    power = one_part(model, (1.0, 1.0), 1.0, (0.5, 0.5)).power[0]
    assert power == pytest.approx(1.0 + (1.0 / 3.0 if points > 1 else 0.25), rel=1e-12)


def test_a_fixed_speed_s_power_is_that_of_the_speed():
    model = PathCost(problem(PowerLaw(2.0, 3.0, hotel=1.0), speed=0.5))
    assert one_part(model, (3.0, 0.0), 1.0).power[0] == pytest.approx(1.25, rel=1e-12)


def a_route():
    """Wait 2 s, 3 s on by 1 m, wait 4 s, 1 s on by 2 m, and 5 s at the goal."""
    x = np.array([0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 3.0, 3.0])
    return Route(np.array([10.0, 12.0, 13.5, 15.0, 17.0, 19.0, 20.0, 25.0]), x, 0.5 * x, np.ones(7), np.zeros(8))


def test_stops_and_ways_of_a_route_a_stop_at_the_goal_left_away():
    timing, spans, path = timing_of(a_route(), 12)
    np.testing.assert_allclose(spans, [2.0, 3.0, 4.0, 1.0])
    assert timing.counts == (9, 4) and timing.nodes == [0, 9]   # At least four parts a way.
    assert timing.stops.tolist() == [True, False, True, False]
    np.testing.assert_allclose(path[9], (1.0, 0.5))
    time, points = timing.route_points(10.0, spans, path)
    route = a_route()
    for column, values in enumerate((route.x, route.y)):
        np.testing.assert_allclose(np.interp(time, route.time, values), points[:, column], atol=1e-12)
    assert time[[0, -1]].tolist() == [10.0, 20.0]
    np.testing.assert_allclose(points[[0, -1]], [(0.0, 0.0), (3.0, 1.5)])


def test_a_stop_of_no_time_is_not_drawn():
    timing, spans, path = timing_of(a_route(), 12)
    assert len(timing.route_points(10.0, spans * (1.0, 1.0, 0.0, 1.0), path)[0]) == len(path) + 1


@pytest.mark.parametrize('counts, first_stops', [((7,), False), ((4, 5), False), ((4, 5, 6), True)])
def test_moves_are_the_changes_of_times_with_the_spans(counts, first_stops, rng):
    timing = PathTiming(counts, first_stops)
    spans = rng.uniform(1.0, 3.0, timing.stops.size)
    times, change = timing.variables(5.0, spans), 1e-3 * rng.normal(size=spans.size)
    after = timing.begin_length(5.0, spans + change)
    variables = times.by_span @ change
    for k, (before, now) in enumerate(zip((times.begin, times.length), after)):
        np.testing.assert_allclose(np.einsum('nl,nl->n', times.change[..., k], variables), now - before, atol=1e-12)
    assert times.begin[-1] + times.length[-1] == pytest.approx(5.0 + spans.sum(), rel=1e-12)
    np.testing.assert_allclose(timing.finer().begin_length(5.0, spans)[0][::2], times.begin, rtol=1e-12)


def test_a_stop_costs_what_standing_costs_or_its_time():
    energy = problem_of(objective='energy', cost=PowerLaw(2.0, 3.0, 0.5))
    assert stop_rate(energy) == pytest.approx(2.5)      # No anchor: in circles at 1 m/s.
    assert stop_rate(energy._replace(may_wait=True)) == pytest.approx(0.5)
    assert stop_rate(energy._replace(speed=None)) == pytest.approx(0.5)
    assert stop_rate(problem_of()) == 1.0
