"""How often a quantity is sampled, what counts as a gap, and round numbers for steps and axes."""

import math
from statistics import median
from typing import NamedTuple

import numpy as np

LEAST_GAP = 1.0     # s: no boat of this kind changes so fast that a shorter step hides anything.
PERIODS = 3.0       # Periods of the data that a step may take: two samples may be lost.
UNKNOWN = 5.0       # s: what a step may take while there are too few to tell the period.
LEAST_STEPS = 3     # From which the period of a stream is told.
REMEMBERED = 15     # Steps that the period of a stream is the median of: it follows a change of rate within eight.


def longest_interval(period: float) -> float:
    """
    Return the longest time between two samples that belong together, s: a longer one is a gap.

    A step is a gap where it is more than three periods of the data and more than 1 s.

    :param period: Of the data: the median time between its samples, s; NaN where it is not known.
    """
    return max(LEAST_GAP, PERIODS * period) if period > 0.0 else UNKNOWN


def period_of(time: np.ndarray) -> float:
    """
    Return the median time between samples, s; NaN where no stamp is later than another.

    :param time: Stamps, s, shape (n,), in the order in which they came; those that are no number, or not later than
        the one before, make no step.
    """
    stamps = np.asarray(time, dtype=float)
    steps = np.diff(stamps[np.isfinite(stamps)])
    rising = steps[steps > 0.0]
    return float(np.median(rising)) if rising.size else math.nan


class Sampling(NamedTuple):
    """
    What is known of the sampling of a stream.

    `time`: latest stamp, s; `steps`: the last ones, s, at most 15; `longest_step`: the longest, s, that the step to the
    latest stamp may have been to be no gap, by the steps before it.
    """

    time: float = math.nan
    steps: tuple[float, ...] = ()
    longest_interval: float = UNKNOWN

    @property
    def period(self) -> float:
        """Median of the last steps, s; NaN of fewer than three."""
        return median(self.steps) if len(self.steps) >= LEAST_STEPS else math.nan


def sampled(state: Sampling, time: float) -> Sampling:
    """
    Return the sampling with one more stamp; its `longest_step` judges the step that ends there.

    A stamp already seen, or one that is no number, changes nothing. After a step back in time the period is still
    known.

    :param state: The sampling so far.
    :param time: Stamp, s.
    """
    if time == state.time or not math.isfinite(time):
        return state
    longest, step = longest_interval(state.period), time - state.time
    return Sampling(time, (*state.steps, step)[-REMEMBERED:] if step > 0.0 else state.steps, longest)



FACTORS = (1.0, 2.0, 5.0, 10.0)
ROUNDING = 1e-9  # Share by which a value may miss a round number that it is meant to be.


def round_up(value: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not below a value above 0."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in FACTORS if factor * decade >= value * (1.0 - ROUNDING))


def round_down(value: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a value above 0."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in reversed(FACTORS) if factor * decade <= value * (1.0 + ROUNDING))
