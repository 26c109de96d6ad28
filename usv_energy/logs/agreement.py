"""How one series of a log follows another, which stands for the same quantity or for its cause."""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

LEAST = 30  # Samples that a comparison needs.
ROUNDING = 1e-9  # Share of its largest value by which a series changes that does nothing but round.
LONGEST_DELAY, DELAYS = 2.0, 5  # s, and how many up to it are tried.
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
