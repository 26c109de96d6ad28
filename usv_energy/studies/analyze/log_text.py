"""An analysed log as text for a terminal, and how far its energy is to be trusted, in the words of all outputs."""

import math
from textwrap import wrap

from usv_energy.logs.log import INFO, WARNING
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import (
    WIDTH,
    fixed,
    joules,
    metres,
    percent,
    seconds,
    text_list,
    text_table,
    wrapped_lines,
    wrapped_table,
)
from usv_energy.studies.analyze.analysed_log import AnalysedLog, mean_or_nan
from usv_energy.studies.analyze.leg_shares import leg_shares, share_figures
from usv_energy.studies.analyze.log_report import LogReport, MeasuredPower
from usv_energy.studies.analyze.log_waves import sea_words
from usv_energy.studies.analyze.what_if import WhatIf
from usv_energy.studies.runs.run_tables import leg_table

NEGLIGIBLE = 1e-9  # Share of the energy that rounding leaves.


def trust_rows(report: LogReport) -> list[tuple[str, str, str]]:
    """Return the reasons for doubt, the worst first: what it is, how much it amounts to, what to do about it."""
    return [(doubt.name, doubt.amount, doubt.advice) for doubt in report.trust.doubts]


def log_text(report: LogReport) -> str:
    """Return a report as text: energy by cause, where current and wind come from, checks, what-if, notes."""
    analysed, energy, trust = report.analysed, report.analysed.energy, report.trust
    power = fixed(energy.total / energy.duration if energy.duration else math.nan, 2, 'W')
    answer = [f'Energy {joules(energy.total)} in {seconds(energy.duration)}, {_way(report)}, mean power {power}',
              *_estimated(analysed), *_of_battery(analysed)]
    if trust.impossible:
        answer = [f'No energy: {metres(energy.distance_over_ground)} over ground in {seconds(energy.duration)}']
    head = [f'{analysed.log.path}: {len(analysed.log)} samples, {seconds(analysed.log.duration)}; boat '
            f'{analysed.boat.name}, {analysed.options.convention}', '',
            *answer, *wrap(trust.verdict, WIDTH), '']
    causes = [['cause', 'energy, J', 'share']]
    for cause in CAUSES:
        value = getattr(energy, cause.key)
        if abs(value) > NEGLIGIBLE * abs(energy.total):
            causes.append([cause.name, fixed(value), _share(value, energy.total)])
        if cause.key == 'loads' and energy.total:
            causes += [[f'- {name}', fixed(one), _share(one, energy.total)]
                       for name, one in zip(analysed.boat.load_names, analysed.by_load)]
    flows = [[name, flow_mean(analysed, name), f'({analysed.flow_sources[name]})'] for name in ('current', 'wind')]
    changes = [['', 'energy, J', 'change', ''], [report.steady.name, fixed(report.steady.energy, 1), '', ''],
               *map(_change_row, report.changes)]
    return '\n'.join([
        *head, *text_table(causes, 'lr'), '', *_legs(analysed), *text_table(flows), *_checks(report), '',
        'How far to trust it', *wrapped_table(trust_rows(report)),
        *([] if report.at_rest else ['', 'What if (steady motion along the same way)', *text_table(changes, 'lrrl')]),
        *text_list('Look at this', report.note_texts(WARNING)), *text_list('Notes', report.note_texts(INFO))])


def _estimated(analysed: AnalysedLog) -> list[str]:
    """Return what of the energy was integrated, and what was estimated where there are no data."""
    energy, duration = analysed.estimated
    if not duration:
        return []
    return [f'{joules(analysed.energy.total - energy)} of it integrated, {joules(energy)} estimated in '
            f'{seconds(duration)} without data']


def _of_battery(analysed: AnalysedLog) -> list[str]:
    """Return the share of the battery that was used, where there is one."""
    if analysed.boat.battery is None:
        return []
    empty = '' if math.isnan(analysed.battery_empty_at) else ': all that it held, and more was taken'
    return [f'{fixed(100.0 * analysed.state_of_charge_used, 1, "%")} of the battery of '
            f'{fixed(analysed.boat.battery.capacity_wh, 1, "Wh")} used{empty}']


def _way(report: LogReport) -> str:
    """Return how far the boat went and what a metre took, in words."""
    energy = report.analysed.energy
    if report.at_rest:
        return 'at rest'
    return f'{metres(energy.distance_over_ground)} over ground, {fixed(energy.energy_per_meter, 2, "J/m")}'


def _share(value: float, total: float) -> str:
    return fixed(100.0 * value / total, 1, '%') if total else '-'


def _legs(analysed: AnalysedLog) -> list[str]:
    """Return a table of the legs, where there is more than one, and an empty line."""
    legs = [share_figures(leg) for leg in leg_shares(analysed)]
    return [*leg_table(legs, analysed.energy.total), ''] if len(legs) > 1 else []


def flow_mean(analysed: AnalysedLog, name: str) -> str:
    """Return the mean of the current or the wind along the way, in words."""
    x, y = (mean_or_nan(getattr(analysed.flow, f'{name}_{axis}')) for axis in 'xy')
    return f'{flow_words(x, y, AIR if name == "wind" else WATER)} on average'


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
        east, north = report.current_stds
        rows.append(('current estimated from the thrusts',
                     f'good to {east:.3f} m/s east, {north:.3f} m/s north (standard deviations), '
                     f'{report.estimate.knots.size} knot(s)'))
    return rows


def measured_words(measured: MeasuredPower) -> str:
    """Return the measured energy, and of what time it is if not of all, what was drawn and charged if both were."""
    words = joules(measured.measured_energy)
    if not measured.is_whole:
        words += f' in the {100.0 * measured.share:.1f} % of the time that was measured ({seconds(measured.duration)})'
    if measured.is_charged:
        words += f' net: {joules(measured.drawn)} drawn, {joules(measured.charged)} charged'
    return words


def _checks(report: LogReport) -> list[str]:
    lines = [line for name, text in check_rows(report) for line in wrapped_lines(f'{name}: {text}', '', '  ')]
    measured = report.measured
    if measured is not None:
        compared = f'; model {percent(measured.energy_error, 1)}, RMSE {measured.rms_error:.2f} W, R2 ' \
                   f'{measured.r2:.3f}'
        lines += wrapped_lines(f'measured electrical energy: {measured_words(measured)}'
                               f'{"" if measured.is_charged else compared}', '', '  ')
    if report.hull is not None:
        lines += wrapped_lines(f'hull and propellers: {report.hull.report.message}', '', '  ')
    return lines


def _change_row(change: WhatIf) -> list[str]:
    beyond = f'beyond the thrusters in {100.0 * change.beyond:.0f} % of the time' if change.beyond > 0.005 else ''
    return [change.name, fixed(change.energy, 1), percent(change.relative, 1), beyond]
