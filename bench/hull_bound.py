"""
What a cruise can tell of a changed drag at most, where the water current may have changed at that very time.

The Cramer-Rao bound of the drag's logarithm from the blocks of simulated cruises (test/unit/hull_cruises.py): from
Fisher's information of power and sway, with the covariances that eddies, tide, gusts, odometry and compass have there,
a drag before and a drag and a current after the change, 0.3 m/s in each direction beforehand. No detector that has to
leave the current open knows more; this one is even told the time of the change and the noise. A likelihood ratio of
2160 takes 3.9 standard deviations: the last figure is the share of cruises in which these are reached by chance.

    python3 bench/hull_bound.py --cruises 40 --seed 930000
"""

import math
import sys
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from hull_cruises import BOATS, Cruise, CruisingBoat, Water, tell  # type: ignore[import-not-found]
from hull_health import LEARNING, LEGS
from own_command import at_least, ended_by, figures_parser, kept

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.studies.analyze.hull.drag_filters import ODDS
from usv_energy.studies.analyze.hull.hull_response import (
    CURRENT,
    DRAG,
    TURNED,
    WIND,
    CruiseBlock,
    CruiseBlocks,
    CruiseSample,
    linear_response,
)

LEARNT = 40                       # Blocks before the change that count: six to eight minutes.
AFTER = 12, 18, 30, 45            # Blocks after it, of 10 s.
CHANGE = 0.3                      # m/s, of the current in each direction.
EDDY, ODOMETRY, GUST, WIND_BIAS = (0.02, 60.0), (0.015, 30.0), (0.24, 15.0), (0.5, 600.0)  # m/s, s: as in the twin.
WHITE, COMPASS, REST = 0.05 / math.sqrt(20.0), math.radians(1.5), 0.01  # m/s in a block's mean; rad; of either number.
TIDE = 0.7 * 0.3 * 2.0 * math.pi / 44714.0  # m/s^2.
NEEDED = math.sqrt(2.0 * math.log(ODDS))


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--cruises', type=at_least(1), default=40, help='of each boat and pattern (%(default)s)')
    parser.add_argument('--drag', type=float, default=1.2, help='factor on the drag (%(default)s)')
    parser.add_argument('--patterns', nargs='+', choices=list(LEGS), default=['lanes', 'boxes', 'random'])
    parser.add_argument('--seed', type=at_least(0), default=20261123)
    args = parser.parse_args()
    if not args.drag > 1.0:
        parser.error('--drag must be above 1')
    rows: list[dict[str, Any]] = []
    with kept({'seed': args.seed, 'bounds': rows}, args.json) as out:
        for boat, pattern in product(BOATS.values(), args.patterns):
            found = np.array([bounds(boat, pattern, args.seed + n) for n in range(args.cruises)])
            for place, number in enumerate(AFTER):
                rows.append(_row(boat.name, pattern, 10.0 * number, found[:, place], math.log(args.drag)))
                print('{boat}, {pattern}, {cruising_s:.0f} s after: bound {median:.3f} in the median, {p90:.3f} at '
                      '90 %; {needed:.1f} of it are in a drag x {drag_factor:g} in {told_share:.0%}, found at best '
                      '{found_share:.0%}'.format(**rows[-1]), file=out, flush=True)
    return 0


def _row(boat: str, pattern: str, seconds: float, deviations: np.ndarray, change: float) -> dict[str, Any]:
    ratios = change / deviations
    return {'boat': boat, 'pattern': pattern, 'cruising_s': seconds, 'drag_factor': math.exp(change), 'needed': NEEDED,
            'median': float(np.median(deviations)), 'p90': float(np.quantile(deviations, 0.9)),
            'told_share': float(np.mean(ratios > NEEDED)),
            'found_share': float(np.mean([NormalDist().cdf(ratio - NEEDED) for ratio in ratios]))}


def bounds(boat: CruisingBoat, pattern: str, seed: int) -> list[float]:
    """Return the bound on the standard deviation of the drag's logarithm after each number of blocks of AFTER."""
    vessel = checked_boat_with(read_boat(boat.name), {'static_load': boat.hotel,
                                                      'losses.efficiency': boat.efficiency}).vessel
    gather, blocks = CruiseBlocks(0.3), list[CruiseBlock]()
    for told in tell(boat, Cruise(pattern, LEGS[pattern]), Water(), LEARNING + 700.0, seed):
        block = gather.add(CruiseSample._make([*told[:9], boat.hotel]))
        if block is not None:
            blocks.append(block)
    first = sum(block.time <= LEARNING for block in blocks)
    speed = float(np.mean([block.u for block in blocks]))
    used = blocks[first - LEARNT:first + max(AFTER)]
    slopes = np.array([linear_response(block, speed, np.zeros((1, 6)), vessel, True)[1][0] for block in used])
    return [_bound(used[:LEARNT + number], slopes[:LEARNT + number]) for number in AFTER]


def _bound(blocks: list[CruiseBlock], slopes: np.ndarray) -> float:
    """Return the bound of blocks with the slopes of power and sway, shape (n, 2, 6); the change is after LEARNT."""
    rows = np.concatenate([slopes[:, 0], slopes[:, 1]])
    after = np.tile(np.arange(len(blocks)) >= LEARNT, 2)
    design = np.column_stack([rows[:, DRAG] * after, rows[:, CURRENT] * after[:, None], rows[:, DRAG]])
    known = np.diag([0.0, CHANGE ** -2, CHANGE ** -2, 0.25 ** -2])
    information = design.T @ np.linalg.solve(_covariance(blocks, rows), design) + known
    return float(np.sqrt(np.linalg.inv(information)[0, 0]))


def _covariance(blocks: list[CruiseBlock], rows: np.ndarray) -> np.ndarray:
    """Return the covariance of what is not the drag and no change of the current, shape (2 n, 2 n)."""
    time = np.tile([block.time for block in blocks], 2)
    apart = abs(time[:, None] - time)
    since = time - time[LEARNT]
    current = rows[:, CURRENT]
    total = (current @ current.T) * (_fading(apart, *EDDY) + TIDE ** 2 * np.outer(since, since) + 0.5 ** 2)
    yaw = np.tile([block.yaw for block in blocks], 2)
    for axis in (np.cos(yaw), np.sin(yaw)), (-np.sin(yaw), np.cos(yaw)):
        by_speed = current[:, 0] * axis[0] + current[:, 1] * axis[1]
        total += np.outer(by_speed, by_speed) * (_fading(apart, *ODOMETRY) + WHITE ** 2 * (apart == 0.0))
    total += (rows[:, WIND] @ rows[:, WIND].T) * (_fading(apart, *GUST) + _fading(apart, *WIND_BIAS))
    total += np.outer(rows[:, TURNED], rows[:, TURNED]) * COMPASS ** 2
    return np.asarray(total + REST ** 2 * np.eye(len(time)))


def _fading(apart: np.ndarray, deviation: float, time: float) -> np.ndarray:
    """Return the covariance of means over 10 s of a series that forgets itself within a time, s."""
    steps = 10.0 / time
    at_once = 2.0 * (steps - 1.0 + math.exp(-steps)) / steps ** 2
    return np.asarray(deviation ** 2 * np.where(apart == 0.0, at_once, np.exp(-apart / time)))


if __name__ == '__main__':
    sys.exit(ended_by(main))
