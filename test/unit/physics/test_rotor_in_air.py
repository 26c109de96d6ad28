"""A rotor by momentum theory against its closed forms."""

import math

import numpy as np
import pytest

from usv_energy.physics.rotor_in_air import AIR_DENSITY, ground_gain, hover_velocity, ideal_power, induced_velocity

AREA, THRUST = 0.0314, 1.05
HOVER = math.sqrt(THRUST / (2.0 * AIR_DENSITY * AREA))


def test_hover():
    assert hover_velocity(THRUST, AREA) == pytest.approx(HOVER, rel=1e-12)
    assert induced_velocity(THRUST, AREA) == pytest.approx(HOVER, rel=1e-12)
    assert ideal_power(THRUST, AREA) == pytest.approx(THRUST ** 1.5 / math.sqrt(2.0 * AIR_DENSITY * AREA), rel=1e-12)


@pytest.mark.parametrize('climb', [0.1, 1.0, 5.0, 30.0])
def test_climb(climb):
    """The quadratic v (climb + v) = hover^2 of axial climb."""
    expected = -0.5 * climb + math.sqrt(0.25 * climb * climb + HOVER * HOVER)
    assert induced_velocity(THRUST, AREA, climb) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize('along', [0.5, 3.0, 10.0, 40.0])
def test_level_flight(along):
    """v^2 = -V^2 / 2 + sqrt(V^4 / 4 + hover^4); far from hover that of an aircraft's wing, hover^2 / V."""
    expected = math.sqrt(-0.5 * along ** 2 + math.sqrt(0.25 * along ** 4 + HOVER ** 4))
    assert induced_velocity(THRUST, AREA, 0.0, along) == pytest.approx(expected, rel=1e-9)


def test_descent_joins_hover_and_windmill():
    """At -2 hover velocities the fit ends where the windmill begins: v = hover there, to 10 % as measured."""
    assert induced_velocity(THRUST, AREA, -1e-9) == pytest.approx(HOVER, rel=1e-6)
    before, after = (induced_velocity(THRUST, AREA, sign * HOVER) for sign in (-1.999, -2.001))
    assert after == pytest.approx(HOVER, rel=0.05)
    assert before == pytest.approx(after, rel=0.1)
    assert induced_velocity(THRUST, AREA, -0.5 * HOVER) > HOVER  # In its own wake it needs more.


def test_the_fit_to_descent_holds_to_two_hover_velocities_that_one_included():
    """Leishman (2.13): 1 - 1.125 x - 1.372 x^2 - 1.718 x^3 - 0.655 x^4 of hover's."""
    hover = float(hover_velocity(THRUST, AREA))
    assert induced_velocity(THRUST, AREA, -2.0 * hover) == pytest.approx(1.026 * hover, rel=1e-9)
    assert induced_velocity(THRUST, AREA, -hover) == pytest.approx(1.816 * hover, rel=1e-9)


def test_arrays_and_no_thrust():
    with np.errstate(divide='raise', invalid='raise'):  # Nothing is divided by the 0 m/s of no thrust.
        found = induced_velocity(np.array([0.0, THRUST]), AREA, np.array([1.0, 1.0]), np.array([0.0, 2.0]))
    assert found[0] == 0.0 and found[1] == induced_velocity(THRUST, AREA, 1.0, 2.0)


def test_the_ground_helps():
    """Cheeseman and Bennett: 1.0667 at one radius, and nothing far away; below half a radius it is held."""
    assert ground_gain(0.1, 0.1) == pytest.approx(1.0 / (1.0 - 1.0 / 16.0))
    assert ground_gain(1e3, 0.1) == pytest.approx(1.0, abs=1e-9)
    assert ground_gain(0.0, 0.1) == ground_gain(0.05, 0.1) == pytest.approx(4.0 / 3.0)


@pytest.mark.parametrize('descent', [2.5, 3.0, 8.0])
def test_a_windmill_is_the_other_root_of_the_quadratic(descent):
    """Faster down than two hover velocities: v^2 - |climb| v + hover^2 = 0, the smaller root."""
    expected = HOVER * (0.5 * descent - math.sqrt(0.25 * descent * descent - 1.0))
    assert induced_velocity(THRUST, AREA, -descent * HOVER) == pytest.approx(expected, rel=1e-9)
