"""Identify a battery's cell from measurements, with its errors on discharges that the fit did not use."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid

from usv_energy.boats.cell_file import CellFile, table_cell, tabulated
from usv_energy.files.errors import InputError
from usv_energy.physics.batteries.cell import Cell, Pack
from usv_energy.studies.identify.cells.cell_fit import (
    BY_CAPACITY,
    BY_MASS,
    KNOTS,
    SCALARS,
    SPECIFIC_HEAT,
    CellFit,
    Heat,
    course_of,
    fit_cell,
    names_of_fit,
    replayed,
    start_charge,
)
from usv_energy.studies.identify.cells.cell_recordings import CellRecordings, CellRun

MIDDLE = 0.05, 0.95  # Range of charge over which voltage errors are evaluated, (-).
FURTHER = 1.5  # Longest time for which the model is continued to its own cutoff, over the discharge's duration.
NORMAL_95 = 1.959963984540054


class CourseError(NamedTuple):
    """
    Errors of a cell's model on one discharge.

    `energy` and `runtime` until the cutoff: relative errors, (-); NaN if the discharge does not reach the cutoff.
    `volts`: root mean square error between 5 and 95 % of the charge, V. `warmer`: temperature error at the end, K.
    """

    name: str
    energy: float
    runtime: float
    volts: float
    warmer: float


class CellIdentification(NamedTuple):
    """The fit, its errors on its own data, and those of fits without each discharge (empty if not requested)."""

    fit: CellFit
    at_rest: np.ndarray
    seen: tuple[CourseError, ...]
    left_out: tuple[CourseError, ...]
    recordings: CellRecordings


def heat_of(recordings: CellRecordings, base: CellFile, mass: float | None) -> Heat:
    """
    Return what is known of a cell's heat capacity: by its mass, kg, or as the base's, in proportion to the capacity.

    Source: 900 to 1100 J/(kg K) for cells of all chemistries; Steinhardt et al., Energy Storage (2022), a review.
    """
    if mass is not None:
        return Heat(SPECIFIC_HEAT * mass, BY_MASS)
    largest = max(float(run.drawn[-1]) for run in recordings.discharges) / 3600.0
    return Heat(base.known('heat_capacity') * largest / base.known('capacity_ah'), BY_CAPACITY)


def identify_cell(recordings: CellRecordings, base: CellFile, leave_one_out: bool = False, mass: float | None = None,
                  tell: Callable[[str], Any] = lambda text: None) -> CellIdentification:
    """
    Return the cell that recordings determine.

    :param base: A cell of the same chemistry: its limits, and its open-circuit voltage if none was measured.
    :param leave_one_out: Whether to fit the cell without each discharge in turn, and evaluate the error on that
        discharge.
    :param mass: Of a cell, kg, which nearly determines its heat capacity; None if not known.
    :param tell: Function that receives progress messages.
    :raises InputError: If there is too little to fit.
    """
    if not recordings.discharges:
        raise InputError('no discharge to its end was recorded: nothing says the capacity')
    started = base_of(recordings, base)
    tell(f'fit to {len(recordings.discharges)} discharges and {len(recordings.pulses)} pulses')
    heat = heat_of(recordings, base, mass)
    fit = fit_cell(recordings.pulses, recordings.discharges, started, heat)
    seen = tuple(course_error(run, fit.cell) for run in recordings.discharges)
    left_out = []
    for number, run in enumerate(recordings.discharges if leave_one_out and len(recordings.discharges) > 1 else ()):
        tell(f'fit without {run.name} ({number + 1} of {len(recordings.discharges)})')
        others = [other for other in recordings.discharges if other is not run]
        left_out.append(course_error(run, fit_cell(recordings.pulses, others, started, heat, fit).cell))
    return CellIdentification(fit, _table_at_rest(recordings, started), seen, tuple(left_out), recordings)


def base_of(recordings: CellRecordings, base: CellFile) -> Cell:
    """Return the initial cell of the fit: measured open-circuit voltage, largest charge of any discharge."""
    cell = table_cell(base)
    largest = max(float(run.drawn[-1]) for run in recordings.discharges)
    cell = cell._replace(capacity=largest)
    if recordings.at_rest is not None:
        return cell._replace(open_circuit=tabulated(_rows(recordings.at_rest)))
    return cell


def _rows(table: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((float(charge), float(value)) for charge, value in table)


def _table_at_rest(recordings: CellRecordings, cell: Cell) -> np.ndarray:
    if recordings.at_rest is not None:
        return recordings.at_rest
    return np.column_stack([np.linspace(0.0, 1.0, len(cell.open_circuit)), cell.open_circuit])[::4]


def course_error(run: CellRun, cell: Cell) -> CourseError:
    """
    Return the errors of a cell's model on a discharge that begins at rest.

    The model draws the measured current, and after the measured end the last current, until its own cutoff.
    """
    volts, kelvin, charge = replayed(run, cell)
    steps = run.time[-1] - run.time[-2]
    further = np.arange(run.time[-1] + steps, FURTHER * run.time[-1] + steps, max(steps, 1e-3 * run.time[-1]))
    time = np.concatenate([run.time, further])
    current = np.concatenate([run.current, np.full(len(further), run.current[-1])])
    ambient = float(run.temperature[0]) if np.isfinite(run.temperature[0]) else cell.reference_temperature
    course, _, _ = course_of(time, current, start_charge(run, cell), ambient, Pack(cell, 1.0, 1.0, 1.0, 1.0))
    energy, runtime = np.nan, np.nan
    below = np.flatnonzero(course < cell.cutoff_voltage)
    if run.voltage[-1] < cell.cutoff_voltage + 0.1 and below.size and below[0] > 0:
        end = int(below[0])
        share = (course[end - 1] - cell.cutoff_voltage) / (course[end - 1] - course[end])
        last = time[end - 1] + share * (time[end] - time[end - 1])
        power = course * current
        given = float(trapezoid(power[:end], time[:end])
                      + 0.5 * (power[end - 1] + cell.cutoff_voltage * current[end]) * (last - time[end - 1]))
        energy = given / float(trapezoid(run.voltage * run.current, run.time)) - 1.0
        runtime = last / float(run.time[-1]) - 1.0
    middle = (charge > MIDDLE[0]) & (charge < MIDDLE[1])
    weight = np.gradient(run.time) * middle
    wrong = float(np.sqrt(np.sum(weight * (volts - run.voltage) ** 2) / max(np.sum(weight), 1e-9)))
    return CourseError(run.name, energy, runtime, wrong, float(kelvin[-1] - run.temperature[-1]))


def interval(fit: CellFit, name: str) -> tuple[float, float, float]:
    """Return a fitted number and the ends of its 95 % interval, in SI units."""
    at = names_of_fit().index(name)
    middle, error = float(fit.logarithms[at]), float(fit.errors[at])
    return (float(np.exp(middle)), float(np.exp(middle - NORMAL_95 * error)), float(np.exp(middle + NORMAL_95 * error)))


def cell_document(found: CellIdentification, base: CellFile, name: str, provenance: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file of the identified cell, as in `config/batteries`."""
    source = 'usv-energy identify battery: see identification'
    units = {'capacity': ('capacity_ah', 'Ah', 1.0 / 3600.0), 'heat_capacity': ('heat_capacity', 'J/K', 1.0),
             'conductance': ('conductance', 'W/K', 1.0)}
    cell: dict[str, Any] = {}
    for key in SCALARS:
        value, low, high = interval(found.fit, key)
        field, unit, times = units.get(key, (key, 'K' if key.endswith('activation') else 's', 1.0))
        cell[field] = {'value': _short(value * times), 'unit': unit, 'source': source,
                       'interval': [_short(low * times), _short(high * times)]}
    for key in ('nominal_voltage', 'full_voltage', 'cutoff_voltage'):
        cell[key] = {'value': base.known(key), 'unit': 'V', 'source': f'{base.path.name}'}
    if (most := base.number('most_current')) is not None:
        cell['most_current'] = {'value': _short(most * found.fit.cell.capacity / 3600.0 / base.known('capacity_ah')),
                                'unit': 'A', 'source': f'{base.path.name}, by capacity'}
    cell['capacity_slope'] = {'value': base.known('capacity_slope'), 'unit': '1/K', 'source': f'{base.path.name}'}
    cell['reference_degc'] = {'value': base.known('reference_degc'), 'unit': 'degC', 'source': 'taken'}
    measured = found.recordings.at_rest is not None
    cell['open_circuit_voltage'] = {'unit': 'V', 'source': 'measured' if measured else f'{base.path.name}',
                                    'rows': [[_short(charge), _short(volts)] for charge, volts in found.at_rest]}
    for table in ('resistance', 'fast_resistance', 'slow_resistance'):
        values = [interval(found.fit, f'{table} {knot:g}') for knot in KNOTS]
        cell[table] = {'unit': 'Ohm', 'source': source, 'rows': [[knot, _short(value[0])] for knot, value in
                                                               zip(KNOTS, values)]}
    return {'name': name, 'description': f'identified from {len(found.recordings.discharges)} discharges and '
            f'{len(found.recordings.pulses)} pulses', 'cell': cell, 'identification': provenance}


def _short(value: float) -> float:
    return float(f'{value:.6g}')
