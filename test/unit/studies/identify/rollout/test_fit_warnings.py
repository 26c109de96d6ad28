"""Logs that teach less than they seem to, or the wrong thing: the identification says so."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE
from twin_log import twin_log

from usv_energy.logs.log import INFO, Note
from usv_energy.logs.quality import PUT_RIGHT
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.identify.rollout.fit_parameters import least_turn, model_of, scale_of
from usv_energy.studies.identify.rollout.form_choice import FOLDS, FitWork, RolloutErrors, compared_forms
from usv_energy.studies.identify.rollout.identification import (
    NOTABLE_ASYMMETRY,
    STRONG,
    _astern,
    _correlated,
    _not_settled,
    _steady_currents,
    _steady_winds,
    fit_warnings,
    identify,
    predicts_nothing,
    uncertain_form,
)
from usv_energy.studies.identify.rollout.identification_result import FitSettings
from usv_energy.studies.identify.rollout.normal_equations import NONE
from usv_energy.studies.identify.rollout.tracks import track_of


def test_a_boat_that_never_turns_keeps_the_prior_of_sway_and_yaw():
    rng = np.random.default_rng(8)
    log = twin_log(LUTRA, rng, 'straight', 60.0)
    ahead = np.repeat(log.thrust.mean(axis=1)[:, None], 2, axis=1)
    plant = Plant(LUTRA.vessel, (0.0, 0.0, 0.3), read_scenario('1').flow_at(), 0.1)
    rows = []
    for thrusts in ahead:
        rows.append((plant.state.yaw, *plant.velocity_over_ground()))
        plant.advance(thrusts)
    yaw, u, v, r = np.array(rows).T + rng.normal(0.0, 0.003, (4, len(rows)))
    found = identify([replace(log, yaw=yaw, u=u, v=v, r=r, thrust=ahead)], LUTRA, [], FitSettings('quadratic'))
    told = {row.key: row.determined for row in found.parameters}
    kept = {row.key: (row.value, row.prior) for row in found.parameters if not row.determined}
    assert told['inertia.m11'] and told['damping.linear.d11']
    assert {'inertia.m22', 'damping.quadratic.d22', 'damping.quadratic.d33'} <= set(kept)
    assert all(value == prior for value, prior in kept.values())
    assert any(warning.startswith('sway is hardly excited: ') and 'keep their prior values' in warning
               for warning in found.warnings)


def test_a_log_too_short_for_thrusters_to_settle_and_a_lag_longer_than_likely_are_named():
    """The fit is the truth but for the lag, of which exp(-4.14 / 1.2), 3 %, is left where roll-outs start."""
    rng = np.random.default_rng(8)
    logs = [twin_log(LUTRA, rng, name, duration) for name, duration in (('long', 60.0), ('short', 12.0))]
    found = identify(logs, LUTRA, [], FitSettings('linear', currents=False, winds=False))
    told = [warning for warning in found.warnings if 'settled' in warning]
    assert len(told) == 1 and told[0].startswith('short: no stretch is longer than 14.1 s, so thrusters are taken')
    values = found.found.values.copy()
    values[found.found.model.keys.index('thrusters.lag')] = 1.2
    slow = fit_warnings(replace(found, found=replace(found.found, values=values)), logs, [])
    assert any(warning.startswith('thrusters.lag is 1.2 s: 3 % of what') for warning in slow)


def test_logs_without_turns_allow_no_arbitrary_damping_of_turns_and_say_so():
    """Thrusts alike, and a yaw rate of noise only: the bounds stay those of a gentle turn, not noise's."""
    log = twin_log(LUTRA, np.random.default_rng(6), 'straight', 60.0, noise=NO_NOISE)
    mean = log.thrust.mean(axis=1, keepdims=True) * np.ones(2)
    straight = replace(log, thrust=mean, r=1e-3 * log.r)
    scale = scale_of([track_of(straight, LUTRA)])
    allowed = {p.key: p for p in model_of('quadratic', LUTRA, scale, False).parameters}['damping.quadratic.d33']
    arm, turn = max(abs(thruster.y) for thruster in LUTRA.vessel.thrusters), least_turn(LUTRA.vessel, scale.speed)
    assert scale.yaw_rate < turn and allowed.std == pytest.approx(2.0 * 2.0 * scale.ahead * arm / turn ** 2)
    identified = identify([straight], LUTRA, [], FitSettings(form='linear'))
    assert any('hardly turns' in warning for warning in identified.warnings)
    assert not any('hardly turns' in warning for warning in identify([log], LUTRA, [], FitSettings('linear')).warnings)


def test_a_fit_that_predicts_nothing_says_so():
    log = twin_log(LUTRA, np.random.default_rng(7), 'muddled', 60.0)
    muddled = twin_log(LUTRA, np.random.default_rng(17), 'of another boat', 60.0)
    muddled = replace(muddled, thrust=-muddled.thrust[::-1])
    identified = identify([log], LUTRA, [muddled], FitSettings(form='linear'))
    assert any('predicting no motion' in warning and 'logs not seen' in warning for warning in identified.warnings)
    errors = RolloutErrors('all', np.array([9.0, 0.02, 0.0]), np.zeros(3), 5, 5)
    words = predicts_nothing(errors, [log], 'the logs', 'do not')
    assert len(words) == 1
    assert words[0].startswith('surge: the error of the roll-outs (9 m/s) is larger than that of predicting no motion')


