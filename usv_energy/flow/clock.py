"""The clock of a flow file: which of the file's times is meant by a time in the world."""

import math
from typing import NamedTuple

MODES = {
    'loop': 'starts again from the first time after the last, without a blend: the velocity may jump there',
    'hold': 'before the first time the flow is that of the first, after the last that of the last',
    'end': 'before the first time and after the last there is no flow: nothing is inside',
}


class FlowClock(NamedTuple):
    """
    From the world's time to the file's, both s.

    `mode` is one of MODES; `first` and `last` are the file's first and last time, `start` the file's time at the
    world's time 0. A steady field, `first` equal to `last`, has the same flow at all times under every mode.
    """

    mode: str = 'hold'
    first: float = 0.0
    last: float = 0.0
    start: float = 0.0

    def time(self, t: float) -> float:
        """
        Return the file's time, s; NaN where there is none.

        :param t: The world's time, s.
        """
        if self.first == self.last:
            return self.first
        if not math.isfinite(t):
            return math.nan
        at = self.start + t
        if self.first <= at <= self.last:
            return at
        if self.mode == 'loop':
            return min(self.first + (at - self.first) % (self.last - self.first), self.last)
        if self.mode == 'hold':
            return min(max(at, self.first), self.last)
        return math.nan
