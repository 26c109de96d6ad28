"""How far a log's energy is to be trusted, and what to do about it: the same words for terminal and page."""

from typing import NamedTuple

from ...analysis.flow_from_sway import SIDEWAYS
from ...analysis.log_report import LogReport
from ..rounding import percent

WIDE = 0.05       # Half width of an interval, as a share of the energy, from which something should be done about it.
WHOLE = 0.98      # Share of the time that should be integrated.


class TrustRow(NamedTuple):
    """One reason for doubt: what it is, how much it amounts to, and what to do about it."""

    doubt: str
    amount: str
    advice: str


def trust_rows(report: LogReport) -> list[TrustRow]:
    """Return the reasons for doubt: noise, the boat's numbers, the side force, and time that is not integrated."""
    return [_noise(report), _parameters(report), _side_force(report), _time(report)]


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
    wide = _is_wide(report, interval.low, interval.high)
    return TrustRow(name, _span(report, interval.low, interval.high),
                    'identify it from more logs: usv-energy identify' if wide else 'nothing to do')


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
