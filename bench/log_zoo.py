"""
How often the interval of an energy holds, and how sharp it is: logs of boats that no file describes exactly.

python3 bench/log_zoo.py [--logs 60] [--first-seed 2000] [--newtons] [--only GROUP ...] [--json FILE]

The boats and their truth are test/unit/zoo_twin.py, which shares no code with the package. Each group has its sensors,
rates and faults; the boat file has the linear and quadratic drag nearest to the boat's own, in percent over the speeds
that the boats go (`--newtons`: in newtons, from 0 on), and no std. "File alone" is the error of the true motion with
that drag. The method was chosen on seeds up to 500.
"""

import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept
from report import progress

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))
import zoo_twin as twin  # type: ignore[import-not-found]  # its folder is known only now

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_request import analysed_in_current

DURATION, BOATS = 150.0, 40
FAR = 1e4  # m: length of a lane that never ends.
Series = dict[str, np.ndarray]


class Group(NamedTuple):
    """
    Logs of a kind: name, rate Hz, noise of velocity m/s, what is done to the series, what is known of flows.

    `thrusts`: whether the log has the thrusters' forces; `clock`: what is done to the stamps of its table; `straight`:
    whether the boats go one way, not lanes.
    """

    name: str
    rate: float
    noise: float
    change: Callable[[Series, np.ndarray, np.random.Generator], Series]
    flow: str = 'known'
    thrusts: bool = False
    clock: Callable[[np.ndarray, np.random.Generator], np.ndarray] | None = None
    straight: bool = False


