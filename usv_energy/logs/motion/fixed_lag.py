"""
A fixed-lag smoother with the model of `motion_estimate`: it returns each sample one fixed lag later.

Whenever the samples of a knot are complete, it solves a window that covers the lag and MEMORY before it. The noise of
the series and the roughness of the motion are estimated from the last HISTORY knots, in small portions
(`noise_levels.py`). Source: fixed-lag smoothing, Anderson and Moore (1979), Optimal Filtering, section 7.3; here by
solving the window anew.
"""

import math
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.logs.motion.jerk_prior import Knots
from usv_energy.logs.motion.measured_series import KNOT_STEP, Measured
from usv_energy.logs.motion.motion_estimate import (
    GUESSED_PLACE,
    GUESSED_RATE,
    GUESSED_VELOCITY,
    GUESSED_YAW,
    MotionValues,
    motion_of,
)
from usv_energy.logs.motion.noise_levels import LevelSearch
from usv_energy.logs.motion.series_estimate import Solved, solved

MEMORY = 4.0              # s of a window before the lag: longer than the estimate's correlation.
HISTORY = 200             # Knots from which the noise levels are estimated.
LEAST_HISTORY = 20        # Fewest knots for a first estimate.
EAGER, SELDOM = 200, 4    # So many knots long at each of them, later at every fourth: for the yaw, then for the place.
SURPRISED = 10            # Latest knots of a window, and the root mean square of their measurements' distance from the
UNLIKELY = 30.0           # estimate, in standard deviations, from which on the levels found so far are of no use.
ROUGHNESS = 0.05          # Spectral density of the jerk that the search begins with, (unit/s^3)^2 s.
Triple = tuple[float, float, float]
GROUPS = ((2,), (5,), (0, 1), (3, 4))   # Yaw; yaw rate; place; velocity: columns of a sample.


class Smoothed(NamedTuple):
    """A smoothed sample: its time, s, its token, pose m, m, rad (ENU), velocity and its derivative."""

    time: float
    token: Any
    pose: Triple
    velocity: Triple
    acceleration: Triple


class _Cell(NamedTuple):
    """The samples about a knot: for each of GROUPS means, mean time after the knot, s, and number."""

    time: float
    joined: bool
    means: np.ndarray
    offsets: np.ndarray
    weights: np.ndarray


