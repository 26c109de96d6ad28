"""Coefficients of added resistance from logs in several sea states, and the boat file with them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import counted
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.seas.wave_legs import BLOCK, WaveLegs, WaveNodes, require_determined

HEIGHT_ERROR = 0.05  # Relative standard error of a log's significant wave height.
LEAST_SCATTER = 1e-4  # Least scatter of blocks as a share of the drag; for the force in waves a hundred times as much.
ROUGH = 0.3  # Initial scatter in waves, as a share of the force.
ROUNDS = 5  # Rounds of the fit; errors that are proportional to the result change with it.

DIGITS = 4


class KnownErrors(NamedTuple):
    """Standard errors: `drag` of the file, (-), inf if unknown; `current` of each log, m/s; relative wave `height`."""

    drag: float = math.inf
    current: float = 0.0
    height: float = HEIGHT_ERROR


class WaveCoefficient(NamedTuple):
    """A coefficient of added resistance, N/m^2: its value, standard error and 95 % interval."""

    value: float
    error: float
    low: float
    high: float


class WaveFit(NamedTuple):
    """
    The added resistance found from logs.

    `coefficients`: a row for each direction of `nodes`, a column for each period. `covariance`: of all of them row by
    row, (N/m^2)^2. `drag`, `drag_error`: relative difference of the drag from the file's, and its standard error, (-).
    `still`: scatter between blocks of BLOCK seconds in calm water, N. `grouped`: scatter in waves, as a share of their
    force. `moved`: further scatter, as a share of the force from the direction in which that is largest, (-).
    `residuals`: of `legs`, N.
    """

    nodes: WaveNodes
    coefficients: tuple[tuple[WaveCoefficient, ...], ...]
    covariance: np.ndarray
    drag: float
    drag_error: float
    still: float
    grouped: float
    moved: float
    residuals: np.ndarray
    legs: WaveLegs

    @property
    def values(self) -> np.ndarray:
        """The coefficients' values, N/m^2, shape (directions, periods)."""
        return np.array([[one.value for one in row] for row in self.coefficients])


def wave_fit(legs: WaveLegs, nodes: WaveNodes, errors: KnownErrors | None = None) -> WaveFit:
    """
    Return the WaveFit of blocks.

    :param legs: The WaveLegs.
    :param nodes: The directions and periods of the coefficients.
    :param errors: Standard errors of the drag, the currents and the heights; None for the defaults of KnownErrors.
    :raises InputError: As `require_determined`.
    """
    from scipy.optimize import minimize
    from scipy.stats import t as student
    errors = errors or KnownErrors()
    require_determined(legs, nodes, math.isfinite(errors.drag))
    design = np.column_stack([legs.drag, legs.height[:, None] ** 2 * nodes.weights(legs)])
    found = np.linalg.lstsq(design, legs.force, rcond=None)[0]
    chosen = np.log([_rough_scatter(legs, design, found), ROUGH, ROUGH])
    for _ in range(ROUNDS):
        of_logs = list(_logs(legs, design, found, errors, _largest(legs, nodes, found)))
        least = np.log(LEAST_SCATTER * np.array([np.mean(np.abs(legs.drag)), 100.0, 100.0]))
        chosen = minimize(_minus_twice_log_likelihood, np.maximum(chosen, least), (of_logs, errors), 'Nelder-Mead',
                          bounds=[(low, low + 15.0) for low in least], options={'xatol': 1e-2, 'fatol': 1e-3}).x
        found, spread = _solved(chosen, of_logs, nodes, errors)
    free = max(legs.force.size - design.shape[1], 1)
    return _result(legs, nodes, design, found, spread, np.exp(chosen).tolist(), float(student.ppf(0.975, free)))


