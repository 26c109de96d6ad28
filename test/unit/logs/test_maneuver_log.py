import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.maneuver_log import maneuver_log, write_maneuver
from usv_energy.logs.read_log import read_log
from usv_energy.sim.maneuver import read_maneuver, run_maneuver

BOAT = read_boat('lutra_prop')


def test_a_run_s_folder_is_read_back_as_it_was(tmp_path):
    maneuver = read_maneuver('b')
    rows, thrusts = run_maneuver(maneuver, BOAT, BOAT)
    write_maneuver(rows, thrusts, BOAT, tmp_path / 'b')
    log, back = maneuver_log(maneuver, rows, thrusts, BOAT), read_log(tmp_path / 'b')
    for name in ('time', 'x', 'yaw', 'u', 'v', 'r', 'u_dot', 'current_x', 'thrust'):
        np.testing.assert_array_equal(getattr(back, name), getattr(log, name), err_msg=name)
    assert back.thrusters == ('left', 'right') and back.name == 'b' and not back.warnings