class FixedLag:
    """Takes samples and returns them smoothed, one lag later."""

    def __init__(self, lag: float) -> None:
        """Begin; `lag`: s."""
        self.lag = lag
        self._begin_levels([])
        self._start_anew()

    @property
    def noise(self) -> dict[str, float]:
        """Noise estimated so far: yaw rad, r rad/s, x m, u m/s."""
        return dict(zip(('yaw', 'r', 'x', 'u'), (*self._turn.levels.noise, *self._way.levels.noise)))

    def _begin_levels(self, history: Sequence[_Cell]) -> None:
        """Guess the levels, and look for them in cells from these on."""
        self._turn = LevelSearch((GUESSED_YAW, GUESSED_RATE), ROUGHNESS)
        self._way = LevelSearch((GUESSED_PLACE, GUESSED_VELOCITY), ROUGHNESS)
        self._history: deque[_Cell] = deque(history, maxlen=HISTORY)
        self._seen = len(history)

    def _start_anew(self) -> None:
        self._first = math.nan
        self._time = math.nan
        self._yaw = math.nan
        self._place = -1
        self._joined = False
        self._open: list[tuple[float, ...]] = []
        self._cells: list[_Cell] = []
        self._waiting: deque[tuple[float, Any, bool]] = deque()
        self._ready: deque[Smoothed] = deque()

    def add(self, time: float, pose: Sequence[float], velocity: Sequence[float], token: Any,
            longest: float, told: bool | None = None) -> list[Smoothed]:
        """
        Add a sample, with NaN for unknown values, and return the smoothed samples that are now complete.

        After a step back in time or a gap, it returns all waiting samples and restarts the estimate.

        :param time: Stamp, s.
        :param pose: x, y m and yaw rad (ENU).
        :param velocity: u, v m/s and r rad/s over ground (FLU).
        :param token: Given out with the sample.
        :param longest: Step that is no gap, s.
        :param told: Whether the velocity is given out with it; None: where this sample has one.
        """
        due: list[Smoothed] = []
        if self._time == self._time and not 0.0 < time - self._time <= longest:
            if time == self._time:
                return due
            due = self.rest()
        if math.isnan(self._first):
            self._first = time
        place = round((time - self._first) / KNOT_STEP)
        if place != self._place and self._open:
            self._close_cell()
            self._estimate(time)
        self._place, self._time = place, time
        if math.isfinite(pose[2]):
            self._yaw = pose[2] if math.isnan(self._yaw) else self._yaw + math.remainder(pose[2] - self._yaw,
                                                                                         math.tau)
        yaw = self._yaw if math.isfinite(pose[2]) else math.nan
        self._open.append((time, pose[0], pose[1], yaw, *velocity))
        self._waiting.append((time, token, all(map(math.isfinite, velocity)) if told is None else told))
        while self._ready and self._ready[0].time <= time - self.lag:
            due.append(self._ready.popleft())
        return due

    def rest(self) -> list[Smoothed]:
        """Return all waiting samples, and restart."""
        if self._open:
            self._close_cell()
            self._estimate(math.inf)
        due = list(self._ready)
        self._start_anew()
        return due

    def _close_cell(self) -> None:
        knot = self._first + KNOT_STEP * self._place
        samples = np.array(self._open)
        self._open = []
        means, offsets, weights = np.zeros(6), np.zeros(len(GROUPS)), np.zeros(len(GROUPS))
        known = np.isfinite(samples[:, 1:])
        for number, columns in enumerate(GROUPS):
            rows = known[:, columns].all(axis=1)
            if count := int(rows.sum()):
                weights[number] = count
                offsets[number] = samples[rows, 0].mean() - knot
                for column in columns:
                    means[column] = samples[rows, 1 + column].mean()
        cell = _Cell(knot, self._joined, means, offsets, weights)
        self._joined = True
        self._cells.append(cell)
        self._history.append(cell)
        self._seen += 1
        oldest = knot - self.lag - MEMORY
        while self._cells[0].time < oldest:
            self._cells.pop(0)

    def _estimate(self, now: float) -> None:
        """Estimate the window, and prepare the samples that are due before the next knot."""
        cells = self._cells
        knots, turn, way = _measurements(cells)
        turned, moved = self._solved(knots, turn, way)
        if self._seen > LEAST_HISTORY and (_is_surprised(turn, turned.states, self._turn.levels.noise) or _is_surprised(
                _into_earth(way, turned.states), moved.states, self._way.levels.noise)):
            self._begin_levels(cells[-SURPRISED:])  # As where a boat sets off: what it was at rest has no noise.
            turned, moved = self._solved(knots, turn, way)
        until = now - self.lag + 2.0 * KNOT_STEP
        due = []
        while self._waiting and self._waiting[0][0] <= until:
            due.append(self._waiting.popleft())
        if due:
            time = np.array([one[0] for one in due])
            self._ready.extend(_given(due, motion_of(knots, turned.states, moved.states, time)))
        self._look_for_levels()

    def _solved(self, knots: Knots, turn: list[Measured], way: list[Measured]) -> tuple[Solved, Solved]:
        """Return the estimates of the turn and of the way, by the levels so far."""
        steps = knots.time.size - 1
        turned = solved(knots, turn, self._turn.levels.noise, np.full(steps, self._turn.levels.calm))
        return turned, solved(knots, _into_earth(way, turned.states), self._way.levels.noise,
                              np.full(steps, self._way.levels.calm))

    def _look_for_levels(self) -> None:
        eager = self._seen < EAGER
        if self._seen < LEAST_HISTORY or not (eager or self._seen % SELDOM == 0):
            return
        knots, turn, way = _measurements(self._history)
        if eager or self._seen // SELDOM % 2 == 0:
            self._turn.try_once(knots, turn)
        if eager or self._seen // SELDOM % 2 == 1:
            levels = self._turn.levels
            states = solved(knots, turn, levels.noise, np.full(knots.time.size - 1, levels.calm)).states
            self._way.try_once(knots, _into_earth(way, states))


def _is_surprised(series: Sequence[Measured], states: np.ndarray, noise: Sequence[float]) -> bool:
    """Return whether the latest measurements are farther from the estimate than their noise can be."""
    for one, deviation in zip(series, noise):
        error = (one.values - one.expected(states))[-SURPRISED:] / deviation
        weight = one.weight[-SURPRISED:, None]
        if (weight * error * error).sum() > UNLIKELY * UNLIKELY * max(float(weight.sum()) * error.shape[1], 1.0):
            return True
    return False


def _given(due: list[tuple[float, Any, bool]], values: MotionValues) -> list[Smoothed]:
    unknown = (math.nan,) * 3
    result = []
    for (time, token, known), row in zip(due, np.column_stack(values).tolist()):
        x, y, yaw, u, v, r, u_dot, v_dot, r_dot = row
        result.append(Smoothed(time, token, (x, y, math.remainder(yaw, math.tau)),
                               (u, v, r) if known else unknown, (u_dot, v_dot, r_dot) if known else unknown))
    return result


def _measurements(cells: Sequence[_Cell]) -> tuple[Knots, list[Measured], list[Measured]]:
    """Return knots, heading and yaw rate, places and body velocities of cells."""
    time = np.array([cell.time for cell in cells])
    joined = np.array([cell.joined for cell in cells][1:], dtype=bool)
    means, offsets, weights = (np.array([getattr(cell, name) for cell in cells])
                               for name in ('means', 'offsets', 'weights'))
    turn, rate, place, velocity = (Measured(number % 2, means[:, columns], offsets[:, number], weights[:, number])
                                   for number, columns in enumerate(GROUPS))
    return Knots(time, joined), [turn, rate], [place, velocity]


def _into_earth(way: list[Measured], yaw: np.ndarray) -> list[Measured]:
    """Return places and velocities in the earth's frame, by states of the yaw; the place as measured from the first."""
    place, velocity = way
    angle = yaw[:, 0, 0] + velocity.offset * yaw[:, 1, 0]
    c, s = np.cos(angle), np.sin(angle)
    u, v = velocity.values.T
    return [place, velocity._replace(values=np.stack([c * u - s * v, s * u + c * v], axis=1))]
