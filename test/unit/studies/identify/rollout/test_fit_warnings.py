"""Logs that teach less than they seem to, or the wrong thing: the identification says so."""

import math
from dataclasses import replace
from types import SimpleNamespace
from types import SimpleNamespace as Made

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE
from twin_log import twin_log

from usv_energy.boats.boat_file import read_boat
from usv_energy.earth import KNOT
from usv_energy.logs.log import INFO, Note
from usv_energy.logs.quality import PUT_RIGHT
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.identify.rollout import identification
from usv_energy.studies.identify.rollout.fit_parameters import COMPASS, least_turn, model_of, scale_of
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


BOAT = read_boat('lutra_prop')


def estimate(key, value=1.0, half=0.1, determined=True, **more):
    return Made(key=key, value=value, low=value - half, high=value + half, determined=determined, **more)


def found_with(values, **more):
    return Made(found=Made(model=Made(keys=tuple(values), boat=BOAT, **more), values=list(values.values())))


@pytest.mark.parametrize(('lag', 'left'), [(0.0, None), (-1.0, None), (2.1, None), (2.2, 1), (10.0, 37)])
def test_what_is_left_of_an_unknown_start_is_told_from_a_hundredth_on(lag, left):
    """exp(-10 s / lag), after the longest settling of the logs."""
    tracks = [Made(name=name, settling=settling, samples_in=lambda horizon: horizon,
                   starts_unsettled=lambda size: False) for name, settling in (('one', 4.0), ('other', 10.0))]
    result = found_with({'thrusters.lag': lag})
    result.settings, result.tracks = Made(horizon=7.0), tracks
    words = identification._unknown_start(result)
    assert [one.split(' of what')[0] for one in words] == (
        [] if left is None else [f'thrusters.lag is {lag:.2g} s: {left} %'])
    for track in tracks:
        track.starts_unsettled = lambda size: size == 7.0
    assert identification._unknown_start(result)[0].startswith('one, other: no stretch is longer than 17.0 s')


@pytest.mark.parametrize(('value', 'half', 'determined', 'told'), [
    (0.1, 0.05, True, 'left gives 10 % more than right'), (-0.1, 0.05, True, 'right gives 10 % more than left'),
    (0.1, 0.11, True, ''), (-0.1, 0.11, True, ''), (0.1, 0.05, False, ''), (0.04, 0.01, True, ''),
    (-0.04, 0.01, True, '')])
def test_thrusters_differ_whose_ratio_is_surely_not_1_and_off_by_a_twentieth(value, half, determined, told):
    port, starboard = BOAT.thruster_names
    told = told.replace('left', port).replace('right', starboard)
    paired = estimate(identification.PAIRED, value, half, determined)
    result = found_with({})
    result.parameters = [paired]
    words = identification._asymmetric_thrust(result)
    assert len(words) == bool(told) and all(f'{told};' in one for one in words)
    result.parameters = [estimate('thrust.exponent', 1.5, 0.51)]
    assert identification._asymmetric_thrust(result) == []
    result.parameters = [estimate('thrust.exponent', 1.5, 0.49)]
    assert identification._asymmetric_thrust(result)[0].endswith('goes as its power 1.50')


@pytest.mark.parametrize(('means', 'statistic', 'told'), [
    ((0.03, 0.01), 3.1, True), ((0.01, 0.03), -3.1, True), ((0.03, 0.01), 2.9, False), ((0.03, 0.025), 9.0, False),
    ((0.02, -0.02), 9.0, True)])
def test_errors_differ_by_a_sure_centimetre_a_second(means, statistic, told):
    test = Made(quantity='surge', unit='m/s', names=('ahead', 'astern'), means=means, statistic=statistic)
    words = identification._different_residuals(Made(tests=[test]))
    assert [one.split(' on average')[0] for one in words] == [f'surge: the roll-outs err by {means[0]:+.3f} m/s'] * told


@pytest.mark.parametrize(('constant', 'cosine', 'sine', 'told'), [
    (2.0, 0.9, 0.0, False), (-2.0, 0.0, -1.1, True), (0.0, 1.8, 2.5, True), (-3.1, 0.0, 0.0, True),
    (2.9, 0.0, 0.0, False)])
