import threading

import pytest

from usv_energy.files.work import read_ahead


def test_items_come_in_their_order_and_no_more_than_asked_for_are_made_ahead():
    made = []

    def items():
        for k in range(50):
            made.append(k)
            yield k

    for k, item in enumerate(read_ahead(items(), 3)):
        assert item == k and len(made) <= k + 4
    assert made == list(range(50))


def test_they_are_made_in_another_thread_that_ends_with_them():
    before = threading.active_count()
    threads = list(read_ahead((threading.get_ident() for _ in range(5)), 2))
    assert len(set(threads)) == 1 and threading.get_ident() not in threads
    assert threading.active_count() == before


def test_what_making_one_raises_is_raised_in_its_turn():
    def items():
        yield 1
        yield 2
        raise ValueError('the third')

    found = read_ahead(items(), 3)
    assert (next(found), next(found)) == (1, 2)
    with pytest.raises(ValueError, match='the third'):
        next(found)


def test_one_may_stop_early():
    found = read_ahead(iter(range(1000)), 4)
    assert next(found) == 0
    found.close()
