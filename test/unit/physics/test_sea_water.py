"""The speed of sound against measurements and another formula."""

import pytest

from usv_energy.physics.acoustics import SeaWater, sound_speed


@pytest.mark.parametrize(('temperature', 'measured'), [(0.0, 1402.388), (10.0, 1447.270), (20.0, 1482.343),
                                                       (25.0, 1496.687)])
def test_fresh_water_is_as_measured(temperature, measured):
    """N. Bilaniuk, G.S.K. Wong (1993), J. Acoust. Soc. Am. 93, 1609, at atmospheric pressure."""
    assert sound_speed(SeaWater(temperature, 0.0, 0.0)) == pytest.approx(measured, abs=0.1)


@pytest.mark.parametrize(('temperature', 'salinity', 'depth'), [
    (2.0, 35.0, 0.0), (10.0, 30.0, 1000.0), (25.0, 38.0, 200.0), (12.0, 35.0, 3000.0), (29.0, 40.0, 5.0)])
def test_the_sea_is_as_mackenzies_nine_terms_have_it(temperature, salinity, depth):
    """K.V. Mackenzie (1981), J. Acoust. Soc. Am. 70, 807, whose own standard error is 0.07 m/s."""
    salt = salinity - 35.0
    expected = (1448.96 + 4.591 * temperature - 5.304e-2 * temperature ** 2 + 2.374e-4 * temperature ** 3
                + 1.340 * salt + 1.630e-2 * depth + 1.675e-7 * depth ** 2 - 1.025e-2 * temperature * salt
                - 7.139e-13 * temperature * depth ** 3)
    assert sound_speed(SeaWater(temperature, salinity, depth)) == pytest.approx(expected, abs=0.6)


def test_every_term_is_as_printed(rng):
    """Coppens (1981): coefficients of t^i s^j d^k, t in tens of degC, s = S - 35, d in km; far from all other tests."""
    terms = {(0, 0, 0): 1449.05, (1, 0, 0): 45.7, (2, 0, 0): -5.21, (3, 0, 0): 0.23, (0, 1, 0): 1.333,
             (1, 1, 0): -0.126, (2, 1, 0): 0.009, (0, 0, 1): 16.23, (1, 0, 1): 0.253, (0, 0, 2): 0.213,
             (1, 0, 2): -0.1, (1, 1, 1): 0.016, (1, 2, 1): 0.0002}
    for temperature, salinity, depth in rng.uniform((5.0, 3.0, 1500.0), (35.0, 45.0, 4000.0), size=(5, 3)):
        expected = sum(number * (temperature / 10.0) ** i * (salinity - 35.0) ** j * (depth / 1000.0) ** k
                       for (i, j, k), number in terms.items())
        assert sound_speed(SeaWater(temperature, salinity, depth)) == pytest.approx(expected, rel=1e-12)
