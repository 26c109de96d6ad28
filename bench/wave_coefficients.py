"""
What `identify waves` finds of a boat whose added resistance is known, and of the Otter on its simulated parts.

The twin (test/unit/sea_twin.py) shares no code with the package: one log of calm water and four of seas
a draw; how far the coefficients are off, and how often their intervals hold the truth. The Otter as a hull of parts
sails a square in calm water and three seas a draw; what is found with the sea told, seen by its parts, and seen as if
it had none, beside the mean of its thrusts, less the drag of calm water at its mean speed, on the same legs.

    python3 bench/wave_coefficients.py --twins 12 --otters 3 --first-seed 500
"""

import math
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import yaml
from own_command import at_least, ended_by, figures_parser, kept
from wave_errors import SEAS
from wave_logs import SCENARIO

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

import sea_twin  # type: ignore[import-not-found]

from usv_energy.boats.boat_file import Boat, boat_from, read_boat
from usv_energy.files import checked
from usv_energy.files.locate import resolve
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.sim.runner import ScenarioRun
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.identify.seas.wave_fit import WaveFit, wave_fit
from usv_energy.studies.identify.seas.wave_legs import wave_legs, wave_nodes
from usv_energy.studies.runs.run_folder import write_run

TWIN_SEAS = ((0.0, 2.0, 0.0), (0.2, 2.0, 180.0), (0.4, 2.0, 90.0), (0.3, 3.0, 180.0), (0.6, 3.0, 90.0))
TOWARDS = 180.0                                         # deg: the square's first leg goes against the waves.
SQUARE = ((60.0, 0.0), (60.0, 60.0), (0.0, 60.0), (0.0, 0.0))  # m
STEADY = {0: (25.0, 58.0), 90: (68.0, 118.0), 180: (128.0, 178.0)}  # s of a leg by where its waves come from, deg.
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow(), find_flow=False)


def twins(number: int, first: int, figures: dict[str, Any], out: TextIO) -> None:
    """Find the twin's coefficients; the figures, of those drawn so far, go to `twins`."""
    boat = boat_from(checked.with_base('boats', yaml.safe_load(sea_twin.BOAT), Path('twin.yaml')), Path('twin.yaml'))
    true = np.array(sea_twin.COEFFICIENTS)
    off, held = [], []
    for draw in range(number):
        logs = [sea_twin.sea_log(f'log{place}', *sea, seed=1000 * (first + draw) + place)
                for place, sea in enumerate(TWIN_SEAS)]
        legs = wave_legs([analysed_log(log, boat, STILL) for log in logs])
        fit = wave_fit(legs, wave_nodes(legs, periods=sea_twin.PERIODS))
        off.append(fit.values - true)
        held.append([[one.low <= known <= one.high for one, known in zip(*pair)]
                     for pair in zip(fit.coefficients, true)])
        figures['twins'] = {'draws': draw + 1, 'held_share': float(np.mean(held)), 'intervals': int(np.size(held)),
                            'coefficients': twin_rows(true, np.array(off))}
    found = figures['twins']
    print(f'twin, {number} draws: {100.0 * found["held_share"]:.1f} % of {found["intervals"]} intervals hold the truth',
          file=out)
    for row in found['coefficients']:
        print('  {from_bow_deg:3.0f} deg, Tp {peak_period_s:g} s: {true_n_m2:g} N/m^2, off by {error_mean_n_m2:+.1f}, '
              'RMS {error_rms_n_m2:.1f}'.format(**row), file=out, flush=True)


def twin_rows(true: np.ndarray, off: np.ndarray) -> list[dict[str, Any]]:
    """Return how far off each coefficient is; `off` of shape (draws, directions, periods), N/m^2."""
    mean, rms = off.mean(axis=0), np.sqrt(np.mean(off * off, axis=0))
    return [{'from_bow_deg': float(direction), 'peak_period_s': float(period), 'true_n_m2': float(true[i, j]),
             'error_mean_n_m2': float(mean[i, j]), 'error_rms_n_m2': float(rms[i, j])}
            for i, direction in enumerate(sea_twin.DIRECTIONS) for j, period in enumerate(sea_twin.PERIODS)]


