"""
How far an energy is to be trusted: one list of doubts, the interval that they leave together, and a verdict.

Every output (terminal, page, JSON) has this list. A doubt says by how much the energy may be off for its reason alone
(95 %), and what to do about it; independent doubts are added as squares. Where one of them has no bound, there is no
interval, and the verdict says which.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_remarks import wave_note
from usv_energy.logs.log import Note
from usv_energy.logs.motion.energy_interval import EnergyInterval
from usv_energy.physics.sampling import longest_interval
from usv_energy.show.text_table import joules, joules_range, percent, seconds
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.current.flow_along_log import ASSUMED_STILL, ESTIMATED, FROM_THRUSTS
from usv_energy.studies.analyze.current.unknown_flow import PRIOR
from usv_energy.studies.analyze.doubts import (
    CLOSED,
    NUMBERS,
    RESIDUAL,
    SIDE_FORCE,
    WIDE,
    Doubt,
    closure_doubt,
    estimated_doubt,
    held_flow_doubt,
    measured_doubt,
    not_said,
    numbers_doubt,
    off_by_speed,
    ranked,
    side_force_doubt,
    time_doubt,
    unstated_share,
)
from usv_energy.studies.analyze.log_actuators import in_doubt, time_to_slow
from usv_energy.studies.analyze.log_interval import (
    WANDER_SPAN,
    Interval,
    ground_speed,
    holds_place,
    wander_of_places,
)
from usv_energy.studies.analyze.thrust_mismatch import LikelyCause, Mismatch

# What gusts and tides of a flow that nobody says do, besides a steady one, as a share of the energy (95 %): so often
# the scatter of the sway that the likeliest steady one leaves, over the speed; and where the sway tells nothing.
TURNS, UNSEEN_TURNS = 3.0, 0.15
# What a heading that is the course may be off (95 %): as a share of the energy, and of that which the boat took beyond
# the steady way, since the course tells least of the heading in turns and at low speed.
OF_COURSE, OF_TURNS = 0.02, 0.75
# How often the share of the speed by which such places wander may be made of the energy: up to 3 times, where fixes of
# twins wandered by 0.3 m in 10 s to 2 m in two minutes; share from which the verdict says so.
OF_WANDER, WANDERS = 3.0, 0.02
# What smoothing such places takes away, as a share of the energy for each s between them, up to so many s.
LOST, LONGEST_LOST = 0.036, 3.0
OF_COARSE, LONGEST_COARSE = 0.025, 5.0  # Likewise of places in coarse steps, for each s from step to step.
UNUSUAL = 3.0     # Times a usual current or wind, from which it explains thrusts beyond the limits by their unit.
LITTLE = 0.02     # Share of the energy that a flow that nobody says may change without a word in the verdict.
OFF_THERE = 1.05  # Times what the motion asks for where thrusts are in doubt: this is off itself.
DRIFTS, IDLE = 0.1, 0.01  # Share of the time in which a boat drifts; of its largest thrust, which is none.
USELESS = 0.5     # Share of side force or closure from which an energy must not be used.
UNSURE = 1.0      # Half the width of the interval that noise leaves, as a share of the energy, from which likewise.
BEYOND = 2.0      # Times what all thrusters give together, from which on a mean thrust is impossible.
FACTOR = 2.0      # Between the model's energy and the measured one, from which it must not be used.
# Notes on what was put right or left out of a log, and what they are in a list of doubts.
MENDED = {'position_steps': 'steps of the position', 'heading_steps': 'steps of the heading',
          'position_outliers': 'positions not used', 'heading_outliers': 'headings not used',
          'velocity_outliers': 'velocities not used', 'velocity_excursions': 'velocities not used',
          'series_frozen': 'values that stand still', 'series_not_begun': 'values before the first',
          'velocity_zero': 'velocities of 0 under way', 'heading_held': 'headings that stand still in a turn',
          'position_reset': 'resets of the position', 'position_held': 'positions that stand still under way',
          'coarse_places': 'positions in coarse steps',
          'clock_set_forward': 'clock set forward',
          'heading_wanders': 'heading that wanders at rest',
          'heading_reset': 'resets of the heading', 'velocity_reset': 'resets of the velocity'}
ADDED = 0.33      # Share of what a wrong heading may take away that it may add: beside the course, turns take more.
WANDERING = 'places that wander'
MOST_OF_TIME = 99.0  # %, of the samples, whose highest speed is looked at.
COUNTED = ('steps', 'samples', 'stretches')
LARGEST = (('largest_m', 'm'), ('largest_deg', 'deg'), ('largest_s', 's'))
MEDIA = {'current': 'water', 'wind': 'air'}
# Notes on series that contradict each other, of which the energy may be many times too large.
MISLEADING = ('speed_unit', 'mixed_frames', 'velocity_world', 'velocity_world_ned', 'surge_sign', 'sway_sign',
              'yaw_from_north')
STRAIGHT = ('heading_from_course', 'straight_ahead', 'surge_from_speed')


class Evidence(NamedTuple):
    """
    What tells how far the energy of an analysed log is to be trusted.

    `interval`: by noise; `parameters`: by the boat's numbers; `by_flow`: by a flow that nobody says; None where not
    known, or nothing to be known; `notes`: of log, analysis and report; shares, (-), NaN where not known: `closure`, of
    the thrusters' work that the model misses; `side_force`, of the thrust energy; `integrated`, of the time;
    `without_std`: numbers of the boat that move the energy and that have no std; `mismatch`: why thrusts and motion
    differ; `measured`: electrical energy, J, and `over_measured`, by which share the model's exceeds it; NaN: none;
    `steady`: energy of the way taken as steady motion, J; `estimated_off`: what the energy may be off for what was
    estimated of it where motion or flow is not known, J; `by_water_speed`: by the scale of a speed through the water;
    `by_heading`: by a heading that was set anew in gaps.
    """

    analysed: AnalysedLog
    interval: EnergyInterval | None
    parameters: Interval | None
    by_flow: Interval | None
    notes: Sequence[Note]
    closure: float
    side_force: float
    integrated: float
    without_std: tuple[str, ...] = ()
    mismatch: Mismatch | None = None
    measured: float = math.nan
    over_measured: float = math.nan
    steady: float = math.nan
    estimated_off: float = 0.0
    by_water_speed: Interval | None = None
    by_heading: Interval | None = None

    @property
    def energy(self) -> float:
        """The energy, J."""
        return self.analysed.energy.total

    @property
    def at_rest(self) -> bool:
        """Whether the boat did not move, and no thrusts tell what it took all the same."""
        return not self.analysed.by_thrusts and any(note.code == 'at_rest' for note in self.notes)

    @property
    def holds_place(self) -> bool:
        """Whether the boat hardly moved in a current that nobody says, which may be most of what it took."""
        return (self.by_flow is not None and self.by_flow.high > FACTOR * self.energy
                and not math.isfinite(self.over_measured) and holds_place(self.analysed))

    @property
    def residual(self) -> float:
        """Work of the thrusters beyond what the motion asks of them together, as a share of it, (-); NaN: not known."""
        return math.nan if self.mismatch is None else self.mismatch.net


class Trust(NamedTuple):
    """
    The doubts, the worst first; the interval that they leave, None where one has no bound; the verdict in words.

    `useless`: the energy must not be used; `impossible`: nor shown, since the boat's thrusters cannot give it.
    """

    doubts: list[Doubt]
    interval: Interval | None
    verdict: str
    useless: bool
    impossible: bool = False


def trust_of(evidence: Evidence) -> Trust:
    """Return how far an energy is to be trusted."""
    energy, flow, wander = evidence.energy, _flow(evidence), _wander_share(evidence)
    others = [_motion(evidence), _heading(evidence), _numbers(evidence), _closure(evidence), _side_force(evidence),
              _measured(evidence), _time(evidence), _estimated(evidence), _bridged(evidence), _held_flow(evidence),
              _drag(evidence), _clock(evidence), _wander(evidence, wander), _water_speed(evidence),
              _in_doubt(evidence), *_gaps(evidence), *_mended(evidence)]
    known = [doubt for doubt in others if doubt is not None]
    found = ranked([*known, flow])
    unbounded = next((doubt for doubt in found if math.isnan(doubt.low + doubt.high)), None)
    if evidence.holds_place and not evidence.at_rest:
        interval = None if unbounded is not None else _together(energy, found)
        return Trust(found, interval, _place_words(evidence), True)
    if wrong := _wrong(evidence):
        return Trust(found, None, f'Not to be used: {wrong}', True, bool(_impossible(evidence)))
    if unbounded is not None:
        return Trust(found, None, f'No interval can be given ({unbounded.name}: {unbounded.advice})'
                     f'{_mismatch_words(evidence)}', False)
    interval, here = _together(energy, found), _together(energy, known)
    if evidence.at_rest:
        return Trust(found, interval, _rest_words(evidence, interval), False)
    words = f'{joules_range(here.low, here.high)} ({_about(evidence, here.low, here.high)})'
    ends = _mismatch_words(evidence) + _wander_words(wander)
    found_it = evidence.analysed.explanations or _by_thrusts(evidence)
    if flow is None or found_it or flow.low + flow.high < LITTLE * energy:
        words = f'{joules_range(interval.low, interval.high)} ({_about(evidence, interval.low, interval.high)})'
        return Trust(found, interval, f'In 95 of 100 cases {words}{ends}', False)
    unknown = _unknown(evidence)
    still = ' and '.join(MEDIA[name] for name in unknown)
    usual = f'as usual, {joules_range(interval.low, interval.high)}'
    return Trust(found, interval, f'In 95 of 100 cases {words} in still {still}; nobody says the '
                 f'{" and ".join(unknown)}: {usual}{ends}', False)


def _rest_words(evidence: Evidence, interval: Interval) -> str:
    """Return what the energy of a boat is that stays where it is."""
    energy = evidence.analysed.energy
    idle = energy.static_load + energy.loads
    words = (f'At rest: {joules(idle)} are hotel load and loads, and {joules(energy.total - idle)} more are noise and '
             'drift, or what it takes to stay')
    if _unknown(evidence):
        return f'{words}; in a usual current and wind that is up to {joules(interval.high)} in all'
    return f'{words}; in 95 of 100 cases {joules_range(interval.low, interval.high)} in all'


def _place_words(evidence: Evidence) -> str:
    """Return why the energy must not be used of a boat that holds its place in a flow that nobody says."""
    media = sorted({*_unknown(evidence), *(one.name for one in evidence.analysed.explanations[:1])})
    high = math.nan if evidence.by_flow is None else evidence.by_flow.high
    return (f'Not to be used: it holds its place ({ground_speed(evidence.analysed):.2f} m/s over ground), and nobody '
            f'says against which {" and ".join(media)}: as usual, up to {joules(high)}; say it: '
            f'{", ".join(f"--{name}" for name in media)}')


def _mismatch_words(evidence: Evidence) -> str:
    """Return that the log's thrusts and its motion do not fit, and why, as the end of a verdict; empty if they do."""
    cause = _cause(evidence)
    return f'. Thrusts and motion do not fit: {cause}' if cause else ''


