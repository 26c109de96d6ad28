"""Scales and design effects of residuals, which weigh them against priors and the intervals of a fit follow from."""

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import NONE, ROBUST, NormalEquations
from usv_energy.studies.identify.rollout.rollout_windows import windows_of


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
