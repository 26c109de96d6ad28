import numpy as np
import pytest
from scipy.linalg import cholesky_banded, lapack

from usv_energy.logs.motion import series_estimate
from usv_energy.logs.motion.jerk_prior import SPREAD, Knots, prior_band
from usv_energy.logs.motion.measured_series import Measured, knots_of, measured
from usv_energy.logs.motion.series_estimate import Fit, _factor, fit_of, solved, states_of

NOISE = 0.04


def case(rng, n=40, gap=20):
    time = np.sort(rng.uniform(0.0, 6.0, n))
    time[gap:] += 5.0
    knots, knot = knots_of(time, longest=2.0)
    series = [measured(0, time, rng.standard_normal((n, 2)), knots, knot),
              measured(1, time, np.where(rng.uniform(size=(n, 1)) < 0.3, np.nan, rng.standard_normal((n, 2))), knots,
                       knot)]
    return knots, series, (0.3, 0.5), rng.uniform(0.5, 2.0, knots.time.size - 1)


def dense_system(knots, series, noise, density):
    """Return inverse prior, measurement matrix, inverse covariance of the measurements and their values."""
    band, _ = prior_band(knots, density)
    n = band.shape[1]
    prior = sum(np.diag(band[d, :n - d], -d) + (np.diag(band[d, :n - d], d) if d else 0.0) for d in range(6))
    rows, weights, values = [], [], []
    for one, deviation in zip(series, noise):
        for k in np.flatnonzero(one.weight):
            row = np.zeros(n)
            row[3 * k:3 * k + 3] = one.rows()[k]
            rows.append(row)
            weights.append(one.weight[k] / deviation ** 2)
            values.append(one.values[k])
    return prior, np.array(rows), np.array(weights), np.array(values)


def states_covariance(knots, density):
    """Return the covariance of all states before any measurement, from knot to knot by the transition."""
    n = knots.time.size
    full = np.zeros((3 * n, 3 * n))
    for k in range(n):
        here = slice(3 * k, 3 * k + 3)
        if k in knots.begins:
            full[here, here] = np.diag(np.array(SPREAD) ** 2)
            continue
        t = knots.time[k] - knots.time[k - 1]
        step = np.array([[1.0, t, 0.5 * t * t], [0.0, 1.0, t], [0.0, 0.0, 1.0]])
        added = density[k - 1] * np.array([[t ** 5 / 20.0, t ** 4 / 8.0, t ** 3 / 6.0],
                                           [t ** 4 / 8.0, t ** 3 / 3.0, t * t / 2.0], [t ** 3 / 6.0, t * t / 2.0, t]])
        before = slice(3 * k - 3, 3 * k)
        full[here, :3 * k] = step @ full[before, :3 * k]
        full[:3 * k, here] = full[here, :3 * k].T
        full[here, here] = step @ full[before, before] @ step.T + added
    return full


def test_the_states_are_those_of_the_dense_linear_system(rng):
    knots, series, noise, density = case(rng)
    prior, rows, weights, values = dense_system(knots, series, noise, density)
    wanted = np.linalg.solve(prior + rows.T @ (weights[:, None] * rows), rows.T @ (weights[:, None] * values))
    np.testing.assert_allclose(solved(knots, series, noise, density).states.reshape(wanted.shape), wanted, rtol=1e-6,
                               atol=1e-8)


def test_the_misfit_is_that_of_the_gaussian_density_of_the_measurements(rng):
    """Rasmussen and Williams (2006), (5.8), by the covariance of the measurements themselves, up to 2 pi."""
    knots, series, noise, density = case(rng, n=15, gap=8)
    _, rows, weights, values = dense_system(knots, series, noise, density)
    covariance = rows @ states_covariance(knots, density) @ rows.T + np.diag(1.0 / weights)
    wanted = np.einsum('ik,ij,jk', values, np.linalg.inv(covariance), values) + 2 * np.linalg.slogdet(covariance)[1]
    assert fit_of(knots, series, noise, density).misfit == pytest.approx(wanted, rel=1e-5)


