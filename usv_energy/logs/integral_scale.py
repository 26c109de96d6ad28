"""How positions and heading change beside the integrals of velocities and yaw rate: the scale between them."""

import math
from typing import NamedTuple

import numpy as np

LEAST_WINDOWS = 12
WINDOWS = (12, 24, 48, 96, 192)  # into which a log is cut; the number that tells most is taken
SHORTEST = 2.0                   # s, of a window
OUTLIER = 5.0                    # times the median deviation: a window that deviates more holds a step or a fault
NORMAL = 1.4826                  # standard deviation over median absolute deviation, normal distribution


WANDER_OVER = 8.0                # s over which places that wander are told from noise of single samples
BY_CHANCE = 1.5                  # times the variance of that noise, which chance makes
OF_PLANE = 1.1774                # median distance over the standard deviation along one axis, normal distribution


class Wander(NamedTuple):
    """Velocity by which places wander beside the velocities, m/s along an axis; of how many windows; speed, m/s."""

    velocity: float
    windows: int
    speed: float


class Scale(NamedTuple):
    """
    By what factor one series changes faster than the integral of another says, (-).

    `std`: of the factor. `share`: of the changes that the integrals explain, up to the factor, (-), 0 to 1. All NaN if
    there is too little.
    """

    factor: float
    std: float
    share: float


UNKNOWN = Scale(math.nan, math.nan, math.nan)


def motion_scale(time: np.ndarray, x: np.ndarray, y: np.ndarray, yaw: np.ndarray, u: np.ndarray, v: np.ndarray,
                 max_gap: float) -> Scale:
    """
    Return by what factor positions change faster than velocities over the stamps say.

    A constant error of the heading does not count. Steps between samples are chords of a turn of constant rate.

    :param time: s, rising, shape (n,).
    :param x: m east; `y`: m north; NaN where there is none.
    :param yaw: rad, ENU, unwrapped. `u`, `v`: m/s, forward and to port, over ground.
    :param max_gap: Windows with a longer step in them, s, or with an unknown velocity, do not count.
    """
    steps = _ways(time, yaw, u, v, max_gap)[1]
    return _scale(time, x + 1j * y, steps, _new(x, y), max_gap)


