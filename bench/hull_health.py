"""
How soon 20 % more drag is found, and how often nothing is taken for it: simulated cruises, sea current included.

The truth (test/unit/hull_cruises.py) shares no code with the product: its own boat, tides, eddies, gusts, sensors.
A new drag counts as found when the state is MORE_DRAG; an alarm before that, or without it, is a false one.

    python3 bench/hull_health.py --cruises 50 --hours 96
"""

import math
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from hull_cruises import (  # type: ignore[import-not-found]
    BOATS,
    Cruise,
    CruisingBoat,
    Water,
    tell,
)

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.studies.analyze.hull.hull_health import HullState, HullWatch
from usv_energy.studies.analyze.hull.hull_response import PERIOD, CruiseSample

LEARNING, AFTER = 1800.0, 1500.0   # s of cruise before and after the weed.
SOON, PER_DAY = 300.0, 1.0         # The marks: s of cruising, false alarms in 24 h.
PIECE = 6.0                        # h of one cruise without weed.
WATERS = {'tides': Water(), 'strong tides': Water(tide=0.5, mean=0.4, wind=7.0),
          'tides, eddies': Water(eddies=0.04, gusts=0.2),
          'sudden currents': Water(shear=0.4, shear_period=2400.0)}
LEGS = {'lanes': (60.0, 150.0), 'boxes': (60.0, 150.0), 'random': (60.0, 150.0), 'straight': (600.0, 1200.0)}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--cruises', type=at_least(1), default=50,
                        help='with weed, of each boat and pattern (%(default)s)')
    parser.add_argument('--hours', type=float, default=96.0, help='without weed, of each boat and water (%(default)s)')
    parser.add_argument('--drag', type=float, default=1.2, help='factor on the drag (%(default)s)')
    parser.add_argument('--boats', nargs='+', choices=list(BOATS), default=list(BOATS))
    parser.add_argument('--patterns', nargs='+', choices=list(LEGS)[:3], default=list(LEGS)[:3],
                        help='of cruises with weed')
    parser.add_argument('--seed', type=at_least(0), default=20261123)
    args = parser.parse_args()
    if not args.hours >= 0.0 or not args.drag > 1.0:
        parser.error('--hours must be 0 or more, --drag above 1')
    found: list[dict[str, Any]] = []
    alarms: list[dict[str, Any]] = []
    with kept({'seed': args.seed, 'found': found, 'false_alarms': alarms}, args.json) as out:
        for boat, pattern in product(args.boats, args.patterns):
            found.append(found_in(BOATS[boat], pattern, args.cruises, args.drag, args.seed))
            print('{boat}, {pattern}: drag x {drag_factor:g} found after {cruising_median_s:.0f} s of cruising in the '
                  'median, {cruising_p90_s:.0f} s at 90 %; within {mark_s:.0f} s: {within_mark_share:.0%}; by the '
                  'clock {clock_median_s:.0f} and {clock_p90_s:.0f} s; ratio {ratio_mean:.3f}, in its interval '
                  '{covered_share:.0%}'.format(**found[-1]), file=out, flush=True)
        for boat, water in product(args.boats, WATERS if args.hours else ()):
            alarms.append(alarms_in(BOATS[boat], water, WATERS[water], args.hours, args.seed))
            print('{boat}, {water}: {false_alarms} false alarms in {hours:.0f} h ({per_day:.2f} in 24 h, mark '
                  '{mark_per_day:g}); the true ratio is in its interval {covered_share:.0%} of the time'.format(
                      **alarms[-1]), file=out, flush=True)
    return 0


def watched(boat: CruisingBoat, cruise: Cruise, water: Water, seconds: float, seed: int,
            take: Callable[[float, HullWatch], None]) -> None:
    """Let a watch follow a cruise; `take` hears the time, s, and the watch after each steady stretch."""
    vessel = checked_boat_with(read_boat(boat.name), {'static_load': boat.hotel,
                                                      'losses.efficiency': boat.efficiency}).vessel
    watch = HullWatch(vessel)
    for told in tell(boat, cruise, water, seconds, seed):
        if watch.take(CruiseSample._make([*told[:9], boat.hotel])):
            take(told.time, watch)


def found_in(boat: CruisingBoat, pattern: str, cruises: int, factor: float, seed: int) -> dict[str, Any]:
    """Return how soon weed is found on a pattern, s of steady cruising and of the clock."""
    clock, cruising, ratios, covered, early = [], [], [], [], 0

    def drag(time: float) -> float:
        return factor if time > LEARNING else 1.0

    for number in range(cruises):
        times: list[float] = []
        states: list[bool] = []
        last: list[tuple[float, float, float]] = []

        def take(time: float, watch: HullWatch, times: list[float] = times, states: list[bool] = states,
                 last: list[tuple[float, float, float]] = last) -> None:
            times.append(time)
            states.append(watch.state is HullState.MORE_DRAG)
            last[:] = [watch.interval()]

        watched(boat, Cruise(pattern, LEGS[pattern], drag), Water(), LEARNING + AFTER, seed + number, take)
        early += any(state for time, state in zip(times, states) if time <= LEARNING)
        later = [(time, state) for time, state in zip(times, states) if time > LEARNING]
        hit = next((place for place, (_, state) in enumerate(later) if state), None)
        clock.append(math.inf if hit is None else later[hit][0] - LEARNING)
        cruising.append(math.inf if hit is None else PERIOD * (hit + 1))
        ratios.append(last[0][0])
        covered.append(last[0][1] < factor < last[0][2])
    return {'boat': boat.name, 'pattern': pattern, 'cruises': cruises, 'drag_factor': factor,
            'cruising_median_s': _quantile(cruising, 0.5), 'cruising_p90_s': _quantile(cruising, 0.9),
            'clock_median_s': _quantile(clock, 0.5), 'clock_p90_s': _quantile(clock, 0.9), 'mark_s': SOON,
            'within_mark_share': float(np.mean(np.array(cruising) <= SOON)), 'false_alarms_before': early,
            'ratio_mean': float(np.mean(ratios)), 'covered_share': float(np.mean(covered))}


def alarms_in(boat: CruisingBoat, name: str, water: Water, hours: float, seed: int) -> dict[str, Any]:
    """Return how often a clean hull gives an alarm, over all patterns in turn."""
    alarms, blocks, covered, past = 0, 0, 0, False

    def take(time: float, watch: HullWatch) -> None:
        nonlocal alarms, blocks, covered, past
        now = watch.state is HullState.MORE_DRAG
        alarms += now and not past
        _, lower, upper = watch.interval()
        past, blocks, covered = now, blocks + 1, covered + (lower < 1.0 < upper)

    left, number = hours, 0
    while left > 1e-9:
        past = False
        pattern = list(LEGS)[number % len(LEGS)]
        watched(boat, Cruise(pattern, LEGS[pattern]), water, 3600.0 * min(PIECE, left), seed + 1000 + number, take)
        left, number = left - PIECE, number + 1
        done = hours - max(left, 0.0)
        print(f'\r{boat.name}, {name}: {done:.0f} of {hours:g} h', end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {'boat': boat.name, 'water': name, 'hours': hours, 'false_alarms': alarms,
            'per_day': 24.0 * alarms / hours, 'mark_per_day': PER_DAY, 'covered_share': covered / blocks}


def _quantile(values: list[float], share: float) -> float:
    return float(np.quantile(values, share, method='higher'))


if __name__ == '__main__':
    sys.exit(ended_by(main))
