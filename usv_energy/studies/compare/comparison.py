"""A comparison of runs by cause: figures and changes against the first run, for JSON, as a table and as pictures."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress, no_progress
from usv_energy.powering.energy import CAUSES as CAUSE_KEYS
from usv_energy.show.causes import CAUSES, Cause
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.show.text_table import fixed, percent, rounded, shortened, text_table
from usv_energy.sim.record import Summary, relative
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.log_report import energy_figures
from usv_energy.studies.analyze.log_request import LogRequest, read_and_analyse
from usv_energy.studies.compare.speed_overlay import SpeedOverlay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = tuple(cause for cause in CAUSE_KEYS if cause not in ('thrust', 'total'))  # causes that sum to the total
WHOLE = ('duration_s', 'distance_over_ground_m', 'distance_through_water_m', 'mean_power_w', 'energy_per_meter_j_m',
         'energy_j')
NEEDED = ('energy_j', 'duration_s', 'distance_over_ground_m', *(f'energy_{cause}_j' for cause in PARTS))
NEGLIGIBLE = 5e-4  # of the largest energy: a smaller cause is left out of table and picture
NAME_WIDTH = 22
ROWS = (('duration_s', 'time, s', 1), ('distance_over_ground_m', 'over ground, m', 1),
        ('distance_through_water_m', 'through the water, m', 1), ('mean_power_w', 'mean power, W', 2),
        ('energy_per_meter_j_m', 'J/m', 2), ('energy_j', 'energy, J', 1))
LONGER = 1.02  # ratio of distances above which runs count as of different length


def read_summary(path: Path) -> Summary:
    """Return the figures in a summary.json of `analyze` or of a run; InputError if the file is not one."""
    summary = read_json(path, 'a summary')
    if not isinstance(summary, dict):
        raise InputError(f'{path}: holds no figures of one run')
    for key in NEEDED:
        if not isinstance(summary.get(key), int | float):
            raise InputError(f'{path}: lacks {key}; must be the summary.json of a run, or of usv-energy analyze')
    return {**summary, 'name': summary.get('name') or summary.get('scenario') or path.parent.name}


def figures_of_runs(given: Sequence[str | AnalysedLog], request_of: Callable[[str], LogRequest],
                    say: Callable[[str], None] = lambda text: None, progress: Progress = no_progress) -> list[Summary]:
    """
    Return the figures of runs: read from their summary.json, or computed from their logs.

    The names of runs with equal names get their folders as a prefix.

    :param given: Analysed logs; paths of logs, folders that `analyze` wrote, or summary.json files; two or more.
    :param request_of: Returns the request of analysis for the log at a path.
    :param say: Called with messages of progress.
    :param progress: Called with the number of runs that are done, and of all.
    :raises InputError: If there are fewer than two, or one does not exist or cannot be read.
    """
    if len(given) < 2:
        raise InputError('one run is given; a comparison needs two or more' if given else
                         'no run is given; a comparison needs two or more')
    paths = [str(one.log.path) if isinstance(one, AnalysedLog) else one for one in given]
    for name in (one for one in given if isinstance(one, str)):
        if not user_path(name).exists():
            raise InputError(f'{name}: there is no such file or folder')
    runs: list[Summary] = []
    for one in given:
        runs.append(energy_figures(one) if isinstance(one, AnalysedLog) else _figures_of_run(one, request_of, say))
        progress(len(runs), len(given))
    names = [str(run['name']) for run in runs]
    return [{**run, 'name': name if names.count(name) == 1 else f'{Path(path).resolve().parent.name}/{name}'}
            for path, name, run in zip(paths, names, runs)]


def _figures_of_run(name: str, request_of: Callable[[str], LogRequest], say: Callable[[str], None]) -> Summary:
    path = user_path(name)
    if path.suffix == '.json':
        return read_summary(path)
    if path.is_dir() and (path / 'summary.json').is_file() and (path / 'report.html').is_file():
        return read_summary(path / 'summary.json')
    return energy_figures(read_and_analyse(request_of(name), say)[0])


def comparison_figures(runs: Sequence[Summary]) -> dict[str, Any]:
    """Return runs side by side, and the changes of the others against the first, for JSON."""
    first = runs[0]
    changes = [without_nan({
        'name': run['name'], 'against': first['name'], 'change_j': run['energy_j'] - first['energy_j'],
        'change_relative': relative(run['energy_j'], first['energy_j']),
        'change_duration_s': run['duration_s'] - first['duration_s'],
        'change_energy_per_meter_j_m': _difference(run, first, 'energy_per_meter_j_m'),
        **{f'change_{cause}_j': run[f'energy_{cause}_j'] - first[f'energy_{cause}_j'] for cause in PARTS}})
        for run in runs[1:]]
    keys = ('name', 'source', 'boat', 'convention', *WHOLE,
            *(f'energy_{cause}_j' for cause in CAUSE_KEYS if cause != 'total'))
    return {'runs': [{key: run.get(key) for key in keys} for run in runs], 'changes': changes}


def _difference(run: Summary, first: Summary, key: str) -> float:
    return run[key] - first[key] if run.get(key) is not None and first.get(key) is not None else math.nan


def is_negligible(cause: str, runs: Sequence[Summary]) -> bool:
    """Return whether a cause is negligible in all runs."""
    largest = max(abs(run['energy_j']) for run in runs)
    return all(abs(run[f'energy_{cause}_j']) <= NEGLIGIBLE * largest for run in runs)


def comparison_text(runs: Sequence[Summary]) -> str:
    """Return a table of runs from their summaries, with the changes of the others against the first."""
    return '\n'.join([
        *text_table(compared_rows(runs), 'lr', rule=True), '',
        'Changes are against run 1; of a cause: in J, and as a share of the energy of run 1.', *_remarks(runs)])


def compared_rows(runs: Sequence[Summary]) -> list[list[str]]:
    """Return the rows of the table of runs, as texts, its head first."""
    head = ['']
    for number, run in enumerate(runs, start=1):
        head += [f'{number}: {shortened(run["name"], NAME_WIDTH)}', *([''] if number > 1 else [])]
    return [head, *(_row(label, [run.get(key) for run in runs], digits) for key, label, digits in ROWS),
            ['of it, J', *[''] * (len(head) - 1)],
            *(_cause_row(cause.name, [run[f'energy_{cause.key}_j'] for run in runs], runs[0]['energy_j'])
              for cause in CAUSES if not is_negligible(cause.key, runs))]


def _row(label: str, values: Sequence[float | None], digits: int) -> list[str]:
    """Return a row of figures, with the relative changes against the first."""
    first = values[0]
    cells = [label, fixed(first, digits)]
    for value in values[1:]:
        cells += [fixed(value, digits), '' if value is None or not first else percent(relative(value, first), 1)]
    return cells


def _cause_row(name: str, energies: Sequence[float], whole: float) -> list[str]:
    """Return a row of energies, with the changes against the first in J and as a share of the `whole` energy."""
    first = energies[0]
    cells = [f'  {name}', fixed(first, 1)]
    for value in energies[1:]:
        change = value - first
        cells += [fixed(value, 1), f'{rounded(change, 1):+.1f} ({percent(change / whole, 1) if whole else "-"})']
    return cells


def _remarks(runs: Sequence[Summary]) -> list[str]:
    """Return what makes the runs hard to compare."""
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


LEAST_CHANGE = 1e-3     # J: of all causes, below which runs count as equal
HATCHES = ('', '///', '...', 'xxx', '\\\\\\')

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
MOST_ROWS = 5  # rows of panels, if each log has its own simulation


def plot_comparison(runs: Sequence[Summary], path: Path) -> None:
    """Draw runs into a PNG: energy by cause side by side, and the changes against the first; OSError if it fails."""
    with picture(path, max(9.6, 5.0 + 1.3 * len(runs)), 4.9) as figure:
        for draw, axes in zip(comparison_panels(runs).values(), figure.subplots(1, 2, width_ratios=(1.0, 1.25))):
            draw(axes)


def comparison_panels(runs: Sequence[Summary]) -> dict[str, Callable[['Axes'], None]]:
    """Return the pictures of a comparison by name, as functions that draw into axes."""
    causes = [cause for cause in CAUSES if not is_negligible(cause.key, runs)]
    return {'energy': lambda axes: _draw_stacks(axes, runs, causes),
            'change': lambda axes: _draw_changes(axes, runs, causes)}


def _draw_stacks(axes: 'Axes', runs: Sequence[Summary], causes: Sequence[Cause]) -> None:
    above, below = [0.0] * len(runs), [0.0] * len(runs)
    for cause in causes:
        heights = [run[f'energy_{cause.key}_j'] for run in runs]
        bases = [above[k] if height >= 0.0 else below[k] for k, height in enumerate(heights)]
        axes.bar(range(len(runs)), heights, bottom=bases, width=0.62, color=cause.colour, label=cause.name)
        for k, height in enumerate(heights):
            above[k], below[k] = above[k] + max(height, 0.0), below[k] + min(height, 0.0)
    for k, run in enumerate(runs):
        axes.annotate(f'{run["energy_j"]:.0f} J', (k, above[k]), xytext=(0, 3), textcoords='offset points', ha='center',
                      fontsize=9)
    axes.set_title('Energy by cause', pad=12)
    axes.set(ylabel='Energy, J', xticks=range(len(runs)))
    axes.set_xticklabels([shortened(run['name'], 16) for run in runs], rotation=20 if len(runs) > 3 else 0)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.margins(y=0.1)
    axes.grid(visible=False, axis='x')
    if causes:
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.12 if len(runs) <= 3 else -0.24), ncol=3)


def _draw_changes(axes: 'Axes', runs: Sequence[Summary], causes: Sequence[Cause]) -> None:
    keys = [*(f'energy_{cause.key}_j' for cause in causes), 'energy_j']
    colours = [*(cause.colour for cause in causes), GREY]
    first, others = runs[0], runs[1:]
    height = 0.8 / len(others)
    for number, run in enumerate(others):
        values = [run[key] - first[key] for key in keys]
        places = [index + (number - 0.5 * (len(others) - 1)) * height for index in range(len(keys))]
        bars = axes.barh(places, values, height=0.9 * height, color=colours, hatch=HATCHES[number % len(HATCHES)],
                         edgecolor='white', label=shortened(run['name'], 22))
        axes.bar_label(bars, [f'{rounded(value, 0):+.0f}' for value in values], padding=3, fontsize=8)
    axes.set_title(f'Change against {shortened(first["name"], 22)}', pad=12)
    axes.set_yticks(range(len(keys)), [*(cause.name for cause in causes), 'total'])
    axes.invert_yaxis()
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set_xlabel('Change of energy, J')
    axes.margins(x=0.16)
    if max(abs(run[key] - first[key]) for run in others for key in keys) < LEAST_CHANGE:
        axes.set_xlim(-1.0, 1.0)    # Else rounding errors fill the axis.
    axes.locator_params(axis='x', nbins=6)
    axes.grid(visible=False, axis='y')
    if len(others) > 1:
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.14), ncol=2)


def plot_overlay(overlay: SpeedOverlay, path: Path) -> None:
    """
    Draw measured and simulated speeds and their differences over time into a PNG.

    :param overlay: The overlay; if each log has its own simulation, only the first MOST_ROWS are drawn.
    :raises OSError: If it cannot be written.
    """
    own = len(overlay.simulated) > 1
    number_of_logs = len(overlay.measured)
    groups = [[number] for number in range(min(number_of_logs, MOST_ROWS))] if own else [range(number_of_logs)]
    with picture(path, 11.0, 1.0 + 3.6 * len(groups)) as figure:
        panels = figure.subplots(2 * len(groups), 1, squeeze=False,
                                 height_ratios=[2.2, 1.0] * len(groups))[:, 0]
        for row, group in enumerate(groups):
            above, below = panels[2 * row:2 * row + 2]
            simulated = overlay.simulated[group[0] if own else 0]
            for number in group:
                trace, colour = overlay.measured[number], COLOURS[number % len(COLOURS)]
                above.plot(trace.time, trace.speed, '.', color=colour, markersize=3.0, label=trace.name)
                at = np.where((trace.time >= simulated.time[0]) & (trace.time <= simulated.time[-1]),
                              np.interp(trace.time, simulated.time, simulated.speed), np.nan)
                below.plot(trace.time, at - trace.speed, color=colour, linewidth=0.9)
            above.plot(simulated.time, simulated.speed, color=BLACK, linewidth=1.4, label=simulated.name)
            if np.isfinite(overlay.sigma):
                above.fill_between(simulated.time, simulated.speed - overlay.sigma, simulated.speed + overlay.sigma,
                                   color=GREY, alpha=0.25, linewidth=0.0, label='one sigma of the repeats')
            error = overlay.errors[group[0]] if own or len(group) == 1 else overlay.all
            above.set_title(f'MAE {error.mae:.3f} m/s, std {error.std:.3f} m/s, {100.0 * error.share:.1f} % within '
                            'one std')
            above.set(ylabel='Speed, m/s')
            above.legend(loc='best', fontsize=8.5)
            below.axhspan(error.bias - error.std, error.bias + error.std, color=GREY, alpha=0.2, linewidth=0.0)
            below.axhline(0.0, color=BLACK, linewidth=0.8)
            below.set(xlabel='Time, s', ylabel='Simulated less\nmeasured, m/s')
            below.sharex(above)
