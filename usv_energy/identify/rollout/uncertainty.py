"""
How well a fit knows its parameters: standard errors that hold where residuals hang together, and plain verdicts.

The covariance is the sandwich A^-1 (B + P) A^-1: A the Gauss-Newton matrix with the priors P, B the scatter of the
windows' scores, neighbours that share samples counted together. Where A^-1 itself is larger, it is taken.

Source: Newey and West (1987), Econometrica 55(3), with Bartlett weights over the windows of a log; White (1982).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...boats.boat_values import number_of
from ...boats.numbers import BOAT_NUMBERS
from .fit_parameters import vessel_of
from .rollout_fit import NormalEquations, RolloutFit, weights

UNDETERMINED = 0.7    # A standard error above this share of the prior's: the data add less than the prior knew.


class ParameterEstimate(NamedTuple):
    """A number with unit, prior, standard error, 95 % interval, and whether the data determine it or only the prior."""

    key: str
    unit: str
    value: float
    std: float
    low: float
    high: float
    prior: float
    prior_std: float
    determined: bool


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """
    What a fit's numbers are worth.

    `covariance`: of the parameters, in their order; priors' where they were kept. `correlation`: the same, scaled.
    `quantile`: of Student's t for 95 %, by the number of independent windows. `current_std`: m/s, (logs, 2).
    """

    covariance: np.ndarray
    correlation: np.ndarray
    quantile: float
    current_std: np.ndarray
    blocks: float


def uncertainty_of(found: RolloutFit, currents: bool = True) -> Uncertainty:
    """Return the uncertainty of a fit's parameters; `currents`: whether it had a steady current of each log."""
    from scipy.special import stdtrit
    solver = NormalEquations(found.model, found.windows, found.free, currents)
    state = np.concatenate([found.values, found.currents.ravel()])
    size, count = len(state), len(found.values)
    matrix, scatter = np.zeros((size, size)), np.zeros((size, size))
    for number, windows in enumerate(found.windows):
        error, slopes, columns = solver.linearised(state, number)
        weight = weights(error, found.scale, found.effect)[..., None]
        weighted = np.nan_to_num(slopes * weight)
        matrix[np.ix_(columns, columns)] += np.einsum('wtci,wtcj->ij', weighted, np.nan_to_num(slopes))
        scores = np.einsum('wtci,wtc->wi', weighted, np.nan_to_num(error))
        scatter[np.ix_(columns, columns)] += _scatter(scores, int(np.ceil(windows.overlap)))
    free = np.flatnonzero(solver.free)
    priors = np.diag(1.0 / solver.std[free] ** 2)
    inverse = np.linalg.inv(matrix[np.ix_(free, free)] + priors)
    blocks = sum(len(windows.starts) / windows.overlap for windows in found.windows)
    few = blocks / max(blocks - np.sum(free < count), 0.4 * blocks)
    sandwich = inverse @ (few * scatter[np.ix_(free, free)] + priors) @ inverse
    ratio = np.sqrt(np.maximum(np.diag(inverse) / np.diag(sandwich), 1.0))
    covariance = np.diag(solver.std ** 2)
    covariance[np.ix_(free, free)] = sandwich * np.outer(ratio, ratio)
    covariance = 0.5 * (covariance + covariance.T)
    std = np.sqrt(np.diag(covariance))
    ours = covariance[:count, :count]
    return Uncertainty(ours, ours / np.outer(std[:count], std[:count]), float(stdtrit(max(blocks - count, 5.0), 0.975)),
                       std[count:].reshape(-1, 2), blocks)


def _scatter(scores: np.ndarray, reach: int) -> np.ndarray:
    """Return the variance of the sum of a log's scores, (windows, columns), correlated up to `reach` windows apart."""
    total: np.ndarray = scores.T @ scores
    for apart in range(1, min(reach, len(scores) - 1) + 1):
        cross = scores[apart:].T @ scores[:-apart]
        total = total + (1.0 - apart / (reach + 1.0)) * (cross + cross.T)
    return total


def determined_by_data(found: RolloutFit, known: Uncertainty) -> np.ndarray:
    """Return which parameters the data tell: fitted, and better known than by the prior alone."""
    share = np.sqrt(np.diag(known.covariance)) / found.model.column('std')
    return np.asarray(found.free & (share < UNDETERMINED))


def parameter_estimates(found: RolloutFit, known: Uncertainty) -> list[ParameterEstimate]:
    """Return the parameters of a fit with their intervals, kept within their bounds."""
    determined = determined_by_data(found, known)
    std = np.sqrt(np.diag(known.covariance))
    reach = np.where(found.free, known.quantile, 1.96) * std
    low = np.maximum(found.values - reach, found.model.column('lower'))
    high = np.minimum(found.values + reach, found.model.column('upper'))
    figures = np.stack([found.values, std, low, high], axis=1).tolist()
    return [ParameterEstimate(one.key, one.unit, value, error, begin, end, one.prior, one.std, bool(is_determined))
            for one, (value, error, begin, end), is_determined in zip(found.model.parameters, figures, determined)]


def boat_estimates(found: RolloutFit, known: Uncertainty) -> list[ParameterEstimate]:
    """
    Return the boat file's numbers that follow from the parameters, with their intervals.

    Source: propagation of errors, first order; a number that is a parameter itself has that one's.
    """
    own = {estimate.key: estimate for estimate in parameter_estimates(found, known)}
    here = _boat_numbers(found, found.values)
    slopes = []
    for number, parameter in enumerate(found.model.parameters):
        step = 1e-4 * parameter.std
        moved = found.values.copy()
        moved[number] += step
        there = _boat_numbers(found, moved)
        slopes.append([(there[key] - here[key]) / step for key in here])
    jacobian = np.array(slopes).T
    std = np.sqrt(np.maximum(np.diag(jacobian @ known.covariance @ jacobian.T), 0.0))
    prior = _boat_numbers(found, found.model.column('prior'))
    prior_std = np.sqrt(np.sum((jacobian * found.model.column('std')) ** 2, axis=1))
    return [own.get(key) or ParameterEstimate(
                key, BOAT_NUMBERS[key].unit, value, error, value - known.quantile * error,
                value + known.quantile * error, prior[key], before, error < UNDETERMINED * before)
            for (key, value), error, before in zip(here.items(), std.tolist(), prior_std.tolist())]


def _boat_numbers(found: RolloutFit, values: np.ndarray) -> dict[str, float]:
    """Return inertia, damping and lag of the boat that some values make, those that the form has, by their keys."""
    vessel, keys = vessel_of(values, found.model), found.model.keys
    given = [key for key in BOAT_NUMBERS if key in keys]
    given += ('inertia.m23', 'damping.linear.d23', 'damping.linear.d32') if 'coupling.inertia' in keys else ()
    given += ('damping.speed.d23', 'damping.speed.d32') if 'coupling.lift' in keys else ()
    return {**{key: number_of(vessel, key) for key in given}, 'thrusters.lag': vessel.thrusters[0].lag}
