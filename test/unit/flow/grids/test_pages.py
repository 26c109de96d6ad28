"""Pages of a stored field: what is taken is what is stored, however little is kept, and no more is read than needed."""

import math
import threading

import numpy as np
import pytest

from usv_energy.flow.grids.pages import FEWEST, SMALL, Pages, page_shape

SHAPE = (7, 50, 64)
RNG = np.random.default_rng(4)


def stored(shape=SHAPE):
    both = RNG.normal(size=(2, *shape)).astype(np.float32)
    both[:, :, 10:13, 20:40] = np.nan
    return both


def pages_of(values, page, budget=2 ** 20, asked=None):
    def read(window):
        if asked is not None:
            asked.append(window)
        return values[(slice(None), *window)]

    return Pages(read, values.shape[1:], page, values.dtype, budget)


def taken(pages, step, row, column):
    at = pages.address(row, column)
    return pages.take(step, at.row_page + at.column_page, at.row_offset + at.column_offset)


@pytest.mark.parametrize('page', [(1, 50, 64), (3, 7, 9), (7, 16, 16), (1, 1, 64), (2, 50, 1)])
@pytest.mark.parametrize('budget', [2 ** 20, 1])  # of one byte FEWEST pages are kept, which are fewer than are needed
def test_what_is_taken_is_what_is_stored(page, budget):
    values = stored()
    pages = pages_of(values, page, budget)
    for step in (0, 6, 3, 3):
        row, column = RNG.integers(0, 50, 900), RNG.integers(0, 64, 900)
        np.testing.assert_array_equal(taken(pages, step, row, column), values[:, step, row, column].astype(float))
    assert len(pages) <= max(FEWEST, math.ceil(budget / (8 * math.prod(page))))


def test_a_page_is_read_once_and_the_one_used_last_stays():
    asked = []
    pages = pages_of(stored((40, 8, 8)), (1, 8, 8), 1, asked)
    at = np.arange(3), np.arange(3)
    for step in range(FEWEST):
        taken(pages, step, *at)
    taken(pages, 0, *at)
    assert len(asked) == FEWEST == len(pages)
    taken(pages, FEWEST, *at)      # in place of step 1, which was not used for longest
    taken(pages, 0, *at)
    assert len(asked) == FEWEST + 1
    taken(pages, 1, *at)
    assert len(asked) == FEWEST + 2
    pages.clear()
    assert len(pages) == 0
    taken(pages, 0, *at)
    assert len(asked) == FEWEST + 3


def test_only_pages_that_are_needed_are_read():
    asked = []
    pages = pages_of(stored((2, 100, 100)), (1, 10, 10), asked=asked)
    taken(pages, 1, np.array([25, 34]), np.array([71, 79]))
    assert [(w[0].start, w[1].start, w[1].stop, w[2].start, w[2].stop) for w in asked] == [(1, 20, 30, 70, 80),
                                                                                         (1, 30, 40, 70, 80)]


def test_a_read_that_fails_leaves_nothing_wrong_behind():
    values, fail = stored(), [True]

    def read(window):
        if fail[0]:
            raise ValueError('damaged')
        return values[(slice(None), *window)]

    pages = Pages(read, SHAPE, (1, 10, 10), values.dtype)
    at = np.array([3]), np.array([4])
    with pytest.raises(ValueError, match='damaged'):
        taken(pages, 2, *at)
    fail[0] = False
    np.testing.assert_array_equal(taken(pages, 2, *at), values[:, 2, 3:4, 4])


def test_threads_take_what_is_stored():
    values = stored()
    pages = pages_of(values, (1, 10, 10), 1)
    wrong = []

    def ask(seed):
        rng = np.random.default_rng(seed)
        for _ in range(60):
            step, row, column = int(rng.integers(7)), rng.integers(0, 50, 30), rng.integers(0, 64, 30)
            if not np.array_equal(taken(pages, step, row, column), values[:, step, row, column], equal_nan=True):
                wrong.append(seed)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize('shape, chunks', [
    ((24, 500, 500), None), ((24, 500, 500), (1, 500, 500)), ((8760, 2041, 4320), (1, 512, 2048)),
    ((8760, 2041, 4320), (744, 100, 100)), ((24, 5000, 5000), (24, 5000, 5000)), ((24, 900, 900), (1, 8, 8)),
    ((1, 20, 30), (1, 20, 30)), ((3, 4, 5), None), ((2, 1, 10 ** 7), (2, 1, 10 ** 7))])
def test_a_page_is_neither_too_large_nor_too_small(shape, chunks):
    page = page_shape(shape, chunks, 4)
    size = 8 * math.prod(page)
    assert size <= 8 * 2 ** 20
    assert size >= SMALL or page[1:] == shape[1:]
    assert all(1 <= part <= whole for part, whole in zip(page, shape))
    if chunks is not None and SMALL <= 8 * math.prod(chunks) <= 8 * 2 ** 20:
        assert page == tuple(map(min, chunks, shape))
