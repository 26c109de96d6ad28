"""Windows of logs: what they hold, and their beginnings."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout import rollout_windows
from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.rollout import roll_together
from usv_energy.studies.identify.rollout.rollout_windows import beginning_of, residuals, windows_of


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


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(31), count=1, duration=30.0)[0]


def test_windows_are_of_ten_seconds_one_every_two(track):
    windows, = windows_of([track])
    assert windows.samples == 100 and set(np.diff(windows.starts)) == {20}


def test_a_sample_lies_in_as_many_windows_as_begin_in_the_time_of_one(track):
    for horizon, every, overlap in ((4.0, 1.0, 4.0), (4.0, 4.0, 1.0), (1.0, 4.0, 1.0), (3.0, 2.0, 1.5)):
        windows, = windows_of([track], horizon, every)
        assert windows.overlap == pytest.approx(overlap)
        assert replace(windows, starts=windows.starts[:1]).overlap == 1.0
        assert replace(windows, starts=windows.starts[:2]).overlap == pytest.approx(overlap)


def test_without_a_window_it_is_said_how_long_the_logs_are(track):
    """From the first sample to the last of the longest."""
    early = replace(track, time=track.time[:200] + 500.0, motion=track.motion[:200], thrust=track.thrust[:200],
                    flow=track.flow[:200], turning=track.turning[:200], turned=track.turned[:200])
    with pytest.raises(InputError, match=r'no stretch of 60 s under way .* the longest log has 30\.0 s'):
        windows_of([track, early], 60.0)


def test_windows_at_rest_are_left_out_unless_asked_for(track):
    motion, thrust = track.motion.copy(), track.thrust.copy()
    motion[:150, 1:3], thrust[:150] = 0.0, 0.0
    still = replace(track, motion=motion, thrust=thrust)
    moving, = windows_of([still], 1.0, 2.0)
    every, = windows_of([still], 1.0, 2.0, moving_only=False)
    assert set(moving.starts) < set(every.starts) and moving.starts.min() >= 140
    np.testing.assert_array_equal(every.measured[np.isin(every.starts, moving.starts)], moving.measured)


def test_residuals_are_the_roll_out_less_the_measurement_in_all_the_flow(track):
    """What is measured more is missed the more; a flow beside the log's is as one that the log has."""
    model, (windows,) = model_of('linear', LUTRA, scale_of([track]), False), windows_of([track], 2.0, 4.0)
    values, flow = model.column('prior'), np.array([0.3, -0.2, 2.0, 1.0])
    found = residuals(windows, values, model, flow, roll_together)
    more = residuals(replace(windows, measured=windows.measured + 0.5), values, model, flow, roll_together)
    np.testing.assert_allclose(more, found - 0.5, atol=1e-12)
    there = replace(windows, track=replace(track, flow=track.flow + flow))
    np.testing.assert_allclose(residuals(there, values, model, np.zeros(4), roll_together), found, atol=1e-12)
    assert np.abs(residuals(windows, values, model, np.zeros(4), roll_together) - found).max() > 0.01
    np.testing.assert_allclose(residuals(windows, values, model, flow), found, atol=1e-9, err_msg='the best roll-out')

    def still(starts, samples, inputs, hull, out):
        out[:] = 0.0

    np.testing.assert_array_equal(residuals(windows, values, model, flow, still), -windows.measured)


def test_residuals_of_a_boat_whose_actuators_follow_its_motion_are_less_the_measurement_too(track, monkeypatch):
    model, (windows,) = model_of('linear', LUTRA, scale_of([track]), False), windows_of([track], 2.0, 4.0)
    monkeypatch.setattr(rollout_windows, 'pushes_ahead_only', lambda vessel: False)
    monkeypatch.setattr(rollout_windows, 'driven_motion', lambda *given: windows.measured + 0.25)
    np.testing.assert_allclose(residuals(windows, model.column('prior'), model, np.zeros(4)), 0.25)
