"""A telemetry log whose GPS alone tells the motion, and batteries that draw nothing."""

import math

import numpy as np
import pytest
from needs import NEEDS_PYMAVLINK
from telemetry_files import BOAT, Station

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log

pytestmark = NEEDS_PYMAVLINK
SPEED, COURSE = 1.5, math.radians(120.0)  # m/s; clockwise from north


def gps_only(fix=lambda step: 3, amperes=lambda step: 2.5):
    """Take down a boat that goes straight to the south-east, pointing where it goes."""
    station = Station()
    station.put(0.0, 'HEARTBEAT', BOAT, 3, 0, 0, 4, 3)
    for step in range(150):
        t = 0.2 * step
        north, east = SPEED * t * math.cos(COURSE), SPEED * t * math.sin(COURSE)
        station.put(t, 'ATTITUDE', round(1e3 * t), 0.0, 0.0, COURSE, 0.0, 0.0, 0.0)
        station.put(t, 'GPS_RAW_INT', round(1e6 * t), fix(step), round(1e7 * (63.4 + north / 111_500.0)),
                    round(1e7 * (10.3 + east / (111_320.0 * math.cos(math.radians(63.4))))), 0, 100, 100,
                    round(100.0 * SPEED), round(100.0 * math.degrees(COURSE)), 9)
        station.put(t, 'BATTERY_STATUS', 0, 0, 0, 0, [4000] * 4 + [65535] * 6, round(100.0 * amperes(step)), 0, 0, 50)
    return station


def test_speed_course_and_place_are_those_of_the_gps(tmp_path):
    log = read_log(gps_only().write(tmp_path / 'a.tlog'))
    assert 'gps_only' in {note.code for note in log.notes}
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - COURSE, atol=1e-4)
    np.testing.assert_allclose(log.u[2:-2], SPEED, atol=0.01)
    np.testing.assert_allclose(log.v[2:-2], 0.0, atol=0.02)
    np.testing.assert_allclose(log.x - log.x[0], SPEED * math.sin(COURSE) * log.time, atol=0.3)
    np.testing.assert_allclose(log.y - log.y[0], SPEED * math.cos(COURSE) * log.time, atol=0.3)


def test_without_a_fix_there_is_no_motion_and_what_has_none_is_left_out(tmp_path):
    log = read_log(gps_only(lambda step: 3 if step >= 50 else 1).write(tmp_path / 'a.tlog'))
    assert len(log) == 100
    with pytest.raises(InputError, match='its GPS never had a fix'):
        read_log(gps_only(lambda step: 1).write(tmp_path / 'b.tlog'))


def test_a_battery_that_draws_nothing_for_a_while_is_known_to(tmp_path):
    log = read_log(gps_only(amperes=lambda step: 0.0 if step < 75 else 2.5).write(tmp_path / 'a.tlog'))
    np.testing.assert_allclose(log.amperes[5:70], 0.0)
    np.testing.assert_allclose(log.amperes[80:-5], 2.5)
    np.testing.assert_allclose(log.electrical_power[80:-5], 40.0)
