"""Coefficients as papers print them: SNAME's names, and the forces that Fossen's matrices give in axes down."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main
from usv_energy.files.errors import InputError
from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force

REST = '''
name: paper
convention: sname
coefficients: {%s}
windage: {frontal_area: 0.1, lateral_area: 0.2, c_x: 0.7, c_y: 1.0, air_density: 1.2}
thrusters: [{name: left, x: -0.5, y: 0.3, min_thrust: -10, max_thrust: 20},
            {name: right, x: -0.5, y: -0.3, min_thrust: -10, max_thrust: 20}]
static_load: 5.0
'''
HERON = ('m: 28.0, I_z: 6.1, x_g: 0.1, X_udot: -3.0, Yvdot: -8.0, N_rdot: -2.5, Y_rdot: 0.4, X_u: -11.0, Yv: -20.0, '
         'N_r: -9.0, Y_r: 1.5, N_v: -2.0, X_|u|u: -7.0, Y_vv: -30.0, N_rr: -5.0')


@pytest.fixture
def boat_of(tmp_path):
    def write(coefficients, more=''):
        path = tmp_path / 'paper.yaml'
        path.write_text(REST % coefficients + more)
        return read_boat(str(path))
    return write


def test_the_forces_are_those_of_fossens_matrices(boat_of):
    """In axes down sway, yaw rate, side force and yaw moment have the opposite sign; surge the same."""
    vessel = boat_of(HERON).vessel
    nu, rate = np.array([1.2, -0.3, 0.5]), np.array([0.4, 0.2, -0.1])
    down = np.array([1.0, -1.0, -1.0])
    mass = np.array([[31.0, 0.0, 0.0], [0.0, 36.0, 28.0 * 0.1 - 0.4], [0.0, 28.0 * 0.1 - 0.4, 8.6]])
    u, v, r = down * nu
    drag = -np.array([[-11.0 - 7.0 * abs(u), 0.0, 0.0], [0.0, -20.0 - 30.0 * abs(v), 1.5],
                      [0.0, -2.0, -9.0 - 5.0 * abs(r)]])
    np.testing.assert_allclose(inertia_force(*rate, vessel.inertia), down * (mass @ (down * rate)))
    np.testing.assert_allclose(damping_force(*nu, vessel.damping), down * (drag @ (down * nu)))
    c13, c23 = -(mass[1, 1] * v + mass[1, 2] * r), mass[0, 0] * u
    coriolis = np.array([[0.0, 0.0, c13], [0.0, 0.0, c23], [-c13, -c23, 0.0]])
    np.testing.assert_allclose(coriolis_force(*nu, vessel.inertia), down * (coriolis @ (down * nu)))


def test_all_that_is_wrong_is_told_at_once(boat_of):
    with pytest.raises(InputError) as error:
        boat_of('m: 28.0, X_u: 11.0, N_rdot: 2.0, X_q: 1.0, Y_v: many')
    lines = str(error.value).splitlines()
    assert len(lines) == 5 and "X_u is 11; must be at most 0, as SNAME has it: it resists (write -11)" in lines[0]
    assert any("unknown key 'X_q'" in line for line in lines) and any("lacks 'I_z'" in line for line in lines)


def test_faults_of_coefficients_and_of_the_rest_are_lines_of_one_message(boat_of, tmp_path, capsys):
    with pytest.raises(InputError):
        boat_of(HERON.replace('X_u: -', 'X_u: '), 'hull: {lenght: 1.3}')
    assert main(['boat', 'check', str(tmp_path / 'paper.yaml')]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and lines[0].startswith('usv-energy: error: ') and 'coefficients: X_u is 11' in lines[0]
    assert lines[1].startswith("  unknown key 'lenght' in hull")


def test_a_convention_without_coefficients_says_what_it_lacks(tmp_path):
    path = tmp_path / 'paper.yaml'
    path.write_text('base: lutra_prop\nconvention: sname\ndamping: {X_u: -3}\n')
    with pytest.raises(InputError, match="has convention: sname and lacks the key 'coefficients'"):
        read_boat(str(path))


@pytest.mark.parametrize(('more', 'message'), [
    ('inertia: {m11: 1.0, m22: 1.0, m33: 1.0}', 'inertia stands beside convention'),
    ('convention: ned', 'given twice')])
def test_what_does_not_go_together(boat_of, more, message):
    with pytest.raises(InputError, match=message):
        boat_of(HERON, more)


def test_a_boat_file_tells_all_its_faults(tmp_path):
    path = tmp_path / 'heron.yaml'
    path.write_text('name: heron\nhull: {lenght: 1.3}\ninertia: {m11: -3.0}\ndamping: {linear: {d11: 5.0}}\n')
    with pytest.raises(InputError) as error:
        read_boat(str(path))
    told = str(error.value)
    for words in ("lenght", 'inertia.m11 is -3.0; must be greater than 0', "inertia lacks the key 'm22'",
                  "inertia lacks the key 'm33'", "damping lacks the key 'quadratic'",
                  "damping.linear lacks the key 'd22'", 'the file lacks the key', "'windage'", "'thrusters'",
                  "'static_load'"):
        assert words in told, words
