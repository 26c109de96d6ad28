"""A timed way costs the integral of the power of its speeds through the water."""

import math

import numpy as np
import pytest
from route_cases import problem, steady_route

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.route_legs import legs_with_energy

CURRENT = UniformFlow(0.3, -0.2)


def test_in_a_uniform_current_each_part_has_one_power():
    route = steady_route([(0.0, 0.0), (300.0, 100.0), (300.0, 400.0)], 1.0, 60.0, CURRENT)
    found = legs_with_energy(problem(current=CURRENT), route.time, route.x, route.y)
    np.testing.assert_allclose(found.energy, route.energy, rtol=1e-9)
    np.testing.assert_allclose(found.speed, route.speed, rtol=1e-9)


class Shear:
    """u = g y, steady."""

    times = (0.0,)

    def velocity(self, t, x, y):
        return 0.001 * y, np.zeros_like(y), np.ones(np.shape(y), dtype=bool)


def test_a_long_leg_through_a_shear_is_the_integral():
    """Straight north at 1 m/s over 1000 m: the speed through the water is sqrt(1 + y^2) with u = y to 1 m/s."""
    found = legs_with_energy(problem(current=Shear()), np.array([0.0, 1000.0]), np.zeros(2), np.array([0.0, 1000.0]))
    share, weight = np.polynomial.legendre.leggauss(40)
    u = 0.5 * (share + 1.0)
    expected = 1000.0 * float((0.5 * weight * (5.0 + 2.0 * (1.0 + u * u) ** 1.5)).sum())
    assert found.energy[-1] == pytest.approx(expected, rel=1e-7)


def test_rest_costs_what_the_loads_take():
    found = legs_with_energy(problem(current=CURRENT), np.array([0.0, 100.0, 200.0]), np.array([0.0, 30.0, 130.0]),
                        np.array([0.0, -20.0, -20.0]), np.array([True, False]))
    assert found.energy[1] == pytest.approx(500.0)
    assert found.speed[0] == 0.0
    assert found.speed[1] == pytest.approx(math.hypot(1.0 - 0.3, 0.2))
