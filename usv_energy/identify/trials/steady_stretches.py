"""Where a log's boat goes steadily: straight on, at one speed, with its watts measured."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from ...logs.log import Log
from ...physics.frames import to_earth

BLOCK = 10.0          # s that are averaged over.
SLOWEST = 0.15        # m/s over ground: a boat that is slower lies still, or drifts.
MOST_CHANGE = 0.06    # Of the speed, from the first half of a block to the second: it is still speeding up,
OR_LESS = 0.03        # m/s: or less than this.
MOST_TURN = 0.2       # rad between the courses of both halves, and within a stretch.
LEAST_SHARE = 0.8     # Of a block's samples, that must be known.


class Steady(NamedTuple):
    """
    Blocks of steady motion, arrays with a number a block.

    Mean velocity over ground `vx`, `vy`, m/s (ENU); mean heading `yaw`, rad (NaN where no compass is in the log); mean
    electrical power W; `log`: the place of its log; `stretch`: the number of the stretch, without a pause or a turn,
    that it is of; `begin`: s of its log.
    """

    vx: np.ndarray
    vy: np.ndarray
    yaw: np.ndarray
    power: np.ndarray
    log: np.ndarray
    stretch: np.ndarray
    begin: np.ndarray


def steady_blocks(logs: list[Log]) -> Steady:
    """
    Return the steady blocks of logs.

    :raises InputError: If a log has no watts, or nothing that says how fast the boat goes: the file, what is missing.
    """
    rows: list[tuple[float, ...]] = []
    stretch = 0
    for place, source in enumerate(logs):
        velocity = _velocity(source)
        _require_watts(source)
        for piece in source.pieces():
            stretch += 1
            last = math.nan
            for at in _blocks(source.time[piece], piece.start):
                block = _steady(source, at, *velocity)
                if block is None:
                    last = math.nan
                    continue
                course = math.atan2(block[1], block[0])
                stretch += not abs(math.remainder(course - last, math.tau)) < MOST_TURN
                last = course
                rows.append((*block, place, stretch, float(source.time[at.start])))
    table = np.array(rows).reshape(-1, 7)
    vx, vy, yaw, power, log, number, begin = table.T
    return Steady(vx, vy, yaw, power, log.astype(int), number.astype(int), begin)


def _require_watts(log: Log) -> None:
    if log.known('electrical_power'):
        return
    dead = next((note.text for note in log.notes if note.code == 'sensor_dead'), None)
    if dead is not None:
        raise InputError(f'{log.path}: {dead}. A curve of watts over speed needs a current sensor that measures')
    log.require('electrical_power')


def _velocity(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Return the velocity over ground, m/s (ENU): the recorded one, else that of the positions."""
    if log.known('u', 'yaw'):
        sway = log.v if log.known('v') else 0.0 * log.u
        vx, vy = to_earth(log.u, sway, np.cos(log.yaw), np.sin(log.yaw))
        return vx, vy
    if log.known('x', 'y') and len(log) > 2:
        return np.gradient(log.x, log.time), np.gradient(log.y, log.time)
    raise InputError(f'{log.path}: has neither a velocity with a heading (u, yaw) nor positions (x, y): no GPS was '
                     'recorded, and nothing says how fast the boat goes')


def _blocks(time: np.ndarray, first: int) -> list[slice]:
    """Return the whole blocks of a piece, as slices of its log."""
    number = int((time[-1] - time[0]) // BLOCK)
    edges = first + np.searchsorted(time, time[0] + BLOCK * np.arange(number + 1))
    return [slice(int(begin), int(end)) for begin, end in pairwise(edges) if end - begin >= 4]


def _steady(log: Log, at: slice, vx: np.ndarray, vy: np.ndarray) -> tuple[float, float, float, float] | None:
    """Return a block's mean velocity, heading and power; None where it is not steady, or not known."""
    x, y, power = vx[at], vy[at], log.electrical_power[at]
    known = np.isfinite(x) & np.isfinite(y) & np.isfinite(power)
    if known.mean() < LEAST_SHARE:
        return None
    half = known.size // 2
    first, second = known.copy(), known.copy()
    first[half:], second[:half] = False, False
    halves = [(float(x[part].mean()), float(y[part].mean())) for part in (first, second)]
    speeds = [math.hypot(*one) for one in halves]
    turn = math.remainder(math.atan2(halves[1][1], halves[1][0]) - math.atan2(halves[0][1], halves[0][0]), math.tau)
    if min(speeds) < SLOWEST or abs(turn) > MOST_TURN or (
            abs(speeds[1] - speeds[0]) > max(MOST_CHANGE * speeds[0], OR_LESS)):
        return None
    yaw = log.yaw[at][known]
    heading = math.nan if not np.isfinite(yaw).any() else float(
        np.arctan2(np.nanmean(np.sin(yaw)), np.nanmean(np.cos(yaw))))
    return float(x[known].mean()), float(y[known].mean()), heading, float(power[known].mean())
