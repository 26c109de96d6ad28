"""
What a set of sensors costs in truth: energies from their recordings against the work of the thrusters, in flat water.

python3 bench/sensor_sets.py [--seeds 6] [--first-seed 7000] [--only SET ...] [--seas] [--json FILE] [--plot FILE]

Boat and truth are test/unit/independent_boat.py, which shares no code with the package: thrusters of 0.3 s lag, still
water and air, which the analysis is told. The sensors are presets of config/sensors, an IMU at 20 Hz; each seed draws
new noise, biases and errors of scale. Nothing was chosen on these seeds.

With --seas: by sea state instead, flat water and seas of 0.1, 0.3 and 0.5 m from ahead, abeam and astern in turn, drawn
anew by each seed. Boat and truth are then the Otter as a hull of parts and its own thrusters (`wave_logs.py`), 45 m
there and back at 1 m/s.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept
from report import progress
from scipy.integrate import trapezoid
from wave_logs import STILL as STILL_WATER
from wave_logs import THERE_AND_BACK, Sea, measured, run_on_sea, sensors_log

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))
import independent_boat as other  # type: ignore[import-not-found]  # its folder is known only now

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.sensor import Sensor, read_sensor
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.sensor_recording import write_sensor_bag
from usv_energy.logs.log import Log
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

LUTRA = other.LUTRA._replace(lag=0.3)
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())
RECORDED = AnalysisOptions(current=UniformFlow(), wind=UniformFlow(), motion='recorded')
LOOK = 0.02                  # s: how often the sensors look at the boat
VOLTS, EFFICIENCY, HOTEL = 14.8, 0.5, 5.0  # Of the battery, and what it takes to turn useful into electrical power.
ORIGIN = (-51.05, -30.08)
METHODS = ('estimated', 'recorded')
SEAS = {'flat': (0.0, 1.0), 'Hs 0.1 m': (0.1, 1.5), 'Hs 0.3 m': (0.3, 2.5), 'Hs 0.5 m': (0.5, 3.2)}  # Hs m, Tp s.
TOWARDS = (180.0, 90.0, 0.0)  # deg, by seed.
WAYS: tuple[tuple[str, Callable[[], Any]], ...] = (
    ('lawnmower, 1.0 m/s', lambda: other.simulated(LUTRA, other.Lawnmower(1.0), 100.0)),
    ('lawnmower, 0.5 m/s', lambda: other.simulated(LUTRA, other.Lawnmower(0.5), 200.0)),
    ('stop and go, 1.0 m/s', lambda: other.simulated(LUTRA, other.stop_and_go(1.0), 120.0)))


class SensorSet(NamedTuple):
    """A set of sensors: what a user calls it, and the presets with changes; without the quantities of `but`."""

    name: str
    presets: tuple[str, ...]
    but: tuple[str, ...] = ()


SETS = (
    SensorSet('GPS 1 Hz, positions alone', ('ublox_m8',), ('velocity',)),
    SensorSet('GPS 1 Hz', ('ublox_m8',)),
    SensorSet('GPS 1 Hz, low-cost AHRS', ('ublox_m8', 'bno055')),
    SensorSet('two-frequency GPS 5 Hz, AHRS', ('ublox_f9p', 'xsens_mti3')),
    SensorSet('RTK 5 Hz, AHRS', ('ublox_f9p_rtk', 'xsens_mti3')),
    SensorSet('GPS 1 Hz, low-cost AHRS, DVL', ('ublox_m8', 'bno055', 'waterlinked_a50')),
    SensorSet('power module', ('power_module',)),
    SensorSet('current clamp', ('current_clamp',)))


def sensors_of(chosen: SensorSet) -> list[Sensor]:
    """Return the sensors of a set, an IMU at 20 Hz."""
    sensors = [read_sensor(name) for name in chosen.presets]
    return [replace(one, name=one.kind, rate=min(one.rate, 20.0),
                    errors={name: errors for name, errors in one.errors.items() if name not in chosen.but})
            for one in sensors]


def electrical(truth: Any) -> np.ndarray:
    """Return the current that the battery gives, A: of the thrusters' useful power, and a hotel load."""
    power = np.gradient(truth.work, truth.time)
    return np.asarray((power / EFFICIENCY + HOTEL) / VOLTS)


def states_of(truth: Any) -> list[TrueState]:
    """Return the true states of the boat, as often as its sensors look."""
    step = round(LOOK / other.STEP)
    columns = [truth.time, truth.x, truth.y, truth.yaw, truth.u, truth.v, truth.r, electrical(truth)]
    return [TrueState(time, x, y, yaw=yaw, u=u, v=v, r=r, volts=VOLTS, amperes=amperes)
            for time, x, y, yaw, u, v, r, amperes in np.array(columns).T[::step].tolist()]


