"""
The fit of a cell to its pulses and discharges: resistances over charge, time constants, the lag, heat.

Identify a battery's cell from measurements, with its errors on discharges that the fit did not use.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid

from usv_energy.boats.cell_file import CellFile, table_cell, tabulated
from usv_energy.engine.ensemble import has_numba
from usv_energy.files.errors import InputError
from usv_energy.physics.batteries.cell import Cell, Pack, arrhenius, charge_at_rest, rested, voltage
from usv_energy.physics.batteries.cell_step import step_at_current
from usv_energy.studies.identify.cells.cell_recordings import CellRecordings, CellRun

KNOTS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # Charges at which resistances are fitted, (-).
TABLES = ('resistance', 'fast_resistance', 'slow_resistance')
SCALARS = ('capacity', 'fast_time', 'slow_time', 'lag', 'lag_time', 'activation', 'pair_activation', 'lag_activation',
           'heat_capacity', 'conductance')
# Start of the fit for a cell of 1 Ah. Resistances are inversely proportional to the capacity, the heat capacity and the
# conductance are proportional to it.
START = {'resistance': 0.12, 'fast_resistance': 0.05, 'slow_resistance': 0.05, 'fast_time': 8.0, 'slow_time': 200.0,
         'lag': 100.0, 'lag_time': 500.0, 'activation': 1500.0, 'pair_activation': 4000.0, 'lag_activation': 3000.0,
         'heat_capacity': 14.0, 'conductance': 0.015}
# Scales of the residuals: voltage, V, temperature, K, and voltage at the end, V. Voltages, which tell what heats the
# cell, and temperatures then count by what the best fit to them leaves: sought by fits that know little of the heat
# capacity, again while what the temperatures leave falls by a share.
VOLTS, KELVIN, END_VOLTS = 0.02, 2.0, 0.3
LEAST_VOLTS = 0.003     # V, since resistances are straight between knots.
LEAST_KELVIN, FALLS, REFITS, FEW = 0.05, 0.7, 4, 12
PULSES_WEIGH = 4.0  # Weight of all pulses together, in discharges.
PRIOR, SMOOTH = 0.02, 0.03  # Weights of the deviation of resistances from the start, and of their steps between knots.
SCALAR_PRIOR = 0.1  # Prior weight of other numbers except the capacity.
# Of Arrhenius' constants, more while scales are sought, and of the cooling of a cell in air, 4 to 40 W/(m^2 K), which
# is known to a factor of 2.
ACTIVATIONS = 'activation', 'pair_activation', 'lag_activation'
PRIORS = {**dict.fromkeys(ACTIVATIONS, 0.3), 'conductance': 1.4}
SEEKING = {**PRIORS, **dict.fromkeys(ACTIVATIONS, 2.0)}
# Heat capacity of a mass, J/(kg K), and standard deviations of its logarithm: by the mass, by the capacity and the
# chemistry alone, with neither, and the least, since the heat of reaction, which the cell here has not, is unknown.
SPECIFIC_HEAT, BY_MASS, BY_CAPACITY, BY_NOTHING, BY_HEAT = 1000.0, 0.08, 0.2, 2.0, 0.05
NO_SUCH_MASS = 10.0     # (-), of a mass over the usual one for the capacity: grams in place of kg.
UNLIKE = 4.0    # Degrees of freedom of Student's distribution of that logarithm: a few cells are unlike the others.
FARTHEST = 0.5  # V: larger voltage errors are clipped.
INDEPENDENT = 20.0                              # Samples of a discharge that count as independent for intervals.
ROUNDS, ENOUGH = 40, 1e-4


def course_of(time: np.ndarray, current: np.ndarray, charge: float, ambient: float,
              pack: Pack) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return voltage, V, temperature, K, and charge, (-), of a pack at the samples of a current.

    :param time: s, rising, shape (n,).
    :param current: Of the pack, A, discharging is positive, linear between the samples; shape (n,).
    :param charge: At the first sample, where the cells are at rest, (-).
    :param ambient: Ambient temperature, and that of the cells at first, K.
    :param pack: The Pack.
    """
    out = np.empty((3, len(time)))
    _loop()(np.ascontiguousarray(time, dtype=float), np.ascontiguousarray(current, dtype=float),
            rested(float(charge), float(ambient)), float(ambient), pack, out)
    return out[0], out[1], out[2]


def _plain_loop(time: Any, current: Any, state: Any, ambient: float, pack: Pack, out: Any) -> None:
    for n in range(len(time)):
        out[0, n] = voltage(state, current[n], pack)
        out[1, n] = state.temperature
        out[2, n] = state.charge
        if n + 1 < len(time):
            state = step_at_current(state, 0.5 * (current[n] + current[n + 1]), time[n + 1] - time[n], ambient, pack)


@cache
def _loop() -> Any:
    """Return the loop over the samples, compiled if numba is installed."""
    if not has_numba():
        return _plain_loop
    from numba import njit

    from usv_energy.physics.compiled_kernels import compile_kernels
    compile_kernels()
    return njit(nogil=True)(_plain_loop)


