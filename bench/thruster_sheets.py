"""
How well the thrusters of config/thrusters keep their makers' sheets, and what lies between two voltages.

Each sheet between two others is left out in turn, and told by the rest. How far the sheets follow each other at all is
shown at equal rates of turning, which the maker measured: a screw does not know the voltage of its motor, so where its
T / n^2 is not that of the other sheets no rule can tell the one from the others.

The T200's rows are outside the repository: USV_ENERGY_DATA, or ../shared/data, thrusters/t200_10V.csv and so on.

    python3 bench/thruster_sheets.py
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from own_command import ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from usv_energy.files.errors import InputError
from usv_energy.show.text_table import text_table
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, between_sheets, read_thruster

DATA = Path(os.environ.get('USV_ENERGY_DATA', Path(__file__).resolve().parents[2] / 'shared' / 'data')) / 'thrusters'
NEWTON = 9.80665   # of a kgf
COUNTED = 10.0     # W; below, steps of the amperes are most of the power.
STEP = 0.1         # A, of the sheets.
ALLOWED = {'force': 0.03, 'power_at_pulse': 0.05, 'power_at_thrust': 0.05}
HEAD = ['T200', 'rows', 'force', '', 'in 3 %', 'power, same pulse', '', 'in 5 %', 'less half a step',
        'power, same thrust', '', 'in 5 %']
LEFT_OUT = {'t200': (12.0, 14.0, 16.0, 18.0), 't500': (14.0, 16.0, 18.0, 20.0, 22.0)}


def main() -> int:
    """Print what each sheet as shipped, and what the others say of a sheet, is off; return the exit status."""
    parser = figures_parser(__doc__ or '')
    args = parser.parse_args()
    if not DATA.is_dir():
        raise InputError(f'there are no sheets in {DATA}; set USV_ENERGY_DATA')
    rows: list[dict[str, Any]] = []
    smoothed: list[dict[str, Any]] = []
    with kept({'sheets': rows, 'left_out_smoothed': smoothed}, args.json) as out:
        rows += [errors_of(f'{sheet.voltage:g} V as shipped', sheet) for sheet in read_thruster('t200').sheets
                 if rows_of(sheet.voltage).is_file()]
        for model, left_out in LEFT_OUT.items():
            thruster = read_thruster(model)
            for volts in left_out:
                sheet = next(sheet for sheet in thruster.sheets if sheet.voltage == volts)
                others = tuple(sheet for sheet in thruster.sheets if sheet.voltage != volts)
                name = f'{volts:g} V of {", ".join(f"{sheet.voltage:g}" for sheet in others)}'
                found = between_sheets(others, volts, thruster.rpm_per_volt)
                if model == 't200' and rows_of(volts).is_file():
                    rows.append(errors_of(name, found))
                smoothed.append({'name': f'{model}, {name}', **errors_to(found, sheet),
                                 'screw': errors_to(by_the_screw(others, sheet), sheet)})
        table = [*text_table([HEAD, *map(cells_of, rows)], 'lr'),
                 '(errors in %, rms and largest, at rows above 10 W, and rows within; half a step: 0.05 A)']
        print('\n'.join(table), file=out)
        print('A sheet left out, against it as shipped, and thrusts at equal 1/min; rms and largest:', file=out)
        for row in smoothed:
            cells = [f'{100.0 * errors[f"{key}_rms"]:.1f} and {100.0 * errors[f"{key}_largest"]:.1f} %'
                     for errors, key in [*((row, key) for key in ALLOWED), (row['screw'], 'force')]]
            print(f'{row["name"]}: force {cells[0]} ({row["force_rms_n"]:.2f} N rms), power at the same pulse '
                  f'{cells[1]}, at the same thrust {cells[2]}; force at equal 1/min {cells[3]}', file=out)
    return 0


def by_the_screw(sheets: Sequence[ThrusterSheet], true: ThrusterSheet) -> ThrusterSheet:
    """Return a sheet with the thrusts that others have at its own rates of turning: T / n^2, their mean."""
    thrusts = np.zeros(true.pulses.size)
    for side in (-1.0, 1.0):
        here = side * true.thrusts > 0.0
        told = [np.interp(true.rpm[here], *sorted_by_rate(sheet, side), left=np.nan, right=np.nan) for sheet in sheets]
        thrusts[here] = side * np.exp(np.nanmean(told, axis=0)) * true.rpm[here] ** 2
    return replace(true, thrusts=np.nan_to_num(thrusts))


def sorted_by_rate(sheet: ThrusterSheet, side: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the ascending rates of a sheet, 1/min, ahead (1) or astern (-1), and the logarithms of T / n^2 there."""
    rates, thrusts = (part[side * sheet.thrusts > 0.0] for part in (sheet.rpm, abs(sheet.thrusts)))
    order = np.argsort(rates)
    return rates[order], np.log(thrusts / rates ** 2)[order]


