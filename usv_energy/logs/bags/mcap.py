"""
Read the messages of an MCAP file in their order; of a truncated file, the part that is complete.

Why it stays: it hands blocks of messages to `cdr`, which decodes them together (figures there), and it reads a
truncated file, which has no index.
"""

import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import PART_BYTES, Unpacked
from usv_energy.files.optional import optional
from usv_energy.files.work import read_ahead
from usv_energy.logs.bags.cdr import CDR, Field, layout_of_definition
from usv_energy.logs.bags.message_blocks import Batch, Block, Buffer, numbers_at

SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX = 0x03, 0x04, 0x05, 0x06, 0x07
HEAD = struct.Struct('<BQ')                  # Code and length of a record.
DATA = 31                                    # Place in a message's record of the message's own bytes.
FIELDS = DATA - HEAD.size                    # Bytes of a message's record that are not the message; fewer: it is empty.
# What stands before these bytes: code and length of the record, the number of its channel, its time of recording.
RECORD = np.dtype({'names': ['code', 'length', 'channel', 'time'], 'formats': ['u1', '<u8', '<u2', '<u8'],
                   'offsets': [0, 1, HEAD.size, 15], 'itemsize': DATA})
STRETCHES = 16                               # Of other records between messages that an index may leave out.

Define = Callable[[int, bytes], None]

MAGIC = b'\x89MCAP0\r\n'
DATA_END, FOOTER, STATISTICS = 0x0F, 0x02, 0x0B
FOOTER_SIZE = 37  # The record of 9 + 20 bytes and the magic after it.
BATCH_BYTES = 4_000_000
LOOSE_BYTES = 1 << 20  # Of records outside of chunks that are taken together.
AHEAD = 3  # Parts of a file that are read and unpacked while those before are decoded.
NAME = 12  # Characters of the name of a compression that are shown; a damaged one may be long.
SPARSE = 4  # A chunk this many times as large as the messages wanted of it is not kept for them.


class Found(NamedTuple):
    """Messages of one channel: its number, their times of recording, ns, shape (m,), and where they are."""

    channel: int
    times: np.ndarray
    block: Block


def messages_in(records: Buffer, indexes: Sequence[bytes], define: Define,
                wanted: Callable[[int], bool]) -> list[Found]:
    """
    Return the messages among records, by channel, each channel's in order.

    :param records: As in a chunk; a last one that is not whole is left out.
    :param indexes: Contents of the index records that follow the chunk, right or wrong; none: the records are walked.
    :param define: Is given code and content of each record that is no message.
    :param wanted: Says of a channel's number whether its messages are wanted.
    """
    places = _by_index(records, indexes, define) if indexes else None
    if places is None:
        places, _ = _walked(records, 0, len(records), define)
    if not places.size:
        return []
    heads = numbers_at(records, places, RECORD)
    channels = heads['channel']
    lengths = np.maximum(heads['length'].astype(np.int64) - FIELDS, 0)
    found = []
    for channel in np.flatnonzero(np.bincount(channels)).tolist():
        if wanted(channel):
            own = channels == channel
            found.append(Found(channel, heads['time'][own], Block(records, places[own] + DATA, lengths[own])))
    return found


def _walked(records: Buffer, at: int, end: int, define: Define) -> tuple[np.ndarray, int]:
    """Return where messages begin between two places, shape (m,), going from record to record, and where they end."""
    places = []
    while at + HEAD.size <= end:
        code, length = HEAD.unpack_from(records, at)
        after = at + HEAD.size + length
        if after > end:
            break
        if code == MESSAGE and at + DATA <= len(records):
            places.append(at)
        else:
            define(code, bytes(records[at + HEAD.size:after]))
        at = after
    return np.array(places, dtype=np.int64), at


