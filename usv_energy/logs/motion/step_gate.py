"""
A gate on innovations: it tells a lasting step of an estimator, and single wrong samples, from a boat's motion.

The innovation of a sample is its change since the sample before, less what other series say of that time: velocities of
a change of position, the yaw rate of a change of heading. A boat cannot make an innovation beyond a tolerance; an
estimator that is reset, a receiver that gains or loses its corrections, and a damaged message can.
Source: gating by innovation, Bar-Shalom, Li and Kirubarajan (2001), Estimation with Applications to Tracking and
Navigation, section 2.4.
"""

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

NOISES = 8.0       # Standard deviations of the innovations that noise never exceeds.
CONFIRMED = 3      # Samples in a row that agree about a step, so that it is taken for a lasting one.
COMES_BACK = 0.5   # Share of the tolerance within which a sample after a wrong one is at the level before it again.
# What may be wrong with a prediction besides noise: m, rad and m/s of any sample, and shares of the predicted change.
PLACE_FLOOR, PLACE_SHARE = 0.2, 0.2
YAW_FLOOR, YAW_SHARE = math.radians(2.0), 0.2
SPEED_FLOOR, LARGEST_ACCELERATION = 0.5, 5.0  # m/s, m/s^2
# Without velocities, places are predicted by the velocity of the last ones: what a boat may do meanwhile.
TURNS, HARDEST_ACCELERATION = 2.0, 3.0  # So many times its way, as if it turned on the spot; m/s^2.
AROUND = 1.0       # s before and after a step, and at least CONFIRMED samples, by which its size is told.
NAMED = 5          # Steps that a note lists.
NEAR = 9           # Places whose median velocity that is.
OF_PLANE, OF_LINE = 1.1774, 0.6745  # Median of the absolute value of normal noise in two dimensions and in one.
# Values that stay the same so many times as long as usual are held. A boat that is faster than this, m/s, does not
LONGER, UNDER_WAY = 3.0, 0.2  # stay where it is.
FASTEST, FASTEST_TURN = 30.0, 6.0  # m/s, rad/s: no boat of this kind is faster


class Verdict(NamedTuple):
    """
    What a gate says of a sample.

    `used`: whether it is a measurement; `step`: the lasting step that it confirms, in the unit of the series, or None;
    `agreed`: how many samples before it, not used so far, lie beyond that step, too; `refused`: how many wrong samples
    end with it.
    """

    used: bool
    step: tuple[float, ...] | None = None
    agreed: int = 0
    refused: int = 0


class StepGate:
    """Takes the innovations of a series, one a sample."""

    def __init__(self) -> None:
        """Begin with no sample."""
        self._excess: tuple[float, ...] = ()
        self._waiting: list[tuple[float, ...]] = []

    @property
    def waits(self) -> bool:
        """Whether samples beyond the tolerance came last, so that the next one decides about them."""
        return bool(self._waiting)

    def add(self, innovation: Sequence[float], tolerance: float) -> Verdict:
        """
        Judge a sample.

        :param innovation: Since the sample before, in the unit of the series, of one or two dimensions.
        :param tolerance: The largest innovation that motion and noise can make, in that unit.
        """
        if self._waiting:
            innovation = [one + more for one, more in zip(self._excess, innovation)]
        if math.hypot(*innovation) <= (COMES_BACK * tolerance if self._waiting else tolerance):
            return self._settled(Verdict(True, refused=len(self._waiting)))
        self._excess = tuple(innovation)
        self._waiting.append(self._excess)
        last = self._waiting[-CONFIRMED:]
        step = tuple(median(values) for values in zip(*last))
        if len(last) < CONFIRMED or any(math.dist(one, step) > tolerance for one in last):
            return Verdict(False)
        return self._settled(Verdict(True, step, CONFIRMED - 1, len(self._waiting) - CONFIRMED))

    def _settled(self, verdict: Verdict) -> Verdict:
        self._waiting = []
        self._excess = ()
        return verdict


