import math

import numpy as np
import pytest

from usv_energy.logs.quality import LONG, at_once, explained, followed, match, ways

TIME = np.arange(0.0, 100.0, 0.1)


def test_a_match_is_slope_and_correlation_of_what_both_have(rng):
    other = rng.normal(size=500)
    one = 3.0 * other + 4.0 + 0.1 * rng.normal(size=500)
    found = match(one, other)
    line = np.polyfit(other, one, 1)
    assert found.slope == pytest.approx(line[0]) and found.correlation == pytest.approx(np.corrcoef(one, other)[0, 1])
    one[::7], other[::5] = np.nan, np.inf
    both = np.isfinite(one) & np.isfinite(other)
    assert match(one, other) == match(one[both], other[both])
    assert math.isnan(match(one[:30], other[:30]).slope) and math.isnan(match(one, np.ones(500)).slope)


def test_nothing_follows_from_rounding(rng):
    """A steady turn's rate, as a derivative has it, and one sample that was damaged."""
    steady, damaged = 0.2 + 1e-15 * rng.normal(size=500), np.full(500, 0.2)
    damaged[77] = 3.0
    assert math.isnan(match(damaged, steady).correlation) and math.isnan(match(steady, damaged).correlation)


def test_what_is_explained_is_the_square_of_the_cosine_and_nothing_if_it_points_away(rng):
    u, v = rng.normal(size=(2, 400))
    assert explained([(u, 2.0 * u), (v, 2.0 * v)]) == pytest.approx(1.0)
    assert explained([(u, u), (v, np.zeros(400))]) == pytest.approx(u @ u / (u @ u + v @ v))
    assert explained([(u, -u), (v, -v)]) == 0.0
    assert explained([(u[:20], u[:20])]) == 0.0


@pytest.mark.parametrize('delay', [0.0, 0.5, 1.5])
def test_a_motion_is_brought_forward_by_its_delay(rng, delay):
    cause = np.convolve(rng.normal(size=TIME.size), np.ones(5), 'same')
    steps = round(delay / 0.1)
    motion = np.concatenate([np.zeros(steps), cause])[:TIME.size]
    found = followed(motion, cause, 0.1)
    np.testing.assert_array_equal(found[:TIME.size - steps], cause[:TIME.size - steps])
    assert np.isnan(found[TIME.size - steps:]).all()
    assert followed(motion, cause, math.nan) is motion


def test_long_series_are_done_two_at_a_time_with_the_same_results_and_the_same_silence():
    with np.errstate(invalid='ignore'):
        for samples in (10, LONG):
            assert at_once(lambda k: k * k, range(5), samples) == [0, 1, 4, 9, 16]
            assert all(map(math.isnan, at_once(lambda k: float(np.log(np.float64(-k))), [1, 2], samples)))


def test_a_period_that_is_no_time_brings_nothing_forward(rng):
    motion, cause = rng.normal(size=(2, 50))
    assert followed(motion, cause, 0.0) is motion and followed(motion, cause, -0.1) is motion



def test_thirty_samples_that_change_by_more_than_rounding_are_compared():
    """A change of a billionth of the largest value is rounding; so it is below 0."""
    line = np.linspace(1.0 - 1.001e-9, 1.0, 30)
    rest = np.linspace(1.0 - 0.999e-9, 1.0, 30)
    other = np.arange(30.0)
    for sign in (1.0, -1.0):
        assert match(sign * line, other).correlation == pytest.approx(sign, abs=1e-3)
        assert math.isnan(match(sign * rest, other).correlation)
    assert math.isnan(match(line[1:], other[1:]).correlation) and explained([(other[1:], other[1:])]) == 0.0
    assert explained([(other, other)]) == pytest.approx(1.0)


def test_ways_are_from_new_position_to_new_position_a_second_on_and_not_across_what_is_not_known():
    """Positions that go 0.7 times as far as velocities do, at any sampling; a leap in a gap or a hole is no way."""
    time = np.arange(0.0, 60.0, 0.25)
    velocity = np.array([1.0 + np.sin(0.9 * time), np.cos(0.5 * time)])
    steps = 0.5 * (velocity[:, 1:] + velocity[:, :-1]) * 0.25
    place = 0.7 * np.concatenate([[[0.0], [0.0]], np.cumsum(steps, axis=1)], axis=1) + [[3.0], [-8.0]]
    exact = (pytest.approx(1.0), pytest.approx(0.7))
    assert ways(time, place, velocity, 1.0) == exact
    k = np.arange(time.size)
    assert ways(time, place[:, k // 6 * 6], velocity, 1.0) == exact
    assert ways(time, np.where(k % 5 == 0, place, np.nan), velocity, 1.0) == exact
    leap = np.where(time > 30.0, 1000.0, 0.0)
    hole = np.where((k == 121) & (np.arange(2)[:, None] == 1), np.nan, velocity)
    assert ways(time, place + leap, hole, 1.0) == exact
    assert ways(time + leap, place + leap, velocity, 1.0) == exact
    assert ways(time + leap, place + leap, velocity, 1.0).slope != pytest.approx(
        ways(time + leap, place + leap, velocity, 2000.0).slope)
    spoilt = place + np.where(k % 4 == 2, 50.0, 0.0)  # between the positions that are compared
    assert ways(time, spoilt, velocity, 1.0) == exact
    assert ways(time, place, velocity, 0.25) == exact and math.isnan(ways(time, place, velocity, 0.24).slope)
    assert math.isnan(ways(time, np.nan * place, velocity, 1.0).slope)
    for seconds, enough in ((15.0, True), (14.75, False)):
        some = time <= seconds
        assert (ways(time[some], place[:, some], velocity[:, some], 1.0) == exact) is enough
