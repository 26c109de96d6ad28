"""All that a report says of an analysed log: checks, what-if, notes on its quality, and the figures for JSON."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_remarks import caution_figures
from usv_energy.files.errors import InputError, counted
from usv_energy.files.text_file import without_nan
from usv_energy.logs.derive import mean_drift
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.motion.energy_interval import EnergyInterval
from usv_energy.physics.batteries.cell import energy_held
from usv_energy.powering.energy import CAUSES, steps_between
from usv_energy.show.text_table import joules, seconds
from usv_energy.sim.record import COUNTS, Summary, by_load_figures, relative
from usv_energy.studies.analyze.analysed_log import AnalysedLog, mean_or_nan, thruster_power
from usv_energy.studies.analyze.current.current_estimate import CurrentEstimate
from usv_energy.studies.analyze.doubts import SIDEWAYS, side_force_share
from usv_energy.studies.analyze.hull.hull_health import HullAlongLog, hull_along_log, hull_figures, hull_notes
from usv_energy.studies.analyze.leg_shares import leg_shares, share_figures
from usv_energy.studies.analyze.log_actuators import in_doubt
from usv_energy.studies.analyze.log_interval import (
    Interval,
    estimated_off,
    flow_interval,
    heading_interval,
    log_interval,
    numbers_without_std,
    parameter_interval,
    water_speed_interval,
)
from usv_energy.studies.analyze.log_waves import sea_figures
from usv_energy.studies.analyze.thrust_mismatch import Mismatch, thrust_mismatch
from usv_energy.studies.analyze.trust import Evidence, Trust, trust_of
from usv_energy.studies.analyze.what_if import WhatIf, what_if

LEAST_INTEGRATED = 0.5  # Share of the time from which on the energy is a figure of that log.

UNDER_WAY, LEAST_OFF = 0.2, math.radians(3.0)  # m/s, slowest with a course; drift from which a heading is off.
CHARGE_STEP, CHARGED = 0.5, 0.05  # s, of means without noise; share of what is drawn, or of the model's energy.
# Pieces that tell noise; times what noise would charge up to which nothing was; median of a normal deviate's size.
LEAST_PIECES, BY_NOISE, OF_MEDIAN = 20, 1.5, 0.6745
SURE = 2.0    # Standard deviations that a measured energy must be beyond its noise, to be one.
TURNED = ' (it is as much as the model says: is the sign of the current turned round?)'
OPEN = 0.25  # Share by which the model's work of the thrusters may differ from the log's without a word.
LEAST_WHOLE = 0.98    # Share of the time that should be integrated.
ENERGY_OFF = 1e-3     # Share by which the energy recorded live may differ.

ALIKE = ('samples', 'bag')  # Names of files and folders that do not say what is in them.


def integrated(analysed: AnalysedLog) -> AnalysedLog:
    """
    Return an analysed log of which at least half of the time is in the energy.

    :raises InputError: If it is less: how much, why, and what to do.
    """
    log = analysed.log
    duration, early = analysed.energy.duration - analysed.estimated[1], max(analysed.early.values(), default=0)
    if not duration < LEAST_INTEGRATED * log.recorded_duration:
        return analysed
    lost = [end - begin for begin, end in log.gaps]
    unknown = int((~np.isfinite(analysed.power.total[early + 1:])).sum())
    reasons = []
    if early:
        reasons.append(f'in the first {log.time[early]:.1f} s current or wind is not known')
    if lost:
        reasons.append(f'{sum(lost):.1f} s lie in {_counted(len(lost), "hole")} between samples, longer than '
                       f'{log.max_gap:g} s (the samples are {log.period:.3g} s apart as a rule, the longest hole is '
                       f'{max(lost):.1f} s)')
    if unknown:
        reasons.append(f'{unknown} of {_counted(len(log), "sample")} have no power, since motion or flow is not known '
                       'there')
    remedy = ('say --max-gap S if samples that far apart belong together, or cut the file at its holes' if lost else
              'say them (--current, --wind), or cut that part off' if early and not unknown else
              'see which columns or topics are empty there, or cut that part off')
    raise InputError(f'{log.path}: only {duration:.1f} of {log.recorded_duration:.1f} s '
                     f'({100.0 * duration / log.recorded_duration:.1f} %) could be integrated, which is no energy of '
                     f'this log: {"; ".join(reasons)}. What to do: {remedy}')


def _counted(number: int, noun: str) -> str:
    return f'{number} {noun}' if number == 1 else f'{number} {noun}s'


class MeasuredPower(NamedTuple):
    """
    Model against measurement where both have a number.

    Samples and time s; energies J; mean error (model less measured) and root mean square error, W; share of the
    measured power's variance that the model explains, (-); slope and offset W of measured = slope model + offset.
    `share`: of the integrated time in which it was measured, (-); `drawn`, `charged`: J from and to the battery, by
    means over CHARGE_STEP, whose difference is the measured energy; `noise`: its standard deviation by noise, J.
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
    share: float = 1.0
    drawn: float = math.nan
    charged: float = 0.0
    noise: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether it was measured nearly all the time."""
        return self.share >= LEAST_WHOLE

    @property
    def is_charged(self) -> bool:
        """Whether the battery was charged as well: what it gave is then not what the boat took."""
        return self.charged > CHARGED * max(self.drawn, abs(self.model_energy))

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
    same by what is not known for certain of the boat, None where its file says nothing of that; `by_flow`: the same by
    a flow that nobody says, None where all of it is known or found; `hull`: what the
    measured power says of hull and propellers, None where that is nothing; `without_std`: numbers of the boat that move
    the energy and whose file says no std of them, where it says one of others; `mismatch`: why the log's thrusts and
    its motion differ, None where it tells none; `estimated_off`: what the energy may be off for what was estimated
    of it where motion or flow is not known, J; `by_water_speed`: the same as `interval` by the scale of the
    speed through the water, None where no current is of it; `by_heading`: by one set anew in gaps, None where none was.
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
    without_std: tuple[str, ...] = ()
    by_flow: Interval | None = None
    mismatch: Mismatch | None = None
    estimated_off: float = 0.0
    by_water_speed: Interval | None = None
    by_heading: Interval | None = None

    @property
    def evidence(self) -> Evidence:
        """What tells how far the energy is to be trusted."""
        measured = None if self.measured is None or self.measured.is_charged else self.measured
        return Evidence(self.analysed, self.interval, self.parameters, self.by_flow, self.notes, self.closure_relative,
                        self.side_force_share, self._counted_share, self.without_std, self.mismatch,
                        math.nan if measured is None else measured.measured_energy,
                        math.nan if measured is None else measured.energy_error, self.steady.energy, self.estimated_off,
                        self.by_water_speed, self.by_heading)

    @property
    def trust(self) -> Trust:
        """How far the energy is to be trusted."""
        return trust_of(self.evidence)

    @property
    def at_rest(self) -> bool:
        """Whether the boat did not move, and no thrusts tell what it took all the same."""
        return self.evidence.at_rest

    @property
    def integrated_share(self) -> float:
        """Share of the log's time, before its first place too, that was integrated, nothing estimated, (-)."""
        duration = self.analysed.log.recorded_duration + self.analysed.log.time_before
        return self._counted_share - self.analysed.estimated[1] / duration if duration else math.nan

    @property
    def _counted_share(self) -> float:
        """Share of the log's time that is in the energy, (-)."""
        duration = self.analysed.log.recorded_duration + self.analysed.log.time_before
        return self.analysed.energy.duration / duration if duration else math.nan

    @property
    def live_relative(self) -> float:
        """By how much the analysis' energy exceeds the one recorded live, as a share of it, (-)."""
        return relative(self.same_samples_energy, self.live_energy)

    @property
    def closure_relative(self) -> float:
        """By how much what the model has the thrusters give exceeds what they gave, as a share of it, (-)."""
        ends, durations, log = self.analysed.integral.ends, self.analysed.integral.durations, self.analysed.log
        told = self.analysed.actuators
        if told is not None and told.tells_thrusts:  # Where these are known, as their work is.
            steps = steps_between(log.time, told.known & ~in_doubt(log), log.max_gap)
            step = np.searchsorted(steps.begins, ends) - 1
            there = (step >= 0) & (ends <= steps.ends[step])
            ends, durations = ends[there], durations[there]
        return relative(float((self.analysed.given[ends] * durations).sum()), self.thruster_energy)

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

    @property
    def current_stds(self) -> tuple[float, float]:
        """Standard deviations of a current found from the thrusts, east and north, m/s: all that is open of it."""
        assert self.analysed.open_flow is not None
        east, north = np.sqrt(np.diag(self.analysed.open_flow.covariance)[:2]).tolist()
        return east, north

    def note_texts(self, level: str) -> list[str]:
        """Return the texts of the notes of a level, each once."""
        return list(dict.fromkeys(note.text for note in self.notes if note.level == level))


