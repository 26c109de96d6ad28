"""What a way would have cost otherwise, and a boat simulated with the commands of a log."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Flow
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.plant_step import PlantState, is_stable
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.record import relative
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.log_actuators import as_identified
from usv_energy.studies.plan.steady_motion import steady_state

STRETCHES = 2000
SLOWER = 0.9

STEP = 0.05  # s: of the simulation, at most; commands and samples are seldom closer.
FLOWS = ('current_x', 'current_y', 'wind_x', 'wind_y')


class Stretches(NamedTuple):
    """Stretches of a way: duration s, velocity over ground m/s (ENU), Flow; arrays."""

    duration: np.ndarray
    x: np.ndarray
    y: np.ndarray
    flow: Flow


class WhatIf(NamedTuple):
    """
    What a change would do: energy and duration of the steady way, J and s; changes against the way as driven.

    `change` is in J, `relative` its share, (-); `beyond`: share of the time in which the thrusters could not do it.
    """

    name: str
    energy: float
    duration: float
    change: float
    relative: float
    beyond: float


def stretches_of(analysed: AnalysedLog, number: int = STRETCHES) -> Stretches:
    """Return the way of a log as stretches of equal time, gaps left out; fewer where it has fewer samples."""
    ends, step = analysed.integral.ends, analysed.integral.durations
    if not ends.size:
        empty = np.zeros(0)
        return Stretches(empty, empty, empty, Flow(*(empty for _ in Flow._fields)))
    label = np.minimum((np.arange(ends.size) * number) // ends.size, number - 1) if ends.size > number else np.arange(
        ends.size)
    count = int(label[-1]) + 1
    duration = np.bincount(label, step, count)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(label, step * np.broadcast_to(values, analysed.log.time.shape)[ends], count) / duration

    motion = analysed.motion
    x, y = to_earth(motion.u, motion.v, np.cos(motion.yaw), np.sin(motion.yaw))
    return Stretches(duration, mean(x), mean(y), Flow(*(mean(values) for values in analysed.flow)))


def what_if(analysed: AnalysedLog) -> tuple[WhatIf, list[WhatIf]]:
    """Return the way as driven, taken as steady, and what changes would do; none of what was not there."""
    way = stretches_of(analysed)
    flow, zero, vessel = way.flow, np.zeros_like(way.duration), _with_mean_shares(analysed)
    changed = {}
    if np.any(np.abs(flow.wind_x) + np.abs(flow.wind_y) > 0.0):
        changed['no wind'] = way._replace(flow=flow._replace(wind_x=zero, wind_y=zero))
    if np.any(np.abs(flow.current_x) + np.abs(flow.current_y) > 0.0):
        changed['no current'] = way._replace(flow=flow._replace(current_x=zero, current_y=zero))
    changed['10 % slower'] = way._replace(duration=way.duration / SLOWER, x=SLOWER * way.x, y=SLOWER * way.y)
    base = _steady('as driven, steady', way, vessel)
    others = [_steady(name, stretches, vessel) for name, stretches in changed.items()]
    others += [_steady(f'without {name}', way, _without_load(vessel, number))
               for number, name in enumerate(analysed.boat.load_names) if analysed.by_load[number] > 0.0]
    return base, [one._replace(change=one.energy - base.energy, relative=relative(one.energy, base.energy))
                  for one in others]


def _with_mean_shares(analysed: AnalysedLog) -> Vessel:
    """Return the boat's Vessel with what legs and topics left its loads, on average along the log."""
    vessel = analysed.boat.vessel
    return vessel._replace(loads=tuple(load._replace(share=share)
                                       for load, share in zip(vessel.loads, analysed.load_shares)))


def _without_load(vessel: Vessel, number: int) -> Vessel:
    return vessel._replace(loads=(*vessel.loads[:number], *vessel.loads[number + 1:]))


def _steady(name: str, way: Stretches, vessel: Vessel) -> WhatIf:
    """Return the energy of a way of steady motions; changes are left at 0."""
    steady = steady_state(vessel, np.arctan2(way.y, way.x), np.hypot(way.x, way.y), way.flow)
    known = np.isfinite(steady.power.total)
    duration = float(way.duration[known].sum())
    energy = float(np.sum((steady.power.total * way.duration)[known]))
    beyond = float(way.duration[known & ~steady.feasible].sum()) / duration if duration else math.nan
    return WhatIf(name, energy, duration, 0.0, 0.0, beyond)


