"""
How far energies from logs are from the work of the thrusters, by noise, rate and method: the table in docs/analysis.md.

python3 bench/energy_error.py [--seeds 10] [--first-seed 1000] [--live | --unknown] [--only NAME ...]

The boat and its truth are test/unit/independent_boat.py, which shares no code with the package: thrusters of 0.3 s lag,
noise as `usual` has it. Seeds below 1000 were used to choose the method.
"""

import argparse
import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from report import progress

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))
import independent_boat as other  # type: ignore[import-not-found]  # its folder is known only now
from independent_log import log_of  # type: ignore[import-not-found]

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import AnalysisOptions
from usv_energy.analysis.log_interval import log_interval
from usv_energy.analysis.motion.fixed_lag import FixedLag
from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.uniform import UniformFlow

RATES = (50.0, 10.0, 5.0, 1.0)
LUTRA, WAMV = other.LUTRA._replace(lag=0.3), other.WAMV._replace(lag=0.3)
CURRENT_NOISE = 0.02
LAG = 1.0


def lane(stiffness: float) -> Callable[..., Any]:
    """Return a pilot that goes east at 0.8 m/s through the water, and heads back to its lane by rad for each m."""
    def pilot(time: float, state: Any, hull: Any) -> Any:
        _, y, yaw, u, _, r = state
        moment = -hull.d33 * (1.5 * (yaw + stiffness * y) + 0.3 * r)
        return other.pair(hull.d11 * 0.8 + 2.0 * hull.d11 * (0.8 - u), moment, hull)
    return pilot


def simulated_by(pilot: Callable[[], Any], duration: float, **flow: tuple[float, float]) -> Any:
    """Return the Truth of LUTRA under a new pilot."""
    return other.simulated(LUTRA, pilot(), duration, **flow)


class Way(NamedTuple):
    """What a boat does: its name, a boat file, a function that simulates it, and whether its log has the flow."""

    name: str
    boat: str
    simulated: Callable[[], Any]
    known: bool = True


WAYS = (
    Way('lawnmower, 1.0 m/s', 'lutra_prop', lambda: other.simulated(LUTRA, other.Lawnmower(1.0), 100.0)),
    Way('lawnmower, 0.5 m/s', 'lutra_prop', lambda: other.simulated(LUTRA, other.Lawnmower(0.5), 200.0)),
    Way('lawnmower, 0.5 m/s, no lag', 'lutra_prop', lambda: other.simulated(other.LUTRA, other.Lawnmower(0.5), 200.0)),
    Way('stop and go', 'lutra_prop', lambda: other.simulated(LUTRA, other.stop_and_go(1.0), 120.0)),
    Way('stop and go, no lag', 'lutra_prop', lambda: other.simulated(other.LUTRA, other.stop_and_go(1.0), 120.0)),
    Way('opposed thrusts', 'lutra_prop', lambda: other.simulated(LUTRA, other.opposed(0.7), 100.0)),
    Way('lawnmower, current measured with noise', 'lutra_prop',
        lambda: other.simulated(LUTRA, other.Lawnmower(0.8), 120.0, current=(0.2, 0.0))),
    Way('moored', 'lutra_prop', lambda: other.simulated(other.LUTRA, other.moored, 120.0)),
    Way('moored', 'wamv', lambda: other.simulated(other.WAMV, other.moored, 120.0)),
)
FLOWS = (('beam wind of 6 m/s', {'wind': (0.0, 6.0)}), ('cross current of 0.3 m/s', {'current': (0.0, 0.3)}))
PATHS = (('lawnmower, 1.0 m/s', partial(other.Lawnmower, 1.0), 100.0),
         ('lawnmower, 0.5 m/s', partial(other.Lawnmower, 0.5), 200.0),
         ('heading held, 0.8 m/s', partial(lane, 0.0), 120.0), ('lane held, 0.8 m/s', partial(lane, 0.1), 120.0))
UNKNOWN = tuple(Way(f'{name}, {flow}', 'lutra_prop', partial(simulated_by, pilot, duration, **values), False)
                for flow, values in FLOWS for name, pilot, duration in PATHS)
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())
NOISES = (('none', None, 0.0), ('0.02 m/s', 0.02, 0.0), ('0.05 m/s', 0.05, 0.0), ('0.05 m/s over 2 s', 0.05, 2.0))


class Found(NamedTuple):
    """
    Error of recorded and of estimated motion, (-), or W where the truth is nothing; whether the interval held it.

    Where nobody knows the flow, `recorded` is that of the estimated motion in still water and air.
    """

    recorded: float
    estimated: float
    held: bool


