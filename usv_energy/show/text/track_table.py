"""Tracks of runs as a table for a terminal: distance, speeds, deviation from the planned path, collisions."""

from collections.abc import Sequence

from ...sim.record import Summary
from ..rounding import fixed, percent
from ..text_table import shortened, text_list, text_table

NAME_WIDTH = 20
PUBLISHED = ('published_distance_m', 'published_mean_speed_m_s', 'published_peak_speed_m_s')
HEAD = ['scenario', 'distance', 'published', 'diff', 'mean', 'published', 'peak', 'published', 'in water',
        'rms', 'max', 'hits', 'room']
GROUPS = ['', 'way, m', '', '', 'speed, m/s', '', '', '', '', 'off path, m', '', '', 'm']


def track_lines(summaries: Sequence[Summary]) -> list[str]:
    """
    Return the tracks of runs as lines below their table of time and energy; none where no run has one to speak of.

    A run has one that goes along several legs or among obstacles, or of whose track a source printed figures. Runs of
    one scenario and boats have one track, whatever the convention of their power.
    """
    runs: dict[tuple[str, str, str], Summary] = {}
    for summary in summaries:
        if _matters(summary):
            runs.setdefault((summary['scenario'], summary['boat'], summary['plant']), summary)
    if not runs:
        return []
    cells = [HEAD, *map(_cells, runs.values())]
    used = [n for n in range(len(HEAD)) if n < 2 or any(row[n] != '-' for row in cells[1:])]
    table = text_table([[row[n] for n in used] for row in cells], 'lr', [GROUPS[n] for n in used], rule=True)
    return ['', 'Track', *table, *text_list('Collisions', map(_collision, filter(_hits, runs.values())))]


def _matters(summary: Summary) -> bool:
    return (summary.get('waypoints', 1) > 1 or summary.get('obstacles', 0) > 0
            or any(summary.get(key) is not None for key in PUBLISHED))


def _hits(summary: Summary) -> int:
    hits: int = summary['collisions']
    return hits


def _cells(run: Summary) -> list[str]:
    hits = str(run['collisions']) if run['obstacles'] else '-'
    return [shortened(run['scenario'], NAME_WIDTH), fixed(run['distance_over_ground_m']),
            fixed(run['published_distance_m']), percent(run['distance_relative'], 1),
            fixed(run['mean_speed_over_ground_m_s']), fixed(run['published_mean_speed_m_s']),
            fixed(run['peak_speed_over_ground_m_s']), fixed(run['published_peak_speed_m_s']),
            fixed(run['peak_speed_through_water_m_s']),
            fixed(run['path_deviation_rms_m']), fixed(run['path_deviation_max_m']), hits,
            fixed(run['least_clearance_m'])]


def _collision(run: Summary) -> str:
    times = 'once' if run['collisions'] == 1 else f'{run["collisions"]} times'
    first = '' if run['collisions'] == 1 else 'first '
    return (f'{run["scenario"]}: the hull hits obstacles {times}, {first}at {run["first_collision_s"]:.2f} s, '
            f'x = {run["first_collision_x_m"]:.2f} m, y = {run["first_collision_y_m"]:.2f} m: '
            f'{run["first_collision_with"]}. Hits are counted; the boat goes on as if nothing were there')
