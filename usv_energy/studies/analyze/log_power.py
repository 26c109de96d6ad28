"""
Power along a log, step by step: between its samples, or between finer times where an estimate fills them in.

What loads that vary took, each by itself: by time, by speed, by leg.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import HOLD_AT, rules_with_names, share_of, unmatched_legs
from usv_energy.boats.vessel import Vessel
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.motion.motion_estimate import MotionEstimate
from usv_energy.logs.quality import at_once
from usv_energy.physics.motion import Flow, Motion, Relative, WaveAction
from usv_energy.powering.energy import CAUSES, IntegratedSteps, places_as_slice, steps_between
from usv_energy.powering.loads import mean_load_powers
from usv_energy.powering.measured_power import (
    MeasuredActuators,
    mean_power_by_known_foils,
    measured_mean_power,
    middle_of_measured,
)
from usv_energy.powering.power import CONVENTIONS, Power
from usv_energy.sim.control.autopilot import SAME_TIME
from usv_energy.studies.analyze.log_actuators import LogActuators
from usv_energy.thrusters.drive import powers_of_thrusts

CHUNK = 1 << 16           # Samples computed together: what they need then stays in the processor's cache.
FINE = 0.05               # s: an estimate is integrated over steps no longer than this.
FINER_PIECE = 1 << 16     # Samples between which such steps are made together: of a long log all at once need 0.6 GB.
MOST_FINE = 2_000_000     # Such steps; a log of a day has as many.
MOST_PARTS = 200          # Of a step between samples; the motion in between is a polynomial.


def relative_motion(motion: Motion, flow: Flow, convention: str) -> Relative:
    """Return the Relative at every sample."""
    n = motion.u.size
    relative = Relative(*(np.empty(n) for _ in Relative._fields))

    def fill(piece: slice) -> None:
        part = CONVENTIONS[convention].relative(Motion(*(values[piece] for values in motion)),
                                                Flow(*(values[piece] for values in flow)))
        for whole, values in zip(relative, part):
            whole[piece] = values

    with np.errstate(invalid='ignore'):
        at_once(fill, pieces(n), n)
    return relative


def mean_power(relative: Relative, steps: IntegratedSteps, boat: Boat, convention: str,
               setting: MeasuredActuators | None = None, held: bool = False, waves: WaveAction | None = None) -> Power:
    """
    Return the Power at every sample: the mean of the step that ends there, NaN where none does.

    Computed in pieces: a million steps at once would need a gigabyte.

    :param setting: What the actuators did at every sample, NaN where not known; None where nothing is.
    :param held: It holds from each sample on, as a command does.
    :param waves: The WaveAction at every sample; None where no sea is known.
    """
    power = Power(**{cause: np.empty(relative.u_r.size) for cause in CAUSES}, u_r=relative.u_r, v_r=relative.v_r,
                  r=relative.r)
    without = np.ones(relative.u_r.size, dtype=bool)
    without[places_as_slice(steps.ends)] = False
    for cause in CAUSES:
        getattr(power, cause)[without] = np.nan

    def fill(piece: slice) -> None:
        begins, ends = places_as_slice(steps.begins[piece]), places_as_slice(steps.ends[piece])
        before, now = (Relative(*(values[places] for values in relative)) for places in (begins, ends))
        middle = None
        if setting is not None:
            begin, end = _rows(setting, begins), _rows(setting, ends)
            middle = begin if held else middle_of_measured(begin, end)
        pushed = None if waves is None else WaveAction(*(_between(one, begins, ends) for one in waves))
        part = power_of_steps(before, now, steps.durations[piece], boat.vessel, convention, middle, pushed)
        for cause in CAUSES:
            getattr(power, cause)[ends] = getattr(part, cause)

    at_once(fill, pieces(steps.durations.size), steps.durations.size)
    return power


def power_of_steps(before: Relative, now: Relative, durations: np.ndarray, vessel: Vessel, convention: str,
                   middle: MeasuredActuators | None, waves: WaveAction | None = None) -> Power:
    """
    Return the mean Power of steps, arrays: by the thrusts and the foils' angles in their middle where those are known.

    :param before: The Relative at their beginnings.
    :param now: The one at their ends.
    :param durations: s.
    :param vessel: The Vessel.
    :param convention: Of the power; `as_published` knows nothing of measured thrusts.
    :param middle: The MeasuredActuators in their middle, NaN where not known; None where nothing is.
    :param waves: As in `power.mean_power_rep103`.
    """
    allocated = CONVENTIONS[convention].mean_power
    if middle is None or convention != 'rep103':
        return allocated(before, now, durations, vessel, waves)
    known = np.ones(durations.size, dtype=bool)
    for one in (*middle.thrusts, *(angle for angle in middle.angles if angle is not None)):
        known &= np.isfinite(one)
    told = np.zeros(durations.size, dtype=bool)
    for angle in middle.foils:
        told |= False if angle is None else np.isfinite(angle)
    plain = [np.nan] * len(Power._fields) if known.all() else allocated(before, now, durations, vessel, waves)
    whole = [np.array(np.broadcast_to(values, durations.shape), dtype=float) for values in plain]
    for rows, measured in ((np.flatnonzero(known), True), (np.flatnonzero(told & ~known), False)):
        if rows.size:
            one, other = (Relative(*(values[rows] for values in at)) for at in (before, now))
            some, pushed = _rows(middle, rows), _some(waves, rows)
            found = measured_mean_power(one, other, durations[rows], vessel, some, pushed) if measured else \
                mean_power_by_known_foils(one, other, durations[rows], vessel, some.foils, pushed)
            for values, part in zip(whole, found):
                values[rows] = part
    return Power(*whole)


def _between(one: Any, begins: np.ndarray | slice, ends: np.ndarray | slice) -> Any:
    return 0.5 * (one[begins] + one[ends]) if isinstance(one, np.ndarray) else one


def _some(waves: WaveAction | None, rows: np.ndarray) -> WaveAction | None:
    if waves is None:
        return None
    return WaveAction(*(one[rows] if isinstance(one, np.ndarray) else one for one in waves))


def _rows(setting: MeasuredActuators, rows: np.ndarray | slice) -> MeasuredActuators:
    return MeasuredActuators(*(tuple(None if one is None else one[rows] for one in part) for part in setting))


def thrusts_power(relative: Relative, setting: MeasuredActuators, boat: Boat) -> np.ndarray:
    """Return the mechanical power, W, shape (n,), of thrusters in a MeasuredActuators of arrays, each at its speed."""
    power = np.empty(relative.u_r.size)
    with np.errstate(invalid='ignore'):
        for piece in pieces(power.size):
            some = MeasuredActuators(*(tuple(None if one is None else one[piece] for one in part) for part in setting))
            at = Relative(*(values[piece] for values in relative))
            power[piece] = powers_of_thrusts(some.thrusts, some.angles, boat.vessel.thrusters, at,
                                             boat.vessel.losses)[1]
    return power


def pieces(number: int) -> Iterator[slice]:
    """Return the slices of so many samples that are computed one after another."""
    return (slice(first, first + CHUNK) for first in range(0, number, CHUNK))


def finest(time: np.ndarray, longest: float) -> float:
    """Return how far apart, s, finer times are: FINE, or more where these would be more than MOST_FINE."""
    step = np.diff(time)
    return max(FINE, float(step[step <= longest].sum()) / MOST_FINE)


def finer_times(time: np.ndarray, longest: float, fine: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return times no further apart than `fine`, s, among them all those given, and the places of these.

    Where these would be more than MOST_PARTS between two, they are further apart.

    :param time: s, rising, shape (n,).
    :param longest: Steps longer than this, s, are gaps, and are not filled in.
    """
    step = np.diff(time)
    parts = np.where(step > longest, 1, np.clip(np.ceil(step / fine - 0.5), 1, MOST_PARTS)).astype(np.int64)
    places = np.concatenate(([0], np.cumsum(parts)))
    number = np.repeat(np.arange(parts.size), parts)
    share = (np.arange(number.size) - places[number]) / parts[number]
    return np.append(time[number] + share * step[number], time[-1:]), places


