"""Packets are told from each other by their lengths, in both versions of MAVLink, signed or not."""

import struct

import pytest

from usv_energy.logs.autopilots.telemetry import TelemetryFile


def stamped(packet, microseconds=1_700_000_000_250_000):
    return struct.pack('>Q', microseconds) + packet


ONE = bytes([0xFE, 3, 9, 7, 1, 30]) + b'abc' + b'\x11\x22'
TWO = bytes([0xFD, 4, 0, 0, 9, 8, 2, 0x39, 0x30, 0x00]) + b'abcd' + b'\x11\x22'
SIGNED = bytes([0xFD, 4, 1, 0, 9, 8, 2, 30, 0, 0]) + b'abcd' + b'\x11\x22' + 13 * b's'


def test_who_sent_what_and_when():
    file = TelemetryFile(b''.join(map(stamped, (ONE, TWO, SIGNED, ONE))))
    packets = list(file.packets())
    assert [(p.system, p.component, p.message) for p in packets] == [(7, 1, 30), (8, 2, 12345), (8, 2, 30), (7, 1, 30)]
    assert [p.data for p in packets] == [ONE, TWO, SIGNED, ONE] and file.skipped == 0
    assert packets[0].received == pytest.approx(1_700_000_000.25, abs=1e-6)


def test_of_the_flags_of_a_packet_only_that_of_a_signature_makes_it_longer():
    flagged = TWO[:2] + b'\xfe' + TWO[3:]
    file = TelemetryFile(stamped(flagged) + stamped(SIGNED))
    assert [p.data for p in file.packets()] == [flagged, SIGNED] and file.skipped == 0


def test_what_is_no_packet_is_skipped_and_counted():
    file = TelemetryFile(stamped(ONE) + stamped(TWO) + b'\x00' * 21 + stamped(SIGNED) + stamped(ONE)[:-3])
    assert [p.data for p in file.packets()] == [ONE, SIGNED]  # that before the hole is lost with it
    assert file.skipped == len(stamped(TWO)) + 21 + len(stamped(ONE)) - 3


@pytest.mark.parametrize('data', [b'', b'\xfe', bytes(8) + b'\xfd', bytes(9) + b'\xfd\xff'])
def test_a_file_too_short_for_a_packet_has_none(data):
    file = TelemetryFile(data)
    assert list(file.packets()) == [] and file.skipped == len(data)


@pytest.mark.parametrize('more', [7, 8])
def test_a_file_may_end_within_or_just_after_the_time_of_a_packet_that_is_not_there(more):
    file = TelemetryFile(stamped(ONE) + bytes(more))
    assert [p.data for p in file.packets()] == [ONE] and file.skipped == more