def log_report(analysed: AnalysedLog, estimate: CurrentEstimate | None = None) -> LogReport:
    """Return what a report says of an analysed log, with the estimate of its current where there is one."""
    live, same_samples = _live_energy(analysed)
    steady, changes = what_if(analysed)
    notes = [*analysed.notes, *(estimate.notes if estimate else ()), *_completeness(analysed),
             *_against_live(analysed, live, same_samples), *_side_force(analysed), *_battery_empty(analysed)]
    measured = measured_power(analysed)
    if measured is not None and not measured.measured_energy > SURE * measured.noise and not measured.is_charged:
        notes.append(_measured_nothing(measured))
        measured = None
    notes += [] if measured is None else _measured_partly(measured, analysed.energy.duration)
    hull = None if measured is None or measured.is_charged else hull_along_log(analysed)
    notes += hull_notes(hull)
    parameters = parameter_interval(analysed)
    work = thruster_energy(analysed)
    report = LogReport(analysed, live, same_samples, work, measured, steady, changes, estimate,
                       notes, log_interval(analysed), parameters, hull,
                       () if parameters is None else numbers_without_std(analysed), flow_interval(analysed),
                       thrust_mismatch(analysed, work), estimated_off(analysed), water_speed_interval(analysed),
                       heading_interval(analysed))
    return report._replace(notes=[*notes, *_closure(report)])


