"""Steps of a field that changes with time: which two bracket a time, and the few kept in memory."""

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from .field import Velocities, outside

Loaded = TypeVar('Loaded')
BUDGET = 64 * 2 ** 20   # Bytes of the steps kept of one field.


class StepCache(Generic[Loaded]):
    """
    The steps used last, read on demand: memory does not grow with their number. Safe to call from threads.

    A route is looked at from its first time to its last many times: steps that are small enough are all kept for it.
    """

    def __init__(self, load: Callable[[int], Loaded], size: int = 4, budget: int | None = None) -> None:
        """
        Keep the steps used last.

        :param load: Reads one step, by its index; called by one thread at a time.
        :param size: Steps kept at least, the 2 that one time needs or more.
        :param budget: Bytes of the arrays of the steps up to which more are kept; None: BUDGET.
        """
        self._load, self._size, self._budget = load, size, BUDGET if budget is None else budget
        self._kept: OrderedDict[int, tuple[Loaded, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many steps are in memory."""
        return len(self._kept)

    def get(self, step: int) -> Loaded:
        """Return one step, read now if it is not among those kept."""
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
        """Forget all steps."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0


def _bytes_of(loaded: Any) -> int:
    """Return the bytes of the arrays of a step; 0 where it is none of arrays alone."""
    if isinstance(loaded, np.ndarray):
        return loaded.nbytes
    sizes = [_bytes_of(part) for part in loaded] if isinstance(loaded, tuple) else [0]
    return sum(sizes) if all(sizes) else 0


class SteppedFlow(ABC):
    """A flow known at the steps of a file; linear in time between them."""

    times: np.ndarray  # s from the first, strictly rising, shape (T,)
    reopened: tuple[Callable[..., Any], tuple[Any, ...]] | None = None  # what opens the same file in another process

    def __reduce__(self) -> tuple[Any, ...]:
        """Be opened anew where this was sent to: another process reads the file itself."""
        if self.reopened is None:
            raise TypeError(f'{type(self).__name__}: was not opened from a file, so that it cannot be sent to another '
                            'process')
        return self.reopened

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """
        Return the velocity at many points, at one time.

        :param t: Time, s from the first step; outside the steps nothing is inside.
        :param x: Coordinates of the file's map, in m whatever its unit, any shape.
        :param y: The same, northward, same shape.
        :return: vx, vy, m/s, NaN where there is no value, and whether there is one; shaped like x.
        :raises InputError: If the file turns out to be damaged at this time.
        """
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.shape != y.shape:
            raise ValueError(f'x has shape {x.shape}, y has {y.shape}: give one y for each x')
        found = bracket(self.times, t)
        if found is None:
            return outside(x.shape)
        value = self._between(*found, x.ravel(), y.ravel())
        vx, vy = value[0].reshape(x.shape), value[1].reshape(x.shape)
        return vx, vy, vx == vx  # NaN differs from itself

    @abstractmethod
    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return vx, vy, shape (2, N), NaN where there is none; `weight` is that of the next step (see `bracket`)."""


def bracket(times: np.ndarray, t: float) -> tuple[int, float] | None:
    """
    Return the step at or before a time and the weight of the step after it, 0 to 1; None outside all steps.

    The weight is 0 on a step, so that a time on a step, and a steady field, need that step only.

    :param times: Times of the steps, s, strictly rising, shape (T,).
    :param t: Time, s.
    """
    if not times[0] <= t <= times[-1]:  # a NaN too
        return None
    step = int(times.searchsorted(t, side='right')) - 1
    if times[step] == t:
        return step, 0.0
    return step, float((t - times[step]) / (times[step + 1] - times[step]))
