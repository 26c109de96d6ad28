"""
How the cell `nmc` lags, and how cold and cooling change it, from how another cell is discharged; what labels then say.

The other cell is Panasonic's NCR18650G: charge, energy and warming of its discharges at 0 to 30 degC, read off the
curves of its Technical information in github.com/suavecode/SUAVE (NMC_Raw_Data.res). The lag, the activation of the
pairs and a heat transfer coefficient are fitted to them, and again without each temperature. All of an LG M50
(battery/lgm50_* of --data) is not used for it.

    python3 bench/cold_cells.py --data /work/shared/data --json -
"""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from own_command import ended_by, figures_parser, kept
from scipy.integrate import trapezoid
from scipy.optimize import least_squares

from usv_energy.boats.battery_sheet import BatterySheet, pack_of
from usv_energy.boats.cell_file import read_cell
from usv_energy.physics.batteries.cell import Pack, rested
from usv_energy.physics.batteries.cell_discharge import discharge

ICE = 273.15
AREA_18650, AREA_21700 = 43e-4, 55e-4   # m^2: 18.5 by 65.3 mm with one and a half ends; 21 by 70 mm with both.


class Measured(NamedTuple):
    """A discharge to 2.5 V from full: current A, ambient degC, charge Ah, energy Wh, warming at its end K."""

    current: float
    ambient: float
    charge: float
    energy: float
    warming: float


NCR18650G = (
    Measured(2.0, 0.0, 3.084, 10.576, 8.17), Measured(2.0, 10.0, 3.209, 11.208, 7.39),
    Measured(2.0, 20.0, 3.321, 11.694, 5.57), Measured(2.0, 30.0, 3.381, 11.978, 5.39),
    Measured(4.0, 0.0, 3.016, 9.913, 17.59), Measured(4.0, 10.0, 3.163, 10.631, 14.60),
    Measured(4.0, 20.0, 3.270, 11.144, 14.37), Measured(4.0, 30.0, 3.310, 11.374, 11.82))
LABEL_NCR = BatterySheet(series=1.0, capacity_ah=3.351, capacity_wh=11.836, rated_current=2.0)  # At 25 degC: the mean.
LABEL_M50 = BatterySheet(series=1.0, capacity_ah=5.0, capacity_wh=18.2, nominal_voltage=3.63)
M50 = '25C_0.1C', '25C_0.5C', '25C_1C', '45C_1C', '10C_0.5C', '10C_1C', '0C_0.5C'
# Standard deviations: of charge and mean voltage (-), of the warming (K), of the logarithms of what is fitted.
CHARGE, VOLTS, WARMING, KNOWN = 0.01, 0.005, 1.5, 0.5
START = 100.0, 5410.0, 20.0   # Lag, s, and activation, K, of published models ([C], [D] of nmc.yaml), W/(m^2 K).


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--data', metavar='DIR', type=Path, help='with battery/lgm50_*.csv; left out: without the M50')
    args = parser.parse_args()
    if args.data is not None and not (args.data / 'battery' / f'lgm50_{M50[0]}.csv').is_file():
        parser.error(f'--data is {args.data}; it has no battery/lgm50_{M50[0]}.csv')
    runs = [] if args.data is None else [_m50_run(args.data, name) for name in M50]
    rows: list[dict[str, Any]] = []
    figures: dict[str, Any] = {'cooling': rows}
    with kept(figures, args.json) as out:
        for left in (None, 0.0, 10.0, 20.0, 30.0):
            rows.append(_found(left, runs))
            print('without {left_out_degc}: lag {lag_s:.0f} s, activation of the pairs {pair_activation_k:.0f} K, '
                  '{transfer_w_m2_k:.1f} W/(m^2 K), of 21700 {conductance_w_k:.3f} W/K; energy within '
                  '{energy_error:.1%} there; M50 '.format(**rows[-1])
                  + ', '.join(f'{name} {error:+.1%}' for name, error in rows[-1]['m50_energy_error'].items())
                  + f'; at 2 C and 10 degC {rows[-1]["m50_10c_2c_wh"]:.2f} Wh', file=out, flush=True)
        figures['ncr18650g'] = _errors(rows[0])
        for row in figures['ncr18650g']:
            print('NCR18650G {current_a:g} A, {ambient_degc:g} degC: charge {charge_error:+.1%}, energy '
                  '{energy_error:+.1%}, warming {warming_error_k:+.1f} K'.format(**row), file=out)
    return 0


