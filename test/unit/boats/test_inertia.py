import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import estimated_inertia

SIZE = {'mass': 9.7, 'length': 1.06, 'width': 0.48, 'draught': 0.02, 'thruster_distance': 0.16}


def test_the_thesis_table_in_fresh_water():
    """Thesis (5.1) to (5.3) and table 5.2, to the digits printed; they are lutra_prop's."""
    found = estimated_inertia(**SIZE)
    assert found[:3] == pytest.approx((9.750, 10.364, 1.158), abs=0.0005)
    assert read_boat('lutra_prop').vessel.inertia == pytest.approx(found, abs=0.0005)


def test_the_printed_density_of_1025_does_not_give_the_table():
    found = estimated_inertia(**SIZE, water_density=1025.0)
    assert found[:3] == pytest.approx((9.750, 10.383, 1.159), abs=0.0005)


def test_without_draught_it_is_the_rigid_body():
    """Then m22 is the mass, and m33 that of a flat plate, m (L^2 + W^2) / 12, where there is one thruster."""
    found = estimated_inertia(**{**SIZE, 'draught': 0.0, 'thruster_distance': 0.0})
    assert (found.m22, found.m33) == pytest.approx((9.7, 9.7 * (1.06 ** 2 + 0.48 ** 2) / 12.0), rel=1e-12)


def test_the_added_mass_grows_with_the_scale_of_the_hull():
    """A hull twice as large in all directions has 2^3 of the added mass and 2^5 of the mass's and the added inertia."""
    small = estimated_inertia(**SIZE)
    large = estimated_inertia(**{name: value * (8.0 if name == 'mass' else 2.0) for name, value in SIZE.items()})
    assert large.m22 - 8.0 * 9.7 == pytest.approx(8.0 * (small.m22 - 9.7), rel=1e-12)
    assert large.m33 == pytest.approx(32.0 * small.m33, rel=1e-12)
