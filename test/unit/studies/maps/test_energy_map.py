"""Energy maps and best speeds: closed forms of the boat with linear drag and a hotel load."""

import math

import numpy as np
import pytest
from planning_boats import BARE, COURSES, D11, LUTRA, STATIC
from planning_boats import FINE_SPEEDS as SPEEDS

from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.map_study import best_speeds, energy_map
from usv_energy.studies.plan.steady_motion import steady_state, top_speed


def test_a_map_holds_the_steady_motions_of_its_axes():
    currents, winds = [(0.0, 0.0), (0.3, 50.0)], [(4.0, 200.0), (0.0, 0.0), (2.0, -30.0)]
    made = energy_map(LUTRA, COURSES, SPEEDS, currents, winds)
    c, s, n, m = 4, 7, 1, 2
    angle, blow = math.radians(50.0), math.radians(-30.0)
    waters = Flow(0.3 * math.cos(angle), 0.3 * math.sin(angle), 2.0 * math.cos(blow), 2.0 * math.sin(blow))
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