def _cause(evidence: Evidence) -> str:
    """Return why a log's thrusts and its motion differ; empty where they do not, or nothing is known of it."""
    mismatch, closure = evidence.mismatch, evidence.closure
    if mismatch is None or not (abs(mismatch.net) > RESIDUAL or abs(closure) > CLOSED):
        return ''
    parts, of_yaw = [], abs(mismatch.yaw) > abs(mismatch.surge)
    if abs(mismatch.net) > RESIDUAL:
        why = mismatch.yaw_causes if of_yaw else mismatch.surge_causes
        parts.append(f'{percent(mismatch.net, 0)} of the work is left over, {_causes(why)}')
    if abs(closure + mismatch.net) > 0.5 * CLOSED and not (parts and of_yaw):
        parts.append(f'the motion asks for other moments about the vertical, {_causes(mismatch.yaw_causes)}')
    return '; '.join(parts)


def _causes(causes: Sequence[LikelyCause]) -> str:
    if not causes:
        return 'and neither boat, thrusts nor a steady current alone explains that'
    return 'as by ' + ', or by '.join(cause.words for cause in causes)


def _unknown(evidence: Evidence) -> list[str]:
    """Return which flows were taken as still since nobody says them."""
    return [name for name, source in evidence.analysed.flow_sources.items() if source == ASSUMED_STILL]


