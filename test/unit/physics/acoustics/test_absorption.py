"""Absorption of sound against measurements in pure water, and another formula in the sea."""

import math

import numpy as np
import pytest

from usv_energy.physics.acoustics.absorption import francois_garrison, thetis_absorption
from usv_energy.physics.acoustics.sea_water import SeaWater

NEPER = 20.0 / math.log(10.0)  # dB


@pytest.mark.parametrize(('temperature', 'measured'), [(0.0, 56.9e-15), (10.0, 36.1e-15), (20.0, 25.3e-15),
                                                       (30.0, 19.1e-15)])
def test_fresh_water_is_as_measured(temperature, measured):
    """J.M.M. Pinkerton (1949), Proc. Phys. Soc. B 62, 129: Np/m over Hz^2; the same at all frequencies."""
    for frequency in (2e4, 1e5, 1e6):
        found = francois_garrison(frequency, SeaWater(temperature, 0.0, 0.0))
        assert found / frequency ** 2 == pytest.approx(NEPER * measured, rel=0.02)


@pytest.mark.parametrize('frequency', [1e3, 1e4, 3.3e4, 1e5, 3e5])
@pytest.mark.parametrize(('temperature', 'depth'), [(4.0, 0.0), (10.0, 100.0), (20.0, 0.0), (8.0, 1000.0)])
def test_the_sea_is_as_ainslie_and_mccolm_have_it(frequency, temperature, depth):
    """M.A. Ainslie, J.G. McColm (1998), J. Acoust. Soc. Am. 103, 1671: within 10 % of this formula, they say."""
    square, deep = (frequency / 1e3) ** 2, depth / 1e3
    boric, sulphate = 0.78 * math.exp(temperature / 26.0), 42.0 * math.exp(temperature / 17.0)
    expected = (0.106 * boric * square / (boric ** 2 + square)
                + 0.52 * (1.0 + temperature / 43.0) * math.exp(-deep / 6.0)
                * sulphate * square / (sulphate ** 2 + square)
                + 0.00049 * square * math.exp(-(temperature / 27.0 + deep / 17.0)))
    found = 1e3 * francois_garrison(frequency, SeaWater(temperature, 35.0, depth))
    assert found == pytest.approx(expected, rel=0.10)


def test_thorps_formula_as_thetis_prints_it():
    """[H] (6) by hand at 33 kHz: 0.1099 + 9.2341 + 0.2995 + 0.003 dB/km."""
    assert 1e3 * thetis_absorption(33e3) == pytest.approx(0.1099 + 9.2341 + 0.2995 + 0.0030, abs=1e-4)
    assert np.shape(thetis_absorption(np.array([1e4, 2e4]))) == (2,)
