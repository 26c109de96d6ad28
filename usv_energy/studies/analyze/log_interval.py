"""The 95 % interval of a log's energy: from noise, from between samples, and from the boat's own numbers."""

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import bandable_numbers, checked_boat_with
from usv_energy.boats.load import Load
from usv_energy.files.checked import values_of
from usv_energy.files.errors import InputError
from usv_energy.logs.motion.energy_interval import RESOLUTION, EnergyInterval, energy_interval
from usv_energy.logs.motion.motion_estimate import MotionValues
from usv_energy.physics.motion import Flow, Motion, Relative, WaveAction
from usv_energy.powering.energy import steps_between
from usv_energy.powering.measured_power import middle_of_measured
from usv_energy.powering.power import CONVENTIONS
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.current.flow_along_log import AUTO, ESTIMATED, FROM_THRUSTS
from usv_energy.studies.analyze.current.unknown_flow import FLOWS, PRIOR
from usv_energy.studies.analyze.log_actuators import THRUST_MEANING
from usv_energy.studies.analyze.log_power import flow_at, mean_power, power_of_steps, relative_motion
from usv_energy.studies.analyze.waves.waves_along_log import OWN, WavesAlongLog, less_drift, without_oscillation
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts

SEED = 3                 # Of the draws of the thrusts' scale.
TRIED, MOVES = 0.1, 0.1  # By how much of itself a number is changed; share of that by which the energy must change.
BOATS = 100              # Drawn, at most as often as `range` does for its bands.
FLOWS_DRAWN = 60         # Flows drawn, of one that nobody says.
HELD = 0.5               # Of the prior of a current (std): speed below which a boat holds its place.
# s over which places wander, at least; samples of them; rad, less than which a boat turns that goes straight.
WANDER_SPAN, LEAST_WANDER, STRAIGHT = 5.0, 3, 0.35
STEPS = 3000             # Of the log, evenly spread, that each of them is asked about,
FEW = 300                # and each number by itself.
ENDS = (2.5, 97.5)       # Percentiles that hold 95 % of the boats.

# Share of the electrical energy (95 %) by which the water that moves past the thrusters changes it.
MOVING_WATER = 0.02
# How far a drift that was estimated from the sea seen may be off (95 %): share of its size; rad.
DRIFT_OFF, DIRECTION_OFF = 0.9, 0.25


class Interval(NamedTuple):
    """95 % interval of an energy, J."""

    low: float
    high: float


class _Steps(NamedTuple):
    """Some steps of a log: Relative at their beginnings and ends, durations, s, and times of both, s."""

    before: Relative
    now: Relative
    durations: np.ndarray
    begins: np.ndarray
    ends: np.ndarray


def parameter_interval(analysed: AnalysedLog) -> Interval | None:
    """
    Return the 95 % interval of a log's energy by what its boat's file says of how well its numbers are known.

    Where the energy is that of the log's thrusts, the scale that the file reads them by is one of these numbers. None
    where the file says nothing of that, or nothing was integrated. The share by which each drawn boat's energy
    differs is taken from some of the steps.

    :raises InputError: If the file's intervals hold hardly any boat that can be.

    Source: plain Monte Carlo over boats drawn as the bands of a range are (`planning.uncertain_boat`).
    """
    doubts, scale = read_doubts(analysed.boat), scale_std(analysed)
    if not (doubts or scale > 0.0) or not analysed.integral.durations.size:
        return None
    steps = _some_steps(analysed)
    own = _energy_of_boat(steps, analysed, analysed.boat)
    if not own > 0.0:
        return None
    boats = drawn_boats(analysed.boat, doubts, BOATS) if doubts else [analysed.boat] * BOATS
    scales = np.maximum(1.0 + scale * np.random.default_rng(SEED).standard_normal(BOATS), 0.0) if scale > 0.0 else (
        np.ones(BOATS))
    drawn = [_energy_of_boat(steps, analysed, boat, one) for boat, one in zip(boats, scales.tolist())]
    low, high = np.percentile(drawn, ENDS) / own * analysed.energy.total
    return Interval(float(low), float(high))


