"""An analysed log as text for a terminal, and how far its energy is to be trusted, in the words of all outputs."""

import math
from typing import NamedTuple

from usv_energy.flow.flow_argument import flow_words
from usv_energy.logs.log import INFO, WARNING
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import fixed, joules, metres, percent, seconds, text_list, text_table
from usv_energy.studies.analyze.analysed_log import AnalysedLog, mean_or_nan
from usv_energy.studies.analyze.current.flow_from_sway import SIDEWAYS
from usv_energy.studies.analyze.leg_shares import leg_shares, share_figures
from usv_energy.studies.analyze.log_report import LogReport, MeasuredPower
from usv_energy.studies.analyze.log_waves import sea_words
from usv_energy.studies.analyze.what_if import WhatIf
from usv_energy.studies.runs.run_tables import leg_table

WIDE = 0.05       # Half width of an interval, as a share of the energy, from which something should be done about it.
CLOSES = 0.10     # Share by which the work of the thrusters by model and by log may differ.
SHOWN = 2         # Numbers without a std that are named.
WHOLE = 0.98      # Share of the time that should be integrated.

NEGLIGIBLE = 1e-9  # Share of the energy that rounding leaves.


class TrustRow(NamedTuple):
    """One reason for doubt: what it is, how much it amounts to, and what to do about it."""

    doubt: str
    amount: str
    advice: str


def trust_rows(report: LogReport) -> list[TrustRow]:
    """Return the reasons for doubt: noise, the boat's numbers, side force, closure, and time that is not integrated."""
    closure = [_closure(report)] if math.isfinite(report.closure_relative) else []
    return [_noise(report), _parameters(report), _side_force(report), *closure, _time(report)]


def _noise(report: LogReport) -> TrustRow:
    name, interval = 'noise, and what happens between samples', report.interval
    if interval is None:
        return TrustRow(name, 'not known', 'leave out --motion recorded')
    if interval.waves:
        return TrustRow('waves, and what happens between samples', _span(report, interval.low, interval.high),
                        'nothing to do' if not _is_wide(report, interval.low, interval.high) else
                        'parts in the boat\'s file; heave, roll and pitch in the log')
    if interval.flows:
        return TrustRow('noise, and a flow that nobody says', _span(report, interval.low, interval.high),
                        'say what current and wind there were: --current, --wind')
    wide = _is_wide(report, interval.low, interval.high)
    return TrustRow(name, _span(report, interval.low, interval.high),
                    'record faster; position, velocity and yaw rate' if wide else 'nothing to do')


def _parameters(report: LogReport) -> TrustRow:
    name, interval = 'numbers of the boat', report.parameters
    if interval is None:
        return TrustRow(name, 'not known', 'its file says no std, no interval: usv-energy identify')
    wide, amount = _is_wide(report, interval.low, interval.high), _span(report, interval.low, interval.high)
    if missing := report.without_std:
        shown = ', '.join(missing[:SHOWN]) + (f' and {len(missing) - SHOWN} more' if len(missing) > SHOWN else '')
        return TrustRow(name, f'{amount}, and more', f'no std of {shown}: not known to be exact; usv-energy identify')
    return TrustRow(name, amount, 'identify it from more logs: usv-energy identify' if wide else 'nothing to do')


def _closure(report: LogReport) -> TrustRow:
    off = report.closure_relative
    advice = 'nothing to do' if abs(off) <= CLOSES else 'look at the thrusts, their scale, the boat, the flow'
    return TrustRow('work of the thrusters, model and log', percent(off, 1), advice)


def _side_force(report: LogReport) -> TrustRow:
    share = report.side_force_share
    if report.analysed.options.convention != 'rep103':
        return TrustRow('side force that no thruster gives', '-', 'as_published takes it for propulsion')
    large, found = abs(share) > SIDEWAYS, report.analysed.explanations
    advice = 'look at current, wind or sway drag' if large else 'current, wind and sway drag fit'
    if found and not large:
        advice = f'a {found[0].name} was found from it: say what there was (--{found[0].name})'
    amount = percent(share, 1) + ('' if share != share else ' of the thrust')
    return TrustRow('side force that no thruster gives', amount, advice)


def _time(report: LogReport) -> TrustRow:
    share = report.integrated_share
    return TrustRow('time that was integrated', '-' if share != share else f'{100.0 * share:.1f} %',
                    'nothing to do' if share >= WHOLE else 'look at the holes; --max-gap bridges longer ones')


def _is_wide(report: LogReport, low: float, high: float) -> bool:
    return 0.5 * (high - low) > WIDE * report.analysed.energy.total


def _span(report: LogReport, low: float, high: float) -> str:
    """Return a 95 % interval as it lies about the energy."""
    total = report.analysed.energy.total
    if not total > 0.0:
        return f'{low:.1f} to {high:.1f} J'
    return f'{percent(low / total - 1.0, 1)} to {percent(high / total - 1.0, 1)} (95 %)'


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


def measured_words(measured: MeasuredPower) -> str:
    """Return the measured energy, and of what time it is if not of all, what was drawn and charged if both were."""
    words = joules(measured.measured_energy)
    if not measured.is_whole:
        words += f' in the {100.0 * measured.share:.1f} % of the time that was measured ({seconds(measured.duration)})'
    if measured.is_charged:
        words += f' net: {joules(measured.drawn)} drawn, {joules(measured.charged)} charged'
    return words


def _checks(report: LogReport) -> list[str]:
    lines = [f'{name}: {text}' for name, text in check_rows(report)]
    measured = report.measured
    if measured is not None:
        compared = f'; model {percent(measured.energy_error, 1)}, RMSE {measured.rms_error:.2f} W, R2 ' \
                   f'{measured.r2:.3f}'
        lines.append(f'measured electrical energy: {measured_words(measured)}{"" if measured.is_charged else compared}')
    if report.hull is not None:
        lines.append(f'hull and propellers: {report.hull.report.message}')
    return lines


def _change_row(change: WhatIf) -> list[str]:
    beyond = f'beyond the thrusters in {100.0 * change.beyond:.0f} % of the time' if change.beyond > 0.005 else ''
    return [change.name, fixed(change.energy, 1), percent(change.relative, 1), beyond]
