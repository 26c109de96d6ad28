import numpy as np
import pytest

from usv_energy.logs.bags.message_blocks import Batch, Rows, block_of, numbers_at

MESSAGES = [b'abcdefgh', b'', b'ABCDEFGH', b'xyz']


def test_messages_come_out_of_a_block_as_they_went_in():
    block = block_of(MESSAGES)
    assert list(block.each()) == MESSAGES and block.lengths.tolist() == [8, 0, 8, 3]
    some = block._replace(begins=block.begins[2:], lengths=block.lengths[2:])
    assert list(some.compact().each()) == MESSAGES[2:] and len(some.compact().buffer) == 11
    assert list(Batch('/a', 'b', np.arange(6), [block, some]).each()) == MESSAGES + MESSAGES[2:]


@pytest.mark.parametrize(('begin', 'end'), [(0, 8), (3, 5), (7, 8), (4, 4)])
def test_columns_are_those_of_the_table_of_bytes(rng, begin, end):
    tables = [rng.integers(0, 256, (n, 8), dtype=np.uint8) for n in (5, 1, 30)]
    parts = [(table.tobytes() + b'rest', 8 * np.arange(len(table))) for table in tables]
    whole = np.concatenate(tables)
    rows = Rows(parts, 8)
    assert len(rows) == 36
    np.testing.assert_array_equal(rows.columns(begin, end), whole[:, begin:end])
    mask = rng.random(36) < 0.4
    np.testing.assert_array_equal(rows.chosen(mask).columns(begin, end), whole[mask, begin:end])


def test_the_message_that_has_another_text_is_told():
    buffer = b'..same....same....some....'
    assert Rows([(buffer, np.array([0, 8]))], 8).alike(2, 6) == (b'same', None)
    first, others = Rows([(buffer, np.array([0, 8, 16]))], 8).alike(2, 6)
    assert first == b'same' and others.tolist() == [False, False, True]


def test_numbers_are_read_where_they_are_not_aligned():
    buffer = b'?' + np.array([7, 2 ** 40], '<u8').tobytes()
    assert numbers_at(buffer, np.array([9, 1]), '<u8').tolist() == [2 ** 40, 7]