def scale_std(analysed: AnalysedLog) -> float:
    """
    Return how well the scale of a log's thrusts is known, standard deviation as a share of it, (-).

    0 where the energy is not that of thrusts that the boat's file reads by such a scale; NaN where it says no std.
    """
    meaning = analysed.boat.log_meaning
    if meaning is None or not analysed.by_thrusts or all(note.code != THRUST_MEANING for note in analysed.notes):
        return 0.0
    return meaning.scale_std / meaning.scale if meaning.scale else math.nan


def numbers_without_std(analysed: AnalysedLog) -> tuple[str, ...]:
    """Return the paths of the boat's numbers that move a log's energy and have no std: not known to be exact."""
    if not analysed.integral.durations.size:
        return ()
    steps = _some_steps(analysed, FEW)
    own = _energy_of_boat(steps, analysed, analysed.boat)
    if not own > 0.0:
        return ()
    known = {doubt.name for doubt in read_doubts(analysed.boat)}
    found = ['thrust_of_log.scale'] if math.isnan(scale_std(analysed)) else []
    for path, node in bandable_numbers(analysed.boat).items():
        value = values_of(node)
        if path in known or not isinstance(value, int | float) or not value:
            continue
        try:
            changed = checked_boat_with(analysed.boat, {path: (1.0 + TRIED) * value})
        except InputError:
            continue
        if abs(_energy_of_boat(steps, analysed, changed) / own - 1.0) > MOVES * TRIED:
            found.append(path)
    return tuple(found)


def flow_interval(analysed: AnalysedLog) -> Interval | None:
    """
    Return the 95 % interval of a log's energy by what is open of a flow that nobody says; None where nothing is.

    The flow is drawn from what the log's sway and the priors of `unknown_flow` leave open, one and the same all along;
    the interval reaches over still water and air, and over the best flow of each medium alone, too. Of a boat that
    holds its place it is drawn from the priors alone: so little sway tells little, and errors of the boat look like it.
    """
    if analysed.open_flow is None or not analysed.integral.durations.size:
        return None
    own = _energy_of_boat(_some_steps(analysed), analysed, analysed.boat)
    if not own > 0.0:
        return None
    mean, covariance, single = analysed.open_flow[:3]
    scale = analysed.energy.total / own
    if holds_place(analysed):
        mean, covariance = single[0], np.diag(np.where(np.diag(covariance) > 0.0, PRIOR[:FLOWS] ** 2, 0.0))
        scale = 1.0
    variances, ways = np.linalg.eigh(covariance)
    flows = mean + even_normal(FLOWS_DRAWN, FLOWS) * np.sqrt(np.maximum(variances, 0.0)) @ ways.T
    drawn, alone = ([_energy_of_boat(_some_steps(analysed, more=flow), analysed, analysed.boat) for flow in some]
                    for some in (flows, single))
    low, high = np.percentile([one for one in drawn if math.isfinite(one)], ENDS, method='hazen')
    alone = [one for one in (*alone, own) if math.isfinite(one)]
    return Interval(scale * min(float(low), *alone), scale * max(float(high), *alone))


def even_normal(number: int, dimensions: int) -> np.ndarray:
    """
    Return standard normal numbers, shape (number, dimensions), whose distribution in each dimension is exact.

    Few drawn freely are not: of 60 the middle 95 % reach 1.3 to 2.4 standard deviations. These are one of each of as
    many equal shares, in any order (McKay, Beckman and Conover 1979, Technometrics 21, 239: Latin hypercube).
    """
    from scipy.special import ndtri
    shares = np.tile((np.arange(number) + 0.5)[:, None] / number, dimensions)
    normal: np.ndarray = ndtri(np.random.default_rng(SEED).permuted(shares, axis=0))
    return normal


def holds_place(analysed: AnalysedLog) -> bool:
    """
    Return whether a boat is slow over ground beside a flow that nobody says and that no thrusts tell.

    That is: beside what its sway leaves open of a current (std), or so slow (HELD) that its sway is not to be believed,
    also where only the wind is not known.
    """
    left = analysed.open_flow
    if left is None or not left.covariance.any() or analysed.flow_sources['current'] == FROM_THRUSTS:
        return False
    spread = math.sqrt(float(np.linalg.eigvalsh(left.covariance[:2, :2])[-1]))
    return ground_speed(analysed) < max(spread, HELD * float(PRIOR[0]))


