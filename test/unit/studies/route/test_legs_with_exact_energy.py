"""What legs take by the physics, beside what a table says that is too coarse for them."""

import math

import numpy as np
import pytest
from route_cases import STILL, problem, steady_route

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.map_study import with_static_load
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import tabulated
from usv_energy.studies.route.route_legs import legs_with_energy, legs_with_exact_energy
from usv_energy.studies.route.route_problem import PowerLaw

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
