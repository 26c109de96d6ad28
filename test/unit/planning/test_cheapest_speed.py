"""Energy maps and cheapest speeds: closed forms of the boat with linear drag and a hotel load."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.power import STILL, Flow
from usv_energy.planning.cheapest_speed import TIME_ONLY, cheapest
from usv_energy.planning.energy_map import best_speeds, energy_map
from usv_energy.planning.steady_motion import steady_state, top_speed

LUTRA = read_boat('lutra_prop').vessel
STATIC = 5.0
BARE = LUTRA._replace(windage=LUTRA.windage._replace(frontal_area=0.0, lateral_area=0.0), static_load=STATIC)
D11 = BARE.damping.d11
SPEEDS = np.linspace(0.05, 1.7, 20)
COURSES = np.arange(0.0, 360.0, 30.0)


def test_a_map_holds_the_steady_motions_of_its_axes():
    currents, winds = [(0.0, 0.0), (0.3, 50.0)], [(4.0, 200.0), (0.0, 0.0), (2.0, -30.0)]
    made = energy_map(LUTRA, COURSES, SPEEDS, currents, winds)
    c, s, n, m = 4, 7, 1, 2
    angle, blow = math.radians(50.0), math.radians(-30.0)
    waters = Flow(0.3 * math.cos(angle), 0.3 * math.sin(angle), 0.0, 0.0, 2.0 * math.cos(blow), 2.0 * math.sin(blow))
    steady = steady_state(LUTRA, math.radians(COURSES[c]), SPEEDS[s], waters)
    assert made.fields['power_total'][c, s, n, m] == pytest.approx(steady.power.total, rel=1e-12)
    assert made.fields['energy_per_meter'][c, s, n, m] == pytest.approx(steady.power.total / SPEEDS[s], rel=1e-12)
    assert made.fields['heading'][c, s, n, m] == pytest.approx(math.degrees(steady.yaw) % 360.0, rel=1e-12)
    assert made.feasible.shape == (12, 20, 2, 3)


def test_what_the_thrusters_cannot_hold_is_nan_and_flagged():
    made = energy_map(BARE, COURSES, SPEEDS, [(0.4, 0.0)], [(0.0, 0.0)])
    for name, field in made.fields.items():
        np.testing.assert_array_equal(np.isnan(field), ~made.feasible, err_msg=name)
    through_water = np.hypot(SPEEDS * np.cos(np.radians(COURSES))[:, None] - 0.4,
                             SPEEDS * np.sin(np.radians(COURSES))[:, None])
    np.testing.assert_array_equal(made.feasible[:, :, 0, 0], through_water <= top_speed(BARE))


def test_the_best_speed_in_a_current_is_the_same_on_all_courses():
    """P = d (V^2 - 2 V c cos + c^2) + s: V^2 = c^2 + s / d, and then J/m = 2 d (V - c cos)."""
    made = best_speeds(BARE, COURSES, SPEEDS, [(0.3, 20.0)], [(0.0, 0.0)])
    speed = math.sqrt(0.09 + STATIC / D11)
    np.testing.assert_allclose(made.speed[:, 0, 0], speed, rtol=1e-10)
    away = np.radians(COURSES - 20.0)
    np.testing.assert_allclose(made.energy_per_meter[:, 0, 0], 2.0 * D11 * (speed - 0.3 * np.cos(away)), rtol=1e-12)
    assert not made.at_limit.any()


def test_without_a_static_load_the_best_speed_is_the_lowest_and_says_so():
    made = best_speeds(BARE._replace(static_load=0.0), COURSES, SPEEDS, [(0.0, 0.0)], [(0.0, 0.0)])
    np.testing.assert_allclose(made.speed, SPEEDS[0])
    assert made.at_limit.all()


def test_quadratic_drag_comes_out_to_the_square_of_the_speeds_spacing():
    """P = q V^3 + s is cheapest at V^3 = s / (2 q); a cost off its least by e in speed is dearer by e^2 only."""
    vessel = BARE._replace(damping=BARE.damping._replace(d11=0.0, d11_q=11.0))
    exact = 3.0 * 11.0 * (STATIC / 22.0) ** (2.0 / 3.0)
    errors = []
    for number in (10, 20, 40):
        found = cheapest(vessel, np.zeros(1), STILL, np.linspace(0.05, 1.3, number), (0.0,))
        errors.append(float(found.cost[0, 0]) / exact - 1.0)
    assert all(0.0 <= error < 2e-4 for error in errors)
    assert errors[2] < 1e-6


def test_a_price_on_time_is_a_static_load_that_is_not_drawn():
    prices = (0.0, 3.0, 20.0)
    found = cheapest(BARE, np.zeros(1), STILL, SPEEDS, prices)
    speed = np.sqrt((STATIC + np.array(prices)) / D11)
    np.testing.assert_allclose(found.slowness[:, 0], 1.0 / speed, rtol=1e-10)
    np.testing.assert_allclose(found.energy[:, 0], D11 * speed + STATIC / speed, rtol=1e-10)
    np.testing.assert_allclose(found.cost[:, 0], found.energy[:, 0] + prices / speed, rtol=1e-12)


def test_time_only_goes_as_fast_as_the_thrusters_can():
    found = cheapest(BARE, np.zeros(1), STILL, SPEEDS, (TIME_ONLY,))
    assert 1.0 / found.slowness[0, 0] == pytest.approx(top_speed(BARE), rel=1e-5)
    assert found.cost[0, 0] == found.slowness[0, 0]


def test_a_course_that_cannot_be_held_costs_without_end():
    found = cheapest(BARE, np.array([0.0, math.pi]), Flow(2.0, 0.0, 0.0, 0.0, 0.0, 0.0), SPEEDS, (0.0, TIME_ONLY))
    assert np.isinf(found.cost[:, 1]).all() and np.isinf(found.energy[:, 1]).all()
    assert np.isfinite(found.cost[:, 0]).all()
