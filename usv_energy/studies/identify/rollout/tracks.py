"""The part of a log that the roll-out fit uses: motion, thrusts, flow, and the start samples of windows."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.powering.actuators import turned_angle

SHORTEST_PERIOD = 0.05  # Samples closer than this are thinned, s: thrusters and hull respond more slowly.
NEUTRAL = 1500.0  # Command without thrust, if a log does not state it, us.
COMMAND_SPAN = 400.0    # From neutral to full command, us: the range of model-making ESCs.
LEAST_LAG_STD = 0.3     # Smallest prior standard deviation of the thrusters' lag, s.
UNSETTLED = 1e-3        # Share of the thrusters' unknown initial state that may remain at a window's start.
AT_REST_SHARE = 0.05    # Share of the largest speed and thrust of all logs; below both, a boat is at rest.


@dataclass(frozen=True, eq=False)
class LogTrack:
    """
    The data of a log for the fit; every array has one row per sample.

    `motion`: yaw rad (ENU), u, v m/s, r rad/s over ground (FLU), shape (n, 4). `thrust`: as in the log, N, constant
    until the next sample, shape (n, thrusters). `flow`: recorded current x, y and wind x, y, m/s, earth frame, 0 if not
    recorded, shape (n, 4). `breaks`: indices at which a new stretch begins, after a gap. `nominal`: whether the thrust
    is only a share of the base boat's largest, from a command in us. `settling`: time from the beginning of a stretch
    until the thrusts before it no longer matter, s (`settling_time`). `turning`: commanded angles of rudders and
    azimuth thrusters, thrusters first, rad, constant until the next sample, (n, parts). `turned`: their actual angles.
    `of_pulses`: whether the thrust was derived from pulses by the boat's file.
    """

    name: str
    time: np.ndarray
    motion: np.ndarray
    thrust: np.ndarray
    flow: np.ndarray
    breaks: tuple[int, ...]
    nominal: bool
    settling: float = 0.0
    turning: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    turned: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    of_pulses: bool = False

    def __post_init__(self) -> None:
        """Set empty angle arrays if nothing turns."""
        for name in ('turning', 'turned'):
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros((len(self.time), 0)))

    @cached_property
    def steps(self) -> np.ndarray:
        """Time from each sample to the next, s, shape (n - 1,)."""
        return np.diff(self.time)

    @cached_property
    def largest(self) -> np.ndarray:
        """Largest magnitudes of u, v, m/s, and r, rad/s, (3,)."""
        return np.asarray(np.nanmax(np.abs(self.motion[:, 1:]), axis=0, initial=0.0))

    @cached_property
    def period(self) -> float:
        """Median time between samples, s; 1 s for a single sample."""
        return float(np.median(self.steps)) if len(self.time) > 1 else 1.0

    def samples_in(self, duration: float) -> int:
        """Return the number of samples of a window of this duration, s."""
        return max(1, round(duration / self.period)) if len(self.steps) else 1

    @cached_property
    def rests(self) -> np.ndarray:
        """Whether the boat is at rest with hardly any commanded thrust, at each sample, (n,)."""
        thrust, speed = limits_at_rest([self])
        quiet = (np.abs(self.thrust) <= thrust).all(axis=1)
        return np.asarray(quiet & (np.hypot(self.motion[:, 1], self.motion[:, 2]) <= speed))

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """First sample and end index of each stretch without a gap in which all thrusts are known."""
        known = np.isfinite(self.thrust).all(axis=1) & np.isfinite(self.turning).all(axis=1)
        edges = np.flatnonzero(known[1:] != known[:-1]) + 1
        cuts = np.unique(np.concatenate([[0], self.breaks, edges, [len(known)]])).astype(int).tolist()
        return [(begin, end) for begin, end in itertools.pairwise(cuts) if known[begin]]

    def starts(self, samples: int, every: float) -> np.ndarray:
        """
        Return the samples at which windows start, one every `every` s: motion known there, thrust and time all along.

        The log does not hold the thrust at the beginning of a stretch, so windows start after its influence has
        decayed. If a stretch begins at rest without a command, they start at once. If all stretches of a log are too
        short to wait, windows start with the stretches, as if the thrusters had settled.

        :param samples: Number of samples of a window after its start.
        """
        settled = self._starts(samples, every, self.settling)
        return settled if len(settled) else self._starts(samples, every, 0.0)

    def starts_unsettled(self, samples: int) -> bool:
        """Return whether the log has windows of this many samples, but none that starts with settled thrusters."""
        stride = self.period
        return not len(self._starts(samples, stride, self.settling)) and len(self._starts(samples, stride, 0.0)) > 0

    def _starts(self, samples: int, every: float, settling: float) -> np.ndarray:
        stride = self.samples_in(every)
        ready = np.isfinite(self.motion).all(axis=1)
        found = [np.zeros(0, dtype=int)]
        for begin, end in self.runs:
            wait = 0.0 if self.rests[begin] else settling
            first = begin + int(np.searchsorted(self.time[begin:end], self.time[begin] + wait))
            candidates = np.arange(first, end - samples, stride)
            found.append(candidates[ready[candidates]])
        return np.concatenate(found)

    def parts(self, count: int) -> list['LogTrack']:
        """Return the log cut into this many successive parts of equal length."""
        cuts = np.linspace(0, len(self.time), count + 1).astype(int).tolist()
        return [replace(self, name=f'{self.name} [{number}/{count}]', time=self.time[a:b], motion=self.motion[a:b],
                        thrust=self.thrust[a:b], flow=self.flow[a:b], turning=self.turning[a:b],
                        turned=self.turned[a:b], breaks=tuple(k - a for k in self.breaks if a < k < b))
                for number, (a, b) in enumerate(itertools.pairwise(cuts), start=1)]

    def under_way(self, starts: np.ndarray, samples: int, thrust: float, speed: float) -> np.ndarray:
        """Return which windows contain a thrust (N) above a limit or start faster than a limit (m/s)."""
        loud = np.nan_to_num(np.abs(self.thrust).max(axis=1)) > thrust
        count = np.concatenate([[0], np.cumsum(loud)])
        fast = np.hypot(self.motion[starts, 1], self.motion[starts, 2]) > speed
        return np.asarray((count[starts + samples] > count[starts]) | fast)


def track_of(log: Log, boat: Boat) -> LogTrack:
    """
    Return the LogTrack of a log.

    :param log: With yaw, u, v, r, either thrusts or commands, and the angles of rudders and azimuth thrusters.
    :param boat: The base boat; its thrusters are matched by name, else in order.
    :raises InputError: If the log lacks something, its thrusters are not the boat's, or the boat has none.
    """
    if not boat.vessel.thrusters:
        raise InputError(f'{boat.path}: has no thrusters; an identification needs a boat that is driven by some')
    log.require('yaw', 'u', 'v', 'r')
    names = boat.thruster_names
    if len(log.thrusters) != len(names):
        raise InputError(f'{log.path}: has the thrusters {", ".join(log.thrusters) or "(none)"}; the boat {boat.name} '
                         f'has {", ".join(names)}')
    alike = set(log.thrusters) == set(names)
    order = [names.index(name) for name in log.thrusters] if alike else list(range(len(names)))
    nominal = not log.known('thrust')
    thrust = log.thrust
    if nominal:
        log.require('command')
        neutral = np.nan_to_num(np.array(log.neutral), nan=NEUTRAL)
        limits = np.array([[thruster.min_thrust, thruster.max_thrust] for thruster in boat.vessel.thrusters])[order]
        share = np.clip((log.command - neutral) / COMMAND_SPAN, -1.0, 1.0)
        thrust = np.where(share > 0.0, share * limits[:, 1], share * -limits[:, 0])
    keep, thrust = _thinned(log.time, thrust[:, np.argsort(order)])
    motion = np.column_stack([log.yaw, log.u, log.v, log.r])[keep]
    flow = np.nan_to_num(np.column_stack([log.current_x, log.current_y, log.wind_x, log.wind_y])[keep])
    time = log.time[keep]
    turning = recorded_angles(log, boat, np.argsort(order))[keep]
    breaks = tuple(int(i) + 1 for i in np.flatnonzero(np.diff(time) > log.max_gap))
    return LogTrack(log.name, time, motion, thrust, flow, breaks, nominal, settling_time(boat.vessel), turning,
                    angles_turned(time, turning, turning_parts(boat.vessel), breaks),
                    any(note.code == 'thrust_of_pulses' for note in log.notes))


def turning_parts(vessel: Vessel) -> list[Any]:
    """Return the Azimuth or Steer of each actuator that turns, thrusters first."""
    parts = [*(thruster.azimuth for thruster in vessel.thrusters), *(foil.steer for foil in vessel.foils)]
    return [part for part in parts if part is not None]


def recorded_angles(log: Log, boat: Boat, order: np.ndarray) -> np.ndarray:
    """
    Return the recorded angles of the actuators that turn, thrusters first, rad, (n, parts).

    :param order: Indices of the boat's thrusters in the log.
    :raises InputError: If the log lacks one; the message names the file and the actuator.
    """
    found = []
    for number, thruster in enumerate(boat.vessel.thrusters):
        if thruster.azimuth is not None:
            angle = log.angle[:, order[number]]
            if not np.isfinite(angle).any():
                raise InputError(f'{log.path}: has no angle of the thruster {boat.thruster_names[number]}, which turns')
            found.append(angle)
    steered = [name for name, foil in zip(boat.foil_names, boat.vessel.foils) if foil.steer is not None]
    for name in steered:
        alone = len(steered) == len(log.foils) == 1
        if (name not in log.foils and not alone) or not log.known('foil_angle'):
            raise InputError(f'{log.path}: has no angle of the foil {name}, which turns; it has those of '
                             f'{", ".join(log.foils) or "none"}')
        found.append(log.foil_angle[:, 0 if alone else log.foils.index(name)])
    return np.column_stack(found) if found else np.zeros((len(log), 0))


def angles_turned(time: np.ndarray, asked: np.ndarray, parts: Sequence[Any], breaks: Sequence[int]) -> np.ndarray:
    """
    Return the actuators' angles, rad, (n, parts); each turns to its commanded angle at its rate within its limits.

    At the beginning of a stretch, and after an unknown angle, an actuator has its commanded angle.

    :param asked: Commanded angles, constant until the next sample, rad, (n, parts).
    :param parts: The Azimuth or Steer of each.
    """
    found = np.empty_like(asked)
    steps = np.append(np.diff(time), 0.0).tolist()
    for number, part in enumerate(parts):
        angle, wanted = np.nan, np.nan
        for k, goal in enumerate(asked[:, number].tolist()):
            moved = turned_angle(angle, wanted, steps[k - 1], part) if k else np.nan
            angle = goal if k in breaks or moved != moved else moved
            found[k, number], wanted = angle, goal
    return found


def lag_prior(vessel: Vessel) -> tuple[float, float]:
    """Return mean and standard deviation of the prior of the thrusters' lag, s."""
    lag = vessel.thrusters[0].lag
    return lag, max(lag, LEAST_LAG_STD)