def flow_at(time: np.ndarray, sample_time: np.ndarray, flow: Flow) -> Flow:
    """Return a flow between samples, on straight lines; NaN between samples one of which has none."""
    return Flow(*(np.interp(time, sample_time, values) for values in flow))


def finer_power(estimate: MotionEstimate, time: np.ndarray, flow: Flow, steps: IntegratedSteps, boat: Boat,
                convention: str, actuators: LogActuators | None = None) -> Power:
    """
    Return the mean Power of each step at the sample that it ends with, integrated over the finer motion in between.

    :param estimate: Of the motion.
    :param time: Of the samples, s, shape (n,).
    :param flow: The Flow at the samples.
    :param steps: Those that are integrated over.
    :param boat: The Boat.
    :param convention: Of the power.
    :param actuators: What is known of them; None where nothing is.
    """
    longest = float(steps.durations.max(initial=0.0))
    fine, at_end = finest(time, longest), np.zeros(time.size, dtype=bool)
    at_end[steps.ends] = True
    # In pieces, for memory, that begin with known samples; what actuators did is known along the whole.
    begins = steps.ends[FINER_PIECE::FINER_PIECE] if actuators is None else steps.ends[:0]
    found = Power(*(np.full(time.size, np.nan) for _ in Power._fields))
    for first, last in pairwise(np.unique([0, *begins, time.size - 1]).tolist()):
        rows, later = slice(first, last + 1), slice(first + 1, last + 1)
        part = _finer_piece(estimate, time[rows], Flow(*(values[rows] for values in flow)), longest, fine, boat,
                            convention, actuators)
        for name in Power._fields:
            if name in CAUSES:
                getattr(found, name)[later] = np.where(at_end[later], getattr(part, name)[1:], np.nan)
            else:
                getattr(found, name)[rows] = getattr(part, name)
    return found


