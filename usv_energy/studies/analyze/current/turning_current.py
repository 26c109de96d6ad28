"""
An unknown current that changes along a log, from the sway of a boat whose thrusters give no side force.

The current is linear between knots, with a prior on its first value and on its change from knot to knot. Each heading
shows what comes from abeam, so legs of several headings show both components. It is taken only where stretches of the
log that the fit has not seen are explained by it, far better than by a steady one.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.current.sway_error import SwayError, Tune

FIRST, CHANGE = 0.3, 0.15  # m/s: standard deviations of the first current, and of its change from knot to knot.
TUNE = np.array([0.2, 0.3, 0.03])  # Of sway drag and lateral area, logarithms, and of the compass, rad.
SEGMENTS = (2, 4)          # Between knots; more where they tell more.
SHORTEST = 20.0            # s between knots.
FLOOR = 0.01               # m/s: smallest error of a sway model over a block.
INDEPENDENT = 100          # Most blocks that count as independent.
FOLDS, FOLD = 5, 10.0      # Parts that are left out in turn, in stretches of so many s.
BETTER = 0.5               # Share of the steady current's squared errors ahead that a changing one may leave.
PRECISION = 1e-4           # Of fits, relative.


class TurningCurrent(NamedTuple):
    """
    A current that changes: its knots, s, (k,), and east and north there, m/s, (k,); linear in between.

    `covariance`: of a knot's current, the mean over all, (m/s)^2, shape (2, 2); `scatter`: of the sway's error that is
    left, m/s.
    """

    knots: np.ndarray
    x: np.ndarray
    y: np.ndarray
    covariance: np.ndarray
    scatter: float

    def at(self, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the current, east and north, m/s, at times, s, shape (n,)."""
        return np.interp(time, self.knots, self.x), np.interp(time, self.knots, self.y)


def turning_current(time: np.ndarray, error: SwayError, known: Flow) -> TurningCurrent | None:
    """
    Return the current that explains a log's sway as it changes; None where a steady one, or none, does so as well.

    :param time: Of the sway, of equal steps, s, shape (n,).
    :param error: Of the sway.
    :param known: What is known of the flow at these times; zeros of what is not.
    """
    fold = np.floor(error.block_times / FOLD).astype(int) % FOLDS
    best = _CurrentFit(time, error, known, 0)
    missed, found = best.held_out(fold), None
    for segments in SEGMENTS:
        if (time[-1] - time[0]) / segments < SHORTEST:
            break
        finer = _CurrentFit(time, error, known, segments)
        if (left := finer.held_out(fold)) < BETTER * missed:
            missed, found = left, finer
    return None if found is None else found.current()


class _CurrentFit:
    """Least squares over a current at knots and the nuisance parameters, all in units of their priors."""

    def __init__(self, time: np.ndarray, error: SwayError, known: Flow, segments: int) -> None:
        """Take a sway's error at times, s, and how many segments lie between knots; 0: the current is steady."""
        self._time, self._error, self._known = time, error, known
        self._knots = np.linspace(time[0], time[-1], segments + 1) if segments else time[:1]
        number = self._knots.size
        self._walk = np.tril(np.ones((number, number))) * np.array([FIRST, *[CHANGE] * (number - 1)])
        self._deviation = FLOOR
        self._every = np.ones(error.blocks, dtype=bool)

    def held_out(self, fold: np.ndarray) -> float:
        """Return the mean squared error of the sway in blocks that the fit has not seen, (m/s)^2."""
        self._settle()
        squares = 0.0
        for number in range(FOLDS):
            seen = fold != number
            if not seen.any() or seen.all():
                continue
            squares += float(np.sum(self._means(self._fit(seen).x)[~seen] ** 2))
        return squares / fold.size

    def current(self) -> TurningCurrent:
        """Return the current by all blocks."""
        found = self._fit(self._every)
        number = self._knots.size
        covariance = np.linalg.inv(found.jac.T @ found.jac)
        x, y = (self._walk @ found.x[part] for part in (slice(0, number), slice(number, 2 * number)))
        walk = np.kron(np.eye(2), self._walk)
        knots = walk @ covariance[:2 * number, :2 * number] @ walk.T
        mean = [[float(np.mean(np.diag(knots[row * number:(row + 1) * number, column * number:(column + 1) * number])))
                 for column in range(2)] for row in range(2)]
        return TurningCurrent(self._knots, x, y, np.array(mean), _size(self._means(found.x)))

    def _settle(self) -> None:
        for _ in range(2):
            left = _size(self._means(self._fit(self._every).x))
            self._deviation = max(left, FLOOR) * max(self._error.blocks / INDEPENDENT, 1.0) ** 0.5

    def _means(self, values: np.ndarray) -> np.ndarray:
        number = self._knots.size
        x, y = (np.interp(self._time, self._knots, self._walk @ values[part])
                for part in (slice(0, number), slice(number, 2 * number)))
        flow = self._known._replace(current_x=self._known.current_x + x, current_y=self._known.current_y + y)
        return self._error.means(flow, Tune(*(TUNE * values[2 * number:]).tolist()))

    def _fit(self, seen: np.ndarray) -> Any:
        from scipy.optimize import least_squares

        def residuals(values: np.ndarray) -> np.ndarray:
            return np.concatenate([self._means(values)[seen] / self._deviation, values])

        return least_squares(residuals, np.zeros(2 * self._knots.size + TUNE.size), method='lm', ftol=PRECISION,
                             xtol=PRECISION)


def _size(error: np.ndarray) -> float:
    return float(np.sqrt(np.mean(error * error)))