def as_it_is(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    return series


def without(*names: str) -> Callable[[Series, np.ndarray, np.random.Generator], Series]:
    def change(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
        return {name: values for name, values in series.items() if name not in names}
    return change


def by_course(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    c, s = np.cos(series['yaw']), np.sin(series['yaw'])
    east, north = c * series['u'] - s * series['v'], s * series['u'] + c * series['v']
    kept_series = without('yaw', 'u', 'v', 'r')(series, time, rng)
    return {**kept_series, 'speed': np.hypot(east, north), 'course': np.arctan2(north, east)}


def in_steps(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    return {name: np.round(values, 1) if name in ('x', 'y', 'u', 'v') else values for name, values in series.items()}


def with_resets(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    """Return the series with two steps of the position and one of the heading, which turns the velocity with it."""
    result = dict(series)
    for at in rng.uniform(20.0, time[-1] - 20.0, 2):
        size, angle = rng.uniform(2.0, 30.0), rng.uniform(-math.pi, math.pi)
        result['x'] = result['x'] + size * math.cos(angle) * (time > at)
        result['y'] = result['y'] + size * math.sin(angle) * (time > at)
    return turned(result, math.radians(rng.uniform(10.0, 40.0)) * (time < rng.uniform(5.0, 30.0)))


def with_drop_outs(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    """Return the series with places and velocities lost for up to 3 s, five times."""
    lost = np.zeros(time.size, dtype=bool)
    for at in rng.uniform(5.0, time[-1] - 10.0, 5):
        lost |= (time > at) & (time < at + rng.uniform(0.5, 3.0))
    return {name: np.where(lost, math.nan, values) if name in ('x', 'y', 'u', 'v') else values
            for name, values in series.items()}


def set_anew_in_a_hole(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    """Return the series with a hole of 1.5 to 10 s, after which the heading is 10 to 40 deg off."""
    begin, sense = rng.uniform(30.0, time[-1] - 30.0), rng.choice([-1.0, 1.0])
    lost = (time > begin) & (time < begin + rng.uniform(1.5, 10.0))
    result = turned(series, sense * math.radians(rng.uniform(10.0, 40.0)) * (time > begin))
    return {name: np.where(lost, math.nan, values) for name, values in result.items()}


def turned(series: Series, angle: np.ndarray) -> Series:
    """Return the series with the heading, and with it the velocity's axes, turned by an angle, rad, (n,)."""
    c, s = np.cos(angle), np.sin(angle)
    return {**series, 'yaw': series['yaw'] + angle, 'u': c * series['u'] + s * series['v'],
            'v': c * series['v'] - s * series['u']}


def by_two_receivers(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    """Return the series with places of two receivers in turns, the second one 0.5 to 3 m away."""
    size, angle = rng.uniform(0.5, 3.0), rng.uniform(-math.pi, math.pi)
    second = np.arange(time.size) % 2 == 1
    return {**series, 'x': series['x'] + size * math.cos(angle) * second,
            'y': series['y'] + size * math.sin(angle) * second}


def told_late(series: Series, time: np.ndarray, rng: np.random.Generator) -> Series:
    """Return the series with current and wind said from some time within the first 40 s on only."""
    told = time > rng.uniform(5.0, 40.0)
    return {name: np.where(told, values, math.nan) if name.startswith(('current', 'wind')) else values
            for name, values in series.items()}


def set_back(time: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return stamps of a clock that is set back by 3 to 60 s once."""
    back = rng.uniform(3.0, 60.0)
    return np.where(time > rng.uniform(30.0, time[-1] - 30.0), time - back, time)


def one_ahead(time: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return stamps of which one is an hour ahead, and two pairs arrived in the wrong order."""
    time = time.copy()
    time[rng.integers(10, time.size - 10)] += 3600.0
    for at in rng.integers(10, time.size - 10, 2):
        time[[at, at + 1]] = time[[at + 1, at]]
    return time


GROUPS = (
    Group('50 Hz', 50.0, 0.05, as_it_is), Group('10 Hz', 10.0, 0.05, as_it_is), Group('5 Hz', 5.0, 0.05, as_it_is),
    Group('1 Hz', 1.0, 0.05, as_it_is), Group('10 Hz, little noise', 10.0, 0.01, as_it_is),
    Group('10 Hz, values in steps of 0.1', 10.0, 0.0, in_steps),
    Group('10 Hz, resets of place and heading', 10.0, 0.05, with_resets),
    Group('10 Hz, drop-outs', 10.0, 0.05, with_drop_outs),
    Group('10 Hz, two receivers', 10.0, 0.05, by_two_receivers),
    Group('10 Hz, a clock set back', 10.0, 0.05, as_it_is, clock=set_back),
    Group('10 Hz, wrong stamps', 10.0, 0.05, as_it_is, clock=one_ahead),
    Group('10 Hz, flow told late', 10.0, 0.05, told_late),
    Group('5 Hz, GPS and compass, no velocity', 5.0, 0.0, without('u', 'v', 'r')),
    Group('5 Hz, GPS alone', 5.0, 0.0, without('u', 'v', 'r', 'yaw')),
    Group('5 Hz, course for heading', 5.0, 0.05, by_course),
    Group('10 Hz, flow not known', 10.0, 0.05, as_it_is, 'unknown'),
    Group('1 Hz, flow not known', 1.0, 0.05, as_it_is, 'unknown'),
    Group('10 Hz, current not known', 10.0, 0.05, as_it_is, 'wind only'),
    Group('10 Hz, thrusts logged, current not known', 10.0, 0.05, as_it_is, 'wind only', True),
    Group('10 Hz, thrusts logged, flow not known', 10.0, 0.05, as_it_is, 'unknown', True),
    Group('10 Hz, heading set anew in a hole', 10.0, 0.05, set_anew_in_a_hole),
    Group('5 Hz, straight, thrusts logged, current not known', 5.0, 0.05, as_it_is, 'wind only', True, straight=True),
    Group('5 Hz, straight, thrusts logged, flow not known', 5.0, 0.05, as_it_is, 'unknown', True, straight=True),
    Group('5 Hz, straight, flow not known', 5.0, 0.05, as_it_is, 'unknown', straight=True),
)


def boat_with(drag: np.ndarray) -> Boat:
    """Return the boat file with a linear and quadratic drag, shape (3, 2)."""
    boat = read_boat('lutra_prop')
    linear = {f'd{axis}{axis}': drag[axis - 1, 0] for axis in (1, 2, 3)}
    quadratic = {f'd{axis}{axis}_q': drag[axis - 1, 1] for axis in (1, 2, 3)}
    damping = boat.vessel.damping._replace(**linear, **quadratic)
    return replace(boat, vessel=boat.vessel._replace(damping=damping))


def log_series(group: Group, gone: Any, number: int, rng: np.random.Generator) -> tuple[np.ndarray, Series, float]:
    """Return stamps, s, the noisy series of a boat's log, and the work of its thrusters between them, J."""
    time = np.arange(0.0, gone.time[-1] - 0.1, 1.0 / group.rate) + 0.02
    time = time + rng.uniform(0.0, 0.1 / group.rate, time.size)

    def at(values: np.ndarray) -> np.ndarray:
        near: np.ndarray = np.interp(time, gone.time, values[:, number])
        return near

    noises = {'x': 0.02, 'y': 0.02, 'yaw': math.radians(0.5), 'u': group.noise, 'v': group.noise,
              'r': math.radians(0.5)}
    series = {name: at(getattr(gone, name)) + noise * rng.standard_normal(time.size) for name, noise in noises.items()}
    flows = {name: at(getattr(gone, name)) for name in ('current_x', 'current_y', 'wind_x', 'wind_y')}
    if group.flow == 'known':
        series |= {name: values + 0.02 * rng.standard_normal(time.size) for name, values in flows.items()}
    if group.flow == 'wind only':
        series |= {name: flows[name] for name in ('wind_x', 'wind_y')}
    work = np.interp(time[[0, -1]], gone.time, gone.work[:, number])
    return time, group.change(series, time, rng), float(work[1] - work[0])


def read_as_table(time: np.ndarray, series: Series) -> Log:
    """Return a log as it is read from a table with these stamps, s, and series."""
    with tempfile.TemporaryDirectory() as folder:
        table, columns = Path(folder) / 'zoo.csv', Path(folder) / 'columns.yaml'
        np.savetxt(table, np.column_stack([time, *series.values()]), delimiter=',', comments='', fmt='%.6f',
                   header=','.join(['time', *series]))
        units = {'yaw': 'rad', 'r': 'rad/s', 'x': 'm', 'y': 'm'}
        rows = [f'  {name}: {{column: {name}, unit: {units.get(name, "m/s")}}}' for name in series]
        columns.write_text('\n'.join(['title: zoo', 'frames: {earth: enu, body: flu}', 'columns:',
                                      '  time: {column: time, unit: s}', *rows, '']), encoding='utf-8')
        return read_log(str(table), str(columns))


def one_log(group: Group, boats: Any, gone: Any, number: int, seed: int, newtons: bool = False) -> dict[str, float]:
    """Return errors and interval of one log, as shares of the truth; NaN where no interval is given."""
    rng = np.random.default_rng([seed, number, GROUPS.index(group)])
    time, series, work = log_series(group, gone, number, rng)
    drag = twin.file_drag(boats, number, newtons)
    boat = boat_with(drag)
    thrusts = (np.interp(time, gone.time, side[:, number]) for side in (gone.port, gone.starboard))
    if group.clock is None:
        log = assembled(Source('zoo', Path('zoo')), time, series, thrusters=tuple(
            ThrusterSeries(name, one) for name, one in zip(boat.thruster_names, thrusts)) if group.thrusts else ())
    else:
        log = read_as_table(group.clock(time, rng), series)
    report = log_report(*analysed_in_current(log, boat, AnalysisOptions()))
    interval = report.trust.interval
    low, high = (math.nan, math.nan) if interval is None else interval
    energy = report.analysed.energy.total
    by_file = twin.work_by(boats, gone, number, drag, time[0], time[-1])
    return {f'{name}_relative': one / work - 1.0 for name, one in
            (('error', energy), ('file', by_file), ('low', low), ('high', high))}


def row_of(group: Group, logs: list[dict[str, float]]) -> dict[str, Any]:
    """Return the figures of a group; `within`: share of the logs within 3 %, at 1 Hz within 5 %."""
    error, by_file, low, high = (np.array([one[f'{key}_relative'] for one in logs])
                                 for key in ('error', 'file', 'low', 'high'))
    given = np.isfinite(low)
    half = 0.5 * (high - low)[given]
    rms, of_file, rest = (float(np.sqrt(np.mean(one ** 2))) for one in (error, by_file, error - by_file))
    limit = 0.05 if group.rate < 2.0 else 0.03
    return {'group': group.name, 'logs': len(logs),
            'error_rms_relative': rms, 'error_mean_relative': float(error.mean()),
            'file_rms_relative': of_file, 'rest_rms_relative': rest,
            'within': float(np.mean(np.abs(error) < limit)), 'intervals': int(given.sum()),
            'held': float(np.mean((low[given] <= 0.0) & (high[given] >= 0.0))) if given.any() else math.nan,
            'half_width_median_relative': float(np.median(half)) if given.any() else math.nan}


def main() -> int:
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--logs', type=at_least(1), default=40, help='of each group (default 40)')
    parser.add_argument('--first-seed', type=at_least(0), default=2000)
    parser.add_argument('--newtons', action='store_true', help="the file's drag is nearest in newtons, from 0 on")
    parser.add_argument('--only', nargs='+', metavar='GROUP', help='groups whose names begin so')
    args = parser.parse_args()
    chosen = [group for group in GROUPS if not args.only or group.name.startswith(tuple(args.only))]
    figures: dict[str, Any] = {'groups': []}
    with kept(figures, args.json) as out:
        print('| group | logs | error, rms % (mean) | file alone, rms % | beside it, rms % | within 3 % (1 Hz: 5 %), % '
              '| intervals held, % | half width, median % |\n|---|---|---|---|---|---|---|---|', file=out)
        sets: dict[bool, list[Any]] = {group.straight: [] for group in chosen}
        for seed in range(args.first_seed, args.first_seed + math.ceil(args.logs / BOATS)):
            for straight, some in sets.items():
                boats = twin.random_boats(min(BOATS, args.logs), seed)
                boats = boats._replace(length=boats.length + FAR * straight)
                some.append((seed, boats, twin.voyages(boats, DURATION, seed)))
        for group in chosen:
            progress(group.name)
            logs = [one_log(group, boats, gone, number, seed, args.newtons)
                    for seed, boats, gone in sets[group.straight] for number in range(boats.speed.size)][:args.logs]
            row = row_of(group, logs)
            figures['groups'].append({**row, 'each': logs})
            print(f'| {row["group"]} | {row["logs"]} | {100 * row["error_rms_relative"]:.1f} '
                  f'({100 * row["error_mean_relative"]:+.1f}) | {100 * row["file_rms_relative"]:.1f} | '
                  f'{100 * row["rest_rms_relative"]:.1f} | {100 * row["within"]:.0f} | '
                  f'{100 * row["held"]:.0f} | {100 * row["half_width_median_relative"]:.1f} |',
                  file=out, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
