"""Logs that teach less than they seem to, or the wrong thing: the fit stays sane and says so."""

from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.identify.rollout.fit_parameters import least_turn, model_of, scale_of, substeps_of
from usv_energy.identify.rollout.form_choice import RolloutErrors, squared_errors
from usv_energy.identify.rollout.identification import FitSettings, _unexplained, identify
from usv_energy.identify.rollout.tracks import limits_at_rest, track_of
from usv_energy.identify.rollout.twin_log import twin_log
from usv_energy.logs.log import INFO, Note
from usv_energy.logs.quality import PUT_RIGHT

LUTRA = read_boat('lutra_prop')
NO_NOISE = (0.0, 0.0, 0.0)


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


def test_logs_without_turns_allow_no_arbitrary_damping_of_turns_and_say_so():
    """Thrusts alike, and a yaw rate of noise only: the bounds stay those of a gentle turn, not noise's."""
    log = twin_log(LUTRA, np.random.default_rng(6), 'straight', 60.0, noise=NO_NOISE)
    mean = log.thrust.mean(axis=1, keepdims=True) * np.ones(2)
    straight = replace(log, thrust=mean, r=1e-3 * log.r)
    scale = scale_of([track_of(straight, LUTRA)])
    allowed = {p.key: p for p in model_of('quadratic', LUTRA, scale, False).parameters}['damping.quadratic.d33']
    arm, turn = max(abs(thruster.y) for thruster in LUTRA.vessel.thrusters), least_turn(LUTRA.vessel, scale.speed)
    assert scale.yaw_rate < turn and allowed.std == pytest.approx(2.0 * 2.0 * scale.ahead * arm / turn ** 2)
    result = identify([straight], LUTRA, [], FitSettings(form='linear'))
    assert any('hardly turns' in warning for warning in result.warnings)
    assert not any('hardly turns' in warning for warning in identify([log], LUTRA, [], FitSettings('linear')).warnings)


def test_a_fit_that_foretells_nothing_says_so():
    log = twin_log(LUTRA, np.random.default_rng(7), 'muddled', 60.0)
    muddled = twin_log(LUTRA, np.random.default_rng(17), 'of another boat', 60.0)
    muddled = replace(muddled, thrust=-muddled.thrust[::-1])
    result = identify([log], LUTRA, [muddled], FitSettings(form='linear'))
    assert any('saying 0 would' in warning and 'logs not seen' in warning for warning in result.warnings)
    errors = RolloutErrors('all', np.array([9.0, 0.02, 0.0]), np.zeros(3), 5, 5)
    words = _unexplained(errors, [log], 'the logs', 'do not')
    assert len(words) == 1 and words[0].startswith('surge: the roll-outs err more (9 m/s) than saying 0 would')


def test_what_was_put_right_in_some_logs_only_is_named():
    logs = [twin_log(LUTRA, np.random.default_rng(8 + k), name, 50.0) for k, name in enumerate(('one', 'other'))]
    mended = logs[0].noted(Note(INFO, 'thrusters_swapped', f'left and right are exchanged. {PUT_RIGHT}'))
    words = identify([mended, logs[1]], LUTRA, [], FitSettings(form='linear')).warnings
    assert any('thrusters swapped: put right in one, not told by other' in word for word in words)


def test_a_log_stands_there_once_and_one_to_validate_with_is_long_enough():
    log, other = (twin_log(LUTRA, np.random.default_rng(10 + k), f'log {k}', 50.0) for k in range(2))
    for logs, validation in (([log, replace(log, name='copy')], []), ([log], [replace(log, name='copy')])):
        with pytest.raises(InputError, match='hold the same samples'):
            identify(logs, LUTRA, validation, FitSettings(form='linear'))
    with pytest.raises(InputError, match='to validate with, but no stretch of 10 s'):
        identify([log], LUTRA, [other.between(0.0, 0.15)], FitSettings(form='linear'))
    short = [other.between(0.0, 0.05), other.between(0.0, 0.15)]
    found = identify([log], LUTRA, [other.between(20.0, 40.0), *short], FitSettings(form='linear')).validation
    assert found[0].number == found[-1].number > 0 and [row.number for row in found[1:3]] == [0, 0]


def test_a_choice_of_form_that_stands_on_little_says_so():
    """One log, whose thrust is another's: nothing of it can be foretold."""
    log, other = (twin_log(LUTRA, np.random.default_rng(20 + k), f'log {k}', 45.0) for k in range(2))
    words = identify([replace(log, thrust=-2.0 * other.thrust[:, ::-1])], LUTRA, [], FitSettings()).warnings
    assert any('chosen by three parts of one log only' in word for word in words)
    assert any('the choice is a guess' in word for word in words)
    assert not any('chosen by' in word for word in identify([log], LUTRA, [], FitSettings(form='linear')).warnings)
