"""Noise of series and roughness of the motion by maximum likelihood, in small portions for a stream."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.logs.motion.jerk_prior import Knots
from usv_energy.logs.motion.measured_series import Measured
from usv_energy.logs.motion.series_estimate import Levels, fit_of, states_of

FITTED_KNOTS, STRETCHES = 1600, 4
ROUNDS = 2                # Rounds in which the roughness is fitted to the activity.
WIDTH = 0.3               # Of the window in which the activity is averaged, s (standard deviation of a Gaussian).
CUT = 4.0                 # Standard deviations from the middle at which that window ends.
# Limits of logarithms in fits: ratio of a noise to the first one; ratio of roughness to that noise squared, 1/s^5.
RATIOS, ROUGHNESS = (-6.0, 6.0), (-5.0, 16.0)
STARTS = (-4.0, 0.0, 4.0, 8.0, 12.0)
LEAST_NOISE = 1e-6        # Lower bound of the noise of any series, in its unit.
OUTLIER = 5.0             # Standard deviations from which a measurement's weight decreases (Huber's weights).

FIRST_STEP, LEAST_STEP, LARGEST_STEP = 0.8, 0.05, 1.0
BETTER, WORSE = 1.5, 0.5    # Factors by which a step grows and shrinks.
HARDLY = 0.1                # Smallest gain of twice the log likelihood that counts.


class Estimate(NamedTuple):
    """The states at all knots, with the series, the levels and the jerk's densities that they were estimated from."""

    knots: Knots
    series: tuple[Measured, ...]
    levels: Levels
    density: np.ndarray
    states: np.ndarray


def estimate_of(knots: Knots, series: Sequence[Measured], levels: Levels, rounds: int = ROUNDS) -> Estimate:
    """
    Return the most likely states, and the levels with a fitted roughness.

    :param knots: The Knots.
    :param series: Measurements, all of the same number of quantities.
    :param levels: Of one roughness everywhere (`fitted_levels`).
    :param rounds: In which the roughness is fitted to the activity of the motion; 0: it stays one.
    """
    density = np.full(max(knots.time.size - 1, 0), levels.calm)
    states = states_of(knots, series, levels.noise, density)
    series = tuple(_with_outliers_trusted_less(one, states, deviation) for one, deviation in zip(series, levels.noise))
    found = levels
    for _ in range(rounds if knots.time.size > 2 else 0):
        active = activity(knots, states)
        rows, part = lively_excerpt(knots, active)
        found = _livelier(part, [picked(one, rows) for one in series], levels, active[rows[:-1]])
        density = density_of(found, active)
        states = states_of(knots, series, levels.noise, density)
    return Estimate(knots, tuple(series), found, density, states)


def excerpt(knots: Knots, most: int = FITTED_KNOTS) -> tuple[np.ndarray, Knots]:
    """Return the rows of stretches along a log, `most` in all, and their Knots; all rows of a short log."""
    number = knots.time.size
    if number <= most:
        return np.arange(number), knots
    length = most // STRETCHES
    return _stretches(knots, np.linspace(0, number - length, STRETCHES).astype(int), length)


def lively_excerpt(knots: Knots, active: np.ndarray, most: int = FITTED_KNOTS) -> tuple[np.ndarray, Knots]:
    """
    Return the rows of stretches along a log, half of them where the motion is liveliest, and their Knots.

    A roughness that follows the activity must be fitted where the activity is largest, too: beyond what it was fitted
    to, it would leave the motion unsmoothed.

    :param knots: The Knots.
    :param active: Activity of the motion in each step between them, shape (n - 1,).
    :param most: Knots in all; all rows of a shorter log.
    """
    number = knots.time.size
    if number <= most:
        return np.arange(number), knots
    length = most // (2 * STRETCHES)
    even = np.linspace(0, number - length, STRETCHES).astype(int)
    blocks = np.arange(0, number - length, length)
    liveliest = blocks[np.argsort(np.maximum.reduceat(active, blocks))[-STRETCHES:]]
    return _stretches(knots, np.concatenate([even, liveliest]), length)


