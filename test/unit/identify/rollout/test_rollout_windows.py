"""Windows of logs: what they hold, and their beginnings."""

import numpy as np
from twin_boats import LUTRA, twin_tracks

from usv_energy.identify.rollout.rollout_windows import beginning_of, windows_of


def test_windows_hold_what_comes_after_their_starts_and_beginnings_of_them_less():
    tracks = twin_tracks(LUTRA, np.random.default_rng(31), count=2, duration=16.0)
    windows, _ = windows_of(tracks, 1.0, 2.0)
    assert windows.samples == 10 and np.diff(windows.starts).min() == 20
    for start, measured in zip(windows.starts, windows.measured):
        np.testing.assert_array_equal(measured, windows.track.motion[start + 1:start + 11, 1:])
    part = beginning_of(windows, 0.34)
    assert part.samples == 3 and beginning_of(windows, 0.01).samples == 1
    np.testing.assert_array_equal(part.measured, windows.measured[:, :3])
    np.testing.assert_array_equal(part.starts, windows.starts)
