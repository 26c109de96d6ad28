"""
How far energies from logs are from the work of the thrusters, by noise, rate and method: docs/analysis_accuracy.md.

python3 bench/energy_error.py [--seeds 10] [--first-seed 1000] [--live | --unknown] [--only NAME ...] [--json FILE]

The boat and its truth are test/unit/independent_boat.py, which shares no code with the package: thrusters of 0.3 s lag,
noise as `usual` has it. Seeds below 1000 were used to choose the method.
"""

import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept
from report import progress

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))
import independent_boat as other  # type: ignore[import-not-found]  # its folder is known only now
from independent_log import log_of  # type: ignore[import-not-found]

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.motion.fixed_lag import FixedLag
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_interval import log_interval

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


def live_row(way: Way, truth: Any, noise: tuple[str, float | None, float], seeds: range) -> dict[str, Any]:
    """Return the figures of the live estimate on one way, by rate."""
    rates = []
    for rate in RATES[:-1]:
        errors = [live_error(way, truth, rate, noise[1] or 0.0, seed) for seed in seeds]
        rates.append({'rate_hz': rate, 'logs': len(seeds), 'estimated_mean_relative': float(np.mean(errors)),
                      'estimated_std_relative': float(np.std(errors))})
    return {'way': f'{way.name}, live', 'boat': way.boat, 'noise': noise[0], 'rates': rates}


def row(way: Way, truth: Any, noise: tuple[str, float | None, float], seeds: range) -> dict[str, Any]:
    """Return the figures of one way and noise, by rate; of a boat whose thrusters did no work in W."""
    unit = 'relative' if truth.work[-1] > 0.0 else 'w'
    rates = []
    for rate in RATES:
        errors = [found(way, truth, rate, noise, seed) for seed in seeds]
        estimated = [one.estimated for one in errors]
        rates.append({'rate_hz': rate, 'logs': len(seeds), f'estimated_mean_{unit}': float(np.mean(estimated)),
                      f'estimated_std_{unit}': float(np.std(estimated)),
                      f'recorded_mean_{unit}': float(np.mean([one.recorded for one in errors])),
                      **({'held': sum(one.held for one in errors)} if unit == 'relative' else {})})
    return {'way': way.name, 'boat': way.boat, 'noise': noise[0], 'rates': rates}


def row_text(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    rates = row['rates']
    cells = [cell_text(rate) for rate in rates] + [''] * (len(RATES) - len(rates))
    logs = sum(rate['logs'] for rate in rates)
    share = f'{100.0 * sum(rate["held"] for rate in rates) / logs:.0f}' if 'held' in rates[0] else ''
    boat = '' if row['boat'] == 'lutra_prop' else f' ({row["boat"]})'
    return f'| {row["way"]}{boat} | {row["noise"]} | {" | ".join(cells)} | {share} |'


def cell_text(rate: dict[str, Any]) -> str:
    """Return the cell of a rate: mean and spread; in brackets that without an estimate, where there is one."""
    if 'estimated_mean_w' in rate:
        return f'{rate["estimated_mean_w"]:.4f} W ({rate["recorded_mean_w"]:.2g} W)'
    text = f'{100.0 * rate["estimated_mean_relative"]:+.2f} ± {100.0 * rate["estimated_std_relative"]:.2f}'
    return f'{text} ({100.0 * rate["recorded_mean_relative"]:+.1f})' if 'recorded_mean_relative' in rate else text


def held_share(rows: list[dict[str, Any]]) -> tuple[float, int]:
    """Return the share of the intervals of noisy logs that hold the truth (NaN of none), and how many there are."""
    rates = [rate for row in rows if row['noise'] != NOISES[0][0] for rate in row['rates'] if 'held' in rate]
    logs = sum(rate['logs'] for rate in rates)
    return sum(rate['held'] for rate in rates) / logs if logs else math.nan, logs


def main() -> int:
    """Print the table."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seeds', type=at_least(1), default=10, help='logs of each kind')
    parser.add_argument('--first-seed', type=at_least(0), default=1000)
    parser.add_argument('--live', action='store_true', help='the live estimate instead, 0.05 m/s of noise')
    parser.add_argument('--unknown', action='store_true',
                        help='flows that nobody knows, 0.05 m/s of noise; in brackets: in still water and air')
    parser.add_argument('--only', nargs='+', metavar='NAME', help='ways whose names begin so')
    args = parser.parse_args()
    every_way = UNKNOWN if args.unknown else WAYS
    ways = [way for way in every_way if not args.only or way.name.startswith(tuple(args.only))]
    if not ways:
        names = '; '.join(way.name for way in every_way)
        parser.error(f'--only {" ".join(args.only)}: no way begins so; there are {names}')
    rows: list[dict[str, Any]] = []
    with kept({'first_seed': args.first_seed, 'ways': rows}, args.json) as out:
        head = [f'{rate:g} Hz' for rate in RATES]
        print(f'| way | noise | {" | ".join(head)} | in the 95 % interval, % |', '|---' * (len(head) + 3) + '|',
              sep='\n', file=out)
        for way in ways:
            progress(f'simulating: {way.name}')
            truth = way.simulated()
            if args.live and truth.work[-1] == 0.0:
                continue
            for noise in NOISES[2:3] if args.unknown or args.live else NOISES:
                seeds = range(args.first_seed, args.first_seed + (args.seeds if noise[1] is not None else 2))
                rows.append((live_row if args.live else row)(way, truth, noise, seeds))
                print(row_text(rows[-1]), file=out, flush=True)
        share, logs = held_share(rows)
        if logs:
            print(f'\n{100.0 * share:.1f} % of {logs} intervals of noisy logs hold it', file=out)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
