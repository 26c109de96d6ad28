"""Spectra of waves: published ratios, the significant height to rounding, moments held to scipy's quadrature."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from usv_energy.physics.waves.linear_wave import (
    energy_period,
    jonswap,
    moment,
    zero_crossing_period,
)

PUBLISHED = {1.0: (1.0000, 0.7104), 3.3: (1.0012, 0.7774), 7.0: (0.9912, 0.8285)}


def integral(order, height, period, gamma):
    peak = 2.0 * math.pi / period
    edges = [0.25 * peak, peak, 2.0 * peak, 10.0 * peak, math.inf]
    return sum(quad(lambda omega: omega ** order * float(jonswap(omega, height, period, gamma)), low, high, limit=400,
                    epsabs=0.0, epsrel=1e-11)[0] for low, high in pairwise(edges))


@pytest.mark.parametrize('gamma', PUBLISHED)
@pytest.mark.parametrize('order', [-1, 0, 1, 2])
def test_moments_are_the_integrals_of_the_density(gamma, order):
    assert moment(order, 0.7, 4.0, gamma) == pytest.approx(integral(order, 0.7, 4.0, gamma), rel=1e-8)


@pytest.mark.parametrize('gamma', [1.0, 2.0, 3.3, 7.0, 10.0])
def test_the_significant_height_is_matched_exactly(gamma):
    assert 4.0 * math.sqrt(integral(0, 0.5, 3.0, gamma)) == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize('gamma', PUBLISHED)
def test_the_usual_factor_misses_the_height_as_published(gamma):
    """The usual spectrum is the exact one at its peak times the ratio of both factors."""
    height, period = 1.0, 2.0 * math.pi
    usual = (1.0 - 0.287 * math.log(gamma)) * 0.3125 * math.exp(-1.25) * gamma  # at the peak, of Hs = 1 m, omega_p = 1
    ratio = usual / float(jonswap(1.0, height, period, gamma))
    assert math.sqrt(ratio) == pytest.approx(PUBLISHED[gamma][0], abs=5e-5)


@pytest.mark.parametrize('gamma', PUBLISHED)
def test_the_zero_crossing_period_as_published(gamma):
    assert zero_crossing_period(5.0, gamma) / 5.0 == pytest.approx(PUBLISHED[gamma][1], abs=5e-5)


def test_pierson_moskowitz_is_the_closed_form():
    omega, height, period = np.geomspace(0.5, 30.0, 50), 0.4, 3.0
    peak = 2.0 * math.pi / period
    closed = 5.0 / 16.0 * height ** 2 * peak ** 4 * omega ** -5 * np.exp(-1.25 * (peak / omega) ** 4)
    np.testing.assert_allclose(jonswap(omega, height, period, 1.0), closed, rtol=1e-10)


def test_the_energy_period_of_pierson_moskowitz_in_closed_form():
    """m_-1 / m_0 = Gamma(5/4) / (1.25^(1/4) omega_p)."""
    assert energy_period(6.0, 1.0) / 6.0 == pytest.approx(math.gamma(1.25) / 1.25 ** 0.25, rel=1e-9)


def test_no_energy_at_the_slowest_frequencies():
    assert (jonswap(np.array([1e-9, 1e-3, 0.05]), 1.0, 3.0) == 0.0).all()


def test_at_the_peak_itself_the_low_width_holds_and_below_a_twentieth_there_is_nothing():
    """The enhancement at 1.0 of the peak is gamma; at 0.05 of it, where a number would still be, the density is 0."""
    peak = jonswap(np.array([1.0, 1.0 + 1e-9, 0.05]), 1.0, 2.0 * math.pi, 7.0)
    assert peak[0] == pytest.approx(peak[1], rel=1e-6) and peak[2] == 0.0
