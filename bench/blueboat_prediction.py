"""
A prediction that nobody fitted: the watts of a BlueBoat over speed, from its logs and its thrusters' sheets alone.

`usv-energy identify` finds the drag from the motion in eleven logs (USV_ENERGY_DATA, blueboat/fixed_*.csv). Its newtons
are no forces that anybody measured: the logs hold a straight line from the neutral pulse to 55.2 N at full throttle,
which is the bollard pull of the maker's M200 with weedless propeller at 16 V. So a speed of the identified boat stands
for a share of full throttle, and from there on drag, thrust and watts are on one footing. Three of them are compared
with what the maker measured (blueboat/speed_power.csv), of which no number is used:

- `t200_standstill`: what the fit calls newtons, as the thrust at standstill of two T200 at 16 V; no inflow anywhere.
- `own_thrusters`: the pulse of that speed, two M200 with weedless propellers at 16 V, inflow in thrust and watts.
- `t200_instead`: two T200 at 16 V that give the thrust which those give in moving water.

    python3 bench/blueboat_prediction.py --picture docs/images/blueboat_prediction.png
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from own_command import ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import usv_energy
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.dynamics import damping_force
from usv_energy.show.figure import BLACK, BLUE, GREY, ORANGE, picture
from usv_energy.show.text_table import text_table
from usv_energy.thrusters.commands import power_of_thrust, thrust_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap, bollard_of_command
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.thruster_sheet import read_thruster

DATA = Path(os.environ.get('USV_ENERGY_DATA', Path(__file__).resolve().parents[2] / 'shared' / 'data')) / 'blueboat'
VOLTAGE = 16.0                  # Of the sheets, and of the boat's battery when it is full.
NEUTRAL, TRAVEL = 1500.0, 400.0  # us
COUNTED = 2.0                   # m/s; below, the maker's own figures scatter by more than half.
WAYS = ('t200_standstill', 'own_thrusters', 't200_instead')
HEAD = ['speed, m/s', 'maker, W', 'T200, standstill', '', 'own thrusters', '', 'T200 instead', '', 'pulse, us',
        'thrust of one, N', 'turns, of standstill']
# Screws that the sheet of the M200 does not rule out: two to four blades, A_E/A_0 0.3 to 0.65, P/D 0.5.
SCREWS: dict[str, dict[str, float]] = {
    'lowest c': {'blades': 3, 'area_ratio': 0.3}, 'highest c': {'blades': 2, 'area_ratio': 0.65}}


class Identified(NamedTuple):
    """What `identify` found: the boat's vessel; of the log's newtons the largest, N, their scale and exponent, (-)."""

    vessel: Any
    full: float
    scale: float
    exponent: float

    def drag(self, speed: Any) -> Any:
        """Return the drag in still water, N of the log, at speeds, m/s."""
        return damping_force(speed, 0.0 * speed, 0.0 * speed, self.vessel.damping)[0]

    def throttle(self, speed: Any) -> Any:
        """Return the share of full throttle, (-), that holds speeds, m/s: thrust = scale full share^exponent."""
        return (0.5 * self.drag(speed) / (self.scale * self.full)) ** (1.0 / self.exponent)


def main() -> int:
    """Identify the boat, print its watts beside the maker's, and how much they depend on what; return the status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--boat', metavar='FILE', help='a boat file that identify wrote, in place of identifying again')
    parser.add_argument('--form', default='lift+curve', help='of identify (lift+curve)')
    parser.add_argument('--picture', metavar='FILE', help='write the curves as PNG')
    args = parser.parse_args()
    if not DATA.is_dir():
        raise InputError(f'there are no logs in {DATA}; set USV_ENERGY_DATA')
    figures: dict[str, Any] = {}
    with kept(figures, args.json) as out:
        measure(args, figures, out)
    return 0


def measure(args: argparse.Namespace, figures: dict[str, Any], out: TextIO) -> None:
    """Print the figures and put them into `figures`; draw them where that is asked."""
    boat = identified(Path(args.boat)) if args.boat else identify_again(args.form)
    measured = maker_power()
    rows, errors = rows_of(boat, measured), sensitivity(boat, measured)
    figures |= {'rows': rows, 'sensitivity': errors}
    print('\n'.join(text_table([HEAD, *map(cells_of, rows)], 'r')), file=out)
    print('largest error from 2 m/s up, own thrusters:', file=out)
    for name, error in errors.items():
        print(f'  {name}: {100.0 * error:+.1f} %', file=out)
    if args.picture:
        draw(boat, measured, Path(args.picture))


def identify_again(form: str) -> Identified:
    """Return what `usv-energy identify` finds in the eleven logs."""
    logs = sorted(DATA.glob('fixed_*.csv'))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'identified.yaml'
        usv_energy.identify_boat(logs, 'blueboat_start', columns='blueboat', form=form, out=path)
        return identified(path)


def identified(path: Path) -> Identified:
    """Return what a boat file says that identify wrote."""
    told = read_yaml(path)['identification']['rollout']['thrust_of_log']
    exponent = told['exponent']['value'] if 'exponent' in told else 1.0
    return Identified(read_boat(str(path)).vessel, float(told['full_ahead_n']), float(told['scale']['value']),
                      float(exponent))


def maker_power() -> dict[float, float]:
    """Return the maker's watts of a stock boat by speed, m/s."""
    with (DATA / 'speed_power.csv').open(encoding='utf-8') as file:
        table = np.genfromtxt(file, delimiter=',', names=True)
    return dict(zip(table['speed_m_s'].tolist(), table['power_w'].tolist()))