class Heat(NamedTuple):
    """What is known of a cell's heat capacity before the fit: J/K, and the standard deviation of its logarithm."""

    capacity: float
    doubt: float


class Scales(NamedTuple):
    """Standard deviations of the voltages and of the temperatures of a discharge, each counted together: V, K."""

    volts: float
    kelvin: float


SCALES, SOUGHT = Scales(VOLTS, KELVIN), Scales(VOLTS, 0.3)


class CellFit(NamedTuple):
    """
    A fitted cell with its uncertainty.

    `logarithms` and `errors`: of the fitted numbers, in the order of `names_of_fit`, and their standard errors.
    `scales`: by which voltages and temperatures of a discharge counted.
    """

    cell: Cell
    logarithms: np.ndarray
    errors: np.ndarray
    scales: Scales = SCALES


def names_of_fit() -> list[str]:
    """Return the names of the fitted numbers: `resistance 0.05` is that at a charge of 0.05."""
    return [*SCALARS, *(f'{table} {knot:g}' for table in TABLES for knot in KNOTS)]


def start_of(base: Cell, heat: Heat | None = None) -> np.ndarray:
    """Return the logarithms at which the fit of a cell begins; `base` holds its capacity, C."""
    hours = base.capacity / 3600.0
    begin = {**START, 'conductance': START['conductance'] * hours,
             'heat_capacity': START['heat_capacity'] * hours if heat is None else heat.capacity}
    scalars = [np.log(base.capacity), *(np.log(begin[name]) for name in SCALARS[1:])]
    tables = [np.full(len(KNOTS), np.log(START[name] / hours)) for name in TABLES]
    return np.concatenate([scalars, *tables])


def cell_of(logarithms: np.ndarray, base: Cell) -> Cell:
    """Return the cell with the fitted logarithms; everything else is as in `base`."""
    scalars, knots = np.split(np.exp(logarithms), [len(SCALARS)])
    tables = {name: tabulated(tuple(zip(KNOTS, row.tolist())))
              for name, row in zip(TABLES, knots.reshape(len(TABLES), len(KNOTS)))}
    return base._replace(**dict(zip(SCALARS, scalars.tolist())), **tables)


def start_charge(run: CellRun, cell: Cell) -> float:
    """
    Return the charge at the beginning of a run, (-): as given, or from its voltage at rest.

    Of a run whose first row is under load, it is that whose voltage less the drop at the resistance is the first one.
    """
    if run.is_pulse:
        return run.charge
    if np.isfinite(run.rest_voltage):
        return float(charge_at_rest(run.rest_voltage, cell))
    ambient = run.temperature[0] if np.isfinite(run.temperature[0]) else cell.reference_temperature
    volts = cell.open_circuit - arrhenius(cell.activation, float(ambient), cell) * cell.resistance * run.current[0]
    return float(np.interp(run.voltage[0], np.maximum.accumulate(volts), np.linspace(0.0, 1.0, len(volts))))


