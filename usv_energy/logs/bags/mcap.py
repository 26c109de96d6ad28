"""
Messages from an MCAP file, in the order in which they were written; a file that was cut off gives what is whole.

Read by walking its records, which needs no index: a recorder that was killed has not written one.

Source: the MCAP format, version 0 (https://mcap.dev/spec).
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from ...files.optional import optional

MAGIC = b'\x89MCAP0\r\n'
SCHEMA, CHANNEL, MESSAGE, CHUNK, DATA_END, FOOTER, STATISTICS = 0x03, 0x04, 0x05, 0x06, 0x0F, 0x02, 0x0B
FOOTER_SIZE = 37  # The record of 9 + 20 bytes and the magic after it.
BATCH_BYTES = 4_000_000
RUN = 4096  # Messages of one kind in a row that are taken at once.
TIME, DATA = 15, 31  # Places in a message's record.
_HEAD = struct.Struct('<BQ')
_MESSAGE = struct.Struct('<HIQQ')
Block = bytes | np.ndarray


class Batch(NamedTuple):
    """
    Messages of one topic: its name and type, the times of recording, ns, and their bytes.

    An array in `messages` is several of one length, shape (m, length).
    """

    topic: str
    kind: str
    times: list[int]
    messages: list[Block]


class McapFile:
    """One MCAP file: its topics, its messages, and what was found wrong with it."""

    def __init__(self, path: Path) -> None:
        """
        Check that the file is an MCAP file.

        :raises InputError: If it is not, or cannot be read.
        """
        self.path = path
        self.faults: list[str] = []
        self._schemas: dict[int, str] = {}
        self._channels: dict[int, tuple[str, str]] = {}
        try:
            with path.open('rb') as file:
                magic = file.read(len(MAGIC))
        except OSError as error:
            raise InputError(f'{path}: cannot be read: {error.strerror}') from None
        if magic != MAGIC:
            raise InputError(f'{path}: is no MCAP file' if magic else f'{path}: is empty')

    def topics(self) -> dict[str, str]:
        """Return the types of all topics that have a message in it; from its summary, if it has one."""
        try:
            seen = self._in_summary()
        except struct.error:
            seen = set()
        if not seen:
            faults = list(self.faults)
            for channel, _, _ in self._records(lambda channel: channel not in seen):
                seen.add(channel)
            self.faults = faults
        return dict(self._channels[channel] for channel in sorted(seen) if channel in self._channels)

    def _in_summary(self) -> set[int]:
        """Return the channels that have messages by the summary at the file's end; none where it has no whole one."""
        with self.path.open('rb') as file:
            size = file.seek(0, 2)
            if size < len(MAGIC) + FOOTER_SIZE:
                return set()
            file.seek(size - FOOTER_SIZE)
            footer = file.read()
            if footer[-len(MAGIC):] != MAGIC or footer[:_HEAD.size] != _HEAD.pack(FOOTER, 20):
                return set()
            start, = struct.unpack_from('<Q', footer, _HEAD.size)
            if not 0 < start < size:
                return set()
            file.seek(start)
            summary = file.read(size - FOOTER_SIZE - start)
        at, counted = 0, set()
        while at + _HEAD.size <= len(summary):
            code, length = _HEAD.unpack_from(summary, at)
            content = summary[at + _HEAD.size:at + _HEAD.size + length]
            self._define(code, content)
            if code == STATISTICS:
                counted = {number for number, count in struct.iter_unpack('<HQ', content[46:]) if count}
            at += _HEAD.size + length
        return counted & set(self._channels)

    def batches(self, topics: set[str]) -> Iterator[Batch]:
        """
        Give the messages of topics, a few megabytes at a time.

        :param topics: Names of topics.
        """
        waiting: dict[int, tuple[list[int], list[Block]]] = {}
        size = 0
        for channel, stamps, data in self._records(lambda channel: self._channels.get(channel, ('',))[0] in topics):
            times, messages = waiting.setdefault(channel, ([], []))
            times.extend(stamps)
            messages.append(data)
            size += len(data) if isinstance(data, bytes) else data.size
            if size > BATCH_BYTES:
                yield from self._emptied(waiting)
                size = 0
        yield from self._emptied(waiting)

    def _emptied(self, waiting: dict[int, tuple[list[int], list[Block]]]) -> Iterator[Batch]:
        for channel, (times, messages) in waiting.items():
            yield Batch(*self._channels[channel], times, messages)
        waiting.clear()

    def _records(self, wanted: Callable[[int], bool]) -> Iterator[tuple[int, list[int], Block]]:
        """Give channel, times and bytes of the messages whose channel is wanted, several at once if alike."""
        size = self.path.stat().st_size
        try:
            with self.path.open('rb') as file:
                file.seek(len(MAGIC))
                while True:
                    head = file.read(_HEAD.size)
                    if len(head) < _HEAD.size:
                        self.faults.append('it was not closed (no end mark)')
                        return
                    code, length = _HEAD.unpack(head)
                    if code in (DATA_END, FOOTER):
                        return
                    content = file.read(length) if length <= size else b''
                    whole = len(content) == length
                    if code == CHUNK:
                        yield from self._chunk(content if whole else content + file.read(), whole, wanted)
                    elif whole and code == MESSAGE:
                        channel, _, time, _ = _MESSAGE.unpack_from(content)
                        if wanted(channel):
                            yield channel, [time], content[_MESSAGE.size:]
                    elif whole:
                        self._define(code, content)
                    if not whole:
                        self.faults.append(f'it ends in the middle of a record ({len(content)} of {length} bytes)')
                        return
        except struct.error as error:
            self.faults.append(f'a record in it is damaged ({error}): what came before is used')

    def _chunk(self, content: bytes, whole: bool,
               wanted: Callable[[int], bool]) -> Iterator[tuple[int, list[int], Block]]:
        if len(content) < 32:
            return
        size, checksum, name = struct.unpack_from('<QII', content, 16)
        compression = content[32:32 + name].decode('ascii', 'replace')
        packed = content[40 + name:]
        if compression and not whole:
            return
        records = _unpacked(packed, compression, size, self.path)
        if whole and checksum and zlib.crc32(records) != checksum:
            self.faults.append('the checksum of a chunk is wrong: its messages are left out')
            return
        at, end = 0, len(records)
        while at + _HEAD.size <= end:
            code, length = _HEAD.unpack_from(records, at)
            stride = _HEAD.size + length
            if at + stride > end:
                return
            if code != MESSAGE:
                self._define(code, records[at + _HEAD.size:at + stride])
                at += stride
                continue
            channel, _, time, _ = _MESSAGE.unpack_from(records, at + _HEAD.size)
            rows = _alike(records, at, stride)
            if not wanted(channel):
                at += stride * max(len(rows), 1)
            elif len(rows):
                yield channel, rows[:, TIME:TIME + 8].copy().view('<u8')[:, 0].tolist(), rows[:, DATA:]
                at += stride * len(rows)
            else:
                yield channel, [time], records[at + DATA:at + stride]
                at += stride

    def _define(self, code: int, content: bytes) -> None:
        if code == SCHEMA:
            number, = struct.unpack_from('<H', content)
            self._schemas[number] = _text(content, 2)[0]
        elif code == CHANNEL:
            number, schema = struct.unpack_from('<HH', content)
            self._channels[number] = (_text(content, 4)[0], self._schemas.get(schema, ''))


