"""How often a pack's numbers lie in the 95 % intervals of `identify-battery MISSION`: simulated missions of a twin."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / 'test' / 'unit' / 'identify' / 'cells'))
from mission_twin import mission

from usv_energy.boats.battery_sheet import BatterySheet, pack_of
from usv_energy.boats.cell_file import read_cell
from usv_energy.identify.cells.mission_fit import fit_mission
from usv_energy.identify.cells.mission_readings import mission_run

NAMES = 'pulse', 'charge', 'capacity'


def main() -> None:
    """Print a line a mission, and the shares at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--missions', type=int, default=40)
    parser.add_argument('--seed', type=int, default=9000)
    args = parser.parse_args()
    pack = pack_of(BatterySheet(series=4.0, capacity_ah=10.0, cell=read_cell('nmc')))
    assert pack is not None
    inside, errors, told = [], [], []
    for seed in range(args.seed, args.seed + args.missions):
        rng = np.random.default_rng(seed)
        own, time, current, volts = mission(rng, pack.cell, int(rng.uniform(900.0, 3300.0)))
        found = fit_mission(mission_run(str(seed), time, current, volts, 298.15), pack)
        numbers = [getattr(found, name) for name in NAMES]
        inside.append([one.low <= own[name] <= one.high for one, name in zip(numbers, NAMES)])
        errors.append([one.value / own[name] - 1.0 for one, name in zip(numbers, NAMES)])
        told.append([one.told for one in numbers])
        print(seed, f'{time[-1] / 60.0:.0f} min', *(
            f'{name} {100.0 * error:+.1f} %{"" if good else " outside"}{"" if known else " not told"}'
            for name, error, good, known in zip(NAMES, errors[-1], inside[-1], told[-1])), flush=True)
        print('  inside so far', *(f'{name} {100.0 * share:.0f} %' for name, share in zip(NAMES, np.mean(inside, 0))),
              'median error', *(f'{100.0 * error:.1f} %' for error in np.median(np.abs(errors), 0)),
              'told', *(f'{100.0 * share:.0f} %' for share in np.mean(told, 0)), flush=True)


if __name__ == '__main__':
    main()
