"""Parameters of an autopilot beside a boat file."""

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.live.parameter_check import parameter_differences

SAME = {'FRAME_CLASS': 2.0, 'SERVO1_FUNCTION': 73.0, 'SERVO3_FUNCTION': 74.0, 'CRUISE_SPEED': 1.5,
        'BATT_CAPACITY': 36_000.0, 'BATT_LOW_VOLT': 13.2}


@pytest.mark.parametrize('name, value, words', [
    ('FRAME_CLASS', 1.0, 'FRAME_CLASS is 1; boats have 2'),
    ('SERVO5_FUNCTION', 26.0, 'SERVOn_FUNCTION has a steering servo (26); in the boat file nothing turns'),
    ('CRUISE_SPEED', 9.0, 'CRUISE_SPEED is 9 m/s; the top speed of the boat file is'),
    ('WP_SPEED', 9.0, 'WP_SPEED is 9 m/s; the top speed of the boat file is'),
    ('BATT_CAPACITY', 18_000.0, 'BATT_CAPACITY is 18000 mAh; the boat file has 532.8 Wh at 14.8 V, 36000 mAh'),
    ('BATT_LOW_VOLT', 15.0, 'BATT_LOW_VOLT is 15 V, the nominal voltage'),
    ('BATT_LOW_MAH', 40_000.0, 'BATT_LOW_MAH is 40000 mAh, more than')])
def test_each_difference_is_said_alone(name, value, words):
    boat = read_boat('blueboat')
    assert parameter_differences(SAME, boat) == []
    [said] = parameter_differences({**SAME, name: value}, boat)
    assert said.startswith(words)


def test_one_throttle_cannot_steer_two_fixed_thrusters():
    outputs = {'SERVO1_FUNCTION': 26.0, 'SERVO3_FUNCTION': 70.0}
    said = parameter_differences(outputs, read_boat('blueboat'))
    assert len(said) == 2 and 'nothing would steer it' in said[0]
    assert parameter_differences({}, read_boat('blueboat')) == []
