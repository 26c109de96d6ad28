"""A stored field of velocities, read page by page with a limited number in memory, for flows larger than memory."""

import math
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

BUDGET = 128 * 2 ** 20  # Bytes of the pages that are kept for one field.
FEWEST = 16  # Fewest pages that are kept; the corners of a cell in two steps may be in eight.
SMALL = 2 ** 18  # Least bytes of a page, since each costs a call to the file's library.

Shape = tuple[int, int, int]  # Times, rows, columns.
Window = tuple[slice, slice, slice]
ReadWindow = Callable[[Window], np.ndarray]


def page_shape(shape: Shape, chunks: Shape | None, item: int, budget: int = BUDGET) -> Shape:
    """
    Return the times, rows and columns of a page: a chunk of the file, several small ones, or a part of a large one.

    :param shape: Of the field.
    :param chunks: Shape of a chunk of the file; None without chunks.
    :param item: Bytes of a value.
    :param budget: Bytes of all pages that are kept; a page takes at most 1 of FEWEST of it.
    """
    page = list(chunks or (1, min(shape[1], 128), min(shape[2], 512)))
    page = [max(1, min(size, whole)) for size, whole in zip(page, shape)]
    while (size := 2 * item * math.prod(page)) > budget // FEWEST:
        axis = 0 if page[0] > 1 else 1 if page[1] >= page[2] else 2
        parts = math.ceil(size / (budget // FEWEST)) if axis == 0 else 2
        page[axis] = math.ceil(page[axis] / min(parts, page[axis]))
    while 2 * item * math.prod(page) < SMALL and (page[1] < shape[1] or page[2] < shape[2]):
        axis = 2 if page[2] < shape[2] and (page[2] <= page[1] or page[1] == shape[1]) else 1
        page[axis] = min(2 * page[axis], shape[axis])
    return page[0], page[1], page[2]


class Addresses(NamedTuple):
    """Addresses of rows and columns: their parts of the index of a page in a step, and of the offset in it."""

    row_page: np.ndarray
    row_offset: np.ndarray
    column_page: np.ndarray
    column_offset: np.ndarray


class Pages:
    """
    The nodes of a stored field, read page by page; the latest pages are kept.

    Memory: at most `budget` bytes, allocated as pages are read, and one more page while one is being read. Thread-safe;
    one thread reads at a time.
    """

    def __init__(self, read: ReadWindow, shape: Shape, page: Shape, dtype: np.dtype, budget: int = BUDGET) -> None:
        """
        Take the reader of a field; nothing is read now.

        :param read: Returns vx, vy, m/s, NaN in both without a value, for three slices of times, rows and columns,
            shape (2, times, rows, columns).
        :param shape: Of the field: times, rows, columns.
        :param page: Shape of a page, see `page_shape`.
        :param dtype: Of the values in memory.
        :param budget: Bytes.
        """
        self.shape, self.page = shape, page
        times, rows, columns = (math.ceil(whole / part) for whole, part in zip(shape, page))
        self.counts: Shape = times, rows, columns
        self._read, self._nodes = read, math.prod(page)
        slots = max(budget // (2 * self._nodes * dtype.itemsize), FEWEST)
        self._pool = np.empty((min(slots, math.prod(self.counts)), 2, self._nodes), dtype)
        self._slot_of = np.full(math.prod(self.counts), -1, np.int32)
        self._page_in = np.full(len(self._pool), -1, np.int64)
        self._used = np.zeros(len(self._pool), np.int64)  # Time of the last use; 0 for a free slot.
        self._calls = 0
        self._all_fit = len(self._pool) == math.prod(self.counts)
        self.reads = 0  # Number of pages read so far.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of pages in memory."""
        return int((self._page_in >= 0).sum())

    def address(self, rows: np.ndarray, columns: np.ndarray) -> 'Addresses':
        """Return the page, within a step, and the offset in it, for each of some rows and columns of the store."""
        _, high, wide = self.page
        return Addresses(rows // high * self.counts[2], rows % high * wide, columns // wide, columns % wide)

    def take(self, step: int, page: np.ndarray | None, offset: np.ndarray) -> np.ndarray:
        """
        Return the velocities at nodes, m/s, shape (2, N); NaN without a value.

        :param step: Index of the time.
        :param page: Index within the step, shape (N,), a row's plus a column's part of `address`; None if a page holds
            whole steps.
        :param offset: In the page, shape (N,): a row's plus a column's part.
        """
        later, within = divmod(step, self.page[0])
        if within:
            offset = offset + within * self.page[1] * self.page[2]
        with self._lock:
            if page is None:
                if self._slot_of[later] < 0 or not self._all_fit:
                    self._load_pages(np.array([later]))
                return self._pool[self._slot_of[later]].take(offset, axis=1).astype(float)
            return self._take(page + later * self.counts[1] * self.counts[2] if later else page, offset)

    def _take(self, page: np.ndarray, offset: np.ndarray) -> np.ndarray:
        slot = self._slot_of.take(page)
        if slot.size and slot.min() < 0:
            wanted = np.unique(page)
            if wanted.size > len(self._pool):
                return self._take_in_parts(page, offset, wanted[wanted.size // 2])
            self._load_pages(wanted)
            slot = self._slot_of.take(page)
        elif not self._all_fit:
            self._calls += 1
            self._used[slot] = self._calls
        at = slot * np.int64(2 * self._nodes) + offset
        flat = self._pool.reshape(-1)
        value = np.empty((2, page.size))
        value[0] = flat.take(at)
        at += self._nodes
        value[1] = flat.take(at)
        return value

    def _take_in_parts(self, page: np.ndarray, offset: np.ndarray, middle: int) -> np.ndarray:
        """Return `_take` for more pages than are kept: those before the middle first, then the others."""
        value = np.empty((2, page.size))
        early = page < middle
        for part in (early, ~early):
            value[:, part] = self._take(page[part], offset[part])
        return value

    def _load_pages(self, pages: np.ndarray) -> None:
        """Read those of some pages that are not in memory, in place of the least recently used ones."""
        self._calls += 1
        here = self._slot_of[pages]
        self._used[here[here >= 0]] = self._calls
        for page in pages[here < 0].tolist():
            slot = int(self._used.argmin())
            if self._page_in[slot] >= 0:
                self._slot_of[self._page_in[slot]] = -1
                self._page_in[slot], self._used[slot] = -1, 0
            self._fill(slot, page)
            self._slot_of[page], self._page_in[slot], self._used[slot] = slot, page, self._calls

    def _fill(self, slot: int, page: int) -> None:
        first = np.multiply(np.unravel_index(page, self.counts), self.page)
        last = np.minimum(first + self.page, self.shape)
        values = self._read((slice(first[0], last[0]), slice(first[1], last[1]), slice(first[2], last[2])))
        times, rows, columns = last - first
        self._pool[slot].reshape(2, *self.page)[:, :times, :rows, :columns] = values
        self.reads += 1

    def speeds(self, step: int, most: int) -> Iterator[np.ndarray]:
        """
        Return the speeds of the nodes with a value, m/s, page by page.

        :param step: Index of the time.
        :param most: Most pages to read, evenly distributed.
        """
        _, high, wide = self.page
        number = self.counts[1] * self.counts[2]
        for page in np.unique(np.linspace(0, number - 1, min(most, number)).astype(int)).tolist():
            below, left = page // self.counts[2] * high, page % self.counts[2] * wide
            row = np.arange(below, min(below + high, self.shape[1])) - below
            column = np.arange(left, min(left + wide, self.shape[2])) - left
            offset = np.add.outer(row * wide, column).ravel()
            value = self.take(step, np.full(offset.size, page), offset)
            speed = np.hypot(*value)
            yield speed[np.isfinite(speed)]

    def clear(self) -> None:
        """Remove all pages."""
        with self._lock:
            self._slot_of[:] = -1
            self._page_in[:] = -1
            self._used[:] = 0
