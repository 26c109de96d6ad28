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

from usv_energy.boats.hull_speed import wave_note
from usv_energy.logs.log import Note
from usv_energy.logs.motion.energy_interval import EnergyInterval
from usv_energy.show.text_table import percent
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.current.flow_along_log import ASSUMED_STILL, ESTIMATED, FROM_THRUSTS
from usv_energy.studies.analyze.current.flow_from_sway import SIDEWAYS
from usv_energy.studies.analyze.log_interval import Interval

WIDE = 0.05       # Half width of an interval, as a share of the energy, from which something should be done about it.
WHOLE = 0.98      # Share of the time that should be integrated.
HARDER = 1.5      # Of the mean power, at most, in the time that was not.
# What a boat's file may be off whose numbers have no std, as a share of the energy (95 %): how far the linear and
# quadratic drag nearest to another law is from it, and unequal thrusters from equal ones.
UNSTATED = 0.038
TURNS = 0.08      # What a flow that nobody says does by gusts and tides, besides a steady one, as a share (95 %).
OF_COURSE = 0.11  # What a heading that is the course may be off, as a share of the energy (95 %).
SHOWN = 2         # Numbers without a std that are named.
CLOSED = 0.10     # Share of the thrusters' own work that the model may miss before a closer look.
USELESS = 0.5     # Share of side force or closure from which an energy must not be used.
# Notes on what was put right or left out of a log, and what they are in a list of doubts.
MENDED = {'position_steps': 'steps of the position', 'heading_steps': 'steps of the heading',
          'position_outliers': 'positions not used', 'heading_outliers': 'headings not used',
          'velocity_outliers': 'velocities not used', 'velocity_excursions': 'velocities not used',
          'position_reset': 'resets of the position',
          'heading_reset': 'resets of the heading', 'velocity_reset': 'resets of the velocity'}
MOST_OF_TIME = 99.0  # %, of the samples, whose highest speed is looked at.
LARGEST = (('largest_m', 'm'), ('largest_deg', 'deg'))
MEDIA = {'current': 'water', 'wind': 'air'}
STRAIGHT = ('heading_from_course', 'straight_ahead', 'surge_from_speed')


class Doubt(NamedTuple):
    """
    One reason for doubt.

    `name`: what is doubtful; `low`, `high`: by how much the energy may be less and more, J (95 %), NaN where that has
    no bound, 0 where it does not widen the interval; `amount` and `advice`: in words.
    """

    name: str
    low: float
    high: float
    amount: str
    advice: str


