"""The equations of a fit: its cost, half of the cost's gradient, weights, and which flows are sought how far."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import lsq_linear
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


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(3), count=1, duration=20.0)[0]


@pytest.mark.parametrize('overlap', [1, 4])
def test_errors_that_last_a_window_count_once_and_so_do_windows_that_overlap(track, monkeypatch, overlap):
    """The design effect: 1 of independent errors, the samples of a window of constant ones, times the overlap."""
    fit = NormalEquations(model_of('linear', LUTRA, scale_of([track]), False),
                          windows_of([track], horizon=4.0, every=4.0 / overlap)[:1], np.ones(1, bool), NONE)
    windows, samples = len(fit.windows[0].starts), fit.windows[0].samples
    assert fit.windows[0].overlap == overlap
    sign = (-1.0) ** np.arange(windows)[:, None, None]
    alternating = (-1.0) ** np.arange(samples)[None, :, None]
    for error, effect in ((sign + np.zeros((1, samples, 3)), samples), (sign * alternating + np.zeros((1, 1, 3)), 1.0)):
        monkeypatch.setattr(fit, 'all_errors', lambda state, error=error: [0.3 * error])
        scale, found = fit.scales(np.zeros(1), np.full(3, 1e9))
        np.testing.assert_allclose(scale, 0.3)
        np.testing.assert_allclose(found, effect * overlap)


@pytest.mark.parametrize('far', [1.0, 10.0])
def test_errors_far_beyond_the_scale_before_weigh_less(track, monkeypatch, far):
    """All of one size: the variance is that size squared by its weight, 1 / sqrt(1 + (error / (ROBUST scale))^2)."""
    fit = NormalEquations(model_of('linear', LUTRA, scale_of([track]), False), windows_of([track])[:1],
                          np.ones(1, bool), NONE)
    monkeypatch.setattr(fit, 'all_errors', lambda state: [np.full((len(fit.windows[0].starts), 7, 3), 0.3)])
    scale, _ = fit.scales(np.zeros(1), np.full(3, 0.3 / (far * ROBUST)))
    np.testing.assert_allclose(scale ** 2, 0.3 ** 2 / np.sqrt(1.0 + far ** 2))


def test_scales_are_of_all_logs_together_each_velocity_by_its_own_and_what_is_unknown_counts_nothing(
        track, monkeypatch, rng):
    """By the sums of weighed squares; overlap by the logs' windows. A velocity that was never measured has none."""
    windows = [windows_of([track], 2.0, every)[0] for every in (2.0, 0.5)]
    fit = NormalEquations(model_of('linear', LUTRA, scale_of([track]), False), windows, np.ones(1, bool), NONE)
    errors = [rng.normal(size=(len(one.starts), one.samples, 3)) * [0.1, 0.2, 1.0] + 0.1 for one in windows]
    errors[0][0, 3, 0] = errors[1][:, 5] = np.nan
    for error in errors:
        error[..., 2] = np.nan
    monkeypatch.setattr(fit, 'all_errors', lambda state: errors)
    before = np.array([0.05, 0.1, 0.1])
    scale, effect = fit.scales(np.zeros(1), before)
    (first, second), (one, two) = (len(part.starts) for part in windows), (part.overlap for part in windows)
    overlap = (first * one + second * two) / (first + second)
    assert one == 1.0 and two == 4.0
    for way in range(2):
        rows = [row[np.isfinite(row)] for error in errors for row in error[..., way]]
        weighed = [row / (1.0 + (row / (3.0 * before[way])) ** 2) ** 0.25 for row in rows]
        count = sum(row.size for row in rows)
        variance = sum((row ** 2).sum() for row in weighed) / count
        assert scale[way] ** 2 == pytest.approx(variance)
        assert effect[way] == pytest.approx(sum(row.sum() ** 2 for row in weighed) / (count * variance) * overlap)
    assert scale[2] == 1e-5 and effect[2] == overlap, 'the least scale; no two errors hang together'


NUMBERS, WINDOWS, SAMPLES = 4, 3, 5
FAR = np.full(3, 100.0)     # A scale beside which errors of 1 are small, so that they count by their squares:
ALIKE = 1.0 / FAR ** 2      # with this design effect each by a weight of 1.


