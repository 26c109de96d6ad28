import math

import numpy as np
import pytest

from usv_energy.logs.derive import derivative, parabola_slopes, without_spikes

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
