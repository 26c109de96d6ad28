"""Second derivatives of a sum over the parts of a path, by differences, and Newton's step through its band."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

# From a part's ends (x0, y0, x1, y1) to its way and middle (Dx, Dy, mx, my).
TO_PART = np.array([(-1.0, 0.0, 1.0, 0.0), (0.0, -1.0, 0.0, 1.0), (0.5, 0.0, 0.5, 0.0), (0.0, 0.5, 0.0, 0.5)])
MOST_DAMPING = 1e3
Values = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # of (B, N, 2), (B, N, 2), (B,): (B, N)


class Derivatives(NamedTuple):
    """
    First and second derivatives of a sum of N parts.

    `slope`: by each part's ends, shape (N, 4); `bend`: the same twice, (N, 4, 4). `span`, `span_span`: by the duration
    T; `mixed`: by both, (N, 4).
    """

    slope: np.ndarray
    bend: np.ndarray
    span: float
    span_span: float
    mixed: np.ndarray


def derivatives(values: Values, path: np.ndarray, span: float, steps: tuple[float, float, float]) -> Derivatives:
    """
    Return the derivatives of the sum of `values` by central differences, all of them from one call.

    Where a value beside is NaN (the field's edge) the other side's slope is taken, and no curvature.

    :param values: Of each part, for many ways, middles and durations at once.
    :param path: Points, m, shape (N + 1, 2).
    :param span: Duration, s.
    :param steps: Of the differences: of ways m, of middles m, of the duration s; 0 where it does not vary.
    """
    number = 5 if steps[2] else 4
    sizes = np.array([steps[0], steps[0], steps[1], steps[1], steps[2]])[:number]
    pairs = [(i, j) for i in range(number) for j in range(i)]
    one = np.eye(number)
    offsets = np.concatenate((np.zeros((1, number)), one, -one, [one[i] + one[j] for i, j in pairs],
                              [-one[i] - one[j] for i, j in pairs])) * sizes
    way, middle = np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1])
    durations = span + (offsets[:, 4] if number == 5 else np.zeros(len(offsets)))
    found = values(way + offsets[:, None, 0:2], middle + offsets[:, None, 2:4], durations)
    base, plus, minus = found[0], found[1:1 + number], found[1 + number:1 + 2 * number]
    plus, minus = (np.where(np.isnan(a), np.where(np.isnan(b), base, 2.0 * base - b), a)
                   for a, b in ((plus, minus), (minus, plus)))
    both, neither = np.split(found[1 + 2 * number:], 2)
    first = (0.5 * (plus - minus) / sizes[:, None]).T
    second = np.zeros((base.size, number, number))
    for i in range(number):
        second[:, i, i] = (plus[i] - 2.0 * base + minus[i]) / sizes[i] ** 2
    for k, (i, j) in enumerate(pairs):
        cross = both[k] + neither[k] - plus[i] - minus[i] - plus[j] - minus[j] + 2.0 * base
        second[:, i, j] = second[:, j, i] = np.where(np.isnan(cross), 0.0, 0.5 * cross / (sizes[i] * sizes[j]))
    unknown = np.isnan(base) | np.isnan(first).any(axis=1) | np.isnan(second).any(axis=(1, 2))
    if unknown.any():   # A part with no value says nothing but that it is one: as stiff as the others, no slope.
        first[unknown] = 0.0
        stiff = np.diag(np.nanmean(abs(second[~unknown]), axis=0)) if not unknown.all() else np.ones(number)
        second[unknown] = np.diag(stiff)
    slope, bend = first[:, :4] @ TO_PART, TO_PART.T @ second[:, :4, :4] @ TO_PART
    if number == 4:
        return Derivatives(slope, bend, 0.0, 0.0, np.zeros_like(slope))
    return Derivatives(slope, bend, float(first[:, 4].sum()), float(second[:, 4, 4].sum()),
                       second[:, :4, 4] @ TO_PART)


class NewtonStep(NamedTuple):
    """A step of the inner points, m, shape (N - 1, 2), and of the duration, s; how much it promises to save."""

    points: np.ndarray
    span: float
    promise: float


def newton_step(of: Derivatives, most_span: float, damping: float) -> tuple[NewtonStep, float]:
    """
    Return Newton's step down, damped as far as the second derivatives do not bend upwards; and the damping used.

    :param most_span: How much longer the path may become, s.
    :param damping: To begin with, as a share of the mean stiffness of a point.
    """
    slope, band = _node_slope(of.slope), _band(of.bend)
    mixed = _node_slope(of.mixed).ravel()
    stiffness = float(np.mean(abs(band[0])))
    while True:
        damped = band.copy()
        damped[0] += damping * stiffness
        try:
            factor = cholesky_banded(damped, lower=True), True
        except LinAlgError:
            damping = max(6.0 * damping, 1e-6)
            continue
        still = cho_solve_banded(factor, slope.ravel())
        span = 0.0
        if of.mixed.any() or of.span or of.span_span:
            along = cho_solve_banded(factor, mixed)
            curvature = of.span_span - mixed @ along
            curvature += damping * abs(of.span_span)
            if curvature <= 1e-9 * abs(of.span_span) and damping < MOST_DAMPING:
                damping = max(6.0 * damping, 1e-6)
                continue
            if curvature <= 0.0:    # Nothing holds the duration back: as far as whoever asks lets it go.
                return NewtonStep(-still.reshape(-1, 2), -np.inf if of.span > 0.0 else most_span, np.inf), damping
            span = min(-(of.span - mixed @ still) / curvature, most_span)
            still = still + span * along
        step = NewtonStep(-still.reshape(-1, 2), span, float(0.5 * (slope.ravel() @ still - of.span * span)))
        return step, damping


def _node_slope(slope: np.ndarray) -> np.ndarray:
    """Return derivatives by the inner points, shape (N - 1, 2), of those by the parts' ends, (N, 4)."""
    inner: np.ndarray = slope[:-1, 2:] + slope[1:, :2]
    return inner


def _band(bend: np.ndarray) -> np.ndarray:
    """Return the lower band, shape (4, 2 (N - 1)), of the second derivatives by the inner points."""
    inner = bend[:-1, 2:, 2:] + bend[1:, :2, :2]
    beside = bend[1:-1, 2:, :2]  # by the coordinates of the next point, then by those of this one
    band = np.zeros((4, 2 * len(inner)))
    band[0, 0::2], band[0, 1::2], band[1, 0::2] = inner[:, 0, 0], inner[:, 1, 1], inner[:, 1, 0]
    band[2, 0:-2:2], band[3, 0:-2:2] = beside[:, 0, 0], beside[:, 1, 0]
    band[1, 1:-2:2], band[2, 1:-2:2] = beside[:, 0, 1], beside[:, 1, 1]
    return band
