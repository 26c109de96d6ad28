"""
The packets in a telemetry log (.tlog): each MAVLink packet as it came, after the time at which it was received.

Source: MAVLink, packet serialization, https://mavlink.io/en/guide/serialization.html; the stamp of eight bytes before
each packet, microseconds since 1970, big-endian: QGroundControl's MAVLink log format.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

STAMP = struct.Struct('>Q')
FIRST, SECOND = 0xFE, 0xFD  # The bytes that packets of MAVLink 1 and 2 begin with.
AROUND = {FIRST: 8, SECOND: 12}  # Bytes of a packet that are not its payload: header and checksum.
SIGNED, SIGNATURE = 0x01, 13  # The flag of a signed packet of MAVLink 2, and its signature's bytes.


class Packet(NamedTuple):
    """A packet: when it was received, s since 1970; its system, component and message; all its bytes."""

    received: float
    system: int
    component: int
    message: int
    data: bytes


class TelemetryFile:
    """The packets of a telemetry log; `skipped` counts the bytes that belong to none."""

    def __init__(self, data: bytes) -> None:
        """Take the bytes of the file."""
        self._data = data
        self.skipped = 0

    def packets(self) -> Iterator[Packet]:
        """Give the packets in the order of the file; what is none, or not followed by one, is skipped."""
        data, at = self._data, 0
        while at + STAMP.size < len(data):
            begin = at + STAMP.size
            end = begin + self._length(begin)
            following = end + STAMP.size
            if end == begin or end > len(data) or (following < len(data) and data[following] not in AROUND):
                at += 1
                self.skipped += 1
                continue
            yield self._packet(1e-6 * STAMP.unpack_from(data, at)[0], begin, end)
            at = end
        self.skipped += len(data) - at

    def _length(self, begin: int) -> int:
        """Return the number of bytes of the packet that begins at a place; 0 where none does."""
        data = self._data
        if data[begin] not in AROUND or begin + 2 >= len(data):
            return 0
        signed = data[begin] == SECOND and data[begin + 2] & SIGNED
        return data[begin + 1] + AROUND[data[begin]] + (SIGNATURE if signed else 0)

    def _packet(self, received: float, begin: int, end: int) -> Packet:
        data = self._data
        if data[begin] == FIRST:
            return Packet(received, data[begin + 3], data[begin + 4], data[begin + 5], data[begin:end])
        message = data[begin + 7] | data[begin + 8] << 8 | data[begin + 9] << 16
        return Packet(received, data[begin + 5], data[begin + 6], message, data[begin:end])
