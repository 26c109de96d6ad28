"""Intervals hold the truth, and widen where residuals are correlated."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import NONE, fit_rollouts
from usv_energy.studies.identify.rollout.rollout_windows import windows_of
from usv_energy.studies.identify.rollout.uncertainty import determined_by_data, parameter_estimates, uncertainty_of


def test_numbers_of_a_noisy_twin_are_near_and_in_their_intervals(identified):
    """Issue's bounds: surge and yaw within 3 %, sway within 10 %. The 100 seeds are `bench/run.py --only identify`."""
    inertia, damping = LUTRA.vessel.inertia, LUTRA.vessel.damping
    truth = {'inertia.m11': (inertia.m11, 0.03), 'inertia.m22': (inertia.m22, 0.1), 'inertia.m33': (inertia.m33, 0.05),
             'damping.linear.d11': (damping.d11, 0.03), 'damping.linear.d22': (damping.d22, 0.1),
             'damping.linear.d33': (damping.d33, 0.03)}
    rows = {row.key: row for row in identified.parameters}
    for key, (value, tolerance) in truth.items():
        assert rows[key].value == pytest.approx(value, rel=tolerance), key
        assert rows[key].low - rows[key].std < value < rows[key].high + rows[key].std, key
        assert rows[key].determined and rows[key].std < 0.1 * value


def test_correlated_residuals_widen_the_intervals():
    """A slow disturbance that is no current: standard errors must grow with it, not shrink with the samples."""
    rng = np.random.default_rng(10)
    tracks = twin_tracks(LUTRA, rng)
    slow = [replace(track, motion=track.motion + np.column_stack(
        [np.zeros(len(track.time)), 0.05 * np.sin(0.7 * track.time), np.zeros((len(track.time), 2))]))
        for track in tracks]
    model = model_of('linear', LUTRA, scale_of(tracks), False)
    stds = []
    free = np.array([key != 'thrust.scale' for key in model.keys])
    for some in (tracks, slow):
        found = fit_rollouts(model, windows_of(some), free=free, nuisances=NONE)
        known = uncertainty_of(found)
        d11, scale = (model.keys.index(key) for key in ('damping.linear.d11', 'thrust.scale'))
        given = known.covariance[d11, d11] - known.covariance[d11, scale] ** 2 / known.covariance[scale, scale]
        stds.append(given ** 0.5)       # Where the newtons of the log are right.
        assert parameter_estimates(found, known)[d11].std > 0.045 * LUTRA.vessel.damping.d11    # They may not be.
        assert determined_by_data(found, known)[0]
    assert stds[1] > 2.0 * stds[0]
