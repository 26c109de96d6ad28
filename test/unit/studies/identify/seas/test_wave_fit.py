"""The fit held to blocks that are made from known coefficients by the formula of its docstring, noise drawn on them."""

import math

import numpy as np
import pytest
from test_wave_nodes import CALM, made_legs

from usv_energy.studies.identify.seas.wave_fit import KnownErrors, wave_fit
from usv_energy.studies.identify.seas.wave_legs import WaveNodes, wave_nodes

PERIODS = (2.0, 3.0)
TRUE = np.array([[80.0, 40.0], [10.0, 4.0], [-20.0, -6.0]])
SEAS = [CALM, (0.2, 2.0), (0.4, 2.0), (0.3, 3.0), (0.6, 3.0)]
SURE = KnownErrors(height=0.0)
MANY = (0.0, 0.0, 90.0, 90.0, 180.0, 180.0, 90.0, 90.0, 45.0, 135.0)


def drawn(rng=None, drag=0.0, true=TRUE, seas=SEAS, still=0.0, grouped=0.0, height=0.0, current=0.0):
    """Return made blocks: errors of heights and currents are those of a log, the others those of a block."""
    legs = made_legs(seas, MANY)
    wave = legs.height ** 2 * (WaveNodes((0.0, 0.5 * math.pi, math.pi), PERIODS).weights(legs) @ true.ravel())
    if rng is None:
        return legs._replace(force=drag * legs.drag + wave)
    of_log = rng.normal(size=(3, len(seas)))[:, legs.log.astype(int)]
    noise = rng.normal(size=(2, wave.size))
    off = current * legs.slope * (np.cos(legs.yaw) * of_log[1] + np.sin(legs.yaw) * of_log[2])
    seen = legs.height * (1.0 + height * of_log[0])
    return legs._replace(force=drag * legs.drag + wave * (1.0 + grouped * noise[1]) + still * noise[0] + off,
                         height=seen)


def test_without_noise_coefficients_and_drag_come_back():
    fit = wave_fit(legs := drawn(drag=0.05), wave_nodes(legs, periods=PERIODS), SURE)
    np.testing.assert_allclose(fit.values, TRUE, rtol=1e-6, atol=1e-6)
    assert fit.drag == pytest.approx(0.05, rel=1e-9)
    np.testing.assert_allclose(fit.residuals, 0.0, atol=1e-9)


@pytest.mark.parametrize(('made', 'known'), [
    ({'still': 0.6}, SURE), ({'grouped': 0.3, 'still': 0.05}, SURE),
    ({'grouped': 0.2, 'height': 0.1, 'still': 0.1}, KnownErrors(height=0.1)),
    ({'still': 0.2, 'current': 0.02}, KnownErrors(height=0.0, current=0.02))])
def test_intervals_hold_the_truth(rng, made, known):
    """In 95 % of 240 cases, within four standard errors of that share: those of one fit hang together."""
    held, away = [], []
    for _ in range(40):
        legs = drawn(rng, drag=0.03, **made)
        fit = wave_fit(legs, wave_nodes(legs, periods=PERIODS), known)
        held += [one.low <= true <= one.high for row, trues in zip(fit.coefficients, TRUE)
                 for one, true in zip(row, trues)]
        away += [(one.value - true) / one.error for row, trues in zip(fit.coefficients, TRUE)
                 for one, true in zip(row, trues)]
    assert 0.90 <= np.mean(held) <= 0.995
    assert abs(np.mean(away)) < 0.3 and 0.75 < np.std(away) < 1.3


def test_the_scatter_is_found_for_what_it_is(rng):
    fits = []
    for _ in range(10):
        legs = drawn(rng, still=0.5)
        fits.append(wave_fit(legs, wave_nodes(legs, periods=PERIODS), SURE))
    assert np.mean([fit.still for fit in fits]) == pytest.approx(0.5, rel=0.1)


def test_waves_from_ahead_do_not_push(rng):
    true = TRUE * np.array([[0.0], [1.0], [1.0]])
    values, held = [], []
    for _ in range(20):
        legs = drawn(rng, true=true, still=0.5)
        fit = wave_fit(legs, wave_nodes(legs, periods=PERIODS), SURE)
        values += [one.value for one in fit.coefficients[0]]
        held += [one.low <= 0.0 <= one.high and one.low >= 0.0 for one in fit.coefficients[0]]
    assert 0.0 <= min(values) < 1e-9 and np.mean(held) >= 0.85
    assert fit.values[2].max() < 0.0  # Following seas may


def test_a_known_drag_stands_for_calm_water():
    legs = drawn(seas=[(0.3, 2.0)])
    one = [wave_fit(legs, wave_nodes(legs, periods=[2.0]), KnownErrors(share, height=0.0)) for share in (0.01, 0.1)]
    np.testing.assert_allclose(one[0].values[:, 0], TRUE[:, 0], rtol=1e-6)
    # 50 N of drag, known to 1 and 10 %, over 0.3^2 m^2: 5.6 and 56 N/m^2.
    errors = [fit.coefficients[1][0].error for fit in one]
    assert errors == pytest.approx([0.5 / 0.09, 5.0 / 0.09], rel=0.02)
