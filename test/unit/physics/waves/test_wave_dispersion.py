"""Dispersion at any depth: the equation itself, and its limits."""

import math

import numpy as np
import pytest

from usv_energy.physics.waves.linear_wave import GRAVITY, wave_number

FREQUENCIES = np.geomspace(0.02, 30.0, 400)
DEPTHS = (0.05, 0.5, 3.0, 40.0, 1e4, math.inf)


@pytest.mark.parametrize('depth', DEPTHS)
def test_the_wave_number_solves_the_dispersion_relation(depth):
    number = wave_number(FREQUENCIES, depth)
    there = GRAVITY * number * np.tanh(np.minimum(number * depth, 500.0))
    np.testing.assert_allclose(there, FREQUENCIES ** 2, rtol=1e-13)


def test_three_seconds_in_deep_water():
    """g T^2 / 2 pi and g T / 2 pi."""
    omega = 2.0 * math.pi / 3.0
    assert 2.0 * math.pi / wave_number(omega, math.inf) == pytest.approx(14.052, rel=1e-4)
    assert omega / wave_number(omega, math.inf) == pytest.approx(4.684, rel=1e-4)


def test_long_waves_in_shallow_water_run_at_the_root_of_g_h():
    assert 0.01 / wave_number(0.01, 2.0) == pytest.approx(math.sqrt(GRAVITY * 2.0), rel=1e-5)


@pytest.mark.parametrize('depth', DEPTHS)
def test_floats_and_arrays_agree(depth):
    floats = [wave_number(float(omega), depth) for omega in FREQUENCIES]
    np.testing.assert_allclose(wave_number(FREQUENCIES, depth), floats, rtol=1e-12)
