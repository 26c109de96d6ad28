"""
Whether the 95 % intervals of `usv-energy identify` hold the truth, of a boat that shares no code with it.

By hand: `python3 bench/identify_coverage.py --seeds 40 --first 7000`; some minutes. Four cases: the boat as modelled;
thrust astern 85 % of that ahead; that, and in each log a wind of up to 5 m/s that it does not hold; one thruster 15 %
too strong. In each: a current of 0.2 m/s that the logs do not hold, quadratic drag, a lag of 0.3 s, noise of 0.02 m/s
and 0.01 rad/s. What no log can tell, the scale of all newtons, is drawn for each seed from what is assumed of it.

Two cases are other arrangements: a screw with a rudder, and four thrusters that turn, whose propellers lose thrust in
moving water; a current of 0.1 m/s, noise of 0.01 m/s and 0.005 rad/s.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).parents[1] / 'test' / 'unit'))
import arrangement_twin
from rollout_twin import Truth, base_of, twins

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.work import cores, forked
from usv_energy.studies.identify.rollout.fit_parameters import FORMS
from usv_energy.studies.identify.rollout.identification import identify
from usv_energy.studies.identify.rollout.identification_result import FitSettings
from usv_energy.studies.identify.rollout.rollout import best_roll

CASES: dict[str, tuple[Truth, float]] = {
    'as modelled': (Truth(), 0.0), 'astern 85 %': (replace(Truth(), astern=0.85), 0.0),
    'and wind': (replace(Truth(), astern=0.85), 5.0), 'left 15 % strong': (replace(Truth(), left=1.15), 0.0)}
ARRANGEMENTS = ('rudder', 'pods')
SPEEDS = (0.5, 1.3)     # m/s, at which the drag is judged.


def judged(case: str, seed: int, form: str = 'quadratic') -> dict[str, Any]:
    """Return for each number whether its interval holds the truth, and how far off it is in standard errors."""
    if case in ARRANGEMENTS:
        other, logs = arrangement_twin.twins(case, arrangement_twin.Truth(), seed)
        with tempfile.TemporaryDirectory() as folder:
            base = arrangement_twin.base_of(case, Path(folder))
            result = identify(logs, base, [], FitSettings(form, winds=False, workers=1))
        known = other.numbers(case)
        truth = Truth(drag=other.drag)
    else:
        truth, wind = CASES[case]
        truth, logs = twins(truth, seed, wind)
        result = identify(logs, base_of(read_boat('lutra_prop')), [], FitSettings(form, workers=1))
        known = truth.numbers()
    rows = {row.key: row for row in result.parameters if row.key in known}
    linear, quadratic = (rows[f'damping.{kind}.d11'].value for kind in ('linear', 'quadratic'))
    bounds = {row.key: (row.lower, row.upper) for row in result.found.model.parameters}
    newton = known['thrust.scale'] / rows['thrust.scale'].value
    return {'bound': {key: known[key] in bounds[key] for key in rows},
            'held': {key: row.low <= known[key] <= row.high for key, row in rows.items()},
            'off': {key: (row.value - known[key]) / row.std for key, row in rows.items()},
            'width': {key: row.std / max(abs(known[key]), 1.0) for key, row in rows.items()},
            'drag': [newton * (linear + quadratic * speed) * speed / truth.drag_at(speed) - 1.0 for speed in SPEEDS]}


def _numbered(case: str, first: int, form: str, number: int) -> dict[str, Any]:
    return judged(case, first + number, form)


def figures_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return of some fits how often intervals hold the truth, how far numbers are off, and the drag's errors."""
    numbers = {}
    for key in rows[0]['held']:
        off = np.array([row['off'][key] for row in rows])
        numbers[key] = {'held_share': float(np.mean([row['held'][key] for row in rows])),
                        'off_mean_in_std': float(off.mean()), 'off_scatter_in_std': float(off.std()),
                        'std_median_relative': float(np.median([row['width'][key] for row in rows])),
                        'truth_at_bound': bool(rows[0]['bound'][key])}
    drag = np.abs([row['drag'] for row in rows])
    return {'numbers': numbers, 'drag': [
        {'speed_m_s': speed, 'error_median_relative': float(np.median(one)), 'error_largest_relative': float(one.max())}
        for speed, one in zip(SPEEDS, drag.T)]}


def main() -> int:
    """Print the coverage of every number in every case."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seeds', type=at_least(1), default=40)
    parser.add_argument('--first', type=at_least(0), default=7000)
    parser.add_argument('--case', action='append', choices=[*CASES, *ARRANGEMENTS])
    parser.add_argument('--form', choices=FORMS, default='quadratic')
    parser.add_argument('--workers', type=at_least(1), default=cores())
    args = parser.parse_args()
    figures: dict[str, Any] = {}
    with kept({'seeds': args.seeds, 'first_seed': args.first, 'form': args.form, 'cases': figures}, args.json) as out:
        best_roll()
        measure(args, figures, out)
    return 0


def measure(args: argparse.Namespace, figures: dict[str, Any], out: TextIO) -> None:
    """Print the coverage of every number in every case, and put it into the figures; on Ctrl-C, of the seeds done."""
    for case in args.case or (*CASES, *ARRANGEMENTS):
        begin = time.perf_counter()
        rows: dict[int, dict[str, Any]] = {}
        for number, row in forked(partial(_numbered, case, args.first, args.form), args.seeds, args.workers):
            rows[number] = row
            figures[case] = {'seeds': len(rows), **figures_of([rows[place] for place in sorted(rows)])}
        print(f'{case} ({args.seeds} seeds, {time.perf_counter() - begin:.0f} s)', file=out)
        for key, row in figures[case]['numbers'].items():
            bound = '   (the truth is at its bound)' if row['truth_at_bound'] else ''
            print(f'  {key:24} {100.0 * row["held_share"]:5.1f} %   off by {row["off_mean_in_std"]:+5.2f} +- '
                  f'{row["off_scatter_in_std"]:4.2f} std   std {100.0 * row["std_median_relative"]:5.1f} %{bound}',
                  file=out)
        print('  drag, for the newtons of the log: ' + ', '.join(
            f'{row["speed_m_s"]} m/s: median {100.0 * row["error_median_relative"]:.1f}, largest '
            f'{100.0 * row["error_largest_relative"]:.1f} %' for row in figures[case]['drag']), file=out, flush=True)


if __name__ == '__main__':
    sys.exit(ended_by(main))
