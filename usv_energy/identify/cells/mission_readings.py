"""Volts and amperes of a mission, as a fit takes them: one stretch without holes, thinned by means."""

from typing import NamedTuple

import numpy as np
from scipy.integrate import trapezoid

from ...files.errors import InputError

MOST = 2500         # Samples of a mission that are kept; where there are more, means of neighbours.
LEAST = 60          # And at least.
HOLE = 10.0         # s without a sample, which end a stretch.


class MissionRun(NamedTuple):
    """
    A mission's volts and amperes of the whole pack: s from 0, A (discharging is positive), V, shape (n,) each.

    `ambient`: temperature around the cells, K. `left_out`: s of the recording that are not in it.
    """

    name: str
    time: np.ndarray
    current: np.ndarray
    voltage: np.ndarray
    ambient: float
    left_out: float = 0.0

    @property
    def drawn(self) -> float:
        """Charge that was drawn, C."""
        return float(trapezoid(self.current, self.time))


def mission_run(name: str, time: np.ndarray, current: np.ndarray, voltage: np.ndarray, ambient: float) -> MissionRun:
    """
    Return the longest stretch of a mission without holes, of MOST samples at most.

    :param time: s, rising, shape (n,).
    :param current: Of the whole pack, A, discharging is positive; NaN where there is none.
    :param voltage: V, of the same samples.
    :raises InputError: If too little is known, or nothing was drawn.
    """
    known = np.flatnonzero(np.isfinite(current) & np.isfinite(voltage) & (voltage > 0.0))
    if known.size < LEAST:
        raise InputError(f'{name}: has {known.size} samples with volts and amperes; must be at least {LEAST}')
    time, current, voltage = time[known], current[known], voltage[known]
    changed = np.flatnonzero((np.diff(current) != 0.0) | (np.diff(voltage) != 0.0)) + 1
    if changed.size < LEAST:
        raise InputError(f'{name}: volts and amperes change {changed.size} times; must be at least {LEAST} times')
    edges = np.concatenate(([0], np.flatnonzero(np.diff(time) > HOLE) + 1, [time.size]))
    longest = int(np.argmax(time[edges[1:] - 1] - time[edges[:-1]]))
    part = slice(int(edges[longest]), int(edges[longest + 1]))
    whole = float(time[-1] - time[0])
    time, current, voltage = time[part] - time[part.start], current[part], voltage[part]
    if time.size < LEAST:
        raise InputError(f'{name}: its longest stretch without a hole of {HOLE:g} s has {time.size} samples; must be '
                         f'at least {LEAST}')
    if float(np.mean(current)) <= 0.0:
        raise InputError(f'{name}: its current is {np.mean(current):.3g} A in the mean; must be above 0: discharging '
                         'is positive')
    return MissionRun(name, *_thinned(time, current, voltage), ambient, whole - float(time[-1]))


def _thinned(time: np.ndarray, current: np.ndarray, voltage: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return means over equal times, where there are too many samples."""
    if time.size <= MOST:
        return time, current, voltage
    label = np.minimum((time / time[-1] * MOST).astype(int), MOST - 1)
    count = np.bincount(label, minlength=MOST)
    there = count > 0
    means = (np.bincount(label, values, MOST)[there] / count[there] for values in (time, current, voltage))
    first, *others = means
    return first - first[0], others[0], others[1]