class Evidence(NamedTuple):
    """
    What tells how far the energy of an analysed log is to be trusted.

    `interval`: by noise; `parameters`: by the boat's numbers; `by_flow`: by a flow that nobody says; None where not
    known, or nothing to be known; `notes`: of log, analysis and report; shares, (-), NaN where not known: `closure`, of
    the thrusters' work that the model misses; `side_force`, of the thrust energy; `integrated`, of the time;
    `without_std`: numbers of the boat that move the energy and that have no std.
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

    @property
    def energy(self) -> float:
        """The energy, J."""
        return self.analysed.energy.total


class Trust(NamedTuple):
    """The doubts, the worst first; the interval that they leave, None where one has no bound; the verdict in words."""

    doubts: list[Doubt]
    interval: Interval | None
    verdict: str
    useless: bool


def trust_of(evidence: Evidence) -> Trust:
    """Return how far an energy is to be trusted."""
    energy, flow = evidence.energy, _flow(evidence)
    others = [_motion(evidence), _heading(evidence), _numbers(evidence), _closure(evidence), _side_force(evidence),
              _time(evidence), _drag(evidence), *_mended(evidence.notes)]
    known = [doubt for doubt in others if doubt is not None]
    found = sorted([*known, *([flow] if flow else [])], key=_rank)
    unbounded = next((doubt for doubt in found if math.isnan(doubt.low + doubt.high)), None)
    if wrong := _wrong(evidence):
        return Trust(found, None, f'Not to be used: {wrong}', True)
    if unbounded is not None:
        return Trust(found, None, f'No interval can be given ({unbounded.name}: {unbounded.advice})', False)
    interval, here = _together(energy, found), _together(energy, known)
    words = f'{here.low:.1f} to {here.high:.1f} J ({_about(energy, here.low, here.high)})'
    if flow is None or evidence.analysed.explanations or _by_thrusts(evidence):
        words = f'{interval.low:.1f} to {interval.high:.1f} J ({_about(energy, interval.low, interval.high)})'
        return Trust(found, interval, f'In 95 of 100 cases {words}', False)
    unknown = _unknown(evidence)
    still = ' and '.join(MEDIA[name] for name in unknown)
    usual = f'as usual, {interval.low:.1f} to {interval.high:.1f} J'
    return Trust(found, interval, f'In 95 of 100 cases {words} in still {still}; nobody says the '
                 f'{" and ".join(unknown)}: {usual}', False)


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


def _rank(doubt: Doubt) -> tuple[bool, float]:
    """Return what puts the worst doubt first: no bound, then the widest."""
    size = doubt.low + doubt.high
    return not math.isnan(size), -size if size == size else 0.0


def _wrong(evidence: Evidence) -> str:
    """Return why an energy must not be used; empty if nothing says so."""
    closure, side = evidence.closure, evidence.side_force
    if any(note.code == 'at_rest' for note in evidence.notes):
        return ''
    if abs(closure) > USELESS:
        return (f"what the motion asks of the thrusters is {percent(closure, 0)} off the work of the log's own "
                'thrusts: boat, units, current or the scale of the thrusts are wrong')
    if evidence.analysed.options.convention == 'rep103' and abs(side) > USELESS:
        return (f'{abs(100.0 * side):.0f} % of the thrust energy is a side force that no thruster gives: current, '
                'wind, heading or boat are wrong')
    return ''


def _about(energy: float, low: float, high: float) -> str:
    if not energy > 0.0:
        return f'{low:.1f} to {high:.1f} J'
    return f'{percent(low / energy - 1.0, 1)} to {percent(high / energy - 1.0, 1)}'


def _spread(evidence: Evidence, name: str, low: float, high: float, advice: str) -> Doubt:
    """Return a doubt whose interval is low to high, J; nothing is to be done about a narrow one."""
    energy = evidence.energy
    wide = 0.5 * (high - low) > WIDE * energy
    return Doubt(name, max(energy - low, 0.0), max(high - energy, 0.0), f'{_about(energy, low, high)} (95 %)',
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
    if interval.flows:
        found = _spread(evidence, 'noise, and a flow that nobody says', interval.low, interval.high, '')
        return found._replace(advice='say what current and wind there were: --current, --wind')
    return _spread(evidence, name, interval.low, interval.high, 'record faster; position, velocity and yaw rate')


def _flow(evidence: Evidence) -> Doubt | None:
    """Return the doubt by a current or wind that nobody says and that was taken as still."""
    if evidence.by_flow is None:
        return None
    (low, high), names = evidence.by_flow, _unknown(evidence)
    name = f'{" and ".join(names)}: not said, taken as still'
    if explanations := evidence.analysed.explanations:
        name = f'{explanations[0].name}: not said, found from the sway'
    if _by_thrusts(evidence):
        return _spread(evidence, 'current: not said, found from the thrusts', low, high, 'say it: --current')
    found = _spread(evidence, name, low, high, '')
    turns = TURNS * evidence.energy
    return found._replace(low=math.hypot(found.low, turns), high=math.hypot(found.high, turns),
                          advice='say it: --current, --wind')


def _heading(evidence: Evidence) -> Doubt | None:
    """Return the doubt by a heading that nobody measured."""
    codes = {note.code for note in evidence.notes}
    advice = 'record a heading'
    if 'motion_from_places' in codes:
        off = OF_COURSE * evidence.energy
        return Doubt('heading', off, off, f'of the course, {100.0 * OF_COURSE:.0f} %', advice)
    if codes & set(STRAIGHT):
        return Doubt('heading', math.nan, math.nan, 'the boat is taken to go straight ahead', advice)
    return None


def _numbers(evidence: Evidence) -> Doubt:
    """Return the doubt by the boat's numbers: those with a std, and UNSTATED for all others together."""
    name, interval, missing = 'numbers of the boat', evidence.parameters, evidence.without_std
    off = UNSTATED * evidence.energy
    if interval is None:
        return Doubt(name, off, off, f'taken as right to {100.0 * UNSTATED:g} %',
                     'no std in its file: usv-energy identify')
    found = _spread(evidence, name, interval.low, interval.high, 'identify it from more logs: usv-energy identify')
    if not missing:
        return found
    shown = ', '.join(missing[:SHOWN]) + (f' and {len(missing) - SHOWN} more' if len(missing) > SHOWN else '')
    return found._replace(low=math.hypot(found.low, off), high=math.hypot(found.high, off),
                          amount=f'{found.amount}, and {100.0 * UNSTATED:g} % for those without a std',
                          advice=f'no std of {shown}: usv-energy identify')


