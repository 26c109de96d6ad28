"""Absorption of sound against measurements in pure water, other people's programs and another formula in the sea."""

import math

import numpy as np
import pytest

from usv_energy.physics.acoustics import SeaWater, francois_garrison, thetis_absorption

NEPER = 20.0 / math.log(10.0)  # dB
FREQUENCIES = (1e3, 3e3, 1e4, 3.3e4, 1e5, 3e5)  # Hz
# Temperature, degC, salinity, depth, m, and acidity of the sea: dB/km at those frequencies as two public programs print
# them, alike to 1e-6: echopype 0.11.1 (University of Washington), calc_absorption(formula_source='FG'), and arlpy 1.9.3
# (National University of Singapore), uwa.absorption. Both are curves of Francois and Garrison (1982).
PROGRAMS = {
    (4, 35, 10, 8.0): (0.06309, 0.18434, 1.1493, 8.8229, 27.5, 65.541),
    (10, 35, 1000, 8.0): (0.058374, 0.16741, 0.8454, 6.9862, 29.241, 65.752),
    (19, 35, 0, 8.2): (0.072819, 0.23108, 0.82039, 6.4182, 38.14, 98.568),
    (27, 35, 10, 8.0): (0.04466, 0.1781, 0.63614, 4.9253, 35.572, 126.89),
    (0, 30, 100, 7.8): (0.04589, 0.14708, 1.081, 7.5922, 20.688, 62.488),
    (15, 8, 20, 8.0): (0.049216, 0.079734, 0.24233, 1.8509, 10.648, 38.454),
    (25, 38, 50, 8.1): (0.054023, 0.21054, 0.7419, 5.697, 39.42, 127.53),
    (-1, 33, 3000, 7.9): (0.048674, 0.12972, 0.81271, 5.3847, 14.854, 53.287),
}


@pytest.mark.parametrize(('temperature', 'measured'), [(0.0, 56.9e-15), (10.0, 36.1e-15), (20.0, 25.3e-15),
                                                       (30.0, 19.1e-15)])
def test_fresh_water_is_as_measured(temperature, measured):
    """J.M.M. Pinkerton (1949), Proc. Phys. Soc. B 62, 129: Np/m over Hz^2; the same at all frequencies."""
    for frequency in (2e4, 1e5, 1e6):
        found = francois_garrison(frequency, SeaWater(temperature, 0.0, 0.0))
        assert found / frequency ** 2 == pytest.approx(NEPER * measured, rel=0.02)


@pytest.mark.parametrize('sea', PROGRAMS)
def test_the_sea_is_as_other_programs_have_it(sea):
    """5 % is asked for; five digits are printed, so that a wrong coefficient shows."""
    temperature, salinity, depth, acidity = sea
    found = 1e3 * francois_garrison(np.array(FREQUENCIES), SeaWater(temperature, salinity, depth, acidity))
    np.testing.assert_allclose(found, PROGRAMS[sea], rtol=2e-4)


@pytest.mark.parametrize('frequency', [1e3, 3e3, 1e4, 3.3e4, 1e5, 3e5])
@pytest.mark.parametrize(('temperature', 'depth'), [(4.0, 0.0), (10.0, 100.0), (20.0, 0.0), (8.0, 1000.0), (27.0, 0.0),
                                                   (0.0, 3000.0)])
def test_the_sea_is_as_ainslie_and_mccolm_have_it(frequency, temperature, depth):
    """
    M.A. Ainslie, J.G. McColm (1998), J. Acoust. Soc. Am. 103, 1671: simpler, and within 10 % of this formula, they say.

    Here 6.4 % at most, at 3 kHz and 27 degC.
    """
    square, deep = (frequency / 1e3) ** 2, depth / 1e3
    boric, sulphate = 0.78 * math.exp(temperature / 26.0), 42.0 * math.exp(temperature / 17.0)
    expected = (0.106 * boric * square / (boric ** 2 + square)
                + 0.52 * (1.0 + temperature / 43.0) * math.exp(-deep / 6.0)
                * sulphate * square / (sulphate ** 2 + square)
                + 0.00049 * square * math.exp(-(temperature / 27.0 + deep / 17.0)))
    found = 1e3 * francois_garrison(frequency, SeaWater(temperature, 35.0, depth))
    assert found == pytest.approx(expected, rel=0.065)


def test_thorps_formula_as_thetis_prints_it():
    """[H] (6) by hand at 33 kHz: 0.1099 + 9.2341 + 0.2995 + 0.003 dB/km."""
    assert 1e3 * thetis_absorption(33e3) == pytest.approx(0.1099 + 9.2341 + 0.2995 + 0.0030, abs=1e-4)
    assert np.shape(thetis_absorption(np.array([1e4, 2e4]))) == (2,)