def recorded(log: Log) -> Log:
    """Return the rows of a log at which the GPS measured: what there is without an estimate of the motion."""
    return log.part(np.isfinite(log.x))


def errors_of(chosen: SensorSet, truth: Any, states: list[TrueState], seed: int, folder: Path) -> dict[str, float]:
    """Return the error of the energy, (-), by method; the measured electrical energy has one alone."""
    suite = SensorSuite(sensors_of(chosen), seed)
    readings = [reading for state in states for reading in suite.observe(state)]
    if readings[0].sensor.kind == 'power':
        time, watts = np.array([(one.taken, one.values['voltage'][0] * one.values['current'][0])
                                for one in readings]).T
        given = np.interp(time, truth.time, electrical(truth)) * VOLTS
        return {'estimated': float(trapezoid(watts, time) / trapezoid(given, time) - 1.0)}
    path = folder / 'sensors.mcap'
    write_sensor_bag(readings, ORIGIN, 'boat', path)
    log = read_bag(path)
    work = float(np.diff(np.interp([log.start, log.start + log.time[-1]], truth.time, truth.work))[0])
    boat = read_boat('lutra_prop')
    found = {'estimated': analysed_log(log, boat, STILL).energy.total / work - 1.0}
    if log.known('yaw'):
        found['recorded'] = analysed_log(recorded(log), boat, RECORDED).energy.total / work - 1.0
    return found


def measure_on_seas(sets: list[SensorSet], seeds: range, folder: Path, rows: list[dict[str, Any]]) -> None:
    """Put rows of errors, by set and sea state, into `rows`; the boat and its truth are those of `wave_logs.py`."""
    presets = dict.fromkeys(name for one in sets for name in one.presets)
    few: dict[str, dict[str, Any]] = {'bno055': {'rate': 20}, 'xsens_mti3': {'rate': 20},
                                      'waterlinked_a50': {'water_depth': 5.0}}
    sensors: list[dict[str, Any]] = [{'name': called(name), 'preset': name, **few.get(name, {})} for name in presets]
    # A GPS without velocity is a sensor of its own.
    sensors += [{'name': f'{name}_without', 'preset': name, **dict.fromkeys(one.but)}
                for one in sets if one.but for name in one.presets]
    found: dict[tuple[str, str], list[float]] = {(one.name, sea): [] for one in sets for sea in SEAS}
    for sea, (height, period) in SEAS.items():
        for seed in seeds:
            progress(f'{sea}, seed {seed}')
            run = run_on_sea(folder, Sea(height, period, TOWARDS[seed % len(TOWARDS)]), seed, sensors, THERE_AND_BACK)
            for one in sets:
                names = [f'{name}_without' if one.but else called(name) for name in one.presets]
                found[one.name, sea].append(measured(run, sensors_log(run, names, folder), STILL_WATER).error)
            rows[:] = [row_of(errors, set=name, sea=state) for (name, state), errors in found.items() if errors]


def called(preset: str) -> str:
    """Return what a sensor is called: readers of bags know a DVL by its name."""
    return 'dvl' if preset == 'waterlinked_a50' else preset


def print_seas(rows: list[dict[str, Any]], out: TextIO) -> None:
    """Print the table by sea state: mean and spread, and within what 95 % of the errors lie."""
    print(f'| sensors | {" | ".join(SEAS)} |', f'|{"---|" * (len(SEAS) + 1)}', sep='\n', file=out)
    for name in dict.fromkeys(row['set'] for row in rows):
        cells = ['{mean_percent:+.1f} ± {std_percent:.1f} ({within_95_percent:.1f})'.format(**row) for row in rows
                 if row['set'] == name]
        print(f'| {name} | {" | ".join(cells)} |', file=out)


