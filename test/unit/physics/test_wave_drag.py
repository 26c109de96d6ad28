"""Wave-making resistance as a part of the surge drag: its form, its slope, and the speed that a thrust holds."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import WaveMaking
from usv_energy.physics.dynamics import damping_force, held_speed, surge_drag, surge_slope

PLAIN = read_boat('lutra_prop').vessel.damping._replace(d11=1.5, d11_q=4.0)
WAVES = PLAIN._replace(wave=WaveMaking(0.8, (0.5, 1.0, 2.0), (0.4, 3.0, 2.0)))


def test_it_is_added_to_the_quadratic_drag():
    """At 1.5 m/s the coefficient is half way between its knots: 2.5 N s^2/m^2, of which the scale takes 0.8."""
    more = surge_drag(1.5, WAVES) - surge_drag(1.5, PLAIN)
    assert more == pytest.approx(0.8 * 2.5 * 1.5 ** 2)
    assert surge_drag(-1.5, WAVES) == -surge_drag(1.5, WAVES)
    assert damping_force(1.5, 0.3, 0.2, WAVES)[1:] == damping_force(1.5, 0.3, 0.2, PLAIN)[1:]
    # Beyond the knots the coefficient is that at their ends.
    assert surge_drag(np.array([0.1, 3.0]), WAVES) - surge_drag(np.array([0.1, 3.0]), PLAIN) == pytest.approx(
        [0.8 * 0.4 * 0.01, 0.8 * 2.0 * 9.0])


def test_its_slope():
    """Of (a + b u) u^2 between two knots: 2 a u + 3 b u^2, beside d11 + 2 d11_q u."""
    u = np.array([-0.75, 0.75, 1.5])
    a, b = np.array([-2.2, -2.2, 4.0]), np.array([5.2, 5.2, -1.0])
    wanted = 1.5 + 8.0 * abs(u) + 0.8 * (2.0 * a * abs(u) + 3.0 * b * u * u)
    np.testing.assert_allclose(surge_slope(u, WAVES), wanted, rtol=1e-7)
    np.testing.assert_array_equal(surge_slope(u, PLAIN), 1.5 + 8.0 * abs(u))


@pytest.mark.parametrize('damping', [PLAIN, WAVES])
def test_the_speed_that_a_force_holds(damping):
    force = np.array([-20.0, 0.0, 3.0, 25.0])
    np.testing.assert_allclose(surge_drag(held_speed(force, damping), damping), force, rtol=1e-12, atol=1e-12)
