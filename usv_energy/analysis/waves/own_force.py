"""What the very waves of a log took, as a mean force at its samples, beside what its sea takes on average."""

import math

import numpy as np

from ...boats.vessel import Vessel
from ...logs.log import HEAVE, PITCH, ROLL, Log
from ...physics.motion import Flow, Motion
from ...powering.needed_force import needed_of
from ..log_power import relative_motion
from .own_waves import OwnWork, hull_motion, own_work
from .sea_fit import SeaSeen

OFTEN = 0.13                # s: motion that is recorded less often does not tell its waves.
SHORTEST = 8.0              # s: of a piece of a log that is long enough for that.
MISSED = 0.3                # Of the accelerations, above which waves do not explain a motion.
ENOUGH = 2                  # Windows, the first ones, that waves do not explain, after which no other is looked at.
LEAST_WAY = 0.3             # m/s of mean speed, from which work is taken as a force.


def tells_own_waves(log: Log, sea: SeaSeen) -> bool:
    """Return whether a log without noise has all that its very waves are found from, often enough."""
    told = all(name in log.extra and bool(np.isfinite(log.extra[name]).all()) for name in (HEAVE, ROLL, PITCH))
    return told and log.period <= OFTEN and not math.isnan(sea.direction)


def with_own_waves(log: Log, motion: Motion, mean: Motion, flow: Flow, vessel: Vessel, sea: SeaSeen,
                   resistance: np.ndarray) -> np.ndarray | None:
    """
    Return the force that the thrusters give more in waves, N, (n,), its mean by windows that of the waves in them.

    In a window the thrusters' work is that of its own waves (`own_waves`); between those that are looked at, and where
    waves do not explain the motion, it differs from the sea's by as much as in the nearest one. None where they
    explain it nowhere.

    :param log: The Log; `motion`: its Motion over ground; `mean`: the same without waves; `flow`: along it.
    :param vessel: The Vessel, with parts.
    :param sea: The SeaSeen.
    :param resistance: What it takes on average, N, (n,).
    """
    pieces = [piece for piece in log.pieces() if log.time[piece.stop - 1] - log.time[piece.start] > SHORTEST]
    whole = sum(log.time[piece.stop - 1] - log.time[piece.start] for piece in pieces)
    relative = relative_motion(mean, flow, 'rep103')
    middles, extra, missed = [], [], 0
    for piece in pieces:
        part = Motion(*(values[piece] for values in motion))
        if not all(np.isfinite(values).all() for values in (*part[:4], *(one[piece] for one in flow))):
            continue
        moved = hull_motion(log, motion, flow, vessel, piece)
        share = float(log.time[piece.stop - 1] - log.time[piece.start]) / whole
        at = type(relative)(*(values[piece] for values in relative))
        rate = tuple(np.gradient(values, log.time[piece]) for values in (at.u_r, at.v_r, at.r))
        needed = needed_of(at, rate, vessel).force
        calm = needed[0] * at.u_r + needed[2] * at.r + resistance[piece] * at.u_r
        for one in own_work(moved, sea, vessel, share):
            force = _beyond(one, log.time[piece], calm, at.u_r)
            if one.missed < MISSED and force is not None:
                middles.append(0.5 * (one.begin + one.end))
                extra.append(force)
            missed += one.missed >= MISSED
            if missed >= ENOUGH and not middles:
                return None
    if not middles:
        return None
    order = np.argsort(middles)
    middle, beyond = np.array(middles)[order], np.array(extra)[order]
    nearest = np.searchsorted(0.5 * (middle[1:] + middle[:-1]), log.time)
    found: np.ndarray = resistance + beyond[nearest]
    return found


def _beyond(one: OwnWork, time: np.ndarray, calm: np.ndarray, speed: np.ndarray) -> float | None:
    """Return by what force the work in a window is more than that of a power, W, (n,), N; None for a boat at rest."""
    rows = slice(*np.searchsorted(time, (one.begin, one.end + 1e-9)))
    step = np.diff(time[rows])
    work, way = (float(0.5 * (values[rows][1:] + values[rows][:-1]) @ step) for values in (calm, speed))
    if abs(way) < LEAST_WAY * (one.end - one.begin):
        return None
    return (one.work - work) / way
