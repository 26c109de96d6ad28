import numpy as np
import pytest

from usv_energy.physics.dynamics import (
    acceleration,
    coriolis_force,
    damping_force,
    inertia_force,
    relative_acceleration,
)
from usv_energy.physics.frames import to_body
from usv_energy.physics.vessel import Damping, Inertia, read_boat

LUTRA = read_boat('lutra_prop').vessel
MIXED = LUTRA._replace(inertia=Inertia(9.0, 14.0, 2.5), damping=Damping(3.0, 5.0, 7.0, 11.0, 13.0, 17.0))


@pytest.mark.parametrize('vessel', [LUTRA, MIXED])
def test_coriolis_does_no_work(rng, vessel):
    nu_r = rng.uniform(-2.0, 2.0, size=(3, 1000))
    power = sum(f * x for f, x in zip(coriolis_force(*nu_r, vessel.inertia), nu_r))
    np.testing.assert_allclose(power, 0.0, atol=1e-12)


def test_coriolis_matches_the_matrix_of_the_source():
    """Thesis (4.3): C(nu) with the rows (0, 0, -m22 v), (0, 0, m11 u), (m22 v, -m11 u, 0)."""
    u, v, r = 1.2, -0.4, 0.7
    m11, m22, _ = MIXED.inertia
    matrix = np.array([[0.0, 0.0, -m22 * v], [0.0, 0.0, m11 * u], [m22 * v, -m11 * u, 0.0]])
    assert coriolis_force(u, v, r, MIXED.inertia) == pytest.approx(tuple(matrix @ (u, v, r)), rel=1e-14)


def test_damping_is_odd_and_dissipates(rng):
    nu_r = rng.uniform(-2.0, 2.0, size=(3, 1000))
    force = np.array(damping_force(*nu_r, MIXED.damping))
    np.testing.assert_array_equal(damping_force(*-nu_r, MIXED.damping), -force)
    assert np.all(force * nu_r > 0.0)
    assert damping_force(0.0, 0.0, 0.0, MIXED.damping) == (0.0, 0.0, 0.0)


def test_damping_has_a_linear_and_a_quadratic_part():
    assert damping_force(2.0, -2.0, 0.5, MIXED.damping) == (3.0 * 2.0 + 11.0 * 4.0, -(5.0 * 2.0 + 13.0 * 4.0),
                                                            7.0 * 0.5 + 17.0 * 0.25)


def test_acceleration_answers_the_force_that_asks_for_it(rng):
    """tau = M nu_r_dot + C nu_r + D nu_r, put together by hand, gives nu_r_dot back."""
    nu_r, wanted = rng.uniform(-2.0, 2.0, size=(2, 3, 500))
    parts = (inertia_force(*wanted, MIXED.inertia), coriolis_force(*nu_r, MIXED.inertia),
             damping_force(*nu_r, MIXED.damping))
    force = tuple(sum(part[i] for part in parts) for i in range(3))
    np.testing.assert_allclose(acceleration(*nu_r, force, MIXED), wanted, atol=1e-13)


@pytest.mark.parametrize('rate', [(0.0, 0.0), (0.11, -0.07)], ids=['steady', 'changing'])
def test_relative_acceleration_is_the_derivative_of_the_relative_velocity(rate):
    """
    Along a turning, accelerating path: central differences of nu - R^T V_c, fourth order, against the closed form.

    The differences' error at h = 1e-3 s is h^4 / 30 = 3e-14 times the fifth derivative, and 1e-13 of round-off.
    """
    def yaw(t):
        return 0.3 + 0.8 * t + 0.2 * np.sin(1.3 * t)

    def yaw_rate(t):
        return 0.8 + 0.26 * np.cos(1.3 * t)

    def ground(t):
        return np.array((1.0 + 0.3 * np.sin(0.9 * t), 0.2 * np.cos(1.7 * t)))

    def ground_rate(t):
        return np.array((0.27 * np.cos(0.9 * t), -0.34 * np.sin(1.7 * t)))

    def current(t):
        return 0.4 + rate[0] * t, -0.3 + rate[1] * t

    def relative(t):
        return ground(t) - np.array(to_body(*current(t), np.cos(yaw(t)), np.sin(yaw(t))))

    t, h = np.linspace(0.0, 5.0, 40), 1e-3
    numerical = (8.0 * (relative(t + h) - relative(t - h)) - (relative(t + 2 * h) - relative(t - 2 * h))) / (12.0 * h)
    axes = np.cos(yaw(t)), np.sin(yaw(t))
    closed = relative_acceleration(ground_rate(t), to_body(*current(t), *axes), to_body(*rate, *axes), yaw_rate(t))
    np.testing.assert_allclose(closed, numerical, atol=1e-11)
    # The term is not small: leaving it out is wrong by r V_c, 0.4 m/s^2 here.
    assert np.max(np.abs(np.array(closed) - ground_rate(t))) > 0.4
