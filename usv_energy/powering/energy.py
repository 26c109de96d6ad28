"""
Energy: the integral of power over the samples' time stamps, sample by sample or of a whole record at once.

Gaps between samples are counted and not filled.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.physics.elementwise import kernel, select
from usv_energy.powering.power import Power

CAUSES = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual', 'thrust', 'unrecovered', 'losses',
          'allocation', 'static_load', 'loads', 'total')

ANOTHER_CLOCK = 86_400.0  # s: a stamp later than the last by more than this is of another clock, and no gap.


class Sample(NamedTuple):
    """
    One power sample.

    `time`: stamp, s. `power`: mean Power since the previous sample, W. Speeds: m/s. `stale`: whether the current or the
    wind was out of date.
    """

    time: float
    power: Power
    speed_over_ground: float
    speed_through_water: float
    stale: bool


class Energy(NamedTuple):
    """
    Energy by cause since the start, J, with the time and the distances that it covers. Fields: EnergyStamped.msg.

    The engine sets fields that it does not count to None: `waves` without a sea, `residual` and `allocation` because
    no thrust is measured, and the counts of gaps and segments. Elsewhere no field is None.
    """

    inertia: float = 0.0
    damping: float = 0.0
    wind: float = 0.0
    foils: float = 0.0
    waves: float = 0.0
    side_force: float = 0.0
    residual: float = 0.0
    thrust: float = 0.0
    unrecovered: float = 0.0
    losses: float = 0.0
    allocation: float = 0.0
    static_load: float = 0.0
    loads: float = 0.0
    total: float = 0.0
    duration: float = 0.0
    distance_over_ground: float = 0.0
    distance_through_water: float = 0.0
    samples: int = 0
    invalid_samples: int = 0
    gaps: int = 0
    gap_duration: float = 0.0
    stale_duration: float = 0.0
    segments: int = 1

    @property
    def energy_per_meter(self) -> float:
        """Energy per metre over ground, J/m; NaN before the boat has moved."""
        return self.total / self.distance_over_ground if self.distance_over_ground > 0.0 else math.nan


class Accumulation(NamedTuple):
    """The state of an integration: the energy, the last sample that a step can start from, and the last stamp, s."""

    energy: Energy = Energy()
    last_good: Sample | None = None
    last_time: float = math.nan


def accumulate(state: Accumulation, sample: Sample, max_gap: float) -> Accumulation:
    """
    Return the accumulation with one more sample, whose mean power is integrated since the last good sample.

    - A sample with the same stamp as the last one changes nothing.
    - A stamp earlier than the last one, or later by more than a day, is of a clock that was set: a new segment starts.
    - A stamp that is not finite counts as an invalid sample and has no other effect.
    - A sample with unknown power (NaN) counts as invalid. The time between the good samples before and after it is
      integrated if it is at most `max_gap`; otherwise it counts as a gap.
    - A sample with known velocity but unknown power starts the next step if it is the first one, or the first after a
      gap.

    :param state: The accumulation so far.
    :param sample: The next sample.
    :param max_gap: Longest time between good samples that is integrated over, s.

    Source: thesis (4.25), with the mean power over each step.
    """
    energy, last = state.energy, state.last_good
    if sample.time == state.last_time:
        return state
    if not math.isfinite(sample.time):
        return state._replace(energy=energy._replace(invalid_samples=energy.invalid_samples + 1))
    if sample.time < state.last_time or (last is not None and sample.time - last.time > ANOTHER_CLOCK):
        energy, last = energy._replace(segments=energy.segments + 1), None
    step = math.nan if last is None else sample.time - last.time
    gap = is_gap(step, max_gap)
    if is_valid(sample.power.total):
        energy = energy._replace(samples=energy.samples + 1)
    else:
        energy = energy._replace(invalid_samples=energy.invalid_samples + 1)
        if not is_valid(sample.power.u_r) or not (gap or last is None):
            return Accumulation(energy, last, sample.time)
    if gap:
        energy = energy._replace(gaps=energy.gaps + 1, gap_duration=energy.gap_duration + step)
    elif last is not None:
        energy = with_step(energy, last, sample, step, True, energy.samples, energy.invalid_samples)
        if sample.stale or last.stale:
            energy = energy._replace(stale_duration=energy.stale_duration + step)
    return Accumulation(energy, sample, sample.time)


def restarted(state: Accumulation) -> Accumulation:
    """Return the accumulation with its energy reset to zero; the next step still starts at the last sample."""
    return state._replace(energy=Energy())


@kernel
def is_valid(power):
    """Return whether a power is finite, so that its sample can be integrated; float or array."""
    return power - power == 0.0


@kernel
def is_gap(step, max_gap):
    """Return whether the time between two valid samples, s, is too long to be integrated over; float or array."""
    return step > max_gap


@kernel
def with_trapezoid(total, before, after, half_step, joined):
    """
    Return an integral plus the trapezoid between two values; unchanged where they are not joined.

    :param total: The integral so far; float or array.
    :param before: The value at the beginning of the step; same shape.
    :param after: The value at its end; same shape.
    :param half_step: Half of its duration, s; same shape.
    :param joined: Whether both are valid and there is no gap between them.
    """
    return select(joined, total + half_step * (before + after), total)


@kernel
def with_mean(total, mean, step, joined):
    """
    Return an integral plus one step with a known mean value; unchanged where it is not joined. Floats or arrays.

    :param total: The integral so far.
    :param mean: Over the step.
    :param step: Its duration, s.
    :param joined: Whether both of its ends are known and there is no gap between them.
    """
    return select(joined, total + step * mean, total)


@kernel
def with_step(energy, before, after, step, joined, samples, invalid_samples):
    """
    Return an Energy plus one step: mean powers times its duration, and trapezoids of the speeds for the distances.

    :param energy: The Energy so far; floats or arrays.
    :param before: The Sample (or Observation of a run) at the beginning.
    :param after: The one at the end, whose Power is the mean over the step.
    :param step: Duration, s.
    :param joined: Whether both are valid and there is no gap between them.
    :param samples: Valid samples so far, the new one included.
    :param invalid_samples: Samples without a power so far.
    """
    half, mean = 0.5 * step, after.power
    return Energy(
        select(joined, energy.inertia + step * mean.inertia, energy.inertia),
        select(joined, energy.damping + step * mean.damping, energy.damping),
        select(joined, energy.wind + step * mean.wind, energy.wind),
        select(joined, energy.foils + step * mean.foils, energy.foils),
        _counted(energy.waves, mean.waves, step, joined),
        select(joined, energy.side_force + step * mean.side_force, energy.side_force),
        _counted(energy.residual, mean.residual, step, joined),
        select(joined, energy.thrust + step * mean.thrust, energy.thrust),
        select(joined, energy.unrecovered + step * mean.unrecovered, energy.unrecovered),
        select(joined, energy.losses + step * mean.losses, energy.losses),
        _counted(energy.allocation, mean.allocation, step, joined),
        select(joined, energy.static_load + step * mean.static_load, energy.static_load),
        select(joined, energy.loads + step * mean.loads, energy.loads),
        select(joined, energy.total + step * mean.total, energy.total),
        select(joined, energy.duration + step, energy.duration),
        with_trapezoid(energy.distance_over_ground, before.speed_over_ground, after.speed_over_ground, half, joined),
        with_trapezoid(energy.distance_through_water, before.speed_through_water, after.speed_through_water, half,
                       joined),
        samples, invalid_samples, energy.gaps, energy.gap_duration, energy.stale_duration, energy.segments)


@kernel
def _counted(total, mean, step, joined):
    """Return an energy plus one step with a mean power; None if the engine does not count it."""
    if total is None:
        return None
    return select(joined, total + step * mean, total)


NEGLIGIBLE = 1e-18  # (-), weight of a filter's past that no longer changes a float of the same size.


class IntegratedSteps(NamedTuple):
    """
    The steps of a record that are integrated, and the counts of what is left out.

    `begins`, `ends`: indices of the samples at the beginning and end of each step. `durations`: of the steps, s.
    `gaps`: durations of the gaps, s. `samples`: number of samples that end a step. `invalid_samples`: number of the
    others. `segments`: number of intervals in which time does not go backwards.
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
        return with_trapezoid(0.0, values[begins], values[ends], 0.5 * self.durations, True)

    def means(self, values: np.ndarray) -> np.ndarray:
        """Return the mean of the values at both ends of each step, where it ends; NaN elsewhere; both of shape (N,)."""
        means = np.full(values.shape, np.nan)
        means[self.ends] = 0.5 * (values[self.begins] + values[self.ends])
        return means