def square_log(folder: Path, height: float, period: float, seed: int) -> Log:
    """Return the log of the Otter's parts around a square, with its thrusts; calm where the height is 0."""
    document = yaml.safe_load(resolve('scenarios', SCENARIO).read_text(encoding='utf-8'))
    water, scenario = folder / 'sea.yaml', folder / 'run.yaml'
    document |= {'base': str(resolve('scenarios', '1').with_name('_thesis.yaml')), 'current': {'flow': str(water)},
                 'waypoints': [{'x': x, 'y': y} for x, y in SQUARE], 'stop': {'radius': 3.0, 'timeout': 900.0}}
    if height > 0.0:
        water.write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
            'kind': 'irregular', 'significant_height': height, 'peak_period': period, 'seed': seed,
            'direction_deg': TOWARDS, 'drift_depth': 50.0}}), encoding='utf-8')
    else:
        document['current'] = {'speed': 0.0, 'direction_deg': 0.0}
    scenario.write_text(yaml.safe_dump(document), encoding='utf-8')
    going, thrusts, under_way = ScenarioRun(read_scenario(str(scenario))), [], True
    while under_way:
        thrusts.append(going.plant.thrusts)
        under_way = going.advance()
    run = going.result()
    write_run(run, folder / 'run', False, 'usv-energy')
    return replace(read_log(folder / 'run'), thrust=np.array(thrusts[:len(run.rows)]), thrust_given=True,
                   thrusters=going.scenario.plant.thruster_names)


def plain_means(log: Log, boat: Boat, height: float) -> dict[int, float]:
    """Return the mean thrust less drag, wind made by the boat itself and gain of speed, over Hs^2, by direction."""
    damping, air, found = boat.vessel.damping, boat.vessel.windage, {}
    for off_bow, (begin, end) in STEADY.items():
        rows = (log.time > begin) & (log.time <= end)
        u = log.u[rows]
        calm = ((damping.d11 + damping.d11_q * u.mean()) * u.mean() + boat.vessel.inertia.m11 * (u[-1] - u[0]) / (
            end - begin) + 0.5 * air.air_density * air.frontal_area * air.c_x * u.mean() ** 2)
        found[off_bow] = float(log.thrust[rows].sum(axis=1).mean() - calm) / height ** 2
    return found


def otters(number: int, first: int, figures: dict[str, Any], out: TextIO) -> None:
    """Find the coefficients of the Otter on its parts; the figures go to `otters`."""
    parts, plane = read_boat('otter_parts'), read_boat('otter')
    seas = ((0.0, 2.0), *SEAS)
    with tempfile.TemporaryDirectory() as folder:
        logs = [(height, period, square_log(Path(folder), height, period, first + draw))
                for draw in range(number) for height, period in seas]
    plain = defaultdict(list)
    for height, period, log in logs:
        for off_bow, one in (plain_means(log, parts, height) if height else {}).items():
            plain[off_bow, period].append(one)
    found: dict[str, Any] = {'draws': number, 'plain_means': [
        {'from_bow_deg': off, 'peak_period_s': period, 'mean_n_m2': float(np.mean(some))}
        for (off, period), some in sorted(plain.items())], 'fits': {}}
    figures['otters'] = found
    print(f'Otter on parts, {number} draws, plain means: ' + '; '.join(
        '{from_bow_deg} deg, Tp {peak_period_s:g} s: {mean_n_m2:.1f}'.format(**row) for row in found['plain_means']),
          file=out)
    for words, boat, told in (('sea told', parts, True), ('sea seen by its parts', parts, False),
                              ('sea seen without parts', plane, False)):
        analysed = [analysed_log(log, boat, STILL._replace(
            sea=(height, period, math.radians(TOWARDS)) if told else None)) for height, period, log in logs]
        legs = wave_legs(analysed)
        found['fits'][words] = fit_rows(wave_fit(legs, wave_nodes(legs)))
        print(f'  {words}: ' + '; '.join(
            '{from_bow_deg:.0f} deg, Tp {peak_period_s:g} s: {value_n_m2:.1f} ({low_n_m2:.1f} to {high_n_m2:.1f})'
            .format(**row) for row in found['fits'][words]), file=out, flush=True)


def fit_rows(fit: WaveFit) -> list[dict[str, float]]:
    """Return the coefficients of a fit and their intervals of 95 %, N/m^2."""
    rows: Any = zip(fit.nodes.directions, fit.coefficients)
    return [{'from_bow_deg': math.degrees(direction), 'peak_period_s': float(period), 'value_n_m2': float(one.value),
             'low_n_m2': float(one.low), 'high_n_m2': float(one.high)}
            for direction, row in rows for period, one in zip(fit.nodes.periods, row)]


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--twins', type=at_least(0), default=12, help='draws of the twin (%(default)s)')
    parser.add_argument('--otters', type=at_least(0), default=3, help='draws of the Otter (%(default)s)')
    parser.add_argument('--first-seed', type=at_least(0), default=500)
    args = parser.parse_args()
    figures: dict[str, Any] = {'first_seed': args.first_seed}
    with kept(figures, args.json) as out:
        if args.twins:
            twins(args.twins, args.first_seed, figures, out)
        if args.otters:
            otters(args.otters, args.first_seed, figures, out)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
