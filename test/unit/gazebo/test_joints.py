"""Foils, pods and fans of a model push as the boat file says, at any angle, and turn by their own limits and rates."""

import math

import numpy as np
import pytest
from sdf_reading import foil_wrench, model_of, named, numbers, plugins, thruster_wrench, whole_body

from usv_energy.boats.boat_file import read_boat
from usv_energy.foils.foil_force import foil_force
from usv_energy.gazebo.bridge import boat_entries, bridged_boat
from usv_energy.gazebo.hull import foil_fit, rigid_mass
from usv_energy.gazebo.model import Placement, boat_model
from usv_energy.sim.actuator_states import NOTHING, ActuatorMemory
from usv_energy.thrusters.thruster import force_along

BOATS = ('lutra_airboat', 'lutra_rudder', 'lutra_sail')
FOILS = [(boat, foil) for boat in BOATS for foil in read_boat(boat).foil_names]


@pytest.mark.parametrize('boat, name', FOILS)
def test_a_foil_pushes_and_turns_the_boat_as_the_physics_says(boat, name, rng):
    """At its centre of effort, which swings with it, at the speed that it has there: within what the fit says."""
    boat = read_boat(boat)
    model, foil = model_of(boat), boat.vessel.foils[boat.foil_names.index(name)]
    most = foil_fit(foil).error * foil.density * foil.area * max(foil.lift, foil.drag)
    for u, v, r in rng.uniform(-1.5, 1.5, (60, 3)):
        angle = 0.0 if foil.steer is None else rng.uniform(foil.steer.least, foil.steer.largest)
        wanted = foil_force(u, v, r, None if foil.steer is None else angle, foil)
        got = foil_wrench(model, name, (u, v, r), angle)
        met = (u - r * foil.y) ** 2 + v * v + (abs(r) * (abs(foil.x) + foil.aft)) ** 2
        room = 2.0 * most * met
        assert got == pytest.approx(wanted, abs=room)
        assert got[2] == pytest.approx(wanted[2], abs=(abs(foil.x) + foil.aft + 1e-3) * room)


@pytest.mark.parametrize('boat', BOATS)
def test_all_links_together_are_the_boat(boat):
    boat = read_boat(boat)
    mass, centre, tensor = whole_body(model_of(boat))
    assert mass == pytest.approx(rigid_mass(boat.vessel.inertia)) and tensor[2, 2] == pytest.approx(
        boat.vessel.inertia.m33)
    np.testing.assert_allclose(centre, 0.0, atol=1e-9)


def test_what_turns_has_the_files_limits_and_rate_and_what_is_fixed_has_none():
    for boat in map(read_boat, BOATS):
        model = model_of(boat)
        turning = {name: part for name, part in [
            *((name, thruster.azimuth) for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters)),
            *((name, foil.steer) for name, foil in zip(boat.foil_names, boat.vessel.foils))] if part is not None}
        controllers = {one.findtext('joint_name'): one for one in plugins(model, 'JointPositionController')}
        assert set(controllers) == {f'{name}_angle_joint' for name in turning}
        for name, part in turning.items():
            joint, system = named(model, 'joint', f'{name}_angle_joint'), controllers[f'{name}_angle_joint']
            assert joint.get('type') == 'revolute' and joint.findtext('axis/xyz') == '0 0 1'
            limits = [float(joint.findtext(f'axis/limit/{key}')) for key in ('lower', 'upper')]
            assert limits == pytest.approx([part.least, part.largest])
            assert (float(system.findtext('cmd_max')), float(system.findtext('cmd_min'))) == pytest.approx(
                (part.rate, -part.rate))
            assert system.findtext('use_velocity_commands') == 'true'
            # Without an effort Gazebo turns it beyond its limits, without damping the first steps whirl a sail round.
            assert float(joint.findtext('axis/limit/effort')) == 1e6
            assert float(joint.findtext('axis/dynamics/damping')) == 1e4


