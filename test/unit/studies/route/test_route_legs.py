"""Length, course, speed over ground and the current along of legs."""

import math

import numpy as np
import pytest
from route_cases import STILL, problem, steady_route
from wave_files import SHAFT_BOAT

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.costs.motion_table import SteadyCost, tabulated
from usv_energy.studies.route.route_cost import route_with_energy
from usv_energy.studies.route.route_legs import leg_conditions, leg_waves, legs_with_energy, legs_with_exact_energy
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem


def test_legs_in_a_uniform_current():
    legs = steady_route([(0.0, 0.0), (300.0, 0.0), (300.0, 400.0)], 1.25)
    found = leg_conditions(legs, problem(current=UniformFlow(0.3, -0.2)))
    np.testing.assert_allclose(found.length, [300.0, 400.0])
    np.testing.assert_allclose(found.course, [0.0, np.pi / 2.0])
    np.testing.assert_allclose(found.ground_speed, 1.25)
    np.testing.assert_allclose(found.current_along, [0.3, -0.2], atol=1e-12)


def test_a_wait_keeps_the_course_before():
    legs = steady_route([(0.0, 0.0), (0.0, 10.0)], 1.0)
    waiting = legs._replace(time=np.array([0.0, 10.0, 60.0]), x=np.zeros(3), y=np.array([0.0, 10.0, 10.0]))
    found = leg_conditions(waiting, problem())
    np.testing.assert_allclose(found.course, np.pi / 2.0)
    np.testing.assert_allclose(found.ground_speed, [1.0, 0.0])


WAVES = ('waves: {source: a test, directions_deg: [0, 90, 180], periods: [2.0],'
         ' coefficients: [[60.0], [10.0], [-20.0]]}\n')
D11 = 16.296


@pytest.fixture
def vessel(tmp_path):
    (tmp_path / 'boat.yaml').write_text(SHAFT_BOAT + WAVES)
    return boat_in_sea(read_boat(str(tmp_path / 'boat.yaml')), (0.3, 2.0, math.pi)).vessel


def test_each_leg_pays_the_force_on_its_course_over_its_way_through_the_water(vessel):
    """East against the waves, a rest, and west with them, at 1 m/s over ground in a current of 0.2 m/s to the east."""
    class Exact(SteadyCost):
        def top_speed(self, along, across, bearing=None):
            return 2.0 + 0.0 * np.asarray(along) + 0.0 * np.asarray(across)
    problem = RouteProblem((0.0, 0.0), (0.0, 50.0), Exact(vessel), UniformFlow(0.2, 0.0), UniformFlow(0.2, 0.0),
                           NoBarriers(), may_drift=True)
    time, x, y = np.array([0.0, 100.0, 110.0, 210.0]), np.array([0.0, 100.0, 100.0, 0.0]), np.zeros(4)
    legs = route_with_energy(problem, time, x, y)
    found = leg_waves(legs, problem, vessel)
    against, along = 60.0 * 0.09 * 0.8 * 100.0, -20.0 * 0.09 * 1.2 * 100.0
    np.testing.assert_allclose(found.energy[[0, 2]], [against, along], rtol=1e-6)
    drag = D11 * (0.8 ** 2 + 1.2 ** 2) * 100.0
    assert found.energy[1] == 0.0
    assert found.share == pytest.approx((against + along) / (drag + against + along), rel=1e-6)


def test_in_calm_water_there_is_nothing_to_say(vessel):
    assert leg_waves(None, None, vessel._replace(sea=None)) is None


CURRENT = UniformFlow(0.3, -0.2)


def test_in_a_uniform_current_each_part_has_one_power():
    route = steady_route([(0.0, 0.0), (300.0, 100.0), (300.0, 400.0)], 1.0, 60.0, CURRENT)
    found = legs_with_energy(problem(current=CURRENT), route.time, route.x, route.y)
    np.testing.assert_allclose(found.energy, route.energy, rtol=1e-9)
    np.testing.assert_allclose(found.speed, route.speed, rtol=1e-9)


class Shear:
    """u = g y, steady."""

    times = (0.0,)

    def velocity(self, t, x, y):
        return 0.001 * y, np.zeros_like(y), np.ones(np.shape(y), dtype=bool)


def test_a_long_leg_through_a_shear_is_the_integral():
    """Straight north at 1 m/s over 1000 m: the speed through the water is sqrt(1 + y^2) with u = y to 1 m/s."""
    found = legs_with_energy(problem(current=Shear()), np.array([0.0, 1000.0]), np.zeros(2), np.array([0.0, 1000.0]))
    share, weight = np.polynomial.legendre.leggauss(40)
    u = 0.5 * (share + 1.0)
    expected = 1000.0 * float((0.5 * weight * (5.0 + 2.0 * (1.0 + u * u) ** 1.5)).sum())
    assert found.energy[-1] == pytest.approx(expected, rel=1e-7)


def test_rest_costs_what_the_loads_take():
    found = legs_with_energy(problem(current=CURRENT), np.array([0.0, 100.0, 200.0]), np.array([0.0, 30.0, 130.0]),
                        np.array([0.0, -20.0, -20.0]), np.array([True, False]))
    assert found.energy[1] == pytest.approx(500.0)
    assert found.speed[0] == 0.0
    assert found.speed[1] == pytest.approx(math.hypot(1.0 - 0.3, 0.2))


VESSEL = with_static_load(read_boat('lutra_prop'), 6.0).vessel
WATER = UniformFlow(0.2, 0.1)
TABLE = tabulated(PowerLaw(1.0, 3.0, 5.0, 2.0), 1.0, 1.5)     # Of another boat: wrong by tens of percent.


def asked():
    return problem()._replace(current=WATER, wind=STILL, cost=TABLE)


def test_legs_take_what_the_steady_motion_does_and_not_what_the_table_says():
    way = steady_route([(0.0, 0.0), (60.0, 20.0), (60.0, 90.0)], 0.6, begin=100.0)
    by_table = legs_with_energy(asked(), way.time, way.x, way.y)
    legs = legs_with_exact_energy(by_table, asked(), VESSEL)
    steady = steady_state(VESSEL, np.arctan2(np.diff(way.y), np.diff(way.x)), 0.6, Flow(0.2, 0.1, 0.0, 0.0))
    np.testing.assert_allclose(np.diff(legs.energy), steady.power.total * np.diff(way.time), rtol=1e-9)
    assert abs(by_table.energy[-1] / legs.energy[-1] - 1.0) > 0.1
    np.testing.assert_array_equal([legs.time, legs.x, legs.y], [way.time, way.x, way.y])


def test_a_stay_takes_what_standing_does():
    time, x = np.array([0.0, 100.0, 400.0]), np.array([0.0, 60.0, 60.0])
    legs = legs_with_exact_energy(legs_with_energy(asked(), time, x, 0.0 * x, np.array([False, True])), asked(), VESSEL)
    assert legs.energy[2] - legs.energy[1] == pytest.approx(300.0 * 6.0, rel=1e-12)
    assert legs.speed[1] == 0.0


def test_a_cost_that_is_no_table_and_a_speed_that_is_none_stay_as_they_are():
    way = steady_route([(0.0, 0.0), (60.0, 20.0)], 0.6)
    assert legs_with_exact_energy(way, problem(), VESSEL) is way
    fast = steady_route([(0.0, 0.0), (60.0, 20.0)], 9.0)
    assert legs_with_exact_energy(fast, asked(), VESSEL) is fast and math.isfinite(fast.energy[-1])
