"""How often a pack's numbers lie in the 95 % intervals of `identify battery MISSION`: simulated missions of a twin."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).parents[1] / 'test' / 'unit'))
from mission_twin import mission

from usv_energy.boats.battery_sheet import BatterySheet, pack_of
from usv_energy.boats.cell_file import read_cell
from usv_energy.physics.batteries.cell import Pack
from usv_energy.studies.identify.cells.mission_fit import fit_mission, mission_run

NAMES = 'pulse', 'charge', 'capacity'


def told_of(seed: int, pack: Pack) -> dict[str, Any]:
    """Return of one mission its length, and what is found of each number: error, whether inside, whether told."""
    rng = np.random.default_rng(seed)
    own, time, current, volts = mission(rng, pack.cell, int(rng.uniform(900.0, 3300.0)))
    found = fit_mission(mission_run(str(seed), time, current, volts, 298.15), pack)
    numbers = {name: getattr(found, name) for name in NAMES}
    return {'seed': seed, 'duration_s': float(time[-1]), 'numbers': {
        name: {'error_relative': float(one.value / own[name] - 1.0), 'inside': bool(one.low <= own[name] <= one.high),
               'told': bool(one.determined)} for name, one in numbers.items()}}


def summary_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return of some missions how often intervals hold the truth, and the median of the errors' sizes."""
    found = {}
    for name in NAMES:
        some = [row['numbers'][name] for row in rows]
        found[name] = {'inside_share': float(np.mean([one['inside'] for one in some])),
                       'told_share': float(np.mean([one['told'] for one in some])),
                       'error_median_relative': float(np.median(np.abs([one['error_relative'] for one in some])))}
    return found


def main() -> int:
    """Print a line a mission, and the shares so far."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--missions', type=at_least(1), default=40)
    parser.add_argument('--seed', type=at_least(0), default=9000)
    args = parser.parse_args()
    pack = pack_of(BatterySheet(series=4.0, capacity_ah=10.0, cell=read_cell('nmc')))
    assert pack is not None
    rows: list[dict[str, Any]] = []
    figures: dict[str, Any] = {'missions': rows}
    with kept(figures, args.json) as out:
        for seed in range(args.seed, args.seed + args.missions):
            rows.append(row := told_of(seed, pack))
            figures['numbers'] = summary_of(rows)
            print(seed, f'{row["duration_s"] / 60.0:.0f} min', *(
                f'{name} {100.0 * one["error_relative"]:+.1f} %{"" if one["inside"] else " outside"}'
                f'{"" if one["told"] else " not told"}' for name, one in row['numbers'].items()), file=out)
            print('  so far', *(
                f'{name}: inside {100.0 * one["inside_share"]:.0f} %, median error '
                f'{100.0 * one["error_median_relative"]:.1f} %, told {100.0 * one["told_share"]:.0f} %;'
                for name, one in figures['numbers'].items()), file=out, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
