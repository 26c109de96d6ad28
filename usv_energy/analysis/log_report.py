"""All that a report says of an analysed log: checks against what it recorded, what-if, and notes on its quality."""

import math
from typing import NamedTuple

import numpy as np

from ..files.counted import counted
from ..logs.log import WARNING, Note
from ..powering.record_energy import steps_between
from ..sim.record import relative
from .analysed_log import AnalysedLog, thruster_power
from .current_estimate import CurrentEstimate
from .flow_from_sway import SIDEWAYS, side_force_share
from .hull_along_log import HullAlongLog, hull_along_log, hull_notes
from .log_interval import log_interval
from .motion.energy_interval import EnergyInterval
from .parameter_interval import Interval, parameter_interval
from .what_if import WhatIf, what_if

LEAST_WHOLE = 0.98    # Share of the time that should be integrated.
ENERGY_OFF = 1e-3     # Share by which the energy recorded live may differ.


class MeasuredPower(NamedTuple):
    """
    Model against measurement where both have a number.

    Samples and time s; energies J; mean error (model less measured) and root mean square error, W; share of the
    measured power's variance that the model explains, (-); slope and offset W of measured = slope model + offset.
    """

    samples: int
    duration: float
    model_energy: float
    measured_energy: float
    mean_error: float
    rms_error: float
    r2: float
    slope: float
    offset: float

    @property
    def energy_error(self) -> float:
        """Model's energy over the measured one, less 1, (-); NaN without one."""
        return self.model_energy / self.measured_energy - 1.0 if self.measured_energy else math.nan


class LogReport(NamedTuple):
    """
    An analysed log and what its report says beside it; energies in J, NaN where the log has none.

    `live_energy`: recorded while under way; `same_samples_energy`: the analysis' own over the samples that it was
    recorded with; `thruster_energy`: work of the thrusters; `measured`: the model against the measured power; `steady`:
    the way as driven, taken as steady motion, and `changes` to it; `estimate`: of the current, where asked for;
    `interval`: that the energy lies in 95 of 100 times, by noise and by what happens between samples; `parameters`: the
    same by what is not known for certain of the boat, None where its file says nothing of that; `hull`: what the
    measured power says of hull and propellers, None where that is nothing.
    """

    analysed: AnalysedLog
    live_energy: float
    same_samples_energy: float
    thruster_energy: float
    measured: MeasuredPower | None
    steady: WhatIf
    changes: list[WhatIf]
    estimate: CurrentEstimate | None
    notes: list[Note]
    interval: EnergyInterval | None
    parameters: Interval | None
    hull: HullAlongLog | None = None

    @property
    def integrated_share(self) -> float:
        """Share of the log's time that was integrated, (-); NaN for a log without one."""
        duration = self.analysed.log.duration
        return self.analysed.energy.duration / duration if duration else math.nan

    @property
    def live_relative(self) -> float:
        """By how much the analysis' energy exceeds the one recorded live, as a share of it, (-)."""
        return relative(self.same_samples_energy, self.live_energy)

    @property
    def closure_relative(self) -> float:
        """By how much what the model has the thrusters give exceeds what they gave, as a share of it, (-)."""
        integral = self.analysed.integral
        return relative(float((self.analysed.given[integral.ends] * integral.durations).sum()), self.thruster_energy)

    @property
    def allocation_share(self) -> float:
        """What the thrusters as measured drew beyond the cheapest way, as a share of that, (-); NaN without thrusts."""
        energy = self.analysed.energy
        if not self.analysed.by_thrusts:
            return math.nan
        cheapest = energy.thrust + energy.unrecovered + energy.losses
        return energy.allocation / cheapest if cheapest > 0.0 else math.nan

    @property
    def side_force_share(self) -> float:
        """Energy of the side force that no thruster gives, as a share of what the thrusters give, (-)."""
        return side_force_share(self.analysed.energy)

    def note_texts(self, level: str) -> list[str]:
        """Return the texts of the notes of a level, each once."""
        return list(dict.fromkeys(note.text for note in self.notes if note.level == level))


def log_report(analysed: AnalysedLog, estimate: CurrentEstimate | None = None) -> LogReport:
    """Return what a report says of an analysed log, with the estimate of its current where there is one."""
    live, same_samples = _live_energy(analysed)
    steady, changes = what_if(analysed)
    notes = [*analysed.notes, *(estimate.notes if estimate else ()), *_completeness(analysed),
             *_against_live(analysed, live, same_samples), *_side_force(analysed)]
    measured = measured_power(analysed)
    if measured is not None and not measured.measured_energy > 0.0:
        notes.append(_measured_nothing(measured))
        measured = None
    hull = None if measured is None else hull_along_log(analysed)
    notes += hull_notes(hull)
    return LogReport(analysed, live, same_samples, _thruster_energy(analysed), measured, steady, changes, estimate,
                     notes, log_interval(analysed), parameter_interval(analysed), hull)


