"""Seas drawn from spectra give their own height, periods and directions back; a regular wave is what it is."""

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.signal import welch

from usv_energy.flow.sea import SeaState, irregular_sea, regular_sea
from usv_energy.physics.waves.linear_wave import jonswap, zero_crossing_period

ZERO = np.zeros(1)


def series(sea, duration, step):
    """Return times and the elevation at the origin: an irregular sum, written out here once more."""
    times = np.arange(0.0, duration, step)
    waves = sea.waves
    found = np.zeros(times.size)
    for amplitude, frequency, phase in zip(waves.amplitude, waves.frequency, waves.phase):
        found += amplitude * np.cos(phase - frequency * times)
    return times, found


@pytest.mark.parametrize('gamma', [1.0, 3.3, 7.0])
@pytest.mark.parametrize('seed', [5, 6])
def test_a_simulated_sea_gives_its_spectrum_back(gamma, seed):
    """Height and crossings over two hours of a sea of 4 s, and the density itself around the peak; within 3 %."""
    state = SeaState(0.5, 4.0, gamma)
    sea = irregular_sea(state, seed, components=400)
    times, eta = series(sea, 7200.0, 0.1)
    assert 4.0 * eta.std() == pytest.approx(0.5, rel=0.03)
    rising = np.count_nonzero((eta[:-1] < 0.0) & (eta[1:] >= 0.0))
    assert times[-1] / rising == pytest.approx(zero_crossing_period(4.0, gamma), rel=0.03)
    frequency, density = welch(eta, fs=10.0, nperseg=1 << 10)
    omega = 2.0 * math.pi * frequency
    for low, high in ((0.7, 1.0), (1.0, 1.5), (1.5, 3.0)):
        band = (omega > low * math.pi / 2.0) & (omega < high * math.pi / 2.0)
        wanted = trapezoid(jonswap(np.linspace(low, high, 2000) * math.pi / 2.0, 0.5, 4.0, gamma), np.linspace(
            low, high, 2000) * math.pi / 2.0)
        assert density[band].sum() * frequency[1] == pytest.approx(wanted, rel=0.15)


@pytest.mark.parametrize('gamma', [1.0, 3.3, 7.0])
def test_the_significant_height_of_the_waves_is_that_of_the_state(gamma):
    assert irregular_sea(SeaState(0.3, 2.5, gamma), 1).significant_height == pytest.approx(0.3, rel=1e-12)


def test_the_origin_of_a_sea_is_the_sum_written_out():
    sea = irregular_sea(SeaState(0.5, 3.0, depth=4.0), 11)
    times, eta = series(sea, 20.0, 0.5)
    np.testing.assert_allclose([sea.elevation(t, ZERO, ZERO)[0] for t in times], eta, atol=1e-12)


def test_one_seed_is_one_sea_and_another_is_another():
    state = SeaState(0.5, 3.0)
    one, same, other = (irregular_sea(state, seed).elevation(5.0, ZERO, ZERO)[0] for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_many_points_in_blocks_are_the_points_one_by_one():
    sea = irregular_sea(SeaState(0.5, 3.0), 3)
    x, y = np.random.default_rng(0).uniform(-50.0, 50.0, (2, 3000))
    together = sea.at(2.0, x, y, -0.2)
    for n in (0, 1309, 1310, 1311, 2999):
        alone = sea.at(2.0, x[n:n + 1], y[n:n + 1], -0.2)
        assert together.velocity.up[n] == pytest.approx(alone.velocity.up[0], rel=1e-12)
        assert together.elevation[n] == pytest.approx(alone.elevation[0], rel=1e-12)


def test_points_at_times_of_their_own_have_the_heights_of_those_times():
    sea, x, y, t = irregular_sea(SeaState(0.5, 3.0), 3), np.arange(3.0), np.arange(3.0) ** 2, np.array([2.0, 0.5, 7.0])
    found = sea.elevation(t, x, y)
    assert [sea.elevation(t[n], x[n:n + 1], y[n:n + 1])[0] for n in range(3)] == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize('spreading', [2.0, 10.0, 50.0, math.inf])
def test_directions_are_spread_as_asked(spreading):
    """The first moment of cos^2s of half the angle: the mean of cos(angle) is s / (s + 1)."""
    waves = irregular_sea(SeaState(0.5, 3.0, direction=2.0, spreading=spreading), 7, components=4000).waves
    along = waves.east * math.cos(2.0) + waves.north * math.sin(2.0)
    wanted = 1.0 if math.isinf(spreading) else spreading / (spreading + 1.0)
    assert along.mean() == pytest.approx(wanted, abs=2e-3)
    across = waves.north * math.cos(2.0) - waves.east * math.sin(2.0)
    assert across.mean() == pytest.approx(0.0, abs=2e-3)


def test_the_drift_of_a_regular_wave_is_that_of_the_closed_form():
    """a = 0.2 m, 3 s, deep water: 0.03746 m/s, towards its direction."""
    east, north = regular_sea(0.4, 3.0, math.pi / 2.0).stokes_drift()
    assert (east, north) == pytest.approx((0.0, 0.03746), rel=1e-3, abs=1e-12)


def test_the_drift_of_a_sea_is_its_third_moment():
    """Long crests, deep water: 2 / g integral of omega^3 S(omega), over the frequencies that the sea has."""
    state = SeaState(0.5, 4.0, spreading=math.inf)
    omega = np.geomspace(0.4, 8.0, 200_000) * math.pi / 2.0
    wanted = 2.0 / 9.81 * trapezoid(omega ** 3 * jonswap(omega, 0.5, 4.0), omega)
    east, north = irregular_sea(state, 2, components=2000).stokes_drift()
    assert east == pytest.approx(wanted, rel=5e-3)
    assert north == pytest.approx(0.0, abs=1e-12)


def test_a_crest_of_a_regular_wave_passes_the_origin_at_time_0():
    sea = regular_sea(0.4, 3.0, 0.0)
    assert sea.elevation(0.0, ZERO, ZERO)[0] == pytest.approx(0.2)
    assert sea.elevation(1.5, ZERO, ZERO)[0] == pytest.approx(-0.2)
    assert sea.significant_height == pytest.approx(0.4 * math.sqrt(2.0))
