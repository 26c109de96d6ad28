"""Roll-outs are the plant's own motion, however they are computed, and stay finite."""

import re
from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks
from twin_log import twin_log

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout import rollout_windows
from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of, substeps_of
from usv_energy.studies.identify.rollout.form_choice import squared_errors
from usv_energy.studies.identify.rollout.rollout import best_roll, measured_velocity, roll, roll_together, start_state
from usv_energy.studies.identify.rollout.rollout_report import identification_summary, identification_text
from usv_energy.studies.identify.rollout.rollout_windows import beginning_of, residuals, windows_of
from usv_energy.studies.identify.rollout.tracks import limits_at_rest, track_of


def test_roll_outs_of_the_right_boat_are_the_plants_run():
    """Without noise the plant's own path comes out, but for the step: twice the plant's, fourth order."""
    rng = np.random.default_rng(1)
    track = twin_tracks(LUTRA, rng, 1, noise=NO_NOISE, current=(0.2, -0.1))[0]
    model = model_of('linear', LUTRA, scale_of([track]), False)
    windows = windows_of([track])[0]
    error = residuals(windows, model.column('prior'), model, np.array([0.2, -0.1, 0.0, 0.0]))
    assert np.max(np.abs(error)) < 1e-4


def test_lagging_thrusters_are_the_plants():
    """Straight lines stand for the course of the thrust, with its impulse and first moment: 1.4e-5 m/s here."""
    lagging = replace(LUTRA, vessel=LUTRA.vessel._replace(
        thrusters=tuple(thruster._replace(lag=0.4) for thruster in LUTRA.vessel.thrusters)))
    track = twin_tracks(lagging, np.random.default_rng(2), 1, noise=NO_NOISE)[0]
    model = model_of('linear', lagging, scale_of([track]), False)
    windows = windows_of([track])[0]
    error = residuals(windows, model.column('prior'), model, np.zeros(4))
    assert np.max(np.abs(error)) < 2e-5
    other = model.column('prior')
    other[model.keys.index('thrusters.lag')] = 0.3
    assert np.max(np.abs(residuals(windows, other, model, np.zeros(4)))) > 0.02


def test_compiled_arrays_and_plain_python_roll_out_alike(rng):
    """Also where stamps and flows change from sample to sample."""
    track = twin_tracks(LUTRA, np.random.default_rng(3), 1, duration=20.0)[0]
    track = replace(track, time=track.time + rng.uniform(0.0, 0.03, track.time.size),
                    flow=track.flow + rng.uniform(-0.2, 0.2, track.flow.shape))
    model = model_of('lift+curve+compass', LUTRA, scale_of([track]), False)
    values = model.column('prior') + 0.3 * np.minimum(model.column('std'), 1.0)
    windows = windows_of([track], every=4.0)[0]
    flow = np.array([0.1, 0.2, 1.0, -2.0])
    found = [residuals(windows, values, model, flow, way) for way in (best_roll(), roll_together, roll)]
    np.testing.assert_allclose(found[0], found[2], atol=1e-11)
    np.testing.assert_allclose(found[1], found[2], atol=1e-11)


def test_a_runaway_trial_gives_large_errors_and_no_nan():
    track = twin_tracks(LUTRA, np.random.default_rng(4), 1, duration=20.0)[0]
    model = model_of('quadratic', LUTRA, scale_of([track]), False)
    values = model.column('prior')
    values[model.keys.index('damping.linear.d22')] = 1e5
    error = residuals(windows_of([track])[0], values, model, np.zeros(4))
    assert np.isfinite(error).all() and np.max(np.abs(error)) > 10.0


def test_a_hull_of_fast_answer_is_rolled_out_without_running_away():
    """Its yaw rate decays 400 times a second at 1 rad/s: the step must follow, not the sample time alone."""
    stiff = replace(LUTRA, vessel=LUTRA.vessel._replace(damping=LUTRA.vessel.damping._replace(d33_q=250.0)))
    track = track_of(twin_log(LUTRA, np.random.default_rng(5), 'stiff', 40.0), LUTRA)
    motion = track.motion.copy()
    motion[::7, 3] = 1.0
    track = replace(track, motion=motion)
    model = model_of('quadratic', stiff, scale_of([track]), False)
    row = squared_errors([track], model, model.column('prior'), limits_at_rest([track]))[0]
    assert np.max(np.abs(row.squares)) < 2.0 ** 2
    assert substeps_of(track, stiff.vessel) > substeps_of(track, LUTRA.vessel)


@pytest.mark.parametrize('compass', [(0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1), (0.02, -0.05, 0.07)])
@pytest.mark.parametrize('yaw', [0.0, 0.5 * np.pi, 2.5])
def test_a_compass_deviation_turns_measured_velocities_by_its_angle(compass, yaw):
    """It is a + b cos(yaw) + c sin(yaw); without a current the motion through the water is the measured one, turned."""
    angle = compass[0] + compass[1] * np.cos(yaw) + compass[2] * np.sin(yaw)
    state = start_state(yaw, 1.5, 0.2, 0.3, 0.0, 0.0, compass)
    turned = (1.5 + 0.2j) * np.exp(1j * angle)
    assert (state.yaw, state.u_r, state.v_r, state.r) == pytest.approx((yaw, turned.real, turned.imag, 0.3))
    carried = start_state(yaw, 1.5, 0.2, 0.3, 0.4, -0.3, compass)
    through_water = turned - (0.4 - 0.3j) * np.exp(-1j * yaw)
    assert (carried.u_r, carried.v_r) == pytest.approx((through_water.real, through_water.imag))
    assert measured_velocity(carried, 0.4, -0.3, compass) == pytest.approx((1.5, 0.2, 0.3))


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


def test_text_and_json_hold_the_same_figures(identified):
    summary, text = identification_summary(identified), identification_text(identified)
    validation = summary['validation'][-1]
    assert validation['log'] == 'all' and f'{validation["surge_rmse_m_s"]:.3f}' in text
    assert {row['key'] for row in summary['parameters']} == set(identified.found.model.keys)
    assert re.search(r'^thrust.scale +1  0\.\d+ to 1\.\d+ +- .* prior$', text, re.MULTILINE)
