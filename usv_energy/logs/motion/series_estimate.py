"""
The most likely motion for some measured series, as one sparse linear system.

Prior and measurements are Gaussian, so the states at all knots solve A s = b with a band matrix A (half width 5). The
time of its Cholesky decomposition is proportional to the number of knots. Sources: as `jerk_prior`; Barfoot (2024),
section 3.2; Rasmussen and Williams (2006), (5.8), for the likelihood.
"""

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from usv_energy.logs.motion.jerk_prior import SPREAD, STATES, Knots, prior_band, prior_misfit
from usv_energy.logs.motion.measured_series import Measured

HELD = 1e-6, 1e-4  # Of rate and acceleration, if the matrix is nearly singular: `_factor`.
CHUNK, OVERLAP = 50_000, 400  # Knots solved together, and their overlap, which is solved twice.


class Levels(NamedTuple):
    """
    Noise of the series and roughness of the motion.

    `noise`: standard deviation of a sample of each series, in its unit; `calm` and `lively`: spectral density of the
    jerk is calm + lively * activity of the motion there (`noise_levels`), (unit/s^3)^2 s.
    """

    noise: tuple[float, ...]
    calm: float
    lively: float = 0.0


class Solved(NamedTuple):
    """The factor of the band matrix and the states; `information`: b, shape (3 n, k)."""

    factor: np.ndarray
    states: np.ndarray
    information: np.ndarray
    prior_log_determinant: float


def solved(knots: Knots, series: Sequence[Measured], noise: Sequence[float], density: np.ndarray) -> Solved:
    """
    Return the most likely states, shape (n, 3, k).

    :param knots: The Knots.
    :param series: The measurements, all of k quantities.
    :param noise: Standard deviation of a sample, for each series.
    :param density: Spectral density of the jerk in each step between knots, shape (n - 1,).
    """
    try:
        factor, log_determinant = _factor(knots, series, noise, density, ())
    except np.linalg.LinAlgError:  # Too few measurements; whether it fails depends on the processor's rounding.
        factor, log_determinant = _factor(knots, series, noise, density, HELD)
    information = information_of(series, noise, [one.values for one in series])
    states = solution(factor, information)
    return Solved(factor, states.reshape(knots.time.size, STATES, -1), information, log_determinant)


def _factor(knots: Knots, series: Sequence[Measured], noise: Sequence[float], density: np.ndarray,
            held: Sequence[float]) -> tuple[np.ndarray, float]:
    """
    Return the Cholesky factor of the states' inverse covariance, and the prior's log determinant.

    :param held: How much more stretches are held to begin at rest (where no rate is measured) and without acceleration,
        as shares of how much the next knot does; empty: not at all.
    """
    band, log_determinant = prior_band(knots, density)
    for state, share in zip((1, 2), held):
        begins = stretches_without(knots, series, state)
        band[0, STATES * begins + state] *= 1.0 + share
    band[0, STATES * stretches_without(knots, series, 0)] += noise[0] ** -2
    for one, deviation in zip(series, noise):
        row, weight = one.rows(), one.weight / deviation ** 2
        for low in range(STATES):
            for high in range(low, STATES):
                if one.order <= low:
                    band[high - low, low::STATES] += weight * row[:, low] * row[:, high]
    from scipy.linalg import cholesky_banded
    return cholesky_banded(band, overwrite_ab=True, lower=True, check_finite=False), log_determinant


