"""
The uncertainty of a fit's parameters: standard errors that hold for correlated residuals, and plain verdicts.

The covariance is S + A^-1 P A^-1. A is the Gauss-Newton matrix with the priors P. S is the jackknife covariance: it
follows from the change of the estimate when a block of windows is left out, and counts neighbouring blocks that share
samples together. With fewer blocks than parameters, S is singular; then A^-1 is used in the directions in which it is
larger. A also contains current and wind of each log, so their uncertainty is included.

Source: the linearised delete-one-block jackknife, as CR3 of Bell and McCaffrey (2002), Survey Methodology 28(2);
Bartlett weights over neighbours: Newey and West (1987), Econometrica 55(3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_values import number_of
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.files.work import threaded
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.rollout.fit_parameters import INFLOW, PAIRED, vessel_of
from usv_energy.studies.identify.rollout.normal_equations import (
    FINE_DIFFERENCE,
    NormalEquations,
    RolloutFit,
    window_sums,
)

SCALE = 'thrust.scale'
MOST_BLOCKS = 200     # Most blocks of a log that are left out in turn.
HARDLY_DETERMINED = 0.5  # A fixed parameter has its prior's standard error if its own is above this share of that.
UNDETERMINED = 0.8    # Above this share of the prior's standard error, the data add almost nothing.


class ParameterEstimate(NamedTuple):
    """A value with unit, prior, standard error, 95 % interval, and whether the data or only the prior determine it."""

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
    The uncertainty of a fit's parameters.

    `covariance`: of the parameters, in their order; priors' where they were kept. `correlation`: the same, scaled.
    `quantile`: of Student's t for 95 %, by the number of independent windows. `flow_std`: of each
    log's current and wind, m/s, (logs, 4).
    """

    covariance: np.ndarray
    correlation: np.ndarray
    quantile: float
    flow_std: np.ndarray
    blocks: float