def propeller(model: str, **screw: float) -> BollardMap:
    """Return a propeller of the library at the voltage, numbers of the screw of its inflow changed."""
    entry: dict[str, Any] = {'model': model, 'voltage': VOLTAGE}
    if screw:
        inflow = read_thruster(model).inflow or {}
        entry['inflow'] = {**inflow, **screw}
    made: BollardMap = propeller_from(entry, model).propeller
    return made


def predictions(boat: Identified, speed: Any, own: BollardMap, t200: BollardMap) -> dict[str, Any]:
    """Return watts of two thrusters at speeds, m/s, in each way; the pulse, us; thrust, N, and rate of the own ones."""
    throttle = boat.throttle(speed)
    sheet = read_thruster('m200_weedless').at_voltage(VOLTAGE, '')
    bollard = np.interp(NEUTRAL + TRAVEL * throttle, sheet.pulses, sheet.thrusts)
    risen = bollard_of_command(bollard, speed, own)
    thrust = thrust_of_command(bollard, speed, own)
    return {'t200_standstill': 2.0 * power_of_thrust(0.5 * boat.drag(speed), 0.0 * speed, t200),
            'own_thrusters': 2.0 * power_of_thrust(thrust, speed, own),
            't200_instead': 2.0 * power_of_thrust(thrust, speed, t200),
            'pulse_us': NEUTRAL + TRAVEL * throttle, 'thrust_n': thrust, 'rate': np.sqrt(risen / bollard)}


def rows_of(boat: Identified, measured: Mapping[float, float]) -> list[dict[str, float]]:
    """Return for each of the maker's speeds the predicted watts, and their errors (-)."""
    speed = np.array(list(measured))
    found = predictions(boat, speed, propeller('m200_weedless'), propeller('t200'))
    rows = []
    for n, (v, power) in enumerate(measured.items()):
        row = {'speed_m_s': v, 'maker_w': power, **{key: float(value[n]) for key, value in found.items()}}
        rows.append({**row, **{f'{way}_error': row[way] / power - 1.0 for way in WAYS}})
    return rows


def sensitivity(boat: Identified, measured: Mapping[float, float]) -> dict[str, float]:
    """Return the largest error, (-), of the boat's own thrusters from 2 m/s up, as it is and with numbers changed."""
    speed = np.array([v for v in measured if v >= COUNTED])
    truth = np.array([measured[v] for v in speed])
    damping = boat.vessel.damping
    changed: dict[str, tuple[Identified, dict[str, float]]] = {'as it is': (boat, {})}
    changed.update({f'{name} that the sheet allows': (boat, screw) for name, screw in SCREWS.items()})
    for share in (-0.1, 0.1):
        drag = damping._replace(d11=(1.0 + share) * damping.d11, d11_q=(1.0 + share) * damping.d11_q)
        changed[f'drag {share:+.0%} at the same throttle law'] = boat._replace(
            vessel=boat.vessel._replace(damping=drag)), {}
        changed[f'exponent {share:+.1f}'] = boat._replace(exponent=boat.exponent + share), {}
    found = {}
    for name, (other, screw) in changed.items():
        watts = predictions(other, speed, propeller('m200_weedless', **screw), propeller('t200'))['own_thrusters']
        errors = watts / truth - 1.0
        found[name] = float(errors[np.argmax(abs(errors))])
    return found


def cells_of(row: dict[str, float]) -> list[str]:
    """Return a row of the table."""
    cells = [f'{row["speed_m_s"]:g}', f'{row["maker_w"]:.1f}']
    for way in WAYS:
        cells += [f'{row[way]:.1f}', f'{100.0 * row[f"{way}_error"]:+.1f} %']
    return [*cells, f'{row["pulse_us"]:.0f}', f'{row["thrust_n"]:.1f}', f'{row["rate"]:.2f}']


def draw(boat: Identified, measured: Mapping[float, float], path: Path) -> None:
    """Write the predicted curves and the maker's points as a picture."""
    speed = np.linspace(0.3, 2.9, 131)
    own, t200 = propeller('m200_weedless'), propeller('t200')
    found = predictions(boat, speed, own, t200)
    band = [predictions(boat, speed, propeller('m200_weedless', **screw), t200)['own_thrusters']
            for screw in SCREWS.values()]
    with picture(path, 7.2, 4.2) as figure:
        axes = figure.subplots()
        axes.fill_between(speed, *band, color=BLUE, alpha=0.18, linewidth=0.0, label='screws that its sheet allows')
        axes.plot(speed, found['own_thrusters'], color=BLUE, label='own thrusters (M200, weedless), inflow included')
        axes.plot(speed, found['t200_standstill'], color=ORANGE, linestyle='--', label='two T200, all at standstill')
        axes.plot(speed, found['t200_instead'], color=GREY, linestyle=':', label='two T200 instead, inflow included')
        axes.plot(list(measured), list(measured.values()), 'o', color=BLACK, label='measured by the maker')
        axes.set(title='BlueBoat: electrical power over speed, nothing fitted to it', xlabel='speed through water, m/s',
                 ylabel='electrical power, W', ylim=(0.0, 620.0), xlim=(0.3, 2.9))
        axes.legend(loc='upper left')


if __name__ == '__main__':
    sys.exit(ended_by(main))