def wander(time: np.ndarray, x: np.ndarray, y: np.ndarray, yaw: np.ndarray, u: np.ndarray, v: np.ndarray,
           max_gap: float) -> Wander:
    """
    Return how fast places wander beside velocities, or these beside them: what white noise of both does not explain.

    Parameters as of `motion_scale`. The noise is that from sample to sample; a factor and a turn do not count.
    """
    velocity, steps = _ways(time, yaw, u, v, max_gap)
    rows, sound = _new(x, y), np.isfinite(steps) & (np.diff(time) <= max_gap)
    made = np.concatenate([[0.0], np.cumsum(np.where(sound, steps, 0.0))])
    faults = np.concatenate([[0], np.cumsum(~sound)])

    def apart(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        whole = np.diff(faults[chosen]) == 0
        return np.diff(x[chosen] + 1j * y[chosen])[whole], np.diff(made[chosen])[whole]

    cut = rows[np.unique(np.floor(time[rows] / WANDER_OVER), return_index=True)[1]]
    (gone, way), (from_place, from_velocity) = apart(cut), apart(rows)
    square = float(np.sum(np.abs(way) ** 2))
    if gone.size < LEAST_WINDOWS or not square > 0.0:
        return Wander(0.0, int(gone.size), 0.0)
    changes = np.abs(np.diff(velocity))
    excess, places, speeds = ((float(np.median(one)) / OF_PLANE) ** 2 for one in (
        np.abs(gone - np.sum(np.conj(way) * gone) / square * way), np.abs(from_place - from_velocity),
        changes[np.isfinite(changes)]))
    excess -= BY_CHANCE * (places + 0.5 * speeds * WANDER_OVER * float(np.median(np.diff(time))))
    return Wander(math.sqrt(max(excess, 0.0)) / WANDER_OVER, int(gone.size), float(np.nanmedian(np.abs(velocity))))


def _ways(time: np.ndarray, yaw: np.ndarray, u: np.ndarray, v: np.ndarray,
          max_gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Return velocities over ground, m/s, and the ways from each sample to the next, m, as complex numbers (ENU)."""
    yaw, u, v = (_between(time, series, max_gap) for series in (yaw, u, v))
    velocity = (u + 1j * v) * np.exp(1j * yaw)
    half = 0.5 * np.diff(yaw)
    chord = np.where(np.abs(half) < 0.5, 1.0 + half * half / 3.0, np.nan)    # tan(a) / a
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * chord * np.diff(time)
    return velocity, steps


def _new(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the rows with a position, of those that are held between two fixes the first."""
    rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if rows.size > 1:  # Of positions that are held between two fixes the first.
        rows = rows[np.concatenate([[True], (np.diff(x[rows]) != 0.0) | (np.diff(y[rows]) != 0.0)])]
    return rows


def turning_scale(time: np.ndarray, yaw: np.ndarray, r: np.ndarray, max_gap: float) -> Scale:
    """
    Return by what factor the heading changes faster than the yaw rate over the stamps says; below 0: the other way.

    :param time: s, rising, shape (n,).
    :param yaw: rad, unwrapped; `r`: rad/s.
    :param max_gap: As `motion_scale`.
    """
    r = _between(time, r, max_gap)
    steps = 0.5 * (r[1:] + r[:-1]) * np.diff(time)
    return _scale(time, yaw, steps, np.flatnonzero(np.isfinite(yaw)), max_gap)


def _between(time: np.ndarray, values: np.ndarray, max_gap: float) -> np.ndarray:
    """Return a series with straight lines between measurements up to `max_gap`, s, apart: sensors have times of own."""
    known = np.flatnonzero(np.isfinite(values))
    if known.size in (0, values.size):
        return values
    filled: np.ndarray = np.interp(time, time[known], values[known], np.nan, np.nan)
    after = np.searchsorted(known, np.arange(values.size))
    inside = (after > 0) & (after < known.size)
    gap = time[known[np.minimum(after, known.size - 1)]] - time[known[np.maximum(after - 1, 0)]]
    filled[inside & (gap > max_gap) & ~np.isfinite(values)] = np.nan
    return filled


def _scale(time: np.ndarray, series: np.ndarray, steps: np.ndarray, rows: np.ndarray, max_gap: float) -> Scale:
    """Return the scale between the means of windows, of the number of these with the least standard deviation."""
    if rows.size < LEAST_WINDOWS + 1:
        return UNKNOWN
    sound = np.isfinite(steps) & (np.diff(time) <= max_gap)
    made = np.concatenate([[0.0], np.cumsum(np.where(sound, steps, 0.0))])
    faults = np.concatenate([[0], np.cumsum(~sound)])
    duration = float(time[rows[-1]] - time[rows[0]])
    found = [UNKNOWN]
    for number in WINDOWS:
        if number > LEAST_WINDOWS and duration / number < SHORTEST:
            break
        begins = np.unique(np.searchsorted(time[rows], np.linspace(time[rows[0]], time[rows[-1]], number + 2)[:-1]))
        counts = np.diff(np.append(begins, rows.size))
        gone, integral = (np.add.reduceat(values[rows], begins) / counts for values in (series, made))
        ends = rows[np.append(begins[1:], rows.size) - 1]
        whole = faults[ends[1:]] == faults[rows[begins[:-1]]]   # From the begin of one window to the end of the next.
        found.append(_fitted(np.diff(gone)[whole], np.diff(integral)[whole]))
    return min(found, key=lambda one: one.std if one.std == one.std else math.inf)


def _fitted(gone: np.ndarray, made: np.ndarray) -> Scale:
    """Return the factor from `made` to `gone` by least squares through 0, without outliers; complex ones are turned."""
    kept = np.ones(gone.size, dtype=bool)
    factor: complex = 0.0
    for _ in range(3):
        square = float(np.sum(np.abs(made[kept]) ** 2))
        if kept.sum() < LEAST_WINDOWS or not square > 0.0:
            return UNKNOWN
        factor = complex(np.sum(np.conj(made[kept]) * gone[kept]) / square)
        off = np.abs(gone - factor * made)
        kept = off <= max(OUTLIER * NORMAL * float(np.median(off)), 1e-12)
    if kept.sum() < LEAST_WINDOWS:
        return UNKNOWN
    degrees = 2.0 * kept.sum() - 2.0 if np.iscomplexobj(gone) else kept.sum() - 1.0
    std = math.sqrt(float(np.sum(off[kept] ** 2)) / degrees / square)
    share = 1.0 - float(np.sum(off[kept] ** 2)) / max(float(np.sum(np.abs(gone[kept]) ** 2)), 1e-300)
    return Scale(abs(factor) if np.iscomplexobj(gone) else factor.real, std, max(share, 0.0))
