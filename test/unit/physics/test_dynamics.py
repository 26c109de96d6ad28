import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Damping, Inertia
from usv_energy.physics.dynamics import (
    acceleration,
    coriolis_force,
    damping_force,
    inertia_force,
    relative_acceleration,
)
from usv_energy.physics.frames import to_body

LUTRA = read_boat('lutra_prop').vessel
MIXED = LUTRA._replace(inertia=Inertia(9.0, 14.0, 2.5), damping=Damping(3.0, 5.0, 7.0, 11.0, 13.0, 17.0))
COUPLED = MIXED._replace(
    inertia=Inertia(9.0, 14.0, 2.5, -3.1),
    damping=Damping(3.0, 5.0, 7.0, 11.0, 13.0, 17.0, d23=2.0, d32=-4.5, d22_u=6.0, d23_u=-21.0, d32_u=18.0, d33_u=9.0))


@pytest.mark.parametrize('vessel', [LUTRA, MIXED, COUPLED])
def test_coriolis_does_no_work(rng, vessel):
    nu_r = rng.uniform(-2.0, 2.0, size=(3, 1000))
    power = sum(f * x for f, x in zip(coriolis_force(*nu_r, vessel.inertia), nu_r))
    np.testing.assert_allclose(power, 0.0, atol=1e-12)


def test_coriolis_matches_the_matrix_of_the_source():
    """Thesis (4.3): C(nu) with the rows (0, 0, -m22 v), (0, 0, m11 u), (m22 v, -m11 u, 0)."""
    u, v, r = 1.2, -0.4, 0.7
    m11, m22 = MIXED.inertia.m11, MIXED.inertia.m22
    matrix = np.array([[0.0, 0.0, -m22 * v], [0.0, 0.0, m11 * u], [m22 * v, -m11 * u, 0.0]])
    assert coriolis_force(u, v, r, MIXED.inertia) == pytest.approx(tuple(matrix @ (u, v, r)), rel=1e-14)


def test_coupled_coriolis_matches_the_matrix_built_from_the_inertia():
    """Fossen (2011), (6.99): C13 = -(m22 v + m23 r), C23 = m11 u, skew-symmetric."""
    u, v, r = 1.2, -0.4, 0.7
    m11, m22, _, m23 = COUPLED.inertia
    matrix = np.zeros((3, 3))
    matrix[0, 2], matrix[1, 2] = -(m22 * v + m23 * r), m11 * u
    force = (matrix - matrix.T) @ (u, v, r)
    assert coriolis_force(u, v, r, COUPLED.inertia) == pytest.approx(tuple(force), rel=1e-14)


def test_coupled_inertia_is_a_symmetric_matrix_and_the_rate_of_kinetic_energy(rng):
    nu, rate = rng.uniform(-2.0, 2.0, size=(2, 3, 200))
    i = COUPLED.inertia
    matrix = np.array([[i.m11, 0.0, 0.0], [0.0, i.m22, i.m23], [0.0, i.m23, i.m33]])
    force = np.array(inertia_force(*rate, i))
    np.testing.assert_allclose(force, matrix @ rate, rtol=1e-13)
    np.testing.assert_allclose((force * nu).sum(axis=0), np.einsum('ij,ik,kj->j', nu, matrix, rate), atol=1e-12)


def test_cross_damping_and_lift_are_fossens_matrices():
    u, v, r = -1.2, 0.4, 0.7
    d = COUPLED.damping
    linear = np.array([[d.d11, 0.0, 0.0], [0.0, d.d22, d.d23], [0.0, d.d32, d.d33]])
    quadratic = np.diag([d.d11_q * abs(u), d.d22_q * abs(v), d.d33_q * abs(r)])
    lift = np.array([[0.0, 0.0, 0.0], [0.0, d.d22_u * abs(u), d.d23_u * u], [0.0, d.d32_u * u, d.d33_u * abs(u)]])
    assert damping_force(u, v, r, d) == pytest.approx(tuple((linear + quadratic + lift) @ (u, v, r)), rel=1e-14)


