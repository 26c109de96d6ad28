"""The energy of a whole record at once: `accumulate` and `differentiate` of the physics, for arrays."""

from typing import NamedTuple

import numpy as np

from usv_energy.powering.energy import CAUSES, Energy, is_gap, with_trapezoid
from usv_energy.powering.power import Power

NEGLIGIBLE = 1e-18  # What is left of a filter's past when it no longer changes a float of the same size.


class IntegratedSteps(NamedTuple):
    """
    The steps of a record that are integrated over, and what they leave out.

    `begins` and `ends` are the places of a step's samples, `durations` their times, s; `gaps` the times of the gaps, s.
    `samples` counts those that end a step, `invalid_samples` the others, `segments` how often the time begins.
    """

    begins: np.ndarray
    ends: np.ndarray
    durations: np.ndarray
    gaps: np.ndarray
    samples: int
    invalid_samples: int
    segments: int

    def trapezoids(self, values: np.ndarray) -> np.ndarray:
        """Return the integral of some values over each step, shape of `durations`; values of shape (N,)."""
        begins, ends = places_as_slice(self.begins), places_as_slice(self.ends)
        areas: np.ndarray = with_trapezoid(0.0, values[begins], values[ends], 0.5 * self.durations, True)
        return areas

    def means(self, values: np.ndarray) -> np.ndarray:
        """Return the mean of the values at both ends of each step, where it ends; NaN elsewhere; both of shape (N,)."""
        means = np.full(values.shape, np.nan)
        means[self.ends] = 0.5 * (values[self.begins] + values[self.ends])
        return means


class Integral(NamedTuple):
    """
    The energy of a record, and how it grew.

    `steps` are those that were integrated over; `power` has, at the sample that each one ends with, its mean, W;
    `distances` are their ways over ground, m.
    """

    energy: Energy
    steps: IntegratedSteps
    power: Power
    distances: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """The places of the samples that the steps end with."""
        return self.steps.ends

    @property
    def durations(self) -> np.ndarray:
        """The steps' times, s."""
        return self.steps.durations

    def so_far(self, cause: str = 'total') -> np.ndarray:
        """Return the energy of a cause until each sample, J, shape (N,)."""
        return self._summed(getattr(self.power, cause)[places_as_slice(self.steps.ends)] * self.steps.durations)

    def distance_so_far(self) -> np.ndarray:
        """Return the distance over ground until each sample, m, shape (N,)."""
        return self._summed(self.distances)

    def _summed(self, steps: np.ndarray) -> np.ndarray:
        grown = np.zeros(self.power.total.size)
        grown[places_as_slice(self.steps.ends)] = steps
        return np.cumsum(grown, out=grown)


def integrate(steps: IntegratedSteps, power: Power, speed_over_ground: np.ndarray, speed_through_water: np.ndarray,
              stale: np.ndarray) -> Integral:
    """
    Return the energy of a record, as `accumulate` gives it sample by sample: same means, gaps, counts, segments.

    :param steps: Between its samples.
    :param power: The mean of each step, W, at the sample that it ends with, shape (N,); what is elsewhere is not read.
    :param speed_over_ground: At each sample, m/s, shape (N,).
    :param speed_through_water: The same.
    :param stale: Whether the flow at a sample was stale, shape (N,).

    Source: as `physics.energy.accumulate`, of which this is the form for arrays; equal to it but for rounding.
    """
    over_ground = steps.trapezoids(speed_over_ground)
    begins, ends = places_as_slice(steps.begins), places_as_slice(steps.ends)
    old = stale[begins] | stale[ends]
    energy = Energy(
        **{cause: float(np.sum(getattr(power, cause)[ends] * steps.durations)) for cause in CAUSES},
        duration=float(steps.durations.sum()), distance_over_ground=float(over_ground.sum()),
        distance_through_water=float(steps.trapezoids(speed_through_water).sum()),
        samples=steps.samples, invalid_samples=steps.invalid_samples,
        gaps=steps.gaps.size, gap_duration=float(steps.gaps.sum()), stale_duration=float(steps.durations[old].sum()),
        segments=steps.segments)
    return Integral(energy, steps, power, over_ground)


