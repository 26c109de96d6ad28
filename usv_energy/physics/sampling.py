"""The sampling period of a stream, the longest step that is no gap, and round numbers for steps and axes."""

import math
from statistics import median
from typing import NamedTuple

import numpy as np

LEAST_GAP = 1.0     # s, a step up to this is never a gap, since no boat of this kind changes faster.
PERIODS = 3.0       # (-), sampling periods that a step may take: two samples may be lost.
DEFAULT_GAP = 5.0  # s, longest step that is no gap while the period is not known.
LEAST_STEPS = 3     # Steps that are needed to estimate the period.
REMEMBERED = 15     # Steps in the median that estimates the period; it follows a change of rate within eight steps.

FACTORS = (1.0, 2.0, 5.0, 10.0)
ROUNDING = 1e-9     # (-), relative difference of a value from a round number that is rounding.


def longest_interval(period: float) -> float:
    """
    Return the longest time between two samples that is no gap, s: three sampling periods, but at least 1 s.

    :param period: Sampling period, the median time between samples, s; NaN if it is not known.
    """
    return max(LEAST_GAP, PERIODS * period) if period > 0.0 else DEFAULT_GAP


def period_of(time: np.ndarray) -> float:
    """
    Return the median time between samples, s; NaN if no stamp is later than the one before.

    :param time: Stamps, s, shape (n,), in order of arrival. Stamps that are not finite are ignored, and so are steps
        that are not positive.
    """
    stamps = np.asarray(time, dtype=float)
    steps = np.diff(stamps[np.isfinite(stamps)])
    rising = steps[steps > 0.0]
    return float(np.median(rising)) if rising.size else math.nan


class Sampling(NamedTuple):
    """
    The estimated sampling of a stream.

    `time`: latest stamp, s. `steps`: the last steps, s, at most 15. `longest_interval`: the longest step to the latest
    stamp that is no gap, s, judged by the steps before it.
    """

    time: float = math.nan
    steps: tuple[float, ...] = ()
    longest_interval: float = DEFAULT_GAP

    @property
    def period(self) -> float:
        """Median of the last steps, s; NaN if there are fewer than three."""
        return median(self.steps) if len(self.steps) >= LEAST_STEPS else math.nan


def sampled(state: Sampling, time: float) -> Sampling:
    """
    Return the sampling after one more stamp; its `longest_interval` applies to the step that ends there.

    A repeated stamp, or one that is not finite, changes nothing. A step back in time does not reset the period.

    :param state: The sampling so far.
    :param time: Stamp, s.
    """
    if time == state.time or not math.isfinite(time):
        return state
    longest, step = longest_interval(state.period), time - state.time
    return Sampling(time, (*state.steps, step)[-REMEMBERED:] if step > 0.0 else state.steps, longest)


def round_up(value: float) -> float:
    """Return the smallest number >= a positive value that is 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in FACTORS if factor * decade >= value * (1.0 - ROUNDING))


def round_down(value: float) -> float:
    """Return the largest number <= a positive value that is 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in reversed(FACTORS) if factor * decade <= value * (1.0 + ROUNDING))