def rows_of(volts: float) -> Path:
    """Return the file of the maker's rows at a voltage; those of 14 and 18 V are not among the data."""
    return DATA / f't200_{volts:g}V.csv'


def errors_of(name: str, sheet: ThrusterSheet) -> dict[str, Any]:
    """Return the relative errors of a sheet against the maker's rows, rms, largest and the share allowed, (-)."""
    with rows_of(sheet.voltage).open(encoding='utf-8') as file:
        table = np.genfromtxt(file, delimiter=',', names=True)
    pulse, thrust, power = table['pwm_us'], NEWTON * table['force_kgf'], table['power_w']
    some = power > COUNTED
    pulse, thrust, power = pulse[some], thrust[some], power[some]
    knots, drawn = sheet.bollard_map()
    at_pulse = np.interp(pulse, sheet.pulses, sheet.thrusts)
    within = (thrust >= knots[0]) & (thrust <= knots[-1])
    errors = {'force': at_pulse / thrust - 1.0, 'power_at_pulse': np.interp(at_pulse, knots, drawn) / power - 1.0,
              'power_at_thrust': np.interp(thrust[within], knots, drawn) / power[within] - 1.0}
    found: dict[str, Any] = {'name': name, 'rows': int(some.sum())}
    for key, error in errors.items():
        found[f'{key}_rms'], found[f'{key}_largest'] = float(np.sqrt(np.mean(error ** 2))), float(abs(error).max())
        found[f'{key}_within_{100.0 * ALLOWED[key]:g}_percent'] = float(np.mean(abs(error) <= ALLOWED[key]))
    beyond = abs(errors['power_at_pulse']) - 0.5 * STEP * sheet.voltage / power
    found['power_at_pulse_largest_less_half_a_step'] = float(beyond.max())
    return found


def errors_to(sheet: ThrusterSheet, true: ThrusterSheet) -> dict[str, float]:
    """Return relative errors of a sheet against another of the same pulses, where that draws 10 W, (-), and in N."""
    some = (true.powers > COUNTED) & (sheet.thrusts != 0.0)
    thrusts, powers = true.thrusts[some], true.powers[some]
    errors = {'force': sheet.thrusts[some] / thrusts - 1.0, 'power_at_pulse': sheet.powers[some] / powers - 1.0,
              'power_at_thrust': np.interp(thrusts, *sheet.bollard_map()) / powers - 1.0}
    return {**{f'{key}_largest': float(abs(error).max()) for key, error in errors.items()},
            **{f'{key}_rms': float(np.sqrt(np.mean(error ** 2))) for key, error in errors.items()},
            'force_rms_n': float(np.sqrt(np.mean((sheet.thrusts[some] - thrusts) ** 2)))}


def cells_of(row: dict[str, Any]) -> list[str]:
    """Return a row of the table."""
    cells = [row['name'], str(row['rows'])]
    for key, allowed in ALLOWED.items():
        cells += [f'{100.0 * row[f"{key}_{name}"]:.1f}' for name in ('rms', 'largest')]
        cells.append(f'{100.0 * row[f"{key}_within_{100.0 * allowed:g}_percent"]:.0f} %')
        if key == 'power_at_pulse':
            cells.append(f'{100.0 * row["power_at_pulse_largest_less_half_a_step"]:.1f}')
    return cells


if __name__ == '__main__':
    sys.exit(ended_by(main))
