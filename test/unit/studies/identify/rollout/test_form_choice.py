"""Forms of the model are compared by their errors on logs that their fits have not seen."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from needs import WITHIN_A_MINUTE
from rollout_twin import Truth, base_of, twins
from twin_boats import LUTRA, twin_tracks

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.identify.rollout import form_choice
from usv_energy.studies.identify.rollout.fit_parameters import FORMS, model_of, scale_of
from usv_energy.studies.identify.rollout.form_choice import (
    COMPARED_EVERY,
    FitNumbers,
    FitWork,
    FormFit,
    FormTrial,
    RolloutErrors,
    SquaredErrors,
    _trials,
    best_form,
    compared_forms,
    folds_of,
    held_out_errors,
    kept_priors,
    ladder_to,
    parts_for_comparison,
    rollout_errors,
    score_of,
    squared_errors,
)
from usv_energy.studies.identify.rollout.normal_equations import NONE
from usv_energy.studies.identify.rollout.rollout_windows import windows_of
from usv_energy.studies.identify.rollout.tracks import limits_at_rest, track_of


@WITHIN_A_MINUTE
def test_forms_are_judged_by_logs_not_seen():
    """A boat with quadratic drag: the linear form errs more on logs not seen, and what is added beyond is not taken."""
    boat = read_boat('lutra_prop_usvsim')
    tracks = twin_tracks(boat, np.random.default_rng(8), 4, duration=40.0)
    rows = rollout_errors(held_out_errors('linear', tracks, boat, FitWork(NONE), None, 2, 5.0))
    better = rollout_errors(held_out_errors('quadratic', tracks, boat, FitWork(NONE), None, 2, 5.0))
    assert better.rmse[0] < 0.7 * rows.rmse[0]


def test_the_simplest_of_equally_good_forms_is_taken():
    nothing = RolloutErrors('', np.zeros(3), np.zeros(3), 0, 0)
    trials = [FormTrial(form, nothing, score, 0.0, 1, 1.0)
              for form, score in zip(FORMS, (0.9, 0.505, 0.51, 0.5, 0.5, 0.6))]
    assert best_form(trials) == 'quadratic'


def test_a_single_log_is_judged_by_its_thirds():
    track = twin_tracks(LUTRA, np.random.default_rng(9), 1, duration=90.0)[0]
    parts = parts_for_comparison([track])
    assert len(parts) == 3 and sum(len(part.time) for part in parts) == len(track.time)
    limits = limits_at_rest([track])
    model = model_of('linear', LUTRA, scale_of([track]), False)
    assert len(squared_errors(parts, model, model.column('prior'), limits)) == 3


@WITHIN_A_MINUTE
def test_comparison_names_every_form(rng):
    tracks = twin_tracks(LUTRA, rng, 2, duration=25.0)
    trials = compared_forms(tracks, LUTRA, FitWork(NONE, horizon=5.0)).trials
    assert [trial.form for trial in trials] == list(FORMS)
    assert trials[0].score < 1.05 * min(trial.score for trial in trials)
    # 50 s of noise: a form that adds nothing true may win some points of the criterion.
    assert trials[0].criterion < 20.0 + min(trial.criterion for trial in trials)


@WITHIN_A_MINUTE
@pytest.mark.parametrize(('astern', 'kept'), [(1.0, ('thrust.astern',)), (0.6, ())])
def test_thrust_astern_is_fitted_where_logs_not_seen_gain_by_it(astern, kept):
    """A boat that shares no code with the fit; its thrusters give as much astern as ahead, or much less."""
    boat = base_of(LUTRA)
    tracks = [track_of(log, boat) for log in twins(replace(Truth(), astern=astern), 5, duration=60.0)[1]]
    said: list[str] = []
    work = FitWork(say=said.append)
    compared = compared_forms(tracks, boat, work, ladder_to('quadratic'))
    assert kept_priors('quadratic', tracks, boat, work, compared) == kept
    assert 'with the prior of thrust.astern' in said[-1]


def test_a_score_is_the_mean_of_errors_over_what_was_measured():
    track = twin_tracks(LUTRA, np.random.default_rng(9), 1, duration=20.0)[0]
    constant = replace(track, motion=np.tile([0.3, 2.0, -0.5, 0.1], (len(track.time), 1)))
    error = RolloutErrors('', np.array([0.2, 0.1, 0.03]), np.zeros(3), 1, 1)
    assert score_of(error, [constant]) == pytest.approx((0.1 + 0.2 + 0.3) / 3.0)


def errors_of(*sizes, moving=True):
    """Return squared errors of logs with two roll-outs of three samples each, of a size, m/s and rad/s."""
    return [SquaredErrors(f'log {k}', np.full((2, 3, 3), size ** 2), np.array([moving, False]))
            for k, size in enumerate(sizes)]


def test_errors_of_logs_together_are_root_mean_squares_of_what_is_known():
    rows = errors_of(0.1, 0.3)
    rows[1].squares[0, :, 2] = np.nan
    found = rollout_errors(rows, 'both')
    assert found.rmse == pytest.approx([0.05 ** 0.5, 0.05 ** 0.5, ((6 * 0.01 + 3 * 0.09) / 9.0) ** 0.5])
    assert found[2] == pytest.approx([0.05 ** 0.5, 0.05 ** 0.5, 0.1]), 'under way: the first roll-out of each'
    assert (found.name, *found[3:]) == ('both', 4, 2)
    resting = rollout_errors(errors_of(0.1, moving=False))
    assert np.isnan(resting[2]).all() and resting[4] == 0 and np.isnan(rollout_errors([]).rmse).all()


def test_the_criterion_is_schwarz_s_with_the_samples_that_are_independent():
    """Sum of n ln(scale^2) and parameters times ln(sum of n), n the samples over the first form's design effect."""
    tracks = twin_tracks(LUTRA, np.random.default_rng(3), 2, duration=30.0)
    effect, scale = np.array([10.0, 20.0, 40.0]), np.array([0.02, 0.03, 0.05])
    flows = {track.name: np.zeros(4) for track in tracks}

    def fit(parameters, factor):
        numbers = FitNumbers({f'number {k}': 0.0 for k in range(parameters)}, flows)
        return FormFit(numbers, errors_of(0.1 * factor), factor * scale, factor * effect)

    every = {'linear': fit(8, 1.0), 'quadratic': fit(11, 0.5)}
    trials = _trials(tracks, ('linear', 'quadratic'), [every, every], every, 5.0)
    count = sum(np.isfinite(one.measured).sum(axis=(0, 1)) for one in windows_of(tracks, 5.0, COMPARED_EVERY))
    independent = count / effect
    for trial, parameters, factor in zip(trials, (8, 11), (1.0, 0.5)):
        assert trial.criterion == pytest.approx(2.0 * float(independent @ np.log(factor * scale))
                                                + parameters * np.log(independent.sum()))
        assert trial[1].rmse == pytest.approx([0.1 * factor] * 3) and trial[4:] == (
            parameters, pytest.approx(independent.sum()))
    assert trials[0].score == pytest.approx(2.0 * trials[1].score)


