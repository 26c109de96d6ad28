"""Second derivatives of a sum over the parts of a path, by finite differences, and Newton's step by its band matrix."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

from usv_energy.studies.route.polishing.path_cost import TimeVariables

# Maps a part's ends (x0, y0, x1, y1) to its way and middle (Dx, Dy, mx, my).
TO_PART = np.array([(-1.0, 0.0, 1.0, 0.0), (0.0, -1.0, 0.0, 1.0), (0.5, 0.0, 0.5, 0.0), (0.0, 0.5, 0.0, 0.5)])
MOST_DAMPING = 1e3
LEAST_CURVATURE = 1e-3  # by the spans, as a share of the greatest one; a smaller curvature is raised to it
Values = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # (B, N, 2) twice, (B, N) twice: (B, N)


class Derivatives(NamedTuple):
    """
    First and second derivatives of a sum of N parts.

    `gradient`, (N, 4), and `hessian`, (N, 4, 4): by each part's ends. `span_gradient`, (K,), and `span_hessian`,
    (K, K): by the spans. `mixed_hessian`, (N, 4, K): by both.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    span_gradient: np.ndarray
    span_hessian: np.ndarray
    mixed_hessian: np.ndarray


def derivatives(values: Values, path: np.ndarray, times: TimeVariables,
                steps: tuple[float, float, float]) -> Derivatives:
    """
    Return the derivatives of the sum of `values` by central differences, from one call of `values`.

    If the value on one side is NaN (at the edge of a field), the difference to the other side is used, and no
    curvature.

    :param values: Returns the value of each part, for many ways, middles, begins and lengths at once.
    :param path: Points, m, shape (N + 1, 2).
    :param times: Of the parts.
    :param steps: Of the differences: of ways m, of middles m, of the variables of time (-).
    """
    number = 4 + times.change.shape[1]
    sizes = np.array([steps[0], steps[0], steps[1], steps[1], *(steps[2],) * (number - 4)])
    pairs = [(i, j) for i in range(number) for j in range(i)]
    one = np.eye(number)
    offsets = np.concatenate((np.zeros((1, number)), one, -one, [one[i] + one[j] for i, j in pairs],
                              [-one[i] - one[j] for i, j in pairs])) * sizes
    way, middle = np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1])
    moved = np.einsum('bl,nlc->cbn', offsets[:, 4:], times.change)
    found = values(way + offsets[:, None, 0:2], middle + offsets[:, None, 2:4], times.begin + moved[0],
                   times.length + moved[1])
    first, second = _difference_derivatives(found, sizes, pairs)
    gradient, hessian = first[:, :4] @ TO_PART, TO_PART.T @ second[:, :4, :4] @ TO_PART
    by_span = times.by_span
    return Derivatives(gradient, hessian, np.einsum('nl,nlk->k', first[:, 4:], by_span),
                       np.einsum('nlm,nlj,nmk->jk', second[:, 4:, 4:], by_span, by_span),
                       np.einsum('pi,npl,nlk->nik', TO_PART, second[:, :4, 4:], by_span))


