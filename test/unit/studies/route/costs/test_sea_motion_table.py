"""The table of a boat in a sea: against the physics themselves, which share no table with it; symmetry; calm water."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import MotionTable, sea_motion_table
from usv_energy.studies.route.route_problem import bearings, sea_towards

HS, TP, TOWARDS = 0.3, 2.0, 2.0
BOAT = """
base: lutra_prop
name: own
static_load: 6.0
waves: {source: a test, directions_deg: [0, 90, 180], periods: [2.0], coefficients: [[60.0], [10.0], [-20.0]]}
"""
RNG = np.random.default_rng(18)


@pytest.fixture(scope='module')
def vessel(tmp_path_factory):
    path = tmp_path_factory.mktemp('boats') / 'boat.yaml'
    path.write_text(BOAT)
    return boat_in_sea(read_boat(str(path)), (HS, TP, TOWARDS)).vessel


@pytest.fixture(scope='module')
def table(vessel):
    return sea_motion_table(vessel, 3.0)


def test_power_is_that_of_the_steady_motion_on_the_bearing_in_wind_and_current(vessel, table):
    """The boat drifts in a wind from abeam, and the waves see its heading."""
    course, speed = RNG.uniform(-math.pi, math.pi, 300), RNG.uniform(0.6, 1.0, 300)
    current, wind = RNG.uniform(-0.2, 0.2, (2, 300)), RNG.uniform(-1.5, 1.5, (2, 300))
    exact = steady_state(vessel, course, speed, Flow(*current, *wind))
    water = speed * np.array([np.cos(course), np.sin(course)]) - current
    fast, air = np.hypot(*water), wind - current
    ahead = water / fast
    found = table.power(fast, (air * ahead).sum(axis=0), ahead[0] * air[1] - ahead[1] * air[0],
                        *bearings(table, *water))
    held = exact.feasible
    assert held.mean() > 0.9 and np.isfinite(found[held]).all()
    off = abs(found / exact.power.total - 1.0)[held]
    assert np.quantile(off, 0.95) < 2e-3 and off.max() < 0.01
    calm = steady_state(vessel._replace(sea=None), course, speed, Flow(*current, *wind)).power.total
    assert np.max(abs(exact.power.total / calm - 1.0)) > 0.1    # Waves matter here, both ways.
    assert table.error < 5e-3


def test_the_extra_power_straight_on_is_the_force_times_the_speed_through_the_thrusters(vessel, table):
    """R = c Hs^2, whatever the speed: added to the drag at the same speed through the water."""
    speed = np.linspace(0.4, 1.0, 7)
    for off, coefficient in ((0.0, 60.0), (math.pi / 2.0, 10.0), (math.pi, -20.0)):
        bearing = np.full(7, TOWARDS + math.pi + off)
        found = table.power(speed, -speed * 0.0, 0.0 * speed, bearing)
        exact = steady_state(vessel, bearing, speed, Flow(0.0, 0.0, 0.0, 0.0)).power
        np.testing.assert_allclose(found, exact.total, rtol=1e-3)
        np.testing.assert_allclose(exact.waves, coefficient * HS ** 2 * speed, rtol=1e-9)


def test_both_sides_of_the_waves_are_alike(table):
    along, across, off = RNG.uniform(-2.0, 2.0, (3, 100))
    one, other = (table.power(0.9, along, sign * across, TOWARDS + sign * off) for sign in (1.0, -1.0))
    np.testing.assert_allclose(one, other, rtol=1e-6)


def test_the_highest_speed_is_less_against_the_waves_and_held_there_alone(vessel, table):
    zero = np.zeros(2)
    top = table.top_speed(zero, zero, np.array([TOWARDS + math.pi, TOWARDS]))
    calm = float(table.top_speed(0.0, 0.0))
    assert top[0] < calm < top[1]
    for bearing, most in zip((TOWARDS + math.pi, TOWARDS), top.tolist()):
        tried = np.array([0.998, 1.002]) * most
        assert steady_state(vessel, bearing, tried, Flow(0.0, 0.0, 0.0, 0.0)).feasible.tolist() == [True, False]
        assert np.isfinite(table.power(tried, zero, zero, np.full(2, bearing))).tolist() == [True, False]
    assert table.power(0.0, 0.0, 0.0, 1.0) == pytest.approx(6.0)


def test_without_waves_it_is_the_table_of_calm_water(vessel, table):
    calm = sea_motion_table(vessel._replace(sea=None), 3.0)
    assert sea_motion_table(vessel._replace(sea=None), 3.0) is calm     # It is kept for the next route of this boat,
    assert sea_motion_table(vessel._replace(sea=None), 3.1) is not calm     # in this air.
    assert isinstance(calm, MotionTable) and sea_towards(calm) is None and bearings(calm, 1.0, 0.0) == ()
    flat = sea_motion_table(vessel._replace(sea=vessel.sea._replace(height=0.0)), 3.0)
    assert isinstance(flat, MotionTable)
    speed = np.linspace(0.1, 1.0, 5)
    np.testing.assert_array_equal(table.power(speed, 0.3, -0.7), calm.power(speed, 0.3, -0.7))
