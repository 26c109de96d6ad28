"""The protocol of what a boat must keep off: land, water too shallow, areas that are closed."""

from typing import Protocol

import numpy as np


class Barriers(Protocol):
    """Where a boat may not be. Implementations do not change, and are safe to call from threads."""

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which points, east and north in the world, m, shape (N,), a boat may not be at; shape (N,), bool."""
        ...

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return which straight ways, from (x0, y0) to (x1, y1), m, each shape (N,), meet a place it may not be at."""
        ...

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return how far off the nearest such place each point is, m, shape (N,); negative inside; inf for none."""
        ...


class NoBarriers:
    """Barriers of open water: there are none."""

    def blocked(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return False for every point."""
        return np.zeros(np.shape(x), dtype=bool)

    def crossed(self, x0: np.ndarray, y0: np.ndarray, x1: np.ndarray, y1: np.ndarray) -> np.ndarray:
        """Return False for every way."""
        return np.zeros(np.shape(x0), dtype=bool)

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return inf, m, for every point."""
        return np.full(np.shape(x), np.inf)