def ground_speed(analysed: AnalysedLog) -> float:
    """Return the speed over ground along a log, root mean square, m/s; NaN where it is nowhere known."""
    squares = analysed.motion.u ** 2 + analysed.motion.v ** 2
    known = squares[np.isfinite(squares)]
    return math.sqrt(float(known.mean())) if known.size else math.nan


def wander_of_places(analysed: AnalysedLog) -> float:
    """
    Return by how much the velocity over ground changes within WANDER_SPAN, m/s, ahead and aside alike; NaN: not known.

    A boat that keeps its way changes neither; one that turns or stops changes one more, and does so now and then: the
    median of the smaller standard deviation, over the times in which it goes STRAIGHT if there are any. What is left is
    a receiver that wanders, or waves.
    """
    motion, time = analysed.motion, analysed.log.time
    velocity = (motion.u + 1j * motion.v) * np.exp(1j * motion.yaw)
    known = np.isfinite(velocity)
    velocity, place = velocity[known], np.cumsum(np.diff(time[known] // WANDER_SPAN, prepend=-np.inf) != 0.0) - 1
    if not place.size:
        return math.nan
    counts = np.bincount(place)
    means = (np.bincount(place, velocity.real) + 1j * np.bincount(place, velocity.imag)) / counts
    along = velocity * np.exp(-1j * np.angle(means))[place] - np.abs(means)[place]
    squares = np.minimum(np.bincount(place, along.real ** 2), np.bincount(place, along.imag ** 2)) / counts
    second = np.arange(place.size) - np.searchsorted(place, place) >= counts[place] // 2
    before, after = (np.bincount(place[half], velocity.real[half], counts.size)
                     + 1j * np.bincount(place[half], velocity.imag[half], counts.size) for half in (~second, second))
    enough = counts >= LEAST_WANDER
    straight = enough & (np.abs(np.angle(after * before.conj())) < STRAIGHT)
    some = np.sqrt(squares[straight if straight.any() else enough])
    return float(np.median(some)) if some.size else math.nan


def estimated_off(analysed: AnalysedLog) -> float:
    """
    Return by how much the energy may be off, J (95 %), for what was estimated where motion or flow is not known.

    Of a flow whose first value is held back: it is taken to have differed from that value before it, on average, as it
    did for as long after it, to the same or to the other side.
    """
    off = [way.off * energy for way, energy in zip(analysed.crossed, analysed.gap_energies)]
    until = max(analysed.early.values(), default=0)
    rows, after = slice(0, until + 1), slice(until, 2 * until + 1)
    time, motion = analysed.log.time[rows], Motion(*(one[rows] for one in analysed.motion))

    def energy(changed: str, sign: float) -> float:
        flow = Flow(*(one[rows] + sign * float(np.mean(one[after] - one[until])) * name.startswith(changed)
                      for name, one in analysed.flow._asdict().items()))
        return _energy(analysed, time, motion, flow)

    for name in (name for name, number in analysed.early.items() if number):
        held = energy(name, 0.0)
        off.append(max(abs(energy(name, sign) - held) for sign in (1.0, -1.0)))
    return math.sqrt(sum(one * one for one in off))


def water_speed_interval(analysed: AnalysedLog) -> Interval | None:
    """Return the energies, J, that a log's speed through the water leaves by its scale; None: no current is of it."""
    values = next((note.figures for note in analysed.log.notes if note.code == 'current_of_bow'), None)
    if not values or analysed.flow_sources['current'] != 'log':
        return None
    motion, flow, time = analysed.motion, analysed.flow, analysed.log.time
    east, north = np.cos(motion.yaw), np.sin(motion.yaw)
    water = motion.u - flow.current_x * east - flow.current_y * north
    own, *others = (_energy(analysed, time, motion, flow._replace(
        current_x=flow.current_x - share * water * east, current_y=flow.current_y - share * water * north))
        for share in (0.0, values['less'], values['more']))
    low, high = (analysed.energy.total + find(0.0, *(one - own for one in others)) for find in (min, max))
    return Interval(low, high)


def heading_interval(analysed: AnalysedLog) -> Interval | None:
    """
    Return the energies, J, that a heading which was set anew in gaps leaves; None where none was found to be.

    It reaches to the one by the heading of the other side, where that may be the right one, and by how far the heading
    was set anew: the boat went over ground as it did, and headed elsewhere.
    """
    values = next((note.figures for note in analysed.log.notes if note.code == 'heading_steps_in_gaps'), None)
    if values is None:
        return None
    motion, time, waves = analysed.motion, analysed.log.time, analysed.waves

    def energy(angle: np.ndarray | float) -> float:
        c, s = np.cos(angle), np.sin(angle)
        axes = (('u', 'v'), ('u_dot', 'v_dot'))
        turned = {name: c * getattr(motion, name) + sign * s * getattr(motion, other)
                  for pair in axes for name, other, sign in ((*pair, 1.0), (*pair[::-1], -1.0))}
        there = motion._replace(yaw=motion.yaw + angle, **turned)
        return _energy(analysed, time, there, analysed.flow, None if waves is None else waves.action)

    off = values['open_rad'] * ((time >= values['open_s']) == bool(values['of_later']))
    changes = [energy(angle) - energy(0.0) for angle in (values['other_rad'], off, -off)]
    low, high = (analysed.energy.total + find(0.0, *changes) for find in (min, max))
    return Interval(low, high)


def _some_steps(analysed: AnalysedLog, most: int = STEPS, more: Sequence[float] = (0.0, 0.0, 0.0, 0.0)) -> _Steps:
    """Return at most so many steps of a log, evenly spread, in its flow and a steady one more (as Flow, m/s)."""
    steps = analysed.integral.steps
    some = np.unique(np.linspace(0, steps.durations.size - 1, min(steps.durations.size, most)).round().astype(int))
    relative = CONVENTIONS[analysed.options.convention].relative
    before, now = (relative(Motion(*(values[places[some]] for values in analysed.motion)),
                            Flow(*(values[places[some]] + one for values, one in zip(analysed.flow, more))))
                   for places in (steps.begins, steps.ends))
    time = analysed.log.time
    return _Steps(before, now, steps.durations[some], time[steps.begins[some]], time[steps.ends[some]])


def _energy_of_boat(steps: _Steps, analysed: AnalysedLog, boat: Boat, scale: float = 1.0) -> float:
    """Return what steps take with a boat, J, by the thrusts that the log tells where it does, times a scale."""
    middle, told = None, analysed.actuators if analysed.options.actuators == AUTO else None
    if told is not None and scale != 1.0:
        told = told._replace(thrusts=tuple(None if one is None else scale * one for one in told.thrusts))
    if told is not None:
        begin = told.measured(steps.begins, steps.before, boat)
        middle = begin if told.held else middle_of_measured(begin, told.measured(steps.ends, steps.now, boat))
    power = power_of_steps(steps.before, steps.now, steps.durations, boat.vessel, analysed.options.convention,
                           middle).total
    share = float(steps.durations.sum()) / analysed.energy.duration
    energy = float((power * steps.durations).sum()) + share * _loads(analysed, boat)
    return energy if math.isfinite(energy) else math.nan


def _loads(analysed: AnalysedLog, boat: Boat) -> float:
    """Return what the loads that vary take along a log, J, where their powers and duty cycles are those of a boat."""
    energy = 0.0
    for known, own, other in zip(analysed.by_load, analysed.boat.vessel.loads, boat.vessel.loads):
        energy += known * _mean(other) / _mean(own) if _mean(own) else 0.0
    return energy


def _mean(load: Load) -> float:
    """Return what a load takes on average over its duty cycle, W, where neither speed nor leg nor topic leaves less."""
    return load.power if load.duty is None else load.power * load.duty.share


def log_interval(analysed: AnalysedLog) -> EnergyInterval | None:
    """
    Return the interval of an analysed log's energy, J; None where noise was neither looked for nor taken out.

    A log that was left as it is, next to noiseless, is held against every second of its samples: half of the difference
    moves the middle, all of it widens the interval, as with an estimate.
    """
    energy = analysed.energy.total
    if analysed.waves is not None:
        return _in_waves(analysed, analysed.waves)
    if analysed.estimate is not None:
        return energy_interval(analysed.estimate, energy, partial(_energy_of, analysed), analysed.flow_estimates)
    if analysed.options.motion != ESTIMATED or not any(note.code == 'motion_as_recorded' for note in analysed.notes):
        return None
    rows = slice(None, None, 2)
    integrated = energy - float(analysed.gap_energies.sum())
    change = integrated - _energy(analysed, analysed.log.time[rows], Motion(*(one[rows] for one in analysed.motion)),
                                  Flow(*(one[rows] for one in analysed.flow)))
    half = math.hypot(change, RESOLUTION * energy)
    middle = energy + 0.5 * change
    return EnergyInterval(max(middle - half, 0.0), middle + half, 0.0, 0.0, change)


def _in_waves(analysed: AnalysedLog, waves: WavesAlongLog) -> EnergyInterval:
    """
    Return the interval of an energy in waves: what their force may be off, and what of their drift was estimated.

    Where the force is a mean of the sea's, also the thrusters' speed through moving water, and what smoothing to the
    mean motion takes away, by the difference to twice the width; the force of the very waves holds both.
    """
    energy, flow = analysed.energy, analysed.flow
    smoother = Motion(*without_oscillation(analysed.log, analysed.motion, math.sqrt(3.0) * waves.width))
    lost = energy.total - _energy(analysed, analysed.log.time, smoother, flow, waves.action)
    steps = analysed.integral
    by_force = float((waves.off * np.abs(analysed.power.u_r))[steps.ends] @ steps.durations)
    electrical = energy.total - energy.static_load - energy.loads
    useful = energy.thrust + energy.unrecovered
    by_force *= electrical / useful if useful > 0.0 else 1.0
    by_drift = _by_drift(analysed, waves) if any(waves.drift) else 0.0
    by_mean = 0.0 if waves.told_by == OWN else math.hypot(lost, MOVING_WATER * electrical)
    half = math.sqrt(by_force ** 2 + by_drift ** 2 + by_mean ** 2 + (RESOLUTION * energy.total) ** 2)
    return EnergyInterval(max(energy.total - half, 0.0), energy.total + half, 0.0, 0.0, lost, waves=by_force)


def _by_drift(analysed: AnalysedLog, waves: WavesAlongLog) -> float:
    """Return by how much the energy may be off, J, for a drift that was estimated: in size and in direction."""
    east, north = waves.drift
    found = []
    for error in ((DRIFT_OFF * east, DRIFT_OFF * north), (-DIRECTION_OFF * north, DIRECTION_OFF * east)):
        flow = less_drift(analysed.flow, error)
        found.append(analysed.energy.total - _energy(analysed, analysed.log.time, analysed.motion, flow, waves.action))
    return math.hypot(*found)


def _energy_of(analysed: AnalysedLog, time: np.ndarray, values: MotionValues, errors: dict[str, np.ndarray]) -> float:
    flow = flow_at(time, analysed.log.time, analysed.flow)
    for name, error in errors.items():
        flow = flow._replace(**{f'{name}_{axis}': getattr(flow, f'{name}_{axis}') + one
                                for axis, one in zip('xy', error.T)})
    return _energy(analysed, time, values.motion(), flow)


def _energy(analysed: AnalysedLog, time: np.ndarray, motion: Motion, flow: Flow,
            moved: WaveAction | None = None) -> float:
    """Return what a motion in a flow takes, J, by the boat and the convention of the analysis, with the log's loads."""
    relative = relative_motion(motion, flow, analysed.options.convention)
    steps = steps_between(time, np.isfinite(sum(relative)), analysed.log.max_gap)
    told = analysed.actuators if analysed.options.actuators == AUTO else None
    measured = None if told is None else told.measured(time, relative, analysed.boat)
    power = mean_power(relative, steps, analysed.boat, analysed.options.convention, measured,
                       told is not None and told.held, moved)
    return float((power.total[steps.ends] * steps.durations).sum()) + analysed.energy.loads
