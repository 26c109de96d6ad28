"""Logs of MOOS-IvP."""

import re

import east_files
import numpy as np
import pytest

from usv_energy import analyze_log
from usv_energy.files.errors import InputError
from usv_energy.logs.marine.moos import read_alog


def test_navigation_and_what_was_desired(tmp_path):
    path = tmp_path / 'a.alog'
    east_files.alog(path)
    log = read_alog(path)
    np.testing.assert_allclose(log.x, east_files.TIME)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-12)
    np.testing.assert_allclose(log.u, 1.0)
    assert log.start == pytest.approx(1714607940.5)
    np.testing.assert_allclose(log.extra['desired_thrust_percent'], 40.0)
    assert any('NAV_X of uSimMarineV22' in note.text for note in log.notes)


def test_nav_yaw_is_in_radians_counter_clockwise_from_north(tmp_path):
    path = tmp_path / 'a.alog'
    east_files.alog(path)
    path.write_text(re.sub(r'NAV_HEADING +(\S+) +90.0', r'NAV_YAW \1 -1.0472', path.read_text()))
    np.testing.assert_allclose(read_alog(path).yaw, np.radians(30.0), atol=1e-5)  # a compass's 60 degrees


def test_a_heading_that_repeats_a_gps_s_course_is_no_heading(tmp_path):
    """As of MIT's PEARL: NAV_HEADING is an echo of GPS_HEADING_GPRMC, which turns at random while the boat lies."""
    path = tmp_path / 'a.alog'
    lines = ['%% LOGSTART 1.0']
    for row, time in enumerate(east_files.TIME):
        turned = (row * 137.0) % 360.0
        lines += [f'{time} {name} {node} {value}' for name, node, value in (
            ('GPS_HEADING_GPRMC', 'iDualGPS', turned), ('NAV_X', 'pEchoVar', 0.2 * time), ('NAV_Y', 'pEchoVar', 0.0),
            ('NAV_SPEED', 'pEchoVar', 0.2), ('NAV_HEADING', 'pEchoVar', turned))]
    path.write_text('\n'.join(lines))
    log = read_alog(path)
    assert 'heading_is_course' in {note.code for note in log.notes}
    assert analyze_log(path, 'lutra_prop').energy.total < 100.0  # 70 J of the way; some 1e4 J of turning before


def test_a_log_without_navigation_says_what_it_has(tmp_path):
    path = tmp_path / 'a.alog'
    path.write_text('%% LOGSTART 1.0\n0.5 DB_CLIENTS MOOSDB 3\n')
    with pytest.raises(InputError, match=r'neither NAV_X, NAV_LAT nor NAV_SPEED. There are: DB_CLIENTS'):
        read_alog(path)
    path.write_text('%% LOGSTART 1.0\n')
    with pytest.raises(InputError, match=r'is no \.alog of MOOS'):
        read_alog(path)
