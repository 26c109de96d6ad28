"""An identification as figures for programs and as text for people."""

from typing import Any

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.show.text_table import shortened, text_table
from usv_energy.studies.identify.rollout.fit_parameters import ABOUT
from usv_energy.studies.identify.rollout.form_choice import FormTrial, RolloutErrors
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.uncertainty import ParameterEstimate

MOTIONS = ('surge', 'sway', 'yaw rate')


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
    return {'form': trial.form, 'about': ABOUT[trial.form], 'score': trial.score, 'criterion': trial.criterion,
            'parameters': trial.parameters, 'effective_samples': trial.effective, **error_row(trial.held_out)}


def _estimate_row(row: ParameterEstimate) -> dict[str, Any]:
    return {'told_by_data' if name == 'determined' else name: value for name, value in row._asdict().items()}


def identification_text(result: Identification) -> str:
    """Return an Identification as text."""
    blocks = [*([_trials(result)] if result.trials else []), _parameters(result), _errors(result)]
    if result.warnings:
        blocks.append(['warnings:', *(f'- {warning}' for warning in result.warnings)])
    return '\n\n'.join('\n'.join(lines) for lines in blocks)


def _trials(result: Identification) -> list[str]:
    best = min(trial.criterion for trial in result.trials)
    rows: list[tuple[str, ...]] = [('form', *MOTIONS, 'score', 'criterion', '')]
    rows += [(trial.form, *_cells(trial.held_out.rmse), f'{trial.score:.3f}', f'{trial.criterion - best:+.1f}',
              'taken' if trial.form == result.found.model.form else '') for trial in result.trials]
    return ['forms, judged on logs that their fits did not see:', *text_table(rows, 'lr'),
            'm/s, m/s, rad/s; score: mean error over measured rms; criterion: Schwarz, above the best']


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
