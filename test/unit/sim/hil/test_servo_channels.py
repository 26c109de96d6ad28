"""Which channel drives what, and what its pulses ask for."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.sim.hil.sitl_frames import Servo, ServoChannels, angle_of_pulse

DEG = math.radians(1.0)


def pulses(**at):
    found = [0] * 16
    for channel, pulse in at.items():
        found[int(channel[1:]) - 1] = pulse
    return found


def test_the_channels_of_a_rover_are_those_of_a_pair_or_of_throttle_and_steering():
    pair = ServoChannels(read_boat('lutra_prop'), None).setting(pulses(c1=1900, c3=1100))
    vessel = read_boat('lutra_prop').vessel
    assert pair.commands == (vessel.thrusters[0].max_thrust, vessel.thrusters[1].min_thrust)
    assert pair.angles == (None, None)
    steered = ServoChannels(read_boat('lutra_rudder'), None).setting(pulses(c3=1900, c1=1100))
    assert steered.commands == (11.5,)
    assert steered.foils == pytest.approx((-60.0 * DEG,))


def test_a_thruster_that_turns_has_a_channel_for_its_thrust_and_one_for_its_angle():
    boat = read_boat('milliampere')
    names = boat.thruster_names
    channels = {name: Servo(number) for number, name in enumerate(names, 1)}
    channels |= {f'{name}.angle': Servo(5 + number, -45.0 * DEG, 45.0 * DEG) for number, name in enumerate(names)}
    asked = ServoChannels(boat, channels).setting(pulses(c1=1500, c5=1700, c6=1100, c7=1500))
    assert asked.commands[0] == 0.0
    assert asked.angles[:3] == pytest.approx((22.5 * DEG, -45.0 * DEG, 0.0))
    assert ServoChannels(boat, channels).largest == 4 + len(names)


def test_numbers_alone_go_in_the_order_of_the_boat_file():
    boat = read_boat('lutra_rudder')
    assert ServoChannels(boat, [7, 2]).setting(pulses(c7=1900, c2=1700)) == \
        ServoChannels(boat, {'fwd': Servo(7), 'rudder': Servo(2)}).setting(pulses(c7=1900, c2=1700))


@pytest.mark.parametrize(('pulse', 'least', 'largest', 'angle'), [
    (1500, -60.0, 60.0, 0.0), (1100, -60.0, 60.0, -60.0), (1900, -60.0, 60.0, 60.0), (900, -60.0, 60.0, -60.0),
    (1700, -20.0, 60.0, 30.0), (1300, -20.0, 60.0, -10.0), (1500, 10.0, 90.0, 50.0), (0, -60.0, 60.0, 0.0)])
def test_angles_go_from_least_to_largest(pulse, least, largest, angle):
    assert angle_of_pulse(pulse, least * DEG, largest * DEG) == pytest.approx(angle * DEG)


def test_a_thruster_that_turns_all_round_is_steered_from_astern_to_astern():
    """milliAmpere's four turn without limit: 1100 and 1900 us are half a turn each way."""
    boat = read_boat('milliampere')
    number = len(boat.thruster_names)
    asked = ServoChannels(boat, list(range(1, 2 * number + 1))).setting([1100] * 16)
    assert set(asked.angles) == {-math.pi}


@pytest.mark.parametrize(('boat', 'channels', 'words'), [
    ('lutra_prop', [1], r'right has no channel; give one each for left, right, as --channels left=1,right=3'),
    ('milliampere', None, 'has no channel'),
    ('lutra_rudder', {'fwd': Servo(3)}, 'rudder has no channel'),
    ('lutra_rudder', {'fwd': Servo(3), 'rudder': Servo(1), 'bow': Servo(2)}, 'bow is nothing that a channel drives'),
    ('lutra_rudder', {'fwd': Servo(3, -1.0, 1.0), 'rudder': Servo(1)}, 'fwd is a thrust and has no angles'),
    ('lutra_prop', [1, 2, 3], 'has 3 channels; the boat needs 2, for left, right')])
def test_faults_name_the_boat_the_part_and_what_to_give(boat, channels, words):
    with pytest.raises(InputError, match=words):
        ServoChannels(read_boat(boat), channels)
