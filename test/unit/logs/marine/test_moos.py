"""Logs of MOOS-IvP."""

import east_files
import numpy as np
import pytest

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


def test_a_log_without_navigation_says_what_it_has(tmp_path):
    path = tmp_path / 'a.alog'
    path.write_text('%% LOGSTART 1.0\n0.5 DB_CLIENTS MOOSDB 3\n')
    with pytest.raises(InputError, match=r'neither NAV_X, NAV_LAT nor NAV_SPEED. There are: DB_CLIENTS'):
        read_alog(path)
    path.write_text('%% LOGSTART 1.0\n')
    with pytest.raises(InputError, match=r'is no \.alog of MOOS'):
        read_alog(path)