def _by_thrusts(evidence: Evidence) -> bool:
    """Return whether the current was found from the log's thrusts, as it turned."""
    return evidence.analysed.flow_sources['current'] == FROM_THRUSTS


def _together(energy: float, doubts: Iterable[Doubt]) -> Interval:
    """Return the interval that independent doubts leave about an energy, J."""
    doubts = list(doubts)
    low, high = (math.sqrt(sum(getattr(doubt, side) ** 2 for doubt in doubts)) for side in ('low', 'high'))
    return Interval(max(energy - low, 0.0), energy + high)


def _wrong(evidence: Evidence) -> str:
    """Return why an energy must not be used; empty if nothing says so."""
    closure, side = evidence.closure, evidence.side_force
    if any(note.code == 'at_rest' for note in evidence.notes):
        return ''
    if not 1.0 / FACTOR < 1.0 + evidence.over_measured < FACTOR and math.isfinite(evidence.over_measured):
        return (f'{joules(evidence.measured)} were measured where the model says {1.0 + evidence.over_measured:.3g} '
                'times as much: boat, its losses, units or the sensor are wrong')
    if abs(closure) > USELESS:
        return (f"what the motion asks of the thrusters is {percent(closure, 0)} off the work of the log's own "
                f'thrusts: {_cause(evidence) or "boat, units, current or the scale of the thrusts are wrong"}')
    if words := _impossible(evidence):
        return words
    if evidence.analysed.options.convention == 'rep103' and abs(side) > USELESS:
        return (f'{abs(100.0 * side):.0f} % of the thrust energy is a side force that no thruster gives: current, '
                'wind, heading or boat are wrong')
    notes, noise = {note.code: note for note in evidence.notes}, evidence.interval
    if noise is not None and noise.high - noise.low > 2.0 * UNSURE * evidence.energy:
        return (f'noise, and what happens between samples, leave {joules_range(noise.low, noise.high)}: times, places '
                'or headings are too coarse')
    if 'period' in notes and 'times_repeated' in notes:
        return (f'{notes["times_repeated"].figures["rows"]:.0f} rows have the time of another, and the others are '
                f'{evidence.analysed.log.period:.3g} s apart: the times have too few digits')
    if _by_thrusts(evidence) and 'thrusts_beyond_limits' in notes:
        flow = [float(np.nanmean(one)) for one in evidence.analysed.flow]
        if max(math.hypot(*flow[at:at + 2]) / float(PRIOR[at]) for at in (0, 2)) > UNUSUAL:
            return ('thrusts are beyond what the boat can give, and only a current or wind that is more than '
                    f'{UNUSUAL:g} times a usual one explains the others: look at their unit, or say the flow')
    if 'motion_not_estimated' in notes and (found := next((code for code in MISLEADING if code in notes), None)):
        return f'the log contradicts itself: {notes[found].text}'
    return ''


