"""Which side of the walls a point is on: polygons drawn by segments, holes in them, asked exactly and fast."""

import numpy as np

from .field import within


class Walls:
    """
    The inside of closed polygons given as loose segments, by the even-odd rule: holes are outside.

    A grid of cells holds for each whether its centre is inside, and which segments come near it. A point is inside as
    the centre of its cell is, unless the way to that centre crosses an odd number of the cell's segments: so only a
    few segments are looked at, and the answer is exact to rounding.
    """

    def __init__(self, segments: np.ndarray, spacing: float) -> None:
        """
        Index the segments.

        :param segments: Ends of the segments, m, shape (S, 2 ends, 2 coordinates), S >= 3; together they close.
        :param spacing: Side of a cell, m; about the length of a segment.
        """
        self._spacing = spacing
        low, high = segments.min(axis=(0, 1)), segments.max(axis=(0, 1))
        self._extent = (low[0], low[1], high[0], high[1])
        margin = 1e-6 * spacing
        self._just_within = (low[0] + margin, low[1] + margin, high[0] - margin, high[1] - margin)
        self._low = low - 1.5 * spacing
        self._columns, self._rows = (int(n) for n in np.ceil((high - self._low) / spacing) + 2)
        self._from, self._to = _short(segments, spacing)
        self._inside = self._centres_inside(segments)
        self._begin, self._near = self._segments_of_cells()

    def __call__(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return which points, m, shape (N,), lie inside; False for NaN."""
        on = within(self._extent, x, y)
        xmin, ymin, xmax, ymax = self._just_within
        x = np.where(on, np.minimum(np.maximum(x, xmin), xmax), xmin)  # the edge itself is inside
        y = np.where(on, np.minimum(np.maximum(y, ymin), ymax), ymin)
        column = ((x - self._low[0]) / self._spacing).astype(np.intp)
        cell = ((y - self._low[1]) / self._spacing).astype(np.intp) * self._columns + column
        inside: np.ndarray = self._inside[cell] & on
        begin = self._begin[cell]
        count = self._begin[cell + 1] - begin
        beside = np.flatnonzero(count)
        if beside.size:
            crossings = self._crossings(x[beside], y[beside], cell[beside], begin[beside], count[beside])
            inside[beside] ^= (crossings % 2).astype(bool) & on[beside]
        return inside

    def _crossings(self, x: np.ndarray, y: np.ndarray, cell: np.ndarray, begin: np.ndarray,
                   count: np.ndarray) -> np.ndarray:
        """Return how many segments the way from each point to its cell's centre crosses; one count >= 1 a point."""
        first = np.cumsum(count) - count
        of = np.repeat(np.arange(x.size), count)  # for each pair of a point and a segment: the point
        segment = self._near[np.arange(of.size) - first[of] + begin[of]]
        px, py = x[of], y[of]
        cx, cy = self._centre(cell)
        cx, cy = cx[of], cy[of]
        ax, ay = self._from[segment].T
        bx, by = self._to[segment].T
        parted = _left(ax, ay, bx, by, px, py) != _left(ax, ay, bx, by, cx, cy)
        parting = _left(px, py, cx, cy, ax, ay) != _left(px, py, cx, cy, bx, by)
        return np.add.reduceat((parted & parting).astype(np.intp), first)

    def _centre(self, cell: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a place in the middle of each cell, m, a little off: walls like to run through the very middle."""
        return (self._low[0] + (cell % self._columns + 0.5123) * self._spacing,
                self._low[1] + (cell // self._columns + 0.5071) * self._spacing)

    def _centres_inside(self, segments: np.ndarray) -> np.ndarray:
        """Return for each cell whether its centre is inside: an odd number of walls lies to its left."""
        x, y = self._centre(np.arange(self._rows * self._columns))
        x, y = x[:self._columns], y[::self._columns]
        inside = np.zeros((self._rows, self._columns), dtype=bool)
        (ax, ay), (bx, by) = segments[:, 0].T, segments[:, 1].T
        for row, level in enumerate(y):
            crossed = (ay > level) != (by > level)
            at = ax[crossed] + (level - ay[crossed]) / (by[crossed] - ay[crossed]) * (bx[crossed] - ax[crossed])
            inside[row] = np.searchsorted(np.sort(at), x) % 2 == 1
        return inside.ravel()

    def _segments_of_cells(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where each cell's segments begin in a list, shape (cells + 1,), and that list of segments."""
        margin = 1e-6 * self._spacing
        low = np.minimum(self._from, self._to) - margin - self._low
        high = np.maximum(self._from, self._to) + margin - self._low
        first, last = (np.floor(edge / self._spacing).astype(np.intp) for edge in (low, high))
        cells, segments = [], []
        for right in range(int((last - first)[:, 0].max()) + 1):
            for up in range(int((last - first)[:, 1].max()) + 1):
                reached = np.flatnonzero((first[:, 0] + right <= last[:, 0]) & (first[:, 1] + up <= last[:, 1]))
                cells.append((first[reached, 1] + up) * self._columns + first[reached, 0] + right)
                segments.append(reached)
        cell, segment = np.concatenate(cells), np.concatenate(segments)
        order = np.argsort(cell, kind='stable')
        count = np.bincount(cell, minlength=self._rows * self._columns)
        return np.concatenate(([0], np.cumsum(count))), segment[order]


def _short(segments: np.ndarray, longest: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the segments, shape (S', 2) each, those longer than `longest` m cut into pieces."""
    along = segments[:, 1] - segments[:, 0]
    pieces = np.maximum(np.ceil(np.hypot(along[:, 0], along[:, 1]) / longest), 1.0).astype(np.intp)
    of = np.repeat(np.arange(len(segments)), pieces)
    piece = np.arange(of.size) - (np.cumsum(pieces) - pieces)[of]

    def end(step: np.ndarray) -> np.ndarray:
        part = (step / pieces[of])[:, None]
        place: np.ndarray = np.where(part == 1.0, segments[of, 1], segments[of, 0] + part * along[of])
        return place

    return end(piece), end(piece + 1)


def _left(ax: np.ndarray, ay: np.ndarray, bx: np.ndarray, by: np.ndarray, px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """Return whether p lies to the left of the line from a to b, or on it."""
    left: np.ndarray = (bx - ax) * (py - ay) >= (by - ay) * (px - ax)
    return left