def _stretches(knots: Knots, begins: np.ndarray, length: int) -> tuple[np.ndarray, Knots]:
    """Return the rows of stretches of so many knots that begin at some of them, and their Knots."""
    rows = np.unique(np.concatenate([np.arange(begin, begin + length) for begin in begins]))
    whole = np.diff(rows) == 1
    return rows, Knots(knots.time[rows], whole & knots.joined[rows[:-1]])


def picked(one: Measured, rows: np.ndarray) -> Measured:
    """Return the measurements at some knots."""
    return one._replace(values=one.values[rows], offset=one.offset[rows], weight=one.weight[rows])


def fitted_levels(knots: Knots, series: Sequence[Measured], guess: Sequence[float]) -> Levels:
    """
    Return the noises and the common roughness of maximum likelihood.

    :param knots: The Knots; a few thousand at most.
    :param series: Measurements, all of the same number of quantities.
    :param guess: Noise of each, in its unit: where the search begins.
    """
    steps = max(knots.time.size - 1, 0)

    def levels(parameters: np.ndarray) -> tuple[tuple[float, ...], float]:
        ratios = np.clip(parameters[:-1], *RATIOS)
        return (1.0, *np.exp(ratios)), float(np.exp(np.clip(parameters[-1], *ROUGHNESS)))

    def misfit(parameters: np.ndarray) -> float:
        noise, roughness = levels(parameters)
        return fit_of(knots, series, noise, np.full(steps, roughness)).scaled_misfit

    ratios = [math.log(one / guess[0]) for one in guess[1:]]
    start = min((np.array([*ratios, roughness]) for roughness in STARTS), key=misfit)
    found = _least(misfit, start, np.full(start.size, 1.5), 60)
    noise, roughness = levels(found)
    fit = fit_of(knots, series, noise, np.full(steps, roughness))
    scale = max(math.sqrt(max(fit.quadratic, 0.0) / fit.freedom), LEAST_NOISE)
    return Levels(tuple(max(scale * one, LEAST_NOISE) for one in noise), scale * scale * roughness)


def _livelier(knots: Knots, series: Sequence[Measured], levels: Levels, active: np.ndarray) -> Levels:
    """
    Return the levels with the calm and lively roughness of maximum likelihood.

    :param levels: Of one roughness everywhere: the search begins near it, and it stays where nothing else is likelier.
        Beside a few lively knots the mean activity says nothing of the others: from there the search would begin where
        the likelihood is flat, and leave a straight way unsmoothed.
    """
    mean = float(active[knots.joined].mean()) if knots.joined.any() else 0.0
    if not mean > 0.0:
        return levels

    def with_shares(logarithms: np.ndarray) -> Levels:
        calm, lively = np.exp(np.clip(logarithms, -30.0, 30.0))
        return levels._replace(calm=levels.calm * float(calm), lively=levels.calm * float(lively) / mean)

    def misfit(some: Levels) -> float:
        return fit_of(knots, series, levels.noise, density_of(some, active)).misfit

    found = with_shares(_least(lambda one: misfit(with_shares(one)), np.log([0.2, 0.8]), np.array([-2.0, 1.5]), 30))
    return min(found, levels, key=misfit)


def density_of(levels: Levels, active: np.ndarray) -> np.ndarray:
    """Return the spectral density of the jerk in each step between knots, by its activity, within ROUGHNESS."""
    least, most = (math.exp(limit) * levels.noise[0] ** 2 for limit in ROUGHNESS)
    return np.clip(levels.calm + levels.lively * active, least, most)


def activity(knots: Knots, states: np.ndarray, width: float = WIDTH) -> np.ndarray:
    """
    Return the activity of a motion in each step between knots: the square of its jerk's local mean square.

    :param knots: The Knots.
    :param states: At the knots, shape (n, 3, k).
    :param width: Of the window, s; at least the steps beside are averaged, too.
    """
    step = np.diff(knots.time)
    jerk = np.where(knots.joined[:, None], np.diff(states[:, 2], axis=0) / step[:, None], 0.0)
    usual = float(np.median(step))
    return averaged((jerk * jerk).mean(axis=1), max(width / usual, 0.6)) ** 2


