import math

import numpy as np
import pytest

from usv_energy.logs.derive import decaying_sum, derivative, parabola_slopes, without_spikes, yaw_of_quaternions

TIME = np.arange(0.0, 120.0, 0.1)


def test_the_derivative_is_of_second_order():
    """Halving the window divides the error of the parabola by four."""
    def error(width):
        time = np.arange(0.0, 20.0, 0.01)
        return np.abs(derivative(time, np.sin(time), 1.0, width) - np.cos(time))[400:-400].max()
    assert math.log2(error(1.6) / error(0.8)) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(('number', 'window'), [(5, 5), (6, 5), (40, 7), (1000, 51), (51, 51)])
def test_slopes_are_those_of_parabolas(rng, number, window):
    """Of a parabola its own, up to the ends; of anything those of Savitzky's and Golay's filter, as scipy has it."""
    from scipy.signal import savgol_filter
    k = np.arange(number)
    parabola = 1e6 + 3.0 * k - 0.25 * k * k
    np.testing.assert_allclose(parabola_slopes(parabola, window), 3.0 - 0.5 * k, rtol=1e-10, atol=1e-9)
    values = 1e6 + np.cumsum(rng.normal(size=number))
    np.testing.assert_allclose(parabola_slopes(values, window), savgol_filter(values, window, 2, deriv=1), atol=1e-10)


@pytest.mark.parametrize('shape', [(1,), (2,), (50,), (40, 3)])
def test_a_decaying_sum_is_its_recursion(rng, shape):
    given = rng.normal(size=shape)
    found = decaying_sum(given, 0.9)
    np.testing.assert_allclose(found[0], given[0], rtol=1e-14)
    np.testing.assert_allclose(found[1:], 0.9 * found[:-1] + given[1:], atol=1e-14)


def test_derivatives_do_not_cross_gaps_and_bridge_single_unknowns():
    time = np.concatenate([np.arange(0.0, 10.0, 0.1), np.arange(50.0, 60.0, 0.1)])
    values = np.where(time < 30.0, 2.0 * time, 1000.0 - 3.0 * time)
    values[20] = np.nan
    found = derivative(time, values, 1.0)
    np.testing.assert_allclose(found[:100], 2.0, atol=1e-9)
    np.testing.assert_allclose(found[100:], -3.0, atol=1e-9)


def test_spikes_go_and_turns_stay(rng):
    r = 0.8 * np.sin(0.3 * TIME)
    yaw = np.cumsum(r) * 0.1 + 0.01 * rng.normal(size=len(TIME))
    spoilt = np.mod(yaw, 2.0 * math.pi)
    spoilt[[300, 700, 701]] = np.mod(spoilt[[300, 700, 701]] + 2.5, 2.0 * math.pi)
    mended, count = without_spikes(TIME, spoilt, r)
    assert count == 3
    np.testing.assert_allclose(np.diff(mended), np.diff(yaw), atol=0.06)


def test_the_yaw_of_any_quaternion_is_the_first_of_its_three_turns(rng):
    """Yaw, then pitch, then roll, of any length; a quaternion of no length, or of none that is a number, has none."""
    yaw, pitch, roll = rng.uniform(-3.1, 3.1, 50), rng.uniform(-1.5, 1.5, 50), rng.uniform(-3.1, 3.1, 50)
    (cy, sy), (cp, sp), (cr, sr) = ((np.cos(0.5 * one), np.sin(0.5 * one)) for one in (yaw, pitch, roll))
    parts = (cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr,
             cy * cp * cr + sy * sp * sr)
    np.testing.assert_allclose(yaw_of_quaternions(*(2.7 * part for part in parts)), yaw, atol=1e-12)
    found = yaw_of_quaternions(*np.eye(4))
    np.testing.assert_allclose(np.cos(found), [1.0, -1.0, -1.0, 1.0])
    none, huge, zero = np.array([np.nan, 1.0]), np.array([np.inf, 1.0]), np.zeros(2)
    for one in (none, huge):
        assert np.isnan(yaw_of_quaternions(zero, zero, one, one)).tolist() == [True, False]
    assert np.isnan(yaw_of_quaternions(zero, zero, zero, zero)).all()


def test_turns_between_seldom_samples_are_counted_by_the_gyro(rng):
    """More than half a turn from sample to sample: the heading alone cannot tell, the rate's trapezoids can."""
    time = np.cumsum(rng.uniform(1.5, 3.0, 60))
    r = 1.7 + 0.9 * np.sin(0.7 * np.arange(60.0))
    yaw = np.concatenate([[0.3], 0.3 + np.cumsum(0.5 * (r[1:] + r[:-1]) * np.diff(time))])
    whole = yaw + 2.0 * math.pi * rng.integers(-3, 4, 60)
    found, count = without_spikes(time, whole, r)
    np.testing.assert_allclose(np.diff(found), np.diff(yaw), atol=1e-9)
    assert count == 0
    assert without_spikes(time[:2], whole[:2], np.full(2, np.nan))[1] == 0


