"""The cheapest motions: closed forms with linear and quadratic drag, with a price on time, at full thrust."""

import math

import numpy as np
import pytest
from planning_boats import BARE, D11, STATIC
from planning_boats import FINE_SPEEDS as SPEEDS

from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.plan.steady_motion import top_speed
from usv_energy.studies.plan.steady_range import TIME_ONLY, cheapest_motions


def test_quadratic_drag_comes_out_to_the_square_of_the_speeds_spacing():
    """P = q V^3 + s is cheapest at V^3 = s / (2 q); a cost off its least by e in speed is dearer by e^2 only."""
    vessel = BARE._replace(damping=BARE.damping._replace(d11=0.0, d11_q=11.0))
    exact = 3.0 * 11.0 * (STATIC / 22.0) ** (2.0 / 3.0)
    errors = []
    for number in (10, 20, 40):
        found = cheapest_motions(vessel, np.zeros(1), STILL, np.linspace(0.05, 1.3, number), (0.0,))
        errors.append(float(found.cost[0, 0]) / exact - 1.0)
    assert all(0.0 <= error < 2e-4 for error in errors)
    assert errors[2] < 1e-6


def test_a_price_on_time_is_a_static_load_that_is_not_drawn():
    prices = (0.0, 3.0, 20.0)
    found = cheapest_motions(BARE, np.zeros(1), STILL, SPEEDS, prices)
    speed = np.sqrt((STATIC + np.array(prices)) / D11)
    np.testing.assert_allclose(found.slowness[:, 0], 1.0 / speed, rtol=1e-10)
    np.testing.assert_allclose(found.energy[:, 0], D11 * speed + STATIC / speed, rtol=1e-10)
    np.testing.assert_allclose(found.cost[:, 0], found.energy[:, 0] + prices / speed, rtol=1e-12)


def test_time_only_goes_as_fast_as_the_thrusters_can():
    found = cheapest_motions(BARE, np.zeros(1), STILL, SPEEDS, (TIME_ONLY,))
    assert 1.0 / found.slowness[0, 0] == pytest.approx(top_speed(BARE), rel=1e-5)
    assert found.cost[0, 0] == found.slowness[0, 0]


def test_a_course_that_cannot_be_held_costs_without_end():
    found = cheapest_motions(BARE, np.array([0.0, math.pi]), Flow(2.0, 0.0, 0.0, 0.0), SPEEDS,
                             (0.0, TIME_ONLY))
    assert np.isinf(found.cost[:, 1]).all() and np.isinf(found.energy[:, 1]).all()
    assert np.isfinite(found.cost[:, 0]).all()


def test_refinements_find_the_least_of_any_drag_and_never_a_dearer_one():
    """Quadratic drag, as above: each round is 30 times nearer, and the cost 900 times nearer to its least."""
    vessel = BARE._replace(damping=BARE.damping._replace(d11=0.0, d11_q=11.0))
    exact = 3.0 * 11.0 * (STATIC / 22.0) ** (2.0 / 3.0)
    speeds = np.linspace(0.05, 1.3, 10)
    found = [float(cheapest_motions(vessel, np.zeros(1), STILL, speeds, (0.0,), rounds).cost[0, 0])
             for rounds in range(5)]
    assert found[4] == pytest.approx(exact, rel=1e-12)
    assert found[0] > exact * (1.0 + 1e-6)
    assert (np.diff(found) <= 0.0).all()


def test_courses_may_have_speeds_each_of_their_own():
    course, current = np.array([0.0, 1.0]), Flow(0.3, 0.0, 0.0, 0.0)
    speeds = np.column_stack((SPEEDS, 0.9 * SPEEDS))
    both = cheapest_motions(BARE, course, current, speeds, (0.0, 5.0))
    for n in (0, 1):
        alone = cheapest_motions(BARE, course[n:n + 1], current, speeds[:, n], (0.0, 5.0))
        np.testing.assert_allclose(both.cost[:, n], alone.cost[:, 0], rtol=1e-12)
