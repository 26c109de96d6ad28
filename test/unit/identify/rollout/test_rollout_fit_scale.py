"""Scales and design effects of residuals, which the intervals of a fit follow from."""

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.identify.rollout.rollout_fit import NONE, ROBUST, NormalEquations, fit_rollouts, windows_of


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


def test_the_cost_of_a_fit_is_that_of_the_scales_it_gives(track):
    """They are what its intervals follow from; the last pass does not change them any more."""
    model, windows = model_of('linear', LUTRA, scale_of([track]), False), windows_of([track])
    found = fit_rollouts(model, windows, nuisances=NONE)
    solver = NormalEquations(model, windows, np.ones(len(model.keys), bool), NONE)
    state = np.concatenate([found.values, np.zeros(4)])
    assert solver.cost(solver.all_errors(state), state, found.scale, found.effect) == pytest.approx(found.cost)


@pytest.mark.parametrize('far', [1.0, 10.0])
def test_errors_far_beyond_the_scale_before_weigh_less(track, monkeypatch, far):
    """All of one size: the variance is that size squared by its weight, 1 / sqrt(1 + (error / (ROBUST scale))^2)."""
    fit = NormalEquations(model_of('linear', LUTRA, scale_of([track]), False), windows_of([track])[:1],
                          np.ones(1, bool), NONE)
    monkeypatch.setattr(fit, 'all_errors', lambda state: [np.full((len(fit.windows[0].starts), 7, 3), 0.3)])
    scale, _ = fit.scales(np.zeros(1), np.full(3, 0.3 / (far * ROBUST)))
    np.testing.assert_allclose(scale ** 2, 0.3 ** 2 / np.sqrt(1.0 + far ** 2))
