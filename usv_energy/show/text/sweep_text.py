"""What came of a sweep, for people."""

from collections.abc import Mapping
from typing import Any

from ..text_table import text_table

LABELS = {'energy_j': 'energy, J', 'duration_s': 'duration, s', 'distance_over_ground_m': 'way over ground, m',
          'battery_charge_at_end': 'charge left, -', 'battery_voltage_at_end_v': 'voltage at the end, V'}
QUANTITIES = 'min', 'p05', 'p25', 'median', 'p75', 'p95', 'max', 'mean', 'std'


def sweep_text(summary: Mapping[str, Any]) -> str:
    """Return the summary of a sweep (`sweep_summary`) as lines: how its runs ended, what they took and why."""
    runs = summary['runs']
    axes = ' x '.join(f'{size} {name}' for name, size in summary['shape'].items())
    outcomes = ', '.join(f'{count} {name} ({100.0 * count / runs:.1f} %)'
                         for name, count in summary['outcomes'].items() if count)
    rows = _spread_rows('of those that reached', summary['spread'])
    if summary.get('battery_empty'):
        rows += _spread_rows('until the battery was empty', summary['battery_empty'])
    return '\n'.join([
        summary['title'], f'{runs} runs ({axes}) of scenario {summary["scenario"]}, boat {summary["boat"]}, '
        f'{summary["convention"]}: {summary["file"]}', '', f'outcome     {outcomes}', '', *text_table(rows, 'lr'),
        *_influence_lines(summary['influence'])])


def _spread_rows(heading: str, spreads: Mapping[str, Any]) -> list[list[str]]:
    return [[heading, *QUANTITIES], *(
        [LABELS[key], *(f'{spread[name]:.5g}' if spread else '-' for name in QUANTITIES)]
        for key, spread in spreads.items())]


def _influence_lines(influence: Mapping[str, Any]) -> list[str]:
    rows = [[one['parameter'], f'{100.0 * one["share"]:.1f} %', f'{one["coefficient"]:+.3f}']
            for one in influence['inputs']]
    if not rows:
        return []
    rows.append(['not monotone, interactions', f'{100.0 * (1.0 - influence["explained_share"]):.1f} %', ''])
    return ['', "what explains the energy's variance (ranks regressed on ranks; share, coefficient):",
            *text_table(rows, 'lr', indent='  ')]
