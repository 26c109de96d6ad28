"""An identification as text, figures for JSON, and pictures of roll-outs, residuals and parameters."""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, Panel, Panels, numbered
from usv_energy.show.text_table import shortened, text_table
from usv_energy.studies.identify.rollout.fit_parameters import ABOUT, WAVES
from usv_energy.studies.identify.rollout.form_choice import NO_WAVES, FormTrial, RolloutErrors, squared_errors
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.rollout_windows import Windows, residuals, windows_from
from usv_energy.studies.identify.rollout.tracks import limits_at_rest
from usv_energy.studies.identify.rollout.uncertainty import ParameterEstimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOTIONS = ('surge', 'sway', 'yaw rate')
NAMES = ('surge', 'sway', 'yaw')
QUANTITIES = (('Surge, m/s', BLUE), ('Sway to port, m/s', GREEN), ('Yaw rate, rad/s', VERMILION))
MOST_LOGS = 6  # Most logs in one picture of roll-outs.


def identification_summary(result: Identification) -> dict[str, Any]:
    """Return the figures of an Identification, ready for JSON; units in the keys, or beside the value."""
    found, known = result.found, result.known
    return {
        'boat': found.model.boat.name, 'form': found.model.form, 'converged': found.converged,
        'horizon_s': result.settings.horizon,
        'logs': [track.name for track in result.tracks],
        'samples': sum(len(track.time) for track in result.tracks),
        'windows': sum(len(windows.starts) for windows in found.windows),
        'independent_windows': round(known.blocks, 1), 'rollout_evaluations': found.evaluations,
        'errors': [error_row(row) for row in result.errors],
        'errors_with_fitted_currents': error_row(result.with_current),
        'left_out': [error_row(row) for row in result.left_out],
        'validation': [error_row(row) for row in result.validation],
        'validation_current': [error_row(row) for row in result.validation_current],
        'forms': [_trial_row(trial) for trial in result.trials],
        'parameters': [_estimate_row(row) for row in result.parameters],
        'boat_numbers': [_estimate_row(row) for row in result.numbers],
        'currents': [{'log': windows.track.name, 'east_m_s': float(current[0]), 'north_m_s': float(current[1]),
                      'std_m_s': float(std.max())}
                     for windows, current, std in zip(found.windows, found.currents, known.flow_std[:, :2])],
        'winds': [{'log': windows.track.name, 'east_m_s': float(wind[0]), 'north_m_s': float(wind[1]),
                   'std_m_s': float(std.max())}
                  for windows, wind, std in zip(found.windows, found.winds, known.flow_std[:, 2:])],
        'residual_tests': [without_nan(dict(test._asdict())) for test in result.tests],
        'correlation': {'keys': list(found.model.keys), 'matrix': known.correlation.round(4).tolist()},
        'warnings': list(result.warnings),
    }


def error_row(errors: RolloutErrors) -> dict[str, Any]:
    """Return errors as a row for JSON: of all roll-outs, and of those with the boat under way."""
    rows = ((errors.rmse, ''), (errors.under_way, 'under_way_'))
    return without_nan({
        'log': errors.name, 'rollouts': errors.number, 'rollouts_under_way': errors.moving,
        **{f'{prefix}{key}': float(value) for values, prefix in rows
           for key, value in zip(('surge_rmse_m_s', 'sway_rmse_m_s', 'yaw_rate_rmse_rad_s'), values)}})


def _trial_row(trial: FormTrial) -> dict[str, Any]:
    form, no_waves, _ = trial.form.partition(NO_WAVES)
    about = f'{ABOUT[form]}{"; the base without the waves of its hull" if no_waves else ""}'
    return without_nan({'form': trial.form, 'about': about, 'score': trial.score, 'criterion': trial.criterion,
                        'parameters': trial.parameters, 'effective_samples': trial.effective,
                        **error_row(trial.held_out)})


def _estimate_row(row: ParameterEstimate) -> dict[str, Any]:
    return {'told_by_data' if name == 'determined' else name: value for name, value in row._asdict().items()}


def identification_text(result: Identification) -> str:
    """Return an Identification as text."""
    blocks = [*([_trials(result)] if result.trials else []), _parameters(result), _errors(result)]
    if result.warnings:
        blocks.append(['warnings:', *(f'- {warning}' for warning in result.warnings)])
    return '\n\n'.join('\n'.join(lines) for lines in blocks)


