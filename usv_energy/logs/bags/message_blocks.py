"""
Messages as they lie in a bag: where each begins in a buffer and how long it is, so that many are cut out at once.

No message is copied or made an object of its own before its numbers are read.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

Buffer = bytes | memoryview
TOGETHER = 128  # Bytes of a message that are cut out at once where some of them are wanted: fields stand side by side.


class Block(NamedTuple):
    """Messages in one buffer, in the order in which they were written: begin and length of each, bytes, shape (m,)."""

    buffer: Buffer
    begins: np.ndarray
    lengths: np.ndarray

    def each(self) -> Iterator[bytes]:
        """Give the messages, one by one."""
        for begin, length in zip(self.begins.tolist(), self.lengths.tolist()):
            yield bytes(self.buffer[begin:begin + length])

    def compact(self) -> 'Block':
        """Return the same messages in a buffer that holds nothing else."""
        length = int(self.lengths[0])
        if not (self.lengths == length).all():
            return block_of(list(self.each()))
        messages = Rows([(self.buffer, self.begins)], length).columns(0, length)
        return Block(messages.tobytes(), length * np.arange(self.begins.size), self.lengths)


class Batch(NamedTuple):
    """Messages of one topic: its name and type, the times of recording, ns, shape (m,), and where they are."""

    topic: str
    kind: str
    times: np.ndarray
    blocks: list[Block]

    def each(self) -> Iterator[bytes]:
        """Give the messages, one by one."""
        for block in self.blocks:
            yield from block.each()


def block_of(messages: Sequence[bytes]) -> Block:
    """Return messages as a Block of their own."""
    lengths = np.fromiter(map(len, messages), np.int64, len(messages))
    return Block(b''.join(messages), np.cumsum(lengths) - lengths, lengths)


class Rows:
    """Messages of one length as the rows of a table of bytes that is never made: only its columns are cut out."""

    def __init__(self, parts: Sequence[tuple[Buffer, np.ndarray]], length: int) -> None:
        """
        Take messages.

        :param parts: Buffers, and where messages begin in each, shape (m,).
        :param length: Of each message, bytes.
        """
        self._parts = parts
        self._number = sum(begins.size for _, begins in parts)
        self.length = length
        self._near = (0, np.empty((self._number, 0), dtype=np.uint8))

    def __len__(self) -> int:
        """Return the number of messages."""
        return self._number

    def chosen(self, mask: np.ndarray) -> 'Rows':
        """Return the messages that a mask, shape (n,), says."""
        parts, at = [], 0
        for buffer, begins in self._parts:
            parts.append((buffer, begins[mask[at:at + begins.size]]))
            at += begins.size
        return Rows([part for part in parts if part[1].size], self.length)

    def columns(self, begin: int, end: int) -> np.ndarray:
        """Return the bytes from one place in a message to before another, within its length, shape (n, end - begin)."""
        width = end - begin
        first, near = self._near
        if not width:
            return np.empty((len(self), 0), dtype=np.uint8)
        if begin < first or end > first + near.shape[1]:
            first, near = self._near = begin, self._cut(begin, max(end, min(begin + TOGETHER, self.length)))
        return np.ascontiguousarray(near[:, begin - first:end - first])

    def _cut(self, begin: int, end: int) -> np.ndarray:
        width = end - begin
        cut = [_windows(buffer, width)[begins + begin] for buffer, begins in self._parts]
        together = cut[0] if len(cut) == 1 else np.concatenate(cut)
        return together.view(np.uint8).reshape(-1, width)

    def alike(self, begin: int, end: int) -> tuple[bytes, np.ndarray | None]:
        """Return the first message's bytes from one place to before another, and which have others; None: none has."""
        found = self.columns(begin, end)
        first = found[0].tobytes()
        if found.tobytes() == first * len(found):
            return first, None
        return first, (found != found[0]).any(axis=1)


def numbers_at(buffer: Buffer, places: np.ndarray, kind: str | np.dtype) -> np.ndarray:
    """Return the numbers of a numpy type, `<u8` or several, that begin at places of a buffer, shape of `places`."""
    return _windows(buffer, np.dtype(kind).itemsize)[places].view(kind)


def _windows(buffer: Buffer, width: int) -> np.ndarray:
    """Return so many bytes from each place of a buffer on: a view, element k begins at place k."""
    return np.ndarray((len(buffer) - width + 1,), f'V{width}', buffer, strides=(1,))
