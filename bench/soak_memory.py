"""What a process holds while it runs: memory, threads, open files; and how much that grows."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PERIOD = 2.0
WARM_UP_SHARE = 0.1


class Holding(NamedTuple):
    """What a process holds at a moment of wall time, s; memory in MB: resident, and of that not shared or of a file."""

    moment: float
    resident_mb: float
    anonymous_mb: float
    threads: int
    files: int


class HoldingWatch:
    """Looks at a process every few seconds of wall time."""

    def __init__(self, pid: int) -> None:
        """Begin; the first look comes with the first `look`."""
        self._pid = pid
        self._due = 0.0
        self.held: list[Holding] = []

    def look(self) -> None:
        """Look, if it is time to; a process that is ending holds nothing any more."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + PERIOD
            with contextlib.suppress(OSError, KeyError):
                self.held.append(_holding(self._pid, now))

    def growth_percent(self, value: Callable[[Holding], float]) -> float:
        """Return how much something grew after the warm-up, in percent of its mean: 0 where there is too little."""
        settled = self.settled()
        return growth_percent([one.moment for one in settled], [value(one) for one in settled])

    def settled(self) -> list[Holding]:
        """Return what was held after the warm-up."""
        return self.held[round(WARM_UP_SHARE * len(self.held)):]


def growth_percent(moments: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the straight line of least squares times the duration, in percent of the mean."""
    count = len(moments)
    if count < 3:
        return 0.0
    middle, mean = sum(moments) / count, sum(values) / count
    spread = sum((moment - middle) ** 2 for moment in moments)
    slope = sum((moment - middle) * (value - mean) for moment, value in zip(moments, values)) / spread
    return 100.0 * slope * (moments[-1] - moments[0]) / mean


def _holding(pid: int, moment: float) -> Holding:
    folder = Path(f'/proc/{pid}')
    lines = (line.partition(':') for line in (folder / 'status').read_text(encoding='ascii').splitlines())
    status = {name: value.split() for name, _, value in lines}
    return Holding(moment, int(status['VmRSS'][0]) / 1024.0, int(status['RssAnon'][0]) / 1024.0,
                   int(status['Threads'][0]), len(os.listdir(folder / 'fd')))
