"""Added resistance in waves: a boat's own coefficients, and STAWAVE-1 worked out by hand."""

import math

import numpy as np
import pytest

from usv_energy.physics.waves.added_resistance import (
    SeaAlong,
    WaveCoefficients,
    WaveEstimate,
    added_resistance,
    mean_added_resistance,
    off_the_bow,
    resistance_error,
    stawave1_coefficient,
    wave_action_along,
)

TABLE = WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 4.0), ((60.0, 20.0), (4.0, 0.0), (-12.0, -4.0)))


def sea(height=0.5, period=2.0, towards=math.pi, resistance=TABLE):
    return SeaAlong(height, period, towards, resistance)


def test_stawave1_is_its_printed_formula():
    """
    R = rho g Hs^2 B sqrt(B / L_BWL) / 16, by hand.

    Of a ship with B = 32 m, L_BWL = 50 m, Hs = 2 m: 1025 x 9.81 x 4 x 32 x 0.8 / 16 = 64353.6 N.
    """
    assert stawave1_coefficient(32.0, 50.0, 1025.0) * 2.0 ** 2 == pytest.approx(64353.6, rel=1e-4)


@pytest.mark.parametrize(('towards_deg', 'share'), [(180.0, 1.0), (136.0, 1.0), (224.0, 1.0), (134.0, 0.0), (90.0, 0.0),
                                                    (0.0, 0.0)])
def test_stawave1_holds_within_45_degrees_off_the_bow(towards_deg, share):
    found = added_resistance(sea(towards=math.radians(towards_deg), resistance=WaveEstimate(80.0)), 0.0)
    assert found == share * 80.0 * 0.25


def test_it_goes_with_the_square_of_the_height():
    heights = np.array([0.1, 0.3, 0.5])
    found = np.array([added_resistance(sea(height=height), 0.0) for height in heights])
    np.testing.assert_allclose(found, 60.0 * heights ** 2, rtol=1e-12)
    assert added_resistance(sea(height=0.0), 0.0) == 0.0


@pytest.mark.parametrize(('yaw', 'period', 'coefficient'), [
    (0.0, 2.0, 60.0), (math.pi, 2.0, -12.0), (0.5 * math.pi, 2.0, 4.0), (0.25 * math.pi, 2.0, 32.0), (0.0, 3.0, 40.0),
    (0.0, 1.0, 60.0), (0.0, 9.0, 20.0), (math.pi, 3.0, -8.0)])
def test_coefficients_are_linear_between_their_rows_and_constant_beyond(yaw, period, coefficient):
    """Waves that run west meet a boat that heads east (yaw 0) from ahead, and follow one that heads west."""
    assert added_resistance(sea(period=period), yaw) == pytest.approx(coefficient * 0.25, rel=1e-12)


def test_standard_errors_are_looked_up_as_the_coefficients_are():
    errors = TABLE._replace(errors=((6.0, 2.0), (1.0, 1.0), (3.0, 2.0)))
    assert resistance_error(sea(period=3.0, resistance=errors), 0.25 * math.pi) == pytest.approx(0.25 * 2.5)
    assert np.isnan(resistance_error(sea(), np.zeros(2))).all()
    assert off_the_bow(math.pi, np.array([0.0, 0.5 * math.pi, math.pi])) == pytest.approx([0.0, 0.5 * math.pi, math.pi])


def test_both_sides_are_alike_and_only_the_difference_of_directions_counts(rng):
    yaw, turned = rng.uniform(-7.0, 7.0, (2, 50))
    here = added_resistance(sea(towards=0.7), yaw)
    np.testing.assert_allclose(added_resistance(sea(towards=0.7), 1.4 - yaw), here, rtol=1e-9, atol=1e-9)
    there = [added_resistance(sea(towards=0.7 + more), one + more) for one, more in zip(yaw, turned)]
    np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-9)


def test_it_pushes_against_the_bow_and_nowhere_else():
    action = wave_action_along(sea(), np.array([0.0, math.pi]))
    np.testing.assert_allclose(action.surge, [-15.0, 3.0])
    assert not np.any([action.sway, action.moment, action.ahead, action.aside, action.turning][0])
    assert (action.ahead, action.aside, action.turning) == (0.0, 0.0, 0.0)


def test_over_a_step_it_is_the_mean_of_both_ends():
    found = mean_added_resistance(sea(), 0.0, math.pi)
    assert (found.surge, found.sway, found.moment) == (pytest.approx(-6.0), 0.0, 0.0)
