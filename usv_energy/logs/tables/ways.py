"""The ways that a boat made between its positions, against which speeds, headings and velocities are held."""

from typing import NamedTuple

import numpy as np

from usv_energy.earth import metres_per_degree

LEAST_TIME = 4.0   # s: over which a way is taken, so that the noise of positions is small in it.
LEAST_WAY = 2.0    # m: shorter ones tell no direction,
SCALES = 4.0       # nor do those under a quarter of the middle one.
ALONG = 0.9        # Share of them that lies along one line, by twice the angle, from which on they are straight.
MOST = 5000        # Ways that are looked at.
ALIKE = 0.12       # Share by which a speed may miss what the positions say, in one of its units;
EXCHANGED = 0.03   # where latitude and longitude are exchanged.


class Ways(NamedTuple):
    """
    Ways from row to row: `begin`, `end`, rows of the table, (m,); `east`, `north`, m, `duration`, s, (m,) each.

    `time`: s, of the table, (rows,).
    """

    time: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    east: np.ndarray
    north: np.ndarray
    duration: np.ndarray

    @property
    def known(self) -> bool:
        """Whether the boat moved far enough anywhere."""
        return bool(self.begin.size)

    @property
    def straight(self) -> bool:
        """Whether they all lie along one line, there or back: such a course does not tell north from east."""
        axis = (self.east + 1j * self.north) ** 2
        return bool(abs(axis.sum()) > ALONG * np.abs(axis).sum())

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Return the means of a column along each way, NaN where it has none, shape (m,)."""
        there = np.isfinite(values)
        sums = np.concatenate([[0.0], np.cumsum(np.where(there, values, 0.0))])
        numbers = np.concatenate([[0], np.cumsum(there)])
        with np.errstate(invalid='ignore', divide='ignore'):
            means: np.ndarray = (sums[self.end + 1] - sums[self.begin]) / (numbers[self.end + 1] - numbers[self.begin])
        return means

    def share_of_speed(self, values: np.ndarray) -> float:
        """Return what one unit of a column of speeds is in m/s, by the ways; NaN where they do not tell."""
        means = self.mean(np.abs(values))
        with np.errstate(invalid='ignore', divide='ignore'):
            shares = np.hypot(self.east, self.north) / self.duration / means
        shares = shares[np.isfinite(shares) & (shares > 0.0)]
        return float(np.median(shares)) if shares.size else float('nan')

    def turns_from(self, angle: np.ndarray) -> np.ndarray:
        """Return how far the ways are to port, rad, of directions from east counter-clockwise, rad, (rows,)."""
        c, s = self.mean(np.cos(angle)), self.mean(np.sin(angle))
        turns = np.arctan2(c * self.north - s * self.east, c * self.east + s * self.north)
        return turns[np.isfinite(c) & ((c != 0.0) | (s != 0.0))]

    def fit_of_angle(self, angle: np.ndarray) -> float:
        """Return the mean cosine between directions, rad from east counter-clockwise, (rows,), and the ways."""
        turns = self.turns_from(angle)
        return float(np.cos(turns).mean()) if turns.size else -1.0

    def miss_of_velocity(self, east: np.ndarray, north: np.ndarray) -> float:
        """Return by how much velocities, m/s, (rows,), miss the ways, as a share of their speed, root mean square."""
        off = np.hypot(self.mean(east) - self.east / self.duration, self.mean(north) - self.north / self.duration)
        speed = np.hypot(self.east, self.north) / self.duration
        there = np.isfinite(off)
        return float(np.sqrt(np.mean(off[there] ** 2) / np.mean(speed[there] ** 2))) if there.any() else float('inf')


def ways_of(time: np.ndarray, east: np.ndarray, north: np.ndarray) -> Ways:
    """
    Return the ways between positions, each of at least LEAST_TIME.

    :param time: s, in order of the table, shape (rows,).
    :param east: m, NaN where not known; `north`: the same.
    """
    known = np.flatnonzero(np.isfinite(time) & np.isfinite(east) & np.isfinite(north))
    known = known[np.concatenate([[True], np.diff(time[known]) > 0.0])] if known.size else known
    t = time[known]
    if known.size < 2 or not (np.diff(t) > 0.0).all():
        t, first = np.unique(t, return_index=True)
        known = known[first]
        if known.size < 2:
            nothing = np.zeros(0)
            return Ways(time, nothing.astype(int), nothing.astype(int), nothing, nothing, nothing)
    step = max(LEAST_TIME, float(t[-1] - t[0]) / MOST)
    ends = np.unique(np.minimum(np.searchsorted(t, np.arange(t[0], t[-1], step)), t.size - 1))  # arange rounds
    begin, end = known[ends[:-1]], known[ends[1:]]
    if not begin.size:
        begin, end = known[:1], known[-1:]
    inside = end > begin
    begin, end = begin[inside], end[inside]
    way_east, way_north, duration = east[end] - east[begin], north[end] - north[begin], time[end] - time[begin]
    length = np.hypot(way_east, way_north)
    far = length > LEAST_WAY
    if far.any():
        far &= length > np.median(length[far]) / SCALES
    return Ways(time, *(one[far] for one in (begin, end, way_east, way_north, duration)))


def are_exchanged(ways: Ways, longitude: np.ndarray, latitude: np.ndarray, speeds: np.ndarray) -> bool:
    """Return whether speeds, m/s, fit places, degrees, only where these are exchanged; shape (rows,) each."""
    if not ways.known or not np.nanmax(np.abs(longitude)) <= 90.0:
        return False
    east_metres, north_metres = metres_per_degree(min(max(float(np.nanmedian(longitude)), -89.0), 89.0))
    other = ways_of(ways.time, east_metres * latitude, north_metres * longitude).share_of_speed(speeds)
    return abs(ways.share_of_speed(speeds) - 1.0) > ALIKE and abs(other - 1.0) < EXCHANGED
