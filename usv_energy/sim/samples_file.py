"""
The samples of a run as a CSV: one line a sample, units in the column names, numbers that read back exactly.

Files from before the power against waves was a cause have no column of it: it is read as 0.
"""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ..files.table import OWN, cell_fault, read_head, read_table
from ..files.whole_file import write_text
from ..physics.motion import Flow, Motion
from ..powering.power import Power
from .record import Row

PLACE = ('time_s', 'x_m', 'y_m')
MOTION = ('yaw_rad', 'u_m_s', 'v_m_s', 'r_rad_s', 'u_dot_m_s2', 'v_dot_m_s2', 'r_dot_rad_s2')
FLOW = ('current_x_m_s', 'current_y_m_s', 'wind_x_m_s', 'wind_y_m_s')
POWER = ('power_inertia_w', 'power_damping_w', 'power_wind_w', 'power_foils_w', 'power_waves_w',
         'power_side_force_w', 'power_residual_w', 'power_thrust_w', 'power_unrecovered_w', 'power_losses_w',
         'power_allocation_w', 'power_static_load_w', 'power_loads_w', 'power_total_w',
         'u_r_m_s', 'v_r_m_s', 'r_r_rad_s')
WAVES = 'power_waves_w'
REST = ('energy_j', 'thruster_power_w', 'thruster_energy_j', 'status')
COLUMNS = (*PLACE, *MOTION, *FLOW, *POWER, *REST)
HEADER = f'{",".join(COLUMNS)}\n'


def write_samples(rows: Iterable[Row], path: Path) -> None:
    """Write the samples of a run, whole or not at all (OSError); the same rows always give the same bytes."""
    write_text(''.join([HEADER, *map(sample_line, rows)]), path)


def sample_line(row: Row) -> str:
    """Return a sample's line of the CSV, its line end included."""
    values = (row.time, row.x, row.y, *row.motion, *row.flow, *row.power,
              row.energy, row.thruster_power, row.thruster_energy)
    return f'{",".join(repr(float(value)) for value in values)},{int(row.status)}\n'


def read_samples(path: Path) -> list[Row]:
    """Return the samples that `write_samples` wrote; InputError names file, line, column and value."""
    names = [name for name in COLUMNS if name != WAVES or WAVES in read_head(path, OWN).names]
    table = read_table(path, names, OWN)
    parts = np.flatnonzero(table['status'] % 1.0 != 0.0)
    if parts.size:
        raise cell_fault(path, int(parts[0]), 'status', 'must be a whole number', OWN)
    table.setdefault(WAVES, np.zeros_like(table['status']))
    return [_row(iter(numbers)) for numbers in np.column_stack([table[name] for name in COLUMNS]).tolist()]


def _row(numbers: Iterator[float]) -> Row:
    time, x, y = itertools.islice(numbers, len(PLACE))
    motion = Motion(*itertools.islice(numbers, len(MOTION)))
    flow = Flow(*itertools.islice(numbers, len(FLOW)))
    power = Power(*itertools.islice(numbers, len(POWER)))
    energy, thruster_power, thruster_energy, status = numbers
    return Row(time, x, y, motion, flow, power, energy, thruster_power, thruster_energy, int(status))
