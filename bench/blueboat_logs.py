"""
The energy of eleven logs of a BlueBoat, by each way that the product has of finding it, with one shipped boat.

The logs (USV_ENERGY_DATA, blueboat/fixed_*.csv) have motion, pulses, and what they call newtons: a straight line from
the neutral pulse to the bollard pull at 16 V. With the shipped `blueboat`: by these newtons, by the pulses and the
thruster's sheet, by the motion alone (the cheapest way to give what it needs), and by that without its sway, which is
wrong in these logs: their headings deviate by up to ten degrees while the motors draw, and the hull's lift makes of a
sway that is none a yaw moment that nobody gave. With a boat that `usv-energy
identify` makes of all eleven: by the newtons as that boat's file reads them (its `thrust_of_log`), by pulses, by the
motion alone, and by the motion in the steady current that the fit found for each log. Then what is left over of the
thrusters' work beyond what the motion asks, with either boat, and what explains it; full throttle and the watts at the
maker's speeds (blueboat/speed_power.csv) beside the maker's own.

    python3 bench/blueboat_logs.py --json blueboat.json
"""

import math
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from own_command import ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import usv_energy
from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.physics.motion import Flow
from usv_energy.show.text_table import text_table
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, RECORDED, AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_request import analysed_in_current
from usv_energy.studies.plan.steady_range import fastest, speed_curve

DATA = Path(os.environ.get('USV_ENERGY_DATA', Path(__file__).resolve().parents[2] / 'shared' / 'data')) / 'blueboat'
FITTED = '216', '220', '222', '225', '228', '233'    # Of which the shipped boat's inertia and drag are; others: blind.
FORM = 'lift+curve+compass'
STILL = Flow(0.0, 0.0, 0.0, 0.0)
WAYS = ('newtons', 'pulses', 'motion', 'motion_without_sway', 'identified_newtons', 'identified_pulses',
        'identified_motion', 'identified_motion_in_current')
HEAD = ['log', 'newtons, J', 'pulses', 'motion alone', 'without sway', 'identified: newtons', 'pulses', 'motion alone',
        'in the fit\'s current']


