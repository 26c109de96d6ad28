"""The steps of a fit, on errors that are given as formulas: where they end, how they are damped, when they stop."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from usv_energy.studies.identify.rollout.normal_equations import NormalEquations

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
