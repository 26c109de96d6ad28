"""Fits and evidence where both are known in closed form: an error of the sway that is linear in the flow."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.analyze.current import unknown_flow
from usv_energy.studies.analyze.current.unknown_flow import (
    ALONG,
    FLOOR,
    GOOD,
    MODELS,
    PRIOR,
    SURE,
    Explanation,
    _preferred,
    _scatter,
    explanations,
    open_flow,
    turning_explanation,
)

BLOCKS = 60
HEADING = np.linspace(0.0, 6.0 * np.pi, BLOCKS)
ACROSS = np.column_stack([-np.sin(HEADING), np.cos(HEADING)])
PUSHED = 0.07 * ACROSS * (1.0 + 0.5 * np.cos(HEADING[:, None]))


class Linear:
    """An error of the sway: across a heading, a current carries and a wind pushes; both by known columns."""

    blocks = BLOCKS
    course = math.nan

    def __init__(self, truth, wind=PUSHED, noise=0.0):
        self.columns = np.column_stack([ACROSS, wind])
        self.data = self.columns @ truth + noise

    def means(self, flow, tune):
        return self.data - self.columns @ np.array(flow) + 0.3 * tune.turned


def evidence(error, free, deviation):
    """Return the logarithm of the marginal likelihood, but for what all models share: a Gaussian's, in closed form."""
    columns = np.column_stack([error.columns[:, list(free)] * PRIOR[list(free)], np.full(BLOCKS, 0.3 * PRIOR[6])])
    covariance = deviation ** 2 * np.eye(BLOCKS) + columns @ columns.T
    return -0.5 * error.data @ np.linalg.solve(covariance, error.data) \
        - 0.5 * (np.linalg.slogdet(covariance)[1] - BLOCKS * np.log(deviation ** 2))