class Given(NormalEquations):
    """Equations of given errors, of the numbers of a boat and the starts of one log's windows; its flow is known."""

    def __init__(self, formula, numbers=NUMBERS, start_std=0.0, std=1.0):
        self.formula, self.evaluations, self.difference = formula, 0, 1e-6 / std
        self.model, size = SimpleNamespace(keys=['a number'] * numbers), numbers + 4
        self.windows = [SimpleNamespace(starts=np.arange(WINDOWS), overlap=1.0)]
        self.free, self.prior, self.std = np.arange(size) < numbers, np.zeros(size), np.full(size, std)
        self.lower, self.upper = np.full(size, -1e9), np.full(size, 1e9)
        self.start_std, self.shifts = np.full((1, 3), start_std), [np.zeros((WINDOWS, 3))]
        self.dampings = []

    def errors(self, state, number, keep=True, shift=None):
        return self.formula(state[:len(self.model.keys)], self.shifts[number] if shift is None else shift)

    def condensed(self, state, sums, damping):
        self.dampings.append(damping)
        return super().condensed(state, sums, damping)


class Straight:
    """Errors that are straight functions of numbers and starts, drawn."""

    def __init__(self, rng):
        shape = WINDOWS, SAMPLES, 3
        alike = rng.normal(size=(*shape, 1))    # Numbers do nearly the same, as masses, drags and thrusts do.
        self.slopes = alike + 0.3 * rng.normal(size=(*shape, NUMBERS))
        self.by_starts, self.offset = rng.normal(size=(*shape, 3)), rng.normal(size=shape)

    def __call__(self, numbers, shift):
        return self.offset + self.slopes @ numbers + np.einsum('wnks,ws->wnk', self.by_starts, shift)

    def jacobian(self, start_std):
        """Return all derivatives, (errors, priors of numbers and of starts; numbers, starts of each window)."""
        rows = np.concatenate([self.slopes, np.zeros((WINDOWS, SAMPLES, 3, 3 * WINDOWS))], axis=-1)
        for window in range(WINDOWS):
            place = NUMBERS + 3 * window
            rows[window, ..., place:place + 3] = self.by_starts[window]
        priors = np.diag(np.concatenate([np.ones(NUMBERS), np.full(3 * WINDOWS, 1.0 / start_std)]))
        return np.concatenate([rows.reshape(-1, len(priors)), priors])

    def least(self, bound, start_std):
        """Return numbers and starts of least squares, by scipy, numbers from -bound to bound; priors as Given's."""
        limit = np.concatenate([np.full(NUMBERS, bound), np.full(3 * WINDOWS, np.inf)])
        value = np.concatenate([-self.offset.ravel(), np.zeros(NUMBERS + 3 * WINDOWS)])
        return lsq_linear(self.jacobian(start_std), value, (-limit, limit)).x


def test_what_is_known_of_numbers_whose_starts_follow_is_what_all_equations_leave(rng):
    """The inverse of the matrix is the covariance of the numbers in the inverse of the whole; the gradient likewise."""
    straight = Straight(rng)
    solver = Given(straight, start_std=0.2)
    gradient, matrix = solver.normal(np.zeros(NUMBERS + 4), FAR, ALIKE)
    jacobian = straight.jacobian(0.2)
    covariance = np.linalg.inv(jacobian.T @ jacobian)
    np.testing.assert_allclose(np.linalg.inv(matrix[:NUMBERS, :NUMBERS]), covariance[:NUMBERS, :NUMBERS], rtol=1e-3)
    step = np.linalg.solve(matrix[:NUMBERS, :NUMBERS], gradient[:NUMBERS])
    np.testing.assert_allclose(-step, straight.least(1e9, 0.2)[:NUMBERS], rtol=1e-3)
    assert not gradient[NUMBERS:].any() and not matrix[NUMBERS:].any()


@pytest.mark.parametrize('seed', range(6))
@pytest.mark.parametrize('bound', [1e9, 0.3, 0.1])
def test_steps_end_at_the_least_squares_within_bounds_starts_sought_beside(seed, bound):
    """As scipy's lsq_linear solves all equations at once; they begin at bounds or between them."""
    straight = Straight(np.random.default_rng(seed))
    solver = Given(straight, start_std=0.2)
    solver.lower[:NUMBERS], solver.upper[:NUMBERS] = -bound, bound
    begin = np.zeros(NUMBERS + 4)
    begin[:NUMBERS] = np.random.default_rng(100 + seed).choice([-1.0, 0.0, 1.0], NUMBERS) * min(bound, 1.0)
    state, cost, converged = solver.minimise(begin, FAR, ALIKE, 1e-9)
    wanted = straight.least(bound, 0.2)
    np.testing.assert_allclose(state[:NUMBERS], wanted[:NUMBERS], atol=1e-3)
    np.testing.assert_allclose(solver.shifts[0].ravel(), wanted[NUMBERS:], atol=1e-3)
    assert converged and not state[NUMBERS:].any(), 'a flow that was recorded stays as it is'
    assert cost == pytest.approx(solver.cost(solver.all_errors(state), state, FAR, ALIKE))
    squares = (straight(state[:NUMBERS], solver.shifts[0]) ** 2).sum() + (state ** 2).sum() \
        + (solver.shifts[0] ** 2).sum() / 0.2 ** 2
    assert cost == pytest.approx(squares, rel=1e-3), 'twice the logarithm: squares of errors, numbers and starts'


