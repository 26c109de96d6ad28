import math

import numpy as np
import pytest

from usv_energy.physics.motion import Differentiator, differentiate


def derivatives(times, velocities, time_constant=0.0, max_gap=1.0):
    state, found = Differentiator(), []
    for time, velocity in zip(times, velocities):
        state = differentiate(state, time, tuple(velocity), time_constant, max_gap)
        found.append(state.derivative)
    return np.array(found)


@pytest.mark.parametrize('time_constant', [0.0, 0.3])
def test_a_constant_acceleration_is_exact_from_the_second_sample_on(rng, time_constant):
    times = np.cumsum(rng.uniform(0.01, 0.5, 50))
    rate = np.array([0.7, -0.2, 1.1])
    found = derivatives(times, np.outer(times, rate) + np.array((1.0, 2.0, 3.0)), time_constant)
    assert np.all(np.isnan(found[0]))
    np.testing.assert_allclose(found[1:], np.tile(rate, (49, 1)), rtol=1e-12)


def test_without_a_filter_it_is_the_backward_difference_first_order_in_the_step():
    """The derivative of sin(t) at t = 1 is off by half the step times its second derivative."""
    errors = []
    for step in (0.04, 0.02, 0.01):
        times = np.array([1.0 - step, 1.0])
        errors.append(derivatives(times, np.sin(np.outer(times, np.ones(3))))[-1, 0] - math.cos(1.0))
    assert errors[-1] == pytest.approx(0.005 * math.sin(1.0), rel=0.01)
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 1.0, atol=0.02)


@pytest.mark.parametrize('step', [0.02, 0.1])
def test_the_filter_answers_a_step_of_acceleration_as_a_first_order_lag(step):
    """Acceleration 0, then 2 m/s^2: the derivative is 2 (1 - exp(-t / T)), exactly, whatever the step."""
    lag, times = 0.25, step * np.arange(-3, 30)
    velocity = np.outer(2.0 * np.maximum(times, 0.0), np.ones(3))
    found = derivatives(times, velocity, lag)[3:, 0]
    np.testing.assert_allclose(found, 2.0 * -np.expm1(-times[3:] / lag), atol=1e-12)


def test_the_filter_does_not_depend_on_how_the_stamps_are_spaced(rng):
    lag = 0.25
    times = np.concatenate(([-1.0, -0.5, 0.0], np.sort(rng.uniform(0.01, 2.0, 20)), [2.0]))
    found = derivatives(times, np.outer(2.0 * np.maximum(times, 0.0), np.ones(3)), lag)
    np.testing.assert_allclose(found[2:, 0], 2.0 * -np.expm1(-times[2:] / lag), atol=1e-12)


def test_a_stamp_already_seen_changes_nothing():
    state = differentiate(Differentiator(), 0.0, (0.0, 0.0, 0.0), 0.0, 1.0)
    state = differentiate(state, 0.1, (1.0, 0.0, 0.0), 0.0, 1.0)
    assert differentiate(state, 0.1, (9.0, 9.0, 9.0), 0.0, 1.0) is state


@pytest.mark.parametrize('times', [(0.0, 0.1, 2.0, 2.1), (5.0, 5.1, 0.0, 0.1)], ids=['gap', 'back in time'])
def test_it_starts_anew_after_a_gap_and_after_a_step_back(times):
    """What was filtered before is forgotten: the first derivative after is that of the new samples alone."""
    velocities = [(0.0,) * 3, (1.0,) * 3, (50.0,) * 3, (50.3,) * 3]
    found = derivatives(times, velocities, time_constant=10.0)
    assert np.all(np.isnan(found[2]))
    np.testing.assert_allclose(found[[1, 3]], [(10.0,) * 3, (3.0,) * 3], rtol=1e-12)


def test_a_step_of_just_max_gap_still_counts():
    assert derivatives((0.0, 1.0), [(0.0,) * 3, (2.0,) * 3])[1, 0] == 2.0


@pytest.mark.parametrize('component', range(3))
@pytest.mark.parametrize('value', [math.nan, math.inf])
def test_it_starts_anew_after_a_velocity_that_is_no_number(component, value):
    bad = [1.0, 1.0, 1.0]
    bad[component] = value
    found = derivatives((0.0, 0.1, 0.2, 0.3, 0.4), [(0.0,) * 3, (1.0,) * 3, bad, (3.0,) * 3, (3.2,) * 3], 10.0)
    assert np.all(np.isnan(found[2:4]))
    np.testing.assert_allclose(found[[1, 4]], [(10.0,) * 3, (2.0,) * 3], rtol=1e-12)


def test_a_stamp_that_is_no_number_starts_it_anew():
    found = derivatives((0.0, math.nan, 0.2, 0.3), [(0.0,) * 3, (1.0,) * 3, (2.0,) * 3, (2.1,) * 3])
    assert np.all(np.isnan(found[:3]))
    np.testing.assert_allclose(found[3], 1.0, rtol=1e-12)