@pytest.mark.parametrize('name', MODELS)
def test_the_evidence_is_the_marginal_likelihood_of_a_linear_model(name, rng):
    error = Linear([0.1, -0.05, 1.0, 2.0], noise=rng.normal(0.0, 0.005, BLOCKS))
    found = unknown_flow._Fit(error, STILL).explanation(name)
    assert found.evidence == pytest.approx(evidence(error, MODELS[name], FLOOR), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(('name', 'truth'), [('current', [0.2, -0.1, 0.0, 0.0]), ('wind', [0.0, 0.0, -2.0, 4.0])])
def test_the_flow_that_ran_is_taken_and_its_covariance_is_that_of_least_squares(name, truth):
    error = Linear(truth)
    taken, *others = explanations(error, STILL, ('current', 'wind'))
    assert taken.name == name and taken.whole
    np.testing.assert_allclose(taken.flow, truth, rtol=0.02, atol=1e-3)
    assert all(other.evidence < taken.evidence for other in others)
    free = list(MODELS[name])
    columns = np.column_stack([error.columns[:, free], np.full(BLOCKS, 0.3)])
    inverse = columns.T @ columns / FLOOR ** 2 + np.diag(PRIOR[[*free, 6]] ** -2.0)
    np.testing.assert_allclose(taken.covariance, np.linalg.inv(inverse)[:2, :2], rtol=1e-3, atol=1e-9)


def test_where_both_explain_it_the_wind_is_taken_and_the_current_named():
    taken, other = explanations(Linear([0.2, 0.1, 0.0, 0.0], wind=0.07 * ACROSS), STILL, ('current', 'wind'))
    assert (taken.name, other.name) == ('wind', 'current')
    np.testing.assert_allclose(np.array(taken.flow[2:]) * 0.07, other.flow[:2], rtol=0.02)
    only, = explanations(Linear([0.2, 0.1, 0.0, 0.0], wind=0.07 * ACROSS), STILL, ('current',))
    assert only.name == 'current', 'where the wind is known'


def test_where_both_explain_the_sway_the_surge_parts_them():
    """Its evidence counts beside that of the sway, in all of the flow, what is known of it included."""
    error, asked = Linear([0.2, 0.1, 0.0, 0.0], wind=0.07 * ACROSS), []

    def surge(flow):
        asked.append(flow)
        return 20.0 if abs(flow.current_x) > 0.1 else 0.0

    plain = {one.name: one.evidence for one in explanations(error, STILL, ('current', 'wind'))}
    taken, other = explanations(error, STILL, ('current', 'wind'), surge)
    assert (taken.name, other.name) == ('current', 'wind')
    assert taken.evidence == pytest.approx(plain['current'] + 20.0) and other.evidence == pytest.approx(plain['wind'])
    assert [flow for flow in asked if flow.wind_x == 0.0] == [taken.flow]
    assert explanations(error, STILL, ('current', 'wind'), lambda flow: 20.0)[0].name == 'wind', 'it parts nothing'


def test_nothing_is_found_in_still_water_in_a_turned_compass_and_in_what_no_flow_does(rng):
    both = ('current', 'wind')
    assert explanations(Linear([0.02, 0.0, 0.0, 0.0]), STILL, both) == [], 'too little to look for'
    assert explanations(Linear(np.zeros(4), noise=0.05), STILL, both) == [], 'as a compass that is turned'
    assert explanations(Linear(np.zeros(4), noise=rng.normal(0.0, 0.1, BLOCKS)), STILL, both) == []
    assert explanations(Linear([0.3, 0.0, 0.0, 6.0]), STILL, both) == [], 'it takes both at once'
    assert explanations(Linear([0.3, 0.0, 0.0, 0.0]), STILL, ()) == [], 'nothing is unknown'


def test_what_is_known_of_a_flow_is_taken_off_and_a_rough_current_is_not_believed(rng):
    wind = np.array([0.0, 0.0, 3.0, 3.0])
    found, = explanations(Linear(np.add(wind, [0.2, 0.0, 0.0, 0.0])), Flow(*wind.tolist()), ('current',))
    np.testing.assert_allclose(found.flow[:2], (0.2, 0.0), atol=1e-3)
    rough = Linear([0.2, 0.0, 0.0, 0.0], noise=rng.normal(0.0, 0.04, BLOCKS))
    assert explanations(rough, STILL, ('current',)) == []


def test_what_a_log_does_not_tell_of_a_flow_is_none_and_half_a_flow_is_not_taken():
    """On one course only what comes from abeam shows."""
    error = Linear(np.zeros(4))
    error.columns = np.column_stack([np.zeros(BLOCKS), np.ones(BLOCKS), np.zeros(BLOCKS), 0.07 * np.ones(BLOCKS)])
    error.data = 0.3 * error.columns[:, 1]
    for name in ('current', 'wind'):
        found = unknown_flow._Fit(error, STILL).explanation(name)
        assert found.flow.current_x == found.flow.wind_x == 0.0 and not found.whole
        assert max(abs(value) for value in found.flow) > 0.2
    assert explanations(error, STILL, ('current', 'wind')) == []


@pytest.mark.parametrize(('repeats', 'wider'), [(1, 1.0), (8, math.sqrt(480 / 100.0))])
def test_errors_are_weighed_by_their_scatter_about_the_best_flow_and_of_a_hundred_blocks_at_most(rng, repeats, wider):
    """A wrong number of the boat is wrong in each block: of 480 each counts as 100 do."""
    error = Linear([0.2, -0.1, 0.0, 0.0], noise=rng.normal(0.0, 0.04, BLOCKS))
    fit = unknown_flow._Fit(error, STILL)
    error.columns, error.data = np.tile(error.columns, (repeats, 1)), np.tile(error.data, repeats)
    error.blocks = repeats * BLOCKS
    fit.settle(MODELS['current'])
    columns = np.column_stack([error.columns[:, :2], np.full(error.blocks, 0.3)])
    prior = np.diag((fit._deviation / PRIOR[[0, 1, 6]]) ** 2)
    best = np.linalg.solve(columns.T @ columns + prior, columns.T @ error.data)
    assert fit._deviation == pytest.approx(_scatter(error.data - columns @ best) * wider, rel=1e-3)
    assert fit._deviation > 3.0 * FLOOR


def test_the_surge_is_asked_only_where_it_parts_two():
    asked = []
    only, = explanations(Linear([0.2, 0.1, 0.0, 0.0]), STILL, ('current',), lambda flow: asked.append(flow) or 5.0)
    assert only.name == 'current' and asked == []


def said(name, evidence, scatter=0.01, whole=True):
    return Explanation(name, Flow(0.1, 0.2, 3.0, 4.0), np.eye(2), evidence, scatter, whole)


def test_a_wind_is_taken_unless_the_sway_shows_well_that_it_was_a_current():
    """Odds of e^7, and 2 cm/s of scatter at most; a current alone needs that, too, a wind does not."""
    current, wind = said('current', 10.0), said('wind', 2.9)
    assert _preferred({'current': current, 'wind': wind}) == [current, wind]
    for other in (current._replace(evidence=9.9), current._replace(scatter=GOOD)):
        assert _preferred({'current': other, 'wind': wind}) == [wind, other]
    assert _preferred({'current': current}) == [current] and _preferred({'wind': wind}) == [wind]
    assert _preferred({'current': current._replace(scatter=GOOD)}) == []
    assert _preferred({'wind': wind._replace(scatter=1.0)})[0].name == 'wind' and _preferred({}) == []
    assert (SURE, GOOD) == (7.0, 0.02)


class Fits:
    """Stands for the fit of each model: what is made up of it."""

    def __init__(self, **made):
        self.made = {'none': said('none', 0.0)} | made

    def __call__(self, error, known):
        return self

    def settle(self, free):
        self.free = free

    def explanation(self, name):
        return self.made[name]


def found_of(monkeypatch, scatter=0.1, blocks=10, surge=None, **made):
    monkeypatch.setattr(unknown_flow, '_Fit', Fits(**made))
    error = SimpleNamespace(blocks=blocks, course=math.nan, means=lambda flow, tune: np.full(20, scatter))
    asked = tuple(name for name in made if name in ('current', 'wind'))
    return [one.name for one in explanations(error, STILL, asked, surge or (lambda flow: 0.0))]


def test_a_flow_is_looked_for_from_ten_blocks_and_three_centimetres_a_second_of_sway(monkeypatch):
    made = {'wind': said('wind', 5.0)}
    assert found_of(monkeypatch, **made) == ['wind']
    assert found_of(monkeypatch, blocks=9, **made) == [] and found_of(monkeypatch, scatter=0.0299, **made) == []
    assert found_of(monkeypatch, scatter=0.0301, **made) == ['wind']


@pytest.mark.parametrize(('change', 'told'), [
    ({'evidence': 4.001}, True), ({'evidence': 4.0}, False), ({'scatter': 0.0499}, True), ({'scatter': 0.0501}, False),
    ({'whole': False}, False)])
def test_a_flow_explains_the_sway_by_odds_of_e4_and_three_quarters_of_its_variance(monkeypatch, change, told):
    """Half of the scatter is a quarter of the variance; and not only what comes from abeam."""
    assert bool(found_of(monkeypatch, wind=said('wind', 6.0)._replace(**change))) is told


def test_where_both_together_do_much_better_none_is_taken(monkeypatch):
    one = {'current': said('current', 5.0), 'wind': said('wind', 6.0)}
    for both, names in ((10.0, ['wind', 'current']), (10.001, [])):
        assert found_of(monkeypatch, **one, **{'current and wind': said('both', both)}) == names


def test_the_surge_parts_a_current_from_a_wind_where_both_explain_the_sway(monkeypatch):
    one = {'current': said('current', 5.0)._replace(flow=Flow(0.3, 0.0, 0.0, 0.0)), 'wind': said('wind', 6.0),
           'current and wind': said('both', 6.0)}
    assert found_of(monkeypatch, surge=lambda flow: 8.001 if flow.current_x == 0.3 else 0.0, **one) == [
        'current', 'wind']
    assert found_of(monkeypatch, surge=lambda flow: 7.999 if flow.current_x == 0.3 else 0.0, **one) == [
        'wind', 'current']
    weak = one | {'current': one['current']._replace(evidence=3.0)}
    assert found_of(monkeypatch, surge=lambda flow: 99.0, **weak) == ['wind'], 'what is not told is not asked about'


def test_a_search_begins_with_nothing_and_a_prior_s_deviation_to_each_side():
    fit = unknown_flow._Fit(Linear(np.zeros(4)), STILL)
    starts = np.array(fit._starts((2, 3)))
    assert starts.shape == (5, 5) and not starts[0].any() and np.count_nonzero(starts) == 4
    assert starts.sum(axis=0).tolist() == [0.0] * 5 and np.abs(starts).sum(axis=0).tolist() == [2.0, 2.0, 0.0, 0.0, 0.0]
    assert fit._basis((2, 3)).argmax(axis=0).tolist() == [2, 3, 4, 5, 6] and len(fit._starts(())) == 1
    assert _scatter(np.array([3.0, -4.0])) == pytest.approx(12.5 ** 0.5)


def test_along_a_heading_that_is_held_the_sway_tells_nothing_of_a_flow():
    """A yaw rate that is noise turns no speed into sway: that seemed to tell of a current as fast as the boat."""
    error = Linear([0.8, 0.1, 0.0, 0.0])
    error.columns = np.column_stack([np.full(BLOCKS, 0.5), np.ones(BLOCKS), np.zeros((BLOCKS, 2))])
    error.data = error.columns @ [0.8, 0.1, 0.0, 0.0]
    error.course = 0.0
    left = open_flow(error, STILL, ('current', 'wind'))
    assert left.mean[0] == left.mean[2] == 0.0 and left.mean[1] == pytest.approx(0.5, rel=0.01)
    assert np.sqrt(np.diag(left.covariance))[[0, 2, 3]] == pytest.approx([*ALONG[[0, 2]], PRIOR[3]])
    assert left.covariance[1, 1] < 0.01 ** 2
    turned = Linear([0.0, 0.0, 0.0, 0.0])
    turned.columns = error.columns[:, [1, 0, 2, 3]] * [-1.0, 1.0, 1.0, 1.0]
    turned.data, turned.course = error.data, 0.5 * math.pi
    assert open_flow(turned, STILL, ('current',)).mean[:2] == pytest.approx([-left.mean[1], 0.0], abs=1e-9)
    assert explanations(error, STILL, ('current', 'wind')) == []
    assert turning_explanation(np.arange(BLOCKS), error, STILL, []) is None