def test_a_lasting_step_of_about_a_ninth_of_half_a_turn_is_no_spike():
    """Two of its samples are beyond 20 degrees, the next is not: it has not come back."""
    yaw = np.radians([0.0, 0.0, 0.0, 0.3, 20.4, 20.5, 19.8, 20.1, 19.9, 20.2])
    mended, count = without_spikes(0.1 * np.arange(10.0), yaw, np.zeros(10))
    assert count == 0
    np.testing.assert_array_equal(mended, yaw)


@pytest.mark.parametrize(('width', 'off', 'spikes'), [(1, 20.1, 1), (1, -20.1, 1), (1, 19.9, 0), (2, 20.1, 2),
                                                      (2, 19.9, 0), (3, 90.0, 0), (1, 339.9, 1), (1, 340.1, 0)])
def test_one_sample_or_two_that_are_a_ninth_of_half_a_turn_off_are_spikes(width, off, spikes):
    """20 degrees either way, at the second sample or the last but one, too; a heading that stays there is none."""
    rate, time = np.zeros(12), np.arange(12.0)
    for first in (1, 6, 11 - width):
        yaw = np.full(12, 1.0)
        yaw[first:first + width] += math.radians(off)
        mended, count = without_spikes(time, yaw, rate)
        assert count == spikes
        if spikes:
            np.testing.assert_allclose(mended, 1.0, atol=1e-12)
    turned = np.where(np.arange(12) > 5, math.radians(25.0), 0.0)
    assert without_spikes(time, turned, rate)[1] == 0
    between = np.where(np.arange(3) == 1, math.radians(90.0), 0.0)
    assert without_spikes(time[:3], between, rate[:3])[1] == 1
    assert without_spikes(time[:2], between[:2], rate[:2])[1] == 0


def test_short_stretches_have_parabolas_through_all_of_them_and_shorter_ones_no_slope():
    """Of n samples an odd number of them, n or n - 1; five are the least; a step of max_gap holds them together."""
    from scipy.signal import savgol_filter
    for number, window in ((5, 5), (6, 5), (7, 7), (8, 7), (9, 9), (10, 9)):
        time, values = 0.5 * np.arange(number), np.sin(np.arange(number) ** 1.3)
        np.testing.assert_allclose(derivative(time, values, 0.5, 60.0),
                                   2.0 * savgol_filter(values, window, 2, deriv=1), atol=1e-12)
        np.testing.assert_allclose(derivative(time, values, 0.5, 1.0)[2:-2],
                                   2.0 * savgol_filter(values, 5, 2, deriv=1)[2:-2], atol=1e-12)
    assert np.isnan(derivative(time, values, 0.49)).all()
    some = np.where(np.arange(10) < 5, values, np.nan)
    assert np.isfinite(derivative(time, some, 0.5)).tolist() == [True] * 5 + [False] * 5
    damaged = np.where(np.arange(10) == 4, 1e100, values)
    for lost in (np.where(np.arange(10) < 4, values, np.nan), damaged[:5], -damaged[:5]):
        assert np.isnan(derivative(time[:len(lost)], lost, 0.5)).all()
    np.testing.assert_allclose(derivative(time, np.where(np.arange(10) == 4, -1e101, 3.0 * time), 1.0), 3.0)
    width = derivative(0.1 * np.arange(200), np.sin(np.arange(200.0)), 1.0, 1.34)
    np.testing.assert_allclose(width, 10.0 * savgol_filter(np.sin(np.arange(200.0)), 15, 2, deriv=1), atol=1e-9)


@pytest.mark.parametrize('number', [0, 1, 2])
def test_headings_of_fewer_than_three_samples_are_unwrapped_as_they_stand(number):
    """A step of 3 rad is one, whatever a gyro says of it; of three samples the gyro's whole turn less is believed."""
    yaw, rate = np.array([0.0, 3.0, 3.0]), np.array([3.0 - math.tau, 3.0 - math.tau, 0.0])
    few = np.where(np.arange(3) < number, yaw, np.nan)
    found, spikes = without_spikes(np.arange(3.0), few, rate)
    assert spikes == 0
    np.testing.assert_array_equal(found, few)
    assert without_spikes(np.arange(3.0), np.array([0.0, 3.0, 6.0]), np.full(3, 3.0 - math.tau))[0][1] == pytest.approx(
        3.0 - math.tau)
