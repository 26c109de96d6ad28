"""Parts of a stored velocity: times, rows and columns, read lazily through xarray, in m/s and without fill values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....files.errors import InputError
from ...pages import Pages, Shape, Window, page_shape

FASTEST = 200.0  # m/s; no water or wind is faster: such a number is a fill value that the file does not declare


class Side(NamedTuple):
    """One component of a velocity: the variable, its dimensions of time (or None), row and column, its unit in m/s."""

    variable: Any
    dimensions: tuple[str | None, str, str]
    scale: float

    @property
    def shape(self) -> Shape:
        """Times (1 where it has none), rows, columns."""
        times, rows, columns = (1 if name is None else int(self.variable.sizes[name]) for name in self.dimensions)
        return times, rows, columns

    def read(self, window: Window) -> np.ndarray:
        """Return a part, m/s, shape (times, rows, columns); NaN where there is none."""
        named = {name: part for name, part in zip(self.dimensions, window) if name is not None}
        order = [name for name in self.dimensions if name is not None]
        values = np.asarray(self.variable.isel(named).transpose(*order).values)
        if self.scale != 1.0 or not np.issubdtype(values.dtype, np.floating):
            values = values * self.scale
        return values if self.dimensions[0] is not None else values[np.newaxis]


class StoredVelocity:
    """The two components of a velocity on one lattice, as `Pages` reads them."""

    def __init__(self, sides: Sequence[Side], path: Path, notes: list[str],
                 turn: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """
        Take the two components.

        :param sides: Along the lattice's columns and along its rows, or to the east and to the north.
        :param path: What an error calls the file.
        :param notes: Where it is said that values were taken for fill values.
        :param turn: Cosine and sine of the angle from the east to the direction of the first component,
            counter-clockwise, at each node; None where that is the east.
        """
        self._sides, self._path, self._notes, self._turn = sides, path, notes, turn
        self.shape = sides[0].shape

    def pages(self) -> Pages:
        """Return the pages of this velocity, after the chunks of the file."""
        kind = np.result_type(np.float32, *(side.variable.dtype for side in self._sides))
        chunks = chunks_of(self._sides[0])
        page = page_shape(self.shape, chunks, kind.itemsize)
        if chunks is not None and np.prod(page) * 4 <= np.prod(np.minimum(chunks, self.shape)):
            size = 2 * kind.itemsize * float(np.prod(np.minimum(chunks, self.shape))) / 1e6
            shape = ' x '.join(map(str, chunks))
            self._notes.append(f'its chunks of {shape} (times, rows, columns) take {size:.0f} MB: each is '
                               'unpacked anew for every part of it; chunks of one time and at most 512 x 512 are '
                               'read faster')
        return Pages(self.read, self.shape, page, kind)

    def read(self, window: Window) -> np.ndarray:
        """
        Return a part of the velocity to the east and to the north, m/s, shape (2, times, rows, columns).

        :raises InputError: If the file is damaged there.
        """
        try:
            both = np.stack(self._parts(window))
        except Exception as error:  # each backend raises different errors
            raise InputError(f'{self._path}: step {window[0].start} cannot be read; is the file whole? '
                             f'{error}') from None
        self._drop_fill(both)
        if self._turn is not None:
            cosine, sine = (side[window[1:]] for side in self._turn)
            both = np.stack((cosine * both[0] - sine * both[1], sine * both[0] + cosine * both[1]))
        return both

    def _parts(self, window: Window) -> list[np.ndarray]:
        """Return the two components in a window."""
        return [side.read(window) for side in self._sides]

    def _drop_fill(self, both: np.ndarray) -> None:
        """Put NaN in place of velocities, m/s, that cannot be any, in both components; a note says so once."""
        wrong = np.abs(both) > FASTEST
        if wrong.any():
            note = f'values above {FASTEST:g} m/s were taken for fill values that the file does not declare'
            self._notes += [] if note in self._notes else [note]
            both[wrong] = np.nan
        both[:, ~np.isfinite(both).all(axis=0)] = np.nan


def chunks_of(side: Side) -> Shape | None:
    """Return the times, rows and columns of a chunk of the file; None where it has none."""
    chunks = side.variable.encoding.get('preferred_chunks')
    if not chunks:
        return None
    times, rows, columns = (1 if name is None else int(chunks.get(name, 1)) for name in side.dimensions)
    return times, rows, columns
