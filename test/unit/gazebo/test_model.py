"""The SDF model moves as the boat file says: its body and Hydrodynamics' formula against the physics' own kernels."""

import math

import numpy as np
import pytest
from sdf_reading import (
    Hydrodynamics,
    floats,
    numbers,
    parse,
    planar_acceleration,
    plugins,
    thruster_wrench,
    whole_body,
)

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.gazebo import bridge
from usv_energy.gazebo.hull import GRAVITY, WATER_DENSITY, Floats, floats_of, hull_size, rigid_mass
from usv_energy.gazebo.hydrodynamics import added_inertia
from usv_energy.gazebo.model import lagging, model_text
from usv_energy.gazebo.world import LARGEST_STEP
from usv_energy.physics.dynamics import acceleration
from usv_energy.physics.propulsion import thruster_force

SHIPPED = ('lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim')
COUPLED = """
inertia: {m11: 20.0, m22: 45.0, m33: 6.0, m23: -4.0}
damping:
  linear: {d11: 3.0, d22: 9.0, d33: 2.0, d23: 1.5, d32: -2.5}
  quadratic: {d11: 5.0, d22: 30.0, d33: 4.0}
  speed: {d22: 6.0, d33: 5.0, d23: -3.0, d32: 7.0}
"""


@pytest.fixture
def boat_file(tmp_path):
    """Return a function that writes a boat file over lutra_prop and returns the boat."""
    def write(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: lutra_prop\n{text}\n')
        return read_boat(str(path))
    return write


@pytest.fixture(params=[*SHIPPED, 'coupled'])
def boat(request, boat_file):
    return boat_file(COUPLED) if request.param == 'coupled' else read_boat(request.param)


def model_of(boat, name='diffboat'):
    return parse(model_text(boat, name, 'test')).find('model')


# --- Inertia, Coriolis, damping


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


def test_the_body_could_exist(boat):
    """Principal moments are positive and none is larger than the other two together: sdformat refuses others."""
    for link in model_of(boat).findall('link'):
        moments = sorted(float(link.findtext(f'inertial/inertia/{key}')) for key in ('ixx', 'iyy', 'izz'))
        assert moments[0] > 0.0 and moments[2] <= moments[0] + moments[1]
        assert float(link.findtext('inertial/mass')) > 0.0


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


# --- Thrusters


@pytest.mark.parametrize('name, text', [
    ('tilted, astern', ''),
    ('level', 'thrusters: [{name: left, x: -0.4, y: 0.1, min_thrust: -5, max_thrust: 9}, '
              '{name: right, x: -0.4, y: -0.1, min_thrust: -5, max_thrust: 9}]'),
    ('tilted, ahead', 'thrusters: [{name: left, x: 0.3, y: 0.1, min_thrust: -5, max_thrust: 9, tilt_deg: -20}, '
                      '{name: right, x: 0.3, y: -0.1, min_thrust: -5, max_thrust: 9, tilt_deg: -20}]'),
])
def test_thrust_drives_and_turns_as_the_physics_says_and_does_not_pitch(boat_file, name, text):
    boat = boat_file(text)
    model = model_of(boat)
    for thruster, its_name in zip(boat.vessel.thrusters, boat.thruster_names):
        force, moment = thruster_wrench(model, its_name, 7.0)
        assert (force[0], force[1], moment[2]) == pytest.approx(thruster_force(7.0, thruster), abs=1e-8)
        assert moment[1] == pytest.approx(0.0, abs=1e-8)
        assert np.linalg.norm(force) == pytest.approx(7.0)
        assert numbers(next(link for link in model.findall('link') if link.get('name') == f'{its_name}_propeller'),
                       'pose')[2] <= 0.0, 'a propeller is not above the water'


def test_thrusters_have_their_limits_and_spin_by_velocity():
    """Without velocity_control Gazebo spins them by a controller whose i_gain and d_gain it does not read."""
    boat = read_boat('lutra_prop')
    systems = plugins(model_of(boat), 'Thruster')
    assert [one.findtext('joint_name') for one in systems] == ['left_propeller_joint', 'right_propeller_joint']
    for one in systems:
        assert (one.findtext('min_thrust_cmd'), one.findtext('max_thrust_cmd')) == ('-11.5', '11.5')
        assert one.findtext('velocity_control') == 'true'


def test_a_lag_that_gazebo_leaves_out_is_told(boat_file):
    lag = ('thrusters: [{name: left, x: -0.4, y: 0.1, min_thrust: -5, max_thrust: 9, lag: 0.3}, '
           '{name: right, x: -0.4, y: -0.1, min_thrust: -5, max_thrust: 9}]')
    assert lagging(boat_file(lag)) == ['left'] and lagging(read_boat('lutra_prop')) == []


# --- Floating


def cap(radius, depth):
    """Return volume, m^3, and the centroid's distance below the sphere's centre, m, of a sphere's lowest cap."""
    return (math.pi * depth ** 2 * (3.0 * radius - depth) / 3.0,
            3.0 * (2.0 * radius - depth) ** 2 / (4.0 * (3.0 * radius - depth)))


def test_the_floats_carry_exactly_the_boat(boat):
    mass, _, _ = whole_body(model_of(boat))
    spheres = floats(model_of(boat))
    volume = sum(cap(radius, radius - centre[2])[0] for radius, centre in spheres)
    assert WATER_DENSITY * volume == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(sum(centre[:2] for _, centre in spheres), 0.0, atol=1e-9)


def test_the_waterplane_is_that_of_the_hulls_box(boat):
    size = hull_size(boat)
    spheres = floats(model_of(boat))
    area = [math.pi * (radius ** 2 - centre[2] ** 2) for radius, centre in spheres]
    assert sum(area) == pytest.approx(size.length * size.width, rel=1e-6)
    second = sum(one * centre[0] ** 2 for one, (_, centre) in zip(area, spheres))
    assert second == pytest.approx(size.width * size.length ** 3 / 12.0, rel=1e-6)


def test_nothing_collides_with_the_floats_and_the_box_is_above_the_water(boat):
    for one in model_of(boat).find('link').findall('collision'):
        if one.get('name') == 'freeboard':
            assert numbers(one, 'pose')[2] - 0.5 * numbers(one, 'geometry/box/size')[2] >= 0.02
        else:
            assert one.findtext('surface/contact/collide_bitmask') == '0'


@pytest.mark.parametrize('mass, length, width', [(9.7, 1.06, 0.48), (180.0, 4.9, 2.44), (2000.0, 3.0, 0.4)])
def test_floats_of_boats_of_all_sizes(mass, length, width):
    size = hull_size(read_boat('lutra_prop'))._replace(length=length, width=width)
    found = floats_of(mass, size)
    assert found.weight == pytest.approx(mass * GRAVITY)
    assert 0.0 < found.depth < 2.0 * found.radius and found.stiffness[0] > 0.0


def test_stiffness_is_the_slope_of_the_buoyancy():
    """Heave against the volumes of caps; roll against caps at their places, as Gazebo applies them."""
    one = Floats(0.5, 0.04, 0.3)

    def force(sunk):
        """Return the force of one float, N, and the height of its centre of buoyancy, its centre so far lower."""
        volume, below = cap(one.radius, one.depth + sunk)
        return WATER_DENSITY * GRAVITY * volume, one.height - below

    step, heave, roll = 1e-6, 0.0, 0.0
    for _, y, z in one.places:
        heave += (force(step)[0] - force(-step)[0]) / (2.0 * step)
        for angle in (step, -step):
            sunk = -(y * math.sin(angle) + z * (math.cos(angle) - 1.0))
            up, height = force(sunk)
            arm = y * math.cos(angle) - height * math.sin(angle)
            roll -= arm * up / (2.0 * angle)
    assert one.stiffness == pytest.approx((heave, roll), rel=1e-5)


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


# --- Names and faults


def test_topics_are_those_that_are_bridged():
    model = model_of(read_boat('lutra_prop'), 'heron_7')
    assert model.get('name') == 'heron_7'
    hydrodynamics, = plugins(model, 'Hydrodynamics')
    assert bridge.current_topic('heron_7') == f'/model/{hydrodynamics.findtext("namespace")}/ocean_current'
    for one, thruster in zip(plugins(model, 'Thruster'), ('left', 'right')):
        assert bridge.thrust_topic('heron_7', thruster) == (
            f'/model/{one.findtext("namespace")}/joint/{one.findtext("joint_name")}/cmd_thrust')
    odometry, = plugins(model, 'OdometryPublisher')
    assert odometry.find('odom_topic') is None, 'then it is /model/<name>/odometry'
    assert bridge.odometry_topic('heron_7') == '/model/heron_7/odometry'
    assert (odometry.findtext('odom_frame'), odometry.findtext('robot_base_frame')) == (
        'heron_7/odom', 'heron_7/base_link')


def test_a_boat_without_its_size_is_refused(boat_file):
    boat = boat_file('hull: null')
    with pytest.raises(InputError, match=r"mine\.yaml: hull lacks the key 'length'; a Gazebo model needs"):
        model_text(boat, 'diffboat', '')


def test_the_same_boat_gives_the_same_bytes():
    one, two = (model_text(read_boat('lutra_prop'), 'diffboat', 'x') for _ in range(2))
    assert one == two