def _pack(label: BatterySheet, area: float, lag: float, pair_activation: float, transfer: float) -> Pack:
    """Return the pack of a label, with a lag, s, an activation of its pairs, K, and a heat transfer coefficient."""
    file, known = read_cell('nmc'), {'lag': lag, 'pair_activation': pair_activation, 'conductance': transfer * area}
    cell = replace(file, numbers=tuple((name, known.get(name, value)) for name, value in file.numbers))
    pack = pack_of(label._replace(cell=cell))
    assert pack is not None
    # The cell is stretched to the label, and what cools it with it.
    return pack._replace(cell=pack.cell._replace(conductance=known['conductance']))


def _run(pack: Pack, current: float, ambient: float) -> Measured:
    course = discharge(rested(1.0, ambient + ICE), ambient + ICE, pack, current=current)
    return Measured(current, ambient, current * float(course.time[-1]) / 3600.0, float(course.energy[-1]) / 3600.0,
                    float(course.temperature[-1]) - ambient - ICE)


def _residuals(logarithms: np.ndarray, runs: list[Measured]) -> np.ndarray:
    pack, rows = _pack(LABEL_NCR, AREA_18650, *(START * np.exp(logarithms))), []
    for run in runs:
        ours = _run(pack, run.current, run.ambient)
        charge, energy = ours.charge / run.charge, ours.energy / run.energy
        rows.append([(charge - 1.0) / CHARGE, (energy / charge - 1.0) / VOLTS, (ours.warming - run.warming) / WARMING])
    return np.append(np.ravel(rows), logarithms / KNOWN)


def _found(left: float | None, m50: list[tuple[str, Measured]]) -> dict[str, Any]:
    """Return what is found without the discharges at a temperature, degC, and what labels say with it."""
    seen = [run for run in NCR18650G if run.ambient != left]
    fit = least_squares(partial(_residuals, runs=seen), np.zeros(len(START)), diff_step=1e-3, max_nfev=12)
    lag, activation, transfer = (START * np.exp(fit.x)).tolist()
    other = _pack(LABEL_NCR, AREA_18650, lag, activation, transfer)
    pack = _pack(LABEL_M50, AREA_21700, lag, activation, transfer)
    return {'left_out_degc': left, 'lag_s': lag, 'pair_activation_k': activation, 'transfer_w_m2_k': transfer,
            'conductance_w_k': transfer * AREA_21700,
            'energy_error': max(abs(_run(other, run.current, run.ambient).energy / run.energy - 1.0)
                                for run in NCR18650G if left in (None, run.ambient)),
            'm50_energy_error': {name: _run(pack, run.current, run.ambient).energy / run.energy - 1.0
                                 for name, run in m50},
            'm50_10c_2c_wh': _run(pack, 10.0, 10.0).energy}


def _errors(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return by how much charge, energy and warming of the NCR18650G are off."""
    pack, rows = _pack(LABEL_NCR, AREA_18650, found['lag_s'], found['pair_activation_k'], found['transfer_w_m2_k']), []
    for run in NCR18650G:
        ours = _run(pack, run.current, run.ambient)
        rows.append({'current_a': run.current, 'ambient_degc': run.ambient,
                     'charge_error': ours.charge / run.charge - 1.0, 'energy_error': ours.energy / run.energy - 1.0,
                     'warming_error_k': ours.warming - run.warming})
    return rows


def _m50_run(data: Path, name: str) -> tuple[str, Measured]:
    table = np.genfromtxt(data / 'battery' / f'lgm50_{name}.csv', delimiter=',', skip_header=1)
    flows = np.flatnonzero(table[:, 1] < -0.01)
    time, current, volts, celsius = table[flows[0]:flows[-1] + 1].T
    return name, Measured(-float(np.median(current)), float(celsius[0]), -float(trapezoid(current, time)) / 3600.0,
                          -float(trapezoid(current * volts, time)) / 3600.0, float(celsius.max() - celsius[0]))


if __name__ == '__main__':
    sys.exit(ended_by(main))