def uncertainty_of(found: RolloutFit) -> Uncertainty:
    """
    Return the uncertainty of a fit's parameters.

    All parameters count as unknown here, also those that kept their prior's value. Their uncertainty, first of all that
    of the scale of all thrusts, adds to that of the parameters that correlate with them. The data hardly determine the
    fixed parameters and did not change their values, so the data do not reduce their prior standard errors either.
    """
    from scipy.special import stdtrit
    count = len(found.values)
    solver = NormalEquations(found.model, found.windows, np.ones(count, bool), found.nuisances,
                             found.start_std if found.shifts else None, found.shifts or None)
    solver.difference = FINE_DIFFERENCE
    state = np.concatenate([found.values, found.flows.ravel()])
    size = len(state)
    matrix = np.zeros((size, size))

    def part(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        linear, columns = solver.linearised_with_starts(state, number, found.scale, found.effect)
        overlap = found.windows[number].overlap
        scores, curvatures = _block_sums(linear.error, linear.slopes_beyond_starts(), linear.weight, overlap)
        return scores / share_of_neighbours(overlap) ** 0.5, curvatures, columns

    parts = threaded(part, len(found.windows))
    for _, curvatures, columns in parts:
        matrix[np.ix_(columns, columns)] += curvatures.sum(axis=0)
    prior = prior_std(found, solver.std)
    everything = np.flatnonzero(solver.free)
    matrix[everything, everything] += 1.0 / prior[everything] ** 2
    share = np.sqrt(np.diag(np.linalg.inv(matrix[np.ix_(everything, everything)]))) / prior[everything]
    held = everything[(share > HARDLY_DETERMINED) & ~np.append(found.free, np.ones(size - count, bool))[everything]]
    free = np.setdiff1d(everything, held)
    inverse, scattered = _fitted_covariance(matrix, parts, free, prior)
    covariance = np.diag(np.where(solver.free, prior, solver.std) ** 2)
    # Response of the fitted parameters to errors of the fixed ones.
    responses = -inverse @ matrix[np.ix_(free, held)]
    covariance[np.ix_(free, held)] = responses * prior[held] ** 2
    covariance[np.ix_(held, free)] = covariance[np.ix_(free, held)].T
    covariance[np.ix_(free, free)] = scattered + (responses * prior[held] ** 2) @ responses.T
    covariance = 0.5 * (covariance + covariance.T)
    blocks = sum(len(windows.starts) / windows.overlap for windows in found.windows)
    std = np.sqrt(np.diag(covariance))
    ours = covariance[:count, :count]
    return Uncertainty(ours, ours / np.outer(std[:count], std[:count]), float(stdtrit(max(blocks - count, 5.0), 0.975)),
                       std[count:].reshape(-1, 4), blocks)


def _fitted_covariance(matrix: np.ndarray, parts: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]],
                       free: np.ndarray, prior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the inverse normal matrix of some columns, with the others known, and their covariance.

    :param matrix: The Gauss-Newton matrix of all columns, priors included.
    :param parts: Of each log the scores and matrices of its blocks, and which columns these have.
    :param free: The columns; `prior`: standard deviations of all.
    """
    information = matrix[np.ix_(free, free)]
    inverse = np.linalg.inv(information)
    spread = np.zeros_like(inverse)
    for scores, curvatures, columns in parts:
        if len(scores):
            ours = np.isin(columns, free)
            spread += _moved_without(scores[:, ours], curvatures[:, ours][:, :, ours],
                                     np.searchsorted(free, columns[ours]), information)
    sandwich = spread + (inverse / prior[free] ** 2) @ inverse
    if sum(len(scores) for scores, _, _ in parts) < len(free):
        ratio = np.sqrt(np.maximum(np.diag(inverse) / np.diag(sandwich), 1.0))
        sandwich *= np.outer(ratio, ratio)
    return inverse, sandwich


def prior_std(found: RolloutFit, std: np.ndarray) -> np.ndarray:
    """
    Return the priors' standard deviations, that of the thrust scale enlarged if the thrusters differ in the fit.

    If one thruster gives more than the other for the same recorded thrust, it is unknown which of the two is right: the
    common scale may be wrong by half of the difference in either direction.

    :param std: The priors' own, parameters first.
    """
    given = dict(zip(found.model.keys, found.values))
    wider = std.copy()
    scale = found.model.keys.index('thrust.scale')
    wider[scale] = np.hypot(std[scale], 0.5 * given.get(PAIRED, 0.0))
    return wider


def _block_sums(error: np.ndarray, slopes: np.ndarray, weight: np.ndarray,
                overlap: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the scores, (blocks, columns), and Gauss-Newton matrices, (blocks, columns, columns), of one log's blocks.

    A block holds the windows that contain one sample, or more windows if there are very many.
    """
    windows = max(int(np.ceil(overlap)), -(-len(error) // MOST_BLOCKS))
    found = [window_sums(error[k:k + windows], slopes[k:k + windows], weight[k:k + windows])
             for k in range(0, len(error), windows)]
    columns = slopes.shape[-1]
    return (np.array([scores.sum(axis=0) for scores, _ in found]).reshape(-1, columns),
            np.array([curvature for _, curvature in found]).reshape(-1, columns, columns))


def share_of_neighbours(overlap: float) -> float:
    """
    Return the share of the samples' variance in the blocks and half-weighted neighbours, (-); 1 without overlap.

    A sample lies in m windows, j = 0 ... m - 1 of them in one block and the rest in the next. With a = j / m, the two
    blocks contain a^2 + (1 - a)^2 of its variance and their half-weighted product a (1 - a); the mean over j is 1 -
    (m^2 - 1) / (6 m^2). Errors that belong to a whole window, as a model's errors do, are contained fully. With five
    windows per sample, this makes their standard errors 9 % too large.
    """
    windows = float(np.ceil(overlap))
    return 1.0 - (windows ** 2 - 1.0) / (6.0 * windows ** 2)


def _moved_without(scores: np.ndarray, curvatures: np.ndarray, columns: np.ndarray,
                   information: np.ndarray) -> np.ndarray:
    """
    Return the covariance from the changes of the estimate when a block is left out, neighbours counted together.

    :param columns: Columns of the log's numbers in `information`, which is that of data and priors.
    """
    moves = np.empty((len(scores), len(information)))
    for number, (score, curvature) in enumerate(zip(scores, curvatures)):
        rest, missing = information.copy(), np.zeros(len(information))
        rest[np.ix_(columns, columns)] -= curvature
        missing[columns] = score
        moves[number] = np.linalg.solve(rest, missing)
    beside = moves[1:].T @ moves[:-1]
    return np.asarray(moves.T @ moves + 0.5 * (beside + beside.T))


def determined_by_data(found: RolloutFit, known: Uncertainty) -> np.ndarray:
    """
    Return which parameters the data determine: fitted, with a standard error clearly below the prior's.

    If the data determine only a combination of several parameters, the least certain ones are removed until the data
    determine the others.
    """
    determined, prior = found.free.copy(), found.model.column('std')
    precision = np.linalg.inv(known.covariance)
    while determined.any():
        places = np.flatnonzero(determined)
        # Rounding may leave a variance below 0.
        variance = np.diag(np.linalg.inv(precision[np.ix_(places, places)]))
        share = np.sqrt(np.where(variance > 0.0, variance, np.inf)) / prior[places]
        if share.max() < UNDETERMINED:
            break
        determined[places[share.argmax()]] = False
    return determined


def parameter_estimates(found: RolloutFit, known: Uncertainty) -> list[ParameterEstimate]:
    """
    Return the parameters of a fit with their intervals, kept within their bounds.

    A bound of 0 is physical, and the intervals of fitted parameters take it into account. The other bounds only limit
    the search of the fit.
    """
    determined = determined_by_data(found, known)
    std = np.sqrt(np.diag(known.covariance))
    reach = np.where(found.free, known.quantile, 1.96) * std
    least = found.model.column('lower')
    low = np.maximum(found.values - reach, least)
    for place in np.flatnonzero(found.free & (least == 0.0)):
        low[place] = interval_above(0.0, float(found.values[place]), float(reach[place]))[0]
    high = np.minimum(found.values + reach, found.model.column('upper'))
    figures = np.stack([found.values, std, low, high], axis=1).tolist()
    return [ParameterEstimate(one.key, one.unit, value, error, begin, end, one.prior, one.std, bool(is_determined))
            for one, (value, error, begin, end), is_determined in zip(found.model.parameters, figures, determined)]


class BoatCovariance(NamedTuple):
    """The boat file's numbers that follow from a fit's parameters, by key, and their joint covariance."""

    keys: tuple[str, ...]
    values: np.ndarray
    covariance: np.ndarray
    prior: np.ndarray
    prior_std: np.ndarray

    @property
    def std(self) -> np.ndarray:
        """Standard errors."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)))


def boat_covariance(found: RolloutFit, known: Uncertainty) -> BoatCovariance:
    """
    Return the numbers of the boat with their covariance; the last is `thrust.scale`, of all recorded thrusts.

    Source: propagation of errors, first order.
    """
    here = _boat_numbers(found, found.values)
    slopes = []
    for number, parameter in enumerate(found.model.parameters):
        step = 1e-4 * parameter.std
        moved = found.values.copy()
        moved[number] += step
        there = _boat_numbers(found, moved)
        slopes.append([(there[key] - here[key]) / step for key in here])
    jacobian = np.array(slopes).T
    prior = _boat_numbers(found, found.model.column('prior'))
    return BoatCovariance(tuple(here), np.array(list(here.values())), jacobian @ known.covariance @ jacobian.T,
                          np.array(list(prior.values())),
                          np.sqrt(np.sum((jacobian * found.model.column('std')) ** 2, axis=1)))


def boat_estimates(found: RolloutFit, known: Uncertainty) -> list[ParameterEstimate]:
    """
    Return the boat file's numbers with their intervals.

    A number that is a parameter itself has that parameter's interval.
    """
    own = {estimate.key: estimate for estimate in parameter_estimates(found, known)}
    joint = boat_covariance(found, known)
    rows = zip(joint.keys, joint.values.tolist(), joint.std.tolist(), joint.prior.tolist(), joint.prior_std.tolist())
    return [own.get(key) or ParameterEstimate(
                key, BOAT_NUMBERS[key].unit, value, error, value - known.quantile * error,
                value + known.quantile * error, prior, before, error < UNDETERMINED * before)
            for key, value, error, prior, before in rows if key != SCALE]


def _boat_numbers(found: RolloutFit, values: np.ndarray) -> dict[str, float]:
    """Return inertia, damping, lag and thrust scale for some values of the form's parameters, by key."""
    vessel, keys = vessel_of(values, found.model), found.model.keys
    given = [key for key in BOAT_NUMBERS if key in keys]
    given += ('inertia.m23', 'damping.linear.d23', 'damping.linear.d32') if 'coupling.inertia' in keys else ()
    given += ('damping.speed.d23', 'damping.speed.d32') if 'coupling.lift' in keys else ()
    scale = float(values[keys.index(SCALE)])
    own = {key: float(value) for key, value in zip(keys, values) if key == INFLOW or key.startswith('foils.')}
    return {**{key: number_of(vessel, key) for key in given}, 'thrusters.lag': vessel.thrusters[0].lag, **own,
            SCALE: scale}
