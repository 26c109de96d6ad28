"""A boat simulated with the commands of a log: what it would have done, from the same beginning, open loop."""

import math
from dataclasses import replace

import numpy as np

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..logs.log import Log
from ..logs.pulse_thrust import with_thrust_of_pulses
from ..physics.frames import to_body
from ..physics.motion import Flow
from ..sim.plant import Plant
from ..sim.plant_step import PlantState, is_stable
from ..sim.step_limit import longest_step
from .identified_log import as_identified

STEP = 0.05  # s: of the simulation, at most; commands and samples are seldom closer.
FLOWS = ('current_x', 'current_y', 'wind_x', 'wind_y')


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