def _closure(report: LogReport) -> list[Note]:
    """Say that the log's thrusts and the model's do not fit: one of the two is wrong, or the flow is."""
    off = report.closure_relative
    if not abs(off) > OPEN:
        return []
    return [Note(WARNING, 'closure', f'the thrusters gave {report.thruster_energy:.1f} J of work by the log, and the '
                 f'model has them give {100.0 * abs(off):.0f} % {"more" if off > 0.0 else "less"} for the same motion: '
                 'the thrusts (their scale, their unit), the numbers of the boat, or current and wind are wrong',
                 {'relative': off})]


def _live_energy(analysed: AnalysedLog) -> tuple[float, float]:
    """Return the energy that the log recorded live and the analysis' own over the same samples, J; NaN without."""
    recorded = analysed.log.extra.get('energy_j')
    known = np.flatnonzero(np.isfinite(recorded)) if recorded is not None else np.zeros(0, dtype=int)
    if recorded is None or known.size < 2 or (np.diff(recorded[known]) < 0.0).any():
        return math.nan, math.nan
    own = analysed.integral.so_far()
    return float(recorded[known[-1]] - recorded[known[0]]), float(own[known[-1]] - own[known[0]])


def thruster_energy(analysed: AnalysedLog) -> float:
    """Return the work of the thrusters, from their thrusts or as the log recorded it, J; NaN without."""
    power = thruster_power(analysed)
    if power is not None:
        steps = steps_between(analysed.log.time, np.isfinite(power), analysed.log.max_gap)
        return float(steps.trapezoids(power).sum())
    recorded = analysed.log.extra.get('thruster_energy_j', np.zeros(0))
    known = recorded[np.isfinite(recorded)]
    return float(known[-1] - known[0]) if known.size > 1 else math.nan