def _difference_derivatives(found: np.ndarray, sizes: np.ndarray,
                    pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the first derivatives of each part, (N, L), and the second, (N, L, L), from its displaced values."""
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
    if unknown.any():   # A part without a value gets no gradient, and the mean stiffness of the others.
        first[unknown] = 0.0
        stiff = np.diag(np.nanmean(abs(second[~unknown]), axis=0)) if not unknown.all() else np.ones(number)
        second[unknown] = np.diag(stiff)
    return first, second


class NewtonStep(NamedTuple):
    """A step of the inner points, m, shape (N - 1, 2), and of the spans, s, (K,); the saving that it predicts."""

    points: np.ndarray
    span: np.ndarray
    promise: float


def newton_step(of: Derivatives, least: np.ndarray, most: float, damping: float) -> tuple[NewtonStep, float]:
    """
    Return Newton's step, with as much damping as makes the Hessian positive definite, and the damping.

    :param least: Lower bound on the step of each span, s, shape (K,), at most 0.
    :param most: Upper bound on the sum of the steps of all spans, s.
    :param damping: The least, as a share of the mean stiffness of a point.
    """
    gradient, band = _inner_gradient(of.gradient), _band(of.hessian)
    mixed_hessian = np.stack([_inner_gradient(of.mixed_hessian[..., k]).ravel()
                              for k in range(of.span_gradient.size)], axis=1)
    stiffness, own = float(np.mean(abs(band[0]))), abs(np.diag(of.span_hessian))
    timed = bool(of.mixed_hessian.any() or of.span_gradient.any() or of.span_hessian.any())
    while True:
        damped = band.copy()
        damped[0] += damping * stiffness
        try:
            factor = cholesky_banded(damped, lower=True), True
        except LinAlgError:
            damping = max(6.0 * damping, 1e-6)
            continue
        still, along = cho_solve_banded(factor, gradient.ravel()), cho_solve_banded(factor, mixed_hessian)
        curvature = of.span_hessian - mixed_hessian.T @ along + damping * np.diag(own)
        pull = of.span_gradient - mixed_hessian.T @ still
        if timed and own.size == 1 and curvature[0, 0] <= 1e-9 * own[0]:
            if damping < MOST_DAMPING:
                damping = max(6.0 * damping, 1e-6)
                continue
            if curvature[0, 0] <= 0.0:    # The cost has no minimum in the duration: step to its bound.
                span = least if of.span_gradient[0] > 0.0 else np.array([most])
                return NewtonStep(-still.reshape(-1, 2), span, np.inf), damping
        span = _span_step(curvature, pull, least, most) if timed else np.zeros_like(least)
        promise = 0.5 * gradient.ravel() @ still - pull @ span - 0.5 * span @ curvature @ span
        return NewtonStep(-(still + along @ span).reshape(-1, 2), span, float(promise)), damping


def _span_step(curvature: np.ndarray, pull: np.ndarray, least: np.ndarray, most: float) -> np.ndarray:
    """
    Return the step of the spans to the minimum of a parabola, each at least `least`, s, and together at most `most`.

    Negative and small curvatures are replaced by positive ones.
    """
    values, axes = np.linalg.eigh(curvature)
    least_value = LEAST_CURVATURE * float(abs(values).max()) if values.size > 1 else 0.0
    positive = (axes * np.maximum(abs(values), max(least_value, 1e-300))) @ axes.T
    step, held = np.zeros_like(pull), np.zeros(pull.size, dtype=bool)   # `held`: spans at their lower bound
    for _ in range(pull.size + 1):
        free = ~held
        if not free.any():
            break
        inner = np.linalg.inv(positive[np.ix_(free, free)])
        step[free] = -inner @ (pull[free] + positive[np.ix_(free, held)] @ step[held])
        if (over := step.sum() - most) > 0.0:
            step[free] -= inner.sum(axis=1) * over / inner.sum()
        low = free & (step < least)
        if not low.any():
            break
        step[low], held = least[low], held | low
    return step


def _inner_gradient(gradient: np.ndarray) -> np.ndarray:
    """Return the derivatives by the inner points, shape (N - 1, 2), from those by the parts' ends, (N, 4)."""
    inner: np.ndarray = gradient[:-1, 2:] + gradient[1:, :2]
    return inner


def _band(hessian: np.ndarray) -> np.ndarray:
    """Return the lower band, shape (4, 2 (N - 1)), of the second derivatives by the inner points."""
    inner = hessian[:-1, 2:, 2:] + hessian[1:, :2, :2]
    beside = hessian[1:-1, 2:, :2]  # by the coordinates of the next point, then by those of this one
    band = np.zeros((4, 2 * len(inner)))
    band[0, 0::2], band[0, 1::2], band[1, 0::2] = inner[:, 0, 0], inner[:, 1, 1], inner[:, 1, 0]
    band[2, 0:-2:2], band[3, 0:-2:2] = beside[:, 0, 0], beside[:, 1, 0]
    band[1, 1:-2:2], band[2, 1:-2:2] = beside[:, 0, 1], beside[:, 1, 1]
    return band
