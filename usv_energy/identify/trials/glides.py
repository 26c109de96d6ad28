"""The glides of a log: where nothing is asked of the thrusters, and only drag slows the boat."""

from typing import NamedTuple

import numpy as np

from ...boats.boat_file import Boat
from ...files.errors import InputError
from ...logs.log import Log
from ...physics.frames import to_body

NO_THRUST = 0.02      # Of the log's largest thrust, (-): less is none.
NO_PULSE = 25.0       # us from neutral: where the boat file has no curve, a pulse that near gives no thrust.
SETTLING = 5.0        # Lags of the thrusters after which nothing is left of their thrust.
SHORTEST = 3.0        # s
LEAST_FALL = 0.3      # Of the speed at the beginning, (-), that must be lost.
REST = 0.05           # Of the speed at the beginning, (-): a glide ends there,
SLOWEST = 0.02        # m/s: or there.
LEAST_START = 0.2     # Of the largest speed of the log, (-): what begins slower is a drift.
MOST_TURN = 0.5       # rad: a glide that turns by more is none.
LEAST_SAMPLES = 8


class Glide(NamedTuple):
    """
    A glide.

    `log`: its name; `begin`: s of the log; `time` since then, s, and `speed` ahead through the water, m/s, (n,);
    `extra`: mass on board beyond that of the boat's file, kg.
    """

    log: str
    begin: float
    time: np.ndarray
    speed: np.ndarray
    extra: float


def glides_of(log: Log, boat: Boat, extra: float = 0.0, span: tuple[float, float] | None = None) -> list[Glide]:
    """
    Return the glides of a log, in order.

    :param log: With u, and thrusts or commands; without these a `span` is needed. A current that was recorded is taken
        off.
    :param boat: The boat, for its thrusters' lag and what they give for a pulse.
    :param extra: Mass on board in this log beyond that of the boat's file, kg.
    :param span: Begin and end, s: look there only, and take what has no thrusts and commands to glide.
    :raises InputError: If the log lacks something.
    """
    log.require('u')
    idle = _idle(log, boat, span)
    if span is not None:
        idle &= (log.time >= span[0]) & (log.time <= span[1])
    speed = _through_water(log)
    wait = SETTLING * max((thruster.lag for thruster in boat.vessel.thrusters), default=0.0)
    found = []
    for piece in log.pieces():
        edges = np.flatnonzero(np.diff(np.concatenate([[0], idle[piece].astype(int), [0]])))
        for begin, end in zip(edges[::2] + (piece.start or 0), edges[1::2] + (piece.start or 0)):
            first = int(np.searchsorted(log.time, log.time[begin] + wait)) if wait else int(begin)
            glide = _glide(log, speed, slice(first, int(end)), extra)
            if glide is not None and glide.speed[0] >= LEAST_START * np.nanmax(np.abs(speed)):
                found.append(glide)
    return found


def _idle(log: Log, boat: Boat, span: tuple[float, float] | None) -> np.ndarray:
    """Return at which samples nothing is asked of the thrusters, (n,)."""
    if log.known('thrust'):
        largest = float(np.nanmax(np.abs(log.thrust)))
        return np.asarray(np.all(np.abs(log.thrust) <= NO_THRUST * largest, axis=1))
    if log.known('command'):
        bands = _bands(log, boat)
        return np.asarray(np.all((log.command >= bands[:, 0]) & (log.command <= bands[:, 1]), axis=1))
    if span is None:
        raise InputError(f'{log.path}: has neither thrusts nor commands, so nothing says when the boat glides: say it '
                         'by --from and --to, s')
    return np.ones(len(log), dtype=bool)


def _bands(log: Log, boat: Boat) -> np.ndarray:
    """Return the shortest and the longest pulse of each thruster that give no thrust, us, (thrusters, 2)."""
    curves = dict(zip(boat.thruster_names, boat.pulse_curves))
    bands = []
    for name, neutral in zip(log.thrusters, log.neutral):
        if (curve := curves.get(name)) is not None:
            bands.append(curve.dead_band)
        elif np.isfinite(neutral):
            bands.append((neutral - NO_PULSE, neutral + NO_PULSE))
        else:
            raise InputError(f'{log.path}: the neutral command of {name} is not known, and the boat {boat.name} does '
                             'not say what a pulse gives (pwm)')
    return np.array(bands)


def _through_water(log: Log) -> np.ndarray:
    if not log.known('current_x', 'yaw'):
        return log.u
    ahead, _ = to_body(np.nan_to_num(log.current_x), np.nan_to_num(log.current_y), np.cos(log.yaw), np.sin(log.yaw))
    return np.asarray(log.u - ahead)


def _glide(log: Log, speed: np.ndarray, rows: slice, extra: float) -> Glide | None:
    """Return the glide in some samples up to where it ends; None where it is none."""
    time, v = log.time[rows], speed[rows]
    if len(time) < LEAST_SAMPLES or not np.isfinite(v).all():
        return None
    start = float(np.median(v[:3]))
    slow = np.flatnonzero(v < max(REST * start, SLOWEST))
    end = int(slow[0]) if len(slow) else len(time)
    time, v = time[:end], v[:end]
    if len(time) < LEAST_SAMPLES or time[-1] - time[0] < SHORTEST or not start > SLOWEST:
        return None
    if np.median(v[-3:]) > (1.0 - LEAST_FALL) * start:
        return None
    yaw = log.yaw[rows][:end]
    if np.isfinite(yaw).all() and np.ptp(yaw) > MOST_TURN:
        return None
    return Glide(log.name, float(time[0]), time - time[0], v, extra)
