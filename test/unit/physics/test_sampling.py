"""Gaps follow from the data's own period: steps of more than three periods and more than 1 s."""

import math

import numpy as np
import pytest

from usv_energy.physics.sampling import DEFAULT_GAP, REMEMBERED, Sampling, longest_interval, period_of, sampled


def longest_steps(stamps):
    """Return what each stamp's step may take, and the sampling after the last."""
    state, found = Sampling(), []
    for stamp in stamps:
        state = sampled(state, stamp)
        found.append(state.longest_interval)
    return np.array(found), state


@pytest.mark.parametrize(('period', 'longest'), [(0.02, 1.0), (0.2, 1.0), (0.5, 1.5), (1.0, 3.0), (1.0005, 3.0015),
                                                 (10.0, 30.0), (math.nan, 5.0), (0.0, 5.0)])
def test_a_gap_is_longer_than_three_periods_and_than_a_second(period, longest):
    assert longest_interval(period) == pytest.approx(longest, rel=1e-12)


def test_the_period_is_the_median_step_whatever_the_holes():
    time = np.concatenate([np.arange(0.0, 10.0, 0.1), np.arange(500.0, 510.0, 0.1)])
    assert period_of(time) == pytest.approx(0.1)
    assert period_of(np.array([0.0, 2.0, np.nan, 4.0, 4.0, 1.0, 3.0])) == 2.0
    assert math.isnan(period_of(np.array([]))) and math.isnan(period_of(np.array([3.0])))
    assert math.isnan(period_of(np.array([3.0, 3.0, 2.0])))


@pytest.mark.parametrize('clock', [1.0, 1.0005, 0.9995])
def test_stamps_once_a_second_that_jitter_have_no_gap(clock):
    rng = np.random.default_rng(3)
    time = clock * np.arange(600.0) + rng.normal(0.0, 0.005, 600)
    assert (np.diff(time) <= longest_interval(period_of(time))).all()
    assert (np.diff(time) <= longest_steps(time)[0][1:]).all()


def test_a_stream_is_judged_by_the_steps_before():
    longest, state = longest_steps([0.0, 4.0, 4.1, 4.2, 4.3, 8.3, 8.4])
    np.testing.assert_allclose(longest, [DEFAULT_GAP, DEFAULT_GAP, DEFAULT_GAP, DEFAULT_GAP, 1.0, 1.0, 1.0])
    assert state.period == pytest.approx(0.1)


def test_a_stream_with_a_new_period_learns_it_and_forgets_the_old_one():
    stamps = np.concatenate([0.02 * np.arange(1000), 20.0 + 2.0 * np.arange(1, 20)])
    longest, state = longest_steps(stamps)
    assert (longest[1000:1008] == 1.0).all() and (longest[1009:] == 6.0).all()
    assert len(state.steps) == REMEMBERED and state.period == pytest.approx(2.0)


def test_stamps_that_are_no_step_change_nothing_and_going_back_keeps_the_period():
    state = longest_steps(0.5 * np.arange(10))[1]
    assert sampled(state, state.time) == state == sampled(state, math.nan)
    back = sampled(state, 1.0)
    assert back.time == 1.0 and back.steps == state.steps and back.longest_interval == 1.5
    assert sampled(back, 1.5).longest_interval == 1.5