def _trials(result: Identification) -> list[str]:
    best = min(trial.criterion for trial in result.trials if not math.isnan(trial.criterion))
    taken = result.form_taken
    rows: list[tuple[str, ...]] = [('form', *MOTIONS, 'score', 'criterion', '')]
    rows += [(trial.form, *_cells(trial.held_out.rmse), f'{trial.score:.3f}',
              '' if math.isnan(trial.criterion) else f'{trial.criterion - best:+.1f}',
              'taken' if trial.form == taken else '') for trial in result.trials]
    return ['forms, judged on logs that their fits did not see:', *text_table(rows, 'lr'),
            'm/s, m/s, rad/s; score: mean error over measured rms; criterion: Schwarz, above the best', *_waves(result)]


def _waves(result: Identification) -> list[str]:
    """Return a line on the wave-making resistance, if the base boat has one: fitted, as in theory, or left out."""
    scores = {trial.form: trial.score for trial in result.trials}
    form = result.found.model.form
    if form + NO_WAVES not in scores:
        return []
    why = f'score {scores[form]:.3f} with the waves of the hull, {scores[form + NO_WAVES]:.3f} without'
    number = next((row for row in result.parameters if row.key == WAVES), None)
    if number is None:
        return [f'waves: left out, logs not seen are predicted as well without them ({why})']
    how = f'fitted, {number.value:.2f}' if number.determined else 'as in the base; the logs do not tell'
    return [f'waves: {how} ({why})']


def _cells(errors: np.ndarray) -> list[str]:
    return [f'{value:.{digits}f}' for value, digits in zip(errors, (3, 3, 4))]


def _parameters(result: Identification) -> list[str]:
    own = {row.key for row in result.parameters}
    rows = [('', 'value', '95 % interval', 'unit', 'base', '')]
    rows += [(row.key, f'{row.value:.4g}', f'{row.low:.4g} to {row.high:.4g}', row.unit, f'{row.prior:.4g}',
              '' if row.determined else 'prior')
             for row in (*result.parameters, *(row for row in result.numbers if row.key not in own))]
    return [f'{result.found.model.form}: {sum(len(w.starts) for w in result.found.windows)} windows of '
            f'{result.settings.horizon:g} s, {result.known.blocks:.0f} independent', *text_table(rows, 'lrllrl')]


def _errors(result: Identification) -> list[str]:
    """Return the tables of errors: one row for each left-out and validation log, one row for all logs of the fit."""
    rows = [('logs of the fit', result.errors[-1]), ('  with the currents fitted', result.with_current)]
    for title, logs in (('each log by a fit without it', result.left_out),
                        ('logs that the fit never saw', result.validation)):
        rows += [(title, logs[-1]), *((f'  {row.name}', row) for row in logs[:-1])] if logs else []
    rows += [(f'  {row.name}', row) for row in result.validation_current]
    cells = [(shortened(name, 34), *_cells(row.rmse), *_cells(row.under_way)) for name, row in rows]
    return [f'root mean square errors of roll-outs over {result.settings.horizon:g} s, one a second, from the '
            'measured state, no current known',
            *text_table([('', *MOTIONS, *MOTIONS), *cells], 'lr', ('', 'all', '', '', 'under way', '', ''))]


