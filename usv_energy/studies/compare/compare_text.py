"""Runs side by side, and measured beside simulated speeds, for people and as JSON."""

import math
from collections.abc import Sequence
from typing import Any

from usv_energy.files.text_file import without_nan
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import fixed, percent, rounded, shortened, text_table
from usv_energy.sim.record import Summary, relative
from usv_energy.studies.compare.comparison import is_negligible
from usv_energy.studies.compare.speed_overlay import SpeedOverlay, TraceError

NAME_WIDTH = 22
ROWS = (('duration_s', 'time, s', 1), ('distance_over_ground_m', 'over ground, m', 1),
        ('distance_through_water_m', 'through the water, m', 1), ('mean_power_w', 'mean power, W', 2),
        ('energy_per_meter_j_m', 'J/m', 2), ('energy_j', 'energy, J', 1))
LONGER = 1.02  # Ratio of distances from which runs are of different length.

ALL = 'all together'


def comparison_text(runs: Sequence[Summary]) -> str:
    """Return a table of runs, given as summaries, each but the first with its change against the first."""
    head = ['']
    for number, run in enumerate(runs, start=1):
        head += [f'{number}: {shortened(run["name"], NAME_WIDTH)}', *([''] if number > 1 else [])]
    rows = [head, *(_row(label, [run.get(key) for run in runs], digits) for key, label, digits in ROWS),
            ['of it, J', *[''] * (len(head) - 1)],
            *(_cause_row(cause.name, [run[f'energy_{cause.key}_j'] for run in runs], runs[0]['energy_j'])
              for cause in CAUSES if not is_negligible(cause.key, runs))]
    return '\n'.join([
        *text_table(rows, 'lr', rule=True), '',
        'Changes are against run 1; of a cause: in J, and as a share of the energy of run 1.', *_remarks(runs)])


def _row(label: str, values: Sequence[float | None], digits: int) -> list[str]:
    """Return a row of figures, each but the first with its relative change."""
    first = values[0]
    cells = [label, fixed(first, digits)]
    for value in values[1:]:
        cells += [fixed(value, digits), '' if value is None or not first else percent(relative(value, first), 1)]
    return cells


def _cause_row(name: str, energies: Sequence[float], whole: float) -> list[str]:
    """Return a row of energies, each but the first with its change in J and as a share of a whole energy."""
    first = energies[0]
    cells = [f'  {name}', fixed(first, 1)]
    for value in energies[1:]:
        change = value - first
        cells += [fixed(value, 1), f'{rounded(change, 1):+.1f} ({percent(change / whole, 1) if whole else "-"})']
    return cells


def _remarks(runs: Sequence[Summary]) -> list[str]:
    """Say what makes runs hard to compare."""
    remarks = []
    for key, what in (('boat', 'boats'), ('convention', 'conventions')):
        values = list(dict.fromkeys(str(run.get(key)) for run in runs))
        if len(values) > 1:
            remarks.append(f'The runs have different {what}: {", ".join(values)}.')
    remarks += [f'{run["name"]}: the recording is incomplete, and so are its figures.' for run in runs
                if not run.get('complete', True)]
    distances = [run['distance_over_ground_m'] for run in runs]
    if min(distances) > 0.0 and max(distances) > LONGER * min(distances):
        remarks.append('The runs are of different length: compare J/m.')
    return remarks


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
    rows += [_overlay_row(trace.name, error) for trace, error in zip(overlay.measured, overlay.errors)]
    if len(overlay.measured) > 1:
        rows.append(_overlay_row(ALL, overlay.all))
    names = ', '.join(dict.fromkeys(trace.name for trace in overlay.simulated))
    lines = [f'Simulated ({names}) less measured speed over ground', '', *text_table(rows, 'lrrrrrr')]
    if math.isfinite(overlay.sigma):
        lines += ['', f'Repeats differ by {overlay.sigma:.4f} m/s (one standard deviation of a measured speed); '
                  f'{100.0 * overlay.share_in_sigma:.1f} % of the', 'measured samples lie within it of the simulated '
                  'speed (68 % of normal noise about a right one).']
    return '\n'.join(lines)


def _overlay_row(name: str, error: TraceError) -> list[str]:
    return [shortened(name, 28), str(error.samples), f'{error.mae:.4f}', f'{error.bias:+.4f}', f'{error.std:.4f}',
            f'{error.largest:.3f}', f'{100.0 * error.share:.1f} %']