def _impossible(evidence: Evidence) -> str:
    """Return that the motion asks for far more than the thrusters can give; empty if it does not."""
    analysed = evidence.analysed
    energy, thrusters, steps = analysed.energy, analysed.boat.vessel.thrusters, analysed.integral
    most = sum(max(one.max_thrust, -one.min_thrust) for one in thrusters)
    turned = float(np.nansum(np.abs(analysed.motion.r[steps.ends]) * steps.durations))
    way = energy.distance_through_water + turned * max((math.hypot(one.x, one.y) for one in thrusters), default=0.0)
    if way > 0.0 and thrusters and energy.thrust > BEYOND * most * way:
        return (f'the motion asks for {energy.thrust / way:.3g} N of thrust on average, and all thrusters give at most '
                f'{most:.3g} N: times, places, units or boat are wrong')
    return ''


def _about(evidence: Evidence, low: float, high: float) -> str:
    """Return an interval in per cent of the energy; in J where that is no more than noise."""
    energy = evidence.energy
    if not energy > 0.0 or evidence.at_rest or evidence.holds_place:
        return joules_range(low, high)
    return f'{percent(low / energy - 1.0, 1)} to {percent(high / energy - 1.0, 1)}'


def _spread(evidence: Evidence, name: str, low: float, high: float, advice: str) -> Doubt:
    """Return a doubt whose interval is low to high, J; nothing is to be done about a narrow one."""
    energy = evidence.energy
    wide = 0.5 * (high - low) > WIDE * energy
    return Doubt(name, max(energy - low, 0.0), max(high - energy, 0.0), f'{_about(evidence, low, high)} (95 %)',
                 advice if wide else 'small')


