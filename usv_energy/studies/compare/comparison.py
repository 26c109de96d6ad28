"""What changed between runs, by cause: their figures, and the differences from the first."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.text_file import without_nan
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.record import Summary, relative
from usv_energy.studies.analyze.log_report import energy_figures
from usv_energy.studies.analyze.log_request import LogRequest, read_and_analyse

PARTS = tuple(cause for cause in CAUSES if cause not in ('thrust', 'total'))  # Those that sum to the total.
WHOLE = ('duration_s', 'distance_over_ground_m', 'distance_through_water_m', 'mean_power_w', 'energy_per_meter_j_m',
         'energy_j')
NEEDED = ('energy_j', 'duration_s', 'distance_over_ground_m', *(f'energy_{cause}_j' for cause in PARTS))
NEGLIGIBLE = 5e-4  # Share of the largest energy below which a cause is left out of table and picture.


def read_summary(path: Path) -> Summary:
    """Return the figures in a summary.json of `analyze` or of a run; InputError if it is none."""
    try:
        summary = json.loads(path.read_text(encoding='utf-8'))
    except (OSError, ValueError) as error:
        raise InputError(f'{path}: cannot be read: {error}') from None
    if not isinstance(summary, dict):
        raise InputError(f'{path}: holds no figures of one run')
    for key in NEEDED:
        if not isinstance(summary.get(key), int | float):
            raise InputError(f'{path}: lacks {key}; must be the summary.json of a run, or of usv-energy analyze')
    return {**summary, 'name': summary.get('name') or summary.get('scenario') or path.parent.name}


def figures_of_runs(paths: Sequence[str], request_of: Callable[[str], LogRequest],
                    say: Callable[[str], None] = lambda text: None) -> list[Summary]:
    """
    Return the figures of runs: read from their summary.json, or computed from their logs.

    Runs that are called alike are called by their folders, too.

    :param paths: Logs, folders that `analyze` wrote, or summary.json files; two or more.
    :param request_of: Returns how the log of a path is to be analysed.
    :param say: Called with what is being done.
    :raises InputError: If there are fewer than two, or one is not there or cannot be read.
    """
    if len(paths) < 2:
        raise InputError('one run is given; a comparison needs two or more')
    for name in paths:
        if not user_path(name).exists():
            raise InputError(f'{name}: there is no such file or folder')
    runs = [_figures_of_run(path, request_of, say) for path in paths]
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
    """Return runs side by side and what changed in the others against the first, for JSON."""
    first = runs[0]
    changes = [without_nan({
        'name': run['name'], 'against': first['name'], 'change_j': run['energy_j'] - first['energy_j'],
        'change_relative': relative(run['energy_j'], first['energy_j']),
        'change_duration_s': run['duration_s'] - first['duration_s'],
        'change_energy_per_meter_j_m': _difference(run, first, 'energy_per_meter_j_m'),
        **{f'change_{cause}_j': run[f'energy_{cause}_j'] - first[f'energy_{cause}_j'] for cause in PARTS}})
        for run in runs[1:]]
    keys = ('name', 'source', 'boat', 'convention', *WHOLE,
            *(f'energy_{cause}_j' for cause in CAUSES if cause != 'total'))
    return {'runs': [{key: run.get(key) for key in keys} for run in runs], 'changes': changes}


def _difference(run: Summary, first: Summary, key: str) -> float:
    return run[key] - first[key] if run.get(key) is not None and first.get(key) is not None else math.nan


def is_negligible(cause: str, runs: Sequence[Summary]) -> bool:
    """Return whether a cause is next to nothing in all runs."""
    largest = max(abs(run['energy_j']) for run in runs)
    return all(abs(run[f'energy_{cause}_j']) <= NEGLIGIBLE * largest for run in runs)
