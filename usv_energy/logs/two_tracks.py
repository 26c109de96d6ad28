"""Places that jump to and fro between two tracks: two boats, or two estimators, that speak under one name."""

from typing import NamedTuple

import numpy as np

OFTEN = 0.05       # Share of the steps that are jumps, from which on there may be two tracks.
FAR = 10.0         # Times a usual step, and
LEAST = 0.3        # m: a jump is longer than both.
LEAST_SAMPLES = 20
STRAY = 0.02       # Share of the steps within a track that may be jumps.


class TwoTracks(NamedTuple):
    """Which samples are of the first track, (n,), the one with more of them, and how far apart they are, m."""

    first: np.ndarray
    distance: float


def two_tracks(x: np.ndarray, y: np.ndarray) -> TwoTracks | None:
    """
    Return two tracks between which places jump to and fro; None where there is one, as a rule.

    A step is a jump if it is far longer than usual steps are, those to the sample before or to one of the two before
    that. Each jump goes over to the other track; within each, then, next to no jump may be left.

    :param x: m, in order of arrival, shape (n,); NaN where not known.
    :param y: The same, of the other axis.
    """
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if known.size < LEAST_SAMPLES:
        return None
    px, py = x[known], y[known]
    step = np.hypot(np.diff(px), np.diff(py))
    back = [step[2:], np.hypot(px[3:] - px[1:-2], py[3:] - py[1:-2]), np.hypot(px[3:] - px[:-3], py[3:] - py[:-3])]
    usual = float(np.median(np.minimum.reduce(back)))
    jump = step > max(FAR * usual, LEAST)
    if jump.mean() < OFTEN:
        return None
    other = np.concatenate([[0], np.cumsum(jump) % 2]).astype(bool)
    if 2 * other.sum() > other.size:
        other = ~other
    if min(other.sum(), (~other).sum()) < LEAST_SAMPLES // 2:
        return None
    left = 0
    for track in (other, ~other):
        along = np.hypot(np.diff(px[track]), np.diff(py[track])) / np.maximum(np.diff(np.flatnonzero(track)), 1)
        left += int((along > max(FAR * usual, LEAST)).sum())
    if left > STRAY * known.size:
        return None
    first = np.ones(x.size, dtype=bool)
    first[known[other]] = False
    return TwoTracks(first, float(np.median(step[jump])))
