"""An analysed log as text for a terminal."""

import math

from ...analysis.analysed_log import AnalysedLog, mean_or_nan
from ...analysis.leg_shares import leg_shares, share_figures
from ...analysis.log_report import LogReport
from ...analysis.log_waves import sea_words
from ...analysis.what_if import WhatIf
from ...flow.flow_argument import flow_words
from ...logs.log import INFO, WARNING
from ..causes import CAUSES
from ..rounding import fixed, joules, metres, percent, seconds
from ..text_table import text_list, text_table
from .run_tables import leg_table
from .trust_text import trust_rows

NEGLIGIBLE = 1e-9  # Share of the energy that rounding leaves.


def log_text(report: LogReport) -> str:
    """Return a report as text: energy by cause, where current and wind come from, checks, what-if, notes."""
    analysed, energy = report.analysed, report.analysed.energy
    head = [f'{analysed.log.path}: {len(analysed.log)} samples, {seconds(analysed.log.duration)}; boat '
            f'{analysed.boat.name}, {analysed.options.convention}', '',
            f'Energy {joules(energy.total)} in {seconds(energy.duration)}, {metres(energy.distance_over_ground)} over '
            f'ground, {fixed(energy.energy_per_meter, 2, "J/m")}, mean power '
            f'{fixed(energy.total / energy.duration if energy.duration else math.nan, 2, "W")}', '']
    causes = [['cause', 'energy, J', 'share']]
    for cause in CAUSES:
        value = getattr(energy, cause.key)
        if abs(value) > NEGLIGIBLE * abs(energy.total):
            causes.append([cause.name, fixed(value), f'{100.0 * value / energy.total:.1f} %' if energy.total else '-'])
        if cause.key == 'loads' and energy.total:
            causes += [[f'- {name}', fixed(one), f'{100.0 * one / energy.total:.1f} %']
                       for name, one in zip(analysed.boat.load_names, analysed.by_load)]
    flows = [[name, flow_mean(analysed, name), f'({analysed.flow_sources[name]})'] for name in ('current', 'wind')]
    changes = [['', 'energy, J', 'change', ''], [report.steady.name, fixed(report.steady.energy, 1), '', ''],
               *map(_change_row, report.changes)]
    return '\n'.join([
        *head, *text_table(causes, 'lr'), '', *_legs(analysed), *text_table(flows), *_checks(report), '',
        'How far to trust it', *text_table(trust_rows(report), 'lll'), '',
        'What if (steady motion along the same way)', *text_table(changes, 'lrrl'),
        *text_list('Look at this', report.note_texts(WARNING)), *text_list('Notes', report.note_texts(INFO))])


def _legs(analysed: AnalysedLog) -> list[str]:
    """Return a table of the legs, where there is more than one, and an empty line."""
    legs = [share_figures(leg) for leg in leg_shares(analysed)]
    return [*leg_table(legs, analysed.energy.total), ''] if len(legs) > 1 else []


def flow_mean(analysed: AnalysedLog, name: str) -> str:
    """Return the mean of the current or the wind along the way, in words."""
    return f'{flow_words(*(mean_or_nan(getattr(analysed.flow, f"{name}_{axis}")) for axis in "xy"))} on average'


def check_rows(report: LogReport) -> list[tuple[str, str]]:
    """Return what the log itself says beside the model, as names and texts; only what there is."""
    rows = []
    if words := sea_words(report.analysed.waves, report.analysed.notes):
        rows.append(('sea seen', words))
    if math.isfinite(report.live_energy):
        rows.append(('energy recorded live', f'{joules(report.live_energy)}; this analysis of the same samples: '
                                             f'{percent(report.live_relative, 3)}'))
    if math.isfinite(report.thruster_energy):
        rows.append(('work of the thrusters', f'{joules(report.thruster_energy)}; what the model has them give: '
                                              f'{percent(report.closure_relative, 2)}'))
    if math.isfinite(report.allocation_share):
        energy = report.analysed.energy
        rows.append(('allocation', f'{100.0 * report.allocation_share:.1f} % beyond the cheapest way '
                                   f'({joules(energy.allocation)}); residual {joules(energy.residual)}: what the '
                                   "log's thrusts do beyond what the motion asks of them"))
    if report.estimate is not None:
        rows.append(('current estimated from the thrusts',
                     f'good to {report.estimate.std_x:.3f} m/s east, {report.estimate.std_y:.3f} m/s north (standard '
                     f'deviations), {report.estimate.knots.size} knot(s)'))
    return rows


def _checks(report: LogReport) -> list[str]:
    lines = [f'{name}: {text}' for name, text in check_rows(report)]
    measured = report.measured
    if measured is not None:
        lines.append(f'measured electrical energy: {joules(measured.measured_energy)}; model '
                     f'{percent(measured.energy_error, 1)}, RMSE {measured.rms_error:.2f} W, R2 {measured.r2:.3f}')
    if report.hull is not None:
        lines.append(f'hull and propellers: {report.hull.report.message}')
    return lines


def _change_row(change: WhatIf) -> list[str]:
    beyond = f'beyond the thrusters in {100.0 * change.beyond:.0f} % of the time' if change.beyond > 0.005 else ''
    return [change.name, fixed(change.energy, 1), percent(change.relative, 1), beyond]