def replayed(log: Log, boat: Boat) -> Log:
    """
    Return what a boat does with the thrusts, or pulses, of a log: a Log with its times, places and velocities.

    It begins with the log's first known motion, in its recorded current and wind (none where there are none), and is
    never put right again. A gap ends it.

    :param log: With u and thrusts at standstill, N, or commands that the boat's file makes thrusts of.
    :param boat: The boat that moves; its thrusters are the log's, in order. What turns stays in its middle.
    :raises InputError: If the log lacks something, or has other thrusters.
    """
    log = as_identified(with_thrust_of_pulses(log, boat), boat)
    log.require('u')
    if not log.known('thrust'):
        raise InputError(f'{log.path}: has no thrusts to simulate with, and no commands that {boat.name} makes '
                         'thrusts of (pwm of its thrusters)')
    names = boat.thruster_names
    if len(log.thrusters) != len(names):
        raise InputError(f'{log.path}: has the thrusters {", ".join(log.thrusters) or "none"}; the boat {boat.name} '
                         f'has {", ".join(names)}')
    alike = set(names) == set(log.thrusters)
    order = [log.thrusters.index(name) for name in names] if alike else list(range(len(names)))
    log = log.part(_first_stretch(log))
    boat = _without_inflow(boat) if log.thrust_given else boat
    flows = np.nan_to_num(np.stack([getattr(log, name) for name in FLOWS]))
    thrusts = log.thrust[:, order]
    plant = _started(log, boat, flows[:, 0], thrusts[0])
    rows = np.empty((len(log), 6))
    for k, time in enumerate(log.time):
        state = plant.state
        rows[k] = (state.x, state.y, state.yaw, *plant.velocity_over_ground())
        if k + 1 < len(log):
            _advance(plant, float(log.time[k + 1] - time), thrusts[k], flows[:, k], boat)
            if not is_stable(plant.state):
                raise InputError(f'{log.path}: the simulated boat {boat.name} runs away at {time:g} s')
    x, y, yaw, u, v, r = rows.T.copy()
    return Log(f'{boat.name}, simulated', log.path, log.time, log.start, x=x, y=y, yaw=yaw, u=u, v=v, r=r,
               thrust=thrusts, thrusters=names, max_gap=log.max_gap)


def _without_inflow(boat: Boat) -> Boat:
    """Return a boat whose thrusts do not change with the speed of the water: for thrusts that are those under way."""
    thrusters = tuple(thruster._replace(propeller=None) for thruster in boat.vessel.thrusters)
    return replace(boat, vessel=boat.vessel._replace(thrusters=thrusters))


def _first_stretch(log: Log) -> slice:
    """Return the longest stretch without a gap in which motion and thrusts are known."""
    known = np.isfinite(log.u) & np.isfinite(log.thrust).all(axis=1)
    best = slice(0, 0)
    for piece in log.pieces():
        edges = np.flatnonzero(np.diff(np.concatenate([[0], known[piece].astype(int), [0]])))
        for begin, end in zip(edges[::2] + (piece.start or 0), edges[1::2] + (piece.start or 0)):
            if end - begin > best.stop - best.start:
                best = slice(int(begin), int(end))
    if best.stop - best.start < 2:
        raise InputError(f'{log.path}: has no two samples in a row with known motion and thrusts')
    return best


def _started(log: Log, boat: Boat, flow: np.ndarray, thrusts: np.ndarray) -> Plant:
    """Return the boat in the log's first motion, its thrusters settled."""
    yaw, v, r, x, y = (float(np.nan_to_num(values[0])) for values in (log.yaw, log.v, log.r, log.x, log.y))
    current = to_body(float(flow[0]), float(flow[1]), math.cos(yaw), math.sin(yaw))
    plant = Plant(boat.vessel, (x, y, yaw), lambda time, x, y: Flow(*map(float, flow)), STEP)
    plant.state = PlantState(x, y, yaw, float(log.u[0]) - current[0], v - current[1], r, 0.0)
    plant.setting = plant.setting._replace(commands=tuple(map(float, thrusts)))
    return plant


def _advance(plant: Plant, duration: float, thrusts: np.ndarray, flow: np.ndarray, boat: Boat) -> None:
    """Step a plant on for a time, s, with thrusts and a flow that are held."""
    count = max(1, math.ceil(duration / min(STEP, longest_step(boat.vessel)) - 1e-9))
    at = Flow(*map(float, flow))
    moving = Plant(boat.vessel, (0.0, 0.0, 0.0), lambda time, x, y: at, duration / count)
    moving.state, moving.setting = plant.state, plant.setting
    for _ in range(count):
        moving.advance(tuple(map(float, thrusts)))
    plant.state, plant.setting = moving.state, moving.setting