def test_a_pod_without_limits_turns_round_and_one_off_the_middle_begins_at_its_nearest(boat_file):
    boat = boat_file('thrusters: [{name: pod, x: 0.3, y: 0.1, min_thrust: -5, max_thrust: 9, azimuth: {min_angle_deg: '
                     '-180, max_angle_deg: 180, rate_deg: 30}}, {name: side, x: -0.3, y: 0.0, min_thrust: -5, '
                     'max_thrust: 9, azimuth: {min_angle_deg: 20, max_angle_deg: 60, rate_deg: 30}}]')
    model = model_of(boat)
    limits = named(model, 'joint', 'pod_angle_joint').find('axis/limit')
    assert (limits.findtext('lower'), limits.findtext('upper')) == ('-inf', 'inf')
    first, second = plugins(model, 'JointPositionController')
    assert first.find('initial_position') is None
    assert float(second.findtext('initial_position')) == pytest.approx(math.radians(20.0))


def test_a_fan_and_a_bow_thruster_push_where_and_whither_the_file_says(boat_file):
    boat = boat_file('thrusters: [{name: fan, medium: air, x: -0.3, y: 0.0, min_thrust: 0, max_thrust: 3.1}, '
                     '{name: bow, x: 0.4, y: 0.05, min_thrust: -5, max_thrust: 5, angle_deg: 70}]')
    model = model_of(boat)
    for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters):
        force, moment = thruster_wrench(model, name, 2.0)
        assert (force[0], force[1], moment[2]) == pytest.approx(force_along(2.0, thruster.axis, thruster), abs=1e-8)
        assert (force[2], *moment[:2]) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_a_pod_carries_its_propeller_and_its_axis_goes_through_it():
    model = model_of(read_boat('lutra_airboat'))
    assert named(model, 'joint', 'fan_propeller_joint').findtext('parent') == 'fan_pod'
    assert named(model, 'joint', 'fan_angle_joint').findtext('parent') == 'base_link'
    assert numbers(named(model, 'link', 'fan_pod'), 'pose').tolist() == [-0.3, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_sail_has_the_wind_a_keel_the_current_that_flows_at_the_start():
    model = boat_model(Placement(read_boat('lutra_sail'), 'red', current=(0.3, -0.1)))
    for system in plugins(model, 'Hydrodynamics'):
        sail = system.findtext('link_name').startswith('sail_foil')
        assert system.findtext('namespace') == ('red/air' if sail else 'red')
        assert system.findtext('default_current') == (None if sail else '0.3 -0.1 0')
        assert system.findtext('disable_coriolis') == 'true'
        topic = f'/model/{system.findtext("namespace")}/ocean_current'
        assert topic in {one.gz_topic_name for one in boat_entries(bridged_boat(read_boat('lutra_sail'), 'red'))}


def test_a_foils_centre_of_effort_swings_about_its_own_axis():
    model, foil = model_of(read_boat('lutra_sail')), read_boat('lutra_sail').vessel.foils[0]
    assert numbers(named(model, 'link', 'sail_foil'), 'pose')[0] == pytest.approx(foil.x - foil.aft)
    assert numbers(named(model, 'joint', 'sail_angle_joint'), 'pose')[0] == pytest.approx(foil.aft)


@pytest.mark.parametrize(('boat', 'joints'), [
    ('lutra_prop', {'left_propeller_joint', 'right_propeller_joint'}),
    ('lutra_airboat', {'fan_propeller_joint', 'fan_angle_joint'}),
    ('lutra_sail', {'sail_angle_joint', 'rudder_angle_joint'})])
def test_joints_that_turn_tell_what_they_do_by_names_that_the_power_model_knows(boat, joints):
    system, = plugins(model_of(read_boat(boat)), 'JointStatePublisher')
    assert {one.text for one in system.findall('joint_name')} == joints
    assert not ActuatorMemory(read_boat(boat)).add(0, dict.fromkeys(joints, NOTHING))


def test_a_propeller_whose_rate_would_be_taken_for_a_thrust_tells_none():
    """Gazebo's rate is that of a picture; a T200's sheet says which thrust a rate stands for."""
    system, = plugins(model_of(read_boat('lutra_rudder_t200')), 'JointStatePublisher')
    assert [one.text for one in system.findall('joint_name')] == ['rudder_angle_joint']
