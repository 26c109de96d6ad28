"""The likelihood and the errors of a fit of waves, by dense matrices in place of its whitened rows."""

import math

import numpy as np
import pytest
from scipy.stats import t as student
from test_wave_fit import MANY, PERIODS, SEAS, SURE, TRUE, drawn
from test_wave_nodes import made_legs

from usv_energy.studies.identify.seas import wave_fit
from usv_energy.studies.identify.seas.wave_fit import KnownErrors
from usv_energy.studies.identify.seas.wave_legs import WaveNodes, wave_nodes

NODES = WaveNodes((0.0, 0.5 * math.pi, math.pi), PERIODS)
FOUND = np.concatenate([[0.04], TRUE.ravel()])
KNOWN = KnownErrors(0.1, 0.03, 0.07)
SCATTERS = np.array([0.5, 0.2, 0.1])


@pytest.fixture
def legs(rng):
    legs = drawn(rng, still=0.5)
    return legs._replace(duration=rng.uniform(15.0, 30.0, legs.duration.size))


def design_of(legs):
    return np.column_stack([legs.drag, legs.height[:, None] ** 2 * NODES.weights(legs)])


def dense(legs):
    """Return the covariance of all blocks, N^2, from the docstring's formula, log by log."""
    design = design_of(legs)
    wave = design[:, 1:] @ FOUND[1:]
    most = [abs(TRUE[:, PERIODS.index(period)]).max() if period in PERIODS else np.nan for period in legs.period]
    largest = np.where(legs.height > 0.0, np.nan_to_num(most) * legs.height ** 2, 0.0)
    alone = (0.5 ** 2 + (0.2 * wave) ** 2 + (0.1 * largest) ** 2) * 20.0 / legs.duration
    same = legs.log[:, None] == legs.log
    shared = np.outer(0.07 * 2.0 * wave, 0.07 * 2.0 * wave)
    ahead = np.cos(legs.yaw[:, None] - legs.yaw) * np.outer(legs.slope, legs.slope) * 0.03 ** 2
    return np.diag(alone) + same * (shared + ahead)


def rows_of(legs):
    design = design_of(legs)
    return list(wave_fit._logs(legs, design, FOUND, KNOWN, wave_fit._largest(legs, NODES, FOUND)))


def test_the_restricted_likelihood_is_that_of_the_whole_covariance(legs):
    """log|V| + log|X' V^-1 X + P| + what best numbers leave, the prior's part with it: Harville (1977)."""
    covariance, design = dense(legs), design_of(legs)
    prior = np.zeros((7, 7))
    prior[0, 0] = 1.0 / 0.1 ** 2
    inverse = np.linalg.inv(covariance)
    normal = design.T @ inverse @ design + prior
    best = np.linalg.inv(normal) @ design.T @ inverse @ legs.force
    rest = legs.force - design @ best
    wanted = (np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(normal)[1] + rest @ inverse @ rest
              + best @ prior @ best)
    assert wave_fit._minus_twice_log_likelihood(np.log(SCATTERS), rows_of(legs), KNOWN) == pytest.approx(wanted)
    found, spread = wave_fit._solved(np.log(SCATTERS), rows_of(legs), NODES, KNOWN)
    np.testing.assert_allclose(spread, np.linalg.inv(normal), rtol=1e-6)
    free = np.flatnonzero((best > 0.0) | ~np.append(False, NODES.from_ahead))
    np.testing.assert_allclose(found[free], best[free], rtol=0.5, atol=1.0)
    assert (found[1:3] >= 0.0).all()


def test_the_error_of_a_drag_that_is_known_beforehand_is_at_most_that(rng):
    """Its estimate is drawn to the file's by as much: all of it where nothing else tells it."""
    legs = drawn(drag=0.2, seas=[(0.3, 2.0)])
    fit = wave_fit.wave_fit(legs, wave_nodes(legs, periods=[2.0]), KnownErrors(0.05, height=0.0))
    assert fit.drag_error == pytest.approx(0.05, rel=1e-3) and fit.drag == pytest.approx(0.0, abs=1e-6)


def test_intervals_are_student_s_by_the_blocks_beyond_the_unknowns(rng):
    legs = drawn(rng, still=0.5)
    fit = wave_fit.wave_fit(legs, NODES, SURE)
    reach = student.ppf(0.975, len(SEAS) * len(MANY) - 7)
    for place, one in enumerate(one for row in fit.coefficients for one in row):
        assert one.error ** 2 == pytest.approx(fit.covariance[place, place])
        if place >= 2:  # Those from before the beam have an interval that is bounded.
            assert (one.high - one.value) / one.error == pytest.approx(reach)
            assert (one.value - one.low) / one.error == pytest.approx(reach)
    assert fit.covariance.shape == (6, 6)
    few = made_legs([(0.3, 2.0)], (0.0, 90.0, 180.0))._replace(force=np.array([4.0, 1.0, -1.0]))
    one = wave_fit.wave_fit(few, wave_nodes(few), KnownErrors(0.01, height=0.0)).coefficients[1][0]
    assert (one.high - one.value) / one.error == pytest.approx(student.ppf(0.975, 1)), 'no fewer than one'


def test_a_coefficient_of_nothing_has_no_sign():
    assert str(wave_fit._coefficient(-0.0, 1.0, False, 2.0).value) == '0.0'


def test_blocks_without_noise_scatter_by_the_least_of_the_drag_and_of_the_force_in_waves():
    legs = drawn(drag=0.05)
    fit = wave_fit.wave_fit(legs, NODES, SURE)
    assert fit.still == pytest.approx(1e-4 * 50.0, rel=0.2), 'N, of a drag of 50 N'
    assert (fit.grouped, fit.moved) == pytest.approx((0.01, 0.01), rel=0.2)


def test_groups_of_waves_and_what_is_beside_them_are_told_apart(rng):
    """Seas from the side have less than the largest force: a scatter that goes with the largest is not theirs."""
    for grouped, moved in ((0.3, 0.0), (0.0, 0.3)):
        fits = []
        for _ in range(6):
            legs = drawn(rng, still=0.02, grouped=grouped)
            largest = wave_fit._largest(legs, NODES, FOUND)
            legs = legs._replace(force=legs.force + moved * largest * rng.normal(size=largest.size))
            fits.append(wave_fit.wave_fit(legs, NODES, SURE))
        squares = np.mean([[fit.grouped ** 2, fit.moved ** 2] for fit in fits], axis=0)
        assert squares == pytest.approx([grouped ** 2, moved ** 2], abs=0.3 ** 2 * 0.4)
