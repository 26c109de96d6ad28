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


def test_a_block_of_equal_messages_is_compact_without_what_lies_between_them():
    whole = block_of([b'head', *MESSAGES[::2], b'rest'])
    some = whole._replace(begins=whole.begins[1:3], lengths=whole.lengths[1:3])
    compact = some.compact()
    assert list(compact.each()) == MESSAGES[::2] and bytes(compact.buffer) == b''.join(MESSAGES[::2])
    assert compact.begins.tolist() == [0, 8]


def test_fields_that_stand_side_by_side_are_cut_out_together(rng, monkeypatch):
    """From one place on, 128 bytes at once; what is not among them is cut out anew, wherever it is."""
    table = rng.integers(0, 256, (6, 400), dtype=np.uint8)
    rows, cuts = Rows([(table.tobytes(), 400 * np.arange(6))], 400), []
    cut = rows._cut
    monkeypatch.setattr(rows, '_cut', lambda *where: cuts.append(where) or cut(*where))
    for begin, end in ((40, 44), (40, 48), (160, 168), (100, 168), (168, 169), (30, 34), (300, 390), (290, 310),
                       (10, 300)):
        np.testing.assert_array_equal(rows.columns(begin, end), table[:, begin:end])
    assert cuts == [(40, 168), (168, 296), (30, 158), (300, 400), (290, 400), (10, 300)]
