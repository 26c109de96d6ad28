"""Second derivatives of a sum over the parts of a path, by differences, and Newton's step through its band."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

from usv_energy.studies.route.polishing.path_cost import TimeMoves

# From a part's ends (x0, y0, x1, y1) to its way and middle (Dx, Dy, mx, my).
TO_PART = np.array([(-1.0, 0.0, 1.0, 0.0), (0.0, -1.0, 0.0, 1.0), (0.5, 0.0, 0.5, 0.0), (0.0, 0.5, 0.0, 0.5)])
MOST_DAMPING = 1e3
FLAT = 1e-3             # Of the greatest curvature by the spans: the least that is reckoned with.
Values = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # (B, N, 2) twice, (B, N) twice: (B, N)


class Derivatives(NamedTuple):
    """
    First and second derivatives of a sum of N parts.

    `slope`: by each part's ends, shape (N, 4); `bend`: the same twice, (N, 4, 4). `span`: by the K spans, (K,);
    `span_span`: the same twice, (K, K); `mixed`: by both, (N, 4, K).
    """

    slope: np.ndarray
    bend: np.ndarray
    span: np.ndarray
    span_span: np.ndarray
    mixed: np.ndarray


def derivatives(values: Values, path: np.ndarray, times: TimeMoves, steps: tuple[float, float, float]) -> Derivatives:
    """
    Return the derivatives of the sum of `values` by central differences, all of them from one call.

    Where a value beside is NaN (the field's edge) the other side's slope is taken, and no curvature.

    :param values: Of each part, for many ways, middles, begins and lengths at once.
    :param path: Points, m, shape (N + 1, 2).
    :param times: Of the parts.
    :param steps: Of the differences: of ways m, of middles m, of the variables of time (-).
    """
    number = 4 + times.move.shape[1]
    sizes = np.array([steps[0], steps[0], steps[1], steps[1], *(steps[2],) * (number - 4)])
    pairs = [(i, j) for i in range(number) for j in range(i)]
    one = np.eye(number)
    offsets = np.concatenate((np.zeros((1, number)), one, -one, [one[i] + one[j] for i, j in pairs],
                              [-one[i] - one[j] for i, j in pairs])) * sizes
    way, middle = np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1])
    moved = np.einsum('bl,nlc->cbn', offsets[:, 4:], times.move)
    found = values(way + offsets[:, None, 0:2], middle + offsets[:, None, 2:4], times.begin + moved[0],
                   times.length + moved[1])
    first, second = _of_differences(found, sizes, pairs)
    slope, bend = first[:, :4] @ TO_PART, TO_PART.T @ second[:, :4, :4] @ TO_PART
    by_span = times.by_span
    return Derivatives(slope, bend, np.einsum('nl,nlk->k', first[:, 4:], by_span),
                       np.einsum('nlm,nlj,nmk->jk', second[:, 4:, 4:], by_span, by_span),
                       np.einsum('pi,npl,nlk->nik', TO_PART, second[:, :4, 4:], by_span))


def _of_differences(found: np.ndarray, sizes: np.ndarray,
                    pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the first derivatives of each part, (N, L), and the second, (N, L, L), from its values beside."""
    number = sizes.size
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
    return first, second


class NewtonStep(NamedTuple):
    """A step of the inner points, m, shape (N - 1, 2), and of the spans, s, (K,); how much it promises to save."""

    points: np.ndarray
    span: np.ndarray
    promise: float


def newton_step(of: Derivatives, least: np.ndarray, most: float, damping: float) -> tuple[NewtonStep, float]:
    """
    Return Newton's step down, damped as far as the second derivatives do not bend upwards; and the damping used.

    :param least: Of the step of each span, s, shape (K,), at most 0: how much shorter it may become.
    :param most: How much longer all spans together may become, s.
    :param damping: To begin with, as a share of the mean stiffness of a point.
    """
    slope, band = _node_slope(of.slope), _band(of.bend)
    mixed = np.stack([_node_slope(of.mixed[..., k]).ravel() for k in range(of.span.size)], axis=1)
    stiffness, own = float(np.mean(abs(band[0]))), abs(np.diag(of.span_span))
    timed = bool(of.mixed.any() or of.span.any() or of.span_span.any())
    while True:
        damped = band.copy()
        damped[0] += damping * stiffness
        try:
            factor = cholesky_banded(damped, lower=True), True
        except LinAlgError:
            damping = max(6.0 * damping, 1e-6)
            continue
        still, along = cho_solve_banded(factor, slope.ravel()), cho_solve_banded(factor, mixed)
        curvature = of.span_span - mixed.T @ along + damping * np.diag(own)
        pull = of.span - mixed.T @ still
        if timed and own.size == 1 and curvature[0, 0] <= 1e-9 * own[0]:
            if damping < MOST_DAMPING:
                damping = max(6.0 * damping, 1e-6)
                continue
            if curvature[0, 0] <= 0.0:    # Nothing holds the duration back: as far as whoever asks lets it go.
                span = least if of.span[0] > 0.0 else np.array([most])
                return NewtonStep(-still.reshape(-1, 2), span, np.inf), damping
        span = _span_step(curvature, pull, least, most) if timed else np.zeros_like(least)
        promise = 0.5 * slope.ravel() @ still - pull @ span - 0.5 * span @ curvature @ span
        return NewtonStep(-(still + along @ span).reshape(-1, 2), span, float(promise)), damping


def _span_step(curvature: np.ndarray, pull: np.ndarray, least: np.ndarray, most: float) -> np.ndarray:
    """
    Return the step of the spans down a parabola, each at least `least`, s, and together at most `most`.

    Where the parabola bends downwards or not at all it is taken to bend upwards a little.
    """
    values, axes = np.linalg.eigh(curvature)
    least_bend = FLAT * float(abs(values).max()) if values.size > 1 else 0.0
    bends = (axes * np.maximum(abs(values), max(least_bend, 1e-300))) @ axes.T
    step, held = np.zeros_like(pull), np.zeros(pull.size, dtype=bool)
    for _ in range(pull.size + 1):
        free = ~held
        if not free.any():
            break
        inner = np.linalg.inv(bends[np.ix_(free, free)])
        step[free] = -inner @ (pull[free] + bends[np.ix_(free, held)] @ step[held])
        if (over := step.sum() - most) > 0.0:
            step[free] -= inner.sum(axis=1) * over / inner.sum()
        low = free & (step < least)
        if not low.any():
            break
        step[low], held = least[low], held | low
    return step


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
