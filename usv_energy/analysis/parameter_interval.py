"""How far the energy of a log moves with what is not known for certain of the boat: its file's intervals."""

import math
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..boats.load import Load
from ..physics.motion import Flow, Motion, Relative
from ..planning.uncertain_boat import drawn_boats, read_doubts
from ..powering.measured_power import middle_of_measured
from ..powering.power import CONVENTIONS
from .analysed_log import AnalysedLog
from .flow_along_log import AUTO
from .log_power import power_of_steps

BOATS = 100              # Drawn, at most as often as `range` does for its bands.
STEPS = 3000             # Of the log, evenly spread, that each of them is asked about.
ENDS = (2.5, 97.5)       # Percentiles that hold 95 % of the boats.


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

    None where the file says nothing of that, or nothing was integrated. The share by which each drawn boat's energy
    differs is taken from some of the steps.

    :raises InputError: If the file's intervals hold hardly any boat that can be.

    Source: plain Monte Carlo over boats drawn as the bands of a range are (`planning.uncertain_boat`).
    """
    doubts = read_doubts(analysed.boat)
    if not doubts or not analysed.integral.durations.size:
        return None
    steps = _some_steps(analysed)
    own = _energy(steps, analysed, analysed.boat)
    if not own > 0.0:
        return None
    drawn = [_energy(steps, analysed, boat) for boat in drawn_boats(analysed.boat, doubts, BOATS)]
    low, high = np.percentile(drawn, ENDS) / own * analysed.energy.total
    return Interval(float(low), float(high))


def _some_steps(analysed: AnalysedLog) -> _Steps:
    """Return at most STEPS steps of a log, evenly spread."""
    steps = analysed.integral.steps
    some = np.unique(np.linspace(0, steps.durations.size - 1, min(steps.durations.size, STEPS)).round().astype(int))
    relative = CONVENTIONS[analysed.options.convention].relative
    before, now = (relative(Motion(*(values[places[some]] for values in analysed.motion)),
                            Flow(*(values[places[some]] for values in analysed.flow)))
                   for places in (steps.begins, steps.ends))
    time = analysed.log.time
    return _Steps(before, now, steps.durations[some], time[steps.begins[some]], time[steps.ends[some]])


def _energy(steps: _Steps, analysed: AnalysedLog, boat: Boat) -> float:
    """Return what steps take with a boat, J, by the thrusts that the log tells where it does."""
    middle, told = None, analysed.actuators if analysed.options.actuators == AUTO else None
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
