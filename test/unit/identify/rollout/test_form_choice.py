"""Forms of the model are compared by their errors on logs that their fits have not seen."""

from dataclasses import replace

import numpy as np
import pytest
from needs import WITHIN_A_MINUTE
from rollout_twin import Truth, base_of, twins
from twin_boats import LUTRA, twin_tracks

from usv_energy.boats.boat_file import read_boat
from usv_energy.identify.rollout.fit_parameters import FORMS, model_of, scale_of
from usv_energy.identify.rollout.form_choice import (
    FitWork,
    FormTrial,
    RolloutErrors,
    best_form,
    compared_forms,
    held_out_errors,
    kept_priors,
    parts_for_comparison,
    rollout_errors,
    score_of,
    squared_errors,
)
from usv_energy.identify.rollout.form_fits import ladder_to
from usv_energy.identify.rollout.rollout_fit import NONE
from usv_energy.identify.rollout.tracks import limits_at_rest, track_of


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