def test_one_factor_for_all_levels_is_found_in_closed_form(rng):
    knots, series, noise, density = case(rng)
    fits = [fit_of(knots, series, [factor * one for one in noise], factor ** 2 * density).misfit
            for factor in np.geomspace(0.2, 5.0, 400)]
    best = fit_of(knots, series, noise, density)
    assert best.scaled_misfit + best.freedom == pytest.approx(min(fits), abs=0.05)


def test_chunks_give_what_the_whole_gives(rng, monkeypatch):
    time = 0.1 * np.arange(3000)
    knots, knot = knots_of(time, longest=1.0)
    way = np.cumsum(0.1 * np.sin(0.3 * time))[:, None]
    value, rate = way + 0.02 * rng.standard_normal(way.shape), np.gradient(way[:, 0], time)[:, None]
    density = np.full(2999, 0.1)
    for series, noise in (([measured(0, time, value, knots, knot), measured(1, time, rate, knots, knot)], (0.02, 0.05)),
                          ([measured(1, time, rate, knots, knot)], (0.05,))):
        whole = solved(knots, series, noise, density).states
        monkeypatch.setattr(series_estimate, 'CHUNK', 700)
        monkeypatch.setattr(series_estimate, 'OVERLAP', 200)
        parts = states_of(knots, series, noise, density)
        monkeypatch.undo()
        np.testing.assert_allclose(parts[:, 1:], whole[:, 1:], atol=1e-6)
        np.testing.assert_allclose(np.diff(parts[:, 0], axis=0), np.diff(whole[:, 0], axis=0), atol=1e-6)


def test_stretches_that_begin_at_or_near_a_chunk_s_begin_are_their_own(rng, monkeypatch):
    """Rates alone hold no value: each stretch begins at 0, and goes on over a chunk's end where it left off."""
    time = 0.1 * np.arange(420)
    for last in (99, 100, 101, 150, 199, 202, 299):  # Knots with a gap after them; chunks begin at 100, 200, 300, 400.
        time[last + 1:] += 5.0
    knots, knot = knots_of(time, longest=1.0)
    assert knots.time.size == 420 and knots.begins.size == 8
    series, density = [measured(1, time, rng.standard_normal((420, 1)), knots, knot)], np.full(419, 0.1)
    whole = solved(knots, series, (0.05,), density).states
    np.testing.assert_allclose(whole[knots.begins, 0], 0.0, atol=1e-6)
    np.testing.assert_array_equal(states_of(knots, series, (0.05,), density), whole)
    monkeypatch.setattr(series_estimate, 'CHUNK', 100)
    monkeypatch.setattr(series_estimate, 'OVERLAP', 60)
    np.testing.assert_allclose(states_of(knots, series, (0.05,), density), whole, atol=1e-5)


def test_a_stretch_is_held_where_nothing_is_measured_of_a_state_and_no_more(rng):
    """Its value by the noise of the first series; its rate and acceleration by shares of what the next knot holds."""
    knots, (_, rate), _, density = case(rng)
    noise, begins = (0.5,), knots.begins

    def diagonal(held):
        factor, _ = _factor(knots, [rate], noise, density, held)
        lower = sum(np.diag(factor[d, :factor.shape[1] - d], -d) for d in range(6))
        return np.diag(lower @ lower.T).reshape(-1, 3)

    prior, _ = prior_band(knots, density)
    own = prior[0].reshape(-1, 3)
    plain, held = diagonal(()), diagonal((0.5, 0.25))
    wanted = own[:, 0].copy()
    wanted[begins] += 4.0
    np.testing.assert_allclose(plain[:, 0], wanted, rtol=1e-9)
    more = np.zeros_like(own)
    more[begins, 2] = 0.25 * own[begins, 2]
    np.testing.assert_allclose(held - plain, more, atol=1e-9 * own.max(), rtol=1e-6)


