"""Measured speeds beside simulated ones, in figures: for people and as JSON."""

import math
from typing import Any

from ...analysis.speed_overlay import SpeedOverlay, TraceError
from ...files.json_file import without_nan
from ...sim.record import Summary
from ..text_table import shortened, text_table

ALL = 'all together'


def overlay_summary(overlay: SpeedOverlay) -> Summary:
    """Return everything as one dictionary for JSON; units in the keys, errors are simulated less measured."""
    one_for_all = len(overlay.simulated) == 1
    return without_nan({
        'runs': [{'measured': trace.name, 'simulated': overlay.simulated[0 if one_for_all else number].name,
                  'shift_s': shift, 'top_speed_measured_m_s': float(trace.speed.max()),
                  'top_speed_simulated_m_s': float(overlay.simulated[0 if one_for_all else number].speed.max()),
                  **_keys(error)}
                 for number, (trace, shift, error) in enumerate(zip(overlay.measured, overlay.shifts, overlay.errors))],
        'all': _keys(overlay.all), 'sigma_of_repeats_m_s': overlay.sigma,
        'share_within_sigma_of_repeats': overlay.share_in_sigma})


def _keys(error: TraceError) -> dict[str, Any]:
    return {'samples': error.samples, 'mae_m_s': error.mae, 'bias_m_s': error.bias, 'std_m_s': error.std,
            'largest_error_m_s': error.largest, 'share_within_one_std': error.share}


def overlay_text(overlay: SpeedOverlay) -> str:
    """Return the same for people."""
    rows = [['measured', 'samples', 'MAE, m/s', 'bias, m/s', 'std, m/s', 'largest, m/s', 'within one std']]
    rows += [_row(trace.name, error) for trace, error in zip(overlay.measured, overlay.errors)]
    if len(overlay.measured) > 1:
        rows.append(_row(ALL, overlay.all))
    names = ', '.join(dict.fromkeys(trace.name for trace in overlay.simulated))
    lines = [f'Simulated ({names}) less measured speed over ground', '', *text_table(rows, 'lrrrrrr')]
    if math.isfinite(overlay.sigma):
        lines += ['', f'Repeats differ by {overlay.sigma:.4f} m/s (one standard deviation of a measured speed); '
                  f'{100.0 * overlay.share_in_sigma:.1f} % of the', 'measured samples lie within it of the simulated '
                  'speed (68 % of normal noise about a right one).']
    return '\n'.join(lines)


def _row(name: str, error: TraceError) -> list[str]:
    return [shortened(name, 28), str(error.samples), f'{error.mae:.4f}', f'{error.bias:+.4f}', f'{error.std:.4f}',
            f'{error.largest:.3f}', f'{100.0 * error.share:.1f} %']