def replayed(run: CellRun, cell: Cell) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return voltage, V, temperature, K, and charge, (-), of a cell at the samples of a run."""
    ambient = run.temperature[0] if np.isfinite(run.temperature[0]) else cell.reference_temperature
    return course_of(run.time, run.current, start_charge(run, cell), float(ambient), Pack(cell, 1.0, 1.0, 1.0, 1.0))


def fit_cell(pulses: Sequence[CellRun], discharges: Sequence[CellRun], base: Cell,
             heat: Heat | None = None, begin: CellFit | None = None) -> CellFit:
    """
    Return the cell that fits pulses and discharges best.

    :param base: Holds the open-circuit voltage, the limits and an initial capacity; the rest is fitted.
    :param heat: What is known of the heat capacity; None for little.
    :param begin: A fit to nearly the same recordings, from which the search begins.
    """
    from scipy.optimize import least_squares
    start = start_of(base, heat)

    def residuals(logarithms: np.ndarray, scales: Scales = SCALES, known: Heat | None = heat,
                  priors: Mapping[str, float] = PRIORS) -> np.ndarray:
        cell = cell_of(logarithms, base)
        parts = [part for run in discharges for part in _discharge_residuals(run, cell, scales)]
        parts += [_pulse_residuals(run, cell, len(pulses)) for run in pulses]
        return np.concatenate([*parts, *_prior_residuals(logarithms, start, known, priors)])

    def search(at: np.ndarray, rounds: int, *given: Any) -> Any:
        return least_squares(residuals, at, x_scale='jac', max_nfev=rounds, ftol=ENOUGH, xtol=ENOUGH, args=given)

    at, scales, rounds = (start, SCALES, ROUNDS) if begin is None else (begin.logarithms, begin.scales, FEW)
    if begin is None and heat is not None:
        before, scales = np.inf, SOUGHT
        for _ in range(REFITS):
            at, rounds = search(at, rounds, scales, heat._replace(doubt=BY_NOTHING), SEEKING).x, FEW
            left, scales = _left(discharges, cell_of(at, base))
            if left > FALLS * before:
                break
            before = left
    found = search(at, rounds, scales, heat)
    count = INDEPENDENT * max(len(discharges), 1) + len(pulses)
    variance = max(2.0 * found.cost, 1e-12) * INDEPENDENT / max(count - len(start), 1.0)
    spread = np.linalg.pinv(found.jac.T @ found.jac)
    errors = np.sqrt(np.diag(spread) * variance / INDEPENDENT)
    if heat is not None:    # Of a prior and temperatures that both have their own standard deviations.
        place = SCALARS.index('heat_capacity')
        errors[place] = np.hypot(np.sqrt(spread[place, place]), BY_HEAT)
    return CellFit(cell_of(found.x, base), found.x, errors, scales)


def _left(discharges: Sequence[CellRun], cell: Cell) -> tuple[float, Scales]:
    """
    Return the error of the temperature, K, root mean square over all discharges, and the Scales by what is left.

    An error of the voltage counts once. One of the temperature that goes on from sample to sample does, too, noise as
    often as there are samples: n (1 - r) / (1 + r) with the correlation r of neighbours. Without temperatures both are
    KELVIN.
    """
    squares, alike, volts = [], [], []
    for run in discharges:
        by_volts, error, _ = _discharge_residuals(run, cell, Scales(1.0, 1.0))
        volts.append(float(np.sum(by_volts ** 2)))
        if np.isfinite(run.temperature).any():
            squares.append(float(np.sum(error ** 2)))
            correlation = max(float(np.sum(error[1:] * error[:-1])) / max(squares[-1], 1e-12), 0.0)
            alike.append(max(len(error) * (1.0 - correlation) / (1.0 + correlation), 1.0))
    scale = min(max(float(np.sqrt(np.mean(volts))), LEAST_VOLTS), VOLTS)
    if not squares:
        return KELVIN, Scales(scale, KELVIN)
    left = float(np.sqrt(np.mean(squares)))
    return left, Scales(scale, min(max(left / np.sqrt(min(alike)), LEAST_KELVIN), KELVIN))


def _discharge_residuals(run: CellRun, cell: Cell, scales: Scales = SCALES) -> tuple[np.ndarray, ...]:
    volts, kelvin, _ = replayed(run, cell)
    weight = np.sqrt(np.gradient(run.time) / max(run.time[-1], 1e-9))
    error = np.clip(volts - run.voltage, -FARTHEST, FARTHEST)
    warmer = np.where(np.isfinite(run.temperature), kelvin - run.temperature, 0.0)
    return weight * error / scales.volts, weight * warmer / scales.kelvin, error[-1:] / END_VOLTS


def _pulse_residuals(run: CellRun, cell: Cell, number: int) -> np.ndarray:
    """Return the residuals of a pulse's voltage drop, which does not depend on errors of the open-circuit voltage."""
    volts, _, _ = replayed(run, cell)
    before = float(np.interp(run.charge, np.linspace(0.0, 1.0, len(cell.open_circuit)), cell.open_circuit))
    error = (volts - before) - (run.voltage - run.rest_voltage)
    return np.asarray(error / VOLTS * np.sqrt(PULSES_WEIGH / (number * len(error))))


def _prior_residuals(logarithms: np.ndarray, start: np.ndarray, heat: Heat | None = None,
                     priors: Mapping[str, float] = PRIORS) -> list[np.ndarray]:
    count = len(SCALARS)
    knots = logarithms[count:].reshape(len(TABLES), -1)
    moved = logarithms - start
    scalars = np.array([priors.get(name, SCALAR_PRIOR) for name in SCALARS]) * moved[:count]
    if heat is not None:
        place = SCALARS.index('heat_capacity')
        far = moved[place] / heat.doubt
        scalars[place] = np.sign(far) * np.sqrt(UNLIKE * np.log1p(far * far / UNLIKE))
    return [scalars[1:], PRIOR * moved[count:], SMOOTH * np.diff(knots, axis=1).ravel()]


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

    :raises InputError: If no cell of such a capacity has such a mass.
    """
    largest = max(float(run.drawn[-1]) for run in recordings.discharges) / 3600.0
    usual = base.known('heat_capacity') * largest / base.known('capacity_ah')
    if mass is None:
        return Heat(usual, BY_CAPACITY)
    if not 1.0 / NO_SUCH_MASS < SPECIFIC_HEAT * mass / usual < NO_SUCH_MASS:
        raise InputError(f'mass is {mass:g} kg for a cell of {largest:.3g} Ah; must be in kg and of what was measured: '
                         f'such a cell has some {usual / SPECIFIC_HEAT:.2g} kg')
    return Heat(SPECIFIC_HEAT * mass, BY_MASS)


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
    if not largest > 0.0:
        raise InputError(f'{recordings.discharges[0].name}: the discharge draws no charge; times and current must be '
                         'those of one')
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
