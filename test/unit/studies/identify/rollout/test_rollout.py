"""Roll-outs are the plant's own motion, however they are computed, and stay finite."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks
from twin_log import twin_log

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of, substeps_of
from usv_energy.studies.identify.rollout.form_choice import squared_errors
from usv_energy.studies.identify.rollout.rollout import best_roll, measured_velocity, roll, roll_together, start_state
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_of
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
