"""Whether a recording holds the whole of its run: samples that it lacks, and samples that its energy lacks."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

LATE = 0.5  # Of a period: from so much more on, a sample is missing in between.


class Missing(NamedTuple):
    """How many samples a recording lacks at its start, within and at its end; and how many its energy lacks."""

    at_start: int = 0
    within: int = 0
    at_end: int = 0
    from_energy: int = 0

    @property
    def samples(self) -> int:
        """Samples that the table lacks."""
        return self.at_start + self.within + self.at_end

    @property
    def nothing(self) -> bool:
        """Whether the recording is complete."""
        return not any(self)


def missing_samples(times: Sequence[float], duration: float, counted: int) -> Missing:
    """
    Return what a recording lacks.

    The period is that of the recording itself: what lies between most of its samples.

    :param times: Of the samples, s since the start of the scenario.
    :param duration: Of the scenario, as its driver tells it, s; NaN where it did not: the end is the last sample.
    :param counted: Samples that the energy was counted over, good and invalid ones.
    """
    steps = np.diff(np.asarray(times, dtype=float))
    steps = steps[steps > 0.0]
    if not len(steps):
        return Missing()
    period = float(np.median(steps))
    end = times[-1] if math.isnan(duration) else duration
    table = (_count(times[0], period), sum(_count(step - period, period) for step in steps[steps > period]),
             _count(end - times[-1], period))
    return Missing(*table, max(len(steps) + 1 + sum(table) - counted, 0))


def missing_in_words(missing: Missing, samples: int) -> str:
    """
    Say what a recording lacks, in one sentence without a full stop.

    :param samples: How many samples the recording has.
    """
    places = [f'{count} {place}' for count, place in (
        (missing.at_start, 'at the start'), (missing.within, 'within'), (missing.at_end, 'at the end')) if count]
    parts = [f'{missing.samples} of {samples + missing.samples} samples are missing ({", ".join(places)})'
             ] if places else []
    if missing.from_energy:
        parts.append(f'the energy lacks {missing.from_energy} samples')
    return 'the recording is incomplete: ' + '; '.join(parts)


def _count(time: float, period: float) -> int:
    """Return how many samples of a period fit into some time; less than half a one is none."""
    return max(math.floor(time / period + LATE), 0)
