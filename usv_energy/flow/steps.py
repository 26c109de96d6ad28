"""Steps of a field that changes with time: which two bracket a time, and the few kept in memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

Loaded = TypeVar('Loaded')


class StepCache(Generic[Loaded]):
    """The steps used last, read on demand: memory does not grow with their number. Safe to call from threads."""

    def __init__(self, load: Callable[[int], Loaded], size: int = 4) -> None:
        """
        Keep the steps used last.

        :param load: Reads one step, by its index; called by one thread at a time.
        :param size: Steps kept; at least the 2 that one time needs.
        """
        if size < 2:
            raise ValueError(f'a step cache of {size}: one time needs 2 steps')
        self._load = load
        self._size = size
        self._steps: OrderedDict[int, Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many steps are in memory."""
        return len(self._steps)

    def get(self, step: int) -> Loaded:
        """Return one step, read now if it is not among those kept."""
        with self._lock:
            if step in self._steps:
                self._steps.move_to_end(step)
                return self._steps[step]
            while len(self._steps) >= self._size:
                self._steps.popitem(last=False)
            loaded = self._steps[step] = self._load(step)
            return loaded

    def clear(self) -> None:
        """Forget all steps."""
        with self._lock:
            self._steps.clear()


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