class Integral(NamedTuple):
    """
    The energy of a record, and how it grew with time.

    `steps`: the IntegratedSteps. `power`: mean Power of each step at the sample that ends it, W.
    `distances`: distance over ground of each step, m.
    """

    energy: Energy
    steps: IntegratedSteps
    power: Power
    distances: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """Indices of the samples that end a step."""
        return self.steps.ends

    @property
    def durations(self) -> np.ndarray:
        """Durations of the steps, s."""
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
    Return the energy of a record: the result of `accumulate` applied to its samples one by one, except for rounding.

    :param steps: The steps between its samples.
    :param power: Mean Power of each step at the sample that ends it, W, shape (N,); other elements are not read.
    :param speed_over_ground: At each sample, m/s, shape (N,).
    :param speed_through_water: The same.
    :param stale: Whether the flow at a sample was stale, shape (N,).

    Source: thesis (4.25), as `powering.energy.accumulate`.
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
    """Return ascending indices as a slice if they are consecutive, so that indexing copies nothing; else unchanged."""
    if places.size and places[-1] - places[0] + 1 == places.size:
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def steps_between(time: np.ndarray, known: np.ndarray, max_gap: float) -> IntegratedSteps:
    """
    Return the steps of a record that are integrated, by the rules of `powering.energy.accumulate`.

    :param time: Stamps, s, shape (N,), in order of arrival.
    :param known: Whether the integrand is known at each sample, shape (N,).
    :param max_gap: Longest time between known samples that is integrated over, s.
    """
    time = np.asarray(time, dtype=float)
    if time.size and known.all() and (step := np.diff(time)).all() and (step > 0.0).all():  # The usual case.
        places = np.arange(time.size)  # `begins` and `ends` are views of one array.
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
    """Return the steps that are no gaps; the sample after a gap counts as invalid, since it ends no step."""
    gap = is_gap(step, max_gap)
    if not gap.any():
        return IntegratedSteps(begins, ends, step, step[:0], begins.size, invalid, segments)
    gaps = step[gap]
    return IntegratedSteps(begins[~gap], ends[~gap], step[~gap], gaps, begins.size - gaps.size, invalid + gaps.size,
                           segments)


def derivatives(time: np.ndarray, vectors: np.ndarray, time_constant: float, max_gap: float) -> np.ndarray:
    """
    Return low-passed backward differences of vectors: the result of `differentiate` applied to each sample in turn.

    :param time: Stamps, s, shape (N,), in order of arrival.
    :param vectors: One vector per stamp, shape (N, K).
    :param time_constant: Of the low-pass filter, s; 0 for no filter.
    :param max_gap: Longest step that is differentiated over, s.
    :return: Shape (N, K); NaN where there is no derivative yet. A repeated stamp has the derivative of the one before.

    Source: as `physics.motion.differentiate`; the recursion y_k = y_(k-1) + g_k (raw_k - y_(k-1)) by doubling.
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
    return raw[np.cumsum(new) - 1]


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
