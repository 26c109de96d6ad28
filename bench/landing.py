"""
How well the quadcopter lands on a boat under way: 1 m/s through the water, 0.3 m/s of current, 3 m/s of wind, waves.

Directions, gusts (15 % of the wind) and seas are drawn by the seed. The deck goes up and down with the sea's surface,
or is that of the Otter on its pontoons, which heaves, rolls and pitches (its boat goes 1 m/s over ground). Its place is
known. The marks: within 0.10 m of the pad's middle, at most 1 m/s, in 100 of 100 without waves and in 95 of 100 with a
significant height of 0.3 m.

    python3 bench/landing.py --landings 100 --seed 20000
"""

import math
import sys
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from landings import landed, landed_on_otter  # type: ignore[import-not-found]

from usv_energy.air.flight_control import CONTROLLERS

NEAR, SOFT = 0.10, 1.0  # m, m/s
SURFACE, OTTER = 'surface', 'otter'


def cell(deck: str, kind: str, height: float, seeds: range) -> dict[str, Any]:
    """Return the figures of landings by some seeds, of a controller on a deck in a sea of a significant height, m."""
    begin = time.process_time()
    if deck == SURFACE:
        flights = [landed(seed, kind, height) for seed in seeds]
    else:
        with TemporaryDirectory() as folder:
            flights = [landed_on_otter(seed, kind, height, Path(folder)).flight for seed in seeds]
    spent = time.process_time() - begin
    down = [flight.touchdown for flight in flights if flight.touchdown is not None]
    return {'deck': deck, 'controller': kind, 'significant_height_m': height, 'landings': len(seeds),
            'good': sum(one.error <= NEAR and one.speed <= SOFT for one in down),
            'largest_error_m': max((one.error for one in down), default=math.nan),
            'largest_speed_m_s': max((one.speed for one in down), default=math.nan),
            'largest_tilt_deg': math.degrees(max((one.tilt for one in down), default=math.nan)),
            'aborted': sum(flight.aborted for flight in flights),
            'simulated_s_per_cpu_s': sum(flight.time for flight in flights) / spent}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--landings', type=at_least(1), default=100,
                        help='of each deck, controller and sea (%(default)s)')
    parser.add_argument('--seed', type=at_least(0), default=20000, help='of the first (%(default)s)')
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with kept({'seed': args.seed, 'landings': rows}, args.json) as out:
        for deck, kind, height in product((SURFACE, OTTER), CONTROLLERS, (0.0, 0.3)):
            rows.append(cell(deck, kind, height, range(args.seed, args.seed + args.landings)))
            print('{deck:8s} {controller:19s} Hs {significant_height_m:.1f} m: {good} of {landings} within 0.10 m; '
                  'largest error {largest_error_m:.3f} m, contact {largest_speed_m_s:.2f} m/s at '
                  '{largest_tilt_deg:.1f} deg, {aborted} aborted; {simulated_s_per_cpu_s:.0f} simulated s per s of '
                  'processor'.format(**rows[-1]), file=out, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