def _completeness(analysed: AnalysedLog) -> list[Note]:
    """Say how much of the time is not in the energy, and what was estimated of it."""
    energy, duration = analysed.energy, analysed.log.recorded_duration
    found, crossed = [], sum(way.duration for way in analysed.crossed)
    if crossed:
        blind = sum(way.motion is None for way in analysed.crossed)
        how = [f'of {blind}, in which the boat turned or stopped, by the mean power beside it'] if blind else []
        how += ['places and speeds on both sides fit a way across'] if blind < len(analysed.crossed) else []
        found.append(Note(WARNING, 'gaps_estimated', f'energy of {seconds(crossed)} without data ('
                          f'{counted(len(analysed.crossed), "hole")}) was estimated: '
                          f'{joules(float(analysed.gap_energies.sum()))}; {"; ".join(how)}',
                          {'duration_s': crossed, 'energy_j': float(analysed.gap_energies.sum())}))
    if until := max(analysed.early.values(), default=0):
        late, time = [name for name, rows in analysed.early.items() if rows], float(analysed.log.time[until])
        found.append(Note(WARNING, 'flow_held_back', f'energy of the first {seconds(time)}, before the first value of '
                          f'{" and ".join(late)}, was estimated: {joules(analysed.early_energy)}; that value is taken '
                          'there', {'duration_s': time, 'energy_j': analysed.early_energy}))
    if energy.gaps and energy.gap_duration > analysed.log.duration - duration + analysed.log.max_gap:
        return [*found, Note(WARNING, 'gaps', f'{counted(energy.gaps, "hole")} longer than {analysed.log.max_gap:g} s, '
                     f'{energy.gap_duration:.1f} s together, not in the energy', {'gaps': energy.gaps})]
    share = energy.duration / duration if duration else math.nan
    if share < LEAST_WHOLE:
        found.append(Note(WARNING, 'partly_integrated', f'only {100.0 * share:.1f} % of the time has a power',
                          {'share': share}))
    return found


def _against_live(analysed: AnalysedLog, live: float, same_samples: float) -> list[Note]:
    """Say by how much the energy recorded live differs; it was computed by the convention rep103."""
    off = relative(same_samples, live)
    if analysed.options.convention != 'rep103' or analysed.waves is not None or not abs(off) > ENERGY_OFF:
        return []
    return [Note(WARNING, 'differs_from_live', f'the energy recorded live is {live:.1f} J, here it is '
                 f'{same_samples:.1f} J ({100.0 * off:+.2f} %): another boat file, current, wind or convention, '
                 f'{"what is missing of this log, " if len(analysed.log.gaps) else ""}or by thrusts (--actuators)?',
                 {'relative': off})]


def _battery_empty(analysed: AnalysedLog) -> list[Note]:
    """Say when the battery would have been empty, if the log took more than it held."""
    at = analysed.battery_empty_at
    if analysed.boat.battery is None or math.isnan(at):
        return []
    held, after = energy_held(analysed.boat.battery), at - float(analysed.log.time[0])
    return [Note(WARNING, 'battery_empty', f'the battery held {joules(held)} and the log took '
                 f'{joules(analysed.energy.total)}: it would have been empty after {seconds(after)}; another battery '
                 'or charge (--battery, --charge)?', {'held_j': held, 'after_s': after})]


def _side_force(analysed: AnalysedLog) -> list[Note]:
    """Say how large the side force is that no thruster gives: nought, where current, wind and drag are right."""
    share = side_force_share(analysed.energy)
    if analysed.options.convention != 'rep103' or not abs(share) > SIDEWAYS:
        return []
    off = _heading_off(analysed)
    remedy = 'look at heading, current, wind or sway drag' if not abs(off) > LEAST_OFF else (
        f'on courses there and back the boat drifts {abs(math.degrees(off)):.0f} deg to '
        f'{"port" if off > 0.0 else "starboard"} of its heading through the water, which no steady current or wind '
        'does: the heading is off by as much (compass, or its mounting)')
    return [Note(WARNING, 'side_force', f'{100.0 * abs(share):.0f} % of the thrust energy is a side force that no '
                 f'thruster gives: {remedy}', {'relative': share, 'heading_off_deg': math.degrees(off)})]


def _heading_off(analysed: AnalysedLog) -> float:
    """Return the mean drift through the water on courses there and back, rad; 0 where there are none."""
    power = analysed.power
    rows = np.flatnonzero(np.hypot(power.u_r, power.v_r) > UNDER_WAY)
    if not rows.size:
        return 0.0
    drift = np.arctan2(power.v_r[rows], power.u_r[rows])
    found, there_and_back = mean_drift(drift + analysed.motion.yaw[rows], drift)
    return found if there_and_back else 0.0


def _measured_nothing(measured: MeasuredPower) -> Note:
    said, model = f'{measured.measured_energy:.1f} J', f'{measured.model_energy:.1f} J'
    return Note(WARNING, 'measured_nothing', f'the power sensor says {said} where the model says {model}: it does not '
                'measure what the boat takes (its sign, its zero?), and is not compared',
                {'measured_energy_j': measured.measured_energy})


