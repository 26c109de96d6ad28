"""A comparison of runs by cause: their figures and the changes against the first run, for JSON and as a table."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress, no_progress
from usv_energy.powering.energy import CAUSES as CAUSE_KEYS
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import fixed, percent, rounded, shortened, text_table
from usv_energy.sim.record import Summary, relative
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.log_report import energy_figures
from usv_energy.studies.analyze.log_request import LogRequest, read_and_analyse

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
