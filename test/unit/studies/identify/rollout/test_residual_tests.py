"""Errors that a fit leaves over are tested by sign and side of the thrust."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.identification_result import _compared, residual_tests
from usv_energy.studies.identify.rollout.normal_equations import NONE, RolloutFit
from usv_energy.studies.identify.rollout.rollout_windows import windows_of


def found_by(tracks, **changes):
    """Return the tests of the true boat, some of its parameters changed."""
    model = model_of('linear', LUTRA, scale_of(tracks), False)
    values = np.array([changes.get(key.replace('.', '_'), value)
                       for key, value in zip(model.keys, model.column('prior'))])
    windows = windows_of(tracks, 4.0)
    return residual_tests(RolloutFit(model, windows, values, np.zeros((len(windows), 4)), NONE, values > -np.inf,
                                     np.ones(3), np.ones(3), 0.0, True, 1))


def test_what_is_as_modelled_is_not_noticed_and_what_is_not_is():
    """Thrust astern taken for 15 % too much drives the roll-outs too far astern: too slow ahead is left elsewhere."""
    tracks = twin_tracks(LUTRA, np.random.default_rng(2), 3)  # Mirrored, so that both sides are alike.
    tracks += [replace(track, name=f'mirrored {track.name}', motion=track.motion * (-1.0, 1.0, -1.0, -1.0),
                       thrust=track.thrust[:, ::-1]) for track in tracks]
    right = found_by(tracks)
    assert [test.quantity for test in right] == ['surge', 'yaw rate']
    assert max(abs(test.statistic) for test in right) < 3.0
    surge, _ = found_by(tracks, thrust_astern=1.3)
    assert surge.statistic > 3.0 and surge.means[1] < -0.02 and abs(surge.means[0]) < 0.02
    _, yaw = found_by(tracks, damping_linear_d33=1.4 * LUTRA.vessel.damping.d33)
    assert abs(yaw.statistic) > 3.0


def test_too_few_windows_say_nothing():
    tracks = twin_tracks(LUTRA, np.random.default_rng(3), 1, duration=10.0)
    assert all(np.isnan(test.statistic) for test in found_by(tracks))


@pytest.mark.parametrize(('overlap', 'told'), [(2.0, True), (2.01, False)])
def test_the_statistic_is_welch_s_of_windows_that_share_samples_counted_once(overlap, told):
    """Four windows either way, two of which count; thrust below a twentieth of the largest is of neither way."""
    error = np.array([1.0, 2.0, 4.0, 7.0, -1.0, 0.5, 0.0, 3.0, 99.0, np.nan])
    thrust = np.array([4.0, 2.0, 1.0, 0.21, -1.0, -0.21, -3.0, -4.0, 0.19, 4.0])
    found = _compared('surge', 'm/s', ('ahead', 'astern'), error, thrust, overlap)
    ahead, astern = error[:4], error[4:8]
    spread = ahead.var(ddof=1) / 2.0 + astern.var(ddof=1) / 2.0
    if told:
        assert found.means == pytest.approx((3.5, 0.625)) and found.statistic == pytest.approx(2.875 / spread ** 0.5)
    else:
        assert np.isnan([*found.means, found.statistic]).all()
