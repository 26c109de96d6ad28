"""The equations of a fit: its cost, half of the cost's gradient, weights, and which flows are sought how far."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import (
    BOTH,
    NONE,
    NUISANCE_LIMIT,
    NUISANCE_STD,
    ROBUST,
    NormalEquations,
    Nuisances,
    weights,
    window_sums,
)
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_of

SCALE, EFFECT = np.array([0.03, 0.02, 0.05]), np.array([7.0, 3.0, 11.0])


@pytest.fixture(scope='module')
def tracks():
    return twin_tracks(LUTRA, np.random.default_rng(31), count=2, duration=16.0)


@pytest.fixture(scope='module')
def model(tracks):
    return model_of('linear', LUTRA, scale_of(tracks), False)


def equations(model, tracks, nuisances=BOTH):
    return NormalEquations(model, windows_of(tracks, 1.0, 2.0), np.ones(len(model.keys), bool), nuisances)


@pytest.fixture(scope='module')
def fit(model, tracks):
    """Return the equations of two logs, windows of one second, and a state off the priors, flows off 0."""
    fit = equations(model, tracks)
    rng = np.random.default_rng(32)
    state = fit.prior + rng.uniform(0.05, 0.3, fit.prior.size) * fit.std * np.sign(rng.normal(size=fit.prior.size))
    return fit, np.clip(state, fit.lower + 1e-3, fit.upper - 1e-3)


def test_the_cost_is_soft_beyond_three_scales_by_design_effect_and_quadratic_in_the_priors(fit):
    solver, state = fit
    errors = [np.array([[[0.06, -0.5, np.nan]]]), np.array([[[0.0, 0.01, 0.2], [np.nan, 0.04, -1.0]]])]
    flat = np.concatenate([error.reshape(-1, 3) for error in errors])
    wanted = 2.0 * ROBUST ** 2 * np.nansum((np.sqrt(1.0 + (flat / (ROBUST * SCALE)) ** 2) - 1.0) / EFFECT)
    priors = (((state - solver.prior) / solver.std) ** 2).sum()
    assert solver.cost(errors, state, SCALE, EFFECT) == pytest.approx(wanted + priors)
    some = equations(solver.model, [one.track for one in solver.windows], NONE)
    count = len(solver.model.keys)
    assert some.cost(errors, state, SCALE, EFFECT) == pytest.approx(
        wanted + (((state - solver.prior) / solver.std)[:count] ** 2).sum()), 'flows that are not sought cost nothing'


def test_the_gradient_is_half_of_the_cost_s_slope_and_the_matrix_that_of_the_squares(fit):
    """Slopes of the cost by central differences; the matrix by the errors' slopes, weighted, and the priors'."""
    solver, state = fit
    gradient, matrix = solver.normal(state, SCALE, EFFECT)
    slopes, steps = [], 1e-4 * solver.std
    for column, step in enumerate(steps):
        ends = [state + sign * step * np.eye(state.size)[column] for sign in (1.0, -1.0)]
        ahead, behind = (solver.all_errors(end) for end in ends)
        costs = [solver.cost(errors, end, SCALE, EFFECT) for errors, end in zip((ahead, behind), ends)]
        slopes.append(np.concatenate([(a - b).ravel() for a, b in zip(ahead, behind)]) / (2.0 * step))
        assert gradient[column] == pytest.approx(0.25 * (costs[0] - costs[1]) / step, rel=2e-3,
                                                 abs=2e-3 / solver.std[column])
    here = solver.all_errors(state)
    weight = np.concatenate([weights(error, SCALE, EFFECT).ravel() for error in here])
    jacobian = np.array(slopes).T
    wanted = jacobian.T @ (weight[:, None] * jacobian) + np.diag(solver.std ** -2.0)
    sizes = np.sqrt(np.diag(wanted))
    np.testing.assert_allclose(matrix / np.outer(sizes, sizes), wanted / np.outer(sizes, sizes), atol=2e-3)


def test_slopes_are_taken_into_the_bounds_and_of_a_log_s_own_flow_only(fit):
    solver, state = fit
    count = len(solver.model.keys)
    _, _, first = solver.linearised(state, 0)
    _, _, second = solver.linearised(state, 1)
    assert first.tolist() == [*range(count + 4)] and second.tolist() == [*range(count), *range(count + 4, count + 8)]
    _, inside, _ = solver.linearised(state, 0)
    place = solver.model.keys.index('thrust.scale')
    before, solver.upper[place] = solver.upper[place], state[place]
    _, at_bound, _ = solver.linearised(state, 0)
    solver.upper[place] = before
    np.testing.assert_allclose(at_bound, inside, rtol=1e-2, atol=1e-4 * np.abs(inside).max())
    assert not np.array_equal(at_bound[..., place], inside[..., place])


def test_errors_of_a_log_follow_its_own_current_and_wind(fit):
    solver, state = fit
    count = len(solver.model.keys)
    for own in (0, 1):
        moved = state.copy()
        moved[count + 4 * own:][:4] = 0.2, -0.1, 3.0, -2.0
        for number, windows in enumerate(solver.windows):
            flow = moved[count + 4 * number:count + 4 * number + 4]
            wanted = residuals(windows, state[:count], solver.model, flow)
            np.testing.assert_allclose(solver.errors(moved, number), wanted, atol=1e-12)
            assert np.array_equal(solver.errors(moved, number), solver.errors(state, number)) is (number != own)


def test_flows_are_sought_within_their_limits_where_a_log_did_not_record_them(model, tracks):
    recorded = [replace(tracks[0], flow=tracks[0].flow + np.array([0.1, 0.0, 0.0, 0.0])), tracks[1]]
    count = len(model.keys)
    for nuisances, free in ((BOTH, [0, 0, 1, 1, 1, 1, 1, 1]), (NONE, [0] * 8),
                            (Nuisances(currents=True, winds=False), [0, 0, 0, 0, 1, 1, 0, 0])):
        assert equations(model, recorded, nuisances).free[count:].astype(int).tolist() == free
    windy = [replace(tracks[0], flow=tracks[0].flow + np.array([0.0, 0.0, 0.0, 2.0])),
             replace(tracks[1], flow=tracks[1].flow + np.array([0.0, 0.1, 1.0, 0.0]))]
    assert equations(model, windy).free[count:].astype(int).tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    windows = windows_of(tracks, 1.0, 2.0)
    none = replace(windows[0], starts=windows[0].starts[:0], measured=windows[0].measured[:0])
    seen = NormalEquations(model, [none, windows[1]], np.ones(count, bool), BOTH).free[count:]
    assert seen.astype(int).tolist() == [0, 0, 0, 0, 1, 1, 1, 1], 'a log without windows tells nothing of its flow'
    fit = equations(model, tracks)
    assert (fit.lower <= fit.prior).all() and (fit.prior < fit.upper).all()
    current, wind = NUISANCE_LIMIT
    assert fit.upper[count:].tolist() == [current, current, wind, wind] * 2
    assert fit.lower[count:].tolist() == [-current, -current, -wind, -wind] * 2
    assert fit.std[count:].tolist() == [NUISANCE_STD[0]] * 2 + [NUISANCE_STD[1]] * 2 + [NUISANCE_STD[0]] * 2 \
        + [NUISANCE_STD[1]] * 2
    assert not fit.prior[count:].any()


def test_window_sums_are_of_what_was_measured_and_weights_fall_beyond_three_scales(rng):
    error, slopes = rng.normal(size=(4, 5, 3)), rng.normal(size=(4, 5, 3, 2))
    error[1, 2, 0] = error[3, :, 1] = np.nan
    weight = weights(error, SCALE, EFFECT)
    known = np.isfinite(error)
    np.testing.assert_allclose(weight[known], (1.0 / (np.hypot(1.0, error / (3.0 * SCALE)) * SCALE ** 2 * EFFECT))[
        known])
    assert not weight[~known].any()
    scores, matrix = window_sums(error, slopes, weight)
    flat = np.where(known, weight * np.nan_to_num(error), 0.0)
    np.testing.assert_allclose(scores, np.einsum('wsk,wskc->wc', flat, slopes))
    np.testing.assert_allclose(matrix, np.einsum('wsk,wskc,wskd->cd', weight, slopes, slopes))