def _motion(evidence: Evidence) -> Doubt:
    """Return the doubt by noise and by what happens between samples."""
    name, interval = 'noise, and what happens between samples', evidence.interval
    if interval is None and any(note.code == 'motion_from_places' for note in evidence.notes):
        return Doubt(name, 0.0, 0.0, 'with that of the heading', 'small')
    if interval is None:
        recorded = evidence.analysed.options.motion != ESTIMATED
        return Doubt(name, math.nan, math.nan, 'not known', 'leave out --motion recorded' if recorded else
                     'no estimate of the motion: see the notes')
    if interval.waves:
        return _spread(evidence, 'waves, and what happens between samples', interval.low, interval.high,
                       "parts in the boat's file; heave, roll and pitch in the log")
    return _spread(evidence, name, interval.low, interval.high, 'record faster; position, velocity and yaw rate')


def _flow(evidence: Evidence) -> Doubt | None:
    """Return the doubt by a current or wind that nobody says and that was taken as still."""
    if evidence.by_flow is None:
        return None
    (low, high), names = evidence.by_flow, _unknown(evidence)
    name = not_said(names)
    if explanations := evidence.analysed.explanations:
        name = f'{explanations[0].name}: not said, found from the sway'
    if found := [name for name, source in evidence.analysed.flow_sources.items() if source == FROM_THRUSTS]:
        still = next((note.figures['energy_still_j'] for note in evidence.notes if 'energy_still_j' in note.figures),
                     math.nan)
        if 'wind' in _unknown(evidence) and _drifts(evidence.analysed) and math.isfinite(still):
            less, more = evidence.energy - low, high - evidence.energy   # The current may stand for leeway.
            low, high = min(low, still - less), max(high, still + more)
        return _spread(evidence, f'{" and ".join(found)}: not said, found from the thrusts', low, high,
                       f'say it: {", ".join(f"--{name}" for name in found)}')
    energy, turns = evidence.energy, _turning(evidence) * evidence.energy * (1.0 - _share_of_thrusts(evidence))
    below, above = (math.hypot(max(one, 0.0), turns) for one in (energy - low, high - energy))
    return _spread(evidence, name, max(energy - below, 0.0), energy + above, '')._replace(
        advice='say it: --current, --wind')