def plot_seas(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the errors of all sets by sea state: a point a recording."""
    from matplotlib import pyplot
    names = list(dict.fromkeys(row['set'] for row in rows))
    figure, axes = pyplot.subplots(figsize=(8.0, 4.2), layout='constrained')
    for number, (sea, colour) in enumerate(zip(SEAS, ('#b0b0b0', '#8cc5e3', '#3594cc', '#1a4f80'))):
        for row in (one for one in rows if one['sea'] == sea):
            place = len(names) - 1 - names.index(row['set']) + 0.27 - 0.18 * number
            places = np.full(len(row['errors_percent']), place)
            axes.plot(row['errors_percent'], places, 'o', ms=4, color=colour, label=sea)
    _save(figure, axes, names, path, loc='best')


def _save(figure: Any, axes: Any, names: list[str], path: Path, **legend: Any) -> None:
    """Write a picture of errors, a line a set from the top, each label once in the legend."""
    from matplotlib import pyplot
    handles = dict(zip(*reversed(axes.get_legend_handles_labels())))
    axes.legend(handles.values(), handles.keys(), **legend)
    axes.set_yticks(range(len(names)), names[::-1])
    axes.axvline(0.0, color='black', lw=0.8)
    axes.grid(axis='x', alpha=0.3)
    axes.set_xlabel('error of the energy, %')
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def figures_of(errors: list[float]) -> dict[str, float]:
    """Return mean, standard deviation, and the 95 % of the errors' sizes, %."""
    values = 100.0 * np.array(errors)
    return {'mean_percent': float(values.mean()), 'std_percent': float(values.std()),
            'within_95_percent': float(np.quantile(np.abs(values), 0.95))}


def row_of(errors: list[float], **named: str) -> dict[str, Any]:
    """Return a row: what names it, the figures of some errors, (-), and each of them, %."""
    return {**named, **figures_of(errors), 'errors_percent': [100.0 * error for error in errors]}


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the errors of all sets: a point a recording."""
    from matplotlib import pyplot
    names = list(dict.fromkeys(row['set'] for row in rows))
    figure, axes = pyplot.subplots(figsize=(8.0, 4.2), layout='constrained')
    for method, shift, colour in (('recorded', 0.14, '#b0b0b0'), ('estimated', -0.14, '#1f6fb2')):
        for row in (one for one in rows if one['method'] == method):
            place = len(names) - 1 - names.index(row['set'])
            axes.plot(row['errors_percent'], np.full(len(row['errors_percent']), place - shift), 'o', ms=3.5,
                      color=colour, alpha=0.6, label=method)
    _save(figure, axes, names, path, title='motion', loc='upper right')


def seas(args: argparse.Namespace) -> int:
    """Print the table by sea state."""
    sets = [one for one in SETS if not one.presets[0].startswith(('power', 'current'))
            and (not args.only or one.name.startswith(tuple(args.only)))]
    rows: list[dict[str, Any]] = []
    with kept({'first_seed': args.first_seed, 'sets': rows}, args.json) as out:
        with tempfile.TemporaryDirectory() as folder:
            measure_on_seas(sets, range(args.first_seed, args.first_seed + args.seeds), Path(folder), rows)
        print_seas(rows, out)
    if args.plot is not None:
        plot_seas(rows, args.plot)
    return 0 if all(math.isfinite(row['mean_percent']) for row in rows) else 1


def main() -> int:
    """Print the table."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seeds', type=at_least(1), default=6, help='recordings of each way by each set')
    parser.add_argument('--first-seed', type=at_least(0), default=7000)
    parser.add_argument('--only', nargs='+', metavar='SET', help='sets whose names begin so')
    parser.add_argument('--plot', type=Path, metavar='FILE', help='a picture')
    parser.add_argument('--seas', action='store_true', help='by sea state, of a hull of parts')
    args = parser.parse_args()
    if args.only and not any(one.name.startswith(tuple(args.only)) for one in SETS):
        parser.error(f'--only {" ".join(args.only)}: no set begins so; there are {"; ".join(s.name for s in SETS)}')
    return seas(args) if args.seas else flat(args)


def flat(args: argparse.Namespace) -> int:
    """Print the table of flat water."""
    rows: list[dict[str, Any]] = []
    with kept({'first_seed': args.first_seed, 'sets': rows}, args.json) as out:
        measure_flat(args, rows, out)
    if args.plot is not None:
        plot(rows, args.plot)
    return 0 if all(math.isfinite(row['mean_percent']) for row in rows) else 1


def measure_flat(args: argparse.Namespace, rows: list[dict[str, Any]], out: TextIO) -> None:
    """Print a row for each set and method, and put it into `rows`."""
    truths = [(name, truth := boat(), states_of(truth)) for name, boat in WAYS]
    print('| sensors | motion | mean and spread, % | 95 % of them within, % |', '|---|---|---|---|', sep='\n', file=out)
    with tempfile.TemporaryDirectory() as folder:
        for chosen in SETS:
            if args.only and not chosen.name.startswith(tuple(args.only)):
                continue
            found: dict[str, list[float]] = {method: [] for method in METHODS}
            for name, truth, states in truths:
                for seed in range(args.first_seed, args.first_seed + args.seeds):
                    progress(f'{chosen.name}: {name}, seed {seed}')
                    for method, error in errors_of(chosen, truth, states, seed, Path(folder)).items():
                        found[method].append(error)
            for method, errors in ((method, errors) for method, errors in found.items() if errors):
                rows.append(row_of(errors, set=chosen.name, method=method))
                print('| {set} | {method} | {mean_percent:+.1f} ± {std_percent:.1f} | {within_95_percent:.1f} |'.format(
                    **rows[-1]), file=out, flush=True)


if __name__ == '__main__':
    sys.exit(ended_by(main))
