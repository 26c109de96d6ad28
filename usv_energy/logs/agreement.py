"""How one series of a log follows another, which stands for the same quantity or for its cause."""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

LEAST = 30  # Samples that a comparison needs.
ROUNDING = 1e-9  # Share of its largest value by which a series changes that does nothing but round.
LONGEST_DELAY, DELAYS = 2.0, 5  # s, and how many up to it are tried.
SECOND = 1.0  # s, the least time between two positions whose way is compared.
THREADS = 2  # What is computed at once of a long log: numpy lets go of the interpreter's lock.
LONG = 100_000  # Samples from which on a second thread pays.
Item = TypeVar('Item')
Result = TypeVar('Result')


class Match(NamedTuple):
    """How one series follows another: correlation (-) and slope, the factor from the other to the one."""

    correlation: float
    slope: float


def match(one: np.ndarray, other: np.ndarray) -> Match:
    """Return how `one` follows `other`, shape (n,) both; NaN where fewer than 30 samples have both, or one rests."""
    one, other = _where_both(one, other)
    if one.size < LEAST or _rests(one) or _rests(other):
        return Match(math.nan, math.nan)
    a, b = one - one.mean(), other - other.mean()
    product, square = float(a @ b), float(b @ b)
    return Match(product / math.sqrt(float(a @ a) * square), product / square)


def _rests(values: np.ndarray) -> bool:
    """Return whether a series stays the same but for rounding."""
    low, high = float(values.min()), float(values.max())
    return high - low <= ROUNDING * max(abs(low), abs(high))


def explained(pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the share of recorded series that others explain, up to a common positive factor; 0 of too few samples."""
    product = recorded = others = 0.0
    for pair in pairs:
        one, other = _where_both(*pair)
        if one.size < LEAST:
            return 0.0
        product += float(one @ other)
        recorded += float(one @ one)
        others += float(other @ other)
    product = max(product, 0.0)
    return product * product / (recorded * others) if 0.0 < recorded * others < math.inf else 0.0


def ways(time: np.ndarray, positions: np.ndarray, velocities: np.ndarray, max_gap: float) -> Match:
    """
    Return how the ways from position to position follow those that velocities make meanwhile, without their means.

    Both are from one position to the next that is new, at least a second later: positions that are held between two
    fixes, or recorded seldom, are no slower for that, as their derivatives are.

    :param time: s, rising, shape (n,).
    :param positions: m, earth frame, NaN where there is none, shape (2, n).
    :param velocities: m/s, earth frame, shape (2, n).
    :param max_gap: Ways with a longer step in them, s, or with an unknown velocity, do not count.
    """
    rows = np.flatnonzero(np.isfinite(positions).all(axis=0))
    rows = rows[np.concatenate([[True], (np.diff(positions[:, rows]) != 0.0).any(axis=0)])[:rows.size]]
    if not rows.size:
        return Match(math.nan, math.nan)
    rows = rows[np.unique(np.floor((time[rows] - time[rows[0]]) / SECOND + 1e-9), return_index=True)[1]]
    steps, means = np.diff(time), 0.5 * (velocities[:, 1:] + velocities[:, :-1])
    sound = np.isfinite(means).all(axis=0) & (steps <= max_gap)
    made = np.zeros(velocities.shape)
    np.cumsum(np.where(sound, means * steps, 0.0), axis=1, out=made[:, 1:])
    faults = np.concatenate([[0], np.cumsum(~sound)])[rows]
    whole = faults[1:] == faults[:-1]
    gone, made = (np.diff(series[:, rows])[:, whole] for series in (positions, made))
    return match(*((series - series.mean(axis=1, keepdims=True)).ravel() if whole.any() else series.ravel()
                   for series in (gone, made)))


def followed(motion: np.ndarray, cause: np.ndarray, period: float) -> np.ndarray:
    """Return a motion brought forward by the delay, up to 2 s, at which it follows its cause best; period in s."""
    if not period > 0.0:
        return motion
    delays = np.unique(np.round(np.linspace(0.0, LONGEST_DELAY, DELAYS) / period)).astype(int)

    def strength(delay: int) -> float:
        return abs(float(np.nan_to_num(match(motion[delay:], cause[:max(motion.size - delay, 0)]).correlation)))

    best = int(delays[int(np.argmax(at_once(strength, delays.tolist(), motion.size)))])
    return np.concatenate([motion[best:], np.full(min(best, len(motion)), np.nan)])


def at_once(function: Callable[[Item], Result], items: Iterable[Item], samples: int) -> list[Result]:
    """Return a function's results of items; of series of many samples, two at a time."""
    if samples < LONG:
        return [function(item) for item in items]
    errors = np.geterr()  # a thread has its own

    def in_thread(item: Item) -> Result:
        with np.errstate(**errors):
            return function(item)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(in_thread, items))


def _where_both(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two series where both have a number."""
    both = np.isfinite(one)
    both &= np.isfinite(other)
    return (one, other) if both.all() else (one[both], other[both])