def main() -> int:
    """Print the table; return the status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--boat', metavar='FILE', help='a boat file that identify wrote, in place of identifying again')
    args = parser.parse_args()
    if not DATA.is_dir():
        raise InputError(f'there are no logs in {DATA}; set USV_ENERGY_DATA')
    figures: dict[str, Any] = {}
    with kept(figures, args.json) as out, tempfile.TemporaryDirectory() as folder:
        measure(args.boat, Path(folder), figures, out)
    return 0


def measure(identified: str | None, folder: Path, figures: dict[str, Any], out: TextIO) -> None:
    """Print the figures and put them into `figures`; a boat that is identified is kept in a folder."""
    logs = {path.stem[-3:]: read_log(path, 'blueboat') for path in sorted(DATA.glob('fixed_*.csv'))}
    boat = read_boat('blueboat')
    other, currents = (read_boat(identified), {}) if identified else identify(logs, folder)
    rows = list(energies(logs, boat, other, currents))
    for name, chosen in (('fitted', FITTED), ('blind', tuple(set(logs) - set(FITTED))), ('all', tuple(logs))):
        some = [row for row in rows if row['log'] in chosen]
        rows.append({'log': name, **{way: sum(row[way] for row in some) for way in WAYS}})
    figures['energy_j'] = rows
    figures['of_newtons'] = {way: rows[-1][way] / rows[-1]['newtons'] - 1.0 for way in WAYS}
    print('\n'.join(text_table([HEAD, *([row['log'], *(f'{row[way]:.0f}' for way in WAYS)] for row in rows)], 'r')),
          file=out)
    print('all, less that by newtons: '
          + ', '.join(f'{way} {100.0 * error:+.1f} %' for way, error in figures['of_newtons'].items()), file=out)
    figures['left_over'] = left = list(left_over(logs, boat, other))
    print('\n'.join(f'{row["log"]} left over with the {row["boat"]} boat: {100.0 * row["share"]:+.1f} % of the work; '
                    f'{row["verdict"]}' for row in left), file=out)
    figures['watts'] = maker_rows(boat)
    for row in figures['watts']:
        print(f'{row["speed_m_s"]:.2f} m/s: {row["boat_w"]:.1f} W, of which hotel load {boat.vessel.static_load:g} W; '
              f'its maker: {row["maker_w"]:.1f} W', file=out)
    top = fastest(boat.vessel, 0.0, STILL)
    figures['full_throttle'] = {'speed_m_s': top, 'power_w': watts(boat, top * (1.0 - 1e-9))}
    print(f'full throttle: {top:.2f} m/s, {figures["full_throttle"]["power_w"]:.1f} W', file=out)


def identify(logs: dict[str, Log], folder: Path) -> tuple[Boat, dict[str, UniformFlow]]:
    """
    Return the boat that identify makes of the logs from the shipped one, and the current that it found in each.

    :param folder: Where its file is kept, which an analysis reads again.
    """
    path = folder / 'identified.yaml'
    fit = usv_energy.identify_boat(list(logs.values()), 'blueboat', form=FORM, out=path).found.found
    return read_boat(str(path)), {windows.track.name[-3:]: UniformFlow(*map(float, current))
                                  for windows, current in zip(fit.windows, fit.currents)}


def energies(logs: dict[str, Log], boat: Boat, other: Boat,
             currents: dict[str, UniformFlow]) -> Iterator[dict[str, Any]]:
    """Yield the energies of each log, J, hotel load included, by each way."""
    for name, log in logs.items():
        row: dict[str, Any] = {'log': name}
        for whose, prefix in ((boat, ''), (other, 'identified_')):
            row |= {f'{prefix}{way}': joules for way, joules in by_thrusters(log, whose).items()}
            row[f'{prefix}motion'] = energy(log, whose, AnalysisOptions(actuators=ALLOCATED))
        row['motion_without_sway'] = without_sway(log, boat)
        row['identified_motion_in_current'] = energy(
            log, other, AnalysisOptions(actuators=ALLOCATED, current=currents.get(name), find_flow=False))
        yield row


def by_thrusters(log: Log, boat: Boat) -> dict[str, float]:
    """Return the energies of a log by its newtons and by its pulses, J."""
    by_pulses = with_thrust_of_pulses(replace(log, thrust=np.full_like(log.thrust, np.nan)), boat)
    return {'newtons': energy(log, boat, AnalysisOptions()), 'pulses': energy(by_pulses, boat, AnalysisOptions())}


def without_sway(log: Log, boat: Boat) -> float:
    """Return the energy of a log by its motion alone, taken to have no sway, J."""
    unknown = np.full(len(log), np.nan)
    return energy(replace(log, v=0.0 * log.v, x=unknown, y=unknown), boat, AnalysisOptions(
        motion=RECORDED, actuators=ALLOCATED, find_flow=False))


def left_over(logs: dict[str, Log], boat: Boat, other: Boat) -> Iterator[dict[str, Any]]:
    """Yield what the thrusts of a log do beyond what its motion asks, as a share of their work, and the verdict."""
    for which, whose in (('shipped', boat), ('identified', other)):
        for name, log in logs.items():
            report = log_report(*analysed_in_current(log, whose, AnalysisOptions()))
            _, _, why = report.trust.verdict.partition('Thrusts and motion do not fit: ')
            yield {'log': name, 'boat': which, 'closure': report.closure_relative, 'verdict': why or 'they fit',
                   'share': math.nan if report.mismatch is None else report.mismatch.net}


def energy(log: Log, boat: Boat, options: AnalysisOptions) -> float:
    """Return the energy of a log, J."""
    return float(analysed_log(log, boat, options).energy.total)


def maker_rows(boat: Boat) -> list[dict[str, float]]:
    """Return the boat's watts in steady motion through still water, hotel load included, at the maker's speeds."""
    with (DATA / 'speed_power.csv').open(encoding='utf-8') as file:
        table = np.genfromtxt(file, delimiter=',', names=True)
    return [{'speed_m_s': v, 'maker_w': w, 'boat_w': watts(boat, v)}
            for v, w in zip(table['speed_m_s'].tolist(), table['power_w'].tolist())]


def watts(boat: Boat, speed: float) -> float:
    """Return the electrical power of a steady motion ahead in still water, W."""
    return float(speed_curve(boat.vessel, 1.0, 0.0, STILL, np.array([speed])).power[0])


if __name__ == '__main__':
    sys.exit(ended_by(main))
