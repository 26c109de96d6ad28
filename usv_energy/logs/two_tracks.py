"""
Places that jump to and fro between two tracks: two boats, or two estimators, that speak under one name.

Two receivers of one boat that speak in strict turns, closer to each other than a jump, are told by the means of what
each place is beside the middle of its neighbours.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.logs.log import WARNING, Note

OFTEN = 0.05       # Share of the steps that are jumps, from which on there may be two tracks.
FAR = 10.0         # Times a usual step, and
LEAST = 0.3        # m: a jump is longer than both.
LEAST_SAMPLES = 20
STRAY = 0.02       # Share of the samples that may be far from both tracks.
FOLLOWS, LEARNS = 0.5, 0.05  # Shares of an error by which a track's place and its step are put right (alpha, beta).


IN_TURNS, CLOSEST, CLEAR = 21, 0.15, 5.0  # Places of a mean; m; standard deviations of it, beyond which there are two.


class TwoTracks(NamedTuple):
    """Which samples are of the first track, (n,), the one with more of them, and how far apart they are, m."""

    first: np.ndarray
    distance: float


def of_one_track(x: np.ndarray, y: np.ndarray, what: str, notes: list[Note]) -> np.ndarray | None:
    """
    Return which samples are of one track, the one with more of them, (n,), if there are two; else None.

    :param x: m, in order of arrival, shape (n,); NaN where not known.
    :param y: The same, of the other axis.
    :param what: Whose places these are, for the note: `/odom`, `the table`.
    :param notes: What was found is added to these.
    """
    if (found := two_tracks(x, y)) is None:
        return None
    other = int((~found.first).sum())
    notes.append(Note(WARNING, 'two_publishers', f'the places of {what} jump to and fro between two tracks, as a rule '
                      f'{found.distance:.3g} m apart: two boats or two publishers in one. The {int(found.first.sum())} '
                      f'samples of one are taken, the {other} of the other left out',
                      {'messages': other, 'distance_m': found.distance}))
    return found.first


def taken_in_turns(places: np.ndarray) -> tuple[np.ndarray, float] | None:
    """
    Return the way from places to the middle between two receivers that gave them in turns, m, (n, 2), and its length.

    :param places: All known and new, m, shape (n, 2).
    :return: The second is the distance of the receivers, m; None where places are of one receiver.
    """
    if len(places) < 2 * IN_TURNS:
        return None
    sign = np.where(np.arange(len(places)) % 2 == 0, 1.0, -1.0)[:, None]
    beside = sign[1:-1] * (places[1:-1] - 0.5 * (places[:-2] + places[2:]))
    window = np.full(IN_TURNS, 1.0 / IN_TURNS)
    padded = np.pad(beside, ((1 + IN_TURNS // 2,) * 2, (0, 0)), mode='edge')
    apart = np.column_stack([np.convolve(column, window, mode='valid') for column in padded.T])
    distance = float(np.median(np.hypot(*apart.T)))
    noise = float(np.median(np.hypot(*(beside - apart[1:-1]).T)))
    if not distance > max(CLOSEST, CLEAR * noise / math.sqrt(IN_TURNS)):
        return None
    return -0.5 * sign * apart, distance


def two_tracks(x: np.ndarray, y: np.ndarray) -> TwoTracks | None:
    """
    Return two tracks between which places jump to and fro; None where there is one, as a rule.

    A step is a jump if it is far longer than usual steps are, those to the sample before or to one of the two before
    that. Each sample goes to the track that it is closer to, as the tracks have gone on since; next to no sample may
    be far from both.

    :param x: m, in order of arrival, shape (n,); NaN where not known.
    :param y: The same, of the other axis.
    """
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    new = np.ones(known.size, dtype=bool)  # A place that is repeated between two fixes tells no step.
    new[1:] = (np.diff(x[known]) != 0.0) | (np.diff(y[known]) != 0.0)
    every, known = known, known[new]
    if known.size < LEAST_SAMPLES:
        return None
    px, py = x[known], y[known]
    step = np.hypot(np.diff(px), np.diff(py))
    back = [step[2:], np.hypot(px[3:] - px[1:-2], py[3:] - py[1:-2]), np.hypot(px[3:] - px[:-3], py[3:] - py[:-3])]
    far = max(FAR * float(np.median(np.minimum.reduce(back))), LEAST)
    jump = step > far
    if jump.mean() < OFTEN:
        return None
    other, off = _followed(px.tolist(), py.tolist(), int(jump.argmax()) + 1)
    if 2 * other.sum() > other.size:
        other = ~other
    if other.sum() < LEAST_SAMPLES // 2 or (off > far).mean() > STRAY:
        return None
    first = np.ones(x.size, dtype=bool)
    first[every] = ~other[np.cumsum(new) - 1]
    return TwoTracks(first, float(np.median(step[jump])))


def _followed(x: list[float], y: list[float], second: int) -> tuple[np.ndarray, np.ndarray]:
    """
    Return which samples are of the second track, and how far each is from where its track was to be, m, (n,) each.

    :param second: The first sample of the second track.
    """
    tracks = [[x[0], y[0], 0.0, 0.0, 0], [x[second], y[second], 0.0, 0.0, second]]  # Place, step a sample, sample.
    own, off = [False] * len(x), [0.0] * len(x)
    for place in range(1, len(x)):
        best, error = 0, math.inf
        for number, (px, py, vx, vy, last) in enumerate(tracks):
            since = place - last
            if number and place < second:
                continue
            miss = math.hypot(x[place] - px - since * vx, y[place] - py - since * vy)
            if miss < error:
                best, error = number, miss
        px, py, vx, vy, last = tracks[best]
        since = max(place - last, 1)
        ex, ey = x[place] - px - since * vx, y[place] - py - since * vy
        tracks[best] = [px + since * vx + FOLLOWS * ex, py + since * vy + FOLLOWS * ey, vx + LEARNS * ex / since,
                        vy + LEARNS * ey / since, place]
        own[place], off[place] = best == 1, error
    return np.array(own), np.array(off)
