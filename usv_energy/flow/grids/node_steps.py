"""Steps of a field that changes with time: the two steps around a time, and the steps that are kept in memory."""

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import Velocities, outside, speed_summary
from usv_energy.flow.grids.pages import Pages

Loaded = TypeVar('Loaded')
BUDGET = 64 * 2 ** 20  # Bytes of the steps that are kept for one field.


class StepCache(Generic[Loaded]):
    """
    The latest steps, read on demand; memory does not grow with their number. Thread-safe.

    A route search goes through all times repeatedly, so all steps are kept if they are small enough.
    """

    def __init__(self, load: Callable[[int], Loaded], size: int = 4, budget: int | None = None) -> None:
        """
        Keep the latest steps.

        :param load: Reads one step by its index; called by one thread at a time.
        :param size: Least number of steps to keep, at least the 2 that one time needs.
        :param budget: Bytes of arrays up to which more steps are kept; None for BUDGET.
        """
        self._load, self._size, self._budget = load, size, BUDGET if budget is None else budget
        self._kept: OrderedDict[int, tuple[Loaded, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of steps in memory."""
        return len(self._kept)

    def get(self, step: int) -> Loaded:
        """Return one step, from memory or read now."""
        with self._lock:
            if step in self._kept:
                self._kept.move_to_end(step)
                return self._kept[step][0]
            loaded = self._load(step)
            size = _bytes_of(loaded) or self._budget
            self._kept[step] = loaded, size
            self._bytes += size
            while len(self._kept) > self._size and self._bytes > self._budget:
                self._bytes -= self._kept.popitem(last=False)[1][1]
            return loaded

    def clear(self) -> None:
        """Remove all steps."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0


def _bytes_of(loaded: Any) -> int:
    """Return the bytes of the arrays of a step; 0 if it has other content."""
    if isinstance(loaded, np.ndarray):
        return loaded.nbytes
    sizes = [_bytes_of(part) for part in loaded] if isinstance(loaded, tuple) else [0]
    return sum(sizes) if all(sizes) else 0


class SteppedFlow(ABC):
    """A flow that is known at the steps of a file, linear in time between them."""

    times: np.ndarray  # s from the first, strictly ascending, shape (T,).
    reopened: tuple[Callable[..., Any], tuple[Any, ...]] | None = None  # To open the file in another process.

    def __reduce__(self) -> tuple[Any, ...]:
        """Open the file again in another process that the flow is sent to."""
        if self.reopened is None:
            raise TypeError(f'{type(self).__name__}: was not opened from a file, so that it cannot be sent to another '
                            'process')
        return self.reopened

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """
        Return the velocity at many points at one time.

        :param t: Time, s from the first step; outside the steps no point is inside.
        :param x: Coordinates of the file's map, in m for any unit of the file, any shape.
        :param y: The same, northward, same shape.
        :return: vx, vy, m/s, NaN without a value, and whether there is one; shaped like x.
        :raises InputError: If the file is damaged at this time.
        """
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.shape != y.shape:
            raise ValueError(f'x has shape {x.shape}, y has {y.shape}: give one y for each x')
        found = bracket(self.times, t)
        if found is None:
            return outside(x.shape)
        value = self._between(*found, x.ravel(), y.ravel())
        vx, vy = value[0].reshape(x.shape), value[1].reshape(x.shape)
        return vx, vy, vx == vx  # NaN differs from itself.

    @abstractmethod
    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return vx, vy, shape (2, N), NaN without a value; `weight` is that of the next step (see `bracket`)."""


def bracket(times: np.ndarray, t: float) -> tuple[int, float] | None:
    """
    Return the step at or before a time and the weight of the next step, 0 to 1; None outside all steps.

    The weight is 0 at the time of a step, and for a steady field, so that only one step is needed.

    :param times: Times of the steps, s, strictly ascending, shape (T,).
    :param t: Time, s.
    """
    if not times[0] <= t <= times[-1]:  # Also for NaN.
        return None
    step = int(times.searchsorted(t, side='right')) - 1
    if times[step] == t:
        return step, 0.0
    return step, float((t - times[step]) / (times[step + 1] - times[step]))


MOST_PAGES = 64  # Most pages of a step that `flow info` reads.

Loader = Callable[[int], tuple[np.ndarray, np.ndarray]]


class NodeSteps(Protocol):
    """The velocities of a lattice's nodes at its steps. Implementations are thread-safe."""

    def corners(self, step: int, weight: float | np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """
        Return the velocities at the corners of cells, m/s, shape (2, 4, N): SW, SE, NW, NE; NaN without a value.

        :param step: Index of the step at or before the time.
        :param weight: Of the next step, 0 to 1, one or one a cell; with 0 that step is not read.
        :param row: Of the cells' southern nodes, shape (N,).
        :param column: Of their western nodes.
        """
        ...

    def speeds(self, step: int, time: float) -> dict[str, Any]:
        """Return the entries of `describe` on the speeds of a step with a given time, s."""
        ...

    def about(self) -> dict[str, Any]:
        """Return the entries of `describe` on the reading of the nodes."""
        ...

    def clear(self) -> None:
        """Release all memory."""
        ...


class WholeSteps:
    """NodeSteps of a file that is read one whole step at a time; the latest ones are kept."""

    def __init__(self, load: Loader, rows: int, columns: int, name: str) -> None:
        """
        Take the reader of steps.

        :param load: Reads step i: vx, vy, m/s, each of shape (rows, columns), NaN (or infinite) without a value.
        :param rows: Number of the lattice's rows.
        :param columns: Number of its columns.
        :param name: Name of the file in error messages.
        """
        self._load, self._shape, self._name = load, (rows, columns), name
        self._cache = StepCache(self._read)

    def _read(self, step: int) -> np.ndarray:
        """Return one step, shape (2, rows * columns); NaN in both components where either has no finite value."""
        vx, vy = self._load(step)
        if np.shape(vx) != self._shape or np.shape(vy) != self._shape:
            raise InputError(f'{self._name}: step {step}: the velocities have shapes {np.shape(vx)} and '
                             f'{np.shape(vy)}; the grid has {self._shape} (rows, columns)')
        both = np.empty((2, self._shape[0] * self._shape[1]))
        both[0], both[1] = np.ravel(vx), np.ravel(vy)
        both[:, ~np.isfinite(both).all(axis=0)] = np.nan
        return both

    def corners(self, step: int, weight: float | np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Return the velocities at the corners of cells; see NodeSteps.corners."""
        before = self._cache.get(step)
        after = self._cache.get(step + 1) if np.any(weight) else None
        columns = self._shape[1]
        first = row * columns + column
        corner = np.array((first, first + 1, first + columns, first + (columns + 1)))
        value = before.take(corner, axis=1)
        if after is not None:
            value += weight * (after.take(corner, axis=1) - value)
        return value

    def speeds(self, step: int, time: float) -> dict[str, Any]:
        """Return the entries of `describe` on the speeds of a step."""
        speed = np.hypot(*self._cache.get(step))
        return speed_summary(time, 'nodes_with_value', speed[np.isfinite(speed)])

    def about(self) -> dict[str, Any]:
        """Return nothing, since whole steps are read."""
        return {}

    def clear(self) -> None:
        """Remove all steps."""
        self._cache.clear()


class PagedSteps:
    """NodeSteps of a store of any size, whose rows and columns may be in any order."""

    def __init__(self, pages: Pages, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> None:
        """
        Take the pages of a store.

        :param pages: Of the store, with rows and columns in the store's order.
        :param rows: The store's row for each row of the lattice; None if they are the same.
        :param columns: The store's column for each column of the lattice.
        """
        self._pages = pages
        self._whole = pages.counts[1:] == (1, 1)
        self._at = pages.address(np.arange(pages.shape[1]) if rows is None else rows,
                                 np.arange(pages.shape[2]) if columns is None else columns)

    def corners(self, step: int, weight: float | np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Return the velocities at the corners of cells; see NodeSteps.corners."""
        rows, columns = (row, row + 1), (column, column + 1)
        offset = _sums(self._at.row_offset, rows, self._at.column_offset, columns)
        page = None if self._whole else _sums(self._at.row_page, rows, self._at.column_page, columns)
        value = self._pages.take(step, page, offset).reshape(2, 4, -1)
        if np.any(weight):
            value += weight * (self._pages.take(step + 1, page, offset).reshape(2, 4, -1) - value)
        return value

    def speeds(self, step: int, time: float) -> dict[str, Any]:
        """Return the entries of `describe` on the speeds of a step."""
        return _summary(time, self._pages.speeds(step, MOST_PAGES))

    def about(self) -> dict[str, Any]:
        """Return the shape of a page, and of how many the speeds are, if a step has more than one page."""
        number = self._pages.counts[1] * self._pages.counts[2]
        return {} if number == 1 else {'page': list(self._pages.page), 'pages_a_step': number,
                'pages_looked_at_a_step': min(number, MOST_PAGES)}

    def clear(self) -> None:
        """Remove all pages."""
        self._pages.clear()


def _sums(of_row: np.ndarray, rows: Sequence[np.ndarray], of_column: np.ndarray,
          columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return the sum of a row's part and a column's part of an address, for each corner."""
    south, north = (of_row.take(row) for row in rows)
    west, east = (of_column.take(column) for column in columns)
    return np.concatenate((south + west, south + east, north + west, north + east))


def _summary(time: float, parts: Iterator[np.ndarray]) -> dict[str, Any]:
    """Return the speed_summary of speeds in parts."""
    number, total, low, high = 0, 0.0, np.inf, -np.inf
    for speed in parts:
        if speed.size:
            number, total = number + speed.size, total + float(speed.sum())
            low, high = min(low, float(speed.min())), max(high, float(speed.max()))
    known = speed_summary(time, 'nodes_with_value', np.array([low, total / number, high]) if number else np.empty(0))
    return {**known, 'nodes_with_value': number, **({'mean_m_per_s': total / number} if number else {})}