class _LogRows(NamedTuple):
    """
    The blocks of a log.

    `design`, `force`: of the least squares, the latter in N. `shared`: covariance that the blocks share, N^2.
    `duration`: over BLOCK. `own`: force of the waves, N. `largest`: that from the direction in which it is largest, N.
    """

    design: np.ndarray
    force: np.ndarray
    shared: np.ndarray
    duration: np.ndarray
    own: np.ndarray
    largest: np.ndarray

    def whitened(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """
        Return design matrix and force divided by the standard errors, and the log determinant of the covariance.

        :param chosen: Logarithms of the three scatters.
        """
        still, grouped, moved = np.exp(chosen)
        alone = still ** 2 + (grouped * self.own) ** 2 + (moved * self.largest) ** 2
        covariance = np.diag(alone / self.duration) + self.shared
        root = np.linalg.cholesky(covariance)
        both = np.linalg.solve(root, np.column_stack([self.design, self.force]))
        return both[:, :-1], both[:, -1], 2.0 * float(np.log(np.diag(root)).sum())


def _logs(legs: WaveLegs, design: np.ndarray, found: np.ndarray, errors: KnownErrors, largest: np.ndarray,
          ) -> Iterator[_LogRows]:
    for number in np.unique(legs.log):
        rows = legs.log == number
        own = legs.part(rows)
        yield _LogRows(design[rows], own.force, _shared(own, design[rows], found, errors), own.duration / BLOCK,
                       design[rows, 1:] @ found[1:], largest[rows])


def _rough_scatter(legs: WaveLegs, design: np.ndarray, found: np.ndarray) -> float:
    """Return the scatter of blocks about an unweighted fit, N: the initial value of the search."""
    return max(float(np.std(legs.force - design @ found)), LEAST_SCATTER * float(np.mean(np.abs(legs.drag))))


def _largest(legs: WaveLegs, nodes: WaveNodes, found: np.ndarray) -> np.ndarray:
    """Return the force of the waves at each block if they came from the direction of the largest force, N."""
    most = np.abs(found[1:].reshape(len(nodes.directions), len(nodes.periods))).max(axis=0)
    largest: np.ndarray = legs.height ** 2 * np.interp(legs.period, nodes.periods, most)
    return largest


def _shared(legs: WaveLegs, design: np.ndarray, found: np.ndarray, errors: KnownErrors) -> np.ndarray:
    """Return the covariance that the blocks of a log share, N^2, by errors of its wave height and its current."""
    of_height = 2.0 * errors.height * (design[:, 1:] @ found[1:])
    ahead = errors.current * legs.slope * np.array([np.cos(legs.yaw), np.sin(legs.yaw)])
    shared: np.ndarray = np.outer(of_height, of_height) + ahead.T @ ahead
    return shared


def _prior(errors: KnownErrors, unknowns: int) -> np.ndarray:
    """Return the information matrix of the prior, which concerns only the error of the drag."""
    known = np.zeros((unknowns, unknowns))
    known[0, 0] = errors.drag ** -2
    return known


def _whitened(chosen: np.ndarray, of_logs: list[_LogRows]) -> tuple[np.ndarray, np.ndarray, float]:
    """Return `_LogRows.whitened` of all logs together."""
    parts = [one.whitened(chosen) for one in of_logs]
    return np.vstack([one[0] for one in parts]), np.concatenate([one[1] for one in parts]), sum(one[2] for one in parts)


def _minus_twice_log_likelihood(chosen: np.ndarray, of_logs: list[_LogRows], errors: KnownErrors) -> float:
    """Return minus twice the restricted log likelihood, except for a constant."""
    columns, force, size = _whitened(chosen, of_logs)
    normal = columns.T @ columns + _prior(errors, columns.shape[1])
    best = np.linalg.solve(normal, columns.T @ force)
    rest = force - columns @ best
    return float(size + np.linalg.slogdet(normal)[1] + rest @ rest + best[0] ** 2 * errors.drag ** -2)


def _solved(chosen: np.ndarray, of_logs: list[_LogRows], nodes: WaveNodes, errors: KnownErrors,
            ) -> tuple[np.ndarray, np.ndarray]:
    """Return the unknowns, with coefficients from ahead of the beam at least 0, and their unconstrained covariance."""
    from scipy.optimize import lsq_linear
    columns, force, _ = _whitened(chosen, of_logs)
    prior = _prior(errors, columns.shape[1])
    least = np.concatenate([[-np.inf], np.where(nodes.from_ahead, 0.0, -np.inf)])
    found = lsq_linear(np.vstack([columns, np.sqrt(prior[:1])]), np.append(force, 0.0), (least, np.inf)).x
    return found, np.linalg.inv(columns.T @ columns + prior)


def _result(legs: WaveLegs, nodes: WaveNodes, design: np.ndarray, found: np.ndarray, spread: np.ndarray,
            scatters: Sequence[float], quantile: float) -> WaveFit:
    errors = np.sqrt(np.diag(spread))
    several = [_coefficient(*one, quantile) for one in zip(found[1:], errors[1:], nodes.from_ahead)]
    count = len(nodes.periods)
    rows = tuple(tuple(several[first:first + count]) for first in range(0, len(several), count))
    return WaveFit(nodes, rows, spread[1:, 1:], float(found[0]), float(errors[0]), scatters[0],
                   scatters[1], scatters[2], legs.force - design @ found, legs)


def _coefficient(value: float, error: float, bounded: bool, quantile: float) -> WaveCoefficient:
    reach = quantile * float(error)
    low, high = interval_above(0.0, float(value), reach) if bounded else (float(value) - reach, float(value) + reach)
    return WaveCoefficient(float(value) + 0.0, float(error), low, high)


def wave_boat(fit: WaveFit, boat: Boat, logs: Sequence[str], name: str, provenance: Mapping[str, Any],
              ) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with the coefficients found from logs.

    :param fit: The WaveFit.
    :param boat: The base.
    :param logs: Names of the logs.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    document = checked.read_with_base('boats', boat.path)
    rows = {'coefficients': [[_rounded(one.value) for one in row] for row in fit.coefficients],
            'std': [[_rounded(one.error, 3) for one in row] for row in fit.coefficients]}
    count = counted(len(logs), 'log')
    return document | {
        'name': name, 'description': f'{boat.name} with the added resistance of {count}',
        'waves': {'source': f'usv-energy identify waves, {fit.legs.force.size} stretches of {count}: see '
                            'identification',
                  'directions_deg': [_rounded(math.degrees(one)) for one in fit.nodes.directions],
                  'periods': [_rounded(one) for one in fit.nodes.periods], **rows},
        'identification': {**document.get('identification', {}), 'waves': {
            **provenance, 'logs': sorted(logs), 'drag_over_file': _rounded(1.0 + fit.drag),
            'scatter_of_wave_force': _rounded(math.hypot(fit.grouped, fit.moved), 3)}}}


def _rounded(value: float, digits: int = DIGITS) -> float:
    return float(f'{value:.{digits}g}') + 0.0