class Steps(NamedTuple):
    """
    Lasting steps of a series, and its wrong samples.

    `rows`: from which sample on each step lasts, (m,); `sizes`: (m, k), in the unit of the series; `wrong`: mask, (n,).
    """

    rows: np.ndarray
    sizes: np.ndarray
    wrong: np.ndarray

    def of_rows(self, number: int) -> np.ndarray:
        """Return the sum of the steps up to each of so many samples, shape (number, k)."""
        total = np.zeros((number, self.sizes.shape[1]))
        np.add.at(total, self.rows, self.sizes)
        return np.cumsum(total, axis=0)


def steps_of(innovations: np.ndarray, tolerances: np.ndarray) -> Steps:
    """
    Return the steps of a whole series, as a StepGate finds them.

    :param innovations: Of each sample but the first, shape (n - 1, k).
    :param tolerances: The same, shape (n - 1,).
    """
    number = len(innovations) + 1
    rows, sizes, wrong = [], [], np.zeros(number, dtype=bool)
    suspected = np.flatnonzero(~(np.hypot.reduce(innovations, axis=1) <= tolerances))
    done = -1
    for first in suspected:
        if first <= done:
            continue
        gate, place = StepGate(), int(first)
        while place < number - 1:
            verdict = gate.add(innovations[place].tolist(), float(tolerances[place]))
            place += 1
            if verdict.used:
                break
        done = place - 1
        last = place if gate.waits else place - 1  # The end of the series decides about nothing.
        wrong[first + 1:last + 1] = True
        if not gate.waits and verdict.step is not None:
            wrong[place - verdict.agreed:place + 1] = False
            rows.append(place - verdict.agreed)
            sizes.append(verdict.step)
    return Steps(np.array(rows, dtype=int), np.array(sizes).reshape(len(rows), innovations.shape[1]), wrong)


def sharpened(found: Steps, innovations: np.ndarray, time: np.ndarray) -> Steps:
    """
    Return steps with their sizes by all samples up to AROUND before and after them, but for wrong ones.

    :param found: The Steps of a series.
    :param innovations: Of each of its samples but the first, shape (n - 1, k).
    :param time: Of its samples, s, shape (n,).
    """
    rest = np.concatenate([np.zeros((1, innovations.shape[1])), np.cumsum(innovations, axis=0)])
    good, sizes = np.flatnonzero(~found.wrong), found.sizes.copy()
    edges = np.searchsorted(good, [0, *found.rows.tolist(), len(time)])
    for number, (first, at, end) in enumerate(zip(edges, edges[1:], edges[2:])):
        near = np.abs(time[good[first:end]] - time[good[min(at, good.size - 1)]]) <= AROUND
        near[max(at - first - CONFIRMED, 0):at - first + CONFIRMED] = True
        before, after = (rest[part[mask]] for part, mask in ((good[first:at], near[:at - first]),
                                                             (good[at:end], near[at - first:])))
        if len(before) and len(after):
            sizes[number] = np.median(after, axis=0) - np.median(before, axis=0)
    return found._replace(sizes=sizes)


def noise_limit(innovations: np.ndarray) -> float:
    """Return what the noise of a whole series' innovations, shape (n, k), never exceeds, in their unit."""
    if not len(innovations):
        return 0.0
    sizes = np.hypot.reduce(innovations, axis=1)
    return NOISES * float(np.median(sizes)) / (OF_PLANE if innovations.shape[1] > 1 else OF_LINE)


def listed(times: np.ndarray, sizes: np.ndarray, factor: float, unit: str) -> str:
    """Return sizes, in a unit over the factor, and times, s, of the first NAMED steps in words."""
    words = [f'{factor * size:.3g} {unit} at {time:.1f} s' for time, size in zip(times[:NAMED], sizes[:NAMED])]
    more = len(sizes) - len(words)
    return ', '.join(words) + (f' and {more} more' if more > 0 else '')