def averaged(values: np.ndarray, width: float) -> np.ndarray:
    """
    Return values, (n,), averaged by a Gaussian of a width in samples; the end values are continued.

    Summed from afar inwards, as scipy.ndimage.gaussian_filter1d does, whose import takes longer than the sum.
    """
    reach = int(CUT * width + 0.5)
    weight = np.exp(-0.5 / (width * width) * np.arange(-reach, reach + 1) ** 2)
    weight /= weight.sum()
    wide, number = np.pad(values, reach, mode='edge'), values.size
    total: np.ndarray = weight[reach] * values
    for away in range(reach, 0, -1):
        total += (wide[reach - away:][:number] + wide[reach + away:][:number]) * weight[reach - away]
    return total


def _with_outliers_trusted_less(one: Measured, states: np.ndarray, deviation: float) -> Measured:
    """Return measurements with lower weights for large residuals (Huber, 1964)."""
    there = one.weight > 0.0
    error = np.abs(one.values - one.expected(states)).max(axis=1) * np.sqrt(one.weight) / deviation
    return one._replace(weight=np.where(there & (error > OUTLIER), one.weight * OUTLIER / np.maximum(error, 1e-9),
                                        one.weight))


def _least(function: Callable[[np.ndarray], float], start: np.ndarray, first: np.ndarray, most: int) -> np.ndarray:
    """Return the minimum of a function of few logarithms, to 5 percent (Nelder and Mead, 1965)."""
    from scipy.optimize import minimize
    return minimize(function, start, method='Nelder-Mead', options={
        'initial_simplex': np.vstack([start, start + np.diag(first)]), 'xatol': 0.05, 'fatol': 0.1, 'maxfev': most}).x


class LevelSearch:
    """
    Searches the levels of maximum likelihood for the measurements of a window, one trial at a time.

    It changes one logarithm at a time, of each noise and of the roughness, by the method of Hooke and Jeeves (1961): a
    step that improves the likelihood is kept and lengthened, any other step is reversed and then shortened.
    """

    def __init__(self, noise: Sequence[float], roughness: float) -> None:
        """Begin with standard deviations, each in its series' unit, and a spectral density of the jerk."""
        self._place = np.log([*noise, roughness])
        self._step = np.full(self._place.size, FIRST_STEP)
        self._turned = np.zeros(self._place.size, dtype=bool)
        self._next = 0

    @property
    def levels(self) -> Levels:
        """The levels found so far."""
        *noise, roughness = np.exp(self._place)
        return Levels(tuple(float(one) for one in noise), float(roughness))

    def try_once(self, knots: Knots, series: Sequence[Measured]) -> None:
        """Try one step of one of the levels on a window of measurements."""
        axis = self._next
        self._next = (axis + 1) % self._place.size
        trial = self._place.copy()
        trial[axis] += -self._step[axis] if self._turned[axis] else self._step[axis]
        if not self._allowed(trial):
            self._refuse(axis)
        elif self._misfit(trial, knots, series) < self._misfit(self._place, knots, series) - HARDLY:
            self._place = trial
            self._step[axis] = min(BETTER * self._step[axis], LARGEST_STEP)
        else:
            self._refuse(axis)

    def _refuse(self, axis: int) -> None:
        self._turned[axis] = not self._turned[axis]
        if not self._turned[axis]:
            self._step[axis] = max(WORSE * self._step[axis], LEAST_STEP)

    def _allowed(self, place: np.ndarray) -> bool:
        ratios, roughness = place[1:-1] - place[0], place[-1] - 2.0 * place[0]
        return bool(ROUGHNESS[0] <= roughness <= ROUGHNESS[1] and (np.abs(ratios) <= RATIOS[1]).all()
                    and place[0] > math.log(LEAST_NOISE) and (place[1:-1] > math.log(0.999 * LEAST_NOISE)).all())

    @staticmethod
    def _misfit(place: np.ndarray, knots: Knots, series: Sequence[Measured]) -> float:
        *noise, roughness = np.exp(place)
        return fit_of(knots, series, noise, np.full(knots.time.size - 1, roughness)).misfit
