"""Runs beside published figures, closures, tracks, and sessions with an autopilot, as tables for a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from usv_energy.files.text_file import without_nan
from usv_energy.show.text_table import fixed, percent, shortened, text_list, text_table
from usv_energy.sim.hil.order_watch import lateness_in_words
from usv_energy.sim.hil.sitl_frames import HilSession
from usv_energy.sim.record import REACHED, Missing, Summary, missing_in_words

NAME_WIDTH = 26
MOST_LEGS = 60
NOTEWORTHY = 0.10
INCOMPLETE = ' (incomplete)'
LEG_HEAD = ['leg', 'begins, s', 'time, s', 'distance, m', 'energy, J', 'share, %', 'mean power, W']

TRACK_NAME_WIDTH = 20
PUBLISHED = ('published_distance_m', 'published_mean_speed_m_s', 'published_peak_speed_m_s')
HEAD = ['scenario', 'distance', 'published', 'diff', 'mean', 'published', 'peak', 'published', 'in water',
        'rms', 'max', 'hits', 'room']
GROUPS = ['', 'way, m', '', '', 'speed, m/s', '', '', '', '', 'off path, m', '', '', 'm']


class Comparison(NamedTuple):
    """The runs of one scenario under each convention; None where it was not run."""

    name: str
    rep103: Summary | None
    as_published: Summary | None

    @property
    def any(self) -> Summary:
        """One of the runs: what does not depend on the convention is the same in both."""
        run = self.rep103 or self.as_published
        assert run is not None
        return run

    @property
    def incomplete(self) -> list[Summary]:
        """The runs whose recordings lack samples."""
        return [run for run in self[1:] if run and not run.get('complete', True)]


def value_of(summary: Summary | None, key: str) -> Any:
    """Return a value of a summary; None where there is no summary."""
    return summary[key] if summary else None


def comparisons(summaries: Iterable[Summary]) -> list[Comparison]:
    """Return the summaries side by side: one entry per scenario and boat, in the order of first appearance."""
    found: dict[tuple[str, str, str], dict[str, Summary]] = {}
    for summary in summaries:
        key = (summary['scenario'], summary['boat'], summary['plant'])
        found.setdefault(key, {})[summary['convention']] = summary
    return [Comparison(key[0], runs.get('rep103'), runs.get('as_published')) for key, runs in found.items()]


def comparison_table(summaries: Sequence[Summary]) -> str:
    """Return the runs of scenarios beside the published numbers, with notes, tracks and legs below."""
    pairs = comparisons(summaries)
    if not pairs:
        return 'no run has finished'
    groups = ['', 'time, s', '', '', 'energy, J', '', '', '', '', 'closure']
    head = ['scenario', 'run', 'published', 'diff', 'rep103', 'diff', 'as_published', 'diff', 'published', 'rep103']
    table = text_table([head, *map(_cells, pairs)], 'lr', groups, rule=True)
    return '\n'.join([*table, *_notes(pairs), *track_lines(summaries), *_legs(summaries)])


def _cells(pair: Comparison) -> list[str]:
    run = pair.any
    energies = [cell for side in (pair.rep103, pair.as_published)
                for cell in (fixed(value_of(side, 'energy_j')), percent(value_of(side, 'energy_relative'), 1))]
    mark = INCOMPLETE if pair.incomplete else ''
    return [shortened(pair.name, NAME_WIDTH) + mark, fixed(run['duration_s']), fixed(run['published_duration_s']),
            percent(run['duration_relative'], 1), *energies, fixed(run['published_energy_j']),
            percent(value_of(pair.rep103, 'closure_relative'), 2)]


def _legs(summaries: Sequence[Summary]) -> list[str]:
    """Return a table of the legs of each run that has more than one."""
    lines: list[str] = []
    for run in summaries:
        legs = run.get('legs', [])
        if len(legs) < 2:
            continue
        lines += ['', f'Legs of {shortened(run["scenario"], NAME_WIDTH)}, {run["convention"]}',
                  *leg_table(legs, run['energy_j'])]
    return lines


def leg_table(legs: Sequence[Summary], total: float | None) -> list[str]:
    """Return the lines of a table of legs, each given by its figures; `total`: energy of all of them, J."""
    more = len(legs) - MOST_LEGS
    return [*text_table([LEG_HEAD, *(leg_cells(leg, total) for leg in legs[:MOST_LEGS])], 'lr', rule=True),
            *([f'and {more} more; --json and legs.csv have all'] if more > 0 else [])]


def leg_cells(leg: Summary, total: float | None) -> list[str]:
    """Return the cells of a leg below LEG_HEAD; `total`: energy of the whole run, J."""
    energy = leg['energy_j']
    share = 100.0 * energy / total if total and energy is not None else None
    return [shortened(leg['leg'] or '(none)', NAME_WIDTH), fixed(leg['begin_s'], 1), fixed(leg['duration_s'], 1),
            fixed(leg['distance_over_ground_m'], 1), fixed(energy), fixed(share, 1), fixed(leg['mean_power_w'])]


def closure_table(rows: Sequence[Summary]) -> str:
    """Return the closures of `steady_closure` at several speeds, all of one boat and plant, as a table."""
    boat, plant = rows[0]['boat'], rows[0]['plant']
    title = f'Steady power straight ahead in still water: power model {boat}, plant {plant}'
    groups = ['', 'simulated', '', '', 'closed form, water drag alone', '', '']
    head = ['speed, m/s', 'model, W', 'thrusters, W', 'error', 'model, W', 'plant, W', 'error']
    keys = ('model_power_w', 'thruster_power_w', 'closure_relative',
            'model_damping_power_w', 'thruster_damping_power_w', 'closed_form_relative')
    cells = [[fixed(row['speed_m_s'], 3), *(percent(row[key], 2) if key.endswith('relative') else fixed(row[key])
                                            for key in keys)] for row in rows]
    slow = [f'The thrusters of {plant} do not reach {row["wanted_speed_m_s"]:g} m/s; what they reach is shown.'
            for row in rows if row['wanted_speed_m_s'] - row['speed_m_s'] > 0.001]
    return '\n'.join([title, '', *text_table([head, *cells], 'lr', groups, rule=True), *slow])


def _notes(pairs: Sequence[Comparison]) -> list[str]:
    return text_list('Notes', [f'{pair.name}: {text}' for pair in pairs
                               for text in (_outcome(pair.any), lateness_in_words(pair.any.get('controller')),
                                            *_missing(pair), _remark(pair)) if text], '  ', '     ')


def _outcome(run: Summary) -> str:
    if run['outcome'] == REACHED:
        return ''
    empty = run.get('battery_empty_at')
    if empty:
        return (f'the battery gave no more at {empty["time_s"]:.2f} s, x {empty["x_m"]:.1f} m, y {empty["y_m"]:.1f} m; '
                'the figures are of the time before')
    return f'the goal was not reached ({run["outcome"]}); the figures are of {run["duration_s"]:.2f} s'


def _missing(pair: Comparison) -> list[str]:
    """Return what the recordings lack, each with its convention if there are two."""
    return [(f'{run["convention"]}: ' if pair.rep103 and pair.as_published else '') + missing_in_words(
        Missing(*(run[f'samples_missing_{place}'] for place in Missing._fields)), run['samples_recorded'])
        for run in pair.incomplete]


def _remark(pair: Comparison) -> str:
    """
    Return the large differences from the published numbers, and the scenario's own note.

    An incomplete recording is not compared: a difference may be due to the missing samples.
    """
    if pair.incomplete:
        return 'its figures are not to be compared with the published ones'
    shares = [('time', pair.any['duration_relative']),
              *((f'energy {side["convention"]}', side['energy_relative']) for side in pair[1:] if side)]
    large = ', '.join(f'{name} {percent(share, 1)}' for name, share in shares
                      if share is not None and abs(share) > NOTEWORTHY)
    note: str = pair.any['published_note']
    if not large:
        return note
    return f'{large}: {note or "its file notes no cause"}'


def track_lines(summaries: Sequence[Summary]) -> list[str]:
    """
    Return a table of the tracks of runs, as lines; none if no run has a track worth a row.

    A track is worth a row if it has several legs or obstacles, or if a source published figures of it. Runs of one
    scenario and boats share a track, whatever the convention of their power.
    """
    runs: dict[tuple[str, str, str], Summary] = {}
    for summary in summaries:
        if _has_track(summary):
            runs.setdefault((summary['scenario'], summary['boat'], summary['plant']), summary)
    if not runs:
        return []
    cells = [HEAD, *map(_track_cells, runs.values())]
    used = [n for n in range(len(HEAD)) if n < 2 or any(row[n] != '-' for row in cells[1:])]
    table = text_table([[row[n] for n in used] for row in cells], 'lr', [GROUPS[n] for n in used], rule=True)
    return ['', 'Track', *table, *text_list('Collisions', map(_collision, filter(_collision_count, runs.values())))]


def _has_track(summary: Summary) -> bool:
    return (summary.get('waypoints', 1) > 1 or summary.get('obstacles', 0) > 0
            or any(summary.get(key) is not None for key in PUBLISHED))


def _collision_count(summary: Summary) -> int:
    return summary['collisions']


def _track_cells(run: Summary) -> list[str]:
    hits = str(run['collisions']) if run['obstacles'] else '-'
    return [shortened(run['scenario'], TRACK_NAME_WIDTH), fixed(run['distance_over_ground_m']),
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


def hil_text(session: HilSession) -> str:
    """Return a session of a boat with an autopilot in the loop as text: energy and lateness."""
    seen, energy = session.lateness, session.observer.energy
    rows = [('simulated', f'{session.plant.time:.2f} s'), ('energy', f'{energy.total:.2f} J'),
            ('distance over ground', f'{energy.distance_over_ground:.2f} m'), ('frames', str(seen.frames)),
            ('sent twice', str(seen.doubled)), ('lost', str(seen.lost)),
            ('autopilot started again', str(seen.restarts)),
            *([('before that', f'{seen.energy_before:.2f} J in {seen.time_before:.2f} s')] if seen.restarts else []),
            ('late', f'{seen.late} ({fixed(seen.silent, 2, "s")} of silence)'),
            ('between frames', f'{fixed(_milli(seen.mean), 1, "ms")} mean, '
                               f'{fixed(_milli(seen.longest), 1, "ms")} at most'),
            ('order held', fixed(seen.held, 2, 's'))]
    return '\n'.join(text_table(rows, 'll'))


def hil_summary(session: HilSession) -> dict[str, Any]:
    """Return a session of a boat with an autopilot in the loop for JSON, units in the keys."""
    seen, energy, state = session.lateness, session.observer.energy, session.plant.state
    return without_nan({
        'scenario': session.scenario.name, 'boat': session.scenario.plant.name, 'duration_s': session.plant.time,
        'energy_j': energy.total, 'thruster_energy_j': state.work,
        'distance_over_ground_m': energy.distance_over_ground,
        'x_m': state.x, 'y_m': state.y, 'frames': seen.frames, 'doubled': seen.doubled, 'lost': seen.lost,
        'restarts': seen.restarts, 'late': seen.late, 'silence_s': seen.silent, 'mean_period_s': seen.mean,
        'longest_period_s': seen.longest, 'held_s': seen.held,
        'energy_before_restarts_j': seen.energy_before, 'duration_before_restarts_s': seen.time_before})


def _milli(seconds: float) -> float:
    return 1e3 * seconds
