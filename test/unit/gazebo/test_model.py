"""The SDF model moves as the boat file says: its body and Hydrodynamics' formula against the physics' own kernels."""


import numpy as np
import pytest
import yaml
from sdf_reading import (
    model_of,
    numbers,
    plugins,
    thruster_wrench,
)

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import share_folder
from usv_energy.gazebo import bridge
from usv_energy.gazebo.model import left_out, model_text
from usv_energy.thrusters.thruster import force_along


def test_the_body_could_exist(boat):
    """Principal moments are positive and none is larger than the other two together: sdformat refuses others."""
    for link in model_of(boat).findall('link'):
        moments = sorted(float(link.findtext(f'inertial/inertia/{key}')) for key in ('ixx', 'iyy', 'izz'))
        assert moments[0] > 0.0 and moments[2] <= moments[0] + moments[1]
        assert float(link.findtext('inertial/mass')) > 0.0


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
        assert (force[0], force[1], moment[2]) == pytest.approx(force_along(7.0, None, thruster), abs=1e-8)
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


def test_what_gazebo_leaves_out_is_told(boat_file):
    text = ('''
thrusters:
  - {name: left, x: -0.4, y: 0.1, min_thrust: -5, max_thrust: 9, lag: 0.3}
  - {name: right, x: -0.4, y: -0.1, min_thrust: -5, max_thrust: 9}
foils:
  - {name: rudder, x: -0.5, y: 0.0, area: 0.01, density: 1000, aspect: 2, steer: {min_angle_deg: -30, max_angle_deg: 30,
     rate_deg: 60}, wash: {thruster: left, share: 0.5, gain: 1.0, diameter: 0.1}}
  - {name: fin, x: 0.0, y: 0.0, area: 0.01, density: 1000, table: [[0, 0, 0.01], [14, 1.2, 0.02], [18, 0.85, 0.2],
     [45, 1.05, 1.1], [90, 0, 1.95]]}
''')
    lag, wash, curve = left_out(boat_file(text))
    assert lag == "the lag of left is left to the node gazebo_thrusters: Gazebo's Thruster answers at once"
    assert 'slipstream at rudder' in wash and 'foil fin' in curve and '%' in curve
    propeller = boat_file('''
losses: {efficiency: null}
thrusters: [{name: left, x: 0, y: 0, propeller: {model: t200, voltage: 16}},
            {name: right, x: 0, y: 0.1, min_thrust: -5, max_thrust: 9}]
''')
    assert [line.split(' is left')[0] for line in left_out(propeller)] == [
        'what the propellers of left lose under way']
    assert left_out(read_boat('lutra_prop')) == left_out(read_boat('lutra_sail')) == []


def test_the_waves_that_a_hull_makes_are_quadratic_drag(boat_file):
    """Of two rows with the same ratio to the square of the speed it is that ratio, in full; and the file says so."""
    rows = boat_file('damping: {quadratic: {d11: 2.0}, wave: {table: [[1.0, 3.0], [2.0, 12.0]], scale: 0.5}}')
    hydrodynamics, = plugins(model_of(rows), 'Hydrodynamics')
    assert float(hydrodynamics.findtext('xUabsU')) == pytest.approx(-3.5)
    assert left_out(rows)[0].startswith('the waves that the hull makes are in its quadratic drag')


def test_a_boat_on_cells_has_the_limits_of_its_full_battery_and_says_who_has_the_battery(boat_file):
    """Of the boat's file they are those at 16 V; four cells of 4.2 V are 16.8 V full."""
    boat = boat_file('''
losses: {efficiency: null}
thrusters: [{name: left, x: 0, y: 0.1, propeller: {model: t200, voltage: 16}},
            {name: right, x: 0, y: -0.1, propeller: {model: t200, voltage: 16}}]
battery: {chemistry: nmc, series: 4, capacity_ah: 15.6, capacity_wh: null}
''')
    sheets = {sheet['voltage']: sheet['thrusts'] for sheet in yaml.safe_load(
        (share_folder() / 'config' / 'thrusters' / 't200.yaml').read_text())['sheets']}
    low, high = sheets[16], sheets[20]
    for one in plugins(model_of(boat), 'Thruster'):
        limits = float(one.findtext('min_thrust_cmd')), float(one.findtext('max_thrust_cmd'))
        assert high[0] < limits[0] < low[0] and low[-1] < limits[1] < high[-1], 'between the sheets of 16 and 20 V'
    assert left_out(boat)[-1] == 'the battery is left to the node gazebo_thrusters: without it the thrusters never stop'


def test_topics_are_those_that_are_bridged():
    model = model_of(read_boat('lutra_prop'), 'heron_7')
    assert model.get('name') == 'heron_7'
    hydrodynamics, = plugins(model, 'Hydrodynamics')
    odom, left, right, joints, current = bridge.boat_entries(bridge.BridgedBoat('/heron', 'heron_7'))
    assert current.gz_topic_name == f'/model/{hydrodynamics.findtext("namespace")}/ocean_current'
    for one, entry in zip(plugins(model, 'Thruster'), (left, right)):
        assert entry.gz_topic_name == (
            f'/model/{one.findtext("namespace")}/joint/{one.findtext("joint_name")}/cmd_thrust')
    states, = plugins(model, 'JointStatePublisher')
    assert joints.gz_topic_name == states.findtext('topic') == '/model/heron_7/joint_state'
    odometry, = plugins(model, 'OdometryPublisher')
    assert odometry.find('odom_topic') is None, 'then it is /model/<name>/odometry'
    assert odom.gz_topic_name == '/model/heron_7/odometry'
    assert (odometry.findtext('odom_frame'), odometry.findtext('robot_base_frame')) == (
        'heron_7/odom', 'heron_7/base_link')


def test_the_same_boat_gives_the_same_bytes():
    one, two = (model_text(read_boat('lutra_prop'), 'diffboat', 'x') for _ in range(2))
    assert one == two
