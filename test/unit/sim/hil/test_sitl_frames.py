"""ArduPilot's JSON interface: bytes in, axes out."""

import json
import math
import struct

import pytest

from usv_energy.sim.hil.sitl_frames import GRAVITY, BoatMotion, SitlFrame, decoded, reply

RESTING = BoatMotion(1.5, (3.0, 4.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_packets_of_16_and_32_pulses_are_read():
    """By the format's own words: uint16 magic, uint16 rate, uint32 count, uint16 pulses; little-endian, packed."""
    packet = struct.pack('<HHI16H', 18458, 50, 7, *range(1100, 1116))
    assert decoded(packet) == SitlFrame(50, 7, tuple(range(1100, 1116)))
    packet = struct.pack('<HHI32H', 29569, 400, 8, *range(32))
    assert decoded(packet) == SitlFrame(400, 8, tuple(range(32)))


@pytest.mark.parametrize('packet', [b'', b'\x1a', struct.pack('<HHI16H', 18457, 50, 7, *[0] * 16),
                                    struct.pack('<HHI16H', 18458, 50, 7, *[0] * 16)[:-1], b'{"imu": 1}'])
def test_anything_else_is_none(packet):
    assert decoded(packet) is None


def told(**changes):
    text = reply(RESTING._replace(**changes)).decode()
    assert text.startswith('\n') and text.endswith('\n')
    return json.loads(text)


def test_at_rest_gravity_is_felt_upward_and_east_is_a_heading_of_90_degrees():
    """ENU (3, 4) is 4 m north, 3 m east; a boat that lies level feels 9.8 m/s^2 upward: -z of forward, right, down."""
    found = told()
    assert found['timestamp'] == 1.5
    assert found['position'] == [4.0, 3.0, 0.0]
    assert found['attitude'] == pytest.approx([0.0, 0.0, math.pi / 2])
    assert found['imu']['accel_body'] == pytest.approx([0.0, 0.0, -GRAVITY])
    assert 'battery' not in found


def test_a_turn_to_port_is_a_negative_rate_and_a_port_acceleration_is_to_the_left():
    found = told(attitude=(0.0, 0.0, math.pi / 2), velocity=(2.0, 0.5, 0.0), rates=(0.0, 0.0, 0.1),
                 acceleration=(0.3, 0.2, 0.0))
    assert found['attitude'][2] == pytest.approx(0.0)           # North.
    assert found['velocity'] == pytest.approx([2.0, -0.5, 0.0])  # Port of north is west.
    assert found['imu']['gyro'] == pytest.approx([0.0, 0.0, -0.1])
    assert found['imu']['accel_body'] == pytest.approx([0.3, -0.2, -GRAVITY])


def test_the_battery_is_told_where_it_is_known():
    assert told(power=60.0, voltage=12.0)['battery'] == {'voltage': 12.0, 'current': 5.0}


def test_the_answer_has_no_blanks():
    """ArduPilot finds a key by strstr, goes behind `key":`, and reads "[%f, %f, %f]" there: no blank before [."""
    assert b' ' not in reply(RESTING._replace(power=60.0, voltage=12.0))


def test_a_boat_that_lies_over_feels_gravity_from_the_side():
    """Rolled to starboard by 30 degrees (FLU and FRD alike): gravity upward is half to port, which is -y of FRD."""
    found = told(attitude=(math.radians(30.0), 0.0, 0.0))
    assert found['attitude'][0] == pytest.approx(math.radians(30.0))
    assert found['imu']['accel_body'] == pytest.approx(
        [0.0, -0.5 * GRAVITY, -math.cos(math.radians(30.0)) * GRAVITY])


def test_a_bow_that_goes_up_is_a_positive_pitch_and_its_velocity_climbs():
    """FLU pitch is positive with the bow down; ArduPilot's with the bow up. Ahead is then upward: z (down) falls."""
    found = told(attitude=(0.0, math.radians(-10.0), math.pi / 2), velocity=(2.0, 0.0, 0.0), rates=(0.0, -0.2, 0.0))
    assert found['attitude'][1] == pytest.approx(math.radians(10.0))
    assert found['velocity'] == pytest.approx(
        [2.0 * math.cos(math.radians(10.0)), 0.0, -2.0 * math.sin(math.radians(10.0))])
    assert found['imu']['gyro'] == pytest.approx([0.0, 0.2, 0.0])
    assert found['imu']['accel_body'][0] == pytest.approx(math.sin(math.radians(10.0)) * GRAVITY)
