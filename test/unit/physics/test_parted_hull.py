import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from usv_energy.boats.parted_hull_file import turn_of
from usv_energy.physics.parted_hull import (
    ColumnWave,
    HullColumn,
    angle_rates,
    column_force,
    moment_of_angles,
    vector_to_body,
    vector_to_earth,
    weight_force,
)

ANGLES = (0.23, -0.31, 0.9)  # Roll, pitch, yaw, rad.
TURN, TO_EARTH = turn_of(*ANGLES), Rotation.from_euler('xyz', ANGLES).as_matrix()
COLUMN = HullColumn(0.7, -0.4, 0.15, -0.2, 0.45, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


def test_vectors_turn_by_the_matrix_of_the_angles(rng):
    vector = rng.normal(size=3)
    np.testing.assert_allclose(vector_to_earth(*vector, TURN), TO_EARTH @ vector, rtol=1e-12)
    np.testing.assert_allclose(vector_to_body(*vector, TURN), TO_EARTH.T @ vector, rtol=1e-12)


@pytest.mark.parametrize(('height', 'wet'), [(0.05, None), (3.0, 0.0), (-3.0, 0.45)])
def test_a_column_is_held_up_by_the_pressure_on_its_wetted_length(height, wet):
    """rho A l (a_x, a_y, g) at the middle of l, which reaches from the bottom to the wave: partly wet, dry, drowned."""
    wave = ColumnWave(0.07, 0.0, 0.0, 0.0, 0.0, 0.8, -0.6)
    if wet is None:
        bottom = height + (TO_EARTH @ (COLUMN.x, COLUMN.y, COLUMN.bottom))[2]
        wet = (wave.rise - bottom) / TO_EARTH[2, 2]
        assert 0.0 < wet < 0.4
    force = TO_EARTH.T @ (1020.0 * COLUMN.area * wet * np.array([0.8, -0.6, 9.81]))
    place = COLUMN.x, COLUMN.y, COLUMN.bottom + 0.5 * wet
    np.testing.assert_allclose(column_force(COLUMN, wave, height, TURN, 1020.0), [*force, *np.cross(place, force)],
                               rtol=1e-10)


def test_weight_pulls_at_the_centre_of_mass():
    class Hull:
        mass, mass_x, mass_y = 55.0, 0.12, -0.03

    force = TO_EARTH.T @ (0.0, 0.0, -55.0 * 9.81)
    np.testing.assert_allclose(weight_force(TURN, Hull), [*force, *np.cross((0.12, -0.03, 0.0), force)], rtol=1e-12)
    north = TURN._replace(c_yaw=0.0, s_yaw=1.0)  # Weight knows of no yaw, a cosine of 0 included.
    np.testing.assert_allclose(weight_force(north, Hull), weight_force(TURN, Hull), rtol=1e-12)


def test_a_column_whose_bottom_is_on_the_water_at_rest_is_wet_up_to_the_wave():
    wave = ColumnWave(0.07, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    force = column_force(COLUMN, wave, -COLUMN.bottom, turn_of(0.0, 0.0), 1000.0)
    assert force[2] == pytest.approx(1000.0 * 0.15 * 0.07 * 9.81)


def test_rates_of_the_angles_turn_the_hull_and_moments_of_angles_do_their_work(rng):
    """R' = R S(p, q, r), by a central difference; and the power of moments is the same in angles and in axes."""
    p, q, r = turning = rng.normal(size=3)
    rates = angle_rates(p, q, r, TURN)
    step = 1e-6 * np.array(rates)
    after, before = (Rotation.from_euler('xyz', ANGLES + side * step).as_matrix() for side in (1.0, -1.0))
    spin = [[0.0, -r, q], [r, 0.0, -p], [-q, p, 0.0]]
    np.testing.assert_allclose((after - before) / 2e-6, TO_EARTH @ spin, atol=1e-8)
    assert np.dot(moment_of_angles(3.0, -5.0, TURN), turning) == pytest.approx(3.0 * rates[0] - 5.0 * rates[1])
