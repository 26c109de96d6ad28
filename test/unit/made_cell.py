"""Measurements of a cell whose numbers are known, as tables (CSV)."""

import numpy as np

from usv_energy.boats.cell_file import read_cell, table_cell
from usv_energy.physics.batteries.cell import Pack, open_circuit_voltage, rested, voltage
from usv_energy.physics.batteries.cell_discharge import discharge
from usv_energy.physics.batteries.cell_step import step_at_current

KELVIN = 273.15
CELL = table_cell(read_cell('nmc'))._replace(capacity=2.0 * 3600.0, lag=80.0)
CELL = CELL._replace(resistance=2.5 * CELL.resistance, fast_resistance=2.5 * CELL.fast_resistance)
PACK = Pack(CELL, 1.0, 1.0)
AT_REST = np.linspace(0.0, 1.0, 51)
DISCHARGES = ((0.4, 298.15), (2.0, 298.15), (4.0, 298.15), (1.0, 278.15))  # A, K


def write_tables(folder, sign=-1.0, series=1.0):
    """Write voltage at rest, pulses and discharges; `sign` of a discharge, `series` cells; return the paths."""
    rest = folder / 'rest.csv'
    rows = [f'{100.0 * charge},{series * open_circuit_voltage(float(charge), CELL)}' for charge in AT_REST]
    rest.write_text('\n'.join(['soc_percent,ocv_v', *rows]))
    pulses = folder / 'pulses.csv'
    rows = ['soc_percent,time_s,current_a,voltage_v']
    for charge in (0.2, 0.5, 0.8):
        state = rested(charge, 298.15)
        rows.append(f'{100.0 * charge},0,0,{series * voltage(state, 0.0, PACK)}')
        for time in np.linspace(0.0, 10.0, 41):
            rows.append(f'{100.0 * charge},{time + 0.01},{sign * 3.0},{series * voltage(state, 3.0, PACK)}')
            state = step_at_current(state, 3.0, 0.25, 298.15, PACK)
    pulses.write_text('\n'.join(rows))
    paths = [rest, pulses]
    for current, kelvin in DISCHARGES:
        course = discharge(rested(1.0, kelvin), kelvin, PACK, current=current, steps=150)
        at_rest = voltage(rested(1.0, kelvin), 0.0, PACK)
        rows = ['time_s,current_a,voltage_v,temperature_degC', f'0,0,{series * at_rest},{kelvin - KELVIN}']
        rows += [f'{time + 0.1},{sign * current},{series * volts},{warm - KELVIN}'
                 for time, volts, warm in zip(course.time, course.voltage, course.temperature)]
        rows += [f'{course.time[-1] + 1.0 + t},{-sign * 0.5},{series * 3.6},20' for t in range(20)]  # charging
        paths.append(folder / f'discharge_{current:g}A_{kelvin - KELVIN:.0f}C.csv')
        paths[-1].write_text('\n'.join(rows))
    return paths
