"""The speed of sound against measurements and another formula."""

import pytest

from usv_energy.physics.acoustics.sea_water import SeaWater, sound_speed


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
