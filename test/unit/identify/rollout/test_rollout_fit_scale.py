"""Scales and design effects of residuals, which the intervals of a fit follow from."""

from dataclasses import replace

import numpy as np
import pytest
from rollout_twin import Truth, base_of, twins
from twin_boats import LUTRA, twin_tracks

from usv_energy.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.identify.rollout.normal_equations import FINE_DIFFERENCE, NONE, ROBUST, NormalEquations
from usv_energy.identify.rollout.rollout_fit import fit_rollouts
from usv_energy.identify.rollout.rollout_windows import windows_of
from usv_energy.identify.rollout.tracks import track_of


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
    solver = NormalEquations(model, windows, np.ones(len(model.keys), bool), NONE, found.start_std, found.shifts)
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

def test_no_log_tells_the_scale_of_all_newtons_however_the_boat_swings():
    """Masses, drags and thrusts, all a little larger, in no air: the same motion. This log's roll-outs diverge fast."""
    truth, logs = twins(replace(Truth(), left=1.15), 30047)
    boat = base_of(LUTRA)
    boat = replace(boat, vessel=boat.vessel._replace(windage=boat.vessel.windage._replace(air_density=0.0)))
    tracks = [track_of(logs[3], boat)]
    model = model_of('quadratic', boat, scale_of(tracks), False)
    known = truth.numbers()
    values = np.array([known[key] for key in model.keys])
    fit = NormalEquations(model, windows_of(tracks), np.ones(len(values), bool), NONE)
    fit.difference = FINE_DIFFERENCE
    _, matrix = fit.normal(np.concatenate([values, np.zeros(4)]), np.array([0.02, 0.02, 0.01]), np.full(3, 100.0))
    newtons = [key.startswith(('inertia', 'damping')) or key == 'thrust.scale' for key in model.keys]
    all_newtons = np.where(newtons, values, 0.0)
    data = matrix[:len(values), :len(values)] - np.diag(model.column('std') ** -2.0)
    assert all_newtons @ data @ all_newtons < 0.1, 'where differences do not cancel: 66; the prior of the scale has 400'
    alone = values[0] ** 2 * data[0, 0]
    assert alone > 1e4, 'a mass alone is told well'
