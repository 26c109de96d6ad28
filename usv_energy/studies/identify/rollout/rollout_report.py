"""An identification as text, figures for JSON, and pictures of roll-outs, residuals and parameters."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, picture
from usv_energy.show.text_table import shortened, text_table
from usv_energy.studies.identify.rollout.fit_parameters import ABOUT, WAVES
from usv_energy.studies.identify.rollout.form_choice import NO_WAVES, FormTrial, RolloutErrors, squared_errors
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_from
from usv_energy.studies.identify.rollout.tracks import LogTrack, limits_at_rest
from usv_energy.studies.identify.rollout.uncertainty import ParameterEstimate

MOTIONS = ('surge', 'sway', 'yaw rate')
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


def plot_identification(result: Identification, folder: Path) -> None:
    """
    Draw an identification: rollouts.png (with many logs also rollouts_2.png ...), residuals.png and parameters.png.

    :raises OSError: If a picture cannot be written.
    """
    for begin in range(0, len(result.tracks), MOST_LOGS):
        name = 'rollouts.png' if begin == 0 else f'rollouts_{begin // MOST_LOGS + 1}.png'
        _plot_rollouts(result, result.tracks[begin:begin + MOST_LOGS], folder / name)
    _plot_residuals(result, folder / 'residuals.png')
    _plot_parameters(result, folder / 'parameters.png')


def _plot_rollouts(result: Identification, tracks: Sequence[LogTrack], path: Path) -> None:
    """Draw logs with consecutive roll-outs over them."""
    horizon, found = result.settings.horizon, result.found
    with picture(path, 14.0, 0.6 + 2.1 * len(tracks)) as figure:
        figure.suptitle(f'Measured (grey) and rolled out for {horizon:g} s at a time from the measured state (colour); '
                        'no current', x=0.01, ha='left', fontweight='bold')
        panels = figure.subplots(len(tracks), 3, squeeze=False)
        for row, track in zip(panels, tracks):
            windows = windows_from(track, horizon, horizon)
            rolled = residuals(windows, found.values, found.model, np.zeros(4)) + windows.measured
            for number, (axes, (_, colour)) in enumerate(zip(row, QUANTITIES)):
                axes.plot(track.time, track.motion[:, 1 + number], color=GREY, linewidth=2.2)
                for start, window in zip(windows.starts, rolled):
                    axes.plot(track.time[start + 1:start + 1 + windows.samples], window[:, number], color=colour,
                              linewidth=1.1)
            row[0].set_ylabel(track.name, fontsize=9)
        for axes, (label, _) in zip(panels[0], QUANTITIES):
            axes.set_title(label)
        for axes in panels[-1]:
            axes.set_xlabel('Time, s')


def _plot_residuals(result: Identification, path: Path) -> None:
    """Draw the growth of the errors along a roll-out, and their distribution at its end."""
    found = result.found
    rows = squared_errors(result.tracks, found.model, found.values, limits_at_rest(result.tracks),
                          result.settings.horizon)
    samples = min(row.squares.shape[1] for row in rows)
    squares = np.concatenate([row.squares[row.moving][:, :samples] for row in rows])
    time = np.linspace(0.0, result.settings.horizon, samples + 1)[1:]
    errors = [residuals(windows, found.values, found.model, flow)
              for windows, flow in zip(found.windows, found.flows) if len(windows.starts)]
    with picture(path, 13.0, 6.4) as figure:
        figure.suptitle('Residuals: roll-out less measurement, under way', x=0.01, ha='left', fontweight='bold')
        above, below = figure.subplots(2, 3)
        for number, (label, colour) in enumerate(QUANTITIES):
            above[number].plot(time, np.sqrt(np.nanmean(squares[:, :, number], axis=0)), color=colour)
            above[number].set(title=label, xlabel='Time in the roll-out, s', ylabel='RMSE')
            above[number].set_ylim(bottom=0.0)
            values = np.concatenate([error[:, :, number][np.isfinite(error[:, :, number])] for error in errors])
            reach = float(np.percentile(np.abs(values), 99.5)) or 1.0
            below[number].hist(np.clip(values, -reach, reach), bins=61, color=colour, alpha=0.8)
            below[number].axvline(0.0, color=BLACK, linewidth=0.8)
            below[number].set(xlabel='Residual of the fit', ylabel='Samples')


def _plot_parameters(result: Identification, path: Path) -> None:
    """
    Draw the parameters with their 95 % intervals and the base boat's values.

    Every number is divided by the larger of its value and its base's, so that all share one axis.
    """
    rows = [row for row in result.numbers if row.value or row.prior or row.high]
    rows += [row for row in result.parameters if row.key.split('.')[0] in ('thrust', 'compass')]
    with picture(path, 10.0, 1.4 + 0.34 * len(rows)) as figure:
        axes = figure.subplots()
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