def _measured_partly(measured: MeasuredPower, duration: float) -> list[Note]:
    """Say what a measured energy is not: of all the time, or of what the boat took alone."""
    notes = []
    if not measured.is_whole:
        share = 100.0 * measured.share
        notes.append(Note(WARNING, 'measured_partly', f'the electrical power is known in {share:.1f} % '
                          f'of the time only ({measured.duration:.1f} of {duration:.1f} s): the measured energy is '
                          'of that time, the model\'s beside it, too; nothing is added for the rest',
                          {'share': measured.share, 'duration_s': measured.duration}))
    if measured.is_charged:
        turned = measured.drawn < CHARGED * measured.charged and abs(
            measured.charged - measured.model_energy) < OPEN * measured.charged
        notes.append(Note(WARNING, 'battery_charged', f'the battery was charged with {measured.charged:.1f} J while '
                          f'{measured.drawn:.1f} J were drawn from it: what it gave is not what the boat took, and is '
                          f'not compared with the model{TURNED if turned else ""}',
                          {'charged_j': measured.charged, 'drawn_j': measured.drawn}))
    return notes


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
    energies, duration = steps.trapezoids(measured), float(steps.durations.sum())
    pieces = np.unique(np.floor(analysed.log.time[steps.begins] / CHARGE_STEP), return_inverse=True)[1]
    means = np.bincount(pieces, energies)
    drawn, charged = float(means[means > 0.0].sum()), abs(float(means[means < 0.0].sum()))
    spread = _noise_of(means)
    if charged <= BY_NOISE * _charged_by_noise(means, spread):
        drawn, charged = drawn - charged, 0.0
    return MeasuredPower(
        samples=int(both.sum()), duration=duration, share=duration / (analysed.energy.duration or math.nan),
        drawn=drawn, charged=charged, noise=spread * math.sqrt(means.size),
        model_energy=float((model[steps.ends] * steps.durations).sum()),
        measured_energy=float(energies.sum()),
        mean_error=float(error.mean()), rms_error=float(np.sqrt(np.mean(error * error))),
        r2=1.0 - float(np.mean(error * error)) / variance if variance > 0.0 else math.nan,
        slope=slope, offset=float(measured[both].mean() - slope * model[both].mean()))


def _noise_of(energies: np.ndarray) -> float:
    """Return the noise of energies of successive pieces of time, J, (n,), by their second differences."""
    if energies.size < LEAST_PIECES:
        return 0.0
    return float(np.median(np.abs(np.diff(energies, 2)))) / (OF_MEDIAN * math.sqrt(6.0))


def _charged_by_noise(energies: np.ndarray, spread: float) -> float:
    """Return what a battery that is never charged would seem to be charged with, J, by such noise about the mean."""
    mean = max(float(energies.mean()), 0.0)
    if not spread > 0.0:
        return 0.0
    below = 0.5 * math.erfc(mean / spread / math.sqrt(2.0))
    density = math.exp(-0.5 * (mean / spread) ** 2) / math.sqrt(math.tau)
    return energies.size * (spread * density - mean * below)


def log_title(log: Log) -> str:
    """Return what a log is called: its file's name, or the folder's where all files are named alike."""
    path = log.path.resolve()
    while path.stem in ALIKE or path.name.endswith(('_0.mcap', '_0.db3')):
        path = path.parent
    return path.stem if path.is_file() else path.name


def energy_figures(analysed: AnalysedLog) -> Summary:
    """Return the energy of a log and what it was integrated over."""
    energy, log = analysed.energy, analysed.log
    duration = energy.duration or math.nan
    return without_nan({
        'source': str(log.path), 'name': log_title(log), 'boat': analysed.boat.name,
        **caution_figures(analysed.boat), 'convention': analysed.options.convention,
        'run_by': 'analyze', 'log_duration_s': log.duration, 'log_samples': len(log), 'period_s': log.period,
        'duration_s': energy.duration, 'energy_j': energy.total,
        'energy_integrated_j': energy.total - analysed.estimated[0], 'energy_estimated_j': analysed.estimated[0],
        'estimated_duration_s': analysed.estimated[1],
        **{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES if cause != 'total'},
        **by_load_figures(analysed.boat.load_names, analysed.by_load),
        'distance_over_ground_m': energy.distance_over_ground,
        'distance_through_water_m': energy.distance_through_water, 'energy_per_meter_j_m': energy.energy_per_meter,
        'mean_power_w': energy.total / duration, 'mean_speed_over_ground_m_s': energy.distance_over_ground / duration,
        **{count: getattr(energy, count) for count in COUNTS},
        'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration,
        'legs': [share_figures(leg) for leg in leg_shares(analysed)]})