def _finer_piece(estimate: MotionEstimate, time: np.ndarray, flow: Flow, longest: float, apart: float, boat: Boat,
                 convention: str, actuators: LogActuators | None) -> Power:
    """Return the Power of `finer_power` at successive samples, also at such as end no step."""
    fine, places = finer_times(time, longest, apart)
    relative = relative_motion(estimate.at(fine).motion(), flow_at(fine, time, flow), convention)
    between = steps_between(fine, np.isfinite(sum(relative)), longest)
    measured = None if actuators is None else actuators.measured(fine, relative, boat)
    power = mean_power(relative, between, boat, convention, measured, actuators is not None and actuators.held)
    sample = np.searchsorted(places, between.ends)
    whole = np.bincount(sample, between.durations, time.size)
    columns = {}
    for cause in CAUSES:
        energy = np.bincount(sample, getattr(power, cause)[between.ends] * between.durations, time.size)
        columns[cause] = energy / np.where(whole > 0.0, whole, np.nan)
    return Power(**columns, **{name: getattr(relative, name)[places] for name in ('u_r', 'v_r', 'r')})


class LogLoads(NamedTuple):
    """
    Loads along a log.

    `powers`: of each the mean of the step that ends at a sample, W, shape (loads, n), 0 where none does; `energies`: of
    each, J; `shares`: the mean share of its power that leg and topic left it, (-).
    """

    powers: np.ndarray
    energies: tuple[float, ...]
    shares: tuple[float, ...]


def loads_along(log: Log, boat: Boat, steps: IntegratedSteps, speed_over_ground: np.ndarray) -> LogLoads:
    """
    Return what the loads of a boat took along a log; time counts from the log's first sample.

    :param log: The Log.
    :param boat: The Boat.
    :param steps: Those that are integrated over.
    :param speed_over_ground: At each sample, m/s, shape (n,).
    """
    begins, ends = steps.begins, steps.ends
    powers, shares = np.zeros((len(boat.load_rules), len(log))), []
    by_leg = [_shares(log, boat, number)[ends] for number in range(len(boat.load_rules))]
    loads = tuple(load._replace(share=share) for load, share in zip(boat.vessel.loads, by_leg))
    for row, watts in enumerate(mean_load_powers(loads, log.time[begins], log.time[ends], speed_over_ground[begins],
                                                 speed_over_ground[ends])):
        powers[row, ends] = watts
        shares.append(float(np.average(by_leg[row], weights=steps.durations)) if ends.size else 0.0)
    energies = tuple(float(np.sum(row[ends] * steps.durations)) for row in powers)
    return LogLoads(powers, energies, tuple(shares))


def _shares(log: Log, boat: Boat, number: int) -> np.ndarray:
    """Return the share of its power that a load has by leg and topic at each sample, shape (n,)."""
    rule = rules_with_names(boat.load_rules, leg_names(log))[number]
    if rule.legs is None or not log.legs:
        return np.full(len(log), share_of(rule))
    begins = np.array([leg.time for leg in log.legs])
    # A step belongs to the leg that began last before its end, as everywhere.
    which = np.maximum(np.searchsorted(begins + SAME_TIME, log.time, side='left') - 1, 0)
    return np.array([share_of(rule, leg.name) for leg in log.legs])[which]


def leg_names(log: Log) -> list[str]:
    """Return the names of the legs of a log in their order; a stay at the end of a leg is part of it."""
    names: list[str] = []
    for leg in log.legs:
        way = leg.name.removeprefix(HOLD_AT)
        if way and (not names or way != names[-1] or way == leg.name):
            names.append(way)
    return names


def power_with_log_loads(power: Power, loads: LogLoads) -> Power:
    """Return the Power along a log with its loads in it."""
    if not loads.energies:
        return power
    watts = loads.powers.sum(axis=0) + 0.0 * power.total
    return power._replace(loads=watts, total=power.total + watts)


def load_notes(log: Log, boat: Boat) -> list[Note]:
    """Say what is not known of the loads: the leg, and what topics said."""
    notes = []
    by_leg = [rule.name for rule in boat.load_rules if rule.legs is not None]
    if by_leg and not log.legs:
        notes.append(Note(WARNING, 'loads_by_leg_off', f'the log does not say the leg, so loads by leg are taken as '
                          f'off: {", ".join(by_leg)}'))
    if log.legs:
        notes += [Note(WARNING, 'load_without_leg', text)
                  for text in unmatched_legs(boat.load_rules, leg_names(log))]
    by_topic = [f'{rule.name} {100.0 * rule.topic.unheard:g} %' for rule in boat.load_rules if rule.topic is not None]
    if by_topic:
        notes.append(Note(INFO, 'loads_by_topic_assumed', 'loads that topics switch have the share that the boat file '
                          f'says for where these are not heard: {", ".join(by_topic)}'))
    return notes
