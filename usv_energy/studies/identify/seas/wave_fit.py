"""
Coefficients of added resistance from logs in several sea states, and the boat file with them.

The added resistance found from logs, as text, figures for JSON and picture.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import counted
from usv_energy.files.text_file import without_nan
from usv_energy.phrases import compass_words
from usv_energy.show.figure import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, Panels
from usv_energy.show.text_table import degrees, shortened, text_table, wrapped_lines
from usv_energy.sim.record import Summary
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.waves.sea_fit import TOLD
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.seas.wave_legs import BLOCK, WaveLegs, WaveNodes, require_determined

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    return legs.height ** 2 * np.interp(legs.period, nodes.periods, most)


def _shared(legs: WaveLegs, design: np.ndarray, found: np.ndarray, errors: KnownErrors) -> np.ndarray:
    """Return the covariance that the blocks of a log share, N^2, by errors of its wave height and its current."""
    of_height = 2.0 * errors.height * (design[:, 1:] @ found[1:])
    ahead = errors.current * legs.slope * np.array([np.cos(legs.yaw), np.sin(legs.yaw)])
    return np.outer(of_height, of_height) + ahead.T @ ahead


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


MUCH = 0.02  # Relative error of the file's drag above which to warn.
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)


def wave_fit_summary(fit: WaveFit, logs: Sequence[AnalysedLog]) -> Summary:
    """
    Return the result as one dictionary for JSON; units are in the keys.

    :param fit: The WaveFit.
    :param logs: The logs, in the order of the fit.
    """
    legs = fit.legs
    return without_nan({
        'boat': logs[0].boat.name,
        'logs': [{'log': log.log.name, **_sea_keys(log), 'blocks': int((legs.log == number).sum()),
                  'residual_rms_n': _rms(fit.residuals[legs.log == number])} for number, log in enumerate(logs)],
        'directions_off_bow_deg': [degrees(one) for one in fit.nodes.directions],
        'peak_periods_s': list(fit.nodes.periods),
        'coefficients': [
            {'off_bow_deg': degrees(direction), 'peak_period_s': period, 'coefficient_n_m2': one.value,
             'coefficient_n_m2_std': one.error, 'coefficient_n_m2_interval': [one.low, one.high]}
            for direction, row in zip(fit.nodes.directions, fit.coefficients)
            for period, one in zip(fit.nodes.periods, row)],
        'covariance_n2_m4': fit.covariance.tolist(), 'drag_over_file': 1.0 + fit.drag,
        'drag_over_file_std': fit.drag_error, 'scatter_calm_n': fit.still, 'scatter_of_wave_force': fit.grouped,
        'scatter_of_largest_wave_force': fit.moved,
        'block_s': BLOCK, 'blocks': [
            {'log': logs[int(number)].log.name, 'begin_s': begin, 'duration_s': duration, 'speed_m_s': speed,
             'off_bow_deg': math.degrees(off) if height > 0.0 else None, 'force_n': force, 'force_over_fit_n': rest}
            for number, begin, duration, speed, off, height, force, rest in zip(
                legs.log, legs.begin, legs.duration, legs.speed, legs.off_bow, legs.height, legs.force,
                fit.residuals)],
        'warnings': list(_warnings(fit, logs))})


def _sea_keys(log: AnalysedLog) -> dict[str, object]:
    if log.waves is None:
        return {'significant_height_m': 0.0, 'sea_from': 'calm'}
    sea = log.waves.sea
    return {'significant_height_m': sea.height, 'peak_period_s': sea.period,
            'wave_direction_deg': degrees(sea.direction), 'sea_from': sea.seen_from}


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values ** 2)))


def wave_fit_text(fit: WaveFit, logs: Sequence[AnalysedLog]) -> str:
    """Return the result as text; parameters as `wave_fit_summary`."""
    legs = fit.legs
    rows = [('log', 'Hs, m', 'Tp, s', 'waves from', 'stretches', 'off the fit, N RMS', 'sea by')]
    for number, log in enumerate(logs):
        own, sea = legs.log == number, None if log.waves is None else log.waves.sea
        state = ('calm', '', '') if sea is None else (
            f'{sea.height:.2f}', f'{sea.period:.1f}', compass_words(sea.direction + math.pi))
        rows.append((shortened(log.log.name, 30), *state, str(int(own.sum())), f'{_rms(fit.residuals[own]):.2f}',
                     '' if sea is None else sea.seen_from))
    table = [('waves from, deg off the bow', *(f'Tp {period:g} s' for period in fit.nodes.periods))]
    table += [(f'{math.degrees(direction):.0f}{_direction_name(direction)}', *map(_coefficient_words, row))
              for direction, row in zip(fit.nodes.directions, fit.coefficients)]
    return '\n'.join([
        *text_table(rows, 'lrrrrrl'), '',
        'added resistance over the square of the significant height, N/m^2 (95 %):', '', *text_table(table, 'lr'), '',
        f"drag in calm water over the file's: {1.0 + fit.drag:.4f} (standard error {fit.drag_error:.4f})",
        *wrapped_lines(f'stretches of {BLOCK:g} s scatter by {fit.still:.2g} N in calm water, and in waves by '
                 f'{100.0 * fit.grouped:.0f} % of their force and {100.0 * fit.moved:.0f} % of that from the direction '
                 'of the largest', '', ''),
        *(line for warning in _warnings(fit, logs) for line in ('', *wrapped_lines(f'{warning}.', '', '')))])


def _direction_name(direction: float) -> str:
    names = {0: ' (head)', 90: ' (beam)', 180: ' (following)'}
    return names.get(round(math.degrees(direction)), '')


def _coefficient_words(one: WaveCoefficient) -> str:
    return f'{one.value:.3g} ({one.low:.3g} to {one.high:.3g})'


def _warnings(fit: WaveFit, logs: Sequence[AnalysedLog]) -> Iterator[str]:
    if abs(fit.drag) > max(MUCH, 2.0 * fit.drag_error):
        yield (f"In calm water the thrusters give {100.0 * fit.drag:+.1f} % of the drag of {logs[0].boat.name}'s file "
               'beyond it: identify the drag first (identify, identify coast-down). What waves take is beyond that')
    still = [log.log.name for log in logs if any(note.code == 'current_assumed_none' for note in log.notes)]
    if still:
        yield (f'Nobody says the current of {", ".join(still)}: a current along a leg counts as waves. Say it by '
               '--current, or how well it is known by --current-error')
    if logs[0].boat.vessel.parts is None and any(
            log.waves is not None and log.waves.sea.seen_from != TOLD for log in logs):
        yield (f'{logs[0].boat.name} has no parts, so it is taken to heave and pitch as the surface under it does: '
               'waves shorter than two lengths of the boat may be seen too low, and their coefficients are then too '
               'large; --sea tells the sea')


def wave_fit_panels(fit: WaveFit) -> Panels:
    """Return pictures of the `coefficients` over the direction of the waves, and the `forces`, measured and fitted."""
    legs, nodes = fit.legs, fit.nodes
    high = legs.height > 0.0
    nearest = np.abs(legs.period[:, None] - np.array(nodes.periods)).argmin(axis=1)
    of_period = [(COLOURS[number % len(COLOURS)], high & (nearest == number)) for number in range(len(nodes.periods))]

    def coefficients(axes: 'Axes') -> None:
        degrees = np.degrees(nodes.directions)
        for number, (period, (colour, own)) in enumerate(zip(nodes.periods, of_period)):
            column = [row[number] for row in fit.coefficients]
            wave = (legs.force - fit.drag * legs.drag)[own] / legs.height[own] ** 2
            axes.plot(np.degrees(legs.off_bow[own]), wave, '.', color=colour, markersize=4.0, alpha=0.5)
            axes.errorbar(degrees + 2.0 * number - len(nodes.periods) + 1.0, [one.value for one in column],
                          [[max(one.value - one.low, 0.0) for one in column],
                           [max(one.high - one.value, 0.0) for one in column]],
                          color=colour, marker='o', capsize=3.0, label=f'Tp {period:g} s, 95 %')
        axes.axhline(0.0, color=BLACK, linewidth=0.8)
        axes.set(title='Added resistance over the height squared', ylabel='N/m^2',
                 xlabel='Waves from, deg off the bow (0 ahead, 180 astern)', xticks=np.arange(0.0, 181.0, 45.0))
        axes.legend()

    def forces(axes: 'Axes') -> None:
        for colour, own in of_period:
            axes.plot(legs.force[own] - fit.residuals[own], legs.force[own], '.', color=colour)
        axes.plot(legs.force[~high] - fit.residuals[~high], legs.force[~high], '.', color=BLACK, label='calm water')
        ends = [float(np.min(legs.force)), float(np.max(legs.force))]
        axes.plot(ends, ends, color=BLACK, linewidth=0.8)
        axes.set(title=f'Stretches ({legs.force.size}): force beyond drag', xlabel='Fitted, N', ylabel='Measured, N')
        if not math.isclose(float(high.mean()), 1.0):
            axes.legend()
    return Panels({'coefficients': coefficients, 'forces': forces}, 12.0, 4.6, 0, (1.6, 1.0))
