"""
What cools the cell `nmc`, from how another cell warms, and what labels alone then say of cells in the cold.

The other cell is Panasonic's NCR18650G: charge, energy and warming of its discharges at 0 to 30 degC, read off the
curves of its Technical information in github.com/suavecode/SUAVE (NMC_Raw_Data.res). A heat transfer coefficient is
fitted to its warming alone, and again without each temperature. Charge and energy, and all of an LG M50
(battery/lgm50_* of --data), are not used for it.

    python3 bench/cold_cells.py --data /work/shared/data --json -
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from own_command import ended_by, figures_parser, kept
from scipy.integrate import trapezoid
from scipy.optimize import minimize_scalar

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
            print('without {left_out_degc}: {transfer_w_m2_k:.1f} W/(m^2 K), of 21700 {conductance_w_k:.3f} W/K; '
                  'warming seen within {rms_k:.1f} K (rms), left out {rms_left_out_k:.1f} K; M50 '.format(**rows[-1])
                  + ', '.join(f'{name} {error:+.1%}' for name, error in rows[-1]['m50_energy_error'].items()),
                  file=out, flush=True)
        figures['ncr18650g'] = _against_25(rows[0]['transfer_w_m2_k'])
        for row in figures['ncr18650g']:
            print('NCR18650G {current_a:g} A, {ambient_degc:g} degC: against 25 degC charge {charge_error:+.1%}, '
                  'energy {energy_error:+.1%}'.format(**row), file=out)
    return 0


def _pack(label: BatterySheet, transfer: float, area: float) -> Pack:
    """Return the pack of a label that a heat transfer coefficient, W/(m^2 K), cools."""
    pack = pack_of(label._replace(cell=read_cell('nmc')))
    assert pack is not None
    return pack._replace(cell=pack.cell._replace(conductance=transfer * area))


def _run(pack: Pack, current: float, ambient: float) -> Measured:
    course = discharge(rested(1.0, ambient + ICE), ambient + ICE, pack, current=current)
    return Measured(current, ambient, current * float(course.time[-1]) / 3600.0, float(course.energy[-1]) / 3600.0,
                    float(course.temperature[-1]) - ambient - ICE)


def _warming_errors(transfer: float, runs: list[Measured]) -> np.ndarray:
    pack = _pack(LABEL_NCR, transfer, AREA_18650)
    return np.array([_run(pack, run.current, run.ambient).warming - run.warming for run in runs])


def _found(left: float | None, m50: list[tuple[str, Measured]]) -> dict[str, Any]:
    """Return what is found without the discharges at a temperature, degC, and what labels say with it."""
    seen = [run for run in NCR18650G if run.ambient != left]
    others = [run for run in NCR18650G if run.ambient == left]
    transfer = float(minimize_scalar(lambda one: float(np.sum(_warming_errors(one, seen) ** 2)), bounds=(5.0, 60.0),
                                     method='bounded', options={'xatol': 0.01}).x)
    pack = _pack(LABEL_M50, transfer, AREA_21700)
    return {'left_out_degc': left, 'transfer_w_m2_k': transfer, 'conductance_w_k': transfer * AREA_21700,
            'rms_k': _rms(_warming_errors(transfer, seen)),
            'rms_left_out_k': _rms(_warming_errors(transfer, others)) if others else float('nan'),
            'm50_energy_error': {name: _run(pack, run.current, run.ambient).energy / run.energy - 1.0
                                 for name, run in m50}}


def _rms(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors ** 2)))


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


def _against_25(transfer: float) -> list[dict[str, Any]]:
    """Return by how much charge and energy of the NCR18650G, as shares of those at 25 degC, are told too large."""
    pack, rows = _pack(LABEL_NCR, transfer, AREA_18650), []
    for run in NCR18650G:
        base = _run(pack, run.current, 25.0)
        near = [one for one in NCR18650G if one.current == run.current and one.ambient in (20.0, 30.0)]
        ours = _run(pack, run.current, run.ambient)
        rows.append({'current_a': run.current, 'ambient_degc': run.ambient,
                     'charge_error': ours.charge / base.charge / run.charge * _mean([n.charge for n in near]) - 1.0,
                     'energy_error': ours.energy / base.energy / run.energy * _mean([n.energy for n in near]) - 1.0})
    return rows


def _m50_run(data: Path, name: str) -> tuple[str, Measured]:
    table = np.genfromtxt(data / 'battery' / f'lgm50_{name}.csv', delimiter=',', skip_header=1)
    flows = np.flatnonzero(table[:, 1] < -0.01)
    time, current, volts, celsius = table[flows[0]:flows[-1] + 1].T
    return name, Measured(-float(np.median(current)), float(celsius[0]), -float(trapezoid(current, time)) / 3600.0,
                          -float(trapezoid(current * volts, time)) / 3600.0, float(celsius.max() - celsius[0]))


if __name__ == '__main__':
    sys.exit(ended_by(main))
