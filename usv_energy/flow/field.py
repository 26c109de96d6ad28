"""The protocols of a flow of water or air: a field with velocities, and a source that a reader makes from a file."""

from datetime import datetime
from typing import Any, Protocol

import numpy as np

Velocities = tuple[np.ndarray, np.ndarray, np.ndarray]  # vx, vy, inside
Extent = tuple[float, float, float, float]              # xmin, ymin, xmax, ymax


class FlowField(Protocol):
    """Velocity of the water or the air at any place and time. Implementations are thread-safe."""

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """
        Return the velocity at many points at one time.

        :param t: Time, s, from the field's first time.
        :param x: East coordinates, m, in the field's own coordinates, shape (N,).
        :param y: North coordinates, m, shape (N,).
        :return: East velocity m/s, north velocity m/s, and whether the field has a value there; each of shape (N,).
            Without a value (outside, dry, before its first time or after its last) the velocities are NaN, never zero.
        """
        ...


class FlowSource(FlowField, Protocol):
    """The result of a reader: a field, and a description of it."""

    @property
    def times(self) -> np.ndarray:
        """Times of the steps, s from the first, strictly ascending, shape (T,); [0.] for a steady field."""
        ...

    @property
    def start(self) -> datetime | None:
        """Date of the first time, if the file states it."""
        ...

    @property
    def extent(self) -> Extent:
        """Bounding box xmin, ymin, xmax, ymax in the field's own coordinates, m."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return the output of `usv-energy flow info`: for JSON, with units in the keys, `notes` a list of warnings."""
        ...

    def outline(self) -> list[np.ndarray]:
        """Return polygons for pictures, each (K, 2) in m: the field's outline, holes and buildings; may be empty."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


def height_of(source: FlowSource) -> float | None:
    """Return the height of a source's wind, m above water; None if the source does not state it."""
    return getattr(source, 'height', None)


def outside(shape: tuple[int, ...]) -> Velocities:
    """Return the result of a field without a value at any of the points: NaN, NaN, False."""
    return np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, dtype=bool)


def in_extent(extent: Extent, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return which points, m, are within an extent, m, including its edge; False for NaN."""
    xmin, ymin, xmax, ymax = extent
    return (x >= xmin) & (x <= xmax) & (y >= ymin) & (y <= ymax)


def extent_polygon(extent: Extent) -> np.ndarray:
    """Return the corners of an extent, m, counter-clockwise, shape (4, 2)."""
    xmin, ymin, xmax, ymax = extent
    return np.array([(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)])


def steps_summary(times: np.ndarray, start: datetime | None) -> dict[str, Any]:
    """Return the entries of `describe` on the times: number, first and last, s, and the date of the first."""
    return {'steps': int(times.size), 'first_s': float(times[0]), 'last_s': float(times[-1]),
            'start': start.isoformat() if start else None}


def speed_summary(time: float, counted: str, speed: np.ndarray) -> dict[str, Any]:
    """Return the entries of `describe` on the speeds, m/s, at one time, s; `counted` is the key of their number."""
    summary: dict[str, Any] = {'time_s': time, counted: int(speed.size)}
    for name, of in (('min', np.min), ('mean', np.mean), ('max', np.max)):
        summary[f'{name}_m_per_s'] = float(of(speed)) if speed.size else None
    return summary
