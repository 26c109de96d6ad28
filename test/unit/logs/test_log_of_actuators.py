"""What logs say of actuators: angles of thrusters and rudders, and thrust from revolutions."""

import math

import numpy as np
import pytest
from table_files import MAP, mapped

from usv_energy.files.errors import InputError
from usv_energy.logs.derive import yaw_of_quaternions
from usv_energy.logs.read_log import read_log
from usv_energy.logs.thruster_readings import thrust_of_revolutions
from usv_energy.physics.frames import quaternion_of_yaw, yaw_of_quaternion
from usv_energy.sim.run_files import SAMPLE_COLUMNS

BOLLARD = ((-10.0, -50.0), (0.0, 0.0), (5.0, 30.0), (10.0, 120.0))
SCREW = """
frames: {earth: ned, body: frd}
columns:
  time: {column: t, unit: s}
  orientation_x: {column: qx, unit: "-"}
  orientation_y: {column: qy, unit: "-"}
  orientation_z: {column: qz, unit: "-"}
  orientation_w: {column: qw, unit: "-"}
thrusters:
  - name: screw
    revolutions: {column: n, unit: rpm}
    angle: {column: a, unit: deg}
    bollard: {unit: rpm, rows: [[-600, -50], [0, 0], [300, 30], [600, 120]]}
foils:
  - {name: rudder, angle: {column: d, unit: deg}}
"""


def test_angles_thrust_and_heading_of_a_table_are_in_house_units_and_frames(tmp_path):
    """In NED and FRD angles are clockwise, and a heading of 40 degrees from north is 50 from east."""
    turn = quaternion_of_yaw(math.radians(40.0))
    rows = [f'{0.1 * k},{",".join(map(repr, turn))},{k},{-k},{2 * k}' for k in range(30)]
    (tmp_path / 'a.csv').write_text('\n'.join(['t,qx,qy,qz,qw,n,a,d', *rows, '']))
    (tmp_path / 'a.yaml').write_text(SCREW)
    log = read_log(tmp_path / 'a.csv', tmp_path / 'a.yaml')
    assert log.foils == ('rudder',) and log.thrusters == ('screw',)
    np.testing.assert_allclose(np.degrees(log.foil_angle[:, 0]), -2.0 * np.arange(30))
    np.testing.assert_allclose(np.degrees(log.angle[:, 0]), np.arange(30))
    np.testing.assert_allclose(np.degrees(log.yaw), 50.0)
    np.testing.assert_allclose(log.thrust[:, 0], 30.0 * (np.arange(30) / 300.0) ** 2, atol=1e-12)
    assert log.part(slice(3, 9)).foil_angle.shape == (6, 1)


def test_thrust_goes_as_the_square_of_the_rate_between_rows_and_beyond_them():
    time = np.arange(6.0)
    turns = np.array([2.5, 5.0, math.sqrt(62.5), 20.0, -10.0, -20.0])
    np.testing.assert_allclose(thrust_of_revolutions(time, turns, BOLLARD),
                               [7.5, 30.0, 75.0, 480.0, -50.0, -200.0], rtol=1e-12)


def test_thrust_between_readings_is_that_of_the_rate_on_a_line_and_unknown_in_a_long_silence():
    time = np.array([0.0, 0.5, 1.0, 2.0, 8.0, 9.0])
    turns = np.array([0.0, np.nan, 10.0, 10.0, np.nan, 10.0])
    found = thrust_of_revolutions(time, turns, BOLLARD)
    np.testing.assert_allclose(found[[0, 1, 2, 3, 5]], [0.0, 30.0, 120.0, 120.0, 120.0])
    assert np.isnan(found[4])
    assert thrust_of_revolutions(time, turns, BOLLARD, 7.0)[4] == pytest.approx(120.0)
    assert np.isnan(thrust_of_revolutions(time, turns, ())).all()


def test_commands_of_a_run_turn_its_thrusters_and_rudders(tmp_path):
    samples = '\n'.join([','.join(SAMPLE_COLUMNS), *(','.join([f'{0.1 * k}', *['0.1'] * (len(SAMPLE_COLUMNS) - 2), '0'])
                                             for k in range(4))])
    (tmp_path / 'samples.csv').write_text(f'{samples}\n')
    (tmp_path / 'commands.csv').write_text('time_s,thrust_a_n,thrust_b_n,angle_b_rad,angle_rudder_rad\n'
                                           '0.0,1,2,0.3,-0.4\n0.2,3,4,0.5,-0.6\n')
    log = read_log(tmp_path)
    assert log.thrusters == ('a', 'b') and log.foils == ('rudder',)
    np.testing.assert_array_equal(log.thrust, [[1, 2], [1, 2], [3, 4], [3, 4]])
    np.testing.assert_array_equal(log.angle[:, 1], [0.3, 0.3, 0.5, 0.5])
    assert np.isnan(log.angle[:, 0]).all()
    np.testing.assert_array_equal(log.foil_angle[:, 0], [-0.4, -0.4, -0.6, -0.6])


def test_the_yaw_of_quaternions_is_that_of_one(rng):
    q = rng.normal(size=(4, 20))
    np.testing.assert_allclose(yaw_of_quaternions(*q), [yaw_of_quaternion(*one) for one in q.T], rtol=1e-12)


@pytest.mark.parametrize(('more', 'says'), [
    ({'thrusters': [{'name': 'a', 'revolutions': {'column': 'n', 'unit': 'rpm'},
                     'bollard': {'unit': 'rpm', 'rows': [[0, 0], [100, 20], [90, 30]]}}]}, 'must both rise'),
    ({'thrusters': [{'name': 'a', 'revolutions': {'column': 'n', 'unit': 'rpm'},
                     'bollard': {'unit': 'rpm', 'rows': [[10, 1], [100, 20]]}}]}, r'must hold \[0, 0\]'),
    ({'foils': [{'name': 'rudder', 'angle': {'column': 'd', 'unit': 'N'}}]}, 'no angle can have'),
    ({'foils': [{'name': 'rudder', 'angle': {'column': 'd', 'unit': 'deg'}}] * 2}, 'foils have the names'),
    ({'columns': {**MAP, 'orientation_w': {'column': 'q', 'unit': '-'}}}, 'orientation_w only; must have all of'),
])
def test_faults_are_named(tmp_path, more, says):
    columns = more.pop('columns', MAP)
    with pytest.raises(InputError, match=says):
        mapped(tmp_path, columns, **more)