def test_what_was_put_right_in_some_logs_only_is_named():
    logs = [twin_log(LUTRA, np.random.default_rng(8 + k), name, 50.0) for k, name in enumerate(('one', 'other'))]
    mended = logs[0].noted(Note(INFO, 'thrusters_swapped', f'left and right are exchanged. {PUT_RIGHT}'))
    words = identify([mended, logs[1]], LUTRA, [], FitSettings(form='linear')).warnings
    assert any('thrusters swapped: put right in one, not visible in other' in word for word in words)


def test_a_form_that_predicts_nothing_or_was_chosen_by_few_logs_is_called_uncertain():
    """One log whose thrust is another's: nothing of it can be predicted. Small, since it must not need numba."""
    log, other = (twin_log(LUTRA, np.random.default_rng(20 + k), f'log {k}', 15.0) for k in range(2))
    track = track_of(replace(log, thrust=-2.0 * other.thrust[:, ::-1]), LUTRA)
    trials = compared_forms([track], LUTRA, FitWork(NONE, horizon=2.0), ('linear',)).trials
    words = uncertain_form(trials, 1)
    assert any('chosen by three parts of one log only' in word for word in words)
    assert any('the choice is uncertain' in word for word in words)
    no_better = uncertain_form([trial._replace(score=1.0) for trial in trials], FOLDS)
    assert any('no form predicts' in word for word in no_better)
    assert uncertain_form([trial._replace(score=0.5) for trial in trials], FOLDS) == uncertain_form([], 1) == []


@pytest.mark.parametrize(('quantity', 'place', 'words'), [
    ('currents', 0, 'a steady current of 0.50 m/s (1.0 kn) set 037 (NE)'),
    ('winds', 2, 'as if a steady wind of 5.00 m/s (9.7 kn) from 217 (SW) blew')])
def test_a_flow_is_told_that_is_more_than_twice_its_standard_deviation(quantity, place, words):
    """(0.3, 0.4) m/s of current, ten times as much wind; standard deviations from a tenth of it to all of it."""
    log = twin_log(LUTRA, np.random.default_rng(8), 'one', 30.0, noise=NO_NOISE)
    found = identify([log], LUTRA, [], FitSettings('linear', currents=False, winds=False))
    flow = np.array([[0.3, 0.4]]) * (1.0 if quantity == 'currents' else 10.0)
    for share, told in ((0.1, True), (0.49, True), (0.5, False), (0.51, False), (1.0, False)):
        std = np.zeros((1, 4))
        std[0, place:place + 2] = share * flow
        state = SimpleNamespace(windows=found.found.windows, currents=np.zeros((1, 2)), winds=np.zeros((1, 2)))
        setattr(state, quantity, flow)
        result = SimpleNamespace(found=state, known=SimpleNamespace(flow_std=std))
        assert any(words in one for one in [*_steady_currents(result), *_steady_winds(result)]) is told


def test_two_parameters_cannot_be_separated_whose_correlation_is_above_the_limit():
    """Beside the scale of all newtons, which is no correlation of the two."""
    keys = ('thrust.scale', 'one', 'other')
    for correlation, told in ((STRONG, False), (-STRONG, False), (np.nextafter(STRONG, 1.0), True), (-0.99, True)):
        covariance = np.eye(3)
        covariance[1, 2] = covariance[2, 1] = correlation
        result = SimpleNamespace(found=SimpleNamespace(model=SimpleNamespace(keys=keys)),
                                 known=SimpleNamespace(covariance=covariance))
        assert [one.startswith('other and one can hardly be separated') for one in _correlated(result)] == [True] * told
    covariance = np.array([[1.0, 0.99, 0.99], [0.99, 1.0, 0.99 ** 2], [0.99, 0.99 ** 2, 1.0]])
    assert _correlated(SimpleNamespace(found=result.found, known=SimpleNamespace(covariance=covariance))) == []


@pytest.mark.parametrize(('value', 'lower', 'upper', 'told'), [
    (0.5, 0.5, 2.0, True), (2.0, 0.5, 2.0, True), (0.0, 0.0, 2.0, False), (1.0, 0.5, 2.0, False)])
def test_a_number_at_its_bound_is_named_but_for_none_of_it(value, lower, upper, told):
    parameter = SimpleNamespace(key='one', unit='kg', lower=lower, upper=upper)
    found = SimpleNamespace(converged=True, values=[value], model=SimpleNamespace(parameters=[parameter]))
    words = _not_settled(SimpleNamespace(found=found))
    assert [one.startswith('one is at its bound') for one in words] == [True] * told


@pytest.mark.parametrize(('value', 'half', 'told'), [(0.8, 0.1, True), (0.8, 0.25, False), (1.2, 0.1, True),
                                                     (1.0 - 0.5 * NOTABLE_ASYMMETRY, 1e-3, False)])
def test_thrust_astern_is_told_where_it_differs_surely_and_notably_from_that_ahead(value, half, told):
    astern = SimpleNamespace(key='thrust.astern', determined=True, value=value, low=value - half, high=value + half)
    words = _astern(SimpleNamespace(parameters=[astern]))
    assert [one.startswith(f'astern the thrusters give {100.0 * value:.0f} %') for one in words] == [True] * told