def test_a_compass_is_to_be_adjusted_that_is_off_by_three_degrees_on_some_heading(constant, cosine, sine, told):
    result = found_with(dict(zip(COMPASS, np.radians([constant, cosine, sine]))))
    words = identification._compass_deviation(result)
    assert len(words) == told
    if told:
        swing = math.hypot(cosine, sine)
        assert f'deviates by {constant:+.1f} degrees and, with the heading, by up to {swing:.1f}:' in words[0]
    assert identification._compass_deviation(found_with({'thrust.scale': 9.0})) == []


def test_errors_on_logs_not_seen_are_told_from_one_and_a_half_times_those_of_the_fit_on():
    errors = [Made(rmse=None), Made(rmse=None), Made(rmse=np.array([0.02, 0.1, 0.0]))]
    others = [Made(rmse=None), Made(rmse=None), Made(rmse=np.array([0.031, 0.149, 0.01]))]
    words = identification._worse_on_others(Made(errors=errors, validation=others))
    assert len(words) == 2 and words[0].startswith('surge: errors on the logs not seen are 1.6 times')
    assert words[1].startswith('yaw'), 'no error at all on the logs of the fit is one to be worse than'
    assert identification._worse_on_others(Made(errors=errors, validation=[])) == []


def test_turns_that_are_no_gentle_ones_are_none():
    rate = least_turn(BOAT.vessel, 1.5)
    for share, told in ((1.0, False), (0.99, True)):
        model = Made(boat=BOAT, scale=Made(yaw_rate=share * rate, speed=1.5))
        words = identification._no_turns(Made(found=Made(model=model)))
        assert [one.split(' in the logs')[0] for one in words] == ['the boat hardly turns'] * told


@pytest.mark.parametrize(('nominal', 'determined', 'says'), [
    ((False, True), True, r'm11 20 +- 10 kg, thrust +- 50 %'), ((False, False), False, 'taken to be right to 7 %'),
    ((False, False), True, '')])
def test_it_is_said_what_the_scale_of_all_newtons_hangs_on(nominal, determined, says):
    result = Made(parameters=[estimate('thrust.scale', determined=determined, std=0.07, prior_std=0.5),
                              estimate('inertia.m11', prior=20.0, prior_std=10.0)],
                  tracks=[Made(nominal=one) for one in nominal])
    words = identification._unknown_scale(result)
    assert len(words) == bool(says) and all(says in one for one in words)


def test_numbers_that_keep_their_priors_are_told_by_what_would_excite_them():
    """The last two letters say the motion; the scale of all newtons has a warning of its own."""
    kept = ('inertia.m22', 'damping.linear.d22', 'damping.linear.d33', 'thrust.scale', 'thrust.exponent',
            'damping.speed.d23', identification.INFLOW, 'foils.0.lift')
    result = found_with({})
    result.found.model.boat = Made(foil_names=('rudder',))
    result.parameters = [*(estimate(key, determined=False) for key in kept), estimate('damping.linear.d11')]
    assert identification._kept_priors(result) == [
        'sway is hardly excited: inertia.m22, damping.linear.d22 keep their prior values',
        'yaw is hardly excited: damping.linear.d33 keeps its prior value', 'thrust.exponent keeps its prior value',
        'the coupling of sway and yaw is hardly excited: damping.speed.d23 keeps its prior value',
        f'thrust at different speeds of the water through the propellers is hardly excited: {identification.INFLOW} '
        'keeps its prior value', 'the foil rudder is hardly excited: foils.0.lift keeps its prior value']


def test_motions_are_predicted_that_are_less_than_their_errors():
    """Root mean squares of all logs; below 3 cm/s a motion is none worth a word."""
    logs = [Made(u=np.array([3.0, np.nan]), v=np.full(2, 0.02), r=np.full(2, 0.1)),
            Made(u=np.array([4.0]), v=np.full(1, 0.02), r=np.full(1, 0.1))]
    size = math.sqrt(12.5)
    for factor, told in ((0.99, []), (1.01, ['surge', 'yaw rate'])):
        errors = Made(rmse=factor * np.array([size, 0.02, 0.1]))
        words = identification.predicts_nothing(errors, logs, 'these', 'no use')
        assert [one.split(':')[0] for one in words] == told
        assert all(f'({size:.3g})' in one for one in words[:1])


@pytest.mark.parametrize(('scores', 'logs', 'words'), [
    ((1.2, 1.0), 5, ['score 1.00']), ((1.2, 0.99), 5, []), ((0.5,), 1, ['three parts of one log']),
    ((0.5,), 2, ['2 logs'])])