def test_the_first_step_of_straight_errors_is_to_their_least_squares_but_for_its_damping(rng):
    """Of numbers and starts together: these follow what numbers do, and are moved by what is theirs alone."""
    straight = Straight(rng)
    solver = Given(straight, start_std=0.2)
    state, _, converged = solver.minimise(np.zeros(NUMBERS + 4), FAR, ALIKE, 1e9)
    assert converged and solver.dampings == [1e-3]
    wanted = straight.least(1e9, 0.2)
    np.testing.assert_allclose(state[:NUMBERS], wanted[:NUMBERS], atol=0.01)
    np.testing.assert_allclose(solver.shifts[0].ravel(), wanted[NUMBERS:], atol=0.01)


def test_slopes_by_starts_are_those_of_the_errors_and_priors_stand_beside(rng):
    straight = Straight(rng)
    solver = Given(straight, start_std=0.2)
    solver.shifts = [rng.normal(size=(WINDOWS, 3))]
    state = np.zeros(NUMBERS + 4)
    error, slopes, columns = solver.linearised(state, 0)
    np.testing.assert_allclose(slopes, straight.slopes, atol=1e-6)
    assert columns.tolist() == list(range(NUMBERS))
    np.testing.assert_allclose(solver.start_slopes(state, 0, error), straight.by_starts, atol=1e-6)
    for std, by_starts in ((0.2, straight.by_starts), (0.0, 0.0 * straight.by_starts)):
        solver.start_std[:] = std
        linear, _ = solver.linearised_with_starts(state, 0, FAR, ALIKE)
        np.testing.assert_allclose(linear.start_slopes[:, :-1], by_starts, atol=1e-6)
        np.testing.assert_array_equal(linear.error[:, -1], solver.shifts[0])


def test_roll_outs_are_counted():
    """One for the errors; for slopes one more, one a number, four flows, and three starts where these are sought."""
    for start_std, more in ((0.0, 0), (0.2, 3)):
        solver = Given(Straight(np.random.default_rng(1)), start_std=start_std)
        state = np.zeros(NUMBERS + 4)
        solver.all_errors(state)
        assert solver.evaluations == 1
        solver.sums(state, FAR, ALIKE)
        assert solver.evaluations == 1 + 1 + NUMBERS + 4 + more


def falling(numbers, shift):
    """Return errors exp(-x): each Gauss-Newton step is 1 / (1 + damping) ahead, and the cost falls with every one."""
    return np.full((WINDOWS, SAMPLES, 3), np.exp(-numbers[0]))


def test_damping_falls_fivefold_with_each_step_that_succeeds_and_after_forty_it_is_said_that_they_do_not_end():
    solver = Given(falling, numbers=1, std=1e30)
    state, _, converged = solver.minimise(np.zeros(5), np.full(3, 1e-16), np.ones(3), 0.0)
    np.testing.assert_allclose(solver.dampings, np.maximum(1e-3 * 5.0 ** -np.arange(40.0), 1e-9))
    assert not converged and state[0] == pytest.approx(np.sum(1.0 / (1.0 + np.array(solver.dampings))), abs=1e-4)


@pytest.mark.parametrize(('first', 'share', 'steps'), [(30.0, 0.5, 5), (3.0, 0.5, 3), (0.3, 0.5, 1), (30.0, 2.0, 1)])
def test_steps_end_when_the_cost_falls_by_less_than_a_share_of_it_or_of_one(first, share, steps):
    """Errors far beyond their scale count by their size: each step leaves 1/e = 0.37 of the cost."""
    solver = Given(falling, numbers=1, std=1e30)
    scale = np.full(3, 1e-9)
    size = solver.cost(solver.all_errors(np.zeros(5)), np.zeros(5), scale, np.ones(3))
    state, cost, converged = solver.minimise(np.zeros(5), scale, np.full(3, size / first), share)
    assert converged and state[0] == pytest.approx(steps, abs=0.01)
    assert cost == pytest.approx(first * np.exp(-steps), rel=0.01)


def test_where_no_step_helps_damping_rises_sixfold_eight_times_and_nothing_is_moved():
    """At the least cost itself the step is none."""
    solver = Given(lambda numbers, shift: np.zeros((WINDOWS, SAMPLES, 3)) + numbers[0], numbers=1, start_std=0.2)
    state, cost, converged = solver.minimise(np.zeros(5), FAR, ALIKE, 0.0)
    np.testing.assert_allclose(solver.dampings, 1e-3 * 6.0 ** np.arange(8.0))
    assert converged and cost == 0.0 and not state.any() and not solver.shifts[0].any()