def test_lift_of_a_hull_alike_fore_and_aft_is_the_same_astern(rng):
    """Seen from the other end, u and v and X and Y turn round, r and N do not: the same forces come out."""
    u, v, r = rng.uniform(-2.0, 2.0, size=(3, 100))
    damping = COUPLED.damping._replace(d23=0.0, d32=0.0)
    x, y, n = damping_force(u, v, r, damping)
    np.testing.assert_allclose(damping_force(-u, -v, r, damping), (-x, -y, n), rtol=1e-13)


def test_what_passes_the_boat_files_check_never_drives_the_boat(rng):
    """At the limit of the check, (d23 + d32)^2 = 4 d22 d33 in both parts, the power of the damping is not negative."""
    damping = Damping(0.0, 4.0, 9.0, 0.0, 0.0, 0.0, d23=20.0, d32=-8.0, d22_u=1.0, d23_u=-30.0, d32_u=34.0, d33_u=4.0)
    nu = rng.uniform(-2.0, 2.0, size=(3, 5000))
    assert np.min(np.sum(np.array(damping_force(*nu, damping)) * nu, axis=0)) > -1e-9


def test_damping_is_odd_and_dissipates(rng):
    nu_r = rng.uniform(-2.0, 2.0, size=(3, 1000))
    force = np.array(damping_force(*nu_r, MIXED.damping))
    np.testing.assert_array_equal(damping_force(*-nu_r, MIXED.damping), -force)
    assert np.all(force * nu_r > 0.0)
    assert damping_force(0.0, 0.0, 0.0, MIXED.damping) == (0.0, 0.0, 0.0)


def test_damping_has_a_linear_and_a_quadratic_part():
    assert damping_force(2.0, -2.0, 0.5, MIXED.damping) == (3.0 * 2.0 + 11.0 * 4.0, -(5.0 * 2.0 + 13.0 * 4.0),
                                                            7.0 * 0.5 + 17.0 * 0.25)


@pytest.mark.parametrize('vessel', [MIXED, COUPLED])
def test_acceleration_answers_the_force_that_asks_for_it(rng, vessel):
    """tau = M nu_r_dot + C nu_r + D nu_r, put together by hand, gives nu_r_dot back."""
    nu_r, wanted = rng.uniform(-2.0, 2.0, size=(2, 3, 500))
    parts = (inertia_force(*wanted, vessel.inertia), coriolis_force(*nu_r, vessel.inertia),
             damping_force(*nu_r, vessel.damping))
    force = tuple(sum(part[i] for part in parts) for i in range(3))
    np.testing.assert_allclose(acceleration(*nu_r, force, vessel), wanted, atol=1e-12)


def test_without_cross_terms_the_elimination_changes_no_bit(rng):
    nu_r, force = rng.uniform(-2.0, 2.0, size=(2, 3, 500))
    parts = (coriolis_force(*nu_r, MIXED.inertia), damping_force(*nu_r, MIXED.damping))
    by_hand = [(f - c - d) / m for f, c, d, m in zip(force, *parts, MIXED.inertia)]
    np.testing.assert_array_equal(acceleration(*nu_r, tuple(force), MIXED), by_hand)


def test_relative_acceleration_is_the_derivative_of_the_relative_velocity():
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

    def relative(t):
        return ground(t) - np.array(to_body(*current, np.cos(yaw(t)), np.sin(yaw(t))))

    current, t, h = (0.4, -0.3), np.linspace(0.0, 5.0, 40), 1e-3
    numerical = (8.0 * (relative(t + h) - relative(t - h)) - (relative(t + 2 * h) - relative(t - 2 * h))) / (12.0 * h)
    axes = np.cos(yaw(t)), np.sin(yaw(t))
    closed = relative_acceleration(ground_rate(t), to_body(*current, *axes), yaw_rate(t))
    np.testing.assert_allclose(closed, numerical, atol=1e-11)
    # The term is not small: leaving it out is wrong by r V_c, 0.4 m/s^2 here.
    assert np.max(np.abs(np.array(closed) - ground_rate(t))) > 0.4