def _live_energy(analysed: AnalysedLog) -> tuple[float, float]:
    """Return the energy that the log recorded live and the analysis' own over the same samples, J; NaN without."""
    recorded = analysed.log.extra.get('energy_j')
    known = np.flatnonzero(np.isfinite(recorded)) if recorded is not None else np.zeros(0, dtype=int)
    if recorded is None or known.size < 2 or (np.diff(recorded[known]) < 0.0).any():
        return math.nan, math.nan
    own = analysed.integral.so_far()
    return float(recorded[known[-1]] - recorded[known[0]]), float(own[known[-1]] - own[known[0]])


def _thruster_energy(analysed: AnalysedLog) -> float:
    """Return the work of the thrusters, from their thrusts or as the log recorded it, J; NaN without."""
    power = thruster_power(analysed)
    if power is not None:
        steps = steps_between(analysed.log.time, np.isfinite(power), analysed.log.max_gap)
        return float(steps.trapezoids(power).sum())
    recorded = analysed.log.extra.get('thruster_energy_j', np.zeros(0))
    known = recorded[np.isfinite(recorded)]
    return float(known[-1] - known[0]) if known.size > 1 else math.nan


def _completeness(analysed: AnalysedLog) -> list[Note]:
    """Say how much of the time is not in the energy."""
    energy, duration = analysed.energy, analysed.log.duration
    if energy.gaps:
        return [Note(WARNING, 'gaps', f'{counted(energy.gaps, "hole")} longer than {analysed.log.max_gap:g} s, '
                     f'{energy.gap_duration:.1f} s together, not in the energy', {'gaps': energy.gaps})]
    share = energy.duration / duration if duration else math.nan
    if share < LEAST_WHOLE:
        return [Note(WARNING, 'partly_integrated', f'only {100.0 * share:.1f} % of the time has a power',
                     {'share': share})]
    return []


def _against_live(analysed: AnalysedLog, live: float, same_samples: float) -> list[Note]:
    """Say by how much the energy recorded live differs; it was computed by the convention rep103."""
    off = relative(same_samples, live)
    if analysed.options.convention != 'rep103' or analysed.waves is not None or not abs(off) > ENERGY_OFF:
        return []
    return [Note(WARNING, 'differs_from_live', f'the energy recorded live is {live:.1f} J, here it is '
                 f'{same_samples:.1f} J ({100.0 * off:+.2f} %): another boat file, current, wind or convention, '
                 f'{"what is missing of this log, " if len(analysed.log.gaps) else ""}or by thrusts (--actuators)?',
                 {'relative': off})]


def _side_force(analysed: AnalysedLog) -> list[Note]:
    """Say how large the side force is that no thruster gives: nought, where current, wind and drag are right."""
    share = side_force_share(analysed.energy)
    if analysed.options.convention != 'rep103' or not abs(share) > SIDEWAYS:
        return []
    return [Note(WARNING, 'side_force', f'{100.0 * abs(share):.0f} % of the thrust energy is a side force that no '
                 'thruster gives: look at current, wind or sway drag', {'relative': share})]


def _measured_nothing(measured: MeasuredPower) -> Note:
    said, model = f'{measured.measured_energy:.1f} J', f'{measured.model_energy:.1f} J'
    return Note(WARNING, 'measured_nothing', f'the power sensor says {said} where the model says {model}: it does not '
                'measure what the boat takes (its sign, its zero?), and is not compared',
                {'measured_energy_j': measured.measured_energy})


def measured_power(analysed: AnalysedLog) -> MeasuredPower | None:
    """Return the model against the measurement; None where the log has fewer than two samples with both."""
    measured, model = analysed.log.electrical_power, analysed.power.total
    both = np.isfinite(measured) & np.isfinite(model)
    if both.sum() < 2:
        return None
    steps = steps_between(analysed.log.time, both, analysed.log.max_gap)
    error = model[both] - measured[both]
    variance, spread = float(np.var(measured[both])), float(np.var(model[both]))
    slope = float(np.cov(model[both], measured[both], bias=True)[0, 1]) / spread if spread > 0.0 else math.nan
    return MeasuredPower(
        samples=int(both.sum()), duration=float(steps.durations.sum()),
        model_energy=float((model[steps.ends] * steps.durations).sum()),
        measured_energy=float(steps.trapezoids(measured).sum()),
        mean_error=float(error.mean()), rms_error=float(np.sqrt(np.mean(error * error))),
        r2=1.0 - float(np.mean(error * error)) / variance if variance > 0.0 else math.nan,
        slope=slope, offset=float(measured[both].mean() - slope * model[both].mean()))
