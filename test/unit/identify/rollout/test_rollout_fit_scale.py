"""The largest thrust and motion of logs, and what nothing can be learnt from."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks

from usv_energy.files.errors import InputError
from usv_energy.identify.rollout.fit_parameters import scale_of


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
