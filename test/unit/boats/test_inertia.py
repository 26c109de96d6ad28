
import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Hull, Inertia, estimated_inertia, with_payload, without_payload
from usv_energy.files.errors import InputError

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


RNG = np.random.default_rng(5)
EMPTY = Inertia(9.75, 10.364, 1.158, 0.4)


def kinetic_energy(u, v, r, inertia):
    """T = 0.5 nu^T M nu, with the coupling m23 in sway and yaw."""
    return 0.5 * (inertia.m11 * u * u + inertia.m22 * v * v + inertia.m33 * r * r) + inertia.m23 * v * r


def test_the_payload_adds_the_kinetic_energy_of_its_two_halves():
    """A mass at x, y moves with u - y r, v + x r: half of 3 kg to port, half to starboard."""
    u, v, r = RNG.uniform(-2.0, 2.0, (3, 100))
    x, y = -0.3, 0.2
    of_payload = sum(0.5 * 1.5 * ((u - side * r) ** 2 + (v + x * r) ** 2) for side in (y, -y))
    loaded = with_payload(EMPTY, Hull(payload=3.0, payload_x=x, payload_y=y))
    np.testing.assert_allclose(kinetic_energy(u, v, r, loaded), kinetic_energy(u, v, r, EMPTY) + of_payload, rtol=1e-12)


def test_three_kilograms_on_lutra_prop():
    """Amidships they add to mass only; 0.3 m astern and 0.2 m abeam, by m (x^2 + y^2) and m x, to the rest, too."""
    assert read_boat('lutra_prop', payload=3.0).vessel.inertia == pytest.approx((12.75, 13.364, 1.158, 0.0), rel=1e-12)
    loaded = with_payload(read_boat('lutra_prop').vessel.inertia, Hull(payload=3.0, payload_x=-0.3, payload_y=0.2))
    assert loaded == pytest.approx((12.75, 13.364, 1.158 + 3.0 * 0.13, -0.9), rel=1e-12)


def test_no_payload_changes_no_bit():
    assert with_payload(EMPTY, Hull(payload_x=-0.3, payload_y=0.7)) == EMPTY


def test_the_payload_of_a_file_and_one_that_is_given(tmp_path):
    path = tmp_path / 'laden.yaml'
    path.write_text('base: lutra_prop\nhull: {payload: {value: 3.0, unit: kg}, payload_x: -0.5}\n')
    boat = read_boat(str(path))
    assert boat.vessel.inertia == pytest.approx((12.75, 13.364, 1.158 + 0.75, -1.5), rel=1e-12)
    assert read_boat(str(path), payload=0.0).vessel.inertia == read_boat('lutra_prop').vessel.inertia
    assert read_boat(str(path), payload=6.0).vessel.inertia.m23 == pytest.approx(-3.0)
    assert boat.hull.length == 1.06


def test_a_payload_on_arrays_and_back():
    hull = Hull(payload=np.array([0.0, 3.0, 5.0]), payload_x=0.4)
    loaded = with_payload(EMPTY, hull)
    np.testing.assert_allclose(loaded.m33, 1.158 + np.array([0.0, 3.0, 5.0]) * 0.16)
    for back, own in zip(without_payload(loaded, hull), EMPTY):
        np.testing.assert_allclose(back, own, rtol=1e-14)


def test_a_payload_below_zero_is_refused():
    with pytest.raises(InputError, match=r'lutra_prop\.yaml: hull\.payload is -1\.0; must be at least 0'):
        read_boat('lutra_prop', payload=-1.0)