def _alike(records: bytes, at: int, stride: int) -> np.ndarray:
    """Return the messages from a place on that are of one channel and length, shape (m, stride); none if it is one."""
    head = _HEAD.size + 2  # code, length and channel
    if records[at + stride:at + stride + head] != records[at:at + head]:
        return np.empty((0, stride), dtype=np.uint8)
    count = min((len(records) - at) // stride, RUN)
    rows = np.frombuffer(records, np.uint8, count * stride, at).reshape(count, stride)
    same = (rows[:, :head] == rows[0, :head]).all(axis=1)
    return rows if same.all() else rows[:int(np.argmin(same))]


def _text(content: bytes, at: int) -> tuple[str, int]:
    length, = struct.unpack_from('<I', content, at)
    return content[at + 4:at + 4 + length].decode('utf-8', 'replace'), at + 4 + length


def _unpacked(packed: bytes, compression: str, size: int, path: Path) -> bytes:
    """Return a chunk's records; the libraries for its compression are optional."""
    if not compression:
        return packed
    try:
        if compression == 'lz4':
            return bytes(optional('lz4.frame', 'bags', f'{path}: chunks compressed by lz4').decompress(packed))
        if compression == 'zstd':
            library = optional('zstandard', 'bags', f'{path}: chunks compressed by zstd')
            return bytes(library.ZstdDecompressor().decompress(packed, max_output_size=size))
    except InputError:
        raise
    except Exception as error:  # Each library has its own; all mean the same here.
        raise InputError(f'{path}: a chunk cannot be unpacked by {compression}: {error}') from None
    raise InputError(f'{path}: its chunks are compressed by {compression!r}; must be lz4 or zstd')
