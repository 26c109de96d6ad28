"""
What `identify-waves` finds of a boat whose added resistance is known, and of the Otter on its simulated parts.

The twin (test/unit/identify/waves/sea_twin.py) shares no code with the package: one log of calm water and four of seas
a draw; how far the coefficients are off, and how often their intervals hold the truth. The Otter as a hull of parts
sails a square in calm water and three seas a draw; what is found with the sea told, seen by its parts, and seen as if
it had none, beside the mean of its thrusts, less the drag of calm water at its mean speed, on the same legs.

    python3 bench/wave_coefficients.py --twins 12 --otters 3 --first-seed 500
"""

import argparse
import math
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from wave_errors import SEAS
from wave_logs import SCENARIO

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test' / 'unit' / 'identify' / 'waves')]

import sea_twin  # type: ignore[import-not-found]  # noqa: E402  # of the tests; the path comes first

from usv_energy.analysis.analysed_log import analysed_log  # noqa: E402  # likewise
from usv_energy.analysis.flow_along_log import AnalysisOptions  # noqa: E402  # likewise
from usv_energy.boats.boat_file import Boat, boat_from, read_boat  # noqa: E402  # likewise
from usv_energy.files import checked  # noqa: E402  # likewise
from usv_energy.files.locate import resolve  # noqa: E402  # likewise
from usv_energy.flow.uniform import UniformFlow  # noqa: E402  # likewise
from usv_energy.identify.waves.wave_fit import WaveFit, wave_fit  # noqa: E402  # likewise
from usv_energy.identify.waves.wave_legs import wave_legs  # noqa: E402  # likewise
from usv_energy.identify.waves.wave_nodes import wave_nodes  # noqa: E402  # likewise
from usv_energy.logs.log import Log  # noqa: E402  # likewise
from usv_energy.logs.read_log import read_log  # noqa: E402  # likewise
from usv_energy.show.run_folder import write_run  # noqa: E402  # likewise
from usv_energy.sim.runner import ScenarioRun  # noqa: E402  # likewise
from usv_energy.sim.scenario import read_scenario  # noqa: E402  # likewise

TWIN_SEAS = ((0.0, 2.0, 0.0), (0.2, 2.0, 180.0), (0.4, 2.0, 90.0), (0.3, 3.0, 180.0), (0.6, 3.0, 90.0))
TOWARDS = 180.0                                         # deg: the square's first leg goes against the waves.
SQUARE = ((60.0, 0.0), (60.0, 60.0), (0.0, 60.0), (0.0, 0.0))  # m
STEADY = {0: (25.0, 58.0), 90: (68.0, 118.0), 180: (128.0, 178.0)}  # s of a leg by where its waves come from, deg.
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow(), find_flow=False)


def twins(number: int, first: int) -> None:
    """Print what is found of the twin."""
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
    print(f'twin, {number} draws: {100.0 * np.mean(held):.1f} % of {np.size(held)} intervals hold the truth')
    for direction, knowns, mean, rms in zip(sea_twin.DIRECTIONS, true, np.mean(off, axis=0),
                                            np.sqrt(np.mean(np.square(off), axis=0))):
        print(f'  {direction:3.0f} deg: ' + '; '.join(
            f'Tp {period:g} s: {known:g} N/m^2, off by {one:+.1f}, RMS {other:.1f}'
            for period, known, one, other in zip(sea_twin.PERIODS, knowns, mean, rms)))


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


def otters(number: int, first: int) -> None:
    """Print what is found of the Otter on its parts."""
    parts, plane = read_boat('otter_parts'), read_boat('otter')
    seas = ((0.0, 2.0), *SEAS)
    with tempfile.TemporaryDirectory() as folder:
        logs = [(height, period, square_log(Path(folder), height, period, first + draw))
                for draw in range(number) for height, period in seas]
    plain = defaultdict(list)
    for height, period, log in logs:
        for off_bow, one in (plain_means(log, parts, height) if height else {}).items():
            plain[off_bow, period].append(one)
    print(f'Otter on parts, {number} draws, plain means: ' + '; '.join(
        f'{off} deg, Tp {period:g} s: {np.mean(some):.1f}' for (off, period), some in sorted(plain.items())))
    for words, boat, told in (('sea told', parts, True), ('sea seen by its parts', parts, False),
                              ('sea seen without parts', plane, False)):
        analysed = [analysed_log(log, boat, STILL._replace(
            sea=(height, period, math.radians(TOWARDS)) if told else None)) for height, period, log in logs]
        legs = wave_legs(analysed)
        show(words, wave_fit(legs, wave_nodes(legs)))


def show(words: str, fit: WaveFit) -> None:
    """Print a fit."""
    rows: Any = zip(fit.nodes.directions, fit.coefficients)
    print(f'  {words}: ' + '; '.join(
        f'{math.degrees(direction):.0f} deg, Tp {period:g} s: {one.value:.1f} ({one.low:.1f} to {one.high:.1f})'
        for direction, row in rows for period, one in zip(fit.nodes.periods, row)))


def main() -> int:
    """Print the figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--twins', type=int, default=12, help='draws of the twin (%(default)s)')
    parser.add_argument('--otters', type=int, default=3, help='draws of the Otter (%(default)s)')
    parser.add_argument('--first-seed', type=int, default=500)
    args = parser.parse_args()
    if min(args.twins, args.otters, args.first_seed) < 0:
        parser.error('--twins, --otters and --first-seed must be 0 or more')
    if args.twins:
        twins(args.twins, args.first_seed)
    if args.otters:
        otters(args.otters, args.first_seed)
    return 0


if __name__ == '__main__':
    sys.exit(main())
