"""
The samples of a run as a CSV: one line a sample, units in the column names, numbers that read back exactly.

Files from before the power against waves was a cause have no column of it: it is read as 0.
"""

from collections.abc import Iterable
from pathlib import Path

from ..files.errors import InputError
from ..files.text_file import csv_cells
from ..files.whole_file import write_text
from ..physics.motion import Flow, Motion
from ..power.power import Power
from .record import Row

PLACE = ('time_s', 'x_m', 'y_m')
MOTION = ('yaw_rad', 'u_m_s', 'v_m_s', 'r_rad_s', 'u_dot_m_s2', 'v_dot_m_s2', 'r_dot_rad_s2')
FLOW = ('current_x_m_s', 'current_y_m_s', 'wind_x_m_s', 'wind_y_m_s')
POWER = ('power_inertia_w', 'power_damping_w', 'power_wind_w', 'power_foils_w', 'power_waves_w',
         'power_side_force_w', 'power_residual_w', 'power_thrust_w', 'power_unrecovered_w', 'power_losses_w',
         'power_allocation_w', 'power_static_load_w', 'power_loads_w', 'power_total_w',
         'u_r_m_s', 'v_r_m_s', 'r_r_rad_s')
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
    lines = _with_waves(csv_cells(path))
    _check_header(lines[0] if lines else [], path)
    return [_row(cells, f'{path}: line {number}') for number, cells in enumerate(lines[1:], start=2)]


def _with_waves(lines: list[list[str]]) -> list[list[str]]:
    """Return the cells of a file with a column of the power against waves, 0 where an older file has none."""
    place = COLUMNS.index('power_waves_w')
    if not lines or lines[0] != [name for name in COLUMNS if name != 'power_waves_w']:
        return lines
    cells = ['power_waves_w', *['0.0'] * (len(lines) - 1)]
    return [[*line[:place], cell, *line[place:]] for line, cell in zip(lines, cells)]


def _check_header(header: list[str], path: Path) -> None:
    for number, (found, wanted) in enumerate(zip(header, COLUMNS), start=1):
        if found != wanted:
            raise InputError(f'{path}: line 1: column {number} is {found!r}; must be {wanted!r}')
    if len(header) != len(COLUMNS):
        raise InputError(f'{path}: line 1: {len(header)} columns; a table of samples has {len(COLUMNS)}')


def _row(cells: list[str], place: str) -> Row:
    if len(cells) != len(COLUMNS):
        raise InputError(f'{place}: {len(cells)} values; must be {len(COLUMNS)}')
    numbers = iter([_number(cell, float, 'a number', place, column) for column, cell in zip(COLUMNS, cells[:-1])])
    status = int(_number(cells[-1], int, 'a whole number', place, COLUMNS[-1]))
    time, x, y = (next(numbers) for _ in PLACE)
    motion = Motion(*(next(numbers) for _ in MOTION))
    flow = Flow(*(next(numbers) for _ in FLOW))
    power = Power(*(next(numbers) for _ in POWER))
    energy, thruster_power, thruster_energy = numbers
    return Row(time, x, y, motion, flow, power, energy, thruster_power, thruster_energy, status)


def _number(cell: str, kind: type[float] | type[int], wanted: str, place: str, column: str) -> float:
    try:
        return kind(cell)
    except ValueError:
        raise InputError(f'{place}: column {column} is {cell!r}; must be {wanted}') from None
