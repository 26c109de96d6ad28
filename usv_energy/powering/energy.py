"""Energy: the integral of power over the samples' own stamps. What was not seen is counted, never guessed."""

import math
from typing import NamedTuple

from usv_energy.physics.elementwise import kernel, select
from usv_energy.powering.power import Power

CAUSES = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual', 'thrust', 'unrecovered', 'losses',
          'allocation', 'static_load', 'loads', 'total')


class Sample(NamedTuple):
    """
    One power sample: stamp s, Power W, speeds m/s over ground and through water, and whether its flow was stale.

    The Power is the mean since the sample before.
    """

    time: float
    power: Power
    speed_over_ground: float
    speed_through_water: float
    stale: bool


class Energy(NamedTuple):
    """
    Energy by cause since the start, J, and what it was integrated over. Fields: EnergyStamped.msg.

    What a run of the engine has not is None there, and only there: `waves` where no sea is known, `residual` and
    `allocation`, since no thrust is measured, and what counts gaps and segments.
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
    """Where an integration stands: the energy, the last sample that it holds to, and the latest stamp, s."""

    energy: Energy = Energy()
    last_good: Sample | None = None
    last_time: float = math.nan


def accumulate(state: Accumulation, sample: Sample, max_gap: float) -> Accumulation:
    """
    Return the accumulation with one more sample: its power holds since the good sample before, if that is near enough.

    A sample with a stamp already seen changes nothing. A stamp further back starts a new segment. A stamp that is no
    number only counts as an invalid sample. A sample without a power (NaN) is counted, and the time it leaves
    between its good neighbours is integrated if that is at most `max_gap`, else counted as a gap. One whose velocity
    is known, but not its power, is what the next power holds since: the first of all, and the first after a gap.

    :param state: The accumulation so far.
    :param sample: The next sample.
    :param max_gap: Longest time between good samples that is integrated over, s.

    Source: thesis (4.25), its powers the means over the steps.
    """
    energy, last = state.energy, state.last_good
    if sample.time == state.last_time:
        return state
    if not math.isfinite(sample.time):
        return state._replace(energy=energy._replace(invalid_samples=energy.invalid_samples + 1))
    if sample.time < state.last_time:
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
def with_mean(total, mean, step, joined):
    """
    Return an integral with a step of a known mean, where it is joined; floats or arrays.

    :param total: The integral so far.
    :param mean: Over the step.
    :param step: Its duration, s.
    :param joined: Whether both of its ends are known and there is no gap between them.
    """
    return select(joined, total + step * mean, total)


@kernel
def with_step(energy, before, after, step, joined, samples, invalid_samples):
    """
    Return an Energy with one step more, where its samples are joined: mean powers, and trapezoids of the speeds.

    :param energy: The Energy so far; floats or arrays.
    :param before: The Sample (or Observation of a run) at the beginning.
    :param after: The one at the end, whose Power is the mean over the step.
    :param step: From one to the other, s.
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
    """Return a total with a step's mean power; None of a row that a run of the engine does not count."""
    if total is None:
        return None
    return select(joined, total + step * mean, total)
