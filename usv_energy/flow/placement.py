"""The place of a flow file in the world, and its clock."""

import math
from typing import NamedTuple, Protocol

import numpy as np

MODES = {
    'loop': 'starts again from the first time after the last, without a blend: the velocity may jump there',
    'hold': 'before the first time the flow is that of the first, after the last that of the last',
    'end': 'before the first time and after the last there is no flow: nothing is inside',
}


class FlowClock(NamedTuple):
    """
    The conversion from the world's time to the file's, both s.

    `mode`: one of MODES. `first`, `last`: the file's first and last time. `start`: the file's time at the world's time
    0. A steady field, with `first` equal to `last`, has the same flow at all times in every mode.
    """

    mode: str = 'hold'
    first: float = 0.0
    last: float = 0.0
    start: float = 0.0

    def time(self, t: float) -> float:
        """
        Return the file's time, s; NaN if there is none.

        :param t: The world's time, s.
        """
        if self.first == self.last:
            return self.first
        if not math.isfinite(t):
            return math.nan
        at = self.start + t
        if self.first <= at <= self.last:
            return at
        if self.mode == 'loop':
            return min(self.first + (at - self.first) % (self.last - self.first), self.last)
        if self.mode == 'hold':
            return min(max(at, self.first), self.last)
        return math.nan

    def times(self, t: np.ndarray) -> np.ndarray:
        """Return the file's times of many times, s, as `time` does."""
        if self.first == self.last:
            return np.full(np.shape(t), self.first)
        at = np.where(np.isfinite(t), self.start + t, np.nan)
        if self.mode == 'hold':
            return np.clip(at, self.first, self.last)
        inside = (at >= self.first) & (at <= self.last)
        if self.mode == 'loop':
            turned = np.minimum(self.first + (at - self.first) % (self.last - self.first), self.last)
            return np.where(inside, at, turned)
        return np.where(inside, at, np.nan)


Pair = tuple[np.ndarray, np.ndarray]


class MapCoordinates(Protocol):
    """The coordinates of a file's map in which its rows and columns are straight, seen from a plane of metres."""

    def of_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return the file's coordinates, m, of places of the plane, m; NaN where there are none."""
        ...

    def to_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return places of the plane, m, of the file's coordinates, m."""
        ...

    def turn(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return by what angle the file's y axis lies to the left of the plane's at places of the file, rad."""
        ...


class Transform(NamedTuple):
    """
    The world's frame on a map (both right-handed, m): a translation and a rotation, no scale.

    `x`, `y`: map coordinates of the world's origin, m. `rotation_deg`: direction of the world's x axis on the map,
    degrees counter-clockwise from the map's x axis. With R the rotation by that angle, map = (x, y) + R world, and a
    velocity on the map is R times that in the world. The map of a file in degrees is the local plane about its own
    origin, or about that of a world with a given position on the Earth; `degrees` converts it to the coordinates in
    which the file's rows and columns are straight, and rotates velocities by the convergence of the meridians.
    """

    x: float = 0.0
    y: float = 0.0
    rotation_deg: float = 0.0
    degrees: MapCoordinates | None = None

    @property
    def _turn(self) -> tuple[float, float]:
        """Cosine and sine of the rotation; exact for quarter turns."""
        quarters = self.rotation_deg / 90.0
        if quarters == round(quarters):
            return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarters) % 4]
        angle = math.radians(self.rotation_deg)
        return math.cos(angle), math.sin(angle)

    def to_map(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return positions in the world, m, as map coordinates, m; any shape."""
        cosine, sine = self._turn
        east, north = self.x + cosine * x - sine * y, self.y + sine * x + cosine * y
        return (east, north) if self.degrees is None else self.degrees.of_local(east, north)

    def to_world(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return positions on the map, m, as world coordinates, m; any shape."""
        east, north = (x, y) if self.degrees is None else self.degrees.to_local(x, y)
        return self._turned(east - self.x, north - self.y)

    def velocity_to_world(self, vx: np.ndarray, vy: np.ndarray, at: Pair | None = None) -> Pair:
        """
        Return velocities along the map's axes, m/s, as components along the world's, m/s; any shape.

        :param at: Their positions on the map, as `to_map` returns them; None for near its origin.
        """
        if self.degrees is not None and at is not None:
            turn = self.degrees.turn(*at)
            cosine, sine = np.cos(turn), np.sin(turn)
            vx, vy = cosine * vx - sine * vy, sine * vx + cosine * vy
        return self._turned(vx, vy)

    def _turned(self, x: np.ndarray, y: np.ndarray) -> Pair:
        cosine, sine = self._turn
        return cosine * x + sine * y, cosine * y - sine * x
