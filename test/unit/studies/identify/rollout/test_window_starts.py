"""States that windows start from: the noise of their measurement, and their elimination from the normal equations."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import BOTH, NormalEquations
from usv_energy.studies.identify.rollout.rollout_windows import (
    LEAST_STD,
    Linearised,
    StartPrior,
    residuals,
    started,
    velocity_noise,
    windows_of,
    with_starts,
)

SCALE, EFFECT = np.array([0.03, 0.02, 0.05]), np.array([7.0, 3.0, 11.0])
STD = np.array([0.02, 0.01, 0.005])


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(41), count=1, duration=400.0)[0]


def with_motion(track, motion):
    return replace(track, motion=np.column_stack([track.motion[:, 0], motion]))


def test_noise_is_told_from_motion_by_its_third_differences(track, rng):
    """Of 4000 samples the median tells the noise to 2 %; parabolas cancel, steps are few, gaps and NaN are left out."""
    time, size = track.time, (len(track.time), 3)
    noise = rng.normal(size=size) * STD
    smooth = np.outer(time ** 2, [1e-4, -2e-4, 1e-5]) + np.outer(time, [0.01, 0.02, 0.0])
    np.testing.assert_allclose(velocity_noise(with_motion(track, noise + smooth)), STD, rtol=0.08)
    np.testing.assert_allclose(velocity_noise(with_motion(track, smooth)), 0.0, atol=1e-8)
    steps = np.repeat(rng.normal(size=(size[0] // 50 + 1, 3)), 50, axis=0)[:size[0]]
    holed = noise + steps
    holed[100:120] = np.nan
    np.testing.assert_allclose(velocity_noise(with_motion(track, holed)), STD, rtol=0.15)
    np.testing.assert_array_equal(velocity_noise(replace(track, time=time[:3], motion=track.motion[:3],
                                                         thrust=track.thrust[:3], turning=track.turning[:3],
                                                         turned=track.turned[:3], flow=track.flow[:3])), 0.0)
    np.testing.assert_array_equal(velocity_noise(replace(track, thrust=np.full_like(track.thrust, np.nan))), 0.0)


def test_the_noise_of_a_twin_is_found_beside_its_motion(track):
    """twin_log's: 0.02 m/s and 0.01 rad/s."""
    np.testing.assert_allclose(velocity_noise(track), [0.02, 0.02, 0.01], rtol=0.08)


def test_windows_that_overlap_weigh_a_start_as_much_less_as_a_sample():
    np.testing.assert_allclose(StartPrior(STD, 5.0).precision, 1.0 / (5.0 * STD ** 2))
    np.testing.assert_allclose(StartPrior(np.zeros(3), 1.0).precision, LEAST_STD ** -2.0)


def test_only_the_starts_are_shifted(track):
    starts, shift = np.array([3, 70]), np.array([[0.1, 0.2, 0.3], [-0.1, 0.0, 0.5]])
    moved = started(track.motion, starts, shift)
    np.testing.assert_allclose(moved[starts, 1:] - track.motion[starts, 1:], shift)
    moved[starts] = track.motion[starts]
    np.testing.assert_array_equal(moved, track.motion)
    assert started(track.motion, starts, None) is track.motion


def test_roll_outs_start_where_the_shift_says(track):
    """A shift of the start is a shift of the log's sample; what was measured after it stays."""
    model, windows = model_of('linear', LUTRA, scale_of([track]), False), windows_of([track], 1.0, 40.0)[0]
    shift = np.random.default_rng(1).normal(size=(len(windows.starts), 3)) * 0.1
    values = model.column('prior')
    other = replace(track, motion=started(track.motion, windows.starts, shift))
    np.testing.assert_array_equal(residuals(windows, values, model, np.zeros(4), shift=shift),
                                  residuals(replace(windows, track=other), values, model, np.zeros(4)))


def test_what_is_condensed_is_what_all_equations_together_say(rng):
    """Starts eliminated window by window give the step of the whole system, and so does the least squares it is of."""
    windows, samples, columns = 4, 6, 5
    error, slopes = rng.normal(size=(windows, samples, 3)), rng.normal(size=(windows, samples, 3, columns))
    own, weight = rng.normal(size=(windows, samples, 3, 3)), rng.uniform(0.5, 2.0, (windows, samples, 3))
    shift, prior = rng.normal(size=(windows, 3)), StartPrior(STD * 50.0, 2.0)
    error[1, 2, 0] = np.nan
    weight[1, 2, 0] = 0.0
    linear = with_starts(error, slopes, own, weight, shift, prior)
    total = columns + 3 * windows
    rows, wanted, by = [], [], []
    for window in range(windows):
        for sample in range(samples + 1):
            for way in range(3):
                row = np.zeros(total)
                at = columns + 3 * window
                if sample < samples:
                    row[:columns], row[at:at + 3] = slopes[window, sample, way], own[window, sample, way]
                    value, its = error[window, sample, way], weight[window, sample, way]
                else:
                    row[at + way], value, its = 1.0, shift[window, way], prior.precision[way]
                if np.isfinite(value):
                    rows.append(row)
                    wanted.append(value)
                    by.append(its)
    jacobian, value, weigh = np.array(rows), np.array(wanted), np.array(by)
    damping = 0.3
    whole = jacobian.T @ (weigh[:, None] * jacobian)
    sums = linear.sums()
    less, taken, alone, answers = sums.condensed(damping)
    whole_step = -np.linalg.solve(whole + damping * np.diag(np.diag(whole)), jacobian.T @ (weigh * value))
    damped = sums.matrix + damping * np.diag(np.diag(sums.matrix))
    step = -np.linalg.solve(damped - taken, sums.gradient - less)
    np.testing.assert_allclose(step, whole_step[:columns])
    np.testing.assert_allclose((-alone - answers @ step).ravel(), whole_step[columns:])
    beyond = np.where(np.isfinite(linear.error)[..., None], linear.slopes_beyond_starts(), 0.0)
    _, all_taken, _, _ = sums.condensed(0.0)
    np.testing.assert_allclose(np.einsum('wnkc,wnk,wnkd->cd', beyond, linear.weight, beyond), sums.matrix - all_taken)


def test_the_gradient_by_starts_is_half_of_the_cost_s_slope(track):
    """Central differences of the cost by one start's velocities, its prior in it."""
    model = model_of('linear', LUTRA, scale_of([track]), False)
    windows = windows_of([track], 1.0, 100.0)
    rng = np.random.default_rng(8)
    shifts = [rng.normal(size=(len(windows[0].starts), 3)) * STD]
    solver = NormalEquations(model, windows, np.ones(len(model.keys), bool), BOTH, STD[None], shifts)
    state = solver.prior.copy()
    (sums, _), = solver.sums(state, SCALE, EFFECT)
    for way in range(3):
        costs = []
        for sign in (1.0, -1.0):
            moved = shifts[0].copy()
            moved[0, way] += sign * 1e-5
            solver.shifts = [moved]
            costs.append(solver.cost(solver.all_errors(state), state, SCALE, EFFECT))
        assert sums.start_gradient[0, way] == pytest.approx(0.25 * (costs[0] - costs[1]) / 1e-5, rel=1e-4)


def test_a_log_without_a_window_adds_nothing_to_the_sums():
    nothing = Linearised(*(np.zeros((0, 5, 3, *more)) for more in ((), (4,), (3,), ()))).sums()
    assert [part.shape for part in nothing] == [(4,), (4, 4), (0, 3), (0, 3, 3), (0, 3, 4)]
    assert not any(part.any() for part in nothing)
