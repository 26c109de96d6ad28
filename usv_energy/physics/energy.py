"""Energy: the integral of power over the samples' own stamps. What was not seen is counted, never guessed."""

import math
from typing import NamedTuple

from .elementwise import kernel, select
from .power import Power

CAUSES = ('inertia', 'damping', 'wind', 'thrust', 'unrecovered', 'losses', 'static_load', 'total')


class Sample(NamedTuple):
    """One power sample: stamp s, Power W, speeds m/s over ground and through water, and whether its flow was stale."""

    time: float
    power: Power
    speed_over_ground: float
    speed_through_water: float
    stale: bool


class Energy(NamedTuple):
    """Energy by cause since the start, J, and what it was integrated over. Fields: EnergyStamped.msg."""

    inertia: float = 0.0
    damping: float = 0.0
    wind: float = 0.0
    thrust: float = 0.0
    unrecovered: float = 0.0
    losses: float = 0.0
    static_load: float = 0.0
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
    """Where an integration stands: the energy, the last good sample, the latest stamp, s, and the gap now open."""

    energy: Energy = Energy()
    last_good: Sample | None = None
    last_time: float = math.nan


def accumulate(state: Accumulation, sample: Sample, max_gap: float) -> Accumulation:
    """
    Return the accumulation with one more sample: trapezoids between good samples no further apart than `max_gap`.

    A sample with a stamp already seen changes nothing. A stamp further back starts a new segment. A stamp that is no
    number only counts as an invalid sample. A sample without a power (NaN) is counted, and the time it leaves
    between its good neighbours is integrated if that is at most `max_gap`, else counted as a gap.

    :param state: The accumulation so far.
    :param sample: The next sample.
    :param max_gap: Longest time between good samples that is integrated over, s.

    Source: thesis (4.25), with the trapezoidal rule in place of its sum.
    """
    energy, last = state.energy, state.last_good
    if sample.time == state.last_time:
        return state
    if not math.isfinite(sample.time):
        return state._replace(energy=energy._replace(invalid_samples=energy.invalid_samples + 1))
    if sample.time < state.last_time:
        energy, last = energy._replace(segments=energy.segments + 1), None
    if not is_valid(sample.power.total):
        return Accumulation(energy._replace(invalid_samples=energy.invalid_samples + 1), last, sample.time)
    energy = energy._replace(samples=energy.samples + 1)
    if last is not None:
        step = sample.time - last.time
        if is_gap(step, max_gap):
            energy = energy._replace(gaps=energy.gaps + 1, gap_duration=energy.gap_duration + step)
        else:
            energy = with_step(energy, last, sample, step, True, energy.samples, energy.invalid_samples)
            if sample.stale or last.stale:
                energy = energy._replace(stale_duration=energy.stale_duration + step)
    return Accumulation(energy, sample, sample.time)


def restarted(state: Accumulation) -> Accumulation:
    """Return the accumulation with its energy set to zero; the next sample joins on to the last one."""
    return state._replace(energy=Energy())


@kernel
def is_valid(power):
    """Return whether a power is a number, so that its sample can be integrated; float or array."""
    return power - power == 0.0


@kernel
def is_gap(step, max_gap):
    """Return whether the time between two valid samples, s, is too long to be integrated over; float or array."""
    return step > max_gap


@kernel
def with_trapezoid(total, before, after, half_step, joined):
    """
    Return an integral with the trapezoid between two values, where they are joined.

    :param total: The integral so far; float or array.
    :param before: The value at the beginning of the step; same shape.
    :param after: The value at its end; same shape.
    :param half_step: Half of its duration, s; same shape.
    :param joined: Whether both are valid and there is no gap between them.
    """
    return select(joined, total + half_step * (before + after), total)


@kernel
def with_step(energy, before, after, step, joined, samples, invalid_samples):
    """
    Return an Energy with the trapezoids of one step, where its samples are joined.

    :param energy: The Energy so far; floats or arrays.
    :param before: The Sample (or Observation of a run) at the beginning.
    :param after: The one at the end.
    :param step: From one to the other, s.
    :param joined: Whether both are valid and there is no gap between them.
    :param samples: Valid samples so far, the new one included.
    :param invalid_samples: Samples without a power so far.
    """
    half, a, b = 0.5 * step, before.power, after.power
    return Energy(
        with_trapezoid(energy.inertia, a.inertia, b.inertia, half, joined),
        with_trapezoid(energy.damping, a.damping, b.damping, half, joined),
        with_trapezoid(energy.wind, a.wind, b.wind, half, joined),
        with_trapezoid(energy.thrust, a.thrust, b.thrust, half, joined),
        with_trapezoid(energy.unrecovered, a.unrecovered, b.unrecovered, half, joined),
        with_trapezoid(energy.losses, a.losses, b.losses, half, joined),
        with_trapezoid(energy.static_load, a.static_load, b.static_load, half, joined),
        with_trapezoid(energy.total, a.total, b.total, half, joined),
        select(joined, energy.duration + step, energy.duration),
        with_trapezoid(energy.distance_over_ground, before.speed_over_ground, after.speed_over_ground, half, joined),
        with_trapezoid(energy.distance_through_water, before.speed_through_water, after.speed_through_water, half,
                       joined),
        samples, invalid_samples, energy.gaps, energy.gap_duration, energy.stale_duration, energy.segments)