def test_a_perfect_fit_has_a_misfit():
    assert Fit(0.0, 1.0, 5).scaled_misfit == pytest.approx(5.0 * np.log(1e-300 / 5.0) + 1.0)
    assert Fit(6.0, 1.0, 3).scaled_misfit == pytest.approx(3.0 * np.log(2.0) + 1.0)


def test_drawn_deviations_have_the_covariance_that_the_measurements_leave(rng):
    knots, series, noise, density = case(rng, n=12, gap=6)
    prior, rows, weights, _ = dense_system(knots, series, noise, density)
    wanted = np.sqrt(np.diag(np.linalg.inv(prior + rows.T @ (weights[:, None] * rows))))
    factor = solved(knots, series, noise, density).factor
    drawn, _ = lapack.dtbtrs(factor, rng.standard_normal((wanted.size, 20_000)), uplo='L', trans='T')
    found = np.asarray(drawn).reshape(wanted.size, -1).std(axis=1)
    np.testing.assert_allclose(found, wanted, rtol=0.03)


@pytest.mark.parametrize('density', [1e-4, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize(('orders', 'places'), [((0, 1), [0]), ((0, 1), [1]), ((0,), [1]), ((1,), [46]), ((0, 1), []),
                                                ((0,), [0, 46])])
def test_a_window_with_next_to_no_measurement_is_solved(monkeypatch, density, orders, places):
    """4.6 s in which a receiver was silent: all but singular, and where rounding makes it so it is held the more."""
    factors = []

    def factored_at_second(band, **options):
        factors.append(band.copy())
        if len(factors) == 1:
            raise np.linalg.LinAlgError('as by rounding')
        return cholesky_banded(band, **options)

    monkeypatch.setattr('scipy.linalg.cholesky_banded', factored_at_second)
    knots = Knots(0.1 * np.arange(47), np.ones(46, bool))
    weight = np.zeros(47)
    weight[places] = 1.0
    values = {0: np.full((47, 1), 300.0), 1: np.full((47, 1), 0.8)}
    series = [Measured(order, values[order], np.zeros(47), weight) for order in orders]
    states = solved(knots, series, [NOISE] * len(series), np.full(46, density)).states
    assert np.isfinite(states).all() and len(factors) == 2
    prior, _ = prior_band(knots, np.full(46, density))
    more = np.zeros(3 * 47)
    more[1:3] = [0.0 if 1 in orders and places else 1e-6, 1e-4]  # Of the rate, where none is measured; acceleration.
    np.testing.assert_allclose(factors[1][0] - factors[0][0], more * prior[0], rtol=1e-3, atol=1e-9)
    for order in orders:
        np.testing.assert_allclose(states[places, order], values[order][places], rtol=0.0, atol=NOISE / 10.0)


def test_chunks_that_overlap_as_far_as_they_do_give_what_the_whole_gives(rng, monkeypatch):
    """40 s, of places that are 0.2 m off, at a spectral density of 0.1 (m/s^3)^2 s: what is beyond is forgotten."""
    time = 0.1 * np.arange(1500)
    knots, knot = knots_of(time, longest=1.0)
    series, density = [measured(0, time, rng.standard_normal((1500, 1)), knots, knot)], np.full(1499, 0.1)
    whole = solved(knots, series, (0.2,), density).states
    monkeypatch.setattr(series_estimate, 'CHUNK', 500)
    np.testing.assert_allclose(states_of(knots, series, (0.2,), density), whole, atol=1e-8)


def test_fewer_measurements_than_states_leave_a_freedom_of_one_for_each_quantity():
    knots = Knots(np.arange(4.0), np.ones(3, bool))
    weight = np.array([1.0, 0.0, 0.0, 1.0])
    series = [Measured(0, np.ones((4, 2)), np.zeros(4), weight)]
    assert fit_of(knots, series, (0.1,), np.ones(3)).freedom == 2
    series = [Measured(0, np.ones((4, 2)), np.zeros(4), np.ones(4)), Measured(1, np.ones((4, 2)), np.zeros(4), weight)]
    assert fit_of(knots, series, (0.1, 0.1), np.ones(3)).freedom == 2 * (6 - 3)