def report_figures(report: LogReport) -> Summary:
    """Return all figures of a report."""
    analysed, estimate, measured = report.analysed, report.estimate, report.measured
    interval, parameters, trust = report.interval, report.parameters, report.trust
    return {**energy_figures(analysed), **without_nan({
        'state_of_charge_used': analysed.state_of_charge_used, 'battery_empty_at_s': analysed.battery_empty_at,
        'current_source': analysed.flow_sources['current'], 'wind_source': analysed.flow_sources['wind'],
        **{f'{name}_mean_m_s': mean_or_nan(getattr(analysed.flow, name))
           for name in ('current_x', 'current_y', 'wind_x', 'wind_y')},
        'energy_low_j': math.nan if trust.interval is None else trust.interval.low,
        'energy_high_j': math.nan if trust.interval is None else trust.interval.high,
        'verdict': trust.verdict, 'usable': not trust.useless,
        'doubts': [{'doubt': one.name, 'amount': one.amount, 'advice': one.advice,
                    **without_nan({'energy_less_j': one.low, 'energy_more_j': one.high})} for one in trust.doubts],
        'energy_low_by_noise_j': math.nan if interval is None else interval.low,
        'energy_high_by_noise_j': math.nan if interval is None else interval.high,
        'energy_low_by_parameters_j': math.nan if parameters is None else parameters.low,
        'energy_high_by_parameters_j': math.nan if parameters is None else parameters.high,
        'integrated_share': report.integrated_share,
        **sea_figures(analysed.waves),
        'live_energy_j': report.live_energy, 'live_relative': report.live_relative,
        'thruster_energy_j': report.thruster_energy, 'closure_relative': report.closure_relative,
        'thrust_mismatch': None if report.mismatch is None else {
            'surge_relative': report.mismatch.surge, 'yaw_relative': report.mismatch.yaw,
            **{f'{name}_causes': [{'cause': one.words, 'explained': one.explained} for one in causes]
               for name, causes in (('surge', report.mismatch.surge_causes), ('yaw', report.mismatch.yaw_causes))}},
        'numbers_without_std': list(report.without_std),
        'side_force_relative': report.side_force_share,
        'actuators': analysed.actuators.source if analysed.by_thrusts and analysed.actuators else 'cheapest way',
        'allocation_relative': report.allocation_share,
        'current_estimate': None if estimate is None else {
            **dict(zip(('std_x_m_s', 'std_y_m_s'), report.current_stds)), 'knots': int(estimate.knots.size),
            'surge_residual_n': estimate.residual, 'blocks': estimate.blocks},
        'flow_from_side_force': [{
            'name': one.name, **{f'{name}_m_s': value for name, value in one.flow._asdict().items()},
            'evidence': one.evidence, 'sway_scatter_m_s': one.scatter,
            'knots': 1 if one.turning is None else int(one.turning.knots.size)} for one in analysed.explanations],
        'measured': None if measured is None else {
            'samples': measured.samples, 'duration_s': measured.duration, 'share_of_time': measured.share,
            'drawn_energy_j': measured.drawn, 'charged_energy_j': measured.charged,
            'model_energy_j': measured.model_energy,
            'measured_energy_j': measured.measured_energy, 'energy_relative': measured.energy_error,
            'mean_error_w': measured.mean_error, 'rms_error_w': measured.rms_error, 'r2': measured.r2,
            'slope': measured.slope, 'offset_w': measured.offset},
        'hull': hull_figures(report.hull),
        'steady_energy_j': report.steady.energy,
        'what_if': [{'name': one.name, 'energy_j': one.energy, 'duration_s': one.duration, 'change_j': one.change,
                     'change_relative': one.relative, 'beyond_thrust_share': one.beyond} for one in report.changes],
        'notes': [{'level': note.level, 'code': note.code, 'text': note.text} for note in report.notes]})}
