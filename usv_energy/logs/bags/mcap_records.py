"""
Where the messages in a chunk of an MCAP file are.

The index that follows a chunk is believed only as far as it agrees with the chunk: where every message begins, the one
before has ended, so that what is found is what walking from record to record finds, without the walk.

Source: the MCAP format, version 0 (https://mcap.dev/spec).
"""

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .message_blocks import Block, Buffer, numbers_at

SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX = 0x03, 0x04, 0x05, 0x06, 0x07
HEAD = struct.Struct('<BQ')                  # Code and length of a record.
DATA = 31                                    # Place in a message's record of the message's own bytes.
FIELDS = DATA - HEAD.size                    # Bytes of a message's record that are not the message; fewer: it is empty.
# What stands before these bytes: code and length of the record, the number of its channel, its time of recording.
RECORD = np.dtype({'names': ['code', 'length', 'channel', 'time'], 'formats': ['u1', '<u8', '<u2', '<u8'],
                   'offsets': [0, 1, HEAD.size, 15], 'itemsize': DATA})
STRETCHES = 16                               # Of other records between messages that an index may leave out.

Define = Callable[[int, bytes], None]


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
