"""Throttles are found by the functions of the outputs, turned ahead, and held between their messages."""

import numpy as np

from usv_energy.logs.autopilots.dataflash import throttles

TIME = np.arange(0.0, 4.0)
STAMPS = np.array([0.0, 2.0])


def found(outputs, parameters):
    notes = []
    return throttles(TIME, STAMPS, {k: np.array(v) for k, v in outputs.items()}, parameters, notes), notes


def test_commands_are_held_and_reversed_about_their_neutral():
    (left, right), notes = found({5: [1600.0, 1700.0], 2: [1400.0, 0.0]}, {
        'SERVO5_FUNCTION': 74.0, 'SERVO2_FUNCTION': 73.0, 'SERVO2_REVERSED': 1.0, 'SERVO2_TRIM': 1490.0})
    assert (left.name, left.neutral, right.name, right.neutral, notes) == ('left', 1490.0, 'right', 1500.0, [])
    np.testing.assert_array_equal(right.command, [1600.0, 1600.0, 1700.0, 1700.0])
    np.testing.assert_array_equal(left.command, [1580.0, 1580.0, np.nan, np.nan])  # 0: no pulse


def test_what_is_assumed_is_said_and_what_is_not_there_is_none():
    (left, right), notes = found({1: [1400.0, 1400.0], 3: [1600.0, 1600.0]}, {})
    assert (left.command[0], right.command[0], notes[0].code) == (1400.0, 1600.0, 'channels_assumed')
    nothing, notes = found({3: [1600.0, 1600.0]}, {'SERVO3_FUNCTION': 70.0})
    assert nothing == () and notes[0].code == 'one_throttle'
    assert found({1: [1400.0, 1400.0]}, {})[0] == ()


def test_a_single_side_is_not_two_throttles():
    """SERVOn_FUNCTION 73 (left) or 74 (right) alone names no pair: the usual channels are assumed, and said to be."""
    for function in (73.0, 74.0):
        (left, right), notes = found({1: [1400.0, 1400.0], 3: [1600.0, 1600.0]}, {'SERVO5_FUNCTION': function})
        assert (left.command[0], right.command[0], notes[0].code) == (1400.0, 1600.0, 'channels_assumed')