def places_as_slice(places: np.ndarray) -> np.ndarray | slice:
    """Return rising places as the slice that they are, if each is the one after the last: nothing is copied then."""
    if places.size and places[-1] - places[0] + 1 == places.size:
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def steps_between(time: np.ndarray, known: np.ndarray, max_gap: float) -> IntegratedSteps:
    """
    Return the steps of a record that are integrated over, by the rule of `physics.energy.accumulate`.

    :param time: Stamps, s, shape (N,), in the order in which they came.
    :param known: Whether what is integrated is known at a sample, shape (N,).
    :param max_gap: Longest time between such samples that is integrated over, s.
    """
    time = np.asarray(time, dtype=float)
    if time.size and known.all() and (step := np.diff(time)).all() and (step > 0.0).all():  # as logs are
        places = np.arange(time.size)  # in the memory once, for both
        return _steps_of(places[:-1], places[1:], step, max_gap, 1, 1)
    finite = np.flatnonzero(np.isfinite(time))
    fresh = finite[np.concatenate(([True], np.diff(time[finite]) != 0.0))] if finite.size else finite
    segment = np.concatenate(([0], np.cumsum(np.diff(time[fresh]) < 0.0))) if fresh.size else fresh
    good = known[fresh]
    sample, segment_of = fresh[good], segment[good]
    joined = segment_of[1:] == segment_of[:-1]
    begins, ends = sample[:-1][joined], sample[1:][joined]
    counted = int(time.size - finite.size + fresh.size)
    return _steps_of(begins, ends, time[ends] - time[begins], max_gap, counted - begins.size,
                     int(segment[-1]) + 1 if segment.size else 1)


def _steps_of(begins: np.ndarray, ends: np.ndarray, step: np.ndarray, max_gap: float, invalid: int,
              segments: int) -> IntegratedSteps:
    """Return steps without those that are gaps, each of which makes the sample that it ends with one without a step."""
    gap = is_gap(step, max_gap)
    if not gap.any():
        return IntegratedSteps(begins, ends, step, step[:0], begins.size, invalid, segments)
    gaps = step[gap]
    return IntegratedSteps(begins[~gap], ends[~gap], step[~gap], gaps, begins.size - gaps.size, invalid + gaps.size,
                           segments)


def derivatives(time: np.ndarray, vectors: np.ndarray, time_constant: float, max_gap: float) -> np.ndarray:
    """
    Return the derivative of vectors as `differentiate` gives it sample by sample: backward differences, low-pass.

    :param time: Stamps, s, shape (N,), in the order in which they came.
    :param vectors: One a stamp, shape (N, K).
    :param time_constant: Of the low-pass, s; 0 for none.
    :param max_gap: Longest step that is differentiated over, s.
    :return: Shape (N, K); NaN where there is no derivative yet. A stamp seen before keeps the derivative it had.

    Source: as `physics.kinematics.differentiate`; the recursion y_k = y_(k-1) + g_k (raw_k - y_(k-1)) by doubling.
    """
    if time.size == 0:
        return np.full(vectors.shape, np.nan)
    new = np.concatenate(([True], np.diff(time) != 0.0))
    fresh = np.flatnonzero(new)
    at, vector = time[fresh], vectors[fresh]
    known = np.isfinite(vector).all(axis=1)
    step = np.diff(at, prepend=np.nan)
    with np.errstate(invalid='ignore'):
        usable = (step > 0.0) & (step <= max_gap) & known & np.concatenate(([False], known[:-1]))
        raw = np.diff(vector, axis=0, prepend=np.nan) / step[:, None]
    raw[~usable] = 0.0
    if time_constant > 0.0:
        first = usable & ~np.concatenate(([False], usable[:-1]))
        gain = np.where(first, 1.0, -np.expm1(-np.where(usable, step, 0.0) / time_constant))
        keep = np.where(usable, 1.0 - gain, 0.0)
        raw = _recursion(keep, gain[:, None] * raw)
    raw[~usable] = np.nan
    every: np.ndarray = raw[np.cumsum(new) - 1]
    return every


def _recursion(keep: np.ndarray, give: np.ndarray) -> np.ndarray:
    """Return y of y_k = keep_k y_(k-1) + give_k, y_(-1) = 0; `keep` (N,) in [0, 1], `give` (N, K)."""
    keep, value = keep.copy(), give.copy()
    reach = 1
    while reach < len(keep) and keep.max() > NEGLIGIBLE:
        value[reach:] += keep[reach:, None] * value[:-reach].copy()
        later = keep[reach:] * keep[:-reach]
        keep[reach:], keep[:reach] = later, 0.0
        reach *= 2
    return value
