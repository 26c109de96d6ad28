import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.log import Log
from usv_energy.studies.analyze.waves.waves_along_log import without_oscillation

TIME = np.arange(0.0, 60.0, 0.04)


def log_at(time, max_gap=math.nan):
    return Log('log', Path('log'), time, max_gap=max_gap)


def smoothed(time, values, width, max_gap=math.nan):
    return without_oscillation(log_at(time, max_gap), [values], width)[0]


def test_a_straight_line_stays_to_its_ends():
    for time in (TIME, np.sort(np.random.default_rng(1).uniform(0.0, 60.0, 400))):
        np.testing.assert_allclose(smoothed(time, 2.0 - 0.3 * time, 1.5, 5.0), 2.0 - 0.3 * time, atol=1e-9)


@pytest.mark.parametrize('turns', [1.0, 2.0])
def test_an_oscillation_is_left_by_the_kernels_transform(turns):
    width, inner = 1.5, slice(300, -300)
    frequency = turns / width
    left = smoothed(TIME, np.cos(frequency * TIME), width)
    share = np.exp(-0.5 * turns ** 2)
    # Means over a fifth of the width, and straight lines between them, take 2 % and 5 % more.
    np.testing.assert_allclose(left[inner], share * np.cos(frequency * TIME)[inner], atol=0.08 * share + 1e-3)


def test_what_is_unknown_stays_so_and_gaps_are_not_bridged():
    values = np.where(TIME < 30.0, 1.0, 5.0)
    values[100] = math.nan
    apart = TIME + np.where(TIME < 30.0, 0.0, 100.0)
    found = smoothed(apart, values, 2.0, 1.0)
    assert np.isnan(found[100])
    np.testing.assert_allclose(np.delete(found, 100), np.delete(values, 100), atol=1e-9)


def test_three_samples_are_smoothed():
    """The middle one by the weights of the Gaussian alone, the line through them being level there."""
    found = smoothed(np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, 0.0]), 1.0, 5.0)
    assert found[1] == pytest.approx(3.0 / (1.0 + 2.0 * math.exp(-0.5)), rel=0.02)


def test_a_piece_much_shorter_than_the_width_is_its_mean():
    """No line is fitted to what lies within a single step."""
    values = np.array([1.0, 5.0, 2.0, 4.0, 8.0])
    np.testing.assert_allclose(smoothed(0.01 * np.arange(5), values, 1.0), 4.0)


def test_a_gap_of_unknown_values_is_no_part_of_the_mean():
    """A straight line on both sides of a hole of four widths stays one, as do its samples there unknown."""
    hole = (TIME > 20.0) & (TIME < 26.0)
    found = smoothed(TIME, np.where(hole, math.nan, 3.0 + 0.5 * TIME), 1.5)
    assert np.isnan(found[hole]).all()
    np.testing.assert_allclose(found[~hole], 3.0 + 0.5 * TIME[~hole], atol=1e-9)


def test_far_from_all_that_is_known_nothing_is_divided_by_nothing():
    hole = (TIME > 20.0) & (TIME < 36.0)
    with np.errstate(all='raise', under='ignore'):
        found = smoothed(TIME, np.where(hole, math.nan, 3.0 + 0.5 * TIME), 1.5)
    np.testing.assert_allclose(found[~hole], 3.0 + 0.5 * TIME[~hole], atol=1e-9)


@pytest.mark.parametrize('factor', [0.125, 16.0])
def test_only_the_ratio_of_times_to_the_width_counts(rng, factor):
    """Powers of two: the means are taken over the same samples, and differ by rounding alone."""
    time, values = np.sort(rng.uniform(0.0, 60.0, 400)), rng.normal(size=400)
    np.testing.assert_allclose(smoothed(factor * time, values, factor * 1.5, factor * 9.0),
                               smoothed(time, values, 1.5, 9.0), atol=1e-9)
