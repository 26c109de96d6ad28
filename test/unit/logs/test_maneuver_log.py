from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.maneuver_log import maneuver_log, resting_angles, write_bollard, write_maneuver
from usv_energy.logs.read_log import read_log
from usv_energy.sim.maneuver import knows_bollard_power, read_maneuver, run_maneuver

BOAT = read_boat('lutra_prop')


def test_a_run_s_folder_is_read_back_as_it_was(tmp_path):
    maneuver = read_maneuver('b')
    rows, thrusts = run_maneuver(maneuver, BOAT, BOAT)
    write_maneuver(rows, thrusts, BOAT, tmp_path / 'b')
    log, back = maneuver_log(maneuver, rows, thrusts, BOAT), read_log(tmp_path / 'b')
    for name in ('time', 'x', 'yaw', 'u', 'v', 'r', 'u_dot', 'current_x', 'thrust'):
        np.testing.assert_array_equal(getattr(back, name), getattr(log, name), err_msg=name)
    assert back.thrusters == ('left', 'right') and back.name == 'b' and not back.warnings


def test_what_turns_is_held_at_rest_and_the_folder_says_so(tmp_path):
    """A maneuver asks for thrusts only; its log serves an identification of a boat with a rudder all the same."""
    boat = read_boat('lutra_rudder')
    path = tmp_path / 'ahead.yaml'
    path.write_text('title: ahead\nsimulation: {step: 0.02, period: 0.1}\n'
                    'steps: [{duration: 5.0, share: [0.5]}, {duration: 5.0, share: [1.0]}]\n')
    maneuver = read_maneuver(str(path))
    rows, thrusts = run_maneuver(maneuver, boat, boat)
    write_maneuver(rows, thrusts, boat, tmp_path / 'ahead')
    log, back = maneuver_log(maneuver, rows, thrusts, boat), read_log(tmp_path / 'ahead')
    for one in (log, back):
        assert one.foils == ('rudder',) and one.foil_angle.shape == (len(rows), 1)
        np.testing.assert_array_equal(one.foil_angle, 0.0)
    np.testing.assert_array_equal(back.thrust, log.thrust)
    assert resting_angles(BOAT) == {} and set(resting_angles(read_boat('milliampere')).values()) == {0.0}


@pytest.mark.parametrize('name', ['lutra_prop_trial', 'lutra_prop', 'blueboat_start'])
def test_a_pull_is_written_with_the_pulse_and_the_power_where_the_boat_s_file_has_them(tmp_path, name):
    boat = read_boat(name)
    curve, draws = (boat.pulse_curves or (None,))[0], knows_bollard_power(boat.vessel)
    run = SimpleNamespace(rows=[SimpleNamespace(time=0.5 * k, power=SimpleNamespace(total=30.0 + k)) for k in range(3)],
                          commanded=[(3.0 + k, 0.0) for k in range(3)], ahead=[5.0 - k for k in range(3)])
    write_bollard(run, boat, tmp_path)
    head, *lines = (tmp_path / 'bollard.csv').read_text().splitlines()
    assert head.split(',') == ['time_s', *['pwm_us'] * (curve is not None), 'thrust_n', 'pull_n',
                               *['power_w'] * bool(draws)]
    for k, line in enumerate(lines):
        found = dict(zip(head.split(','), map(float, line.split(','))))
        assert (found['time_s'], found['thrust_n'], found['pull_n']) == (0.5 * k, 3.0 + k, 5.0 - k)
        assert found.get('power_w', 30.0 + k) == 30.0 + k
        assert curve is None or curve.thrust(found['pwm_us']) == pytest.approx(3.0 + k)
    assert len(lines) == 3
