"""Dispersion at any depth: the equation itself, its limits, and the speed of a group as a derivative."""

import math

import numpy as np
import pytest

from usv_energy.physics.waves.linear_wave import GRAVITY, group_speed, wave_number

FREQUENCIES = np.geomspace(0.02, 30.0, 400)
DEPTHS = (0.05, 0.5, 3.0, 40.0, 1e4, math.inf)


def frequency(number, depth):
    return np.sqrt(GRAVITY * number * np.tanh(np.minimum(number * depth, 500.0)))


@pytest.mark.parametrize('depth', DEPTHS)
def test_the_wave_number_solves_the_dispersion_relation(depth):
    number = wave_number(FREQUENCIES, depth)
    there = GRAVITY * number * np.tanh(np.minimum(number * depth, 500.0))
    np.testing.assert_allclose(there, FREQUENCIES ** 2, rtol=1e-13)


def test_three_seconds_in_deep_water():
    """g T^2 / 2 pi and g T / 2 pi; the group runs half as fast."""
    omega = 2.0 * math.pi / 3.0
    assert 2.0 * math.pi / wave_number(omega, math.inf) == pytest.approx(14.052, rel=1e-4)
    assert omega / wave_number(omega, math.inf) == pytest.approx(4.684, rel=1e-4)
    assert group_speed(omega, math.inf) == pytest.approx(0.5 * GRAVITY / omega, rel=1e-14)


def test_long_waves_in_shallow_water_run_at_the_root_of_g_h():
    assert 0.01 / wave_number(0.01, 2.0) == pytest.approx(math.sqrt(GRAVITY * 2.0), rel=1e-5)
    assert group_speed(0.01, 2.0) == pytest.approx(math.sqrt(GRAVITY * 2.0), rel=1e-4)


@pytest.mark.parametrize('depth', DEPTHS)
def test_the_group_speed_is_the_derivative_of_the_frequency(depth):
    number, step = np.geomspace(0.01, 20.0, 100), 1e-5
    slope = (frequency(number * (1.0 + step), depth) - frequency(number * (1.0 - step), depth)) / (2.0 * step * number)
    np.testing.assert_allclose(group_speed(frequency(number, depth), depth), slope, rtol=1e-8)


@pytest.mark.parametrize('depth', DEPTHS)
def test_floats_and_arrays_agree(depth):
    for function in (wave_number, group_speed):
        floats = [function(float(omega), depth) for omega in FREQUENCIES]
        np.testing.assert_allclose(function(FREQUENCIES, depth), floats, rtol=1e-12)
