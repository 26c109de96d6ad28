"""Seas drawn from spectra give their own height, periods and directions back; a regular wave is what it is."""

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.signal import welch

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import flow_from
from usv_energy.flow.sea import SeaState, irregular_sea, regular_sea, waves_of
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


REGULAR = {'kind': 'regular', 'height': 0.4, 'period': 3.0, 'direction_deg': 90.0}
IRREGULAR = {'kind': 'irregular', 'significant_height': 0.3, 'peak_period': 3.0, 'direction_deg': 0.0}
PLACES = np.array([0.0, 40.0]), np.array([0.0, -7.0])


def flow(tmp_path, waves, **more):
    return flow_from({'medium': 'water', 'waves': waves, **more}, tmp_path / 'sea.yaml')


def test_still_water_with_waves_carries_a_boat_by_their_drift(tmp_path):
    """a^2 omega k of 0.2 m and 3 s, deep: 0.03746 m/s, towards the waves' direction."""
    vx, vy, inside = flow(tmp_path, REGULAR).velocity(12.0, *PLACES)
    assert vx == pytest.approx([0.0, 0.0], abs=1e-12)
    assert vy == pytest.approx([0.03746, 0.03746], rel=1e-3)
    assert inside.all()


def test_the_drift_fades_twice_as_fast_as_the_waves(tmp_path):
    shallow, deep = (waves_of({**REGULAR, 'drift_depth': depth}, tmp_path).drift[1] for depth in (0.0, 0.5))
    assert deep / shallow == pytest.approx(math.exp(-2.0 * 0.5 * 2.0 * math.pi / 14.05179), rel=1e-6)


def test_the_drift_joins_the_current_and_turns_with_the_map(tmp_path):
    current = {'kind': 'uniform', 'speed': 0.3, 'direction_deg': 90.0}
    turned = flow(tmp_path, REGULAR, analytic=current, transform={'x': 5.0, 'y': 2.0, 'rotation_deg': 90.0})
    vx, vy, _ = turned.velocity(0.0, *PLACES)
    assert vx == pytest.approx([0.33746, 0.33746], rel=1e-4)
    assert vy == pytest.approx([0.0, 0.0], abs=1e-12)
    assert turned.drift == pytest.approx((0.03746, 0.0), rel=1e-3, abs=1e-12)  # Of it that of the waves


def test_waves_of_three_seconds_are_14_m_long_and_break_at_2_m(tmp_path):
    told = waves_of(REGULAR, tmp_path).describe()
    assert told['length_m'] == pytest.approx(14.052, rel=1e-4)
    assert told['celerity_m_per_s'] == pytest.approx(4.684, rel=1e-4)
    waves_of({**REGULAR, 'height': 1.99}, tmp_path)
    with pytest.raises(InputError, match=r'waves\.height is 1\.9954 m; waves of 3 s break above 2 m'):
        waves_of({**REGULAR, 'height': 1.9954}, tmp_path)


def test_shallow_water_breaks_waves_earlier(tmp_path):
    """Long waves break at 0.89 of the depth by Miche's formula: 0.142 * 2 pi h."""
    waves_of({**REGULAR, 'period': 60.0, 'depth': 1.0, 'height': 0.88}, tmp_path)
    with pytest.raises(InputError, match='break above'):
        waves_of({**REGULAR, 'period': 60.0, 'depth': 1.0, 'height': 0.90}, tmp_path)


def test_an_irregular_sea_says_its_crossing_period_and_its_seed(tmp_path):
    told = waves_of({**IRREGULAR, 'seed': 4}, tmp_path).describe()
    assert told['zero_crossing_period_s'] == pytest.approx(3.0 * 0.7774, rel=1e-4)
    assert told['seed'] == 4
    assert waves_of(IRREGULAR, tmp_path).sea.significant_height == pytest.approx(0.3)


def test_a_sea_too_steep_is_refused(tmp_path):
    with pytest.raises(InputError, match=r'waves\.significant_height is 1\.2 m; waves of 2\.33 s break above 0\.849 m'):
        waves_of({**IRREGULAR, 'significant_height': 1.2}, tmp_path)


def test_the_air_has_no_waves(tmp_path):
    with pytest.raises(InputError, match='waves go with water'):
        flow_from({'medium': 'air', 'waves': REGULAR}, tmp_path / 'air.yaml')


@pytest.mark.parametrize(('key', 'value', 'said'), [
    ('height', -0.1, r'waves\.height'), ('period', 0.0, r'waves\.period'), ('gamma', 3.3, 'gamma'),
    ('kind', 'freak', r'waves\.kind')])
def test_a_wrong_key_is_named(tmp_path, key, value, said):
    with pytest.raises(InputError, match=said):
        flow(tmp_path, {**REGULAR, key: value})
