"""The noise of the sea against Knudsen's and Wenz's curves."""

import math

import numpy as np
import pytest

from usv_energy.physics.acoustics import (
    KNOT,
    added,
    band_level,
    noise_level,
    shipping_level,
    thermal_level,
    turbulence_level,
)

# A.D. Waite (2002), table 5.1: wind in the middle of each Beaufort force, kn; level at 1 kHz, dB re 1 uPa^2/Hz.
KNUDSEN = [(0.0, 44.5), (2.0, 50.0), (5.0, 55.0), (8.5, 61.5), (13.5, 64.5), (19.0, 66.5), (24.5, 68.5), (34.0, 70.0)]


@pytest.mark.parametrize(('wind', 'level'), KNUDSEN)
@pytest.mark.parametrize('frequency', [1e3, 3e3, 1e4, 3e4])
def test_wenz_is_within_a_decibel_of_the_curves(wind, level, frequency):
    """They fall by 17 dB a decade; few ships and the molecules add less than a decibel, where wind is louder."""
    curve = level - 17.0 * math.log10(frequency / 1e3)
    if curve > thermal_level(frequency) + 7.0:
        assert noise_level(frequency, wind * KNOT, shipping=0.0) == pytest.approx(curve, abs=1.0)


@pytest.mark.parametrize(('wind', 'level'), KNUDSEN[:7])
def test_coates_is_within_some_decibels_of_the_curves(wind, level):
    assert noise_level(1e3, wind * KNOT, 0.0, 'coates') == pytest.approx(level, abs=2.4)


def test_what_thetis_printed_holds_in_light_winds_alone():
    """Up to 5 kn both readings of the root are told apart by the curves; sqrt(21) v is 12 dB too loud at 5 kn."""
    for wind, level in KNUDSEN[:3]:
        assert noise_level(1e3, wind * KNOT, 0.0, 'thetis_printed') == pytest.approx(level, abs=1.0)
    assert noise_level(1e3, 5.0 * KNOT, 0.0, 'thetis') - 55.0 == pytest.approx(11.9, abs=0.05)


def test_each_source_has_its_band():
    """Turbulence below 10 Hz, ships to some hundred, wind to 100 kHz, molecules beyond: the loudest of the four."""
    for frequency, loudest in ((3.0, turbulence_level(3.0)), (50.0, shipping_level(50.0, 0.5)),
                               (5e5, thermal_level(5e5))):
        assert noise_level(frequency, 5.0, 0.5, 'coates') == pytest.approx(loudest, abs=1.0)
    # Coates's own numbers: 17 - 30 log 0.001, 40 + 26 log 0.1 - 60 log 0.13, -15 + 20 log 200.
    assert turbulence_level(1.0) == pytest.approx(107.0)
    assert shipping_level(100.0, 0.5) == pytest.approx(40.0 - 26.0 - 60.0 * math.log10(0.13))
    assert thermal_level(2e5) == pytest.approx(31.0206, abs=1e-4)


def test_powers_add_up():
    assert added(50.0, 50.0) == pytest.approx(50.0 + 10.0 * math.log10(2.0))
    assert band_level(30.0, 6e3) == pytest.approx(30.0 + 37.7815, abs=1e-4)
    assert np.shape(noise_level(np.array([1e3, 1e4]), 5.0)) == (2,)
