"""
What boats do that go home when `home_margin` says so: how many strand, what they waste, and what an answer takes.

Drag, current and charge differ from what is known (test/unit/home_missions.py), or with --windy all numbers of a boat
by its covariance, current, wind and charge (test/unit/windy_missions.py); the truth is a closed form, or such balances.

    python3 bench/way_home.py --missions 10000 --windy
"""

import argparse
import math
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept
from scipy.special import betaincinv

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

import windy_missions  # type: ignore[import-not-found]
from home_missions import (  # type: ignore[import-not-found]
    CHARGE_STD,
    CURRENT_STD,
    D11_STD,
    told_missions,
)

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.way_home import HomeCosts, HomeDoubt, HomePlace, home_margin

ROOT = Path(__file__).resolve().parents[1]

PIECE = 500
UPDATES = 200
COURSES_AT_A_TIME = 6  # As nodes/home_watch.py.


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--missions', type=at_least(1), default=10_000)
    parser.add_argument('--seed', type=at_least(0), default=20261122)
    parser.add_argument('--confidence', type=float, default=HomeDoubt().confidence)
    parser.add_argument('--windy', action='store_true', help='wind, and boats that differ by their own covariance')
    parser.add_argument('--boat-doubt', type=float, default=1.0, help='of --windy: so many times its deviations')
    parser.add_argument('--boats', nargs='*', default=None, help='whose answers are timed (default: all shipped)')
    args = parser.parse_args()
    for option, known in (('--confidence', 0.0 < args.confidence < 1.0), ('--boat-doubt', args.boat_doubt >= 0.0)):
        if not known:
            parser.error(f'{option} is out of range; see --help')
    names = sorted(path.stem for path in (ROOT / 'config' / 'boats').glob('*.yaml'))
    boats = [boat for boat in (names if args.boats is None else args.boats) if read_boat(boat).vessel.thrusters]
    times: dict[str, tuple[float, float]] = {}
    figures: dict[str, Any] = {'seed': args.seed, 'confidence': args.confidence,
                               'known_to': known_to(args.windy, args.boat_doubt), 'update_cpu_ms': times}
    with kept(figures, args.json) as out:
        measure_missions(args, figures)
        print('stranded {:.2f} % (below {:.2f} %, 99 times of 100), at home the median has {:.1f} % of its start '
              'energy left'.format(*(100.0 * figures[key] for key in (
                  'stranded_share', 'stranded_share_upper_99', 'wasted_median_share'))), file=out, flush=True)
        for boat in boats:
            times[boat] = median, largest = update_times(boat)
            print(f'an answer for {boat}: {median:.1f} ms of processor time, at most {largest:.1f} ms (current and '
                  'wind new each time)', file=out, flush=True)
    return 0


def measure_missions(args: argparse.Namespace, figures: dict[str, Any]) -> None:
    """Put into the figures how many missions strand and what they waste, after each piece of them."""
    stranded, wasted = [], []
    for first in range(0, args.missions, PIECE):
        number, seed = min(PIECE, args.missions - first), args.seed + first
        with TemporaryDirectory() as folder:
            told = (windy_missions.windy_missions(number, seed, Path(folder), args.confidence, args.boat_doubt)
                    if args.windy else told_missions(number, seed, args.confidence))
        stranded.append(told.stranded)
        wasted.append(told.wasted_share)
        share, waste = np.concatenate(stranded), np.concatenate(wasted)
        done = min(first + PIECE, args.missions)
        figures |= {'missions': done, 'stranded_share': float(share.mean()),
                    'stranded_share_upper_99': float(betaincinv(share.sum() + 1.0, share.size - share.sum(), 0.99)),
                    'wasted_median_share': float(np.median(waste))}
        print(f'\r{done} of {args.missions} missions', end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)


def known_to(windy: bool, boat_doubt: float) -> dict[str, float]:
    """Return the standard deviations of what is known."""
    if not windy:
        return {'drag_std_share': D11_STD, 'current_std_m_per_s': CURRENT_STD, 'charge_std_share': CHARGE_STD}
    shares = dict(zip(windy_missions.NUMBERS, windy_missions.STD))
    return {**{f'{name}_std_share': boat_doubt * std for name, std in shares.items()},
            'current_std_m_per_s': windy_missions.CURRENT_STD, 'wind_std_m_per_s': windy_missions.WIND_STD,
            'charge_std_share': windy_missions.CHARGE_STD}


def update_times(name: str) -> tuple[float, float]:
    """Return the median and the largest processor time of an answer, ms, while current and wind change all the time."""
    costs, homes = HomeCosts(read_boat(name)), [HomePlace('home', 0.0, 0.0)]
    doubt = HomeDoubt(0.99, 1e3, 0.03, 1.0)
    costs.refresh(Flow(0.2, 0.1, 3.0, 1.0), doubt=doubt)
    times = []
    for n in range(UPDATES):
        flow = Flow(0.2 + 0.1 * math.sin(n), 0.1, 3.0 + math.cos(n), 1.0)
        begin = time.process_time()
        costs.refresh(flow, math.pi, COURSES_AT_A_TIME, doubt)
        home_margin(costs, (300.0, 0.0), (0.5, 0.1), 20.0, 1e5, 1e4, homes, flow, doubt)
        times.append(1e3 * (time.process_time() - begin))
    return float(np.median(times)), float(np.max(times))


if __name__ == '__main__':
    sys.exit(ended_by(main))
