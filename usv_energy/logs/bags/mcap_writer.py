"""
Write an MCAP file as rosbag2 does: messages in chunks that are flushed as often as one likes, an index at the end.

A chunk that was flushed is in the file whatever becomes of the process. A file that was not closed lacks its index.

Source: the MCAP format, version 0 (https://mcap.dev/spec), and the names that rosbag2_storage_mcap gives.
"""

import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from usv_energy.logs.bags.mcap import (
    CHANNEL,
    CHUNK,
    DATA_END,
    FOOTER,
    MAGIC,
    MESSAGE,
    MESSAGE_INDEX,
    SCHEMA,
    STATISTICS,
)

HEADER, CHUNK_INDEX, METADATA, METADATA_INDEX, SUMMARY_OFFSET = 0x01, 0x08, 0x0C, 0x0D, 0x0E
CHUNK_SIZE = 1 << 20
_MESSAGE_RECORD = struct.Struct('<BQHIQQ')  # Code, length, then channel, sequence, and both times.
_MESSAGE_FIELDS = _MESSAGE_RECORD.size - 9


class Channel(NamedTuple):
    """
    A topic in the file.

    Its number (from 1), its name, the type of its messages with the definition (ros2msg), and rosbag2's words on it.
    """

    number: int
    topic: str
    kind: str
    definition: str
    metadata: Mapping[str, str]


class McapWriter:
    """Writes one file; `counts` says how many messages each channel has in it."""

    def __init__(self, path: Path, library: str) -> None:
        """
        Begin a file that does not exist yet.

        :param library: What writes it, for the file's header.
        :raises OSError: If the file exists or cannot be made.
        """
        self.counts: dict[int, int] = {}
        self._ends: list[int] = []  # The least and the largest time, ns, of each chunk with messages.
        self._channels: list[Channel] = []
        self._schemas: dict[str, int] = {}
        self._indexes: list[bytes] = []
        self._file = path.open('xb')
        self._file.write(MAGIC + _record(HEADER, _text('ros2') + _text(library)))
        self._file.flush()
        self._begin_chunk()

    @property
    def first(self) -> int:
        """The time of the earliest message that is in the file, ns; 0 where there is none."""
        return min(self._ends, default=0)

    @property
    def last(self) -> int:
        """The time of the latest message that is in the file, ns; 0 where there is none."""
        return max(self._ends, default=0)

    def _begin_chunk(self) -> None:
        self._chunk = bytearray()
        self._places: dict[int, list[int]] = {}  # Time and place of each message of a channel, one after the other.

    def add_channel(self, topic: str, kind: str, definition: str, metadata: Mapping[str, str]) -> int:
        """Announce a topic and return the number of its channel."""
        channel = Channel(len(self._channels) + 1, topic, kind, definition, dict(metadata))
        if kind not in self._schemas:
            self._schemas[kind] = len(self._schemas) + 1
            self._chunk += self._schema_record(channel)
        self._channels.append(channel)
        self.counts[channel.number] = 0
        self._chunk += self._channel_record(channel)
        return channel.number

    def write(self, channel: int, data: bytes, time: int) -> None:
        """Write a message, serialized as CDR, that was recorded at a time, ns."""
        chunk = self._chunk
        self._places.setdefault(channel, []).extend((time, len(chunk)))
        chunk += _MESSAGE_RECORD.pack(MESSAGE, _MESSAGE_FIELDS + len(data), channel, 0, time, time)
        chunk += data
        self.counts[channel] += 1
        if len(chunk) > CHUNK_SIZE:
            self.flush()

    def flush(self) -> None:
        """Put what was written so far into the file as a chunk, and the file into the hands of the system."""
        if not self._chunk:
            return
        records, start = bytes(self._chunk), self._file.tell()
        stamps = [time for pairs in self._places.values() for time in pairs[::2]]
        ends = [min(stamps), max(stamps)] if stamps else []  # A chunk that only announces topics has no times.
        times = struct.pack('<QQ', *(ends or (0, 0)))
        sizes = struct.pack('<Q', len(records))
        chunk = _record(CHUNK, times + sizes + struct.pack('<I', zlib.crc32(records)) + _text('') + sizes + records)
        places, index = bytearray(), bytearray()
        for channel, pairs in self._places.items():
            places += struct.pack('<HQ', channel, start + len(chunk) + len(index))
            index += _record(MESSAGE_INDEX, struct.pack(f'<HI{len(pairs)}Q', channel, 8 * len(pairs), *pairs))
        self._file.write(chunk)
        self._file.write(index)
        self._file.flush()
        self._indexes.append(_record(CHUNK_INDEX, times + struct.pack('<QQ', start, len(chunk)) + _block(places)
                                     + struct.pack('<Q', len(index)) + _text('') + sizes + sizes))
        self._ends += ends
        self._begin_chunk()

    def close(self, metadata: str = '') -> None:
        """End the file with its index; `metadata` is what rosbag2 has in metadata.yaml, too; empty: it finds that."""
        self.flush()
        place = self._file.tell()
        about = _record(METADATA, _text('rosbag2') + _pairs({'serialized_metadata': metadata})) if metadata else b''
        self._file.write(about + _record(DATA_END, struct.pack('<I', 0)))
        index = [_record(METADATA_INDEX, struct.pack('<QQ', place, len(about)) + _text('rosbag2'))] if metadata else []
        schemas = {channel.kind: self._schema_record(channel) for channel in self._channels}
        groups = ((SCHEMA, schemas.values()), (CHANNEL, map(self._channel_record, self._channels)),
                  (STATISTICS, [self._statistics(len(index))]), (CHUNK_INDEX, self._indexes), (METADATA_INDEX, index))
        self._write_summary(groups)
        self._file.close()

    def _write_summary(self, groups: Iterable[tuple[int, Iterable[bytes]]]) -> None:
        start = self._file.tell()
        offsets = []
        for code, records in groups:
            content = b''.join(records)
            if content:
                offsets.append(_record(SUMMARY_OFFSET, struct.pack('<BQQ', code, self._file.tell(), len(content))))
                self._file.write(content)
        end = self._file.tell()
        self._file.write(b''.join(offsets) + _record(FOOTER, struct.pack('<QQI', start, end, 0)) + MAGIC)

    def _statistics(self, metadata: int) -> bytes:
        counts = b''.join(struct.pack('<HQ', *item) for item in self.counts.items())
        return _record(STATISTICS, struct.pack(
            '<QHIIIIQQ', sum(self.counts.values()), len(self._schemas), len(self._channels), 0, metadata,
            len(self._indexes), self.first, self.last) + _block(counts))

    def _schema_record(self, channel: Channel) -> bytes:
        return _record(SCHEMA, struct.pack('<H', self._schemas[channel.kind]) + _text(channel.kind) + _text('ros2msg')
                       + _text(channel.definition))

    def _channel_record(self, channel: Channel) -> bytes:
        return _record(CHANNEL, struct.pack('<HH', channel.number, self._schemas[channel.kind]) + _text(channel.topic)
                       + _text('cdr') + _pairs(channel.metadata))


def _record(code: int, content: bytes) -> bytes:
    return struct.pack('<BQ', code, len(content)) + content


def _block(content: bytes | bytearray) -> bytes:
    return struct.pack('<I', len(content)) + content


def _text(text: str) -> bytes:
    return _block(text.encode())


def _pairs(texts: Mapping[str, str]) -> bytes:
    return _block(b''.join(_text(key) + _text(value) for key, value in texts.items()))