def _closure(evidence: Evidence) -> Doubt | None:
    """Return the doubt by the difference of the model to the work of the thrusters, where the log has it."""
    closure = evidence.closure
    if not math.isfinite(closure):
        return None
    energy = evidence.analysed.energy
    off = abs(closure) * max(energy.total - energy.static_load - energy.loads, 0.0)
    advice = 'boat, current or scale of the thrusts' if abs(closure) > CLOSED else 'small'
    return Doubt("motion against the thrusters' own work", off, off, percent(closure, 1), advice)


def _side_force(evidence: Evidence) -> Doubt:
    name, share = 'side force that no thruster gives', evidence.side_force
    if evidence.analysed.options.convention != 'rep103':
        return Doubt(name, 0.0, 0.0, '-', 'as_published takes it for propulsion')
    large, found = abs(share) > SIDEWAYS, evidence.analysed.explanations
    advice = 'look at current, wind or sway drag' if large else 'current, wind and sway drag fit'
    if found and not large:
        advice = f'a {found[0].name} was found from it: say what there was (--{found[0].name})'
    off = abs(share) * evidence.energy if large else 0.0
    amount = percent(share, 1) + ('' if share != share else ' of the thrust')
    return Doubt(name, off, off, amount, advice)


def _time(evidence: Evidence) -> Doubt:
    """Return the doubt by time that was not integrated: at the mean power, and half as much again."""
    share = evidence.integrated
    missing = HARDER * (1.0 / share - 1.0) * evidence.energy if share > 0.0 else 0.0
    return Doubt('time that was integrated', 0.0, missing, '-' if share != share else f'{100.0 * share:.1f} %',
                 'whole' if share >= WHOLE else 'look at the holes; --max-gap bridges longer ones')


def _drag(evidence: Evidence) -> Doubt | None:
    """Return the doubt by speeds at which the hull makes waves that the boat's file does not know."""
    speeds = np.abs(evidence.analysed.power.u_r)
    known = speeds[np.isfinite(speeds)]
    fast = float(np.percentile(known, MOST_OF_TIME)) if known.size else math.nan
    if not wave_note(evidence.analysed.boat, fast):
        return None
    return Doubt('drag of a hull that makes waves', 0.0, 0.0, f'up to {fast:.2f} m/s', 'damping.wave in the boat file, '
                 'or identify at these speeds')


def _mended(notes: Iterable[Note]) -> list[Doubt]:
    """Return what was taken out of a log, as doubts that do not widen the interval."""
    found = []
    for note in notes:
        if note.code in MENDED:
            count = note.figures.get('steps', note.figures.get('samples', 1))
            sizes = [f', up to {note.figures[key]:.3g} {unit}' for key, unit in LARGEST if key in note.figures]
            found.append(Doubt(MENDED[note.code], 0.0, 0.0, f'{count:g}{"".join(sizes)}', 'see the note'))
    return found
