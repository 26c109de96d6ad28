"""Energy: the integral of power over the samples' time stamps. Gaps between samples are counted and not filled."""

import math
from typing import NamedTuple

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
