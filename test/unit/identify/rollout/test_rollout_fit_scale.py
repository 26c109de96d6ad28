"""The largest thrust and motion of logs, and what nothing can be learnt from."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks

from usv_energy.files.errors import InputError
from usv_energy.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.identify.rollout.rollout_fit import NONE, NormalEquations, windows_of


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(3), count=1, duration=20.0, noise=NO_NOISE)[0]


def test_the_scale_is_the_largest_of_all_logs(track):
    strong = np.abs(track.thrust)
    scale = scale_of([replace(track, thrust=strong), replace(track, thrust=-0.5 * strong)])
    assert (scale.ahead, scale.astern) == (strong.max(), 0.5 * strong.max())
    assert scale.speed == pytest.approx(np.hypot(track.motion[:, 1], track.motion[:, 2]).max())
    assert scale.yaw_rate == pytest.approx(np.abs(track.motion[:, 3]).max())
    only_ahead = scale_of([replace(track, thrust=strong)])
    assert only_ahead.ahead == only_ahead.astern == strong.max()


@pytest.mark.parametrize('thrust, motion, refused', [(0.0, 1.0, True), (1.0, 1e-3, True), (1.0, 0.5, False)])
def test_a_boat_without_thrust_or_without_motion_teaches_nothing(track, thrust, motion, refused):
    still = replace(track, thrust=thrust * track.thrust, motion=motion * track.motion)
    if refused:
        with pytest.raises(InputError, match='lies at rest'):
            scale_of([still])
    else:
        assert scale_of([still]).ahead > 0.0


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
