"""How much the speed scatters: what the bank of strengths learns of the sway."""

import math

import numpy as np
import pytest

from usv_energy.studies.analyze.current.flow_from_sway import (
    DOUBT,
    EDDY,
    EDDY_SPREAD,
    EDDY_TIME,
    FAR,
    ODOMETRY,
    ODOMETRY_SPREAD,
    ODOMETRY_TIME,
    STATES,
    STRENGTHS,
    SpeedScatter,
    kept_scatter,
    scatter_of,
    with_scatter,
)
from usv_energy.studies.analyze.hull.hull_response import CURRENT, UNKNOWNS

KNOWN = np.diag([0.1, 1e-9, 1e-9, 0.5, 0.5, 1e-3])
STILL = np.zeros(UNKNOWNS)


def fading(n, deviation, time, rng):
    """Return a Gauss-Markov series of so many values 10 s apart."""
    keep, out = math.exp(-10.0 / time), [rng.normal(0.0, deviation)]
    for more in rng.normal(0.0, deviation * math.sqrt(1.0 - keep * keep), n - 1):
        out.append(keep * out[-1] + more)
    return np.array(out)


def learnt(strength, rng, jump=0.0):
    """Return the strength that the sway of three hours shows, on legs of two minutes; halfway a wild block."""
    bank, n = SpeedScatter(KNOWN), 1080
    eddies = np.array([fading(n, EDDY_SPREAD * strength, EDDY_TIME, rng) for _ in range(2)])
    slow, white = fading(n, ODOMETRY_SPREAD * strength, ODOMETRY_TIME, rng), rng.normal(0.0, 0.01, n)
    for k in range(n):
        yaw = 2.4 * (k // 12)
        slope = np.zeros(STATES)
        slope[EDDY] = slope[CURRENT] = -math.sin(yaw), math.cos(yaw)
        slope[ODOMETRY] = 0.0, 1.0
        bank.predict(10.0, np.ones(UNKNOWNS), STILL)
        sway = slope[EDDY] @ eddies[:, k] + slow[k] + white[k] + (jump if k == n // 2 else 0.0)
        bank.update(float(sway), slope, 1e-4)
    return bank.strength


@pytest.mark.parametrize('strength', [1.0, 2.0, 3.0])
def test_the_sway_tells_how_strong_the_eddies_are(strength, rng):
    """To a fifth: an hour that is remembered holds some sixty eddies, 1 / sqrt(2 * 60) = 9 % each way."""
    assert learnt(strength, rng) == pytest.approx(strength, rel=0.2)


def test_a_wild_block_counts_as_one_of_three_deviations(rng):
    assert FAR == 9.0
    assert learnt(1.0, rng, jump=5.0) < 2.0


def test_nothing_seen_is_about_one():
    """The root of the mean square over a prior that is log-normal about 1."""
    weight = np.exp(-0.5 * (np.log(STRENGTHS) / DOUBT) ** 2)
    found = SpeedScatter(KNOWN).strength
    assert found == pytest.approx(math.sqrt(weight @ STRENGTHS ** 2 / weight.sum()))
    assert 1.0 < found < 1.5


def test_what_was_seen_fades_within_an_hour(rng):
    bank = SpeedScatter(KNOWN)
    bank._evidence = rng.normal(size=STRENGTHS.size)
    before = bank._evidence.copy()
    bank.predict(3600.0, np.ones(UNKNOWNS), STILL)
    assert bank._evidence == pytest.approx(before / math.e)


def test_eddies_and_odometry_stay_as_strong_as_they_are(rng):
    """A Gauss-Markov process keeps its variance, whatever the step; the unknowns get what is told of them."""
    bank, added = SpeedScatter(KNOWN), np.arange(1.0, 7.0)
    for elapsed in (3.0, 60.0, 1e5):
        bank.predict(elapsed, np.full(UNKNOWNS, 0.5), added)
        for k, strength in enumerate(STRENGTHS):
            assert np.diag(bank._covariance[k])[UNKNOWNS:] == pytest.approx(np.square(
                [0.02 * strength] * 2 + [0.015 * strength] * 2))
    known = np.diag(KNOWN) / 64.0 + added * (1.0 + 0.25 + 0.0625)
    assert np.diag(bank._covariance[0])[:UNKNOWNS] == pytest.approx(known)


def test_an_update_is_that_of_kalman(rng):
    bank = SpeedScatter(KNOWN)
    number = STRENGTHS.size
    half = rng.normal(size=(number, STATES, STATES))
    bank._covariance, bank._mean = half @ np.swapaxes(half, 1, 2), rng.normal(size=(number, STATES))
    mean, covariance, slope = bank._mean, bank._covariance, rng.normal(size=STATES)
    bank.update(0.7, slope, 0.3)
    likely = []
    for k in range(number):
        variance = slope @ covariance[k] @ slope + 0.3
        gain = covariance[k] @ slope / variance
        surprise = 0.7 - slope @ mean[k]
        assert bank._mean[k] == pytest.approx(mean[k] + gain * surprise)
        np.testing.assert_allclose(bank._covariance[k], covariance[k] - np.outer(gain, slope @ covariance[k]),
                                   atol=1e-12)
        likely.append(-0.5 * (min(surprise ** 2 / variance, FAR) + math.log(variance)))
    assert bank._evidence == pytest.approx(np.array(likely) - max(likely))


def test_an_eddy_is_a_current_and_so_is_an_error_of_the_odometry_along_the_bow(rng):
    slopes, yaw = rng.normal(size=(3, 2, UNKNOWNS)), 0.7
    found = with_scatter(slopes, yaw)
    np.testing.assert_array_equal(found[:, :, :UNKNOWNS], slopes)
    np.testing.assert_array_equal(found[:, :, EDDY], slopes[:, :, CURRENT])
    ahead, port = (math.cos(yaw), math.sin(yaw)), (-math.sin(yaw), math.cos(yaw))
    np.testing.assert_allclose(found[:, :, ODOMETRY], np.stack(
        [slopes[:, :, CURRENT] @ ahead, slopes[:, :, CURRENT] @ port], axis=2))
    assert kept_scatter(30.0) == pytest.approx([math.exp(-0.5)] * 2 + [math.exp(-1.0)] * 2)
    assert scatter_of(np.array(2.0)) == pytest.approx([0.04, 0.04, 0.03, 0.03])
