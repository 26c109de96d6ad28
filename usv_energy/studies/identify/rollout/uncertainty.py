"""
How well a fit knows its parameters: standard errors that hold where residuals hang together, and plain verdicts.

The covariance is S + A^-1 P A^-1: A the Gauss-Newton matrix with the priors P, S the jackknife's, from how the estimate
moves when a block of windows is left out, neighbours that share samples counted together. With fewer blocks than
numbers, scatter cannot show in all directions: then A^-1 itself is taken where it is larger. What each log has of its
own, current and wind, is in A, and so costs what it costs.

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
from usv_energy.studies.identify.rollout.normal_equations import FINE_DIFFERENCE, NormalEquations, window_sums
from usv_energy.studies.identify.rollout.rollout_fit import RolloutFit

SCALE = 'thrust.scale'
MOST_BLOCKS = 200     # Of a log: blocks that are left out in turn.
HARDLY_TOLD = 0.5     # A standard error of what kept its prior's value above this share of the prior's: the prior's.
UNDETERMINED = 0.8    # A standard error above this share of the prior's: the data add next to nothing.


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

    All parameters count as unknown here, those that kept their prior's value, too: what is not known of them, the
    scale of all newtons first, is not known of what they hang together with. What the data hardly tell of those is in
    none of their values, and so takes nothing off their priors' errors either.
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
    held = everything[(share > HARDLY_TOLD) & ~np.append(found.free, np.ones(size - count, bool))[everything]]
    free = np.setdiff1d(everything, held)
    inverse, scattered = _fitted_covariance(matrix, parts, free, prior)
    covariance = np.diag(np.where(solver.free, prior, solver.std) ** 2)
    answers = -inverse @ matrix[np.ix_(free, held)]     # Of what is fitted to an error of what is held.
    covariance[np.ix_(free, held)] = answers * prior[held] ** 2
    covariance[np.ix_(held, free)] = covariance[np.ix_(free, held)].T
    covariance[np.ix_(free, free)] = scattered + (answers * prior[held] ** 2) @ answers.T
    covariance = 0.5 * (covariance + covariance.T)
    blocks = sum(len(windows.starts) / windows.overlap for windows in found.windows)
    std = np.sqrt(np.diag(covariance))
    ours = covariance[:count, :count]
    return Uncertainty(ours, ours / np.outer(std[:count], std[:count]), float(stdtrit(max(blocks - count, 5.0), 0.975)),
                       std[count:].reshape(-1, 4), blocks)


def _fitted_covariance(matrix: np.ndarray, parts: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]],
                       free: np.ndarray, prior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the inverse of the normal equations of some columns, the others being known, and their covariance.

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
    Return the priors' standard deviations with what the fit itself shows of how right the log's newtons are.

    Where one thruster gives more than the other for the same newtons in the log, nobody knows which of the two is
    right: the scale of both together is out by half of the difference, either way.

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

    A block is the windows that one sample lies in, or more where there are very many.
    """
    windows = max(int(np.ceil(overlap)), -(-len(error) // MOST_BLOCKS))
    found = [window_sums(error[k:k + windows], slopes[k:k + windows], weight[k:k + windows])
             for k in range(0, len(error), windows)]
    columns = slopes.shape[-1]
    return (np.array([scores.sum(axis=0) for scores, _ in found]).reshape(-1, columns),
            np.array([curvature for _, curvature in found]).reshape(-1, columns, columns))


def share_of_neighbours(overlap: float) -> float:
    """
    Return the share of samples' variance that blocks and their neighbours' half show, (-); 1 without overlap.

    Of m windows that a sample lies in, j = 0 ... m - 1 are in one block and the rest in the next: with a = j / m, both
    show a^2 + (1 - a)^2, their product by half a (1 - a), of 1 in all; the mean over j is 1 - (m^2 - 1) / (6 m^2).
    Errors that are a window's own, as a model's are, show in full: with five windows a sample, their standard
    errors are 9 % too large by this.
    """
    windows = float(np.ceil(overlap))
    return 1.0 - (windows ** 2 - 1.0) / (6.0 * windows ** 2)


def _moved_without(scores: np.ndarray, curvatures: np.ndarray, columns: np.ndarray,
                   information: np.ndarray) -> np.ndarray:
    """
    Return the covariance by how the estimate moves when a block is left out, neighbours counted together.

    :param columns: Of the log's numbers in `information`, which is that of data and priors.
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
    Return which parameters the data tell: fitted, and better known than by the prior alone.

    Of several that the data tell together, but not apart, those are given up first that are known the least, until
    the data tell the others, too.
    """
    told, prior = found.free.copy(), found.model.column('std')
    precision = np.linalg.inv(known.covariance)
    while told.any():
        places = np.flatnonzero(told)
        share = np.sqrt(np.diag(np.linalg.inv(precision[np.ix_(places, places)]))) / prior[places]
        if share.max() < UNDETERMINED:
            break
        told[places[share.argmax()]] = False
    return told


def parameter_estimates(found: RolloutFit, known: Uncertainty) -> list[ParameterEstimate]:
    """
    Return the parameters of a fit with their intervals, kept within their bounds.

    A bound of 0 is nature's, and intervals of what was fitted are those of a number that has one; the others are where
    a fit looks for a number at all.
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
    """The boat file's numbers that follow from a fit's parameters, by key, and what is not known of them, jointly."""

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
    Return the numbers of the boat with their covariance; `thrust.scale` last, that of all newtons of the log.

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
    Return the boat file's numbers that follow from the parameters, with their intervals.

    A number that is a parameter itself has that one's.
    """
    own = {estimate.key: estimate for estimate in parameter_estimates(found, known)}
    joint = boat_covariance(found, known)
    rows = zip(joint.keys, joint.values.tolist(), joint.std.tolist(), joint.prior.tolist(), joint.prior_std.tolist())
    return [own.get(key) or ParameterEstimate(
                key, BOAT_NUMBERS[key].unit, value, error, value - known.quantile * error,
                value + known.quantile * error, prior, before, error < UNDETERMINED * before)
            for key, value, error, prior, before in rows if key != SCALE]


def _boat_numbers(found: RolloutFit, values: np.ndarray) -> dict[str, float]:
    """Return inertia, damping, lag and scale of newtons that some values make, those of the form, by their keys."""
    vessel, keys = vessel_of(values, found.model), found.model.keys
    given = [key for key in BOAT_NUMBERS if key in keys]
    given += ('inertia.m23', 'damping.linear.d23', 'damping.linear.d32') if 'coupling.inertia' in keys else ()
    given += ('damping.speed.d23', 'damping.speed.d32') if 'coupling.lift' in keys else ()
    scale = float(values[keys.index(SCALE)])
    own = {key: float(value) for key, value in zip(keys, values) if key == INFLOW or key.startswith('foils.')}
    return {**{key: number_of(vessel, key) for key in given}, 'thrusters.lag': vessel.thrusters[0].lag, **own,
            SCALE: scale}