def test_logs_are_left_out_in_turn_every_so_many_together():
    assert folds_of(7, 3) == [[0, 3, 6], [1, 4], [2, 5]] and folds_of(2, 5) == [[0], [1]] and folds_of(3, 3)[2] == [2]


def test_a_simpler_form_may_be_two_percent_worse():
    nothing = RolloutErrors('', np.zeros(3), np.zeros(3), 0, 0)
    for score, form in ((0.5099, 'linear'), (0.5101, 'quadratic')):
        trials = [FormTrial(one, nothing, value, 0.0, 1, 1.0) for one, value in (('linear', score), ('quadratic', 0.5))]
        assert best_form(trials) == form


def test_each_fold_is_told_with_its_number(monkeypatch):
    """Of three logs with three folds; nothing is fitted here."""
    tracks = twin_tracks(LUTRA, np.random.default_rng(3), 3, duration=20.0)
    monkeypatch.setattr(form_choice, 'fit_rollouts', lambda model, *more, **options: SimpleNamespace(
        values=model.column('prior')))
    said = []
    rows = held_out_errors('linear', tracks, LUTRA, FitWork(NONE, 5.0, say=said.append))
    assert said == [f'linear: without log {k} ({k + 1} of 3)' for k in range(3)]
    assert [row.name for row in rows] == ['log 0', 'log 1', 'log 2']
