"""Energy: the integral of power over the samples' own stamps. What was not seen is counted, never guessed."""

import math
from typing import NamedTuple

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
    number counts as an invalid sample and no more. A sample without a power (NaN) is counted, and the time it leaves
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
    if not math.isfinite(sample.power.total):
        return Accumulation(energy._replace(invalid_samples=energy.invalid_samples + 1), last, sample.time)
    energy = energy._replace(samples=energy.samples + 1)
    if last is not None:
        step = sample.time - last.time
        if step > max_gap:
            energy = energy._replace(gaps=energy.gaps + 1, gap_duration=energy.gap_duration + step)
        else:
            energy = _with_trapezoid(energy, last, sample, step)
    return Accumulation(energy, sample, sample.time)


def restarted(state: Accumulation) -> Accumulation:
    """Return the accumulation with its energy set to zero; the next sample joins on to the last one."""
    return state._replace(energy=Energy())


def _with_trapezoid(energy: Energy, last: Sample, sample: Sample, step: float) -> Energy:
    half = 0.5 * step
    causes = {cause: getattr(energy, cause) + half * (getattr(last.power, cause) + getattr(sample.power, cause))
              for cause in CAUSES}
    stale = step if sample.stale or last.stale else 0.0
    return energy._replace(
        **causes, duration=energy.duration + step,
        distance_over_ground=(energy.distance_over_ground
                              + half * (last.speed_over_ground + sample.speed_over_ground)),
        distance_through_water=(energy.distance_through_water
                                + half * (last.speed_through_water + sample.speed_through_water)),
        stale_duration=energy.stale_duration + stale)
