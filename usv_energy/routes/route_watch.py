"""A route under way: how far the boat is off it, in place and time, and how the water differs from what was planned."""

import math
from collections import deque
from typing import NamedTuple

import numpy as np

from .route_order import PlannedWay


class WatchLimits(NamedTuple):
    """
    From when on a new route is worth while.

    `off_route`: m beside it; `late`: s behind or before it; `current`: m/s, by which the water differs from the
    forecast, the mean over the last `window`, s.
    """

    off_route: float = 30.0
    late: float = 120.0
    current: float = 0.1
    window: float = 30.0


class RouteWatch:
    """Watches one route; it is silent until a window has passed, and once the boat is near the goal."""

    def __init__(self, way: PlannedWay, limits: WatchLimits) -> None:
        """Begin with nothing seen."""
        self._way, self._limits = way, limits
        self._seen: deque[tuple[float, float, float]] = deque()
        self._begin = math.nan

    @property
    def difference(self) -> tuple[float, float]:
        """By how much the water ran faster than it was planned in, mean over the window: east and north, m/s."""
        if not self._seen:
            return 0.0, 0.0
        _, east, north = zip(*self._seen)
        return sum(east) / len(east), sum(north) / len(north)

    def why_anew(self, time: float, x: float, y: float, current: tuple[float, float]) -> str:
        """
        Return why a new route is worth while, a sentence; '' while none is.

        :param time: s of the flow's clock; earlier than before begins anew.
        :param x: East, m; `y`: north.
        :param current: Of the water, measured, m/s; NaN where it is not known.
        """
        way, limits = self._way, self._limits
        if not self._begin <= time:
            self._begin = time
            self._seen.clear()
        off, passing, forecast = self._nearest(x, y)
        if all(map(math.isfinite, current)):
            self._seen.append((time, current[0] - forecast[0], current[1] - forecast[1]))
        while self._seen and time - self._seen[0][0] > limits.window:
            self._seen.popleft()
        left = math.hypot(way.x[-1] - x, way.y[-1] - y)
        if time - self._begin < limits.window or left < limits.off_route or not math.isfinite(off):
            return ''
        if off > limits.off_route:
            return f'the boat is {off:.0f} m off its route'
        if abs(time - passing) > limits.late:
            late = time - passing
            return f'the boat is {abs(late):.0f} s {"late" if late > 0.0 else "early"}'
        if (differs := math.hypot(*self.difference)) > limits.current:
            return f'the water differs by {differs:.2f} m/s from what the route was planned in'
        return ''

    def _nearest(self, x: float, y: float) -> tuple[float, float, tuple[float, float]]:
        """Return how far off the route a place is, m; when its nearest point is passed, s; the current then, m/s."""
        way = self._way
        east, north = np.diff(way.x), np.diff(way.y)
        length = np.maximum(east * east + north * north, 1e-12)
        share = np.clip(((x - way.x[:-1]) * east + (y - way.y[:-1]) * north) / length, 0.0, 1.0)
        off = np.hypot(way.x[:-1] + share * east - x, way.y[:-1] + share * north - y)
        part = int(off.argmin())

        def between(values: np.ndarray) -> float:
            return float(values[part] + share[part] * (values[part + 1] - values[part]))
        return float(off[part]), between(way.time), (between(way.current_x), between(way.current_y))
