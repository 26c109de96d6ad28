"""
How wrong the power model is in waves, which it does not know: a hull of parts on drawn seas, exact odometry.

The truth is the work of the plant's own thrusters; the model's is what it has the thrusters give, from the motion and
the current alone: one that holds the waves' Stokes drift at the surface, and one without it (what a current meter at
rest measures). Head, beam and following seas; waves as steep as young seas have them.

    python3 bench/wave_errors.py --seeds 5 --first-seed 300
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from usv_energy.files.json_file import check_target, without_nan, write_json  # noqa: E402  # the path comes first
from usv_energy.files.locate import resolve  # noqa: E402  # likewise
from usv_energy.sim.runner import run_scenario  # noqa: E402  # likewise
from usv_energy.sim.scenario import read_scenario  # noqa: E402  # likewise

SCENARIO = 'waves/otter_head_sea'
SEAS = ((0.1, 1.5), (0.3, 2.5), (0.5, 3.2))     # Hs, m; Tp, s.
DEPTHS = {'with_drift': 0.0, 'without_drift': 50.0}  # m below the surface, at which the drift is taken.
TOWARDS = {'head': 180.0, 'beam': 90.0, 'following': 0.0}  # deg, for a boat that goes east.


def error(folder: Path, height: float, period: float, towards: float, seed: int, depth: float) -> float:
    """Return how much more the model has the thrusters give than they did, (-)."""
    shipped = resolve('scenarios', SCENARIO)
    document = yaml.safe_load(shipped.read_text(encoding='utf-8'))
    sea, scenario = folder / 'sea.yaml', folder / 'run.yaml'
    sea.write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': height, 'peak_period': period, 'direction_deg': towards,
        'seed': seed, 'drift_depth': depth}}), encoding='utf-8')
    document |= {'base': str(resolve('scenarios', '1').with_name('_thesis.yaml')), 'current': {'flow': str(sea)}}
    scenario.write_text(yaml.safe_dump(document), encoding='utf-8')
    run = run_scenario(read_scenario(str(scenario)))
    return (run.energy.thrust + run.energy.unrecovered) / run.thruster_energy - 1.0


def main() -> int:
    """Print the figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--seeds', type=int, default=5, help='seas of each kind (%(default)s)')
    parser.add_argument('--first-seed', type=int, default=300)
    parser.add_argument('--json', metavar='FILE', help='write the figures as JSON; - for stdout')
    args = parser.parse_args()
    if args.seeds < 1 or args.first_seed < 0:
        parser.error('--seeds must be 1 or more, --first-seed 0 or more')
    check_target(args.json)
    out = sys.stderr if args.json == '-' else sys.stdout
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for height, period in SEAS:
            for name, towards in TOWARDS.items():
                row = {'significant_height_m': height, 'peak_period_s': period, 'sea': name, 'seeds': args.seeds}
                words = []
                for key, depth in DEPTHS.items():
                    found = np.array([error(Path(folder), height, period, towards, args.first_seed + number, depth)
                                      for number in range(args.seeds)])
                    row |= {f'{key}_relative': float(found.mean()), f'{key}_least_relative': float(found.min()),
                            f'{key}_most_relative': float(found.max())}
                    words.append(f'{key.replace("_", " ")} {100.0 * found.mean():+5.1f} % '
                                 f'({100.0 * found.min():+.1f} to {100.0 * found.max():+.1f})')
                rows.append(row)
                print(f'Hs {height:.1f} m, Tp {period:.1f} s, {name:9s} sea: {", ".join(words)}', file=out, flush=True)
    if args.json:
        write_json(without_nan({'scenario': SCENARIO, 'seas': rows}), args.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
