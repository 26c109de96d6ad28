"""MAVLink's messages as JSON, in the forms in which programs write them."""

import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.bags.json_bag import is_mavlink, log_of_mavlink_json

SOURCE = Source('a', Path('a.mcap'))


def of_boat(wrapped=True):
    """Give messages of a boat that goes 1.5 m/s north for 60 s, of mavlink2rest or with their fields at the top."""
    for k in range(61):
        for kind, fields in (
                ('ATTITUDE', {'time_boot_ms': 1000 * k + 9000, 'yaw': 0.0, 'yawspeed': 0.0}),
                ('LOCAL_POSITION_NED', {'time_boot_ms': 1000 * k + 9000, 'x': 1.5 * k, 'y': 0.0, 'vx': 1.5, 'vy': 0.0}),
                ('BATTERY_STATUS', {'id': 0, 'voltages': [12000, 12000, 65535], 'current_battery': 100 * k + 100}),
                ('STATUSTEXT', {'text': list('ArduRover V4.5.0') + ['\0'] * 3})):
            yield f'mavlink/1/1/{kind}', 100.0 + k, {'message': {'type': kind, **fields}} if wrapped else fields


@pytest.mark.parametrize('wrapped', [True, False])
def test_motion_and_battery_come_out(wrapped):
    log = log_of_mavlink_json(of_boat(wrapped), SOURCE)
    np.testing.assert_allclose(log.time, np.arange(61.0))
    np.testing.assert_allclose(log.y, 1.5 * log.time)
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi)
    np.testing.assert_allclose(log.u, 1.5)
    np.testing.assert_allclose(log.volts, 24.0)
    np.testing.assert_allclose(log.amperes, 1.0 + log.time)
    assert any('ArduRover V4.5.0' in note.text for note in log.notes)


def test_messages_that_lack_fields_are_left_out_and_counted():
    bad = [('mavlink/1/1/ATTITUDE', 0.0, {'message': {'type': 'ATTITUDE', 'yaw': 'x', 'time_boot_ms': 1}}),
           ('mavlink/1/1/ATTITUDE', 0.0, [1])]
    log = log_of_mavlink_json([*bad, *of_boat()], SOURCE)
    assert next(note for note in log.notes if note.code == 'messages_damaged').figures == {'messages': 2}
    with pytest.raises(InputError):
        log_of_mavlink_json(bad, SOURCE)


def test_topics_of_mavlink_are_known():
    assert is_mavlink('mavlink/1/1/ATTITUDE') and is_mavlink('/boat/mavlink/12/190/HEARTBEAT')
    assert not is_mavlink('mavlink_raw/out') and not is_mavlink('/attitude')
