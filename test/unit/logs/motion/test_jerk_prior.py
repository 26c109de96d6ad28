import numpy as np
import pytest

from usv_energy.logs.motion.jerk_prior import SPREAD, Knots, prior_band, prior_misfit, states_at

KNOTS = Knots(np.array([0.0, 0.1, 0.3, 0.7, 0.8]), np.array([True, True, False, True]))
DENSITY = np.array([0.5, 2.0, 1.0, 3.0])


def transition(step):
    return np.array([[1.0, step, 0.5 * step * step], [0.0, 1.0, step], [0.0, 0.0, 1.0]])


def covariance(step, density):
    """Saerkkae and Solin (2019), example 6.3 one order up: the integral of F(s) [0 0 1]' [0 0 1] F(s)' q ds."""
    t = step
    return density * np.array([[t ** 5 / 20.0, t ** 4 / 8.0, t ** 3 / 6.0], [t ** 4 / 8.0, t ** 3 / 3.0, t * t / 2.0],
                               [t ** 3 / 6.0, t * t / 2.0, t]])


def dense(band):
    n = band.shape[1]
    full = np.zeros((n, n))
    for below in range(band.shape[0]):
        full += np.diag(band[below, :n - below], -below)
        if below:
            full += np.diag(band[below, :n - below], below)
    return full


def expected():
    full = np.zeros((15, 15))
    for k in KNOTS.begins:
        full[3 * k:3 * k + 3, 3 * k:3 * k + 3] += np.diag(np.array(SPREAD) ** -2.0)
    for k, (step, density) in enumerate(zip(np.diff(KNOTS.time), DENSITY)):
        if KNOTS.joined[k]:
            row = np.zeros((3, 15))
            row[:, 3 * k:3 * k + 3], row[:, 3 * k + 3:3 * k + 6] = -transition(step), np.eye(3)
            full += row.T @ np.linalg.inv(covariance(step, density)) @ row
    return full


def test_the_band_is_the_inverse_covariance_of_integrated_white_noise():
    band, log_determinant = prior_band(KNOTS, DENSITY)
    np.testing.assert_allclose(dense(band), expected(), rtol=1e-9, atol=1e-6)
    # Of the whole: each stretch's first state and each step's noise are independent of the others.
    wanted = sum(np.linalg.slogdet(np.linalg.inv(covariance(step, density)))[1]
                 for step, density, joined in zip(np.diff(KNOTS.time), DENSITY, KNOTS.joined) if joined)
    assert log_determinant == pytest.approx(wanted - 2 * 2 * np.log(SPREAD).sum())


def test_a_misfit_is_the_quadratic_form_of_the_prior(rng):
    states = rng.standard_normal((5, 3, 2))
    full = expected()
    for k in KNOTS.begins:
        full[3 * k:3 * k + 3, 3 * k:3 * k + 3] -= np.diag(np.array(SPREAD) ** -2.0)
    flat = states.reshape(15, 2)
    assert prior_misfit(KNOTS, states, DENSITY) == pytest.approx(np.einsum('ik,ij,jk', flat, full, flat))


def test_between_knots_the_motion_is_the_polynomial_through_both_states():
    """A polynomial of fifth degree is met in value, rate and bend; outside of a stretch it goes on at constant bend."""
    curve = np.polynomial.Polynomial([0.3, -1.0, 0.7, 2.0, -3.0, 1.5])
    states = np.stack([curve.deriv(order)(KNOTS.time) if order else curve(KNOTS.time) for order in range(3)],
                      axis=1)[:, :, None]
    time = np.array([0.0, 0.04, 0.1, 0.22, 0.77])
    found = states_at(KNOTS, states, time)[:, :, 0]
    np.testing.assert_allclose(found, np.stack([curve(time), curve.deriv(1)(time), curve.deriv(2)(time)], axis=1),
                               rtol=1e-9, atol=1e-9)
    after, before = states_at(KNOTS, states, np.array([0.35, 0.65]))[:, :, 0]
    value, rate, bend = states[2, :, 0]
    np.testing.assert_allclose(after, [value + 0.05 * rate + 0.5 * 0.05 ** 2 * bend, rate + 0.05 * bend, bend])
    value, rate, bend = states[3, :, 0]
    np.testing.assert_allclose(before, [value - 0.05 * rate + 0.5 * 0.05 ** 2 * bend, rate - 0.05 * bend, bend])


@pytest.mark.parametrize('state', [np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]),
                                   np.array([1.0, -0.5, 0.3]), np.array([-0.2, 0.7, 1.1])])
def test_a_misfit_is_the_least_square_of_the_jerk_that_makes_it(state):
    """From rest to a state within 1 s: the integral of the squared jerk of the polynomial of fifth degree there."""
    powers = np.array([[1.0, 1.0, 1.0], [3.0, 4.0, 5.0], [6.0, 12.0, 20.0]])
    jerk = np.polynomial.Polynomial([0.0, 0.0, 0.0, *np.linalg.solve(powers, state)]).deriv(3)
    square = (jerk * jerk).integ()
    states = np.stack([np.zeros(3), state])[:, :, None]
    knots = Knots(np.array([2.0, 3.0]), np.array([True]))
    assert prior_misfit(knots, states, np.array([1.0])) == pytest.approx(square(1.0) - square(0.0), rel=1e-12)
    assert prior_misfit(knots, states, np.array([4.0])) == pytest.approx(0.25 * (square(1.0) - square(0.0)), rel=1e-12)
    assert prior_misfit(knots._replace(joined=np.array([False])), states, np.array([1.0])) == 0.0


def test_a_motion_goes_on_at_constant_acceleration_before_the_first_knot_and_from_the_last_on():
    states = np.array([[1.0, -0.5, 0.2], [2.0, 0.3, -0.4], [0.0, 1.0, 2.0], [3.0, 0.0, 0.0], [4.0, -1.0, 0.5]])
    found = states_at(KNOTS, states[:, :, None], np.array([-0.2, 0.8, 1.3]))[:, :, 0]
    np.testing.assert_allclose(found[0], [1.0 + 0.2 * 0.5 + 0.5 * 0.04 * 0.2, -0.5 - 0.2 * 0.2, 0.2], rtol=1e-12)
    np.testing.assert_allclose(found[1], [4.0, -1.0, 0.5], rtol=1e-9)
    np.testing.assert_allclose(found[2], [4.0 - 0.5 + 0.125 * 0.5, -1.0 + 0.25, 0.5], rtol=1e-12)
    alone = states_at(Knots(np.array([2.0]), np.zeros(0, dtype=bool)), states[:1, :, None], np.array([2.0, 3.0]))
    np.testing.assert_allclose(alone[:, :, 0], [[1.0, -0.5, 0.2], [1.0 - 0.5 + 0.1, -0.3, 0.2]], rtol=1e-12)