def _by_index(records: Buffer, indexes: Sequence[bytes], define: Define) -> np.ndarray | None:
    """Return where messages begin, as walking finds it; None where the index does not say."""
    entries = [np.frombuffer(index, '<u8', (len(index) - 6) // 16 * 2, 6)[1::2] for index in indexes if len(index) > 6]
    places = np.sort(np.concatenate(entries), kind='stable') if entries else np.empty(0)
    if not places.size or len(records) < DATA or places[-1] > len(records) - DATA:
        return None
    places = places.astype(np.int64)
    heads = numbers_at(records, places, RECORD)
    lengths = heads['length'].copy()
    if lengths.max() > len(records) or lengths.min() < FIELDS or (heads['code'] != MESSAGE).any():
        return None
    ends = places + HEAD.size + lengths.astype(np.int64)
    between = np.flatnonzero(np.append(0, ends[:-1]) != places).tolist()
    if ends[-1] > len(records) or len(between) > STRETCHES:
        return None
    others = []
    for number in between:
        more, end = _walked(records, int(ends[number - 1]) if number else 0, int(places[number]), define)
        if end != places[number]:
            return None
        others.append(more)
    others.append(_walked(records, int(ends[-1]), len(records), define)[0])
    return np.sort(np.concatenate([places, *others]), kind='stable') if any(map(len, others)) else places


JSON = 'json:'  # Before the types of topics whose messages are JSON; of other encodings than CDR their names likewise.


class Part(NamedTuple):
    """What is read of a file together: records, the index records that follow them, and what was wrong with it."""

    records: Buffer
    indexes: list[bytes]
    faults: list[str]


class McapFile:
    """One MCAP file: its topics, its messages, and what was found wrong with it."""

    wire = CDR

    def __init__(self, path: Path) -> None:
        """
        Check that the file is an MCAP file.

        :raises InputError: If it is not, or cannot be read.
        """
        self.path = path
        self.faults: list[str] = []
        self._unpacked = Unpacked(path)
        self._schemas: dict[int, str] = {}
        self._definitions: dict[str, str] = {}
        self._channels: dict[int, tuple[str, str]] = {}
        try:
            with path.open('rb') as file:
                magic = file.read(len(MAGIC))
        except OSError as error:
            raise InputError(f'{path}: cannot be read: {error.strerror}') from None
        if magic != MAGIC:
            raise InputError(f'{path}: is no MCAP file' if magic else f'{path}: is empty')

    def layout_of(self, kind: str) -> tuple[Field, ...] | None:
        """Return the layout of a type's messages by its definition; None where the file has none."""
        return layout_of_definition(self._definitions[kind]) if kind in self._definitions else None

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
            if seen:        # They are found again with the messages.
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
            if footer[-len(MAGIC):] != MAGIC or footer[:HEAD.size] != HEAD.pack(FOOTER, 20):
                return set()
            start, = struct.unpack_from('<Q', footer, HEAD.size)
            if not 0 < start < size:
                return set()
            file.seek(start)
            summary = file.read()  # With the footer and the magic, which count nothing.
        at, counted = 0, set()
        while at + HEAD.size <= len(summary):
            code, length = HEAD.unpack_from(summary, at)
            content = summary[at + HEAD.size:at + HEAD.size + length]
            self._define(code, content)
            if code == STATISTICS:
                counted = {number for number, count in struct.iter_unpack('<HQ', content[46:]) if count}
            at += HEAD.size + length
        return counted & set(self._channels)

    def batches(self, topics: set[str]) -> Iterator[Batch]:
        """
        Give the messages of topics, a few megabytes at a time.

        :param topics: Names of topics.
        """
        waiting: dict[int, tuple[list[np.ndarray], list[Block]]] = {}
        size = 0
        for channel, stamps, block in self._records(lambda channel: self._channels.get(channel, ('',))[0] in topics):
            times, blocks = waiting.setdefault(channel, ([], []))
            times.append(stamps)
            wanted = int(block.lengths.sum())
            blocks.append(block.compact() if SPARSE * wanted < len(block.buffer) else block)
            size += wanted
            if size > BATCH_BYTES:
                yield from self._emptied(waiting)
                size = 0
        yield from self._emptied(waiting)

    def _emptied(self, waiting: dict[int, tuple[list[np.ndarray], list[Block]]]) -> Iterator[Batch]:
        for channel, (times, blocks) in waiting.items():
            yield Batch(*self._channels[channel], np.concatenate(times), blocks)
        waiting.clear()

    def _records(self, wanted: Callable[[int], bool]) -> Iterator[Found]:
        """Give the messages whose channel is wanted, chunk by chunk."""
        try:
            for part in read_ahead(self._parts(), AHEAD):
                self.faults += part.faults
                yield from messages_in(part.records, part.indexes, self._define, wanted)
        except struct.error as error:
            self.faults.append(f'a record in it is damaged ({error}): what came before is used')

    def _parts(self) -> Iterator[Part]:
        """Give the records of each chunk, and those outside of chunks a number at a time."""
        chunk: Part | None = None
        loose = bytearray()
        for code, content, fault in self._outer():
            if code == MESSAGE_INDEX and chunk is not None and not fault:
                chunk.indexes.append(content)
                continue
            if chunk is not None:
                yield chunk
                chunk = None
            if code == CHUNK:
                if loose:
                    yield Part(bytes(loose), [], [])
                    loose.clear()
                chunk = self._chunk(content, not fault)
            elif not fault:
                loose += HEAD.pack(code, len(content)) + content
            if fault or len(loose) > LOOSE_BYTES:
                yield chunk or Part(bytes(loose), [], [])
                loose.clear()
                chunk = None
            if fault:
                yield Part(b'', [], [fault])
        if chunk is not None or loose:
            yield chunk or Part(bytes(loose), [], [])

    def _outer(self) -> Iterator[tuple[int, bytes, str]]:
        """Give code and content of the records that are in no chunk, and chunks; at last what is wrong with the end."""
        size = self.path.stat().st_size
        with self.path.open('rb') as file:
            file.seek(len(MAGIC))
            while True:
                head = file.read(HEAD.size)
                if len(head) < HEAD.size:
                    yield DATA_END, b'', 'it was not closed (no end mark)'
                    return
                code, length = HEAD.unpack(head)
                if code in (DATA_END, FOOTER):
                    return
                if length > PART_BYTES and code not in (CHUNK, MESSAGE) and file.tell() + length <= size:
                    file.seek(length, 1)    # An attachment, which is no part of the recording.
                    continue
                if PART_BYTES < length <= size - file.tell():
                    Unpacked(self.path).check(length, length)
                content = file.read(length) if length <= size else b''
                if len(content) < length:
                    fault = f'it ends in the middle of a record ({len(content)} of {length} bytes)'
                    yield code, content + file.read() if code == CHUNK else b'', fault
                    return
                yield code, content, ''

    def _chunk(self, content: bytes, whole: bool) -> Part:
        """Return a chunk's records; none of one that is wrong, or packed and not whole."""
        if len(content) < 32:
            return Part(b'', [], [])
        size, checksum, name = struct.unpack_from('<QII', content, 16)
        compression = content[32:32 + name].decode('ascii', 'replace')
        if compression and not whole:
            return Part(b'', [], [])
        packed = memoryview(content)[40 + name:]
        self._unpacked.check(len(packed), size if compression else len(packed))
        records = _unpacked(packed, compression, size, self.path)
        if whole and checksum and zlib.crc32(records) != checksum:
            return Part(b'', [], ['the checksum of a chunk is wrong: its messages are left out'])
        return Part(records, [], [])

    def _define(self, code: int, content: bytes) -> None:
        if code == SCHEMA:
            number, = struct.unpack_from('<H', content)
            name = self._schemas[number] = _text(content, 2)
            at = 2
            for _ in range(2):  # name, encoding
                at += 4 + struct.unpack_from('<I', content, at)[0]
            self._definitions[name] = _text(content, at)
        elif code == CHANNEL:
            number, schema = struct.unpack_from('<HH', content)
            topic = _text(content, 4)
            encoding = _text(content, 8 + struct.unpack_from('<I', content, 4)[0])
            kind = self._schemas.get(schema, '')
            self._channels[number] = (topic, kind if encoding in ('', 'cdr') else f'{encoding}:{kind}')


def _text(content: bytes, at: int) -> str:
    length, = struct.unpack_from('<I', content, at)
    return content[at + 4:at + 4 + length].decode('utf-8', 'replace')


def _unpacked(packed: memoryview, compression: str, size: int, path: Path) -> Buffer:
    """Return a chunk's records; the libraries for its compression are optional."""
    if not compression:
        return packed
    try:
        if compression == 'lz4':
            frame = optional('lz4.frame', 'bags', f'{path}: chunks compressed by lz4')
            return bytes(frame.LZ4FrameDecompressor().decompress(packed, max_length=size))
        if compression == 'zstd':
            library = optional('zstandard', 'bags', f'{path}: chunks compressed by zstd')
            with library.ZstdDecompressor(max_window_size=PART_BYTES).stream_reader(packed) as stream:
                return bytes(stream.read(size))
    except InputError:
        raise
    except Exception as error:  # Each library has its own; all mean the same here.
        raise InputError(f'{path}: a chunk cannot be unpacked by {compression}: {error}') from None
    raise InputError(f'{path}: its chunks are compressed by {compression[:NAME]!r}; must be lz4 or zstd')
