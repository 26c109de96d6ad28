"""The 95 % interval of an analysed log's energy from noise and from what happens between its samples."""

import math
from functools import partial

import numpy as np

from ..physics.motion import Flow, Motion, WaveAction
from ..powering.record_energy import steps_between
from .analysed_log import AnalysedLog
from .flow_along_log import AUTO, ESTIMATED
from .log_power import flow_at, mean_power, relative_motion
from .motion.energy_interval import RESOLUTION, EnergyInterval, energy_interval
from .motion.motion_estimate import MotionValues
from .waves.mean_motion import without_oscillation
from .waves.waves_along_log import OWN, WavesAlongLog, less_drift

# Share of the electrical energy (95 %) by which the water that moves past the thrusters changes it.
MOVING_WATER = 0.02
# How far a drift that was estimated from the sea seen may be off (95 %): share of its size; rad.
DRIFT_OFF, DIRECTION_OFF = 0.9, 0.25


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
        found = {one.name: one.covariance for one in analysed.explanations[:1]}
        return _for_each_flow(analysed, energy_interval(analysed.estimate, energy, partial(_energy_of, analysed),
                                                        analysed.flow_estimates, found))
    if analysed.options.motion != ESTIMATED or not any(note.code == 'motion_as_recorded' for note in analysed.notes):
        return None
    rows = slice(None, None, 2)
    change = energy - _energy(analysed, analysed.log.time[rows], Motion(*(one[rows] for one in analysed.motion)),
                              Flow(*(one[rows] for one in analysed.flow)))
    half = math.hypot(change, RESOLUTION * energy)
    middle = energy + 0.5 * change
    return _for_each_flow(analysed, EnergyInterval(max(middle - half, 0.0), middle + half, 0.0, 0.0, change))


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


def _for_each_flow(analysed: AnalysedLog, interval: EnergyInterval) -> EnergyInterval:
    """Return an interval that reaches as far about the energy in each flow that may have been."""
    more = [energy - analysed.energy.total for energy in analysed.possible_energies] or [0.0]
    return interval._replace(low=max(interval.low + min(more), 0.0), high=interval.high + max(more),
                             flows=max(more) - min(more))


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