def test_the_choice_of_a_form_is_uncertain_where_none_predicts_or_few_logs_judge(scores, logs, words):
    found = identification.uncertain_form([Made(score=score) for score in scores], logs)
    assert len(found) == len(words) and all(word in one for word, one in zip(words, found))


@pytest.mark.parametrize(('low', 'value', 'high', 'determined', 'told'), [
    (0.5, 0.7, 0.9, True, '70 % of what they give ahead for the same thrust in the log (50 to 90 %)'),
    (1.1, 1.2, 1.3, True, '120 % of what they give ahead for the same thrust in the log (110 to 130 %)'),
    (0.5, 0.7, 0.9, False, ''), (0.5, 0.8, 1.0, True, ''), (1.0, 1.2, 1.4, True, ''), (0.95, 0.96, 0.97, True, ''),
    (1.02, 1.04, 1.06, True, '')])
def test_thrusters_give_less_astern_that_surely_do_and_by_a_twentieth(low, value, high, determined, told):
    astern = Made(key='thrust.astern', low=low, value=value, high=high, determined=determined)
    words = identification._astern(Made(parameters=[astern]))
    assert words == ([f'astern the thrusters give {told}'] if told else [])


@pytest.mark.parametrize(('correlation', 'told'), [(0.96, '+0.96'), (-0.97, '-0.97'), (0.94, ''), (-0.94, '')])
def test_two_numbers_cannot_be_told_apart_that_hang_together_beyond_the_scale(correlation, told):
    """All are proportional to the scale, too, with which alone nothing is said: 3 and 5 of its own 0.1."""
    slopes, stds = np.array([1.0, 3.0, 5.0]), np.array([0.0, 2.0, 4.0])
    apart = np.outer(stds, stds) * (np.eye(3) + correlation * (1.0 - np.eye(3)))
    result = found_with({'thrust.scale': 1.0, 'inertia.m11': 2.0, 'inertia.m22': 3.0})
    result.known = Made(covariance=apart + 0.01 * np.outer(slopes, slopes))
    with np.errstate(all='raise'):
        words = identification._correlated(result)
    assert [one.split(': trust')[0] for one in words] == (
        [f'inertia.m22 and inertia.m11 can hardly be separated (correlation {told})'] if told else [])


@pytest.mark.parametrize(('speed', 'std', 'current', 'wind'), [
    (0.06, 0.01, True, False), (0.049, 0.001, False, False), (0.06, 0.022, False, False), (2.1, 0.5, True, True),
    (1.9, 0.1, True, False), (2.1, 0.76, False, False)])
def test_steady_flows_are_told_from_two_standard_errors_and_a_least_one_on(speed, std, current, wind):
    """Of a 3-4-5 triangle: to 323 degrees of the compass, which is the course of (-3, 4)."""
    flow = np.array([[-0.6 * speed, 0.8 * speed]])
    result = Made(found=Made(windows=[Made(track=Made(name='log'))], currents=flow, winds=flow),
                  known=Made(flow_std=np.full((1, 4), std)))
    assert identification._steady_currents(result) == [
        f'log: a steady current of {speed:.2f} m/s ({speed / KNOT:.1f} kn) set 323 (NW)'] * current
    words = (f'log: as if a steady wind of {speed:.2f} m/s ({speed / KNOT:.1f} kn) from 143 (SE) blew '
             f'(+- {std:.1f} m/s); the log holds none')
    assert identification._steady_winds(result) == [words] * wind


def test_numbers_at_their_bounds_are_named_but_for_the_bound_of_nature():
    bounds = {'low': (1.0, 1.0, 5.0), 'high': (5.0, 1.0, 5.0), 'natural': (0.0, 0.0, 5.0), 'free': (2.0, 1.0, 5.0)}
    parameters = [Made(key=key, unit='kg', lower=lower, upper=upper) for key, (_, lower, upper) in bounds.items()]
    result = found_with({key: value for key, (value, _, _) in bounds.items()}, parameters=parameters)
    result.found.converged = True
    assert [one.split(' kg')[0] for one in identification._not_settled(result)] == [
        'low is at its bound, 1', 'high is at its bound, 5']
    result.found.converged = False
    assert identification._not_settled(result)[0].startswith('the fit had not converged')