def rollout_panels(result: Identification) -> dict[str, Panels]:
    """
    Return the pictures of an identification: `parameters`, `residuals`, `rollouts` (with many logs `rollouts_2` ...).

    They hold `parameters` with their intervals; and, of `surge`, `sway` and `yaw`, the error along a roll-out
    (`surge_growth`), its distribution (`surge_residuals`), and each log with its roll-outs (`surge`, `surge_2` ...).
    """
    rolled = cache(partial(_rolled, result))
    growth, errors = cache(partial(_growth, result)), cache(partial(_residuals, result))
    velocities = list(enumerate(NAMES))
    found = {
        'parameters': Panels({'parameters': partial(_parameter_panel, result)}, 10.0,
                             1.4 + 0.34 * len(_drawn_parameters(result))),
        'residuals': Panels({f'{name}_{kind}': partial(draw, number) for kind, draw in (
            ('growth', partial(_growth_panel, growth)), ('residuals', partial(_residual_panel, errors)))
            for number, name in velocities}, 13.0, 6.4, 3)}
    for begin in range(0, len(result.tracks), MOST_LOGS):
        places = range(begin, min(begin + MOST_LOGS, len(result.tracks)))
        drawn: dict[str, Panel] = {numbered(name, place): partial(_rollout_panel, result, rolled, place, number)
                                   for place in places for number, name in velocities}
        found[numbered('rollouts', begin // MOST_LOGS)] = Panels(drawn, 14.0, 0.6 + 2.1 * len(places), 3)
    return found


def _rolled(result: Identification, place: int) -> tuple[Windows, np.ndarray]:
    """Return consecutive roll-outs of a log, from the measured state, without a current."""
    windows = windows_from(result.tracks[place], result.settings.horizon, result.settings.horizon)
    return windows, residuals(windows, result.found.values, result.found.model, np.zeros(4)) + windows.measured


def _rollout_panel(result: Identification, rolled: Callable[[int], tuple[Windows, np.ndarray]], place: int, number: int,
                   axes: 'Axes') -> None:
    """Draw one velocity of a log, and its roll-outs over it."""
    (label, colour), track, (windows, rows) = QUANTITIES[number], result.tracks[place], rolled(place)
    axes.plot(track.time, track.motion[:, 1 + number], color=GREY, linewidth=2.2, label='measured')
    for start, row in zip(windows.starts, rows):
        axes.plot(track.time[start + 1:start + 1 + windows.samples], row[:, number], color=colour, linewidth=1.1,
                  label=f'rolled out, {result.settings.horizon:g} s' if start == windows.starts[0] else None)
    axes.set(title=f'{shortened(track.name, 30)}: {label}', xlabel='Time, s')
    axes.legend(loc='upper right', ncol=2)


def _growth(result: Identification) -> tuple[np.ndarray, np.ndarray]:
    """Return times in a roll-out, s, and the root mean square error at each, under way, shape (times, 3)."""
    rows = squared_errors(result.tracks, result.found.model, result.found.values, limits_at_rest(result.tracks),
                          result.settings.horizon)
    samples = min(row.squares.shape[1] for row in rows)
    squares = np.concatenate([row.squares[row.moving][:, :samples] for row in rows])
    return (np.linspace(0.0, result.settings.horizon, samples + 1)[1:],
            np.sqrt(np.nanmean(squares, axis=0)))


def _growth_panel(growth: Callable[[], tuple[np.ndarray, np.ndarray]], number: int, axes: 'Axes') -> None:
    time, errors = growth()
    axes.plot(time, errors[:, number], color=QUANTITIES[number][1])
    axes.set(title=QUANTITIES[number][0], xlabel='Time in the roll-out, s', ylabel='RMSE, under way')
    axes.set_ylim(bottom=0.0)


def _residuals(result: Identification) -> list[np.ndarray]:
    """Return what the fit leaves of each log, roll-out less measurement, with the flow that was found."""
    found = result.found
    return [residuals(windows, found.values, found.model, flow)
            for windows, flow in zip(found.windows, found.flows) if len(windows.starts)]


def _residual_panel(errors: Callable[[], list[np.ndarray]], number: int, axes: 'Axes') -> None:
    values = np.concatenate([error[:, :, number][np.isfinite(error[:, :, number])] for error in errors()])
    reach = float(np.percentile(np.abs(values), 99.5)) or 1.0
    axes.hist(np.clip(values, -reach, reach), bins=61, color=QUANTITIES[number][1], alpha=0.8)
    axes.axvline(0.0, color=BLACK, linewidth=0.8)
    axes.set(xlabel=f'Residual of the fit: {QUANTITIES[number][0]}', ylabel='Samples')


def _drawn_parameters(result: Identification) -> list[ParameterEstimate]:
    return [*(row for row in result.numbers if row.value or row.prior or row.high),
            *(row for row in result.parameters if row.key.split('.')[0] in ('thrust', 'compass'))]


def _parameter_panel(result: Identification, axes: 'Axes') -> None:
    """
    Draw the parameters with their 95 % intervals and the base boat's values.

    Every number is divided by the larger of its value and its base's, so that all share one axis.
    """
    rows = _drawn_parameters(result)
    axes.set_title('Parameters: 95 % intervals (colour), base boat (cross)')
    for place, row in enumerate(reversed(rows)):
        size = max(abs(row.value), abs(row.prior)) or max(abs(row.low), abs(row.high)) or 1.0
        colour = BLUE if row.determined else ORANGE
        axes.plot([row.low / size, row.high / size], [place, place], color=colour, linewidth=3.0,
                  solid_capstyle='butt')
        axes.plot(row.value / size, place, 'o', color=colour, markersize=5)
        axes.plot(row.prior / size, place, 'x', color=BLACK, markersize=6)
    labels = [f'{row.key} = {row.value:.3g} {row.unit.strip("-")}' for row in reversed(rows)]
    axes.set_yticks(range(len(rows)), labels)
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set(xlim=(-1.6, 2.2), xlabel='Share of the larger of value and base')
    axes.grid(axis='y', visible=False)
    axes.plot([], [], color=BLUE, linewidth=3.0, label='determined by the data')
    axes.plot([], [], color=ORANGE, linewidth=3.0, label='prior')
    axes.legend(loc='upper left', bbox_to_anchor=(1.01, 1.0))