def _in_doubt(evidence: Evidence) -> Doubt | None:
    """Return the doubt by thrusts of 0 under way: that the boat was towed there, or that their stream was not there."""
    note = next((note for note in evidence.notes if note.code in ('thrusts_late', 'thrusts_silent')), None)
    analysed = evidence.analysed
    if note is None or not analysed.by_thrusts:
        return None
    steps, power = analysed.integral, analysed.power
    assert analysed.actuators is not None
    scale = 1.0 + analysed.energy.losses / max(analysed.energy.thrust, 1e-9)
    known, doubted = analysed.actuators.known, in_doubt(analysed.log)
    work = doubted * np.where(known, scale * analysed.given, power.total - power.static_load - power.loads)
    work = OFF_THERE * np.maximum(work, 0.0)
    low, high = (float((work * there)[steps.ends] @ steps.durations) for there in (~known, known))
    return Doubt('thrusts of 0 under way', low, high, joules(low + high), 'was it towed? See the note')


def _drifts(analysed: AnalysedLog) -> bool:
    """
    Return whether all thrusters of a log stand still for DRIFTS of the time in which their thrusts are known.

    Only for longer than the boat coasts: between pulses it does not drift.
    """
    if analysed.actuators is None or not analysed.actuators.known.any():
        return False
    idle = [np.abs(given) < IDLE * max(one.max_thrust, -one.min_thrust)
            for given, one in zip(analysed.actuators.thrusts, analysed.boat.vessel.thrusters) if given is not None]
    known, time = analysed.actuators.known, analysed.log.time
    coasts = time_to_slow(float(np.nanmedian(np.abs(analysed.power.u_r))), analysed.boat.vessel)
    edges = np.flatnonzero(np.diff((np.all(idle, axis=0) & known).astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
    rests = sum(end - begin for begin, end in edges.tolist() if time[end - 1] - time[begin] > coasts)
    return bool(rests > DRIFTS * np.count_nonzero(known))


def _turning(evidence: Evidence) -> float:
    """Return what a change of a flow that nobody says may be of the energy, as a share of it, (-)."""
    left = evidence.analysed.open_flow
    speeds = np.abs(evidence.analysed.power.u_r)
    known = speeds[np.isfinite(speeds)]
    if left is None or not math.isfinite(left.scatter) or not known.any():
        return UNSEEN_TURNS
    return TURNS * left.scatter / float(known.mean())


def _share_of_thrusts(evidence: Evidence) -> float:
    """Return the share of the samples whose power is that of the log's own thrusts, (-)."""
    analysed = evidence.analysed
    return float(analysed.actuators.known.mean()) if analysed.by_thrusts and analysed.actuators else 0.0


def _heading(evidence: Evidence) -> Doubt | None:
    """Return the doubt by a heading that nobody measured."""
    codes = {note.code for note in evidence.notes}
    advice = 'record a heading'
    if 'motion_from_places' in codes:
        energy = evidence.energy
        turns = abs(energy - evidence.steady) if math.isfinite(evidence.steady) else energy
        off, log = OF_COURSE * energy + OF_TURNS * turns, evidence.analysed.log
        lost = LOST * min(log.period, LONGEST_LOST) * energy
        return Doubt('heading', off, off + lost, f'of the course; turns take {joules(turns)}', advice)
    if codes & set(STRAIGHT):
        return Doubt('heading', math.nan, math.nan, 'the boat is taken to go straight ahead', advice)
    return None


def _numbers(evidence: Evidence) -> Doubt:
    """Return the doubt by the boat's numbers."""
    interval = evidence.parameters
    found = None if interval is None else _spread(evidence, NUMBERS, interval.low, interval.high,
                                                  'identify it from more logs: usv-energy identify')
    left = evidence.analysed.open_flow
    return numbers_doubt(evidence.energy, found, evidence.without_std, _unstated(evidence.analysed),
                         _share_of_thrusts(evidence), left is not None and left.leg_by_leg)


def _driven(analysed: AnalysedLog) -> np.ndarray:
    """Return the energy that drives the boat in each step of the integral, J."""
    power, steps = analysed.power, analysed.integral
    driven: np.ndarray = np.maximum(power.total - power.static_load - power.loads, 0.0)[steps.ends] * steps.durations
    return driven


def _unstated(analysed: AnalysedLog) -> float:
    """Return what the energy may be off by numbers of the boat without std, as a share of it, (-)."""
    power, ends, driven = analysed.power, analysed.integral.ends, _driven(analysed)
    known = np.isfinite(driven + power.u_r[ends])
    idle = analysed.energy.static_load + analysed.energy.loads
    return unstated_share(off_by_speed(power.u_r[ends][known], driven[known]), idle, analysed.energy.total)


def _closure(evidence: Evidence) -> Doubt | None:
    """Return the doubt by the difference of the model to the work of the thrusters, where the log has it."""
    energy = evidence.analysed.energy
    return closure_doubt(energy.total, energy.total - energy.static_load - energy.loads, evidence.closure,
                         evidence.residual, bool(_cause(evidence)))


def _side_force(evidence: Evidence) -> Doubt:
    if evidence.analysed.options.convention != 'rep103':
        return Doubt(SIDE_FORCE, 0.0, 0.0, '-', 'as_published takes it for propulsion')
    found = evidence.analysed.explanations
    return side_force_doubt(evidence.energy, evidence.side_force, found[0].name if found else '')


def _measured(evidence: Evidence) -> Doubt | None:
    return measured_doubt(evidence.energy, evidence.over_measured, evidence.measured)


def _time(evidence: Evidence) -> Doubt:
    return time_doubt(evidence.energy, evidence.integrated, 'look at the holes; --max-gap bridges longer ones')


def _estimated(evidence: Evidence) -> Doubt | None:
    return estimated_doubt(*evidence.analysed.estimated, evidence.estimated_off)


def _water_speed(evidence: Evidence) -> Doubt | None:
    """Return the doubt by the scale of the speed through the water that tells the current."""
    return None if evidence.by_water_speed is None else _spread(
        evidence, 'scale of the speed through the water', *evidence.by_water_speed, 'opposite courses, or --current')


def _bridged(evidence: Evidence) -> Doubt | None:
    """Return the doubt by longer holes than the samples' own that --max-gap bridges: all that each of them takes."""
    analysed, energy = evidence.analysed, evidence.analysed.energy
    log, steps, durations = analysed.log, analysed.integral, analysed.integral.durations
    bridged = (durations > longest_interval(log.period)) & (durations <= log.max_gap)
    if not bridged.any():
        return None
    time = durations[bridged]
    energies = analysed.power.total[steps.ends[bridged]] * time
    whole, lasting = float(energies.sum()), float(time.sum())
    mean = (energy.total - whole) / max(energy.duration - lasting, float(time.min()))
    off = math.sqrt(float((np.maximum(np.abs(energies), mean * time) ** 2).sum()))
    return Doubt('holes bridged by --max-gap', off, off, f'{joules(whole)} in {seconds(lasting)}',
                 'cut the file at its holes')


def _held_flow(evidence: Evidence) -> Doubt | None:
    energy = evidence.analysed.energy
    return held_flow_doubt(energy.total, energy.stale_duration / energy.duration if energy.duration else 0.0)


def _drag(evidence: Evidence) -> Doubt | None:
    """Return the doubt by speeds at which the hull makes waves that the boat's file does not know."""
    speeds = np.abs(evidence.analysed.power.u_r)
    known = speeds[np.isfinite(speeds)]
    fast = float(np.percentile(known, MOST_OF_TIME)) if known.size else math.nan
    if not wave_note(evidence.analysed.boat, fast):
        return None
    return Doubt('drag of a hull that makes waves', 0.0, 0.0, f'up to {fast:.2f} m/s', 'damping.wave in the boat file, '
                 'or identify at these speeds')


def _clock(evidence: Evidence) -> Doubt | None:
    """Return the doubt by positions that do not change as fast as the velocities over the stamps say; None: they do."""
    note = next((note for note in evidence.notes if note.code == 'pace'), None)
    if note is None:
        return None
    off = note.figures['off_relative'] * evidence.energy
    fast = note.figures['factor'] < 1.0
    return Doubt('clock against velocities', 0.0 if fast else off, off if fast else 0.0,
                 f'{percent(note.figures["factor"] - 1.0, 1)}', 'see the note: compare the stamps with another clock')


def _wander(evidence: Evidence, share: float) -> Doubt | None:
    """Return the doubt by places and velocities that wander from each other, or by places alone that wander."""
    if share > 0.0:
        energy = evidence.analysed.energy
        moving = (energy.total - energy.static_load - energy.loads) * (1.0 - _share_of_thrusts(evidence))
        return Doubt(WANDERING, min(OF_WANDER * share, 1.0) * moving, 0.0, f'the speed varies by {100.0 * share:.2g} %',
                     'record velocities or a heading; a better receiver' if share > WANDERS else 'small')
    found = next((note.figures for note in evidence.notes if note.code == 'places_wander'), None)
    if found is None:
        return None
    off = found['off_relative'] * evidence.energy
    return Doubt('places against velocities', off, off, f'they wander by {found["velocity_m_s"]:.2g} m/s',
                 'a better receiver, or leave the worse of both out')


def _wander_share(evidence: Evidence) -> float:
    """Return the share of the speed by which places without a heading wander, (-); 0 where they do not."""
    if all(note.code != 'motion_from_places' for note in evidence.notes):
        return 0.0
    wander, speed = wander_of_places(evidence.analysed), ground_speed(evidence.analysed)
    return wander / speed if wander > 0.0 < speed else 0.0


def _wander_words(share: float) -> str:
    """Return that places wander and that this was taken for motion, as the end of a verdict; empty if they do not."""
    return (f'. The places wander ({100.0 * share:.0f} % of the speed within {WANDER_SPAN:g} s), which was '
            'taken for motion and may be none: a receiver, or waves' if share > WANDERS else '')


def _gaps(evidence: Evidence) -> list[Doubt]:
    """Return the doubts by a heading that was, or may have been, set anew in gaps; a wrong one takes energy away."""
    found, energy = [], evidence.energy
    for note in evidence.notes:
        amount = f'{note.figures.get("steps")}, up to {note.figures.get("largest_deg", 0.0):.3g} deg'
        if note.code == 'heading_steps_in_gaps' and evidence.by_heading is not None:
            low, high = evidence.by_heading
            found.append(Doubt('steps of the heading in gaps', energy - low, high - energy, amount, 'see the note'))
        if note.code == 'heading_changes_in_gaps':
            off = note.figures['off_relative'] * energy
            found.append(Doubt('heading across gaps', ADDED * off, off, amount, 'see the note'))
    return found


def _mended(evidence: Evidence) -> list[Doubt]:
    """
    Return what was taken out of a log, as doubts; only coarse steps widen the interval.

    They cut corners, and the boat may have rested on the way within the first and the last of them.
    """
    found = []
    for note in evidence.notes:
        if note.code in MENDED:
            count = next((note.figures[key] for key in COUNTED if key in note.figures), 1)
            sizes = [f', up to {note.figures[key]:.3g} {unit}' for key, unit in LARGEST if key in note.figures]
            period = note.figures.get('step_m', 0.0) / max(ground_speed(evidence.analysed), 1e-9)
            rested = _driven_outside(evidence.analysed, note.figures.get('first_s', -math.inf),
                                     note.figures.get('last_s', math.inf))
            found.append(Doubt(MENDED[note.code], rested, OF_COARSE * min(period, LONGEST_COARSE) * evidence.energy,
                               f'{count:g}{"".join(sizes)}', 'see the note'))
    return found


def _driven_outside(analysed: AnalysedLog, first: float, last: float) -> float:
    """Return the energy that drives the boat before one time and after another, J."""
    driven, time = _driven(analysed), analysed.log.time[analysed.integral.ends]
    return float(np.nansum(driven[(time < first) | (time > last)]))