def settling_time(vessel: Vessel) -> float:
    """
    Return the time after which unknown thrusts at the beginning of a stretch no longer matter, s.

    A thrust error D at the beginning of a stretch is D exp(-t / lag) at time t. The lag is unknown before the fit, so
    the time is that at which the share UNSETTLED remains for the longest likely lag, two standard deviations above the
    prior's mean.
    """
    lag, std = lag_prior(vessel)
    return float((lag + 2.0 * std) * np.log(1.0 / UNSETTLED))


def _thinned(time: np.ndarray, thrust: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the samples to keep, at least SHORTEST_PERIOD apart, and the mean thrusts until the next kept sample."""
    period = float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    factor = max(1, round(SHORTEST_PERIOD / period)) if period < 0.75 * SHORTEST_PERIOD else 1
    keep = np.arange(0, len(time), factor)
    return keep, np.add.reduceat(thrust, keep, axis=0) / np.diff(np.append(keep, len(time)))[:, None]


def limits_at_rest(tracks: Sequence[LogTrack]) -> tuple[float, float]:
    """Return the thrust, N, and the speed, m/s, below which a boat of these logs counts as at rest."""
    thrust = [np.nanmax(np.abs(track.thrust), initial=0.0) for track in tracks]
    speed = [np.nanmax(np.hypot(track.motion[:, 1], track.motion[:, 2]), initial=0.0) for track in tracks]
    return AT_REST_SHARE * float(max(thrust, default=0.0)), AT_REST_SHARE * float(max(speed, default=0.0))
