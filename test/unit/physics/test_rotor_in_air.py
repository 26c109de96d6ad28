"""A rotor by momentum theory against its closed forms."""

import math

import pytest

from usv_energy.physics.rotor_in_air import AIR_DENSITY, ground_gain, ideal_power

AREA, THRUST = 0.0314, 1.05
HOVER = math.sqrt(THRUST / (2.0 * AIR_DENSITY * AREA))


def induced_velocity(climb=0.0, along=0.0):
    """Return the velocity that the rotor gives the air through its disc: the power over the thrust, less the climb."""
    return ideal_power(THRUST, AREA, climb, along) / THRUST - climb


def test_hover():
    assert induced_velocity() == pytest.approx(HOVER, rel=1e-12)
    assert ideal_power(THRUST, AREA) == pytest.approx(THRUST ** 1.5 / math.sqrt(2.0 * AIR_DENSITY * AREA), rel=1e-12)


@pytest.mark.parametrize('climb', [0.1, 1.0, 5.0, 30.0])
def test_climb(climb):
    """The quadratic v (climb + v) = hover^2 of axial climb."""
    expected = -0.5 * climb + math.sqrt(0.25 * climb * climb + HOVER * HOVER)
    assert induced_velocity(climb) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize('along', [0.5, 3.0, 10.0, 40.0])
def test_level_flight(along):
    """v^2 = -V^2 / 2 + sqrt(V^4 / 4 + hover^4); far from hover that of an aircraft's wing, hover^2 / V."""
    expected = math.sqrt(-0.5 * along ** 2 + math.sqrt(0.25 * along ** 4 + HOVER ** 4))
    assert induced_velocity(0.0, along) == pytest.approx(expected, rel=1e-9)


def test_descent_joins_hover():
    """At -2 hover velocities the fit ends where the windmill begins: v = hover there, as measured."""
    assert induced_velocity(-1e-9) == pytest.approx(HOVER, rel=1e-6)
    before, after = (induced_velocity(sign * HOVER) for sign in (-1.999, -2.001))
    assert after == pytest.approx(HOVER, rel=0.05)
    assert before == pytest.approx(after, rel=0.1)
    assert induced_velocity(-0.5 * HOVER) > HOVER  # In its own wake it needs more.


def test_the_fit_to_descent_holds_to_two_hover_velocities_that_one_included():
    """Leishman (2.13): 1 - 1.125 x - 1.372 x^2 - 1.718 x^3 - 0.655 x^4 of hover's."""
    assert induced_velocity(-2.0 * HOVER) == pytest.approx(1.026 * HOVER, rel=1e-9)
    assert induced_velocity(-HOVER) == pytest.approx(1.816 * HOVER, rel=1e-9)


def test_no_thrust_takes_no_power():
    assert ideal_power(0.0, AREA, 1.0) == ideal_power(-THRUST, AREA, 0.0, 2.0) == 0.0


def test_the_ground_helps():
    """Cheeseman and Bennett: 1.0667 at one radius, and nothing far away; below half a radius it is held."""
    assert ground_gain(0.1, 0.1) == pytest.approx(1.0 / (1.0 - 1.0 / 16.0))
    assert ground_gain(1e3, 0.1) == pytest.approx(1.0, abs=1e-9)
    assert ground_gain(0.0, 0.1) == ground_gain(0.05, 0.1) == pytest.approx(4.0 / 3.0)
