"""
A comparison of runs by cause: figures and changes against the first run, for JSON, as a table and as pictures.

Measured and simulated speeds over time, compared as in Paravisi et al. (Sensors 19(5) 1068, section 4.3).

Errors are simulated less measured speeds. As in that paper, their mean absolute value, their standard deviation, and
the share of errors within one standard deviation of their mean are given. The share is 68 % for normal errors, and
larger if a few large errors, for example at the start, dominate the deviation. If a run was repeated, the scatter of
the repeats at equal times is the uncertainty of a measured speed; then the share of the measured samples whose error
is within that scatter is given, too.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress, no_progress
from usv_energy.logs.log import Log
from usv_energy.powering.energy import CAUSES as CAUSE_KEYS
from usv_energy.show.causes import CAUSES, Cause
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.show.text_table import fixed, percent, rounded, shortened, text_table
from usv_energy.sim.record import Summary, relative
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.log_report import energy_figures
from usv_energy.studies.analyze.log_request import LogRequest, read_and_analyse

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LEVEL = 0.25       # of the simulated top speed: traces are aligned where they first rise through it
LEAST_SAMPLES = 3
ALL = 'all together'


class SpeedTrace(NamedTuple):
    """The speed over ground, m/s, over time, s, both (n,), of a log called `name`."""

    name: str
    time: np.ndarray
    speed: np.ndarray


class TraceError(NamedTuple):
    """
    The error of a simulated speed, simulated less measured.

    `samples`: their number; `mae`: mean absolute error, `bias`: mean error, `std`: standard deviation, `largest`:
    largest absolute error, all m/s; `share`: of the errors within one standard deviation of their mean, (-).
    """

    samples: int
    mae: float
    bias: float
    std: float
    largest: float
    share: float


class SpeedOverlay(NamedTuple):
    """
    Measured speeds laid over simulated ones.

    `measured` and `simulated`: traces of equal number, or a single simulated one, on one clock; `shifts`: of the
    measured traces, s. `errors`: of each, and `all`: of all together. `sigma`: standard deviation of a measured speed,
    m/s, from the differences of repeats at equal times; `share_in_sigma`: of the measured samples whose error is within
    `sigma`, (-). Both are NaN if the run was not repeated.
    """

    measured: tuple[SpeedTrace, ...]
    simulated: tuple[SpeedTrace, ...]
    shifts: tuple[float, ...]
    errors: tuple[TraceError, ...]
    all: TraceError
    sigma: float
    share_in_sigma: float


def trace_of(log: Log, begin: float = -np.inf, end: float = np.inf) -> SpeedTrace:
    """
    Return the speed over ground of a log between two times, s, as a SpeedTrace.

    :raises InputError: If it has no speed, or too few samples there.
    """
    log.require('u')
    speed = np.hypot(log.u, np.nan_to_num(log.v))
    kept = np.isfinite(speed) & (log.time >= begin) & (log.time <= end)
    if int(kept.sum()) < LEAST_SAMPLES:
        raise InputError(f'{log.path}: {int(kept.sum())} samples with a speed from {begin:g} to {end:g} s; at least '
                         f'{LEAST_SAMPLES} are needed')
    return SpeedTrace(log.name, log.time[kept], speed[kept])


def overlay_of(measured: Sequence[SpeedTrace], simulated: Sequence[SpeedTrace], align: bool) -> SpeedOverlay:
    """
    Return measured speeds laid over simulated ones.

    :param measured: One or more; with a single simulated trace, they are repeats of one run.
    :param simulated: One for all, or one for each.
    :param align: Whether to shift measured traces so that they rise through a quarter of the simulated top speed at the
        same time as the simulated one.
    :raises InputError: If a trace never rises through that speed, or traces have no time in common.
    """
    pairs = [(one, simulated[number if len(simulated) > 1 else 0]) for number, one in enumerate(measured)]
    shifts = tuple(_time_shift(one, other) if align else 0.0 for one, other in pairs)
    moved = tuple(one._replace(time=one.time + shift) for one, shift in zip(measured, shifts))
    errors = [_errors(one, other) for one, (_, other) in zip(moved, pairs)]
    repeated = len(simulated) == 1 and len(measured) > 1
    sigma = _scatter_of_repeats(moved) if repeated else float('nan')
    every = np.concatenate(errors)
    return SpeedOverlay(moved, tuple(simulated), shifts, tuple(map(_error_figures, errors)), _error_figures(every),
                        sigma, float(np.mean(np.abs(every) <= sigma)) if repeated else float('nan'))


def _time_shift(measured: SpeedTrace, simulated: SpeedTrace) -> float:
    level = LEVEL * float(simulated.speed.max())
    return _crossing(simulated, level) - _crossing(measured, level)


def _crossing(trace: SpeedTrace, level: float) -> float:
    """Return the time, s, at which a trace first rises through a speed, by linear interpolation."""
    above = trace.speed >= level
    first = int(np.argmax(above[1:] & ~above[:-1])) if len(above) > 1 else 0
    if above[first] or not above[first + 1]:
        raise InputError(f'{trace.name}: does not rise through {level:.2f} m/s, a quarter of the simulated top speed, '
                         'so that it cannot be laid over it; --no-align takes the clocks as they are')
    low, high = trace.speed[first:first + 2]
    share = (level - low) / (high - low)
    return float(trace.time[first] + share * (trace.time[first + 1] - trace.time[first]))


def _errors(measured: SpeedTrace, simulated: SpeedTrace) -> np.ndarray:
    """Return simulated less measured speeds, m/s, at the measured samples in the common time."""
    both = (measured.time >= simulated.time[0]) & (measured.time <= simulated.time[-1])
    if int(both.sum()) < LEAST_SAMPLES:
        raise InputError(f'{measured.name} ({measured.time[0]:.1f} to {measured.time[-1]:.1f} s) and {simulated.name} '
                         f'({simulated.time[0]:.1f} to {simulated.time[-1]:.1f} s) have no time in common')
    return np.asarray(np.interp(measured.time[both], simulated.time, simulated.speed) - measured.speed[both])


def _error_figures(errors: np.ndarray) -> TraceError:
    bias, std = float(errors.mean()), float(errors.std(ddof=1))
    return TraceError(len(errors), float(np.abs(errors).mean()), bias, std, float(np.abs(errors).max()),
                      float(np.mean(np.abs(errors - bias) <= std)))


def _scatter_of_repeats(traces: Sequence[SpeedTrace]) -> float:
    """
    Return the standard deviation of a measured speed, m/s, from repeats at equal times.

    The nearest sample of each repeat is taken; interpolated values would have less noise.
    """
    begin, end = max(one.time[0] for one in traces), min(one.time[-1] for one in traces)
    step = max(float(np.median(np.diff(one.time))) for one in traces)
    if not end - begin > LEAST_SAMPLES * step:
        raise InputError(f'{", ".join(one.name for one in traces)} have no time in common, so they are no repeats')
    times = np.arange(begin, end, step)
    speeds = np.stack([one.speed[np.searchsorted(0.5 * (one.time[1:] + one.time[:-1]), times)] for one in traces])
    return float(np.sqrt(np.mean(np.var(speeds, axis=0, ddof=1))))


def overlay_summary(overlay: SpeedOverlay) -> Summary:
    """Return the overlay for JSON; units in the keys, errors are simulated less measured."""
    one_for_all = len(overlay.simulated) == 1
    return without_nan({
        'runs': [{'measured': trace.name, 'simulated': overlay.simulated[0 if one_for_all else number].name,
                  'shift_s': shift, 'top_speed_measured_m_s': float(trace.speed.max()),
                  'top_speed_simulated_m_s': float(overlay.simulated[0 if one_for_all else number].speed.max()),
                  **_error_keys(error)}
                 for number, (trace, shift, error) in enumerate(zip(overlay.measured, overlay.shifts, overlay.errors))],
        'all': _error_keys(overlay.all), 'sigma_of_repeats_m_s': overlay.sigma,
        'share_within_sigma_of_repeats': overlay.share_in_sigma})


def _error_keys(error: TraceError) -> dict[str, Any]:
    return {'samples': error.samples, 'mae_m_s': error.mae, 'bias_m_s': error.bias, 'std_m_s': error.std,
            'largest_error_m_s': error.largest, 'share_within_one_std': error.share}


def overlay_text(overlay: SpeedOverlay) -> str:
    """Return the errors as a text table."""
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
        axes.annotate(f'{rounded(run["energy_j"], 1):.1f} J', (k, above[k]), xytext=(0, 3),
                      textcoords='offset points', ha='center', fontsize=9)
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
        axes.bar_label(bars, [f'{rounded(value, 1):+.1f}' for value in values], padding=3, fontsize=8)
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
            above.set_title(f'MAE {error.mae:.4f} m/s, std {error.std:.4f} m/s, {100.0 * error.share:.1f} % within '
                            'one std')
            above.set(ylabel='Speed, m/s')
            above.legend(loc='best', fontsize=8.5)
            below.axhspan(error.bias - error.std, error.bias + error.std, color=GREY, alpha=0.2, linewidth=0.0)
            below.axhline(0.0, color=BLACK, linewidth=0.8)
            below.set(xlabel='Time, s', ylabel='Simulated less\nmeasured, m/s')
            below.sharex(above)
