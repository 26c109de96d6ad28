"""Added mass, Coriolis forces and damping as Gazebo's Hydrodynamics takes them."""


import numpy as np
import pytest
from sdf_reading import (
    Hydrodynamics,
    model_of,
    planar_acceleration,
    whole_body,
)

from usv_energy.gazebo.hull import added_inertia, floats_of, hull_size, rigid_mass
from usv_energy.gazebo.world import LARGEST_STEP
from usv_energy.physics.dynamics import acceleration


def test_gazebo_accelerates_the_boat_as_the_physics_does(boat, rng):
    """All of m11, m22, m33, m23, Coriolis and damping at once; 1e-8 is the ten digits of the file."""
    model = model_of(boat)
    for _ in range(50):
        velocity, force = rng.uniform(-1.5, 1.5, 3), rng.uniform(-20.0, 20.0, 3)
        np.testing.assert_allclose(planar_acceleration(model, velocity, force),
                                   acceleration(*velocity, force, boat.vessel), rtol=1e-7, atol=1e-7)


def test_surge_sway_and_yaw_inertia_are_the_boat_files(boat):
    mass, _, tensor = whole_body(model_of(boat))
    added = Hydrodynamics(model_of(boat)).added
    inertia = boat.vessel.inertia
    assert (mass - added[0, 0], mass - added[1, 1], tensor[2, 2] - added[5, 5]) == pytest.approx(inertia[:3], rel=1e-8)
    assert (added[1, 5], added[5, 1]) == pytest.approx((-inertia.m23, -inertia.m23), rel=1e-9)


def test_the_added_mass_taken_from_the_last_step_does_not_diverge(boat):
    """
    Hydrodynamics' force is Ma (nu_n - nu_{n-1}) / dt: the step's error is multiplied by M_rb^-1 A, which must shrink.

    With the boat's own 9.7 kg as the body the coupled boat, whose water weighs 35 kg in sway, would explode.
    """
    inertia = boat.vessel.inertia
    added = added_inertia(inertia)
    mass = rigid_mass(inertia)

    def growth(body):
        a = np.array([[inertia.m11 - body, 0, 0], [0, inertia.m22 - body, added.m23], [0, added.m23, 0]])
        return max(abs(np.linalg.eigvals(np.linalg.solve(np.diag([body, body, inertia.m33]), a))))

    assert growth(mass) < 1.0
    if inertia.m22 > 40.0:
        assert growth(9.7) > 1.0


def test_the_systems_own_coriolis_terms_are_off_and_every_element_is_one_it_reads(boat):
    """A name that Hydrodynamics does not know would be left out without a word."""
    hydrodynamics = Hydrodynamics(model_of(boat))
    assert not hydrodynamics.coriolis
    assert hydrodynamics.known <= hydrodynamics.understood


def test_damping_takes_energy_away(boat, rng):
    """The Coriolis products do no work, so of the products lift alone does, and all in all what is left is drag."""
    damping = boat.vessel.damping
    hydrodynamics = Hydrodynamics(model_of(boat))
    body = rigid_mass(boat.vessel.inertia)
    for velocity in rng.uniform(-1.0, 1.0, (200, 6)):
        planar = np.where([True, True, False, False, False, True], velocity, 0.0)
        assert hydrodynamics.force(velocity, np.zeros(6)) @ velocity < 0.0 < body
        products = np.einsum('ijk,j,k->i', hydrodynamics.plain, planar, planar)
        lift = (damping.d23_u + damping.d32_u) * planar[0] * planar[1] * planar[5]
        assert products @ planar == pytest.approx(-lift, abs=1e-8)


def test_heave_roll_and_pitch_are_damped_critically(boat):
    mass, _, tensor = whole_body(model_of(boat))
    hydrodynamics = Hydrodynamics(model_of(boat))
    heave, tilt = floats_of(mass, hull_size(boat)).stiffness
    for axis, inertia, k in ((2, mass, heave), (3, tensor[0, 0], tilt), (4, tensor[1, 1], tilt)):
        assert hydrodynamics.linear[axis, axis] ** 2 == pytest.approx(4.0 * k * inertia, rel=1e-3)


def test_no_damping_is_too_much_for_the_step(boat):
    """Damping by the last step's velocity is stable while its rate times the step is less than 2; here half of it."""
    mass, _, tensor = whole_body(model_of(boat))
    linear = Hydrodynamics(model_of(boat)).linear
    for axis, inertia in zip((2, 3, 4), (mass, tensor[0, 0], tensor[1, 1])):
        assert -linear[axis, axis] / inertia * LARGEST_STEP < 1.0