def found(way: Way, truth: Any, rate: float, noise: tuple[str, float | None, float], seed: int) -> Found:
    """Return the errors of one log."""
    time, motion = other.sampled(truth, rate, min(0.005, 0.1 / rate), seed)
    work = float(np.diff(np.interp(time[[0, -1]], truth.time, truth.work))[0])
    if noise[1] is not None:
        motion = other.noisy(time, motion, other.usual(noise[1], noise[2]), seed)
    flow = np.tile(truth.current, (time.size, 1))
    if any(truth.current) and noise[1] is not None:
        flow = flow + CURRENT_NOISE * np.random.default_rng([seed, 3]).standard_normal(flow.shape)
    still = np.zeros(time.size)
    flows = {'current_x': flow[:, 0], 'current_y': flow[:, 1], 'wind_x': still, 'wind_y': still}
    log = log_of(time, motion, **flows if way.known else {})
    boat = read_boat(way.boat)
    plain = analysed_log(log, boat, AnalysisOptions(motion='recorded') if way.known else STILL).energy.total
    analysed = analysed_log(log, boat)
    interval = log_interval(analysed)
    held = interval is not None and interval.low <= work <= interval.high
    energy = analysed.energy.total
    if work:
        return Found(plain / work - 1.0, energy / work - 1.0, held)
    return Found(plain / log.duration, energy / log.duration, held)


def live_error(way: Way, truth: Any, rate: float, noise: float, seed: int) -> float:
    """Return the error of what `state_adapter` gives out with a lag of LAG, (-), told sample by sample."""
    time, motion = other.sampled(truth, rate, min(0.005, 0.1 / rate), seed)
    work = float(np.diff(np.interp(time[[0, -1]], truth.time, truth.work))[0])
    motion = other.noisy(time, motion, other.usual(noise), seed)
    estimate, states = FixedLag(LAG), []
    for stamp, (x, y, yaw, u, v, r) in zip(time, motion.tolist()):
        states += estimate.add(stamp, (x, y, math.remainder(yaw, 2.0 * math.pi)), (u, v, r), None, 1.0)
    states += estimate.rest()
    columns = np.array([(*state.pose, *state.velocity) for state in states])
    columns[:, 2] = np.unwrap(columns[:, 2])
    still = np.zeros(time.size)
    log = log_of(time, columns, current_x=still + truth.current[0], current_y=still + truth.current[1], wind_x=still,
                 wind_y=still)
    return analysed_log(log, read_boat(way.boat), AnalysisOptions(motion='recorded')).energy.total / work - 1.0


def live_row(way: Way, truth: Any, noise: tuple[str, float | None, float], seeds: range) -> str:
    """Return a row of the table of the live estimate."""
    cells = []
    for rate in RATES[:-1]:
        errors = [100.0 * live_error(way, truth, rate, noise[1] or 0.0, seed) for seed in seeds]
        cells.append(f'{np.mean(errors):+.2f} ± {np.std(errors):.2f}')
    return f'| {way.name}, live | {noise[0]} | {" | ".join(cells)} | | |'


def row(way: Way, truth: Any, noise: tuple[str, float | None, float], seeds: range) -> tuple[str, list[bool]]:
    """Return a row of the table, and whether the intervals held the truth."""
    cells, held = [], []
    for rate in RATES:
        errors = [found(way, truth, rate, noise, seed) for seed in seeds]
        plain, mean = (float(np.mean([getattr(one, name) for one in errors])) for name in ('recorded', 'estimated'))
        spread = float(np.std([one.estimated for one in errors]))
        held += [one.held for one in errors]
        if truth.work[-1] > 0.0:
            cells.append(f'{100.0 * mean:+.2f} ± {100.0 * spread:.2f} ({100.0 * plain:+.1f})')
        else:
            cells.append(f'{mean:.4f} W ({plain:.2g} W)')
    share = f'{100.0 * np.mean(held):.0f}' if truth.work[-1] > 0.0 else ''
    return f'| {way.name}{"" if way.boat == "lutra_prop" else f" ({way.boat})"} | {noise[0]} | {" | ".join(cells)} | ' \
           f'{share} |', held


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser('bench/energy_error.py', description=__doc__, allow_abbrev=False)
    parser.add_argument('--seeds', type=int, default=10, help='logs of each kind')
    parser.add_argument('--first-seed', type=int, default=1000)
    parser.add_argument('--live', action='store_true', help='the live estimate instead, 0.05 m/s of noise')
    parser.add_argument('--unknown', action='store_true',
                        help='flows that nobody knows, 0.05 m/s of noise; in brackets: in still water and air')
    parser.add_argument('--only', nargs='+', metavar='NAME', help='ways whose names begin so')
    args = parser.parse_args()
    every_way = UNKNOWN if args.unknown else WAYS
    ways = [way for way in every_way if not args.only or way.name.startswith(tuple(args.only))]
    head = [f'{rate:g} Hz' for rate in RATES]
    print(f'| way | noise | {" | ".join(head)} | in the 95 % interval, % |', '|---' * (len(head) + 3) + '|', sep='\n')
    every: list[bool] = []
    for way in ways:
        progress(f'simulating: {way.name}')
        truth = way.simulated()
        if args.live:
            if truth.work[-1] > 0.0:
                print(live_row(way, truth, NOISES[2], range(args.first_seed, args.first_seed + args.seeds)), flush=True)
            continue
        for noise in NOISES[2:3] if args.unknown else NOISES:
            seeds = range(args.first_seed, args.first_seed + (args.seeds if noise[1] is not None else 2))
            text, held = row(way, truth, noise, seeds)
            print(text, flush=True)
            if truth.work[-1] > 0.0 and noise[1] is not None:
                every += held
    if every:
        print(f'\n{100.0 * np.mean(every):.1f} % of {len(every)} intervals of noisy logs hold it')
    return 0


if __name__ == '__main__':
    sys.exit(main())