def solution(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return x of A x = b, shape (size, k), by the lower factor of A, for b of that shape."""
    from scipy.linalg import cho_solve_banded
    return cho_solve_banded((factor, True), right, check_finite=False)


def stretches_without(knots: Knots, series: Sequence[Measured], order: int) -> np.ndarray:
    """
    Return the knots that begin a stretch in which no value (order 0), rate (1) or acceleration (2) is measured.

    There its start is undetermined; a value is assumed to begin at 0, so that the matrix is not nearly singular.
    """
    weight = np.zeros(knots.time.size)
    for one in series:
        if one.order == order:
            weight += one.weight
    begins = knots.begins
    return begins[np.add.reduceat(weight, begins) == 0.0]


def information_of(series: Sequence[Measured], noise: Sequence[float], values: Sequence[np.ndarray]) -> np.ndarray:
    """Return the information vector of the states, (3 n, k), for values at the measurements, each (n, k)."""
    total = np.zeros((*series[0].rows().shape, values[0].shape[1]))
    for one, deviation, value in zip(series, noise, values):
        row, weighted = one.rows(), value * (one.weight / deviation ** 2)[:, None]
        for state in range(one.order, STATES):
            total[:, state] += row[:, state, None] * weighted
    return total.reshape(-1, values[0].shape[1])


def states_of(knots: Knots, series: Sequence[Measured], noise: Sequence[float], density: np.ndarray) -> np.ndarray:
    """Return the most likely states as `solved` does, in overlapping chunks, so that memory stays bounded."""
    number = knots.time.size
    if number <= CHUNK + OVERLAP:
        return solved(knots, series, noise, density).states
    states = np.empty((number, STATES, series[0].values.shape[1]))

    def chunk(begin: int) -> np.ndarray:
        """Fill in the states of a chunk; return the chunk's own values at the knot before it, shape (k,)."""
        rows = slice(max(begin - OVERLAP, 0), min(begin + CHUNK + OVERLAP, number))
        part = solved(knots.part(rows), [one.part(rows) for one in series], noise, density[rows.start:rows.stop - 1])
        states[begin:begin + CHUNK] = part.states[begin - rows.start:][:CHUNK]
        before: np.ndarray = part.states[max(begin - 1 - rows.start, 0), 0]
        return before.copy()

    begins = range(0, number, CHUNK)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for begin, before in zip(begins, pool.map(chunk, begins)):
            if begin and knots.joined[begin - 1]:
                _continued(states, before, knots, series, slice(begin, min(begin + CHUNK, number)))
    return states


def _continued(states: np.ndarray, before: np.ndarray, knots: Knots, series: Sequence[Measured], inner: slice) -> None:
    """Make unmeasured values continue from one chunk to the next."""
    ends = np.flatnonzero(~knots.joined[inner.start:inner.stop - 1])
    stop = inner.start + int(ends[0]) + 1 if ends.size else inner.stop
    if not any(one.weight[inner.start - OVERLAP:stop].any() for one in series if one.order == 0):
        states[inner.start:stop, 0] += states[inner.start - 1, 0] - before


class Fit(NamedTuple):
    """
    Fit of noise levels to series: twice the negative log likelihood, up to a constant, by its parts.

    `freedom`: number of measurements less that of the states that stretches begin with, which are free.
    """

    quadratic: float
    determinants: float
    freedom: int

    @property
    def misfit(self) -> float:
        """The misfit with these levels."""
        return self.quadratic + self.determinants

    @property
    def scaled_misfit(self) -> float:
        """The misfit with all levels scaled by the common factor of maximum likelihood."""
        return self.freedom * math.log(max(self.quadratic, 1e-300) / self.freedom) + self.determinants


def fit_of(knots: Knots, series: Sequence[Measured], noise: Sequence[float], density: np.ndarray) -> Fit:
    """Return the Fit of noise and roughness to series; arguments as `solved`."""
    found = solved(knots, series, noise, density)
    quantities = series[0].values.shape[1]
    begins = knots.begins
    quadratic = prior_misfit(knots, found.states, density)
    quadratic += float(np.sum((found.states[begins] / np.array(SPREAD)[:, None]) ** 2))
    determinants = 2.0 * float(np.log(found.factor[0]).sum()) - found.prior_log_determinant
    number = 0
    for one, deviation in zip(series, noise):
        there = one.weight > 0.0
        number += int(there.sum())
        error = one.values - one.expected(found.states)
        quadratic += float(one.weight @ (error * error).sum(axis=1)) / deviation ** 2
        determinants += float(np.sum(2.0 * np.log(deviation) - np.log(one.weight[there])))
    return Fit(quadratic, quantities * determinants, quantities * max(number - STATES * begins.size, 1))
