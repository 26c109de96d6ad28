"""
The prior of a motion: its jerk is white noise with a given spectral density.

A state is the value, first and second derivative at a knot. Between two knots the mean motion is the polynomial of
fifth degree through both states. Sources: Saerkkae and Solin (2019), Applied Stochastic Differential Equations,
chapters 6 and 12; Barfoot (2024), State Estimation for Robotics, 2nd edition, chapter 11 (white noise on jerk).
"""

import math
from typing import NamedTuple

import numpy as np

STATES = 3
BAND = 2 * STATES            # Rows of the lower half of a band matrix whose blocks reach to the next knot.
SPREAD = (1e4, 1e2, 1e2)     # Of value and derivatives at the first knot of a stretch: a nearly uninformative prior.


class Knots(NamedTuple):
    """
    Times, s, shape (n,), rising, at which states are estimated; `joined` (n - 1,): no gap lies between two of them.

    The prior has no correlation across a gap: the stretches on both sides are independent.
    """

    time: np.ndarray
    joined: np.ndarray

    @property
    def begins(self) -> np.ndarray:
        """Return the knots that begin a stretch, as indices."""
        return np.flatnonzero(np.concatenate(([True], ~self.joined)))

    def part(self, rows: slice) -> 'Knots':
        """Return some successive knots."""
        time = self.time[rows]
        return Knots(time, self.joined[rows.start:rows.start + max(time.size - 1, 0)])


def prior_band(knots: Knots, density: np.ndarray) -> tuple[np.ndarray, float]:
    """
    Return the prior's inverse covariance of all states, lower band (BAND, 3 n), and its log determinant.

    :param knots: The Knots.
    :param density: Spectral density of the jerk in each step between knots, (unit/s^3)^2 s, shape (n - 1,).

    Row d of column j is element (j + d, j), as `scipy.linalg.cholesky_banded` has it. With T the step, the blocks are
    those of the inverse of [[T^5/20, T^4/8, T^3/6], [T^4/8, T^3/3, T^2/2], [T^3/6, T^2/2, T]], determinant T^9/8640.
    """
    band = np.zeros((BAND, STATES * knots.time.size), order='F')
    step = np.where(knots.joined, np.diff(knots.time), 1.0)
    weight = knots.joined / density
    w0, w1, w2 = weight / step, weight / step ** 2, weight / step ** 3
    w3, w4 = w2 / step, w2 / step ** 2
    for first, sign in ((slice(0, -1), 1.0), (slice(1, None), -1.0)):
        for row, column, values in ((0, 0, 720.0 * w4), (1, 0, sign * 360.0 * w3), (2, 0, 60.0 * w2),
                                    (1, 1, 192.0 * w2), (2, 1, sign * 36.0 * w1), (2, 2, 9.0 * w0)):
            band[row - column, column::STATES][first] += values
    links = ((-720.0 * w4, -360.0 * w3, -60.0 * w2), (360.0 * w3, 168.0 * w2, 24.0 * w1),
             (-60.0 * w2, -24.0 * w1, -3.0 * w0))
    for row, blocks in enumerate(links):
        for column, values in enumerate(blocks):
            band[row + STATES - column, column:-STATES:STATES] = values
    begins = knots.begins
    for state, spread in enumerate(SPREAD):
        band[0, STATES * begins + state] += spread ** -2
    known = knots.joined
    log_determinant = float(np.sum(math.log(8640.0) - 9.0 * np.log(step[known]) - 3.0 * np.log(density[known])))
    return band, log_determinant - 2.0 * begins.size * math.fsum(map(math.log, SPREAD))


def prior_misfit(knots: Knots, states: np.ndarray, density: np.ndarray) -> float:
    """
    Return the prior's cost of some states: the sum of squared, normalized deviations of each step.

    :param knots: The Knots.
    :param states: At the knots, shape (n, 3, k).
    :param density: As `prior_band`.
    """
    step = np.diff(knots.time)[:, None]
    value, rate, bend = (states[:, state] for state in range(STATES))
    e0 = (value[1:] - value[:-1] - step * (rate[:-1] + 0.5 * step * bend[:-1])) / step ** 2
    e1 = (rate[1:] - rate[:-1] - step * bend[:-1]) / step
    e2 = bend[1:] - bend[:-1]
    square = 720.0 * e0 * e0 + 192.0 * e1 * e1 + 9.0 * e2 * e2 - 720.0 * e0 * e1 + 120.0 * e0 * e2 - 72.0 * e1 * e2
    weight = knots.joined / (density * step[:, 0])
    return float(weight @ square.sum(axis=1))


def states_at(knots: Knots, states: np.ndarray, time: np.ndarray) -> np.ndarray:
    """
    Return the motion between knots; outside a stretch its acceleration is constant.

    :param knots: The Knots.
    :param states: At the knots, shape (n, 3, k).
    :param time: s, shape (m,); in a gap the nearer knot is taken.
    :return: Value, first and second derivative, shape (m, 3, k).
    """
    last = knots.time.size - 1
    left = np.clip(np.searchsorted(knots.time, time, side='right') - 1, 0, max(last - 1, 0))
    right = np.minimum(left + 1, last)
    inside = (time >= knots.time[left]) & (time <= knots.time[right]) & (right > left)
    if last:
        inside &= knots.joined[left]
    result = _between(knots, states, left, time) if inside.any() else np.empty((time.size, *states.shape[1:]))
    rows = np.flatnonzero(~inside)
    if rows.size:
        left, right, time = left[rows], right[rows], time[rows]
        nearest = np.where(np.abs(time - knots.time[left]) <= np.abs(knots.time[right] - time), left, right)
        after = (time - knots.time[nearest])[:, None]
        value, rate, bend = (states[nearest, state] for state in range(STATES))
        result[rows] = np.stack([value + after * (rate + 0.5 * after * bend), rate + after * bend, bend], axis=1)
    return result


def _between(knots: Knots, states: np.ndarray, left: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return value and derivatives, shape (m, 3, k), of the polynomials of fifth degree that begin at knots `left`."""
    first = int(left.min())
    some = slice(first, int(left.max()) + 2)
    step = np.diff(knots.time[some])
    place = left - first
    s, inverse = (time - knots.time[left]) / step[place], (1.0 / step)[place]
    curves = _coefficients(states[some].transpose(1, 2, 0), step)
    result = np.empty((STATES, states.shape[2], time.size))  # Contiguous per quantity; returned as a transposed view
    for number in range(states.shape[2]):
        c0, c1, c2, c3, c4, c5 = (curve[number][place] for curve in curves)
        result[0, number] = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))
        result[1, number] = (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * (5.0 * c5))))) * inverse
        result[2, number] = (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * (20.0 * c5)))) * (inverse * inverse)
    return result.transpose(2, 0, 1)


def _coefficients(states: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, ...]:
    """
    Return the six coefficients, in the share of the step, of the polynomials through each two successive states.

    :param states: Value and derivatives, shape (3, k, n).
    :param step: s, shape (n - 1,).
    :return: Each of shape (k, n - 1).
    """
    begin, end = states[..., :-1], states[..., 1:]
    c0, c1, c2 = begin[0], begin[1] * step, 0.5 * begin[2] * step * step
    value, rate, bend = end[0] - c0 - c1 - c2, end[1] * step - c1 - 2.0 * c2, end[2] * step * step - 2.0 * c2
    return (c0, c1, c2, 10.0 * value - 4.0 * rate + 0.5 * bend, -15.0 * value + 7.0 * rate - bend,
            6.0 * value - 3.0 * rate + 0.5 * bend)
