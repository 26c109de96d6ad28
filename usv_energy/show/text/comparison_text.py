"""Runs side by side as text for a terminal, with what changed against the first."""

from collections.abc import Sequence

from ...analysis.comparison import is_negligible
from ...sim.record import Summary, relative
from ..causes import CAUSES
from ..rounding import fixed, percent, rounded
from ..text_table import shortened, text_table

NAME_WIDTH = 22
ROWS = (('duration_s', 'time, s', 1), ('distance_over_ground_m', 'over ground, m', 1),
        ('distance_through_water_m', 'through the water, m', 1), ('mean_power_w', 'mean power, W', 2),
        ('energy_per_meter_j_m', 'J/m', 2), ('energy_j', 'energy, J', 1))
LONGER = 1.02  # Ratio of distances from which runs are of different length.


def comparison_text(runs: Sequence[Summary]) -> str:
    """Return a table of runs, given as summaries, each but the first with its change against the first."""
    head = ['']
    for number, run in enumerate(runs, start=1):
        head += [f'{number}: {shortened(run["name"], NAME_WIDTH)}', *([''] if number > 1 else [])]
    rows = [head, *(_row(label, [run.get(key) for run in runs], digits) for key, label, digits in ROWS),
            ['of it, J', *[''] * (len(head) - 1)],
            *(_cause_row(cause.name, [run[f'energy_{cause.key}_j'] for run in runs], runs[0]['energy_j'])
              for cause in CAUSES if not is_negligible(cause.key, runs))]
    return '\n'.join([
        *text_table(rows, 'lr', rule=True), '',
        'Changes are against run 1; of a cause: in J, and as a share of the energy of run 1.', *_remarks(runs)])


def _row(label: str, values: Sequence[float | None], digits: int) -> list[str]:
    """Return a row of figures, each but the first with its relative change."""
    first = values[0]
    cells = [label, fixed(first, digits)]
    for value in values[1:]:
        cells += [fixed(value, digits), '' if value is None or not first else percent(relative(value, first), 1)]
    return cells


def _cause_row(name: str, energies: Sequence[float], whole: float) -> list[str]:
    """Return a row of energies, each but the first with its change in J and as a share of a whole energy."""
    first = energies[0]
    cells = [f'  {name}', fixed(first, 1)]
    for value in energies[1:]:
        change = value - first
        cells += [fixed(value, 1), f'{rounded(change, 1):+.1f} ({percent(change / whole, 1) if whole else "-"})']
    return cells


def _remarks(runs: Sequence[Summary]) -> list[str]:
    """Say what makes runs hard to compare."""
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
