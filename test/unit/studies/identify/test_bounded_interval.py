"""Unified intervals against the published table and their definition, and how often they hold the truth."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from usv_energy.studies.identify.bounded_interval import interval_above, unified_interval

Z = 1.959963984540054
# Feldman and Cousins (1998), table X: measurement, level, both ends.
PUBLISHED = [(-3.0, 0.6827, 0.00, 0.04), (-3.0, 0.90, 0.00, 0.26), (-3.0, 0.95, 0.00, 0.42), (-3.0, 0.99, 0.00, 0.80),
             (0.0, 0.6827, 0.00, 1.00), (0.0, 0.90, 0.00, 1.64), (0.0, 0.95, 0.00, 1.96), (0.0, 0.99, 0.00, 2.58),
             (1.0, 0.6827, 0.24, 2.00), (1.0, 0.95, 0.00, 2.96), (2.0, 0.90, 0.58, 3.64), (2.6, 0.90, 1.02, 4.24),
             (3.0, 0.6827, 2.00, 4.00), (3.0, 0.90, 1.37, 4.64)]


@pytest.mark.parametrize(('measured', 'level', 'low', 'high'), PUBLISHED)
def test_intervals_are_those_of_the_published_table(measured, level, low, high):
    assert unified_interval(measured, level) == pytest.approx((low, high), abs=0.006)


@pytest.mark.parametrize('level', [0.6827, 0.95])
def test_intervals_are_those_of_the_definition_by_search(level):
    """For each truth on a grid the most likely measurements beside the best truth allowed, until there are enough."""
    step = 0.002
    measured = np.arange(-8.0, 12.0, step)
    truths = np.arange(0.0, 6.0, 0.01)
    taken = []
    for truth in truths:
        ratio = norm.logpdf(measured - truth) - norm.logpdf(measured - np.maximum(measured, 0.0))
        order = np.argsort(-ratio, kind='stable')
        # At a truth of 0 all measurements below 0 are alike: all of them are taken first.
        share = np.cumsum(norm.pdf(measured[order] - truth)) * step
        some = np.zeros(len(measured), bool)
        some[order[:np.searchsorted(share, level) + 1]] = True
        taken.append(some)
    belt = np.array(taken)
    for at in (-2.5, -1.0, -0.2, 0.3, 1.2, 1.8, 2.4, 3.3):
        inside = truths[belt[:, np.argmin(np.abs(measured - at))]]
        assert unified_interval(at, level) == pytest.approx((inside.min(), inside.max()), abs=0.012), at


@pytest.mark.parametrize('truth', [0.0, 0.5, 1.0, 1.9, 3.0])
def test_unified_intervals_hold_the_truth_as_often_as_they_say(truth):
    """20000 draws: a standard error of 0.15 %."""
    measured = truth + np.random.default_rng(13).standard_normal(20000)
    ends = np.array([unified_interval(one) for one in measured])
    held = np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    assert held == pytest.approx(0.95, abs=0.006)


@pytest.mark.parametrize('truth', [0.0, 0.5, 1.0, 1.9, 3.0])
def test_intervals_of_estimates_kept_at_the_bound_hold_it_as_often_or_more(truth):
    """Below two standard errors nothing is missed below, and what lies above the range is at most a twentieth."""
    expected = 0.95
    if 0.0 < truth < Z:
        upper = brentq(lambda measured: unified_interval(measured)[0] - truth, 1.65, 2.0 * Z)
        expected = norm.cdf(upper - truth)
    assert 0.95 <= expected < 0.975
    unit, bound = 0.3, 2.0
    estimates = bound + unit * np.maximum(truth + np.random.default_rng(14).standard_normal(20000), 0.0)
    ends = np.array([interval_above(bound, one, Z * unit) for one in estimates])
    held = np.mean((ends[:, 0] <= bound + unit * truth) & (bound + unit * truth <= ends[:, 1]))
    assert held == pytest.approx(expected, abs=0.006)


def test_far_from_the_bound_an_interval_is_the_usual_one_and_at_it_half_of_it():
    assert interval_above(0.0, 10.0, 2.0) == pytest.approx((8.0, 12.0), rel=1e-12)
    assert interval_above(-1.0, -1.0, 2.0) == pytest.approx((-1.0, 1.0), rel=1e-12)
    assert interval_above(0.0, 2.0 * norm.ppf(0.95) / Z, 2.0)[0] == pytest.approx(0.0, abs=1e-6)
    assert interval_above(0.0, 5.0, 0.0) == (5.0, 5.0), 'a number that was given'
    assert np.isnan(interval_above(0.0, 5.0, float('nan'))).all()


def test_ends_rise_with_the_measurement():
    ends = np.array([unified_interval(one) for one in np.linspace(-6.0, 6.0, 241)])
    assert np.all(np.diff(ends[:, 0]) >= 0.0) and np.all(np.diff(ends[:, 1]) > 0.0)
