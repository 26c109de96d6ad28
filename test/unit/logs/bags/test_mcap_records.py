"""With an index, right, wrong or partial, the messages found are those that walking the records finds."""

import struct

import numpy as np
import pytest
from needs import needs

from usv_energy.logs.bags.mcap import (
    CHANNEL,
    CHUNK,
    HEAD,
    MESSAGE,
    MESSAGE_INDEX,
    SCHEMA,
    _by_index,
    _walked,
    messages_in,
)

KINDS = 3


def chunk(rng, number=200, channel_record_at=100):
    """Return records of a chunk with its index; one that is no message lies among them."""
    records, places = b'', {}
    for k in range(number):
        if k == channel_record_at:
            records += HEAD.pack(CHANNEL, 4) + b'chan'
        channel, data = int(rng.integers(0, KINDS)), rng.bytes(int(rng.integers(0, 40)))
        places.setdefault(channel, []).append((1000 + k, len(records)))
        records += HEAD.pack(MESSAGE, 22 + len(data)) + struct.pack('<HIQQ', channel, k, 1000 + k, 5) + data
    return records, {channel: index(channel, pairs) for channel, pairs in places.items()}


def index(channel, pairs):
    return struct.pack('<HI', channel, 16 * len(pairs)) + b''.join(struct.pack('<QQ', *pair) for pair in pairs)


def content(records, indexes, wanted=range(KINDS)):
    defined = []
    found = messages_in(records, indexes, lambda *record: defined.append(record), set(wanted).__contains__)
    return {one.channel: (one.times.tolist(), list(one.block.each())) for one in found}, set(defined)


def test_messages_are_found_with_their_times_by_channel(rng):
    records, indexes = chunk(rng)
    found, defined = content(records, list(indexes.values()))
    assert defined == {(CHANNEL, b'chan')} and set(found) == set(range(KINDS))
    assert sorted(time for times, _ in found.values() for time in times) == list(range(1000, 1200))
    assert all(times == sorted(times) for times, _ in found.values())
    assert set(content(records, [], wanted=[1])[0]) == {1}


@pytest.mark.parametrize('change', ['none', 'lost', 'twice', 'moved', 'beyond', 'short', 'empty', 'cut', 'padded'])
def test_an_index_however_wrong_changes_nothing(rng, change):
    records, indexes = chunk(rng)
    if change == 'cut':
        records = records[:-7]
    elif change == 'padded':
        records += b'\x05' * 5
    walked = content(records, [])
    pairs = list(struct.iter_unpack('<QQ', indexes[1][6:]))
    wrong = {'lost': index(1, pairs[:9] + pairs[11:]), 'twice': index(1, [*pairs, pairs[3]]),
             'moved': index(1, [*pairs[:-1], (pairs[-1][0], pairs[-1][1] + 1)]),
             'beyond': index(1, [*pairs, (5, 2 ** 63)]), 'short': indexes[1][:-3], 'empty': b''}
    indexes[1] = wrong.get(change, indexes[1])
    assert content(records, list(indexes.values())) == walked


def test_bytes_that_were_changed_are_found_as_walking_finds_them(rng):
    records, indexes = chunk(rng)
    for _ in range(300):
        damaged = bytearray(records)
        for place in rng.integers(0, len(records), int(rng.integers(1, 4))):
            damaged[place] = int(rng.integers(0, 256))
        assert content(bytes(damaged), list(indexes.values()))[0] == content(bytes(damaged), [])[0]


def test_a_record_that_lies_to_be_long_ends_the_chunk():
    good = HEAD.pack(MESSAGE, 23) + struct.pack('<HIQQ', 1, 0, 7, 5) + b'a'
    found, _ = content(good + HEAD.pack(MESSAGE, 2 ** 64 - 1) + good, [])
    assert found == {1: ([7], [b'a'])}
    assert np.array_equal(content(b'', [])[0], {})


@pytest.mark.parametrize('place', [0, 4, 9])
def test_what_lies_between_a_few_messages_is_found_by_the_index_too(rng, place):
    """Few enough places to look at all of them: before the first message, between two, before the last."""
    records, indexes = chunk(rng, 10, place)
    found, defined = content(records, list(indexes.values()))
    assert (found, defined) == content(records, []) and defined == {(CHANNEL, b'chan')}


def test_a_sound_index_is_believed_and_one_that_names_no_message_is_not(rng):
    records, indexes = chunk(rng, 50, 20)
    found = _by_index(records, list(indexes.values()), lambda *record: None)
    np.testing.assert_array_equal(found, _walked(records, 0, len(records), lambda *record: None)[0])
    place = records.index(HEAD.pack(CHANNEL, 4))
    assert _by_index(records, [*indexes.values(), index(7, [(5, place)])], lambda *record: None) is None


@pytest.mark.parametrize('length', [0, 3, 21])
def test_a_message_too_short_for_its_own_fields_at_the_end_is_none(rng, length):
    """Its head alone is 22 bytes: sequence, channel and two times; messages before it are those without it."""
    records, _ = chunk(rng)
    places, end = _walked(records + HEAD.pack(MESSAGE, length) + b'\0' * length, 0, len(records) + 9 + length,
                          lambda code, data: None)
    assert end == len(records) + 9 + length
    assert places.tolist() == _walked(records, 0, len(records), lambda code, data: None)[0].tolist()


def test_an_index_that_points_just_behind_the_last_message_is_not_believed():
    """From one byte too late, where a record's head does not fit any more, to a head's length behind the end."""
    records = HEAD.pack(MESSAGE, 22) + struct.pack('<HIQQ', 1, 0, 1000, 5)
    walked = content(records, [])
    assert walked[0] == {1: ([1000], [b''])}
    for place in range(2 * len(records)):
        assert content(records, [index(1, [(1000, place)])]) == walked, place


def test_a_last_record_without_content_is_told_and_a_last_message_without_data_is_found_by_the_index():
    """With it the index is sound to the last byte, so that no record is walked but what lies between messages."""
    message = HEAD.pack(MESSAGE, 22) + struct.pack('<HIQQ', 1, 0, 1000, 5)
    assert content(message + HEAD.pack(CHANNEL, 0), []) == ({1: ([1000], [b''])}, {(CHANNEL, b'')})
    found = _by_index(2 * message, [index(1, [(1000, 0), (1000, len(message))])], lambda *record: None)
    assert found.tolist() == [0, len(message)]


@needs('mcap', 'another reader')
def test_codes_of_records_are_those_of_mcap_s_own_library():
    from mcap.opcode import Opcode
    for name, code in (('SCHEMA', SCHEMA), ('CHANNEL', CHANNEL), ('MESSAGE', MESSAGE), ('CHUNK', CHUNK),
                       ('MESSAGE_INDEX', MESSAGE_INDEX)):
        assert Opcode[name] == code, name
