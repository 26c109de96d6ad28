"""The covariance of a fit in closed form: Gauss-Newton where the scatter is small, Bartlett's weights, propagation."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks

from usv_energy.identify.rollout.fit_parameters import model_of, scale_of, vessel_of
from usv_energy.identify.rollout.rollout_fit import CURRENT_STD, RolloutFit, residuals, windows_of
from usv_energy.identify.rollout.uncertainty import (
    _scatter,
    boat_estimates,
    determined_by_data,
    parameter_estimates,
    uncertainty_of,
)

SCALE, EFFECT = np.array([0.02, 0.03, 0.01]), np.array([40.0, 20.0, 10.0])


@pytest.fixture(scope='module')
def exact():
    """A fit that found the truth: its residuals are next to nothing, beside the scale that is said of them."""
    tracks = twin_tracks(LUTRA, np.random.default_rng(4), count=2, duration=40.0, noise=NO_NOISE)
    model = model_of('coupled', LUTRA, scale_of(tracks), False)
    windows = windows_of(tracks)
    free = np.array([key != 'thrust.scale' for key in model.keys])
    return RolloutFit(model, windows, model.column('prior'), np.zeros((2, 2)), free, SCALE, EFFECT, 0.0, True, 1)


def gauss_newton(found, currents):
    """Return the inverse of J^T W J and the priors' weights, J by central differences, over what is free."""
    count = len(found.values)
    state = np.concatenate([found.values, found.currents.ravel()])
    std = np.concatenate([found.model.column('std'), np.full(found.currents.size, CURRENT_STD)])
    free = np.flatnonzero(np.concatenate([found.free, np.full(found.currents.size, currents)]))
    matrix = np.diag(1.0 / std[free] ** 2)
    for number, windows in enumerate(found.windows):
        def error(at, number=number, windows=windows):
            return residuals(windows, at[:count], found.model, at[count + 2 * number:][:2])

        slopes = []
        for column in free:
            step = np.zeros(state.size)
            step[column] = 1e-3 * std[column]
            inside = state[column] - step[column] >= (found.model.column('lower')[column] if column < count else -1.0)
            low = state - step if inside else state
            slopes.append((error(state + step) - error(low)) / ((state + step - low)[column]))
        stacked = np.nan_to_num(np.array(slopes) / (SCALE * np.sqrt(EFFECT))).reshape(free.size, -1)
        matrix = matrix + stacked @ stacked.T
    return np.linalg.inv(matrix), free[free < count]


@pytest.mark.parametrize('currents', [False, True])
def test_where_residuals_scatter_less_than_they_should_the_normal_equations_are_taken(exact, currents):
    known = uncertainty_of(exact, currents)
    inverse, free = gauss_newton(exact, currents)
    np.testing.assert_allclose(np.diag(known.covariance)[free], np.diag(inverse)[:free.size], rtol=0.02)
    np.testing.assert_array_equal(known.covariance, known.covariance.T)
    assert np.linalg.eigvalsh(known.correlation).min() > -1e-9
    np.testing.assert_allclose(np.diag(known.correlation), 1.0)
    scale = exact.model.keys.index('thrust.scale')
    assert known.covariance[scale, scale] == exact.model.column('std')[scale] ** 2, 'kept: as well as the prior knew'
    assert not known.covariance[scale, free].any()
    if currents:
        np.testing.assert_allclose(known.current_std.ravel() ** 2, np.diag(inverse)[free.size:], rtol=0.02)
    else:
        np.testing.assert_array_equal(known.current_std, CURRENT_STD)


def test_intervals_are_quantiles_of_standard_errors_within_the_bounds(exact):
    known = uncertainty_of(exact)
    std = np.sqrt(np.diag(known.covariance))
    assert 1.96 < known.quantile < 2.6
    for number, row in enumerate(parameter_estimates(exact, known)):
        parameter = exact.model.parameters[number]
        reach = (known.quantile if exact.free[number] else 1.96) * std[number]
        assert (row.low, row.high) == pytest.approx((max(row.value - reach, parameter.lower),
                                                     min(row.value + reach, parameter.upper)), rel=1e-12)
        assert (row.std, row.prior, row.prior_std) == pytest.approx((std[number], parameter.prior, parameter.std))
    wanted = exact.free & (std < 0.7 * exact.model.column('std'))
    np.testing.assert_array_equal(determined_by_data(exact, known), wanted)
    assert wanted.any() and not wanted.all()


def test_numbers_that_follow_from_parameters_have_their_errors_by_drawing_too(exact):
    """m23 = k sqrt(m22 m33), d23 and d32 of an even and a skew part: their scatter over draws of the parameters."""
    known = uncertainty_of(exact)
    small = replace(known, covariance=1e-4 * known.covariance)  # so that first order is exact
    rows = {row.key: row for row in boat_estimates(exact, small)}
    draws = np.random.default_rng(5).multivariate_normal(exact.values, small.covariance, 4000)
    vessels = [vessel_of(draw, exact.model) for draw in draws]
    here = vessel_of(exact.values, exact.model)
    for key, part, name in (('inertia.m23', 'inertia', 'm23'), ('damping.linear.d23', 'damping', 'd23'),
                            ('damping.linear.d32', 'damping', 'd32')):
        row = rows[key]
        values = np.array([getattr(getattr(vessel, part), name) for vessel in vessels])
        assert row.value == pytest.approx(getattr(getattr(here, part), name), abs=1e-12)
        assert row.std == pytest.approx(values.std(), rel=0.05)
        assert (row.value - row.low, row.high - row.value) == pytest.approx((known.quantile * row.std,) * 2, rel=1e-9)
        assert row.determined == (row.std < 0.7 * row.prior_std)
    own = {row.key: row for row in parameter_estimates(exact, small)}
    assert all(rows[key] == own[key] for key in rows if key in own) and 'inertia.m11' in rows


@pytest.mark.parametrize('reach, windows', [(0, 7), (1, 7), (3, 7), (5, 3)])
def test_scores_that_hang_together_are_counted_with_bartletts_weights(reach, windows):
    """Equal scores s: s s^T (n + 2 sum of (1 - a / (k + 1)) (n - a)); with reach 0 as if each stood alone."""
    score = np.array([1.0, -2.0])
    number = windows + 2.0 * sum((1.0 - apart / (reach + 1.0)) * (windows - apart)
                                 for apart in range(1, min(reach, windows - 1) + 1))
    np.testing.assert_allclose(_scatter(np.tile(score, (windows, 1)), reach), number * np.outer(score, score))


def test_more_windows_know_more(exact):
    """Four times the same logs: a quarter of the variance, where priors count little, and four times the blocks."""
    more = replace(exact, windows=exact.windows * 4, currents=np.vstack([exact.currents] * 4))
    one, four = uncertainty_of(exact, False), uncertainty_of(more, False)
    d11 = exact.model.keys.index('damping.linear.d11')
    assert four.covariance[d11, d11] / one.covariance[d11, d11] == pytest.approx(0.25, rel=0.05)
    assert four.blocks == pytest.approx(4.0 * one.blocks) and four.quantile < one.quantile
