#!/usr/bin/env python3
"""
How far a route may be from the best: the gap of the least energy at speeds of choice among eddies that drift and pulse.

Ways of 1 m, P = v^3 + 1 W, eddies of at most 0.5 m/s; a field a seed. Nothing was chosen on those in docs/routes.md.

    ./run shell python3 bench/route_gaps.py --seed 62001 --count 5 --json gaps.json
"""

import math
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem

EDDIES, STRENGTH = 12, 0.5      # Number, and m/s at their fastest.


class DriftingEddies:
    """Eddies, Gaussian in their stream function, that drift together and pulse; a FlowField of a seed."""

    def __init__(self, seed: int) -> None:
        """Make the field of a seed."""
        rng = np.random.default_rng(seed)
        self.east, self.north = rng.uniform(-0.2, 1.2, EDDIES), rng.uniform(-0.6, 0.6, EDDIES)
        self.size = rng.uniform(0.08, 0.2, EDDIES)
        self.swirl = rng.choice((-1.0, 1.0), EDDIES) * rng.uniform(0.5, 1.0, EDDIES) * STRENGTH * math.sqrt(math.e)
        self.drift = rng.uniform(-0.15, 0.15, 2)
        self.pulse, self.phase = rng.uniform(1.0, 3.0), rng.uniform(0.0, 6.0)

    def velocities(self, t: Any, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the velocity, m/s, at times s and places m."""
        u, v = 0.0 * x, 0.0 * x
        share = 1.0 + 0.4 * np.sin(self.pulse * t + self.phase)
        for east, north, size, swirl in zip(self.east, self.north, self.size, self.swirl):
            dx, dy = (x - self.drift[0] * t - east) / size, (y - self.drift[1] * t - north) / size
            turn = share * swirl * np.exp(-0.5 * (dx * dx + dy * dy))
            u, v = u - turn * dy, v + turn * dx
        return u, v

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the velocity, m/s, at one time, and where it is known."""
        u, v = self.velocities(t, np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return u, v, np.isfinite(u)


class Gap(NamedTuple):
    """Of one field: the energy, the gap, and what the route took."""

    seed: int
    energy_j: float
    gap: float
    processor_s: float


def gap_of(seed: int) -> Gap:
    """Return how far the route in a seed's field may be from the best."""
    problem = RouteProblem((0.0, 0.0), (1.0, 0.0), PowerLaw(1.0, 3.0, 1.0, 5.0), DriftingEddies(seed), UniformFlow(),
                           NoBarriers())
    begin = time.process_time()
    found = find_route(problem)
    return Gap(seed, found.cost, found.gap, time.process_time() - begin)


def main() -> int:
    """Print the gaps."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seed', type=at_least(0), default=62001, help='of the first field (default: 62001)')
    parser.add_argument('--count', type=at_least(1), default=5, help='fields (default: 5)')
    args = parser.parse_args()
    gaps: list[dict[str, Any]] = []
    with kept({'fields': gaps}, args.json) as out:
        for seed in range(args.seed, args.seed + args.count):
            one = gap_of(seed)
            gaps.append(one._asdict())
            print(f'seed {seed}: {one.energy_j:.4f} J, gap {100.0 * one.gap:.1f} %; {one.processor_s:.1f} s of '
                  'processor time', file=out, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
